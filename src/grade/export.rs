//! Assignments as course platforms take them.

use std::path::Path;

use serde_json::{Value, json};

use super::assignment::{Assignment, AssignmentError};
use super::report::GradeFormat;
use super::{moodle, statement};

/// An assignment for a platform, of each question so many variants; none where a format is one of grades.
///
/// # Errors
/// That a question cannot be answered.
pub fn export(
    assignment: &Assignment,
    file: &Path,
    format: GradeFormat,
    variants: u64,
) -> Result<Option<String>, AssignmentError> {
    match format {
        GradeFormat::Moodle => moodle::bank(assignment, &file_name(file), variants).map(Some),
        GradeFormat::CodeRunner => Ok(Some(code_runner(assignment, file))),
        GradeFormat::NbGrader => Ok(Some(format!("{:#}\n", notebook(assignment, file)))),
        _ => Ok(None),
    }
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A combinator with a template grader, in Python 3: the sandbox has `umm`, and the question the assignment's
/// files as support files. An assignment that is at fault marks nobody.
fn code_runner(assignment: &Assignment, file: &Path) -> String {
    let answer = if assignment.reference().is_some() { "answer.alg" } else { "answer.txt" };
    let file = serde_json::Value::String(file_name(file));
    format!(
        r#"import html, json, subprocess, sys

ANSWER = """{{{{ STUDENT_ANSWER | e('py') }}}}"""
STUDENT = """{{{{ STUDENT.username | e('py') }}}}"""

with open("{answer}", "w", encoding="utf-8") as file:
    file.write(ANSWER)
command = ["umm", "grade", {file}, "{answer}", "--student=" + STUDENT, "--json"]
run = subprocess.run(command, capture_output=True, encoding="utf-8")
try:
    [grade] = json.loads(run.stdout)
except ValueError:
    sys.exit(run.stderr)
rows = [["iscorrect", "Asked for", "Points", "What to know"]]
for mark in grade["marks"]:
    points = f"{{mark['points']}} of {{mark['of']}}"
    rows.append([mark["passed"], mark["what"], points, "\n".join(mark["feedback"])])
result = {{"fraction": grade["points"] / grade["of"], "testresults": rows}}
if grade["stopped"]:
    result["prologuehtml"] = "<pre>" + html.escape(grade["stopped"]) + "</pre>"
print(json.dumps(result))
"#
    )
}

/// A notebook as nbgrader takes it: the statement, a cell for the submission, which `%%grade` marks when it
/// is run, and a cell whose value is its points.
fn notebook(assignment: &Assignment, file: &Path) -> Value {
    let file = file_name(file);
    let cell = |kind: &str, id: &str, text: String, of_nbgrader: Value| {
        let mut cell = json!({
            "cell_type": kind, "id": id, "metadata": { "nbgrader": of_nbgrader }, "source": text,
        });
        if kind == "code" {
            cell["execution_count"] = Value::Null;
            cell["outputs"] = json!([]);
        }
        cell
    };
    let plan = |id: &str, grade: bool, solution: bool| {
        json!({
            "schema_version": 3, "grade_id": id, "grade": grade, "solution": solution,
            "locked": !solution, "task": false,
        })
    };
    let asked = format!("```text\n{}```\n", statement(assignment, ""));
    let begun = match assignment.reference() {
        Some(_) => "algorithm NAME(…)\n".to_owned(),
        None => assignment.asked().iter().map(|it| format!("{it} = \n")).collect(),
    };
    let mut points = plan("points", true, false);
    points["points"] = assignment.points().into();
    json!({
        "cells": [
            cell("markdown", "statement", asked, plan("statement", false, false)),
            cell("code", "begin", "%load_ext memory_machine".to_owned(), plan("begin", false, false)),
            cell("code", "submission", format!("%%grade {file}\n{begun}"), plan("submission", false, true)),
            cell("code", "points", format!("from memory_machine import points\n\npoints({file:?})"), points),
        ],
        "metadata": {
            "kernelspec": { "display_name": "Python 3", "language": "python", "name": "python3" },
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    })
}
