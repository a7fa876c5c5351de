//! Accesses of a launch whose addresses values in memory decide on: how much of them the last-level cache
//! still has, by how many new sectors block after block reaches.

use rustc_hash::FxHashMap;

use super::residency::SECTOR;
use memory_machine_core::units::{GROUP_BYTES, SECTOR_BYTES};
use memory_machine_sass::AccessMode;

/// Sectors of an address group.
const GROUP_SECTORS: f64 = (GROUP_BYTES / SECTOR_BYTES) as f64;
/// What a block goes through of an array, at least, if it goes to and fro through all of it.
const SPAN_PART: f64 = 0.25;
/// Where in the first block the mean of a logarithm lies.
const FIRST_BLOCK_MEAN: f64 = 0.37;
/// The step from block to block, where many are traversed.
const BLOCK_STEP: f64 = 1.25;

/// Those of an array, of some blocks of a launch that stand for all.
#[derive(Debug, Default)]
pub(super) struct IndirectFootprint {
    /// Sectors, a bit each: by group those of the block that came first, and those that others reached.
    seen: FxHashMap<u64, (usize, u8, u8)>,
    blocks: Vec<BlockFootprint>,
    /// The block after the middle one of these.
    neighbour: Option<BlockFootprint>,
    /// How likely a sector that no other of the blocks reached is in memory alone, once that is known.
    in_memory: Option<f64>,
}

/// Of one block.
#[derive(Debug, Clone, Copy)]
struct BlockFootprint {
    /// Sectors beyond the first cache that it accesses for the first time, and those of them that no block
    /// reached before.
    sectors: f64,
    new: f64,
    /// Sectors that it leaves written.
    stored: f64,
    /// The first group, and the last.
    first: u64,
    last: u64,
}

impl BlockFootprint {
    const NONE: Self = Self { sectors: 0.0, new: 0.0, stored: 0.0, first: u64::MAX, last: 0 };
}

impl IndirectFootprint {
    /// The block after one of them reaches sectors of a group.
    pub(super) fn note_neighbour(&mut self, group: u64, sectors: u8, first: f64) {
        let seen = self.seen.get(&group).map_or(0, |it| it.1);
        let neighbour = self.neighbour.get_or_insert(BlockFootprint::NONE);
        neighbour.sectors += first * f64::from(sectors.count_ones());
        neighbour.new += first * f64::from((sectors & !seen).count_ones());
    }

    /// A block, one of those from 0 on, reaches sectors of a group.
    pub(super) fn note(
        &mut self,
        block: usize,
        group: u64,
        (sectors, first): (u8, f64),
        mode: AccessMode,
    ) {
        self.blocks.resize(self.blocks.len().max(block + 1), BlockFootprint::NONE);
        let (by, seen, peer_accesses) = self.seen.entry(group).or_insert((block, 0, 0));
        let new = sectors & !*seen;
        *seen |= sectors;
        if *by != block {
            *peer_accesses |= sectors & !new;
        }
        let own = &mut self.blocks[block];
        own.sectors += first * f64::from(sectors.count_ones());
        own.new += first * f64::from(new.count_ones());
        if mode == AccessMode::Store {
            own.stored += f64::from(sectors.count_ones());
        }
        (own.first, own.last) = (own.first.min(group), own.last.max(group));
    }

    /// Such sectors of a block on the mean.
    pub(super) fn sectors(&self) -> f64 {
        self.blocks.iter().map(|it| it.sectors).sum::<f64>() / self.blocks.len().max(1) as f64
    }

    /// Those of them that a block leaves written.
    fn stored_sectors(&self) -> f64 {
        self.blocks.iter().map(|it| it.stored).sum::<f64>() / self.blocks.len().max(1) as f64
    }

    /// Whether a block goes to and fro through all of this many sectors.
    fn spans_array(&self, all: f64) -> bool {
        let span: f64 = self.blocks.iter().map(|it| it.last.saturating_sub(it.first) as f64).sum();
        self.sectors() > 0.0 && GROUP_SECTORS * span >= SPAN_PART * all * self.blocks.len() as f64
    }

    /// How new sectors become fewer.
    fn growth(&self, all: f64) -> Growth {
        let part = |it: &[BlockFootprint]| {
            let [new, sectors] = [|it: &BlockFootprint| it.new, |it: &BlockFootprint| it.sectors]
                .map(|of| it.iter().map(of).sum::<f64>());
            new / sectors.max(1.0)
        };
        let (looked, half) = (self.blocks.len() as f64, &self.blocks[self.blocks.len() / 2..]);
        let [first, last] = [part(&self.blocks[..1]), part(half)];
        let falls = match self.blocks.len() {
            1 => 0.0,
            _ => (first - last) / ((looked - 0.5 * half.len() as f64) / FIRST_BLOCK_MEAN).log2(),
        };
        Growth { all, each: self.sectors(), first, last, falls: falls.max(0.0), known: 0.0 }
    }

    /// The part of sectors that is in memory alone, once that is known.
    pub(super) fn in_memory(&self, group: u64, sectors: u8) -> Option<f64> {
        let in_memory = self.in_memory?;
        let peer_accesses = self.seen.get(&group).map_or(0, |it| it.2);
        let apart = f64::from((sectors & !peer_accesses).count_ones());
        Some(in_memory * apart / f64::from(sectors.count_ones()).max(1.0))
    }
}

/// Of arrays that blocks go to and fro through.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct IndirectTotal {
    /// Of the arrays.
    pub(super) bytes: f64,
    /// That a block accesses.
    pub(super) sectors: f64,
}

