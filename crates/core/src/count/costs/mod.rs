//! What a program costs on machines of courses, counted: its nests and loops are measured, not executed,
//! if how often anything happens in them does not depend on memory.

mod footprint;
mod measure;
mod rounds;

use std::collections::{BTreeSet, HashMap, HashSet};

use self::footprint::LoopFootprint;
use self::measure::{Body, Measure, Measurer};
use self::rounds::exclusive;
use super::Setting;
use super::counter::loop_range;
use super::form::Scalars;
use super::skeleton::{range_form, skeleton_with_operations};
use super::slicing::relevant;
use super::work::{Action, NestForm, NotAffine};
use crate::cost::{Cost, CostMachine, CountedLoop, Feed};
use crate::diagnostic::Diagnostic;
use crate::language::oblivious::{OnData, on_data};
use crate::language::program::{
    Block, Expr, ExprKind, For, LoopId, Nest, Program, ScalarId, Statement,
};
use crate::language::syntax::BinaryOp;
use crate::machine::Machine;
use crate::run::layout::Layout;
use crate::run::{self, Accesses, Active, Evaluation, Flow, Limits, Observer, is_eager};
use crate::trace::Phase;

/// What a program costs on a machine, equal to what executing it costs; `None` if that cannot be counted.
/// It must be one that [`count`](super::count()) has counted: its addresses are not looked at again.
pub fn count_cost(
    program: &Program,
    layout: &Layout,
    machine: &CostMachine,
    memory: Machine,
    limits: Limits,
) -> Option<Cost> {
    let on_data = on_data(program);
    if program.first_vector().is_some() || !is_known_outside(&program.body, &on_data) {
        return None;
    }
    let threads = limits.threads;
    let setting = Setting {
        program,
        layout,
        machine: memory,
        threads,
        limits,
        on_data: &on_data,
        ordered: false,
    };
    let mut phases = HashMap::new();
    note_phases(program, &program.body, Phase(0), &mut phases);
    let model = machine.model(program, layout, threads);
    let mut counter = CostCounter {
        setting,
        feed: Feed::new(program, model, machine.winner()),
        phases,
        relevant: relevant(program, &on_data),
        nests: HashMap::new(),
        loops: HashMap::new(),
    };
    let watch: &mut dyn Observer = &mut counter;
    run::execute_without_values(program, layout, limits, watch).ok()?;
    Some(counter.feed.finish().ok()?.cost())
}

/// Whether an execution without values evaluates as many operators outside nests as one with them. It
/// leaves out what may fail as memory holds, and what is done, or not, as it does.
fn is_known_outside(block: &Block, on_data: &OnData) -> bool {
    block.iter().all(|statement| {
        let of_blocks = || statement.blocks().all(|it| is_known_outside(it, on_data));
        let of_all = || statement.expressions().all(|it| is_known(it, on_data));
        match statement {
            Statement::Parallel(_) => of_all(),
            Statement::Blocks(_) => false,
            Statement::If { condition, .. } if on_data.controls(condition) => {
                of_all() && statement.blocks().all(has_no_operator)
            }
            Statement::While { condition, .. } => {
                !on_data.controls(condition) && of_all() && of_blocks()
            }
            Statement::For(it) => !on_data.controls(&it.range.from) && of_all() && of_blocks(),
            _ => of_all() && of_blocks(),
        }
    })
}

fn is_known(expr: &Expr, on_data: &OnData) -> bool {
    // Variables of loops alone are surely what they are in a run with values.
    let is_sure = |it: &Expr| it.reads().next().is_none() && it.scalars().next().is_none();
    expr.parts().all(|it| match &it.kind {
        _ if on_data.fails(it) => false,
        ExprKind::Conditional(parts) => {
            is_sure(&parts[0]) || parts[1..].iter().all(is_without_operator)
        }
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) if !is_eager(right) => {
            is_sure(left) || is_without_operator(right)
        }
        _ => true,
    })
}

fn has_no_operator(block: &Block) -> bool {
    block.iter().all(|it| {
        it.ranges().is_empty()
            && it.expressions().all(is_without_operator)
            && it.blocks().all(has_no_operator)
    })
}

fn is_without_operator(expr: &Expr) -> bool {
    !expr.parts().any(|it| matches!(it.kind, ExprKind::Unary(..) | ExprKind::Binary(..)))
}

/// The phase in which each loop stands.
fn note_phases(program: &Program, block: &Block, phase: Phase, found: &mut HashMap<LoopId, Phase>) {
    for statement in block {
        let inside = match statement {
            Statement::Labelled { phase: label, .. } => program.phase_within(label, phase),
            _ => phase,
        };
        found.extend(statement.ranges().iter().map(|it| (it.id, phase)));
        statement.blocks().for_each(|it| note_phases(program, it, inside, found));
    }
}

/// Watches an execution without values, and takes loops off its hands.
struct CostCounter<'a> {
    setting: Setting<'a>,
    feed: Feed<'a>,
    phases: HashMap<LoopId, Phase>,
    relevant: HashSet<ScalarId>,
    nests: HashMap<LoopId, Result<NestForm, NotAffine>>,
    loops: HashMap<LoopId, Option<NestForm>>,
}

