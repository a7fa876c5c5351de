//! A case as a device runs it.

use memory_machine_case::{Case, CaseError, Prepared};
use memory_machine_core::machine::{Machine, Mode};
use memory_machine_core::units::{WARP, Width};
use memory_machine_measure::models::Calibration;

/// Warps of the device's width, in step, and as many threads as it has at a time.
pub(super) fn on_device(case: &Case, device: &Calibration) -> Result<Prepared, CaseError> {
    // More threads than a nest's round has come in further rounds.
    let threads = if case.bulk.is_some() { case.threads } else { device.resident_threads() };
    let machine = Machine { width: Width::at_least_one(WARP), ..case.machine };
    Case { threads, machine, mode: Mode::Sync, ..case.clone() }.with_dmms().prepare()
}
