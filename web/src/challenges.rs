//! Listings to be made faster: judged by the result and the time of a listing that does it well.

use memory_machine::case::{Case, CaseError};
use memory_machine::diagnostic::fingerprint;
use memory_machine::language::syntax::Role;
use memory_machine::number::Number;
use memory_machine::run::NoopObserver;
use memory_machine::run::memory::exact;
use serde_json::{Value, json};

use crate::case::{Wording, Wrong};

struct Challenge {
    /// The page's words for it have this name.
    name: &'static str,
    start: &'static str,
    solution: &'static str,
    machine: &'static str,
    n: i64,
    w: u64,
    l: u64,
    p: u64,
}

const CHALLENGES: &[Challenge] = &[
    Challenge {
        name: "transpose",
        start: include_str!("../challenges/transpose.alg"),
        solution: include_str!("../challenges/transpose_solved.alg"),
        machine: "dmm",
        n: 16,
        w: 16,
        l: 5,
        p: 64,
    },
    Challenge {
        name: "coalesce",
        start: include_str!("../challenges/coalesce.alg"),
        solution: include_str!("../challenges/coalesce_solved.alg"),
        machine: "umm",
        n: 32,
        w: 16,
        l: 20,
        p: 256,
    },
    Challenge {
        name: "sum",
        start: include_str!("../challenges/sum.alg"),
        solution: include_str!("../challenges/sum_solved.alg"),
        machine: "umm",
        n: 64,
        w: 8,
        l: 10,
        p: 32,
    },
];

pub fn all() -> Vec<Value> {
    let one = |it: &Challenge| {
        let [n, w, l, p] = [it.n as u64, it.w, it.l, it.p];
        json!({
            "name": it.name, "listing": it.start, "solution": it.solution, "machine": it.machine,
            "n": n, "w": w, "l": l, "p": p,
        })
    };
    CHALLENGES.iter().map(one).collect()
}

/// The listing and the solution at one size, on the same data.
struct Trial {
    n: i64,
    given: Case,
    solved: Case,
}

impl Challenge {
    fn trial(&self, wording: &Wording, n: i64, seed: u64) -> Result<Trial, Wrong> {
        let case = |listing: &str| {
            Wording {
                listing: listing.to_owned(),
                set: [("n".to_owned(), n)].into(),
                seed,
                machine: serde_json::from_value(json!(self.machine)).unwrap_or(wording.machine),
                w: self.w,
                l: self.l,
                p: self.p,
                ..Wording::default()
            }
            .case()
        };
        Ok(Trial { n, given: case(&wording.listing)?, solved: case(self.solution)? })
    }

    /// Its own size, and others that follow from a seed: what is right at one alone is no solution.
    fn trials(&self, wording: &Wording, seed: u64) -> Result<Vec<Trial>, Wrong> {
        let drawn = |at: u64| fingerprint(format!("{}\n{seed}\n{at}", self.name).as_bytes());
        let part = self.n / 2;
        let other = |at: i64| 1 + part * at + drawn(at as u64).cast_signed().rem_euclid(part);
        let sizes = [self.n, self.n].into_iter().chain((0..4).map(other));
        (10..).zip(sizes).map(|(at, n)| self.trial(wording, n, drawn(at))).collect()
    }
}

impl Trial {
    /// What is wrong with the listing's results, or with the way to them.
    fn fault(&self) -> Result<Option<String>, CaseError> {
        let (found, n) = (results(&self.given)?, self.n);
        let wrong = results(&self.solved)?.into_iter().find_map(|(array, cells)| {
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
        let race = self.given.observe()?.race(&self.given.program);
        Ok(race.map(|it| format!("at n = {n}, a race: {it}")))
    }
}

/// Runs the listing as the challenge says, whatever the machine of the page, and on sizes and data that a
/// seed draws.
pub fn judge(name: &str, wording: &Wording, seed: u64) -> Result<Value, Wrong> {
    let challenge = CHALLENGES.iter().find(|it| it.name == name);
    let challenge = challenge.ok_or_else(|| Wrong::message("there is no such challenge"))?;
    let trials = challenge.trials(wording, seed)?;
    let mut wrong = None;
    for trial in &trials {
        wrong = trial.fault()?;
        if wrong.is_some() {
            break;
        }
    }
    let [given, solved] = [&trials[0].given, &trials[0].solved];
    let [time, target] = [given.time()?, solved.time()?].map(|it| it.total().time_units.0 as u64);
    Ok(json!({ "right": wrong.is_none(), "wrong": wrong, "time": time, "target": target }))
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
