//! Instructions of machine code, decoded.

/// Registers of a thread in one numbering: R0 … R254, P0 … P6, and those of the whole warp, UR0 …, UP0
/// … UP6. The last of each kind is fixed: 0 or true.
pub(super) type Register = u16;

pub(super) const RZ: Register = 255;
/// P0.
pub(super) const CONDITIONS: Register = 256;
/// PT.
pub(super) const TRUE: Register = 263;
/// UR0.
pub(super) const UNIFORM: Register = 264;
/// URZ.
pub(super) const UNIFORM_ZERO: Register = 327;
/// UP0.
pub(super) const UNIFORM_CONDITIONS: Register = 328;
/// UPT.
pub(super) const UNIFORM_TRUE: Register = 335;
/// Of all kinds.
pub(super) const REGISTERS: usize = 336;

/// Whether what is written to it is lost.
pub(super) fn is_fixed(register: Register) -> bool {
    matches!(register, RZ | TRUE | UNIFORM_ZERO | UNIFORM_TRUE)
}

/// Where a word that an instruction reads stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperandSource {
    Register(Register),
    Number(u32),
    /// A bank of constants, and the byte there.
    Constant(u8, u16),
}

/// What an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) source: OperandSource,
    /// Words.
    pub(super) words: u8,
    pub(super) is_negated: bool,
    pub(super) is_absolute: bool,
}

impl Operand {
    pub(super) const NONE: Self = Self::of(OperandSource::Register(RZ));

    pub(super) const fn of(source: OperandSource) -> Self {
        Self { source, words: 1, is_negated: false, is_absolute: false }
    }

    pub(super) fn words(self, words: u8) -> Self {
        Self { words, ..self }
    }

    /// Registers of it.
    pub(super) fn registers(self) -> impl Iterator<Item = Register> {
        let first = match self.source {
            OperandSource::Register(register) if !is_fixed(register) => Some(register),
            _ => None,
        };
        first.into_iter().flat_map(move |it| it..it + Register::from(self.words))
    }
}

/// A condition that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) register: Register,
    pub(super) is_negated: bool,
}

impl Condition {
    pub(super) const ALWAYS: Self = Self { register: TRUE, is_negated: false };
}

/// How two numbers compare: of the first three bits one is set if a < b, a = b, a > b make it true, and
/// the fourth if a NaN does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Comparison(pub(super) u8);

impl Comparison {
    pub(super) fn of(self, order: Option<std::cmp::Ordering>) -> bool {
        let bit = match order {
            Some(std::cmp::Ordering::Less) => 1,
            Some(std::cmp::Ordering::Equal) => 2,
            Some(std::cmp::Ordering::Greater) => 4,
            None => 8,
        };
        self.0 & bit != 0
    }
}

/// How conditions are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combination {
    And,
    Or,
    Xor,
}

/// To which whole number a number is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    Nearest,
    Down,
    Up,
    Zero,
}

/// Where an address lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressSpace {
    Global,
    /// Of a block of threads.
    Shared,
    /// Of a thread.
    Local,
}

/// Functions of the unit for special ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecialFunction {
    Reciprocal,
    ReciprocalRoot,
    /// Of the upper half of an f64, to one.
    UpperReciprocal,
    /// As above.
    UpperReciprocalRoot,
    Root,
}

/// Numbers that a thread is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecialRegister {
    Lane,
    Thread,
    Block,
    /// 0: of a dimension that no kernel here has, or of a cluster of one block.
    Zero,
}

/// Which bytes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordHalf {
    Lower,
    Upper,
}

