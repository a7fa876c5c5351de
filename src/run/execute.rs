//! Executes lowered code on memory, all threads of a step together, and tells a [`Observer`] every
//! access step.

mod nest;

use std::collections::HashMap;

use super::code::{Code, Instruction, Lowered, Node, Place, RangeCode, Register};
use super::lanes::{self, Active, Fault};
use super::layout::Layout;
use super::lower::text;
use super::memory::{Bits, Memory};
use super::observer::{Accesses, Observer};
use crate::diagnostic::{Diagnostic, Span};
use crate::language::program::{ArrayId, For, Program, ScalarId, SiteId};
use crate::language::syntax::BinaryOp;
use crate::units::Threads;

const GUARD: &str = "guard it with `if`, or change what it divides by";

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Limits and numbers of threads of an execution.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Threads of a parallel nest's round.
    pub threads: Threads,
    /// A `while` loop that iterates more often than this is taken for infinite.
    pub while_iterations: u64,
}

pub(super) struct Executor<'a, W> {
    program: &'a Program,
    layout: &'a Layout,
    memory: Option<&'a mut Memory>,
    observer: &'a mut W,
    limits: Limits,
    places: &'a [(Place, Option<u64>)],
    registers: Vec<Vec<u64>>,
    /// The run is over: what is read now is no access.
    unobserved: bool,
    /// Lanes that registers inside nests have.
    inside: usize,
    /// Scratch: physical addresses by thread.
    addresses: Vec<u64>,
    scalars: &'a HashMap<(ScalarId, Place), Register>,
    /// Where execution stands.
    place: Place,
    /// Variables of the loops around, for messages.
    loops: Vec<(&'a str, Register)>,
}

impl<'a, W: Observer> Executor<'a, W> {
    pub(super) fn new(
        program: &'a Program,
        layout: &'a Layout,
        lowered: &'a Lowered,
        memory: Option<&'a mut Memory>,
        observer: &'a mut W,
        limits: Limits,
    ) -> Self {
        let outside = outside_threads(layout, memory.is_some());
        let registers = lowered
            .registers
            .iter()
            .map(|&(place, constant)| match place {
                Place::Outside => vec![constant.unwrap_or(0); outside],
                Place::Inside => vec![],
            })
            .collect();
        Self {
            program,
            layout,
            memory,
            observer,
            limits,
            places: &lowered.registers,
            scalars: &lowered.scalars,
            place: Place::Outside,
            registers,
            unobserved: false,
            inside: 0,
            addresses: vec![0; outside],
            loops: vec![],
        }
    }

    pub(super) fn run(&mut self, lowered: &'a Lowered) -> Result<Option<u64>> {
        let all = Active::First(outside_threads(self.layout, self.memory.is_some()));
        self.code(&lowered.body, &all)?;
        self.answer(lowered)
    }

    /// The bits of the answer (of input 0), if the program names one. Reading it is nobody's access.
    fn answer(&mut self, lowered: &'a Lowered) -> Result<Option<u64>> {
        let (Some((code, register)), Some(_)) = (&lowered.answer, &self.memory) else {
            return Ok(None);
        };
        self.unobserved = true;
        self.code(code, &Active::First(1))?;
        Ok(Some(self.registers[register.0][0]))
    }

    fn code(&mut self, code: &'a Code, active: &Active) -> Result<()> {
        code.iter().try_for_each(|node| self.node(node, active))
    }

    fn node(&mut self, node: &'a Node, active: &Active) -> Result<()> {
        match node {
            Node::Straight(instructions) => {
                instructions.iter().try_for_each(|it| self.instruction(it, active))
            }
            Node::Branch { condition, then, otherwise } => {
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
                Ok(())
            }
            Node::For { range, body, source } => {
                let may_skip = self.memory.is_none() && self.place == Place::Outside;
                if may_skip && self.skips_loop(source) {
                    return Ok(());
                }
                self.for_loop(range, body, active)
            }
            Node::While { test, condition, body, span } => {
                let mut active = active.clone();
                for iteration in 0_u64.. {
                    self.code(test, &active)?;
                    let condition = &self.registers[condition.0];
                    active = active.filter(|lane| condition[lane] != 0);
                    if active.is_empty() {
                        break;
                    }
                    if iteration == self.limits.while_iterations {
                        let message = format!("this loop has run {iteration} times without ending");
                        let error = self.error(*span, message, first(&active));
                        return Err(Box::new(error.help("raise --while-limit if it is meant to")));
                    }
                    self.code(body, &active)?;
                }
                Ok(())
            }
            Node::Nest(nest) => self.nest(nest),
        }
    }

