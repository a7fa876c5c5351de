//! From the command line to a [`Case`].

use super::Failure;
use super::options::ProgramOptions;
use crate::case::{Case, CaseError, Inputs, LoadError, load_for};
use crate::diagnostic::{Diagnostic, Located};
use crate::language::program::Program;
use crate::run::layout::LayoutError;
use crate::sample::Settings;

impl ProgramOptions {
    /// The program with its sizes and inputs.
    pub(super) fn case(&self) -> Result<Case, Failure> {
        let set = settings(&self.settings)?;
        let program = load_for(&self.algorithm, &set)?;
        let inputs = Inputs::read(&program, &self.inputs, self.seed)?;
        Ok(Case { set, inputs, while_iterations: self.while_limit, ..Case::new(program) })
    }

    /// The same for what cannot deal with loops on DMMs.
    pub(super) fn case_without_dmms(&self, what: &str) -> Result<Case, Failure> {
        let case = self.case()?;
        refuse_dmms(&case.program, what)?;
        Ok(case)
    }
}

/// Refuses a listing with a loop on DMMs.
pub(super) fn refuse_dmms(program: &Program, what: &str) -> Result<(), Failure> {
    let Some(span) = program.first_loop_on_dmms() else { return Ok(()) };
    let diagnostic = Diagnostic::new(span, format!("{what} loops on DMMs is not known yet"))
        .help("time it on the hierarchical memory machine: umm run -m hmm");
    let source = program.source.clone();
    Err(Box::new(Located { source, diagnostic }).into())
}

/// The values of `--set`, none twice.
pub(super) fn settings(given: &[(String, i64)]) -> Result<Settings, Failure> {
    let mut set = Settings::default();
    for (name, value) in given {
        if set.0.insert(name.clone(), *value).is_some() {
            return Err(Failure::input(format_args!("--set {name} is given twice")));
        }
    }
    Ok(set)
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Listing(located) => located.into(),
            error => Self::input(error),
        }
    }
}

impl From<CaseError> for Failure {
    fn from(error: CaseError) -> Self {
        match error {
            CaseError::Layout(LayoutError::MissingParameter(name)) => Self::input(format_args!(
                "the parameter `{name}` has no value; give it: --set {name}=16"
            )),
            CaseError::Layout(error @ LayoutError::Overflow(_)) => {
                Self::input(format_args!("{error}; choose smaller sizes"))
            }
            CaseError::Layout(error) => Self::input(format_args!("{error}; change --set")),
            CaseError::Program(located) => located.into(),
            error => Self::input(error),
        }
    }
}
