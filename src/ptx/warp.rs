//! The warps of a block, each instruction begun in order: once the one before is, and once what it
//! reads is there. Branches part a warp's threads; those that are furthest behind go first, so that
//! they meet again.

use thiserror::Error;

use super::boards::Boards;
use super::combining::Waiting;
use super::counts::Counts;
use super::distance::Distances;
use super::fetch::Code;
use super::instruction::{CONSTANTS, Instruction, Kernel, LOCALS, Module, Opcode, Preset};
use super::timing::{Cost, DECIDED, PASSED, Timing, UNITS};
use super::values::{Lanes, compute};

/// Threads of a warp.
pub(super) const WARP: u64 = 32;
/// Bytes of a bank of shared memory, and of the first cache.
pub(super) const BANK: u64 = 4;
/// Bytes of shared memory that a block has at most.
const MOST_SHARED: usize = 1 << 18;

/// The device's memory as a kernel sees it: little-endian words at byte addresses.
pub trait Memory {
    /// What stands there; anything where nothing is known. Not asked for where nothing that is counted
    /// depends on it.
    fn load(&mut self, address: u64, bytes: u64) -> u64;
    /// Changes it, if what is counted may depend on it.
    fn store(&mut self, address: u64, bytes: u64, value: u64);
    /// An address group is read.
    fn reads(&mut self, _group: u64) {}
    /// Of an address group that this block reads for the first time: how likely another block of its
    /// multiprocessor did before, and how many other groups since.
    fn of_others(&self, _address: u64) -> Option<(f64, f64)> {
        None
    }
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
    /// Whether memory is to hold what it computes, though nothing that is counted depends on it.
    pub has_results: bool,
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
    // All kernels of the run are in the caches of instructions, if they fit.
    let all = module.kernels.iter().flat_map(|it| &it.instructions);
    let all = all.map(|it| timing.cost(it).instructions).sum();
    let mut block = Block {
        kernel,
        code: Code::new(costs.iter().map(|it| it.instructions), all),
        costs: &costs,
        decides: match of.has_results {
            true => vec![true; kernel.instructions.len()],
            false => kernel.decides(),
        },
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
                let last = waiting().map(|it| it.now).fold(0.0, f64::max)
                    + timing.barrier[0]
                    + timing.barrier[1] * (of.warps - 1) as f64;
                for warp in warps.iter_mut().filter(|it| it.state == State::Waits) {
                    (warp.now, warp.state) = (last, State::Runs);
                }
            }
        }
        if done > of.limit {
            return Err(RunError::TooLong(of.limit));
        }
    }
    for warp in &mut warps {
        while let Some(last) = warp.waiting.leave() {
            block.goes(last);
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

pub(super) struct Warp {
    pub(super) registers: Vec<Lanes>,
    /// When each register can be read, but for those that wait on a scoreboard.
    readable: Vec<f64>,
    boards: Boards,
    /// When its scheduler's units can take the next of its instructions.
    units: [f64; UNITS],
    pub(super) now: f64,
    place: u32,
    /// Threads that are at `place`, a bit each.
    mask: u32,
    /// Others, with their places.
    apart: Vec<(u32, u32)>,
    state: State,
    /// When each group of asynchronous copies is there, and the one that is being made.
    groups: Vec<f64>,
    open: f64,
    /// Writes that others may complete.
    pub(super) waiting: Waiting,
    /// A thread's own memory, thread after thread.
    pub(super) local: Vec<u8>,
    pub(super) local_bytes: usize,
    /// Of the block.
    number: u64,
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
            readable: vec![0.0; kernel.registers],
            boards: Boards::new(kernel.registers),
            units: [0.0; UNITS],
            registers,
            now: 0.0,
            place: 0,
            mask: u32::MAX >> (WARP - threads),
            apart: vec![],
            state: State::Runs,
            groups: vec![],
            open: 0.0,
            waiting: Waiting::default(),
            local: vec![0; local_bytes * WARP as usize],
            local_bytes,
            number,
        }
    }

    /// Where words are: of the threads' own memory each word of 32 bits beside those of the warp's other
    /// threads.
    pub(super) fn spread(&self, places: Vec<(usize, u64)>, bytes: u64) -> (Vec<(usize, u64)>, u64) {
        if !places.first().is_some_and(|it| (LOCALS..CONSTANTS).contains(&it.1)) {
            return (places, bytes);
        }
        let first = LOCALS + self.number * self.local_bytes as u64 * WARP;
        let words = |(lane, at): (usize, u64)| {
            let words = (at - LOCALS) / BANK..(at - LOCALS + bytes).div_ceil(BANK);
            words.map(move |it| (lane, first + BANK * (WARP * it + lane as u64)))
        };
        (places.into_iter().flat_map(words).collect(), BANK)
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

    /// When all that an instruction reads is there.
    fn ready(&mut self, instruction: &Instruction) -> f64 {
        for register in instruction.reads() {
            self.boards.wait(register, &mut self.readable);
        }
        let from =
            instruction.from.iter().map(|it| self.readable[*it as usize]).fold(0.0, f64::max);
        let decided = instruction.guard.map_or(0.0, |it| self.readable[it.0 as usize] + DECIDED);
        from.max(decided)
    }

    /// Threads that do an instruction.
    fn active(&self, instruction: &Instruction) -> u32 {
        let Some((guard, is_negated)) = instruction.guard else { return self.mask };
        let guard = &self.registers[guard as usize];
        let does = |lane: &u32| (guard[*lane as usize] != 0) != is_negated;
        self.mask & (0..WARP as u32).filter(does).fold(0, |mask, lane| mask | 1 << lane)
    }
}

pub(super) struct Block<'a> {
    kernel: &'a Kernel,
    code: Code,
    costs: &'a [Cost],
    /// By instruction, whether it has to be done.
    decides: Vec<bool>,
    pub(super) timing: &'a Timing,
    pub(super) memory: &'a mut dyn Memory,
    pub(super) data: Vec<u8>,
    pub(super) shared: Vec<u8>,
    pub(super) distances: Distances,
    pub(super) counts: Counts,
    /// When the first cache begins the next request.
    pub(super) free: f64,
}