/// How many sectors of an array blocks have reached: with each doubling of those that went before, the
/// part of a block's that are new falls by as much.
#[derive(Debug, Clone, Copy)]
struct Growth {
    /// Of the array, and those that a block accesses.
    all: f64,
    each: f64,
    /// The part of the first block's that is new, of the last that were looked at, and by how much it
    /// falls.
    first: f64,
    last: f64,
    falls: f64,
    known: f64,
}

impl Growth {
    /// Of a block's, those that were not known before.
    fn new_after(&self, blocks: f64) -> f64 {
        let part = self.first - self.falls * (blocks / FIRST_BLOCK_MEAN).log2();
        self.each * part.clamp(0.0, 1.0) * (1.0 - self.known / self.all).max(0.0)
    }
}

/// What is in memory alone, of arrays of this many bytes, if the launch has this many blocks and the cache
/// holds so much: what was reached before as many others as it holds is gone (Denning's working set).
/// Gives the totals of the arrays that blocks go to and fro through, of those that are read and of those
/// that are written; of others no more is known.
pub(super) fn finish<'a>(
    arrays: impl Iterator<Item = (&'a mut IndirectFootprint, f64)>,
    held_bytes: f64,
    blocks: f64,
) -> [IndirectTotal; 2] {
    let wide = arrays.filter(|(it, bytes)| it.spans_array(bytes / SECTOR));
    let mut wide: Vec<_> = wide.map(|(it, bytes)| (it.growth(bytes / SECTOR), it)).collect();
    let known =
        |wide: &[(Growth, &mut IndirectFootprint)]| wide.iter().map(|it| it.0.known).sum::<f64>();
    // Until the cache is full, what is new comes from memory.
    let mut gone = 0.0_f64;
    while gone < blocks && known(&wide) < held_bytes / SECTOR {
        let next = (BLOCK_STEP * gone).max(1.0).min(blocks);
        for (growth, _) in &mut wide {
            growth.known += (next - gone) * growth.new_after(0.5 * (gone + next));
        }
        gone = next;
    }
    let mut found = [IndirectTotal::default(); 2];
    for (growth, footprint) in wide {
        let misses = growth.known + (blocks - gone) * growth.new_after(gone);
        // What the block before has just reached is there, too.
        let neighbour = footprint.neighbour.map_or(1.0, |it| it.new / it.sectors.max(1.0));
        let each = (growth.each * growth.last).max(1.0);
        footprint.in_memory = Some((misses / blocks / each).min(neighbour));
        let stored = footprint.stored_sectors();
        for (total, sectors) in found.iter_mut().zip([growth.each - stored, stored]) {
            if sectors > 0.0 {
                total.bytes += SECTOR * growth.all;
                total.sectors += sectors;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that looks like chance.
    fn mixed(number: u64) -> u64 {
        let one = (number ^ number >> 31).wrapping_mul(0x7fb5_d329_728e_a185);
        (one ^ one >> 27).wrapping_mul(0x81da_def4_bc2d_d44d) >> 20
    }

    /// Three blocks' accesses to sectors.
    fn sampled(each: u64, sector: impl Fn(u64) -> u64) -> IndirectFootprint {
        let mut footprint = IndirectFootprint::default();
        for block in 0..3 {
            for access in 0..each {
                let sector = sector(block * each + access);
                footprint.note(
                    block as usize,
                    sector / 4,
                    (1 << (sector % 4), 1.0),
                    AccessMode::Load,
                );
            }
        }
        footprint
    }

    /// A quarter of an array fits: three quarters of what is read at random are not there.
    #[test]
    fn chance_finds_what_the_cache_holds() {
        let mut footprint = sampled(2000, |it| mixed(it + 1) % (1 << 22));
        let bytes = SECTOR * f64::from(1 << 22);
        let found = finish([(&mut footprint, bytes)].into_iter(), bytes / 4.0, 1e6);
        assert_eq!(found, [IndirectTotal { bytes, sectors: 2000.0 }, IndirectTotal::default()]);
        let in_memory = footprint.in_memory(mixed(2) % (1 << 22) / 4, 0b1111).unwrap();
        assert!((in_memory - 0.75).abs() < 0.03, "{in_memory}");
        // Blocks that come to less than it holds find nothing again.
        let mut footprint = sampled(2000, |it| mixed(it + 1) % (1 << 22));
        finish([(&mut footprint, bytes)].into_iter(), bytes / 4.0, 10.0);
        assert!(footprint.in_memory(7, 1).unwrap() > 0.98);
    }

    /// 128 searches a block through a tree of 24 levels: of a search the last levels are not there, and
    /// the first ones all blocks reach.
    #[test]
    fn first_levels_of_a_tree_are_there() {
        let sector = |access: u64| {
            let (search, level) = (access / 24, access % 24);
            (1 << level) + (mixed(search + 1) & ((1 << level) - 1))
        };
        let mut footprint = sampled(128 * 24, sector);
        let bytes = SECTOR * f64::from(1 << 24);
        // Twenty levels fit.
        finish([(&mut footprint, bytes)].into_iter(), SECTOR * f64::from(1 << 20), 1e6);
        assert_eq!(footprint.in_memory(0, 0b10), Some(0.0));
        let last = footprint.growth(bytes / SECTOR).last;
        let misses = 24.0 * last * footprint.in_memory.unwrap();
        assert!((2.5..6.0).contains(&misses), "{misses}");
    }

    /// Blocks that have a part of an array each do not go to and fro.
    #[test]
    fn places_near_each_other_are_no_strays() {
        let mut footprint = sampled(2000, |it| 100_000 * (it / 2000) + mixed(it + 1) % 4000);
        assert_eq!(
            finish([(&mut footprint, 3.2e7)].into_iter(), 1e6, 1e5),
            [IndirectTotal::default(); 2]
        );
        assert_eq!(footprint.in_memory(7, 1), None);
    }
}
