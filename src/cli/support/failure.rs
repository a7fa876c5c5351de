//! Why a command ends with an exit code other than 0.

use std::fmt;
use std::io::{self, ErrorKind};

use clap::builder::Styles;

use crate::diagnostic::{LimitKind, Located, visible};
use crate::host::files::FileError;
use crate::measure::MeasurementError;
#[cfg(feature = "mpi")]
use crate::mpi::{self, RankFailure};

/// A message for standard error, and an exit code.
#[derive(Debug)]
pub struct Failure {
    message: Message,
    /// Where it happened, if that is not in the message.
    place: Option<String>,
    code: u8,
}

/// Why an engine of several ranks is not there.
#[cfg(not(feature = "mpi"))]
pub(crate) const WITHOUT_MPI: &str =
    "this umm was built without MPI; build it with --features mpi, or choose another --engine";

#[derive(Debug)]
enum Message {
    Text(String),
    /// Brings its own "error:" and the place.
    Located(Box<Located>),
    /// Another process says what there is to say.
    #[cfg(feature = "mpi")]
    RankFailure,
}

impl Failure {
    /// Bad usage or input: exit code 2.
    pub(crate) fn input(message: impl fmt::Display) -> Self {
        Self { message: Message::Text(message.to_string()), place: None, code: 2 }
    }

    /// A run or check that failed: exit code 1.
    pub(crate) fn run(message: impl fmt::Display) -> Self {
        Self { code: 1, ..Self::input(message) }
    }

    /// A question to which there is no answer: exit code 3, so that no script takes it for one.
    pub(crate) fn undecided(message: impl fmt::Display) -> Self {
        Self { code: 3, ..Self::input(message) }
    }

    /// What the system says of a file; a disk without room is no mistake of the command line.
    pub(crate) fn of_file(message: impl fmt::Display, error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::run(message),
            _ => Self::input(message),
        }
    }

    /// The end of a rank that has worked for the first one, which tells what came out: no failure,
    /// and nothing is said.
    #[cfg(feature = "mpi")]
    pub(crate) const fn elsewhere() -> Self {
        Self { message: Message::RankFailure, place: None, code: 0 }
    }

    /// What goes wrong in a command that ranks of MPI do together: one of them says it, where it goes
    /// wrong before they have met.
    #[cfg(feature = "mpi")]
    pub(crate) fn of_one_rank(self) -> Self {
        if self.code == 0 || mpi::fails_first() { self } else { Self::elsewhere() }
    }

    #[cfg(not(feature = "mpi"))]
    pub(crate) const fn of_one_rank(self) -> Self {
        self
    }

    /// Bad input of all ranks, if this is the one that tells.
    #[cfg(feature = "mpi")]
    pub(crate) fn of_ranks(message: Option<impl fmt::Display>) -> Self {
        message.map_or_else(Self::elsewhere, Self::input)
    }

    /// The same failure, said to have happened `place`.
    pub(crate) fn after(self, place: &str) -> Self {
        Self { place: Some(place.to_owned()), ..self }
    }

    pub const fn exit_code(&self) -> u8 {
        self.code
    }

    /// As it is displayed, with the colours of a terminal.
    pub fn coloured(&self) -> String {
        let styles = Styles::styled();
        let style = styles.get_error();
        self.text(&format!("{style}error:{style:#}"), Located::coloured)
    }

    fn text(&self, error: &str, located: impl Fn(&Located) -> String) -> String {
        let message = match &self.message {
            Message::Text(message) => format!("{error} {}", visible(message)),
            Message::Located(it) => located(it),
            #[cfg(feature = "mpi")]
            Message::RankFailure => String::new(),
        };
        match &self.place {
            Some(place) => format!("{message}\n{}", visible(place)),
            None => message,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text("error:", Located::to_string))
    }
}

/// A mistake in an input text, or a limit that was reached in it.
impl From<Box<Located>> for Failure {
    fn from(located: Box<Located>) -> Self {
        let code = if located.diagnostic.limit == Some(LimitKind::Work) { 1 } else { 2 };
        Self { message: Message::Located(located), place: None, code }
    }
}

#[cfg(feature = "mpi")]
impl From<RankFailure> for Failure {
    fn from(_: RankFailure) -> Self {
        Self::elsewhere()
    }
}

/// A folder of measurements that cannot be read or written.
impl From<MeasurementError> for Failure {
    fn from(error: MeasurementError) -> Self {
        match &error {
            MeasurementError::Unwritable { source, .. } => Self::of_file(&error, source),
            _ => Self::input(error),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::input(error)
    }
}
