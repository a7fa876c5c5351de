//! A launch as a whole.

use super::beside;
use super::execution::{Launched, Stop};
use super::image::{Image, constants};
use super::memory::GlobalMemory;
use super::observer::LaunchObserver;
use super::{Fault, Launch};
use crate::cubin::{KernelCode, Module};

/// Executes a launch: on all cores, where its blocks do not need each other, with what one after another
/// would leave.
///
/// # Errors
/// What goes wrong first, and where.
pub fn launch<O: LaunchObserver + Send>(
    module: &Module,
    kernel: &KernelCode,
    image: &Image,
    launch: &Launch<'_>,
    memory: &mut GlobalMemory,
    observer: &mut O,
) -> Result<u64, Box<Fault>> {
    let constants = constants(module, kernel, launch, image);
    let of = Launched { kernel, image, launch, constants: &constants };
    match beside::execute(&of, memory, observer) {
        Some(done) => Ok(done),
        None => in_order(&of, memory, observer),
    }
}

/// Executes a launch, block after block.
///
/// # Errors
/// As [`launch`].
pub fn launch_in_order<O: LaunchObserver>(
    module: &Module,
    kernel: &KernelCode,
    image: &Image,
    launch: &Launch<'_>,
    memory: &mut GlobalMemory,
    observer: &mut O,
) -> Result<u64, Box<Fault>> {
    let constants = constants(module, kernel, launch, image);
    in_order(&Launched { kernel, image, launch, constants: &constants }, memory, observer)
}

fn in_order<O: LaunchObserver>(
    of: &Launched<'_>,
    memory: &mut GlobalMemory,
    observer: &mut O,
) -> Result<u64, Box<Fault>> {
    match of.execute(0..of.launch.executed(), true, memory, observer) {
        Ok(done) => Ok(done),
        Err(Stop::Fault(fault)) => Err(fault),
        // Nobody gives up who lets blocks wait for each other.
        Err(Stop::Waits) => Ok(0),
    }
}
