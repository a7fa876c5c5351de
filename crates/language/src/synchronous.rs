//! The synchronous PRAM: each statement of a parallel loop is a round, in which all processors read before
//! any writes, however few threads there are.
//!
//! A listing becomes one that does so on any machine: what a round reads and writes is copied before it, and
//! the round reads the copy. Rounds that must not mix are parallel loops of their own.

mod access;
mod make;
mod nest;

use std::collections::HashSet;

use super::syntax::{ArrayDeclaration, Listing, Order, StatementKind, StatementNode};
use crate::diagnostic::{Diagnostic, Span};
use crate::keyword::Keyword;

type Result<T> = std::result::Result<T, Diagnostic>;

/// What a parallel loop means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Semantics {
    /// Threads do iterations in whatever order, and meet at the end of the loop.
    #[default]
    Threads,
    /// A processor an iteration, all in step: a statement's reads precede its writes.
    Pram,
}

impl Keyword for Semantics {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (
            Self::Threads,
            "threads",
            "threads do iterations in any order, and meet at the loop's end",
        ),
        (
            Self::Pram,
            "pram",
            "a processor an iteration, in step: all reads of a statement precede its writes; where that \
             needs a second array, it is made and its copies are counted",
        ),
    ];
}

/// Rewrites the parallel loops of a listing; says what was made, each with its place.
///
/// # Errors
/// A loop whose rounds cannot be told apart.
pub(super) fn rewrite(listing: Listing) -> Result<(Listing, Vec<(Span, String)>)> {
    let parameters = listing.parameters.iter().map(|it| it.name.text.clone());
    let mut rewriter = Rewriter {
        parameters: parameters.collect(),
        names: access::names(&listing),
        arrays: listing.arrays.clone(),
        made: 0,
        said: vec![],
    };
    let body = rewriter.statements(&listing.body)?;
    for procedure in &listing.procedures {
        if let Some(nest) = first_parallel(&procedure.body) {
            return Err(Diagnostic::new(nest, "a parallel loop in a procedure")
                .help("the synchronous PRAM is known of loops of the algorithm: write the procedure's statements there"));
        }
    }
    let listing = Listing { arrays: rewriter.arrays, body, ..listing };
    Ok((listing, rewriter.said))
}

fn first_parallel(statements: &[StatementNode]) -> Option<Span> {
    statements.iter().find_map(|it| match &it.kind {
        StatementKind::For(node) if node.order != Order::InTurn => Some(it.span),
        _ => access::blocks(it).into_iter().find_map(first_parallel),
    })
}

struct Rewriter {
    parameters: HashSet<String>,
    /// All names of the listing.
    names: HashSet<String>,
    arrays: Vec<ArrayDeclaration>,
    made: usize,
    said: Vec<(Span, String)>,
}

impl Rewriter {
    /// A name that nothing else has.
    fn fresh(&mut self, word: &str) -> String {
        loop {
            self.made += 1;
            let name = format!("{word}_{}", self.made);
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Statements outside of parallel loops.
    fn statements(&mut self, statements: &[StatementNode]) -> Result<Vec<StatementNode>> {
        let mut out = vec![];
        for statement in statements {
            let mut statement = statement.clone();
            match &mut statement.kind {
                StatementKind::For(node) if node.order != Order::InTurn => {
                    out.extend(self.nest(node, statement.span)?);
                    continue;
                }
                StatementKind::For(node) => node.body = self.statements(&node.body)?,
                StatementKind::While { body, .. }
                | StatementKind::Repeat { body, .. }
                | StatementKind::Label { body, .. } => *body = self.statements(body)?,
                StatementKind::If { then, otherwise, .. } => {
                    *then = self.statements(then)?;
                    *otherwise = self.statements(otherwise)?;
                }
                StatementKind::Fork { meanwhile, .. } => *meanwhile = self.statements(meanwhile)?,
                _ => {}
            }
            out.push(statement);
        }
        Ok(out)
    }
}
