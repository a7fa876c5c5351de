//! Calls in parallel: `spawn f(…)`, and `sync`, which waits for them. Neither word is reserved.

use super::{Parser, Result};
use crate::lexer::{Symbol, Token};
use crate::syntax::{ExprNodeKind, StatementKind, StatementNode};

impl Parser {
    /// Whether the line begins with `spawn`, or has it behind its arrow.
    pub(super) fn begins_fork(&self) -> bool {
        let line = self.tokens[self.at..].iter().map(|it| &it.token);
        let line: Vec<&Token> = line.take_while(|it| **it != Token::Newline).collect();
        let arrow = line.iter().position(|it| **it == Token::Symbol(Symbol::Arrow));
        is_spawn(&line) || arrow.is_some_and(|it| is_spawn(&line[it + 1..]))
    }

    pub(super) fn accept_spawn(&mut self) {
        let next: Vec<&Token> = self.tokens[self.at..].iter().take(3).map(|it| &it.token).collect();
        if is_spawn(&next) {
            self.advance();
        }
    }

    /// Calls behind `spawn`, and the statements up to `sync`.
    pub(super) fn fork(&mut self) -> Result<StatementNode> {
        let span = self.span();
        let mut calls = vec![];
        while self.begins_fork() {
            self.accept_spawn();
            let call = self.deeper(Self::statement)?;
            let is_call = match &call.kind {
                StatementKind::Call { .. } => true,
                StatementKind::Assign { indices, declared: None, value, .. } => {
                    indices.is_empty() && matches!(value.kind, ExprNodeKind::Call { .. })
                }
                StatementKind::Several { targets, values } => {
                    targets.iter().all(|it| it.indices.is_empty())
                        && matches!(&values[..], [it] if matches!(it.kind, ExprNodeKind::Call { .. }))
                }
                _ => false,
            };
            if !is_call {
                return Err(crate::diagnostic::Diagnostic::new(
                    call.span,
                    "`spawn` before no call",
                )
                .help("it stands before a call of a procedure: `spawn f(a)`, `x ← spawn f(a)`"));
            }
            calls.push(call);
        }
        let mut meanwhile = vec![];
        loop {
            // One `sync` waits for all calls.
            if self.begins_fork() {
                meanwhile.push(self.deeper(Self::fork)?);
                break;
            }
            if self.accept_name("sync") {
                self.end_of_line()?;
                break;
            }
            if !matches!(self.peek(), Token::Name(_) | Token::Word(_)) {
                return Err(self
                    .unexpected("`sync`")
                    .help("what is spawned is waited for in the same block: write `sync` below"));
            }
            meanwhile.push(self.deeper(Self::statement)?);
        }
        Ok(StatementNode { kind: StatementKind::Fork { calls, meanwhile }, span })
    }
}

/// Whether `spawn` begins here, and a call, or what is assigned from one, follows.
fn is_spawn(line: &[&Token]) -> bool {
    matches!(line, [Token::Name(word), Token::Name(_), Token::Symbol(Symbol::Open | Symbol::Arrow | Symbol::Comma), ..] if word == "spawn")
}
