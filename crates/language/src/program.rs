//! The checked program: every name resolved, every expression typed, every access numbered. It is
//! what is executed, analysed and turned into CUDA.

use std::ops;

pub use super::array_layout::{ArrayLayout, LayoutKind};
pub use super::atomic::{Atomic, AtomicOp, AtomicSite};
pub use super::clause::{OriginValue, Requirement};
pub use super::reading::{Reading, Remark};
use super::syntax::{BinaryOp, Listing, Role, Type, UnaryOp};
pub use super::vector::VectorLane;
pub use super::warp::WarpOp;
use crate::access::{AccessKind, Phase};
use crate::diagnostic::{Source, Span};

/// A checked listing.
#[derive(Debug, Clone)]
pub struct Program {
    /// As the head of the listing has it.
    pub name: String,
    /// The text that all spans refer to.
    pub source: Source,
    /// The tree that this program was made from.
    pub listing: Listing,
    /// How the text was understood.
    pub reading: Reading,
    /// The integers, in the order of the head; real ones are constants, and the listing has them.
    pub parameters: Vec<Parameter>,
    /// Whether a procedure calls itself. It is unfolded, so that each parameter that has a default has
    /// that value alone.
    pub is_unfolded: bool,
    /// In the order of declaration, which is the order in memory; those of no global memory last.
    pub arrays: Vec<Array>,
    /// The tables that the listing holds, in the order of declaration.
    pub tables: Vec<ConstantTable>,
    /// The loops on DMMs, in the order of the text.
    pub blocks: Vec<BlockShape>,
    /// Registers: named scalars, loop variables, and the values of inlined functions' parameters.
    pub scalars: Vec<Scalar>,
    /// Labels in the order of their first access; unlabelled work is `main`.
    pub phases: Vec<String>,
    /// Every place of the listing that accesses memory, or an array of registers, in textual order of
    /// evaluation.
    pub sites: Vec<Site>,
    /// In the order of the text.
    pub loops: Vec<Loop>,
    /// All statements, in order.
    pub body: Block,
    /// The scalar that a run reports. Reading it is nobody's access.
    pub answer: Option<Expr>,
    /// What must hold before a run; likewise.
    pub requirements: Vec<Requirement>,
}

/// An integer that is fixed before a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// As the listing spells it.
    pub name: String,
    /// Its value if none is given.
    pub default: Option<i64>,
}

/// An array of the listing: one region of memory.
#[derive(Debug, Clone)]
pub struct Array {
    /// As the listing spells it.
    pub name: String,
    /// Whether it is given, and whether it is a result.
    pub role: Role,
    /// One to eight, of type i64, over the parameters alone; none of a single register.
    pub extents: Vec<Expr>,
    /// By dimension, what the listing calls the first index, likewise; the indices of accesses count from 0.
    pub firsts: Vec<Option<Expr>>,
    /// Of records: what the listing calls the last dimension's indices; else empty.
    pub fields: Vec<String>,
    /// The type of a cell; a cell is one word, whatever its type.
    pub element: Type,
    /// In which order the cells lie, where it is not row by row.
    pub layout: Option<ArrayLayout>,
    /// The arguments of what it is filled with: `from random(0, n-1)`.
    pub origin: Vec<OriginValue>,
    /// Its declaration.
    pub span: Span,
}

/// A table of constants: no memory, so that reading an entry is no access.
#[derive(Debug, Clone)]
pub struct ConstantTable {
    /// As the listing spells it.
    pub name: String,
    /// The type of an entry.
    pub element: Type,
    /// Constants of that type; one at least.
    pub entries: Vec<Expr>,
}

/// What every block of a loop on DMMs has.
#[derive(Debug, Clone)]
pub struct BlockShape {
    /// q, of type i64, over the parameters alone.
    pub threads: Expr,
    /// Its shared memory and its threads' registers, indices into [`Program::arrays`].
    pub arrays: ops::Range<usize>,
}

/// A scalar: a variable of a loop or of an assignment, held in a register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// As the listing spells it.
    pub name: String,
    /// As inferred.
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
    /// Index into [`Program::tables`].
    TableId
    /// Index into [`Program::scalars`].
    ScalarId
    /// Index into [`Program::sites`].
    SiteId
    /// Index into [`Program::loops`].
    LoopId
    /// Index into [`Program::blocks`].
    BlocksId
}

/// One array reference of the listing: each evaluation is one access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// What it refers to.
    pub array: ArrayId,
    /// Whether it reads or writes.
    pub kind: AccessKind,
    /// The innermost label around it.
    pub phase: Phase,
    /// The reference, indices included.
    pub span: Span,
    /// Of an atomic, which reads and writes in one access.
    pub atomic: Option<AtomicSite>,
    /// Of neighbours that are accessed at once: which of them it is.
    pub vector: Option<VectorLane>,
}

/// A loop of the listing; a nest is as many as it has ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// `None` if it is a `while` loop.
    pub variable: Option<ScalarId>,
    /// The loop's head.
    pub span: Span,
}

/// Statements one after another.
pub type Block = Vec<Statement>;

