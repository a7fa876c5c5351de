//! A listing beside one that is right, on the same data.

use std::sync::Arc;

use crate::case::{Case, CaseError};
use crate::diagnostic::Source;
use crate::language;
use crate::language::program::Program;
use crate::language::syntax::Role;
use crate::machine::Machine;
use crate::number::Number;
use crate::run::memory::exact;
use crate::run::{LimitAmount, NoopObserver, WorkLimit};
use crate::units::Threads;

use super::Draw;

/// Operations of one run: a right listing takes some thousands.
const MOST_OPERATIONS: u64 = 2_000_000;

/// What a listing must do.
pub(super) struct Task {
    pub(super) solved: Arc<Program>,
    pub(super) machine: Machine,
    pub(super) threads: Threads,
    pub(super) n: i64,
    /// That it may take at size n, if that is asked for.
    pub(super) most: Option<u128>,
}

impl Task {
    pub(super) fn case(&self, program: Arc<Program>, n: i64, seed: u64) -> Case {
        let case = Case::new(program).on(self.machine).set("n", n);
        let inputs = case.inputs.clone().with_seed(seed);
        let work = WorkLimit::NONE.and(LimitAmount::Operations(MOST_OPERATIONS));
        Case { inputs, work, threads: self.threads, no_files: true, ..case }
    }

    /// What is wrong with a listing: at the size of the exercise, and at others that follow from its seed,
    /// since what is right at one alone is no solution.
    pub(super) fn fault(&self, text: &str, draw: &mut Draw) -> Option<String> {
        let source = Source { name: "listing".to_owned(), text: text.to_owned() };
        let program = match language::load(source) {
            Ok(program) => Arc::new(program),
            Err(why) => return Some(format!("the listing is not well-formed\n{why}")),
        };
        let part = (self.n / 2).max(1);
        let mut trials = vec![(self.n, 1 + draw.below(1 << 20)), (self.n, 1 + draw.below(1 << 20))];
        for at in 0..4 {
            let n = 1 + part * at + draw.below(part.cast_unsigned()).cast_signed();
            trials.push((n, 1 + draw.below(1 << 20)));
        }
        let wrong = trials.iter().find_map(|&(n, seed)| {
            let given = self.case(program.clone(), n, seed);
            let solved = self.case(self.solved.clone(), n, seed);
            fault(&given, &solved, n).unwrap_or_else(|why| Some(format!("at n = {n}: {why}")))
        });
        wrong.or_else(|| self.excess(&program))
    }

    /// That it takes too long.
    fn excess(&self, program: &Arc<Program>) -> Option<String> {
        let most = self.most?;
        match self.time(program) {
            Ok(time) if time <= most => None,
            Ok(time) => Some(format!("it is right, but takes {time} time units, more than {most}")),
            Err(why) => Some(why.to_string()),
        }
    }

    pub(super) fn time(&self, program: &Arc<Program>) -> Result<u128, CaseError> {
        Ok(self.case(program.clone(), self.n, 1).time()?.total().time_units.0)
    }
}

/// What is wrong with its results, or with the way to them.
fn fault(given: &Case, solved: &Case, n: i64) -> Result<Option<String>, CaseError> {
    let found = results(given)?;
    let wrong = results(solved)?.into_iter().find_map(|(array, cells)| {
        let Some((_, found)) = found.iter().find(|it| it.0 == array) else {
            return Some(format!("there is no output `{array}`"));
        };
        let differs = cells.iter().zip(found).position(|(a, b)| a != b);
        let differs = differs.or((cells.len() != found.len()).then_some(0))?;
        Some(format!("at n = {n}, cell {differs} of `{array}` is not what it should be"))
    });
    if wrong.is_some() {
        return Ok(wrong);
    }
    let race = given.observe()?.race(&given.program);
    Ok(race.map(|it| format!("at n = {n}, a race: {it}")))
}

/// An array's name, and what its cells hold.
type Named = (String, Vec<Option<Number>>);

/// The outputs, by name.
fn results(case: &Case) -> Result<Vec<Named>, CaseError> {
    let layout = case.layout()?;
    let mut memory = case.memory(&layout)?;
    case.execute(&layout, &mut memory, &mut NoopObserver)?;
    let program = &case.program;
    let outputs = program.arrays.iter().filter(|it| matches!(it.role, Role::Output | Role::Inout));
    Ok(outputs
        .filter_map(|it| {
            let id = program.array_named(&it.name)?;
            let cells = memory.cells(&layout, id, 0);
            let cells = cells.map(|cell| cell.map(|bits| exact(it.element, bits)));
            Some((it.name.clone(), cells.collect()))
        })
        .collect())
}
