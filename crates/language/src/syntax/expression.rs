//! Expressions, as written.

use std::cmp::Ordering;

use crate::diagnostic::Span;

/// An expression with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct ExprNode {
    /// Its form.
    pub kind: ExprNodeKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprNodeKind {
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
        indices: Vec<ExprNode>,
    },
    /// `array[i, 0 .. m-1]`: a part of an array, an argument of a procedure.
    Slice {
        /// The array's name.
        array: String,
        /// One a dimension: an index, or the first and the last.
        ranges: Vec<(ExprNode, Option<ExprNode>)>,
    },
    /// `i : i+3`: the last index of neighbours that are accessed at once; the first and the last.
    Neighbours(Box<[ExprNode; 2]>),
    /// A function of the listing, called.
    Call {
        /// The function's name.
        function: String,
        /// In order.
        arguments: Vec<ExprNode>,
    },
    /// An operation on one value.
    Unary(UnaryOp, Box<ExprNode>),
    /// `⌊x⌋` of an integer: what it is anyway, since `/` rounds down.
    Floor(Box<ExprNode>),
    /// `⌈a / b⌉`: the quotient rounded up.
    Ceiling(Box<ExprNode>),
    /// An operation on two values, the left one first.
    Binary(BinaryOp, Box<ExprNode>, Box<ExprNode>),
    /// Condition, then, otherwise.
    Conditional(Box<[ExprNode; 3]>),
}

impl ExprNode {
    /// What it is made of, from left to right, without the indices of an array.
    pub fn operands(&self) -> Vec<&Self> {
        match &self.kind {
            ExprNodeKind::Call { arguments, .. } => arguments.iter().collect(),
            ExprNodeKind::Unary(_, it) | ExprNodeKind::Floor(it) | ExprNodeKind::Ceiling(it) => {
                vec![it]
            }
            ExprNodeKind::Binary(_, left, right) => vec![left, right],
            ExprNodeKind::Conditional(parts) => parts.iter().collect(),
            _ => vec![],
        }
    }
}

impl ExprNodeKind {
    /// The same, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut ExprNode> {
        match self {
            Self::Call { arguments, .. } => arguments.iter_mut().collect(),
            Self::Unary(_, it) | Self::Floor(it) | Self::Ceiling(it) => vec![it],
            Self::Binary(_, left, right) => vec![left, right],
            Self::Conditional(parts) => parts.iter_mut().collect(),
            _ => vec![],
        }
    }
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
    /// Whether a comparison holds of two values in an order; nothing of other operators.
    pub const fn holds(self, order: Ordering) -> Option<bool> {
        Some(match self {
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            _ => return None,
        })
    }

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
