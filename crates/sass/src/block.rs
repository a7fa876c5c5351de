//! The warps of a block, each instruction begun in order: once the compiler's count of cycles is over,
//! once its units are free, and once the scoreboards that it names say that what it reads is there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::cost::{
    CONSTANT_LOOKUP_CYCLES, CONSTANT_UNIT, Cost, NOT_TAKEN_CYCLES, OPERAND_READ_CYCLES, SCOREBOARDS,
};
use super::counts::ExecutionCounts;
use super::cubin::{KernelCode, Module};
use super::instruction::Instruction;
use super::instruction_cache::InstructionCache;
use super::launch::{self, Image, Launch};
use super::memory::DeviceMemory;
use super::opcode::Opcode;
use super::stack_distance::StackDistances;
use super::stalls::InstructionProfile;
use super::timing::Timing;
use super::values::{Constants, Registers};
use super::warp::{Warp, WarpState};

/// Bytes of shared memory that a block has at most.
const MOST_SHARED_BYTES: usize = 1 << 18;

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
    /// A launch of any shape that says shape and arguments in their place.
    pub launch: Option<(&'a Launch<'a>, &'a Image)>,
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
    kernel: &KernelCode,
    of: BlockRun<'_>,
    timing: &Timing,
    memory: &mut dyn DeviceMemory,
) -> Result<ExecutionCounts, RunError> {
    profile(module, kernel, of, timing, memory).map(|it| it.0)
}

/// Runs the warps of a block; by instruction, what they wait for and move there.
///
/// # Errors
/// As [`run`].
pub fn profile(
    module: &Module,
    kernel: &KernelCode,
    of: BlockRun<'_>,
    timing: &Timing,
    memory: &mut dyn DeviceMemory,
) -> Result<(ExecutionCounts, Vec<InstructionProfile>), RunError> {
    let costs: Vec<Cost> = kernel.instructions.iter().map(|it| timing.cost(it)).collect();
    let mut block = BlockExecution {
        kernel,
        // All kernels of the run are in the caches of instructions, if they fit.
        code: InstructionCache::new(kernel.instructions.len(), module.instructions()),
        costs: &costs,
        constants: match of.launch {
            Some((launch, image)) => launch::constants(module, kernel, launch, image),
            None => module.constants(kernel, (of.threads, of.blocks), of.arguments),
        },
        of,
        timing,
        memory,
        shared: vec![0; MOST_SHARED_BYTES],
        reached: vec![false; kernel.instructions.len()],
        profile: vec![InstructionProfile::default(); kernel.instructions.len()],
        at: 0,
        distances: StackDistances::new(),
        pending_stores: FxHashMap::default(),
        counts: ExecutionCounts::default(),
        free: 0.0,
        l2_free: 0.0,
        places: vec![],
        groups: vec![],
    };
    let mut warps: Vec<Warp> = (0..of.warps).map(|it| Warp::new(kernel, of.threads, it)).collect();
    // The bits of times, which are not negative, are in their order.
    let time = |warp: &Warp| warp.now.to_bits();
    let mut running: BinaryHeap<_> =
        warps.iter().enumerate().map(|(at, warp)| Reverse((time(warp), at))).collect();
    let mut done = 0;
    loop {
        // The one that is furthest behind in time goes on, as if all began together.
        while let Some(mut next) = running.peek_mut() {
            let warp = &mut warps[next.0.1];
            done += block.advance(warp);
            if done > of.limit {
                return Err(RunError::TooLong(of.limit));
            }
            if warp.state == WarpState::Runs {
                next.0.0 = time(warp);
            } else {
                PeekMut::pop(next);
            }
        }
        let waiting = || warps.iter().filter(|it| it.state == WarpState::Waits);
        let last = waiting().map(|it| it.now).fold(0.0, f64::max)
            + timing.barrier[0]
            + timing.barrier[1] * (of.warps - 1) as f64;
        for (at, warp) in warps.iter_mut().enumerate().filter(|it| it.1.state == WarpState::Waits) {
            if let Some(it) = block.profile.get_mut((warp.place as usize).wrapping_sub(1)) {
                it.stalls.barrier += last - warp.now;
            }
            (warp.now, warp.state) = (last, WarpState::Runs);
            running.push(Reverse((time(warp), at)));
        }
        if running.is_empty() {
            break;
        }
    }
    warps.iter_mut().for_each(|it| block.flush_store_buffer(it));
    block.flush_stores();
    block.counts.reached_part = block.reached();
    block.counts.fetch_cycles = block.code.fetch_cycles();
    block.counts.cycles = warps.iter().map(|it| it.now).fold(0.0, f64::max);
    Ok((block.counts, block.profile))
}

