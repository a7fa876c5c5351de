//! An interpreter as plain as the page that defines the machine: it walks the program's tree with
//! one value a thread, spells out every address, and shares no code with the crate's execution.

use memory_machine::language::program::{
    Access, Block, Expr, ExprKind, Program, Range, ScalarId, Statement,
};
use memory_machine::language::syntax::{BinaryOp, Type, UnaryOp};
use memory_machine::run::layout::{Arrangement, Bulk};
use memory_machine::trace::Kind;

#[derive(Debug, Clone, Copy)]
pub enum Value {
    I32(i32),
    U32(u32),
    I64(i64),
    F32(f32),
    F64(f64),
    Bool(bool),
}

use Value::{Bool, F32, F64, I32, I64, U32};

impl Value {
    /// As the crate's memory holds it; every NaN is one NaN.
    pub fn bits(self) -> u64 {
        match self {
            I32(x) => i64::from(x) as u64,
            U32(x) => x.into(),
            I64(x) => x as u64,
            F32(x) if x.is_nan() => f32::NAN.to_bits().into(),
            F32(x) => x.to_bits().into(),
            F64(x) if x.is_nan() => f64::NAN.to_bits(),
            F64(x) => x.to_bits(),
            Bool(x) => x.into(),
        }
    }

    pub fn from_bits(element: Type, bits: u64) -> Self {
        match element {
            Type::I32 => I32(bits as u32 as i32),
            Type::U32 => U32(bits as u32),
            Type::I64 => I64(bits as i64),
            Type::F32 => F32(f32::from_bits(bits as u32)),
            Type::F64 => F64(f64::from_bits(bits)),
            Type::Bool => Bool(bits != 0),
        }
    }

    fn truth(self) -> bool {
        matches!(self, Bool(true))
    }

    fn integer(self) -> i64 {
        match self {
            I32(x) => x.into(),
            U32(x) => x.into(),
            I64(x) => x,
            other => panic!("{other:?} is no integer"),
        }
    }
}

/// What happened, in order: an access step with the address of each active thread, or a barrier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Step(Kind, Vec<(usize, u64)>),
    Barrier,
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
        };
        let mut end = 0_u64;
        for array in &program.arrays {
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
        for statement in block {
            if !threads.is_empty() {
                self.statement(statement, threads)?;
            }
        }
        Ok(())
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
                for (&address, value) in addresses.iter().zip(values) {
                    self.memory[address as usize] = Some(value);
                }
                self.step(Kind::Write, threads, &addresses);
            }
            Statement::For(it) => self.sequential(&it.range, &it.body, threads)?,
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
                    self.block(&nest.body, &active)?;
                }
                self.registers = outer;
                self.events.push(Event::Barrier);
            }
            Statement::While { condition, body, .. } => {
                let mut active = threads.to_vec();
                let mut times = 0;
                loop {
                    let values = self.values(condition, &active)?;
                    active = keep(&active, &values, true);
                    if active.is_empty() {
                        break;
                    }
                    times += 1;
                    if times > self.while_limit {
                        return Err(Stuck);
                    }
                    self.block(body, &active)?;
                }
            }
            Statement::If { condition, then, otherwise, .. } => {
                let values = self.values(condition, threads)?;
                self.block(then, &keep(threads, &values, true))?;
                self.block(otherwise, &keep(threads, &values, false))?;
            }
            Statement::Labelled { body, .. } => self.block(body, threads)?,
        }
        Ok(())
    }

    fn bounds(&mut self, range: &Range, threads: &[usize]) -> Result<Vec<(i64, i64, i64)>> {
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

    fn sequential(&mut self, range: &Range, body: &Block, threads: &[usize]) -> Result<()> {
        let bounds = self.bounds(range, threads)?;
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
            self.block(body, &active)?;
        }
        Ok(())
    }

    /// All iterations of a nest, in lexicographic order; the first barrier stands after the bounds
    /// of the outermost loop.
    fn iterations(
        &mut self,
        ranges: &[Range],
        prefix: &mut Vec<i64>,
        found: &mut Vec<Vec<i64>>,
    ) -> Result<()> {
        let Some((first, inner)) = ranges.split_first() else {
            found.push(prefix.clone());
            return Ok(());
        };
        let (from, to, step) = self.bounds(first, &[0])?[0];
        if prefix.is_empty() {
            self.events.push(Event::Barrier);
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

    fn step(&mut self, kind: Kind, threads: &[usize], addresses: &[u64]) {
        let all = threads.iter().copied().zip(addresses.iter().copied()).collect();
        self.events.push(Event::Step(kind, all));
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
                Type::F32 => F32(*value as f32),
                Type::F64 => F64(*value as f64),
                Type::Bool => panic!("an integer cannot be bool"),
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
                let read = addresses.iter().map(|&it| self.memory[it as usize].ok_or(Stuck));
                let values = read.collect::<Result<Vec<_>>>()?;
                self.step(Kind::Read, threads, &addresses);
                Ok(values)
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
        (F64(x), Type::F32) => F32(x as f32),
        (F64(x), Type::I32) => I32(x as i32),
        (F64(x), Type::U32) => U32(x as u32),
        (F64(x), Type::I64) => I64(x as i64),
        (integer, Type::F32) => F32(integer.integer() as f32),
        (integer, Type::F64) => F64(integer.integer() as f64),
        (integer, Type::I32) => I32(integer.integer().try_into().map_err(|_| Stuck)?),
        (integer, Type::U32) => U32(integer.integer().try_into().map_err(|_| Stuck)?),
        (integer, Type::I64) => I64(integer.integer()),
        (from, to) => panic!("{from:?} to {to:?}"),
    })
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
        (UnaryOp::Sqrt, F32(x)) => F32(x.sqrt()),
        (UnaryOp::Sqrt, F64(x)) => F64(x.sqrt()),
        (op, value) => panic!("{op:?} of {value:?}"),
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
        _ if op.is_shift() => None,
        (F32(x), F32(y)) => compared!(op, x, y),
        (F64(x), F64(y)) => compared!(op, x, y),
        (Bool(x), Bool(y)) => compared!(op, x, y),
        (I32(x), I32(y)) => compared!(op, x, y),
        (U32(x), U32(y)) => compared!(op, x, y),
        (I64(x), I64(y)) => compared!(op, x, y),
        (x, y) => panic!("{op:?} of {x:?} and {y:?}"),
    };
    if let Some(truth) = comparison {
        return Ok(Bool(truth));
    }
    match (left, right) {
        (F32(x), F32(y)) => Ok(floats!(op, x, y, F32)),
        (F64(x), F64(y)) => Ok(floats!(op, x, y, F64)),
        _ => {
            // 128 bits hold every exact result but shifts; what does not fit wraps.
            let (x, y) = (i128::from(left.integer()), i128::from(right.integer()));
            let bits = if matches!(left, I64(_)) { 64 } else { 32 };
            let exact = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Subtract => x - y,
                BinaryOp::Multiply => x * y,
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
                _ => I64(exact as i64),
            })
        }
    }
}

fn floor(x: i128, y: i128) -> i128 {
    // Count down from the truncated quotient if it is too large.
    let quotient = x / y;
    if x % y != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient }
}
