//! `umm grade`

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::{os, whole, word};
use crate::cli::support::point_set::csv;
use crate::grade::bank::{self, ExerciseKind};
use crate::grade::{
    Assignment, AssignmentError, Grade, GradeFormat, export, grade, render, statement,
};
use crate::host::files::path_text;
use crate::keyword::Keyword;

/// Mark what students hand in against an assignment
///
/// A submission is a listing FILE.alg, which is run on data that it has not seen and compared with the
/// assignment's reference, or a file of answers, NAME = ANSWER a line. Each is marked in a process of its
/// own, within the assignment's limits, and reads no file. Without a submission, the assignment is
/// printed as a student sees it. Exits with 1 if any submission has no points.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm grade copies.toml
  umm grade copies.toml mine.alg
  umm grade copies.toml submissions/*.alg --csv points.csv
  umm grade times.toml answers.txt --student ada
  umm grade copies.toml mine.alg --student ada --format gradescope > results.json
  umm grade times.toml --format moodle > bank.xml
  umm grade --bank > bank.toml
  umm grade copies.toml --format nbgrader > copies.ipynb

The keys of an assignment are on the page docs/grading.md.")]
pub(super) struct GradeCommand {
    /// The assignment
    #[arg(value_name = "ASSIGNMENT.toml", required_unless_present = "bank")]
    assignment: Option<PathBuf>,
    /// What was handed in
    #[arg(value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// Whose sizes and data are meant [default: the name of the submission's file, or, where several have
    /// one name, of its folder]
    #[arg(long, value_name = "ID")]
    student: Option<String>,
    /// How grades are printed
    #[arg(long, value_parser = word::<GradeFormat>(), default_value_t = GradeFormat::Text)]
    format: GradeFormat,
    /// How many variants of each question --format moodle writes, with sizes of their own
    #[arg(long, value_name = "COUNT", default_value = "10", value_parser = whole::<u64>(1..=1000))]
    variants: u64,
    /// Print an assignment of all exercises of the bank, to take some of
    #[arg(long, conflicts_with_all = ["assignment", "student", "format", "variants", "json", "csv"])]
    bank: bool,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write a row a submission, as --format csv prints
    #[arg(long, value_name = "FILE.csv", value_parser = os(csv))]
    csv: Option<PathBuf>,
    /// Marks the submission in this process
    #[arg(long, hide = true)]
    in_process: bool,
}

impl GradeCommand {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let Some(file) = self.assignment.as_ref().filter(|_| !self.bank) else {
            return files::print(&whole_bank());
        };
        let assignment = Assignment::read(file)?;
        files::check_outputs(&self.csv)?;
        if self.submissions.is_empty() {
            let student = self.student.as_deref().unwrap_or_default();
            let exported = export(&assignment, file, self.format, self.variants)?;
            return files::print(&exported.unwrap_or_else(|| statement(&assignment, student)));
        }
        if self.student.is_some() && self.submissions.len() > 1 {
            return Err(Failure::input(
                "--student: one submission is one student's; leave it out, and each file's name is its \
                 student's",
            ));
        }
        let students = self.students()?;
        if let (false, [first, ..]) = (self.in_process, &students[..]) {
            assignment.rehearse(first)?;
        }
        let submitted = self.submissions.iter().zip(&students);
        let grades = submitted.map(|(it, student)| self.grade(&assignment, it, student));
        let grades = grades.collect::<Result<Vec<Grade>, _>>()?;
        let format = if self.json { GradeFormat::Json } else { self.format };
        let text = render(&grades, format).map_err(Failure::input)?;
        if let Some(path) = &self.csv {
            let table = render(&grades, GradeFormat::Csv).map_err(Failure::run)?;
            files::write(path, |file| file.write_all(table.as_bytes()))?;
        }
        files::print(&text)?;
        match grades.iter().filter(|it| it.points == 0).count() {
            0 => Ok(()),
            none => {
                let all = grades.len();
                Err(Failure::run(format_args!("{none} of {all} submissions have no points")))
            }
        }
    }

    /// Whose each submission is.
    fn students(&self) -> Result<Vec<String>, Failure> {
        if let Some(student) = &self.student {
            return Ok(vec![student.clone()]);
        }
        let text = |it: Option<&OsStr>| it.unwrap_or_default().to_string_lossy().into_owned();
        let files: Vec<String> = self.submissions.iter().map(|it| text(it.file_stem())).collect();
        let is_one_of =
            |all: &[String], it: &String| all.iter().filter(|all| *all == it).count() > 1;
        let own = self.submissions.iter().zip(&files).map(|(submission, file)| {
            let folder = submission.parent().and_then(Path::file_name);
            if is_one_of(&files, file) && folder.is_some() { text(folder) } else { file.clone() }
        });
        let students: Vec<String> = own.collect();
        match self.submissions.iter().zip(&students).find(|it| is_one_of(&students, it.1)) {
            None => Ok(students),
            Some((submission, student)) => Err(Failure::input(format_args!(
                "{}: it is not the only submission of `{student}`; give their files or their folders \
                 names of their own",
                path_text(submission)
            ))),
        }
    }

    fn grade(
        &self,
        assignment: &Assignment,
        submission: &Path,
        student: &str,
    ) -> Result<Grade, AssignmentError> {
        if self.in_process {
            return grade(assignment, submission, student);
        }
        match self.in_own_process(assignment, submission, student) {
            Ok(Some(grade)) => Ok(grade),
            Ok(None) => {
                assignment.rehearse(student)?;
                Ok(Grade::stopped(assignment, submission, student, EXCESS))
            }
            Err(why) => Ok(Grade::stopped(assignment, submission, student, why)),
        }
    }

    /// What goes wrong there, or takes too long, ends that process alone. None where it ends without a grade.
    fn in_own_process(
        &self,
        assignment: &Assignment,
        submission: &Path,
        student: &str,
    ) -> Result<Option<Grade>, String> {
        let seconds = assignment.limits().seconds;
        let own = std::env::current_exe().map_err(|it| it.to_string())?;
        let words: [OsString; 3] = ["grade".into(), "--in-process".into(), "--json".into()];
        let mut child = Command::new(own)
            .args(words)
            .arg(format!("--student={student}"))
            .arg("--")
            .args(self.assignment.iter().map(PathBuf::as_path).chain([submission]))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|it| format!("cannot start a process for it: {it}"))?;
        let output = child.stdout.take();
        let reader = thread::spawn(move || {
            let mut text = String::new();
            let read = output.map(|it| it.take(MOST_OUTPUT).read_to_string(&mut text));
            read.and_then(Result::ok).map(|_| text)
        });
        let end = Instant::now() + Duration::from_secs_f64(seconds) + GRACE;
        loop {
            match child.try_wait() {
                Ok(Some(_)) => break,
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!("stopped: it takes more than {seconds} s"));
                }
            }
        }
        let text = reader.join().ok().flatten().unwrap_or_default();
        let grades: Option<Vec<Grade>> = serde_json::from_str(&text).ok();
        Ok(grades.and_then(|mut it| it.pop()))
    }
}

/// The assignment of the whole bank.
fn whole_bank() -> String {
    let mut text = "title = \"The bank\"\n".to_owned();
    let mut kind = None;
    for item in bank::items() {
        if kind.replace(item.kind()) != Some(item.kind()) {
            let about = ExerciseKind::WORDS.iter().find(|it| it.0 == item.kind());
            text += &format!("\n# {}\n", about.map_or("", |it| it.2));
        }
        text += &format!("\n[[exercise]]\nitem = \"{}\"\npoints = 1\n", item.name());
    }
    text
}

/// Why a process ends without a grade, the assignment being as it should.
const EXCESS: &str = "stopped: it asks for more memory than there is, or is nested too deeply";

/// Bytes of a grade: no feedback is that long.
const MOST_OUTPUT: u64 = 1 << 22;

/// How long a submission may take to notice that its time is over, and to say where.
const GRACE: Duration = Duration::from_secs(2);

impl From<AssignmentError> for Failure {
    fn from(error: AssignmentError) -> Self {
        match error {
            AssignmentError::Text(located) => located.into(),
            error => Self::input(error),
        }
    }
}
