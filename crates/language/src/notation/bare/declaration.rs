//! Declarations of Pascal, Algol, BASIC and of schools' pseudocode: what they say of names is kept, and the lines go.

use std::collections::HashMap;

use super::extents::extents;
use crate::notation::layout::number_length;
use crate::notation::output::Hints;
use crate::notation::token::{LogicalLine, Token, closing, position, split};
use crate::syntax::Type;

/// Words that call a type.
const TYPES: [(&[&str], Option<Type>); 4] = [
    (
        &["integer", "int", "longint", "long", "short", "word", "byte", "natural", "cardinal"],
        Some(Type::I64),
    ),
    (&["real", "float", "double", "single", "precision"], Some(Type::F64)),
    (&["boolean", "bool", "logical"], Some(Type::Bool)),
    (&["char", "character", "string"], None),
];
/// Words before a declared name.
const MODIFIERS: [&str; 16] = [
    "dim", "declare", "var", "local", "global", "own", "byval", "byref", "ref", "const", "private",
    "public", "static", "shared", "optional", "value",
];
/// Words that begin an algorithm, or a part of one.
const HEADS: [&str; 6] = ["function", "procedure", "subroutine", "sub", "proc", "method"];

/// What a type says of a name.
#[derive(Debug, Clone, Default)]
struct Kind {
    element: Option<Type>,
    extents: Vec<Option<String>>,
    is_array: bool,
}

/// Names with their types, and the value that all get.
type Declared = (Vec<(Token, Kind)>, Vec<Token>);

/// The declarations of a text while its lines are read.
#[derive(Default)]
struct Reader {
    /// Types that the text itself defines.
    types: HashMap<String, Kind>,
    /// The word that the declarations stand below.
    section: String,
    names: Vec<(Token, Kind)>,
    defaults: Vec<(Token, i64)>,
}

/// Takes the declarations out of the lines, and the types out of heads.
pub(super) fn take(lines: &mut Vec<LogicalLine>, hints: &mut Hints) {
    let mut reader = Reader::default();
    for line in lines.iter_mut() {
        let number = number_length(&line.tokens);
        if line.tokens.len() == number {
            continue;
        }
        let code = line.tokens.split_off(number);
        line.tokens.extend(match reader.head(&code) {
            Some(head) => head,
            None => reader.statements(&code),
        });
        if line.tokens.len() == number {
            line.tokens.clear();
        }
    }
    results(lines);
    let is_array = |name: &str| {
        lines.iter().any(|it| it.tokens.windows(2).any(|it| it[0].is(name) && it[1].is("[")))
    };
    for (name, kind) in reader.names {
        let name = Token::variable(&name);
        if kind.is_array || is_array(&name.text) {
            let hint = hints.array(&name);
            hint.element = kind.element.or(hint.element);
            if hint.extents.is_empty() {
                hint.extents = kind.extents;
            }
        } else if let Some(real) = kind.element.filter(|it| it.is_float()) {
            hints.reals.push((name.text, real));
        }
    }
    hints.defaults.extend(reader.defaults);
}

impl Reader {
    /// The statements of a line without its declarations.
    fn statements(&mut self, code: &[Token]) -> Vec<Token> {
        let mut rest = code;
        let mut kept: Vec<Token> = vec![];
        if rest[0].is_any(&["begin", "{block"]) {
            self.section.clear();
            kept.push(rest[0].clone());
            rest = &rest[1..];
        }
        let is_assigned = rest.get(1).is_some_and(|it| it.assigns() || it.is_any(&["[", "("]));
        if let Some(first) = rest.first()
            && first.is_any(&["const", "constant", "type", "var", "label", "uses"])
            && !is_assigned
        {
            self.section = first.text.to_ascii_lowercase();
            let is_last = |it: &&str| rest.len() > 1 && self.section == *it;
            if ["uses", "label"].iter().any(is_last) {
                return kept;
            }
            if rest.len() == 1 || ["const", "constant", "type"].contains(&self.section.as_str()) {
                rest = &rest[1..];
            }
        }
        for (nth, part) in split(rest, &[";"]).into_iter().enumerate() {
            if part.is_empty() || self.is_said(part) {
                continue;
            }
            if nth > 0 && !kept.is_empty() {
                kept.push(Token::glued(";", &part[0]));
            }
            match self.declared(part) {
                Some((names, value)) => {
                    if let ([(name, _)], false) = (&names[..], value.is_empty()) {
                        let arrow = Token::made("←", name);
                        let target = Token { column: part[0].column, ..name.clone() };
                        kept.extend([vec![target, arrow], value].concat());
                    } else if kept.last().is_some_and(|it| it.is(";")) {
                        kept.pop();
                    }
                    self.names.extend(names);
                }
                None => {
                    self.section.clear();
                    kept.extend_from_slice(part);
                }
            }
        }
        if kept.len() > 1 && code.last().is_some_and(|it| it.is(";")) {
            kept.push(Token::glued(";", &code[code.len() - 1]));
        }
        kept
    }

