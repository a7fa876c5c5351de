//! Whole arrays of Python, and parts of them.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::words;
use crate::notation::slices::{Style, sliced};
use crate::notation::token::{Token, closing, split};

/// Elements of a list, and how often they are there.
type Piece = (Vec<Vec<Token>>, Option<Vec<Token>>);

impl Reader {
    /// A statement on parts of arrays: loops over their elements.
    pub(super) fn parts(
        &mut self,
        target: &[Token],
        sign: &Token,
        value: &[Token],
    ) -> Result<bool> {
        let style = Style { is_python: true, multiplies: false };
        let fresh = |word: &str| self.out.fresh(word);
        let Some(it) = sliced(target, value, style, fresh) else { return Ok(false) };
        let equals = sign.with("=");
        for (name, element) in &it.before {
            self.assign(std::slice::from_ref(name), &equals, element)?;
        }
        let (mut targets, mut values) = (vec![it.target], vec![it.value]);
        if it.overlaps {
            // What is read is that from before the statement.
            let name = sign.with(self.out.fresh("part"));
            let mut part = vec![name.clone()];
            for (at, (variable, ..)) in it.loops.iter().enumerate() {
                part.push(Token::glued(if at == 0 { "[" } else { "," }, sign));
                part.push(Token::glued(variable.text.clone(), sign));
            }
            part.push(Token::glued("]", sign));
            self.arrays.insert(name.text.clone());
            self.out.hints.array(&name).is_new = true;
            targets.insert(0, part.clone());
            values.push(part);
        }
        let depth = self.out.depth;
        for (target, value) in targets.iter().zip(&values) {
            for (variable, from, to) in &it.loops {
                let one = std::slice::from_ref(variable);
                let (from, to) = (self.value(from, sign)?, self.value(to, sign)?);
                self.out.line(words(sign, "for {} ← {} to {} do", &[one, &from, &to]));
                self.out.depth += 1;
            }
            self.assign(target, &equals, value)?;
            self.out.depth = depth;
        }
        Ok(true)
    }

    /// How many indices an array has where it is used.
    fn rank(&self, array: &Token) -> usize {
        let of_line = |tokens: &[Token]| {
            let rank = |at: usize| {
                let (mut open, mut rank) = (at + 1, 0);
                while tokens[at].is(&array.text) && tokens.get(open).is_some_and(|it| it.is("[")) {
                    let Some(close) = closing(tokens, open) else { break };
                    rank += split(&tokens[open + 1..close], &[","]).len();
                    open = close + 1;
                }
                rank
            };
            (0..tokens.len()).map(rank).max().unwrap_or(0)
        };
        self.lines.iter().map(|it| of_line(&it.tokens)).max().unwrap_or(0).max(1)
    }

    /// `b = a.copy()`: every element.
    pub(super) fn copy(&mut self, name: &Token, array: &Token) -> Result<bool> {
        self.arrays.insert(name.text.clone());
        self.arrays.insert(array.text.clone());
        let rank = self.rank(name).max(self.rank(array));
        let array = Token::variable(array).text;
        let depth = self.out.depth;
        let mut indices = vec![];
        for dimension in 0..rank {
            let index = self.out.fresh("z");
            let of = match (rank, dimension) {
                (1, _) => "length",
                (_, 0) => "rows",
                _ => "columns",
            };
            self.out.line(words(name, &format!("for {index} ← 0 to {of}({array}) - 1 do"), &[]));
            self.out.depth += 1;
            indices.push(index);
        }
        let indices = indices.join(",");
        let line = format!("{}[{indices}] ← {array}[{indices}]", name.text);
        self.out.line(words(name, &line, &[]));
        self.out.depth = depth;
        self.out.hints.array(name).is_new = true;
        Ok(true)
    }

    /// `[0] + [x] * n`: one list behind the other.
    pub(super) fn joined(&mut self, name: &Token, sign: &Token, value: &[Token]) -> Result<bool> {
        let mut pieces: Vec<Piece> = vec![];
        for part in split(value, &["+"]) {
            let close = part.first().filter(|it| it.is("[")).and_then(|_| closing(part, 0));
            let Some(close) = close else {
                return Err(Diagnostic::new(sign.span, "lists that are joined with others")
                    .help("write `[0] * n`, and the elements one by one"));
            };
            let elements = split(&part[1..close], &[","]).into_iter().map(<[Token]>::to_vec);
            let count = match &part[close + 1..] {
                [] => None,
                [star, count @ ..] if star.is("*") && !count.is_empty() => Some(count.to_vec()),
                [other, ..] => return Err(crate::notation::tree::unexpected(other, "`+` or `*`")),
            };
            pieces.push((elements.collect(), count));
        }
        let plus = |of: Vec<Token>, by: Vec<Token>| match of.is_empty() {
            true => by,
            false => [of, vec![sign.with("+")], by].concat(),
        };
        let mut offsets = vec![vec![]];
        for (elements, count) in &pieces {
            let length = match count {
                None => vec![sign.with(elements.len().to_string())],
                Some(count) => [vec![sign.with("(")], count.clone(), vec![sign.with(")")]].concat(),
            };
            offsets.push(plus(offsets[offsets.len() - 1].clone(), length));
        }
        let total = offsets.pop().unwrap_or_default();
        self.fill(name, sign, vec![total], None)?;
        for ((elements, count), offset) in pieces.into_iter().zip(offsets) {
            let Some(count) = count else {
                for (at, element) in elements.iter().enumerate() {
                    let index =
                        self.value(&plus(offset.clone(), vec![sign.with(at.to_string())]), sign)?;
                    let element = self.value(element, sign)?;
                    let line = format!("{}[{{}}] ← {{}}", name.text);
                    self.out.line(words(name, &line, &[&index, &element]));
                }
                continue;
            };
            let [element] = &elements[..] else {
                return Err(Diagnostic::new(sign.span, "a list of several elements, repeated")
                    .help("write the loop that fills it"));
            };
            let index = sign.with(self.out.fresh("z"));
            let last = [count, vec![sign.with("-"), sign.with("1")]].concat();
            let (last, element) = (self.value(&last, sign)?, self.value(element, sign)?);
            self.out.line(words(name, &format!("for {} ← 0 to {{}} do", index.text), &[&last]));
            self.out.depth += 1;
            let place = self.value(&plus(offset, vec![index]), sign)?;
            let line = format!("{}[{{}}] ← {{}}", name.text);
            self.out.line(words(name, &line, &[&place, &element]));
            self.out.depth -= 1;
        }
        Ok(true)
    }
}
