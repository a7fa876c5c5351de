//! Formulas over parameters: `n^3*l/p`, `n*log2(n)`.

use std::fmt;
use std::str::FromStr;

/// A parsed formula. It keeps its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    text: String,
    pub(super) root: Node,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Number(f64),
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

impl Expression {
    /// The value where `value` gives each name's.
    ///
    /// # Errors
    /// The first name without a value.
    pub fn evaluate(&self, value: &dyn Fn(&str) -> Option<f64>) -> Result<f64, String> {
        self.root.evaluate(value)
    }

    /// The terms of a sum: `a + b` has two, anything else one. Each keeps the text of its own.
    ///
    /// # Errors
    /// Never for a parsed expression: each part of its text parses.
    pub fn summands(&self) -> Result<Vec<Self>, String> {
        let (mut parts, mut depth) = (vec![String::new()], 0);
        for character in self.text.chars() {
            depth += i32::from(character == '(') - i32::from(character == ')');
            match parts.last_mut() {
                Some(part) if character != '+' || depth > 0 => part.push(character),
                _ => parts.push(String::new()),
            }
        }
        parts.iter().map(|part| part.parse()).collect()
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Node {
    fn evaluate(&self, value: &dyn Fn(&str) -> Option<f64>) -> Result<f64, String> {
        Ok(match self {
            Self::Number(number) => *number,
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

/// Nesting deeper than this is refused.
const DEEPEST: usize = 100;

impl FromStr for Expression {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text, depth: 0 };
        let root = parser.sum()?;
        match parser.peek() {
            None => Ok(Self { text: text.trim().to_owned(), root }),
            Some(found) => Err(format!("`{text}`: `{found}` stands where the formula could end")),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let found = self.peek().filter(|it| wanted.contains(it))?;
        self.rest = &self.rest[found.len_utf8()..];
        Some(found)
    }

    /// What stands in front of the first character that does not belong.
    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &str {
        let end = self.rest.find(|it| !belongs(it)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn sum(&mut self) -> Result<Node, String> {
        let mut left = self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            left = Node::Operation(operator, Box::new([left, self.product()?]));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, String> {
        let mut left = self.power()?;
        while let Some(operator) = self.take(&['*', '/']) {
            left = Node::Operation(operator, Box::new([left, self.power()?]));
        }
        Ok(left)
    }

    fn power(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the formula is nested too deeply".to_owned());
        }
        let base = self.atom()?;
        let node = match self.take(&['^']) {
            Some(operator) => Node::Operation(operator, Box::new([base, self.power()?])),
            None => base,
        };
        self.depth -= 1;
        Ok(node)
    }

    fn atom(&mut self) -> Result<Node, String> {
        match self.peek() {
            Some('(') => self.in_parentheses(),
            Some(it) if it.is_ascii_digit() => {
                let word = self.word(|it| it.is_ascii_digit() || it == '.');
                word.parse().map(Node::Number).map_err(|_| format!("`{word}` is no number"))
            }
            Some(it) if it.is_alphabetic() => {
                let name = self.word(|it| it.is_alphanumeric() || it == '_').to_owned();
                if self.peek() != Some('(') {
                    return Ok(Node::Name(name));
                }
                let function = match name.as_str() {
                    "log2" => Function::Log2,
                    "sqrt" => Function::Sqrt,
                    "ceil" => Function::Ceil,
                    "floor" => Function::Floor,
                    _ => {
                        return Err(format!(
                            "there is no function `{name}`; there are log2, sqrt, ceil and floor"
                        ));
                    }
                };
                Ok(Node::Call(function, Box::new(self.in_parentheses()?)))
            }
            Some(found) => Err(format!("`{found}` stands where a number or a name should")),
            None => Err("the formula ends where a number or a name should stand".to_owned()),
        }
    }

    fn in_parentheses(&mut self) -> Result<Node, String> {
        self.take(&['(']);
        let node = self.sum()?;
        match self.take(&[')']) {
            Some(_) => Ok(node),
            None => Err("a parenthesis is not closed".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        let known = |name: &str| match name {
            "n" => Some(8.0),
            "w" => Some(4.0),
            _ => None,
        };
        text.parse::<Expression>()?.evaluate(&known)
    }

    #[test]
    fn values() {
        assert_eq!(value("n^3/w + 2*n"), Ok(144.0));
        assert_eq!(value("n*log2(n)"), Ok(24.0));
        assert_eq!(value("2^n^0.5^2 - (n - w)"), Ok(2_f64.powf(8_f64.powf(0.25)) - 4.0));
        assert_eq!(value("q"), Err("q".to_owned()));
    }

    #[test]
    fn summands_are_split_outside_parentheses() {
        let sum: Expression = "n^3/w + n*(w + 1)".parse().unwrap();
        let parts: Vec<String> = sum.summands().unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(parts, ["n^3/w", "n*(w + 1)"]);
    }

    #[test]
    fn mistakes_are_named() {
        for text in ["", "n+", "(n", "n)", "n n", "ln(n)", "1.2.3", "*", "n^"] {
            assert!(text.parse::<Expression>().is_err(), "{text}");
        }
        assert!("(".repeat(10_000).parse::<Expression>().is_err());
    }
}
