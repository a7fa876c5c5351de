//! Integers as C converts them. The plain form computes in the types of its operands and checks what it
//! stores; C first widens `char` and `short` to `int`, joins `int` with `unsigned` to `unsigned`, and cuts
//! off what does not fit an unsigned target.

use super::Reader;
use crate::notation::token::Token;
use crate::notation::tree::{Tree, first, number};
use crate::syntax::Type;

/// What a function of the program takes and returns.
#[derive(Debug, Default, Clone)]
pub(super) struct Signature {
    pub(super) formals: Vec<Option<Type>>,
    pub(super) result: Option<Type>,
}

/// The type in which C computes with a value of a type.
const fn promoted(of: Type) -> Type {
    if of.is_narrow() || matches!(of, Type::Bool) { Type::I32 } else { of }
}

/// The type that two operands get: the usual arithmetic conversions.
pub(super) fn common(left: Type, right: Type) -> Type {
    let (left, right) = (promoted(left), promoted(right));
    match (left.is_float(), right.is_float()) {
        (true, true) if left != right => Type::F64,
        (true, _) => left,
        (false, true) => right,
        (false, false) if left.bits() == right.bits() && left.is_signed() => right,
        (false, false) if left.bits() >= right.bits() => left,
        (false, false) => right,
    }
}

/// The value of a literal, which may have a sign.
pub(super) fn integer(tree: &Tree) -> Option<i64> {
    match tree {
        Tree::Prefix("-", of, _) => integer(of)?.checked_neg(),
        Tree::Atom(it) => match it.text.strip_prefix("0x").or(it.text.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => it.text.parse().ok(),
        },
        _ => None,
    }
}

fn literal_type(token: &Token, value: i64) -> Type {
    match value {
        it if i32::try_from(it).is_ok() => Type::I32,
        it if u32::try_from(it).is_ok() && token.text.starts_with("0x") => Type::U32,
        _ => Type::I64,
    }
}

/// The type that a conversion names.
fn cast_type(name: &Token) -> Option<Type> {
    let mut all = Type::INTEGERS.into_iter().chain([Type::F32, Type::F64]);
    all.find(|it| name.is(it.word()))
}

pub(super) fn cast(to: Type, tree: Tree) -> Tree {
    Tree::Call(first(&tree).with(to.word()), vec![tree])
}

/// The lowest bits of a value.
fn cut(tree: Tree, to: Type) -> Tree {
    let most = Tree::Atom(first(&tree).with(to.limits().end().to_string()));
    Tree::Binary("&", Box::new(tree), Box::new(most))
}

impl Reader {
    /// Takes note of a name's type.
    pub(super) fn declare(&mut self, name: &str, element: Option<Type>) {
        self.wide.remove(name);
        match element {
            Some(element) => {
                if element.is_integer() && !element.is_signed() {
                    self.known.naturals.insert(name.to_owned());
                }
                self.types.insert(name.to_owned(), element);
            }
            None => drop(self.types.remove(name)),
        }
    }

    /// C's type of a value, as far as the text says it.
    pub(super) fn type_of(&self, tree: &Tree) -> Option<Type> {
        let joined = |all: &[Tree]| {
            let mut types = all.iter().map(|it| self.type_of(it));
            let first = types.next()?;
            types.fold(first.map(promoted), |so_far, it| Some(common(so_far?, it?)))
        };
        match tree {
            Tree::Atom(it) if it.is_number() => match integer(tree) {
                Some(value) => Some(literal_type(it, value)),
                None => Some(Type::F64),
            },
            Tree::Atom(it) | Tree::Index(it, _) => self.types.get(&it.text).copied(),
            Tree::Call(name, of) => match name.text.as_str() {
                "quotient" | "remainder" | "min" | "max" | "abs" => joined(of),
                "sqrt" | "exp" | "log" | "log2" | "sin" | "cos" | "tan" | "pow" | "atan2" => {
                    Some(Type::F64)
                }
                "length" | "rows" | "columns" | "popcount" | "clz" => Some(Type::I32),
                _ => match cast_type(name) {
                    Some(to) => Some(to),
                    None => match self.signatures.get(&name.text)?.result? {
                        Type::Bool => Some(Type::Bool),
                        other => Some(promoted(other)),
                    },
                },
            },
            Tree::Prefix("not", ..) => Some(Type::Bool),
            Tree::Prefix(_, of, _) => self.type_of(of).map(promoted),
            Tree::Binary("=" | "≠" | "<" | "≤" | ">" | "≥" | "and" | "or", ..) => {
                Some(Type::Bool)
            }
            Tree::Binary("<<" | ">>", left, _) => self.type_of(left).map(promoted),
            Tree::Binary(_, left, right) => Some(common(self.type_of(left)?, self.type_of(right)?)),
            Tree::Choice(parts) => match (self.type_of(&parts[1])?, self.type_of(&parts[2])?) {
                (then, other) if then == other => Some(then),
                (then, other) => Some(common(then, other)),
            },
            Tree::Round(..) => None,
        }
    }

