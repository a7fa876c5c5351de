//! What a nest takes where the order of its steps does not matter.

use super::Setting;
use super::form::Scalars;
use super::nest::feed;
use super::streams::{by_rounds, streams};
use super::together::Together;
use super::whole;
use super::work::{NestForm, NotAffine};
use crate::machine::Counts;

/// What a nest takes synchronously, by phase. `None` if its accesses are not streams, and rounds cut
/// warps.
pub(super) fn count(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &mut Scalars,
) -> Result<Option<Vec<Counts>>, NotAffine> {
    let threads = setting.threads.get();
    let aligned = threads.is_multiple_of(setting.machine.width.get());
    // Rounds do not cut warps if they end where warps do, or if there is only one.
    let uncut = aligned
        || whole::count(nest, &[], setting, scalars)?
            .is_some_and(|taken| taken.iterations <= threads.into());
    let work = nest.work(scalars).ok_or(NotAffine::overflow(nest.span))?;
    let Some(streams) = streams(&work, &nest.variables(), setting, scalars) else {
        if !uncut {
            return Ok(None);
        }
        let mut together = Together::new(setting);
        feed(nest, setting, scalars, &mut together)?;
        return Ok(Some(together.finish()));
    };
    let whole = if uncut { whole::count(nest, &streams, setting, scalars)? } else { None };
    let taken = match whole {
        Some(taken) => taken,
        None => by_rounds(nest, &streams, setting, scalars)?,
    };
    taken.by_phase(&streams, setting).ok_or(NotAffine::too_large(nest.span)).map(Some)
}
