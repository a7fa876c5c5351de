//! Executes lowered code on memory, all threads of a step together, and tells a [`Observer`] every
//! access step.

mod access;
mod atomic;
mod blocks;
mod failure;
mod nest;
mod range;
mod register_arrays;
mod warp;

use std::collections::{HashMap, HashSet};

use self::blocks::ResidentBlocks;
use self::register_arrays::RegisterArrays;
use super::active::Active;
use super::arithmetic;
use super::code::{Code, Instruction, Lowered, Node, Place, RangeCode, Register};
use super::flow::Flow;
use super::layout::Layout;
use super::limits::{Allowance, Limits};
use super::memory::Memory;
use super::observer::Observer;
use super::operation::Operation;
use crate::diagnostic::{Diagnostic, LimitKind, Span};
use crate::language::program::{ArrayId, For, Program, ScalarId};
use crate::language::syntax::BinaryOp;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

pub(super) struct Executor<'a, W: ?Sized> {
    program: &'a Program,
    layout: &'a Layout,
    memory: Option<&'a mut Memory>,
    observer: &'a mut W,
    limits: Limits,
    allowance: Allowance,
    places: &'a [(Place, Option<u64>)],
    registers: Vec<Vec<u64>>,
    /// The run is over: what is read now is no access.
    unobserved: bool,
    /// Lanes that registers of blocks and inside nests have.
    in_blocks: usize,
    inside: usize,
    /// The blocks that go in step, of a loop on DMMs.
    resident: Option<ResidentBlocks>,
    /// Of threads outside of loops on DMMs.
    kept: RegisterArrays,
    /// Scratch: physical addresses by thread.
    addresses: Vec<u64>,
    scalars: &'a HashMap<(ScalarId, Place), Register>,
    tables: &'a [Vec<u64>],
    /// As [`Lowered::unknown`].
    unknown: &'a HashSet<ArrayId>,
    /// By scalar, the register in which thread 0 of a block has it, or of the sequential part.
    of_blocks: Vec<Option<Register>>,
    /// Where execution stands.
    place: Place,
    /// Of the sequential loops around; see [`Accesses::turn`].
    turn: u64,
    /// Variables of the loops around, for messages.
    loops: Vec<(&'a str, Register)>,
    /// How many of them a compiler writes out.
    unrolled: usize,
}

impl<'a, W: Observer + ?Sized> Executor<'a, W> {
    pub(super) fn new(
        program: &'a Program,
        layout: &'a Layout,
        lowered: &'a Lowered<'a>,
        memory: Option<&'a mut Memory>,
        observer: &'a mut W,
        limits: Limits,
    ) -> Self {
        let outside = outside_threads(layout, memory.is_some());
        let of_blocks = (0..program.scalars.len()).map(|scalar| {
            let at = |place| lowered.scalars.get(&(ScalarId(scalar), place)).copied();
            at(Place::Block).or_else(|| at(Place::Outside))
        });
        let of_blocks = of_blocks.collect();
        let registers = lowered
            .registers
            .iter()
            .map(|&(place, constant)| match place {
                Place::Outside => vec![constant.unwrap_or(0); outside],
                Place::Block | Place::Inside => vec![],
            })
            .collect();
        Self {
            program,
            layout,
            memory,
            observer,
            limits,
            allowance: Allowance::new(limits.work),
            places: &lowered.registers,
            scalars: &lowered.scalars,
            tables: &lowered.tables,
            unknown: &lowered.unknown,
            of_blocks,
            place: Place::Outside,
            registers,
            unobserved: false,
            in_blocks: 0,
            inside: 0,
            resident: None,
            kept: RegisterArrays::default(),
            addresses: vec![0; outside],
            turn: 0,
            loops: vec![],
            unrolled: 0,
        }
    }

    pub(super) fn run(&mut self, lowered: &'a Lowered<'a>) -> Result<Option<u64>> {
        let threads = outside_threads(self.layout, self.memory.is_some());
        self.hold_registers(threads, Span::default())?;
        let all = Active::First(threads);
        self.code(&lowered.body, &all)?;
        self.answer(lowered)
    }

    /// The bits of the answer (of input 0), if the program names one. Reading it is nobody's access.
    fn answer(&mut self, lowered: &'a Lowered<'a>) -> Result<Option<u64>> {
        let Some((code, register)) = &lowered.answer else { return Ok(None) };
        self.unobserved = true;
        self.code(code, &Active::First(1))?;
        Ok(Some(self.registers[register.0][0]))
    }

    fn code(&mut self, code: &'a Code<'a>, active: &Active) -> Result<()> {
        code.iter().try_for_each(|node| self.node(node, active))
    }

