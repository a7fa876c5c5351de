//! What a kernel consists of.

/// The type that an instruction is done in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Type {
    /// Its kind.
    pub class: Class,
    /// Bytes of a value; of a predicate 1.
    pub bytes: u64,
}

/// What the bits of a value are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A condition.
    Predicate,
    /// Bits, or an unsigned integer.
    Unsigned,
    /// An integer in two's complement.
    Signed,
    /// IEEE 754.
    Float,
}

impl Type {
    /// As PTX spells it, without the point.
    pub fn from_word(word: &str) -> Option<Self> {
        if word == "pred" {
            return Some(Self { class: Class::Predicate, bytes: 1 });
        }
        let (class, bits) = word.split_at_checked(1)?;
        let class = match class {
            "b" | "u" => Class::Unsigned,
            "s" => Class::Signed,
            "f" => Class::Float,
            _ => return None,
        };
        let bytes = match bits {
            "8" => 1,
            "16" => 2,
            "32" => 4,
            "64" => 8,
            _ => return None,
        };
        Some(Self { class, bytes })
    }

    /// Whether it takes two registers.
    pub fn is_wide(self) -> bool {
        self.bytes == 8
    }

    pub(super) fn is_float(self) -> bool {
        self.class == Class::Float
    }

    pub(super) fn is_signed(self) -> bool {
        self.class == Class::Signed
    }
}

/// Where an address lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// The device's memory.
    Global,
    /// Of a block of threads.
    Shared,
    /// Of a thread.
    Local,
    /// Constants of the file.
    Constant,
}

/// How two values are compared. Of those that end in `OrNan`, a NaN makes them true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// a = b.
    Equal,
    /// a ≠ b, both numbers.
    NotEqual,
    /// a < b.
    Less,
    /// a ≤ b.
    AtMost,
    /// a > b.
    Greater,
    /// a ≥ b.
    AtLeast,
    /// a = b, or a NaN.
    EqualOrNan,
    /// a ≠ b, or a NaN.
    NotEqualOrNan,
    /// a < b, or a NaN.
    LessOrNan,
    /// a ≤ b, or a NaN.
    AtMostOrNan,
    /// a > b, or a NaN.
    GreaterOrNan,
    /// a ≥ b, or a NaN.
    AtLeastOrNan,
    /// a or b is a NaN.
    IsNan,
}

/// What an instruction does; PTX's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opcode {
    /// |a|.
    Abs,
    /// a + b.
    Add,
    /// Bits of both; of conditions, too.
    And,
    /// The low bits of a in place of some of b.
    Bfi,
    /// `prmt`: four bytes chosen of eight.
    Prmt,
    /// The first one's sign, and else the second.
    CopySign,
    /// a − b.
    Sub,
    /// The lower half of a · b.
    MulLo,
    /// The upper half of a · b.
    MulHi,
    /// a · b of twice as many bits.
    MulWide,
    /// a · b + c; of floats, rounded once.
    Mad,
    /// a / b.
    Div,
    /// The rest of a / b.
    Rem,
    /// The lesser one.
    Min,
    /// The greater one.
    Max,
    /// −a.
    Neg,
    /// Bits that are not set.
    Not,
    /// How many bits are set.
    Popc,
    /// How many bits before the first that is set.
    Clz,
    /// Bits of either; of conditions, too.
    Or,
    /// Bits of one alone; of conditions, too.
    Xor,
    /// Bits moved to the left.
    Shl,
    /// Bits moved to the right, after copies of the sign if there is one.
    Shr,
    /// `shf.l` by less than 32.
    ShfLeft,
    /// a if a condition holds, else b.
    Selp,
    /// A condition: how a and b compare.
    Setp(Comparison),
    /// From this type; a float to an integer, or to a whole float, is rounded so.
    Cvt(Type, Rounding),
    /// A copy, of parameters and special registers too.
    Mov,
    /// One register of 64 bits to two of 32.
    Unpack,
    /// Two registers of 32 bits to one of 64.
    Pack,
    /// √a.
    Sqrt,
    /// A word, or several, from memory.
    Ld(Space),
    /// From global memory that the kernel does not write.
    LdReadOnly,
    /// A word, or several, to memory.
    St(Space),
    /// `atom.add`.
    Atom,
    /// Waits for all warps of the block.
    Bar,
    /// Goes on elsewhere.
    Bra,
    /// The end.
    Ret,
    /// A copy of so many bytes from global to shared memory that is not waited for.
    CpAsync(u64),
    /// Makes a group of the copies since the last one.
    CpAsyncCommit,
    /// Waits until at most so many of the last groups are under way.
    CpAsyncWait(u32),
}

/// How a floating-point number becomes a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// Not at all.
    None,
    /// To the nearest, of two to the even one.
    Nearest,
    /// Towards 0.
    Zero,
    /// Towards −∞.
    Down,
    /// Towards ∞.
    Up,
}

/// How machine code does an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// With instructions of its own.
    Own,
    /// With another instruction, or not at all.
    Fused,
    /// A sum, together with a product.
    WithProduct,
    /// One of 64 bits, of which only a half is computed.
    Half,
}

/// An instruction. Registers are numbers; a constant is a register that is never written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub opcode: Opcode,
    /// In which type.
    pub ty: Type,
    /// Registers that it writes.
    pub to: Vec<u32>,
    /// Registers that it reads; of an access, its address first.
    pub from: Vec<u32>,
    /// The predicate under which it is done, and whether that must be false.
    pub guard: Option<(u32, bool)>,
    /// Of an access, what is added to its address.
    pub offset: i64,
    /// Of a branch, where it goes.
    pub target: u32,
    /// How machine code does it.
    pub form: Form,
    /// Of a read, the scoreboard on which its readers wait.
    pub(super) board: u8,
}

