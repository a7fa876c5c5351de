//! The syntax tree of a listing, as written: names unresolved, types unknown.

mod clauses;
mod expression;
pub mod short_float;
mod types;

pub use self::clauses::{Clauses, InputOrigin, OriginArgument, Promise, RequirementNode};
pub use self::expression::{BinaryOp, ExprNode, ExprNodeKind, UnaryOp};
pub use self::types::Type;
use crate::diagnostic::Span;

/// An identifier at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// As written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole listing.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// What `algorithm` is followed by.
    pub name: Name,
    /// The integers, in the order of the head.
    pub parameters: Vec<ParameterNode>,
    /// The real numbers, likewise.
    pub reals: Vec<RealParameter>,
    /// In the order of declaration.
    pub arrays: Vec<ArrayDeclaration>,
    /// In the order of the text.
    pub constants: Vec<Constant>,
    /// In the order of the text.
    pub functions: Vec<FunctionNode>,
    /// In the order of the text.
    pub procedures: Vec<Procedure>,
    /// The scalar that a run reports, as in `answer M[1, n-1]`.
    pub answer: Option<ExprNode>,
    /// What it says of its inputs and of its result.
    pub clauses: Clauses,
    /// The statements, by indentation.
    pub body: Vec<StatementNode>,
}

/// An integer parameter, with the value it has if none is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterNode {
    /// As written.
    pub name: Name,
    /// The value after `=`, if there is one.
    pub default: Option<i64>,
}

/// A parameter that is a real number: a constant of the program, whose value is set before it is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct RealParameter {
    /// As written.
    pub name: Name,
    /// A type of real numbers.
    pub element: Type,
    /// What is set, else the value after `=`, if there is one.
    pub value: Option<f64>,
}

/// What an array is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Given, never written.
    Input,
    /// Undefined at first, a result in the end.
    Output,
    /// Given and changed.
    Inout,
    /// Undefined at first, of no interest in the end.
    Work,
    /// In the shared memory of a DMM: one copy a block of threads, undefined at first.
    Shared,
    /// In registers: one copy a thread of a block, an iteration of a parallel loop, or a run; undefined
    /// at first.
    Register,
}

impl Role {
    /// Every role of an array that memory holds.
    pub const ALL: [Self; 4] = [Self::Input, Self::Output, Self::Inout, Self::Work];

    /// The keyword that declares it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Inout => "inout",
            Self::Work => "work",
            Self::Shared => "shared",
            Self::Register => "register",
        }
    }

    /// Whether the array holds data before the program starts.
    pub const fn is_given(self) -> bool {
        matches!(self, Self::Input | Self::Inout)
    }

    /// Whether it is no array of the global memory, but of some threads.
    pub const fn is_local(self) -> bool {
        matches!(self, Self::Shared | Self::Register)
    }
}

/// A line such as `input a[n, m] : f32`.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayDeclaration {
    /// The keyword.
    pub role: Role,
    /// As written.
    pub name: Name,
    /// One to eight, between the brackets, of records their fields behind them; a register without
    /// brackets has none.
    pub extents: Vec<Extent>,
    /// Of records: names for the last dimension.
    pub fields: Vec<Name>,
    /// The type behind the colon.
    pub element: Type,
    /// What stands behind `layout`.
    pub layout: Option<LayoutNode>,
}

impl ArrayDeclaration {
    /// Of records: what their fields are called.
    pub(super) fn field_names(&self) -> Vec<String> {
        self.fields.iter().map(|it| it.text.clone()).collect()
    }
}

/// `column`, `tile(8, 8)`, `pad(1)` or `swizzle(5, 0, 5)`: in which order the cells lie.
#[derive(Debug, Clone, PartialEq)]
pub struct LayoutNode {
    /// Which order.
    pub word: Name,
    /// Of the parameters.
    pub arguments: Vec<ExprNode>,
}

/// Of one dimension of an array: `n`, or `1 .. n`.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// The first index, where it is written; else it is 0.
    pub first: Option<ExprNode>,
    /// How many indices there are; behind a first index, the last one.
    pub size: ExprNode,
}

/// `constant x = …`, or a table, `constant K[4] : u32 = …, …, …, …`.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// As written.
    pub name: Name,
    /// How many entries a table has.
    pub entries: Option<ExprNode>,
    /// The type behind a colon.
    pub element: Option<Type>,
    /// One, or those of a table.
    pub values: Vec<ExprNode>,
}

/// A pure scalar function, `function f(x, y) = …`.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionNode {
    /// As written.
    pub name: Name,
    /// Names of the arguments.
    pub parameters: Vec<Name>,
    /// What stands behind `=`.
    pub body: ExprNode,
}

