//! What algorithms give back.

use std::collections::HashSet;

use super::Reader;
use crate::notation::output::{Line, spaced};
use crate::notation::token::{Token, split};

impl Reader {
    /// `return e, f`, or `return m and s`.
    pub(super) fn returned(
        &mut self,
        tokens: &[Token],
        is_last: bool,
        depth: usize,
        results: Option<&mut usize>,
        lines: &mut Vec<Line>,
    ) {
        let word = &tokens[0];
        let value = match &tokens[1..] {
            [open, inside @ .., close]
                if open.is("(")
                    && close.is(")")
                    && crate::notation::token::closing(&tokens[1..], 0)
                        == Some(tokens.len() - 2) =>
            {
                inside
            }
            all => all,
        };
        let nowhere = self.nowhere(value);
        let value = nowhere.as_deref().unwrap_or(value);
        let is_condition =
            value.iter().any(|it| it.is_any(&["=", "<", ">", "≤", "≥", "≠", "or", "not"]));
        let signs: &[&str] = if is_condition { &[","] } else { &[",", "and"] };
        let parts: Vec<Vec<Token>> = split(value, signs)
            .into_iter()
            .filter(|it| !it.is_empty())
            .map(<[Token]>::to_vec)
            .collect();
        if let Some(results) = results {
            let arrays = &self.known.arrays;
            let parts: Vec<_> = parts
                .into_iter()
                .filter(|it| !matches!(&it[..], [one] if arrays.contains_key(&one.text)))
                .collect();
            *results = (*results).max(parts.len());
            let mut line = vec![word.with("return")];
            for (at, part) in parts.into_iter().enumerate() {
                if at > 0 {
                    line.push(Token::glued(",", word));
                }
                line.extend(spaced(part));
            }
            lines.push(Line { depth, tokens: line, comments: vec![] });
            return;
        }
        let arrays: HashSet<String> = self.known.arrays.keys().cloned().collect();
        self.out.depth = depth;
        let before = std::mem::take(&mut self.out.lines);
        if parts.is_empty() {
            if !is_last {
                self.out.line(vec![word.with("return")]);
            }
        } else {
            self.out.returned(&word.with("return"), parts, |it| arrays.contains(it), is_last);
        }
        lines.extend(std::mem::replace(&mut self.out.lines, before));
        self.out.depth = 0;
    }

    /// `return unsuccessful`: a number that is no index.
    fn nowhere(&mut self, value: &[Token]) -> Option<Vec<Token>> {
        const WORDS: [&str; 7] =
            ["unsuccessful", "failure", "NIL", "null", "None", "notfound", "not_found"];
        let text: String = value.iter().map(|it| it.text.as_str()).collect();
        let is_word = WORDS.iter().any(|it| it.eq_ignore_ascii_case(&text));
        if !is_word || self.assigned.contains(&text) {
            return None;
        }
        let place = value[0].clone();
        let text = format!("`{text}` is -1");
        self.out.hints.said.push((place.clone(), text));
        Some(vec![place.with("-"), Token::glued("1", &place)])
    }
}