    fn for_loop(&mut self, range: &'a RangeCode, body: &'a Code, active: &Active) -> Result<()> {
        self.code(&range.bounds, active)?;
        self.check_step(range, active)?;
        self.instruction(&Instruction::Copy { to: range.variable, from: range.from }, active)?;
        self.loops.push((&range.name, range.variable));
        let mut active = active.clone();
        loop {
            let (variable, to) = (&self.registers[range.variable.0], &self.registers[range.to.0]);
            active = active.filter(|lane| {
                let (at, to) = (variable[lane].cast_signed(), to[lane].cast_signed());
                if range.downward { at >= to } else { at <= to }
            });
            if active.is_empty() {
                break;
            }
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
        self.loops.pop();
        Ok(())
    }

    fn check_step(&self, range: &RangeCode, active: &Active) -> Result<()> {
        let Some(step) = range.step else { return Ok(()) };
        let steps = &self.registers[step.0];
        match active.find(|lane| steps[lane].cast_signed() < 1) {
            None => Ok(()),
            Some(lane) => {
                let value = steps[lane].cast_signed();
                let message = format!("the step is {value}; it must be at least 1");
                Err(Box::new(
                    self.error(range.span, message, lane).help("count down with `downto`"),
                ))
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction, active: &Active) -> Result<()> {
        match instruction {
            Instruction::Copy { to, from } => {
                let mut out = std::mem::take(&mut self.registers[to.0]);
                let from = &self.registers[from.0];
                match active {
                    Active::First(count) => out[..*count].copy_from_slice(&from[..*count]),
                    Active::Some(_) => active.for_each(|lane| out[lane] = from[lane]),
                }
                self.registers[to.0] = out;
                Ok(())
            }
            Instruction::Unary { op, element, to, operand } => {
                let mut out = std::mem::take(&mut self.registers[to.0]);
                lanes::unary(*op, *element, active, &mut out, &self.registers[operand.0]);
                self.registers[to.0] = out;
                Ok(())
            }
            Instruction::Binary { op, element, to, operands: (left, right), span } => {
                let mut out = std::mem::take(&mut self.registers[to.0]);
                let operands = (&*self.registers[left.0], &*self.registers[right.0]);
                let result = lanes::binary(*op, *element, active, &mut out, operands);
                self.registers[to.0] = out;
                result.map_err(|(lane, fault)| self.fault(*span, fault, lane, *op))
            }
            Instruction::Convert { types, to, operand, span } => {
                let mut out = std::mem::take(&mut self.registers[to.0]);
                let result = lanes::convert(*types, active, &mut out, &self.registers[operand.0]);
                self.registers[to.0] = out;
                result.map_err(|(lane, fault)| self.fault(*span, fault, lane, BinaryOp::Add))
            }
            Instruction::Cell { array, to, indices, span } => {
                self.cell(*array, *to, indices, *span, active)
            }
            Instruction::Load { site, array, to, cell, span } => {
                self.load(*site, *array, *to, *cell, *span, active)
            }
            Instruction::Store { site, array, cell, value } => {
                self.locate(*array, *cell, active);
                let values = &self.registers[value.0];
                let addresses = &self.addresses;
                if let Some(memory) = &mut self.memory {
                    active.for_each(|lane| memory.write(addresses[lane], values[lane]));
                }
                self.observer.access(&Accesses { site: *site, active, addresses, values });
                Ok(())
            }
        }
    }

    fn cell(
        &mut self,
        array: ArrayId,
        to: Register,
        indices: &[Register],
        span: Span,
        active: &Active,
    ) -> Result<()> {
        let extents = &self.layout.regions[array.0].extents;
        let mut out = std::mem::take(&mut self.registers[to.0]);
        let register = |dimension: usize| &*self.registers[indices[dimension].0];
        // A negative index is a huge unsigned one: one comparison finds both ends.
        let outside = match *extents.as_slice() {
            [a] => {
                let i = register(0);
                active.find(|lane| {
                    out[lane] = i[lane];
                    i[lane] >= a
                })
            }
            [a, b] => {
                let (i, j) = (register(0), register(1));
                active.find(|lane| {
                    out[lane] = i[lane].wrapping_mul(b).wrapping_add(j[lane]);
                    i[lane] >= a || j[lane] >= b
                })
            }
            _ => active.find(|lane| {
                let mut cell = 0_u64;
                let mut outside = false;
                for (dimension, &extent) in extents.iter().enumerate() {
                    let index = register(dimension)[lane];
                    cell = cell.wrapping_mul(extent).wrapping_add(index);
                    outside |= index >= extent;
                }
                out[lane] = cell;
                outside
            }),
        };
        self.registers[to.0] = out;
        match outside {
            None => Ok(()),
            Some(lane) => {
                let values: Vec<i64> =
                    indices.iter().map(|index| self.value(*index, lane)).collect();
                let name = &self.program.arrays[array.0].name;
                let message = format!("{name}[{}] is outside `{name}`", join(values.iter()));
                let mut error = self.error(span, message, lane);
                let sides = values.iter().zip(extents).zip(1..);
                for ((_, extent), dimension) in sides.filter(|((value, extent), _)| {
                    u64::try_from(**value).map_or(true, |it| it >= **extent)
                }) {
                    let which = if extents.len() == 1 {
                        "the index".to_owned()
                    } else {
                        format!("index {dimension}")
                    };
                    error =
                        error.note(format!("{which} of `{name}` runs from 0 to {}", extent - 1));
                }
                Err(Box::new(error))
            }
        }
    }

    /// Physical addresses of the cells that the active threads name.
    fn locate(&mut self, array: ArrayId, cell: Register, active: &Active) {
        let cells = &self.registers[cell.0];
        let (layout, addresses) = (self.layout, &mut self.addresses);
        if layout.bulk.is_none() {
            let base = layout.regions[array.0].base.0;
            match active {
                Active::First(count) => {
                    for (address, &cell) in addresses[..*count].iter_mut().zip(&cells[..*count]) {
                        *address = base + cell;
                    }
                }
                Active::Some(_) => active.for_each(|lane| addresses[lane] = base + cells[lane]),
            }
        } else {
            active.for_each(|lane| {
                addresses[lane] = layout.address(array, cells[lane], lane as u64).0;
            });
        }
    }

    fn load(
        &mut self,
        site: SiteId,
        array: ArrayId,
        to: Register,
        cell: Register,
        span: Span,
        active: &Active,
    ) -> Result<()> {
        self.locate(array, cell, active);
        let mut out = std::mem::take(&mut self.registers[to.0]);
        let addresses = &self.addresses;
        let undefined = match &self.memory {
            None => None,
            Some(memory) if self.program.arrays[array.0].role.is_given() => {
                active.for_each(|lane| out[lane] = memory.cells[addresses[lane] as usize]);
                None
            }
            Some(memory) => active.find(|lane| {
                out[lane] = memory.cells[addresses[lane] as usize];
                !memory.is_defined(addresses[lane])
            }),
        };
        self.registers[to.0] = out;
        if let Some(lane) = undefined {
            return Err(self.undefined(array, self.registers[cell.0][lane], span, lane));
        }
        if !self.unobserved {
            let (addresses, values) = (&*self.addresses, &*self.registers[to.0]);
            self.observer.access(&Accesses { site, active, addresses, values });
        }
        Ok(())
    }

    fn undefined(&self, array: ArrayId, cell: u64, span: Span, lane: usize) -> Box<Diagnostic> {
        let indices = self.layout.regions[array.0].indices(cell);
        let array = &self.program.arrays[array.0];
        let message =
            format!("{}[{}] is read but was never written", array.name, join(indices.iter()));
        let help = format!("`{}` is {}: it has no values at first", array.name, array.role.word());
        Box::new(self.error(span, message, lane).help(help))
    }

    fn fault(&self, span: Span, fault: Fault, lane: usize, op: BinaryOp) -> Box<Diagnostic> {
        let code = text(self.program, span);
        let error = match fault {
            Fault::DivisionByZero if op == BinaryOp::Modulo => {
                self.error(span, format!("`{code}` takes a remainder by zero"), lane).help(GUARD)
            }
            Fault::DivisionByZero => {
                self.error(span, format!("`{code}` divides by zero"), lane).help(GUARD)
            }
            Fault::Shift(by) => self
                .error(span, format!("`{code}` shifts by {by}"), lane)
                .help("shift by at least 0 and by less than the bits of the type, 32 or 64"),
            Fault::DoesNotFit(value, element) => {
                let message = format!("the value {value} does not fit {}", element.word());
                self.error(span, message, lane).help("keep it in a wider type")
            }
        };
        Box::new(error)
    }

    /// Whether the observer takes a loop outside nests off our hands.
    fn skips_loop(&mut self, source: &For) -> bool {
        let scalars = outside_scalars(self.scalars, &self.registers);
        self.observer.skip_loop(source, &scalars)
    }

    /// A register's integer as thread `lane` sees it.
    fn value(&self, register: Register, lane: usize) -> i64 {
        let values = &self.registers[register.0];
        <i64 as Bits>::from_bits(values[lane.min(values.len() - 1)])
    }

    /// A run-time error with the loop variables' values.
    fn error(&self, span: Span, message: String, lane: usize) -> Diagnostic {
        let mut error = Diagnostic::new(span, message);
        if !self.loops.is_empty() {
            let values = self
                .loops
                .iter()
                .map(|&(name, register)| format!("{name} = {}", self.value(register, lane)));
            error = error.note(format!("with {}", values.collect::<Vec<_>>().join(", ")));
        }
        if self.layout.bulk.is_some() {
            error = error.note(format!("in input {lane} of the bulk run"));
        }
        error
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

fn first(active: &Active) -> usize {
    active.find(|_| true).unwrap_or(0)
}

fn join<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