    /// The same with its operands converted as C does.
    pub(super) fn promoted(&self, tree: Tree) -> Tree {
        let deeper = |it: Box<Tree>| Box::new(self.promoted(*it));
        match tree {
            Tree::Atom(_) => tree,
            Tree::Index(name, of) => {
                Tree::Index(name, of.into_iter().map(|it| self.promoted(it)).collect())
            }
            // Of an array, not of a value.
            Tree::Call(ref name, _) if name.is_any(&["length", "rows", "columns"]) => tree,
            Tree::Call(name, of) => {
                self.promoted_call(name, of.into_iter().map(|it| self.promoted(it)).collect())
            }
            Tree::Prefix("not", of, token) => {
                Tree::Prefix("not", Box::new(self.truth(self.promoted(*of))), token)
            }
            Tree::Prefix(..) if integer(&tree).is_some() => tree,
            Tree::Prefix(op, of, token) => {
                Tree::Prefix(op, Box::new(self.operand(self.promoted(*of), None)), token)
            }
            Tree::Binary(op @ ("and" | "or"), left, right) => {
                let [left, right] = [left, right].map(|it| self.truth(self.promoted(*it)));
                Tree::Binary(op, Box::new(left), Box::new(right))
            }
            Tree::Binary(op @ ("=" | "≠" | "<" | "≤" | ">" | "≥"), left, right) => {
                let (left, right) = (self.promoted(*left), self.promoted(*right));
                let (one, other) = (self.compared(&left, &right), self.compared(&right, &left));
                Tree::Binary(op, Box::new(one.unwrap_or(left)), Box::new(other.unwrap_or(right)))
            }
            Tree::Binary(op @ ("<<" | ">>"), left, right) => {
                let left = self.operand(self.promoted(*left), None);
                Tree::Binary(op, Box::new(left), deeper(right))
            }
            Tree::Binary(op, left, right) => {
                let [left, right] = self.operands(self.promoted(*left), self.promoted(*right));
                Tree::Binary(op, Box::new(left), Box::new(right))
            }
            Tree::Choice(parts) => {
                let [condition, then, other] = *parts;
                let (then, other) = (self.promoted(then), self.promoted(other));
                let [then, other] = match self.type_of(&then) == self.type_of(&other) {
                    true => [then, other],
                    false => self.operands(then, other),
                };
                let condition = self.truth(self.promoted(condition));
                Tree::Choice(Box::new([condition, then, other]))
            }
            Tree::Round(up, of) => Tree::Round(up, deeper(of)),
        }
    }

    fn promoted_call(&self, name: Token, mut of: Vec<Tree>) -> Tree {
        if let (Some(to), [_]) = (cast_type(&name), &of[..]) {
            let value = self.fitted(of.remove(0), to);
            return Tree::Call(name, vec![value]);
        }
        if name.is_any(&["quotient", "remainder"]) && of.len() == 2 {
            let (right, left) = (of.remove(1), of.remove(0));
            let [left, right] = self.operands(left, right);
            let to = self.type_of(&left).zip(self.type_of(&right));
            let is_unsigned = to.is_some_and(|(l, r)| !common(l, r).is_signed());
            return match name.text.as_str() {
                // Of what has no sign, cut off is rounded down.
                "quotient" if is_unsigned => Tree::Binary("/", Box::new(left), Box::new(right)),
                "remainder" if is_unsigned => Tree::Binary("mod", Box::new(left), Box::new(right)),
                _ => Tree::Call(name, vec![left, right]),
            };
        }
        if name.is("popcount") && of.len() == 1 && self.type_of(&of[0]) == Some(Type::I32) {
            // The bits of a negative number are those of an `int`.
            return Tree::Call(name, vec![self.exactly(of.remove(0), Type::U32)]);
        }
        let signature = self.signatures.get(&name.text).cloned();
        let formal = |at: usize| signature.as_ref().and_then(|it| *it.formals.get(at)?);
        let converted = of.into_iter().enumerate().map(|(at, it)| match formal(at) {
            Some(to) if to.is_integer() => self.exactly(it, to),
            _ if name.is("sqrt") => it,
            _ => self.operand(it, None),
        });
        let converted = converted.collect();
        Tree::Call(name, converted)
    }

    /// What a procedure returns is an `int` at least, as its callers compute with it.
    pub(super) fn widened_result(&self, value: Tree) -> Tree {
        match self.results {
            // What is true or false stays so.
            Some(_) if self.returns == Some(Type::Bool) => self.truth(value),
            Some(_) => self.operand(value, self.returns.map(promoted)),
            None => value,
        }
    }

    /// Both operands in the type that C joins them to.
    fn operands(&self, left: Tree, right: Tree) -> [Tree; 2] {
        let types = self.type_of(&left).zip(self.type_of(&right));
        let to = types.map(|(left, right)| common(left, right));
        if self.is_wide(&left) && self.is_wide(&right) {
            return [left, right];
        }
        [self.operand(left, to), self.operand(right, to)]
    }

