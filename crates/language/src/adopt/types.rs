//! What arrays and scalars hold: integers unless something says otherwise.

use std::collections::{HashMap, HashSet};

use super::Said;
use super::uses::Uses;
use crate::diagnostic::Span;
use crate::syntax::{BinaryOp, ExprNode, ExprNodeKind, Type, UnaryOp};

/// Why an array has the type that it has.
pub(super) struct Types<'a> {
    uses: &'a Uses,
    /// Real names, and why.
    reals: HashMap<String, &'static str>,
    bools: HashSet<String>,
    /// `/` of elements is that of real numbers.
    divides: bool,
    /// Names of which remainders or bits are taken, or that are indices.
    whole: HashSet<String>,
    /// Scalars that elements are summed up in, or the like.
    data: HashSet<String>,
    /// Scalars that are given and count nothing: real if they meet what is.
    scalars: HashSet<String>,
}

/// Why what is divided is real.
const QUOTIENT: &str = "a quotient of elements makes it";
const ROOT: &str = "a root makes it";
const FUNCTION: &str = "a function of real numbers makes it";
/// Why a scalar, and what it meets, is real.
const SAID: &str = "it is said to be real";
const MET: &str = "real numbers are computed with it";

impl<'a> Types<'a> {
    /// With the arrays whose types are said.
    pub(super) fn new(
        uses: &'a Uses,
        said: &HashMap<String, Type>,
        of_text: &Said,
        scalars: HashSet<String>,
    ) -> Self {
        let of = |wanted: fn(&Type) -> bool| {
            said.iter().filter(move |it| wanted(it.1)).map(|it| it.0.clone())
        };
        let mut types = Self {
            uses,
            reals: of(|it| it.is_float()).map(|it| (it, "its values are real")).collect(),
            bools: of(|it| *it == Type::Bool).collect(),
            divides: of_text.divides,
            whole: whole(uses),
            data: HashSet::new(),
            scalars,
        };
        types.reals.extend(of_text.reals.iter().map(|it| (it.0.clone(), SAID)));
        let is_said = |name: &str| said.contains_key(name);
        for name in uses.declared.keys() {
            types.reals.insert(name.clone(), "a scalar that is declared so is among its values");
        }
        loop {
            let before = (types.reals.len(), types.bools.len(), types.data.len());
            for it in &uses.assignments {
                let Some(value) = &it.value else { continue };
                if is_said(&it.target) {
                    continue;
                }
                if !it.is_element && types.has_element(value) && !types.whole.contains(&it.target) {
                    types.data.insert(it.target.clone());
                }
                types.meet(value);
                if types.reals.contains_key(&it.target) {
                    types.scalars_of(value);
                }
                if types.has_said(value) {
                    types.elements(value, said);
                }
                if let Some(why) = types.real(value) {
                    types.reals.entry(it.target.clone()).or_insert(why);
                    let why = types.reals.get(&it.target).copied().unwrap_or_default();
                    if [QUOTIENT, ROOT, FUNCTION].contains(&why) {
                        types.divided(value, said);
                    }
                } else if types.is_bool(value) {
                    types.bools.insert(it.target.clone());
                }
            }
            for it in uses.assignments.iter().filter(|it| uses.declared.contains_key(&it.target)) {
                it.value.iter().for_each(|it| types.elements(it, said));
            }
            for (target, source) in &of_text.copies {
                if types.is_real(target) && !is_said(source) {
                    types.reals.entry(source.clone()).or_insert("its copy holds real numbers");
                }
            }
            for condition in &uses.conditions {
                types.meet(condition);
                types.alone(condition, said);
            }
            if before == (types.reals.len(), types.bools.len(), types.data.len()) {
                return types;
            }
        }
    }

    pub(super) fn is_real(&self, name: &str) -> bool {
        self.reals.contains_key(name)
    }

    /// Scalars that meet real numbers in an expression.
    fn meet(&mut self, value: &ExprNode) {
        if let ExprNodeKind::Binary(op, left, right) = &value.kind
            && *op != BinaryOp::Power
        {
            if self.real(left).is_some() {
                self.scalars_of(right);
            }
            if self.real(right).is_some() {
                self.scalars_of(left);
            }
        }
        value.operands().into_iter().for_each(|it| self.meet(it));
    }

