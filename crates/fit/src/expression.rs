//! Formulas over parameters: `n^3*l/p`, `n*log2(n)`.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::syntax_tree::{Function, Node};

/// A parsed formula. It keeps its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    text: String,
    pub(super) root: Node,
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
            depth += i32::from(OPENED.contains(character)) - i32::from(CLOSED.contains(character));
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

/// Nesting deeper than this is refused.
const DEEPEST: usize = 100;

const OPENED: &str = "(⌈⌊";
const CLOSED: &str = ")⌉⌋";
const TIMES: [char; 4] = ['*', '·', '×', '⋅'];
const OVER: [char; 2] = ['/', '÷'];
const MINUS: [char; 2] = ['-', '−'];
const RAISED_DIGITS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const RAISED_MINUS: char = '⁻';
/// The binary logarithm, which may stand without parentheses.
const LOGARITHMS: [&str; 3] = ["log2", "log₂", "log"];

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

fn is_in_name(it: char) -> bool {
    (it.is_alphanumeric() || it == '_') && raised_digit(it).is_none()
}

fn raised_digit(it: char) -> Option<usize> {
    RAISED_DIGITS.chars().position(|digit| digit == it)
}

/// Digits with at most one point among them, as the fraction that they are.
fn number(word: &str) -> Option<BigRational> {
    let (whole, part) = word.split_once('.').unwrap_or((word, ""));
    let digits: BigInt = format!("{whole}{part}").parse().ok()?;
    let scale = BigInt::from(10).pow(u32::try_from(part.len()).ok()?);
    Some(BigRational::new(digits, scale))
}

impl<'a> Parser<'a> {
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
    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|it| !belongs(it)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// Whether a factor follows that is no number: without a sign before it, it is multiplied.
    fn is_before_factor(&mut self) -> bool {
        self.peek().is_some_and(|it| it.is_alphabetic() || it == '√' || OPENED.contains(it))
    }

