//! Grades as people, spreadsheets and course platforms read them.

use serde_json::{Value, json};

use super::{Grade, Mark};
use crate::keyword::{Keyword, keywords};

/// How grades are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradeFormat {
    /// For students.
    Text,
    /// One object a submission, in a list.
    Json,
    /// One row a submission.
    Csv,
    /// The `results.json` of one submission.
    Gradescope,
    /// Of the assignment: a question bank.
    Moodle,
    /// Of the assignment: the template of a question.
    CodeRunner,
    /// Of the assignment: a notebook for nbgrader.
    NbGrader,
}

keywords! { GradeFormat {
    Text "text" "Words for students"
    Json "json" "A list with an object a submission"
    Csv "csv" "A row a submission, a column for each thing that was asked for"
    Gradescope "gradescope" "The results.json of Gradescope, of one submission"
    Moodle "moodle" "Of an assignment alone: its questions as a bank in Moodle XML, with the right answers"
    CodeRunner "coderunner" "Of an assignment alone: a template of CodeRunner that marks by umm grade"
    NbGrader "nbgrader" "Of an assignment alone: a notebook for nbgrader, with a cell that %%grade marks"
} }

/// Grades of one assignment in a format.
///
/// # Errors
/// Several submissions where a format has room for one.
pub fn render(grades: &[Grade], format: GradeFormat) -> Result<String, String> {
    match format {
        GradeFormat::Text => Ok(grades.iter().map(text).collect::<Vec<_>>().join("\n")),
        GradeFormat::Json => Ok(format!("{:#}\n", json!(grades))),
        GradeFormat::Csv => csv(grades),
        GradeFormat::Gradescope => match grades {
            [grade] => Ok(format!("{:#}\n", gradescope(grade))),
            _ => {
                Err("--format gradescope: Gradescope asks for one submission at a time".to_owned())
            }
        },
        GradeFormat::Moodle | GradeFormat::CodeRunner | GradeFormat::NbGrader => {
            let word = format.word();
            Err(format!("--format {word} writes the assignment: leave submissions out"))
        }
    }
}

fn lines(mark: &Mark) -> impl Iterator<Item = &str> {
    mark.feedback.iter().flat_map(|it| it.lines())
}

fn text(grade: &Grade) -> String {
    let mut text = format!("{}: {} of {} points\n", grade.submission, grade.points, grade.of);
    for line in grade.stopped.iter().flat_map(|it| it.lines()) {
        text += &format!("       {line}\n");
    }
    for mark in &grade.marks {
        let sign = if mark.passed { "" } else { "✗ " };
        text += &format!("  {}/{}  {sign}{}\n", mark.points, mark.of, mark.what);
        for line in lines(mark) {
            text += &format!("       {line}\n");
        }
    }
    text
}

/// A row for each: those that could not be marked have no marks.
fn csv(grades: &[Grade]) -> Result<String, String> {
    let longest = grades.iter().max_by_key(|it| it.marks.len());
    let names: Vec<&str> =
        longest.iter().flat_map(|it| &it.marks).map(|it| it.what.as_str()).collect();
    let mut table = csv::Writer::from_writer(vec![]);
    let head = ["student", "submission", "points", "of"].into_iter();
    let head = head.chain(names.iter().copied()).chain(["feedback"]);
    let mut write = |row: Vec<String>| {
        table.write_record(row.into_iter().map(no_formula)).map_err(|it| it.to_string())
    };
    write(head.map(str::to_owned).collect())?;
    for grade in grades {
        let [points, of] = [grade.points, grade.of].map(|it| it.to_string());
        let mut row = vec![grade.student.clone(), grade.submission.clone(), points, of];
        // By its place: two may have one name.
        let points = |at: usize| grade.marks.get(at).map(|it| it.points.to_string());
        row.extend((0..names.len()).map(|at| points(at).unwrap_or_default()));
        let said = grade.marks.iter().flat_map(|it| &it.feedback).chain(&grade.stopped);
        row.push(said.map(String::as_str).collect::<Vec<_>>().join("; "));
        write(row)?;
    }
    let bytes = table.into_inner().map_err(|it| it.to_string())?;
    String::from_utf8(bytes).map_err(|it| it.to_string())
}

/// A cell that no spreadsheet takes for a formula: names and messages are students'.
fn no_formula(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell }
}

/// As an autograder of Gradescope leaves it in `/autograder/results/results.json`.
fn gradescope(grade: &Grade) -> Value {
    let tests: Vec<Value> = (grade.marks.iter())
        .map(|it| {
            json!({
                "name": it.what,
                "score": it.points,
                "max_score": it.of,
                "status": if it.passed { "passed" } else { "failed" },
                "output": lines(it).collect::<Vec<_>>().join("\n"),
                "visibility": "visible",
            })
        })
        .collect();
    json!({
        "score": grade.points,
        "output": grade.stopped.clone().unwrap_or_else(|| {
            format!("{} of {} points", grade.points, grade.of)
        }),
        "visibility": "visible",
        "tests": tests,
    })
}
