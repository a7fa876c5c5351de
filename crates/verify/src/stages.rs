//! What the stages of a nest's access are no more than.

use std::collections::BTreeSet;

use num_traits::{Signed, Zero};

use crate::polynomial::{Number, Polynomial, whole};
use crate::sums::{Kind, Level};
use crate::walk::{Scope, Walk};
use crate::{Refusal, Setting};

impl Walk<'_> {
    /// What the stages of a nest's access are no more than; one alone where no other is less.
    pub(crate) fn stages(
        &mut self,
        cell: &Polynomial,
        scope: &Scope,
        steps: &Polynomial,
        [warps, by_width]: [&Polynomial; 2],
    ) -> Result<Vec<Polynomial>, Refusal> {
        let (mut choices, two) = (vec![], whole(2));
        let Some(nest) = scope.nest.clone() else { return Ok(choices) };
        if let Some(rule) = neighbours(cell, scope, self.sums.setting) {
            let mut all = warps.clone();
            for at in &rule.gaps {
                all = all.plus(&self.up(scope, *at, steps)?);
            }
            choices.push(all.scale(&whole(rule.each)).plus(&by_width.scale(&rule.sweep)));
            if rule.gaps.is_empty() && rule.sweep.is_zero() {
                return Ok(choices);
            }
        }
        choices.push(self.up(scope, scope.levels.len(), &Polynomial::constant(1))?);
        let Some(range) = self.range(cell, scope)? else { return Ok(choices) };
        let weight = range.times(steps);
        let [once, all] =
            [self.up(scope, nest.start, &weight)?, self.up(scope, nest.end, &weight)?];
        let [per_width, per_thread] = ["@w", "@p"].map(|it| Polynomial::power(it, -1));
        let twice = warps.scale(&two);
        if self.rises(cell, scope)? {
            choices.push(once.times(&per_width).plus(&twice));
        }
        let each_warp = all.times(&per_width.plus(&per_thread)).plus(&once);
        choices.push(each_warp.times(&per_width).plus(&twice));
        Ok(choices)
    }

    /// How far apart the addresses of a step are at most, over sizes and numbers outside of the nest.
    fn range(&mut self, cell: &Polynomial, scope: &Scope) -> Result<Option<Polynomial>, Refusal> {
        let Some(nest) = scope.nest.clone() else { return Ok(None) };
        let own = &scope.levels[nest.start..];
        let is_common = |at: usize| at >= nest.len() && matches!(own[at].kind, Kind::Loop { .. });
        let gone = (0..own.len()).filter(|it| !is_common(*it)).map(|it| own[it].atom.clone());
        let gone: Vec<String> = gone.collect();
        let facts = [&scope.facts[..]; 2];
        let Some(high) = self.sums.without(cell, facts, &gone, true)? else { return Ok(None) };
        let Some(low) = self.sums.without(cell, facts, &gone, false)? else { return Ok(None) };
        let range = high.minus(&low);
        let is_outside = !own.iter().any(|it| range.mentions(&it.atom));
        let outside = &scope.facts[..own[0].outside];
        Ok((is_outside && self.sums.prove(&range, outside, true)?).then_some(range))
    }

    /// Whether addresses never fall from one iteration of a step to the next.
    fn rises(&mut self, cell: &Polynomial, scope: &Scope) -> Result<bool, Refusal> {
        let (levels, foreign) = lanes(scope);
        if cell.atoms().any(|it| foreign.contains(it)) {
            return Ok(false);
        }
        let last = levels.len() - 1;
        let Some(Some(slope)) = cell.by_powers(&levels[last].atom).map(|it| slope(&it)) else {
            return Ok(false);
        };
        let steps = (0..last).map(|at| turns(cell, &levels, at)).chain([vec![slope]]);
        for any in steps.collect::<Vec<_>>() {
            let mut rises = false;
            for it in any {
                rises = rises || self.sums.prove(&it, &scope.facts, true)?;
            }
            if !rises {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where the outermost lane alone changes the address, by a product of sizes that is at least w on the
    /// UMM, each of its iterations takes a stage.
    pub(crate) fn far_apart(&mut self, cell: &Polynomial, scope: &Scope) -> Result<(), Refusal> {
        let (levels, foreign) = lanes(scope);
        let is_own = |it: &String| foreign.contains(it);
        if !scope.sure || !self.sums.setting.is_umm || cell.atoms().any(is_own) || levels.len() > 1
        {
            return Ok(());
        }
        let slope = cell.by_powers(&levels[0].atom).and_then(|it| slope(&it));
        let is_size = |it: &Polynomial| self.is_size(it) && it.as_constant().is_none();
        let Some(slope) = slope.filter(is_size) else { return Ok(()) };
        let one = Polynomial::constant(1);
        let sum = self.sums.over(&scope.levels, &scope.facts, &one, (false, None))?;
        let entry = self.apart.entry(slope).or_default();
        *entry = entry.plus(&sum.unwrap_or_default());
        Ok(())
    }
}

/// Nakano 2013, Theorem 1: what a warp's neighbours take.
struct Neighbours {
    /// Stages of a stretch of neighbours.
    each: i64,
    /// Words from one iteration to the next, if more than one.
    sweep: Number,
    /// Levels of the nest, so many, whose iterations begin a new stretch.
    gaps: Vec<usize>,
}

/// The loops of the nest around a place, and numbers that are each thread's own.
fn lanes(scope: &Scope) -> (Vec<&Level>, BTreeSet<&String>) {
    let nest = scope.nest.clone().unwrap_or_default();
    let is_loop = |it: &&Level| matches!(it.kind, Kind::Loop { .. });
    let lanes = scope.levels[nest.clone()].iter().filter(is_loop).collect();
    let foreign = scope.levels[nest.start..].iter().filter(|it| !is_loop(it));
    (lanes, foreign.map(|it| &it.atom).collect())
}

/// The factor of a first power, if there is no higher one.
fn slope(powers: &[Polynomial]) -> Option<Polynomial> {
    match powers {
        [_] => Some(Polynomial::default()),
        [_, slope] => Some(slope.clone()),
        _ => None,
    }
}

fn neighbours(cell: &Polynomial, scope: &Scope, setting: &Setting) -> Option<Neighbours> {
    let (levels, foreign) = lanes(scope);
    if cell.atoms().any(|it| foreign.contains(it)) {
        return None;
    }
    let last = levels.len() - 1;
    let slope = slope(&cell.by_powers(&levels[last].atom)?)?.as_constant()?.abs();
    let one = whole(1);
    let each = if setting.is_umm && !slope.is_zero() || slope > one { 2 } else { 1 };
    let most = whole(if setting.is_umm && slope.is_zero() { 0 } else { 1 });
    let is_gap = |at: &usize| {
        let step = turns(cell, &levels, *at);
        let step = <[Polynomial; 1]>::try_from(step).ok().and_then(|[it]| it.as_constant());
        step.is_none_or(|it| it.abs() > most || slope > one)
    };
    let place = |at: usize| scope.levels.iter().position(|it| it.id == levels[at].id);
    let gaps = (0..last).filter(is_gap).filter_map(place).map(|it| it + 1).collect();
    let sweep = if slope > one { slope } else { whole(0) };
    Some(Neighbours { each, sweep, gaps })
}

/// By how much the cell grows at least from a row's last iteration to the next one's first, if its slopes are
/// not negative: exactly where it is one number. The rows are alike, or two loops' ends are affine, so that no
/// empty row lies between others.
fn turns(cell: &Polynomial, lanes: &[&Level], at: usize) -> Vec<Polynomial> {
    let next = Polynomial::atom(&lanes[at].atom).plus(&Polynomial::constant(1));
    let mut found = vec![[cell.clone(), cell.clone()]];
    for level in lanes[at + 1..].iter().rev() {
        let Kind::Loop { lows, highs } = &level.kind else { return vec![] };
        let is_affine = |end: &Polynomial| {
            let slopes = lanes.iter().map(|it| slope(&end.by_powers(&it.atom)?)?.as_constant());
            let slopes: Option<Vec<_>> = slopes.collect();
            let most = if lanes.len() == 2 { 1 } else { 0 };
            slopes.is_some_and(|it| it.iter().filter(|it| !it.is_zero()).count() <= most)
        };
        let is_one = lows.len() == 1 && highs.len() == 1 || lanes.len() == 2;
        let mut ends = lows.iter().chain(highs);
        if !is_one || !ends.all(|it| is_affine(it) && it.is_integral()) {
            return vec![];
        }
        let ends = || lows.iter().flat_map(|low| highs.iter().map(move |high| (low, high)));
        let put = |[first, last]: &[Polynomial; 2]| -> Option<Vec<[Polynomial; 2]>> {
            let put =
                |(low, high)| Some([first.put(&level.atom, low)?, last.put(&level.atom, high)?]);
            ends().map(put).collect()
        };
        match found.iter().map(put).collect::<Option<Vec<_>>>() {
            Some(all) => found = all.concat(),
            None => return vec![],
        }
    }
    let by = |[first, last]: &[Polynomial; 2]| Some(first.put(&lanes[at].atom, &next)?.minus(last));
    found.iter().filter_map(by).collect()
}