    /// The scalars of sums and products that are real.
    fn scalars_of(&mut self, value: &ExprNode) {
        match &value.kind {
            ExprNodeKind::Name(name)
                if self.scalars.contains(name) && !self.whole.contains(name) =>
            {
                self.reals.entry(name.clone()).or_insert(MET);
            }
            ExprNodeKind::Binary(BinaryOp::Power, of, _) => self.scalars_of(of),
            ExprNodeKind::Binary(op, left, right) if !op.is_comparison() => {
                self.scalars_of(left);
                self.scalars_of(right);
            }
            ExprNodeKind::Unary(_, of) => self.scalars_of(of),
            _ => {}
        }
    }

    /// Whether a scalar that is said to be real is in a sum or a product.
    fn has_said(&self, value: &ExprNode) -> bool {
        match &value.kind {
            ExprNodeKind::Name(name) => self.reals.get(name).is_some_and(|it| *it == SAID),
            ExprNodeKind::Binary(op, left, right) if !op.is_comparison() => {
                self.has_said(left) || self.has_said(right)
            }
            ExprNodeKind::Unary(_, of) => self.has_said(of),
            _ => false,
        }
    }

    pub(super) fn of(&self, name: &str) -> (Type, &'static str) {
        match self.reals.get(name) {
            Some(why) => (self.real_type(), why),
            None if self.bools.contains(name) => (Type::Bool, "it is true or false"),
            None => (Type::I64, "nothing in it is real"),
        }
    }

    /// Real numbers are of the type that scalars are declared with, where that is one.
    fn real_type(&self) -> Type {
        let mut declared = self.uses.declared.values();
        match declared.next() {
            Some(Type::F32) if declared.all(|it| *it == Type::F32) => Type::F32,
            _ => Type::F64,
        }
    }

    /// What is divided holds numbers as what comes out, but for what counts.
    fn divided(&mut self, value: &ExprNode, said: &HashMap<String, Type>) {
        match &value.kind {
            ExprNodeKind::Element { array, .. }
                if !said.contains_key(array) && !self.whole.contains(array) =>
            {
                self.reals.entry(array.clone()).or_insert(QUOTIENT);
            }
            ExprNodeKind::Name(name) if self.data.contains(name) => {
                self.reals.entry(name.clone()).or_insert(QUOTIENT);
            }
            ExprNodeKind::Binary(op, left, right) if !op.is_comparison() => {
                self.divided(left, said);
                self.divided(right, said);
            }
            ExprNodeKind::Unary(_, of) => self.divided(of, said),
            ExprNodeKind::Call { arguments, .. } => {
                arguments.iter().for_each(|it| self.divided(it, said));
            }
            _ => {}
        }
    }

    /// Elements that a real scalar is made of are real, but for their indices.
    fn elements(&mut self, value: &ExprNode, said: &HashMap<String, Type>) {
        match &value.kind {
            ExprNodeKind::Element { array, .. } if !said.contains_key(array) => {
                let why = "a real scalar is made of it";
                self.reals.entry(array.clone()).or_insert(why);
            }
            ExprNodeKind::Binary(op, left, right) if !op.is_comparison() => {
                self.elements(left, said);
                self.elements(right, said);
            }
            ExprNodeKind::Unary(_, of) => self.elements(of, said),
            _ => {}
        }
    }

