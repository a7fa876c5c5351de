//! Seconds of a listing that somebody may write in place of another: a search for the faster one asks.

use super::{Compile, LaunchOptions, PredictionReport, ReuseCache, Work};
use memory_machine_case::Case;
use memory_machine_core::run::layout::Arrangement;
use memory_machine_core::units::Threads;
use memory_machine_measure::models::Model;

/// Accesses of one thread that are followed; of more the time is in proportion.
const MOST_ACCESSES: u128 = 1 << 20;
/// No size is made less than this.
const LEAST_SIZE: i64 = 4;

/// The seconds that a calibrated machine is predicted to take for a case; nothing if it does not run it.
/// What has no parallel loop is run by one thread, as the only input of a bulk run; where that is too
/// long to be followed, smaller sizes are, and the time is taken to be in proportion to accesses.
/// Compiled code is looked at if something compiles it.
pub fn expected_seconds(case: &Case, model: &Model, compile: Option<Compile<'_>>) -> Option<f64> {
    let case = case.clone().on(model.machine());
    if case.bulk.is_some() || case.program.first_parallel_loop().is_some() {
        return seconds(&case, model, compile);
    }
    let one = Case { bulk: Some(Arrangement::RowWise), threads: Threads::ONE, ..case };
    let all = accesses(&one);
    let (mut followed, mut part) = (one, all);
    while part.is_some_and(|it| it > MOST_ACCESSES) {
        let Some(smaller) = halved(&followed) else { break };
        part = accesses(&smaller);
        followed = smaller;
    }
    let share = all.zip(part).map_or(1.0, |(all, part)| all as f64 / part.max(1) as f64);
    Some(share * seconds(&followed, model, compile)?)
}

fn seconds(case: &Case, model: &Model, compile: Option<Compile<'_>>) -> Option<f64> {
    let machine = model.calibration.as_ref()?;
    let options = LaunchOptions { launch: None, prefetch: 1 };
    // What is known of one listing's reuse is not another's.
    let known = &mut ReuseCache::default();
    let work = match compile {
        Some(compile) => Work::of_compiled_or_listing(case, options, machine, compile, known),
        None => Work::of(case, options, machine, known),
    };
    let work = work.ok()?;
    let name = &case.program.name;
    Some(PredictionReport::new(name, model, &work, machine, &[]).prediction.time_s)
}

/// Accesses of a case, if they are counted without its values.
fn accesses(case: &Case) -> Option<u128> {
    let counted = case.count(&case.layout().ok()?).ok()?;
    Some(counted.counts.iter().map(|it| it.accesses).sum())
}

/// The same with half of each size; nothing if none becomes less.
fn halved(case: &Case) -> Option<Case> {
    let mut set = case.settings(&case.layout().ok()?);
    let before = set.clone();
    set.0.values_mut().filter(|it| **it >= 2 * LEAST_SIZE).for_each(|it| *it /= 2);
    (set != before).then(|| Case { set, ..case.clone() })
}
