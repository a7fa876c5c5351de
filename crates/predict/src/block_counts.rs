//! What one block of threads asks of its multiprocessor, access by access.

use std::collections::{BTreeMap, HashMap, VecDeque};

use memory_machine_core::machine::{Machine, StageCounter};
use memory_machine_core::run::Operation;
use memory_machine_core::trace::{AccessKind, Step};
use memory_machine_core::units::{
    Address, BANK_BYTES, GROUP_BYTES, LOOKUP_GROUPS, Latency, SECTOR_BYTES, WARP, Width,
};
use memory_machine_sass::pairs;

/// Stages of shared memory that a warp's words of `bytes` bytes take: those of a DMM of 32 banks, or,
/// of words of 8 bytes, of 16 that half a warp goes to at a time.
pub(super) fn bank_stages(places: &[u64], bytes: u64) -> u64 {
    let bytes = bytes.max(BANK_BYTES);
    let width = Width::at_least_one(WARP * BANK_BYTES / bytes);
    let machine = Machine::dmm(width, Latency::ONE);
    let mut step = Step::new(AccessKind::Read);
    places.iter().for_each(|place| step.push(Address(place / bytes)));
    let mut stages = 0;
    StageCounter::new(machine).visit(&step, |warps| stages += warps.count * warps.stages);
    stages
}

/// BlockSums over the accesses of one site.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct AccessCounts {
    /// Of threads.
    pub(super) accesses: f64,
    /// Of warps.
    pub(super) requests: f64,
    /// Of the warp that has most between barriers.
    pub(super) turns: f64,
    /// Stages of the multiprocessor's cache.
    pub(super) stages: f64,
    /// Address groups of 128 bytes that requests touch; of shared memory, the stages of its banks.
    pub(super) groups: f64,
    /// Sectors of 32 bytes that requests touch.
    pub(super) sectors: f64,
    /// Of both, those that the multiprocessor's cache does not serve.
    pub(super) l2_groups: f64,
    pub(super) l2_sectors: f64,
    /// Pairs of sectors, of 64 bytes, that memory moves for them if no cache serves any.
    pub(super) dram_pairs: f64,
    /// Sectors that are written in part.
    pub(super) parts: f64,
}

impl AccessCounts {
    /// Adds this many times what another has.
    pub(super) fn add(&mut self, other: &Self, times: f64) {
        self.accesses += times * other.accesses;
        self.requests += times * other.requests;
        self.turns += times * other.turns;
        self.stages += times * other.stages;
        self.groups += times * other.groups;
        self.sectors += times * other.sectors;
        self.l2_groups += times * other.l2_groups;
        self.l2_sectors += times * other.l2_sectors;
        self.dram_pairs += times * other.dram_pairs;
        self.parts += times * other.parts;
    }
}

/// Simple operations of a warp for a half of what is around a nest: its bounds, its threads' numbers,
/// its end.
const NEST_OPERATIONS: f64 = 8.0;

/// Stages of a multiprocessor's cache for a warp's words of `bytes` bytes in this many address groups:
/// it looks a few groups up at once, and its banks are those of shared memory. Writes go on group by
/// group.
pub(super) fn l1_stages(kind: AccessKind, words: &[u64], bytes: u64, groups: f64) -> f64 {
    if kind == AccessKind::Write {
        return groups;
    }
    let looked_up = (groups / LOOKUP_GROUPS as f64).ceil();
    match groups > 1.0 {
        true => looked_up.max(bank_stages(words, bytes) as f64),
        false => looked_up,
    }
}

/// BlockSums over a block of threads.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockSums {
    /// By site of the program.
    pub(super) sites: BTreeMap<usize, AccessCounts>,
    /// Of warps, by kind.
    pub(super) operations: BTreeMap<Operation, f64>,
    /// Of them, those of the warp that has most between barriers.
    pub(super) busiest: BTreeMap<Operation, f64>,
    /// Barriers of the block.
    pub(super) barriers: f64,
}

impl BlockSums {
    /// Adds this many times what others are.
    pub(super) fn add(&mut self, other: &Self, times: f64) {
        for (&site, asked) in &other.sites {
            self.sites.entry(site).or_default().add(asked, times);
        }
        for (&operation, count) in &other.operations {
            *self.operations.entry(operation).or_default() += times * count;
        }
        for (&operation, count) in &other.busiest {
            *self.busiest.entry(operation).or_default() += times * count;
        }
        self.barriers += times * other.barriers;
    }

    /// Waits as long as the slower of two.
    pub(super) fn wait_for(&mut self, other: &Self) {
        for (&site, asked) in &other.sites {
            let turns = &mut self.sites.entry(site).or_default().turns;
            *turns = turns.max(asked.turns);
        }
        for (&operation, &count) in &other.busiest {
            let most = self.busiest.entry(operation).or_default();
            *most = most.max(count);
        }
    }
}

/// A block with its share of the multiprocessor's cache, least recently used lines leaving first.
#[derive(Debug)]
pub(super) struct BlockCounter {
    pub(super) sums: BlockSums,
    /// Lines that its share holds.
    room: usize,
    /// By line: when it was last used, and which of its sectors are there.
    lines: HashMap<u64, (u64, u8)>,
    /// By time of last use.
    used: BTreeMap<u64, u64>,
    now: u64,
    /// Since the last barrier, by warp: accesses of each site, and operations.
    turns: HashMap<(usize, u64), f64>,
    operations: HashMap<(Operation, u64), f64>,
    /// By site and warp, what it read last of shared memory and still holds in registers: the words,
    /// as a hash, latest last.
    held: HashMap<(usize, u64), VecDeque<u64>>,
}

