//! Parallel nests: iterations in lexicographic order, dealt out to the threads in rounds of `p`
//! (Nakano 2013, Sequential Memory Access).

use super::{Executor, Result, outside_scalars};
use crate::diagnostic::{Diagnostic, Span};
use crate::language::program::LoopId;
use crate::run::active::Active;
use crate::run::code::{LoopsCode, NestCode, Place, RangeCode, Register};
use crate::run::flow::Flow;
use crate::run::memory::holds_registers;
use crate::run::observer::Observer;
use crate::run::odometer::{Odometer, Wheel};

/// To whom iterations are given.
pub(super) struct Deal {
    /// Of the registers inside the loops.
    pub(super) place: Place,
    /// The lane outside in which the bounds are computed.
    pub(super) lane: usize,
    /// The first lane inside.
    pub(super) first: usize,
    /// Lanes inside.
    pub(super) most: usize,
    pub(super) span: Span,
}

impl<'a, W: Observer + ?Sized> Executor<'a, W> {
    /// With values: what memory holds where a nest or a loop on DMMs begins.
    pub(super) fn show_memory(&mut self, of: LoopId) {
        if let Some(memory) = &mut self.memory {
            self.observer.memory_before(of, memory);
        }
    }

    /// With values: whether the observer ends a nest or a loop on DMMs before its next round.
    pub(super) fn is_ended(&mut self) -> bool {
        self.memory.is_some() && self.observer.ends_nest()
    }

    pub(super) fn nest(&mut self, nest: &'a NestCode<'a>) -> Result<()> {
        if self.memory.is_none() && self.skips(nest)? {
            return Ok(());
        }
        let loops = &nest.loops;
        // The bounds of the outermost loop may read memory: thread 0 does that before the barrier.
        self.begin_outermost(loops, &Active::First(1))?;
        let mut rows = Odometer::new(loops.ranges.len(), |outer| self.begin(loops, outer, 0))?;
        self.show_memory(nest.nest.id());
        if self.memory.is_some() {
            let scalars = outside_scalars(self.scalars, &self.registers);
            self.observer.launch(nest.nest, &scalars)?;
        }
        self.observer.enter_nest(nest.nest);
        let mut filled = 0;
        let bounds = bounds(loops);
        let most = usize::try_from(self.limits.threads.get()).unwrap_or(usize::MAX);
        while rows.row().is_some() {
            self.check_end(nest.nest.span)?;
            if self.is_ended() {
                break;
            }
            let span = nest.nest.span;
            let picked =
                self.memory.is_none().then(|| self.observer.next_round(nest.nest)).flatten();
            let mut count = 0;
            for (passed, taken) in picked.unwrap_or_else(|| vec![(0, most as u64)]) {
                self.pass(loops, &mut rows, passed)?;
                let most = taken as usize;
                let deal = Deal { place: Place::Inside, lane: 0, first: count, most, span };
                count += self.deal(loops, &bounds, &mut rows, deal)?;
            }
            if count == 0 {
                break;
            }
            self.hold_registers(count, span)?;
            self.capture(loops, filled, count);
            filled = filled.max(count);
            let outer = self.loops.len();
            self.name_variables(loops);
            self.place = Place::Inside;
            self.observer.flow(Flow::RoundBegins { count });
            self.code(&nest.body, &Active::First(count))?;
            self.observer.flow(Flow::RoundEnds);
            self.place = Place::Outside;
            self.loops.truncate(outer);
        }
        let variables = loops.ranges.iter().zip(&loops.lanes);
        let variables: Vec<_> = variables
            .map(|(range, lane)| (range.name, self.registers[lane.0].as_slice()))
            .collect();
        self.observer.leave_nest(nest.nest, &variables);
        Ok(())
    }

    /// Whether the observer takes the nest off our hands.
    fn skips(&mut self, nest: &NestCode<'_>) -> Result<bool> {
        let scalars = outside_scalars(self.scalars, &self.registers);
        self.observer.skip_nest(nest.nest, &scalars)
    }

    /// Names the loop variables that the body sees, for messages.
    pub(super) fn name_variables(&mut self, loops: &'a LoopsCode<'a>) {
        let variables = loops.ranges.iter().zip(&loops.lanes);
        self.loops.extend(variables.map(|(range, &lane)| (range.name, lane)));
    }

