//! Marks for what students hand in: a listing, or answers to questions, against an assignment.
//!
//! A listing is run within limits, without files, on data that it has not seen, and compared with the
//! assignment's reference; what else is asked of it (no races, a proved time) counts only once it passes
//! a hidden test, since a listing that computes nothing has all good properties.

mod answers;
mod assignment;
pub mod bank;
mod export;
mod keys;
mod listing;
mod moodle;
mod report;
mod runs;
mod sizes;
mod statement;
mod verdict;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use self::assignment::{Assignment, AssignmentError};
pub use self::export::export;
pub use self::keys::Limits;
pub use self::report::{GradeFormat, render};
pub use self::statement::statement;
use crate::host::files::{self, ends, path_text};

/// What one thing that was asked for is worth, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// What was asked for, in words.
    pub what: String,
    /// Points that were reached.
    pub points: u32,
    /// Points that may be.
    pub of: u32,
    /// Whether it is as it should be: what is worth no points may fail, too.
    pub passed: bool,
    /// Whether the student may know what was tried.
    pub visible: bool,
    /// What to know, a line each; empty where all is well.
    pub feedback: Vec<String>,
}

/// All marks of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// The assignment's title.
    pub assignment: String,
    /// The file that was handed in.
    pub submission: String,
    /// Who did.
    pub student: String,
    /// The sum.
    pub points: u32,
    /// The most that it may be.
    pub of: u32,
    /// In the order of the assignment.
    pub marks: Vec<Mark>,
    /// Why it could not be marked at all, if so.
    pub stopped: Option<String>,
}

impl Grade {
    fn new(assignment: &Assignment, submission: &Path, student: &str, marks: Vec<Mark>) -> Self {
        Self {
            assignment: assignment.title().to_owned(),
            submission: path_text(submission),
            student: student.to_owned(),
            points: marks.iter().map(|it| it.points).sum(),
            of: assignment.points(),
            marks,
            stopped: None,
        }
    }

    /// No points, for why it could not be marked.
    pub fn stopped(
        assignment: &Assignment,
        submission: &Path,
        student: &str,
        why: impl Into<String>,
    ) -> Self {
        let stopped = Some(why.into());
        Self { stopped, ..Self::new(assignment, submission, student, vec![]) }
    }
}

/// Why there are no marks.
enum Stop {
    Submission(String),
    Assignment(AssignmentError),
}

impl From<String> for Stop {
    fn from(why: String) -> Self {
        Self::Submission(why)
    }
}

impl From<AssignmentError> for Stop {
    fn from(error: AssignmentError) -> Self {
        Self::Assignment(error)
    }
}

/// Marks a submission: a file `.alg` with a listing, or one with answers, `NAME = ANSWER` a line. It may
/// take the assignment's limits, but for what is no loop of it: who needs more gives it a process.
///
/// # Errors
/// What is wrong with the assignment, which is no student's fault.
pub fn grade(
    assignment: &Assignment,
    submission: &Path,
    student: &str,
) -> Result<Grade, AssignmentError> {
    let is_listing = ends(submission, "alg");
    let text = handed_in(submission).map_err(Stop::Submission);
    of_text(assignment, submission, student, (is_listing, text))
}

/// The same of a text, such as a cell of a notebook: a listing if the assignment asks for one, else answers.
///
/// # Errors
/// As [`grade`].
pub fn grade_text(
    assignment: &Assignment,
    text: String,
    student: &str,
) -> Result<Grade, AssignmentError> {
    of_text(assignment, Path::new("cell"), student, (assignment.reference().is_some(), Ok(text)))
}

fn of_text(
    assignment: &Assignment,
    submission: &Path,
    student: &str,
    (is_listing, text): (bool, Result<String, Stop>),
) -> Result<Grade, AssignmentError> {
    let marks = text.and_then(|text| match is_listing {
        true => listing::marks(assignment, submission, text, student),
        false => answers::marks(assignment, &text, student),
    });
    match marks {
        Ok(marks) => Ok(Grade::new(assignment, submission, student, marks)),
        Err(Stop::Submission(why)) => Ok(Grade::stopped(assignment, submission, student, why)),
        Err(Stop::Assignment(error)) => Err(error),
    }
}

/// The text of a plain file: a link would hand in what another has written, such as the reference, and what
/// is wrong with a file shows lines of it.
fn handed_in(submission: &Path) -> Result<String, String> {
    let is_other = submission.symlink_metadata().is_ok_and(|it| !it.is_file() && !it.is_dir());
    if is_other {
        return Err(format!(
            "{}: it is a link or no plain file; hand in the file itself",
            path_text(submission)
        ));
    }
    files::read(submission, files::DESCRIPTION).map_err(|error| error.to_string())
}
