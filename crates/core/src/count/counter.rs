//! Watches an execution without values, and takes every loop off its hands that it can count.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use super::address_analysis;
use super::blocks::BlocksCounter;
use super::form::Scalars;
use super::nest;
use super::sequential;
use super::skeleton::{range_form, skeleton};
use super::slicing::{assigns, relevant};
use super::work::{Action, LoopForm, NestForm, NotAffine, RangeForm};
use super::{ExecutedLoop, Setting, synchronous};
use crate::diagnostic::Diagnostic;
use crate::language::program::{Access, Block, Blocks, For, LoopId, Nest, ScalarId};
use crate::language::syntax::Role;
use crate::language::walk::{accesses, nests};
use crate::machine::{Clock, Counts, Mode};
use crate::run::{Accesses, Active, BlockTracer, BlocksEvent, Budget, Flow, NestArrival, Observer};
use crate::trace::{AccessKind, Sink, Step};

/// Nests counted at once, on all cores.
const BATCH: usize = 256;

pub(super) struct Counter<'a> {
    setting: Setting<'a>,
    mode: Mode,
    relevant: HashSet<ScalarId>,
    /// The clock for what is executed.
    clock: Clock,
    counts: Vec<Counts>,
    /// Nests that cannot be counted, as was found when they were.
    stepwise: HashMap<LoopId, NotAffine>,
    /// The same of the nest that could not be counted just now.
    pub(super) uncountable: Option<(LoopId, NotAffine)>,
    /// What each loop of the listing comes to.
    nests: HashMap<LoopId, Result<NestForm, NotAffine>>,
    loops: HashMap<LoopId, Option<LoopForm>>,
    /// Nests still to be counted, with the scalars' values.
    batch: Vec<(LoopId, Scalars)>,
    executed: Vec<ExecutedLoop>,
    /// The nests that these are.
    noted: HashSet<LoopId>,
    step: Step,
    /// Executed loops on DMMs.
    executed_blocks: BlockTracer,
    /// Counts the others, where steps of blocks follow each other.
    blocks: Option<BlocksCounter<'a>>,
    is_in_blocks: bool,
    /// Accesses that may still be executed.
    left: u64,
    /// Operations that may.
    operations: Budget,
}

impl<'a> Counter<'a> {
    /// `stepwise` nests are not counted; this many accesses, and operations, may be executed.
    pub(super) fn new(
        setting: Setting<'a>,
        mode: Mode,
        stepwise: HashMap<LoopId, NotAffine>,
        [left, operations]: [u64; 2],
    ) -> Self {
        let relevant = relevant(setting.program, setting.on_data);
        let dmms = setting.machine.kind.dmms().filter(|_| !setting.ordered);
        let blocks = dmms.map(|dmms| BlocksCounter::new(setting, dmms, relevant.clone()));
        Self {
            setting,
            mode,
            stepwise,
            uncountable: None,
            relevant,
            clock: Clock::new(setting.machine, mode, setting.threads),
            counts: vec![Counts::default(); setting.program.phases.len()],
            nests: HashMap::new(),
            loops: HashMap::new(),
            batch: vec![],
            executed: vec![],
            noted: HashSet::new(),
            step: Step::new(AccessKind::Read),
            executed_blocks: BlockTracer::default(),
            blocks,
            is_in_blocks: false,
            left,
            operations: Budget(operations),
        }
    }

    /// After the last batch: the time by phase, and what was executed.
    pub(super) fn finish(self) -> (Vec<Counts>, Vec<ExecutedLoop>) {
        let Self { clock, mut counts, executed, blocks, .. } = self;
        add(&mut counts, &clock.finish());
        if let Some(blocks) = blocks {
            add(&mut counts, &blocks.finish());
        }
        (counts, executed)
    }

    pub(super) fn count_batch(&mut self) -> Result<(), Box<Diagnostic>> {
        let (setting, mode, nests) = (self.setting, self.mode, &self.nests);
        let batch = std::mem::take(&mut self.batch);
        let counts = batch
            .into_par_iter()
            .map(|(id, mut scalars)| {
                let form = nests[&id].as_ref().map_err(|why| (id, *why))?;
                count_nest(form, setting, mode, &mut scalars).map_err(|why| (id, why))
            })
            .collect::<Result<Vec<Vec<Counts>>, _>>();
        let counts = counts.map_err(|(id, why)| {
            self.uncountable = (!why.fails).then_some((id, why));
            Box::new(Diagnostic::new(why.span, why.why))
        })?;
        for counts in counts {
            add(&mut self.counts, &counts);
        }
        Ok(())
    }

