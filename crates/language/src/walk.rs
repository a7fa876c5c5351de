//! What is inside what: the statements of a block, their expressions, and the parts of those.

use std::iter::from_fn;
use std::slice::from_ref;

use super::program::{
    Access, ArrayId, Block, Blocks, Expr, ExprKind, For, LoopRange, Nest, Program, ScalarId,
    Statement,
};
use super::syntax::Role;
use crate::diagnostic::{Diagnostic, Located, Span};

/// The statements of a block and those inside them, in the order of the text.
pub fn statements(block: &Block) -> impl Iterator<Item = &Statement> {
    statements_outside(block, |_| false)
}

/// The same without what is inside those that are `closed`.
pub fn statements_outside(
    block: &Block,
    closed: impl Fn(&Statement) -> bool,
) -> impl Iterator<Item = &Statement> {
    let mut open = vec![block.iter()];
    from_fn(move || {
        let statement = loop {
            match open.last_mut()?.next() {
                Some(statement) => break statement,
                None => open.pop(),
            };
        };
        if !closed(statement) {
            open.extend(statement.blocks().rev().map(|block| block.iter()));
        }
        Some(statement)
    })
}

/// The parallel nests of a block, in the order of the text.
pub fn nests(block: &Block) -> impl Iterator<Item = &Nest> {
    statements_outside(block, Statement::is_nest).filter_map(|it| match it {
        Statement::Parallel(nest) => Some(nest),
        _ => None,
    })
}

impl Program {
    /// Whether an array is in registers of an iteration of a nest, or of a run's thread.
    pub fn is_private(&self, id: ArrayId) -> bool {
        self.arrays[id.0].role == Role::Register
            && !self.blocks.iter().any(|it| it.arrays.contains(&id.0))
    }

    /// Lets requests of atomics to equal addresses merge, as ordinary writes do.
    pub fn merge_atomics(&mut self) {
        for atomic in self.sites.iter_mut().filter_map(|it| it.atomic.as_mut()) {
            atomic.is_serial = false;
        }
    }

    /// # Errors
    /// The listing has an atomic, and `what` does not follow what an atomic reads.
    pub fn without_atomics(&self, what: &str) -> Result<(), Box<Located>> {
        self.first_atomic().map_or(Ok(()), |span| {
            let message = format!("{what} are not known of listings with atomics");
            let diagnostic = Diagnostic::new(span, message)
                .help("`umm run` and `umm check` know them; or write this as a read and a write");
            Err(Box::new(Located { source: self.source.clone(), diagnostic }))
        })
    }

    /// The first atomic, if there is one.
    pub fn first_atomic(&self) -> Option<Span> {
        self.sites.iter().find(|it| it.atomic.is_some()).map(|it| it.span)
    }

    /// The first calls in parallel, if there are any.
    pub fn first_fork(&self) -> Option<Span> {
        statements(&self.body).find_map(|it| match it {
            Statement::Fork { span, .. } => Some(*span),
            _ => None,
        })
    }

    /// # Errors
    /// The listing has calls in parallel, and `what` takes them one after another.
    pub fn without_forks(&self, what: &str) -> Result<(), Box<Located>> {
        self.first_fork().map_or(Ok(()), |span| {
            let message = format!("{what} are not known of calls in parallel");
            let diagnostic = Diagnostic::new(span, message)
                .help("`umm run -m work-span` counts them; or leave out `spawn` and `sync`");
            Err(Box::new(Located { source: self.source.clone(), diagnostic }))
        })
    }

    /// The first parallel loop, if the program is not sequential.
    pub fn first_parallel_loop(&self) -> Option<Span> {
        let nest = nests(&self.body).next().map(|nest| nest.span);
        nest.into_iter().chain(self.first_loop_on_dmms()).min_by_key(|span| span.start)
    }

    /// The first loop on DMMs, which only a machine with DMMs runs.
    pub fn first_loop_on_dmms(&self) -> Option<Span> {
        loops_on_dmms(&self.body).next().map(|blocks| blocks.span)
    }
}

/// The loops on DMMs of a block, in the order of the text.
pub fn loops_on_dmms(block: &Block) -> impl Iterator<Item = &Blocks> {
    statements_outside(block, |it| matches!(it, Statement::Blocks(_))).filter_map(|it| match it {
        Statement::Blocks(blocks) => Some(blocks),
        _ => None,
    })
}

/// The parallel loops of a block that are in no other: nests, and loops on DMMs.
pub fn outermost_parallel(block: &Block) -> impl Iterator<Item = &Statement> {
    statements_outside(block, Statement::is_parallel).filter(|it| it.is_parallel())
}

/// Every access of a block, in the order of the text.
pub fn accesses(block: &Block) -> impl Iterator<Item = &Access> {
    statements(block).flat_map(Statement::accesses)
}

