//! Expressions: precedence climbing over [`BinaryOp::written`], then prefix operators and atoms.

use super::{Parser, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::{Symbol, Token, Word};
use crate::syntax::{BinaryOp, ExprNode, ExprNodeKind, Type, UnaryOp};

/// Binding strength of `not`: below comparisons, above `and`.
const NOT: u8 = 2;
/// Binding strength of prefix operators: above every binary one.
const PREFIX: u8 = 10;

impl Parser {
    /// An expression whose operators bind at least as tightly as `strength`.
    pub(super) fn binary(&mut self, strength: u8) -> Result<ExprNode> {
        let beside = std::mem::take(&mut self.height);
        let mut left = self.prefix(strength)?;
        while let Some(op) = binary_operator(self.peek()) {
            let binds = op.written().1;
            if binds < strength {
                break;
            }
            self.advance();
            // Powers alone group to the right.
            let of_right = if op == BinaryOp::Power { binds } else { binds + 1 };
            let right = self.deeper(|parser| parser.binary(of_right))?;
            if op.is_comparison()
                && binary_operator(self.peek()).is_some_and(BinaryOp::is_comparison)
            {
                return Err(Diagnostic::new(self.span(), "comparisons cannot be chained")
                    .help("write `a < b and b < c`"));
            }
            self.higher()?;
            let span = left.span.to(right.span);
            left =
                ExprNode { kind: ExprNodeKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
        self.height = self.height.max(beside);
        if let (Token::Symbol(Symbol::Arrow), Token::Integer(_) | Token::Name(_)) =
            (self.peek(), self.peek_second())
        {
            return Err(self
                .unexpected("an operator")
                .help("`←` assigns; a comparison with a negative value is written `x < -y`"));
        }
        Ok(left)
    }

    fn prefix(&mut self, strength: u8) -> Result<ExprNode> {
        let start = self.span();
        let (op, binds) = match self.peek() {
            Token::Word(Word::Not) | Token::Symbol(Symbol::Not) if strength <= NOT => {
                (UnaryOp::Not, NOT)
            }
            Token::Symbol(Symbol::BitNot) => (UnaryOp::BitNot, PREFIX),
            Token::Symbol(Symbol::Minus) => (UnaryOp::Negate, PREFIX),
            Token::Symbol(Symbol::Plus) => {
                self.advance();
                return self.deeper(|parser| parser.binary(PREFIX));
            }
            _ => return self.atom(),
        };
        self.advance();
        let operand = self.deeper(|parser| parser.binary(binds))?;
        self.higher()?;
        let span = start.to(operand.span);
        Ok(ExprNode { kind: ExprNodeKind::Unary(op, Box::new(operand)), span })
    }

    fn atom(&mut self) -> Result<ExprNode> {
        let start = self.span();
        let kind = match self.advance() {
            Token::Integer(value) => ExprNodeKind::Integer(value),
            Token::Float(value) => ExprNodeKind::Float(value),
            Token::Word(Word::Infinity) | Token::Symbol(Symbol::Infinity) => ExprNodeKind::Infinity,
            Token::Symbol(Symbol::Pi) => ExprNodeKind::Float(std::f64::consts::PI),
            Token::Symbol(Symbol::LogTwo) => {
                let operand = self.deeper(|parser| parser.binary(PREFIX))?;
                ExprNodeKind::Call { function: "log2".to_owned(), arguments: vec![operand] }
            }
            Token::Word(Word::True) => ExprNodeKind::Boolean(true),
            Token::Word(Word::False) => ExprNodeKind::Boolean(false),
            Token::Symbol(Symbol::Open) => {
                let inner = self.expression()?;
                self.expect_symbol(Symbol::Close)
                    .map_err(|error| error.help("a `(` before this place is not closed"))?;
                return Ok(ExprNode { span: start.to(self.last_span()), ..inner });
            }
            Token::Symbol(open @ (Symbol::OpenFloor | Symbol::OpenCeiling)) => {
                let inner = Box::new(self.expression()?);
                if open == Symbol::OpenFloor {
                    self.expect_symbol(Symbol::CloseFloor)?;
                    ExprNodeKind::Floor(inner)
                } else {
                    self.expect_symbol(Symbol::CloseCeiling)?;
                    ExprNodeKind::Ceiling(inner)
                }
            }
            Token::Word(Word::If) => {
                let condition = self.expression()?;
                self.expect_word(Word::Then)?;
                let then = self.expression()?;
                self.expect_word(Word::Else)?;
                let otherwise = self.expression()?;
                ExprNodeKind::Conditional(Box::new([condition, then, otherwise]))
            }
            Token::Word(word @ (Word::Min | Word::Max | Word::Abs | Word::Sqrt)) => {
                self.built_in(word, start)?
            }
            Token::Type(element) => self.conversion(element)?,
            Token::Name(name) if self.accept_symbol(Symbol::Open) => {
                let arguments = self.list(Symbol::Close, Self::expression)?;
                ExprNodeKind::Call { function: name, arguments }
            }
            Token::Name(array) if self.accept_symbol(Symbol::OpenIndex) => {
                let kind = self.element_or_slice(array)?;
                if matches!(&kind, ExprNodeKind::Element { indices, .. } if indices.is_empty()) {
                    return Err(Diagnostic::new(
                        start.to(self.last_span()),
                        "an array reference without an index",
                    ));
                }
                kind
            }
            Token::Name(name) => ExprNodeKind::Name(name),
            other => {
                let message = format!("expected an expression, found {}", other.describe());
                return Err(Diagnostic::new(start, message).label("expected an expression"));
            }
        };
        self.higher()?;
        Ok(ExprNode { kind, span: start.to(self.last_span()) })
    }

    /// `min(a, b, …)`, `max(a, b, …)`, `abs(a)`, `sqrt(a)`.
    fn built_in(&mut self, word: Word, start: Span) -> Result<ExprNodeKind> {
        self.expect_symbol(Symbol::Open)?;
        let arguments = self.list(Symbol::Close, Self::expression)?;
        let span = start.to(self.last_span());
        let count = arguments.len();
        let mut arguments = arguments.into_iter();
        let binary = match word {
            Word::Min => BinaryOp::Min,
            Word::Max => BinaryOp::Max,
            _ => {
                let op = if word == Word::Abs { UnaryOp::Abs } else { UnaryOp::Sqrt };
                return match (arguments.next(), count) {
                    (Some(operand), 1) => Ok(ExprNodeKind::Unary(op, Box::new(operand))),
                    _ => Err(arity(span, word.text(), "one argument", count)),
                };
            }
        };
        let Some(first) = arguments.next().filter(|_| (2..=4).contains(&count)) else {
            return Err(arity(span, word.text(), "two to four arguments", count));
        };
        let folded = arguments.fold(first, |left, right| ExprNode {
            kind: ExprNodeKind::Binary(binary, Box::new(left), Box::new(right)),
            span,
        });
        Ok(folded.kind)
    }

    /// `f32(a)` and the like: an explicit conversion, a call by the type's name.
    fn conversion(&mut self, element: Type) -> Result<ExprNodeKind> {
        self.expect_symbol(Symbol::Open)?;
        let arguments = self.list(Symbol::Close, Self::expression)?;
        Ok(ExprNodeKind::Call { function: element.word().to_owned(), arguments })
    }
}

pub(crate) fn arity(span: Span, name: &str, takes: &str, given: usize) -> Diagnostic {
    Diagnostic::new(span, format!("`{name}` takes {takes}, not {given}"))
        .help("give as many arguments as it takes, with commas between")
}

fn binary_operator(token: &Token) -> Option<BinaryOp> {
    Some(match token {
        Token::Word(Word::Or) => BinaryOp::Or,
        Token::Word(Word::And) => BinaryOp::And,
        Token::Word(Word::Xor) => BinaryOp::BitXor,
        Token::Word(Word::Mod) | Token::Symbol(Symbol::Percent) => BinaryOp::Modulo,
        Token::Symbol(symbol) => match symbol {
            Symbol::And => BinaryOp::And,
            Symbol::Or => BinaryOp::Or,
            Symbol::Equal => BinaryOp::Equal,
            Symbol::NotEqual => BinaryOp::NotEqual,
            Symbol::Less => BinaryOp::Less,
            Symbol::LessEqual => BinaryOp::LessEqual,
            Symbol::Greater => BinaryOp::Greater,
            Symbol::GreaterEqual => BinaryOp::GreaterEqual,
            Symbol::BitOr => BinaryOp::BitOr,
            Symbol::BitAnd => BinaryOp::BitAnd,
            Symbol::ShiftLeft => BinaryOp::ShiftLeft,
            Symbol::ShiftRight => BinaryOp::ShiftRight,
            Symbol::Plus => BinaryOp::Add,
            Symbol::Minus => BinaryOp::Subtract,
            Symbol::Times => BinaryOp::Multiply,
            Symbol::Divide => BinaryOp::Divide,
            Symbol::Power => BinaryOp::Power,
            _ => return None,
        },
        _ => return None,
    })
}