    /// Notes that a nest is executed; once for each nest of the listing.
    fn note(&mut self, nest: &Nest, why: NotAffine) {
        if !self.noted.insert(nest.id()) {
            return;
        }
        let phases = self.phases(&nest.body);
        self.executed.push(ExecutedLoop { phases, span: why.span, why: why.why });
    }

    /// The same of a loop on DMMs.
    fn note_blocks(&mut self, blocks: &Blocks, why: NotAffine) {
        if !self.noted.insert(blocks.ranges[0].id) {
            return;
        }
        let phases = self.phases(&blocks.body);
        self.executed.push(ExecutedLoop { phases, span: why.span, why: why.why });
    }

    /// Whether the blocks of a loop that begins are counted.
    fn begin_blocks(&mut self, blocks: &Blocks) -> bool {
        let id = blocks.ranges[0].id;
        let step_by_step = NotAffine::new(blocks.span, "its blocks run step by step");
        let begun = match (self.stepwise.get(&id), &mut self.blocks) {
            (None, Some(counter)) => counter.begin(blocks),
            (Some(&why), _) => Err(why),
            (None, None) => Err(step_by_step),
        };
        match begun {
            // Where a block fails, executing all of them tells which is the first.
            Ok(()) => self.uncountable = Some((id, step_by_step)),
            Err(why) => self.note_blocks(blocks, why),
        }
        begun.is_ok()
    }

    /// The counter of the blocks that run, if they are counted.
    fn of_blocks(&mut self) -> Option<&mut BlocksCounter<'a>> {
        self.blocks.as_mut().filter(|_| self.is_in_blocks)
    }

    /// Those in which a block of statements accesses memory.
    fn phases(&self, block: &Block) -> Vec<u32> {
        let program = self.setting.program;
        let is_memory = |it: &&Access| program.arrays[it.array.0].role != Role::Register;
        let phase = |it: &Access| program.sites[it.site.0].phase.0;
        let mut phases: Vec<u32> = accesses(block).filter(is_memory).map(phase).collect();
        phases.dedup();
        phases
    }

    /// A sequential loop's skeleton, if it has one and leaves no scalar behind that matters.
    fn loop_form(&self, it: &For) -> Option<LoopForm> {
        let range = loop_range(&self.setting, &self.relevant, it)?;
        let body = skeleton(&self.setting, &it.body).ok()?;
        let guard = super::guard::Guard::Constant(true);
        Some(LoopForm { range, guard, body })
    }
}