    fn sum(&mut self) -> Result<Node, String> {
        let mut left = self.product()?;
        while let Some(operator) = self.take(&['+', MINUS[0], MINUS[1]]) {
            let operator = if operator == '+' { '+' } else { '-' };
            left = Node::operation(operator, left, self.product()?);
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, String> {
        let mut left = self.power()?;
        let mut is_divided = false;
        loop {
            if self.take(&TIMES).is_some() {
                is_divided = false;
            } else if self.take(&OVER).is_some() {
                is_divided = true;
                left = Node::operation('/', left, self.power()?);
                continue;
            } else if !self.is_before_factor() {
                return Ok(left);
            } else if is_divided {
                let rest = self.rest;
                return Err(format!(
                    "in front of `{rest}` stands a quotient: multiplied by it, or divided by it, \
                     too? Write * or parentheses"
                ));
            }
            left = Node::operation('*', left, self.power()?);
        }
    }

    fn power(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the formula is nested too deeply".to_owned());
        }
        let base = self.atom()?;
        let node = match self.exponent()? {
            Some(exponent) => Node::operation('^', base, exponent),
            None => base,
        };
        self.depth -= 1;
        Ok(node)
    }

    /// What stands behind `^`, or is raised: n³, w⁻¹.
    fn exponent(&mut self) -> Result<Option<Node>, String> {
        if self.take(&['^']).is_some() {
            let is_negative = self.take(&MINUS).is_some();
            let power = self.power()?;
            let less = |power| Node::operation('-', Node::Number(BigRational::zero()), power);
            return Ok(Some(if is_negative { less(power) } else { power }));
        }
        let mut raised = self.word(|it| it == RAISED_MINUS || raised_digit(it).is_some()).chars();
        let Some(first) = raised.next() else { return Ok(None) };
        let sign = if first == RAISED_MINUS { -BigInt::one() } else { BigInt::one() };
        let digits = raised_digit(first).into_iter().map(Some).chain(raised.map(raised_digit));
        let mut power = None;
        for digit in digits {
            let digit = digit.ok_or("a raised minus stands inside a power")?;
            power = Some(power.unwrap_or_else(BigInt::zero) * 10 + digit);
        }
        let power = power.ok_or("a raised minus has no power")?;
        Ok(Some(Node::Number(BigRational::from_integer(power * sign))))
    }

    fn atom(&mut self) -> Result<Node, String> {
        match self.peek() {
            Some('(') => self.enclosed(')'),
            Some('⌈') => Ok(Node::Call(Function::Ceil, Box::new(self.enclosed('⌉')?))),
            Some('⌊') => Ok(Node::Call(Function::Floor, Box::new(self.enclosed('⌋')?))),
            Some('√') => {
                self.take(&['√']);
                Ok(Node::Call(Function::Sqrt, Box::new(self.power()?)))
            }
            Some(it) if it.is_ascii_digit() => {
                let word = self.word(|it| it.is_ascii_digit() || it == '.');
                number(word).map(Node::Number).ok_or_else(|| format!("`{word}` is no number"))
            }
            Some(it) if it.is_alphabetic() => self.name_or_call(),
            Some(found) => Err(format!("`{found}` stands where a number or a name should")),
            None => Err("the formula ends where a number or a name should stand".to_owned()),
        }
    }

    fn name_or_call(&mut self) -> Result<Node, String> {
        let name = self.word(is_in_name);
        if LOGARITHMS.contains(&name)
            && let Some(node) = self.logarithm()?
        {
            return Ok(node);
        }
        if self.peek() != Some('(') {
            return Ok(Node::Name(name.to_owned()));
        }
        let function = match name {
            "sqrt" => Function::Sqrt,
            "ceil" => Function::Ceil,
            "floor" => Function::Floor,
            _ => {
                return Err(format!(
                    "there is no function `{name}`; there are log2 (or log), sqrt, ceil and \
                     floor; a product is written {name}*(…)"
                ));
            }
        };
        Ok(Node::Call(function, Box::new(self.enclosed(')')?)))
    }

    /// Behind the word: log(n), log n, log² n. `None` if nothing follows that it could be of.
    fn logarithm(&mut self) -> Result<Option<Node>, String> {
        let of = |operand| Node::Call(Function::Log2, Box::new(operand));
        if self.peek() == Some('(') {
            return Ok(Some(of(self.enclosed(')')?)));
        }
        let is_raised = self.peek().is_some_and(|it| it == '^' || raised_digit(it).is_some());
        let is_number = self.peek().is_some_and(|it| it.is_ascii_digit());
        if !is_raised && !is_number && !self.is_before_factor() {
            return Ok(None);
        }
        let exponent = self.exponent()?;
        if !self.is_before_factor() && !self.peek().is_some_and(|it| it.is_ascii_digit()) {
            return Err("the logarithm of what? Write log(n)".to_owned());
        }
        let begun = self.rest;
        let operand = self.power()?;
        let next = self.rest.trim_start();
        if self.is_before_factor() && !LOGARITHMS.iter().any(|it| next.starts_with(it)) {
            return Err(format!("`log {begun}` is read in two ways; write log(…)"));
        }
        Ok(Some(match exponent {
            Some(exponent) => Node::operation('^', of(operand), exponent),
            None => of(operand),
        }))
    }

    fn enclosed(&mut self, close: char) -> Result<Node, String> {
        // The caller has seen what opens it.
        self.take(&['(', '⌈', '⌊']);
        let node = self.sum()?;
        match self.take(&[close]) {
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
            "l" => Some(3.0),
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

    /// What papers write, and what `umm` prints.
    #[test]
    fn notations() {
        for (text, expected) in [
            ("n·l/w", 8.0 * 3.0 / 4.0),
            ("n×w ÷ (2⋅l)", 32.0 / 6.0),
            ("log n", 3.0),
            ("log₂ n", 3.0),
            ("log2 n", 3.0),
            ("n log n", 24.0),
            ("2n log n/w", 12.0),
            ("n·⌈log₂ n⌉/w", 6.0),
            ("log² n", 9.0),
            ("log^2 n", 9.0),
            ("log n log n", 9.0),
            ("log(n)^2", 9.0),
            ("n² − w", 60.0),
            ("n³·w⁻¹", 128.0),
            ("n w^-1", 2.0),
            ("√w·⌊n/l⌋", 4.0),
            ("(n+w)(n−w)", 48.0),
            ("2^l", 8.0),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn summands_are_split_outside_parentheses() {
        let sum: Expression = "n^3/w + n*(w + 1) + ⌈n + 1⌉".parse().unwrap();
        let parts: Vec<String> = sum.summands().unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(parts, ["n^3/w", "n*(w + 1)", "⌈n + 1⌉"]);
    }

    #[test]
    fn mistakes_are_named() {
        for text in [
            "", "n+", "(n", "n)", "ln(n)", "1.2.3", "*", "n^", "n 2", "n(n+1)", "n/p w", "log n m",
            "n⁻", "n²⁻", "log^2", "⌈n)", "(n⌉", "√",
        ] {
            assert!(text.parse::<Expression>().is_err(), "{text}");
        }
        for deep in ["(", "√", "⌈", "log ", "n^", "log^"] {
            assert!(deep.repeat(10_000).parse::<Expression>().is_err(), "{deep}");
        }
    }
}
