//! Expressions, lowered to instructions.

use super::super::code::{AtomicCode, Code, Instruction, Node, Register, changes};
use super::super::memory::Bits;
use super::{Lowering, UNKNOWN, literal};
use crate::language::program::{Access, Atomic, Expr, ExprKind, Site, WarpOp};
use crate::language::syntax::{BinaryOp, Role};
use crate::trace::Phase;

impl<'a> Lowering<'a> {
    pub(super) fn is_register(&self, access: &Access) -> bool {
        self.program.arrays[access.array.0].role == Role::Register
    }

    pub(super) fn atomic(&mut self, access: &Access, value: &Expr, atomic: &Atomic) {
        let element = value.element;
        let value = self.expr(value);
        let compare = atomic.compare.as_ref().map(|it| self.expr(it));
        let cell = self.cell(access);
        let old = atomic.old.map(|it| self.target(it));
        let written = self.temporary();
        let Access { site, array, span, .. } = *access;
        let op = atomic.op;
        self.emit(Instruction::Atomic(AtomicCode {
            site,
            array,
            op,
            element,
            cell,
            value,
            compare,
            old,
            written,
            span,
        }));
    }

    pub(super) fn cell(&mut self, access: &Access) -> Register {
        let indices = access.indices.iter().map(|index| self.place(index)).collect();
        let to = self.temporary();
        let (array, span) = (access.array, access.span);
        // The answer is nobody's access.
        let site = self.program.sites.get(access.site.0);
        let lanes = site.and_then(Site::elements).unwrap_or(1);
        self.emit(Instruction::Cell { array, to, indices, lanes, span });
        to
    }

    /// An index: its operators are no operations.
    fn place(&mut self, index: &Expr) -> Register {
        let outer = std::mem::replace(&mut self.in_place, true);
        let register = self.expr(index);
        self.in_place = outer;
        register
    }

    /// The phase to which an operator is counted that is evaluated here.
    const fn evaluated(&self) -> Option<Phase> {
        if self.in_place { None } else { Some(self.phase) }
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Register {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Boolean(_) => {
                self.constant(literal(expr).unwrap_or(0))
            }
            ExprKind::Parameter(it) => self.constant(Bits::to_bits(self.layout.parameters[it.0])),
            ExprKind::Scalar(scalar) => self.source(*scalar),
            ExprKind::Element(access) => {
                let cell = self.cell(access);
                let to = self.temporary();
                let (site, array) = (access.site, access.array);
                self.emit(match self.is_register(access) {
                    true => Instruction::Fetch { array, to, cell, span },
                    false => Instruction::Load { site, array, to, cell, span },
                });
                to
            }
            ExprKind::Convert(operand) | ExprKind::Entry(_, operand, _)
                if self.on_data.fails(expr) =>
            {
                self.expr(operand);
                self.constant(UNKNOWN)
            }
            ExprKind::Entry(table, index, _) => {
                let index = self.place(index);
                let to = self.temporary();
                self.emit(Instruction::Entry { table: *table, to, index, span });
                to
            }
            ExprKind::Binary(_, left, right) if self.on_data.fails(expr) => {
                self.expr(left);
                self.expr(right);
                self.constant(UNKNOWN)
            }
            ExprKind::Convert(operand) => {
                let types = (operand.element, expr.element);
                let operand = self.expr(operand);
                let to = self.temporary();
                self.emit(Instruction::Convert { types, to, operand, span });
                to
            }
            ExprKind::Unary(op, operand) => {
                let element = operand.element;
                let operand = self.expr(operand);
                let to = self.temporary();
                let evaluated = self.evaluated();
                self.emit(Instruction::Unary { op: *op, element, to, operand, evaluated });
                to
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right)
                if !is_eager(right) =>
            {
                self.lazy(*op == BinaryOp::And, left, right)
            }
            ExprKind::Binary(op, left, right) => {
                let element = left.element;
                let operands = (self.expr(left), self.expr(right));
                let to = self.temporary();
                let (op, evaluated) = (*op, self.evaluated());
                self.emit(Instruction::Binary { op, element, to, operands, evaluated, span });
                to
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let condition = self.expr(condition);
                let to = self.temporary();
                let then = self.arm(then, to);
                let otherwise = self.arm(otherwise, to);
                self.branch(condition, then, otherwise);
                to
            }
            ExprKind::Let(scalar, parts) => {
                let [value, body] = parts.as_ref();
                let from = self.expr(value);
                let to = self.target(*scalar);
                self.emit(Instruction::Copy { to, from });
                self.expr(body)
            }
            ExprKind::Warp(WarpOp::Width, _) => self.constant(self.layout.width.get()),
            ExprKind::Warp(op, operands) => {
                let element = operands.first().map_or(expr.element, |it| it.element);
                let operands = operands.iter().map(|it| self.expr(it)).collect();
                let to = self.temporary();
                let (op, evaluated) = (*op, self.evaluated());
                self.emit(Instruction::Warp { op, element, to, operands, evaluated, span });
                to
            }
        }
    }

    /// `left and right` / `left or right` where only some threads need the right side.
    fn lazy(&mut self, is_and: bool, left: &Expr, right: &Expr) -> Register {
        let from = self.expr(left);
        let to = self.temporary();
        self.emit(Instruction::Copy { to, from });
        if let Some(evaluated) = self.evaluated() {
            self.emit(Instruction::Lazy { evaluated });
        }
        let right = self.arm(right, to);
        let (then, otherwise) = if is_and { (right, vec![]) } else { (vec![], right) };
        self.branch(from, then, otherwise);
        to
    }

    pub(super) fn branch(&mut self, condition: Register, then: Code<'a>, otherwise: Code<'a>) {
        let changes = changes(&[&then, &otherwise]);
        self.code.push(Node::Branch { condition, then, otherwise, changes });
    }

    fn arm(&mut self, expr: &Expr, to: Register) -> Code<'a> {
        let (code, ()) = self.lower_block(|lowering| {
            let from = lowering.expr(expr);
            lowering.emit(Instruction::Copy { to, from });
        });
        code
    }
}

/// Whether evaluating the expression for a thread that does not need it goes unnoticed: it accesses
/// nothing and cannot fail.
pub(crate) fn is_eager(expr: &Expr) -> bool {
    expr.parts().all(|it| match &it.kind {
        ExprKind::Element(_)
        | ExprKind::Entry(..)
        | ExprKind::Convert(_)
        | ExprKind::Let(..)
        | ExprKind::Warp(..) => false,
        ExprKind::Binary(BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::Power, left, _) => {
            left.element.is_float()
        }
        _ => true,
    })
}
