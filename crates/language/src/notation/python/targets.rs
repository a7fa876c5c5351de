//! Targets of Python's assignments, and the types of the arrays that NumPy makes.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::array_assignment::reading_indices;
use crate::notation::output::spaced;
use crate::notation::token::{Token, position, split};
use crate::notation::tree::{Tree, first};
use crate::syntax::Type;

/// Types of elements by the words that NumPy has for them, longer ones first.
const ELEMENTS: [(&str, Type); 16] = [
    ("float32", Type::F32),
    ("single", Type::F32),
    ("float64", Type::F64),
    ("double", Type::F64),
    ("uint8", Type::U8),
    ("uint16", Type::U16),
    ("uint32", Type::U32),
    ("uint64", Type::U64),
    ("int8", Type::I8),
    ("int16", Type::I16),
    ("int32", Type::I32),
    ("int64", Type::I64),
    ("int", Type::I64),
    ("bool", Type::Bool),
    ("bool_", Type::Bool),
    ("float", Type::F64),
];

impl Reader {
    /// `a[0] = b[0] = e`: the value is made once, then the targets get it from the left.
    pub(super) fn chain(
        &mut self,
        target: &[Token],
        sign: &Token,
        rest: &[Token],
        at: usize,
    ) -> Result<()> {
        let equal = std::slice::from_ref(sign);
        let (inner, value) = (&rest[..at], &rest[at + 1..]);
        if let Some(list) = value.first().filter(|it| it.is("[")) {
            return Err(Diagnostic::new(list.span, "two names for one list")
                .help("make a list for each name"));
        }
        let is_plain = matches!(value, [one] if one.is_name() || one.is_number());
        if is_plain {
            self.simple(&[target, equal, value].concat())?;
            return self.simple(&[inner, equal, value].concat());
        }
        if let [_] = inner {
            self.simple(rest)?;
            return self.simple(&[target, equal, inner].concat());
        }
        let last = position(value, &["="]).map_or(value, |it| &value[it + 1..]);
        let same = sign.with(self.out.fresh("same"));
        let targets = rest[..rest.len() - last.len() - 1].to_vec();
        self.simple(&[std::slice::from_ref(&same), equal, last].concat())?;
        for target in [&[target], &split(&targets, &["="])[..]].concat() {
            self.simple(&[target, equal, std::slice::from_ref(&same)].concat())?;
        }
        Ok(())
    }

    /// A target that is read and written, with its place found before.
    pub(super) fn place_once(&mut self, target: &[Token], sign: &Token) -> Result<Vec<Token>> {
        let mut target = target.to_vec();
        for range in reading_indices(&target).into_iter().rev() {
            let place = Token::glued(self.out.fresh("place"), sign);
            let value = spaced(self.value(&target[range.clone()], sign)?);
            self.out.line([vec![place.clone(), Token::made("←", sign)], value].concat());
            target.splice(range, [place]);
        }
        Ok(target)
    }

    /// What `dtype` says, or the second argument.
    pub(super) fn element_made(&self, word: &Token, inside: &[Token]) -> Result<Option<Type>> {
        let parts = split(inside, &[","]);
        let named = parts.iter().find(|it| it[..].first().is_some_and(|it| it.is("dtype")));
        let place = if word.is("full") { 2 } else { 1 };
        let Some(said) = named.or(parts.get(place)).and_then(|it| it.last()) else {
            let is_like = word.text.ends_with("_like");
            return Ok((!is_like && !word.is("full")).then_some(Type::F64));
        };
        let text = said.text.trim_matches(['"', '\'']);
        match ELEMENTS.iter().find(|it| it.0 == text) {
            Some((_, element)) => Ok(Some(*element)),
            None => Err(Diagnostic::new(said.span, format!("elements of `{text}` are not known"))
                .help("write float32, float64, int32, int64, uint8, bool")),
        }
    }

    /// `x or 7` of numbers: the first, unless it is 0.
    pub(super) fn chosen(&self, tree: Tree) -> Tree {
        match tree {
            Tree::Binary(op @ ("or" | "and"), left, right)
                if !self.known.is_bool(&right) && self.is_number(&right) =>
            {
                let zero = Tree::Atom(first(&left).with("0"));
                let sign = if op == "or" { "≠" } else { "=" };
                let left = self.chosen(*left);
                let condition = Tree::Binary(sign, Box::new(left.clone()), Box::new(zero));
                Tree::Choice(Box::new([condition, left, *right]))
            }
            other => other,
        }
    }

    /// Whether a value is sure to be a number.
    fn is_number(&self, tree: &Tree) -> bool {
        match tree {
            Tree::Atom(it) => it.is_number(),
            Tree::Prefix("-", of, _) => self.is_number(of),
            Tree::Binary("+" | "-" | "×" | "mod", ..) => true,
            _ => false,
        }
    }
}