/// One step of a program; only [`Self::Store`] and expressions with elements access memory.
#[derive(Debug, Clone)]
pub enum Statement {
    /// `target ← value`, in registers.
    Assign {
        /// What is assigned.
        target: ScalarId,
        /// Of the target's type.
        value: Expr,
        /// The whole statement.
        span: Span,
    },
    /// `access ← value`, a write to memory.
    Store {
        /// Where to.
        access: Access,
        /// Of the array's element type.
        value: Expr,
        /// That it is an atomic.
        atomic: Option<Box<Atomic>>,
        /// The whole statement.
        span: Span,
    },
    /// A sequential `for` loop.
    For(For),
    /// Parallel loops.
    Parallel(Nest),
    /// Parallel loops on DMMs.
    Blocks(Blocks),
    /// A `while` loop.
    While {
        /// Which of the listing's loops.
        id: LoopId,
        /// A boolean, evaluated before each iteration.
        condition: Expr,
        /// What an iteration that begins leaves less of, an i64 of scalars and parameters that is 0 or
        /// more: evaluated by nobody, checked by runs, used by proofs.
        decreases: Option<Expr>,
        /// What is repeated.
        body: Block,
        /// The loop's head.
        span: Span,
    },
    /// A conditional statement.
    If {
        /// A boolean.
        condition: Expr,
        /// Done if the condition holds.
        then: Block,
        /// Done if not; may be empty.
        otherwise: Block,
        /// The head, `if … then`.
        span: Span,
    },
    /// Calls that may be made in parallel, and what is done meanwhile; one after another here.
    Fork {
        /// Two at least, or a single one that nothing is done beside.
        branches: Vec<Block>,
        /// The first `spawn`.
        span: Span,
    },
    /// Statements under a label, as in `A:`.
    Labelled {
        /// The label.
        phase: String,
        /// The statements.
        body: Block,
    },
}

/// `variable` runs over `from`, `from ± step`, … as long as it does not pass `to`.
#[derive(Debug, Clone)]
pub struct LoopRange {
    /// Which of the listing's loops.
    pub id: LoopId,
    /// The loop variable, of type i64.
    pub variable: ScalarId,
    /// The first value.
    pub from: Expr,
    /// The last value that it may have.
    pub to: Expr,
    /// Whether the step is subtracted.
    pub downward: bool,
    /// At least 1; 1 if absent.
    pub step: Option<Expr>,
    /// The loop's head.
    pub span: Span,
}

/// A sequential loop.
#[derive(Debug, Clone)]
pub struct For {
    /// The values that it goes through, in turn.
    pub range: LoopRange,
    /// What is repeated.
    pub body: Block,
    /// A loop with a `break`: as soon as this scalar is false, no later iteration does anything.
    pub while_true: Option<ScalarId>,
}

/// Parallel loops directly inside each other, flattened in lexicographic order; the bounds of an
/// inner loop may depend on the outer variables.
#[derive(Debug, Clone)]
pub struct Nest {
    /// Outermost first; at least one.
    pub ranges: Vec<LoopRange>,
    /// What each iteration does.
    pub body: Block,
    /// The head of the outermost loop.
    pub span: Span,
}

/// Loops on DMMs directly inside each other: each iteration, in lexicographic order, is run by a block
/// of threads. Outside nests, thread 0 of the block runs alone.
#[derive(Debug, Clone)]
pub struct Blocks {
    /// What its blocks have.
    pub id: BlocksId,
    /// Outermost first; one to three.
    pub ranges: Vec<LoopRange>,
    /// What each block does; its nests are dealt to the threads of the block.
    pub body: Block,
    /// The head of the outermost loop.
    pub span: Span,
}

/// A typed expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// The type of the value.
    pub element: Type,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes; operands have been converted to the types that they need.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A constant of an integer type; of a u64, its bits.
    Integer(i64),
    /// A constant of a float type.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A parameter's value.
    Parameter(ParameterId),
    /// A register's value.
    Scalar(ScalarId),
    /// A read of memory.
    Element(Box<Access>),
    /// An entry of a table: its index, of type i64, and how many entries the table has.
    Entry(TableId, Box<Expr>, i64),
    /// To the type of this expression. Narrowing integers is checked when it happens.
    Convert(Box<Expr>),
    /// An operation on one value.
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have one type; only the right one of a shift or an integer power is always i64. `And` and `Or`
    /// evaluate their right side only where needed.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Condition, then, otherwise: only the arm that is needed is evaluated.
    Conditional(Box<[Expr; 3]>),
    /// An inlined function's argument, then its body.
    Let(ScalarId, Box<[Expr; 2]>),
    /// What the threads of a warp, which come to it together, give each other of their values.
    Warp(WarpOp, Box<[Expr]>),
}

/// An array reference with its indices.
#[derive(Debug, Clone)]
pub struct Access {
    /// Its number among the program's references.
    pub site: SiteId,
    /// What it refers to.
    pub array: ArrayId,
    /// One index a dimension, of type i64.
    pub indices: Vec<Expr>,
    /// The reference, indices included.
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

    /// The array of that name that is declared above the statements; `None` if there is none.
    pub fn array_named(&self, name: &str) -> Option<ArrayId> {
        self.global_arrays().position(|array| array.name == name).map(ArrayId)
    }

    /// The arrays of global memory.
    pub fn global_arrays(&self) -> impl Iterator<Item = &Array> {
        self.arrays.iter().take_while(|array| !array.role.is_local())
    }
}
