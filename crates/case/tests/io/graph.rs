//! A listing's operations as a graph, by executing its indices alone: which operation reads which value.

use std::collections::{BTreeSet, HashMap};

use memory_machine_core::language::program::{
    ArrayId, Block, Expr, ExprKind, LoopRange, Program, Statement,
};
use memory_machine_core::language::syntax::{BinaryOp, Role, Type, UnaryOp};

/// Values by number: those that are given have no reads.
pub struct Graph {
    /// Of each value, what it is computed from; none of one that is given.
    pub reads: Vec<Option<Vec<usize>>>,
    /// Which are results.
    pub is_result: Vec<bool>,
}

struct Walk<'a> {
    program: &'a Program,
    sizes: &'a [i64],
    most: usize,
    reads: Vec<Option<Vec<usize>>>,
    cells: HashMap<(ArrayId, Vec<i64>), usize>,
    /// By scalar: an index, or the value that it holds.
    numbers: Vec<Option<i64>>,
    values: Vec<Option<usize>>,
}

impl Graph {
    /// `None` where indices or conditions depend on data, or there are more values.
    pub fn of(program: &Program, sizes: &[i64], most: usize) -> Option<Self> {
        let scalars = program.scalars.len();
        let mut walk = Walk {
            program,
            sizes,
            most,
            reads: vec![],
            cells: HashMap::new(),
            numbers: vec![None; scalars],
            values: vec![None; scalars],
        };
        walk.block(&program.body)?;
        let mut is_result = vec![false; walk.reads.len()];
        for ((array, _), value) in &walk.cells {
            let role = program.arrays[array.0].role;
            let is_made = walk.reads[*value].is_some();
            is_result[*value] = is_made && matches!(role, Role::Output | Role::Inout);
        }
        Some(Self { reads: walk.reads, is_result })
    }

    fn users(&self) -> Vec<Vec<usize>> {
        let mut users = vec![vec![]; self.reads.len()];
        for (value, reads) in self.reads.iter().enumerate() {
            for read in reads.iter().flatten() {
                users[*read].push(value);
            }
        }
        users
    }

    /// An order of the operations: the listing's own for seed 0; one that goes on where most is in a fast
    /// memory of this many words for 1; else a random one.
    pub fn order(&self, seed: u64, fast: usize) -> Vec<usize> {
        let made = |it: &usize| self.reads[*it].is_some();
        if seed.is_multiple_of(3) {
            return (0..self.reads.len()).filter(made).collect();
        }
        let users = self.users();
        let mut open: Vec<usize> =
            self.reads.iter().map(|it| it.iter().flatten().filter(|it| made(it)).count()).collect();
        let mut ready: BTreeSet<usize> =
            (0..self.reads.len()).filter(|it| made(it) && open[*it] == 0).collect();
        let (mut order, mut recent) = (vec![], vec![0_usize; self.reads.len()]);
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        while !ready.is_empty() {
            let now = order.len() + 1;
            let near = |it: &usize| {
                let reads = self.reads[*it].iter().flatten();
                reads.filter(|it| recent[**it] > 0 && recent[**it] + fast > now).count()
            };
            let next = if seed % 3 == 1 {
                *ready.iter().take(64).max_by_key(|it| near(it)).unwrap()
            } else {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                *ready.iter().nth((state % ready.len() as u64) as usize).unwrap()
            };
            ready.remove(&next);
            order.push(next);
            recent[next] = now;
            for read in self.reads[next].iter().flatten() {
                recent[*read] = now;
            }
            for user in &users[next] {
                open[*user] -= 1;
                if open[*user] == 0 {
                    ready.insert(*user);
                }
            }
        }
        order
    }

