//! From the command line to a [`Case`].

use std::ffi::OsStr;

use super::Failure;
use super::options::{AtomicsOption, ProgramOptions};
use super::real_inputs::real_inputs;
use super::settings::ParameterValue;
use crate::case::triangulation::OptArrays;
use crate::case::{Case, CaseError, Inputs, LoadError, Printed, load_as, parameters};
use crate::language::program::Program;
use crate::language::{AsPrinted, PartialDeclaration};
use crate::run::layout::{Layout, LayoutError};
use crate::sample::Settings;

impl ProgramOptions {
    /// The program with its sizes and inputs.
    pub(crate) fn case(&self) -> Result<Case, Failure> {
        self.case_of(self.program()?)
    }

    /// The program alone.
    pub(crate) fn program(&self) -> Result<Program, Failure> {
        let values = ParameterValues::of(&self.settings)?;
        let load = |declared: &[PartialDeclaration]| {
            let said = AsPrinted {
                notation: self.notation,
                semantics: self.semantics,
                declared,
                ..AsPrinted::default()
            };
            values.load(&self.algorithm, Printed { said, nth: self.nth })
        };
        let program = load(&self.declared)?;
        let reals = real_inputs(&program, &self.inputs);
        match reals.is_empty() {
            true => Ok(program),
            false => load(&[&self.declared[..], &reals].concat()),
        }
    }

    /// A program that was read, with its sizes and inputs: it may have come through a pipe.
    pub(crate) fn case_of(&self, mut program: Program) -> Result<Case, Failure> {
        if self.atomics == AtomicsOption::Merged {
            program.merge_atomics();
        }
        let set = ParameterValues::of(&self.settings)?.set;
        let inputs = Inputs::read(&program, &self.inputs, self.seed)?;
        Ok(self.limits.bound(Case { set, inputs, ..Case::new(program) }))
    }
}

/// The values of `--set`, none twice.
pub(crate) struct ParameterValues {
    pub(crate) set: Settings,
    reals: Vec<(String, f64)>,
}

impl ParameterValues {
    pub(crate) fn of(given: &[(String, ParameterValue)]) -> Result<Self, Failure> {
        let (mut set, mut reals) = (Settings::default(), vec![]);
        for (at, (name, value)) in given.iter().enumerate() {
            if given[..at].iter().any(|it| it.0 == *name) {
                return Err(Failure::input(format_args!("--set {name} is given twice")));
            }
            match value {
                ParameterValue::Whole(it) => drop(set.0.insert(name.clone(), *it)),
                ParameterValue::Real(it) => reals.push((name.clone(), *it)),
            }
        }
        Ok(Self { set, reals })
    }

    pub(crate) fn names_of_reals(&self) -> impl Iterator<Item = &str> {
        self.reals.iter().map(|it| it.0.as_str())
    }

    /// The listing for these values.
    pub(crate) fn load(&self, algorithm: &OsStr, printed: Printed<'_>) -> Result<Program, Failure> {
        let said = AsPrinted { reals: &self.reals, ..printed.said };
        let program = load_as(algorithm, &self.set, Printed { said, ..printed })?;
        match self.reals.iter().find(|it| !program.has_real(&it.0)) {
            None => Ok(program),
            Some((name, value)) if program.parameters.iter().any(|it| it.name == *name) => {
                Err(Failure::input(format_args!(
                    "--set {name}={value}: the value of `{name}` must be a whole number; a real parameter \
                     is declared so: `algorithm {}(…, {name} : f64)`",
                    program.name
                )))
            }
            Some((name, value)) => Err(Failure::input(format_args!(
                "--set {name}={value}: `{}` has no parameter `{name}`; {}",
                program.name,
                parameters(&program)
            ))),
        }
    }
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
            CaseError::Layout(LayoutError::MissingReal(name)) => Self::input(format_args!(
                "the parameter `{name}`, a real number, has no value; give it: --set {name}=0.5"
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
