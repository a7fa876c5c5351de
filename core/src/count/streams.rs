//! The accesses of a nest whose addresses are affine and unconditional: the usual case, and the
//! fast one.

use std::collections::HashMap;

use super::Setting;
use super::form::Form;
use super::form::Scalars;
use super::guard::Guard;
use super::rows::Rounds;
use super::work::{Action, NestForm, NotAffine};
use crate::language::program::ScalarId;
use crate::machine::{Counts, StageCounter};
use crate::trace::{Phase, StridedRun};
use crate::units::Address;

/// An access, or a number that must lie in a range, whose cell is affine in the nest's variables,
/// and its likes: accesses whose cells differ from its own by a constant multiple of the width, so that they take the same stages.
pub(super) struct Stream {
    /// What it means if a cell is outside.
    pub(super) otherwise: NotAffine,
    /// Address of the array's cell 0, and its number of cells.
    pub(super) region: (u64, u64),
    pub(super) constant: i64,
    /// By dimension of the nest.
    pub(super) slopes: Vec<i64>,
    /// Smallest and largest difference of an access's cell from this one's.
    pub(super) spread: (i64, i64),
    /// Empty for numbers that are no cells, but must lie in a range all the same.
    pub(super) phases: Vec<(Phase, u64)>,
}

/// What all rounds of a nest take.
pub(super) struct Taken {
    pub(super) iterations: u128,
    pub(super) rounds: u128,
    /// Warps with an active thread, summed over the rounds.
    pub(super) warps: u128,
    /// By stream.
    pub(super) stages: Vec<u128>,
}

impl Taken {
    /// What each phase takes; `None` if that is 2¹²⁸ or more.
    pub(super) fn by_phase(
        &self,
        streams: &[Stream],
        setting: &Setting<'_>,
    ) -> Option<Vec<Counts>> {
        let mut counts = vec![Counts::default(); setting.program.phases.len()];
        let waiting = self.rounds.checked_mul((setting.machine.latency.get() - 1).into())?;
        for (stream, &stages) in streams.iter().zip(&self.stages) {
            for &(phase, times) in &stream.phases {
                let counts = &mut counts[phase.0 as usize];
                let add = |total: &mut u128, one: u128| {
                    *total = total.checked_add(one.checked_mul(times.into())?)?;
                    Some(())
                };
                add(&mut counts.accesses, self.iterations)?;
                add(&mut counts.dispatches, self.warps)?;
                add(&mut counts.stages, stages)?;
                add(&mut counts.time_units.0, stages.checked_add(waiting)?)?;
            }
        }
        Some(counts)
    }
}

/// Counts round by round and row by row.
pub(super) fn by_rounds(
    nest: &NestForm,
    streams: &[Stream],
    setting: &Setting<'_>,
    scalars: &mut Scalars,
) -> Result<Taken, NotAffine> {
    let width = setting.machine.width.get();
    let mut counter = StageCounter::new(setting.machine);
    let mut rounds = Rounds::new(&nest.ranges, scalars, setting.threads.get(), false, nest.span)?;
    let mut taken = Taken { iterations: 0, rounds: 0, warps: 0, stages: vec![0; streams.len()] };
    while rounds.deal()? {
        let threads: u64 = rounds.rows.iter().map(|row| row.count).sum();
        taken.rounds += 1;
        taken.iterations += u128::from(threads);
        taken.warps += u128::from(threads.div_ceil(width));
        for (stream, stages) in streams.iter().zip(&mut taken.stages) {
            *stages += u128::from(stream.round(&rounds, &mut counter)?);
        }
    }
    Ok(taken)
}