/// The scalars that a block assigns.
pub fn assigned(block: &Block) -> impl Iterator<Item = ScalarId> {
    statements(block).filter_map(|it| match it {
        Statement::Assign { target, .. } => Some(*target),
        Statement::Store { atomic: Some(atomic), .. } => atomic.old,
        _ => None,
    })
}

impl Statement {
    /// The blocks inside: of a branch both arms.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = &Block> {
        let branches: &[Block] =
            if let Self::Fork { branches, .. } = self { branches } else { &[] };
        let (first, second) = match self {
            Self::Assign { .. } | Self::Store { .. } | Self::Fork { .. } => (None, None),
            Self::For(For { body, .. })
            | Self::Parallel(Nest { body, .. })
            | Self::Blocks(Blocks { body, .. })
            | Self::While { body, .. }
            | Self::Labelled { body, .. } => (Some(body), None),
            Self::If { then, otherwise, .. } => (Some(then), Some(otherwise)),
        };
        first.into_iter().chain(second).chain(branches)
    }

    /// The loops that the statement itself is, but for `while`.
    pub fn ranges(&self) -> &[LoopRange] {
        match self {
            Self::For(For { range, .. }) => from_ref(range),
            Self::Parallel(nest) => &nest.ranges,
            Self::Blocks(blocks) => &blocks.ranges,
            _ => &[],
        }
    }

    /// Its own expressions, without those of statements inside, in the order of evaluation.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let compare = match self {
            Self::Store { atomic: Some(atomic), .. } => atomic.compare.as_ref(),
            _ => None,
        };
        let (first, indices): (_, &[Expr]) = match self {
            Self::Store { access, value, .. } => (Some(value), &access.indices),
            Self::Assign { value, .. } => (Some(value), &[]),
            Self::While { condition, .. } | Self::If { condition, .. } => (Some(condition), &[]),
            Self::For(_)
            | Self::Parallel(_)
            | Self::Blocks(_)
            | Self::Fork { .. }
            | Self::Labelled { .. } => (None, &[]),
        };
        let bounds = self.ranges().iter().flat_map(LoopRange::bounds);
        first.into_iter().chain(compare).chain(indices).chain(bounds)
    }

    /// Its own accesses, likewise.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        let stored = match self {
            Self::Store { access, .. } => Some(access),
            _ => None,
        };
        self.expressions().flat_map(Expr::reads).chain(stored)
    }

    /// Whether it is a parallel nest.
    pub const fn is_nest(&self) -> bool {
        matches!(self, Self::Parallel(_))
    }

    /// Whether it is a parallel nest, or a loop on DMMs.
    pub const fn is_parallel(&self) -> bool {
        matches!(self, Self::Parallel(_) | Self::Blocks(_))
    }

    /// Whether what is inside may run more than once.
    pub const fn is_loop(&self) -> bool {
        matches!(self, Self::For(_) | Self::Parallel(_) | Self::Blocks(_) | Self::While { .. })
    }
}

impl LoopRange {
    /// Where the loop begins, where it ends, and its step.
    pub fn bounds(&self) -> impl Iterator<Item = &Expr> {
        [&self.from, &self.to].into_iter().chain(&self.step)
    }
}

impl Expr {
    /// The expressions directly inside, in the order of evaluation.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Self> {
        let (first, last): (&[Self], _) = match &self.kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Boolean(_)
            | ExprKind::Parameter(_)
            | ExprKind::Scalar(_) => (&[], None),
            ExprKind::Element(access) => (&access.indices, None),
            ExprKind::Convert(operand)
            | ExprKind::Unary(_, operand)
            | ExprKind::Entry(_, operand, _) => (from_ref(operand), None),
            ExprKind::Binary(_, left, right) => (from_ref(left), Some(right.as_ref())),
            ExprKind::Conditional(parts) => (parts.as_ref(), None),
            ExprKind::Let(_, parts) => (parts.as_ref(), None),
            ExprKind::Warp(_, operands) => (operands, None),
        };
        first.iter().chain(last)
    }

    /// Everything in it and itself, in the order of evaluation.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![(self, false)];
        from_fn(move || {
            loop {
                let (expr, entered) = open.pop()?;
                if entered {
                    return Some(expr);
                }
                open.push((expr, true));
                open.extend(expr.operands().rev().map(|it| (it, false)));
            }
        })
    }

    /// The elements that it reads, in the order of evaluation.
    pub fn reads(&self) -> impl Iterator<Item = &Access> {
        self.parts().filter_map(|it| match &it.kind {
            ExprKind::Element(access) => Some(access.as_ref()),
            _ => None,
        })
    }

    /// The scalars that it mentions, likewise.
    pub fn scalars(&self) -> impl Iterator<Item = ScalarId> {
        self.parts().filter_map(|it| match it.kind {
            ExprKind::Scalar(scalar) => Some(scalar),
            _ => None,
        })
    }
}
