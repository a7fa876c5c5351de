//! What a nest takes where the order of its steps does not matter.

use super::Setting;
use super::all_rounds::AllRounds;
use super::form::Scalars;
use super::nest::feed;
use super::row_blocks;
use super::streams::{by_rounds, streams};
use super::work::{NestForm, NotAffine};
use crate::machine::Counts;

/// What a nest takes synchronously, by phase. `None` if its accesses are not streams, and rounds cut
/// warps.
pub(super) fn count(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &mut Scalars,
) -> Result<Option<Vec<Counts>>, NotAffine> {
    let counted = of_streams(nest, setting, scalars)?;
    if counted.is_some() || !is_uncut(nest, setting, scalars)? {
        return Ok(counted);
    }
    let mut together = AllRounds::new(setting);
    feed(nest, setting, scalars, &mut together)?;
    Ok(Some(together.finish()))
}

/// The same, if its accesses are streams.
pub(super) fn of_streams(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &mut Scalars,
) -> Result<Option<Vec<Counts>>, NotAffine> {
    let work = nest.work(scalars).ok_or(NotAffine::overflow(nest.span))?;
    let Some(streams) = streams(&work, &nest.variables(), setting, scalars) else {
        return Ok(None);
    };
    let is_uncut = is_uncut(nest, setting, scalars)?;
    let whole = if is_uncut { row_blocks::count(nest, &streams, setting, scalars)? } else { None };
    let taken = match whole {
        Some(taken) => taken,
        None => by_rounds(nest, &streams, setting, scalars)?,
    };
    taken.by_phase(&streams, setting).ok_or(NotAffine::too_large(nest.span)).map(Some)
}

/// Whether rounds do not cut warps: they end where warps do, or there is only one.
fn is_uncut(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &mut Scalars,
) -> Result<bool, NotAffine> {
    let threads = setting.threads.get();
    let is_aligned = threads.is_multiple_of(setting.machine.width.get());
    let mut is_one_round = || {
        let taken = row_blocks::count(nest, &[], setting, scalars)?;
        Ok(taken.is_some_and(|it| it.iterations <= threads.into()))
    };
    Ok(is_aligned || is_one_round()?)
}
