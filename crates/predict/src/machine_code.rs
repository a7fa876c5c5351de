//! What compiled code does: a warp or a few of a bulk run, or a few blocks of a few launches of each
//! parallel loop, execute their kernel's machine code.

use super::arrays::ARRAY_ADDRESS_STRIDE;
use super::compiled_case::CompiledCase;
use super::device_case::on_device;
use super::emission::emitted;
use super::launches::SequentialAccesses;
use super::time_units::time_units;
use super::work::Work;
use super::{Compile, LaunchOptions, ReuseCache};
use memory_machine_case::{Case, CaseError, Prepared};
use memory_machine_codegen::{self as codegen, Launch};
use memory_machine_measure::models::Calibration;
use memory_machine_sass as sass;

impl Work {
    /// What the compiled code of a run does on a device: `compile` makes machine code of CUDA C.
    ///
    /// # Errors
    /// What has no kernel launched by the host; sizes that make no sense; what the compiler says; more
    /// than 2²⁴ instructions of a bulk run's warp or of a block.
    pub fn of_compiled(
        case: &Case,
        options: LaunchOptions,
        device: &Calibration,
        compile: Compile<'_>,
    ) -> Result<Self, CaseError> {
        Self::of_code(&on_device(case, device)?, options, device, compile)
    }

    fn of_code(
        prepared: &Prepared,
        options: LaunchOptions,
        device: &Calibration,
        compile: Compile<'_>,
    ) -> Result<Self, CaseError> {
        let (case, layout) = (prepared.case(), prepared.layout());
        let program = &*case.program;
        let (launch, mut emission) = emitted(prepared, options)?;
        // Blocks of a cooperative kernel wait for each other: each loop is run by itself.
        if launch == Launch::Cooperative {
            emission = codegen::emit_between_barriers(program, &codegen::sizes(layout))?;
        }
        let given = |error: String| CaseError::Given(format!("{}: {error}", program.name));
        let module =
            sass::parse(&compile(&emission.source)?).map_err(|it| given(it.to_string()))?;
        let mut arguments: Vec<u64> = (1..=program.global_arrays().count() as u64)
            .map(|it| it * ARRAY_ADDRESS_STRIDE)
            .collect();
        let parameters = layout.parameters.iter().zip(&emission.constants);
        let free = parameters.filter(|it| it.1.is_none()).map(|it| it.0.cast_unsigned());
        arguments.extend(free);
        let code =
            CompiledCase { case, layout, emission: &emission, module: &module, device, arguments };
        let (kernels, between) = match case.bulk {
            Some(arrangement) => (vec![code.bulk(arrangement)?], SequentialAccesses::default()),
            None => code.nests()?,
        };
        let bytes = codegen::bytes(program, layout) as f64;
        Ok(Self {
            kernels,
            launch,
            bytes,
            time_units: time_units(prepared)?,
            fallback: None,
            between,
        })
    }

    /// What the compiled code does, or, where that cannot be counted, what the listing does, and why
    /// ([`Work::fallback`]).
    ///
    /// # Errors
    /// As [`Work::of`].
    pub fn of_compiled_or_listing(
        case: &Case,
        options: LaunchOptions,
        device: &Calibration,
        compile: Compile<'_>,
        known: &mut ReuseCache,
    ) -> Result<Self, CaseError> {
        let prepared = on_device(case, device)?;
        Self::of_code(&prepared, options, device, compile).or_else(|reason| {
            let both = |error| CaseError::Given(format!("{reason}\n{error}"));
            let work = Self::of_listing(&prepared, options, device, known).map_err(both)?;
            Ok(Self { fallback: Some(reason.to_string()), ..work })
        })
    }
}
