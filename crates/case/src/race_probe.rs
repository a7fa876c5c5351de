//! Small runs of a listing that nobody gave sizes for, in search of races.

use std::sync::Arc;

use super::Case;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::race::Races;
use memory_machine_core::run::{self, Budget, Observer};

/// Values of the parameters with which a listing is tried.
const SIZES: [i64; 2] = [64, 8];
/// Operations and words of such a trial, summed over the threads: it takes a fraction of a second.
const MOST_OPERATIONS: u64 = 1 << 23;
const MOST_WORDS: u64 = 1 << 20;

/// A race of a program, if running it with small parameters shows one: with which, and what races.
pub fn race(program: &Arc<Program>) -> Option<String> {
    SIZES.into_iter().find_map(|size| race_at(program, size))
}

fn race_at(program: &Arc<Program>, size: i64) -> Option<String> {
    program.first_parallel_loop()?;
    let case = Case { while_iterations: MOST_OPERATIONS, ..Case::new(program.clone()) };
    let open = program.parameters.iter().filter(|it| it.default.is_none());
    let case = open.fold(case, |case, it| case.set(&it.name, size));
    let layout = case.layout().ok().filter(|it| it.words <= MOST_WORDS)?;
    let mut memory = case.memory(&layout).ok()?;
    let mut observers = (Races::new(program, &layout), Budget(MOST_OPERATIONS));
    // What fails, or takes too long, may have shown a race before.
    let watch: &mut dyn Observer = &mut observers;
    let _ = run::execute(program, &layout, &mut memory, case.limits(), watch);
    let raced = *observers.0.finish()?.first()?;
    let parameters = program.parameters.iter().zip(&layout.parameters);
    let sizes: Vec<String> =
        parameters.map(|(it, value)| format!("{} = {value}", it.name)).collect();
    let what = raced.describe(program, &layout);
    Some(format!("RACE, as with {}: {what}: results are open (`umm check`).", sizes.join(", ")))
}
