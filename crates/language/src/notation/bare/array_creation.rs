//! Arrays that an algorithm makes in words.

use super::Reader;
use super::extents::extents;
use super::phrase::Phrase;
use super::words::KINDS;
use crate::notation::token::{Token, closing, position, split};

impl Reader {
    /// `let X[0..n] and Y[1..m] be new arrays`.
    pub(super) fn new_arrays(&mut self, tokens: &[Token]) -> Vec<Phrase> {
        let mut found = vec![];
        for (at, token) in tokens.iter().enumerate() {
            if token.is_name()
                && tokens.get(at + 1).is_some_and(|it| it.is("["))
                && let Some(close) = closing(tokens, at + 1)
            {
                let mut extents = extents(&tokens[at + 2..close]);
                // `declare int v[n + 1]`, as C has it.
                if tokens[0].is("declare") && tokens[1].is_any(&["int", "float", "double", "char"])
                {
                    for it in extents.iter_mut().flatten() {
                        if let Some(count) = it.strip_prefix("1 .. ") {
                            *it = format!("0 .. {count} - 1");
                        }
                    }
                }
                found.push((token.clone(), extents));
            }
        }
        // `let A be a new n × n matrix`
        let be = tokens
            .iter()
            .position(|it| it.is_any(&["be", "new", "←", ":=", "="]))
            .filter(|it| *it > 0);
        if found.is_empty()
            && let Some(be) = be
            && let Some(matrix) = tokens.iter().position(|it| it.is_any(&KINDS))
            && be < matrix
        {
            let words = ["be", "a", "an", "new", "empty", "←", ":=", "="];
            let sides = tokens[be..matrix].iter().filter(|it| !it.is_any(&words));
            let sides: Vec<Token> = sides.cloned().collect();
            let sides = split(&sides, &["×", "x", "by", "*"]);
            let sides: Vec<Option<String>> =
                sides.into_iter().filter(|it| !it.is_empty()).flat_map(extents).collect();
            let names = tokens[1..be].iter().filter(|it| it.is_name() && !it.is_word("and"));
            found.extend(names.map(|name| (name.clone(), sides.clone())));
        }
        // `indexed by integers 2 to n`
        if let (Some(at), [(_, extents)]) = (position(tokens, &["indexed"]), &mut found[..])
            && let Some(to) = position(&tokens[at..], &["to"]).map(|it| at + it)
            && let [from, _, to, ..] = &tokens[to - 1..]
        {
            *extents = vec![Some(format!("{} .. {}", from.text, to.text))];
        }
        let is_initial =
            |it: &Token| it.is_any(&["initialized", "initialised", "initially", "filled"]);
        let initial = tokens.iter().position(is_initial).and_then(|at| {
            let word = tokens[at..].iter().position(|it| it.is_any(&["to", "with"]));
            let value = match word {
                Some(word) => word + at + 1,
                None if tokens[at].is_word("initially") => at + 1,
                None => return None,
            };
            let end = tokens[value..].iter().position(|it| it.is_any(&["(", ".", ","]));
            Some(tokens[value..end.map_or(tokens.len(), |it| value + it)].to_vec())
        });
        let mut phrases = vec![];
        let names: Vec<Token> = found.iter().map(|it| it.0.clone()).collect();
        for (name, extents) in found {
            let rank = extents.len();
            let array = self.known.arrays.entry(name.text.clone()).or_default();
            if array.extents.len() < rank {
                array.extents = vec![vec![]; rank];
            }
            let hint = self.out.hints.array(&name);
            // `…, given as the weights`
            let is_given = tokens.iter().any(|it| it.is_any(&["given", "input"]));
            (hint.extents, hint.is_new) = (extents, !is_given);
        }
        if let Some(value) = initial {
            let filled = names.iter().filter_map(|it| self.filled(it, &value));
            phrases.extend(filled.collect::<Vec<_>>());
        }
        phrases
    }

    /// `count ← array of k + 1 zeros`, `B ← new array of same length as A`.
    pub(super) fn array_of(&mut self, tokens: &[Token]) -> Option<Vec<Phrase>> {
        let [name, _, value @ ..] = tokens else { return None };
        let skip = value.iter().take_while(|it| it.is_any(&["a", "an", "new", "empty"])).count();
        let value = match &value[skip..] {
            [array, of, rest @ ..] if array.is_any(&KINDS) && of.is("of") => rest,
            _ => return None,
        };
        self.known.arrays.entry(name.text.clone()).or_default();
        self.out.hints.array(name).is_new = true;
        let is_filler = |it: &&Token| it.is_any(&["size", "length", "of", "the", "same"]);
        let value = &value[value.iter().take_while(is_filler).count()..];
        let fill = value.last().filter(|it| it.is_any(&["zeros", "zeroes", "ones"]));
        let end = value.len()
            - value
                .iter()
                .rev()
                .take_while(|it| {
                    it.is_any(&[
                        "zeros", "zeroes", "ones", "elements", "integers", "real", "numbers",
                        "reals", "booleans", "entries", "values",
                    ])
                })
                .count();
        if value.first().is_some_and(|it| it.is("as")) || end == 0 {
            return Some(vec![]);
        }
        let extent = extents(&value[..end])[0].clone()?;
        let count = extent.strip_prefix("1 .. ").unwrap_or(&extent).to_owned();
        self.out.hints.array(name).extents = vec![Some(format!("0 .. {count} - 1"))];
        let array = self.known.arrays.entry(name.text.clone()).or_default();
        array.extents = vec![vec![]];
        let name = name.clone();
        Some(fill.cloned().and_then(|it| self.filled(&name, &[it])).into_iter().collect())
    }

    /// `gaps = [5, 3, 1]`: an array of the algorithm itself.
    pub(super) fn list(&mut self, tokens: &[Token]) -> Option<Vec<Phrase>> {
        let [name, arrow, open, inside @ .., close] = tokens else { return None };
        let brackets = [["[", "]"], ["{", "}"], ["(", ")"]];
        let is_list = brackets.iter().any(|it| open.is(it[0]) && close.is(it[1]));
        let parts = split(inside, &[","]);
        let is_number = |it: &[Token]| matches!(it, [one] if one.is_number());
        if !is_list
            || parts.len() < 2
            || !parts.iter().all(|it| is_number(it))
            || self.known.bracketed.contains(&name.text)
        {
            return None;
        }
        let hint = self.out.hints.array(name);
        (hint.extents, hint.is_new) = (vec![Some(format!("1 .. {}", parts.len()))], true);
        self.known.arrays.entry(name.text.clone()).or_default().extents = vec![vec![]];
        self.lists.insert(name.text.clone(), parts.len());
        let element = |(at, part): (usize, &&[Token])| {
            let index = ["[", &(at + 1).to_string(), "]"].map(|it| Token::glued(it, name));
            let one = std::slice::from_ref;
            Phrase::of([one(name), &index[..], one(arrow), part].concat())
        };
        Some(parts.iter().enumerate().map(element).collect())
    }
}
