//! The warps of a block, each instruction begun in order: once the one before is, and once what it
//! reads is there. Branches part a warp's threads; those that are furthest behind go first, so that
//! they meet again.

use std::collections::BTreeMap;

use thiserror::Error;

use super::counts::Counts;
use super::distance::Distances;
use super::instruction::{CONSTANTS, Instruction, Kernel, LOCALS, Module, Opcode, Preset, Space};
use super::timing::{Cost, Timing};
use super::values::{Lanes, compute, signed};

/// Threads of a warp.
const WARP: u64 = 32;
/// Bytes of an address group, and of a sector.
const GROUP: u64 = 128;
const SECTOR: u64 = 32;
/// Bytes of a bank of shared memory, and of the first cache.
const BANK: u64 = 4;
/// Address groups that the first cache looks up at once.
const LOOKED_UP: f64 = 4.0;
/// Stages of the first cache for an address group that is written.
pub const WRITTEN: f64 = 2.0;
/// Bytes of shared memory that a block has at most.
const MOST_SHARED: usize = 1 << 18;

/// The device's memory as a kernel sees it: little-endian words at byte addresses.
pub trait Memory {
    /// What stands there; anything where nothing is known.
    fn load(&mut self, address: u64, bytes: u64) -> u64;
    /// Changes it.
    fn store(&mut self, address: u64, bytes: u64, value: u64);
}

/// A block that runs.
#[derive(Debug, Clone, Copy)]
pub struct BlockRun<'a> {
    /// Blocks of the launch, threads of each, and the number of this one.
    pub blocks: u64,
    /// As above.
    pub threads: u64,
    /// As above.
    pub block: u64,
    /// Warps of it that run.
    pub warps: u64,
    /// The kernel's arguments.
    pub arguments: &'a [u64],
    /// Instructions of all its warps together, at most.
    pub limit: u64,
}

/// Why a run ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RunError {
    /// More instructions than allowed.
    #[error(
        "a block makes more than {0} instructions, and a prediction goes through them one by one"
    )]
    TooLong(u64),
}

/// Runs the warps of a block.
///
/// Takes time linear in their instructions, and logarithmic in the address groups that each access
/// touches.
///
/// # Errors
/// More instructions than `of.limit`.
pub fn run(
    module: &Module,
    kernel: &Kernel,
    of: BlockRun<'_>,
    timing: &Timing,
    memory: &mut dyn Memory,
) -> Result<Counts, RunError> {
    let costs: Vec<Cost> = kernel.instructions.iter().map(|it| timing.cost(it)).collect();
    let mut block = Block {
        kernel,
        costs: &costs,
        timing,
        memory,
        data: module.data.clone(),
        shared: vec![0; MOST_SHARED],
        distances: Distances::new(),
        counts: Counts::default(),
        free: 0.0,
    };
    let mut warps: Vec<Warp> = (0..of.warps).map(|it| Warp::new(kernel, of, it)).collect();
    let mut done = 0;
    loop {
        // The one that is furthest behind in time goes on, as if all began together.
        let running = (0..warps.len()).filter(|it| warps[*it].state == State::Runs);
        match running.min_by(|a, b| warps[*a].now.total_cmp(&warps[*b].now)) {
            Some(warp) => done += block.advance(&mut warps[warp]),
            None if warps.iter().all(|it| it.state == State::Ended) => break,
            None => {
                let waiting = || warps.iter().filter(|it| it.state == State::Waits);
                let last = waiting().map(|it| it.now).fold(0.0, f64::max) + timing.barrier;
                for warp in warps.iter_mut().filter(|it| it.state == State::Waits) {
                    (warp.now, warp.state) = (last, State::Runs);
                }
            }
        }
        if done > of.limit {
            return Err(RunError::TooLong(of.limit));
        }
    }
    block.counts.cycles = warps.iter().map(|it| it.now).fold(0.0, f64::max);
    Ok(block.counts)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Runs,
    Waits,
    Ended,
}

struct Warp {
    registers: Vec<Lanes>,
    /// When each register can be read.
    ready: Vec<f64>,
    now: f64,
    place: u32,
    /// Threads that are at `place`, a bit each.
    mask: u32,
    /// Others, with their places.
    apart: Vec<(u32, u32)>,
    state: State,
    /// When each group of asynchronous copies is there, and the one that is being made.
    groups: Vec<f64>,
    open: f64,
    /// A thread's own memory, thread after thread.
    local: Vec<u8>,
    local_bytes: usize,
}

