//! What accesses of a warp do to memory, and how long they take.

use super::block::BlockExecution;
use super::cubin::STACK_END_ADDRESS;
use super::instruction::Instruction;
use super::lanes::MapLanes;
use super::memory::{AccessMode, PeerReads, Sharing};
use super::opcode::{AddressSpace, Opcode};
use super::store_buffer::touched;
use super::timing::{LineHistory, PRESENT_SHARE, STAGE_CYCLES};
use super::values::{signed, word_at};
use super::warp::{LOCAL_ADDRESS, Warp};
use memory_machine_core::units::{BANK_BYTES, GROUP_BYTES, LOOKUP_GROUPS, WARP};

/// Address groups that the first cache looks up at once.
pub(super) const L1_LOOKUP_GROUPS: f64 = LOOKUP_GROUPS as f64;
/// Pairs of sectors of an address group.
pub const GROUP_PAIRS: f64 = 2.0;
/// Stages of the first cache for an address group that is written.
pub const STORE_STAGES: f64 = 2.0;

impl BlockExecution<'_> {
    /// Addresses of the threads that take part: of their own memory from its beginning on. They are given
    /// back once they are needed no more.
    pub(super) fn places(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        space: AddressSpace,
        active: u32,
    ) -> Vec<(usize, u64)> {
        let local_bytes = warp.local_bytes as u64;
        let registers = self.registers(warp);
        let address = match instruction.a.words {
            2 => registers.long(instruction.a),
            _ => registers.word(instruction.a, 0).each(u64::from),
        };
        let more = registers.word(instruction.c, 0);
        let swaps = matches!(instruction.opcode, Opcode::Atom(of) if of.is_swap());
        let lanes = (0..WARP as usize).filter(|lane| active >> lane & 1 == 1);
        let place = |lane: usize| {
            let address = address[lane].wrapping_add_signed(instruction.offset.into());
            match space {
                AddressSpace::Global | AddressSpace::Generic => address,
                // Of what swaps, the third operand is no address.
                AddressSpace::Shared if swaps => u64::from(address as u32),
                AddressSpace::Shared => u64::from((address as u32).wrapping_add(more[lane])),
                AddressSpace::Local => u64::from((address as u32).wrapping_add(more[lane]))
                    .wrapping_sub(STACK_END_ADDRESS - local_bytes),
            }
        };
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        places.extend(lanes.map(|lane| (lane, place(lane))));
        places
    }

    pub(super) fn get(
        &mut self,
        warp: &Warp,
        space: AddressSpace,
        (lane, at): (usize, u64),
        bytes: u64,
    ) -> u64 {
        let own = match space {
            AddressSpace::Global | AddressSpace::Generic => return self.memory.load(at, bytes),
            AddressSpace::Shared => &self.shared[..],
            AddressSpace::Local => warp.local.get(lane * warp.local_bytes..).unwrap_or_default(),
        };
        usize::try_from(at).map_or(0, |at| word_at(own, at, bytes as usize))
    }

    pub(super) fn set(
        &mut self,
        warp: &mut Warp,
        space: AddressSpace,
        (lane, at): (usize, u64),
        (bytes, value): (u64, u64),
    ) {
        let own = match space {
            AddressSpace::Global | AddressSpace::Generic => {
                return self.memory.store(at, bytes, value);
            }
            AddressSpace::Shared => &mut self.shared[..],
            AddressSpace::Local => {
                let begin = lane * warp.local_bytes;
                warp.local.get_mut(begin..).unwrap_or_default()
            }
        };
        let own = usize::try_from(at).ok().and_then(|it| own.get_mut(it..));
        for (to, from) in own.into_iter().flatten().zip(&value.to_le_bytes()[..bytes as usize]) {
            *to = *from;
        }
    }

    /// Bytes of the words of an access.
    fn parts(instruction: &Instruction) -> (u16, u64) {
        (u16::from(instruction.words), u64::from(instruction.bytes.min(4)))
    }

    pub(super) fn load(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        space: AddressSpace,
        now: f64,
        active: u32,
        decides: bool,
    ) -> f64 {
        let places = self.places(warp, instruction, space, active);
        let (words, bytes) = Self::parts(instruction);
        for word in (0..words).filter(|_| decides) {
            let mut lanes = [0; 32];
            for &(lane, at) in &places {
                let value = self.get(warp, space, (lane, at + u64::from(word) * bytes), bytes);
                lanes[lane] = match instruction.is_signed {
                    true => signed(value, instruction.bytes) as u32,
                    false => value as u32,
                };
            }
            self.registers(warp).put_word(instruction.to, word, &lanes, active);
        }
        let is_indirect = self.is_indirect(warp, space);
        let (places, bytes) = warp.spread(space, places, instruction.bytes.into());
        if space != AddressSpace::Shared {
            self.flush_store_buffer(warp);
        }
        let there = self.read(now, is_indirect, space, &places, bytes);
        self.places = places;
        there
    }

    pub(super) fn store(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        space: AddressSpace,
        now: f64,
        active: u32,
        decides: bool,
    ) {
        let places = self.places(warp, instruction, space, active);
        let (words, bytes) = Self::parts(instruction);
        for word in (0..words).filter(|_| decides) {
            let lanes = self.registers(warp).word(instruction.b, word);
            for &(lane, at) in &places {
                let place = (lane, at + u64::from(word) * bytes);
                self.set(warp, space, place, (bytes, lanes[lane].into()));
            }
        }
        let is_indirect = self.is_indirect(warp, space);
        let (places, bytes) = warp.spread(space, places, instruction.bytes.into());
        self.store_words(warp, now, is_indirect, space, &places, bytes);
        self.places = places;
    }

    pub(super) fn copy(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        now: f64,
        active: u32,
    ) -> f64 {
        let (words, bytes) = Self::parts(instruction);
        // The description of its place is of that in shared memory.
        let to = self.registers(warp).word(instruction.b, 0);
        let from = Instruction { offset: instruction.source_offset, ..*instruction };
        let copied = active & warp.holding(instruction.conditions[0]);
        let places = self.places(warp, &from, AddressSpace::Global, copied);
        let to = |lane: usize| u64::from(to[lane].wrapping_add_signed(instruction.offset));
        let parts = || (0..u64::from(words)).map(|it| it * bytes);
        for &(lane, at) in &places {
            for part in parts() {
                let value = self.get(warp, AddressSpace::Global, (lane, at + part), bytes);
                self.set(warp, AddressSpace::Shared, (lane, to(lane) + part), (bytes, value));
            }
        }
        // Where its condition does not hold, zeros come there.
        for lane in (0..32).filter(|lane| (active & !copied) >> lane & 1 == 1) {
            for part in parts() {
                self.set(warp, AddressSpace::Shared, (lane, to(lane) + part), (bytes, 0));
            }
        }
        let is_indirect = self.is_indirect(warp, AddressSpace::Global);
        self.flush_store_buffer(warp);
        let there =
            self.read(now, is_indirect, AddressSpace::Global, &places, instruction.bytes.into());
        self.places = places;
        there
    }

    /// Whether values in memory decide on the address of the access that a warp makes, to memory that all
    /// threads share. The warp is one further.
    pub(super) fn is_indirect(&self, warp: &Warp, space: AddressSpace) -> bool {
        space == AddressSpace::Global && self.kernel.is_indirect[warp.place as usize - 1]
    }

    /// Cycles until the words that begin at these places are there; `is_indirect` if values decide on them.
    fn read(
        &mut self,
        now: f64,
        is_indirect: bool,
        space: AddressSpace,
        places: &[(usize, u64)],
        bytes: u64,
    ) -> f64 {
        let timing = self.timing;
        if places.is_empty() {
            return 0.0;
        }
        if space == AddressSpace::Shared {
            let stages = bank_stages(places, bytes);
            self.counts.shared_stages += stages;
            return self.queue(now, stages) + timing.shared + STAGE_CYCLES * (stages - 1.0);
        }
        let mut all = std::mem::take(&mut self.groups);
        groups(places, bytes, &mut all);
        let count = all.len() as f64;
        let banks = match all.len() {
            1 => (bytes * WARP / GROUP_BYTES).max(1) as f64,
            _ => bank_stages(places, bytes),
        };
        let stages = (count / L1_LOOKUP_GROUPS).ceil().max(banks);
        self.counts.l1_read_stages += stages;
        let queued = self.queue(now, stages);
        let begun = now + queued;
        // The slowest group counts: each may be beyond the first cache, or in memory alone.
        let (mut all_near, mut none_in_memory, mut pending) = (1.0, 1.0, 0.0_f64);
        let (mut misses, mut has_new) = (vec![], false);
        let is_run = is_run(&all);
        for &(group, bytes) in &all {
            let sectors = touched(bytes);
            let sharing = self.memory.sharing(group);
            let mut before = self.distances.read(group, bytes, sharing, timing);
            let is_first = before.known == 0.0;
            if group < LOCAL_ADDRESS / GROUP_BYTES {
                self.memory.note_read(group);
            }
            let peer_reads = is_first.then(|| self.memory.peer_reads(group)).flatten();
            if let Some(others) = peer_reads {
                before = peer_history(others, sharing);
            }
            let [near, far, mut memory] = timing.level_parts(before);
            let beyond = far + memory;
            let mut kept = timing.l2_share(before.of_pairs());
            let first = beyond * (1.0 - before.known);
            if is_indirect {
                self.memory.note_indirect(group, sectors, first, AccessMode::Load);
                if let Some(part) = self.memory.indirect_part(group, sectors) {
                    let timing = timing.with_first(part);
                    (memory, kept) =
                        (timing.level_parts(before)[2], timing.l2_share(before.of_pairs()));
                }
            }
            self.counts.l2_groups += beyond;
            let l2_sectors = beyond * f64::from(sectors.count_ones());
            self.counts.l2_sectors += l2_sectors;
            if group < LOCAL_ADDRESS / GROUP_BYTES {
                self.counts.first_sectors += first * f64::from(sectors.count_ones());
            }
            // A sector follows the other one of its pair at no cost, though no sooner.
            let moved = beyond * (1.0 - kept);
            // What a run of words leaves of pairs the next ones take, of other warps or blocks.
            let pairs = if is_run { f64::from(sectors.count_ones()) / 2.0 } else { pairs(sectors) };
            self.counts.dram_pairs += moved * pairs;
            self.moves(self.at, l2_sectors, moved * pairs);
            self.counts.dram_groups += moved * if is_run { pairs / GROUP_PAIRS } else { 1.0 };
            // Where a sector is not there, the group is waited for; what others are about to read is.
            let sooner = peer_reads.map_or(1.0, |it| it.sooner);
            let is_missing = before.held < 1.0 && peer_reads.is_none();
            has_new |= before.known < 1.0;
            let is_near = if is_missing { 0.0 } else { near * sooner };
            all_near *= is_near;
            let from_memory = if beyond > 0.0 { memory / beyond } else { 0.0 };
            none_in_memory *= 1.0 - (1.0 - is_near) * from_memory;
            // What another access is still waiting for is there no sooner for this one.
            pending = pending.max(near * (before.there - begun));
            if is_near < PRESENT_SHARE {
                misses.push((group, from_memory));
            }
        }
        let far = (none_in_memory - all_near).max(0.0);
        let parts = [all_near, far, 1.0 - all_near - far];
        let late = (1.0 - all_near) * (self.l2_free - begun).max(0.0);
        let slowest = (late + timing.read_cycles(parts, has_new, stages)).max(pending);
        for (group, from_memory) in misses {
            self.distances.arrives(group, begun + slowest, from_memory);
        }
        self.groups = all;
        queued + slowest
    }

    /// A request takes this many stages of the first cache, after those before it; cycles until they
    /// begin.
    pub(super) fn queue(&mut self, now: f64, stages: f64) -> f64 {
        let begun = self.free.max(now);
        self.free = begun + stages;
        begun - now
    }
}

