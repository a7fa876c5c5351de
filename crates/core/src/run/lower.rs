//! [`Program`] → [`Lowered`].

mod expression;

use std::collections::HashMap;

pub(crate) use self::expression::is_eager;
use super::code::{
    BlocksCode, Code, ForkStep, Instruction, LoopsCode, Lowered, NestCode, Node, Place, RangeCode,
    Register, changes,
};
use super::layout::{self, Layout};
use super::memory::Bits;
use crate::diagnostic::Span;
use crate::language::oblivious::OnData;
use crate::language::program::{
    Block, Blocks, ConstantTable, Expr, ExprKind, For, LoopRange, Nest, Program, ScalarId,
    Statement,
};
use crate::language::syntax::{Type, short_float};
use crate::trace::Phase;

/// Turns up to which a compiler writes a loop out, where sizes tell how many there are.
const UNROLLED: u64 = 16;

/// What stands for a number that is not known: of every type there is a 0.
const UNKNOWN: u64 = 0;

/// What is left out without values: operations of `on_data` that may fail, and code that runs only
/// as memory decides. Neither asks for memory, or the program's time would depend on its data.
pub(super) fn lower<'a>(
    program: &'a Program,
    layout: &'a Layout,
    on_data: &'a OnData,
) -> Lowered<'a> {
    let mut lowering = Lowering {
        program,
        layout,
        on_data,
        place: Place::Outside,
        registers: vec![],
        scalars: HashMap::new(),
        constants: HashMap::new(),
        captured: HashMap::new(),
        temporaries: vec![],
        used: 0,
        code: vec![],
        phase: Phase(0),
        in_place: false,
    };
    let body = lowering.block(&program.body);
    let answer = program.answer.as_ref().filter(|it| !on_data.controls(it)).map(|answer| {
        let register = lowering.expr(answer);
        (std::mem::take(&mut lowering.code), register)
    });
    let Lowering { registers, scalars, .. } = lowering;
    let words = |table: &ConstantTable| table.entries.iter().filter_map(literal).collect();
    let tables = program.tables.iter().map(words).collect();
    Lowered { body, registers, scalars, tables, answer, unknown: on_data.registers.clone() }
}

struct Lowering<'a> {
    program: &'a Program,
    layout: &'a Layout,
    on_data: &'a OnData,
    place: Place,
    registers: Vec<(Place, Option<u64>)>,
    scalars: HashMap<(ScalarId, Place), Register>,
    constants: HashMap<(u64, Place), Register>,
    /// In a nest or in blocks: registers from outside and their copies there.
    captured: HashMap<(Register, Place), Register>,
    /// Registers for intermediate results; free again after each statement.
    temporaries: Vec<(Place, Register)>,
    used: usize,
    code: Code<'a>,
    /// The innermost label around that has accesses.
    phase: Phase,
    /// Whether what is lowered is an index or a bound: its operators are no operations.
    in_place: bool,
}

impl<'a> Lowering<'a> {
    fn register(&mut self, constant: Option<u64>) -> Register {
        self.registers.push((self.place, constant));
        Register(self.registers.len() - 1)
    }

    fn constant(&mut self, bits: u64) -> Register {
        if let Some(&register) = self.constants.get(&(bits, self.place)) {
            return register;
        }
        let register = self.register(Some(bits));
        self.constants.insert((bits, self.place), register);
        register
    }

    fn temporary(&mut self) -> Register {
        while let Some(&(place, register)) = self.temporaries.get(self.used) {
            self.used += 1;
            if place == self.place {
                return register;
            }
        }
        let register = self.register(None);
        self.temporaries.push((self.place, register));
        self.used = self.temporaries.len();
        register
    }

    /// The register in which a scalar is written.
    fn target(&mut self, scalar: ScalarId) -> Register {
        if let Some(&register) = self.scalars.get(&(scalar, self.place)) {
            return register;
        }
        let register = self.register(None);
        self.scalars.insert((scalar, self.place), register);
        register
    }

