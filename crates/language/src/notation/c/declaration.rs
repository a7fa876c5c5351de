//! Types, declarations and functions of C.

use super::macros::{self, Macro};
use super::{Reader, Result, is_variable};
use crate::diagnostic::Diagnostic;
use crate::notation::element::{Typed, typed};
use crate::notation::output::spaced;
use crate::notation::token::{Token, closing, position, split, text};
use crate::notation::tree::{unexpected, written};
use crate::syntax::Type;

impl Reader {
    /// Reads a declaration, if one stands here.
    pub(super) fn declaration(&mut self) -> Result<bool> {
        let Some(typed) = typed(&self.tokens[self.at..]) else { return Ok(false) };
        if typed.length == 0 {
            return Ok(false);
        }
        let first = self.place();
        self.at += typed.length;
        let mut tokens = self.declared()?;
        self.rename_inner(&mut tokens);
        for part in split(&tokens, &[","]) {
            self.declarator(&typed, part, &first)?;
        }
        Ok(true)
    }

    /// What is declared in a block around, too, has a name of its own up to the end of this one.
    fn rename_inner(&mut self, tokens: &mut [Token]) {
        let outer = self.scopes.len() - 1;
        let names: Vec<String> = split(tokens, &[","])
            .iter()
            .filter_map(|it| it.first())
            .filter(|it| self.scopes[..outer].iter().any(|of| of.contains(&it.variable().text)))
            .map(|it| it.text.clone())
            .collect();
        for name in names {
            let own = self.out.fresh(&name);
            let mut depth = 0_i32;
            let of_block = self.tokens[self.at..].iter_mut().take_while(|it| {
                depth += i32::from(it.is("{")) - i32::from(it.is("}"));
                depth >= 0
            });
            let mut is_part = false;
            for token in tokens.iter_mut().chain(of_block) {
                if token.is(&name) && !is_part {
                    token.text.clone_from(&own);
                }
                is_part = token.is_any(&[".", "->"]);
            }
        }
    }

    /// The first part of a `for`, as statements.
    pub(super) fn start(&mut self, start: &[Token], word: &Token) -> Result<()> {
        let Some(typed) = typed(start).filter(|it| it.length > 0) else {
            return self.simple(start);
        };
        for part in split(&start[typed.length..], &[","]) {
            self.declarator(&typed, part, word)?;
        }
        Ok(())
    }

    /// What is declared, up to its semicolon; braces may stand around initial values.
    fn declared(&mut self) -> Result<Vec<Token>> {
        let rest = &self.tokens[self.at..];
        let Some(end) = position(rest, &[";"]) else {
            return Err(unexpected(&self.place(), "a declaration that ends in `;`"));
        };
        let found = rest[..end].to_vec();
        self.at += end + 1;
        Ok(found)
    }

