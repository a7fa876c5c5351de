//! Emitted and compiled code of a case, and what its kernels take.

use super::occupancy::BlockShape;
use super::work::{ArrayBytes, KernelWork, LaunchWork};
use memory_machine_case::{Case, CaseError};
use memory_machine_codegen::{self as codegen, Emission, LaunchGrid};
use memory_machine_core::run::layout::Layout;
use memory_machine_measure::models::Calibration;
use memory_machine_sass::{KernelCode, Module, RunError};

/// Instructions of a block that a prediction goes through; more would take many seconds.
pub(super) const MOST_INSTRUCTIONS: u64 = 1 << 24;

/// What is emitted and compiled for a case.
pub(super) struct CompiledCase<'a> {
    pub(super) case: &'a Case,
    pub(super) layout: &'a Layout,
    pub(super) emission: &'a Emission,
    pub(super) module: &'a Module,
    pub(super) device: &'a Calibration,
    /// Of every kernel.
    pub(super) arguments: Vec<u64>,
}

impl CompiledCase<'_> {
    fn failed(&self, error: impl std::fmt::Display) -> CaseError {
        CaseError::Given(format!("{}: {error}", self.case.program.name))
    }

    pub(super) fn too_long(&self, error: RunError) -> CaseError {
        self.failed(format_args!("{error}; choose smaller sizes, or count the listing"))
    }

    pub(super) fn kernel(&self, number: usize) -> Result<&KernelCode, CaseError> {
        let name = &self.emission.kernels[number].name;
        let found = self.module.kernels.iter().find(|it| it.name == *name);
        found.ok_or_else(|| self.failed(format_args!("its code has no kernel `{name}`")))
    }

    pub(super) fn array_bytes(&self) -> Vec<f64> {
        let arrays = self.case.program.global_arrays();
        let bytes = arrays.zip(&self.layout.regions);
        bytes.map(|(it, region)| (region.words * codegen::bytes_of(it.element)) as f64).collect()
    }

    /// The cooperative kernel whose barriers part the loops, if that is the launch.
    pub(super) fn cooperative(&self) -> Result<Option<&KernelCode>, CaseError> {
        let mut kernels = self.emission.kernels.iter();
        let whole = kernels.position(|it| it.of.is_none() && it.grid == LaunchGrid::Program);
        whole.map(|number| self.kernel(number)).transpose()
    }
}

/// What a block of a kernel takes, with this many bytes of dynamic shared memory.
pub(super) fn shape(kernel: &KernelCode, threads: f64, dynamic: f64) -> BlockShape {
    let shared = kernel.shared_bytes as f64 + dynamic;
    BlockShape { threads, shared, registers: kernel.registers as f64 }
}

pub(super) fn work(shape: BlockShape, bytes: ArrayBytes, launches: Vec<LaunchWork>) -> KernelWork {
    KernelWork {
        block: shape.threads,
        shared_bytes: shape.shared,
        registers: shape.registers,
        bytes,
        launches,
    }
}
