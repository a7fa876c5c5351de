//! `unew = u` of whole arrays, and products of rows with columns.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{Output, words};
use crate::notation::slices::{
    ArrayReader, Style, assign_parts, assign_whole, copy_elements, element_of_vectors, without_end,
};
use crate::notation::token::{Token, closing, position, split, text};
use crate::notation::tree::Family;
use crate::notation::vector_fold;

impl ArrayReader for Reader {
    fn output(&mut self) -> &mut Output {
        &mut self.out
    }

    fn know_array(&mut self, name: &Token) {
        self.known.arrays.insert(name.text.clone());
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
        let head = [&[place.with("for")], targets, &[place.with("=")], range];
        self.for_loop(&head.concat())
    }

    fn close_loop(&mut self, place: &Token) -> Result<()> {
        self.end(place)
    }

    fn is_array(&self, name: &Token) -> bool {
        self.known.arrays.contains(&name.text)
    }

    fn is_bool(&self, array: &Token) -> bool {
        self.known.bools.contains(&array.text) || self.out.hints.is_bool(array)
    }

    fn rank(&self, array: &Token) -> usize {
        self.rank_of(array)
    }

    fn is_argument(&self, name: &Token) -> bool {
        self.arguments.iter().any(|it| it.is(&name.text))
    }

    fn defines(&self, name: &Token) -> bool {
        self.out.hints.name.as_ref().is_some_and(|it| it.is(&name.text))
    }
}

impl Reader {
    /// `b = a` and `b = a(:)`: every element.
    pub(super) fn copied(&mut self, name: &Token, sign: &Token, value: &[Token]) -> Result<bool> {
        let array = match value {
            [array] => array,
            [array, open, colon, close] if open.is("(") && colon.is(":") && close.is(")") => array,
            [copy, open, array, close] if copy.is("copy") && open.is("(") && close.is(")") => array,
            _ => return Ok(false),
        };
        if !self.known.arrays.contains(&array.text) {
            return Ok(false);
        }
        if matches!(value, [_]) && matches!(self.known.family, Family::Julia | Family::Open) {
            let text =
                format!("`{}` becomes another name of the array `{}`", name.text, array.text);
            return Err(Diagnostic::new(sign.span, text).help(format!(
                "write `copy({})` for an array of its own, or use one name",
                array.text
            )));
        }
        let rank = self.rank_of(array).max(self.rank_of(name));
        let of = |it: &str| self.same.get(it).cloned().unwrap_or_else(|| it.to_owned());
        let first = of(&array.text);
        self.same.entry(name.text.clone()).or_insert_with(|| first.clone());
        self.known.arrays.insert(name.text.clone());
        let (target, array) = (Token::variable(name), Token::variable(array));
        let sized = Token::variable(&name.with(&first)).text;
        self.out.hints.alike.push((target.text.clone(), array.text.clone()));
        let names = [&*target.text, &array.text, &sized];
        copy_elements(&mut self.out, sign, names, rank, false);
        Ok(true)
    }

    /// A statement on whole arrays: loops over their elements.
    pub(super) fn whole(&mut self, name: &Token, sign: &Token, value: &[Token]) -> Result<bool> {
        // What Fortran declares as an array is one on the left, too.
        if matches!(self.known.family, Family::Fortran) && self.known.arrays.contains(&name.text) {
            let tokens = [std::slice::from_ref(name), value].concat();
            return self.elementwise(&tokens, 1, sign);
        }
        assign_whole(self, name, sign, value, self.style())
    }

    /// A statement on parts of arrays: loops over their elements.
    pub(super) fn parts(
        &mut self,
        target: &[Token],
        sign: &Token,
        value: &[Token],
    ) -> Result<bool> {
        assign_parts(self, target, sign, value, self.style())
    }

    /// `b .= 2 .* a .+ 1`: each element of whole vectors from those at its place.
    pub(super) fn broadcast(&mut self, name: &Token, sign: &Token, value: &[Token]) -> Result<()> {
        self.known.arrays.insert(name.text.clone());
        // Beside a number and a dotted sign, a name is an array's.
        for it in value.windows(3) {
            let is_dotted = it[1].text.starts_with('.') && it[1].text.len() == 2;
            let of = match it {
                [one, _, other] if one.is_number() => other,
                [one, _, other] if other.is_number() => one,
                _ => continue,
            };
            if is_dotted && of.is_name() {
                self.known.arrays.insert(of.text.clone());
            }
        }
        let names = [std::slice::from_ref(name), value].concat();
        if value.iter().any(|it| it.is(":")) || !self.elementwise(&names, 1, sign)? {
            return Err(Diagnostic::new(sign.span, "`.=` of what is no vector")
                .help("write the loop over the elements"));
        }
        Ok(())
    }