impl Warp {
    fn new(kernel: &Kernel, of: BlockRun<'_>, number: u64) -> Self {
        let mut registers = vec![[0; WARP as usize]; kernel.registers];
        for &(register, preset) in &kernel.presets {
            let value = |lane: u64| match preset {
                Preset::Value(value) => value,
                Preset::Parameter(number) => of.arguments.get(number).copied().unwrap_or(0),
                Preset::Thread => WARP * number + lane,
                Preset::Threads => of.threads,
                Preset::Block => of.block,
                Preset::Blocks => of.blocks,
            };
            for (lane, place) in (0..).zip(&mut registers[register as usize]) {
                *place = value(lane);
            }
        }
        let threads = (of.threads - WARP * number).min(WARP);
        let local_bytes = kernel.local_bytes as usize;
        Self {
            ready: vec![0.0; kernel.registers],
            registers,
            now: 0.0,
            place: 0,
            mask: u32::MAX >> (WARP - threads),
            apart: vec![],
            state: State::Runs,
            groups: vec![],
            open: 0.0,
            local: vec![0; local_bytes * WARP as usize],
            local_bytes,
        }
    }

    /// Of threads that are apart those that are furthest behind go on, together.
    fn gather(&mut self) {
        if self.mask != 0 {
            self.apart.push((self.place, self.mask));
        }
        let Some(least) = self.apart.iter().map(|it| it.0).min() else {
            self.state = State::Ended;
            return;
        };
        (self.place, self.mask) = (least, 0);
        let mask = &mut self.mask;
        self.apart.retain(|&(place, threads)| {
            if place == least {
                *mask |= threads;
            }
            place != least
        });
    }

    /// Threads that do an instruction.
    fn active(&self, instruction: &Instruction) -> u32 {
        let Some((guard, is_negated)) = instruction.guard else { return self.mask };
        let guard = &self.registers[guard as usize];
        let does = |lane: &u32| (guard[*lane as usize] != 0) != is_negated;
        self.mask & (0..WARP as u32).filter(does).fold(0, |mask, lane| mask | 1 << lane)
    }
}

struct Block<'a> {
    kernel: &'a Kernel,
    costs: &'a [Cost],
    timing: &'a Timing,
    memory: &'a mut dyn Memory,
    data: Vec<u8>,
    shared: Vec<u8>,
    distances: Distances,
    counts: Counts,
    /// When the first cache begins the next request.
    free: f64,
}

