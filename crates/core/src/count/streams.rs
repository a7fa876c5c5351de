//! The accesses of a nest whose addresses are affine and unconditional: the usual case, and the
//! fast one.

use std::collections::HashMap;

use super::Setting;
use super::form::Form;
use super::form::Scalars;
use super::guard::Guard;
use super::rows::Rounds;
use super::work::{Action, LoopForm, NestForm, NotAffine};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::machine::{Counts, StageCounter, gcd};
use crate::run::odometer::Wheel;
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
pub(super) struct NestCounts {
    pub(super) iterations: u128,
    pub(super) rounds: u128,
    /// Warps with an active thread, summed over the rounds.
    pub(super) warps: u128,
    /// By stream.
    pub(super) stages: Vec<u128>,
}

impl NestCounts {
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
) -> Result<NestCounts, NotAffine> {
    let width = setting.machine.width.get();
    let mut counter = StageCounter::new(setting.machine);
    let mut rounds = Rounds::new(&nest.ranges, scalars, setting.threads.get(), false, nest.span)?;
    let mut taken =
        NestCounts { iterations: 0, rounds: 0, warps: 0, stages: vec![0; streams.len()] };
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

/// The accesses as streams, if every one is affine and unconditional, and all iterations run the
/// same loops. Alike accesses are counted once: of a loop's iterations, those after which addresses
/// have moved by whole multiples of the width. Time: `O(w)` for each access of an innermost loop.
pub(super) fn streams(
    work: &[Action],
    variables: &[ScalarId],
    setting: &Setting<'_>,
    scalars: &Scalars,
) -> Option<Vec<Stream>> {
    let (alike, phases) = (HashMap::new(), HashMap::new());
    let mut found = Streams { variables, setting, streams: vec![], alike, phases };
    found.add_all(work, None, &mut scalars.clone())?;
    Some(found.streams)
}

struct Streams<'a> {
    variables: &'a [ScalarId],
    setting: &'a Setting<'a>,
    streams: Vec<Stream>,
    /// By what makes them alike.
    alike: HashMap<StreamClass, usize>,
    /// Where a stream has a phase.
    phases: HashMap<(usize, Phase), usize>,
}

/// Region, whether it is an error to leave it, slopes, and the constant modulo the width.
type StreamClass = ((u64, u64), bool, Vec<i64>, i128);

impl Streams<'_> {
    /// What each iteration of a nest does, or of an innermost loop in it.
    fn add_all(
        &mut self,
        work: &[Action],
        inner: Option<(ScalarId, Wheel)>,
        scalars: &mut Scalars,
    ) -> Option<()> {
        let width = self.setting.machine.width.get();
        for work in work {
            let (form, guard, low, otherwise, region, phase) = match work {
                Action::Access(it) => {
                    let otherwise = NotAffine::out_of_bounds(it.span);
                    (&it.cell, &it.guard, 0, otherwise, it.region(self.setting), Some(it.phase))
                }
                Action::Require(it) => {
                    let words = it.high.abs_diff(it.low).saturating_add(1);
                    (&it.form, &it.guard, it.low, it.otherwise, (0, words), None)
                }
                Action::Loop(it) => {
                    self.inner_loop(it, scalars)?;
                    continue;
                }
                Action::Operation(_) => continue,
            };
            match guard {
                Guard::Constant(true) => {}
                Guard::Constant(false) => continue,
                _ => return None,
            }
            let variable = inner.map(|it| it.0);
            let (constant, slopes, slope) = linear(form, self.variables, variable, scalars)?;
            let constant = constant.checked_sub(low)?;
            let mut add = |first, last, times| {
                self.add(
                    otherwise,
                    region,
                    [first, last],
                    slopes.clone(),
                    phase.map(|it| (it, times)),
                )
            };
            let Some((_, wheel)) = inner else {
                add(constant, constant, 1)?;
                continue;
            };
            let from = constant.checked_add(slope.checked_mul(wheel.value)?)?;
            let advance = slope.checked_mul(wheel.step)?;
            let period = width / gcd(advance.unsigned_abs(), width);
            for number in 0..period.min(wheel.count) {
                let times = (wheel.count - number).div_ceil(period);
                let at = |number: u64| {
                    from.checked_add(advance.checked_mul(i64::try_from(number).ok()?)?)
                };
                add(at(number)?, at(number + period * (times - 1))?, times)?;
            }
        }
        Some(())
    }

    fn inner_loop(&mut self, inner: &LoopForm, scalars: &mut Scalars) -> Option<()> {
        let LoopForm { range, guard, body } = inner;
        if *guard == Guard::Constant(false) {
            return Some(());
        }
        if !inner.is_same_for_all(self.variables) {
            return None;
        }
        let wheel = range.wheel(scalars, Span::default()).ok()?;
        if wheel.count > self.setting.limits.while_iterations {
            return None;
        }
        if !body.iter().any(|it| matches!(it, Action::Loop(_))) {
            return self.add_all(body, Some((range.variable, wheel)), scalars);
        }
        for number in 0..wheel.count {
            scalars[range.variable.0] = wheel.value + wheel.step * number.cast_signed();
            self.add_all(body, None, scalars)?;
        }
        Some(())
    }

    /// Alike accesses, from the `first` constant to the `last`, and how many of which phase.
    fn add(
        &mut self,
        otherwise: NotAffine,
        region: (u64, u64),
        [first, last]: [i64; 2],
        slopes: Vec<i64>,
        of: Option<(Phase, u64)>,
    ) -> Option<()> {
        let rest = i128::from(first).rem_euclid(self.setting.machine.width.get().into());
        let key = (region, otherwise.fails, slopes, rest);
        let differences = |stream: &Stream| {
            Some((first.checked_sub(stream.constant)?, last.checked_sub(stream.constant)?))
        };
        let known = self.alike.get(&key);
        let known = known.and_then(|&at| Some((at, differences(&self.streams[at])?)));
        let (at, (from, to)) = match known {
            Some(found) => found,
            None => {
                let (spread, phases, slopes) = ((0, 0), vec![], key.2.clone());
                let new = Stream { otherwise, region, constant: first, slopes, spread, phases };
                let differences = differences(&new)?;
                self.streams.push(new);
                self.alike.insert(key, self.streams.len() - 1);
                (self.streams.len() - 1, differences)
            }
        };
        let stream = &mut self.streams[at];
        let (low, high) = stream.spread;
        stream.spread = (low.min(from).min(to), high.max(from).max(to));
        let Some((phase, times)) = of else { return Some(()) };
        let place = *self.phases.entry((at, phase)).or_insert_with(|| {
            stream.phases.push((phase, 0));
            stream.phases.len() - 1
        });
        let count = &mut stream.phases[place].1;
        *count = count.checked_add(times)?;
        Some(())
    }
}

/// A cell as `constant + Σ slopes · variables + slope · inner`, with the outer scalars' values in the
/// constant.
fn linear(
    cell: &Form,
    variables: &[ScalarId],
    inner: Option<ScalarId>,
    scalars: &Scalars,
) -> Option<(i64, Vec<i64>, i64)> {
    let Form::Affine(affine) = cell else { return None };
    let mut constant = affine.constant;
    let (mut slopes, mut of_inner) = (vec![0; variables.len()], 0);
    for &(scalar, slope) in &affine.slopes {
        if let Some(dimension) = variables.iter().position(|&it| it == scalar) {
            slopes[dimension] = slope;
        } else if inner == Some(scalar) {
            of_inner = slope;
        } else {
            constant = constant.checked_add(slope.checked_mul(scalars[scalar.0])?)?;
        }
    }
    Some((constant, slopes, of_inner))
}