/// What the other blocks that read a group first have made of it.
fn peer_history(others: PeerReads, sharing: Sharing) -> LineHistory {
    let known = others.known;
    LineHistory {
        groups: others.groups,
        known,
        known_pairs: known,
        cached: known,
        cached_pairs: known,
        held: known,
        peer_accesses: sharing.peer_accesses,
        l2_groups: others.l2_groups,
        ..LineHistory::default()
    }
}

/// Address groups that words of this many bytes touch, in order, each with its bytes, a bit each.
pub(super) fn groups(places: &[(usize, u64)], bytes: u64, groups: &mut Vec<(u64, u128)>) {
    groups.clear();
    for &(_, start) in places {
        let group = start / GROUP_BYTES;
        let word = ((1 << bytes) - 1) << (start % GROUP_BYTES);
        // Most warps go through them in order.
        match groups.last_mut() {
            Some(last) if last.0 == group => last.1 |= word,
            Some(last) if last.0 > group => {
                let at = groups.partition_point(|it| it.0 < group);
                match &mut groups[at] {
                    found if found.0 == group => found.1 |= word,
                    _ => groups.insert(at, (group, word)),
                }
            }
            _ => groups.push((group, word)),
        }
    }
}

/// Whether the sectors of these groups are all from the first one to the last.
fn is_run(groups: &[(u64, u128)]) -> bool {
    let mut before: Option<(u64, u8)> = None;
    groups.iter().all(|&(group, bytes)| {
        let sectors = touched(bytes);
        let gapless = sectors >> sectors.trailing_zeros();
        let follows = before.is_none_or(|(last, of_last)| {
            last + 1 == group && of_last & 0b1000 != 0 && sectors & 1 != 0
        });
        before = Some((group, sectors));
        follows && gapless & (gapless + 1) == 0
    })
}

