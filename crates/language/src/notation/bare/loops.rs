//! Loops that double, and loops over the elements of an array.

use super::Reader;
use super::phrase::Phrase;
use super::words::length;
use crate::notation::output::words;
use crate::notation::token::{DOTS, Token, closing, position, split};

impl Reader {
    /// `for p = 1, 2, 4, …, n` and `for (k = 2; k <= n; k *= 2)`: a loop that doubles.
    pub(super) fn doubling(&mut self, tokens: &[Token]) -> Option<Vec<Phrase>> {
        let [word, rest @ ..] = tokens else { return None };
        let made = |text: &str| Token::made(text, word);
        let end = position(rest, &["do", "{block"]).unwrap_or(rest.len());
        let behind = rest.get(end + 1..).unwrap_or_default();
        let is_counted = super::super::counted::counted(rest).is_some();
        let (variable, from, condition, advance) = match &rest[..end] {
            [open, ..] if open.is("(") && !is_counted => {
                let close = closing(rest, 0)?;
                if close + 1 < end {
                    return None;
                }
                let [start, condition, advance] = split(&rest[1..close], &[";"])[..] else {
                    return None;
                };
                let [variable, sign, by @ ..] = advance else { return None };
                let advance = match sign.text.as_str() {
                    "++" | "--" if by.is_empty() => [
                        variable.clone(),
                        made("←"),
                        variable.clone(),
                        made(&sign.text[..1]),
                        made("1"),
                    ]
                    .to_vec(),
                    "*=" | "/=" | "+=" | "-=" => [
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

    /// `for x ∈ {2, 3, 5, 7}`: numbers that are listed, in turn.
    fn each_of(&mut self, variable: &Token, set: &[Token]) -> Option<Vec<Phrase>> {
        let close = closing(set, 0).filter(|_| set[0].is_any(&["{", "["]))?;
        let ends = set.get(close + 1).is_none_or(|it| it.is_any(&["do", ":", "{block"]));
        let values = split(&set[1..close], &[","]);
        let is_value = |it: &&[Token]| {
            !it.is_empty()
                && it.iter().all(|it| !it.is_any(&DOTS) && !it.is_any(&["|", ":", "(", "to"]))
        };
        // Two of them are the ends of a range.
        if values.len() < 3
            || !ends
            || set.get(close + 2).is_some_and(|it| it.is_word("in"))
            || !values.iter().all(is_value)
        {
            return None;
        }
        let index = self.out.fresh("e");
        let mut text = format!("{} ←", variable.text);
        for at in 1..values.len() {
            text += &format!(" if {index} = {at} then {{}} else");
        }
        let inner = words(variable, &(text + " {}"), &values);
        let head = format!("for {index} ← 1 to {} do {{}}", values.len());
        let behind = set.get(close + 2..).unwrap_or_default();
        Some(vec![Phrase { inner, ..Phrase::of(words(variable, &head, &[behind])) }])
    }

    /// `for each x in A`: every element of an array.
    pub(super) fn each(&mut self, tokens: &[Token]) -> Option<Vec<Phrase>> {
        let at = position(tokens, &["in", "∈", "of"])?;
        if tokens.get(at + 1).is_some_and(|it| it.is_word("parallel")) {
            return None;
        }
        let variable = tokens[..at].last()?.clone();
        let is_each = tokens[0].is_word("foreach")
            || tokens.get(1).is_some_and(|it| it.is_any(&["each", "every", "all"]));
        let array = tokens.get(at + 1)?;
        if let Some(phrases) = self.each_of(&variable, &tokens[at + 1..]) {
            return Some(phrases);
        }
        let ends = tokens
            .get(at + 2)
            .is_none_or(|it| it.is_any(&["do", ":", "pardo", "in", "{block", ","]));
        // `for x in A` of what has elements.
        let is_each = is_each || at == 2 && self.known.arrays.contains_key(&array.text);
        if !is_each || !ends || !array.is_name() {
            return None;
        }
        if let Some(count) = self.lists.get(&array.text).copied() {
            let index = self.out.fresh("e");
            let head = format!("for {index} ← 1 to {count} do");
            let element = format!("{} ← {}[{index}]", variable.text, array.text);
            let inner = words(&variable, &element, &[]);
            return Some(vec![Phrase { inner, ..Phrase::of(words(&variable, &head, &[])) }]);
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
