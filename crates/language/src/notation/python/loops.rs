//! Loops of Python.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{spaced, words};
use crate::notation::token::{Token, position, split};
use crate::notation::tree::unexpected;

impl Reader {
    pub(super) fn for_loop(&mut self, tokens: &[Token]) -> Result<()> {
        let word = &tokens[0];
        let (head, rest) = self.head(tokens)?;
        let Some(at) = position(head, &["in"]) else {
            return Err(unexpected(word, "`for … in …`"));
        };
        let (variables, of) = (split(&head[..at], &[","]), &head[at + 1..]);
        let (of, is_down) = match of {
            [reversed, open, inside @ .., close]
                if reversed.is("reversed") && open.is("(") && close.is(")") =>
            {
                (inside, true)
            }
            all => (all, false),
        };
        match (of, &variables[..]) {
            ([range, open, inside @ .., close], [[variable]])
                if range.is_any(&["range", "prange", "xrange"])
                    && open.is("(")
                    && close.is(")") =>
            {
                self.range(word, variable, inside, is_down, range.is("prange"))?;
            }
            ([each, open, array, close], [[index], [element]])
                if each.is("enumerate") && open.is("(") && close.is(")") =>
            {
                let (index, element) = (Token::variable(index), Token::variable(element));
                self.each(word, &index.text, &element, array, is_down);
            }
            ([open, inside @ .., close], [[variable]])
                if open.is_any(&["(", "["])
                    && close.is_any(&[")", "]"])
                    && progression(inside).is_some() =>
            {
                let range = progression(inside).unwrap_or_default();
                self.range(word, variable, &range, is_down, false)?;
            }
            ([array], [[element]]) if array.is_name() && !self.is_row(element) => {
                self.arrays.insert(array.text.clone());
                let index = self.out.fresh("e");
                let element = Token::variable(element);
                self.each(word, &index, &element, array, is_down);
            }
            _ if self.elements(word, &head[..at], &head[at + 1..])? => {}
            _ => {
                return Err(Diagnostic::new(
                    word.span,
                    "a loop over what is neither a range nor an array",
                )
                .help("write `for i in range(n):`"));
            }
        }
        self.behind(rest)
    }

    fn each(&mut self, word: &Token, index: &str, element: &Token, array: &Token, is_down: bool) {
        let array = Token::variable(array).text;
        let head = match is_down {
            true => format!("for {index} ← length({array}) - 1 downto 0 do"),
            false => format!("for {index} ← 0 to length({array}) - 1 do"),
        };
        self.out.line(words(word, &head, &[]));
        self.out.depth += 1;
        self.out.line(words(element, &format!("{} ← {array}[{index}]", element.text), &[]));
        self.out.depth -= 1;
    }

    pub(super) fn range(
        &mut self,
        word: &Token,
        variable: &Token,
        inside: &[Token],
        is_down: bool,
        parallel: bool,
    ) -> Result<()> {
        let zero = vec![word.with("0")];
        let parts = split(inside, &[","]);
        let (from, end, step) = match parts[..] {
            [end] => (zero, end.to_vec(), None),
            [from, end] => (from.to_vec(), end.to_vec(), None),
            [from, end, step] => (from.to_vec(), end.to_vec(), Some(step.to_vec())),
            _ => return Err(unexpected(word, "`range` of one to three numbers")),
        };
        let by = step.as_deref().and_then(|it| match it {
            [sign, number] if sign.is("-") => number.text.parse::<i64>().ok().map(|it| -it),
            [number] => number.text.parse().ok(),
            _ => None,
        });
        if by == Some(0) {
            return Err(Diagnostic::new(word.span, "a step of 0"));
        }
        let goes_down = by.is_some_and(|it| it < 0);
        if is_down && step.is_some() {
            return Err(Diagnostic::new(word.span, "`reversed` of a range in steps")
                .help("write the range that goes down"));
        }
        let sign = |text: &str| vec![word.with(text), word.with("1")];
        let wrapped = |it: Vec<Token>| [vec![word.with("(")], it, vec![word.with(")")]].concat();
        let last = [wrapped(end), sign(if goes_down { "+" } else { "-" })].concat();
        let (from, last) = (self.value(&from, word)?, self.value(&last, word)?);
        let variable = Token::variable(variable);
        let (first, second) = if is_down { (last, from) } else { (from, last) };
        let mut line =
            words(word, "for {} ← {} to {}", &[std::slice::from_ref(&variable), &first, &second]);
        if goes_down || is_down {
            line.iter_mut().filter(|it| it.is("to")).for_each(|it| it.text = "downto".to_owned());
        }
        match (by, step) {
            (None, Some(step)) => {
                line.push(Token::made("step", word));
                line.extend(spaced(self.value(&step, word)?));
            }
            (Some(by), _) if by.abs() != 1 => {
                line.extend([Token::made("step", word), Token::made(by.abs().to_string(), word)]);
            }
            _ => {}
        }
        line.push(Token::made("do", word));
        if parallel {
            line.extend([Token::made("in", word), Token::made("parallel", word)]);
        }
        self.out.line(line);
        Ok(())
    }
}

/// `-1, 0, 1` as what a range is made of.
fn progression(tokens: &[Token]) -> Option<Vec<Token>> {
    let parts = split(tokens, &[","]);
    let parts: Vec<&[Token]> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    let numbers: Option<Vec<i64>> =
        parts.iter().map(|it| crate::notation::expression::integer(it)).collect();
    let numbers = numbers.filter(|it| it.len() > 1)?;
    let by = numbers[1].checked_sub(numbers[0])?;
    let even = numbers.windows(2).all(|it| it[1].checked_sub(it[0]) == Some(by));
    if by <= 0 || !even {
        return None;
    }
    let like = &tokens[0];
    let number = |it: i64| match it < 0 {
        true => vec![like.with("-"), like.with(it.unsigned_abs().to_string())],
        false => vec![like.with(it.to_string())],
    };
    let end = numbers[numbers.len() - 1].checked_add(1)?;
    let comma = || vec![like.with(",")];
    Some([number(numbers[0]), comma(), number(end), comma(), number(by)].concat())
}
