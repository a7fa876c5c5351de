//! What a program in MATLAB, Fortran or Julia says of its names: arrays, what scalars hold, and which of the
//! languages it is.

use std::collections::HashSet;

use super::Reader;
use super::words::{FUNCTIONS, is_keyword};
use crate::diagnostic::Diagnostic;
use crate::notation::token::{Token, position};
use crate::notation::tree::{Family, Tree, first};

impl Reader {
    /// Which of the three languages it is, by what only that has.
    pub(super) fn family(&self, text: &str) -> Family {
        let lines = || text.lines().map(str::trim);
        let has = |signs: &[&str]| {
            self.lines.iter().flatten().any(|it| signs.contains(&it.text.as_str()))
        };
        let function = |line: &str| line.starts_with("function ");
        match () {
            () if self.is_fortran => Family::Fortran,
            () if lines().any(|it| {
                it.starts_with('%') || function(it) && it.contains('=') && !it.contains("::")
            }) || has(&["~=", "parfor", "numel"])
                || lines().any(|it| it.ends_with(';') && it.contains('=')) =>
            {
                Family::Matlab
            }
            () if lines().any(|it| it.starts_with('#') || function(it))
                || has(&[
                    "+=",
                    "-=",
                    "*=",
                    "÷",
                    "∈",
                    "⊻",
                    "eachindex",
                    "@inbounds",
                    "@threads",
                    "@simd",
                    "::",
                ])
                || self
                    .lines
                    .iter()
                    .any(|it| it[0].is("for") && it.iter().any(|it| it.is("in"))) =>
            {
                Family::Julia
            }
            () => Family::Open,
        }
    }

    /// Names with brackets behind them that are no functions.
    pub(super) fn find_arrays(&mut self) {
        let mut functions: HashSet<String> = FUNCTIONS.iter().map(|it| (*it).to_owned()).collect();
        for line in &self.lines {
            let head =
                line.iter().position(|it| it.is_word("function") || it.is_word("subroutine"));
            if let Some(at) = head {
                let named = line[at + 1..].windows(2).filter(|it| it[1].is("("));
                let named: Vec<String> = named.map(|it| it[0].text.clone()).collect();
                self.known.defined.extend(named.iter().cloned());
                functions.extend(named);
            }
            if line[0].is_word("call") && line.len() > 1 {
                functions.insert(line[1].text.clone());
            }
        }
        for line in &self.lines {
            if let [name, sign, ..] = &line[..]
                && name.is("pi")
                && sign.is("=")
            {
                self.known.assigned.insert(name.text.clone());
            }
            for (at, pair) in line.windows(2).enumerate() {
                if pair[0].is_name() && pair[1].is("'") {
                    self.known.arrays.insert(pair[0].text.clone());
                }
                let is_call = pair[1].is("(") && !functions.contains(&pair[0].text);
                if let [of, open, array, next, ..] = line.get(at..).unwrap_or_default()
                    && of.is_any(&[
                        "size",
                        "length",
                        "numel",
                        "eachindex",
                        "sum",
                        "any",
                        "all",
                        "argmax",
                        "argmin",
                        "cumsum",
                        "prod",
                        "maxval",
                        "minval",
                        "norm",
                        "mean",
                    ])
                    && open.is("(")
                    && array.is_name()
                    && (next.is_any(&[")", ","])
                        || of.is_any(&["any", "all", "sum"])
                            && next.is_any(&[">", "<", "==", "~=", ">=", "<=", "!="]))
                {
                    self.known.arrays.insert(array.text.clone());
                }
                if pair[0].is_name() && (pair[1].is("[") || is_call) && !is_keyword(&pair[0]) {
                    self.known.arrays.insert(pair[0].text.clone());
                }
            }
            if let [name, sign, value, ..] = &line[..]
                && sign.is("=")
                && value.is_any(&["true", "false", ".true.", ".false.", "True", "False"])
            {
                self.known.bools.insert(name.text.clone());
            }
        }
    }
}

/// What declarations say of scalars.
#[derive(Debug, Default)]
pub(super) struct Scalars {
    integers: Vec<String>,
    /// Those that `intent(out)` or `intent(inout)` gives back, in order.
    pub(super) given_back: Vec<Token>,
    /// Those of them that have no value before.
    made: Vec<String>,
}

