//! Heads, declarations and new arrays of MATLAB, Fortran and Julia.

use super::{Reader, Result};
use crate::notation::output::words;
use crate::notation::token::{Token, closing, position, split, text};
use crate::notation::tree::unexpected;
use crate::syntax::Type;

impl Reader {
    /// `function [b, s] = f(a, n)`, `subroutine f(a, n)`.
    pub(super) fn head(&mut self, word: &Token, rest: &[Token]) -> Result<()> {
        let (results, rest) = match position(rest, &["="]) {
            Some(at) => (&rest[..at], &rest[at + 1..]),
            None => (&rest[..0], rest),
        };
        self.results = results.iter().filter(|it| it.is_name()).cloned().collect();
        let [name, behind @ ..] = rest else {
            return Err(unexpected(word, "the name of a function behind it"));
        };
        self.out.hints.name = Some(name.clone());
        if let Some(open) = behind.first()
            && open.is("(")
            && let Some(close) = closing(behind, 0)
        {
            let parts = split(&behind[1..close], &[",", ";"]);
            self.arguments = parts.into_iter().filter_map(|it| it.first().cloned()).collect();
            if let [word, open, result, ..] = &behind[close + 1..]
                && word.is_word("result")
                && open.is("(")
            {
                self.results = vec![result.clone()];
            }
            // A function of Fortran gives back its own name.
            if word.is_word("function") && self.is_fortran && self.results.is_empty() {
                self.results = vec![name.clone()];
            }
        }
        self.open.push(("function".to_owned(), 0));
        Ok(())
    }

    /// `integer, intent(in) :: n, a(n)`, `real a(0:n)`.
    pub(super) fn declaration(&mut self, tokens: &[Token]) -> Result<()> {
        let word = tokens[0].text.to_ascii_lowercase();
        let element = match word.as_str() {
            "integer" => Some(Type::I64),
            "logical" => Some(Type::Bool),
            "double" => Some(Type::F64),
            "real" => Some(Type::F32),
            _ => None,
        };
        let at = tokens.iter().position(|it| it.is("::"));
        let (attributes, names) = match at {
            Some(at) => (&tokens[1..at], &tokens[at + 1..]),
            None => {
                let skip = 1 + usize::from(tokens.get(1).is_some_and(|it| it.is_word("precision")));
                (&tokens[1..1], &tokens[skip..])
            }
        };
        let is_double =
            attributes.iter().any(|it| it.is("8") || it.text.contains("64") || it.is("dp"));
        let element =
            if is_double && element == Some(Type::F32) { Some(Type::F64) } else { element };
        if attributes.iter().any(|it| it.is_word("parameter")) {
            for part in split(names, &[","]) {
                self.simple(part)?;
            }
            return Ok(());
        }
        let dimension = attributes.iter().position(|it| it.is_word("dimension"));
        let shape =
            dimension.and_then(|at| Some(&attributes[at + 2..closing(attributes, at + 1)?]));
        for part in split(names, &[","]) {
            let [name, rest @ ..] = part else { continue };
            let own = rest.first().is_some_and(|it| it.is("("));
            let shape = if own { closing(rest, 0).map(|close| &rest[1..close]) } else { shape };
            let is_real = matches!(element, Some(Type::F32 | Type::F64));
            if is_real {
                self.known.reals.insert(name.text.clone());
            }
            if element == Some(Type::Bool) {
                self.known.bools.insert(name.text.clone());
            }
            let Some(shape) = shape else {
                self.scalar(&tokens[0], attributes, name);
                let variable = Token::variable(name).text;
                match element.filter(|it| it.is_float()) {
                    Some(real) if self.arguments.iter().any(|it| it.text == name.text) => {
                        self.out.hints.reals.push((variable, real));
                    }
                    Some(_) => {}
                    None => drop(self.out.hints.integers.insert(variable)),
                }
                continue;
            };
            self.known.arrays.insert(name.text.clone());
            let mut extents = vec![];
            for part in split(shape, &[","]) {
                extents.push(self.range(part, name)?);
            }
            let is_argument = self.arguments.iter().any(|it| it.text == name.text);
            let hint = self.out.hints.array(&Token::variable(name));
            (hint.extents, hint.element) = (extents, element);
            hint.is_new = !is_argument && !self.arguments.is_empty();
        }
        Ok(())
    }

    /// `n`, `0:n`, `:`.
    fn range(&mut self, part: &[Token], place: &Token) -> Result<Option<String>> {
        let sides = split(part, &[":"]);
        if sides.iter().any(|it| it.is_empty()) || part.iter().any(|it| it.is("*")) {
            return Ok(None);
        }
        let mut written = vec![];
        for side in sides {
            let value = self.value(side, place)?;
            written.push(text(&value));
        }
        let first = if written.len() == 1 { "1".to_owned() } else { written[0].clone() };
        Ok(Some(format!("{first} .. {}", written[written.len() - 1])))
    }

