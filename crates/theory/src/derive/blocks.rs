//! Loops on DMMs: what the blocks of a wave go through together.
//!
//! Synchronously, d·R blocks are a wave, and a wave's blocks go in step: a step of a statement is one
//! of all blocks that reach it there. All loops are counted from 0, so a wave makes a step at some
//! place for each list of iterations (of the loops of the block's body, of the nest's rounds) that
//! *any* of its blocks has. What holds of a block's iterations is a fact f(b, x) ≥ 0 of the block b and
//! of the iterations x; max over b of f(b, x) ≥ 0 holds of those that any block has. So a wave's
//! steps are counted in the same domain as a block's, with the block's own numbers at their ends
//! ([`Walk::of_any_block`]).
//!
//! B blocks are B/(d·R) + 1 waves at most. With S steps a wave at most and s stages a block in
//! each of them at most:
//!
//! - a step waits l − 1 time units, or ls − 1: (l − 1)·S·(B/(d·R) + 1) in all;
//! - a step to shared memory takes the stages of the DMM with most, which has ⌈blocks of the wave/d⌉ of
//!   them at most. Only the last wave is partial, so that the waves have B/d + 1 such rows of blocks,
//!   of Σ s stages each;
//! - stages of global memory are those of all blocks.
//!
//! Asynchronously blocks go to other DMMs than they would in waves, and may take longer for it. As long
//! as a loop runs some access is in a pipeline, or one would be dispatched: it takes no longer than
//! all accesses one after another, l or ls time units a request.

use num_traits::{Signed, Zero};

use super::domain::{GuardedPolynomial, times, total};
use super::facts::Facts;
use super::level::Level;
use super::polynomial::{Atom, Polynomial};
use super::scope::{BlocksScope, Scope, assigned};
use super::walk::{Chains, Share, Walk};
use memory_machine_core::language::program::{ArrayId, Blocks};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::trace::Space;

/// Loops of a block's body as any block goes through them.
struct InStep {
    levels: Vec<Level>,
    facts: Facts,
    weight: Polynomial,
}

/// One over a sum of sizes, at most and at least: its largest term is no more than it, and all of its
/// terms together no more than a product.
fn reciprocals(of: &Polynomial) -> Option<[Polynomial; 2]> {
    let mut product = Polynomial::constant(1);
    let mut factor = num_rational::BigRational::zero();
    let mut largest: Option<Polynomial> = None;
    for (monomial, coefficient) in of.terms().filter(|it| it.1.is_positive()) {
        factor += coefficient;
        let term = Polynomial::monomial(monomial.clone());
        for &(atom, power) in monomial {
            let known = product.terms().flat_map(|it| it.0).find(|it| it.0 == atom);
            let more = power - known.map_or(0, |it| it.1).min(power);
            product = &product * &Polynomial::power(atom, more);
        }
        if largest.as_ref().is_none_or(|it| it.degree() < term.degree()) {
            largest = Some(term.scale(coefficient));
        }
    }
    let whole = of.terms().all(|it| it.1.is_positive());
    let most = if whole { largest?.reciprocal() } else { Polynomial::constant(1) };
    Some([most, product.scale(&factor).reciprocal()])
}

