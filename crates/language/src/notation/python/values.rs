//! Assignments of Python, and lists made by them.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{listed, spaced, words};
use crate::notation::token::{Token, closing, position, split, text};
use crate::notation::tree::unexpected;
use crate::syntax::Type;

const SIGNS: [&str; 12] =
    ["=", "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<="];

/// Functions that make arrays.
const MADE: [&str; 6] = ["zeros", "empty", "ones", "full", "zeros_like", "empty_like"];

/// Of `list(range(n))`, n.
fn numbers(value: &[Token]) -> Option<&[Token]> {
    let [list, open, range, inner, count @ .., close, last] = value else { return None };
    let signs = open.is("(") && inner.is("(") && close.is(")") && last.is(")");
    let is_one = !count.is_empty() && position(count, &[","]).is_none();
    (list.is("list") && range.is("range") && signs && is_one).then_some(count)
}

/// Whether the inner of two lists is of one value, whatever the variables are.
fn is_fill(element: &[Token], at: usize, variable: &Token) -> bool {
    let varies = |it: &Token| it.is(&variable.text) || it.is(&element[at + 1].text);
    element.len() > at + 5 && !element[1..at].iter().any(varies)
}

impl Reader {
    /// An assignment, or a call.
    pub(super) fn simple(&mut self, tokens: &[Token]) -> Result<()> {
        let word = &tokens[0];
        let tokens = match tokens {
            // `n: int = 4`
            [name, colon, rest @ ..] if colon.is(":") && position(rest, &["="]).is_some() => {
                let at = position(rest, &["="]).unwrap_or(0);
                &[std::slice::from_ref(name), &rest[at..]].concat()
            }
            all => all,
        };
        let Some(at) = position(tokens, &SIGNS) else {
            return match tokens {
                [array, dot, name, ..] if dot.is(".") => Err(Diagnostic::new(
                    name.span,
                    format!("`{}.{}` changes the length of a list", array.text, name.text),
                )
                .help("arrays have the length that they are declared with: write to an index")),
                [name, open, ..] if name.is_name() && open.is("(") => {
                    let call = self.value(tokens, name)?;
                    self.out.line(call);
                    Ok(())
                }
                _ => Err(unexpected(word, "a statement")),
            };
        };
        let value = &self.folded(&tokens[at + 1..])?[..];
        let (target, sign) = (&tokens[..at], &tokens[at]);
        if !sign.is("=") {
            let op = sign.with(sign.text.strip_suffix('=').unwrap_or_default());
            let inner = [vec![sign.with("(")], value.to_vec(), vec![sign.with(")")]].concat();
            let whole = [target, std::slice::from_ref(&op), &inner[..]].concat();
            if self.parts(target, &sign.with("="), &whole)? {
                return Ok(());
            }
            let target = &self.place_once(target, sign)?[..];
            return self.assign(target, sign, &[target, &[op], &inner[..]].concat());
        }
        if let Some(second) = position(value, &["="]) {
            return self.chain(target, sign, value, second);
        }
        let targets = split(target, &[","]);
        if targets.len() > 1 {
            let of_tuple = self.values_of_tuple(targets.len(), value);
            let value = of_tuple.as_deref().unwrap_or(value);
            let values = split(value, &[","]);
            // `rows, cols = len(A), len(A[0])`: one after the other.
            let is_length = |it: &&[Token]| {
                it.first().is_some_and(|it| it.is("len")) || it.iter().any(|it| it.is("shape"))
            };
            if values.len() == targets.len() && values.iter().any(is_length) {
                for (target, value) in targets.iter().zip(values) {
                    self.simple(&[target, std::slice::from_ref(sign), value].concat())?;
                }
                return Ok(());
            }
            let mut line = vec![];
            for (at, target) in targets.iter().enumerate() {
                if at > 0 {
                    line.push(Token::glued(",", sign));
                }
                let target = self.value(target, sign)?;
                line.extend(if at > 0 { spaced(target) } else { target });
            }
            line.push(Token::made("←", sign));
            let values = values.iter().map(|it| self.value(it, sign));
            line.extend(listed(values.collect::<Result<Vec<_>>>()?, sign));
            self.out.line(line);
            return Ok(());
        }
        if let [name] = target
            && (self.list(name, sign, value)? || self.whole(name, sign, value)?)
        {
            return Ok(());
        }
        if self.parts(target, sign, value)? {
            return Ok(());
        }
        self.assign(target, sign, value)
    }

