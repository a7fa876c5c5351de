//! What accesses of a warp do to memory, and how long they take.

use super::combining::{incomplete, touched};
use super::distance::Before;
use super::instruction::{CONSTANTS, Instruction, LOCALS, Opcode, Space};
use super::timing::STAGE;
use super::values::signed;
use super::warp::{BANK, Block, WARP, Warp};

/// Bytes of an address group.
pub const GROUP: u64 = 128;
/// Address groups that the first cache looks up at once.
const LOOKED_UP: f64 = 4.0;
/// A group of which the first cache has less than so much comes anew.
const MOSTLY: f64 = 0.5;
/// Stages of the first cache for an address group that is written.
pub const WRITTEN: f64 = 2.0;

impl Block<'_> {
    /// Addresses of the threads that take part.
    fn places(warp: &Warp, instruction: &Instruction, active: u32) -> Vec<(usize, u64)> {
        let base = &warp.registers[instruction.from[0] as usize];
        let offset = instruction.offset.cast_unsigned();
        let lanes = (0..WARP as usize).filter(|lane| active >> lane & 1 == 1);
        lanes.map(|lane| (lane, base[lane].wrapping_add(offset))).collect()
    }

    /// The bytes of an address outside of the arrays of the run.
    fn own<'b>(
        &'b mut self,
        warp: &'b mut Warp,
        space: Space,
        lane: usize,
        at: u64,
    ) -> Option<&'b mut [u8]> {
        let from = |bytes: &'b mut [u8], at: u64| bytes.get_mut(usize::try_from(at).ok()?..);
        match space {
            Space::Shared => from(&mut self.shared, at),
            _ if at >= CONSTANTS => from(&mut self.data, at - CONSTANTS),
            _ if at >= LOCALS => {
                let thread = warp.local.get_mut(lane * warp.local_bytes..)?;
                from(thread, at - LOCALS)
            }
            _ => None,
        }
    }

    fn get(&mut self, warp: &mut Warp, space: Space, (lane, at): (usize, u64), bytes: u64) -> u64 {
        if space == Space::Global && at < LOCALS {
            return self.memory.load(at, bytes);
        }
        let mut value = [0; 8];
        let own = self.own(warp, space, lane, at);
        for (to, from) in value[..bytes as usize].iter_mut().zip(own.into_iter().flatten()) {
            *to = *from;
        }
        u64::from_le_bytes(value)
    }

    fn set(
        &mut self,
        warp: &mut Warp,
        space: Space,
        (lane, at): (usize, u64),
        (bytes, value): (u64, u64),
    ) {
        if space == Space::Global && at < LOCALS {
            return self.memory.store(at, bytes, value);
        }
        let value = value.to_le_bytes();
        let own = self.own(warp, space, lane, at);
        for (to, from) in own.into_iter().flatten().zip(&value[..bytes as usize]) {
            *to = *from;
        }
    }

    pub(super) fn load(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        active: u32,
        decides: bool,
    ) -> f64 {
        let space = match instruction.opcode {
            Opcode::Ld(space) => space,
            _ => Space::Global,
        };
        let bytes = instruction.ty.bytes;
        let places = Self::places(warp, instruction, active);
        for (number, &register) in (0..).zip(&instruction.to).filter(|_| decides) {
            for &(lane, at) in &places {
                let value = self.get(warp, space, (lane, at + number * bytes), bytes);
                warp.registers[register as usize][lane] = match instruction.ty.is_signed() {
                    true => signed(value, bytes).cast_unsigned(),
                    false => value,
                };
            }
        }
        let (places, bytes) = warp.spread(places, bytes * instruction.to.len() as u64);
        self.read(warp.now, space, &places, bytes)
    }

    pub(super) fn store(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        space: Space,
        active: u32,
        decides: bool,
    ) {
        let bytes = instruction.ty.bytes;
        let places = Self::places(warp, instruction, active);
        for (number, &register) in (0..).zip(&instruction.from[1..]).filter(|_| decides) {
            for &(lane, at) in &places {
                let value = warp.registers[register as usize][lane];
                self.set(warp, space, (lane, at + number * bytes), (bytes, value));
            }
        }
        let (places, bytes) = warp.spread(places, bytes * (instruction.from.len() as u64 - 1));
        self.written(warp, space, &places, bytes);
    }

    pub(super) fn add(&mut self, warp: &mut Warp, instruction: &Instruction, active: u32) {
        let bytes = instruction.ty.bytes;
        for place in Self::places(warp, instruction, active) {
            let before = self.get(warp, Space::Global, place, bytes);
            let more = warp.registers[instruction.from[1] as usize][place.0];
            self.set(warp, Space::Global, place, (bytes, before.wrapping_add(more)));
            warp.registers[instruction.to[0] as usize][place.0] = before;
        }
    }

    pub(super) fn copy(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        bytes: u64,
        active: u32,
        decides: bool,
    ) -> f64 {
        let places = Self::places(warp, instruction, active);
        let to = warp.registers[instruction.from[1] as usize];
        for &(lane, at) in places.iter().filter(|_| decides) {
            for part in (0..bytes).step_by(4) {
                let value = self.get(warp, Space::Global, (lane, at + part), 4);
                self.set(warp, Space::Shared, (lane, to[lane] + part), (4, value));
            }
        }
        self.read(warp.now, Space::Global, &places, bytes)
    }

    /// Cycles until the words that begin at these places are there.
    fn read(&mut self, now: f64, space: Space, places: &[(usize, u64)], bytes: u64) -> f64 {
        let timing = self.timing;
        let Some(&(_, first)) = places.first() else { return 0.0 };
        match space {
            Space::Constant => return timing.simple,
            Space::Shared => {
                let stages = bank_stages(places, bytes);
                self.counts.shared_stages += stages;
                return self.queue(now, stages) + timing.shared + STAGE * (stages - 1.0);
            }
            _ if first >= CONSTANTS => {
                self.counts.read_stages += 1.0;
                return timing.near;
            }
            _ => {}
        }
        let groups = groups(places, bytes);
        let count = groups.len() as f64;
        let banks = match groups.len() {
            1 => (bytes * WARP / GROUP).max(1) as f64,
            _ => bank_stages(places, bytes),
        };
        let stages = (count / LOOKED_UP).ceil().max(banks);
        self.counts.read_stages += stages;
        let queued = self.queue(now, stages);
        let begun = now + queued;
        // The slowest group counts: each may be beyond the first cache, or in memory alone.
        let (mut all_near, mut none_in_memory, mut pending) = (1.0, 1.0, 0.0_f64);
        let (mut misses, mut has_new) = (vec![], false);
        let keeps = |before: &Before| timing.near(*before) >= MOSTLY;
        for (group, bytes) in groups {
            let sectors = touched(bytes);
            let mut before = self.distances.read(group, bytes, keeps);
            let is_first = before.known == 0.0;
            if group < LOCALS / GROUP {
                self.memory.reads(group);
            }
            let of_others = is_first.then(|| self.memory.of_others(group * GROUP)).flatten();
            if let Some((known, groups)) = of_others {
                before = Before { groups, known, held: known, there: 0.0 };
            }
            let served = timing.served(before);
            let [near, _, memory] = served;
            let beyond = 1.0 - near;
            self.counts.groups_beyond += beyond;
            self.counts.sectors_beyond += beyond * f64::from(sectors.count_ones());
            self.counts.memory_groups += memory;
            self.counts.memory_pairs += memory * pairs(sectors);
            // Where a sector is not there, the group is waited for.
            let is_missing = before.held < 1.0 && of_others.is_none();
            has_new |= before.known < 1.0;
            all_near *= if is_missing { 0.0 } else { near };
            none_in_memory *= 1.0 - if is_missing { memory / beyond } else { memory };
            // What another access is still waiting for is there no sooner for this one.
            pending = pending.max(near * (before.there - begun));
            if near < MOSTLY {
                misses.push(group);
            }
        }
        let far = (none_in_memory - all_near).max(0.0);
        let parts = [all_near, far, 1.0 - all_near - far];
        let slowest = timing.read(parts, has_new, stages).max(pending);
        for group in misses {
            self.distances.arrives(group, begun + slowest);
        }
        queued + slowest
    }

    /// A request takes so many stages of the first cache, after those before it; cycles until they
    /// begin.
    fn queue(&mut self, now: f64, stages: f64) -> f64 {
        let begun = self.free.max(now);
        self.free = begun + stages;
        begun - now
    }

    fn written(&mut self, warp: &mut Warp, space: Space, places: &[(usize, u64)], bytes: u64) {
        let Some(&(_, first)) = places.first() else { return };
        if space == Space::Shared {
            let stages = bank_stages(places, bytes);
            self.counts.shared_stages += stages;
            self.queue(warp.now, stages);
        } else if first < CONSTANTS {
            let groups = groups(places, bytes);
            let stages = groups.len() as f64;
            self.counts.stored_groups += stages;
            let queued = self.queue(warp.now, WRITTEN * stages);
            let (timing, now) = (self.timing, warp.now + queued);
            let waits = stages <= LOOKED_UP;
            for (group, bytes) in groups {
                let goes =
                    if waits { warp.waiting.join(group, bytes) } else { Some((group, bytes)) };
                goes.into_iter().for_each(|it| self.goes(it));
                let keeps = |before: &Before| timing.near(*before) >= MOSTLY;
                self.distances.write(group, bytes, now, keeps);
            }
        }
    }

    /// Bytes of an address group go on to the last-level cache.
    pub(super) fn goes(&mut self, (group, bytes): (u64, u128)) {
        let sectors = touched(bytes);
        self.counts.written_groups += 1.0;
        self.counts.written_sectors += f64::from(sectors.count_ones());
        self.counts.written_parts += f64::from(incomplete(bytes));
        let goes = 1.0 - self.timing.kept(self.distances.goes(group, sectors));
        self.counts.memory_written_pairs += goes * pairs(sectors);
    }
}

