//! Is a program oblivious? A static dependence analysis: which registers and arrays carry input
//! data, and whether an address, or whether an access happens at all, depends on them.
//!
//! A data-dependent branch that guards only registers leaves a program oblivious (Tani et al.
//! 2014, Algorithm OPT): what it assigns then carries data, which matters only if it reaches an
//! address.
//!
//! A program is *semi-oblivious* (Tani et al. 2014; Fujita, Nakano and Ito 2015) if data decide
//! whether a thread makes an access, but never to which address: threads go in step, each access of an
//! oblivious program is made or skipped. What is assigned behind a condition on data is the same for
//! all threads that are there, and carries data from where they meet the others again.

mod flow;

use std::collections::HashSet;

use self::flow::{Flow, analysed};
use super::program::{ArrayId, Expr, For, Program, Statement};
use super::syntax::Role;
use super::walk::statements;
use crate::diagnostic::Span;

/// The first construct whose accesses depend on input data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputDependence {
    /// The construct: an array reference, a loop or a condition.
    pub span: Span,
    /// What depends: an address, or whether an access happens.
    pub what: String,
    /// From the construct back to the declaration of the input.
    pub chain: Vec<Span>,
}

/// Which data a dependence is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Input arrays: a program without such a dependence is oblivious.
    Inputs,
    /// Any array: a program without such a dependence can be timed without memory.
    AnyArray,
}

/// Expressions of a program about which nothing can be known without what memory holds.
#[derive(Debug, Default)]
pub struct OnData {
    /// Operations that may fail, by where they lie: an inlined function's expressions are apart for
    /// each call.
    operations: HashSet<usize>,
    /// Conditions, and the bounds with which loops begin.
    controls: HashSet<usize>,
    /// Where the program may fail, in the order of the text.
    pub failures: Vec<Span>,
    /// Arrays of registers of which it is not known what they hold: those that are assigned, or not, as
    /// memory decides; and those outside of loops on DMMs, since loops with them may be counted.
    pub registers: HashSet<ArrayId>,
}

impl OnData {
    /// Whether memory decides if evaluating this operation fails. `expr` is a part of the very
    /// program that was looked at, no copy; likewise below.
    pub fn fails(&self, expr: &Expr) -> bool {
        self.operations.contains(&place(expr))
    }

    /// Whether memory decides which way this condition goes, how often the loop that begins with
    /// this bound runs, or from where this answer is read.
    pub fn controls(&self, expr: &Expr) -> bool {
        self.controls.contains(&place(expr))
    }

    fn unknown_registers(&self, program: &Program) -> HashSet<ArrayId> {
        let decided = statements(&program.body).flat_map(|statement| match statement {
            Statement::If { condition, then, otherwise, .. } if self.controls(condition) => {
                vec![then, otherwise]
            }
            Statement::For(For { range, body, .. }) if self.controls(&range.from) => vec![body],
            Statement::While { condition, body, .. } if self.controls(condition) => vec![body],
            _ => vec![],
        });
        let stored = decided.flat_map(statements).filter_map(|it| match it {
            Statement::Store { access, .. } => Some(access.array),
            _ => None,
        });
        let all = (0..program.arrays.len()).map(ArrayId);
        stored
            .filter(|it| program.arrays[it.0].role == Role::Register)
            .chain(all.filter(|it| program.is_private(*it)))
            .collect()
    }

    fn add_control(&mut self, expr: &Expr, may_fail: bool) {
        if self.controls.insert(place(expr)) && may_fail {
            self.failures.push(expr.span);
        }
    }
}

fn place(expr: &Expr) -> usize {
    std::ptr::from_ref(expr).addr()
}

/// The first dependence of accesses on `origin`'s data, if there is one. Linear in the program's
/// size for each loop level, times the number of variables at worst.
pub fn first_dependence(program: &Program, origin: Origin) -> Option<InputDependence> {
    flow(program, origin).found
}

/// How much of a program's accesses depends on its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obliviousness {
    /// Nothing.
    Oblivious,
    /// Whether an access is made, never its address: the first that may be skipped.
    Semi(InputDependence),
    /// An address, or which iterations a thread of a parallel loop has.
    Not(InputDependence),
}

impl Obliviousness {
    /// As verdicts say it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Oblivious => "oblivious",
            Self::Semi(_) => "semi-oblivious",
            Self::Not(_) => "not oblivious",
        }
    }

    /// As a table of listings answers whether one is oblivious.
    pub const fn answer(&self) -> &'static str {
        match self {
            Self::Oblivious => "yes",
            Self::Semi(_) => "semi",
            Self::Not(_) => "no",
        }
    }

    /// What depends on data.
    pub const fn dependence(&self) -> Option<&InputDependence> {
        match self {
            Self::Oblivious => None,
            Self::Semi(it) | Self::Not(it) => Some(it),
        }
    }
}

/// Which it is; twice as long as [`first_dependence`].
pub fn obliviousness(program: &Program) -> Obliviousness {
    let Some(first) = first_dependence(program, Origin::Inputs) else {
        return Obliviousness::Oblivious;
    };
    // Blocks of threads go each their own way.
    if program.first_loop_on_dmms().is_some() {
        return Obliviousness::Not(first);
    }
    match analysed(program, Origin::Inputs, true).found {
        None => Obliviousness::Semi(first),
        Some(_) => Obliviousness::Not(first),
    }
}

/// What cannot be known of a program without memory. Takes as long as [`first_dependence`].
pub fn on_data(program: &Program) -> OnData {
    let mut on_data = flow(program, Origin::AnyArray).on_data;
    on_data.failures.sort_by_key(|span| (span.start, span.end));
    on_data.failures.dedup_by_key(|span| (span.start, span.end));
    on_data.registers = on_data.unknown_registers(program);
    on_data
}

fn flow(program: &Program, origin: Origin) -> Flow<'_> {
    analysed(program, origin, false)
}
