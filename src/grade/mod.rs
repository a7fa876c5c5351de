//! Marks for what students hand in: a listing, or answers to questions, against an assignment.
//!
//! A listing is run within limits, without files, on data that it has not seen, and compared with the
//! assignment's reference; what else is asked of it (no races, a proved time) counts only once it passes
//! a hidden test, since a listing that computes nothing has all good properties.

mod answers;
mod assignment;
mod listing;
mod report;
mod runs;
mod statement;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use self::assignment::{Assignment, AssignmentError, Limits};
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

/// Marks a submission: a file `.alg` with a listing, or one with answers, `NAME = ANSWER` a line. It may
/// take the assignment's limits, but for what is no loop of it: who needs more gives it a process.
pub fn grade(assignment: &Assignment, submission: &Path, student: &str) -> Grade {
    let text = match files::read(submission, files::DESCRIPTION) {
        Ok(text) => text,
        Err(error) => {
            return Grade::stopped(assignment, submission, student, error.to_string());
        }
    };
    let marks = if ends(submission, "alg") {
        listing::marks(assignment, submission, text, student)
    } else {
        answers::marks(assignment, &text, student)
    };
    match marks {
        Ok(marks) => Grade::new(assignment, submission, student, marks),
        Err(why) => Grade::stopped(assignment, submission, student, why),
    }
}
