//! From the command line to a [`Case`].

use super::Failure;
use super::options::{AtomicsOption, ProgramOptions};
use crate::case::triangulation::OptArrays;
use crate::case::{Case, CaseError, Inputs, LoadError, Printed, load_as};
use crate::language::program::Program;
use crate::run::layout::{Layout, LayoutError};
use crate::sample::Settings;

impl ProgramOptions {
    /// The program with its sizes and inputs.
    pub(crate) fn case(&self) -> Result<Case, Failure> {
        self.case_of(self.program()?)
    }

    /// The program alone.
    pub(crate) fn program(&self) -> Result<Program, Failure> {
        let printed = Printed { notation: self.notation, semantics: self.semantics, nth: self.nth };
        Ok(load_as(&self.algorithm, &settings(&self.settings)?, printed)?)
    }

    /// A program that was read, with its sizes and inputs: it may have come through a pipe.
    pub(crate) fn case_of(&self, mut program: Program) -> Result<Case, Failure> {
        if self.atomics == AtomicsOption::Merged {
            program.merge_atomics();
        }
        let set = settings(&self.settings)?;
        let inputs = Inputs::read(&program, &self.inputs, self.seed)?;
        Ok(self.limits.bound(Case { set, inputs, ..Case::new(program) }))
    }
}

/// The values of `--set`, none twice.
pub(crate) fn settings(given: &[(String, i64)]) -> Result<Settings, Failure> {
    let mut set = Settings::default();
    for (name, value) in given {
        if set.0.insert(name.clone(), *value).is_some() {
            return Err(Failure::input(format_args!("--set {name} is given twice")));
        }
    }
    Ok(set)
}

/// The table M and the weights c of an OPT listing, which an option asks for.
pub(crate) fn opt_arrays(case: &Case, layout: &Layout, option: &str) -> Result<OptArrays, Failure> {
    case.opt_arrays(layout).ok_or_else(|| {
        Failure::input(format_args!(
            "{option} needs a table M[n, n] and weights c[n, n] of f32, as in opt, dp_opt and umm_opt; \
             `{}` has none",
            case.program.name
        ))
    })
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
