//! Procedures and their calls.

use super::{Parser, Result};
use crate::language::lexer::{Symbol, Token};
use crate::language::syntax::{Expr, ExprKind, Formal, Name, Procedure, StatementKind};

impl Parser {
    pub(super) fn procedure(&mut self) -> Result<Procedure> {
        self.advance();
        let name = self.name("the procedure's name")?;
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
        let body = self.block("a procedure's head")?;
        Ok(Procedure { name, parameters, results, body })
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
    pub(super) fn element_or_slice(&mut self, array: String) -> Result<ExprKind> {
        let mut ranges: Vec<(Expr, Option<Expr>)> = self.list(Symbol::CloseIndex, |parser| {
            let first = parser.expression()?;
            let is_range = parser.accept_symbol(Symbol::Range);
            let last = if is_range { Some(parser.expression()?) } else { None };
            Ok((first, last))
        })?;
        if ranges.iter().any(|(_, last)| last.is_some()) {
            return Ok(ExprKind::Slice { array, ranges });
        }
        let indices = ranges.drain(..).map(|(index, _)| index).collect();
        Ok(ExprKind::Element { array, indices })
    }
}
