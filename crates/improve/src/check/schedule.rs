//! The same statements in another order: legal if the points of both listings' loops are in one-to-one
//! correspondence, corresponding statements are the same, and of two that need each other's cell the
//! first stays the first.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::language::program::{ArrayId, ExprKind, Program, ScalarId, Statement};

use super::certificate::{Refusal, Schedule};
use super::expression::Scope;
use super::leaves::{Leaf, Level, Sequence, Storage, Touch, assigned, leaves, within};
use super::matching::{AFTER, BEFORE, Matching, variable};
use super::order::QUOTIENTS;
use super::part::{FirstUse, Part, first_use, part};
use crate::integers::{Affine, System};

/// A leaf of the new part with the one of the old part that it is.
pub(super) struct Pair<'a> {
    pub(super) old: Leaf<'a>,
    pub(super) new: Leaf<'a>,
    /// The old loops' variables in terms of the new ones.
    pub(super) values: Vec<Affine>,
    /// What the old leaf touches, in new variables; beside it the owners in the new part.
    pub(super) touches: Vec<(Touch, Option<Vec<Affine>>)>,
    pub(super) domain: System,
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Schedule) -> Result<(), Refusal> {
    let mut matching = Matching::new([before, after], &proof.arrays)?;
    matching.register_names.clone_from(&proof.registers);
    let part = part(&mut matching, proof.depth)?;
    let dead: Vec<ScalarId> = assigned(&part.before)
        .into_iter()
        .filter(|it| !part.is_alive(&matching, *it))
        .filter(|it| first_use(part.before.iter().copied(), *it) != FirstUse::Read)
        .collect();
    dead.iter().for_each(|it| matching.forget(*it));
    let checker = Checker { before, after, part: &part, dead: &dead, proof };
    let (context, old, new) = checker.leaves(&matching)?;
    let pairs = checker.pairs(&mut matching, &context, old, new)?;
    checker.dependences(&pairs)?;
    dead.iter().for_each(|it| matching.forget(*it));
    if part.rest_matches(&mut matching) {
        return Ok(());
    }
    Err(Refusal::new("what follows the part is not the same"))
}

/// What is known of the statements around, and the leaves of both parts.
type Leaves<'a> = (System, Vec<Leaf<'a>>, Vec<Leaf<'a>>);

pub(super) struct Checker<'c, 'a> {
    pub(super) before: &'a Program,
    pub(super) after: &'a Program,
    pub(super) part: &'c Part<'a>,
    pub(super) dead: &'c [ScalarId],
    pub(super) proof: &'c Schedule,
}

/// The arguments of functions in a program.
fn arguments(program: &Program) -> BTreeSet<ScalarId> {
    let all = program.body.iter().flat_map(within);
    let parts = all.flat_map(Statement::expressions).flat_map(|it| it.parts());
    parts
        .filter_map(|it| match it.kind {
            ExprKind::Let(scalar, _) => Some(scalar),
            _ => None,
        })
        .collect()
}

/// Scopes of both programs' parts.
pub(super) fn scope<'a>(program: &'a Program, block: &[&Statement], is_before: bool) -> Scope<'a> {
    let (assigned, arguments) = (assigned(block), arguments(program));
    let (base, fresh) = if is_before { (BEFORE, QUOTIENTS[0]) } else { (AFTER, QUOTIENTS[1]) };
    Scope { program, known: BTreeMap::new(), assigned, arguments, base, fresh }
}

/// What is known of the variables of loops around a part, and of sizes: every extent is at least 1. In
/// terms of the new program's variables.
pub(super) fn context(
    before: &mut Scope<'_>,
    part: &Part<'_>,
    matching: &Matching<'_>,
) -> Option<System> {
    let mut context = System::default();
    for statement in part.around.iter().filter_map(|it| it.0) {
        for range in statement.ranges() {
            let variable = Affine::variable(variable(range.variable));
            if let Some(known) = before.range(range, &variable) {
                context = context.and(&known);
            }
        }
    }
    let context = context.and(&sizes(before)?);
    context.substitute(&|it| matching.forms.get(&it).cloned())
}

/// Every extent is at least 1.
pub(super) fn sizes(scope: &mut Scope<'_>) -> Option<System> {
    let mut all = System::default();
    for extent in scope.program.arrays.iter().flat_map(|it| &it.extents) {
        let mut system = System::default();
        if let Some(extent) = scope.affine(extent, &mut system) {
            system.at_most(&Affine::constant(1), &extent, 0)?;
            all = all.and(&system);
        }
    }
    Some(all)
}