impl Instruction {
    /// Whether it reads or writes memory.
    pub(super) fn is_access(&self) -> bool {
        matches!(
            self.opcode,
            Opcode::Ld(_) | Opcode::LdReadOnly | Opcode::St(_) | Opcode::CpAsync(_)
        )
    }

    /// Whether its readers wait on a scoreboard.
    pub(super) fn waits_on_board(&self) -> bool {
        matches!(
            self.opcode,
            Opcode::Ld(Space::Global | Space::Shared | Space::Local) | Opcode::LdReadOnly
        )
    }

    /// Whether machine code has branches for it, past which nothing is moved: quotients and roots whose
    /// first approximation may not do.
    pub(super) fn has_branches(&self) -> bool {
        match self.opcode {
            Opcode::Sqrt => true,
            Opcode::Div | Opcode::Rem => self.ty.is_float() || self.ty.is_wide(),
            _ => false,
        }
    }

    /// All registers that it waits for.
    pub(super) fn reads(&self) -> impl Iterator<Item = u32> {
        self.from.iter().copied().chain(self.guard.map(|it| it.0))
    }
}

/// A special register, a parameter, or a constant: what a register holds from the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Preset {
    Value(u64),
    Parameter(usize),
    Thread,
    Threads,
    Block,
    Blocks,
}

/// A function that is launched.
#[derive(Debug, Clone, Default)]
pub struct Kernel {
    /// As in the source.
    pub name: String,
    /// In the order of the machine's code.
    pub instructions: Vec<Instruction>,
    /// By instruction, and at the end, whether a basic block begins there.
    pub(super) begins: Vec<bool>,
    pub(super) registers: usize,
    pub(super) presets: Vec<(u32, Preset)>,
    /// Bytes of static shared memory, and of a thread's own.
    pub shared_bytes: u64,
    pub(super) local_bytes: u64,
}

impl Kernel {
    /// Its basic blocks, each as a kernel that ends with it.
    pub fn blocks(&self) -> impl Iterator<Item = Self> {
        let begins = (0..self.begins.len()).filter(|it| self.begins[*it]);
        let ends = begins.clone().skip(1).chain([self.instructions.len()]);
        begins.zip(ends).map(|(begin, end)| {
            let mut instructions = self.instructions[begin..end].to_vec();
            let last = instructions.len() as u32;
            instructions.iter_mut().for_each(|it| it.target = last);
            let mut begins = vec![false; instructions.len() + 1];
            begins[0] = true;
            Self { instructions, begins, ..self.clone() }
        })
    }

    /// Whether what its threads do depends on values in memory: a branch, a guard or an address.
    pub fn depends_on_values(&self) -> bool {
        let is_value = depending(|| self.instructions.iter(), vec![false; self.registers]);
        self.instructions.iter().any(|it| {
            it.guard.is_some_and(|guard| is_value[guard.0 as usize])
                || it.is_access() && is_value[it.from[0] as usize]
        })
    }

    /// By instruction, whether a branch, a guard or an address depends on what it does: only then it has
    /// to be done.
    pub(super) fn decides(&self) -> Vec<bool> {
        if self.depends_on_values() {
            return vec![true; self.instructions.len()];
        }
        let mut wanted = vec![false; self.registers];
        for it in &self.instructions {
            let address = it.from.first().filter(|_| it.is_access());
            for &register in it.guard.iter().map(|it| &it.0).chain(address) {
                wanted[register as usize] = true;
            }
        }
        let is_wanted = |it: &Instruction, wanted: &[bool]| {
            it.to.iter().any(|register| wanted[*register as usize])
        };
        loop {
            let before = wanted.clone();
            for it in self.instructions.iter().rev().filter(|it| !it.is_access()) {
                if is_wanted(it, &wanted) {
                    it.from.iter().for_each(|from| wanted[*from as usize] = true);
                }
            }
            if wanted == before {
                return self.instructions.iter().map(|it| is_wanted(it, &wanted)).collect();
            }
        }
    }
}

/// By register, whether it depends on values in memory, or on one of those that are marked.
pub(super) fn depending<'a, I: Iterator<Item = &'a Instruction>>(
    instructions: impl Fn() -> I,
    mut depends: Vec<bool>,
) -> Vec<bool> {
    loop {
        let mut has_changed = false;
        for it in instructions() {
            let loads = matches!(it.opcode, Opcode::Ld(_) | Opcode::LdReadOnly | Opcode::Atom);
            if loads || it.reads().any(|from| depends[from as usize]) {
                for &to in &it.to {
                    has_changed |= !std::mem::replace(&mut depends[to as usize], true);
                }
            }
        }
        if !has_changed {
            return depends;
        }
    }
}

/// A file.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// In the order of the text.
    pub kernels: Vec<Kernel>,
    /// Variables with their first values, from [`CONSTANTS`] on.
    pub(super) data: Vec<u8>,
}

/// Where variables of a file begin; no array of a run lies there.
pub(super) const CONSTANTS: u64 = 1 << 62;
/// Where dynamic shared memory begins, beyond the static.
pub(super) const DYNAMIC: u64 = 1 << 17;
/// Where a thread's own memory begins.
pub(super) const LOCALS: u64 = 1 << 61;
