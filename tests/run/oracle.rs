//! An interpreter as plain as the page that defines the machine: it walks the program's tree with
//! one value a thread, spells out every address, and shares no code with the crate's execution.

use std::collections::HashMap;

use memory_machine::language::program::{
    Access, Block, Blocks, Expr, ExprKind, LoopRange, Nest, Program, ScalarId, Statement,
};
use memory_machine::language::syntax::{BinaryOp, Role, Type, UnaryOp};
use memory_machine::run::layout::{Arrangement, Bulk};
use memory_machine::trace::{AccessKind, Space};

#[derive(Debug, Clone, Copy)]
pub enum Value {
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    F32(f32),
    F64(f64),
    Bool(bool),
    /// Of 8 or 16 bits.
    Few(Type, i64),
}

use Value::{Bool, F32, F64, Few, I32, I64, U32, U64};

impl Value {
    /// As the crate's memory holds it; every NaN is one NaN.
    pub fn bits(self) -> u64 {
        match self {
            I32(x) => i64::from(x) as u64,
            U32(x) => x.into(),
            I64(x) => x as u64,
            U64(x) => x,
            F32(x) if x.is_nan() => f32::NAN.to_bits().into(),
            F32(x) => x.to_bits().into(),
            F64(x) if x.is_nan() => f64::NAN.to_bits(),
            F64(x) => x.to_bits(),
            Bool(x) => x.into(),
            Few(_, x) => x as u64,
        }
    }

    pub fn from_bits(element: Type, bits: u64) -> Self {
        match element {
            Type::I32 => I32(bits as u32 as i32),
            Type::U32 => U32(bits as u32),
            Type::I64 => I64(bits as i64),
            Type::U64 => U64(bits),
            Type::F32 => F32(f32::from_bits(bits as u32)),
            Type::F64 => F64(f64::from_bits(bits)),
            Type::Bool => Bool(bits != 0),
            _ => Few(element, bits as i64),
        }
    }

    fn truth(self) -> bool {
        matches!(self, Bool(true))
    }

    fn integer(self) -> i64 {
        self.whole().try_into().unwrap()
    }

