//! Runs of a listing in search of races; where nobody gave sizes, small ones.

use std::sync::Arc;

use super::Case;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::race::{RaceAccess, Races};
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
    // What fails, or takes too long, may have shown a race before.
    let (races, _) = case.races(&layout, MOST_OPERATIONS)?;
    let raced = *races?.first()?;
    let parameters = program.parameters.iter().zip(&layout.parameters);
    let sizes: Vec<String> =
        parameters.map(|(it, value)| format!("{} = {value}", it.name)).collect();
    let what = raced.describe(program, &layout);
    Some(format!("RACE, as with {}: {what}: results are open (`umm check`).", sizes.join(", ")))
}

impl Case {
    /// Whether no two iterations of a parallel loop meet in a cell that one of them writes, for sure.
    pub(super) fn is_free_of_races(&self) -> bool {
        if self.program.first_parallel_loop().is_none() {
            return true;
        }
        let found = self.layout().ok().and_then(|layout| self.races(&layout, u64::MAX));
        found.is_some_and(|(races, is_whole)| is_whole && races.is_some_and(|it| it.is_empty()))
    }

    /// The races of a run of this many operations at most, as [`Races::finish`] has them, and whether
    /// the run came to its end; `None` without memory for it.
    fn races(&self, layout: &Layout, operations: u64) -> Option<(Option<Vec<RaceAccess>>, bool)> {
        let mut memory = self.memory(layout).ok()?;
        let mut observers = (Races::new(&self.program, layout), Budget(operations));
        let watch: &mut dyn Observer = &mut observers;
        let run = run::execute(&self.program, layout, &mut memory, self.limits(), watch);
        Some((observers.0.finish(), run.is_ok()))
    }
}
