//! From the command line to a [`Case`].

use super::Failure;
use super::options::ProgramOptions;
use crate::case::{Case, CaseError, Inputs, LoadError, load_for};
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