pub(super) struct BlockExecution<'a> {
    pub(super) kernel: &'a KernelCode,
    code: InstructionCache,
    costs: &'a [Cost],
    pub(super) constants: Constants,
    pub(super) of: BlockRun<'a>,
    pub(super) timing: &'a Timing,
    pub(super) memory: &'a mut dyn DeviceMemory,
    pub(super) shared: Vec<u8>,
    /// Instructions that a warp came to.
    reached: Vec<bool>,
    /// By instruction.
    pub(super) profile: Vec<InstructionProfile>,
    /// The instruction that is under way.
    pub(super) at: usize,
    pub(super) distances: StackDistances,
    /// Of a launch's block, what its warps write, by address group.
    pub(super) pending_stores: FxHashMap<u64, PendingStores>,
    pub(super) counts: ExecutionCounts,
    /// When the first cache begins the next request.
    pub(super) free: f64,
    /// From when on the last-level cache serves reads.
    pub(super) l2_free: f64,
    /// Room for the words and the address groups of an access.
    pub(super) places: Vec<(usize, u64)>,
    /// As above.
    pub(super) groups: Vec<(u64, u128)>,
}

/// What a block writes to an address group.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PendingStores {
    /// A bit for each byte.
    pub(super) bytes: u128,
    /// The instruction that wrote there last.
    pub(super) instruction: usize,
    /// Whether values led there.
    pub(super) is_indirect: bool,
}