    /// The register from which a scalar is read: its own, or a copy of one from outside the nest.
    fn source(&mut self, scalar: ScalarId) -> Register {
        let places = [self.place, Place::Block, Place::Outside];
        let known = |place| self.scalars.get(&(scalar, place)).map(|&register| (place, register));
        let Some((place, outside)) = places.into_iter().find_map(known) else {
            return self.target(scalar);
        };
        if place == self.place {
            return outside;
        }
        if let Some(&inside) = self.captured.get(&(outside, self.place)) {
            return inside;
        }
        let inside = self.register(None);
        self.captured.insert((outside, self.place), inside);
        inside
    }

    fn emit(&mut self, instruction: Instruction) {
        match self.code.last_mut() {
            Some(Node::Straight(instructions)) => instructions.push(instruction),
            _ => self.code.push(Node::Straight(vec![instruction])),
        }
    }

    /// Lowers into a separate piece of code.
    fn lower_block<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> (Code<'a>, T) {
        let outer = std::mem::take(&mut self.code);
        let result = lower(self);
        (std::mem::replace(&mut self.code, outer), result)
    }

    fn block(&mut self, block: &'a Block) -> Code<'a> {
        let (code, ()) = self.lower_block(|lowering| {
            for statement in block {
                let used = lowering.used;
                lowering.statement(statement);
                lowering.used = used;
            }
        });
        code
    }

    fn statement(&mut self, statement: &'a Statement) {
        match statement {
            Statement::Assign { target, value, .. } => {
                let from = self.expr(value);
                let to = self.target(*target);
                if to != from {
                    self.emit(Instruction::Copy { to, from });
                }
            }
            Statement::Store { access, value, atomic: Some(atomic), .. } => {
                self.atomic(access, value, atomic);
            }
            Statement::Store { access, value, .. } => {
                let value = self.expr(value);
                let cell = self.cell(access);
                let (site, array) = (access.site, access.array);
                self.emit(match self.is_register(access) {
                    true => Instruction::Keep { array, cell, value },
                    false => Instruction::Store { site, array, cell, value },
                });
            }
            Statement::If { condition, then, otherwise, .. } => {
                let register = self.expr(condition);
                if !self.on_data.controls(condition) {
                    let (then, otherwise) = (self.block(then), self.block(otherwise));
                    self.branch(register, then, otherwise);
                }
            }
            Statement::For(For { range, .. }) if self.on_data.controls(&range.from) => {
                let bounds = self.range(range).bounds;
                self.code.extend(bounds);
            }
            Statement::For(source @ For { range, body, .. }) => {
                let range = self.range(range);
                let body = self.block(body);
                let changes = changes(&[&range.bounds, &body]);
                let while_true = source.while_true.map(|it| self.source(it));
                self.code.push(Node::For { range, body, changes, while_true, source });
            }
            Statement::While { condition, .. } if self.on_data.controls(condition) => {}
            Statement::While { condition, decreases, body, span, .. } => {
                let (test, condition) = self.lower_block(|lowering| lowering.expr(condition));
                let measure = decreases.as_ref().map(|it| {
                    let (code, register) = self.lower_block(|lowering| lowering.expr(it));
                    (code, register, it.span)
                });
                let body = self.block(body);
                let changes = changes(&[&test, &body]);
                self.code.push(Node::While {
                    test,
                    condition,
                    measure,
                    body,
                    changes,
                    span: *span,
                });
            }
            Statement::Parallel(nest) => {
                let nest = self.nest(nest);
                self.code.push(Node::Nest(nest));
            }
            Statement::Blocks(blocks) => {
                let blocks = self.blocks(blocks);
                self.code.push(Node::Blocks(blocks));
            }
            Statement::Fork { branches, .. } => {
                self.emit(Instruction::Fork(ForkStep::Begins));
                for branch in branches {
                    let code = self.block(branch);
                    self.code.extend(code);
                    self.emit(Instruction::Fork(ForkStep::BranchEnds));
                }
                self.emit(Instruction::Fork(ForkStep::Ends));
            }
            Statement::Labelled { phase, body } => {
                let outer = self.phase;
                self.phase = self.program.phase_within(phase, outer);
                let body = self.block(body);
                self.phase = outer;
                self.code.extend(body);
            }
        }
    }

    fn range(&mut self, range: &LoopRange) -> RangeCode<'a> {
        let outer = std::mem::replace(&mut self.in_place, true);
        let (bounds, (from, to, step)) = self.lower_block(|lowering| {
            // Copies: the body may change a scalar that a bound was read from.
            let from = lowering.kept(&range.from);
            let to = lowering.kept(&range.to);
            let step = range.step.as_ref().map(|step| lowering.kept(step));
            (from, to, step)
        });
        self.in_place = outer;
        RangeCode {
            name: &self.program.scalars[range.variable.0].name,
            bounds,
            variable: self.target(range.variable),
            from,
            to,
            step,
            downward: range.downward,
            unrolled: self.is_unrolled(range),
            span: range.span,
        }
    }

