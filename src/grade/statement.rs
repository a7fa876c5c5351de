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
    let worth = |points: u32| match points {
        1 => "1 point".to_owned(),
        points => format!("{points} points"),
    };
    for question in assignment.questions() {
        let asked = answers::text(assignment, question, student);
        text += &format!("\n{} ({}): {asked}\n", question.name.get_ref(), worth(question.points));
    }
    for exercise in assignment.exercises() {
        // What cannot be posed is told before anybody is marked.
        let Ok(posed) = assignment.posed(exercise, student) else { continue };
        let name = exercise.item.get_ref();
        text += &format!("\n{name} ({}): {}\n", worth(exercise.points), posed.text);
        for line in posed.listing.iter().flat_map(|it| it.lines()) {
            text += &format!("    {line}\n");
        }
    }
    text
}
