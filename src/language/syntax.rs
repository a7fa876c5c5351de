//! The syntax tree of a listing, as written: names unresolved, types unknown.

use std::ops::RangeInclusive;

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
    /// In the order of the head.
    pub parameters: Vec<Parameter>,
    /// In the order of declaration.
    pub arrays: Vec<ArrayDeclaration>,
    /// In the order of the text.
    pub constants: Vec<Constant>,
    /// In the order of the text.
    pub functions: Vec<Function>,
    /// In the order of the text.
    pub procedures: Vec<Procedure>,
    /// The scalar that a run reports, as in `answer M[1, n-1]`.
    pub answer: Option<Expr>,
    /// What it says of its inputs and of its result.
    pub clauses: Clauses,
    /// The statements, by indentation.
    pub body: Vec<Statement>,
}

/// What a listing says of its inputs and of its result; no run's accesses or time depend on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clauses {
    /// What stands behind arrays' types: `from …`.
    pub origins: Vec<Origin>,
    /// `reference FILE.alg`: a listing that computes the same, by its file or its shipped name.
    pub reference: Option<Name>,
    /// The lines `ensures …`.
    pub promises: Vec<Promise>,
}

/// What an array holds unless another input is given: `from random(0, 1)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The array.
    pub array: String,
    /// What makes its numbers.
    pub word: Name,
    /// Numbers, or letters, as written.
    pub arguments: Vec<String>,
}

/// What holds after a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Promise {
    /// `sorted(b)`: no element is less than the one before it, row by row.
    Sorted(Name),
    /// `permutation(b, a)`: the array holds what another held before the run, in whatever order.
    Permutation {
        /// After the run.
        array: Name,
        /// Before it.
        of: Name,
    },
    /// `b = reference.b`.
    Equal {
        /// Of this listing.
        array: Name,
        /// Of the reference.
        of: Name,
    },
}

/// An integer parameter, with the value it has if none is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// As written.
    pub name: Name,
    /// The value after `=`, if there is one.
    pub default: Option<i64>,
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
    /// In registers: one copy a thread of a block, undefined at first.
    Register,
}

impl Role {
    /// Every role of an array that is declared above the statements.
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

    /// Whether it is declared at the head of a loop on DMMs, and known only there.
    pub const fn is_local(self) -> bool {
        matches!(self, Self::Shared | Self::Register)
    }
}

/// Element types of arrays, and the types that scalars are inferred to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`: true or false.
    Bool,
    /// `i8`: 8 bits, signed.
    I8,
    /// `u8`: 8 bits, unsigned.
    U8,
    /// `i16`: 16 bits, signed.
    I16,
    /// `u16`: 16 bits, unsigned.
    U16,
    /// `i32`: 32 bits, signed.
    I32,
    /// `u32`: 32 bits, unsigned.
    U32,
    /// `i64`: 64 bits, signed.
    I64,
    /// `u64`: 64 bits, unsigned.
    U64,
    /// `f32`: IEEE 754 binary32.
    F32,
    /// `f64`: IEEE 754 binary64.
    F64,
}

impl Type {
    /// Every type.
    pub const ALL: [Self; 11] = [
        Self::F32,
        Self::F64,
        Self::I32,
        Self::I64,
        Self::U32,
        Self::U64,
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::U8,
        Self::U16,
    ];

    /// Those of integers; each holds what an unsigned one before it holds, and each signed one what a
    /// signed one before it does.
    const INTEGERS: [Self; 8] =
        [Self::I8, Self::U8, Self::I16, Self::U16, Self::I32, Self::U32, Self::I64, Self::U64];

