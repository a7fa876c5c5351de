//! Reads that may be made some iterations ahead of their place.
//!
//! A sequential loop that reads and writes one array, as prefix-sums do, has its next read wait
//! for its last write, since a compiler cannot tell that they never meet. The listing can: if no
//! iteration reads what one of the few before it writes, their reads are made together, and a
//! thread keeps that many requests in the memory's pipeline.

use std::collections::HashSet;
use std::ops::Range;

use super::expression::Expressions;
use super::iteration_order::is_fixed;
use memory_machine_core::language::program::{
    Access, Block, Expr, ExprKind, For, Program, ScalarId, SiteId, Statement,
};
use memory_machine_core::language::syntax::{BinaryOp, Role};

/// A loop with more accesses keeps its reads where they are: registers would not hold them.
const MOST_ACCESSES: usize = 64;

/// The reads of an innermost loop that `ahead` iterations can make together; none if the loop has
/// no write that keeps a compiler from doing so by itself, or if a read may meet a write.
pub(super) fn reads<'a>(
    source: &'a For,
    prefetch: u32,
    expressions: &mut Expressions<'_>,
) -> Vec<&'a Access> {
    let variable = source.range.variable;
    if prefetch < 2 || source.range.downward || source.range.step.is_some() {
        return vec![];
    }
    let mut survey = Reads {
        program: expressions.program,
        accesses: vec![],
        assigned: HashSet::new(),
        crooked: false,
    };
    survey.block(&source.body);
    if survey.accesses.len() > MOST_ACCESSES {
        return vec![];
    }
    let reads: Vec<_> =
        survey.accesses.iter().filter(|it| !it.writes).map(|it| it.access).collect();
    let blocked = survey
        .accesses
        .iter()
        .any(|write| write.writes && reads.iter().any(|read| read.array == write.access.array));
    if survey.crooked || !blocked {
        return vec![];
    }
    let mut linear = |access: &Access| -> Option<Vec<Linear>> {
        let index = |index| Linear::of(index, variable, &survey.assigned, expressions);
        access.indices.iter().map(index).collect()
    };
    let mut places = vec![];
    for it in &survey.accesses {
        match linear(it.access) {
            Some(place) => places.push(place),
            None => return vec![],
        }
    }
    let all = || survey.accesses.iter().zip(&places).enumerate();
    let meets = all().filter(|(_, (write, _))| write.writes).any(|(write_at, (write, written))| {
        all().filter(|(_, (read, _))| !read.writes && read.access.array == write.access.array).any(
            |(read_at, (_, read))| {
                // In the same iteration a read may follow a write, too.
                let later = i128::from(read_at < write_at)..prefetch.into();
                !read.iter().zip(written).any(|(read, written)| read.misses(written, &later))
            },
        )
    });
    if meets { vec![] } else { reads }
}

struct ReadCandidates<'a> {
    access: &'a Access,
    writes: bool,
}

struct Reads<'a, 'b> {
    program: &'b Program,
    /// In the order of evaluation.
    accesses: Vec<ReadCandidates<'a>>,
    assigned: HashSet<ScalarId>,
    /// Whether some iteration may leave out an access, or make it twice.
    crooked: bool,
}

impl<'a> Reads<'a, '_> {
    fn block(&mut self, block: &'a Block) {
        for statement in block {
            // They go together already.
            let is_vector = |it: &Access| self.program.sites[it.site.0].vector.is_some();
            self.crooked |= statement.accesses().any(is_vector);
            statement.expressions().for_each(|it| self.expr(it));
            let before = self.accesses.len();
            match statement {
                Statement::Assign { target, .. } => {
                    self.assigned.insert(*target);
                }
                Statement::Store { access, .. } if self.is_register(access) => {}
                // It reads what others have made of the word in the meantime.
                Statement::Store { atomic: Some(_), .. } => self.crooked = true,
                Statement::Store { access, .. } => {
                    self.accesses.push(ReadCandidates { access, writes: true });
                }
                Statement::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                    self.crooked |= self.accesses.len() > before;
                }
                Statement::Labelled { body, .. } => self.block(body),
                Statement::Fork { branches, .. } => branches.iter().for_each(|it| self.block(it)),
                Statement::For(_)
                | Statement::Parallel(_)
                | Statement::Blocks(_)
                | Statement::While { .. } => {
                    self.crooked = true;
                }
            }
        }
    }

    fn is_register(&self, access: &Access) -> bool {
        self.program.arrays[access.array.0].role == Role::Register
    }

    fn expr(&mut self, expr: &'a Expr) {
        let mut sites: HashSet<SiteId> = HashSet::new();
        let reads_memory = |it: &Expr| it.reads().next().is_some();
        expr.parts().for_each(|it| match &it.kind {
            ExprKind::Element(access) if self.is_register(access) => {}
            ExprKind::Element(access) => {
                self.crooked |= !sites.insert(access.site);
                self.accesses.push(ReadCandidates { access, writes: false });
            }
            // Their parts are evaluated only where needed, or name a scalar that is not yet known.
            ExprKind::Conditional(parts) => self.crooked |= parts.iter().any(reads_memory),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, _, right) => {
                self.crooked |= reads_memory(right);
            }
            ExprKind::Let(..) => self.crooked = true,
            _ => {}
        });
    }
}

/// An index as `slope · variable + constant + terms`.
#[derive(Default)]
struct Linear {
    slope: i64,
    constant: i64,
    /// What the loop does not change, as text, each with its sign; sorted.
    terms: Vec<(bool, String)>,
}

impl Linear {
    fn of(
        expr: &Expr,
        variable: ScalarId,
        assigned: &HashSet<ScalarId>,
        expressions: &mut Expressions<'_>,
    ) -> Option<Self> {
        let mut linear = Self::default();
        linear.add(expr, true, variable, assigned, expressions)?;
        linear.terms.sort();
        Some(linear)
    }

    /// Whether this index, some iterations `later`, is certainly never what `other` is now.
    fn misses(&self, other: &Self, later: &Range<i128>) -> bool {
        if self.terms != other.terms || self.slope != other.slope {
            return false;
        }
        let apart = i128::from(other.constant) - i128::from(self.constant);
        match i128::from(self.slope) {
            0 => apart != 0 || later.is_empty(),
            slope => apart % slope != 0 || !later.contains(&(apart / slope)),
        }
    }

    fn add(
        &mut self,
        expr: &Expr,
        positive: bool,
        variable: ScalarId,
        assigned: &HashSet<ScalarId>,
        expressions: &mut Expressions<'_>,
    ) -> Option<()> {
        let sign = if positive { 1 } else { -1 };
        match &expr.kind {
            ExprKind::Integer(value) => {
                self.constant = self.constant.checked_add(value.checked_mul(sign)?)?;
            }
            ExprKind::Scalar(scalar) if *scalar == variable => self.slope += sign,
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                self.add(left, positive, variable, assigned, expressions)?;
                let positive = positive == (*op == BinaryOp::Add);
                self.add(right, positive, variable, assigned, expressions)?;
            }
            _ => {
                if !is_fixed(expr, |it| it == variable || assigned.contains(&it)) {
                    return None;
                }
                self.terms.push((positive, expressions.plain(expr)));
            }
        }
        Some(())
    }
}
