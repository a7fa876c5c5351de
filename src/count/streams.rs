//! The accesses of a nest whose addresses are affine and unconditional: the usual case, and the
//! fast one.

use super::Setting;
use super::form::Form;
use super::guard::Guard;
use super::nest::{NestForm, out_of_bounds, overflow};
use super::rows::{Rounds, Scalars};
use super::skeleton::{AccessForm, NotAffine, Work};
use super::whole;
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::machine::{Counts, Stages};
use crate::trace::{Phase, Run};
use crate::units::{Address, TimeUnits};

/// An access whose cell is affine in the nest's variables, and its likes: accesses whose cells
/// differ from its own by a constant multiple of the width, so that they take the same stages.
pub(super) struct Stream {
    pub(super) span: Span,
    /// Address of the array's cell 0, and its number of cells.
    pub(super) region: (u64, u64),
    pub(super) constant: i64,
    /// By dimension of the nest.
    pub(super) slopes: Vec<i64>,
    /// Smallest and largest difference of an access's cell from this one's.
    pub(super) spread: (i64, i64),
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

/// What a nest takes synchronously, by phase. `None` if its accesses are not streams.
pub(super) fn count(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &mut Scalars,
) -> Result<Option<Vec<Counts>>, NotAffine> {
    let work = nest.work(scalars).ok_or(overflow(nest.span))?;
    let Some(streams) = streams(&work, &nest.variables(), setting, scalars) else {
        return Ok(None);
    };
    let whole_warps = setting.threads.get().is_multiple_of(setting.machine.width.get());
    let whole = if whole_warps { whole::count(nest, &streams, setting, scalars)? } else { None };
    let taken = match whole {
        Some(taken) => taken,
        None => by_rounds(nest, &streams, setting, scalars)?,
    };
    let mut counts = vec![Counts::default(); setting.program.phases.len()];
    let waiting = taken.rounds * u128::from(setting.machine.latency.get() - 1);
    for (stream, &stages) in streams.iter().zip(&taken.stages) {
        let one = [taken.iterations, taken.warps, stages, stages + waiting];
        for &(phase, times) in &stream.phases {
            let [accesses, dispatches, stages, time] = one.map(|it| it * u128::from(times));
            let time_units = TimeUnits(time);
            counts[phase.0 as usize] += Counts { accesses, dispatches, stages, time_units };
        }
    }
    Ok(Some(counts))
}

/// Counts round by round and row by row.
fn by_rounds(
    nest: &NestForm,
    streams: &[Stream],
    setting: &Setting<'_>,
    scalars: &mut Scalars,
) -> Result<Taken, NotAffine> {
    let overflow = overflow(nest.span);
    let width = setting.machine.width.get();
    let mut counter = Stages::new(setting.machine);
    let mut rounds = Rounds::new(&nest.ranges, scalars, setting.threads.get()).ok_or(overflow)?;
    let mut taken = Taken { iterations: 0, rounds: 0, warps: 0, stages: vec![0; streams.len()] };
    while rounds.deal().ok_or(overflow)? {
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
    fn round(&self, rounds: &Rounds<'_>, counter: &mut Stages) -> Result<u64, NotAffine> {
        let (base, cells) = self.region;
        let stride = self.slopes[self.slopes.len() - 1].wrapping_mul(rounds.step());
        let (mut lowest, mut highest, mut stages) = (i64::MAX, i64::MIN, 0);
        for &row in &rounds.rows {
            let values = rounds.values(row);
            let cell =
                self.slopes.iter().zip(values).fold(self.constant, |cell, (slope, value)| {
                    cell.wrapping_add(slope.wrapping_mul(*value))
                });
            let last = cell.wrapping_add(stride.wrapping_mul((row.count - 1).cast_signed()));
            lowest = lowest.min(cell.min(last));
            highest = highest.max(cell.max(last));
            let base = Address(base.wrapping_add_signed(cell));
            let run = Run { base, stride, count: row.count };
            counter.run(run, &mut |warps| stages += warps.count * warps.stages);
        }
        counter.end(&mut |warps| stages += warps.count * warps.stages);
        let inside = lowest.checked_add(self.spread.0).is_some_and(|lowest| lowest >= 0)
            && highest.checked_add(self.spread.1).is_some_and(|it| (it as u64) < cells);
        if inside { Ok(stages) } else { Err(out_of_bounds(self.span)) }
    }
}

/// The accesses as streams, if every one is affine and unconditional. Alike accesses are counted
/// once.
fn streams(
    work: &[Work],
    variables: &[ScalarId],
    setting: &Setting<'_>,
    scalars: &Scalars,
) -> Option<Vec<Stream>> {
    let mut streams: Vec<Stream> = vec![];
    for work in work {
        let Work::Access(access) = work else { return None };
        match access.guard {
            Guard::Constant(true) => {}
            Guard::Constant(false) => continue,
            _ => return None,
        }
        let (constant, slopes) = linear(&access.cell, variables, scalars)?;
        let region = region(setting, access);
        let width = setting.machine.width.get().cast_signed();
        let alike = streams.iter_mut().find(|it| {
            it.region == region && it.slopes == slopes && (constant - it.constant) % width == 0
        });
        let stream = match alike {
            Some(stream) => stream,
            None => {
                let (span, spread, phases) = (access.span, (0, 0), vec![]);
                streams.push(Stream { span, region, constant, slopes, spread, phases });
                streams.last_mut()?
            }
        };
        let delta = constant - stream.constant;
        stream.spread = (stream.spread.0.min(delta), stream.spread.1.max(delta));
        match stream.phases.iter_mut().find(|(phase, _)| *phase == access.phase) {
            Some((_, count)) => *count += 1,
            None => stream.phases.push((access.phase, 1)),
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
    // Far from overflow for every value that stays within an array.
    let small = |value: &i64| value.unsigned_abs() < 1 << 62;
    (small(&constant) && slopes.iter().all(small)).then_some((constant, slopes))
}

pub(super) fn region(setting: &Setting<'_>, access: &AccessForm) -> (u64, u64) {
    let region = &setting.layout.regions[access.array];
    (region.base.0, region.cells)
}