impl Walk<'_> {
    /// The memory of an array; registers are none.
    pub(super) fn space(&self, array: ArrayId) -> Option<Space> {
        match self.question.program.arrays[array.0].role {
            Role::Register => None,
            Role::Shared => Some(Space::Shared),
            Role::Input | Role::Output | Role::Inout | Role::Work => Some(Space::Global),
        }
    }

    pub(super) fn blocks(&mut self, blocks: &Blocks, scope: &mut Scope) {
        let changed = assigned(&blocks.body);
        let mut inside = scope.clone();
        self.forget(&changed, &mut inside);
        self.new_place(&mut inside);
        let threads = &self.question.program.blocks[blocks.id.0].threads;
        let threads = self.symbolizer.value(threads, &mut inside);
        let per_thread = if threads.is_local() { None } else { reciprocals(&threads) };
        let outside = inside.levels.len();
        let around = self.enter_loops(None);
        let variables = self.enter_all(&blocks.ranges, &mut inside, false);
        match (variables, per_thread) {
            (Some(variables), Some(per_thread)) => {
                let conditions = inside.conditions.len();
                let own = BlocksScope { outside, conditions, variables, per_thread };
                inside.blocks = Some(own.into());
                self.chains = Chains::default();
                self.block(&blocks.body, &mut inside);
                self.end_of_blocks(scope);
            }
            (Some(_), None) => {
                self.missing(blocks.span, "how many threads a block has is not known")
            }
            (None, _) => {}
        }
        self.leave_loops(around);
        self.forget(&changed, scope);
        let own: Vec<usize> = blocks.ranges.iter().map(|it| it.variable.0).collect();
        self.forget(&own, scope);
    }

    /// A sum of a weight over what the waves of blocks go through in step: of the first `count` levels,
    /// where the facts hold of a block. Every wave has its blocks' share of it, and the last one may be
    /// partial. `None` if that is not known.
    pub(super) fn in_waves(
        &mut self,
        scope: &Scope,
        (count, facts): (usize, &Facts),
        weight: &Polynomial,
        share: Share,
    ) -> Option<Vec<GuardedPolynomial>> {
        let blocks = scope.blocks.as_ref()?;
        let all = self.of_any_block(scope, (count, facts), weight)?;
        let outer = &scope.levels[..blocks.outside];
        let levels = [outer, &all.levels].concat();
        let mut pieces = total(&levels, &all.facts, &all.weight, true)?;
        let last = blocks.variables.last()?;
        let mut levels = scope.levels[..last.levels].to_vec();
        let is_new = |it: &&Level| !levels.iter().any(|known| known.atom() == it.atom());
        let own: Vec<Level> = all.levels.iter().filter(is_new).cloned().collect();
        levels.extend(own);
        let facts = Facts([last.facts.0.clone(), all.facts.0].concat());
        let each = total(&levels, &facts, &all.weight, true)?;
        pieces.extend(times(&each, &share.per()));
        Some(pieces)
    }

    /// Levels, facts and weight without what differs from block to block, so that they hold of any.
    fn of_any_block(
        &mut self,
        scope: &Scope,
        (count, facts): (usize, &Facts),
        weight: &Polynomial,
    ) -> Option<InStep> {
        let blocks = scope.blocks.as_ref()?;
        let mut own: Vec<Atom> = blocks.variables.iter().map(|it| it.atom).collect();
        let (mut differ, mut levels, mut counts) = (vec![], vec![], vec![]);
        for level in &scope.levels[blocks.outside..count] {
            if !own.contains(&level.atom()) && !level.depends_on(&own) {
                levels.push(level.clone());
                continue;
            }
            own.push(level.atom());
            differ.push(level);
            // What halves differently in each block is counted, and is what it is at first.
            if let Level::Halving(it) = level {
                let number = self.symbolizer.local();
                levels.push(Level::Sum(number));
                let left = &it.count[0] - &Polynomial::from(number);
                counts.push(&left - &Polynomial::constant(1));
                counts.push(number.into());
            }
        }
        let most = |it: &Polynomial| scope.extreme_over(it, &differ, true);
        let mut of_any = Facts::default();
        for fact in facts.0.iter().chain(&counts) {
            if fact.atoms().any(|it| own.contains(&it)) || counts.contains(fact) {
                let wider = most(fact)
                    .map(|it| it.without_denominators())
                    .filter(|it| !Facts::default().imply(it) || it.is_local());
                of_any.0.extend(wider);
            } else {
                of_any.0.push(fact.clone());
            }
        }
        Some(InStep { levels, facts: of_any, weight: most(weight)? })
    }
}
