//! What instructions do.

pub(super) use super::operation::*;

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
    /// A special register, of one word or two.
    Cs2r(SpecialRegister),
    /// Whether all active threads have a condition, or any; and which.
    Vote(VoteKind),
    /// Bits of this many at a place.
    Bmsk {
        wraps: bool,
    },
    /// This many of the lowest bits, extended by zeros or their sign.
    Sgxt {
        is_signed: bool,
        wraps: bool,
    },
    /// From another thread's register.
    Shfl(ShuffleKind),
    /// Threads that have the same value, or all if all have.
    Match {
        is_all: bool,
    },
    /// Of all threads of the warp.
    Redux {
        operation: AtomicOperation,
        is_signed: bool,
    },
    /// Whether a thread is the one that is chosen.
    Elect,
    /// Waits for threads of its warp.
    Warpsync,
    /// Threads go on group by group, each with those that a register says.
    WarpsyncExclusive,
    /// The same, where a branch for those who are apart might be taken.
    BranchIfDivergent,
    Hadd2(Halves),
    Hmul2(Halves),
    Hfma2(Halves),
    Hmnmx2(Halves),
    /// Whether both hold of their halves, or each of its own.
    Hsetp2 {
        halves: Halves,
        comparison: Comparison,
        combination: Combination,
        needs_both: bool,
    },
    /// 1 or all bits for each half that holds.
    Hset2 {
        halves: Halves,
        comparison: Comparison,
        is_number: bool,
    },
    /// Of small matrices that a warp holds.
    Mma(MatrixProduct),
    /// Of a group of four warps.
    GroupMma(GroupProduct),
    /// Loads or stores such matrices.
    MoveMatrix(MatrixAccess),
    /// Two f32 as halves of a word.
    F2fpPack(HalfFormat),
    /// Two numbers of 8 bits, or from them.
    F2fpBytes(Float8, Float8Pack),
    /// A half as f32 is done by [`Self::Hadd2`]; where an address of code is.
    Lepc,
    /// Of a function that a says the address of.
    CallAbsolute,
    /// Whether an address is of a window.
    Qspc(AddressSpace),
    /// What a barrier was told.
    B2r,
    Nanosleep,
    /// More registers for the threads of a warp, or fewer; whether there are so many.
    Setmaxreg,
    Trap,
    /// Not known: it is an error to come there.
    Unknown,
    Sel,
    Fsel,
    Fmnmx {
        /// Whether what is no number wins, and not the number beside it.
        keeps_nan: bool,
    },
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
    /// The same of two words each.
    Iadd64,
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
    /// Of a part of b that has this many bytes.
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
    /// Of a half in the lower part of b, if so.
    Mufu(SpecialFunction, Option<HalfFormat>),
    S2r(SpecialRegister),
    /// From a thread's register to the warp's.
    R2ur,
    /// A constant at a place that a gives.
    Ldc(u8),
    Ld(AddressSpace),
    /// b.
    St(AddressSpace),
    /// Combines b with a word in memory.
    Red(Atomic),
    /// And gives what stood there.
    Atom(Atomic),
    /// From global memory to shared, not waited for.
    Ldgsts {
        /// Whether the address says how much of it is zeros.
        fills: bool,
    },
    /// A barrier in shared memory.
    MemoryBarrier(MemoryBarrierStep),
    /// Of many bytes between global and shared memory.
    BulkCopy(BulkCopy),
    /// Of a box of a tensor.
    TensorCopy(BulkCopy),
    /// Makes a group of such copies, which a board tells the end of.
    Ldgdepbar,
    /// Waits until at most this many of the groups are under way.
    Depbar(u8),
    Bar(BarrierKind),
    Bra,
    /// For all of a warp, if for any.
    BraAny,
    /// To this many bytes behind the target as a register says.
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
    /// Of a texture, by coordinates.
    Texture(TextureLookup),
    /// Of a surface, by a byte along x and places along y and z.
    Surface(SurfaceAccess),
    Nop,
}
