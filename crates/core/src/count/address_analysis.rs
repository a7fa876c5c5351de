//! Whether a nest's addresses can be known before it is counted.

use super::Setting;
use super::form::Scalars;
use super::iteration_row::is_piecewise;
use super::nest::{AccessSink, NOT_AFFINE, feed};
use super::periodicity::{RowPart, Unit};
use super::rows::STEP;
use super::synchronous;
use super::work::{Action, NestForm, NotAffine};
use crate::machine::Counts;
use crate::trace::{AccessKind, Phase};

/// For dry runs.
struct DryRun {
    unit: Option<Unit>,
}

impl AccessSink for DryRun {
    fn unit(&self) -> Option<Unit> {
        self.unit
    }
    fn part(&mut self, _: u64, _: &RowPart) {}
    fn end(&mut self, _: Phase, _: AccessKind) {}
}

/// Whether [`feed`] will know every address. Without loops inside the nest a look at the forms
/// tells; else a count of streams does, which is returned, by phase, or a dry run.
pub(super) fn check(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &Scalars,
) -> Result<Option<Vec<Counts>>, NotAffine> {
    if nest.ranges.iter().filter_map(|range| range.step.as_constant()).any(|step| step < 1) {
        return Err(NotAffine::new(nest.span, STEP));
    }
    let innermost = nest.ranges[nest.ranges.len() - 1].variable;
    for work in nest.work(scalars).ok_or(NotAffine::overflow(nest.span))?.iter() {
        let (form, guard) = match work {
            Action::Access(it) => (&it.cell, &it.guard),
            Action::Require(it) => (&it.form, &it.guard),
            Action::Operation(_) => continue,
            Action::Loop(_) => {
                let mut scalars = scalars.clone();
                if !setting.ordered
                    && let Some(counts) = synchronous::of_streams(nest, setting, &mut scalars)?
                {
                    return Ok(Some(counts));
                }
                let unit = (!setting.ordered).then(|| setting.unit());
                feed(nest, setting, &mut scalars, &mut DryRun { unit })?;
                return Ok(None);
            }
        };
        let mut forms = std::iter::once(form).chain(guard.forms());
        if !forms.all(|form| is_piecewise(form, innermost)) {
            return Err(NotAffine::new(work.span(), NOT_AFFINE));
        }
    }
    Ok(None)
}
