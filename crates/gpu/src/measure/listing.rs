//! A case on a GPU: every word compared with a run on the CPU, then timed.

use thiserror::Error;

use crate::CudaError;
use crate::execution::{Difference, ExecutionError, Kernels};
use crate::gpu::Gpu;
use memory_machine_case::{Case, CaseError};
use memory_machine_codegen::Options;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::{NoopObserver, memory};

/// Times of a listing whose result is right.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifiedRun {
    /// Kernels that one run launches.
    pub launches: usize,
    /// Seconds of each repetition, in order.
    pub times_s: Vec<f64>,
}

/// Why a case has no times.
#[derive(Debug, Error)]
pub enum VerifiedRunError {
    /// It cannot be run on the CPU.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// It cannot be run on the GPU.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
    /// A word that the GPU leaves otherwise than the CPU: which one.
    #[error("{0}")]
    Differs(String),
}

impl From<CudaError> for VerifiedRunError {
    fn from(error: CudaError) -> Self {
        Self::Execution(error.into())
    }
}

/// Runs a listing on a GPU, compares every word with a run on the CPU, and times it.
///
/// # Errors
/// [`VerifiedRunError`].
pub fn verified(
    gpu: &Gpu,
    case: &Case,
    layout: &Layout,
    options: Options,
    repetitions: u32,
) -> Result<VerifiedRun, VerifiedRunError> {
    let program = &*case.program;
    // A listing that fails says so here, before it could harm the GPU's context.
    let given = case.memory(layout)?;
    let mut expected = given.clone();
    case.execute(layout, &mut expected, &mut NoopObserver)?;

    let kernels = Kernels::new(gpu, program, options, layout)?;
    let execution = kernels.prepare(layout, case.limits())?;
    execution.upload(&given)?;
    execution.launch()?;
    if let Some(difference) = execution.first_difference(&expected)? {
        return Err(VerifiedRunError::Differs(explain(program, difference)));
    }
    let mut times_s = vec![];
    for _ in 0..repetitions {
        execution.upload(&given)?;
        gpu.synchronize()?;
        times_s.push(gpu.seconds(|| execution.launch())?);
    }
    Ok(VerifiedRun { launches: execution.launches(), times_s })
}

fn explain(program: &Program, difference: Difference) -> String {
    let array = &program.arrays[difference.array.0];
    let text = |bits: u64| memory::text(array.element, bits);
    let wanted = difference.wanted.map_or("nothing, as on the CPU".to_owned(), text);
    format!(
        "word {} of `{}` is {} on the GPU, and should be {wanted}; do threads of one parallel loop \
         need each other's values? `umm check` finds such races",
        difference.place,
        array.name,
        text(difference.found)
    )
}