impl<'a> Checker<'_, 'a> {
    /// The context in terms of the new program's variables.
    fn leaves(&self, matching: &Matching<'a>) -> Result<Leaves<'a>, Refusal> {
        let mut before = scope(self.before, &self.part.before, true);
        let mut after = scope(self.after, &self.part.after, false);
        let context = context(&mut before, self.part, matching).ok_or_else(too_large)?;
        let old = leaves(&mut before, &self.part.before);
        let new = leaves(&mut after, &self.part.after);
        if old.len() != new.len() {
            let message = format!("{} statements are not {}", new.len(), old.len());
            return Err(Refusal::new(message));
        }
        Ok((context, old, new))
    }

    fn pairs(
        &self,
        matching: &mut Matching<'a>,
        context: &System,
        old: Vec<Leaf<'a>>,
        new: Vec<Leaf<'a>>,
    ) -> Result<Vec<Pair<'a>>, Refusal> {
        let identity: Vec<usize> = (0..old.len()).collect();
        let order = if self.proof.order.is_empty() { &identity } else { &self.proof.order };
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != identity {
            return Err(Refusal::new("the order of the statements is no permutation"));
        }
        let mut pairs = vec![];
        for (new, at) in new.into_iter().zip(order) {
            pairs.push(self.pair(matching, context, old[*at].clone(), new)?);
        }
        // Which scalars stand for each other is known only now.
        for pair in &mut pairs {
            self.own(matching, pair)?;
        }
        Ok(pairs)
    }

    /// Whose copy of each scalar a leaf touches, before and after.
    fn own(&self, matching: &Matching<'a>, pair: &mut Pair<'a>) -> Result<(), Refusal> {
        for (touch, new_owner) in &mut pair.touches {
            let lost =
                || Refusal::at(self.before, touch.span, "what it touches is not found again");
            let after = match touch.storage {
                Storage::Array(it) => matching.arrays.get(&it).map(|it| Storage::Array(it.0)),
                Storage::Scalar(it) => {
                    let register = matching.registers.get(&it).map(|it| Storage::Array(*it));
                    register.or_else(|| matching.scalars.get(&it).map(|it| Storage::Scalar(*it)))
                }
            };
            let after = after.ok_or_else(lost)?;
            if let Storage::Scalar(scalar) = touch.storage {
                let old =
                    self.copies_of(&self.part.before, scalar, scalar, touch, &pair.old.levels)?;
                touch.owner = Some(pair.values[..old].to_vec());
            }
            *new_owner = match (after, touch.storage) {
                (Storage::Scalar(it), Storage::Scalar(old)) => {
                    let new = self.copies_of(&self.part.after, it, old, touch, &pair.new.levels)?;
                    let levels = pair.new.levels[..new].iter();
                    Some(levels.map(|it| Affine::variable(it.variable)).collect())
                }
                (Storage::Array(it), Storage::Scalar(_)) => {
                    let cell = self.register(&pair.new, it, &pair.domain).ok_or_else(lost)?;
                    Some(cell)
                }
                // All of a leaf have one owner.
                _ => {
                    let found = pair.new.touches.iter().find(|it| it.storage == after);
                    found.ok_or_else(lost)?.owner.clone()
                }
            };
        }
        Ok(())
    }

    /// Whose register a leaf has in the place of a scalar, and which of these: one for all its touches.
    fn register(&self, leaf: &Leaf<'_>, array: ArrayId, domain: &System) -> Option<Vec<Affine>> {
        let mut all = leaf.touches.iter().filter(|it| it.storage == Storage::Array(array));
        let first = all.next()?;
        let (owner, cell) = (first.owner.as_ref()?, first.cell.as_ref()?);
        let is_one = all.all(|it| it.owner == first.owner && it.cell == first.cell);
        let is_there = in_bounds(self.after, domain, leaf, array) == Some(true);
        (is_one && is_there).then(|| [&owner[..], cell].concat())
    }

    /// How many loops around a leaf have a copy of a scalar of their own an iteration. Parallel
    /// iterations cannot share what they assign.
    fn copies_of(
        &self,
        part: &[&Statement],
        scalar: ScalarId,
        old: ScalarId,
        touch: &Touch,
        levels: &[Level],
    ) -> Result<usize, Refusal> {
        let copies = private(part, scalar, self.dead.contains(&old), levels);
        let in_turn = |it: &Level| matches!(it.sequence, Sequence::InTurn { .. });
        let last = levels.iter().rposition(|it| !in_turn(it)).map_or(0, |it| it + 1);
        if touch.writes && copies < last {
            let message =
                format!("iterations share the scalar `{}`", self.before.scalars[old.0].name);
            return Err(Refusal::at(self.before, touch.span, message));
        }
        Ok(copies)
    }
}

/// How many loops around a leaf have a copy of a scalar of their own an iteration: the most in whose
/// body it is assigned before it is read.
fn private(part: &[&Statement], scalar: ScalarId, is_dead: bool, levels: &[Level]) -> usize {
    if !is_dead {
        return 0;
    }
    let all: Vec<&Statement> = part.iter().flat_map(|it| within(it)).collect();
    let mut found = 0;
    for (at, level) in levels.iter().enumerate() {
        let entered = all.iter().find(|it| it.ranges().iter().any(|range| range.id.0 == level.id));
        let Some(entered) = entered else { break };
        let is_inside = |it: &&&Statement| {
            let assigns = matches!(it, Statement::Assign { target, .. } if *target == scalar);
            assigns || it.expressions().any(|it| it.scalars().any(|it| it == scalar))
        };
        // A loop beside others that touch it, too, has no copy of its own.
        let inner = within(entered).iter().filter(is_inside).count();
        if inner < all.iter().filter(is_inside).count() {
            break;
        }
        let body = entered.blocks().next();
        if body.is_some_and(|it| first_use(it, scalar) != FirstUse::Read) {
            found = at + 1;
        }
    }
    found
}

/// Whether a leaf touches only cells of an array that exist.
pub(super) fn in_bounds(
    program: &Program,
    domain: &System,
    leaf: &Leaf<'_>,
    array: ArrayId,
) -> Option<bool> {
    let mut sizes = scope(program, &[], false);
    let mut wanted = System::default();
    for touch in leaf.touches.iter().filter(|it| it.storage == Storage::Array(array)) {
        for (index, extent) in touch.cell.as_ref()?.iter().zip(&program.arrays[array.0].extents) {
            let extent = sizes.affine(extent, &mut wanted)?;
            wanted.at_most(&Affine::default(), index, 0)?;
            wanted.at_most(index, &extent, 1)?;
        }
    }
    Some(domain.implies(&wanted))
}

pub(super) fn too_large() -> Refusal {
    Refusal::new("numbers become too large")
}