    pub(super) fn assign(&mut self, target: &[Token], sign: &Token, value: &[Token]) -> Result<()> {
        let target = self.value(target, sign)?;
        let tree = self.tree(value, sign)?;
        let tree = self.chosen(tree);
        if let ([name], crate::notation::tree::Tree::Call(call, of)) = (&target[..], &tree)
            && call.is_any(&["length", "rows", "columns"])
            && let [crate::notation::tree::Tree::Atom(array)] = &of[..]
            && self.out.depth == 0
            && self.is_assigned_once(name)
        {
            let dimension = usize::from(call.is("columns"));
            self.out.hints.lengths.push((array.text.clone(), dimension, name.clone()));
            return Ok(());
        }
        let value = crate::notation::tree::written(&tree);
        self.out.line([target, vec![Token::made("←", sign)], spaced(value)].concat());
        Ok(())
    }

    /// `list(range(n))`: the numbers from 0 on.
    fn counted(&mut self, name: &Token, sign: &Token, count: &[Token]) -> Result<bool> {
        self.fill(name, sign, vec![count.to_vec()], None)?;
        let index = self.out.fresh("z");
        let made = |text: &str| sign.with(text);
        let last = [&[made("(")], count, &[made(")"), made("-"), made("1")]].concat();
        let last = self.value(&last, sign)?;
        self.out.line(words(name, &format!("for {index} ← 0 to {{}} do"), &[&last]));
        self.out.depth += 1;
        self.out.line(words(name, &format!("{}[{index}] ← {index}", name.text), &[]));
        self.out.depth -= 1;
        Ok(true)
    }

    /// `[f(i) for i in range(n)]`: each element by its number.
    fn comprehension(
        &mut self,
        name: &Token,
        sign: &Token,
        element: &[Token],
        range: &[Token],
    ) -> Result<bool> {
        let [_, own, word, range @ ..] = range else { return Ok(false) };
        let [_, open, count @ .., close] = range else { return Ok(false) };
        let is_one = open.is("(") && close.is(")") && position(count, &[","]).is_none();
        if !is_one || !word.is("in") {
            return Err(Diagnostic::new(own.span, "a list over a range that begins elsewhere")
                .help("write the loop that fills it"));
        }
        self.fill(name, sign, vec![count.to_vec()], None)?;
        let variable = sign.with(self.out.fresh("z"));
        let put = |it: &Token| if it.is(&own.text) { variable.clone() } else { it.clone() };
        let element: Vec<Token> = element.iter().map(put).collect();
        let head = [&[sign.with("for"), variable.clone(), word.clone()], range, &[sign.with(":")]];
        self.for_loop(&head.concat())?;
        self.out.depth += 1;
        let target = [name.clone(), sign.with("["), variable, sign.with("]")];
        self.assign(&target, sign, &element)?;
        self.out.depth -= 1;
        Ok(true)
    }

    pub(super) fn never_assigned(&self, name: &Token) -> bool {
        self.assignments(name) == 0
    }

    /// Whether a name is given a value in one place only.
    fn is_assigned_once(&self, name: &Token) -> bool {
        self.assignments(name) == 1
    }