    /// Words that an order moves with S words, if what is needed last leaves first; `None` if an operation
    /// does not fit.
    pub fn moved(&self, order: &[usize], fast: usize) -> Option<u64> {
        let mut uses: Vec<Vec<usize>> = vec![vec![]; self.reads.len()];
        for (at, value) in order.iter().enumerate().rev() {
            for read in self.reads[*value].iter().flatten() {
                uses[*read].push(at);
            }
        }
        // By value: whether it is stored; and all of them by when they are needed.
        let mut held: HashMap<usize, bool> = HashMap::new();
        let mut by_use: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut moved = 0;
        let next = |uses: &[Vec<usize>], it: usize| uses[it].last().copied().unwrap_or(usize::MAX);
        for value in order {
            let needed = self.reads[*value].clone().unwrap_or_default();
            if needed.len() + 1 > fast {
                return None;
            }
            for (number, word) in needed.iter().chain([value]).enumerate() {
                let is_made = number == needed.len();
                if is_made {
                    // All is there: these reads are done.
                    for read in &needed {
                        by_use.remove(&(next(&uses, *read), *read));
                        uses[*read].pop();
                        by_use.insert((next(&uses, *read), *read));
                    }
                }
                if held.contains_key(word) {
                    continue;
                }
                if held.len() == fast {
                    let may_leave = |it: &&(usize, usize)| is_made || !needed.contains(&it.1);
                    let leaving = *by_use.iter().rev().find(may_leave)?;
                    by_use.remove(&leaving);
                    let is_stored = held.remove(&leaving.1)?;
                    let is_wanted = self.is_result[leaving.1] || leaving.0 != usize::MAX;
                    moved += u64::from(!is_stored && is_wanted);
                }
                moved += u64::from(!is_made);
                held.insert(*word, !is_made);
                by_use.insert((next(&uses, *word), *word));
            }
        }
        let left = held.iter().filter(|(it, is_stored)| !**is_stored && self.is_result[**it]);
        Some(moved + left.count() as u64)
    }
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) -> Option<()> {
        block.iter().try_for_each(|it| self.statement(it))
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match statement {
            Statement::Assign { target, value, .. } => {
                let number = if value.element == Type::I64 { self.number(value) } else { None };
                self.numbers[target.0] = number;
                self.values[target.0] = match number {
                    Some(_) => None,
                    None => Some(self.operation(value, &[])?),
                };
            }
            Statement::Store { access, value, .. } => {
                let made = self.operation(value, &access.indices)?;
                let cell = self.cell(access.array, &access.indices)?;
                self.cells.insert(cell, made);
            }
            Statement::For(it) => {
                if it.while_true.is_some() {
                    return None;
                }
                self.nest(std::slice::from_ref(&it.range), &it.body)?;
            }
            Statement::Parallel(it) => self.nest(&it.ranges, &it.body)?,
            Statement::Blocks(_) | Statement::While { .. } | Statement::Fork { .. } => return None,
            Statement::If { condition, then, otherwise, .. } => {
                let block = if self.holds(condition)? { then } else { otherwise };
                self.block(block)?;
            }
            Statement::Labelled { body, .. } => self.block(body)?,
        }
        Some(())
    }

    fn nest(&mut self, ranges: &[LoopRange], body: &Block) -> Option<()> {
        let Some((range, inner)) = ranges.split_first() else { return self.block(body) };
        let (from, to) = (self.number(&range.from)?, self.number(&range.to)?);
        let step = range.step.as_ref().map_or(Some(1), |it| self.number(it))?;
        let mut at = from;
        while if range.downward { at >= to } else { at <= to } {
            self.numbers[range.variable.0] = Some(at);
            self.nest(inner, body)?;
            at += if range.downward { -step } else { step };
        }
        Some(())
    }

    fn value(&mut self, reads: Option<Vec<usize>>) -> Option<usize> {
        self.reads.push(reads);
        (self.reads.len() <= self.most).then(|| self.reads.len() - 1)
    }

    fn operation(&mut self, value: &Expr, indices: &[Expr]) -> Option<usize> {
        let mut reads = BTreeSet::new();
        for expr in indices.iter().chain([value]) {
            self.collect(expr, &mut reads)?;
        }
        self.value(Some(reads.into_iter().collect()))
    }

    fn collect(&mut self, expr: &Expr, reads: &mut BTreeSet<usize>) -> Option<()> {
        match &expr.kind {
            ExprKind::Element(access) => {
                let cell = self.cell(access.array, &access.indices)?;
                let known = self.cells.get(&cell).copied();
                let value = match known {
                    Some(value) => value,
                    None => self.value(None)?,
                };
                self.cells.insert(cell, value);
                reads.insert(value);
            }
            ExprKind::Scalar(id) => reads.extend(self.values[id.0]),
            ExprKind::Conditional(parts) => {
                // Which arm is read must not depend on data.
                let arm = match self.holds(&parts[0]) {
                    Some(true) => 1,
                    Some(false) => 2,
                    None if parts[1..].iter().all(|it| !has_reads(it)) => {
                        return self.collect(&parts[0], reads);
                    }
                    None => return None,
                };
                return self.collect(&parts[arm], reads);
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => return None,
            ExprKind::Let(..) => return None,
            _ => {}
        }
        for operand in expr.operands() {
            self.collect(operand, reads)?;
        }
        Some(())
    }

    fn cell(&self, array: ArrayId, indices: &[Expr]) -> Option<(ArrayId, Vec<i64>)> {
        if self.program.arrays[array.0].role.is_local() {
            return None;
        }
        Some((array, indices.iter().map(|it| self.number(it)).collect::<Option<_>>()?))
    }

    fn holds(&self, condition: &Expr) -> Option<bool> {
        let ExprKind::Binary(op, left, right) = &condition.kind else { return None };
        match op {
            BinaryOp::And => return Some(self.holds(left)? && self.holds(right)?),
            BinaryOp::Or => return Some(self.holds(left)? || self.holds(right)?),
            _ => {}
        }
        let order = self.number(left)?.cmp(&self.number(right)?);
        Some(match op {
            BinaryOp::Less => order.is_lt(),
            BinaryOp::LessEqual => order.is_le(),
            BinaryOp::Greater => order.is_gt(),
            BinaryOp::GreaterEqual => order.is_ge(),
            BinaryOp::Equal => order.is_eq(),
            BinaryOp::NotEqual => order.is_ne(),
            _ => return None,
        })
    }

    fn number(&self, expr: &Expr) -> Option<i64> {
        if expr.element != Type::I64 {
            return None;
        }
        Some(match &expr.kind {
            ExprKind::Integer(value) => *value,
            ExprKind::Parameter(id) => self.sizes[id.0],
            ExprKind::Scalar(id) => self.numbers[id.0]?,
            ExprKind::Unary(UnaryOp::Negate, it) => -self.number(it)?,
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                match op {
                    BinaryOp::Add => left + right,
                    BinaryOp::Subtract => left - right,
                    BinaryOp::Multiply => left * right,
                    BinaryOp::Modulo => left.rem_euclid(right),
                    BinaryOp::Divide => left.div_euclid(right),
                    BinaryOp::Min => left.min(right),
                    BinaryOp::Max => left.max(right),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

fn has_reads(expr: &Expr) -> bool {
    expr.parts().any(|it| matches!(it.kind, ExprKind::Element(_) | ExprKind::Scalar(_)))
}