    fn whole(self) -> i128 {
        match self {
            I32(x) => x.into(),
            U32(x) => x.into(),
            I64(x) => x.into(),
            U64(x) => x.into(),
            Few(_, x) => x.into(),
            other => panic!("{other:?} is no integer"),
        }
    }
}

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

    fn step(&mut self, kind: AccessKind, access: &Access, threads: &[usize], addresses: &[u64]) {
        let all = threads.iter().copied().zip(addresses.iter().copied()).collect();
        let space = match self.program.arrays[access.array.0].role {
            Role::Register => return,
            Role::Shared => Space::Shared,
            _ => Space::Global,
        };
        match &mut self.running {
            None => self.events.push(Event::Step(kind, all)),
            Some(running) => {
                let path = self.path.iter().copied().chain([access.site.0 as u64]).collect();
                running.events.push(OfBlock::Step(path, space, kind, all));
            }
        }
    }

    fn addresses(&mut self, access: &Access, threads: &[usize]) -> Result<Vec<u64>> {
        let mut cells = vec![0; threads.len()];
        let mut indices = vec![];
        for index in &access.indices {
            indices.push(self.values(index, threads)?);
        }
        for (values, &extent) in indices.iter().zip(&self.arrays[access.array.0].extents) {
            for (cell, value) in cells.iter_mut().zip(values) {
                let index = value.integer();
                if index < 0 || index >= extent {
                    return Err(Stuck);
                }
                *cell = *cell * extent + index;
            }
        }
        let is_register = self.program.arrays[access.array.0].role == Role::Register;
        if self.running.is_some() || is_register {
            let base = if is_register { 0 } else { self.arrays[access.array.0].base };
            return Ok(cells.iter().map(|&cell| base + cell as u64).collect());
        }
        let addresses = cells.iter().zip(threads);
        Ok(addresses
            .map(|(&cell, &thread)| self.address(access.array.0, cell as u64, thread as u64))
            .collect())
    }

    /// The expression's value for each of the threads.
    fn values(&mut self, expr: &Expr, threads: &[usize]) -> Result<Vec<Value>> {
        if threads.is_empty() {
            return Ok(vec![]);
        }
        let everyone = |value| Ok(vec![value; threads.len()]);
        match &expr.kind {
            ExprKind::Integer(value) => everyone(match expr.element {
                Type::I32 => I32(*value as i32),
                Type::U32 => U32(*value as u32),
                Type::I64 => I64(*value),
                Type::U64 => U64(*value as u64),
                Type::F32 => F32(*value as f32),
                Type::F64 => F64(*value as f64),
                Type::Bool => panic!("an integer cannot be bool"),
                few => Few(few, *value),
            }),
            ExprKind::Float(value) => everyone(match expr.element {
                Type::F32 => F32(*value as f32),
                _ => F64(*value),
            }),
            ExprKind::Boolean(value) => everyone(Bool(*value)),
            ExprKind::Parameter(it) => everyone(I64(self.parameters[it.0])),
            ExprKind::Scalar(it) => Ok(threads
                .iter()
                .map(|&thread| self.registers[thread][it.0].expect("assigned before it is read"))
                .collect()),
            ExprKind::Element(access) => {
                let addresses = self.addresses(access, threads)?;
                let role = self.program.arrays[access.array.0].role;
                let read = addresses.iter().zip(threads).map(|(&it, &thread)| {
                    let value = match (&self.running, role) {
                        (_, Role::Register) => {
                            self.kept.get(&(thread, access.array.0, it)).copied()
                        }
                        (Some(running), Role::Shared) => running.shared[it as usize],
                        _ => self.memory[it as usize],
                    };
                    value.ok_or(Stuck)
                });
                let values = read.collect::<Result<Vec<_>>>()?;
                self.step(AccessKind::Read, access, threads, &addresses);
                Ok(values)
            }
            ExprKind::Entry(table, index, _) => {
                let program = self.program;
                let mut read = vec![];
                for index in self.values(index, threads)? {
                    let at = usize::try_from(index.integer()).map_err(|_| Stuck)?;
                    let entry = program.tables[table.0].entries.get(at).ok_or(Stuck)?;
                    read.push(self.values(entry, &threads[..1])?[0]);
                }
                Ok(read)
            }
            ExprKind::Convert(operand) => {
                let values = self.values(operand, threads)?;
                values.into_iter().map(|value| convert(value, expr.element)).collect()
            }
            ExprKind::Unary(op, operand) => {
                let values = self.values(operand, threads)?;
                Ok(values.into_iter().map(|value| unary(*op, value)).collect())
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let mut values = self.values(left, threads)?;
                let undecided = *op == BinaryOp::And;
                let asking = keep(threads, &values, undecided);
                let mut answers = self.values(right, &asking)?.into_iter();
                for value in &mut values {
                    if value.truth() == undecided {
                        *value = answers.next().unwrap();
                    }
                }
                Ok(values)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.values(left, threads)?;
                let right = self.values(right, threads)?;
                left.into_iter().zip(right).map(|(x, y)| binary(*op, x, y)).collect()
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.values(condition, threads)?;
                let then = self.values(then, &keep(threads, &condition, true))?;
                let otherwise = self.values(otherwise, &keep(threads, &condition, false))?;
                let (mut then, mut otherwise) = (then.into_iter(), otherwise.into_iter());
                let choose = condition.iter().map(|it| {
                    if it.truth() { then.next().unwrap() } else { otherwise.next().unwrap() }
                });
                Ok(choose.collect())
            }
            ExprKind::Let(scalar, parts) => {
                let [value, body] = &**parts;
                let values = self.values(value, threads)?;
                for (&thread, value) in threads.iter().zip(values) {
                    self.set(*scalar, thread, value);
                }
                self.values(body, threads)
            }
        }
    }
}

fn keep(threads: &[usize], values: &[Value], wanted: bool) -> Vec<usize> {
    let pairs = threads.iter().zip(values);
    pairs.filter(|(_, value)| value.truth() == wanted).map(|(&thread, _)| thread).collect()
}

fn convert(value: Value, to: Type) -> Result<Value> {
    Ok(match (value, to) {
        (F32(x), Type::F64) => F64(x.into()),
        (F32(x), Type::I32) => I32(x as i32),
        (F32(x), Type::U32) => U32(x as u32),
        (F32(x), Type::I64) => I64(x as i64),
        (F32(x), Type::U64) => U64(x as u64),
        (F64(x), Type::U64) => U64(x as u64),
        (F64(x), Type::F32) => F32(x as f32),
        (F64(x), Type::I32) => I32(x as i32),
        (F64(x), Type::U32) => U32(x as u32),
        (F64(x), Type::I64) => I64(x as i64),
        (integer, Type::F32) => F32(integer.whole() as f32),
        (integer, Type::F64) => F64(integer.whole() as f64),
        (integer, Type::I32) => I32(integer.whole().try_into().map_err(|_| Stuck)?),
        (integer, Type::U32) => U32(integer.whole().try_into().map_err(|_| Stuck)?),
        (integer, Type::I64) => I64(integer.whole().try_into().map_err(|_| Stuck)?),
        (integer, Type::U64) => U64(integer.whole().try_into().map_err(|_| Stuck)?),
        (F32(x), Type::I8) => Few(to, (x as i8).into()),
        (F32(x), Type::U8) => Few(to, (x as u8).into()),
        (F32(x), Type::I16) => Few(to, (x as i16).into()),
        (F32(x), Type::U16) => Few(to, (x as u16).into()),
        (F64(x), Type::I8) => Few(to, (x as i8).into()),
        (F64(x), Type::U8) => Few(to, (x as u8).into()),
        (F64(x), Type::I16) => Few(to, (x as i16).into()),
        (F64(x), Type::U16) => Few(to, (x as u16).into()),
        (integer, Type::I8 | Type::U8 | Type::I16 | Type::U16) => {
            let found = few(to, integer.whole());
            if found.whole() != integer.whole() {
                return Err(Stuck);
            }
            found
        }
        (from, to) => panic!("{from:?} to {to:?}"),
    })
}

