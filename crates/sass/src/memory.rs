//! What a block needs to know of the device's memory and of other blocks.

/// The device's memory as a kernel sees it: little-endian words at byte addresses.
pub trait DeviceMemory {
    /// What stands there; anything where nothing is known. Not asked for where nothing that is counted
    /// depends on it.
    fn load(&mut self, address: u64, bytes: u64) -> u64;
    /// Changes it, if what is counted may depend on it.
    fn store(&mut self, address: u64, bytes: u64, value: u64);
    /// An address group is read.
    fn note_read(&mut self, _group: u64) {}
    /// An atomic operation of a warp is done in an address group.
    fn note_atomic(&mut self, _group: u64) {}
    /// Sectors of an address group, a bit each, are accessed at an address that values in memory decide
    /// on; so large a part of them goes beyond the first cache, and for the first time.
    fn note_indirect(&mut self, _group: u64, _sectors: u8, _first: f64, _mode: AccessMode) {}
    /// The part of such sectors that comes from memory, if more is known of them than of others.
    fn indirect_part(&self, _group: u64, _sectors: u8) -> Option<f64> {
        None
    }
    /// What an address group is for other blocks that are there at once.
    fn sharing(&self, _group: u64) -> Sharing {
        Sharing::NONE
    }
    /// Of an address group that this block reads for the first time: what other blocks of its
    /// multiprocessor did.
    fn peer_reads(&self, _group: u64) -> Option<PeerReads> {
        None
    }
}

/// Zeros where there is none, as where no program's time depends on it.
impl<M: DeviceMemory> DeviceMemory for Option<M> {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        self.as_mut().map_or(0, |it| it.load(address, bytes))
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        if let Some(it) = self {
            it.store(address, bytes, value);
        }
    }
}

/// Whether words are read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessMode {
    /// Read.
    Load,
    /// Written.
    Store,
}

/// Other blocks' reads of an address group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeerReads {
    /// How likely another block reads it, too, and has the first cache fetch it.
    pub known: f64,
    /// How likely it did so sooner, and not just when this block does.
    pub sooner: f64,
    /// How many other groups since, and what room they take in the last-level cache.
    pub groups: f64,
    /// As above.
    pub l2_groups: f64,
}

/// An address group, for the blocks of a launch that are there at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sharing {
    /// How many other accesses there are between two of this block's.
    pub peer_accesses: f64,
    /// The part of the last-level cache that it takes, of what it takes if each block has it for itself.
    pub room: f64,
}

impl Sharing {
    /// Of this block alone.
    pub const NONE: Self = Self { peer_accesses: 0.0, room: 1.0 };
}