impl Observer for Counter<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        self.left = self.left.saturating_sub(accesses.addresses.len() as u64);
        let site = &self.setting.program.sites[accesses.site.0];
        if let Some(blocks) = accesses.blocks {
            if let Some(counter) = self.of_blocks() {
                counter.access(accesses, blocks);
            } else {
                self.executed_blocks.access(accesses, blocks, site, &mut self.clock);
            }
            return;
        }
        if self.setting.layout.bulk.is_some() {
            let base = crate::units::Address(accesses.addresses[0]);
            self.step.kind = site.kind;
            self.step.pieces.clear();
            self.step.pieces.push(self.setting.threads_at(site.array.0, base));
        } else {
            accesses.fill(site.kind, &mut self.step);
        }
        self.clock.step(site.phase, &self.step);
    }

    fn flow(&mut self, flow: Flow<'_>) {
        self.operations.flow(flow);
    }

    fn has_seen_enough(&self) -> bool {
        self.left == 0 || self.operations.has_seen_enough()
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.clock.barrier();
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.clock.barrier();
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        if let BlocksEvent::Begin { blocks, .. } = event {
            self.is_in_blocks = self.begin_blocks(blocks);
        }
        let Some(counter) = self.of_blocks() else {
            return self.executed_blocks.event(event, &mut self.clock);
        };
        match event {
            BlocksEvent::Deal { .. } => counter.run(),
            BlocksEvent::End => {
                counter.end();
                (self.is_in_blocks, self.uncountable) = (false, None);
            }
            BlocksEvent::Begin { .. } | BlocksEvent::Barrier { .. } | BlocksEvent::Round(_) => {}
        }
    }

    fn dealt(
        &mut self,
        blocks: &Blocks,
        lanes: Range<usize>,
        scalars: &dyn Fn(ScalarId, usize) -> i64,
    ) -> (Vec<usize>, bool) {
        match self.of_blocks() {
            Some(counter) => counter.dealt(blocks, lanes, scalars),
            None => (lanes.collect(), false),
        }
    }

    fn enter_nest_of_blocks(&mut self, nest: &Nest, at: NestArrival<'_>) -> Active {
        match self.of_blocks() {
            Some(counter) => counter.enter_nest(nest, at),
            None => at.active.clone(),
        }
    }

    fn leave_nest_of_blocks<'b>(
        &mut self,
        active: &Active,
        defined: &dyn Fn(usize) -> &'b [u64],
    ) -> Vec<(usize, Box<[u64]>)> {
        self.of_blocks().map_or_else(Vec::new, |counter| counter.leave_nest(active, defined))
    }

    fn blocks_in_step(&self) -> Option<u64> {
        self.clock.blocks_in_step()
    }

    fn skip_nest(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        let (id, setting) = (nest.id(), self.setting);
        let values = self.setting.values(scalars);
        let form = &*self.nests.entry(id).or_insert_with(|| nest_form(setting, nest));
        let counted = match (self.stepwise.get(&id), form) {
            (Some(why), _) | (None, Err(why)) => Err(*why),
            (None, Ok(form)) => address_analysis::check(form, &setting, &values),
        };
        match counted {
            Err(why) => {
                self.note(nest, why);
                return Ok(false);
            }
            Ok(Some(counts)) => add(&mut self.counts, &counts),
            Ok(None) => self.batch.push((id, values)),
        }
        self.clock.barrier();
        if self.batch.len() == BATCH {
            self.count_batch()?;
        }
        Ok(true)
    }

    fn skip_loop(&mut self, it: &For, scalars: &dyn Fn(ScalarId) -> i64) -> bool {
        let id = it.range.id;
        if !self.loops.contains_key(&id) {
            let form = self.loop_form(it);
            self.loops.insert(id, form);
        }
        let Some(form) = &self.loops[&id] else { return false };
        let values = self.setting.values(scalars);
        if self.setting.ordered {
            let dry = sequential::feed(
                form,
                &self.setting,
                &mut values.clone(),
                &mut sequential::Nowhere,
            );
            return dry.is_ok()
                && sequential::feed(form, &self.setting, &mut values.clone(), &mut self.clock)
                    .is_ok();
        }
        let mut clock = Clock::new(self.setting.machine, self.mode, self.setting.threads);
        let fed = sequential::feed(form, &self.setting, &mut values.clone(), &mut clock);
        if fed.is_ok() {
            add(&mut self.counts, &clock.finish());
        }
        fed.is_ok()
    }
}

/// The range of a sequential loop that can be counted by itself: nothing in it is parallel, and it leaves
/// no scalar behind that matters.
pub(super) fn loop_range(
    setting: &Setting<'_>,
    relevant: &HashSet<ScalarId>,
    it: &For,
) -> Option<RangeForm> {
    if nests(&it.body).next().is_some() || assigns(&it.body, relevant) {
        return None;
    }
    range_form(setting, &it.range).ok()
}

fn add(totals: &mut [Counts], counts: &[Counts]) {
    for (total, &more) in totals.iter_mut().zip(counts) {
        *total += more;
    }
}

fn nest_form(setting: Setting<'_>, nest: &Nest) -> Result<NestForm, NotAffine> {
    let ranges = nest.ranges.iter().map(|range| range_form(&setting, range));
    let ranges = ranges.collect::<Result<_, _>>()?;
    let work: Vec<Action> = skeleton(&setting, &nest.body)?;
    Ok(NestForm { ranges, work, span: nest.span })
}

fn count_nest(
    form: &NestForm,
    setting: Setting<'_>,
    mode: Mode,
    scalars: &mut Scalars,
) -> Result<Vec<Counts>, NotAffine> {
    if !setting.ordered
        && let Some(counts) = synchronous::count(form, &setting, scalars)?
    {
        return Ok(counts);
    }
    let mut clock = Clock::new(setting.machine, mode, setting.threads);
    nest::feed(form, &setting, scalars, &mut nest::Stepwise::new(&mut clock))?;
    Ok(clock.finish())
}