impl CostCounter<'_> {
    fn nest_form(&self, nest: &Nest) -> Result<NestForm, NotAffine> {
        let ranges = nest.ranges.iter().map(|range| range_form(&self.setting, range));
        let ranges = ranges.collect::<Result<_, _>>()?;
        let phase = self.phases[&nest.id()];
        let work = skeleton_with_operations(&self.setting, &nest.body, phase)?;
        Ok(NestForm { ranges, work, span: nest.span })
    }

    /// A loop outside nests, as a nest of one range.
    fn loop_form(&self, it: &For) -> Option<NestForm> {
        let range = loop_range(&self.setting, &self.relevant, it)?;
        if it.while_true.is_some() {
            return None;
        }
        let phase = self.phases[&it.range.id];
        let work = skeleton_with_operations(&self.setting, &it.body, phase).ok()?;
        Some(NestForm { ranges: vec![range], work, span: it.range.span })
    }
}

/// Tells a machine of a loop; false if that needs to be executed.
fn tell(
    feed: &mut Feed<'_>,
    setting: &Setting<'_>,
    form: &NestForm,
    is_nest: bool,
    scalars: &mut Scalars,
) -> Result<bool, NotAffine> {
    let overflow = NotAffine::overflow(form.span);
    let work = &*form.work(scalars).ok_or(overflow)?;
    let mut kinds = BTreeSet::new();
    note_kinds(work, &mut kinds);
    let kinds: Vec<Evaluation> = kinds.into_iter().collect();
    let measurer = Measurer { kinds: &kinds, span: form.span };
    let measure = measurer.nest(&form.ranges, work, scalars)?;
    let variables = form.variables();
    let is_even = is_nest && !variables.iter().any(|&it| Body::Work(work).depends_on(it));
    let each = match (is_even, measure.iterations) {
        (true, 1..) => Some(measurer.work(work, scalars)?),
        _ => None,
    };
    let Measure { iterations, sum, longest } = measure;
    let operations: Vec<_> = kinds.iter().copied().zip(sum[1..].iter().copied()).collect();
    let all = operations.iter().map(|it| it.1).sum();
    let footprint = LoopFootprint { setting, form, work, kinds: &kinds, is_nest, scalars };
    Ok(feed.counted(&CountedLoop {
        is_nest,
        iterations: if is_nest { iterations } else { 1 },
        accesses: sum[0],
        operations,
        longest: if is_nest { longest } else { [sum[0], all, sum[0] + all] },
        each: each.map(|it| [it.sum[0], it.sum[1..].iter().sum()]),
        exclusive: match is_nest && setting.threads.get() > 1 {
            true => exclusive(setting.program, form, work, scalars),
            false => [true; 2],
        },
        footprint: &footprint,
    }))
}

fn note_kinds(work: &[Action], kinds: &mut BTreeSet<Evaluation>) {
    for action in work {
        match action {
            Action::Operation(it) => {
                kinds.insert(it.evaluation);
            }
            Action::Loop(it) => note_kinds(&it.body, kinds),
            Action::Access(_) | Action::Require(_) => {}
        }
    }
}

impl Observer for CostCounter<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        self.feed.access(accesses);
    }

    fn evaluate(&mut self, evaluation: Evaluation, active: &Active) {
        self.feed.evaluate(evaluation, active);
    }

    fn enter_nest(&mut self, nest: &Nest) {
        self.feed.enter_nest(nest);
    }

    fn leave_nest(&mut self, nest: &Nest, variables: &[(&str, &[u64])]) {
        self.feed.leave_nest(nest, variables);
    }

    fn flow(&mut self, flow: Flow<'_>) {
        self.feed.flow(flow);
    }

    fn has_seen_enough(&self) -> bool {
        self.feed.has_seen_enough()
    }

    /// What cannot be told ends all of the counting: executed without values, operators would be missing.
    fn skip_nest(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        let mut values = self.setting.values(scalars);
        if !self.nests.contains_key(&nest.id()) {
            let form = self.nest_form(nest);
            self.nests.insert(nest.id(), form);
        }
        let told = match &self.nests[&nest.id()] {
            Ok(form) => tell(&mut self.feed, &self.setting, form, true, &mut values),
            Err(why) => Err(*why),
        };
        match told {
            Ok(true) => Ok(true),
            Ok(false) => Err(Box::new(Diagnostic::new(nest.span, "the machine hears each step"))),
            Err(why) => Err(Box::new(Diagnostic::new(why.span, why.why))),
        }
    }

    fn skip_loop(&mut self, it: &For, scalars: &dyn Fn(ScalarId) -> i64) -> bool {
        let mut values = self.setting.values(scalars);
        if !self.loops.contains_key(&it.range.id) {
            let form = self.loop_form(it);
            self.loops.insert(it.range.id, form);
        }
        let Some(form) = &self.loops[&it.range.id] else { return false };
        tell(&mut self.feed, &self.setting, form, false, &mut values).unwrap_or(false)
    }
}