impl Block<'_> {
    /// A warp goes on to its next access, basic block or barrier; how many instructions.
    fn advance(&mut self, warp: &mut Warp) -> u64 {
        let begins = self.kernel.begins[warp.place as usize];
        if warp.mask == 0 || begins && !warp.apart.is_empty() {
            warp.gather();
        }
        let mut done = 0;
        while warp.state == State::Runs {
            let at = warp.place as usize;
            let Some(instruction) = self.kernel.instructions.get(at) else {
                warp.mask = 0;
                return done + 1;
            };
            self.instruction(warp, instruction, self.costs[at]);
            done += 1;
            // Accesses of different warps come in the order of time.
            if warp.mask == 0 || self.kernel.begins[warp.place as usize] || instruction.is_access()
            {
                break;
            }
        }
        done
    }

    fn instruction(&mut self, warp: &mut Warp, instruction: &Instruction, cost: Cost) {
        let ready = instruction.reads().map(|it| warp.ready[it as usize]).fold(0.0, f64::max);
        let mut there = ready;
        if cost.instructions > 0.0 {
            let begun = warp.now.max(ready);
            warp.now = match instruction.has_branches() {
                true => begun + cost.latency,
                false => begun + cost.slots,
            };
            there = begun + cost.latency.max(cost.slots);
            self.counts.instructions += cost.instructions;
            self.counts.slots += cost.slots;
        }
        let active = warp.active(instruction);
        warp.place += 1;
        match instruction.opcode {
            Opcode::Bra => {
                let stay = warp.mask & !active;
                if active != 0 {
                    warp.now += self.timing.branch;
                    if stay != 0 {
                        warp.apart.push((warp.place, stay));
                    }
                    (warp.place, warp.mask) = (instruction.target, active);
                }
                if stay != 0 && active != 0 {
                    warp.gather();
                }
                return;
            }
            Opcode::Ret => {
                warp.mask &= !active;
                return;
            }
            Opcode::Bar => {
                warp.state = State::Waits;
                return;
            }
            Opcode::LdReadOnly => {
                there = warp.now + self.load(warp, instruction, Space::Global, active)
            }
            Opcode::Ld(space) => there = warp.now + self.load(warp, instruction, space, active),
            Opcode::St(space) => self.store(warp, instruction, space, active),
            Opcode::Atom => self.add(warp, instruction, active),
            Opcode::CpAsync(bytes) => {
                let wait = self.copy(warp, instruction, bytes, active);
                warp.open = warp.open.max(warp.now + wait);
            }
            Opcode::CpAsyncCommit => warp.groups.push(std::mem::take(&mut warp.open)),
            Opcode::CpAsyncWait(left) => {
                let over = warp.groups.len().saturating_sub(left as usize);
                warp.now = warp.groups.drain(..over).fold(warp.now, f64::max);
            }
            _ => compute(instruction, &mut warp.registers, active),
        }
        for &register in &instruction.to {
            warp.ready[register as usize] = there;
        }
    }

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

    fn load(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        space: Space,
        active: u32,
    ) -> f64 {
        let bytes = instruction.ty.bytes;
        let places = Self::places(warp, instruction, active);
        for (number, &register) in (0..).zip(&instruction.to) {
            for &(lane, at) in &places {
                let value = self.get(warp, space, (lane, at + number * bytes), bytes);
                warp.registers[register as usize][lane] = match instruction.ty.is_signed() {
                    true => signed(value, bytes).cast_unsigned(),
                    false => value,
                };
            }
        }
        self.read(warp.now, space, &places, bytes * instruction.to.len() as u64)
    }

    fn store(&mut self, warp: &mut Warp, instruction: &Instruction, space: Space, active: u32) {
        let bytes = instruction.ty.bytes;
        let places = Self::places(warp, instruction, active);
        for (number, &register) in (0..).zip(&instruction.from[1..]) {
            for &(lane, at) in &places {
                let value = warp.registers[register as usize][lane];
                self.set(warp, space, (lane, at + number * bytes), (bytes, value));
            }
        }
        self.written(warp.now, space, &places, bytes * (instruction.from.len() as u64 - 1));
    }

    fn add(&mut self, warp: &mut Warp, instruction: &Instruction, active: u32) {
        let bytes = instruction.ty.bytes;
        for place in Self::places(warp, instruction, active) {
            let before = self.get(warp, Space::Global, place, bytes);
            let more = warp.registers[instruction.from[1] as usize][place.0];
            self.set(warp, Space::Global, place, (bytes, before.wrapping_add(more)));
            warp.registers[instruction.to[0] as usize][place.0] = before;
        }
    }

    fn copy(&mut self, warp: &mut Warp, instruction: &Instruction, bytes: u64, active: u32) -> f64 {
        let places = Self::places(warp, instruction, active);
        let to = warp.registers[instruction.from[1] as usize];
        for &(lane, at) in &places {
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
                self.counts.shared_stages += bank_stages(places, bytes);
                return timing.shared;
            }
            Space::Global if first < LOCALS => {}
            _ => {
                self.counts.read_stages += 1.0;
                return timing.near;
            }
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
        let mut slowest = timing.near;
        for (group, sectors) in groups {
            let served = timing.served(self.distances.access(group, sectors));
            let [near, far] = served;
            let (beyond, memory) = (1.0 - near, (1.0 - near - far).max(0.0));
            self.counts.groups_beyond += beyond;
            self.counts.sectors_beyond += beyond * f64::from(sectors.count_ones());
            self.counts.memory_groups += memory;
            self.counts.memory_pairs += memory * pairs(sectors);
            slowest = slowest.max(timing.read(served, stages));
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

    fn written(&mut self, now: f64, space: Space, places: &[(usize, u64)], bytes: u64) {
        let Some(&(_, first)) = places.first() else { return };
        if space == Space::Shared {
            self.counts.shared_stages += bank_stages(places, bytes);
        } else if space == Space::Global && first < LOCALS {
            let mut sectors: BTreeMap<u64, u64> = BTreeMap::new();
            let mut starts: Vec<u64> = places.iter().map(|it| it.1).collect();
            starts.sort_unstable();
            starts.dedup();
            for start in starts {
                for part in (0..bytes).step_by(SECTOR as usize) {
                    let more = (bytes - part).min(SECTOR);
                    *sectors.entry((start + part) / SECTOR).or_default() += more;
                }
            }
            let stages = WRITTEN * groups(places, bytes).len() as f64;
            self.queue(now, stages);
            let parts = sectors.values().filter(|it| **it < SECTOR).count();
            self.counts.written_parts += parts as f64;
            for (group, sectors) in groups(places, bytes) {
                self.counts.written_groups += 1.0;
                self.counts.written_sectors += f64::from(sectors.count_ones());
                let before = self.distances.write(group, sectors);
                self.distances.access(group, sectors);
                let goes = 1.0 - self.timing.kept(before);
                self.counts.memory_written_pairs += goes * pairs(sectors);
            }
        }
    }
}

/// Address groups that words of so many bytes touch, each with its sectors, a bit each.
fn groups(places: &[(usize, u64)], bytes: u64) -> BTreeMap<u64, u8> {
    let mut groups: BTreeMap<u64, u8> = BTreeMap::new();
    for &(_, start) in places {
        for part in (0..bytes).step_by(SECTOR as usize) {
            let at = start + part;
            *groups.entry(at / GROUP).or_default() |= 1 << (at % GROUP / SECTOR);
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
fn pairs(sectors: u8) -> f64 {
    f64::from(u8::from(sectors & 3 != 0) + u8::from(sectors & 12 != 0))
}