    pub(super) fn declarator(
        &mut self,
        typed: &Typed,
        part: &[Token],
        first: &Token,
    ) -> Result<()> {
        let stars =
            part.iter().take_while(|it| it.is_any(&["*", "&", "restrict", "__restrict__"])).count();
        let part = &part[stars..];
        let Some(name) = part.first().filter(|it| is_variable(it)) else {
            return Err(unexpected(part.first().unwrap_or(first), "a name"));
        };
        let name = Token::variable(name);
        let mut at = 1;
        let mut extents = vec![];
        while part.get(at).is_some_and(|it| it.is("[")) {
            let close = closing(part, at).ok_or_else(|| unexpected(&part[at], "`]`"))?;
            extents.push(extent(&part[at + 1..close]));
            at = close + 1;
        }
        if let ([open, ..], true) = (&part[at..], typed.is_array)
            && open.is("(")
        {
            // `vector<int> a(n, 0)`
            let close = closing(part, at).ok_or_else(|| unexpected(open, "`)`"))?;
            let inside = split(&part[at + 1..close], &[","]);
            let (mut extents, mut value) = (vec![inside[0].to_vec()], inside.get(1).copied());
            // `vector<vector<int>> a(n, vector<int>(m, 0))`
            while let Some([word, .., close]) = value
                && word.is("vector")
                && close.is(")")
                && let Some(at) = value.and_then(|it| it.iter().position(|it| it.is("(")))
            {
                let inner = value.map_or(&[][..], |it| &it[at + 1..it.len() - 1]);
                let parts = split(inner, &[","]);
                extents.push(parts[0].to_vec());
                value = parts.get(1).copied();
            }
            // What is read from outside has values of its own.
            let is_read = self.tokens[self.at..]
                .windows(3)
                .any(|it| it[0].is_any(&[">>", "&"]) && it[1].is(&name.text) && it[2].is("["));
            let value = match value {
                Some(value) => Some(value.to_vec()),
                None => (!is_read).then(|| vec![open.with("0")]),
            };
            return self.new_array(&name, &extents, typed.element, value);
        }
        let value = match &part[at..] {
            [] => None,
            [sign, value @ ..] if sign.is("=") => Some((sign.clone(), value.to_vec())),
            [other, ..] => return Err(unexpected(other, "`=`, `,` or `;`")),
        };
        if !extents.is_empty() || typed.is_array || stars > 0 {
            return self.declared_array(&name, extents, typed.element, value);
        }
        let outer = self.scopes.len() - 1;
        if self.scopes[..outer].iter().any(|it| it.contains(&name.text)) {
            let text = format!("`{}` is declared here and in a block around it", name.text);
            return Err(Diagnostic::new(name.span, text).help("give one of the two another name"));
        }
        self.scopes[outer].insert(name.text.clone());
        let is_real = matches!(typed.element, Some(Type::F32 | Type::F64));
        if is_real {
            self.known.reals.insert(name.text.clone());
        }
        self.declare(&name.text, typed.element);
        let holds_truth =
            typed.element.is_none() && value.as_ref().is_some_and(|it| self.is_truth(&it.1));
        if typed.element == Some(Type::Bool) || holds_truth {
            self.bools.push(name.text.clone());
        }
        let keeps_type = !matches!(typed.element, None | Some(Type::I32 | Type::I64 | Type::Bool));
        let is_new = keeps_type && !self.registers.contains(&name.text);
        let (sign, value) = match value {
            Some(it) => it,
            // A register of this type, which has no value yet.
            None if is_new && !self.only_counts(&name.text) => {
                (name.with("="), vec![name.with("0")])
            }
            None => return Ok(()),
        };
        let value = self.value_apart(value)?;
        if !is_new {
            return self.assign(std::slice::from_ref(&name), &sign, &value);
        }
        self.registers.push(name.text.clone());
        let tree = self.tree(&value)?;
        let value = written(&self.converted(tree, typed.element, true));
        let word = typed.element.map_or("", Type::word);
        let head = [
            name.clone(),
            Token::made(":", &name),
            Token::made(word, &name),
            Token::made("←", &sign),
        ];
        self.out.line([head.to_vec(), spaced(value)].concat());
        Ok(())
    }

    /// Whether a value is `true`, `false`, or an element that is.
    fn is_truth(&self, value: &[Token]) -> bool {
        match value {
            [one] => one.is_any(&["true", "false"]),
            [array, open, ..] => {
                let is_element = open.is("[") && closing(value, 1) == Some(value.len() - 1);
                is_element && self.bools.contains(&array.text)
            }
            [] => false,
        }
    }

    fn declared_array(
        &mut self,
        name: &Token,
        extents: Vec<Vec<Token>>,
        element: Option<Type>,
        value: Option<(Token, Vec<Token>)>,
    ) -> Result<()> {
        let Some((sign, value)) = value else {
            return self.new_array(name, &extents, element, None);
        };
        let nothing = if element == Some(Type::Bool) { "false" } else { "0" };
        let zero = || Some(vec![sign.with(nothing)]);
        let inside = |word: &str| {
            let at = value.iter().position(|it| it.is(word))?;
            let close = closing(&value, at + 1)?;
            Some(value[at + 2..close].to_vec())
        };
        let count = |tokens: Vec<Token>| -> Vec<Token> {
            // `n * sizeof(float)`
            let parts = split(&tokens, &["*"]);
            let kept: Vec<Vec<Token>> = parts
                .into_iter()
                .filter(|it| !it.first().is_some_and(|it| it.is("sizeof")))
                .map(<[Token]>::to_vec)
                .collect();
            let star = sign.with("*");
            kept.join(&star)
        };
        if let Some(of) = inside("malloc") {
            return self.new_array(name, &[count(of)], element, None);
        }
        if let Some(of) = inside("calloc") {
            let of = split(&of, &[","])[0].to_vec();
            return self.new_array(name, &[of], element, zero());
        }
        if let Some(at) = value.iter().position(|it| it.is("new")) {
            let (mut extents, mut at) = (vec![], at + 2);
            while value.get(at).is_some_and(|it| it.is("[")) {
                let close = closing(&value, at).ok_or_else(|| unexpected(&value[at], "`]`"))?;
                extents.push(value[at + 1..close].to_vec());
                at = close + 1;
            }
            return self.new_array(name, &extents, element, zero());
        }
        match &value[..] {
            [open, inside @ .., close] if open.is("{") && close.is("}") => {
                let parts = split(inside, &[","]);
                let all_zero = matches!(parts[..], [[] | [Token { .. }]])
                    && parts[0].first().is_none_or(|it| it.is("0"));
                if all_zero {
                    return self.new_array(name, &extents, element, zero());
                }
                let extents = match &extents[..] {
                    [] => vec![vec![open.with(parts.len().to_string())]],
                    [extent] if extent.is_empty() => vec![vec![open.with(parts.len().to_string())]],
                    _ => extents,
                };
                self.new_array(name, &extents, element, None)?;
                for (at, part) in parts.iter().enumerate() {
                    let index =
                        [name.clone(), name.with("["), name.with(at.to_string()), name.with("]")];
                    self.assign(&index, &sign, part)?;
                }
                Ok(())
            }
            _ => Err(Diagnostic::new(name.span, format!("`{}` points into an array", name.text))
                .help("write the elements with the array's own name and indices")),
        }
    }

