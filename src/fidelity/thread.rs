//! What one thread waits for: its reads in groups, each of which is under way together.

use std::collections::HashMap;

use crate::language::program::{Access, Block, Expr, ExprKind, For, Program, SiteId, Statement};
use crate::trace::Kind;

/// Iterations of an innermost loop that a compiler unrolls, so that their reads go out together:
/// NVIDIA's compilers take four where the number of iterations is not known.
const UNROLLED: f64 = 4.0;

/// The accesses that a thread makes in one iteration of a loop, beside those of loops within.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub(super) reads: Vec<SiteId>,
    pub(super) writes: Vec<SiteId>,
    /// Reads after one another, because an address comes from memory.
    pub(super) depth: f64,
    /// Iterations whose reads are under way together.
    pub(super) together: f64,
    /// Whether reads go through shared memory, made ahead of their place.
    pub(super) ahead: bool,
}

/// The groups of a kernel's body. `ahead` is how far ahead reads are made where a write keeps a
/// compiler from it.
pub(super) fn groups(program: &Program, body: &Block, ahead: u64) -> Vec<Group> {
    let mut found = vec![];
    level(program, body, None, &mut found);
    for (group, innermost) in &mut found {
        let Some(true) = innermost else { continue };
        let array = |site: &SiteId| program.sites[site.0].array;
        let blocked =
            group.writes.iter().any(|it| group.reads.iter().any(|read| array(read) == array(it)));
        group.together = match blocked {
            false => UNROLLED,
            true => ahead as f64,
        };
        group.ahead = blocked && ahead > 1;
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
    found: &mut Vec<(Group, Option<bool>)>,
) {
    let mut survey = Survey { sites: vec![], depth: 0, loops: vec![] };
    survey.block(block);
    let Survey { sites, depth, loops, .. } = survey;
    let of = |kind| sites.iter().copied().filter(|it| program.sites[it.0].kind == kind).collect();
    let group = Group {
        reads: of(Kind::Read),
        writes: of(Kind::Write),
        depth: depth.into(),
        together: 1.0,
        ahead: false,
    };
    found.push((group, inside.map(|()| loops.is_empty())));
    for body in loops {
        level(program, body, Some(()), found);
    }
}

struct Survey<'a> {
    sites: Vec<SiteId>,
    depth: u32,
    loops: Vec<&'a Block>,
}

impl<'a> Survey<'a> {
    fn block(&mut self, block: &'a Block) {
        for statement in block {
            match statement {
                Statement::Assign { value, .. } => self.expr(value),
                Statement::Store { access, value, .. } => {
                    self.expr(value);
                    access.indices.iter().for_each(|it| self.expr(it));
                    self.sites.push(access.site);
                }
                Statement::For(For { range, body }) => {
                    self.expr(&range.from);
                    self.expr(&range.to);
                    self.loops.push(body);
                }
                Statement::While { condition, body, .. } => {
                    self.expr(condition);
                    self.loops.push(body);
                }
                Statement::If { condition, then, otherwise, .. } => {
                    self.expr(condition);
                    self.block(then);
                    self.block(otherwise);
                }
                Statement::Labelled { body, .. } => self.block(body),
                // A kernel of its own.
                Statement::Parallel(_) => {}
            }
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        // Reads after one another that each element needs; those in its indices come before it.
        let mut depths = HashMap::new();
        expr.walk(&mut |it| {
            if let ExprKind::Element(access) = &it.kind {
                let depth = 1 + inner_sites(access).map(|it| depths[&it]).max().unwrap_or(0);
                depths.insert(access.site, depth);
                self.sites.push(access.site);
                self.depth = self.depth.max(depth);
            }
        });
    }
}

/// The elements in an access's indices.
fn inner_sites(access: &Access) -> impl Iterator<Item = SiteId> {
    let mut found = vec![];
    for index in &access.indices {
        index.walk(&mut |it| {
            if let ExprKind::Element(access) = &it.kind {
                found.push(access.site);
            }
        });
    }
    found.into_iter()
}
