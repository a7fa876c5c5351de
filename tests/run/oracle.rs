//! An interpreter as plain as the page that defines the machine: it walks the program's tree with
//! one value a thread, spells out every address, and shares no code with the crate's execution.

mod arithmetic;
mod expression;
mod value;

use std::collections::HashMap;

use memory_machine::language::program::{
    Block, Blocks, Expr, LoopRange, Nest, Program, ScalarId, Statement,
};
use memory_machine::language::syntax::Role;
use memory_machine::run::layout::{Arrangement, Bulk};
use memory_machine::trace::{AccessKind, Space};

pub use self::value::Value;
use self::value::Value::I64;

/// What happened, in order: an access step with the address of each active thread, or a barrier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Step(AccessKind, Vec<(usize, u64)>),
    Barrier,
    /// A loop on DMMs: threads of a block, and what each block does for itself.
    Blocks(u64, Vec<Vec<OfBlock>>),
}

/// What a block does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfBlock {
    /// Where in the program: statements, arms, iterations and rounds, outermost first. Blocks in step
    /// make their steps in this order.
    Step(Vec<u64>, Space, AccessKind, Vec<(usize, u64)>),
    Barrier,
}

/// A block as it runs.
#[derive(Default)]
struct Running {
    threads: usize,
    shared: Vec<Option<Value>>,
    events: Vec<OfBlock>,
}

/// The run cannot go on: an index, a cell without value, a division, a step, a limit.
#[derive(Debug)]
pub struct Stuck;

type Result<T> = std::result::Result<T, Stuck>;

struct ArrayState {
    base: u64,
    extents: Vec<i64>,
    cells: u64,
}

pub struct Oracle<'a> {
    program: &'a Program,
    parameters: &'a [i64],
    arrays: Vec<ArrayState>,
    bulk: Option<Bulk>,
    threads: usize,
    width: u64,
    pub memory: Vec<Option<Value>>,
    pub events: Vec<Event>,
    /// Registers of thread 0, or of every thread of a bulk run; in a nest, of its threads.
    registers: Vec<Vec<Option<Value>>>,
    while_limit: u64,
    running: Option<Running>,
    /// Arrays of registers, by thread, array and cell.
    kept: HashMap<(usize, usize, u64), Value>,
    /// Where the present statement stands.
    path: Vec<u64>,
}

impl<'a> Oracle<'a> {
    pub fn new(
        program: &'a Program,
        parameters: &'a [i64],
        width: u64,
        threads: usize,
        bulk: Option<Bulk>,
    ) -> Self {
        let copies = bulk.map_or(1, |bulk| bulk.inputs);
        let mut oracle = Self {
            program,
            parameters,
            arrays: vec![],
            bulk,
            threads,
            width,
            memory: vec![],
            events: vec![],
            registers: vec![vec![None; program.scalars.len()]; copies as usize],
            while_limit: 1000,
            running: None,
            kept: HashMap::new(),
            path: vec![],
        };
        let mut end = 0_u64;
        let globals = program.global_arrays().count();
        for array in &program.arrays[..globals] {
            let extents: Vec<i64> = array
                .extents
                .iter()
                .map(|extent| oracle.value(extent, 0).unwrap().integer())
                .collect();
            while !end.is_multiple_of(width) {
                end += 1;
            }
            let cells = extents.iter().product::<i64>() as u64;
            oracle.arrays.push(ArrayState { base: end, extents, cells });
            end += cells * copies;
        }
        oracle.memory = vec![None; end as usize];
        let mut end = 0_u64;
        for (index, array) in program.arrays.iter().enumerate().skip(globals) {
            if program.blocks.iter().any(|it| it.arrays.start == index) {
                end = 0;
            }
            let extents = array.extents.iter();
            let extents: Vec<i64> =
                extents.map(|it| oracle.value(it, 0).unwrap().integer()).collect();
            let cells = extents.iter().product::<i64>() as u64;
            if array.role == Role::Shared {
                end = end.next_multiple_of(width);
            }
            oracle.arrays.push(ArrayState { base: end, extents, cells });
            if array.role == Role::Shared {
                end += cells;
            }
        }
        oracle
    }

    pub fn address(&self, array: usize, cell: u64, input: u64) -> u64 {
        let it = &self.arrays[array];
        it.base
            + match self.bulk {
                None => cell,
                Some(Bulk { arrangement: Arrangement::RowWise, .. }) => input * it.cells + cell,
                Some(Bulk { arrangement: Arrangement::ColumnWise, inputs }) => {
                    cell * inputs + input
                }
            }
    }