    fn node(&mut self, node: &'a Node<'a>, active: &Active) -> Result<()> {
        match node {
            Node::Straight(instructions) => {
                self.allowance.spend(instructions.len() * active.count());
                instructions.iter().try_for_each(|it| self.instruction(it, active))
            }
            Node::Branch { condition, then, otherwise, changes } => {
                self.observer.flow(Flow::Split);
                self.observer.flow(Flow::Decided { on: &[*condition], active });
                let condition = &self.registers[condition.0];
                let taken = active.filter(|lane| condition[lane] != 0);
                let rest = if otherwise.is_empty() {
                    Active::First(0)
                } else {
                    active.filter(|lane| condition[lane] == 0)
                };
                if !taken.is_empty() {
                    self.code(then, &taken)?;
                }
                if !rest.is_empty() {
                    self.code(otherwise, &rest)?;
                }
                self.observer.flow(Flow::Rejoin { changes, active });
                Ok(())
            }
            Node::For { range, body, changes, while_true, source } => {
                let may_skip = self.memory.is_none() && self.place == Place::Outside;
                if may_skip && self.skips_loop(source) {
                    return Ok(());
                }
                self.for_loop(range, body, *while_true, active)?;
                self.observer.flow(Flow::Rejoin { changes, active });
                Ok(())
            }
            Node::While { test, condition, measure, body, changes, span } => {
                let mut last = vec![];
                let all = active;
                let mut active = active.clone();
                self.observer.flow(Flow::Split);
                let turn = self.turn;
                for iteration in 0_u64.. {
                    self.turn = turn_of(turn, iteration);
                    self.allowance.spend(active.count());
                    self.check_end(*span)?;
                    self.code(test, &active)?;
                    self.observer.flow(Flow::Decided { on: &[*condition], active: &active });
                    let condition = &self.registers[condition.0];
                    active = active.filter(|lane| condition[lane] != 0);
                    if active.is_empty() {
                        break;
                    }
                    if iteration == self.limits.while_iterations {
                        let message = format!("this loop has run {iteration} times without ending");
                        let error = self.error(*span, message, first(&active));
                        let error = error.help("raise --while-limit if it is meant to");
                        return Err(Box::new(Diagnostic {
                            limit: Some(LimitKind::Iterations),
                            ..error
                        }));
                    }
                    if let Some(measure) = measure {
                        self.check_fall(measure, &mut last, &active)?;
                    }
                    self.code(body, &active)?;
                }
                self.turn = turn;
                self.observer.flow(Flow::Rejoin { changes, active: all });
                Ok(())
            }
            Node::Nest(nest) => match self.place {
                Place::Block => self.nest_of_blocks(nest, active),
                Place::Outside | Place::Inside => self.nest(nest),
            },
            Node::Blocks(blocks) => self.blocks(blocks),
        }
    }

    /// Runs a loop; the caller rejoins what it splits.
    fn for_loop(
        &mut self,
        range: &'a RangeCode<'a>,
        body: &'a Code<'a>,
        while_true: Option<Register>,
        active: &Active,
    ) -> Result<()> {
        self.code(&range.bounds, active)?;
        let unrolled = range.unrolled;
        let counted = |operation| (!unrolled).then_some(operation);
        self.observer.operation(&|| counted(Operation::Loop), active);
        self.unrolled += usize::from(unrolled);
        self.check_step(range, active)?;
        self.check_length(range, active)?;
        self.instruction(&Instruction::Copy { to: range.variable, from: range.from }, active)?;
        if let Some(step) = range.step {
            let from = &[range.from, step];
            self.observer.flow(Flow::Computed { to: range.variable, from, active });
        }
        self.observer.flow(Flow::Split);
        self.observer.flow(Flow::Decided { on: &[range.variable, range.to], active });
        self.loops.push((range.name, range.variable));
        let mut active = active.clone();
        let turn = self.turn;
        for iteration in 0_u64.. {
            self.turn = turn_of(turn, iteration);
            self.allowance.spend(active.count());
            self.check_end(range.span)?;
            let (variable, to) = (&self.registers[range.variable.0], &self.registers[range.to.0]);
            active = active.filter(|lane| {
                let (at, to) = (variable[lane].cast_signed(), to[lane].cast_signed());
                if range.downward { at >= to } else { at <= to }
            });
            if let Some(going) = while_true {
                let going = &self.registers[going.0];
                active = active.filter(|lane| going[lane] != 0);
            }
            if active.is_empty() {
                break;
            }
            self.observer.operation(&|| counted(Operation::Turn), &active);
            self.code(body, &active)?;
            let mut variable = std::mem::take(&mut self.registers[range.variable.0]);
            let step = range.step.map(|step| &self.registers[step.0]);
            active = active.filter(|lane| {
                let step = step.map_or(1, |step| step[lane].cast_signed());
                let at = variable[lane].cast_signed();
                let next = if range.downward { at.checked_sub(step) } else { at.checked_add(step) };
                variable[lane] = next.unwrap_or(at).cast_unsigned();
                next.is_some()
            });
            self.registers[range.variable.0] = variable;
        }
        self.turn = turn;
        self.loops.pop();
        self.unrolled -= usize::from(unrolled);
        Ok(())
    }