    /// `zeros(n, m)`, `similar(A)`: an array, and what it holds.
    pub(super) fn made(&mut self, name: &Token, sign: &Token, value: &[Token]) -> Result<bool> {
        let [word, open, inside @ .., close] = value else { return Ok(false) };
        // Julia's `fill(x, n)`.
        let (given, inside) = match position(inside, &[","]) {
            Some(at) if word.is("fill") => (&inside[..at], &inside[at + 1..]),
            _ => (&[][..], inside),
        };
        let given = if given.is_empty() { String::new() } else { text(&self.value(given, sign)?) };
        let (fill, is_bool) = match word.text.as_str() {
            "fill" => (given.as_str(), given == "true" || given == "false"),
            "false" | "true" => (word.text.as_str(), true),
            "zeros" => ("0", false),
            "ones" => ("1", false),
            "eye" => ("if {row} = {column} then 1 else 0", false),
            "falses" => ("false", true),
            "trues" => ("true", true),
            "similar" => ("", false),
            _ => return Ok(false),
        };
        if !open.is("(") || !close.is(")") || closing(value, 1) != Some(value.len() - 1) {
            return Ok(false);
        }
        self.known.arrays.insert(name.text.clone());
        let mut parts: Vec<&[Token]> = split(inside, &[","]);
        let is_integer =
            parts.first().is_some_and(|it| it.first().is_some_and(|it| it.text.starts_with("Int")));
        if parts.len() > 1
            && parts[0].first().is_some_and(|it| {
                it.text.starts_with(char::is_uppercase)
                    && it.text.contains(|it: char| it.is_lowercase())
            })
        {
            parts.remove(0);
        }
        let is_julia = is_integer
            || parts.len() == 1 && self.lines.iter().all(|it| !it.iter().any(|it| it.is("%")));
        // One of the two is 1: a vector. MATLAB's zeros(n) is a matrix.
        let is_matlab_square = parts.len() == 1 && !is_julia;
        let one = |it: &&[Token]| matches!(it, [one] if one.is("1"));
        let is_vector = parts.len() == 2 && parts.iter().any(one);
        if is_vector {
            parts.retain(|it| !one(it));
        }
        if parts.is_empty() {
            return Ok(false);
        }
        if parts.len() == 1 && word.is("eye") {
            parts = vec![parts[0], parts[0]];
        }
        if is_matlab_square && self.rank_of(name) == 2
            || parts.len() == 1 && self.rank_of(name) == 2 && !fill.is_empty()
        {
            parts = vec![parts[0], parts[0]];
        }
        let (mut extents, mut lasts) = (vec![], vec![]);
        for part in parts {
            if fill.is_empty() {
                break;
            }
            let value = self.value(part, sign)?;
            extents.push(Some(format!("1 .. {}", text(&value))));
            lasts.push(value);
        }
        let variable = Token::variable(name);
        let hint = self.out.hints.array(&variable);
        (hint.extents, hint.is_new) = (extents, true);
        if is_bool {
            hint.element = Some(Type::Bool);
            self.known.bools.insert(name.text.clone());
        }
        if lasts.is_empty() {
            return Ok(true);
        }
        let depth = self.out.depth;
        let mut indices = vec![];
        for last in &lasts {
            let index = self.out.fresh("z");
            self.out.line(words(sign, &format!("for {index} ← 1 to {{}} do"), &[last]));
            self.out.depth += 1;
            indices.push(index);
        }
        let fill = match &indices[..] {
            [row, column] => fill.replace("{row}", row).replace("{column}", column),
            _ => fill.to_owned(),
        };
        let line = format!("{}[{}] ← {fill}", variable.text, indices.join(","));
        self.out.line(words(&variable, &line, &[]));
        self.out.depth = depth;
        Ok(true)
    }

    /// How many indices an array is used with.
    pub(super) fn rank_of(&self, name: &Token) -> usize {
        let of_line = |line: &Vec<Token>| {
            line.windows(2)
                .enumerate()
                .filter(|(_, it)| it[0].is(&name.text) && it[1].is_any(&["(", "["]))
                .filter_map(|(at, _)| {
                    let close = closing(line, at + 1)?;
                    Some(split(&line[at + 2..close], &[","]).len())
                })
                .max()
        };
        self.all.iter().filter_map(of_line).max().unwrap_or(1)
    }
}
