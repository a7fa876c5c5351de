//! Instructions of machine code, decoded.

use super::opcode::{AddressSpace, BarrierKind, FloatMode, Opcode, VoteKind};
use super::operand::{
    CONDITIONS, Condition, Operand, OperandSource, RZ, Register, TRUE, UNIFORM, UNIFORM_CONDITIONS,
    UNIFORM_ZERO, is_fixed,
};

/// An instruction of machine code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Instruction {
    pub(super) opcode: Opcode,
    pub(super) guard: Condition,
    /// The first register that it writes, and how many.
    pub(super) to: Register,
    pub(super) words: u8,
    pub(super) conditions_to: [Register; 2],
    pub(super) a: Operand,
    pub(super) b: Operand,
    pub(super) c: Operand,
    pub(super) conditions: [Condition; 3],
    /// Of an access: bytes, and what is added to the address.
    pub(super) bytes: u8,
    pub(super) is_signed: bool,
    pub(super) mode: FloatMode,
    pub(super) offset: i32,
    /// Of a copy, what is added to the address that it reads; `offset` is of that which it writes.
    pub(super) source_offset: i32,
    /// Where it goes on, by instruction; the number of a barrier of a warp.
    pub(super) target: u32,
    pub(super) barrier: u8,
    pub(super) control: Control,
}

/// What the compiler says of an instruction's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Control {
    /// Cycles until the next one of the warp begins.
    pub(super) stall: u8,
    /// The scoreboard that tells when its result is there, and when it has read.
    pub(super) written: Option<u8>,
    pub(super) read: Option<u8>,
    /// Those that it waits for, a bit each.
    pub(super) waits: u8,
}

impl Instruction {
    /// Registers that it reads, but for its guard.
    pub(super) fn reads(&self) -> impl Iterator<Item = Register> + '_ {
        let conditions = self.conditions.iter().map(|it| it.register);
        let operands = [self.a, self.b, self.c].into_iter().flat_map(Operand::registers);
        operands.chain(conditions.filter(|it| !is_fixed(*it)))
    }

    /// Registers that it writes.
    pub(super) fn writes(&self) -> impl Iterator<Item = Register> + '_ {
        let to = (!is_fixed(self.to)).then_some(self.to);
        let all = to.into_iter().flat_map(|it| it..it + Register::from(self.words));
        let conditions = self.conditions_to.into_iter().filter(|it| !is_fixed(*it));
        let mask = match (self.opcode, self.b.source) {
            (Opcode::R2p { .. }, OperandSource::Number(mask)) => mask,
            _ => 0,
        };
        let second = match self.opcode {
            Opcode::Texture(_) => self.c,
            _ => Operand::NONE.words(0),
        };
        let bits = (CONDITIONS..TRUE).filter(move |it| mask >> (it - CONDITIONS) & 1 == 1);
        all.chain(second.registers()).chain(conditions).chain(bits)
    }

    /// Of a lookup, the register that its third word goes to.
    pub(super) fn second_to(&self) -> Register {
        match self.c.source {
            OperandSource::Register(register) => register,
            _ => RZ,
        }
    }

    /// Whether it accesses memory.
    pub(super) fn is_access(&self) -> bool {
        matches!(
            self.opcode,
            Opcode::Ld(_)
                | Opcode::St(_)
                | Opcode::Red(_)
                | Opcode::Atom(_)
                | Opcode::Ldgsts { .. }
        )
    }

    /// Whether memory that is not shared memory tells when its result is there.
    pub(super) fn is_far(&self) -> bool {
        match self.opcode {
            Opcode::Ld(space) => space != AddressSpace::Shared,
            Opcode::Atom(atomic) => atomic.space != AddressSpace::Shared,
            Opcode::Ldc(_) | Opcode::Ldgsts { .. } => true,
            _ => false,
        }
    }

    /// Whether it is known how long it takes, by units like those of instructions that were measured.
    pub(super) fn is_timed(&self) -> bool {
        match self.opcode {
            Opcode::Ld(space) | Opcode::St(space) => space != AddressSpace::Generic,
            Opcode::Atom(atomic) | Opcode::Red(atomic) => atomic.space != AddressSpace::Generic,
            Opcode::Bar(kind) => {
                kind == BarrierKind::Wait
                    && self.barrier == 0
                    && self.target == 0
                    && self.a == Operand::NONE
            }
            Opcode::Vote(kind) => kind != VoteKind::Equal,
            Opcode::R2ur => !self.writes_conditions(),
            Opcode::Ldgsts { fills } => !fills,
            Opcode::Lepc
            | Opcode::CallAbsolute
            | Opcode::Qspc(_)
            | Opcode::B2r
            | Opcode::Nanosleep
            | Opcode::Setmaxreg
            | Opcode::WarpsyncExclusive
            | Opcode::MemoryBarrier(_)
            | Opcode::BulkCopy(_)
            | Opcode::TensorCopy(_)
            | Opcode::Mma(_)
            | Opcode::GroupMma(_)
            | Opcode::MoveMatrix(_)
            | Opcode::Texture(_)
            | Opcode::Surface(_)
            | Opcode::Trap
            | Opcode::Unknown => false,
            _ => true,
        }
    }

    /// Whether another than the next one may follow, or not all threads go on.
    pub(super) fn is_branch(&self) -> bool {
        matches!(
            self.opcode,
            Opcode::Bra
                | Opcode::BraAny
                | Opcode::Brx
                | Opcode::Call
                | Opcode::CallAbsolute
                | Opcode::Ret
                | Opcode::Exit
                | Opcode::Bsync
                | Opcode::Break
        )
    }

    /// Whether the warp does it once for all threads.
    pub(super) fn is_uniform(&self) -> bool {
        (UNIFORM..=UNIFORM_ZERO).contains(&self.to)
            || self.conditions_to.iter().any(|it| *it >= UNIFORM_CONDITIONS)
    }

    /// The threads that it is done for, if these do it: what the warp has once, all see.
    pub(super) fn for_all(&self, active: u32) -> u32 {
        if self.is_uniform() && active != 0 { u32::MAX } else { active }
    }

    pub(super) fn writes_conditions(&self) -> bool {
        self.conditions_to.iter().any(|it| !is_fixed(*it))
    }

    pub(super) fn is_guarded(&self) -> bool {
        self.guard.register != TRUE || self.guard.is_negated
    }
}
