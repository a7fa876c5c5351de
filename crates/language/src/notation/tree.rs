//! Expressions of C, Python, MATLAB, Fortran and Julia: read by their own precedences, written by those of
//! the plain form.

mod function;
mod library;
mod operator;
mod value;

use std::collections::{BTreeSet, HashSet};

pub(super) use self::library::HELPERS;
pub(super) use self::operator::{Family, written};
use self::operator::{is_comparison, operator};
use self::value::constant;
pub(super) use self::value::number;
use super::scan::{Dialect, plain_number};
use super::token::Token;
use crate::diagnostic::{Diagnostic, Span};

type Result<T> = std::result::Result<T, Diagnostic>;

/// An expression in the plain form's operators.
#[derive(Debug, Clone)]
pub(super) enum Tree {
    Atom(Token),
    Index(Token, Vec<Tree>),
    Call(Token, Vec<Tree>),
    Prefix(&'static str, Box<Tree>, Token),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Choice(Box<[Tree; 3]>),
    /// `⌊x⌋`, or `⌈x⌉`.
    Round(bool, Box<Tree>),
}

/// What the text around says of its names.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Of real numbers.
    pub(super) reals: HashSet<String>,
    /// Of integers that are never negative.
    pub(super) naturals: HashSet<String>,
    /// Of MATLAB and Fortran, what brackets make an element of.
    pub(super) arrays: HashSet<String>,
    /// Which of the languages of its dialect it is.
    pub(super) family: Family,
    /// Names that are assigned, as far as that makes a difference.
    pub(super) assigned: HashSet<String>,
    /// JavaScript: whose numbers are all of one kind.
    pub(super) is_script: bool,
    /// `/` of integers gives their quotient, cut off; else a real number.
    pub(super) cuts: bool,
    /// Of Python, `//` and `%` round down; of the others they cut off.
    pub(super) floors: bool,
    /// Which of [`HELPERS`] are called.
    pub(super) uses: BTreeSet<&'static str>,
    /// Functions of the program itself, which go before those of a library.
    pub(super) defined: HashSet<String>,
    /// What is true or false.
    pub(super) bools: HashSet<String>,
}

/// More brackets inside each other than any listing is read with.
const DEEPEST: usize = 150;

pub(super) struct Expressions<'a> {
    pub(super) dialect: Dialect,
    pub(super) known: &'a mut Known,
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

/// An expression, which all of `tokens` are.
pub(super) fn expression(
    tokens: &[Token],
    dialect: Dialect,
    known: &mut Known,
    place: Span,
) -> Result<Tree> {
    let mut reader = Expressions { dialect, known, tokens, at: 0, depth: 0 };
    if tokens.is_empty() {
        return Err(Diagnostic::new(place, "an expression is missing").help("write what is meant"));
    }
    let tree = reader.choice()?;
    match reader.peek() {
        None => Ok(tree),
        Some(token) => Err(unexpected(token, "an operator")),
    }
}

pub(super) fn unexpected(token: &Token, expected: &str) -> Diagnostic {
    Diagnostic::new(token.span, format!("expected {expected}, found `{}`", token.text))
        .label(format!("expected {expected}"))
}

impl Expressions<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, text: &str) -> bool {
        self.peek().is_some_and(|it| it.is(text))
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    fn last(&self) -> Token {
        self.tokens[self.at.clamp(1, self.tokens.len()) - 1].clone()
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.accept(text) {
            return Ok(());
        }
        let token = self.peek().cloned().unwrap_or_else(|| self.last());
        Err(unexpected(&token, &format!("`{text}`")))
    }