/// What an instruction does, under the name that NVIDIA's disassembler gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opcode {
    /// b.
    Mov,
    /// Conditions as bits of a register.
    P2r,
    /// And back from a byte of a, those that b says.
    R2p {
        byte: u8,
    },
    /// 0, of one word or two.
    Cs2r,
    /// Whether all active threads have a condition, or any; and which.
    Vote {
        is_any: bool,
    },
    Sel,
    Fsel,
    Fmnmx,
    Fsetp(Comparison, Combination),
    /// 1 or 0: whether a comparison and a condition hold.
    Fset(Comparison),
    /// With the comparison of lower words, if they are part of longer integers.
    Isetp {
        comparison: Comparison,
        is_signed: bool,
        is_upper: bool,
        combination: Combination,
    },
    /// The least or greatest of three, at least 0 if so wanted.
    Vimnmx3 {
        is_signed: bool,
    },
    /// Of two, or of each half of them.
    Vimnmx {
        is_signed: bool,
        is_positive: bool,
        has_halves: bool,
    },
    /// Of a + b and c.
    Viaddmnmx {
        is_signed: bool,
        is_positive: bool,
    },
    /// a + b + c; with carries from lower words, if so.
    Iadd3 {
        is_upper: bool,
    },
    Viadd,
    /// (a << by) + b; of c with a the upper word.
    Lea {
        by: u32,
        is_upper: bool,
        takes_carry: bool,
        extends_sign: bool,
    },
    /// By a table of eight bits; whether any is set, and another condition, or one of both.
    Lop3 {
        table: u8,
        needs_both: bool,
    },
    Iabs,
    Prmt,
    /// The upper or lower word of c and a, shifted by b.
    Shf {
        is_long: bool,
        is_signed: bool,
        wraps: bool,
        is_right: bool,
        is_upper: bool,
    },
    /// By two tables.
    Plop3(u8, u8),
    Fmul,
    Fadd,
    Ffma,
    /// a · b + c.
    Imad {
        is_upper: bool,
    },
    ImadWide {
        is_signed: bool,
        takes_carry: bool,
    },
    ImadHi {
        is_signed: bool,
    },
    /// The sum of products of bytes, or of the halves of a and two bytes of b, and c.
    Idp {
        is_signed: [bool; 2],
        halves: Option<WordHalf>,
    },
    Dmul,
    Dadd,
    Dsetp(Comparison, Combination),
    Dfma,
    /// The place of the first bit that is set.
    Flo {
        is_signed: bool,
        is_distance: bool,
    },
    Brev,
    Popc,
    /// Whether a quotient needs more care.
    Fchk,
    F2f {
        from: u8,
        to: u8,
    },
    F2i {
        from: u8,
        to: u8,
        is_signed: bool,
        rounding: Rounding,
    },
    /// Of a part of b that has so many bytes.
    I2f {
        from: u8,
        part: u8,
        to: u8,
        is_signed: bool,
        rounding: Rounding,
    },
    /// On the units for integers.
    I2fp {
        is_signed: bool,
    },
    Frnd {
        bytes: u8,
        rounding: Rounding,
    },
    Mufu(SpecialFunction),
    S2r(SpecialRegister),
    /// From a thread's register to the warp's.
    R2ur,
    /// A constant at a place that a gives.
    Ldc(u8),
    Ld(AddressSpace),
    /// b.
    St(AddressSpace),
    /// Adds b to a word in memory.
    Red,
    /// And gives what stood there.
    Atom,
    /// From global memory to shared, not waited for.
    Ldgsts,
    /// Makes a group of such copies, which a board tells the end of.
    Ldgdepbar,
    /// Waits until at most so many of the groups are under way.
    Depbar(u8),
    Bar,
    Bra,
    /// To so many bytes behind the target as a register says.
    Brx,
    /// To where threads meet again.
    Bssy,
    Bsync,
    /// Threads that will not come there.
    Break,
    /// Those that are to meet there are kept in a register, and given back from it.
    BmovSave,
    BmovRestore,
    Call,
    /// To where a says.
    Ret,
    Exit,
    /// What other blocks are to see of accesses is waited for, and what they wrote is read anew: a
    /// barrier of the grid, which no block comes to that runs here alone.
    Fence,
    Nop,
}

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
    pub(super) offset: i32,
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
        let bits = (CONDITIONS..TRUE).filter(move |it| mask >> (it - CONDITIONS) & 1 == 1);
        all.chain(conditions).chain(bits)
    }

    /// Whether it accesses memory.
    pub(super) fn is_access(&self) -> bool {
        matches!(
            self.opcode,
            Opcode::Ld(_) | Opcode::St(_) | Opcode::Red | Opcode::Atom | Opcode::Ldgsts
        )
    }

    /// Whether another than the next one may follow, or not all threads go on.
    pub(super) fn is_branch(&self) -> bool {
        matches!(
            self.opcode,
            Opcode::Bra
                | Opcode::Brx
                | Opcode::Call
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