    /// In how many places a name is given a value.
    pub(super) fn assignments(&self, name: &Token) -> usize {
        let assigns = |it: &&Vec<Token>| {
            let at = position(it, &SIGNS);
            at.is_some_and(|at| {
                split(&it[..at], &[","]).iter().any(|it| matches!(it, [one] if one.is(&name.text)))
            })
        };
        self.lines.iter().map(|it| &it.tokens).filter(assigns).count()
    }

    /// `[0] * n`, `[[0] * m for _ in range(n)]`, `np.zeros((n, m))`, `A[:]`: an array, and what it holds.
    fn list(&mut self, name: &Token, sign: &Token, value: &[Token]) -> Result<bool> {
        let name = Token::variable(name);
        let value = match value {
            [module, dot, rest @ ..] if module.is_any(&["np", "numpy"]) && dot.is(".") => rest,
            all => all,
        };
        if let Some(count) = numbers(value) {
            return self.counted(&name, sign, count);
        }
        let made = |reader: &mut Self, extents: Vec<Vec<Token>>, fill: Option<Vec<Token>>| {
            reader.fill(&name, sign, extents, fill)?;
            Ok(true)
        };
        match value {
            [open, ..] if open.is("[") && position(value, &["+"]).is_some() => {
                self.joined(&name, sign, value)
            }
            [open, .., star, count] | [count, star, open, .., _]
                if star.is("*") && open.is("[") && count.is_name() =>
            {
                let at = value.iter().position(|it| it.is("[")).unwrap_or(0);
                let close = closing(value, at).ok_or_else(|| unexpected(&value[at], "`]`"))?;
                let fill = value[at + 1..close].to_vec();
                made(self, vec![vec![count.clone()]], Some(fill))
            }
            [open, ..] if open.is("[") => {
                let Some(close) = closing(value, 0) else { return Err(unexpected(open, "`]`")) };
                let inside = &value[1..close];
                let behind = &value[close + 1..];
                if let [star, count @ ..] = behind
                    && star.is("*")
                {
                    return made(self, vec![count.to_vec()], Some(inside.to_vec()));
                }
                if let Some(at) = position(inside, &["for"])
                    && let [_, _, word, range, open, count @ .., _] = &inside[at..]
                    && word.is("in")
                    && range.is("range")
                    && open.is("(")
                    && behind.is_empty()
                {
                    let element = &inside[..at];
                    let is_list = element.first().is_some_and(|it| it.is("["));
                    let variable = &inside[at + 1];
                    if !is_list && element.iter().any(|it| it.is(&variable.text)) {
                        return self.comprehension(&name, sign, element, &inside[at..]);
                    }
                    if !is_list {
                        return made(self, vec![count.to_vec()], Some(element.to_vec()));
                    }
                    let close = closing(element, 0).ok_or_else(|| unexpected(open, "`]`"))?;
                    return match &element[close + 1..] {
                        [star, inner @ ..] if star.is("*") => made(
                            self,
                            vec![count.to_vec(), inner.to_vec()],
                            Some(element[1..close].to_vec()),
                        ),
                        _ => match position(&element[1..close], &["for"]).map(|it| it + 1) {
                            Some(at) if is_fill(element, at, variable) => {
                                let inner = element[at + 5..close - 1].to_vec();
                                made(
                                    self,
                                    vec![count.to_vec(), inner],
                                    Some(element[1..at].to_vec()),
                                )
                            }
                            _ => Err(unexpected(open, "a list of zeros")),
                        },
                    };
                }
                let parts = split(inside, &[","]);
                if behind.is_empty() && !inside.is_empty() {
                    let count = vec![open.with(parts.len().to_string())];
                    self.fill(&name, sign, vec![count], None)?;
                    for (at, part) in parts.iter().enumerate() {
                        let part = self.value(part, sign)?;
                        let target = words(&name, &format!("{}[{at}] ← {{}}", name.text), &[&part]);
                        self.out.line(target);
                    }
                    return Ok(true);
                }
                Err(Diagnostic::new(open.span, "a list without a length").help("write `[0] * n`"))
            }
            [word, open, .., close]
                if open.is("(") && close.is(")") && MADE.contains(&word.text.as_str()) =>
            {
                self.made(&name, sign, value)
            }
            // `A[:]`, `A.copy()`, `list(A)`
            [array, open, colon, close] if open.is("[") && colon.is(":") && close.is("]") => {
                self.copy(&name, array)
            }
            [array, dot, copy, ..] if dot.is(".") && copy.is("copy") => self.copy(&name, array),
            [list, open, array, close] if list.is("list") && open.is("(") && close.is(")") => {
                self.copy(&name, array)
            }
            _ => Ok(false),
        }
    }