    /// An array of the algorithm itself, and what it holds at first.
    fn new_array(
        &mut self,
        name: &Token,
        extents: &[Vec<Token>],
        element: Option<Type>,
        value: Option<Vec<Token>>,
    ) -> Result<()> {
        let is_global = self.is_global && self.out.depth == 0;
        self.array(name, extents, element)?.is_new = !is_global || value.is_some();
        let Some(value) = value else { return Ok(()) };
        let value = self.value(&value)?;
        let mut indices = vec![];
        let depth = self.out.depth;
        for extent in extents {
            let last = [extent.clone(), vec![name.with("-"), name.with("1")]].concat();
            let last = self.value(&last)?;
            let index = Token::made(self.out.fresh("z"), name);
            let tokens = [
                vec![name.with("for"), index.clone()],
                vec![Token::made("←", name), Token::made("0", name), Token::made("to", name)],
                spaced(last),
                vec![Token::made("do", name)],
            ];
            self.out.line(tokens.concat());
            self.out.depth += 1;
            indices.push(index);
        }
        let mut target = vec![name.clone()];
        for (at, mut index) in indices.into_iter().enumerate() {
            target.push(Token::glued(if at == 0 { "[" } else { "," }, name));
            if at == 0 {
                index.blank.clear();
            }
            target.push(index);
        }
        target.extend([Token::glued("]", name), Token::made("←", name)]);
        target.extend(spaced(value));
        self.out.line(target);
        self.out.depth = depth;
        Ok(())
    }

    pub(super) fn array(
        &mut self,
        name: &Token,
        extents: &[Vec<Token>],
        element: Option<Type>,
    ) -> Result<&mut crate::notation::output::ArrayHint> {
        self.arrays.push(name.text.clone());
        if matches!(element, Some(Type::F32 | Type::F64)) {
            self.known.reals.insert(name.text.clone());
        }
        self.known.naturals.remove(&name.text);
        self.declare(&name.text, element);
        if element == Some(Type::Bool) {
            self.bools.push(name.text.clone());
        }
        let mut written = vec![];
        for extent in extents {
            written.push(match extent.is_empty() {
                true => None,
                false => Some(text(&self.value(extent)?)),
            });
        }
        let hint = self.out.hints.array(name);
        hint.element = element.or(hint.element);
        if hint.extents.len() <= written.len() {
            hint.extents = written;
        }
        Ok(hint)
    }

    /// `#define N 8` gives a parameter; what is included is left out.
    pub(super) fn directive(&mut self, hash: &Token, word: &Token, rest: &[Token]) -> Result<()> {
        match (word.text.as_str(), rest) {
            ("define", [name, value]) if value.is_number() => {
                // `010` is octal, which `parse` would not know.
                let text = value.text.as_str();
                let is_decimal = text == "0" || !text.starts_with('0');
                match text.parse() {
                    Ok(number) if is_decimal => {
                        self.out.hints.defaults.push((Token::variable(name), number))
                    }
                    _ => {
                        let value = value.clone();
                        self.macros.push(Macro {
                            name: name.text.clone(),
                            formals: None,
                            text: vec![value],
                        });
                    }
                }
                Ok(())
            }
            ("define", [name, open, ..]) if open.is("(") && open.blank.is_empty() => {
                self.macros.extend(macros::with_arguments(name, &rest[1..]));
                Ok(())
            }
            ("define", [name, value @ ..]) => {
                let text = value.to_vec();
                self.macros.push(Macro { name: name.text.clone(), formals: None, text });
                Ok(())
            }
            ("pragma", words) => {
                let text = words.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ");
                self.tokens.push(Token {
                    span: hash.span.to(word.span),
                    ..hash.with(format!("#pragma {text}"))
                });
                Ok(())
            }
            ("include" | "ifdef" | "ifndef" | "endif" | "undef", _) => Ok(()),
            _ => Err(unexpected(word, "`define`, `include` or `pragma`")),
        }
    }
}

/// What stands in the brackets behind an array, without what C says to its compiler.
pub(super) fn extent(tokens: &[Token]) -> Vec<Token> {
    let words = ["restrict", "static", "const", "__restrict__"];
    tokens.iter().filter(|it| !it.is_any(&words)).cloned().collect()
}
