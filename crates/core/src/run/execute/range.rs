//! What is checked of a loop before it begins.

use super::{Executor, Result};
use crate::diagnostic::{Diagnostic, LimitKind};
use crate::run::active::Active;
use crate::run::code::RangeCode;
use crate::run::observer::Observer;

impl<W: Observer + ?Sized> Executor<'_, W> {
    pub(super) fn check_step(&self, range: &RangeCode<'_>, active: &Active) -> Result<()> {
        let Some(step) = range.step else { return Ok(()) };
        let steps = &self.registers[step.0];
        match active.find(|lane| steps[lane].cast_signed() < 1) {
            None => Ok(()),
            Some(lane) => {
                let value = steps[lane].cast_signed();
                let message = format!("the step is {value}; it must be at least 1");
                Err(Box::new(
                    self.error(range.span, message, lane).help("count down with `downto`"),
                ))
            }
        }
    }

    /// A sequential loop that would never end is refused before it begins.
    pub(super) fn check_length(&self, range: &RangeCode<'_>, active: &Active) -> Result<()> {
        let [from, to] = [range.from, range.to].map(|it| &self.registers[it.0]);
        let step = range.step.map(|step| &self.registers[step.0]);
        let passed = |lane: usize| {
            let (from, to) = (from[lane].cast_signed(), to[lane].cast_signed());
            let (low, high) = if range.downward { (to, from) } else { (from, to) };
            let distance = (low <= high).then(|| high.abs_diff(low))?;
            Some(step.map_or(distance, |step| distance / step[lane]))
        };
        let limit = self.limits.while_iterations;
        match active.find(|lane| passed(lane).is_some_and(|passed| passed >= limit)) {
            None => Ok(()),
            Some(lane) => {
                let iterations = passed(lane).map_or(0, |it| u128::from(it) + 1);
                let message = format!("this loop would run {iterations} times, one by one");
                let help = "raise --while-limit if it is meant to; parallel loops have no limit";
                let error = self.error(range.span, message, lane).help(help);
                Err(Box::new(Diagnostic { limit: Some(LimitKind::Iterations), ..error }))
            }
        }
    }
}
