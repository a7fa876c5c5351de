//! Watches an execution without values, and takes every loop off its hands that it can count.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::form::Scalars;
use super::nest;
use super::relevant::{assigns, relevant};
use super::sequential;
use super::skeleton::{range_form, skeleton};
use super::work::{LoopForm, NestForm, NotAffine, Work};
use super::{Executed, Setting, synchronous};
use crate::diagnostic::Diagnostic;
use crate::language::program::{Block, For, Nest, ScalarId, Statement};
use crate::language::sites::sites_of;
use crate::machine::{Clock, Counts, Mode};
use crate::run::{Accesses, Observer};
use crate::trace::{Kind, Sink, Step};

/// Nests counted at once, on all cores.
const BATCH: usize = 256;

pub(super) struct Counter<'a> {
    setting: Setting<'a>,
    mode: Mode,
    relevant: HashSet<ScalarId>,
    /// The clock for what is executed.
    clock: Clock,
    counts: Vec<Counts>,
    /// The loops of the listing by where they stand; an execution shows copies of them.
    originals: Originals<'a>,
    /// Nests that cannot be counted, as was found when they were.
    stepwise: HashMap<usize, NotAffine>,
    /// The same of the nest that could not be counted just now.
    pub(super) uncountable: Option<(usize, NotAffine)>,
    /// What each loop of the listing comes to, by where it stands.
    nests: HashMap<usize, Result<NestForm, NotAffine>>,
    loops: HashMap<usize, Option<LoopForm>>,
    /// Nests still to be counted, with the scalars' values.
    batch: Vec<(usize, Scalars)>,
    executed: Vec<Executed>,
    step: Step,
}

impl<'a> Counter<'a> {
    /// `stepwise` nests are not counted.
    pub(super) fn new(
        setting: Setting<'a>,
        mode: Mode,
        stepwise: HashMap<usize, NotAffine>,
    ) -> Self {
        let mut originals = Originals::default();
        originals.block(&setting.program.body);
        Self {
            setting,
            mode,
            originals,
            stepwise,
            uncountable: None,
            relevant: relevant(setting.program, setting.on_data),
            clock: Clock::new(setting.machine, mode, setting.threads),
            counts: vec![Counts::default(); setting.program.phases.len()],
            nests: HashMap::new(),
            loops: HashMap::new(),
            batch: vec![],
            executed: vec![],
            step: Step::new(Kind::Read),
        }
    }

    /// After the last batch: the time by phase, and what was executed.
    pub(super) fn finish(self) -> (Vec<Counts>, Vec<Executed>) {
        let Self { clock, mut counts, executed, .. } = self;
        add(&mut counts, &clock.finish());
        (counts, executed)
    }

    pub(super) fn count_batch(&mut self) -> Result<(), Box<Diagnostic>> {
        let (setting, mode, nests) = (self.setting, self.mode, &self.nests);
        let batch = std::mem::take(&mut self.batch);
        let counts = batch
            .into_par_iter()
            .map(|(place, mut scalars)| {
                let form = nests[&place].as_ref().map_err(|why| (place, *why))?;
                count_nest(form, setting, mode, &mut scalars).map_err(|why| (place, why))
            })
            .collect::<Result<Vec<Vec<Counts>>, _>>();
        let counts = counts.map_err(|(place, why)| {
            self.uncountable = (!why.fails).then_some((place, why));
            Box::new(Diagnostic::new(why.span, why.why))
        })?;
        for counts in counts {
            add(&mut self.counts, &counts);
        }
        Ok(())
    }

    /// Notes that a loop is executed; once for each loop of the listing.
    fn note(&mut self, body: &Block, why: NotAffine) {
        let NotAffine { span, why, .. } = why;
        if self.executed.iter().any(|it| it.span.start == span.start && it.span.end == span.end) {
            return;
        }
        let program = self.setting.program;
        let mut phases: Vec<u32> =
            sites_of(program, body).iter().map(|site| program.sites[site.0].phase.0).collect();
        phases.dedup();
        self.executed.push(Executed { phases, span, why });
    }