    /// Loops over the elements of a target and a value, which begins behind so many tokens.
    fn elementwise(&mut self, tokens: &[Token], target: usize, sign: &Token) -> Result<bool> {
        // The target says how far it goes.
        let variables = [(); 2].map(|()| sign.with(self.out.fresh("z")));
        let rank = |it: &Token| self.known.arrays.contains(&it.text).then(|| self.rank_of(it));
        let Some((bounds, elements)) = element_of_vectors(tokens, self.style(), rank, &variables)
        else {
            return Ok(false);
        };
        let depth = self.out.depth;
        for (variable, (from, to)) in variables.iter().zip(&bounds) {
            let (from, to) = (self.value(from, sign)?, self.value(to, sign)?);
            let one = std::slice::from_ref(variable);
            self.out.line(words(sign, "for {} ← {} to {} do", &[one, &from, &to]));
            self.out.depth += 1;
        }
        let close = closing(&elements, target).unwrap_or(target);
        let (target, value) = elements.split_at(close + 1);
        self.assign(target, &sign.with("="), value)?;
        self.out.depth = depth;
        Ok(true)
    }

    fn style(&self) -> Style {
        Style {
            is_python: false,
            multiplies: !matches!(self.known.family, Family::Fortran),
            flattens: matches!(self.known.family, Family::Fortran | Family::Julia),
            steps_last: self.is_fortran,
        }
    }

    /// A value without sums and the like, which are computed above.
    pub(super) fn folded(&mut self, value: &[Token]) -> Result<Vec<Token>> {
        vector_fold::folded(self, value, self.style())
    }

    /// `[m, n] = size(A)`, `m, n = size(A)`: names of the extents.
    pub(super) fn shape(
        &mut self,
        target: &[Token],
        value: &[Token],
    ) -> Option<Vec<(String, usize, Token)>> {
        let [size, open, array, close] = value else { return None };
        let target = match target {
            [open, inner @ .., close] if open.is("[") && close.is("]") => inner,
            all => all,
        };
        let names = split(target, &[","]);
        let is_shape = size.is("size") && open.is("(") && close.is(")") && names.len() == 2;
        if !is_shape || !names.iter().all(|it| matches!(it, [one] if one.is_name())) {
            return None;
        }
        self.known.arrays.insert(array.text.clone());
        let array = Token::variable(array).text;
        let of = |(at, it): (usize, &&[Token])| (array.clone(), at, Token::variable(&it[0]));
        Some(names.iter().enumerate().map(of).collect())
    }

    /// `U(i,i+1:n)*x(i+1:n)` in a value: its sum is computed above, and stands there by its name.
    pub(super) fn products(&mut self, value: &[Token], sign: &Token) -> Result<Vec<Token>> {
        let mut value = value.to_vec();
        while let Some((start, end, left, right)) = product(&value) {
            let name = self.out.fresh("dot");
            let index = self.out.fresh("z");
            let [(from, to), (other, _)] = [&left.range, &right.range];
            let (from, to, other) =
                (self.value(from, sign)?, self.value(to, sign)?, self.value(other, sign)?);
            let (first, second) = (text(&from), text(&other));
            let shifted = match first == second {
                true => index.clone(),
                false => format!("{index} - ({first}) + ({second})"),
            };
            let element = |reader: &mut Self, part: &Part, index: &str| -> Result<String> {
                let mut indices = vec![];
                for other in &part.others {
                    indices.push(match other {
                        Some(tokens) => text(&reader.value(tokens, sign)?),
                        None => index.to_owned(),
                    });
                }
                Ok(format!("{}[{}]", Token::variable(&part.array).text, indices.join(", ")))
            };
            let (a, b) = (element(self, &left, &index)?, element(self, &right, &shifted)?);
            self.out.line(words(sign, &format!("{name} ← 0.0"), &[]));
            self.out.line(words(sign, &format!("for {index} ← {{}} to {{}} do"), &[&from, &to]));
            self.out.depth += 1;
            self.out.line(words(sign, &format!("{name} ← {name} + {a} × {b}"), &[]));
            self.out.depth -= 1;
            self.known.reals.insert(name.clone());
            value.splice(start..end, [sign.with(name)]);
        }
        Ok(value)
    }
}

/// A part of an array along one of its dimensions.
struct Part {
    array: Token,
    range: (Vec<Token>, Vec<Token>),
    /// The other indices, and `None` in place of that one.
    others: Vec<Option<Vec<Token>>>,
    length: usize,
}

/// A row times a column, and where it stands.
fn product(tokens: &[Token]) -> Option<(usize, usize, Part, Part)> {
    (0..tokens.len()).find_map(|at| {
        let left = part(&tokens[at..])?;
        let star = at + left.length;
        let mut behind = star + 1;
        let sign = tokens.get(star)?;
        if sign.is("'") {
            behind += 1;
        }
        if !tokens.get(behind - 1)?.is("*") {
            return None;
        }
        let right = part(&tokens[behind..])?;
        Some((at, behind + right.length, left, right))
    })
}

