//! The GPUs of a machine, as points need them.

use super::{Protocol, VerifiedTimes, Workload, algorithm};
use crate::execution::ExecutionError;
use crate::gpu::Gpu;
use memory_machine_measure::{Repetition, Subject};

/// GPUs of consecutive numbers, of which those after the first are opened for points that share
/// their inputs among them.
pub struct Gpus {
    /// The number of the first.
    first: usize,
    /// How many there are from it on.
    count: usize,
    opened: Vec<Gpu>,
}

impl Gpus {
    /// A GPU of that number, and those after it on a machine of `all` GPUs.
    pub fn new(gpu: Gpu, number: usize, all: u64) -> Self {
        let count = usize::try_from(all).unwrap_or(usize::MAX).saturating_sub(number);
        Self { first: number, count, opened: vec![gpu] }
    }

    /// Why a point cannot be measured, if it wants more GPUs than there are.
    pub fn too_few(&self, subject: &Subject) -> Option<String> {
        let Self { first, count, .. } = *self;
        let from = if first == 0 { String::new() } else { format!(" from {first} on") };
        (subject.devices > count as u64).then(|| format!("this machine has {count}{from}"))
    }

    /// The repetitions of a point for which there are [enough](Self::too_few) GPUs: verified, warmed
    /// up and timed.
    ///
    /// # Errors
    /// What a GPU says; a result that is not the CPU's.
    pub fn measure(
        &mut self,
        subject: &Subject,
        point: &Workload,
        protocol: Protocol,
    ) -> Result<Vec<Repetition>, ExecutionError> {
        let devices = subject.devices as usize;
        while self.opened.len() < devices {
            self.opened.push(Gpu::open(self.first + self.opened.len())?);
        }
        let VerifiedTimes { verified, times } =
            algorithm::measure(&self.opened[..devices], point, protocol)?;
        Ok(subject.repetitions(verified, protocol.seed, &times))
    }
}
