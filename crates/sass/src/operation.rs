//! What instructions say of how they do it.

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
    /// Any of them: windows of addresses say which.
    Generic,
}

/// How an arithmetic instruction of floating-point numbers rounds, and what it does besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FloatMode {
    pub(super) rounding: Rounding,
    /// The result is brought into [0, 1], and a NaN to 0.
    pub(super) is_saturated: bool,
    /// Subnormal operands and results are zeros of their sign.
    pub(super) flushes: bool,
    /// How often a product is halved before it is rounded.
    pub(super) halvings: u8,
}

impl FloatMode {
    pub(super) const PLAIN: Self =
        Self { rounding: Rounding::Nearest, is_saturated: false, flushes: false, halvings: 0 };
}

/// Whether a condition holds for all, for any, or for all or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VoteKind {
    All,
    Any,
    Equal,
}

/// From which lane a value comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShuffleKind {
    Index,
    Up,
    Down,
    Butterfly,
}

/// What is done to a word in memory, or to those of all threads of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtomicOperation {
    Add,
    Min,
    Max,
    /// Up to a limit, and from there to 0.
    Increment,
    /// Down to 0, and from there, or from above a limit, to the limit.
    Decrement,
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    /// As above; gives whether it swapped.
    CompareAndTry,
    /// One more for each thread.
    Count,
}

/// What an atomic operation takes a word for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtomicElement {
    Unsigned,
    Signed,
    Float,
    Half2,
    Bfloat2,
}

/// An atomic operation on memory; its width is the access's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Atomic {
    pub(super) operation: AtomicOperation,
    pub(super) element: AtomicElement,
    pub(super) space: AddressSpace,
}

impl Atomic {
    /// Whether it has a third operand, which it may write.
    pub(super) fn is_swap(self) -> bool {
        matches!(self.operation, AtomicOperation::CompareAndSwap | AtomicOperation::CompareAndTry)
    }
}

/// What a warp does at a barrier of its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BarrierKind {
    Wait,
    /// It comes there and goes on.
    Arrive,
    /// Waits, and is told of how many threads a condition holds, or whether of all, or of any.
    Count,
    /// As above.
    All,
    /// As above.
    Any,
}

/// Two halves of a word, in one of two formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Halves {
    pub(super) format: HalfFormat,
    /// Of a, b and c, which halves are meant.
    pub(super) parts: [HalfParts; 3],
    /// The sum of two is an f32.
    pub(super) is_wide: bool,
}

/// A floating-point number of 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HalfFormat {
    F16,
    Bf16,
}

/// Which halves of a word stand for its two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HalfParts {
    Both,
    /// The word is an f32, which stands for both.
    Single,
    Lower,
    Upper,
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
    PowerOfTwo,
    BinaryLogarithm,
    /// Of this many turns.
    Sine,
    /// As above.
    Cosine,
    HyperbolicTangent,
}

/// Numbers that a thread is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecialRegister {
    Lane,
    /// Of a dimension.
    Thread(u8),
    /// As above.
    Block(u8),
    /// Lanes that are less, at most, equal, at least, greater: a mask.
    LanesLess,
    /// As above.
    LanesUpTo,
    /// As above.
    LanesEqual,
    /// As above.
    LanesFrom,
    /// As above.
    LanesGreater,
    /// Of a multiprocessor: 0, for blocks run one after another.
    Multiprocessor,
    /// Instructions that the block's warps have made, in two words.
    Clock,
    /// As above.
    ClockUpper,
    /// The upper word of addresses of shared memory among all.
    SharedWindow,
    /// Bytes of shared memory that the block has.
    SharedBytes,
    /// Of a cluster of one block.
    Zero,
}

/// Which bytes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordHalf {
    Lower,
    Upper,
}

/// What a product of small matrices of a warp is made of: m rows and k columns of the first, n = 8 columns of
/// the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MatrixProduct {
    pub(super) element: MatrixElement,
    /// 16 or 8.
    pub(super) rows: u8,
    pub(super) depth: u16,
}

/// A product that four warps make together: each 16 rows, of A in its registers or in shared memory, and all
/// columns of B there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupProduct {
    pub(super) element: MatrixElement,
    pub(super) depth: u8,
    pub(super) columns: u16,
    /// Of A and B, whether their elements change their sign.
    pub(super) negates: [bool; 2],
    /// And whether elements along a row of A, or a column of B, stand apart in shared memory, not beside each
    /// other.
    pub(super) is_transposed: [bool; 2],
    /// Whether sums of integers stay at the ends of their range.
    pub(super) saturates: bool,
}

/// A floating-point number of 8 bits, by those of its exponent and fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Float8 {
    E4m3,
    E5m2,
}

/// From what numbers of 8 bits are made, or to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Float8Pack {
    /// Of a and b.
    OfFloats,
    /// Of the halves of b.
    OfHalves,
    /// Two bytes of b.
    ToHalves { is_upper: bool },
}

/// The elements of such a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatrixElement {
    /// Whose sum is of 32 bits, or of 16.
    Half(HalfFormat, bool),
    /// Of both factors, and whether the sum is of 32 bits.
    Float8([Float8; 2], bool),
    /// The upper 19 bits of an f32.
    Tf32,
    Double,
    /// Bytes; of which of the two matrices they have a sign.
    Byte([bool; 2]),
    /// Whether both have a bit.
    Bit,
}

/// Small matrices of halves, 8 × 8, between shared memory and registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MatrixAccess {
    pub(super) count: u8,
    pub(super) is_transposed: bool,
    pub(super) is_store: bool,
}

/// What is done to a barrier in shared memory, which counts arrivals and bytes that are to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemoryBarrierStep {
    /// Writes it.
    Set,
    /// Nobody may use it any more.
    Invalidate,
    /// Its threads arrive, each once or as often as a register says; what stood there is given.
    Arrive { counted: bool },
    /// And as much is to come as a register says.
    ArriveExpecting,
    /// More is to come: 1 a thread, or as much as a register says.
    Expect { from_register: bool },
    /// A thread's copies that were begun are there.
    CopiesArrive,
    /// Whether a phase is complete.
    Test,
}

/// A copy of many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BulkCopy {
    /// To shared memory, where a barrier is told; else from it.
    pub(super) is_load: bool,
    /// To what stands there.
    pub(super) adds: bool,
}

/// What a texture is looked up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextureShape {
    pub(super) axes: u8,
    /// Whether a layer stands before the coordinates; of a surface, behind them.
    pub(super) is_layered: bool,
}

/// A lookup, and which of four words it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextureLookup {
    pub(super) kind: LookupKind,
    pub(super) mask: u8,
}

/// Which texels a lookup gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LookupKind {
    /// At coordinates, as the texture's filter says.
    Sample(TextureShape),
    /// A channel of the four around coordinates.
    Gather { channel: u8 },
    /// By its number.
    Fetch,
}

impl LookupKind {
    pub(super) fn shape(self) -> TextureShape {
        match self {
            Self::Sample(shape) => shape,
            Self::Gather { .. } => TextureShape { axes: 2, is_layered: false },
            Self::Fetch => TextureShape { axes: 1, is_layered: false },
        }
    }
}

/// An access to a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SurfaceAccess {
    pub(super) shape: TextureShape,
    pub(super) edge: SurfaceEdge,
    pub(super) is_store: bool,
}

/// What an access beyond a surface's edge is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SurfaceEdge {
    /// A load gives 0, a store is lost.
    Ignore,
    /// At the edge.
    Clamp,
    /// An error.
    Trap,
}