    /// `zeros((n, m))`, `full(n, x)`, `empty_like(A)`.
    fn made(&mut self, name: &Token, sign: &Token, value: &[Token]) -> Result<bool> {
        let [word, _, inside @ .., _] = value else { return Ok(false) };
        let parts = split(inside, &[","]);
        let shape = parts[0];
        let extents = match shape {
            [open, inner @ .., close] if open.is_any(&["(", "["]) && close.is_any(&[")", "]"]) => {
                split(inner, &[","])
                    .into_iter()
                    .filter(|it| !it.is_empty())
                    .map(<[Token]>::to_vec)
                    .collect()
            }
            [array] if word.text.ends_with("_like") && self.rank_of(array) == 1 => {
                vec![self.length_of(array)]
            }
            [array] | [array, _, _]
                if word.text.ends_with("_like") || shape[shape.len() - 1].is("shape") =>
            {
                self.arrays.insert(array.text.clone());
                let of = |at: usize| {
                    let words = [".", "shape", "[", &at.to_string(), "]"].map(|it| array.with(it));
                    [std::slice::from_ref(array), &words].concat()
                };
                (0..self.rank_of(array).max(self.rank_of(name))).map(of).collect()
            }
            all => vec![all.to_vec()],
        };
        let fill = match word.text.as_str() {
            "zeros" | "zeros_like" => Some(vec![word.with("0")]),
            "ones" => Some(vec![word.with("1")]),
            "full" => parts.get(1).map(|it| it.to_vec()),
            _ => None,
        };
        let element = self.element_made(word, inside)?;
        self.out.hints.array(name).element = element;
        let fill = fill.map(|it| match (&it[..], element) {
            ([zero], Some(Type::Bool)) if zero.is("0") => vec![zero.with("False")],
            ([one], Some(Type::Bool)) if one.is("1") => vec![one.with("True")],
            _ => it,
        });
        self.fill(name, sign, extents, fill)?;
        Ok(true)
    }

    fn length_of(&self, array: &Token) -> Vec<Token> {
        vec![array.with("len"), array.with("("), array.clone(), array.with(")")]
    }

    pub(super) fn fill(
        &mut self,
        name: &Token,
        sign: &Token,
        extents: Vec<Vec<Token>>,
        value: Option<Vec<Token>>,
    ) -> Result<()> {
        self.arrays.insert(name.text.clone());
        let mut written = vec![];
        for extent in &extents {
            let extent = self.value(extent, sign)?;
            written.push(Some(text(&extent)));
        }
        let hint = self.out.hints.array(name);
        (hint.extents, hint.is_new) = (written, true);
        let Some(value) = value else { return Ok(()) };
        let depth = self.out.depth;
        let mut indices = vec![];
        for extent in extents {
            let last =
                self.value(&[extent, vec![sign.with("-"), sign.with("1")]].concat(), sign)?;
            let index = self.out.fresh("z");
            self.out.line(words(name, &format!("for {index} ← 0 to {{}} do"), &[&last]));
            self.out.depth += 1;
            indices.push(index);
        }
        let value = self.value(&value, sign)?;
        self.out.line(words(
            name,
            &format!("{}[{}] ← {{}}", name.text, indices.join(",")),
            &[&value],
        ));
        self.out.depth = depth;
        Ok(())
    }
}