    pub fn run(&mut self) -> Result<()> {
        let everyone: Vec<usize> = (0..self.registers.len()).collect();
        let program = self.program;
        self.block(&program.body, &everyone)
    }

    /// An expression for one thread of no nest; only for what accesses nothing.
    fn value(&mut self, expr: &Expr, thread: usize) -> Result<Value> {
        Ok(self.values(expr, &[thread])?[0])
    }

    fn block(&mut self, block: &Block, threads: &[usize]) -> Result<()> {
        for (index, statement) in (0..).zip(block) {
            if !threads.is_empty() {
                self.at(index, |it| it.statement(statement, threads))?;
            }
        }
        Ok(())
    }

    /// Does something further inside.
    fn at<T>(&mut self, place: u64, what: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(place);
        let result = what(self);
        self.path.pop();
        result
    }

    fn set(&mut self, scalar: ScalarId, thread: usize, value: Value) {
        self.registers[thread][scalar.0] = Some(value);
    }

    fn statement(&mut self, statement: &Statement, threads: &[usize]) -> Result<()> {
        match statement {
            Statement::Assign { target, value, .. } => {
                let values = self.values(value, threads)?;
                for (&thread, value) in threads.iter().zip(values) {
                    self.set(*target, thread, value);
                }
            }
            Statement::Store { access, value, .. } => {
                let values = self.values(value, threads)?;
                let addresses = self.addresses(access, threads)?;
                let role = self.program.arrays[access.array.0].role;
                for ((&address, value), &thread) in addresses.iter().zip(values).zip(threads) {
                    match (&mut self.running, role) {
                        (_, Role::Register) => {
                            self.kept.insert((thread, access.array.0, address), value);
                        }
                        (Some(it), Role::Shared) => it.shared[address as usize] = Some(value),
                        _ => self.memory[address as usize] = Some(value),
                    }
                }
                self.step(AccessKind::Write, access, threads, &addresses);
            }
            Statement::For(it) => self.sequential(&it.range, &it.body, threads)?,
            Statement::Parallel(nest) if self.running.is_some() => self.nest_of_block(nest)?,
            Statement::Blocks(blocks) => self.blocks(blocks)?,
            Statement::Parallel(nest) => {
                let mut iterations = vec![];
                self.iterations(&nest.ranges, &mut vec![], &mut iterations)?;
                let outer = self.registers.clone();
                for round in iterations.chunks(self.threads) {
                    self.registers = round
                        .iter()
                        .map(|iteration| {
                            let mut registers = outer[0].clone();
                            for (range, &value) in nest.ranges.iter().zip(iteration) {
                                registers[range.variable.0] = Some(I64(value));
                            }
                            registers
                        })
                        .collect();
                    let active: Vec<usize> = (0..round.len()).collect();
                    self.kept.clear();
                    self.block(&nest.body, &active)?;
                }
                self.registers = outer;
                self.events.push(Event::Barrier);
            }
            Statement::While { condition, body, .. } => {
                let mut active = threads.to_vec();
                let mut times = 0;
                loop {
                    let values =
                        self.at(times, |it| it.at(0, |it| it.values(condition, &active)))?;
                    active = keep(&active, &values, true);
                    if active.is_empty() {
                        break;
                    }
                    times += 1;
                    if times > self.while_limit {
                        return Err(Stuck);
                    }
                    self.at(times - 1, |it| it.at(1, |it| it.block(body, &active)))?;
                }
            }
            Statement::If { condition, then, otherwise, .. } => {
                let values = self.at(0, |it| it.values(condition, threads))?;
                self.at(1, |it| it.block(then, &keep(threads, &values, true)))?;
                self.at(2, |it| it.block(otherwise, &keep(threads, &values, false)))?;
            }
            Statement::Labelled { body, .. } => self.block(body, threads)?,
            Statement::Fork { branches, .. } => {
                for (number, branch) in (0..).zip(branches) {
                    self.at(number, |it| it.block(branch, threads))?;
                }
            }
        }
        Ok(())
    }

