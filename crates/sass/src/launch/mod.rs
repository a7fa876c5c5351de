//! Whole launches of kernels from anywhere: values alone, block after block, with all that goes wrong named.
//!
//! Time is no part of it: an observer receives instructions and accesses, and whoever counts or times
//! them is one.

mod access;
mod atomics;
mod bulk_copy;
mod calls;
mod divergence;
mod execution;
mod fault;
mod image;
mod marks;
mod memory;
mod memory_barrier;
mod observer;
mod shared;
mod start;
mod stretch;
mod tensor_map;
mod texel;
mod texture;
mod texture_step;
mod warp_group;
mod warp_step;

pub use self::fault::{Fault, FaultCause, ThreadPlace};
pub use self::image::Image;
pub(crate) use self::image::constants;
pub use self::memory::{ARRAY_STRIDE, ArrayPlace, DeviceArray, GlobalMemory};
pub use self::observer::{LaunchObserver, MemoryAccess, MemorySpace, WarpAccess, WarpPlace};
pub use self::start::{launch, launch_in_order};
pub use self::tensor_map::{MAP_BYTES, TensorMap};
pub use self::texel::Texel;
pub use self::texture::{Texture, TextureEdge, TextureFilter};
use self::warp_step::LOCAL_WINDOW;

/// A kernel's launch.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// Blocks: x, y, z.
    pub grid: [u32; 3],
    /// Threads of each.
    pub block: [u32; 3],
    /// Bytes of shared memory beside those that the kernel declares.
    pub dynamic_shared_bytes: u32,
    /// The parameters as they stand in memory, [`KernelCode::parameter_bytes`](crate::KernelCode) of them.
    pub parameters: &'a [u8],
    /// Of all blocks, those that are executed, by their numbers; all, where nobody chooses.
    pub chosen: Option<&'a [u64]>,
    /// Warp instructions, at most.
    pub limit: u64,
}

impl Launch<'_> {
    /// Threads of a block.
    pub fn threads(&self) -> u64 {
        self.block.iter().map(|it| u64::from(*it)).product()
    }

    /// Blocks of the grid.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|it| u64::from(*it)).product()
    }

    /// Blocks that are executed.
    pub fn executed(&self) -> u64 {
        self.chosen.map_or_else(|| self.blocks(), |it| it.len() as u64)
    }

    /// Where a thread stands.
    pub fn place(&self, block: u64, thread: u64) -> ThreadPlace {
        ThreadPlace { block: of_number(block, self.grid), thread: of_number(thread, self.block) }
    }
}

/// Of a number, x fastest.
fn of_number(number: u64, [x, y, _]: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(x.max(1)), u64::from(y.max(1)));
    [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
}
