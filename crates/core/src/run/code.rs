//! A program lowered for given sizes: straight-line instructions on registers, between control
//! flow. Parameters and array shapes have become constants.

use std::collections::{HashMap, HashSet};

use super::operation::{Evaluation, Operation};
use crate::diagnostic::Span;
use crate::language::program::{
    ArrayId, AtomicOp, Blocks, For, Nest, ScalarId, SiteId, TableId, WarpOp,
};
use crate::language::syntax::{BinaryOp, Type, UnaryOp};
use crate::trace::Phase;

/// A thread's register: a scalar of the listing or an intermediate result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub(super) usize);

impl Register {
    /// Registers are numbered from 0.
    pub const fn index(self) -> usize {
        self.0
    }
}

/// Calls in parallel, as an execution makes them one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForkStep {
    /// The first branch begins.
    Begins,
    /// A branch is through.
    BranchEnds,
    /// All are.
    Ends,
}

#[derive(Debug)]
pub(super) enum Instruction {
    Unary {
        op: UnaryOp,
        element: Type,
        to: Register,
        operand: Register,
        /// The phase in which the listing evaluates it; `None` in indices and bounds. Likewise below.
        evaluated: Option<Phase>,
    },
    Binary {
        op: BinaryOp,
        element: Type,
        to: Register,
        operands: (Register, Register),
        evaluated: Option<Phase>,
        span: Span,
    },
    /// A step of calls in parallel, for whom it may concern: they are made one after another.
    Fork(ForkStep),
    /// `and` or `or` of which not every thread needs the right side: branches do the rest.
    Lazy {
        evaluated: Phase,
    },
    Convert {
        types: (Type, Type),
        to: Register,
        operand: Register,
        span: Span,
    },
    Copy {
        to: Register,
        from: Register,
    },
    /// From a table of the listing, after checking the index.
    Entry {
        table: TableId,
        to: Register,
        index: Register,
        span: Span,
    },
    /// Row-major cell of an array, after checking every index against its extent, and that it is a
    /// multiple of `lanes`.
    Cell {
        array: ArrayId,
        to: Register,
        indices: Vec<Register>,
        lanes: u64,
        span: Span,
    },
    Load {
        site: SiteId,
        array: ArrayId,
        to: Register,
        cell: Register,
        span: Span,
    },
    Store {
        site: SiteId,
        array: ArrayId,
        cell: Register,
        value: Register,
    },
    /// Reads and writes a word in one access.
    Atomic(AtomicCode),
    /// From a thread's array of registers: no access.
    Fetch {
        array: ArrayId,
        to: Register,
        cell: Register,
        span: Span,
    },
    /// What the threads of a warp give each other, who all come to it: no access.
    Warp {
        op: WarpOp,
        element: Type,
        to: Register,
        operands: Vec<Register>,
        evaluated: Option<Phase>,
        span: Span,
    },
    /// Into one.
    Keep {
        array: ArrayId,
        cell: Register,
        value: Register,
    },
}

/// An atomic on elements of an array.
#[derive(Debug)]
pub(super) struct AtomicCode {
    pub(super) site: SiteId,
    pub(super) array: ArrayId,
    pub(super) op: AtomicOp,
    pub(super) element: Type,
    pub(super) cell: Register,
    pub(super) value: Register,
    pub(super) compare: Option<Register>,
    /// Becomes what the word was.
    pub(super) old: Option<Register>,
    /// Becomes what it is afterwards.
    pub(super) written: Register,
    pub(super) span: Span,
}

/// Its loops are parts of the program that was lowered, no copies.
pub(super) type Code<'a> = Vec<Node<'a>>;

