//! A point of a campaign, made ready for a GPU.

use super::regime;
use memory_machine_case::{Case, CaseError, Inputs};
use memory_machine_codegen::{self as codegen, Options};
use memory_machine_core::keyword::Keyword;
use memory_machine_core::run::layout::Layout;
use memory_machine_measure::{Device, Subject};

/// A program with sizes, as one GPU runs its part.
pub struct Workload {
    /// What is run, with sizes, inputs and arrangement.
    pub case: Case,
    /// Where the arrays lie in the GPU's memory.
    pub layout: Layout,
    /// How kernels are emitted and launched.
    pub options: Options,
}

impl Workload {
    /// The part of one GPU of what `subject` says.
    ///
    /// # Errors
    /// What cannot be run so, before a GPU is asked for.
    pub fn new(case: Case, subject: &Subject, inputs: Inputs) -> Result<Self, CaseError> {
        let case = Case { inputs, ..case };
        let number = subject.threads.unwrap_or(1);
        let given = |message: String| CaseError::Given(format!("{subject}: {message}"));
        if case.bulk.is_none() && subject.devices > 1 {
            return Err(given(
                "only the inputs of a bulk run are shared by several GPUs; give --bulk, or --devices 1"
                    .to_owned(),
            ));
        }
        if !number.is_multiple_of(subject.devices) {
            return Err(given(format!("{number} inputs are not shared evenly; change -p")));
        }
        let layout = case.layout().map_err(|error| match error {
            CaseError::Layout(error) => given(format!("{error}; change --set")),
            error => error,
        })?;
        let launch = subject.launch().unwrap_or(codegen::launches(&case.program)[0]);
        let prefetch = u32::try_from(subject.prefetch).unwrap_or(u32::MAX);
        let options = Options { bulk: case.bulk, launch, prefetch, standalone: false };
        // Says what is wrong before anything is measured.
        case.program.without_global_layouts("runs on a GPU")?;
        codegen::emit(&case.program, options, &codegen::sizes(&layout))?;
        Ok(Self { case, layout, options })
    }

    /// The subject with all its parameters, its launch, its bytes and regime.
    pub fn complete(&self, subject: &Subject, device: &Device) -> Subject {
        let program = &self.case.program;
        let mut subject = Subject { name: program.name.clone(), ..subject.clone() };
        subject.set = self.case.settings(&self.layout);
        subject.launch = Some(self.options.launch.word().to_owned());
        let part = codegen::bytes(program, &self.layout);
        subject.bytes = part * subject.devices;
        subject.regime = regime(part, device.l2_bytes).to_owned();
        subject
    }
}
