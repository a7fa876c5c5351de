//! Which words a loop accesses: boxes of cells along its loops, as runs.

use std::cell::RefCell;
use std::collections::HashSet;

use super::measure::Measurer;
use super::rounds;
use crate::cost::{Footprint, Touch};
use crate::count::Setting;
use crate::count::form::{Form, Scalars};
use crate::count::guard::Guard;
use crate::count::rows::Rounds;
use crate::count::work::{AccessForm, Action, NestForm, NotAffine, RangeForm};
use crate::language::program::ScalarId;
use crate::run::Evaluation;
use crate::run::odometer::Wheel;
use crate::trace::{AccessKind, Phase};

type Result<T> = std::result::Result<T, NotAffine>;

/// That of one execution of a loop.
pub(super) struct LoopFootprint<'a> {
    pub(super) setting: &'a Setting<'a>,
    pub(super) form: &'a NestForm,
    /// As its scalars have it.
    pub(super) work: &'a [Action],
    pub(super) kinds: &'a [Evaluation],
    pub(super) is_nest: bool,
    pub(super) scalars: &'a Scalars,
}

impl Footprint for LoopFootprint<'_> {
    fn visit(&self, threads: u64, processors: u64, visit: &mut dyn FnMut(Touch)) -> bool {
        // Cells with a layout do not lie row by row.
        if self.setting.program.first_layout().is_some() {
            return false;
        }
        let span = self.form.span;
        let scalars = self.scalars.clone();
        let mut walk = Walk {
            setting: self.setting,
            overflow: NotAffine::overflow(span),
            scalars,
            sides: vec![],
            seen: HashSet::new(),
            processor: 0,
            visit: RefCell::new(visit),
        };
        let (ranges, work) = (&self.form.ranges, self.work);
        let walked = match self.is_nest && processors > 1 {
            true => walk.dealt(work, self.dealing(threads, processors)),
            false => walk.nest(ranges, work),
        };
        walked.is_ok()
    }

    fn operations(&self, threads: u64, processors: u64) -> Option<Vec<u128>> {
        let mut found = vec![0; processors as usize];
        let measurer = Measurer { kinds: self.kinds, span: self.form.span };
        let dealt = self.dealing(threads, processors).pieces(&mut |processor, side, scalars| {
            let once = measurer.nest(&[side.range()], self.work, scalars)?;
            found[processor as usize] += once.sum[1..].iter().sum::<u128>();
            Ok(())
        });
        dealt.is_ok().then_some(found)
    }

    fn time_and_steps(&self, threads: u64, costs: [u64; 2]) -> Option<[u128; 2]> {
        rounds::time_and_steps(self.form, self.work, self.scalars, threads, costs)
    }
}

impl LoopFootprint<'_> {
    fn dealing(&self, threads: u64, processors: u64) -> Dealing<'_> {
        Dealing { form: self.form, scalars: self.scalars, threads, processors }
    }
}

/// How the iterations of a nest come to processors.
struct Dealing<'a> {
    form: &'a NestForm,
    scalars: &'a Scalars,
    threads: u64,
    processors: u64,
}

impl Dealing<'_> {
    /// Visits iterations of the innermost loop that follow each other on one processor; the other variables
    /// stand in the scalars, and that loop's at its first.
    fn pieces(&self, visit: &mut dyn FnMut(u32, Side, &mut Scalars) -> Result<()>) -> Result<()> {
        let (ranges, threads, processors) = (&self.form.ranges, self.threads, self.processors);
        let mut scalars = self.scalars.clone();
        let mut rounds = Rounds::new(ranges, &mut scalars, threads, false, self.form.span)?;
        let variable = ranges[ranges.len() - 1].variable;
        while rounds.deal()? {
            let mut lane = 0;
            for number in 0..rounds.rows.len() {
                let row = rounds.rows[number];
                let scalars = rounds.stand_at(row);
                let mut left =
                    Wheel { value: scalars[variable.0], step: row.step, count: row.count };
                while left.count > 0 {
                    let at = u128::from(lane) * u128::from(processors) / u128::from(threads);
                    let end = ((at + 1) * u128::from(threads)).div_ceil(processors.into()) as u64;
                    let count = left.count.min(end - lane);
                    scalars[variable.0] = left.value;
                    let wheel = Wheel { count, ..left };
                    visit(at as u32, Side { variable, wheel }, scalars)?;
                    left.advance(count);
                    lane += count;
                }
            }
        }
        Ok(())
    }
}

/// A loop that a box stretches along.
#[derive(Debug, Clone, Copy)]
struct Side {
    variable: ScalarId,
    wheel: Wheel,
}

impl Side {
    /// The loop that goes along it.
    fn range(self) -> RangeForm {
        let Self { variable, wheel } = self;
        let [from, to, step] =
            [wheel.value, wheel.after(wheel.count - 1), wheel.step.saturating_abs()]
                .map(Form::constant);
        RangeForm { variable, from, to, step, downward: wheel.step < 0 }
    }
}

/// A cell, and strides with how often each is gone, ascending: of a processor and a reference.
type CellBox = (u32, usize, bool, Phase, u64, Vec<(u64, u64)>);

struct Walk<'a, 'b> {
    setting: &'a Setting<'a>,
    overflow: NotAffine,
    /// Variables of sides stand at the first of their values.
    scalars: Scalars,
    sides: Vec<Side>,
    seen: HashSet<CellBox>,
    processor: u32,
    visit: RefCell<&'b mut dyn FnMut(Touch)>,
}