#[derive(Debug)]
pub(super) enum Node<'a> {
    Straight(Vec<Instruction>),
    Branch {
        condition: Register,
        then: Code<'a>,
        otherwise: Code<'a>,
        /// Registers that either side assigns; likewise below.
        changes: Vec<Register>,
    },
    /// `source` is the loop as the listing has it.
    For {
        range: RangeCode<'a>,
        body: Code<'a>,
        changes: Vec<Register>,
        /// As [`For::while_true`].
        while_true: Option<Register>,
        source: &'a For,
    },
    While {
        test: Code<'a>,
        condition: Register,
        /// What `decreases`, and the code that evaluates it.
        measure: Option<(Code<'a>, Register, Span)>,
        body: Code<'a>,
        changes: Vec<Register>,
        span: Span,
    },
    Nest(NestCode<'a>),
    Blocks(BlocksCode<'a>),
}

/// The registers that pieces of code assign, each once.
pub(super) fn changes(pieces: &[&Code<'_>]) -> Vec<Register> {
    let mut found = vec![];
    for node in pieces.iter().copied().flatten() {
        match node {
            Node::Straight(instructions) => {
                found.extend(instructions.iter().filter_map(Instruction::target));
            }
            Node::Branch { changes, .. }
            | Node::For { changes, .. }
            | Node::While { changes, .. } => found.extend(changes),
            // A nest assigns nothing outside it but the bounds and variables of its loops.
            Node::Nest(_) | Node::Blocks(_) => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

impl Instruction {
    /// What it asks of a processor, beside accesses; nothing of one that a compiler leaves out.
    /// `is_known` says of a register whether its value is known before the run.
    pub(super) fn operation(&self, is_known: impl Fn(Register) -> bool) -> Option<Operation> {
        use Operation as O;
        if let Self::Unary { element: Type::I64, .. } = self {
            return Some(O::Place);
        }
        let simple = [O::Simple, O::Simple64, O::F32, O::F64];
        Some(match self {
            Self::Unary { op: UnaryOp::Sqrt, element, .. } => {
                O::of(*element, [O::F32Root, O::F64Root, O::F32Root, O::F64Root])
            }
            Self::Unary { op, element, .. } => match op {
                UnaryOp::Sin
                | UnaryOp::Cos
                | UnaryOp::Tan
                | UnaryOp::Exp
                | UnaryOp::Log
                | UnaryOp::Log2 => O::F64Root,
                _ => O::of(*element, simple),
            },
            Self::Binary { op, element, operands: (left, right), .. } => match op {
                // What the sizes decide is no instruction.
                _ if is_known(*left) && is_known(*right) => return None,
                BinaryOp::Divide | BinaryOp::Modulo if *element == Type::I64 => {
                    if is_known(*right) { O::Place } else { O::Quotient64 }
                }
                BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::Equal
                | BinaryOp::NotEqual
                    if *element == Type::I64 =>
                {
                    O::Simple
                }
                _ if *element == Type::I64 => O::Place,
                BinaryOp::Multiply => O::of(*element, [O::Product, O::Product64, O::F32, O::F64]),
                BinaryOp::Divide | BinaryOp::Modulo if is_known(*right) => {
                    O::of(*element, [O::Product, O::Product64, O::F32Quotient, O::F64Quotient])
                }
                BinaryOp::Divide | BinaryOp::Modulo => {
                    O::of(*element, [O::Quotient, O::Quotient64, O::F32Quotient, O::F64Quotient])
                }
                _ => O::of(*element, simple),
            },
            Self::Convert { types: (from, to), .. } => match (from, to) {
                _ if from.is_float() || to.is_float() => O::F32,
                _ => return None,
            },
            Self::Warp { op: WarpOp::Lane | WarpOp::Width, .. } => return None,
            Self::Entry { .. } | Self::Warp { .. } => O::Simple,
            Self::Cell { .. }
            | Self::Copy { .. }
            | Self::Load { .. }
            | Self::Store { .. }
            | Self::Fetch { .. }
            | Self::Keep { .. }
            | Self::Atomic(_)
            | Self::Fork(_)
            | Self::Lazy { .. } => return None,
        })
    }

    /// The operator of the listing that it evaluates, outside of indices and bounds.
    pub(super) fn evaluation(&self) -> Option<Evaluation> {
        let (kind, evaluated) = match self {
            Self::Lazy { evaluated } => (Operation::Simple, &Some(*evaluated)),
            Self::Warp { evaluated, .. } => (self.operation(|_| false)?, evaluated),
            Self::Unary { element, evaluated, .. } | Self::Binary { element, evaluated, .. } => {
                // Nothing is known before, and no value is a place: the kind by type and operator.
                let kind = match self.operation(|_| false) {
                    Some(Operation::Place) if !element.is_float() => {
                        let is_product =
                            matches!(self, Self::Binary { op: BinaryOp::Multiply, .. });
                        if is_product { Operation::Product64 } else { Operation::Simple64 }
                    }
                    kind => kind?,
                };
                (kind, evaluated)
            }
            _ => return None,
        };
        evaluated.map(|phase| Evaluation { kind, phase })
    }

    const fn target(&self) -> Option<Register> {
        match self {
            Self::Unary { to, .. }
            | Self::Binary { to, .. }
            | Self::Convert { to, .. }
            | Self::Copy { to, .. }
            | Self::Entry { to, .. }
            | Self::Cell { to, .. }
            | Self::Load { to, .. }
            | Self::Warp { to, .. }
            | Self::Fetch { to, .. } => Some(*to),
            Self::Atomic(atomic) => atomic.old,
            Self::Store { .. } | Self::Keep { .. } | Self::Fork(_) | Self::Lazy { .. } => None,
        }
    }
}

impl Evaluation {
    /// That of an operator on one value of this type; `None` if it is none that counts.
    pub(crate) fn of_unary(op: UnaryOp, element: Type, phase: Phase) -> Option<Self> {
        let (to, operand) = (Register(0), Register(0));
        Instruction::Unary { op, element, to, operand, evaluated: Some(phase) }.evaluation()
    }

    /// The same of two values, the left one of this type.
    pub(crate) fn of_binary(op: BinaryOp, element: Type, phase: Phase) -> Option<Self> {
        let (to, operands, span) = (Register(0), (Register(0), Register(0)), Span::default());
        let evaluated = Some(phase);
        Instruction::Binary { op, element, to, operands, evaluated, span }.evaluation()
    }
}

/// A loop's header; `bounds` computes `from`, `to` and `step`.
#[derive(Debug)]
pub(super) struct RangeCode<'a> {
    pub(super) name: &'a str,
    pub(super) bounds: Code<'a>,
    pub(super) variable: Register,
    pub(super) from: Register,
    pub(super) to: Register,
    pub(super) step: Option<Register>,
    pub(super) downward: bool,
    /// Whether a compiler writes all turns out, so that neither they nor places in them are computed.
    pub(super) unrolled: bool,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct NestCode<'a> {
    pub(super) nest: &'a Nest,
    pub(super) loops: LoopsCode<'a>,
    pub(super) body: Code<'a>,
}

#[derive(Debug)]
pub(super) struct BlocksCode<'a> {
    pub(super) blocks: &'a Blocks,
    pub(super) loops: LoopsCode<'a>,
    pub(super) body: Code<'a>,
}

/// The headers of loops that stand directly inside each other, of which every iteration is run by a
/// thread, or by a block, of its own.
#[derive(Debug)]
pub(super) struct LoopsCode<'a> {
    /// Bounds are computed outside, by thread 0; `variable` is what inner bounds see.
    pub(super) ranges: Vec<RangeCode<'a>>,
    /// The loop variables as the body sees them, one value an iteration.
    pub(super) lanes: Vec<Register>,
    /// Registers from outside that the body reads: (outside, inside).
    pub(super) captured: Vec<(Register, Register)>,
}

/// Which threads a register belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// Thread 0 alone, or every thread of a bulk run.
    Outside,
    /// Thread 0 of every block of a loop on DMMs.
    Block,
    /// Every thread of a parallel nest; in blocks, those of the first block, then of the next.
    Inside,
}

/// The whole lowered program.
#[derive(Debug)]
pub(super) struct Lowered<'a> {
    pub(super) body: Code<'a>,
    /// Place and, for constants, the value of every register.
    pub(super) registers: Vec<(Place, Option<u64>)>,
    /// Where scalars are kept.
    pub(super) scalars: HashMap<(ScalarId, Place), Register>,
    /// The words of the listing's tables.
    pub(super) tables: Vec<Vec<u64>>,
    /// The register of the answer, computed by this code.
    pub(super) answer: Option<(Code<'a>, Register)>,
    /// Arrays of registers of which it is not known without values whether they have any.
    pub(super) unknown: HashSet<ArrayId>,
}