/// Address groups that words of so many bytes touch, in order, each with its bytes, a bit each.
fn groups(places: &[(usize, u64)], bytes: u64) -> Vec<(u64, u128)> {
    let mut groups: Vec<(u64, u128)> = Vec::with_capacity(WARP as usize);
    for &(_, start) in places {
        let group = start / GROUP;
        let word = ((1 << bytes) - 1) << (start % GROUP);
        // Most warps go through them in order.
        let at = match groups.last() {
            Some(last) if last.0 >= group => groups.partition_point(|it| it.0 < group),
            _ => groups.len(),
        };
        match groups.get_mut(at) {
            Some(found) if found.0 == group => found.1 |= word,
            _ => groups.insert(at, (group, word)),
        }
    }
    groups
}

/// Stages that the banks take: the most different words in one of them.
fn bank_stages(places: &[(usize, u64)], bytes: u64) -> f64 {
    let parts = bytes.div_ceil(BANK);
    let mut words: Vec<u64> =
        places.iter().flat_map(|it| (0..parts).map(move |part| it.1 / BANK + part)).collect();
    words.sort_unstable();
    words.dedup();
    let mut banks = [0_u32; WARP as usize];
    words.iter().for_each(|it| banks[(it % WARP) as usize] += 1);
    banks.into_iter().max().unwrap_or(0).into()
}

/// Pairs among four sectors, a bit each, that have any.
pub fn pairs(sectors: u8) -> f64 {
    f64::from(u8::from(sectors & 3 != 0) + u8::from(sectors & 12 != 0))
}