impl BlockExecution<'_> {
    /// A warp goes on to its next access, basic block, barrier or line of code; how many
    /// instructions.
    fn advance(&mut self, warp: &mut Warp) -> u64 {
        let begins = self.kernel.begins[warp.place as usize];
        if warp.mask == 0 || begins && !warp.divergent.is_empty() {
            warp.gather();
        }
        let (chosen, mut done) = (warp.now, 0);
        while warp.state == WarpState::Runs {
            let at = warp.place as usize;
            let Some(instruction) = self.kernel.instructions.get(at) else {
                warp.mask = 0;
                return done + 1;
            };
            // Accesses of different warps come in the order of time.
            if instruction.is_access() {
                warp.now = self.wait(warp, instruction);
                if warp.now > chosen {
                    break;
                }
            }
            self.reached[at] = true;
            self.instruction(warp, instruction, self.costs[at]);
            done += 1;
            let next = warp.place as usize;
            // Lines of code that are fetched are for all warps: none runs far ahead.
            if warp.mask == 0
                || self.kernel.begins[next]
                || instruction.is_access()
                || self.code.begins_line(next)
            {
                break;
            }
        }
        done
    }

    /// The part of the code that a warp came to.
    fn reached(&self) -> f64 {
        self.reached.iter().filter(|it| **it).count() as f64 / self.reached.len() as f64
    }

    /// When the scoreboards that it waits for are clear.
    fn wait(&mut self, warp: &Warp, instruction: &Instruction) -> f64 {
        let (mut ready, mut is_far) = (warp.now, false);
        for board in (0..SCOREBOARDS).filter(|it| instruction.control.waits >> it & 1 == 1) {
            if warp.boards[board] > ready {
                (ready, is_far) = (warp.boards[board], warp.far_boards >> board & 1 == 1);
            }
        }
        let stalls = &mut self.profile[warp.place as usize].stalls;
        *(if is_far { &mut stalls.memory } else { &mut stalls.near }) += ready - warp.now;
        ready
    }

    fn instruction(&mut self, warp: &mut Warp, instruction: &Instruction, cost: Cost) {
        let control = instruction.control;
        let ready = self.wait(warp, instruction);
        let there = self.code.there(warp.place as usize, warp.now).max(ready);
        let mut begun = there;
        for (free, cycles) in warp.units.iter_mut().zip(cost.units).filter(|it| it.1 > 0.0) {
            begun = begun.max(*free);
            *free = begun + cycles;
        }
        warp.now = begun + cost.slots.max(f64::from(control.stall)) + cost.late;
        let stalls = &mut self.profile[warp.place as usize].stalls;
        stalls.issue += cost.slots;
        stalls.fetch += there - ready;
        stalls.units += begun - there;
        stalls.fixed += warp.now - begun - cost.slots;
        self.counts.instructions += 1.0;
        self.counts.slots += cost.slots;
        for (sum, cycles) in self.counts.units.iter_mut().zip(cost.units) {
            *sum += cycles;
        }
        let active = match instruction.is_guarded() {
            true => warp.mask & warp.holding(instruction.guard),
            false => warp.mask,
        };
        let place = warp.place as usize;
        self.at = place;
        let decides = self.of.has_results || self.kernel.decides[place];
        warp.place += 1;
        let mut latency = cost.latency;
        match instruction.opcode {
            Opcode::Bra | Opcode::BraAny | Opcode::Brx | Opcode::Call | Opcode::Ret => {
                return self.branch(warp, instruction, begun, active);
            }
            Opcode::Exit => {
                warp.mask &= !(active & warp.holding(instruction.conditions[0]));
                warp.meet();
            }
            Opcode::Bssy => {
                let mask = warp.mask;
                warp.expects(instruction.barrier, active, |_| mask);
            }
            Opcode::Break => {
                let active = active & warp.holding(instruction.conditions[0]);
                let barrier = &mut warp.barriers[usize::from(instruction.barrier)];
                barrier.iter_mut().for_each(|it| *it &= !active);
                warp.meet();
            }
            Opcode::BmovSave => {
                let kept = warp.barriers[usize::from(instruction.barrier)];
                self.registers(warp).put(instruction.to, &kept, active);
                warp.expects(instruction.barrier, active, |_| 0);
            }
            Opcode::BmovRestore => {
                let kept = self.registers(warp).word(instruction.a, 0);
                warp.expects(instruction.barrier, active, |lane| kept[lane]);
            }
            Opcode::Bsync => warp.waits(instruction.barrier),
            Opcode::Bar(_) => {
                warp.state = WarpState::Waits;
            }
            Opcode::Fence | Opcode::Nop | Opcode::Warpsync => {}
            // Threads of a warp that exchange words are together here: it is not taken.
            Opcode::BranchIfDivergent => warp.now = warp.now.max(begun + NOT_TAKEN_CYCLES),
            Opcode::S2r(special) if decides => self.special(warp, instruction, special, active),
            Opcode::R2ur if decides => {
                let value = self.registers(warp).word(instruction.a, 0)[warp.lane()];
                self.registers(warp).put(instruction.to, &[value; 32], instruction.for_all(active));
            }
            Opcode::Ldc(bank) => {
                let different = self.constant(warp, instruction, bank, active, decides);
                latency += self.timing.constants(different);
                if !instruction.is_uniform() {
                    self.counts.units[CONSTANT_UNIT] += CONSTANT_LOOKUP_CYCLES * different as f64;
                }
            }
            Opcode::S2r(_) | Opcode::R2ur => {}
            Opcode::Ld(space) => {
                latency = self.load(warp, instruction, space, begun, active, decides);
            }
            Opcode::St(space) => self.store(warp, instruction, space, begun, active, decides),
            Opcode::Atom(of) | Opcode::Red(of) => {
                latency += self.combine(warp, instruction, of, begun, active, decides);
            }
            Opcode::Ldgsts { .. } => {
                let wait = self.copy(warp, instruction, begun, active);
                warp.open = warp.open.max(begun + wait);
            }
            Opcode::Ldgdepbar => warp.groups.push(std::mem::take(&mut warp.open)),
            Opcode::Depbar(left) => {
                let over = warp.groups.len().saturating_sub(usize::from(left));
                warp.now = warp.groups.drain(..over).fold(warp.now, f64::max);
            }
            _ if decides => self.registers(warp).compute(instruction, active),
            _ => {}
        }
        Self::set_boards(warp, instruction, begun, latency);
    }

    /// The scoreboards that it names tell when its result is there, and when it has read.
    fn set_boards(warp: &mut Warp, instruction: &Instruction, begun: f64, latency: f64) {
        let control = instruction.control;
        if let Some(board) = control.written {
            let bit = 1 << board;
            warp.far_boards =
                if instruction.is_far() { warp.far_boards | bit } else { warp.far_boards & !bit };
            let there = &mut warp.boards[usize::from(board)];
            *there = there.max(begun + latency);
        }
        if let Some(board) = control.read {
            let there = &mut warp.boards[usize::from(board)];
            *there = there.max(begun + OPERAND_READ_CYCLES);
        }
    }

    pub(super) fn registers<'b>(&'b self, warp: &'b mut Warp) -> Registers<'b> {
        Registers { lanes: &mut warp.registers, constants: &self.constants }
    }
}