    fn is_unrolled(&self, range: &LoopRange) -> bool {
        let known = |it| layout::integer(it, &self.layout.parameters, &|_| None);
        let step = range.step.as_ref().map_or(Some(1), known);
        match (known(&range.from), known(&range.to), step) {
            (Some(from), Some(to), Some(step)) => {
                from.abs_diff(to) / step.unsigned_abs().max(1) < UNROLLED
            }
            _ => false,
        }
    }

    /// The value of an expression in a register of its own.
    fn kept(&mut self, expr: &Expr) -> Register {
        let from = self.expr(expr);
        let to = self.register(None);
        self.emit(Instruction::Copy { to, from });
        to
    }

    fn nest(&mut self, nest: &'a Nest) -> NestCode<'a> {
        let (loops, body) = self.loops(&nest.ranges, &nest.body, Place::Inside);
        NestCode { nest, loops, body }
    }

    fn blocks(&mut self, blocks: &'a Blocks) -> BlocksCode<'a> {
        let (loops, body) = self.loops(&blocks.ranges, &blocks.body, Place::Block);
        BlocksCode { blocks, loops, body }
    }

    /// Loops whose body runs at another place than their bounds are computed.
    fn loops(
        &mut self,
        ranges: &'a [LoopRange],
        body: &'a Block,
        place: Place,
    ) -> (LoopsCode<'a>, Code<'a>) {
        let headers = ranges.iter().map(|range| self.range(range)).collect();
        let outer = std::mem::replace(&mut self.place, place);
        let lanes = ranges.iter().map(|range| self.target(range.variable)).collect();
        let body = self.block(body);
        self.place = outer;
        let captured = self.captured.extract_if(|&(_, inside), _| inside == place);
        let mut captured: Vec<_> =
            captured.map(|((outside, _), inside)| (outside, inside)).collect();
        captured.sort_by_key(|(_, inside)| inside.0);
        (LoopsCode { ranges: headers, lanes, captured }, body)
    }
}

/// The bits of a constant.
fn literal(expr: &Expr) -> Option<u64> {
    Some(match (&expr.kind, expr.element) {
        (ExprKind::Integer(value), Type::F32) => Bits::to_bits(*value as f32),
        (ExprKind::Integer(value), Type::F64) => Bits::to_bits(*value as f64),
        (ExprKind::Integer(value), Type::F16 | Type::Bf16) => {
            short_float::rounded(expr.element, *value as f32).into()
        }
        (ExprKind::Integer(value), _) => Bits::to_bits(*value),
        (ExprKind::Float(value), Type::F32) => Bits::to_bits(*value as f32),
        (ExprKind::Float(value), Type::F16 | Type::Bf16) => {
            short_float::rounded(expr.element, *value as f32).into()
        }
        (ExprKind::Float(value), _) => Bits::to_bits(*value),
        (ExprKind::Boolean(value), _) => Bits::to_bits(*value),
        _ => return None,
    })
}

/// Where an expression stands, for messages.
pub(super) fn text(program: &Program, span: Span) -> &str {
    program.source.text.get(span.start..span.end).unwrap_or("")
}
