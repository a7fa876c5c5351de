//! The checked program: every name resolved, every expression typed, every access numbered. It is
//! what is executed, analysed and turned into CUDA.

use std::ops::RangeInclusive;

use super::syntax::{BinaryOp, Listing, Role, Type, UnaryOp};
use super::walk::nests;
use crate::diagnostic::{Source, Span};
use crate::trace::{Kind, Phase};

#[derive(Debug, Clone)]
pub struct Program {
    pub name: String,
    pub source: Source,
    /// The tree that this program was made from.
    pub listing: Listing,
    pub parameters: Vec<Parameter>,
    /// In the order of declaration, which is the order in memory.
    pub arrays: Vec<Array>,
    /// Registers: named scalars, loop variables, and the values of inlined functions' parameters.
    pub scalars: Vec<Scalar>,
    /// Labels in the order of their first access; unlabelled work is `main`.
    pub phases: Vec<String>,
    /// Every place of the listing that accesses memory, in textual order of evaluation.
    pub sites: Vec<Site>,
    /// In the order of the text.
    pub loops: Vec<Loop>,
    pub body: Block,
    pub answer: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub default: Option<i64>,
}

#[derive(Debug, Clone)]
pub struct Array {
    pub name: String,
    pub role: Role,
    /// One to three, of type i64, over the parameters alone.
    pub extents: Vec<Expr>,
    pub element: Type,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    pub name: String,
    pub element: Type,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);
    )*};
}

ids! {
    /// Index into [`Program::parameters`].
    ParameterId
    /// Index into [`Program::arrays`].
    ArrayId
    /// Index into [`Program::scalars`].
    ScalarId
    /// Index into [`Program::sites`].
    SiteId
    /// Index into [`Program::loops`].
    LoopId
}

/// One array reference of the listing: each evaluation is one access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    pub array: ArrayId,
    pub kind: Kind,
    pub phase: Phase,
    pub span: Span,
}

/// A loop of the listing; a nest is as many as it has ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// `None` if it is a `while` loop.
    pub variable: Option<ScalarId>,
    pub span: Span,
}

pub type Block = Vec<Statement>;

#[derive(Debug, Clone)]
pub enum Statement {
    Assign { target: ScalarId, value: Expr, span: Span },
    Store { access: Access, value: Expr, span: Span },
    For(For),
    Parallel(Nest),
    While { id: LoopId, condition: Expr, body: Block, span: Span },
    If { condition: Expr, then: Block, otherwise: Block, span: Span },
    Labelled { phase: String, body: Block },
}

/// `variable` runs over `from`, `from ± step`, … as long as it does not pass `to`.
#[derive(Debug, Clone)]
pub struct Range {
    pub id: LoopId,
    pub variable: ScalarId,
    pub from: Expr,
    pub to: Expr,
    pub downward: bool,
    /// At least 1; 1 if absent.
    pub step: Option<Expr>,
    pub span: Span,
}

/// A sequential loop.
#[derive(Debug, Clone)]
pub struct For {
    pub range: Range,
    pub body: Block,
}

/// Parallel loops directly inside each other, flattened in lexicographic order; the bounds of an
/// inner loop may depend on the outer variables.
#[derive(Debug, Clone)]
pub struct Nest {
    pub ranges: Vec<Range>,
    pub body: Block,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    pub element: Type,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Parameter(ParameterId),
    Scalar(ScalarId),
    Element(Box<Access>),
    /// To the type of this expression. Narrowing integers is checked when it happens.
    Convert(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have one type; only the right one of a shift is always i64. `And` and `Or`
    /// evaluate their right side only where needed.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Condition, then, otherwise: only the arm that is needed is evaluated.
    Conditional(Box<[Expr; 3]>),
    /// An inlined function's argument, then its body.
    Let(ScalarId, Box<[Expr; 2]>),
}

#[derive(Debug, Clone)]
pub struct Access {
    pub site: SiteId,
    pub array: ArrayId,
    /// One index a dimension, of type i64.
    pub indices: Vec<Expr>,
    pub span: Span,
}

impl Nest {
    /// That of its outermost loop.
    pub fn id(&self) -> LoopId {
        self.ranges[0].id
    }
}

impl Program {
    /// A loop's variable; `while` loops are called so.
    pub fn loop_name(&self, id: LoopId) -> &str {
        self.loops[id.0].variable.map_or("while", |it| &self.scalars[it.0].name)
    }

    /// The first parallel loop, if the program is not sequential.
    pub fn first_parallel_loop(&self) -> Option<Span> {
        nests(&self.body).next().map(|nest| nest.span)
    }

    pub fn array_named(&self, name: &str) -> Option<ArrayId> {
        self.arrays.iter().position(|array| array.name == name).map(ArrayId)
    }
}

impl Expr {
    /// If evaluating this very operation may fail: the operand that decides it, and the values of
    /// that operand with which it does not for sure.
    pub fn hazard(&self) -> Option<(&Self, RangeInclusive<i64>)> {
        let (operand, safe) = match &self.kind {
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, by) => match by.kind {
                _ if by.element.is_float() => return None,
                ExprKind::Integer(..0) => (by, i64::MIN..=-1),
                _ => (by, 1..=i64::MAX),
            },
            ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, _, by) => {
                (by, if self.element == Type::I64 { 0..=63 } else { 0..=31 })
            }
            ExprKind::Convert(operand) if operand.element.is_integer() => match self.element {
                Type::I32 => (operand, i32::MIN.into()..=i32::MAX.into()),
                Type::U32 => (operand, 0..=u32::MAX.into()),
                _ => return None,
            },
            _ => return None,
        };
        let is_safe = matches!(operand.kind, ExprKind::Integer(value) if safe.contains(&value));
        (!is_safe).then_some((operand, safe))
    }
}