impl Block<'_> {
    /// A warp goes on to its next access, basic block or barrier; how many instructions.
    fn advance(&mut self, warp: &mut Warp) -> u64 {
        let begins = self.kernel.begins[warp.place as usize];
        if warp.mask == 0 || begins && !warp.apart.is_empty() {
            warp.gather();
        }
        let (chosen, mut done) = (warp.now, 0);
        while warp.state == State::Runs {
            let at = warp.place as usize;
            let Some(instruction) = self.kernel.instructions.get(at) else {
                warp.mask = 0;
                return done + 1;
            };
            // Accesses of different warps come in the order of time.
            if instruction.is_access() {
                warp.now = warp.now.max(warp.ready(instruction));
                if warp.now > chosen {
                    break;
                }
            }
            self.instruction(warp, instruction, self.costs[at]);
            done += 1;
            if warp.mask == 0 || self.kernel.begins[warp.place as usize] || instruction.is_access()
            {
                break;
            }
        }
        done
    }

    fn instruction(&mut self, warp: &mut Warp, instruction: &Instruction, cost: Cost) {
        let ready = warp.ready(instruction);
        let mut there = ready;
        if cost.instructions > 0.0 {
            let fetched = self.code.there(warp.place as usize, warp.now);
            let mut begun = fetched.max(ready);
            for (free, cycles) in warp.units.iter_mut().zip(cost.units).filter(|it| it.1 > 0.0) {
                begun = begun.max(*free);
                *free = begun + cycles;
            }
            warp.now = match instruction.has_branches() {
                true => begun + cost.latency,
                false => begun + cost.slots,
            };
            there = begun + cost.latency.max(cost.slots);
            self.counts.instructions += cost.instructions;
            self.counts.slots += cost.slots;
            for (sum, cycles) in self.counts.units.iter_mut().zip(cost.units) {
                *sum += cycles;
            }
        }
        let active = warp.active(instruction);
        let decides = self.decides[warp.place as usize];
        warp.place += 1;
        match instruction.opcode {
            Opcode::Bra => {
                let stay = warp.mask & !active;
                warp.now += if active != 0 { self.timing.branch } else { PASSED };
                if active != 0 {
                    let next = std::mem::replace(&mut warp.place, instruction.target);
                    warp.mask = active;
                    if stay != 0 {
                        warp.apart.push((next, stay));
                        warp.gather();
                    }
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
            Opcode::LdReadOnly | Opcode::Ld(_) => {
                there = warp.now + self.load(warp, instruction, active, decides);
            }
            Opcode::St(space) => self.store(warp, instruction, space, active, decides),
            Opcode::Atom if decides => self.add(warp, instruction, active),
            Opcode::Atom => {}
            Opcode::CpAsync(bytes) => {
                let wait = self.copy(warp, instruction, bytes, active, decides);
                warp.open = warp.open.max(warp.now + wait);
            }
            Opcode::CpAsyncCommit => warp.groups.push(std::mem::take(&mut warp.open)),
            Opcode::CpAsyncWait(left) => {
                let over = warp.groups.len().saturating_sub(left as usize);
                warp.now = warp.groups.drain(..over).fold(warp.now, f64::max);
            }
            _ if decides => compute(instruction, &mut warp.registers, active),
            _ => {}
        }
        for &register in &instruction.to {
            warp.readable[register as usize] = there;
            warp.boards.take(
                register,
                instruction.waits_on_board().then_some(instruction.board),
                there,
            );
        }
    }
}
