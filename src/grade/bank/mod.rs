//! The bank: exercises on all machines, of which a seed draws the numbers. The page, `umm grade` and the
//! exports for course platforms pose and mark the same ones.
//!
//! An item is a kind of exercise with a listing and a machine, as `predict/sum/pram`; the table of them is the
//! product of a few lists (`table.rs`). Right answers are computed, and whatever is right counts.

mod cases;
mod comparison;
mod small;
mod table;

use std::sync::Arc;

use serde::Serialize;

use self::comparison::Task;
use super::verdict;
use crate::case::Case;
use crate::diagnostic::fingerprint;
use crate::keyword::{Keyword, keywords};
use crate::machine::{Machine, MachineKind};
use crate::whole_number;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExerciseKind {
    /// A number, of a few accesses.
    Small,
    /// What a listing costs.
    Predict,
    /// The line that is not coalesced.
    Conflict,
    /// A line of a race.
    Race,
    /// A number of threads.
    Choose,
    /// A bound that can be proved.
    Bound,
    /// A listing that takes no more time than another.
    Faster,
    /// A listing that is right.
    Repair,
}

keywords! { ExerciseKind {
    Small "small" "What a few accesses take"
    Predict "predict" "What a listing costs on a machine"
    Conflict "conflict" "The line whose accesses take the most stages"
    Race "race" "A line of a race"
    Choose "choose" "A number of threads that is fast enough"
    Bound "bound" "A bound of a listing's time that can be proved"
    Faster "faster" "A listing that is to become faster"
    Repair "repair" "A listing that is to become right"
} }

/// An exercise without its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    kind: ExerciseKind,
    /// A listing, or a subject.
    subject: &'static str,
    /// By its word.
    machine: &'static str,
}

/// With its numbers: what is asked, and what is right.
#[derive(Serialize)]
pub struct Exercise {
    /// The question.
    pub text: String,
    /// What helps, short of the answer.
    pub hint: String,
    /// Of several right answers one.
    pub answer: String,
    /// Why it is right.
    pub because: String,
    /// The listing that is asked about, or begun.
    pub listing: Option<String>,
    /// Where it runs, as a page words it.
    pub setting: Option<Setting>,
    #[serde(skip)]
    check: Check,
}

/// A machine of memory, and the sizes of a run.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Setting {
    /// Its word.
    pub machine: &'static str,
    /// n.
    pub n: i64,
    /// Width.
    pub w: u64,
    /// Latency.
    pub l: u64,
    /// Threads.
    pub p: u64,
}

/// What is right.
enum Check {
    Number(u128),
    /// A quotient, or seconds: to a hundredth.
    Near(f64),
    OneOf(Vec<String>),
    /// Numbers of threads with which a run takes no more.
    Threads(Box<Case>, u128),
    /// What can be proved, and is within this.
    Claim(Box<Case>, &'static str),
    Listing(Box<Task>),
}

/// Numbers that follow from an item and a seed.
struct Draw {
    seed: u64,
    at: u64,
}

impl Draw {
    fn of(item: &Item, seed: u64) -> Self {
        Self { seed: fingerprint(format!("{}\n{seed}", item.name()).as_bytes()), at: 0 }
    }

