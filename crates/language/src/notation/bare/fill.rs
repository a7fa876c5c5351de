//! Arrays that are given values in words: `set each element of d to 0`, `initialize U with 0s below the
//! diagonal`, `A[1..n] ← 0`.

use super::Reader;
use super::phrase::Phrase;
use crate::notation::output::{spaced, words};
use crate::notation::token::{Token, closing, position};

impl Reader {
    /// The loops that a sentence stands for.
    pub(super) fn fill(&mut self, tokens: &[Token]) -> Option<Vec<Phrase>> {
        let first = tokens.first()?;
        if let Some(phrase) = self.filled_range(tokens) {
            return Some(vec![phrase]);
        }
        if !first.is_any(&["set", "initialize", "initialise", "fill", "init"]) {
            return None;
        }
        let at = tokens
            .iter()
            .position(|it| self.known.arrays.contains_key(&it.text))
            .filter(|it| *it > 0)?;
        let array = tokens[at].clone();
        let with = tokens[at + 1..]
            .iter()
            .position(|it| it.is_any(&["to", "with", "by", "←", ":=", "="]))?;
        let of_all = [
            "all", "each", "every", "element", "elements", "entry", "entries", "of", "in", "the",
            "array", "matrix", "table",
        ];
        let is_plain = tokens[1..at].iter().all(|it| it.is_any(&of_all)) && with == 0;
        if !is_plain || tokens.get(at + 1)?.is_any(&["←", ":=", "="]) && at == 1 {
            return None;
        }
        let value = &tokens[at + 2..];
        let parts = match position(value, &["and"]) {
            Some(and) => vec![&value[..and], &value[and + 1..]],
            None => vec![value],
        };
        let mut phrases = vec![];
        for part in parts {
            phrases.push(self.filled(&array, part)?);
        }
        Some(phrases)
    }

    /// `A[1..n] ← 0`
    fn filled_range(&mut self, tokens: &[Token]) -> Option<Phrase> {
        let (array, open) = (tokens.first()?, tokens.get(1)?);
        let close = closing(tokens, 1).filter(|_| open.is("["))?;
        let dots = position(&tokens[2..close], &["..", "...", "…"])?;
        let (arrow, value) = (tokens.get(close + 1)?, tokens.get(close + 2..)?);
        let is_one = position(&tokens[2..close], &[","]).is_none();
        if !arrow.assigns()
            || value.is_empty()
            || !is_one
            || !array.is_name()
            || value.iter().any(|it| it.is_any(&["..", "[", "…"]))
        {
            return None;
        }
        let (from, to) = (&tokens[2..2 + dots], &tokens[3 + dots..close]);
        let index = self.out.fresh("z");
        let text = format!("for {index} ← {{}} to {{}} do {}[{index}] ← {{}}", array.text);
        Some(Phrase::of(words(array, &text, &[from, to, &number(value)])))
    }

    /// `0s below the diagonal`, or a value for all.
    pub(super) fn filled(&mut self, array: &Token, said: &[Token]) -> Option<Phrase> {
        let place =
            said.iter().position(|it| it.is_any(&["below", "above", "on", "along", "everywhere"]));
        let value = number(&said[..place.unwrap_or(said.len())]);
        let rank = self.known.arrays.get(&array.text)?.extents.len();
        let hints = self.out.hints.array(array).extents.clone();
        let indices: Vec<String> = (0..rank).map(|_| self.out.fresh("z")).collect();
        let mut text = String::new();
        for (at, index) in indices.iter().enumerate() {
            let range = hints.get(at).cloned().flatten();
            let (from, to) = match range.as_deref().map(|it| it.split_once(" .. ")) {
                Some(Some((from, to))) => (from.to_owned(), to.to_owned()),
                _ => {
                    let word = ["rows", "columns"][at.min(1)];
                    (
                        "1".to_owned(),
                        format!("{}({})", if rank == 1 { "length" } else { word }, array.text),
                    )
                }
            };
            text += &format!("for {index} ← {from} to {to} do ");
        }
        if let Some(place) = place {
            let sign = match said[place].text.to_ascii_lowercase().as_str() {
                "below" => ">",
                "above" => "<",
                "everywhere" => "",
                _ => "=",
            };
            if let ([row, column], false) = (&indices[..], sign.is_empty()) {
                text += &format!("if {row} {sign} {column} then ");
            }
        }
        text += &format!("{}[{}] ← {{}}", array.text, indices.join(","));
        Some(Phrase::of(words(array, &text, &[&value])))
    }
}

/// `zero`, `0s`, `1's`.
fn number(tokens: &[Token]) -> Vec<Token> {
    let plain = |it: &Token| match it.text.to_ascii_lowercase().as_str() {
        "zero" | "zeros" | "zeroes" => it.with("0"),
        "one" | "ones" => it.with("1"),
        _ => it.clone(),
    };
    let value = match tokens {
        [number, plural] if number.is_number() && plural.is_any(&["s", "_prime"]) => &tokens[..1],
        [the, rest @ ..] if the.is_any(&["the", "value"]) => rest,
        all => all,
    };
    spaced(value.iter().map(plain).collect())
}