    /// Whether the execution ends here, in the loop at `span`: at a limit, or for its observer.
    #[inline(always)]
    fn check_end(&mut self, span: Span) -> Result<()> {
        self.allowance.check(span)?;
        match self.observer.has_seen_enough() {
            true => Err(Box::new(Diagnostic::new(Span::default(), "the observer has seen enough"))),
            false => Ok(()),
        }
    }

    fn instruction(&mut self, instruction: &Instruction, active: &Active) -> Result<()> {
        let is_known = |it: Register| self.places[it.0].1.is_some();
        let unrolled = self.unrolled > 0;
        let counted =
            || instruction.operation(is_known).filter(|it| !unrolled || *it != Operation::Place);
        if !self.unobserved {
            self.observer.operation(&counted, active);
            if let Some(evaluation) = instruction.evaluation() {
                self.observer.evaluate(evaluation, active);
            }
        }
        match instruction {
            Instruction::Copy { to, from } => {
                let mut out = std::mem::take(&mut self.registers[to.0]);
                let source = &self.registers[from.0];
                match active {
                    Active::First(count) => out[..*count].copy_from_slice(&source[..*count]),
                    Active::Some(_) => active.for_each(|lane| out[lane] = source[lane]),
                }
                self.registers[to.0] = out;
                self.computed(*to, &[*from], active);
                Ok(())
            }
            Instruction::Unary { op, element, to, operand, .. } => {
                let mut out = std::mem::take(&mut self.registers[to.0]);
                arithmetic::unary(*op, *element, active, &mut out, &self.registers[operand.0]);
                self.registers[to.0] = out;
                self.computed(*to, &[*operand], active);
                Ok(())
            }
            Instruction::Binary { op, element, to, operands: (left, right), span, .. } => {
                let mut out = std::mem::take(&mut self.registers[to.0]);
                let operands = (&*self.registers[left.0], &*self.registers[right.0]);
                let result = arithmetic::binary(*op, *element, active, &mut out, operands);
                self.registers[to.0] = out;
                self.computed(*to, &[*left, *right], active);
                result.map_err(|(lane, fault)| self.fault(*span, fault, lane, *op))
            }
            Instruction::Lazy { .. } => Ok(()),
            Instruction::Fork(step) => {
                self.observer.flow(Flow::Fork(*step));
                Ok(())
            }
            Instruction::Convert { types, to, operand, span } => {
                let mut out = std::mem::take(&mut self.registers[to.0]);
                let result =
                    arithmetic::convert(*types, active, &mut out, &self.registers[operand.0]);
                self.registers[to.0] = out;
                self.computed(*to, &[*operand], active);
                result.map_err(|(lane, fault)| self.fault(*span, fault, lane, BinaryOp::Add))
            }
            Instruction::Entry { table, to, index, span } => {
                self.entry(*table, *to, *index, *span, active)
            }
            Instruction::Cell { array, to, indices, lanes, span } => {
                self.cell(*array, *to, indices, *span, active)?;
                self.aligned(*array, *to, *lanes, *span, active)
            }
            Instruction::Load { site, array, to, cell, span } => {
                self.load(*site, *array, *to, *cell, *span, active)
            }
            Instruction::Store { site, array, cell, value } => {
                self.store(*site, *array, *cell, *value, active);
                Ok(())
            }
            Instruction::Atomic(atomic) => self.atomic(atomic, active),
            Instruction::Fetch { array, to, cell, span } => {
                self.fetch(*array, *to, *cell, *span, active)
            }
            Instruction::Warp { op, element, to, operands, span, .. } => {
                self.warp_word(*op, *element, *to, operands, *span, active)
            }
            Instruction::Keep { array, cell, value } => {
                self.keep(*array, *cell, *value, active);
                Ok(())
            }
        }
    }

    #[inline(always)]
    fn computed(&mut self, to: Register, from: &[Register], active: &Active) {
        self.observer.flow(Flow::Computed { to, from, active });
    }

    /// Whether the observer takes a loop outside nests off our hands.
    fn skips_loop(&mut self, source: &For) -> bool {
        let scalars = outside_scalars(self.scalars, &self.registers);
        self.observer.skip_loop(source, &scalars)
    }
}

/// The integers that scalars outside nests hold; 0 for one that is never assigned there.
fn outside_scalars<'a>(
    scalars: &'a HashMap<(ScalarId, Place), Register>,
    registers: &'a [Vec<u64>],
) -> impl Fn(ScalarId) -> i64 + 'a {
    move |scalar| {
        let register = scalars.get(&(scalar, Place::Outside));
        register.map_or(0, |register| registers[register.0][0].cast_signed())
    }
}

/// Without memory, one thread of a bulk run stands for all.
fn outside_threads(layout: &Layout, has_memory: bool) -> usize {
    layout.bulk.filter(|_| has_memory).map_or(1, |bulk| bulk.inputs as usize)
}

/// The turn of a loop's iteration inside the turn around it.
const fn turn_of(outer: u64, iteration: u64) -> u64 {
    let mixed = (outer ^ iteration).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
}

fn first(active: &Active) -> usize {
    active.find(|_| true).unwrap_or(0)
}
