//! Marks of answers to questions: numbers, and claims.

use std::collections::BTreeMap;

use super::assignment::Assignment;
use super::keys::{Asks, Quantity, Question};
use super::{Mark, Stop, verdict};
use crate::case::Case;
use crate::grid::Grid;
use crate::sample::Settings;
use crate::whole_number;

/// The value of several that a student has.
fn own(assignment: &Assignment, question: &Question, student: &str, name: &str, of: &Grid) -> i64 {
    let seed = assignment.seed(student, &format!("{}\n{name}", question.name.get_ref()));
    of.0[(seed % of.0.len() as u64) as usize]
}

/// A question with the student's own sizes.
pub(super) fn text(assignment: &Assignment, question: &Question, student: &str) -> String {
    let on = &question.on;
    let machine = [("w", &on.w), ("l", &on.l), ("p", &on.p)];
    let machine = machine.into_iter().filter_map(|(name, it)| Some((name, it.as_ref()?)));
    let sizes = question.set.iter().map(|(name, it)| (name.as_str(), it)).chain(machine);
    sizes.fold(question.text.clone(), |text, (name, grid)| {
        let value = own(assignment, question, student, name, grid);
        text.replace(&format!("{{{name}}}"), &value.to_string())
    })
}

/// The marks of a file with a line `NAME = ANSWER` for each question and exercise.
pub(super) fn marks(assignment: &Assignment, text: &str, student: &str) -> Result<Vec<Mark>, Stop> {
    let names = assignment.asked();
    if names.is_empty() {
        return Err("this assignment asks for a listing: hand in a file FILE.alg"
            .to_owned()
            .into());
    }
    // As Windows writes text files.
    let text = text.trim_start_matches('\u{feff}');
    let mut answers: BTreeMap<&str, String> = BTreeMap::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let code = line.split('#').next().unwrap_or_default().trim();
        let Some((name, answer)) = code.split_once('=') else {
            if code.is_empty() {
                continue;
            }
            return Err(format!("line {number}: write NAME = ANSWER").into());
        };
        let name = name.trim();
        if !names.contains(&name) {
            return Err(format!(
                "line {number}: no question is called `{name}`; they are {}",
                names.join(", ")
            )
            .into());
        }
        let answer = match answer.trim() {
            QUOTES => lines
                .by_ref()
                .map(|it| it.1)
                .take_while(|it| it.trim() != QUOTES)
                .fold(String::new(), |text, line| text + line + "\n"),
            short => short.to_owned(),
        };
        if answers.insert(name, answer).is_some() {
            return Err(format!("line {number}: `{name}` is answered twice").into());
        }
    }
    let given = |name: &str| answers.get(name).map(String::as_str);
    let questions = assignment.questions().iter();
    let questions =
        questions.map(|it| mark(assignment, it, given(it.name.get_ref().as_str()), student));
    let exercises = assignment.exercises().iter();
    let exercises = exercises.map(|it| {
        let posed = assignment.posed(it, student);
        let posed = posed.map_err(|why| assignment.error((it.item.span(), why)))?;
        let answer = given(it.item.get_ref());
        let feedback =
            answer.map_or_else(|| Some(NOT_ANSWERED.to_owned()), |answer| posed.judge(answer));
        Ok::<_, Stop>(marked(it.item.get_ref(), it.points, feedback))
    });
    questions.chain(exercises).collect()
}

/// They stand alone in the lines before and after an answer of several, such as a listing.
const QUOTES: &str = "\"\"\"";

const NOT_ANSWERED: &str = "not answered";

fn marked(what: &str, points: u32, feedback: Option<String>) -> Mark {
    let passed = feedback.is_none();
    Mark {
        what: what.to_owned(),
        points: if passed { points } else { 0 },
        of: points,
        passed,
        visible: true,
        feedback: feedback.into_iter().collect(),
    }
}

fn mark(
    assignment: &Assignment,
    question: &Question,
    answer: Option<&str>,
    student: &str,
) -> Result<Mark, Stop> {
    let feedback = match answer {
        None => Some(NOT_ANSWERED.to_owned()),
        Some(answer) => {
            let right = right(assignment, question, student);
            let right = right.map_err(|why| assignment.error((question.name.span(), why)))?;
            judge(&right, question, answer)
        }
    };
    Ok(marked(question.name.get_ref(), question.points, feedback))
}

/// What is right.
pub(super) enum Right {
    /// A number of these.
    Number(u128, &'static str),
    /// A claim on this case that can be proved.
    Claim(Box<Case>),
}

/// The right answer for a student; fails where the question makes no sense.
pub(super) fn right(
    assignment: &Assignment,
    question: &Question,
    student: &str,
) -> Result<Right, String> {
    let pick = |name: &str, grid: &Grid| own(assignment, question, student, name, grid);
    let program = assignment.listing(&question.listing).cloned();
    let program = program.ok_or_else(|| "it names no listing".to_owned())?;
    let (machine, threads) = question.on.machine(&pick)?;
    let what = match question.asks {
        Asks::TimeUnits => Quantity::TimeUnits,
        Asks::Stages => Quantity::Stages,
        Asks::Accesses => Quantity::Accesses,
        Asks::Dispatches => Quantity::Dispatches,
        Asks::UpperBound | Asks::TightBound => {
            return Ok(Right::Claim(Box::new(Case::new(program).on(machine))));
        }
    };
    let set = question.set.iter().map(|(name, grid)| (name.clone(), pick(name, grid))).collect();
    let case = Case { set: Settings(set), threads, ..Case::new(program) }.on(machine);
    let total = case.time().map_err(|error| error.to_string())?.total();
    let (right, name) = what.taken(&total);
    Ok(Right::Number(right, name))
}

/// What is wrong with an answer.
fn judge(right: &Right, question: &Question, answer: &str) -> Option<String> {
    match right {
        Right::Claim(case) => {
            let is_tight = question.asks == Asks::TightBound;
            verdict::judge_claim(case, is_tight, question.within.as_deref(), answer)
        }
        Right::Number(right, name) => match whole_number::read(&verdict::ungrouped(answer)) {
            Ok(number) if u128::try_from(number) == Ok(*right) => None,
            Ok(number) => Some(format!("{number} {name} are not right for your sizes")),
            Err(why) => Some(why),
        },
    }
}
