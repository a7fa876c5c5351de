//! What one thread waits for: its reads in groups, each of which is under way together.

use memory_machine_core::language::program::{
    Access, Block, Expr, ExprKind, Program, SiteId, Statement,
};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::language::walk::statements_outside;
use memory_machine_core::trace::AccessKind;

/// Iterations of an innermost loop that a compiler unrolls, so that their reads go out together:
/// NVIDIA's compilers take four where the number of iterations is not known.
const UNROLLED_ITERATIONS: f64 = 4.0;

/// The accesses that a thread makes in one iteration of a loop, beside those of loops within.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AccessGroup {
    pub(super) reads: Vec<SiteId>,
    pub(super) writes: Vec<SiteId>,
    /// Reads after one another, because an address comes from memory.
    pub(super) depth: f64,
    /// Iterations whose reads are under way together.
    pub(super) together: f64,
    /// Whether reads go through shared memory, made ahead of their place.
    pub(super) prefetch: bool,
}

/// The groups of a kernel's body. `ahead` is how far ahead reads are made where a write keeps a
/// compiler from it.
pub(super) fn groups(program: &Program, body: &Block, prefetch: u64) -> Vec<AccessGroup> {
    let mut found = vec![];
    level(program, body, None, &mut found);
    for (group, innermost) in &mut found {
        let Some(true) = innermost else { continue };
        let array = |site: &SiteId| program.sites[site.0].array;
        let blocked =
            group.writes.iter().any(|it| group.reads.iter().any(|read| array(read) == array(it)));
        group.together = match blocked {
            false => UNROLLED_ITERATIONS,
            true => prefetch as f64,
        };
        group.prefetch = blocked && prefetch > 1;
    }
    found
        .into_iter()
        .map(|(group, _)| group)
        .filter(|it| !it.reads.is_empty() || !it.writes.is_empty())
        .collect()
}

/// Adds the group of a block and those of the loops in it; each with whether it is that of an
/// innermost loop, `None` outside loops.
fn level(
    program: &Program,
    block: &Block,
    inside: Option<()>,
    found: &mut Vec<(AccessGroup, Option<bool>)>,
) {
    let (mut sites, mut loops, mut depth) = (vec![], vec![], 0);
    for statement in statements_outside(block, Statement::is_loop) {
        let in_memory = |it: &&Access| program.arrays[it.array.0].role != Role::Register;
        sites.extend(statement.accesses().filter(in_memory).map(|it| it.site));
        depth = statement.expressions().map(reads_in_turn).fold(depth, u32::max);
        if statement.is_loop() {
            loops.extend(statement.blocks());
        }
    }
    let of = |kind| sites.iter().copied().filter(|it| program.sites[it.0].kind == kind).collect();
    let group = AccessGroup {
        reads: of(AccessKind::Read),
        writes: of(AccessKind::Write),
        depth: depth.into(),
        together: 1.0,
        prefetch: false,
    };
    found.push((group, inside.map(|()| loops.is_empty())));
    for body in loops {
        level(program, body, Some(()), found);
    }
}

/// Reads after one another in an expression: an element's come after those in its indices.
fn reads_in_turn(expr: &Expr) -> u32 {
    let inner = expr.operands().map(reads_in_turn).max().unwrap_or(0);
    inner + u32::from(matches!(expr.kind, ExprKind::Element(_)))
}
