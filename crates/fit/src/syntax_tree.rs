//! A formula's tree, and its value.

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

/// Powers of numbers beyond this are not worked out.
const LARGEST_POWER: i32 = 64;

/// A number, a name, an operation + - * / ^ on two others, or a function of another.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Number(BigRational),
    Name(String),
    Operation(char, Box<[Node; 2]>),
    Call(Function, Box<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Log2,
    Sqrt,
    Ceil,
    Floor,
}

impl Node {
    /// The value where `value` gives each name's, or the first name without one.
    pub(super) fn evaluate(&self, value: &dyn Fn(&str) -> Option<f64>) -> Result<f64, String> {
        Ok(match self {
            Self::Number(number) => number.to_f64().unwrap_or(f64::INFINITY),
            Self::Name(name) => value(name).ok_or_else(|| name.clone())?,
            Self::Operation(operator, operands) => {
                let [left, right] = operands.as_ref();
                let (left, right) = (left.evaluate(value)?, right.evaluate(value)?);
                match operator {
                    '+' => left + right,
                    '-' => left - right,
                    '*' => left * right,
                    '/' => left / right,
                    _ => left.powf(right),
                }
            }
            Self::Call(function, operand) => {
                let operand = operand.evaluate(value)?;
                match function {
                    Function::Log2 => operand.log2(),
                    Function::Sqrt => operand.sqrt(),
                    Function::Ceil => operand.ceil(),
                    Function::Floor => operand.floor(),
                }
            }
        })
    }
}

impl Node {
    pub(super) fn operation(operator: char, left: Self, right: Self) -> Self {
        Self::Operation(operator, Box::new([left, right]))
    }

    /// The exact value of a formula in which no name stands; `None` where it is no fraction.
    pub(super) fn constant(&self) -> Option<BigRational> {
        match self {
            Self::Number(number) => Some(number.clone()),
            Self::Name(_) | Self::Call(..) => None,
            Self::Operation(operator, operands) => {
                let (left, right) = (operands[0].constant()?, operands[1].constant()?);
                match operator {
                    '+' => Some(left + right),
                    '-' => Some(left - right),
                    '*' => Some(left * right),
                    '/' => (!right.is_zero()).then(|| left / right),
                    _ => {
                        let power = right.is_integer().then(|| right.to_integer().to_i32())??;
                        let defined = !left.is_zero() || power >= 0;
                        (defined && power.abs() <= LARGEST_POWER).then(|| left.pow(power))
                    }
                }
            }
        }
    }
}
