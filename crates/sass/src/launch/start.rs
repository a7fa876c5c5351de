//! A launch as a whole. Where its blocks do not need each other they are executed on all cores: each part of
//! them on a copy of what it writes of the memory. If none accesses what another writes, the copies' writes
//! together are what all blocks one after another leave; else nothing of it counts.

use std::ops::Range;
use std::thread;

use super::execution::{Launched, Stop};
use super::image::{Image, constants};
use super::memory::GlobalMemory;
use super::observer::LaunchObserver;
use super::{Fault, Launch};
use crate::cubin::{KernelCode, Module};
use crate::opcode::{AddressSpace, Opcode};

/// Bytes of all copies that are made on more cores than [`FEW_PARTS`].
const MOST_COPIED_BYTES: u64 = 1 << 30;
/// This many copies may be made of any memory.
const FEW_PARTS: u64 = 2;
/// Blocks of a part, at least.
const LEAST_BLOCKS: u64 = 4;

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
    match beside_each_other(&of, memory, observer) {
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

/// The instructions of all blocks; none, if they must be executed one after another.
fn beside_each_other<O: LaunchObserver + Send>(
    of: &Launched<'_>,
    memory: &mut GlobalMemory,
    observer: &mut O,
) -> Option<u64> {
    let blocks = of.launch.executed();
    let cores = thread::available_parallelism().map_or(1, |it| it.get() as u64);
    let copies = (MOST_COPIED_BYTES / memory.bytes().max(1)).max(FEW_PARTS);
    let parts = cores.min(copies).min(blocks / LEAST_BLOCKS);
    if parts < 2 || of.kernel.instructions.iter().any(|it| orders_blocks(it.opcode)) {
        return None;
    }
    let mut all = vec![];
    for part in 0..parts {
        let blocks = part * blocks / parts..(part + 1) * blocks / parts;
        all.push(Part { blocks, memory: memory.shared(), observer: observer.part()?, done: 0 });
    }
    let ended: Vec<Result<(), Stop>> = thread::scope(|scope| {
        let running: Vec<_> =
            all.iter_mut().map(|part| scope.spawn(move || part.execute(of))).collect();
        // Whoever panics has said why; the others' results do not count then.
        running.into_iter().map(|it| it.join().unwrap_or(Err(Stop::Waits))).collect()
    });
    let done: u64 = all.iter().map(|it| it.done).sum();
    let memories = || all.iter().map(|it| &it.memory);
    if ended.iter().any(Result::is_err)
        || done > of.launch.limit
        || GlobalMemory::meet(&memories().collect::<Vec<_>>())
    {
        return None;
    }
    let mut copies = vec![];
    for part in all {
        copies.push(part.memory);
        observer.join(part.observer);
    }
    memory.take(copies);
    Some(done)
}

/// Whether blocks may see by it in which order they are executed, or speak in that order.
fn orders_blocks(opcode: Opcode) -> bool {
    match opcode {
        Opcode::Atom(it) | Opcode::Red(it) => {
            matches!(it.space, AddressSpace::Global | AddressSpace::Generic)
        }
        Opcode::Surface(of) => of.is_store,
        Opcode::BulkCopy(of) | Opcode::TensorCopy(of) => of.adds,
        Opcode::CallAbsolute | Opcode::Fence => true,
        _ => false,
    }
}

/// Some of the blocks.
struct Part<O> {
    blocks: Range<u64>,
    memory: GlobalMemory,
    observer: O,
    done: u64,
}

impl<O: LaunchObserver> Part<O> {
    fn execute(&mut self, of: &Launched<'_>) -> Result<(), Stop> {
        let blocks = self.blocks.clone();
        self.done = of.execute(blocks, false, &mut self.memory, &mut self.observer)?;
        Ok(())
    }
}