    fn below(&mut self, end: u64) -> u64 {
        self.at += 1;
        // The low bits of a fingerprint are those of its last byte.
        (fingerprint(format!("{}\n{}", self.at, self.seed).as_bytes()) >> 17) % end.max(1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// All of them, by kind.
pub fn items() -> Vec<Item> {
    use ExerciseKind as K;
    let without_dmms = <MachineKind as Keyword>::WORDS.iter().filter(|it| it.0.dmms().is_none());
    let memory: Vec<&str> = without_dmms.map(|it| it.1).collect();
    let usual = Machine::default().kind.word();
    let mut items = vec![];
    let mut add =
        |kind, subjects: &mut dyn Iterator<Item = &'static str>, machines: &[&'static str]| {
            for subject in subjects {
                items.extend(machines.iter().map(|&machine| Item { kind, subject, machine }));
            }
        };
    let courses = table::COURSES.map(|it| it.0);
    let on_all: Vec<&str> = memory.iter().copied().chain(courses).collect();
    add(K::Small, &mut small::SUBJECTS.into_iter(), &memory);
    add(K::Predict, &mut table::PREDICTED.into_iter(), &on_all);
    add(K::Conflict, &mut table::PREDICTED.into_iter(), &memory);
    add(K::Choose, &mut table::PREDICTED.into_iter(), &memory);
    add(K::Race, &mut table::RACES.iter().map(|it| it.0), &["pram"]);
    add(K::Bound, &mut table::BOUNDS.iter().map(|it| it.0), &[usual]);
    add(K::Faster, &mut table::FASTER.iter().map(|it| it.name), &memory);
    add(K::Repair, &mut table::BROKEN.iter().map(|it| it.name), &[usual]);
    // Diagonals help against banks alone.
    items.retain(|it| it.name() != "faster/transpose/umm");
    items
}

/// The item of a name.
///
/// # Errors
/// That there is none.
pub fn find(name: &str) -> Result<Item, String> {
    items().into_iter().find(|it| it.name() == name).ok_or_else(|| {
        format!("`{name}` is no exercise of the bank; `umm grade --bank` lists all of them")
    })
}

/// The seed of a student's numbers.
pub fn own_seed(seed: u64, title: &str, student: &str) -> u64 {
    fingerprint(format!("{seed}\n{title}\n{student}").as_bytes())
}

/// Exercises of a kind, or of all, that follow from a seed: so many at most, no two of one item.
///
/// # Errors
/// As [`Item::pose`].
pub fn sheet(
    kind: Option<ExerciseKind>,
    seed: u64,
    number: usize,
) -> Result<Vec<(Item, Exercise)>, String> {
    let mut items: Vec<Item> =
        items().into_iter().filter(|it| kind.is_none_or(|kind| it.kind == kind)).collect();
    let mut draw = Draw { seed, at: 0 };
    let mut sheet = vec![];
    // Of all kinds in turn.
    let kinds = ExerciseKind::WORDS.iter().map(|it| it.0).cycle();
    for wanted in kinds.take(number * ExerciseKind::WORDS.len()) {
        let of_kind = |it: &&Item| it.kind == kind.unwrap_or(wanted);
        let found: Vec<Item> = items.iter().filter(of_kind).copied().collect();
        if found.is_empty() || sheet.len() == number {
            continue;
        }
        let item = draw.pick(&found);
        items.retain(|it| *it != item);
        sheet.push((item, item.pose(seed)?));
    }
    Ok(sheet)
}

impl Item {
    /// As an assignment names it.
    pub fn name(&self) -> String {
        format!("{}/{}/{}", self.kind.word(), self.subject, self.machine)
    }

    /// What is asked for.
    pub const fn kind(&self) -> ExerciseKind {
        self.kind
    }

    /// The exercise with the numbers of a seed.
    ///
    /// # Errors
    /// That a listing cannot be run.
    pub fn pose(&self, seed: u64) -> Result<Exercise, String> {
        let mut draw = Draw::of(self, seed);
        let exercise = cases::pose(self, &mut draw)?;
        Ok(Exercise { hint: self.hint(), answer: exercise.check.answer(), ..exercise })
    }

    fn hint(&self) -> String {
        let of_kind = match self.kind {
            ExerciseKind::Small | ExerciseKind::Predict => "",
            ExerciseKind::Conflict => {
                "Neighbouring threads differ by one in the innermost parallel variable. "
            }
            ExerciseKind::Race => {
                "Look for a word that one iteration writes and another reads or writes. "
            }
            ExerciseKind::Choose => {
                "With more threads there are fewer rounds, and each waits l − 1 time units. "
            }
            ExerciseKind::Bound => {
                "Accesses over w, accesses times l over p, and l for each step that waits. "
            }
            ExerciseKind::Faster => "`umm improve` finds some of these. ",
            ExerciseKind::Repair => "Run it by hand for n = 2 and n = 3. ",
        };
        let of_machine = match MachineKind::from_keyword(self.machine) {
            Ok(kind) if kind.has_groups() => table::GROUPS,
            Ok(_) => table::BANKS,
            Err(_) => table::HINTS.iter().find(|it| it.0 == self.machine).map_or("", |it| it.1),
        };
        format!("{of_kind}{of_machine}")
    }
}

impl Exercise {
    fn new(text: String, check: Check) -> Self {
        let [hint, answer, because] = [(); 3].map(|()| String::new());
        Self { text, hint, answer, because, listing: None, setting: None, check }
    }

    fn because(self, because: String) -> Self {
        Self { because, ..self }
    }

    /// Whether an answer is a whole listing.
    pub const fn asks_for_a_listing(&self) -> bool {
        matches!(self.check, Check::Listing(_))
    }

    /// A number that alone is right, or the words that are.
    pub fn right(&self) -> Option<Vec<String>> {
        match &self.check {
            Check::Number(number) => Some(vec![number.to_string()]),
            Check::OneOf(words) => Some(words.clone()),
            _ => None,
        }
    }

    /// What is wrong with an answer; nothing where it is right.
    pub fn judge(&self, answer: &str) -> Option<String> {
        let answer = answer.trim();
        match &self.check {
            Check::Number(right) => match whole_number::read(&verdict::ungrouped(answer)) {
                Ok(number) if u128::try_from(number) == Ok(*right) => None,
                Ok(number) => Some(format!("{number} is not right")),
                Err(why) => Some(why),
            },
            Check::Near(right) => match answer.parse::<f64>() {
                Ok(number) if (number - right).abs() <= 0.01 * right.abs() => None,
                Ok(number) => Some(format!("{number} is not right to a hundredth")),
                Err(_) => Some("write a number, as in 1.5e-7".to_owned()),
            },
            Check::OneOf(right) => {
                let said = answer.to_lowercase();
                let said = said.strip_prefix("line").unwrap_or(&said).trim();
                let is_same = |it: &String| it == said || it.strip_suffix("-wise") == Some(said);
                (!right.iter().any(is_same)).then(|| "that is not right".to_owned())
            }
            Check::Threads(case, most) => judge_threads(case, *most, answer),
            Check::Claim(case, within) => verdict::judge_claim(case, false, Some(*within), answer),
            Check::Listing(task) => {
                task.fault(answer, &mut Draw { seed: fingerprint(self.text.as_bytes()), at: 0 })
            }
        }
    }
}

impl Check {
    fn answer(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Near(number) => format!("{number:e}"),
            Self::OneOf(all) => all[0].clone(),
            Self::Threads(case, _) => case.threads.to_string(),
            Self::Claim(_, bound) => format!("O({bound})"),
            Self::Listing(task) => task.solved.source.text.clone(),
        }
    }
}

/// The most threads that an answer may name: a page counts a run at once.
const MOST_THREADS: u64 = 1 << 20;

fn judge_threads(case: &Case, most: u128, answer: &str) -> Option<String> {
    let threads = whole_number::read(&verdict::ungrouped(answer));
    let threads = threads.ok().and_then(|it| u64::try_from(it).ok());
    let Some(threads) = threads.filter(|it| (1..=MOST_THREADS).contains(it)) else {
        return Some(format!("write a number of threads from 1 to {MOST_THREADS}"));
    };
    let timed = case.clone().threads(threads).ok().and_then(|it| it.time().ok());
    match timed.map(|it| it.total().time_units.0) {
        Some(time) if time <= most => None,
        Some(time) => Some(format!("with {threads} threads it takes {time} time units")),
        None => Some(format!("it cannot be run with {threads} threads")),
    }
}

/// A program of the bank's own.
fn own(name: &str, text: &str) -> Result<Arc<crate::language::program::Program>, String> {
    Case::parse(name, text).map(|it| it.program).map_err(|error| error.to_string())
}
