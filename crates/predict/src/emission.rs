//! How a case is put on a device: its launch, and the code that is emitted for it.

use memory_machine_case::{CaseError, Prepared};
use memory_machine_codegen::{self as codegen, Emission, Launch};

/// How a program is put on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchOptions {
    /// How sequential statements around parallel loops are done; `None` for the first way that the
    /// listing allows.
    pub launch: Option<Launch>,
    /// Iterations by which reads are made ahead of their place; 1 for each in its place.
    pub prefetch: u64,
}

/// How the case is launched, and its code.
pub(super) fn emitted(
    prepared: &Prepared,
    options: LaunchOptions,
) -> Result<(Launch, Emission), CaseError> {
    let (case, layout) = (prepared.case(), prepared.layout());
    let program = &*case.program;
    let launch = options.launch.unwrap_or(codegen::launches(program)[0]);
    // The emitter knows what cannot be run so.
    let options = codegen::Options {
        bulk: case.bulk,
        launch,
        prefetch: u32::try_from(options.prefetch).unwrap_or(1),
        standalone: false,
    };
    // A region of theirs has each input's cells row by row.
    if case.bulk.is_some() {
        program.without_global_layouts("bulk runs")?;
    }
    let emission = codegen::emit(program, options, &codegen::sizes(layout))?;
    if case.bulk.is_none() && program.first_parallel_loop().is_none() {
        return Err(CaseError::Given(format!(
            "{}: a program's seconds are predicted as a bulk run (--bulk row, --bulk column), or if \
             it has parallel loops",
            program.name
        )));
    }
    Ok((launch, emission))
}