    /// An operand of arithmetic in the type `to`.
    fn operand(&self, tree: Tree, to: Option<Type>) -> Tree {
        let Some(own) = self.type_of(&tree) else { return tree };
        if own == Type::Bool {
            return number(tree);
        }
        if !own.is_integer() || integer(&tree).is_some_and(|it| it >= 0) {
            return tree;
        }
        match to.unwrap_or(Type::I32) {
            Type::F32 | Type::F64 => tree,
            to @ (Type::U32 | Type::U64) if own != to || self.is_wide(&tree) => {
                self.exactly(tree, to)
            }
            Type::I64 if own != Type::I64 && !self.is_wide(&tree) && integer(&tree).is_none() => {
                cast(Type::I64, tree)
            }
            _ if own.is_narrow() => cast(Type::I32, tree),
            _ => tree,
        }
    }

    /// An operand of a comparison, where that is another value for C: the plain form compares numbers.
    fn compared(&self, tree: &Tree, with: &Tree) -> Option<Tree> {
        let (own, other) = (self.type_of(tree)?, self.type_of(with)?);
        if own == Type::F32 && other == Type::F64 && !is_single(with) {
            return Some(cast(Type::F64, tree.clone()));
        }
        if !own.is_integer() {
            return None;
        }
        match common(own, other) {
            to @ (Type::U32 | Type::U64)
                if (promoted(own).is_signed() || self.is_wide(tree))
                    && !self.known.is_natural(tree) =>
            {
                Some(self.exactly(tree.clone(), to))
            }
            _ if own.is_narrow() => {
                let value = integer(with)?;
                (!own.limits().contains(&value)).then(|| cast(Type::I32, tree.clone()))
            }
            _ => None,
        }
    }

    /// Converted to an integer type, whatever the plain form takes it for.
    pub(super) fn exactly(&self, tree: Tree, to: Type) -> Tree {
        let is_same = self.type_of(&tree) == Some(to) && !self.is_wide(&tree);
        if is_same { tree } else { cast(to, self.fitted(tree, to)) }
    }

    /// What is stored in a place of type `to`, which checks that it fits.
    pub(super) fn stored(&self, tree: Tree, to: Option<Type>, is_typed: bool) -> Tree {
        let Some(to) = to.filter(|it| it.is_integer()) else { return tree };
        let Some(from) = self.type_of(&tree) else { return tree };
        if from == Type::Bool {
            return number(tree);
        }
        if from.is_float() {
            return cast(to, tree);
        }
        if is_typed || !to.is_signed() {
            return self.fitted(tree, to);
        }
        // The plain form gives such a scalar the type of its values.
        let fits = |it: i64| to.limits().contains(&it);
        match integer(&tree).map_or(from == to || self.is_wide(&tree), fits) {
            true => tree,
            false => cast(to, tree),
        }
    }

    /// Cut off to the bits of an unsigned type, where it may need more.
    fn fitted(&self, tree: Tree, to: Type) -> Tree {
        if !to.is_integer() {
            return tree;
        }
        let Some(from) = self.type_of(&tree).filter(|it| it.is_integer()) else { return tree };
        let is_held = self.bounds(&tree).is_some_and(|(least, most)| {
            let limits = to.limits();
            least >= i128::from(*limits.start()) && most <= i128::from(*limits.end())
        });
        let is_same = from == to && !self.is_wide(&tree);
        let is_natural = to == Type::U32 && from.bits() <= 32 && self.is_natural(&tree);
        if to.is_signed() || is_same || is_held || is_natural && !has_sum(&tree) {
            return tree;
        }
        match (to, from) {
            // All bits of a negative number, in the plain form's own way: two halves.
            (Type::U64, _) => tree,
            (Type::U32, it) if it.bits() <= 32 && !self.is_wide(&tree) => {
                cut(cast(Type::I64, tree), to)
            }
            _ if from.is_narrow() => cut(cast(Type::I32, tree), to),
            _ => cut(tree, to),
        }
    }

    fn is_natural(&self, tree: &Tree) -> bool {
        let unsigned = self.type_of(tree).is_some_and(|it| it.is_integer() && !it.is_signed());
        unsigned || self.known.is_natural(tree)
    }

    /// Whether the plain form holds it in 64 bits, whatever its type here: parameters, variables of loops.
    pub(super) fn is_wide(&self, tree: &Tree) -> bool {
        match tree {
            Tree::Atom(it) => it.is_number() || self.wide.contains(&it.text),
            Tree::Prefix("-", of, _) => self.is_wide(of),
            Tree::Binary(_, left, right) => self.is_wide(left) && self.is_wide(right),
            Tree::Call(name, of) => {
                name.is_any(&["length", "rows", "columns"])
                    || name.is_any(&["quotient", "remainder", "min", "max", "abs"])
                        && of.iter().all(|it| self.is_wide(it))
            }
            _ => false,
        }
    }
}

/// Whether a number is the same with the few digits of a `float`.
fn is_single(tree: &Tree) -> bool {
    let value = match tree {
        Tree::Atom(it) => it.text.parse::<f64>().ok(),
        _ => None,
    };
    value.is_some_and(|it| f64::from(it as f32) == it)
}

/// Whether it may be more than its operands are.
fn has_sum(tree: &Tree) -> bool {
    matches!(tree, Tree::Binary("+" | "×" | "<<" | "-", ..))
}
