//! Marks of a listing.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::assignment::Assignment;
use super::keys::{ClaimAsked, Property, Quality, Test};
use super::runs::{Found, Point, Trouble};
use super::sizes::words;
use super::{Mark, Stop};
use crate::case::Case;
use crate::case::claim::{ClaimResult, ClaimVerdict};
use crate::diagnostic::Source;
use crate::language::oblivious::obliviousness;
use crate::language::program::Program;
use crate::language::syntax::{ArrayDeclaration, ParameterNode, Role};
use crate::language::{self, spellings};
use crate::run::{LimitAmount, WorkLimit};
use crate::sample::Settings;

/// Whether an array is part of what a listing is asked for.
pub(super) fn is_asked(array: &ArrayDeclaration) -> bool {
    matches!(array.role, Role::Input | Role::Output | Role::Inout)
}

struct Marker<'a> {
    assignment: &'a Assignment,
    reference: &'a Arc<Program>,
    program: Arc<Program>,
    student: &'a str,
    work: WorkLimit,
}

/// All marks, or why there is none.
pub(super) fn marks(
    assignment: &Assignment,
    file: &Path,
    text: String,
    student: &str,
) -> Result<Vec<Mark>, Stop> {
    let Some(reference) = assignment.reference() else {
        return Err(
            "this assignment asks questions: hand in a file with a line NAME = ANSWER for each \
                    of them"
                .to_owned()
                .into(),
        );
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let program = language::load(Source { name, text });
    let program = program.map_err(|it| format!("the listing is not well-formed\n{it}"))?;
    interface(assignment, reference, &program)?;
    forbidden(assignment, &program)?;
    let limits = assignment.limits();
    let time = LimitAmount::Time(Duration::from_secs_f64(limits.seconds));
    let work = WorkLimit::NONE.and(LimitAmount::Operations(limits.operations)).and(time);
    let program = Arc::new(program);
    let marker = Marker { assignment, reference, program, student, work };
    let mut marks = vec![];
    for test in assignment.tests() {
        marks.push(marker.test(test)?);
    }
    let is_hidden = |(test, mark): (&Test, &Mark)| !test.visible && mark.passed;
    let counts = assignment.tests().iter().zip(&marks).any(is_hidden);
    for property in assignment.properties() {
        marks.push(only_if(counts, marker.property(property)?));
    }
    for claim in assignment.claims() {
        marks.push(only_if(counts, marker.claim(claim)));
    }
    Ok(marks)
}

/// No points for a listing that is right nowhere.
fn only_if(counts: bool, mark: Mark) -> Mark {
    if counts || !mark.passed {
        return mark;
    }
    let why = "it would be so, but counts only once the listing is right on hidden data".to_owned();
    Mark { points: 0, feedback: vec![why], ..mark }
}

/// The parameters and arrays are those that are asked for. A parameter that keeps its default may be left out.
fn interface(assignment: &Assignment, reference: &Program, own: &Program) -> Result<(), String> {
    let [wanted, found] = [reference, own].map(|it| &it.listing.parameters[..]);
    let is_needed = |it: &ParameterNode| {
        let name = &it.name.text;
        it.default.is_none()
            || assignment.sets(name)
            || found.iter().any(|found| found.name.text == *name)
    };
    let needed = wanted.iter().filter(|it| is_needed(it)).map(|it| &it.name.text);
    if !needed.eq(found.iter().map(|it| &it.name.text)) {
        let list = |all: &[ParameterNode]| {
            all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let [wanted, found] = [wanted, found].map(list);
        return Err(format!("the parameters are ({found}), and ({wanted}) are asked for"));
    }
    let arrays = |it: &Program| -> Vec<ArrayDeclaration> {
        it.listing.arrays.iter().filter(|it| is_asked(it)).cloned().collect()
    };
    let [wanted, found] = [reference, own].map(arrays);
    if let Some(missing) = wanted.iter().find(|it| !found.contains(it)) {
        return Err(format!("the listing does not declare `{missing}`, which is asked for"));
    }
    match found.iter().find(|it| !wanted.contains(it)) {
        Some(more) => Err(format!(
            "the listing declares `{more}`, which is not asked for; declare what you need besides as \
             `work`"
        )),
        None => Ok(()),
    }
}

/// Words that a listing may not have; those of comments do not count.
fn forbidden(assignment: &Assignment, program: &Program) -> Result<(), String> {
    let own = spellings(&program.listing.to_string()).map_err(|it| it.message)?;
    let is_same = |(own, word): (&String, &String)| own.eq_ignore_ascii_case(word);
    let has =
        |words: &[String]| own.windows(words.len()).any(|own| own.iter().zip(words).all(is_same));
    match assignment.forbidden().iter().find(|(_, words)| has(words)) {
        Some((text, _)) => {
            Err(format!("the listing uses `{text}`, which this assignment does not allow"))
        }
        None => Ok(()),
    }
}

impl Marker<'_> {
    /// Right at all sizes, with all seeds, within the limits.
    fn test(&self, test: &Test) -> Result<Mark, Stop> {
        let mut feedback = vec![];
        let name = test.name.get_ref();
        'all: for set in self.assignment.points_of(test, self.student) {
            for seed in 0..test.seeds.0 {
                let found = self.point(test, &set, seed).run();
                let at = words(&set);
                let wrong = match found {
                    Ok(found) => self.judge(test, &found, &at),
                    Err(Trouble::Assignment(why)) => {
                        let why = format!("the test cannot be run at {at}: {why}");
                        return Err(self.assignment.error((test.name.span(), why)).into());
                    }
                    Err(trouble) => Some(told(test, trouble, &at)),
                };
                if let Some(wrong) = wrong {
                    feedback.push(wrong);
                    break 'all;
                }
            }
        }
        let passed = feedback.is_empty();
        Ok(Mark {
            what: format!("right: {name}"),
            points: if passed { test.points } else { 0 },
            of: test.points,
            passed,
            visible: test.visible,
            feedback,
        })
    }

    fn judge(&self, test: &Test, found: &Found, at: &str) -> Option<String> {
        if let Some(wrong) = &found.wrong {
            let (array, cell) = (&wrong.array, wrong.cell);
            return Some(match (test.visible, wrong.found) {
                (false, _) => format!(
                    "at {at}, on data that is not shown, cell {cell} of `{array}` is wrong; try sizes and \
                     data of your own"
                ),
                (true, None) => format!(
                    "at {at}, cell {cell} of `{array}` is never written; {} is right",
                    wrong.wanted
                ),
                (true, Some(found)) => format!(
                    "at {at}, cell {cell} of `{array}` is {found}; {} is right",
                    wrong.wanted
                ),
            });
        }
        test.at_most.iter().find_map(|(&what, most)| {
            let (taken, name) = what.taken(&found.counts);
            let most = most.0;
            (taken > most.into())
                .then(|| format!("at {at} it takes {taken} {name}, and at most {most} are allowed"))
        })
    }

    fn property(&self, property: &Property) -> Result<Mark, Stop> {
        let (what, feedback) = match property.is.get_ref() {
            Quality::Oblivious => ("oblivious", self.dependence()),
            Quality::RaceFree => ("free of races", self.race(property)?),
        };
        let passed = feedback.is_none();
        Ok(Mark {
            what: what.to_owned(),
            points: if passed { property.points } else { 0 },
            of: property.points,
            passed,
            visible: true,
            feedback: feedback.into_iter().collect(),
        })
    }

    /// Where an address depends on data.
    fn dependence(&self) -> Option<String> {
        let found = obliviousness(&self.program);
        let it = found.dependence()?;
        let source = &self.program.source;
        let (line, text) = (source.line(it.span), source.line_text(it.span));
        Some(format!("line {line}: {} depends on input data: {text}", it.what))
    }

    /// A race at any size that was tried, whether results are right or not.
    fn race(&self, property: &Property) -> Result<Option<String>, Stop> {
        let hidden = self.assignment.tests().iter().filter(|it| !it.visible);
        let tried = hidden.flat_map(|test| {
            let all = self.assignment.points_of(test, self.student);
            all.into_iter().map(move |it| (test, it))
        });
        for (test, set) in tried.chain(self.assignment.further_points(property, self.student)) {
            let at = words(&set);
            match self.point(test, &set, 0).race() {
                Ok(None) => {}
                Ok(Some(race)) => return Ok(Some(format!("a race at {at}: {race}"))),
                Err(Trouble::Assignment(why)) => {
                    let why = format!("the property cannot be looked for at {at}: {why}");
                    return Err(self.assignment.error((property.is.span(), why)).into());
                }
                Err(trouble) => {
                    let why = told(test, trouble, &at);
                    return Ok(Some(format!("not all of its runs come to their end: {why}")));
                }
            }
        }
        Ok(None)
    }

    /// The submission on the student's own data.
    fn point<'b>(&'b self, test: &'b Test, set: &'b Settings, seed: u64) -> Point<'b> {
        let (program, work) = (&self.program, self.work);
        let of = Point::of(self.assignment, self.reference, self.student, (test, set, seed));
        Point { program, work, ..of }
    }

    fn claim(&self, claim: &ClaimAsked) -> Mark {
        let bound = claim.bound.get_ref();
        let case = Case { work: self.work, ..Case::new(self.program.clone()).on(claim.machine()) };
        let file = &self.program.source.name;
        let feedback = match claim.parsed().and_then(|it| case.verdict(&it)) {
            Ok(ClaimResult { verdict: ClaimVerdict::Proved, premises, .. }) => {
                let only_if = || {
                    let premises = premises.join(" and ");
                    format!("this is proved only if {premises}: say it by the loops' bounds instead")
                };
                (!premises.is_empty()).then(only_if)
            }
            Ok(ClaimResult { verdict: ClaimVerdict::Refuted, .. }) => Some(format!(
                "it takes longer: `umm complexity {file} --bound '{bound}'` shows sizes at which it does"
            )),
            Ok(ClaimResult { verdict: ClaimVerdict::Open, .. }) => Some(
                "this is not proved: give loops bounds that are plain expressions of the parameters"
                    .to_owned(),
            ),
            Err(why) => Some(why),
        };
        let passed = feedback.is_none();
        Mark {
            what: format!("time {bound} for all sizes, proved"),
            points: if passed { claim.points } else { 0 },
            of: claim.points,
            passed,
            visible: true,
            feedback: feedback.into_iter().collect(),
        }
    }
}

/// Why there is no result, in words that show nothing of hidden data.
fn told(test: &Test, trouble: Trouble, at: &str) -> String {
    match trouble {
        Trouble::Assignment(why) => why,
        Trouble::Submission { why, is_limit, .. } if test.visible || is_limit => {
            format!("at {at}: {why}")
        }
        Trouble::Submission { line: Some(line), .. } => format!(
            "at {at}, on data that is not shown, line {line} fails; try sizes and data of your own"
        ),
        Trouble::Submission { line: None, why, .. } => format!("at {at}: {why}"),
    }
}
