//! The syntax tree of a listing, as written: names unresolved, types unknown.

use crate::diagnostic::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A whole listing.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub arrays: Vec<ArrayDeclaration>,
    pub functions: Vec<Function>,
    /// The scalar that a run reports, as in `answer M[1, n-1]`.
    pub answer: Option<Expr>,
    pub body: Vec<Statement>,
}

/// An integer parameter, with the value it has if none is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: Name,
    pub default: Option<i64>,
}

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
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Input, Self::Output, Self::Inout, Self::Work];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Inout => "inout",
            Self::Work => "work",
        }
    }

    /// Whether the array holds data before the program starts.
    pub const fn is_given(self) -> bool {
        matches!(self, Self::Input | Self::Inout)
    }
}

/// Element types of arrays, and the types that scalars are inferred to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    Bool,
    I32,
    U32,
    I64,
    F32,
    F64,
}

impl Type {
    pub const ALL: [Self; 6] = [Self::F32, Self::F64, Self::I32, Self::I64, Self::U32, Self::Bool];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    pub const fn is_integer(self) -> bool {
        matches!(self, Self::I32 | Self::U32 | Self::I64)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ArrayDeclaration {
    pub role: Role,
    pub name: Name,
    pub extents: Vec<Expr>,
    pub element: Type,
}

/// A pure scalar function, `function f(x, y) = …`.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<Name>,
    pub body: Expr,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    /// The statement's first line, without the blocks below it.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `name ← value` or `name[indices] ← value`.
    Assign {
        target: Name,
        indices: Vec<Expr>,
        value: Expr,
    },
    For(For),
    While {
        condition: Expr,
        body: Vec<Statement>,
    },
    If {
        condition: Expr,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// A phase, `A:`.
    Label {
        name: Name,
        body: Vec<Statement>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct For {
    pub variable: Name,
    pub from: Expr,
    pub to: Expr,
    pub downward: bool,
    pub step: Option<Expr>,
    pub parallel: bool,
    pub body: Vec<Statement>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    Integer(i64),
    Float(f64),
    Infinity,
    Boolean(bool),
    Name(String),
    Element {
        array: String,
        indices: Vec<Expr>,
    },
    Call {
        function: String,
        arguments: Vec<Expr>,
    },
    Unary(UnaryOp, Box<Expr>),
    /// `⌊x⌋` of an integer: what it is anyway, since `/` rounds down.
    Floor(Box<Expr>),
    /// `⌈a / b⌉`: the quotient rounded up.
    Ceiling(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<[Expr; 3]>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Negate,
    Not,
    BitNot,
    Abs,
    Sqrt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    BitOr,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Min,
    Max,
}

impl BinaryOp {
    /// How the operator is written, and how tightly it binds (0 loosest). Min and max are written
    /// as calls.
    pub const fn written(self) -> (&'static str, u8) {
        match self {
            Self::Or => ("or", 0),
            Self::And => ("and", 1),
            Self::Equal => ("=", 3),
            Self::NotEqual => ("≠", 3),
            Self::Less => ("<", 3),
            Self::LessEqual => ("≤", 3),
            Self::Greater => (">", 3),
            Self::GreaterEqual => ("≥", 3),
            Self::BitOr => ("|", 4),
            Self::BitXor => ("xor", 5),
            Self::BitAnd => ("&", 6),
            Self::ShiftLeft => ("<<", 7),
            Self::ShiftRight => (">>", 7),
            Self::Add => ("+", 8),
            Self::Subtract => ("-", 8),
            Self::Multiply => ("×", 9),
            Self::Divide => ("/", 9),
            Self::Modulo => ("mod", 9),
            Self::Min => ("min", 11),
            Self::Max => ("max", 11),
        }
    }

    pub const fn is_comparison(self) -> bool {
        self.written().1 == 3
    }

    pub const fn is_shift(self) -> bool {
        matches!(self, Self::ShiftLeft | Self::ShiftRight)
    }
}