impl Walk<'_, '_> {
    /// The iterations of a nest in rounds, of which each processor has a part.
    fn dealt(&mut self, work: &[Action], dealing: Dealing<'_>) -> Result<()> {
        dealing.pieces(&mut |processor, side, scalars| {
            self.scalars.clone_from(scalars);
            self.processor = processor;
            self.sides = vec![side];
            self.work(work)
        })
    }

    fn nest(&mut self, ranges: &[RangeForm], work: &[Action]) -> Result<()> {
        match ranges {
            [range, inner @ ..] => {
                self.along(range, &Guard::Constant(true), &mut |it| it.nest(inner, work))
            }
            [] => self.work(work),
        }
    }

    fn work(&mut self, work: &[Action]) -> Result<()> {
        work.iter().try_for_each(|action| match action {
            Action::Access(it) => self.access(it),
            Action::Loop(it) => self.along(&it.range, &it.guard, &mut |walk| walk.work(&it.body)),
            Action::Require(_) | Action::Operation(_) => Ok(()),
        })
    }

    /// Makes a loop a side of the boxes inside it.
    fn along(
        &mut self,
        range: &RangeForm,
        guard: &Guard,
        inside: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let is_moved = |side: &Side| range.mentions(side.variable) || guard.mentions(side.variable);
        if let Some(at) = self.sides.iter().position(is_moved) {
            return self.turn_by_turn(at, &mut |it| it.along(range, guard, inside));
        }
        if !self.holds(guard)? {
            return Ok(());
        }
        let wheel = range.wheel(&self.scalars, self.overflow.span)?;
        if wheel.count > 0 {
            self.sides.push(Side { variable: range.variable, wheel });
            self.scalars[range.variable.0] = wheel.value;
            inside(self)?;
            self.sides.pop();
        }
        Ok(())
    }

    /// Goes through the values of a side one by one.
    fn turn_by_turn(
        &mut self,
        at: usize,
        inside: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let side = self.sides.remove(at);
        for turn in 0..side.wheel.count {
            self.scalars[side.variable.0] = side.wheel.after(turn);
            inside(self)?;
        }
        self.scalars[side.variable.0] = side.wheel.value;
        self.sides.insert(at, side);
        Ok(())
    }

    fn holds(&self, guard: &Guard) -> Result<bool> {
        guard.holds(&|it: ScalarId| self.scalars[it.0]).ok_or(self.overflow)
    }

    fn access(&mut self, access: &AccessForm) -> Result<()> {
        let AccessForm { cell, guard, .. } = access;
        let is_uneven =
            |side: &Side| cell.slope(side.variable).is_none() || guard.mentions(side.variable);
        if let Some(at) = self.sides.iter().position(is_uneven) {
            return self.turn_by_turn(at, &mut |it| it.access(access));
        }
        if self.holds(guard)? { self.cells(access, cell) } else { Ok(()) }
    }

    fn cells(&mut self, access: &AccessForm, cell: &Form) -> Result<()> {
        let kind = self.setting.program.sites[access.site.0].kind;
        let base = cell.value(&|it: ScalarId| self.scalars[it.0]).ok_or(self.overflow)?;
        let mut low = i128::from(base);
        let mut strides = vec![];
        for &Side { variable, wheel: Wheel { step, count, .. } } in &self.sides {
            let slope = cell.slope(variable).unwrap_or(0);
            let stride = i128::from(slope) * i128::from(step);
            if stride < 0 {
                low += stride * i128::from(count - 1);
            }
            if stride != 0 && count > 1 {
                let stride = u64::try_from(stride.abs()).map_err(|_| self.overflow)?;
                strides.push((stride, count));
            }
        }
        let first = u64::try_from(low).map_err(|_| self.overflow)?;
        let strides = merged(strides);
        let is_write = kind == AccessKind::Write;
        let key = (self.processor, access.array, is_write, access.phase, first, strides);
        if self.seen.contains(&key) {
            return Ok(());
        }
        let (stride, count) = key.5.first().copied().unwrap_or((0, 1));
        let touch = Touch {
            processor: self.processor,
            array: access.array,
            kind,
            phase: access.phase,
            cell: first,
            stride,
            count,
        };
        runs(touch, key.5.get(1..).unwrap_or(&[]), &mut *self.visit.borrow_mut());
        self.seen.insert(key);
        Ok(())
    }
}

/// Strides of which one fills the gaps of the next are one.
fn merged(mut strides: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    strides.sort_unstable();
    let mut found: Vec<(u64, u64)> = vec![];
    for (stride, count) in strides {
        match found.last_mut() {
            Some((fine, number)) if stride.is_multiple_of(*fine) && stride / *fine <= *number => {
                *number += (count - 1) * (stride / *fine);
            }
            _ => found.push((stride, count)),
        }
    }
    found
}

/// The runs of a box, whose other strides these are.
fn runs(touch: Touch, strides: &[(u64, u64)], visit: &mut dyn FnMut(Touch)) {
    let Some((&(stride, count), inner)) = strides.split_last() else { return visit(touch) };
    for turn in 0..count {
        runs(Touch { cell: touch.cell + turn * stride, ..touch }, inner, visit);
    }
}