    fn values(&self, scalars: &dyn Fn(ScalarId) -> i64) -> Scalars {
        (0..self.setting.program.scalars.len()).map(|index| scalars(ScalarId(index))).collect()
    }

    /// A sequential loop's skeleton, if it has one and leaves no scalar behind that matters.
    fn loop_form(&self, it: &For) -> Option<LoopForm> {
        if contains_nest(&it.body) || assigns(&it.body, &self.relevant) {
            return None;
        }
        let range = range_form(&self.setting, &it.range).ok()?;
        let body = skeleton(&self.setting, &it.body).ok()?;
        let guard = super::guard::Guard::Constant(true);
        Some(LoopForm { range, guard, body })
    }
}

impl Observer for Counter<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = &self.setting.program.sites[accesses.site.0];
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

    fn enter_nest(&mut self, _: &Nest) {
        self.clock.barrier();
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.clock.barrier();
    }

    fn skip_nest(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        let place = nest.span.start;
        let setting = self.setting;
        let original = self.originals.nests[&place];
        let form = self.nests.entry(place).or_insert_with(|| nest_form(setting, original));
        let why = self.stepwise.get(&place).or(form.as_ref().err()).copied();
        if let Some(why) = why {
            self.note(&nest.body, why);
            return Ok(false);
        }
        let values = self.values(scalars);
        if let Ok(form) = &self.nests[&place]
            && let Err(why) = nest::check(form, &setting, &values)
        {
            self.note(&nest.body, why);
            return Ok(false);
        }
        self.clock.barrier();
        self.batch.push((place, values));
        if self.batch.len() == BATCH {
            self.count_batch()?;
        }
        Ok(true)
    }

    fn skip_loop(&mut self, it: &For, scalars: &dyn Fn(ScalarId) -> i64) -> bool {
        let place = it.range.span.start;
        if !self.loops.contains_key(&place) {
            let form = self.loop_form(self.originals.loops[&place]);
            self.loops.insert(place, form);
        }
        let Some(form) = &self.loops[&place] else { return false };
        let values = self.values(scalars);
        if self.setting.ordered {
            let dry =
                sequential::feed(form, &self.setting, &mut values.clone(), &mut nest::Nowhere);
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

#[derive(Default)]
struct Originals<'a> {
    loops: HashMap<usize, &'a For>,
    nests: HashMap<usize, &'a Nest>,
}

impl<'a> Originals<'a> {
    fn block(&mut self, block: &'a Block) {
        for statement in block {
            match statement {
                Statement::For(it) => {
                    self.loops.insert(it.range.span.start, it);
                    self.block(&it.body);
                }
                Statement::Parallel(nest) => {
                    self.nests.insert(nest.span.start, nest);
                }
                Statement::While { body, .. } | Statement::Labelled { body, .. } => {
                    self.block(body)
                }
                Statement::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                Statement::Assign { .. } | Statement::Store { .. } => {}
            }
        }
    }
}

fn add(totals: &mut [Counts], counts: &[Counts]) {
    for (total, &more) in totals.iter_mut().zip(counts) {
        *total += more;
    }
}

fn nest_form(setting: Setting<'_>, nest: &Nest) -> Result<NestForm, NotAffine> {
    let ranges = nest.ranges.iter().map(|range| range_form(&setting, range));
    let ranges = ranges.collect::<Result<_, _>>()?;
    let work: Vec<Work> = skeleton(&setting, &nest.body)?;
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
    nest::feed(form, &setting, scalars, &mut clock)?;
    Ok(clock.finish())
}

fn contains_nest(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Parallel(_) => true,
        Statement::For(For { body, .. })
        | Statement::While { body, .. }
        | Statement::Labelled { body, .. } => contains_nest(body),
        Statement::If { then, otherwise, .. } => contains_nest(then) || contains_nest(otherwise),
        Statement::Assign { .. } | Statement::Store { .. } => false,
    })
}
