//! A parallel nest's accesses as runs, generated round by round and consumed at once.

use std::borrow::Cow;

use super::Setting;
use super::form::Form;
use super::guard::Guard;
use super::rows::{Rounds, Row, Scalars, Wheel};
use super::skeleton::{AccessForm, LoopForm, NotAffine, RangeForm, Work};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::language::syntax::BinaryOp;
use crate::trace::{Kind, Phase, Piece, Run, Sink, Step};
use crate::units::Address;

/// A nest of the listing, as far as it can be known before it runs.
#[derive(Debug, Clone)]
pub(super) struct NestForm {
    pub(super) ranges: Vec<RangeForm>,
    pub(super) work: Vec<Work>,
    pub(super) span: Span,
}

/// Feeds one execution of a nest to `sink`: `O(runs)` time, memory `O(runs of a round)`.
/// `scalars` holds the values of the scalars outside.
pub(super) fn feed(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &mut Scalars,
    sink: &mut impl Sink,
) -> Result<(), NotAffine> {
    let overflow = overflow(nest.span);
    let variables = nest.ranges.iter().map(|range| range.variable).collect();
    let threads = setting.threads;
    let rounds = Rounds::new(&nest.ranges, scalars, threads).ok_or(overflow)?;
    // All rounds inside one long row are alike if they begin at the same place of an address group.
    let whole_warps = threads.is_multiple_of(setting.machine.width.get());
    let known = |scalar: ScalarId| {
        let inside = nest.binds(scalar);
        (!inside).then(|| Form::constant(rounds.scalars()[scalar.0]))
    };
    let work = specialised(&nest.work, &known).ok_or(overflow)?;
    let batch = !setting.ordered && whole_warps && work.iter().all(is_unguarded_access);
    let mut feeder =
        Feeder { setting, variables, rounds, times: 1, step: Step::new(Kind::Read), sink };
    let streams = if setting.ordered { None } else { feeder.streams(&work) };
    loop {
        feeder.times = feeder.rounds.deal(batch).ok_or(overflow)?;
        if feeder.times == 0 {
            return Ok(());
        }
        match &streams {
            Some(streams) => streams.iter().try_for_each(|stream| feeder.stream(stream))?,
            None => feeder.work(&work)?,
        }
    }
}

/// Whether [`feed`] will know every address. Without loops inside the nest a look at the forms
/// tells; else a dry run does.
pub(super) fn check(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &Scalars,
) -> Result<(), NotAffine> {
    let known = |scalar: ScalarId| (!nest.binds(scalar)).then(|| Form::constant(scalars[scalar.0]));
    let innermost = nest.ranges[nest.ranges.len() - 1].variable;
    for work in specialised(&nest.work, &known).ok_or(overflow(nest.span))?.iter() {
        let Work::Access(access) = work else {
            return feed(nest, setting, &mut scalars.clone(), &mut Nowhere);
        };
        let forms = std::iter::once(&access.cell).chain(access.guard.forms());
        if forms.into_iter().any(|form| form.slope(innermost).is_none()) {
            return Err(NotAffine { span: access.span, why: "this address is not affine" });
        }
    }
    Ok(())
}

/// A sink for dry runs.
pub(super) struct Nowhere;

impl Sink for Nowhere {
    fn step(&mut self, _: Phase, _: &Step) {}
    fn repeat(&mut self, _: Phase, _: &Step, _: u64) {}
    fn barrier(&mut self) {}
}

impl NestForm {
    /// Whether a scalar is a variable of the nest or of a loop inside it.
    fn binds(&self, scalar: ScalarId) -> bool {
        fn inside(work: &[Work], scalar: ScalarId) -> bool {
            work.iter().any(|work| match work {
                Work::Access(_) => false,
                Work::Loop(it) => it.range.variable == scalar || inside(&it.body, scalar),
            })
        }
        self.ranges.iter().any(|range| range.variable == scalar) || inside(&self.work, scalar)
    }
}

/// `work` with known scalars put in, where a form needs that to become affine.
fn specialised<'a>(
    work: &'a [Work],
    known: &impl Fn(ScalarId) -> Option<Form>,
) -> Option<Cow<'a, [Work]>> {
    if work.iter().all(Work::is_affine) {
        return Some(Cow::Borrowed(work));
    }
    work.iter().map(|work| work.specialise(known)).collect::<Option<Vec<_>>>().map(Cow::Owned)
}

pub(super) const fn overflow(span: Span) -> NotAffine {
    NotAffine { span, why: "arithmetic overflows here" }
}

pub(super) const fn out_of_bounds(span: Span) -> NotAffine {
    NotAffine { span, why: "this address is outside its array" }
}

