//! Expressions and the accesses in them, for each of some threads.

use memory_machine::language::program::{Access, Expr, ExprKind, WarpOp};
use memory_machine::language::syntax::{BinaryOp, Role, Type};
use memory_machine::language::warp::Source;
use memory_machine::trace::{AccessKind, Space};

use super::arithmetic::{binary, convert, unary};
use super::value::Value::{self, Bool, F32, F64, Few, I32, I64, U32, U64};
use super::{Event, OfBlock, Oracle, Result, Stuck, keep};

fn integer(value: i64, element: Type) -> Value {
    match element {
        Type::I32 => I32(value as i32),
        Type::U32 => U32(value as u32),
        Type::I64 => I64(value),
        Type::U64 => U64(value as u64),
        Type::F32 => F32(value as f32),
        Type::F64 => F64(value as f64),
        Type::Bool => panic!("an integer cannot be bool"),
        few => Few(few, value),
    }
}

impl Oracle<'_> {
    pub(super) fn step(
        &mut self,
        kind: AccessKind,
        access: &Access,
        threads: &[usize],
        addresses: &[u64],
    ) {
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

    pub(super) fn addresses(&mut self, access: &Access, threads: &[usize]) -> Result<Vec<u64>> {
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
    pub(super) fn values(&mut self, expr: &Expr, threads: &[usize]) -> Result<Vec<Value>> {
        if threads.is_empty() {
            return Ok(vec![]);
        }
        let everyone = |value| Ok(vec![value; threads.len()]);
        match &expr.kind {
            ExprKind::Integer(value) => everyone(integer(*value, expr.element)),
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
            ExprKind::Warp(op, operands) => {
                let mut all = vec![];
                for operand in operands {
                    all.push(self.values(operand, threads)?);
                }
                threads.iter().map(|&thread| self.of_warp(*op, &all, threads, thread)).collect()
            }
        }
    }

    /// What a word of a warp gives to one of the threads that come to it.
    fn of_warp(
        &self,
        op: WarpOp,
        operands: &[Vec<Value>],
        threads: &[usize],
        thread: usize,
    ) -> Result<Value> {
        let width = self.width as usize;
        let (first, own) = (thread - thread % width, (thread % width) as i64);
        let has = |lane: i64| threads.iter().position(|&it| it as i64 == first as i64 + lane);
        let at = |lane: i64| has(lane).map(|it| operands[0][it]);
        let lanes = || (0..width as i64).filter(|&it| has(it).is_some());
        let truths = || lanes().filter_map(at).map(Value::truth);
        Ok(match op {
            WarpOp::Lane => I64(own),
            WarpOp::Width => I64(width as i64),
            WarpOp::Any => Bool(truths().any(|it| it)),
            WarpOp::All => Bool(truths().all(|it| it)),
            WarpOp::Ballot => {
                U64(lanes().filter(|&it| at(it).unwrap().truth()).map(|it| 1_u64 << it).sum())
            }
            WarpOp::Shuffle(source) => {
                let by = operands[1][has(own).unwrap()].integer();
                let inside = |lane: i64| if (0..width as i64).contains(&lane) { lane } else { own };
                let lane = match source {
                    Source::Lane => by,
                    _ if by < 0 => return Err(Stuck),
                    Source::Xor => own ^ by,
                    Source::Up => inside(own - by),
                    Source::Down => inside(own + by),
                };
                return if (0..width as i64).contains(&lane) {
                    at(lane).ok_or(Stuck)
                } else {
                    Err(Stuck)
                };
            }
            // A tree: lane i takes in lane i + m, for every m that is a power of two, from the largest down.
            WarpOp::Reduce(by) => {
                let mut tree: Vec<Option<Value>> = (0..width as i64).map(at).collect();
                for half in (0..32).rev().map(|it| 1_usize << it) {
                    for lane in 0..half.min(width) {
                        if let (Some(x), Some(Some(y))) = (tree[lane], tree.get(lane + half)) {
                            tree[lane] = Some(binary(by, x, *y)?);
                        }
                    }
                }
                tree[0].ok_or(Stuck)?
            }
        })
    }
}