impl Reader {
    /// Takes note of a scalar that is declared.
    pub(super) fn scalar(&mut self, word: &Token, attributes: &[Token], name: &Token) {
        if word.is_word("integer") {
            self.scalars.integers.push(name.text.clone());
        }
        let intent = attributes.windows(3).find(|it| it[0].is_word("intent") && it[1].is("("));
        match intent.map(|it| it[2].text.to_ascii_lowercase()).as_deref() {
            Some("out") => {
                self.scalars.given_back.push(name.clone());
                self.scalars.made.push(name.text.clone());
            }
            Some("inout") => self.scalars.given_back.push(name.clone()),
            _ => {}
        }
    }

    /// What Fortran declares itself: names from I to N are integers, others are real.
    pub(super) fn implicit(&mut self) {
        let first = |it: &[Token], words: &[&str]| it[0].is_any(words);
        let rules: Vec<_> = self.lines.iter().filter(|it| first(it, &["implicit"])).collect();
        let says = |word: &str| rules.iter().any(|it| it.iter().any(|it| it.is_word(word)));
        let types = ["integer", "real", "double", "logical"];
        let heads = ["subroutine", "function", "program"];
        let is_head = |it: &Vec<Token>| {
            position(it, &heads).is_some_and(|at| at <= 3)
                && !it[0].text.to_ascii_lowercase().starts_with("end")
        };
        if says("none") || !self.lines.iter().any(|it| first(it, &types)) {
            return;
        }
        let real = if says("8") || says("double") { "double" } else { "real" };
        let mut end = self.lines.len();
        for at in
            (0..self.lines.len()).rev().filter(|&at| is_head(&self.lines[at])).collect::<Vec<_>>()
        {
            let unit = &self.lines[at..end];
            let declared: Vec<&Token> = unit
                .iter()
                .skip(1)
                .filter(|it| first(it, &types) || first(it, &["dimension", "parameter"]))
                .flatten()
                .chain(unit[0].iter().take(position(&unit[0], &["("]).unwrap_or(0)))
                // `real function f(x) result(m)`
                .chain(unit[0].iter().rev().nth(1).filter(|_| {
                    unit[0].iter().take_while(|it| !it.is("(")).any(|it| it.is_any(&types))
                }))
                .collect();
            let indexed = |it: &Token| {
                unit.iter()
                    .skip(1)
                    .any(|line| line.windows(2).any(|of| of[0].is(&it.text) && of[1].is("(")))
            };
            let assigned = unit.iter().filter(|it| it.len() > 2 && it[1].is("=")).map(|it| &it[0]);
            let arguments = unit[0].iter().skip_while(|it| !it.is("("));
            let mut found: [Vec<Token>; 2] = [vec![], vec![]];
            for name in arguments.chain(assigned).filter(|it| it.is_name() && !indexed(it)) {
                let is_integer =
                    name.text.starts_with(|it: char| matches!(it.to_ascii_lowercase(), 'i'..='n'));
                let of = &mut found[usize::from(is_integer)];
                if !declared.iter().any(|it| it.is_word(&name.text))
                    && !of.iter().any(|it| it.is(&name.text))
                {
                    of.push(name.clone());
                }
            }
            let line = |(word, names): (&str, Vec<Token>)| {
                let like = names.first()?.clone();
                let names: Vec<Vec<Token>> = names.iter().map(|it| vec![it.clone()]).collect();
                Some([vec![like.with(word)], names.join(&like.with(","))].concat())
            };
            let made: Vec<_> = [real, "integer"].into_iter().zip(found).filter_map(line).collect();
            self.lines.splice(at + 1..at + 1, made);
            end = at;
        }
    }

    /// Whether an argument has no value before.
    pub(super) fn is_made(&self, name: &Token) -> bool {
        self.scalars.made.contains(&name.text)
    }

    /// What an integer gets is cut off.
    pub(super) fn cut(&self, target: &[Token], value: Tree) -> Tree {
        let is_integer = matches!(target, [name] if self.scalars.integers.contains(&name.text));
        match is_integer && self.known.is_real(&value) {
            true => Tree::Call(first(&value).with("i64"), vec![value]),
            false => value,
        }
    }
}

/// That no name has a type of its own, or that those which are no integers are of binary64.
///
/// # Errors
/// Other rules.
pub(super) fn implicit_rule(tokens: &[Token]) -> Result<(), Diagnostic> {
    let said: String = tokens.iter().skip(1).map(|it| it.text.to_ascii_lowercase()).collect();
    let rules = ["none", "real*8(a-h,o-z)", "doubleprecision(a-h,o-z)", "real(8)(a-h,o-z)"];
    if rules.contains(&said.as_str()) {
        return Ok(());
    }
    let text = "implicit types other than Fortran's own";
    Err(Diagnostic::new(tokens[0].span, text)
        .help("write `implicit none` in its place, and a type for each name"))
}