    /// Gives the next iterations, as many as there are lanes for, to lanes one after another; returns
    /// how many there were.
    pub(super) fn deal(
        &mut self,
        loops: &'a LoopsCode<'a>,
        bounds: &[Register],
        rows: &mut Odometer,
        deal: Deal,
    ) -> Result<usize> {
        let mut count = 0;
        while count < deal.most
            && let Some((&row, outer)) = rows.row()
        {
            let take = usize::try_from(row.count).unwrap_or(usize::MAX).min(deal.most - count);
            let from = deal.first + count;
            let end = from.saturating_add(take);
            self.widen(deal.place, end, deal.span)?;
            for (lane, wheel) in loops.lanes.iter().zip(outer) {
                self.registers[lane.0][from..end].fill(wheel.value.cast_unsigned());
            }
            let lanes = &mut self.registers[loops.lanes[outer.len()].0][from..end];
            for (index, lane) in (0_i64..).zip(lanes) {
                // Exact modulo 2⁶⁴, and the true value fits.
                *lane = row.value.wrapping_add(index.wrapping_mul(row.step)).cast_unsigned();
            }
            let (variables, by) = (&loops.lanes, deal.lane);
            self.observer.flow(Flow::Dealt { bounds, by, variables, lanes: from..end });
            count += take;
            self.allowance.spend(take);
            rows.pass(take as u64, |outer| self.begin(loops, outer, deal.lane))?;
        }
        Ok(count)
    }

    /// Passes over the next iterations.
    fn pass(
        &mut self,
        loops: &'a LoopsCode<'a>,
        rows: &mut Odometer,
        mut iterations: u64,
    ) -> Result<()> {
        while iterations > 0
            && let Some((&row, _)) = rows.row()
        {
            let passed = iterations.min(row.count);
            rows.pass(passed, |outer| self.begin(loops, outer, 0))?;
            iterations -= passed;
        }
        Ok(())
    }

    /// Computes the bounds of the outermost loop, which alone may read memory, for the active threads
    /// together.
    pub(super) fn begin_outermost(
        &mut self,
        loops: &'a LoopsCode<'a>,
        active: &Active,
    ) -> Result<()> {
        let outermost = &loops.ranges[0];
        self.code(&outermost.bounds, active)?;
        self.check_step(outermost, active)
    }

    /// Computes, in a lane outside, the bounds of the loop inside those that stand at `outer`; those of
    /// the outermost are known.
    pub(super) fn begin(
        &mut self,
        loops: &'a LoopsCode<'a>,
        outer: &[Wheel],
        lane: usize,
    ) -> Result<Wheel> {
        let (around, range) = (&loops.ranges[..outer.len()], &loops.ranges[outer.len()]);
        self.allowance.spend(1);
        self.allowance.check(range.span)?;
        if !around.is_empty() {
            for (range, wheel) in around.iter().zip(outer) {
                self.registers[range.variable.0][lane] = wheel.value.cast_unsigned();
            }
            let names = self.loops.len();
            self.loops.extend(around.iter().map(|range| (range.name, range.variable)));
            let alone = if lane == 0 { Active::First(1) } else { Active::Some(vec![lane as u32]) };
            self.code(&range.bounds, &alone)?;
            self.check_step(range, &alone)?;
            self.loops.truncate(names);
        }
        let step = range.step.map_or(1, |step| self.value(step, lane));
        let [from, to] = [range.from, range.to].map(|it| self.value(it, lane));
        Ok(Wheel::new(from, to, step, range.downward))
    }

    /// Makes room for `lanes` lanes in the registers of a place.
    pub(super) fn widen(&mut self, place: Place, lanes: usize, span: Span) -> Result<()> {
        let room = if place == Place::Block { &mut self.in_blocks } else { &mut self.inside };
        if lanes <= *room {
            return Ok(());
        }
        let registers = self.places.iter().filter(|it| it.0 == place).count();
        if !holds_registers(lanes as u64, registers) {
            let (what, remedy) = match place {
                Place::Block => ("blocks", "fewer blocks at once with -d and --resident"),
                Place::Outside | Place::Inside => ("threads", "fewer threads with -p"),
            };
            let message = format!("this loop runs at least {lanes} {what} at once");
            return Err(Box::new(Diagnostic::new(span, message).help(format!(
                "their registers do not fit memory: choose smaller sizes, or {remedy}"
            ))));
        }
        *room = lanes.next_power_of_two();
        let room = *room;
        for (register, &(of, constant)) in self.registers.iter_mut().zip(self.places) {
            if of == place {
                register.resize(room, constant.unwrap_or(0));
            }
        }
        self.addresses.resize(room.max(self.addresses.len()), 0);
        Ok(())
    }

    /// Copies the scalars from outside that the body reads to threads `filled … count − 1`.
    fn capture(&mut self, loops: &LoopsCode<'_>, filled: usize, count: usize) {
        for &(outside, inside) in &loops.captured {
            let value = self.registers[outside.0][0];
            if filled < count {
                self.registers[inside.0][filled..count].fill(value);
                self.observer.flow(Flow::Captured { outside, by: 0, inside, lanes: filled..count });
            }
        }
    }
}

/// The registers of all bounds and steps.
pub(super) fn bounds(loops: &LoopsCode<'_>) -> Vec<Register> {
    let of = |range: &RangeCode<'_>| [range.from, range.to].into_iter().chain(range.step);
    loops.ranges.iter().flat_map(of).collect()
}