    /// Block after block, each for itself.
    fn blocks(&mut self, blocks: &Blocks) -> Result<()> {
        let mut iterations = vec![];
        self.iterations(&blocks.ranges, &mut vec![], &mut iterations)?;
        // The barrier of the whole machine is the loop's beginning.
        self.events.pop();
        let shape = &self.program.blocks[blocks.id.0];
        let threads = self.value(&shape.threads, 0)?.integer() as usize;
        let shared = shape.arrays.clone().map(|it| self.arrays[it].base + self.arrays[it].cells);
        let shared = shared.max().unwrap_or(0) as usize;
        let (outer, path) = (self.registers.clone(), std::mem::take(&mut self.path));
        let mut all = vec![];
        for iteration in iterations {
            let mut registers = outer[0].clone();
            for (range, value) in blocks.ranges.iter().zip(iteration) {
                registers[range.variable.0] = Some(I64(value));
            }
            self.registers = vec![registers];
            let shared = vec![None; shared];
            self.kept.clear();
            self.running = Some(Running { threads, shared, ..Running::default() });
            let result = self.block(&blocks.body, &[0]);
            all.push(self.running.take().unwrap().events);
            result?;
        }
        (self.registers, self.path) = (outer, path);
        self.events.push(Event::Blocks(threads as u64, all));
        Ok(())
    }

    fn nest_of_block(&mut self, nest: &Nest) -> Result<()> {
        let mut iterations = vec![];
        self.at(0, |it| it.iterations(&nest.ranges, &mut vec![], &mut iterations))?;
        let outer = self.registers.clone();
        let threads = self.running.as_ref().unwrap().threads;
        for (number, round) in (0..).zip(iterations.chunks(threads)) {
            let registers = |iteration: &Vec<i64>| {
                let mut registers = outer[0].clone();
                for (range, &value) in nest.ranges.iter().zip(iteration) {
                    registers[range.variable.0] = Some(I64(value));
                }
                registers
            };
            self.registers = round.iter().map(registers).collect();
            let active: Vec<usize> = (0..round.len()).collect();
            self.at(1, |it| it.at(number, |it| it.block(&nest.body, &active)))?;
        }
        self.registers = outer;
        self.running.as_mut().unwrap().events.push(OfBlock::Barrier);
        Ok(())
    }

    fn bounds(&mut self, range: &LoopRange, threads: &[usize]) -> Result<Vec<(i64, i64, i64)>> {
        let from = self.values(&range.from, threads)?;
        let to = self.values(&range.to, threads)?;
        let step = match &range.step {
            Some(step) => self.values(step, threads)?,
            None => vec![I64(1); threads.len()],
        };
        let mut bounds = vec![];
        for ((from, to), step) in from.into_iter().zip(to).zip(step) {
            if step.integer() < 1 {
                return Err(Stuck);
            }
            let step = if range.downward { -step.integer() } else { step.integer() };
            bounds.push((from.integer(), to.integer(), step));
        }
        Ok(bounds)
    }

    fn sequential(&mut self, range: &LoopRange, body: &Block, threads: &[usize]) -> Result<()> {
        let bounds = self.at(0, |it| it.bounds(range, threads))?;
        for iteration in 0.. {
            let mut active = vec![];
            for (&thread, &(from, to, step)) in threads.iter().zip(&bounds) {
                let at = from + iteration * step;
                if if step > 0 { at <= to } else { at >= to } {
                    self.set(range.variable, thread, I64(at));
                    active.push(thread);
                }
            }
            if active.is_empty() {
                break;
            }
            self.at(1, |it| it.at(iteration as u64, |it| it.block(body, &active)))?;
        }
        Ok(())
    }

    /// All iterations of a nest, in lexicographic order; the first barrier stands after the bounds
    /// of the outermost loop.
    fn iterations(
        &mut self,
        ranges: &[LoopRange],
        prefix: &mut Vec<i64>,
        found: &mut Vec<Vec<i64>>,
    ) -> Result<()> {
        let Some((first, inner)) = ranges.split_first() else {
            found.push(prefix.clone());
            return Ok(());
        };
        let (from, to, step) = self.bounds(first, &[0])?[0];
        if prefix.is_empty() {
            match &mut self.running {
                Some(running) => running.events.push(OfBlock::Barrier),
                None => self.events.push(Event::Barrier),
            }
        }
        let mut at = from;
        while if step > 0 { at <= to } else { at >= to } {
            self.set(first.variable, 0, I64(at));
            prefix.push(at);
            self.iterations(inner, prefix, found)?;
            prefix.pop();
            at += step;
        }
        Ok(())
    }
}

fn keep(threads: &[usize], values: &[Value], wanted: bool) -> Vec<usize> {
    let pairs = threads.iter().zip(values);
    pairs.filter(|(_, value)| value.truth() == wanted).map(|(&thread, _)| thread).collect()
}