/// Words of shared memory that a thread holds in registers at each place where it reads some.
const REGISTER_READS: usize = 64;
/// Words that are read at once, side by side.
const VECTOR_WORDS: f64 = 4.0;

/// Empties what was counted by warp: for each key what its busiest warp did.
fn busiest<K: Ord>(by_warp: &mut HashMap<(K, u64), f64>) -> BTreeMap<K, f64> {
    let mut most = BTreeMap::new();
    for ((key, _), times) in by_warp.drain() {
        let of_key: &mut f64 = most.entry(key).or_default();
        *of_key = of_key.max(times);
    }
    most
}

impl BlockCounter {
    pub(super) fn new(bytes: f64) -> Self {
        let room = (bytes / GROUP_BYTES as f64).max(1.0) as usize;
        Self {
            sums: BlockSums::default(),
            room,
            lines: HashMap::new(),
            used: BTreeMap::new(),
            now: 0,
            turns: HashMap::new(),
            operations: HashMap::new(),
            held: HashMap::new(),
        }
    }

    /// A warp reads or writes the words of `bytes` bytes that begin at these bytes of global memory.
    pub(super) fn global(
        &mut self,
        (site, warp): (usize, u64),
        is_read: bool,
        words: &mut [u64],
        bytes: u64,
    ) {
        words.sort_unstable();
        *self.turns.entry((site, warp)).or_default() += 1.0;
        let mut asked =
            AccessCounts { accesses: words.len() as f64, requests: 1.0, ..AccessCounts::default() };
        let mut at = 0;
        while at < words.len() {
            let line = words[at] / GROUP_BYTES;
            let mut sectors = 0_u8;
            let mut distinct = [0_u64; 4];
            let mut last = None;
            while let Some(&word) = words.get(at).filter(|it| **it / GROUP_BYTES == line) {
                let sector = (word % GROUP_BYTES / SECTOR_BYTES) as usize;
                sectors |= 1 << sector;
                if last != Some(word) {
                    distinct[sector] += bytes;
                }
                last = Some(word);
                at += 1;
            }
            let count = f64::from(sectors.count_ones());
            asked.groups += 1.0;
            asked.sectors += count;
            if is_read {
                let missed = sectors & !self.touch(line, sectors);
                asked.l2_groups += f64::from(u8::from(missed != 0));
                asked.l2_sectors += f64::from(missed.count_ones());
                asked.dram_pairs += pairs(missed);
            } else {
                asked.l2_groups += 1.0;
                asked.l2_sectors += count;
                asked.dram_pairs += pairs(sectors);
                let parts = distinct.iter().filter(|it| (1..SECTOR_BYTES).contains(*it)).count();
                asked.parts += parts as f64;
            }
        }
        let kind = if is_read { AccessKind::Read } else { AccessKind::Write };
        asked.stages = l1_stages(kind, words, bytes, asked.groups);
        self.sums.sites.entry(site).or_default().add(&asked, 1.0);
    }

    /// Sectors of the line that are there; afterwards the given ones are, too.
    fn touch(&mut self, line: u64, sectors: u8) -> u8 {
        self.now += 1;
        let now = self.now;
        let entry = self.lines.entry(line).or_insert((0, 0));
        let (last, before) = std::mem::replace(entry, (now, entry.1 | sectors));
        if last > 0 {
            self.used.remove(&last);
        }
        self.used.insert(now, line);
        if self.lines.len() > self.room
            && let Some((_, oldest)) = self.used.pop_first()
        {
            self.lines.remove(&oldest);
        }
        before
    }

    /// All threads reach a barrier, before a nest and after it: what others wrote must be read again.
    /// Each of this many warps finds out what is its own in the nest.
    pub(super) fn barrier(&mut self, warps: f64) {
        self.operation(Operation::Simple, (0, NEST_OPERATIONS * warps));
        *self.operations.entry((Operation::Simple, 0)).or_default() += NEST_OPERATIONS - 1.0;
        self.sums.barriers += 0.5;
        self.held.clear();
        self.end_phase();
    }

    /// What the busiest warp did since the last barrier is what the block waited for.
    pub(super) fn end_phase(&mut self) {
        for (site, turns) in busiest(&mut self.turns) {
            self.sums.sites.entry(site).or_default().turns += turns;
        }
        for (operation, times) in busiest(&mut self.operations) {
            *self.sums.busiest.entry(operation).or_default() += times;
        }
    }

    /// A warp reads or writes words of `bytes` bytes of shared memory. What it
    /// holds in registers is not read again; of a word that all threads read, its neighbours come with
    /// it.
    pub(super) fn shared(
        &mut self,
        (site, warp): (usize, u64),
        is_read: bool,
        words: &[u64],
        bytes: u64,
    ) {
        let mut times = 1.0;
        if is_read {
            let held = self.held.entry((site, warp)).or_default();
            let hash = words.iter().fold(words.len() as u64, |hash, word| {
                (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
            });
            if held.contains(&hash) {
                return;
            }
            held.push_back(hash);
            if held.len() > REGISTER_READS {
                held.pop_front();
            }
            if words.iter().all(|word| *word == words[0]) {
                times = 1.0 / VECTOR_WORDS;
            }
        }
        *self.turns.entry((site, warp)).or_default() += times;
        let asked = AccessCounts {
            accesses: words.len() as f64,
            requests: 1.0,
            groups: bank_stages(words, bytes) as f64,
            ..AccessCounts::default()
        };
        self.sums.sites.entry(site).or_default().add(&asked, times);
    }

    /// This many warps from this one on do an operation.
    pub(super) fn operation(&mut self, operation: Operation, (first, warps): (u64, f64)) {
        *self.sums.operations.entry(operation).or_default() += warps;
        *self.operations.entry((operation, first)).or_default() += 1.0;
    }
}
