//! Parallel nests: iterations in lexicographic order, dealt out to the threads in rounds of `p`
//! (Nakano 2013, Sequential Memory Access).

use super::{Executor, Result, outside_scalars};
use crate::diagnostic::{Diagnostic, Span};
use crate::run::code::{NestCode, Place, RangeCode, Register};
use crate::run::flow::Flow;
use crate::run::lanes::Active;
use crate::run::memory::holds_registers;
use crate::run::observer::Observer;

/// One loop of a nest: where its variable stands, where it ends, and its step (negative downward).
#[derive(Clone, Copy, Default)]
struct Wheel {
    value: i64,
    end: i64,
    step: i64,
}

impl Wheel {
    /// Iterations from the present one to the last.
    const fn left(self) -> u64 {
        (self.end.abs_diff(self.value) / self.step.unsigned_abs()).saturating_add(1)
    }
}

impl<'a, W: Observer> Executor<'a, W> {
    pub(super) fn nest(&mut self, nest: &'a NestCode<'a>) -> Result<()> {
        if self.memory.is_none() && self.skips(nest)? {
            return Ok(());
        }
        let mut wheels = vec![Wheel::default(); nest.ranges.len()];
        // The bounds of the outermost loop may read memory: thread 0 does that before the barrier.
        let mut more = self.next_row(nest, &mut wheels, 0, true)?;
        self.observer.enter_nest(nest.nest);
        let mut filled = 0;
        let bounds: Vec<Register> = nest.ranges.iter().flat_map(range_registers).collect();
        while more {
            self.ask_observer()?;
            let count = self.deal(nest, &bounds, &mut wheels, &mut more)?;
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
        wheels: &mut [Wheel],
        more: &mut bool,
    ) -> Result<usize> {
        let threads = usize::try_from(self.limits.threads.get()).unwrap_or(usize::MAX);
        let innermost = wheels.len() - 1;
        let mut count = 0;
        while *more && count < threads {
            let row = wheels[innermost];
            let take = usize::try_from(row.left()).unwrap_or(usize::MAX).min(threads - count);
            self.widen(count.saturating_add(take), nest.nest.span)?;
            for (lane, wheel) in nest.lanes.iter().zip(&wheels[..innermost]) {
                self.registers[lane.0][count..count + take].fill(wheel.value.cast_unsigned());
            }
            let lanes = &mut self.registers[nest.lanes[innermost].0][count..count + take];
            for (index, lane) in (0_i64..).zip(lanes) {
                // Exact modulo 2⁶⁴, and the true value fits.
                *lane = row.value.wrapping_add(index.wrapping_mul(row.step)).cast_unsigned();
            }
            let (variables, lanes) = (&nest.lanes, count..count + take);
            self.observer.flow(Flow::Dealt { bounds, variables, lanes });
            count += take;
            if (take as u64) < row.left() {
                let wheel = &mut wheels[innermost];
                wheel.value = row.value.wrapping_add((take as i64).wrapping_mul(row.step));
            } else {
                *more = innermost > 0 && self.next_row(nest, wheels, innermost - 1, false)?;
            }
        }
        Ok(count)
    }

    /// Turns the wheels to the next innermost loop that is not empty, beginning at one dimension
    /// by entering its loop or by taking its next value. False if there is none.
    fn next_row(
        &mut self,
        nest: &'a NestCode<'a>,
        wheels: &mut [Wheel],
        mut dimension: usize,
        mut enter: bool,
    ) -> Result<bool> {
        loop {
            let stands = if enter {
                self.enter(nest, dimension, &mut wheels[dimension])?
            } else {
                let wheel = &mut wheels[dimension];
                let more = wheel.left() > 1;
                wheel.value += if more { wheel.step } else { 0 };
                more
            };
            match (stands, dimension) {
                (true, _) if dimension + 1 == wheels.len() => return Ok(true),
                (true, _) => {
                    let variable = nest.ranges[dimension].variable;
                    self.registers[variable.0][0] = wheels[dimension].value.cast_unsigned();
                    dimension += 1;
                    enter = true;
                }
                (false, 0) => return Ok(false),
                (false, _) => {
                    dimension -= 1;
                    enter = false;
                }
            }
        }
    }

    /// Computes a loop's bounds for the present values of the loops around; false if it is empty.
    fn enter(
        &mut self,
        nest: &'a NestCode<'a>,
        dimension: usize,
        wheel: &mut Wheel,
    ) -> Result<bool> {
        let range = &nest.ranges[dimension];
        let outer = self.loops.len();
        let around = nest.ranges[..dimension].iter();
        self.loops.extend(around.map(|range| (range.name, range.variable)));
        self.code(&range.bounds, &Active::First(1))?;
        self.check_step(range, &Active::First(1))?;
        self.loops.truncate(outer);
        let step = range.step.map_or(1, |step| self.value(step, 0));
        *wheel = Wheel {
            value: self.value(range.from, 0),
            end: self.value(range.to, 0),
            step: if range.downward { -step } else { step },
        };
        Ok(if range.downward { wheel.value >= wheel.end } else { wheel.value <= wheel.end })
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
