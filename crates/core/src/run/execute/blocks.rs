//! Loops on DMMs: blocks of threads that go in step, each with shared memory and with registers that
//! its threads keep from nest to nest.

use super::nest::{Deal, bounds};
use super::register_arrays::RegisterArrays;
use super::{Executor, Result, outside_scalars};
use crate::diagnostic::{Diagnostic, Span};
use crate::language::program::ScalarId;
use crate::run::active::Active;
use crate::run::code::{BlocksCode, NestCode, Place, Register};
use crate::run::flow::Flow;
use crate::run::layout::BlockSize;
use crate::run::memory::Memory;
use crate::run::observer::{BlocksEvent, NestArrival, Observer};
use crate::run::odometer::Odometer;

/// The blocks that go in step.
pub(super) struct ResidentBlocks {
    /// The number of the first of them.
    pub(super) first: u64,
    /// q: threads of each.
    pub(super) threads: usize,
    /// Their shared memories, one after another.
    pub(super) shared: Memory,
    pub(super) shared_words: u64,
    /// Each block's from the next multiple of 64 words on.
    pub(super) kept: RegisterArrays,
}

impl ResidentBlocks {
    /// Which words of a block's registers have a value.
    fn defined(&self, block: usize) -> &[u64] {
        let count = (self.kept.a_block / 64) as usize;
        self.kept.words.defined(block * count, count)
    }

    fn define(&mut self, block: usize, defined: &[u64]) {
        self.kept.words.define(block * defined.len(), defined);
    }
}

/// Threads of all blocks that go in step, where any number of blocks may.
const THREADS_IN_STEP: u64 = 1 << 16;

impl<'a, W: Observer + ?Sized> Executor<'a, W> {
    /// Lanes of a block at the present place.
    pub(super) fn lanes_a_block(&self, resident: &ResidentBlocks) -> usize {
        if self.place == Place::Block { 1 } else { resident.threads }
    }

    pub(super) fn blocks(&mut self, code: &'a BlocksCode<'a>) -> Result<()> {
        if self.memory.is_none() {
            let scalars = outside_scalars(self.scalars, &self.registers);
            if self.observer.skip_blocks(code.blocks, &scalars)? {
                return Ok(());
            }
        }
        let (loops, span) = (&code.loops, code.blocks.span);
        let size = self.layout.blocks[code.blocks.id.0];
        self.begin_outermost(loops, &Active::First(1))?;
        let mut rows = Odometer::new(loops.ranges.len(), |outer| self.begin(loops, outer, 0))?;
        self.show_memory(code.blocks.ranges[0].id);
        self.observer.blocks(BlocksEvent::Begin { blocks: code.blocks, threads: size.threads });
        let in_step = self.observer.blocks_in_step();
        let in_step = in_step.unwrap_or((THREADS_IN_STEP / size.threads.get()).max(1));
        let most = usize::try_from(in_step).unwrap_or(usize::MAX);
        let (bounds, mut first) = (bounds(loops), 0);
        while rows.row().is_some() && !self.is_ended() {
            let count = self.deal_blocks(code, &bounds, &mut rows, most)?;
            for &(outside, inside) in &loops.captured {
                let value = self.registers[outside.0][0];
                self.registers[inside.0][..count].fill(value);
                self.observer.flow(Flow::Captured { outside, by: 0, inside, lanes: 0..count });
            }
            self.resident = Some(self.resident(first, count, size, span)?);
            self.observer.blocks(BlocksEvent::Deal { first, count });
            let outer = self.loops.len();
            self.name_variables(loops);
            self.place = Place::Block;
            self.observer.flow(Flow::RoundBegins { count });
            self.code(&code.body, &Active::First(count))?;
            self.observer.flow(Flow::RoundEnds);
            self.place = Place::Outside;
            self.loops.truncate(outer);
            first += count as u64;
        }
        self.resident = None;
        self.observer.blocks(BlocksEvent::End);
        Ok(())
    }

    /// Deals blocks to run together; returns how many. Without values the observer chooses among them.
    fn deal_blocks(
        &mut self,
        code: &'a BlocksCode<'a>,
        bounds: &[Register],
        rows: &mut Odometer,
        most: usize,
    ) -> Result<usize> {
        let (loops, span) = (&code.loops, code.blocks.span);
        let (mut count, mut is_more) = (0, true);
        while is_more && rows.row().is_some() {
            self.check_end(span)?;
            let deal = Deal { place: Place::Block, lane: 0, first: count, most, span };
            let end = count + self.deal(loops, bounds, rows, deal)?;
            if self.memory.is_some() {
                return Ok(end);
            }
            let (chosen, others) = {
                let scalars = scalars_of_blocks(&self.of_blocks, &self.registers);
                self.observer.dealt(code.blocks, count..end, &scalars)
            };
            for lane in chosen {
                for variable in &loops.lanes {
                    self.registers[variable.0][count] = self.registers[variable.0][lane];
                }
                count += 1;
            }
            is_more = others;
        }
        Ok(count)
    }