fn part(tokens: &[Token]) -> Option<Part> {
    let [array, open, ..] = tokens else { return None };
    let close = closing(tokens, 1).filter(|_| array.is_name() && open.is("("))?;
    let (mut range, mut others) = (None, vec![]);
    let parts = split(&tokens[2..close], &[","]);
    let rank = parts.len();
    for (dimension, part) in parts.into_iter().enumerate() {
        let part = &without_end(part, array, dimension, rank)[..];
        match position(part, &[":"]) {
            Some(at) if range.is_none() && at > 0 && at + 1 < part.len() => {
                range = Some((part[..at].to_vec(), part[at + 1..].to_vec()));
                others.push(None);
            }
            Some(_) => return None,
            None => others.push(Some(part.to_vec())),
        }
    }
    Some(Part { array: array.clone(), range: range?, others, length: close + 1 })
}

impl Reader {
    /// A value without products of matrices and vectors.
    pub(super) fn algebra(&mut self, value: &[Token], sign: &Token) -> Result<Vec<Token>> {
        let mut value = value.to_vec();
        loop {
            let is_whole = |at: usize| {
                let next = value.get(at + 1);
                self.known.arrays.contains(&value[at].text)
                    && !next.is_some_and(|it| it.is_any(&["(", "[", "."]))
            };
            let is_vector = |at: usize| is_whole(at) && !self.is_matrix(&value[at]);
            let product = (0..value.len().saturating_sub(2)).rev().find(|&at| {
                let is_product = value[at + 1].is("*") && is_vector(at + 2);
                let stays = value.get(at + 3).is_none_or(|it| !it.is("'"));
                is_whole(at) && self.is_matrix(&value[at]) && is_product && stays
            });
            if let Some(at) = product {
                let name = self.times(&value[at].clone(), &value[at + 2].clone(), sign);
                value.splice(at..at + 3, [name]);
                continue;
            }
            let dot = (0..value.len().saturating_sub(3)).find(|&at| {
                let signs = value[at + 1].is("'") && value[at + 2].is("*");
                let next = value.get(at + 4);
                let is_alone = !next.is_some_and(|it| it.is_any(&["(", "[", ".", "'"]));
                let right = &value[at + 3];
                signs
                    && right.is_name()
                    && is_alone
                    && !self.is_matrix(&value[at])
                    && !self.is_matrix(right)
            });
            let Some(at) = dot else { return Ok(value) };
            let name = self.dot(&value[at].clone(), &value[at + 3].clone(), sign);
            value.splice(at..at + 4, [name]);
        }
    }

    /// Whether an array has two indices, where it is used with some or asked for its rows.
    fn is_matrix(&self, name: &Token) -> bool {
        let sizes = |it: &[Token]| {
            it[0].is("size") && it[1].is("(") && it[2].is(&name.text) && it[3].is(",")
        };
        self.rank_of(name) == 2 || self.all.iter().any(|it| it.windows(4).any(sizes))
    }

    fn times(&mut self, matrix: &Token, vector: &Token, sign: &Token) -> Token {
        let [matrix, vector] = [matrix, vector].map(|it| Token::variable(it).text);
        let product = sign.with(self.out.fresh("product"));
        let [row, column, sum] = ["z", "z", "sum"].map(|it| self.out.fresh(it));
        let name = &product.text;
        self.out.block(
            sign,
            [
                (format!("for {row} ← 1 to rows({matrix}) do"), 0),
                (format!("{sum} ← 0"), 1),
                (format!("for {column} ← 1 to columns({matrix}) do"), 1),
                (format!("{sum} ← {sum} + {matrix}[{row},{column}] × {vector}[{column}]"), 2),
                (format!("{name}[{row}] ← {sum}"), 1),
            ],
        );
        self.known.arrays.insert(name.clone());
        self.out.hints.array(&product).is_new = true;
        self.out.hints.alike.push((name.clone(), format!("rows {matrix}")));
        product
    }

    fn dot(&mut self, left: &Token, right: &Token, sign: &Token) -> Token {
        self.known.arrays.extend([left.text.clone(), right.text.clone()]);
        let sum = sign.with(self.out.fresh("dot"));
        let index = self.out.fresh("z");
        let [left, right] = [left, right].map(|it| Token::variable(it).text);
        let name = &sum.text;
        self.out.block(
            sign,
            [
                (format!("{name} ← 0"), 0),
                (format!("for {index} ← 1 to length({left}) do"), 0),
                (format!("{name} ← {name} + {left}[{index}] × {right}[{index}]"), 1),
            ],
        );
        sum
    }
}
