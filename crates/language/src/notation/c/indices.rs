//! The text of a function with indices in place of pointers.

use std::collections::HashMap;

use crate::notation::boundaries::is_prefix;
use crate::notation::element::typed;
use crate::notation::token::{Token, closing, split};

/// What a pointer is in the text of a function.
pub(super) enum Meaning {
    /// An index into this array, under this name.
    Index { array: Token, name: String },
    /// A row of a matrix, or another name of an array.
    Row(Vec<Token>),
}

/// A declaration of pointers: what stands before the first star, and each declarator.
pub(super) fn declared(tokens: &[Token]) -> Option<(usize, Vec<&[Token]>)> {
    let stars = tokens.iter().position(|it| it.is("*"))?;
    let length = typed(&tokens[..stars]).filter(|it| it.length == stars && !it.is_array)?.length;
    (length > 0).then(|| (length, split(&tokens[length..], &[","])))
}

/// A text, and what its pointers are.
pub(super) struct Rewriting<'a> {
    pub(super) known: &'a HashMap<String, Meaning>,
    pub(super) body: &'a [Token],
}

impl Rewriting<'_> {
    fn index(&self, token: &Token) -> Option<(&Token, &str)> {
        match self.known.get(&token.text)? {
            Meaning::Index { array, name } => Some((array, name)),
            Meaning::Row(_) => None,
        }
    }

    /// The whole text with indices.
    pub(super) fn all(&self) -> Vec<Token> {
        let (mut out, mut at) = (vec![], 0);
        while at < self.body.len() {
            at = self.one(at, &mut out);
        }
        out
    }

    /// Whether the statement at a place has a pointer into an array.
    fn is_compared(&self, at: usize, array: &Token) -> bool {
        let ends = |it: &Token| it.is_any(&[";", "{", "}"]);
        let from = self.body[..at].iter().rposition(ends).map_or(0, |it| it + 1);
        let to = self.body[at..].iter().position(ends).map_or(self.body.len(), |it| it + at);
        let points = |it: &Token| self.index(it).is_some_and(|it| it.0.text == array.text);
        self.body[from..to].iter().any(points)
    }

    fn part(&self, tokens: &[Token]) -> Vec<Token> {
        let (mut out, mut at) = (vec![], 0);
        let inner = Rewriting { known: self.known, body: tokens };
        while at < tokens.len() {
            at = inner.one(at, &mut out);
        }
        out
    }

    /// What a star before it points at.
    fn pointed_at(&self, at: usize, out: &mut Vec<Token>) -> Option<usize> {
        let body = self.body;
        let (token, rest) = (&body[at], &body[at + 1..]);
        if !token.is("*") || !is_prefix(body, at) {
            return None;
        }
        let named = |name: &str| token.with(name);
        let element = |array: &Token, index: Vec<Token>| {
            [vec![array.clone(), token.with("[")], index, vec![token.with("]")]].concat()
        };
        match rest {
            [step, name, ..]
                if step.is_any(&["++", "--"])
                    && let Some((array, own)) = self.index(name) =>
            {
                out.extend(element(array, vec![step.clone(), named(own)]));
                return Some(at + 3);
            }
            [name, step, ..]
                if step.is_any(&["++", "--"])
                    && let Some((array, own)) = self.index(name) =>
            {
                out.extend(element(array, vec![named(own), step.clone()]));
                return Some(at + 3);
            }
            [name, ..] if let Some((array, own)) = self.index(name) => {
                out.extend(element(array, vec![named(own)]));
                return Some(at + 2);
            }
            [name, ..] if let Some(Meaning::Row(of)) = self.known.get(&name.text) => {
                out.extend(of.iter().cloned());
                out.extend(["[", "0", "]"].map(|it| token.with(it)));
                return Some(at + 2);
            }
            [open, array, sign, ..]
                if open.is("(") && sign.is_any(&["+", "-"]) && array.is_name() =>
            {
                if let Some(close) = closing(rest, 0) {
                    let (of, index) = match self.index(array) {
                        Some((of, own)) => (
                            of,
                            [&[named(own), sign.clone()], &self.part(&rest[3..close])[..]].concat(),
                        ),
                        None if sign.is("-") => (
                            array,
                            [std::slice::from_ref(sign), &self.part(&rest[3..close])].concat(),
                        ),
                        None => (array, self.part(&rest[3..close])),
                    };
                    out.extend(element(of, index));
                    return Some(at + close + 2);
                }
            }
            _ => {}
        }
        None
    }

    /// Writes what stands at a place, and says where it goes on.
    fn one(&self, at: usize, out: &mut Vec<Token>) -> usize {
        let body = self.body;
        let token = &body[at];
        let rest = &body[at + 1..];
        let begins = at == 0 || body[at - 1].is_any(&[";", "{", "}", "("]);
        if begins
            && let Some(end) = body[at..].iter().position(|it| it.is(";"))
            && let Some((length, parts)) = declared(&body[at..at + end])
        {
            return self.declaration(at, end, length, &parts, out);
        }
        let element = |array: &Token, index: Vec<Token>| {
            [vec![array.clone(), token.with("[")], index, vec![token.with("]")]].concat()
        };
        let named = |name: &str| token.with(name);
        if let Some(next) = self.pointed_at(at, out) {
            return next;
        }
        match self.known.get(&token.text) {
            Some(Meaning::Row(of)) if of.len() > 1 || !of[0].is(&token.text) => {
                out.extend(of.iter().cloned());
            }
            Some(Meaning::Index { array, name }) => match rest {
                [open, ..]
                    if open.is("[")
                        && let Some(close) = closing(rest, 0) =>
                {
                    let inside = self.part(&rest[1..close]);
                    let index = [
                        vec![named(name), token.with("+"), token.with("(")],
                        inside,
                        vec![token.with(")")],
                    ];
                    out.extend(element(array, index.concat()));
                    return at + close + 2;
                }
                _ => out.push(named(name)),
            },
            _ if token.is("&")
                && is_prefix(body, at)
                && rest.len() > 1
                && rest[1].is("[")
                && self.is_compared(at, &rest[0]) =>
            {
                if let Some(close) = closing(rest, 1) {
                    out.push(token.with("("));
                    out.extend(self.part(&rest[2..close]));
                    out.push(token.with(")"));
                    return at + close + 2;
                }
                out.push(token.clone());
            }
            _ if token.is_name()
                && self.is_compared(at, token)
                && !rest.first().is_some_and(|it| it.is("[")) =>
            {
                out.push(token.with("0"));
            }
            _ => out.push(token.clone()),
        }
        at + 1
    }

    /// `int *p = a, *q = a + n;`: the indices, and what else is declared.
    fn declaration(
        &self,
        at: usize,
        end: usize,
        length: usize,
        parts: &[&[Token]],
        out: &mut Vec<Token>,
    ) -> usize {
        let words = &self.body[at..at + length];
        let like = &self.body[at];
        let (mut indices, mut others): (Vec<Vec<Token>>, Vec<Vec<Token>>) = (vec![], vec![]);
        let mut start = length;
        for part in parts {
            let is_known =
                part.len() > 1 && part[0].is("*") && self.known.contains_key(&part[1].text);
            if !is_known {
                others.push(self.part(part));
            } else if self.index(&part[1]).is_some() && part.len() > 3 {
                // The whole statement says which arrays it is about.
                let whole = Rewriting { known: self.known, body: &self.body[at..at + end] };
                let (mut text, mut place) = (vec![], start + 3);
                while place < start + part.len() {
                    place = whole.one(place, &mut text);
                }
                indices.push([vec![part[1].clone(), like.with("=")], text].concat());
            }
            start += part.len() + 1;
        }
        let ends = |it: &mut Vec<Token>| it.push(like.with(";"));
        if !indices.is_empty() {
            out.push(like.with("int"));
            out.extend(indices.join(&like.with(",")));
            ends(out);
        } else if others.is_empty() && at > 0 && self.body[at - 1].is("(") {
            ends(out);
        }
        if !others.is_empty() {
            out.extend_from_slice(words);
            out.extend(others.join(&like.with(",")));
            ends(out);
        }
        at + end + 1
    }
}
