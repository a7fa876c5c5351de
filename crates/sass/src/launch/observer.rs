//! Who is told of what a launch does.

/// The memory that an access goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemorySpace {
    /// Of the device.
    Global,
    /// Of a block.
    Shared,
    /// Of a thread; the addresses are those of the device: each word of 32 bits beside those of the
    /// warp's other threads.
    Local,
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryAccess {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads and writes, in one.
    Atomic,
}

impl MemoryAccess {
    /// Whether memory may be another afterwards.
    pub fn writes(self) -> bool {
        matches!(self, Self::Store | Self::Atomic)
    }
}

/// A warp of a launch, at an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WarpPlace {
    /// The block's number, x fastest.
    pub block: u64,
    /// The warp's in it.
    pub warp: u64,
    /// The instruction's in the kernel.
    pub instruction: usize,
    /// Threads that do it, a bit each.
    pub active: u32,
}

/// A warp's access to a memory.
#[derive(Debug, Clone, Copy)]
pub struct WarpAccess<'a> {
    /// Who.
    pub warp: WarpPlace,
    /// Which memory.
    pub space: MemorySpace,
    /// What it does.
    pub access: MemoryAccess,
    /// Bytes of each thread.
    pub bytes: u64,
    /// By lane; only those of active threads mean anything.
    pub addresses: &'a [u64; 32],
    /// Lanes that read what nobody has written, a bit each.
    pub unwritten: u32,
    /// Lanes whose write changes nothing, a bit each.
    pub unchanged: u32,
    /// By lane, the first word that is read or written, where values are asked for.
    pub values: &'a [u32; 32],
    /// Whether the unit for loads and stores makes it: not if a product of a group of warps or a copy of many
    /// bytes does.
    pub is_request: bool,
}

/// Receives what a launch does, in the order in which it is executed.
pub trait LaunchObserver: Sized {
    /// Another that is told of some blocks in its place, and joined with it in their order; none, if it must
    /// be told of all of them one after another.
    fn part(&self) -> Option<Self> {
        None
    }
    /// What a part was told counts.
    fn join(&mut self, _part: Self) {}
    /// Whether it asks for [`WarpAccess::unwritten`], [`WarpAccess::unchanged`] and [`WarpAccess::values`],
    /// which mean nothing else.
    fn asks_for_values(&self) -> bool {
        false
    }
    /// A block begins.
    fn begin_block(&mut self, _block: u64) {}
    /// A warp makes an instruction.
    fn instruction(&mut self, _warp: WarpPlace) {}
    /// A branch parted threads that were together.
    fn divergence(&mut self, _warp: WarpPlace) {}
    /// A warp accesses memory.
    fn access(&mut self, _access: &WarpAccess<'_>) {}
    /// All warps of a block have met.
    fn barrier(&mut self, _block: u64) {}
    /// A warp has met others of its block that came to the barrier at another place, an instruction.
    fn barrier_apart(&mut self, _warp: WarpPlace, _other: usize) {}
    /// Some warps of it have, at a barrier of their own.
    fn partial_barrier(&mut self, _block: u64) {}
    /// A warp waits for what it wrote to be seen by other blocks.
    fn fence(&mut self, _warp: WarpPlace) {}
    /// Text that threads print.
    fn print(&mut self, _text: &str) {}
}

/// Nobody.
impl LaunchObserver for () {
    fn part(&self) -> Option<Self> {
        Some(())
    }
}
