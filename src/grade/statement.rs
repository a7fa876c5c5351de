//! What a student is told of an assignment.

use super::answers;
use super::assignment::Assignment;
use super::listing::is_asked;

/// The statement, the arrays of a listing, and the questions with the student's own sizes.
pub fn statement(assignment: &Assignment, student: &str) -> String {
    let mut text = assignment.title().to_owned() + "\n";
    if !assignment.statement().is_empty() {
        text += &format!("\n{}\n", assignment.statement());
    }
    if let Some(reference) = assignment.reference() {
        let parameters = reference.listing.parameters.iter();
        let names: Vec<String> = parameters.map(ToString::to_string).collect();
        text += &format!("\nalgorithm NAME({})\n", names.join(", "));
        for array in reference.listing.arrays.iter().filter(|it| is_asked(it)) {
            text += &format!("{array}\n");
        }
    }
    for question in assignment.questions() {
        let points = match question.points {
            1 => "1 point".to_owned(),
            points => format!("{points} points"),
        };
        let asked = answers::text(assignment, question, student);
        text += &format!("\n{} ({points}): {asked}\n", question.name.get_ref());
    }
    text
}