/// `procedure dot(x[n], y[n]) → s`, and statements below.
#[derive(Debug, Clone, PartialEq)]
pub struct Procedure {
    /// As written.
    pub name: Name,
    /// In order.
    pub parameters: Vec<Formal>,
    /// The scalars behind the arrow.
    pub results: Vec<Name>,
    /// What a call does.
    pub body: Vec<StatementNode>,
}

/// A parameter of a procedure.
#[derive(Debug, Clone, PartialEq)]
pub struct Formal {
    /// As written.
    pub name: Name,
    /// Of an array, names for its extents; empty for a scalar.
    pub extents: Vec<Name>,
}

/// A statement with the line on which it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct StatementNode {
    /// What it does.
    pub kind: StatementKind,
    /// The statement's first line, without the blocks below it.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `name ← value`, `name : type ← value` or `name[indices] ← value`.
    Assign {
        /// What is assigned to.
        target: Name,
        /// The type behind a colon, where a register is declared.
        declared: Option<Type>,
        /// Empty for a scalar.
        indices: Vec<ExprNode>,
        /// What stands behind the arrow.
        value: ExprNode,
    },
    /// `targets ← values`: all values first.
    Several {
        /// From left to right; two at least.
        targets: Vec<Target>,
        /// As many.
        values: Vec<ExprNode>,
    },
    /// `name(arguments)`: a procedure, called.
    Call {
        /// The procedure's name.
        procedure: Name,
        /// In order.
        arguments: Vec<ExprNode>,
    },
    /// `atomic a[i] ← a[i] + x`, or `r ← atomic …`: no other thread comes between read and write.
    Atomic {
        /// The scalar that becomes what the element was.
        result: Option<Name>,
        /// The element.
        target: Target,
        /// What it becomes.
        value: ExprNode,
    },
    /// `spawn f(…)`, once or more, and what is done meanwhile, up to `sync`.
    Fork {
        /// Calls, perhaps with targets; the first on the statement's line.
        calls: Vec<StatementNode>,
        /// What follows them; may be empty.
        meanwhile: Vec<StatementNode>,
    },
    /// `left ↔ right`.
    Swap([Target; 2]),
    /// `break`, out of the innermost sequential loop.
    Break,
    /// `return`, out of a procedure, or of the algorithm.
    Return {
        /// The procedure's results, if they are given values here.
        targets: Vec<Target>,
        /// As many.
        values: Vec<ExprNode>,
    },
    /// `repeat … until condition`.
    Repeat {
        /// What is repeated, once at least.
        body: Vec<StatementNode>,
        /// Asked after each iteration.
        until: ExprNode,
    },
    /// A `for` loop, sequential, parallel or on DMMs.
    For(ForNode),
    /// A `while` loop.
    While {
        /// Asked before each iteration.
        condition: ExprNode,
        /// Falls from iteration to iteration, and is never below 0: `decreases e`.
        decreases: Option<ExprNode>,
        /// What is repeated.
        body: Vec<StatementNode>,
    },
    /// An `if`, with or without `else`.
    If {
        /// What decides.
        condition: ExprNode,
        /// The statements below `then`.
        then: Vec<StatementNode>,
        /// Those below `else`; empty without one.
        otherwise: Vec<StatementNode>,
    },
    /// A phase, `A:`.
    Label {
        /// The label.
        name: Name,
        /// The statements below it.
        body: Vec<StatementNode>,
    },
}

/// What is assigned, among several.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// A scalar or an array.
    pub name: Name,
    /// Empty for a scalar.
    pub indices: Vec<ExprNode>,
}

/// `for variable ← from to to step step do in parallel on DMMs`, or `downto`.
#[derive(Debug, Clone, PartialEq)]
pub struct ForNode {
    /// The loop variable.
    pub variable: Name,
    /// The first value.
    pub from: ExprNode,
    /// The last value that it may have.
    pub to: ExprNode,
    /// Whether `downto` stands there.
    pub downward: bool,
    /// The value behind `step`.
    pub step: Option<ExprNode>,
    /// What stands beside `do`.
    pub order: Order,
    /// What stands at the head of the body: `register`, and on DMMs `shared`.
    pub arrays: Vec<ArrayDeclaration>,
    /// What is repeated.
    pub body: Vec<StatementNode>,
}

/// How the iterations of a `for` loop follow each other.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// `do`.
    InTurn,
    /// `do in parallel`.
    InParallel,
    /// `do in parallel on DMMs`: a block of threads for each iteration.
    OnDmms {
        /// What stands between `with` and `threads`.
        threads: Option<Box<ExprNode>>,
    },
}
