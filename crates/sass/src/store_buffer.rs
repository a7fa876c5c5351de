//! Writes of a warp that wait for others to the same address groups, and go on with them.
//!
//! Stores of 2, 4, 8 and 16 consecutive words a thread, one after another, were counted on an H200: what
//! a store of at most four groups leaves incomplete, the next ones complete before it goes on, at any
//! occupancy and also with hundreds of cycles between them; of those with more groups at once nearly
//! everything goes on by itself (`models/measurements/nvidia-h200/2026-11-24/stores.csv`).

/// Address groups that wait.
const BUFFERED_GROUPS: usize = 16;

/// A group with a bit for each byte written, and the instruction that wrote last.
pub(super) type Store = (u64, u128, usize);

/// The groups that wait, the latest last.
#[derive(Debug, Default)]
pub(super) struct StoreBuffer(Vec<Store>);

impl StoreBuffer {
    /// What is written joins what waits of its group, and goes on if all sectors are complete; else it
    /// waits, and what has waited longest goes on if there are too many.
    pub(super) fn join(&mut self, (group, bytes, at): Store) -> Option<Store> {
        let found = self.0.iter().position(|it| it.0 == group);
        let bytes = bytes | found.map_or(0, |at| self.0.remove(at).1);
        if incomplete(bytes) == 0 {
            return Some((group, bytes, at));
        }
        self.0.push((group, bytes, at));
        (self.0.len() > BUFFERED_GROUPS).then(|| self.0.remove(0))
    }

    /// A group that waits, if one does, goes on.
    pub(super) fn pop(&mut self) -> Option<Store> {
        self.0.pop()
    }
}

/// Sectors with a byte, a bit each.
pub(super) fn touched(bytes: u128) -> u8 {
    (0..4).filter(|it| of_sector(bytes, *it) != 0).fold(0, |all, it| all | 1 << it)
}

/// With each sector the other one of its pair, which memory sends along.
pub(super) fn paired(sectors: u8) -> u8 {
    let of = |pair: u8| if sectors & pair != 0 { pair } else { 0 };
    of(0b0011) | of(0b1100)
}

/// All bytes of sectors, a bit each.
pub(super) fn whole(sectors: u8) -> u128 {
    let of = |it: &u32| sectors >> it & 1 == 1;
    (0..4).filter(of).fold(0, |all, it| all | u128::from(u32::MAX) << (32 * it))
}

/// Those of them that have not all bytes.
pub(super) fn incomplete(bytes: u128) -> u8 {
    let is_part = |it: &u32| ![0, u32::MAX].contains(&of_sector(bytes, *it));
    (0..4).filter(is_part).fold(0, |all, it| all | 1 << it)
}

fn of_sector(bytes: u128, sector: u32) -> u32 {
    (bytes >> (32 * sector)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_stores_of_every_fourth_word_are_one() {
        let mut waiting = StoreBuffer::default();
        let store = |word: u32| (0..8).fold(0_u128, |all, it| all | 0xF << (4 * (4 * it + word)));
        assert_eq!((touched(store(1)), incomplete(store(1))), (15, 15));
        let gone: Vec<_> = (0..4).map(|it| waiting.join((7, store(it), 0))).collect();
        assert_eq!(gone, [None, None, None, Some((7, u128::MAX, 0))]);
        assert_eq!(waiting.pop(), None);
        // The seventeenth sends the first away.
        assert!((0..16).all(|it| waiting.join((it, 1, it as usize)).is_none()));
        assert_eq!(waiting.join((16, 1, 16)), Some((0, 1, 0)));
    }
}
