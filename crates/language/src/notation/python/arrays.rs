//! Whole arrays of Python, and parts of them.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{Output, words};
use crate::notation::slices::{
    ArrayReader, ELEMENTWISE, Style, assign_parts, assign_whole, copy_elements,
};
use crate::notation::token::{Token, closing, split};
use crate::notation::vector_fold;

/// Elements of a list, and how often they are there.
type Piece = (Vec<Vec<Token>>, Option<Vec<Token>>);

impl ArrayReader for Reader {
    fn output(&mut self) -> &mut Output {
        &mut self.out
    }

    fn know_array(&mut self, name: &Token) {
        self.arrays.insert(name.text.clone());
    }

    fn know_bool(&mut self, name: &Token) {
        self.known.bools.insert(name.text.clone());
    }

    fn written(&mut self, tokens: &[Token], place: &Token) -> Result<Vec<Token>> {
        self.value(tokens, place)
    }

    fn assign_element(&mut self, target: &[Token], sign: &Token, value: &[Token]) -> Result<()> {
        self.assign(target, sign, value)
    }

    fn written_condition(&mut self, tokens: &[Token], place: &Token) -> Result<Vec<Token>> {
        self.condition(tokens, place)
    }

    fn open_loop(&mut self, place: &Token, targets: &[Token], range: &[Token]) -> Result<()> {
        let word = [place.with("for")];
        let head = [&word[..], targets, &[place.with("in")], range, &[place.with(":")]];
        self.for_loop(&head.concat())?;
        self.out.depth += 1;
        Ok(())
    }

    fn close_loop(&mut self, _: &Token) -> Result<()> {
        Ok(())
    }

    fn is_array(&self, name: &Token) -> bool {
        self.arrays.contains(&name.text)
    }

    fn is_bool(&self, array: &Token) -> bool {
        self.known.bools.contains(&array.text) || self.out.hints.is_bool(array)
    }

    fn rank(&self, array: &Token) -> usize {
        self.rank_of(array)
    }

    fn is_argument(&self, name: &Token) -> bool {
        self.out.hints.arrays.iter().any(|it| it.is_argument && it.name.is(&name.text))
    }

    fn defines(&self, name: &Token) -> bool {
        self.lines.iter().any(
            |it| matches!(&it.tokens[..], [def, own, ..] if def.is("def") && own.is(&name.text)),
        )
    }
}

/// How Python has the parts of arrays.
const STYLE: Style =
    Style { is_python: true, multiplies: false, flattens: false, steps_last: true };

impl Reader {
    /// A statement on parts of arrays: loops over their elements.
    pub(super) fn parts(
        &mut self,
        target: &[Token],
        sign: &Token,
        value: &[Token],
    ) -> Result<bool> {
        assign_parts(self, target, sign, value, STYLE)
    }

    /// A statement of NumPy on whole arrays: loops over their elements.
    pub(super) fn whole(&mut self, name: &Token, sign: &Token, value: &[Token]) -> Result<bool> {
        let is_numpy = |it: &Token| it.is_any(&["np", "numpy"]);
        let is_slice = matches!(value, [array, open, .., _]
            if array.is_name() && open.is("[") && closing(value, 1) == Some(value.len() - 1)
                && value.iter().any(|it| it.is(":")) && !value.iter().any(|it| it.is(",")));
        if !is_slice && !self.lines.iter().any(|it| it.tokens.iter().any(is_numpy)) {
            return Ok(false);
        }
        let mut value = value.to_vec();
        // What is chosen, or compared, element by element is an array's.
        let is_used = |it: &[Token]| {
            it[0].is(&name.text)
                && (it[1].is("[")
                    || it[1].is(".")
                        && it[2].is_any(&["sum", "max", "min", "mean", "shape", "size"]))
        };
        let is_array = self.lines.iter().any(|it| it.tokens.windows(3).any(is_used));
        let of_elements = |it: &[Token]| {
            let chooses = it[2].is_any(&["where", "maximum", "minimum", "clip"]);
            is_numpy(&it[0]) && (chooses || is_array && it[2].is_any(&ELEMENTWISE))
        };
        let is_known = value.iter().any(|it| self.arrays.contains(&it.text));
        let first = value.windows(4).position(of_elements).filter(|_| !is_known);
        for it in first.map_or(&[][..], |at| &value[at + 3..]) {
            let stays = is_numpy(it) || it.is_any(&ELEMENTWISE);
            if it.is_name() && !stays && self.never_assigned(it) {
                self.arrays.insert(it.text.clone());
            }
        }
        while let Some(at) = value.windows(2).position(|it| is_numpy(&it[0]) && it[1].is(".")) {
            value.drain(at..at + 2);
        }
        assign_whole(self, name, sign, &value, STYLE)
    }

    /// A value without sums and the like, which are computed above.
    pub(super) fn folded(&mut self, value: &[Token]) -> Result<Vec<Token>> {
        // What is folded as a whole is an array.
        for at in 0..value.len().saturating_sub(3) {
            let it = &value[at..at + 4];
            let is_fold = it[0].is_any(&["sum", "max", "min", "mean", "prod", "dot", "norm"]);
            let closes = it[3].is(")") || it[3].is(",") && it[0].is("dot");
            if is_fold && it[1].is("(") && it[2].is_name() && closes {
                self.arrays.insert(it[2].text.clone());
            }
        }
        let value = vector_fold::folded(self, value, STYLE)?;
        self.places(&value)
    }

    /// How many indices an array has where it is used.
    pub(super) fn rank_of(&self, array: &Token) -> usize {
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
        let rank = self.rank_of(name).max(self.rank_of(array));
        let array = Token::variable(array).text;
        self.out.hints.copies.push((name.text.clone(), array.clone()));
        self.out.hints.alike.push((name.text.clone(), array.clone()));
        copy_elements(&mut self.out, name, [&*name.text, &array, &array], rank, true);
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