/// The value of a narrow type that differs from `whole` by a multiple of 2⁸ or 2¹⁶.
fn few(element: Type, whole: i128) -> Value {
    let (least, all) = match element {
        Type::I8 => (-128, 256),
        Type::U8 => (0, 256),
        Type::I16 => (-32768, 65536),
        _ => (0, 65536),
    };
    Few(element, (least + (whole - least).rem_euclid(all)) as i64)
}

/// How many bits a narrow type has.
fn few_bits(element: Type) -> usize {
    if matches!(element, Type::I8 | Type::U8) { 8 } else { 16 }
}

fn unary(op: UnaryOp, value: Value) -> Value {
    match (op, value) {
        (UnaryOp::Not, Bool(x)) => Bool(!x),
        (UnaryOp::Negate, I32(x)) => I32(x.wrapping_neg()),
        (UnaryOp::Negate, U32(x)) => U32(x.wrapping_neg()),
        (UnaryOp::Negate, I64(x)) => I64(x.wrapping_neg()),
        (UnaryOp::Negate, F32(x)) => F32(-x),
        (UnaryOp::Negate, F64(x)) => F64(-x),
        (UnaryOp::BitNot, I32(x)) => I32(!x),
        (UnaryOp::BitNot, U32(x)) => U32(!x),
        (UnaryOp::BitNot, I64(x)) => I64(!x),
        (UnaryOp::Abs, I32(x)) => I32(x.wrapping_abs()),
        (UnaryOp::Abs, U32(x)) => U32(x),
        (UnaryOp::Abs, I64(x)) => I64(x.wrapping_abs()),
        (UnaryOp::Abs, F32(x)) => F32(x.abs()),
        (UnaryOp::Abs, F64(x)) => F64(x.abs()),
        (UnaryOp::Negate, Few(of, x)) => few(of, -i128::from(x)),
        (UnaryOp::BitNot, Few(of, x)) => few(of, -i128::from(x) - 1),
        (UnaryOp::Abs, Few(of, x)) => few(of, i128::from(x).abs()),
        (UnaryOp::Negate, U64(x)) => U64(x.wrapping_neg()),
        (UnaryOp::BitNot, U64(x)) => U64(!x),
        (UnaryOp::Abs, U64(x)) => U64(x),
        (UnaryOp::Popcount, x) => counted(x, |bits| bits.bytes().filter(|&it| it == b'1').count()),
        (UnaryOp::LeadingZeros, x) => counted(x, |bits| bits.find('1').unwrap_or(bits.len())),
        (UnaryOp::Floor, F32(x)) => F32(x.floor()),
        (UnaryOp::Floor, F64(x)) => F64(x.floor()),
        (UnaryOp::Ceiling, F32(x)) => F32(x.ceil()),
        (UnaryOp::Ceiling, F64(x)) => F64(x.ceil()),
        (UnaryOp::Sqrt, F32(x)) => F32(x.sqrt()),
        (UnaryOp::Sqrt, F64(x)) => F64(x.sqrt()),
        (op, value) => panic!("{op:?} of {value:?}"),
    }
}

/// What is counted in an integer's bits, as an integer of its type.
fn counted(value: Value, count: impl Fn(&str) -> usize) -> Value {
    match value {
        I32(x) => I32(count(&format!("{x:032b}")) as i32),
        U32(x) => U32(count(&format!("{x:032b}")) as u32),
        I64(x) => I64(count(&format!("{x:064b}")) as i64),
        U64(x) => U64(count(&format!("{x:064b}")) as u64),
        Few(of, x) => {
            let bits = format!("{x:064b}");
            few(of, count(&bits[64 - few_bits(of)..]) as i128)
        }
        other => panic!("bits of {other:?}"),
    }
}

macro_rules! compared {
    ($op:expr, $x:expr, $y:expr) => {
        match $op {
            BinaryOp::Equal => Some($x == $y),
            BinaryOp::NotEqual => Some($x != $y),
            BinaryOp::Less => Some($x < $y),
            BinaryOp::LessEqual => Some($x <= $y),
            BinaryOp::Greater => Some($x > $y),
            BinaryOp::GreaterEqual => Some($x >= $y),
            _ => None,
        }
    };
}