    /// The keyword, as in `f32`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Whether it is `f32` or `f64`.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Whether it is a type of integers, with or without a sign.
    pub const fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, Self::Bool)
    }

    /// Whether its integers may be negative.
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Whether it has 8 or 16 bits; its word names other things, too, where no type can stand.
    pub const fn is_narrow(self) -> bool {
        matches!(self, Self::I8 | Self::U8 | Self::I16 | Self::U16)
    }

    /// The integers of this type, as far as an i64 holds them.
    pub const fn limits(self) -> RangeInclusive<i64> {
        if self.is_signed() {
            let most = i64::MAX >> (64 - self.bits());
            return -most - 1..=most;
        }
        0..=i64::MAX >> 63_u32.saturating_sub(self.bits())
    }

    /// Whether this type of integers holds every value of another.
    pub const fn holds(self, other: Self) -> bool {
        match (self.is_signed(), other.is_signed()) {
            (true, false) => self.bits() > other.bits(),
            (false, true) => false,
            _ => self.bits() >= other.bits(),
        }
    }

    /// The smallest type that holds the integers of both; u64 where there is none.
    pub fn of_both(self, other: Self) -> Self {
        let holds_both = |it: &Self| it.holds(self) && it.holds(other);
        Self::INTEGERS.into_iter().find(holds_both).unwrap_or(Self::U64)
    }

    /// The bits of a number.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::I8 | Self::U8 => 8,
            Self::I16 | Self::U16 => 16,
            Self::I32 | Self::U32 | Self::F32 => 32,
            Self::I64 | Self::U64 | Self::F64 => 64,
        }
    }
}

/// A line such as `input a[n, m] : f32`.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayDeclaration {
    /// The keyword.
    pub role: Role,
    /// As written.
    pub name: Name,
    /// One to eight, between the brackets; a register without brackets has none.
    pub extents: Vec<Expr>,
    /// The type behind the colon.
    pub element: Type,
}

/// `constant x = …`, or a table, `constant K[4] : u32 = …, …, …, …`.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// As written.
    pub name: Name,
    /// How many entries a table has.
    pub entries: Option<Expr>,
    /// The type behind a colon.
    pub element: Option<Type>,
    /// One, or those of a table.
    pub values: Vec<Expr>,
}

/// A pure scalar function, `function f(x, y) = …`.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// As written.
    pub name: Name,
    /// Names of the arguments.
    pub parameters: Vec<Name>,
    /// What stands behind `=`.
    pub body: Expr,
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
    pub body: Vec<Statement>,
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
pub struct Statement {
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
        indices: Vec<Expr>,
        /// What stands behind the arrow.
        value: Expr,
    },
    /// `targets ← values`: all values first.
    Several {
        /// From left to right; two at least.
        targets: Vec<Target>,
        /// As many.
        values: Vec<Expr>,
    },
    /// `name(arguments)`: a procedure, called.
    Call {
        /// The procedure's name.
        procedure: Name,
        /// In order.
        arguments: Vec<Expr>,
    },
    /// `left ↔ right`.
    Swap([Target; 2]),
    /// `break`, out of the innermost sequential loop.
    Break,
    /// `repeat … until condition`.
    Repeat {
        /// What is repeated, once at least.
        body: Vec<Statement>,
        /// Asked after each iteration.
        until: Expr,
    },
    /// A `for` loop, sequential, parallel or on DMMs.
    For(For),
    /// A `while` loop.
    While {
        /// Asked before each iteration.
        condition: Expr,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// An `if`, with or without `else`.
    If {
        /// What decides.
        condition: Expr,
        /// The statements below `then`.
        then: Vec<Statement>,
        /// Those below `else`; empty without one.
        otherwise: Vec<Statement>,
    },
    /// A phase, `A:`.
    Label {
        /// The label.
        name: Name,
        /// The statements below it.
        body: Vec<Statement>,
    },
}

/// What is assigned, among several.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// A scalar or an array.
    pub name: Name,
    /// Empty for a scalar.
    pub indices: Vec<Expr>,
}

/// `for variable ← from to to step step do in parallel on DMMs`, or `downto`.
#[derive(Debug, Clone, PartialEq)]
pub struct For {
    /// The loop variable.
    pub variable: Name,
    /// The first value.
    pub from: Expr,
    /// The last value that it may have.
    pub to: Expr,
    /// Whether `downto` stands there.
    pub downward: bool,
    /// The value behind `step`.
    pub step: Option<Expr>,
    /// What stands beside `do`.
    pub order: Order,
    /// What is repeated.
    pub body: Vec<Statement>,
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
        threads: Option<Box<Expr>>,
        /// What stands at the head of the body: `shared` and `register`.
        arrays: Vec<ArrayDeclaration>,
    },
}

