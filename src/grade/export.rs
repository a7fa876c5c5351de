//! Assignments as course platforms take them.

use std::path::Path;

use super::answers::{self, Right};
use super::assignment::{Assignment, AssignmentError};
use super::report::GradeFormat;
use crate::diagnostic::markup;

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
        GradeFormat::Moodle => moodle(assignment, file, variants).map(Some),
        GradeFormat::CodeRunner => Ok(Some(code_runner(assignment, file))),
        _ => Ok(None),
    }
}

/// Text in XML 1.0, which has no characters that control.
fn escaped(text: &str) -> String {
    let is_none = |it: char| {
        it.is_control() && !matches!(it, '\n' | '\t') || matches!(it, '\u{fffe}' | '\u{ffff}')
    };
    markup(&text.replace(is_none, "\u{fffd}"))
}

/// A category for each question, of which a quiz takes one variant at random. A number is marked by Moodle;
/// a claim is an essay, since only a proof tells whether it is right.
fn moodle(assignment: &Assignment, file: &Path, variants: u64) -> Result<String, AssignmentError> {
    if assignment.questions().is_empty() {
        let why = "--format moodle writes a [[question]], and there is none; a listing is marked in Moodle by \
                   --format coderunner";
        return Err(assignment.error((0..0, why.to_owned())));
    }
    let mut bank = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n".to_owned();
    for question in assignment.questions() {
        let name = question.name.get_ref();
        // In a path of categories a stroke of a name is written twice.
        let category = [assignment.title(), name].map(|it| escaped(&it.replace('/', "//")));
        bank += &format!(
            "  <question type=\"category\">\n    <category><text>$course$/top/{}</text></category>\n  \
             </question>\n",
            category.join("/")
        );
        let mut asked: Vec<String> = vec![];
        for variant in 1..=variants {
            let student = variant.to_string();
            let text = answers::text(assignment, question, &student);
            if asked.contains(&text) {
                continue;
            }
            let right = answers::right(assignment, question, &student);
            let right = right.map_err(|why| {
                assignment.error((question.name.span(), format!("the question: {why}")))
            })?;
            asked.push(text.clone());
            let head = format!(
                "    <name><text>{} {}</text></name>\n    <questiontext format=\"plain_text\"><text>{}</text>\
                 </questiontext>\n    <defaultgrade>{}</defaultgrade>\n    <penalty>0</penalty>\n    \
                 <hidden>0</hidden>\n",
                escaped(name),
                asked.len(),
                escaped(&text),
                question.points
            );
            bank += &match right {
                Right::Number(number, _) => format!(
                    "  <question type=\"numerical\">\n{head}    <answer fraction=\"100\" \
                     format=\"moodle_auto_format\">\n      <text>{number}</text>\n      \
                     <tolerance>0</tolerance>\n    </answer>\n  </question>\n"
                ),
                Right::Claim(_) => format!(
                    "  <question type=\"essay\">\n{head}    <responseformat>plain</responseformat>\n    \
                     <responserequired>1</responserequired>\n    <responsefieldlines>3</responsefieldlines>\n    \
                     <attachments>0</attachments>\n    <attachmentsrequired>0</attachmentsrequired>\n    \
                     <graderinfo format=\"plain_text\"><text>{}</text></graderinfo>\n    \
                     <responsetemplate format=\"plain_text\"><text></text></responsetemplate>\n  \
                     </question>\n",
                    escaped(&format!(
                        "A line `{name} = ANSWER` in a file is marked by: umm grade {} FILE --student {student}",
                        file_name(file)
                    ))
                ),
            };
        }
    }
    Ok(bank + "</quiz>\n")
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
