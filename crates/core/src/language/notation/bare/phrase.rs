//! What papers say in words.

use super::array::extents;
use super::words::length;
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::language::notation::names;
use crate::language::notation::token::{Token, closing, position, split};

/// A statement.
#[derive(Default)]
pub(super) struct Phrase {
    pub(super) tokens: Vec<Token>,
    /// What stands at the beginning of the loop that it begins, and at its end.
    pub(super) inner: Vec<Token>,
    pub(super) tail: Vec<Token>,
}

impl Phrase {
    fn of(tokens: Vec<Token>) -> Self {
        Self { tokens, ..Self::default() }
    }
}

impl Reader {
    /// One statement as one or more that are plainer; none where nothing is to be done.
    pub(super) fn phrases(&mut self, tokens: &[Token]) -> Result<Vec<Phrase>> {
        let tokens = self.renamed(tokens);
        let Some(first) = tokens.first().cloned() else { return Ok(vec![]) };
        let word = first.text.to_ascii_lowercase();
        let is_assigned = tokens.get(1).is_some_and(Token::assigns);
        let one = |tokens: Vec<Token>| Ok(vec![Phrase::of(tokens)]);
        if is_assigned {
            return one(tokens);
        }
        let made = |text: &str| Token::made(text, &first);
        match word.as_str() {
            "let" | "create" | "allocate" | "new" | "array" | "var" | "declare"
                if tokens
                    .iter()
                    .any(|it| it.is_any(&["new", "array", "arrays", "matrix", "table"]))
                    && !tokens.iter().any(Token::assigns) =>
            {
                self.new_arrays(&tokens);
                Ok(vec![])
            }
            "let" | "var" | "set" | "local" | "int" | "integer" | "real" | "float" | "double"
            | "bool"
                if tokens.iter().any(Token::assigns) =>
            {
                let parts = split(&tokens[1..], &[","]);
                let all_assign = parts
                    .iter()
                    .all(|it| position(it, &["←", "<-", ":=", "=", "≔", "⟵"]).is_some());
                match all_assign {
                    true => Ok(parts.into_iter().map(|it| Phrase::of(it.to_vec())).collect()),
                    false => one(tokens[1..].to_vec()),
                }
            }
            "set" if position(&tokens, &["to"]).is_some() => {
                let at = position(&tokens, &["to"]).unwrap_or(0);
                let mut plain = tokens[1..].to_vec();
                plain[at - 1] = Token::made("←", &tokens[at]);
                one(plain)
            }
            "increment" | "decrement" | "increase" | "decrease" if tokens.len() > 1 => {
                let by = position(&tokens, &["by"]);
                let target = &tokens[1..by.unwrap_or(tokens.len())];
                let sign = if word.starts_with("inc") { "+" } else { "-" };
                let amount = by.map_or(vec![made("1")], |by| tokens[by + 1..].to_vec());
                one([target, &[made("←")], target, &[made(sign)], &amount[..]].concat())
            }
            "print" | "output" | "display" | "write"
                if !tokens.get(1).is_some_and(|it| it.is("[")) =>
            {
                let text = format!("`{word}` has no effect on the values: left out");
                self.out.hints.said.push((first, text));
                Ok(vec![])
            }
            "error" | "abort" | "halt" | "stop" => {
                self.out.hints.said.push((first.clone(), format!("`{word}` ends the algorithm")));
                one(vec![first.with("return")])
            }
            "pass" | "skip" | "nothing" if tokens.len() == 1 => {
                let nothing = self.out.fresh("nothing");
                one(vec![first.with(nothing), made("←"), made("0")])
            }
            "processor" | "each" if position(&tokens, &[":"]).is_some() => Ok(vec![]),
            "for" | "forall" | "foreach" | "parallel" | "par" | "in" => self.loop_head(tokens),
            "else"
                if tokens.get(1).is_some_and(|it| it.is_any(&["for", "set", "let", "return"])) =>
            {
                one(tokens)
            }
            _ => one(tokens),
        }
    }

    /// Variables whose names the plain form keeps for itself get others.
    fn renamed(&self, tokens: &[Token]) -> Vec<Token> {
        let mut out = tokens.to_vec();
        let is_loop =
            tokens.first().is_some_and(|it| it.text.to_ascii_lowercase().starts_with("for"));
        for at in 0..out.len() {
            let token = &tokens[at];
            let next = tokens.get(at + 1);
            let is_variable = self.assigned.contains(&token.text)
                && !next.is_some_and(|it| it.is_any(&["(", "{"]));
            let is_array = next.is_some_and(|it| it.is("[") && it.blank.is_empty())
                && !token.is_any(&["and", "or", "not", "then", "else", "mod", "if", "while"]);
            let is_word =
                is_loop && !is_array && token.is_any(&["step", "in", "to", "downto", "do"]);
            if names::is_reserved(&token.text)
                && (is_variable || is_array)
                && !is_word
                && !token.is_any(&[
                    "for", "if", "while", "then", "else", "do", "and", "or", "not", "mod",
                ])
            {
                out[at].text += "_";
            }
        }
        out
    }