macro_rules! floats {
    ($op:expr, $x:expr, $y:expr, $make:expr) => {
        match ($op, $x, $y) {
            (BinaryOp::Add, x, y) => $make(x + y),
            (BinaryOp::Subtract, x, y) => $make(x - y),
            (BinaryOp::Multiply, x, y) => $make(x * y),
            (BinaryOp::Divide, x, y) => $make(x / y),
            (BinaryOp::Min, x, y) => $make(if y < x { y } else { x }),
            (BinaryOp::Max, x, y) => $make(if y > x { y } else { x }),
            (op, ..) => panic!("{op:?} of floats"),
        }
    };
}

fn binary(op: BinaryOp, left: Value, right: Value) -> Result<Value> {
    let comparison = match (left, right) {
        _ if op.takes_number() => None,
        (F32(x), F32(y)) => compared!(op, x, y),
        (F64(x), F64(y)) => compared!(op, x, y),
        (Bool(x), Bool(y)) => compared!(op, x, y),
        (I32(x), I32(y)) => compared!(op, x, y),
        (U32(x), U32(y)) => compared!(op, x, y),
        (I64(x), I64(y)) => compared!(op, x, y),
        (U64(x), U64(y)) => compared!(op, x, y),
        (Few(a, x), Few(b, y)) if a == b => compared!(op, x, y),
        (x, y) => panic!("{op:?} of {x:?} and {y:?}"),
    };
    if let Some(truth) = comparison {
        return Ok(Bool(truth));
    }
    match (left, right) {
        (F32(x), F32(y)) => Ok(floats!(op, x, y, F32)),
        (F64(x), F64(y)) => Ok(floats!(op, x, y, F64)),
        (F32(x), I64(n)) => Ok(F32(power(x.into(), n) as f32)),
        (F64(x), I64(n)) => Ok(F64(power(x, n))),
        _ => {
            // 128 bits hold every exact result but shifts; what does not fit wraps.
            let (x, y) = (left.whole(), right.whole());
            let bits = match left {
                I64(_) | U64(_) => 64,
                Few(of, _) => few_bits(of) as i128,
                _ => 32,
            };
            // Its lowest bits alone.
            let cut = x & ((1 << bits) - 1);
            let exact = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Subtract => x - y,
                BinaryOp::Multiply if matches!(left, U64(_)) => {
                    (x as u128).wrapping_mul(y as u128) as i128
                }
                BinaryOp::Multiply => x * y,
                BinaryOp::MultiplyHigh if matches!(left, U64(_)) => {
                    ((x as u128 * y as u128) >> 64) as i128
                }
                BinaryOp::MultiplyHigh => (x * y) >> bits,
                BinaryOp::RotateLeft | BinaryOp::RotateRight => {
                    let by = y.rem_euclid(bits);
                    let by = if op == BinaryOp::RotateLeft { by } else { (bits - by) % bits };
                    let cut = cut as u128;
                    (cut << by | cut >> (bits - by)) as i128
                }
                BinaryOp::Power if y < 0 => return Err(Stuck),
                BinaryOp::Power => {
                    // Only small exponents are generated.
                    (0..y).fold(1_i128, |power, _| (power as i64).wrapping_mul(x as i64).into())
                }
                BinaryOp::Divide | BinaryOp::Modulo if y == 0 => return Err(Stuck),
                BinaryOp::Divide => floor(x, y),
                BinaryOp::Modulo => x - y * floor(x, y),
                BinaryOp::Min => x.min(y),
                BinaryOp::Max => x.max(y),
                BinaryOp::BitAnd => x & y,
                BinaryOp::BitOr => x | y,
                BinaryOp::BitXor => x ^ y,
                BinaryOp::ShiftLeft => x << y.rem_euclid(bits),
                BinaryOp::ShiftRight => x >> y.rem_euclid(bits),
                op => panic!("{op:?} of integers"),
            };
            Ok(match left {
                I32(_) => I32(exact as i32),
                U32(_) => U32(exact as u32),
                U64(_) => U64(exact as u64),
                Few(of, _) => few(of, exact),
                _ => I64(exact as i64),
            })
        }
    }
}

/// By squaring, of the small exponents that are generated.
fn power(x: f64, n: i64) -> f64 {
    match n {
        0 => 1.0,
        1 => x,
        _ if n % 2 == 0 => power(x, n / 2) * power(x, n / 2),
        _ => power(x, n - 1) * x,
    }
}

fn floor(x: i128, y: i128) -> i128 {
    // Count down from the truncated quotient if it is too large.
    let quotient = x / y;
    if x % y != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient }
}