    /// `n = 8` below `const`, `T = array [1..n] of integer` below `type`, `value n` of Algol.
    fn is_said(&mut self, part: &[Token]) -> bool {
        let [name, sign, value @ ..] = part else { return false };
        if name.is("value") && sign.is_name() {
            return part[1..].iter().all(|it| it.is_name() || it.is(","));
        }
        if !sign.assigns() || value.is_empty() {
            return false;
        }
        match self.section.as_str() {
            "const" | "constant" => match value {
                [one] if one.text.parse::<i64>().is_ok() => {
                    let number = one.text.parse().unwrap_or_default();
                    self.defaults.push((Token::variable(name), number));
                    true
                }
                _ => false,
            },
            "type" => match self.kind(value) {
                Some((kind, length)) if length == value.len() => {
                    self.types.insert(name.text.to_ascii_lowercase(), kind);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// A type, and how many tokens it is.
    fn kind(&self, tokens: &[Token]) -> Option<(Kind, usize)> {
        let first = tokens.first()?;
        if first.is_word("array") || first.is_word("list") {
            let mut kind = Kind { is_array: true, ..Kind::default() };
            let mut at = 1;
            if tokens.get(1).is_some_and(|it| it.is_any(&["[", "("])) {
                let close = closing(tokens, 1)?;
                kind.extents = extents(&tokens[2..close]);
                at = close + 1;
            }
            if tokens.get(at).is_some_and(|it| it.is_word("of")) {
                let (inner, length) = self.kind(&tokens[at + 1..])?;
                kind.element = inner.element;
                kind.extents.extend(inner.extents);
                at += 1 + length;
            }
            return Some((kind, at));
        }
        let of = |token: &Token| {
            let word = token.text.to_ascii_lowercase();
            let word = word.strip_suffix('s').unwrap_or(&word).to_owned();
            TYPES.iter().find(|it| it.0.contains(&word.as_str())).map(|it| it.1)
        };
        let Some(element) = of(first) else {
            return Some((self.types.get(&first.text.to_ascii_lowercase())?.clone(), 1));
        };
        let mut kind = Kind { element, ..Kind::default() };
        let mut at = 1;
        while tokens.get(at).is_some_and(|it| of(it).is_some()) {
            at += 1;
        }
        match &tokens[at..] {
            [word, ..] if word.is_word("array") => (kind.is_array, at) = (true, at + 1),
            [open, close, ..] if open.is("[") && close.is("]") => {
                (kind.is_array, at) = (true, at + 2);
            }
            _ => {}
        }
        Some((kind, at))
    }

    /// `i, j : integer`, `integer i, j`, `dim a(20)`, `integer c := 0`.
    fn declared(&self, part: &[Token]) -> Option<Declared> {
        let is_said = part[0].is_any(&["dim", "declare"]);
        let length = part.iter().take_while(|it| it.is_any(&MODIFIERS)).count();
        let tokens = &part[length..];
        tokens.first()?;
        // `declare int i, j` has its type first.
        let are_names = tokens.iter().skip(1).all(|it| it.is_name() || it.is(","));
        let is_typed = tokens.len() > 1 && are_names && self.kind(tokens).is_some();
        let is_said = is_said && !is_typed;
        if let Some(at) = position(tokens, &[":", "as"]).filter(|it| *it > 0) {
            let names = self.names(&tokens[..at], &Kind::default())?;
            let behind = &tokens[at + 1..];
            let end = behind.iter().position(Token::assigns).unwrap_or(behind.len());
            let value = behind.get(end + 1..).unwrap_or_default().to_vec();
            let kind = match self.kind(&behind[..end]) {
                Some((kind, length)) if length == end => kind,
                // Of a type that is not here.
                _ if self.section == "var" && end == 1 && length + value.len() == 0 => {
                    Kind::default()
                }
                _ => return None,
            };
            let of = |(name, own): (Token, Kind)| {
                let is_array = own.is_array || kind.is_array;
                let extents = if own.is_array { own.extents } else { kind.extents.clone() };
                (name, Kind { element: kind.element, extents, is_array })
            };
            return Some((names.into_iter().map(of).collect(), value));
        }
        if is_said {
            let mut names = self.names(tokens, &Kind::default())?;
            // BASIC counts from 0 or from 1: how it is used says which.
            names.iter_mut().for_each(|it| it.1.extents.clear());
            return Some((names, vec![]));
        }
        let (kind, at) = self.kind(tokens)?;
        let end = tokens.iter().position(Token::assigns).unwrap_or(tokens.len());
        let is_array_alone = tokens[0].is_word("array") && tokens.iter().any(|it| it.is("["));
        if at >= end || is_array_alone {
            return None;
        }
        // `int f(char a[], int n)` is a head.
        let is_head = tokens.get(at + 1).is_some_and(|it| it.is("("))
            && self
                .kind(&tokens[at + 2..])
                .is_some_and(|it| tokens.get(at + 2 + it.1).is_some_and(Token::is_name));
        if is_head {
            return None;
        }
        let names = self.names(&tokens[at..end], &kind)?;
        Some((names, tokens.get(end + 1..).unwrap_or_default().to_vec()))
    }

    /// Names between commas, each with what stands in brackets behind it.
    fn names(&self, tokens: &[Token], kind: &Kind) -> Option<Vec<(Token, Kind)>> {
        let one = |part: &[Token]| {
            let [name, rest @ ..] = part else { return None };
            let mut kind = kind.clone();
            if let Some(open) = rest.first() {
                let closes = closing(rest, 0) == Some(rest.len() - 1);
                if !open.is_any(&["[", "("]) || !closes {
                    return None;
                }
                kind.extents = extents(&rest[1..rest.len() - 1]);
                kind.is_array = true;
            }
            name.is_name().then(|| (name.clone(), kind))
        };
        split(tokens, &[","]).into_iter().map(one).collect()
    }

    /// `real function f(a, b: integer; var x: array of real): real;` as `function f(a, b, x)`.
    fn head(&mut self, code: &[Token]) -> Option<Vec<Token>> {
        let typed =
            |it: &Token| it.is_any(&MODIFIERS) || self.kind(std::slice::from_ref(it)).is_some();
        let at = code.iter().take(4).position(|it| it.is_any(&HEADS))?;
        let name = code.get(at + 1).filter(|it| it.is_name())?;
        if !code[..at].iter().all(typed) {
            return None;
        }
        self.section.clear();
        let open = at + 2;
        let mut head = vec![code[at].with("function"), name.clone()];
        head[0].column = code[0].column;
        let Some(close) = code.get(open).filter(|it| it.is("(")).and_then(|_| closing(code, open))
        else {
            let rest = &code[open..];
            return (at > 0 || code[at].is_any(&["sub", "proc"])).then(|| [&head, rest].concat());
        };
        let behind = &code[close + 1..];
        if behind.iter().any(Token::assigns) {
            return None;
        }
        let inside = &code[open + 1..close];
        let sign = if position(inside, &[";"]).is_some() { ";" } else { "," };
        head.push(code[open].clone());
        for group in split(inside, &[sign]) {
            let colon = position(group, &[":", "as"]).unwrap_or(group.len());
            let behind = group.get(colon + 1..).unwrap_or_default();
            let kind = self.kind(behind).map(|it| it.0).unwrap_or_default();
            for part in split(&group[..colon], &[","]) {
                let skip = part.iter().take_while(|it| it.is_any(&MODIFIERS)).count();
                let part = &part[skip..];
                let own = self.kind(part).filter(|it| part.get(it.1).is_some_and(Token::is_name));
                let (kind, skip) = own.unwrap_or_else(|| (kind.clone(), 0));
                let Some(name) = part.get(skip) else { continue };
                let brackets = part[skip + 1..].to_vec();
                let is_array = kind.is_array || brackets.first().is_some_and(|it| it.is("("));
                self.names.push((name.clone(), Kind { is_array, ..kind }));
                if !head[head.len() - 1].is("(") {
                    head.push(Token::glued(",", name));
                }
                head.push(name.clone());
                if brackets.len() > 2 && brackets[0].is("[") {
                    head.extend(brackets);
                } else if !brackets.is_empty() && !brackets[0].is_any(&["[", "("]) {
                    return None;
                }
            }
        }
        head.push(code[close].clone());
        head.extend(behind.last().filter(|it| it.is_any(&[":", "{block"])).cloned());
        Some(head)
    }
}

/// `f := e` in the function f is what it returns.
fn results(lines: &mut Vec<LogicalLine>) {
    let code = |it: &LogicalLine| it.tokens.len() > number_length(&it.tokens);
    let mut at = 0;
    while at < lines.len() {
        let start = at;
        at += 1;
        let number = number_length(&lines[start].tokens);
        let [word, name, ..] = &lines[start].tokens[number..] else { continue };
        if !word.is("function") {
            continue;
        }
        let (column, name) = (word.column, name.clone());
        let is_next =
            |it: &LogicalLine| code(it) && it.tokens[number_length(&it.tokens)].is("function");
        let end = (at..lines.len()).find(|&it| is_next(&lines[it])).unwrap_or(lines.len());
        let closes = |it: &LogicalLine| {
            code(it)
                && it.tokens[0].column <= column
                && it.tokens[0].text.to_ascii_lowercase().starts_with("end")
        };
        let close = (at..end).find(|&it| closes(&lines[it])).unwrap_or(end);
        let gives = |it: &[Token]| it[0].is_word(&name.text) && it[1].assigns() && !it[1].is("=");
        if !lines[at..close].iter().any(|it| it.tokens.windows(2).any(gives)) {
            continue;
        }
        let own = format!("{}_", name.text);
        for line in &mut lines[at..close] {
            for nth in 0..line.tokens.len() {
                let is_call = line.tokens.get(nth + 1).is_some_and(|it| it.is("("));
                if line.tokens[nth].is_word(&name.text) && !is_call {
                    line.tokens[nth].text.clone_from(&own);
                }
            }
        }
        let first = lines[at..close].iter().find(|it| code(it) && !it.tokens[0].is_word("begin"));
        let Some(first) = first.map(|it| it.tokens[0].clone()) else { continue };
        let returned = vec![first.with("return"), Token::made(own, &name)];
        lines.insert(close, LogicalLine { tokens: returned, comments: vec![] });
    }
}
