//! Procedures and their calls.

use super::foreign::RETURNED;
use super::{Parser, Result};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Symbol, Token, Word};
use crate::syntax::{ExprNode, ExprNodeKind, Formal, Name, Procedure, StatementKind, Target};

impl Parser {
    pub(super) fn procedure(&mut self) -> Result<Procedure> {
        self.advance();
        let name = self.name("the procedure's name")?;
        // Its call could not be told from what a loop decreases.
        if name.text == "decreases" {
            return Err(Diagnostic::new(name.span, "no procedure is called `decreases`")
                .help("the word says what falls in a `while` loop: call the procedure otherwise"));
        }
        self.expect_symbol(Symbol::Open)?;
        let parameters = self.list(Symbol::Close, Self::formal)?;
        let mut results = vec![];
        if self.accept_symbol(Symbol::Yields) {
            results.push(self.name("a result")?);
            while self.accept_symbol(Symbol::Comma) {
                results.push(self.name("a result")?);
            }
        }
        if self.peek() != &Token::Newline {
            return Err(self
                .unexpected("`→`, or the end of the line")
                .help("write `procedure p(x[n], k) → s`, and its statements indented below"));
        }
        self.results = Some(results.clone());
        let body = self.block("a procedure's head")?;
        self.results = None;
        Ok(Procedure { name, parameters, results, body })
    }

    /// `return`, with a procedure's results.
    pub(super) fn returns(&mut self) -> Result<StatementKind> {
        let at = self.span();
        self.advance();
        let Some(results) = self.results.clone().filter(|_| !self.ends_line()) else {
            if !self.ends_line() {
                let (what, help) = RETURNED;
                return Err(Diagnostic::new(at, what).help(help));
            }
            self.end_of_line()?;
            return Ok(StatementKind::Return { targets: vec![], values: vec![] });
        };
        let mut values = vec![self.expression()?];
        while self.accept_symbol(Symbol::Comma) {
            values.push(self.expression()?);
        }
        let is_call = matches!(&values[..], [ExprNode { kind: ExprNodeKind::Call { .. }, .. }]);
        if values.len() != results.len() && !is_call || results.is_empty() {
            let span = values[0].span.to(self.last_span());
            let message =
                format!("{} returned, of {} that the head names", values.len(), results.len());
            return Err(Diagnostic::new(span, message)
                .help("name the results behind the head: `procedure p(x[n]) → s, t`"));
        }
        self.end_of_line()?;
        let targets = results.into_iter().map(|name| Target { name, indices: vec![] }).collect();
        Ok(StatementKind::Return { targets, values })
    }

    fn ends_line(&self) -> bool {
        matches!(self.peek(), Token::Newline | Token::Word(Word::Else))
    }

    fn formal(&mut self) -> Result<Formal> {
        let name = self.name("a parameter")?;
        let extents = if self.accept_symbol(Symbol::OpenIndex) {
            self.list(Symbol::CloseIndex, |parser| {
                parser.name("a name for an extent").map_err(|error| {
                    error.help("an array's extents have names, which a call gives their values")
                })
            })?
        } else {
            vec![]
        };
        Ok(Formal { name, extents })
    }

    pub(super) fn call(&mut self, procedure: Name) -> Result<StatementKind> {
        self.expect_symbol(Symbol::Open)?;
        let arguments = self.list(Symbol::Close, Self::expression)?;
        self.end_of_line()?;
        Ok(StatementKind::Call { procedure, arguments })
    }

    /// What stands between an array's brackets: indices, or ranges of them.
    /// An index, or the first and the last of neighbours: `i : i+3`.
    pub(super) fn index(&mut self) -> Result<ExprNode> {
        let first = self.expression()?;
        if !self.accept_symbol(Symbol::Colon) {
            return Ok(first);
        }
        let last = self.expression()?;
        let span = first.span.to(last.span);
        Ok(ExprNode { kind: ExprNodeKind::Neighbours(Box::new([first, last])), span })
    }

    pub(super) fn element_or_slice(&mut self, array: String) -> Result<ExprNodeKind> {
        let mut ranges: Vec<(ExprNode, Option<ExprNode>)> =
            self.list(Symbol::CloseIndex, |parser| {
                let first = parser.index()?;
                let is_range = parser.accept_symbol(Symbol::Range);
                let last = if is_range { Some(parser.expression()?) } else { None };
                Ok((first, last))
            })?;
        if ranges.iter().any(|(_, last)| last.is_some()) {
            return Ok(ExprNodeKind::Slice { array, ranges });
        }
        let mut indices = ranges.drain(..).map(|(index, _)| index).collect();
        self.field(&array, &mut indices)?;
        Ok(ExprNodeKind::Element { array, indices })
    }
}