    /// `let X[0..n] and Y[1..m] be new arrays`.
    fn new_arrays(&mut self, tokens: &[Token]) {
        let mut found = vec![];
        for (at, token) in tokens.iter().enumerate() {
            if token.is_name()
                && tokens.get(at + 1).is_some_and(|it| it.is("["))
                && let Some(close) = closing(tokens, at + 1)
            {
                found.push((token.clone(), extents(&tokens[at + 2..close])));
            }
        }
        // `let A be a new n × n matrix`
        if found.is_empty()
            && let Some(name) = tokens.get(1)
            && let Some(new) = tokens.iter().position(|it| it.is_word("new"))
            && let Some(matrix) =
                tokens.iter().position(|it| it.is_any(&["matrix", "table", "array"]))
            && new < matrix
        {
            let sides = split(&tokens[new + 1..matrix], &["×", "x", "by", "*"]);
            let extents = sides.into_iter().filter(|it| !it.is_empty()).flat_map(extents).collect();
            found.push((name.clone(), extents));
        }
        for (name, extents) in found {
            let rank = extents.len();
            let array = self.known.arrays.entry(name.text.clone()).or_default();
            if array.extents.len() < rank {
                array.extents = vec![vec![]; rank];
            }
            let hint = self.out.hints.array(&name);
            (hint.extents, hint.is_new) = (extents, true);
        }
    }

    /// The head of a loop with the words that a PRAM's processors have.
    fn loop_head(&mut self, tokens: Vec<Token>) -> Result<Vec<Phrase>> {
        let first = tokens[0].clone();
        let made = |text: &str| Token::made(text, &first);
        // `in parallel for …`
        let mut tokens = match &tokens[..] {
            [one, two, rest @ ..] if one.is_word("in") && two.is_word("parallel") => {
                [rest.to_vec(), vec![made("in"), made("parallel")]].concat()
            }
            _ => tokens,
        };
        if tokens.iter().any(|it| it.is_word("until"))
            && position(&tokens, &["step"]).is_none()
            && tokens[0].is_word("for")
        {
            let at = tokens.iter().find(|it| it.is_word("until")).map_or(first.span, |it| it.span);
            return Err(Diagnostic::new(
                at,
                "`until` of a `for` loop: up to the value, or up to the one before it",
            )
            .help("write `to` for a last value that is included, `to … - 1` for one that is not"));
        }
        // Processors are their numbers.
        tokens.retain(|it| {
            !it.is_any(&[
                "processor",
                "processors",
                "thread",
                "vertex",
                "element",
                "index",
                "node",
                "integer",
            ])
        });
        for token in &mut tokens {
            if let Some(index) =
                token.text.strip_prefix("P_").filter(|it| !it.is_empty() && !it.starts_with('{'))
            {
                token.text = index.to_owned();
            }
        }
        if let Some(at) = tokens.iter().position(|it| it.is("inclusive")) {
            tokens.remove(at);
        }
        // `for i in parallel, 1 ≤ i ≤ n do`: the words belong to the end.
        if let Some(at) =
            tokens.windows(2).position(|it| it[0].is_word("in") && it[1].is_word("parallel"))
            && tokens[at + 2..].iter().any(|it| it.is_any(&["≤", "<", "∈", "<=", "=", "←"]))
        {
            tokens.drain(at..at + 2);
            let end = position(&tokens, &["do", "pardo"]).unwrap_or(tokens.len());
            tokens.splice(end..end, [made("in"), made("parallel")]);
        }
        if let Some(phrases) = self.doubling(&tokens) {
            return Ok(phrases);
        }
        if let Some(phrases) = self.each(&tokens) {
            return Ok(phrases);
        }
        // `for i = 1:n`
        if let [word, variable, sign, rest @ ..] = &tokens[..]
            && sign.assigns()
            && position(rest, &["to", "downto", "..", "...", "…", ";"]).is_none()
            && let Some(colon) = position(rest, &[":"]).filter(|it| *it + 1 < rest.len() && *it > 0)
        {
            let parts = split(rest, &[":"]);
            if parts.len() == 2 || parts.len() == 3 && parts[2].is_empty() {
                let end =
                    position(&rest[colon + 1..], &["do"]).map_or(rest.len(), |it| colon + 1 + it);
                let to = match &rest[colon + 1..end] {
                    [inner @ .., last] if last.is(":") => inner.to_vec(),
                    all => all.to_vec(),
                };
                let head = [
                    vec![word.clone(), variable.clone(), made("←")],
                    rest[..colon].to_vec(),
                    vec![made("to")],
                    to,
                    vec![made("do")],
                ];
                let behind = rest.get(end + 1..).unwrap_or_default().to_vec();
                return Ok(vec![Phrase::of([head.concat(), behind].concat())]);
            }
        }
        Ok(vec![Phrase::of(tokens)])
    }