/// Stages that the banks take: the most different words in one of them.
pub(super) fn bank_stages(places: &[(usize, u64)], bytes: u64) -> f64 {
    let parts = bytes.div_ceil(BANK_BYTES);
    let words =
        || places.iter().flat_map(|it| (0..parts).map(move |part| it.1 / BANK_BYTES + part));
    let (mut banks, mut next) = ([0_u32; WARP as usize], [0_u64; WARP as usize]);
    // Most warps go through each bank in order.
    let is_in_order = words().all(|word| {
        let (next, count) = (&mut next[(word % WARP) as usize], &mut banks[(word % WARP) as usize]);
        *count += u32::from(word >= *next);
        let is_in_order = word + 1 >= *next;
        *next = word + 1;
        is_in_order
    });
    if !is_in_order {
        let mut words: Vec<u64> = words().collect();
        words.sort_unstable();
        words.dedup();
        banks = [0; WARP as usize];
        words.iter().for_each(|it| banks[(it % WARP) as usize] += 1);
    }
    banks.into_iter().max().unwrap_or(0).into()
}

/// Pairs among four sectors, a bit each, that have any.
pub fn pairs(sectors: u8) -> f64 {
    f64::from(u8::from(sectors & 3 != 0) + u8::from(sectors & 12 != 0))
}
