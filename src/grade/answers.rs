//! Marks of answers to questions: numbers, and claims.

use std::collections::BTreeMap;

use super::Mark;
use super::assignment::{Asks, Assignment, Quantity, Question};
use super::runs::quantity;
use crate::case::Case;
use crate::case::claim::{ClaimVerdict, ParsedClaim};
use crate::grid::Grid;
use crate::sample::Settings;
use crate::theory::derive::claim::Relation;
use crate::whole_number;

/// The value of several that a student has.
fn own(assignment: &Assignment, question: &Question, student: &str, name: &str, of: &Grid) -> i64 {
    let seed = assignment.seed(student, &format!("{}\n{name}", question.name));
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

/// The marks of a file with a line `NAME = ANSWER` for each question.
pub(super) fn marks(
    assignment: &Assignment,
    text: &str,
    student: &str,
) -> Result<Vec<Mark>, String> {
    let questions = assignment.questions();
    if questions.is_empty() {
        return Err("this assignment asks for a listing: hand in a file FILE.alg".to_owned());
    }
    let mut answers: BTreeMap<&str, &str> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let Some((name, answer)) = line.split_once('=') else {
            if line.is_empty() {
                continue;
            }
            return Err(format!("line {number}: write NAME = ANSWER"));
        };
        let name = name.trim();
        if !questions.iter().any(|it| it.name == name) {
            let names: Vec<&str> = questions.iter().map(|it| it.name.as_str()).collect();
            return Err(format!(
                "line {number}: no question is called `{name}`; they are {}",
                names.join(", ")
            ));
        }
        if answers.insert(name, answer.trim()).is_some() {
            return Err(format!("line {number}: `{name}` is answered twice"));
        }
    }
    questions
        .iter()
        .map(|it| mark(assignment, it, answers.get(&*it.name).copied(), student))
        .collect()
}

fn mark(
    assignment: &Assignment,
    question: &Question,
    answer: Option<&str>,
    student: &str,
) -> Result<Mark, String> {
    let feedback = match answer {
        None => Some("not answered".to_owned()),
        Some(answer) => judge(assignment, question, answer, student)?,
    };
    let passed = feedback.is_none();
    Ok(Mark {
        what: question.name.clone(),
        points: if passed { question.points } else { 0 },
        of: question.points,
        passed,
        visible: true,
        feedback: feedback.into_iter().collect(),
    })
}

/// What is wrong with an answer; fails where the question makes no sense.
fn judge(
    assignment: &Assignment,
    question: &Question,
    answer: &str,
    student: &str,
) -> Result<Option<String>, String> {
    let wrong = |why: String| format!("the assignment's question `{}`: {why}", question.name);
    let pick = |name: &str, grid: &Grid| own(assignment, question, student, name, grid);
    let program = assignment.listing(&question.listing).cloned();
    let program = program.ok_or_else(|| wrong("it names no listing".to_owned()))?;
    let (machine, threads) = question.on.machine(&pick).map_err(wrong)?;
    let what = match question.asks {
        Asks::TimeUnits => Quantity::TimeUnits,
        Asks::Stages => Quantity::Stages,
        Asks::Accesses => Quantity::Accesses,
        Asks::Dispatches => Quantity::Dispatches,
        Asks::UpperBound | Asks::TightBound => {
            let case = Case::new(program).on(machine);
            return Ok(judge_claim(&case, answer, question.asks == Asks::TightBound));
        }
    };
    let set = question.set.iter().map(|(name, grid)| (name.clone(), pick(name, grid))).collect();
    let case = Case { set: Settings(set), threads, ..Case::new(program) }.on(machine);
    let total = case.time().map_err(|error| wrong(error.to_string()))?.total();
    let (right, name) = quantity(&total, what);
    Ok(match whole_number::read(&ungrouped(answer)) {
        Ok(number) if u128::try_from(number) == Ok(right) => None,
        Ok(number) => Some(format!("{number} {name} are not right for your sizes")),
        Err(why) => Some(why),
    })
}

/// A number without what stands between groups of three digits: `umm run` prints 1 800, others 1,800.
fn ungrouped(answer: &str) -> String {
    let groups: Vec<&str> = answer.trim().split([' ', ',', '\'', '\u{a0}', '\u{202f}']).collect();
    let is_number = |it: &&str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let [first, rest @ ..] = &groups[..] else { return answer.to_owned() };
    match is_number(first)
        && first.len() <= 3
        && rest.iter().all(|it| is_number(it) && it.len() == 3)
    {
        true => groups.concat(),
        false => answer.to_owned(),
    }
}

/// What is wrong with a claim; only a proof counts.
fn judge_claim(case: &Case, answer: &str, is_tight: bool) -> Option<String> {
    let claim = match ParsedClaim::parse(answer) {
        Ok(claim) => claim,
        Err(why) => return Some(why),
    };
    if is_tight && claim.relation != Relation::Exactly {
        return Some("the bound must be tight: write Θ(…)".to_owned());
    }
    if claim.relation == Relation::AtLeast {
        return Some("an upper bound is asked for: write O(…) or Θ(…)".to_owned());
    }
    match case.verdict(&claim) {
        Ok(ClaimVerdict::Proved) => None,
        Ok(ClaimVerdict::Refuted) => {
            Some("this is refuted: there are sizes at which it fails".into())
        }
        Ok(ClaimVerdict::Open) => {
            Some("this is neither proved nor refuted; only a proof counts".into())
        }
        Err(why) => Some(why),
    }
}

#[cfg(test)]
mod tests {
    use super::ungrouped;

    #[test]
    fn digits_may_stand_in_groups() {
        for (answer, number) in [
            ("1 800", "1800"),
            ("12,345,678", "12345678"),
            ("1\u{202f}800", "1800"),
            ("1800", "1800"),
            ("1.8e3", "1.8e3"),
            ("1,80", "1,80"),
            ("1,,800", "1,,800"),
            ("-5", "-5"),
        ] {
            assert_eq!(ungrouped(answer), number);
        }
    }
}
