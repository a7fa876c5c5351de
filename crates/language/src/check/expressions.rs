//! Expressions: names, ranks and types; functions are inlined.

use super::built_in::{BuiltIn, rounded_logarithm};
use super::types::{TypeEstimate, Typed, known};
use super::{Checker, Result};
use crate::access::{AccessKind, Phase};
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{Access, ArrayId, Expr, ExprKind, ParameterId, Site, SiteId};
use crate::syntax::{self, BinaryOp, Role, Type, UnaryOp};

impl Checker<'_> {
    /// An integer expression, as indices, bounds and extents are.
    pub(super) fn integer(&mut self, it: &syntax::ExprNode, what: &str) -> Result<Expr> {
        let typed = self.typed(it)?;
        if !typed.inferred.is_integer() {
            let found = typed.inferred;
            return Err(Diagnostic::new(
                it.span,
                format!("{what} must be an integer, not {found}"),
            )
            .help("convert it: `i64(…)`"));
        }
        typed.coerce(Type::I64)
    }

    /// The same where nothing but the parameters is known.
    pub(super) fn of_parameters(&mut self, it: &syntax::ExprNode, what: &str) -> Result<Expr> {
        let sites = self.sites.len();
        let expr = self.integer(it, what)?;
        self.sites.truncate(sites);
        let is_of_threads = expr.reads().next().is_some() || expr.warp_word().is_some();
        if expr.scalars().next().is_some() || is_of_threads {
            let message = format!("{what} may name parameters alone");
            return Err(Diagnostic::new(it.span, message).help(
                "every block of the loop has as much: write an expression of the parameters",
            ));
        }
        Ok(expr)
    }

    pub(super) fn boolean(&mut self, it: &syntax::ExprNode, what: &str) -> Result<Expr> {
        let typed = self.typed(it)?;
        if typed.inferred.is_number() {
            let found = typed.inferred;
            return Err(Diagnostic::new(it.span, format!("{what} must be bool, not {found}"))
                .help("compare, as in `x ≠ 0`"));
        }
        Ok(typed.settle())
    }

    pub(super) fn typed(&mut self, it: &syntax::ExprNode) -> Result<Typed> {
        self.expressions += 1;
        self.depth += 1;
        let typed = self.resolve(it);
        self.depth -= 1;
        typed
    }

    fn resolve(&mut self, it: &syntax::ExprNode) -> Result<Typed> {
        let (kind, inferred) = match &it.kind {
            syntax::ExprNodeKind::Integer(value) => match i64::try_from(*value) {
                Ok(value) => (ExprKind::Integer(value), TypeEstimate::AnyNumber),
                // No other type holds it.
                Err(_) => (ExprKind::Integer(value.cast_signed()), TypeEstimate::Known(Type::U64)),
            },
            syntax::ExprNodeKind::Float(value) => (ExprKind::Float(*value), TypeEstimate::AnyFloat),
            syntax::ExprNodeKind::Infinity => {
                (ExprKind::Float(f64::INFINITY), TypeEstimate::AnyFloat)
            }
            syntax::ExprNodeKind::Boolean(value) => {
                (ExprKind::Boolean(*value), TypeEstimate::Known(Type::Bool))
            }
            syntax::ExprNodeKind::Name(name) => self.name(name, it.span)?,
            syntax::ExprNodeKind::Element { array, indices } if self.table(array).is_some() => {
                return self.entry(array, indices, it.span);
            }
            syntax::ExprNodeKind::Element { array, indices } => {
                let access = self.access(array, indices, AccessKind::Read, it.span)?;
                let element = self.arrays[access.array.0].element;
                (ExprKind::Element(Box::new(access)), TypeEstimate::Known(element))
            }
            syntax::ExprNodeKind::Neighbours(_) => {
                return Err(Diagnostic::new(it.span, "neighbours are indices of an array"));
            }
            syntax::ExprNodeKind::Slice { array, .. } => return Err(no_value(array, it.span)),
            syntax::ExprNodeKind::Call { function, arguments } => {
                return self.call(function, arguments, it.span);
            }
            syntax::ExprNodeKind::Floor(operand) => return self.rounded(false, operand, it.span),
            syntax::ExprNodeKind::Ceiling(operand) => return self.rounded(true, operand, it.span),
            syntax::ExprNodeKind::Unary(op, operand) => self.unary(*op, operand, it.span)?,
            syntax::ExprNodeKind::Binary(op, left, right) => {
                self.binary(*op, left, right, it.span)?
            }
            syntax::ExprNodeKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let condition = self.boolean(condition, "the condition of `if`")?;
                let (then, otherwise) = (self.typed(then)?, self.typed(otherwise)?);
                let joined = join(&then, &otherwise, it.span)?;
                let element = joined.settled();
                let parts = [condition, then.coerce(element)?, otherwise.coerce(element)?];
                (ExprKind::Conditional(Box::new(parts)), joined)
            }
        };
        Ok(Typed { expr: Expr { kind, element: inferred.settled(), span: it.span }, inferred })
    }

    fn name(&mut self, name: &str, span: Span) -> Result<(ExprKind, TypeEstimate)> {
        if let Some(scalar) = self.scope.lookup(name) {
            if !self.assigned.contains(&scalar) {
                return Err(self.unassigned(name, span));
            }
            return Ok((ExprKind::Scalar(scalar), self.scope.inferred(scalar)));
        }
        if let Some(value) = self.aliases.known.get(name) {
            return Ok((value.expr.kind.clone(), value.inferred));
        }
        if let Some(size) = self.aliases.sizes.get(name) {
            return Ok((size.kind.clone(), TypeEstimate::Known(Type::I64)));
        }
        if let Some(ArrayId(index)) = self.array(name)
            && self.arrays[index].extents.is_empty()
        {
            let inferred = TypeEstimate::Known(self.arrays[index].element);
            let access = self.access(name, &[], AccessKind::Read, span)?;
            return Ok((ExprKind::Element(Box::new(access)), inferred));
        }
        if let Some(value) = self.constant_named(name) {
            self.expressions += value.expr.parts().count();
            self.expands(span)?;
            return Ok((value.expr.kind, value.inferred));
        }
        if let Some(index) = self.parameters.iter().position(|it| it.name == name) {
            let kind = match self.sizes.as_ref().and_then(|it| it[index]) {
                Some(value) => ExprKind::Integer(value),
                None => ExprKind::Parameter(ParameterId(index)),
            };
            return Ok((kind, TypeEstimate::Known(Type::I64)));
        }
        Err(match self.declared(name) {
            Some(what @ ("an array" | "a table of constants")) => {
                Diagnostic::new(span, format!("`{name}` is {what} and needs an index"))
                    .help(format!("write `{name}[…]`"))
            }
            Some(other) => Diagnostic::new(span, format!("`{name}` is {other}, not a value")),
            None if self.scope.is_private(name) => self.unassigned(name, span),
            None if name == "pi" => {
                return Ok((ExprKind::Float(std::f64::consts::PI), TypeEstimate::AnyFloat));
            }
            None => {
                let error = Diagnostic::new(span, format!("unknown name `{name}`"));
                match self.nearest(name) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help("assign it first, or make it a parameter of the algorithm"),
                }
            }
        })
    }

    fn unassigned(&self, name: &str, span: Span) -> Diagnostic {
        let error = Diagnostic::new(span, format!("`{name}` may be read before it is assigned"));
        if self.scope.is_private(name) {
            return error.help(format!(
                "a scalar that a parallel loop assigns is private to the iteration: assign `{name}` \
                 in the iteration before reading it, or keep it in an array"
            ));
        }
        error.help(format!("assign `{name}` before the loop or branch that may skip it"))
    }

    /// A known name that differs from `name` by one letter or by case.
    fn nearest(&self, name: &str) -> Option<String> {
        let arrays = self.arrays.iter().map(|it| it.name.as_str());
        let parameters = self.parameters.iter().map(|it| it.name.as_str());
        let functions = self.functions.iter().map(|it| it.name.text.as_str());
        arrays
            .chain(parameters)
            .chain(functions)
            .find(|known| {
                known.eq_ignore_ascii_case(name)
                    || (name.len() > 2
                        && known.len() == name.len()
                        && known.bytes().zip(name.bytes()).filter(|(a, b)| a != b).count() == 1)
            })
            .map(str::to_owned)
    }

    /// One array reference: a new site.
    pub(super) fn access(
        &mut self,
        name: &str,
        indices: &[syntax::ExprNode],
        kind: AccessKind,
        span: Span,
    ) -> Result<Access> {
        super::vectors::refuse_neighbours(indices, span)?;
        let Some(ArrayId(index)) = self.array(name) else {
            return Err(match self.declared(name) {
                Some(other) => {
                    Diagnostic::new(span, format!("`{name}` is {other} and has no index"))
                }
                None if self.scope.lookup(name).is_some() => {
                    Diagnostic::new(span, format!("`{name}` is a scalar and has no index"))
                }
                None if self.arrays.iter().any(|array| array.name == name) => {
                    let message = format!("`{name}` belongs to another loop");
                    let help = if self.calls.is_empty() {
                        "keep what outlives that loop in an array of global memory"
                    } else {
                        "a procedure sees the arrays that it is given: make it a parameter"
                    };
                    Diagnostic::new(span, message).help(help)
                }
                None => {
                    let error = Diagnostic::new(span, format!("unknown array `{name}`"));
                    error.help(format!("declare it, as in `input {name}[n] : f32`"))
                }
            });
        };
        if let Some(function) = self.function {
            let message = format!("the function `{function}` reads an array");
            return Err(Diagnostic::new(span, message)
                .help("functions are pure: pass the element as an argument"));
        }
        let rank = self.rank(name, ArrayId(index));
        if indices.len() != rank {
            return Err(self.wrong_rank(name, index, (rank, indices.len()), span));
        }
        let indices = self.counted_from_zero(name, indices);
        let indices =
            indices.iter().map(|index| self.integer(index, "an index")).collect::<Result<_>>()?;
        let indices = self.of_whole(name, indices);
        let (site, array) = (SiteId(self.sites.len()), ArrayId(index));
        // Registers are no memory: they open no phase.
        let is_register = self.arrays[index].role == Role::Register;
        let phase = if is_register { Phase::default() } else { self.phase() };
        self.sites.push(Site { array, kind, phase, span, atomic: None, vector: None });
        Ok(Access { site, array, indices, span })
    }

    /// `⌊x⌋` and `⌈x⌉`; of integers ⌈a / b⌉ = −⌊−a / b⌋, and ⌊log₂ x⌋ is found among the bits of x.
    fn rounded(&mut self, up: bool, operand: &syntax::ExprNode, span: Span) -> Result<Typed> {
        if let syntax::ExprNodeKind::Call { function, arguments } = &operand.kind
            && let [argument] = &arguments[..]
            && BuiltIn::of(function) == Some(BuiltIn::Unary(UnaryOp::Log2))
            && self.functions.iter().all(|it| it.name.text != *function)
        {
            let sites = self.sites.len();
            let argument = self.typed(argument)?;
            if argument.inferred.is_integer() {
                return rounded_logarithm(up, argument, span);
            }
            self.sites.truncate(sites);
        }
        let typed = match &operand.kind {
            syntax::ExprNodeKind::Binary(BinaryOp::Divide, left, right) if up => {
                let expr = |kind| syntax::ExprNode { kind, span };
                let negate = |it| expr(syntax::ExprNodeKind::Unary(UnaryOp::Negate, Box::new(it)));
                let left = Box::new(negate(left.as_ref().clone()));
                let quotient = syntax::ExprNodeKind::Binary(BinaryOp::Divide, left, right.clone());
                self.typed(&negate(expr(quotient)))?
            }
            _ => self.typed(operand)?,
        };
        let found = typed.inferred;
        if found.is_integer() {
            return Ok(typed);
        }
        if !found.is_number() {
            return Err(Diagnostic::new(
                span,
                format!("expected a number to round, found {found}"),
            ));
        }
        let op = if up { UnaryOp::Ceiling } else { UnaryOp::Floor };
        let operand = typed.settle();
        let element = operand.element;
        let rounded = Expr { kind: ExprKind::Unary(op, Box::new(operand)), element, span };
        Ok(known(ExprKind::Convert(Box::new(rounded)), Type::I64, span))
    }

    pub(super) fn unary(
        &mut self,
        op: UnaryOp,
        operand: &syntax::ExprNode,
        span: Span,
    ) -> Result<(ExprKind, TypeEstimate)> {
        let operand = self.typed(operand)?;
        let found = operand.inferred;
        let (fits, wants, result) = match op {
            UnaryOp::Not => (!found.is_number(), "bool", found),
            UnaryOp::BitNot => (found.is_integer(), "an integer", found),
            UnaryOp::Popcount | UnaryOp::LeadingZeros => {
                (found.is_integer(), "an integer", TypeEstimate::Known(found.settled()))
            }
            UnaryOp::Negate | UnaryOp::Abs => (found.is_number(), "a number", found),
            // Functions of floats.
            _ if found.is_integer() => (true, "", TypeEstimate::AnyFloat),
            _ => (found.is_number(), "a number", found),
        };
        if !fits {
            return Err(Diagnostic::new(span, format!("expected {wants}, found {found}")));
        }
        // A negative literal stays a literal, so that it adapts to what it meets.
        match (op, &operand.expr.kind) {
            (UnaryOp::Negate, ExprKind::Integer(value)) if result == TypeEstimate::AnyNumber => {
                return Ok((ExprKind::Integer(-value), result));
            }
            (UnaryOp::Negate, ExprKind::Float(value)) => {
                return Ok((ExprKind::Float(-value), result));
            }
            _ => {}
        }
        let operand = operand.coerce(result.settled())?;
        Ok((ExprKind::Unary(op, Box::new(operand)), result))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &syntax::ExprNode,
        right: &syntax::ExprNode,
        span: Span,
    ) -> Result<(ExprKind, TypeEstimate)> {
        let (left, right) = (self.typed(left)?, self.typed(right)?);
        let sign = op.written().0;
        if op.is_shift() {
            let operands = [&left, &right].into_iter().map(|it| it.inferred);
            if let Some(found) = operands.into_iter().find(|it| !it.is_integer()) {
                return Err(Diagnostic::new(span, format!("`{sign}` takes integers, not {found}")));
            }
            let result = left.inferred;
            return self.numbered(op, left, right, result);
        }
        if op == BinaryOp::Power && right.inferred.is_integer() && left.inferred.is_number() {
            let result = left.inferred;
            return self.numbered(op, left, right, result);
        }
        let op = if op == BinaryOp::Power { BinaryOp::RealPower } else { op };
        let joined = match join(&left, &right, span)? {
            joined if op == BinaryOp::Angle && joined.is_integer() => TypeEstimate::AnyFloat,
            joined => joined,
        };
        let (fits, wants) = match op {
            BinaryOp::And | BinaryOp::Or => (!joined.is_number(), "bool"),
            BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Modulo
            | BinaryOp::MultiplyHigh => (joined.is_integer(), "integers"),
            BinaryOp::Equal | BinaryOp::NotEqual => (true, ""),
            _ => (joined.is_number(), "numbers"),
        };
        if !fits {
            return Err(Diagnostic::new(span, format!("`{sign}` takes {wants}, not {joined}")));
        }
        let result = if op.is_comparison() { TypeEstimate::Known(Type::Bool) } else { joined };
        let element = joined.settled();
        let (left, right) = (Box::new(left.coerce(element)?), Box::new(right.coerce(element)?));
        Ok((ExprKind::Binary(op, left, right), result))
    }

    /// An operation by a number, which says nothing about the type of what is operated on.
    fn numbered(
        &self,
        op: BinaryOp,
        left: Typed,
        right: Typed,
        result: TypeEstimate,
    ) -> Result<(ExprKind, TypeEstimate)> {
        // A call's argument is evaluated before it is bound, so its type is settled.
        let is_call = matches!(op, BinaryOp::RotateLeft | BinaryOp::RotateRight);
        let result = if is_call { TypeEstimate::Known(result.settled()) } else { result };
        let (left, right) = (left.coerce(result.settled())?, right.coerce(Type::I64)?);
        Ok((ExprKind::Binary(op, Box::new(left), Box::new(right)), result))
    }
}

fn no_value(array: &str, span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("a part of `{array}` is no value"))
        .help("it is an argument of a procedure")
}

fn join(left: &Typed, right: &Typed, span: Span) -> Result<TypeEstimate> {
    left.inferred.join(right.inferred).ok_or_else(|| {
        Diagnostic::new(span, format!("{} and {} do not mix", left.inferred, right.inferred))
            .help("a bool is tested alone, as in `if b` or `if not b`")
    })
}