    /// Whether something says that a value is real, and what.
    pub(super) fn real(&self, value: &ExprNode) -> Option<&'static str> {
        match &value.kind {
            ExprNodeKind::Float(_) => Some("a real number is among its values"),
            ExprNodeKind::Infinity => Some("∞ is among its values"),
            ExprNodeKind::Name(name) | ExprNodeKind::Element { array: name, .. } => {
                self.reals.get(name).copied()
            }
            ExprNodeKind::Call { function, arguments } => match function.as_str() {
                "sqrt" | "exp" | "log" | "log2" | "sin" | "cos" | "tan" | "atan2" | "f64"
                | "f32" | "hypotenuse" | "arc_sine" => Some(FUNCTION),
                "half_up" | "nearest" | "nearest_even" | "is_nan" => None,
                "i64" | "i32" | "u32" | "popcount" | "length" | "rows" | "columns" => None,
                _ => arguments.iter().find_map(|it| self.real(it)),
            },
            ExprNodeKind::Unary(UnaryOp::Sqrt, _) => Some(ROOT),
            ExprNodeKind::Unary(UnaryOp::Not, _)
            | ExprNodeKind::Floor(_)
            | ExprNodeKind::Ceiling(_) => None,
            ExprNodeKind::Unary(_, of) => self.real(of),
            ExprNodeKind::Binary(op, ..) if op.is_comparison() => None,
            ExprNodeKind::Binary(BinaryOp::Divide, left, right) => {
                let of_elements =
                    || self.divides && (self.has_element(left) || self.has_element(right));
                (self.real(left).or_else(|| self.real(right)))
                    .or_else(|| of_elements().then_some(QUOTIENT))
            }
            ExprNodeKind::Binary(BinaryOp::Modulo, left, right) => {
                let of = self.real(left).or_else(|| self.real(right));
                of.filter(|it| *it != QUOTIENT)
            }
            ExprNodeKind::Binary(_, left, right) => self.real(left).or_else(|| self.real(right)),
            ExprNodeKind::Conditional(parts) => {
                self.real(&parts[1]).or_else(|| self.real(&parts[2]))
            }
            _ => None,
        }
    }

    fn has_element(&self, value: &ExprNode) -> bool {
        match &value.kind {
            ExprNodeKind::Element { array, .. } => !self.whole.contains(array),
            ExprNodeKind::Name(name) => self.data.contains(name),
            ExprNodeKind::Binary(_, left, right) => {
                self.has_element(left) || self.has_element(right)
            }
            ExprNodeKind::Unary(_, of) => self.has_element(of),
            _ => false,
        }
    }

    pub(super) fn is_bool(&self, value: &ExprNode) -> bool {
        match &value.kind {
            ExprNodeKind::Boolean(_) | ExprNodeKind::Unary(UnaryOp::Not, _) => true,
            ExprNodeKind::Name(name) | ExprNodeKind::Element { array: name, .. } => {
                self.bools.contains(name)
            }
            ExprNodeKind::Binary(op, ..) => {
                op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or)
            }
            ExprNodeKind::Conditional(parts) => self.is_bool(&parts[1]),
            _ => false,
        }
    }

    /// What stands alone as a condition is true or false.
    fn alone(&mut self, condition: &ExprNode, said: &HashMap<String, Type>) {
        match &condition.kind {
            ExprNodeKind::Element { array: name, .. } if !said.contains_key(name) => {
                self.bools.insert(name.clone());
            }
            ExprNodeKind::Unary(UnaryOp::Not, of) => self.alone(of, said),
            ExprNodeKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.alone(left, said);
                self.alone(right, said);
            }
            ExprNodeKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                let pair = [(left, right), (right, left)];
                for (one, other) in pair {
                    if let ExprNodeKind::Element { array: name, .. } = &one.kind
                        && !said.contains_key(name)
                        && matches!(other.kind, ExprNodeKind::Boolean(_))
                    {
                        self.bools.insert(name.clone());
                    }
                }
            }
            _ => {}
        }
    }

    /// Quotients of integers that real values are made of: they are rounded down.
    pub(super) fn rounded(&self) -> Vec<Span> {
        let values = self.uses.assignments.iter().filter_map(|it| it.value.as_ref());
        let mut found = vec![];
        values.filter(|it| self.real(it).is_some()).for_each(|it| self.rounded_in(it, &mut found));
        found
    }

    fn rounded_in(&self, value: &ExprNode, found: &mut Vec<Span>) {
        if let ExprNodeKind::Floor(_) | ExprNodeKind::Ceiling(_) = value.kind {
            return;
        }
        if matches!(value.kind, ExprNodeKind::Binary(BinaryOp::Divide, ..))
            && self.real(value).is_none()
        {
            found.push(value.span);
            return;
        }
        value.operands().into_iter().for_each(|it| self.rounded_in(it, found));
    }

    /// An array that indices read holds integers.
    pub(super) fn uses(&self) -> &Uses {
        self.uses
    }
}

/// Names of which remainders or bits are taken, or that are read in an index.
fn whole(uses: &Uses) -> HashSet<String> {
    let mut found = HashSet::new();
    for index in uses.accesses.iter().flat_map(|it| &it.indices) {
        names(index, &mut found);
    }
    let values = uses.assignments.iter().filter_map(|it| it.value.as_ref());
    values.chain(&uses.conditions).for_each(|it| operands(it, &mut found));
    found
}

/// What is taken the remainder or the bits of.
fn operands(value: &ExprNode, found: &mut HashSet<String>) {
    use BinaryOp::{BitAnd, BitOr, BitXor, Modulo, ShiftLeft, ShiftRight};
    if let ExprNodeKind::Binary(Modulo | BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight, ..) =
        value.kind
    {
        names(value, found);
    }
    value.operands().into_iter().for_each(|it| operands(it, found));
}

fn names(value: &ExprNode, found: &mut HashSet<String>) {
    if let ExprNodeKind::Name(name) | ExprNodeKind::Element { array: name, .. } = &value.kind {
        found.insert(name.clone());
    }
    value.operands().into_iter().for_each(|it| names(it, found));
}
