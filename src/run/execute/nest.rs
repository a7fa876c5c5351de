//! Parallel nests: iterations in lexicographic order, dealt out to the threads in rounds of `p`
//! (Nakano 2013, Sequential Memory Access).

use super::{Executor, Result, outside_scalars};
use crate::diagnostic::{Diagnostic, Span};
use crate::run::code::{NestCode, Place, RangeCode, Register};
use crate::run::flow::Flow;
use crate::run::lanes::Active;
use crate::run::memory::holds_registers;
use crate::run::observer::Observer;
use crate::run::odometer::{Odometer, Wheel};

impl<'a, W: Observer> Executor<'a, W> {
    pub(super) fn nest(&mut self, nest: &'a NestCode<'a>) -> Result<()> {
        if self.memory.is_none() && self.skips(nest)? {
            return Ok(());
        }
        // The bounds of the outermost loop may read memory: thread 0 does that before the barrier.
        let mut rows = Odometer::new(nest.ranges.len(), |outer| self.begin(nest, outer))?;
        self.observer.enter_nest(nest.nest);
        let mut filled = 0;
        let bounds: Vec<Register> = nest.ranges.iter().flat_map(range_registers).collect();
        while rows.row().is_some() {
            self.ask_observer()?;
            let count = self.deal(nest, &bounds, &mut rows)?;
            self.capture(nest, filled, count);
            filled = filled.max(count);
            let outer = self.loops.len();
            let variables = nest.ranges.iter().zip(&nest.lanes);
            self.loops.extend(variables.map(|(range, &lane)| (range.name, lane)));
            self.place = Place::Inside;
            self.observer.flow(Flow::RoundBegins { count });
            self.code(&nest.body, &Active::First(count))?;
            self.observer.flow(Flow::RoundEnds);
            self.place = Place::Outside;
            self.loops.truncate(outer);
        }
        let variables = nest.ranges.iter().zip(&nest.lanes);
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

    /// Gives the next at most `p` iterations to threads 0, 1, …; returns how many there were.
    fn deal(
        &mut self,
        nest: &'a NestCode<'a>,
        bounds: &[Register],
        rows: &mut Odometer,
    ) -> Result<usize> {
        let threads = usize::try_from(self.limits.threads.get()).unwrap_or(usize::MAX);
        let mut count = 0;
        while count < threads
            && let Some((&row, outer)) = rows.row()
        {
            let take = usize::try_from(row.count).unwrap_or(usize::MAX).min(threads - count);
            self.widen(count.saturating_add(take), nest.nest.span)?;
            for (lane, wheel) in nest.lanes.iter().zip(outer) {
                self.registers[lane.0][count..count + take].fill(wheel.value.cast_unsigned());
            }
            let lanes = &mut self.registers[nest.lanes[outer.len()].0][count..count + take];
            for (index, lane) in (0_i64..).zip(lanes) {
                // Exact modulo 2⁶⁴, and the true value fits.
                *lane = row.value.wrapping_add(index.wrapping_mul(row.step)).cast_unsigned();
            }
            let (variables, lanes) = (&nest.lanes, count..count + take);
            self.observer.flow(Flow::Dealt { bounds, variables, lanes });
            count += take;
            rows.pass(take as u64, |outer| self.begin(nest, outer))?;
        }
        Ok(count)
    }

    /// Computes the bounds of the loop inside those that stand at `outer`.
    fn begin(&mut self, nest: &'a NestCode<'a>, outer: &[Wheel]) -> Result<Wheel> {
        let (around, range) = (&nest.ranges[..outer.len()], &nest.ranges[outer.len()]);
        for (range, wheel) in around.iter().zip(outer) {
            self.registers[range.variable.0][0] = wheel.value.cast_unsigned();
        }
        let loops = self.loops.len();
        self.loops.extend(around.iter().map(|range| (range.name, range.variable)));
        self.code(&range.bounds, &Active::First(1))?;
        self.check_step(range, &Active::First(1))?;
        self.loops.truncate(loops);
        let step = range.step.map_or(1, |step| self.value(step, 0));
        let [from, to] = [range.from, range.to].map(|it| self.value(it, 0));
        Ok(Wheel::new(from, to, step, range.downward))
    }

    /// Makes room for `lanes` threads in the registers inside nests.
    fn widen(&mut self, lanes: usize, span: Span) -> Result<()> {
        if lanes <= self.inside {
            return Ok(());
        }
        let inside = self.places.iter().filter(|(place, _)| *place == Place::Inside).count();
        if !holds_registers(lanes as u64, inside) {
            let message = format!("this loop runs at least {lanes} threads at once");
            return Err(Box::new(Diagnostic::new(span, message).help(
                "their registers do not fit memory: choose smaller sizes, or fewer threads with -p",
            )));
        }
        self.inside = lanes.next_power_of_two();
        for (register, &(place, constant)) in self.registers.iter_mut().zip(self.places) {
            if place == Place::Inside {
                register.resize(self.inside, constant.unwrap_or(0));
            }
        }
        self.addresses.resize(self.inside.max(self.addresses.len()), 0);
        Ok(())
    }

    /// Copies the scalars from outside that the body reads to threads `filled … count − 1`.
    fn capture(&mut self, nest: &NestCode<'_>, filled: usize, count: usize) {
        for &(outside, inside) in &nest.captured {
            let value = self.registers[outside.0][0];
            if filled < count {
                self.registers[inside.0][filled..count].fill(value);
                self.observer.flow(Flow::Captured { outside, inside, lanes: filled..count });
            }
        }
    }
}

/// The registers of a loop's bounds and step.
fn range_registers(range: &RangeCode<'_>) -> impl Iterator<Item = Register> {
    [range.from, range.to].into_iter().chain(range.step)
}