/// An expression with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// Digits alone.
    Integer(u64),
    /// Digits with a point or an exponent.
    Float(f64),
    /// `∞` or `inf`.
    Infinity,
    /// `true` or `false`.
    Boolean(bool),
    /// A parameter or a scalar.
    Name(String),
    /// `array[indices]`.
    Element {
        /// The array's name.
        array: String,
        /// One a dimension.
        indices: Vec<Expr>,
    },
    /// `array[i, 0 .. m-1]`: a part of an array, an argument of a procedure.
    Slice {
        /// The array's name.
        array: String,
        /// One a dimension: an index, or the first and the last.
        ranges: Vec<(Expr, Option<Expr>)>,
    },
    /// A function of the listing, called.
    Call {
        /// The function's name.
        function: String,
        /// In order.
        arguments: Vec<Expr>,
    },
    /// An operation on one value.
    Unary(UnaryOp, Box<Expr>),
    /// `⌊x⌋` of an integer: what it is anyway, since `/` rounds down.
    Floor(Box<Expr>),
    /// `⌈a / b⌉`: the quotient rounded up.
    Ceiling(Box<Expr>),
    /// An operation on two values, the left one first.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Condition, then, otherwise.
    Conditional(Box<[Expr; 3]>),
}

/// Operations on one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `−x`.
    Negate,
    /// `not x`, of a boolean.
    Not,
    /// `~x`: every bit of an integer inverted.
    BitNot,
    /// `|x|`.
    Abs,
    /// `√x`, of a float.
    Sqrt,
    /// The ones among the bits of an integer.
    Popcount,
    /// The zeros above the highest one of an integer.
    LeadingZeros,
    /// `⌊x⌋`, of a float.
    Floor,
    /// `⌈x⌉`, of a float.
    Ceiling,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The tangent.
    Tan,
    /// e to the power of x.
    Exp,
    /// The natural logarithm.
    Log,
    /// The logarithm to base 2.
    Log2,
}

/// Operations on two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `or`, of booleans.
    Or,
    /// `and`, of booleans.
    And,
    /// `=`.
    Equal,
    /// `≠`.
    NotEqual,
    /// `<`.
    Less,
    /// `≤`.
    LessEqual,
    /// `>`.
    Greater,
    /// `≥`.
    GreaterEqual,
    /// Or of each bit.
    BitOr,
    /// Exclusive or of each bit.
    BitXor,
    /// And of each bit.
    BitAnd,
    /// Bits moved to higher places.
    ShiftLeft,
    /// Bits moved to lower places.
    ShiftRight,
    /// `+`.
    Add,
    /// `−`.
    Subtract,
    /// `×`.
    Multiply,
    /// `/`; of integers, the quotient rounded down.
    Divide,
    /// `mod`, with the sign of the divisor.
    Modulo,
    /// The lesser of the two.
    Min,
    /// The greater of the two.
    Max,
    /// Bits moved to higher places, those that leave the type to its lowest.
    RotateLeft,
    /// Bits moved to lower places, those that leave the type to its highest.
    RotateRight,
    /// The upper half of the product's bits.
    MultiplyHigh,
    /// `xⁿ` for an integer n.
    Power,
    /// `xʸ` of floats.
    RealPower,
    /// `atan2(y, x)`: the angle of the point (x, y).
    Angle,
}

impl BinaryOp {
    /// How the operator is written, and how tightly it binds (0 loosest). From `min` on they are written
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
            Self::RotateLeft => ("rotl", 11),
            Self::RotateRight => ("rotr", 11),
            Self::MultiplyHigh => ("mulhi", 11),
            Self::Power | Self::RealPower => ("^", 11),
            Self::Angle => ("atan2", 11),
        }
    }

    /// Whether the result is a boolean from two numbers.
    pub const fn is_comparison(self) -> bool {
        self.written().1 == 3
    }

    /// Whether the right operand is a number of bits.
    pub const fn is_shift(self) -> bool {
        matches!(self, Self::ShiftLeft | Self::ShiftRight | Self::RotateLeft | Self::RotateRight)
    }

    /// Whether the right operand is an i64, whatever the left one is.
    pub const fn takes_number(self) -> bool {
        self.is_shift() || matches!(self, Self::Power)
    }
}