impl Stream {
    /// The stages of one round.
    fn round(&self, rounds: &Rounds<'_>, counter: &mut StageCounter) -> Result<u64, NotAffine> {
        let (base, cells) = self.region;
        let slope = self.slopes[self.slopes.len() - 1];
        let (mut lowest, mut highest, mut stages) = (i128::MAX, i128::MIN, 0);
        for &row in &rounds.rows {
            let values = rounds.values(row);
            let stride = slope.wrapping_mul(row.step);
            // Exact modulo 2⁶⁴, as a run computes it.
            let cell =
                self.slopes.iter().zip(values).fold(self.constant, |cell, (slope, value)| {
                    cell.wrapping_add(slope.wrapping_mul(*value))
                });
            let first = i128::from(cell);
            let last = first + i128::from(stride) * i128::from(row.count - 1);
            lowest = lowest.min(first.min(last));
            highest = highest.max(first.max(last));
            let base = Address(base.wrapping_add_signed(cell));
            let run = StridedRun { base, stride, count: row.count };
            counter.run(run, &mut |warps| stages += warps.count * warps.stages);
        }
        counter.end(&mut |warps| stages += warps.count * warps.stages);
        let inside = lowest + i128::from(self.spread.0) >= 0
            && highest + i128::from(self.spread.1) < i128::from(cells);
        if inside { Ok(stages) } else { Err(self.otherwise) }
    }
}

/// The accesses as streams, if every one is affine and unconditional. Alike accesses are counted
/// once.
pub(super) fn streams(
    work: &[Action],
    variables: &[ScalarId],
    setting: &Setting<'_>,
    scalars: &Scalars,
) -> Option<Vec<Stream>> {
    let mut streams: Vec<Stream> = vec![];
    let (mut alike, mut phases) = (HashMap::new(), HashMap::new());
    for work in work {
        let (form, guard, region, otherwise, phase) = match work {
            Action::Access(it) => {
                let otherwise = NotAffine::out_of_bounds(it.span);
                (&it.cell, &it.guard, it.region(setting), otherwise, Some(it.phase))
            }
            Action::Require(it) => {
                let words = it.high.abs_diff(it.low).saturating_add(1);
                (&it.form, &it.guard, (0, words), it.otherwise, None)
            }
            Action::Loop(_) => return None,
        };
        match guard {
            Guard::Constant(true) => {}
            Guard::Constant(false) => continue,
            _ => return None,
        }
        let (mut constant, slopes) = linear(form, variables, scalars)?;
        if let Action::Require(it) = work {
            constant = constant.checked_sub(it.low)?;
        }
        let rest = i128::from(constant).rem_euclid(setting.machine.width.get().into());
        let key = (region, otherwise.fails, slopes.clone(), rest);
        let delta = |at: &usize| constant.checked_sub(streams[*at].constant);
        let (at, delta) = match alike.get(&key).and_then(|at| Some((*at, delta(at)?))) {
            Some(found) => found,
            None => {
                let (spread, phases) = ((0, 0), vec![]);
                streams.push(Stream { otherwise, region, constant, slopes, spread, phases });
                alike.insert(key, streams.len() - 1);
                (streams.len() - 1, 0)
            }
        };
        let stream = &mut streams[at];
        stream.spread = (stream.spread.0.min(delta), stream.spread.1.max(delta));
        let Some(phase) = phase else { continue };
        match phases.get(&(at, phase)) {
            Some(&place) => {
                let (_, count): &mut (Phase, u64) = &mut stream.phases[place];
                *count += 1;
            }
            None => {
                phases.insert((at, phase), stream.phases.len());
                stream.phases.push((phase, 1));
            }
        }
    }
    Some(streams)
}

/// A cell as `constant + Σ slopes · variables`, with the outer scalars' values in the constant.
fn linear(cell: &Form, variables: &[ScalarId], scalars: &Scalars) -> Option<(i64, Vec<i64>)> {
    let Form::Affine(affine) = cell else { return None };
    let mut constant = affine.constant;
    let mut slopes = vec![0; variables.len()];
    for &(scalar, slope) in &affine.slopes {
        match variables.iter().position(|&it| it == scalar) {
            Some(dimension) => slopes[dimension] = slope,
            None => {
                let value = scalars[scalar.0];
                constant = constant.checked_add(slope.checked_mul(value)?)?;
            }
        }
    }
    Some((constant, slopes))
}