    /// `c ? x : y` of C, `x if c else y` of Python.
    fn choice(&mut self) -> Result<Tree> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let place = self.last().span;
            return Err(Diagnostic::new(place, format!("nested more than {DEEPEST} deep"))
                .help("split the expression"));
        }
        let first = self.binary(0)?;
        let tree = if self.dialect != Dialect::Python && self.accept("?") {
            let then = self.choice()?;
            self.expect(":")?;
            Tree::Choice(Box::new([first, then, self.choice()?]))
        } else if self.dialect == Dialect::Python && self.accept("if") {
            let condition = self.binary(0)?;
            self.expect("else")?;
            Tree::Choice(Box::new([condition, first, self.choice()?]))
        } else {
            first
        };
        self.depth -= 1;
        Ok(tree)
    }

    fn binary(&mut self, least: u8) -> Result<Tree> {
        let mut left = self.prefix()?;
        let mut chained: Option<Tree> = None;
        while let Some(token) = self.peek()
            && let Some((plain, binds, to_right)) = operator(self.dialect, self.known.family, token)
        {
            if binds < least {
                break;
            }
            let (span, text) = (token.span, token.text.clone());
            self.at += 1;
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(Diagnostic::new(span, format!("nested more than {DEEPEST} deep"))
                    .help("split the expression"));
            }
            let right = self.binary(if to_right { binds } else { binds + 1 })?;
            self.depth -= 1;
            self.is_open(&text, span)?;
            if is_comparison(plain) && self.chains() {
                // `0 <= i < n` of Python.
                let next = Tree::Binary(plain, Box::new(left.clone()), Box::new(right.clone()));
                let both = match chained.take() {
                    Some(before) => Tree::Binary("and", Box::new(before), Box::new(next)),
                    None => next,
                };
                let goes_on =
                    self.peek().and_then(|it| operator(self.dialect, self.known.family, it));
                if goes_on.is_some_and(|(plain, ..)| is_comparison(plain)) {
                    (chained, left) = (Some(both), right);
                } else {
                    left = both;
                }
                continue;
            }
            left = self.operation(plain, &text, left, right, span);
        }
        Ok(left)
    }

    /// Whether `a < b < c` compares b twice.
    fn chains(&self) -> bool {
        self.dialect == Dialect::Python
            || self.dialect == Dialect::Matrix && self.known.family == Family::Julia
    }

    /// Signs that MATLAB and Julia read differently, where it is open which of the two this is.
    fn is_open(&self, sign: &str, span: Span) -> Result<()> {
        let next = self.peek().map_or("", |it| it.text.as_str());
        let is_power = sign == "^" && next == "^";
        if self.dialect != Dialect::Matrix || self.known.family != Family::Open {
            return Ok(());
        }
        if is_power || ["&", "|"].contains(&sign) {
            return Err(Diagnostic::new(span, format!("`{sign}` is read otherwise by MATLAB than by Julia"))
                .help("MATLAB: `&` and `|` are logical, powers group from the left; write brackets, `&&` or `||`, or a function around the statements that shows the language"));
        }
        Ok(())
    }

    fn prefix(&mut self) -> Result<Tree> {
        self.depth += 1;
        let Some(token) = self.peek().cloned() else {
            return Err(unexpected(&self.last(), "an expression behind it"));
        };
        if self.depth > DEEPEST {
            return Err(Diagnostic::new(token.span, format!("nested more than {DEEPEST} deep"))
                .help("split the expression"));
        }
        let word = token.text.to_ascii_lowercase();
        let is_c = self.dialect == Dialect::C;
        let tree = match word.as_str() {
            "-" | "−" | "+" => {
                self.at += 1;
                // A power binds more tightly than the sign before it.
                let operand = self.binary(12)?;
                if word == "+" { operand } else { Tree::Prefix("-", Box::new(operand), token) }
            }
            "!" | "~" | "not" if self.negates(&word) => {
                self.at += 1;
                Tree::Prefix("not", Box::new(self.binary(12)?), token)
            }
            "not" | ".not." => {
                self.at += 1;
                Tree::Prefix("not", Box::new(self.binary(3)?), token)
            }
            "~" => {
                self.at += 1;
                Tree::Prefix("~", Box::new(self.binary(12)?), token)
            }
            "√" => {
                self.at += 1;
                Tree::Call(token.with("sqrt"), vec![self.prefix()?])
            }
            "(" if is_c && self.cast().is_some() => {
                let element = self.cast().unwrap_or_default();
                while !self.accept(")") {
                    self.at += 1;
                }
                Tree::Call(token.with(element), vec![self.prefix()?])
            }
            "*" | "&" if is_c => {
                return Err(Diagnostic::new(token.span, format!("`{word}` of a pointer"))
                    .help("an element is written with its index, as in `a[i]`"));
            }
            _ => self.postfix()?,
        };
        self.depth -= 1;
        Ok(tree)
    }

    /// The type in brackets that stands here.
    fn cast(&self) -> Option<&'static str> {
        let rest = &self.tokens[self.at + 1..];
        let close = rest.iter().position(|it| it.is(")"))?;
        (close > 0).then(|| super::element::element(&rest[..close])).flatten()
    }

    fn arguments(&mut self, close: &str) -> Result<Vec<Tree>> {
        let mut found = vec![];
        if self.accept(close) {
            return Ok(found);
        }
        loop {
            if self.is(":") || self.is("..") {
                return Err(slice(&self.last()));
            }
            found.push(self.choice()?);
            if self.is(":") || self.is("..") {
                return Err(slice(&self.last()));
            }
            if self.accept(close) {
                return Ok(found);
            }
            self.expect(",")?;
        }
    }

    fn postfix(&mut self) -> Result<Tree> {
        let Some(token) = self.peek().cloned() else {
            return Err(unexpected(&self.last(), "an expression behind it"));
        };
        self.at += 1;
        if token.is("(") {
            let inner = self.choice()?;
            if self.is(",") {
                return Err(Diagnostic::new(token.span, "a tuple is no number")
                    .help("assign each of its parts"));
            }
            self.expect(")")?;
            return self.methods(inner);
        }
        let is_octal = self.dialect == Dialect::C
            && token.text.len() > 1
            && token.text.starts_with('0')
            && token.text.bytes().all(|it| it.is_ascii_digit());
        if is_octal {
            return Ok(Tree::Atom(token.with(format!("0o{}", &token.text[1..]))));
        }
        if token.is_number() {
            let number = Tree::Atom(token.with(plain_number(&token.text)));
            // `2x` of Julia.
            let next = self.peek().filter(|it| it.blank.is_empty() && it.is_name());
            if next.is_some()
                && self.dialect == Dialect::Matrix
                && self.known.family == Family::Julia
            {
                let factor = self.binary(12)?;
                return Ok(Tree::Binary("×", Box::new(number), Box::new(factor)));
            }
            return Ok(match self.suffix(&token) {
                Some(word) => Tree::Call(token.with(word), vec![number]),
                None => number,
            });
        }
        if token.is_any(&["∞", "π"]) {
            return Ok(Tree::Atom(token));
        }
        if let Some(plain) = constant(&token.text).filter(|_| token.text.starts_with('.')) {
            return Ok(Tree::Atom(token.with(plain)));
        }
        if !token.text.starts_with(|it: char| it.is_alphabetic() || it == '_') {
            return Err(unexpected(&token, "an expression"));
        }
        let token = self.qualified(token)?;
        if let Some(plain) = constant(&token.text)
            && !(token.is("pi")
                && (self.dialect == Dialect::C || self.known.assigned.contains("pi")))
        {
            return Ok(Tree::Atom(token.with(plain)));
        }
        if self.is("(")
            && !(self.dialect == Dialect::Matrix && self.known.arrays.contains(&token.text))
        {
            self.at += 1;
            if token.is("float")
                && self.tokens.get(self.at).is_some_and(|it| it.text.contains("inf"))
            {
                let is_negative = self.tokens[self.at].text.contains('-');
                self.at += 1;
                self.expect(")")?;
                let infinity = Tree::Atom(token.with("∞"));
                return Ok(match is_negative {
                    true => Tree::Prefix("-", Box::new(infinity), token),
                    false => infinity,
                });
            }
            let arguments = self.arguments(")")?;
            return self.call(token, arguments);
        }
        let mut indices = vec![];
        loop {
            if self.accept("[") {
                indices.extend(self.arguments("]")?);
            } else if self.dialect == Dialect::Matrix && indices.is_empty() && self.accept("(") {
                indices.extend(self.arguments(")")?);
            } else {
                break;
            }
        }
        if self.is(".") {
            let tree = self.attribute(token, indices)?;
            return self.methods(tree);
        }
        if indices.is_empty() {
            return Ok(Tree::Atom(Token::variable(&token)));
        }
        if self.dialect == Dialect::Python {
            value::from_end(&token, &mut indices);
        }
        Ok(Tree::Index(Token::variable(&token), indices))
    }
}

fn slice(token: &Token) -> Diagnostic {
    Diagnostic::new(token.span, "a part of an array is no number")
        .help("write the loop over its elements, which the models count")
}

/// A place in the text for what is made.
pub(super) fn first(tree: &Tree) -> Token {
    match tree {
        Tree::Atom(token)
        | Tree::Index(token, _)
        | Tree::Call(token, _)
        | Tree::Prefix(_, _, token) => token.clone(),
        Tree::Binary(_, of, _) | Tree::Round(_, of) => first(of),
        Tree::Choice(parts) => first(&parts[0]),
    }
}