    /// `for p = 1, 2, 4, …, n` and `for (k = 2; k <= n; k *= 2)`: a loop that doubles.
    fn doubling(&mut self, tokens: &[Token]) -> Option<Vec<Phrase>> {
        let [word, rest @ ..] = tokens else { return None };
        let made = |text: &str| Token::made(text, word);
        let end = position(rest, &["do", "{block"]).unwrap_or(rest.len());
        let behind = rest.get(end + 1..).unwrap_or_default();
        let (variable, from, condition, advance) = match &rest[..end] {
            [open, ..] if open.is("(") => {
                let close = closing(rest, 0)?;
                let [start, condition, advance] = split(&rest[1..close], &[";"])[..] else {
                    return None;
                };
                let [variable, sign, by @ ..] = advance else { return None };
                let advance = match sign.text.as_str() {
                    "*=" | "/=" => [
                        &[variable.clone(), made("←"), variable.clone(), made(&sign.text[..1])],
                        by,
                    ]
                    .concat(),
                    "=" if by.iter().any(|it| it.is_any(&["*", "/", "<<", ">>", "×"])) => {
                        [&[variable.clone(), made("←")], by].concat()
                    }
                    _ => return None,
                };
                let skip = usize::from(start.first()?.is_name() && start.get(1)?.is_name());
                let start = &start[skip..];
                if !start.first()?.is(&variable.text) || !start.get(1)?.assigns() {
                    return None;
                }
                (variable.clone(), start[2..].to_vec(), condition.to_vec(), advance)
            }
            [variable, sign, list @ ..]
                if sign.assigns() && position(list, &["…", "...", ". . .", ".."]).is_some() =>
            {
                let parts = split(list, &[","]);
                let number = |it: &[Token]| match it {
                    [one] => one.text.parse::<i64>().ok(),
                    _ => None,
                };
                let numbers: Vec<i64> = parts.iter().map_while(|it| number(it)).collect();
                let last = parts.last()?.to_vec();
                let [first, second, third, ..] = numbers[..] else { return None };
                if first == 0
                    || second % first != 0
                    || second.checked_mul(second / first)? != third
                    || third - second == second - first
                {
                    return None;
                }
                let ratio = (second / first).to_string();
                let condition = [vec![variable.clone(), made("≤")], last].concat();
                let advance =
                    vec![variable.clone(), made("←"), variable.clone(), made("×"), made(&ratio)];
                (variable.clone(), parts[0].to_vec(), condition, advance)
            }
            _ => return None,
        };
        let start = [vec![variable, made("←")], from].concat();
        let head = [vec![made("while")], condition, vec![made("do")], behind.to_vec()].concat();
        Some(vec![Phrase::of(start), Phrase { tail: advance, ..Phrase::of(head) }])
    }

    /// `for each x in A`: every element of an array.
    fn each(&mut self, tokens: &[Token]) -> Option<Vec<Phrase>> {
        let at = position(tokens, &["in", "∈", "of"])?;
        if tokens.get(at + 1).is_some_and(|it| it.is_word("parallel")) {
            return None;
        }
        let variable = tokens[..at].last()?.clone();
        let is_each = tokens[0].is_word("foreach")
            || tokens.get(1).is_some_and(|it| it.is_any(&["each", "every", "all"]));
        let array = tokens.get(at + 1)?;
        let ends = tokens
            .get(at + 2)
            .is_none_or(|it| it.is_any(&["do", ":", "pardo", "in", "{block", ","]));
        if !is_each || !ends || !array.is_name() {
            return None;
        }
        let made = |text: &str| Token::made(text, &variable);
        let is_parallel = tokens[at + 2..].iter().any(|it| it.is_any(&["pardo", "parallel"]));
        let order = if is_parallel { vec![made("in"), made("parallel")] } else { vec![] };
        let bounds = |of: Vec<Token>, index: Token| {
            [
                vec![made("for"), index, made("←"), made("1"), made("to")],
                of,
                vec![made("do")],
                order,
            ]
            .concat()
        };
        if !self.known.arrays.contains_key(&array.text) {
            // The members of a set are its numbers.
            return Some(vec![Phrase::of(bounds(vec![made(&array.text)], made(&variable.text)))]);
        }
        let index = self.out.fresh("e");
        let length = length("length", &made(&array.text)).to_vec();
        let element = vec![
            made(&variable.text),
            made("←"),
            made(&array.text),
            made("["),
            made(&index),
            made("]"),
        ];
        let head = bounds(length, made(&index));
        Some(vec![Phrase { inner: element, ..Phrase::of(head) }])
    }
}
