//! Why a command ends with an exit code other than 0.

use std::fmt;

use crate::diagnostic::Located;
use crate::host::files::FileError;

/// A message for standard error, and an exit code.
#[derive(Debug)]
pub struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// Bad usage or input: exit code 2.
    pub(super) fn input(message: impl fmt::Display) -> Self {
        Self { message: format!("error: {message}"), code: 2 }
    }

    /// A run or check that failed: exit code 1.
    pub(super) fn run(message: impl fmt::Display) -> Self {
        Self { message: format!("error: {message}"), code: 1 }
    }

    /// The same failure, said to have happened `place`.
    pub(super) fn after(mut self, place: &str) -> Self {
        let message = self.message.strip_prefix("error: ").unwrap_or(&self.message);
        self.message = format!("error: {message}\n{place}");
        self
    }

    pub const fn exit_code(&self) -> u8 {
        self.code
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A mistake in an input text brings its own "error:" and the place.
impl From<Box<Located>> for Failure {
    fn from(located: Box<Located>) -> Self {
        Self { message: located.to_string(), code: 2 }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::input(error)
    }
}