fn is_unguarded_access(work: &Work) -> bool {
    matches!(work, Work::Access(AccessForm { guard: Guard::Constant(_), .. }))
}

/// An access whose cell is affine in the nest's variables, and its likes: accesses whose cells
/// differ from its own by a constant multiple of the width, so that they take the same stages.
struct Stream {
    span: Span,
    kind: Kind,
    /// Address of the array's cell 0, and its number of cells.
    region: (u64, u64),
    constant: i64,
    /// By dimension of the nest.
    slopes: Vec<i64>,
    /// Smallest and largest difference of an access's cell from this one's.
    spread: (i64, i64),
    phases: Vec<(Phase, u64)>,
}

struct Feeder<'a, S> {
    setting: &'a Setting<'a>,
    variables: Vec<ScalarId>,
    rounds: Rounds<'a>,
    /// How many rounds the present one stands for.
    times: u64,
    step: Step,
    sink: &'a mut S,
}

impl<S: Sink> Feeder<'_, S> {
    /// The accesses as streams, if every one is affine and unconditional: the usual case, and the
    /// fast one. Alike accesses are counted once.
    fn streams(&self, work: &[Work]) -> Option<Vec<Stream>> {
        let mut streams: Vec<Stream> = vec![];
        for work in work {
            let Work::Access(access) = work else { return None };
            match access.guard {
                Guard::Constant(true) => {}
                Guard::Constant(false) => continue,
                _ => return None,
            }
            let (constant, slopes) = self.linear(&access.cell)?;
            let region = self.region(access);
            let width = self.setting.machine.width.get().cast_signed();
            let alike = streams.iter_mut().find(|it| {
                it.region == region && it.slopes == slopes && (constant - it.constant) % width == 0
            });
            let stream = match alike {
                Some(stream) => stream,
                None => {
                    let kind = self.setting.program.sites[access.site.0].kind;
                    let (span, spread, phases) = (access.span, (0, 0), vec![]);
                    streams.push(Stream { span, kind, region, constant, slopes, spread, phases });
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
    fn linear(&self, cell: &Form) -> Option<(i64, Vec<i64>)> {
        let Form::Affine(affine) = cell else { return None };
        let mut constant = affine.constant;
        let mut slopes = vec![0; self.variables.len()];
        for &(scalar, slope) in &affine.slopes {
            match self.variables.iter().position(|&it| it == scalar) {
                Some(dimension) => slopes[dimension] = slope,
                None => {
                    let value = self.rounds.scalars()[scalar.0];
                    constant = constant.checked_add(slope.checked_mul(value)?)?;
                }
            }
        }
        // Far from overflow for every value that stays within an array.
        let small = |value: &i64| value.unsigned_abs() < 1 << 62;
        (small(&constant) && slopes.iter().all(small)).then_some((constant, slopes))
    }

    fn region(&self, access: &AccessForm) -> (u64, u64) {
        let region = &self.setting.layout.regions[access.array];
        (region.base.0, region.cells)
    }

    fn stream(&mut self, stream: &Stream) -> Result<(), NotAffine> {
        let (base, cells) = stream.region;
        let innermost = stream.slopes[stream.slopes.len() - 1];
        let stride = innermost.wrapping_mul(self.rounds.step());
        self.step.kind = stream.kind;
        self.step.pieces.clear();
        let (mut lowest, mut highest) = (i64::MAX, i64::MIN);
        for &row in &self.rounds.rows {
            let values = self.rounds.values(row);
            let cell =
                stream.slopes.iter().zip(values).fold(stream.constant, |cell, (slope, value)| {
                    cell.wrapping_add(slope.wrapping_mul(*value))
                });
            let reach = stride.wrapping_mul((row.count * self.times - 1).cast_signed());
            let last = cell.wrapping_add(reach);
            lowest = lowest.min(cell.min(last));
            highest = highest.max(cell.max(last));
            let base = Address(base.wrapping_add_signed(cell));
            self.step.pieces.push(Piece::Run(Run { base, stride, count: row.count }));
        }
        let inside = lowest.checked_add(stream.spread.0).is_some_and(|lowest| lowest >= 0)
            && highest.checked_add(stream.spread.1).is_some_and(|it| (it as u64) < cells);
        if !inside {
            return Err(out_of_bounds(stream.span));
        }
        for &(phase, count) in &stream.phases {
            self.sink.repeat(phase, &self.step, count * self.times);
        }
        Ok(())
    }

    /// The general case, in the order of the listing.
    fn work(&mut self, work: &[Work]) -> Result<(), NotAffine> {
        work.iter().try_for_each(|work| match work {
            Work::Access(access) => self.access(access),
            Work::Loop(inner) => self.inner_loop(inner),
        })
    }

    /// Sets the nest's variables to a row's first iteration.
    fn enter(&mut self, row: Row) {
        for dimension in 0..self.variables.len() {
            let value = self.rounds.values(row)[dimension];
            self.rounds.scalars_mut()[self.variables[dimension].0] = value;
        }
    }

    fn innermost(&self) -> ScalarId {
        self.variables[self.variables.len() - 1]
    }

    fn access(&mut self, access: &AccessForm) -> Result<(), NotAffine> {
        let give_up = || NotAffine { span: access.span, why: "this address is not affine" };
        let (base, cells) = self.region(access);
        let (variable, step) = (self.innermost(), self.rounds.step());
        let slope = access.cell.slope(variable).ok_or_else(give_up)?;
        let stride = slope.checked_mul(step).ok_or_else(give_up)?;
        self.step.kind = self.setting.program.sites[access.site.0].kind;
        self.step.pieces.clear();
        for index in 0..self.rounds.rows.len() {
            let row = self.rounds.rows[index];
            self.enter(row);
            let scalars = self.rounds.scalars();
            let get = |scalar: ScalarId| scalars[scalar.0];
            let stretches = (access.guard.stretches(variable, step, row.count, &get))
                .ok_or(overflow(access.span))?;
            let mut at = 0;
            for (from, to) in stretches {
                let cell = access.cell.value(&get).ok_or(overflow(access.span))?;
                let [first, last] = [from, to - 1]
                    .map(|index| i128::from(cell) + i128::from(stride) * i128::from(index));
                if first.min(last) < 0 || first.max(last) >= i128::from(cells) {
                    return Err(out_of_bounds(access.span));
                }
                self.step.push_idle(from - at);
                let base = Address(base + first as u64);
                self.step.pieces.push(Piece::Run(Run { base, stride, count: to - from }));
                at = to;
            }
            self.step.push_idle(row.count - at);
        }
        self.sink.repeat(access.phase, &self.step, self.times);
        Ok(())
    }

    /// All threads run the loop in step: its k-th iteration together, those that are through idle.
    fn inner_loop(&mut self, inner: &LoopForm) -> Result<(), NotAffine> {
        let LoopForm { range, guard, body } = inner;
        let bounds = [&range.from, &range.to, &range.step];
        let differs = |form: &&Form| self.variables.iter().any(|&it| form.mentions(it));
        let span = body.first().map_or_else(Span::default, Work::span);
        if *guard == Guard::Constant(true) && !bounds.iter().any(differs) {
            let wheel = Wheel::new(range, self.rounds.scalars()).ok_or(overflow(span))?;
            let mut value = wheel.value;
            for _ in 0..wheel.count {
                self.rounds.scalars_mut()[range.variable.0] = value;
                let known =
                    |scalar: ScalarId| (scalar == range.variable).then(|| Form::constant(value));
                let body = specialised(body, &known).ok_or(overflow(span))?;
                self.work(&body)?;
                value = value.wrapping_add(wheel.step);
            }
            return Ok(());
        }
        let sign = if range.downward { BinaryOp::Subtract } else { BinaryOp::Add };
        for iteration in 0.. {
            let make = || {
                let passed = Form::combine(
                    BinaryOp::Multiply,
                    range.step.clone(),
                    Form::constant(iteration),
                )?;
                let value = Form::combine(sign, range.from.clone(), passed)?;
                let (low, high) = if range.downward {
                    (range.to.clone(), value.clone())
                } else {
                    (value.clone(), range.to.clone())
                };
                let inside = Guard::compare(BinaryOp::LessEqual, low, high)?.and(guard.clone());
                let known = |scalar: ScalarId| (scalar == range.variable).then(|| value.clone());
                let body: Option<Vec<Work>> = body
                    .iter()
                    .map(|work| Some(work.specialise(&known)?.guarded(&inside)))
                    .collect();
                Some((inside, body?))
            };
            let (inside, body) = make().ok_or(overflow(span))?;
            if !self.holds_somewhere(&inside, span)? {
                return Ok(());
            }
            self.work(&body)?;
        }
        Ok(())
    }

    /// Whether any iteration of the present round satisfies a condition.
    fn holds_somewhere(&mut self, guard: &Guard, span: Span) -> Result<bool, NotAffine> {
        let (variable, step) = (self.innermost(), self.rounds.step());
        if guard.forms().iter().any(|form| form.slope(variable).is_none()) {
            return Err(NotAffine { span, why: "this loop's bounds are not affine" });
        }
        for index in 0..self.rounds.rows.len() {
            let row = self.rounds.rows[index];
            self.enter(row);
            let scalars = self.rounds.scalars();
            let get = |scalar: ScalarId| scalars[scalar.0];
            let stretches = guard.stretches(variable, step, row.count, &get);
            if !stretches.ok_or(overflow(span))?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