    /// Blocks that have not begun: neither their memory nor their registers hold anything.
    fn resident(
        &self,
        first: u64,
        count: usize,
        size: BlockSize,
        span: Span,
    ) -> Result<ResidentBlocks> {
        let BlockSize { threads, shared_words, registers } = size;
        let count = count as u64;
        let a_block = threads.get().checked_mul(registers);
        let a_block = a_block.and_then(|words| words.checked_next_multiple_of(64));
        let kept = a_block.and_then(|words| words.checked_mul(count));
        // Without values there is nothing to share.
        let shared = if self.memory.is_some() { shared_words.checked_mul(count) } else { Some(0) };
        let memories = shared.and_then(Memory::of_words).zip(kept.and_then(Memory::of_words));
        let threads_a_block = usize::try_from(threads.get());
        let (Some((shared, words)), Some(a_block), Ok(threads)) =
            (memories, a_block, threads_a_block)
        else {
            let message = format!("{count} blocks of {threads} threads run at once");
            return Err(Box::new(Diagnostic::new(span, message).help(
                "their shared memory and registers do not fit memory: choose smaller blocks, or \
                 fewer of them at once with -d and --resident",
            )));
        };
        let kept = RegisterArrays { words, a_thread: registers, a_block };
        Ok(ResidentBlocks { first, threads, shared, shared_words, kept })
    }

    /// A nest of those blocks that are active; without values the observer chooses who runs it.
    pub(super) fn nest_of_blocks(&mut self, nest: &'a NestCode<'a>, active: &Active) -> Result<()> {
        if self.memory.is_some() {
            return self.run_nest_of_blocks(nest, active);
        }
        let running = {
            let Some(resident) = &self.resident else { return Ok(()) };
            let scalars = scalars_of_blocks(&self.of_blocks, &self.registers);
            let at =
                NestArrival { active, scalars: &scalars, defined: &|lane| resident.defined(lane) };
            self.observer.enter_nest_of_blocks(nest.nest, at)
        };
        if !running.is_empty() {
            self.run_nest_of_blocks(nest, &running)?;
        }
        let Some(resident) = &mut self.resident else { return Ok(()) };
        for (lane, defined) in
            self.observer.leave_nest_of_blocks(active, &|lane| resident.defined(lane))
        {
            resident.define(lane, &defined);
        }
        Ok(())
    }

    /// Each block deals its own iterations to its own threads.
    fn run_nest_of_blocks(&mut self, nest: &'a NestCode<'a>, active: &Active) -> Result<()> {
        let (loops, span) = (&nest.loops, nest.nest.span);
        let Some(ResidentBlocks { first, threads, .. }) = self.resident else { return Ok(()) };
        self.begin_outermost(loops, active)?;
        let mut blocks: Vec<(usize, Odometer)> = Vec::with_capacity(active.count());
        for block in active.lanes() {
            let rows = Odometer::new(loops.ranges.len(), |outer| self.begin(loops, outer, block))?;
            blocks.push((block, rows));
        }
        self.observer.blocks(BlocksEvent::Barrier { first, active });
        let last = blocks.last().map_or(0, |&(block, _)| block);
        self.widen(Place::Inside, (last + 1).saturating_mul(threads), span)?;
        for &(outside, inside) in &loops.captured {
            for &(block, _) in &blocks {
                let values = &self.registers[outside.0];
                let by = block.min(values.len() - 1);
                let (value, lanes) = (values[by], block * threads..(block + 1) * threads);
                self.registers[inside.0][lanes.clone()].fill(value);
                self.observer.flow(Flow::Captured { outside, by, inside, lanes });
            }
        }
        let bounds = bounds(loops);
        for round in 0.. {
            self.check_end(span)?;
            let mut lanes = vec![];
            for (block, rows) in &mut blocks {
                let from = *block * threads;
                let deal =
                    Deal { place: Place::Inside, lane: *block, first: from, most: threads, span };
                let count = self.deal(loops, &bounds, rows, deal)?;
                lanes.extend((from..from + count).map(|lane| lane as u32));
            }
            let Some(&last) = lanes.last() else { break };
            self.observer.blocks(BlocksEvent::Round(round));
            let outer = self.loops.len();
            self.name_variables(loops);
            self.place = Place::Inside;
            self.observer.flow(Flow::RoundBegins { count: last as usize + 1 });
            self.code(&nest.body, &Active::of(lanes))?;
            self.observer.flow(Flow::RoundEnds);
            self.place = Place::Block;
            self.loops.truncate(outer);
        }
        self.observer.blocks(BlocksEvent::Barrier { first, active });
        Ok(())
    }
}

/// The bits of scalars of blocks in a lane, or outside if they are of there.
fn scalars_of_blocks<'a>(
    scalars: &'a [Option<Register>],
    registers: &'a [Vec<u64>],
) -> impl Fn(ScalarId, usize) -> i64 + 'a {
    move |scalar, lane| {
        let values = scalars[scalar.0].map_or(&[][..], |register| &registers[register.0]);
        values.get(lane).or_else(|| values.last()).map_or(0, |bits| bits.cast_signed())
    }
}
