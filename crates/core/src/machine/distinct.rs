//! Counting equal keys in one warp's access, where no closed form holds.

/// The keys added since the last [`DistinctKeys::clear`], and how often where they are counted: open addressing, and a generation
/// in each slot so that clearing costs nothing.
#[derive(Debug, Clone)]
pub(super) struct DistinctKeys {
    slots: Box<[Slot]>,
    generation: u32,
    distinct: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// The slot is taken if this is the tally's generation.
    generation: u32,
    count: u32,
}

/// 4 KiB, and an eighth full for a warp of 32: most keys find their slot at once.
const SLOTS: usize = 256;

impl DistinctKeys {
    pub fn new() -> Self {
        Self { slots: vec![Slot::default(); SLOTS].into_boxed_slice(), generation: 1, distinct: 0 }
    }

    pub fn clear(&mut self) {
        self.distinct = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            // Old slots would come back to life.
            self.slots.fill(Slot::default());
            self.generation = 1;
        }
    }

    /// The number of different keys.
    pub const fn distinct(&self) -> u64 {
        self.distinct as u64
    }

    /// Adds `key`; returns whether it is new. The fastest where most keys are.
    #[inline]
    pub fn insert(&mut self, key: u64) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = self.home(key) & mask;
        while self.slots[at].generation == self.generation {
            if self.slots[at].key == key {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = Slot { key, generation: self.generation, count: 1 };
        self.added();
        true
    }

    /// Adds `key`; returns how often it has been added, this time included. The fastest where
    /// nobody can guess whether a key is new: `&` rather than `&&` and arithmetic rather than
    /// branches, for they would be mispredicted; that another key has taken the slot is rare.
    #[inline]
    pub fn count(&mut self, key: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = self.home(key) & mask;
        let taken = |slot: Slot| (slot.generation == self.generation) & (slot.key != key);
        while taken(self.slots[at]) {
            at = (at + 1) & mask;
        }
        let slot = &mut self.slots[at];
        let known = u32::from(slot.generation == self.generation);
        let count = known * slot.count + 1;
        *slot = Slot { key, generation: self.generation, count };
        self.distinct -= known as usize;
        self.added();
        count
    }

    #[inline]
    fn added(&mut self) {
        self.distinct += 1;
        if self.distinct * 2 > self.slots.len() {
            self.grow();
        }
    }

    /// Fibonacci hashing: the product's top bits depend on all bits of the key.
    #[inline]
    const fn home(&self, key: u64) -> usize {
        let bits = self.slots.len().trailing_zeros();
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - bits)) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Slot::default(); self.slots.len() * 4].into_boxed_slice();
        let mask = larger.len() - 1;
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.generation == self.generation {
                let mut at = self.home(slot.key) & mask;
                while self.slots[at].generation == self.generation {
                    at = (at + 1) & mask;
                }
                self.slots[at] = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_through_growth_and_clearing() {
        let mut tally = DistinctKeys::new();
        for round in 1..=3 {
            for key in (0..2000).map(|i| i << 40) {
                assert_eq!(tally.count(key), round);
                assert!(!tally.insert(key));
            }
            assert_eq!(tally.distinct(), 2000);
        }
        tally.clear();
        assert_eq!(tally.distinct(), 0);
        assert!(tally.insert(1 << 40));
        assert_eq!(tally.count(1 << 41), 1);
    }

    #[test]
    fn survives_the_last_generation() {
        let mut tally = DistinctKeys::new();
        tally.insert(7);
        tally.generation = u32::MAX;
        tally.insert(8);
        tally.clear();
        assert!(tally.insert(7));
        assert!(tally.insert(8));
    }
}
