//! Fields of modifiers: their bits, by what they say, and the words that the disassembler has for their values.

use super::EncodedInstruction;
use crate::operand::{OperandSource, RZ};

/// The first bit of modifiers, and the one after the last; those before are operands, those after it the
/// compiler's counts.
pub(super) const FIRST: u32 = 72;
pub(super) const END: u32 = 105;
/// Conditions that are written, and one that is read, where an instruction has them; else they are those
/// that are always true, or absent.
pub(super) const TO: [u32; 2] = [81, 84];
pub(super) const FROM: u32 = 87;

pub(super) const fn bits(first: u32, count: u32) -> u64 {
    ((1 << count) - 1) << (first - FIRST)
}

pub(super) const fn bit(at: u32) -> u64 {
    bits(at, 1)
}

pub(super) const P: u64 = bits(81, 3);
pub(super) const Q: u64 = bits(84, 3);
pub(super) const SOURCE: u64 = bits(FROM, 4);
/// Every modifier, but a condition that is read.
pub(super) const ALL_BUT_SOURCE: u64 = !SOURCE;
pub(super) const SIGNS_OF_A: u64 = bits(72, 2);
pub(super) const SIGNS: u64 = bits(72, 4);
pub(super) const ROUNDING: u64 = bits(78, 2);
pub(super) const SATURATES: u64 = bit(77);
pub(super) const FLUSHES: u64 = bit(80);
pub(super) const SIZE: u64 = bits(73, 3);
pub(super) const CARRIES: u64 = bits(73, 3) | P | SOURCE;
/// A memory access's sort of address, its size, its order among others, and how caches keep it: but for the
/// size no value depends on them.
pub(super) const GLOBAL: u64 = bits(72, 20);
pub(super) const UNIFORM: u64 = bit(91);
pub(super) const HALVES: u64 = SIGNS | Q & bit(85) | bits(81, 4);

pub(super) const CONVERSION: u64 = bits(75, 2) | ROUNDING | FLUSHES | bits(84, 2);

/// A name in the table, its bits from the lowest one on, and a word for each value; an empty one where nothing
/// is printed.
type Field = (&'static str, &'static [u32], &'static [&'static str]);

const NUMBERS: [&str; 16] = [
    ".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU", ".LEU", ".GTU",
    ".NEU", ".GEU", ".T",
];
const DOUBLES: [&str; 16] = [
    ".MIN", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU", ".LEU",
    ".GTU", ".NEU", ".GEU", ".MAX",
];
const EVICTION: [&str; 6] = [".EF", "", ".EL", ".LU", ".EU", ".NA"];
const OPERATIONS: [&str; 10] =
    [".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR", ".EXCH", ".SAFEADD"];
/// Of an access: how it is ordered among others, and who sees it.
const ORDERS: [&str; 16] = [
    "",
    ".CONSTANT.PRIVATE",
    ".CONSTANT.CTA",
    ".CONSTANT.CTA.PRIVATE",
    ".STRONG.SM.PRIVATE",
    ".STRONG.SM",
    ".STRONG.GPU.PRIVATE",
    ".STRONG.GPU",
    ".MMIO.GPU",
    ".CONSTANT.SM",
    ".STRONG.SYS",
    ".CONSTANT.SM.PRIVATE",
    ".MMIO.SYS",
    ".CONSTANT.VC",
    ".CONSTANT.VC.PRIVATE",
    ".CONSTANT.GPU",
];

/// Of what is only read there, one says that nobody writes it.
const ORDERS_OF_LOADS: [&str; 16] = {
    let mut words = ORDERS;
    words[4] = ".CONSTANT";
    words
};
const OPERATIONS_IN_SHARED: [&str; 12] = [
    ".ADD",
    ".MIN",
    ".MAX",
    ".INC",
    ".DEC",
    ".AND",
    ".OR",
    ".XOR",
    ".EXCH",
    ".INVALID9",
    ".INVALID10",
    ".POPC.INC.32",
];

const FIELDS: &[Field] = &[
    ("all-threads", &[9, 10, 11], &["", "", "", "", ".ALL"]),
    ("aoffi", &[76], &["", ".AOFFI"]),
    ("arrivals", &[84, 85, 86], &["", ".A1T0", ".A0T1", ".A0TR", ".INVALID4", ".ART0"]),
    ("atomic-cas", &[], &[".CAS"]),
    (
        "atomic-float",
        &[73, 74, 75, 76],
        &[
            ".F16x2.RN",
            ".F16x4.RN",
            ".F16x8.RN",
            ".BF16x2.RN",
            ".BF16x4.RN",
            ".BF16x8.RN",
            ".INVALID6",
            ".INVALID7",
            ".INVALID8",
            ".F32.FTZ.RN",
            ".F32x2.FTZ.RN",
            ".F32x4.FTZ.RN",
            ".F32.RN",
            ".F32x2.RN",
            ".F32x4.RN",
            ".F64.RN",
        ],
    ),
    ("atomic-type", &[73, 74, 75], &["", ".S32", ".64", ".S64", ".128"]),
    ("axes", &[79, 80, 81], &[".1D", ".2D", ".3D", ".4D", ".5D"]),
    ("b2r", &[78, 79], &["", ".RESULT", ".WARP"]),
    ("bar", &[77, 78, 79], &[".SYNC", ".ARV", ".RED", ".SCAN", ".SYNCALL"]),
    ("bar-combine", &[74, 75], &[".POPC", ".AND", ".OR"]),
    ("bf", &[], &[".BF"]),
    ("bf16", &[85], &["", ".BF16_V2"]),
    ("bmma-operation", &[80], &[".XOR.POPC", ".AND.POPC"]),
    ("bmma-shape", &[75, 76], &[".88128", ".168128", ".168256"]),
    ("bmov", &[], &[".32"]),
    ("bpt", &[84, 85, 86], &[".DRAIN", ".INVALID1", ".PAUSE", ".TRAP", ".INT"]),
    ("bra", &[32, 33], &["", ".U", ".DIV", ".CONV"]),
    ("bra-any", &[84], &["", ".ANY"]),
    ("bra-count", &[85, 86], &["", ".INC", ".DEC"]),
    ("bypass", &[81], &[".BYPASS", ""]),
    ("byte-to", &[76, 77], &["", ".B1", ".B2", ".B3"]),
    ("cas-shared", &[87, 88], &[".CAS", ".CAST", ".CAS", ".CAST.SPIN"]),
    (
        "cctl",
        &[87, 88, 89, 90],
        &[
            ".PF1", ".PF2", ".WB", ".IV", ".IVALL", ".RS", ".IVALLP", ".WBALL", ".WBALLP", ".PML2",
            ".DML2", ".RML2",
        ],
    ),
    ("cctl-cache", &[78, 79], &["", ".U", ".C"]),
    ("channel", &[87, 88], &[".R", ".G", ".B", ".A"]),
    ("cl", &[77], &["", ".CL"]),
    ("ms", &[78], &["", ".MS"]),
    ("ptp", &[77], &["", ".PTP"]),
    ("clear", &[84], &["", ".CLEAR"]),
    ("cluster-step", &[10], &["ARV", "WAIT"]),
    ("combine", &[74, 75], &[".AND", ".OR", ".XOR"]),
    ("compare", &[76, 77, 78, 79], &NUMBERS),
    ("compare-d", &[76, 77, 78, 79], &DOUBLES),
    ("compare3", &[76, 77, 78], &[".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".T"]),
    ("copy-way", &[73, 74], &["", ".S.G", ".G.S", ".S.S"]),
    ("dc", &[78], &["", ".DC"]),
    ("defer", &[80], &["", ".DEFER_BLOCKING"]),
    ("depbar", &[47], &["", ".LE"]),
    ("dmma", &[76, 77], &[".8x8x4", ".16x8x4", ".16x8x8", ".16x8x16"]),
    ("evict", &[84, 85, 86], &EVICTION),
    ("ex", &[72], &["", ".EX"]),
    ("exit", &[84, 85, 86], &["", ".KEEPREFCOUNT", ".PREEMPTED", ".INVALID3", ".NO_ATEXIT"]),
    ("extended", &[72], &["", ".E"]),
    ("f2f-to", &[75, 76, 77], &[".F8", ".F16", ".F32", ".F64", ".BF16"]),
    (
        "f2fp-to",
        &[76, 85, 86, 87],
        &[
            ".F16",
            ".BF16",
            ".INVALID2",
            ".INVALID3",
            ".TF32",
            ".TF32",
            ".INVALID6",
            ".INVALID7",
            ".E5M2",
            ".E4M3",
        ],
    ),
    ("f2i-to", &[75, 76, 72], &[".U8", ".U16", ".U32", ".U64", ".S8", ".S16", "", ".S64"]),
    ("fence", &[72], &[".S", ".G"]),
    ("float-from", &[84, 85], &[".F8", ".F16", ".F32", ".F64"]),
    ("float-of", &[84, 85], &[".F8", ".F16", "", ".F64"]),
    ("float-operation", &[88, 89], &[".ADD", ".MIN", ".MAX"]),
    ("float-to", &[75, 76], &[".F8", ".F16", "", ".F64"]),
    ("fmz", &[76], &["", ".FMZ"]),
    ("ftz", &[80], &["", ".FTZ"]),
    ("float8-76", &[76], &[".E4M3", ".E5M2"]),
    ("float8-77", &[77], &[".E4M3", ".E5M2"]),
    ("group-step", &[47], &[".ARRIVE", ".DEPBAR.LE"]),
    ("group-sum", &[75], &[".F16", ".F32"]),
    ("group-type", &[76, 77], &["", ".BF16", ".TF32"]),
    ("h-and", &[71], &["", ".H_AND"]),
    ("hadd-wide", &[78], &["", ".F32"]),
    ("hbf16", &[65], &["", ".BF16_V2"]),
    ("hcombine", &[69, 70], &[".AND", ".OR", ".XOR"]),
    ("hi", &[80], &["", ".HI"]),
    ("hmma-shape", &[75, 78], &[".1688", ".16816", ".1684"]),
    ("hmma-sum", &[76], &[".F16", ".F32"]),
    ("hmma-type", &[82, 83], &["", ".BF16", ".TF32"]),
    ("hset-number", &[71], &["", ".BF"]),
    ("i2f-of", &[84, 85, 74], &[".U8", ".U16", ".U32", ".U64", ".S8", ".S16", "", ".S64"]),
    ("i2fp", &[75, 76, 77], &[".INVALID0", ".F16", ".F32"]),
    ("i2fp-from", &[74], &[".U32", ".S32"]),
    ("idp-a", &[73, 76], &[".U8", ".S8", ".U16", ".S16"]),
    ("idp-b", &[74], &[".U8", ".S8"]),
    ("idp-shape", &[76, 77], &[".4A", ".2A.LO", ".4A", ".2A.HI"]),
    ("imma-a", &[76, 77, 83], &[".U8", ".S8", ".U4", ".S4"]),
    ("imma-b", &[78, 79, 84], &[".U8", ".S8", ".U4", ".S4"]),
    (
        "imma-shape",
        &[75, 85, 86],
        &[".8816", ".INVALID1", ".8832", ".16832", ".16816", ".16832", ".16864"],
    ),
    ("indexing", &[78, 79], &["", ".IL", ".IS", ".ISL"]),
    ("integers", &[72, 73], &[".U32", "", ".U16x2", ".S16x2"]),
    ("ltc", &[68, 69], &["", ".LTC64B", ".LTC128B", ".LTC256B"]),
    ("ltc-copy", &[72], &["", ".LTC128B"]),
    ("match", &[79], &[".ALL", ".ANY"]),
    ("matrices", &[72, 73], &["", ".2", ".4", ".INVALID3"]),
    ("matrix-shape", &[78, 79], &[".16.M88", ".16.MT88", ".16.M816", ".16.M832"]),
    ("membar", &[76, 77, 78], &[".CTA", ".SM", ".GPU", ".SYS", ".INVALID4", ".VC"]),
    ("membar-kind", &[79, 80], &[".SC", ".ALL", "", ".MMIO"]),
    (
        "mufu",
        &[74, 75, 76, 77, 78, 79],
        &[".COS", ".SIN", ".EX2", ".LG2", ".RCP", ".RSQ", ".RCP64H", ".RSQ64H", ".SQRT", ".TANH"],
    ),
    ("mufu-half", &[72, 73], &["", ".F16", ".BF16"]),
    ("multicast", &[75], &["", ".MULTICAST"]),
    ("nan", &[81], &["", ".NAN"]),
    ("narrow", &[80], &[".32", ""]),
    ("ndv", &[77], &["", ".NDV"]),
    ("nodec", &[86], &["", ".NODEC"]),
    ("nodep", &[90], &["", ".NODEP"]),
    ("noinc", &[86], &["", ".NOINC"]),
    ("ntz", &[77], &["", ".NTZ"]),
    ("operation", &[87, 88, 89, 90], &OPERATIONS),
    ("operation-shared", &[87, 88, 89, 90], &OPERATIONS_IN_SHARED),
    ("optout", &[75], &["", ".OPTOUT"]),
    ("or84", &[84], &["", ".OR"]),
    ("order", &[77, 78, 79, 80], &ORDERS),
    ("order-of-load", &[77, 78, 79, 80], &ORDERS_OF_LOADS),
    ("pand", &[80], &["", ".PAND"]),
    ("prmt", &[72, 73, 74], &["", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16"]),
    ("qspc", &[73, 74, 75], &[".G", ".L", ".S"]),
    ("rand84", &[86], &["", ".RAND"]),
    ("red", &[74], &["", ".RED"]),
    ("reduction", &[87, 88, 89], &OPERATIONS),
    ("redux", &[78, 79, 80], &["", ".OR", ".XOR", ".SUM", ".MIN", ".MAX"]),
    (
        "register-step",
        &[72, 73, 74],
        &["", "", "", "", "", ".DEALLOC.CTAPOOL", ".TRY_ALLOC.CTAPOOL"],
    ),
    ("relu", &[76], &["", ".RELU"]),
    ("relu75", &[75], &["", ".RELU"]),
    ("round", &[78, 79], &["", ".RM", ".RP", ".RZ"]),
    ("roundz", &[78, 79], &["", ".INVALID1", ".INVALID2", ".RZ"]),
    ("s32", &[73], &["", ".S32"]),
    ("sat", &[77], &["", ".SAT"]),
    ("sat75", &[75], &["", ".SAT"]),
    ("sat82", &[82], &["", ".SAT"]),
    ("satfinite", &[77], &["", ".SATFINITE"]),
    ("scale", &[84, 85, 86], &["", ".D8", ".D4", ".D2", "", ".M2", ".M4", ".M8"]),
    ("sh", &[74], &["", ".SH"]),
    ("shift-type", &[73, 74], &[".S64", ".U64", ".S32", ".U32"]),
    ("shift-way", &[76], &[".L", ".R"]),
    ("shuffle", &[58, 59], &[".IDX", ".UP", ".DOWN", ".BFLY"]),
    ("size", &[73, 74, 75], &[".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".U.128"]),
    ("surface-edge", &[59, 60], &[".IGN", "", ".TRAP", ".INVALID3"]),
    ("surface-format", &[72], &["", ".BA"]),
    (
        "surface-shape",
        &[61, 62, 63],
        &[".1D", ".1D_BUFFER", ".1D_ARRAY", ".2D", ".2D_ARRAY", ".3D"],
    ),
    ("surface-size", &[73, 74, 75], &[".U8", ".S8", ".U16", ".S16", "", ".64", ".128"]),
    ("sx32", &[73], &["", ".SX32"]),
    (
        "syncs",
        &[9, 10, 11],
        &[
            "",
            ".ARRIVE.TRANS64",
            ".PHASECHK.TRANS64",
            ".ARRIVE.TRANS64",
            ".ARRIVE.TRANS64",
            ".ARRIVE.TRANS64",
        ],
    ),
    ("syncs84", &[84], &["", ".SYNCS"]),
    ("texture-half", &[79, 80], &["", ".F16.RN", ".F16.RZ"]),
    ("texture-level", &[87, 88, 89], &["", ".LZ", ".LB", ".LL", ".LC", ".LB.LC", ".LC.FDV"]),
    ("tmask", &[73], &["", ".TMASK"]),
    ("to-integer", &[78, 79], &["", ".FLOOR", ".CEIL", ".TRUNC"]),
    ("trywait", &[72], &["", ".TRYWAIT"]),
    ("u8-76", &[76], &[".U8", ".S8"]),
    ("u8-82", &[82], &[".U8", ".S8"]),
    ("u8", &[73], &[".U8", ".S8"]),
    ("u32", &[73], &[".U32", ""]),
    ("vote", &[72, 73], &[".ALL", ".ANY", ".EQ"]),
    ("w75", &[75], &["", ".W"]),
    ("warp84", &[85], &["", ".WARP"]),
    ("warpsync", &[85, 86], &["", ".EXCLUSIVE", ".COLLECTIVE"]),
    ("way", &[85], &[".REL", ".ABS"]),
    ("wide-match", &[73], &["", ".U64"]),
    ("x", &[74], &["", ".X"]),
    ("xorsign", &[82], &["", ".XORSIGN"]),
    ("zfill", &[82], &["", ".ZFILL"]),
];

impl EncodedInstruction {
    /// The words of a modifier of the table: of a field, behind a bit and `?` only where this is set.
    pub(super) fn modifier(self, name: &str) -> Option<String> {
        if let Some((bit, name)) = name.split_once('?') {
            let is_wanted = self.bit(bit.parse().ok()?);
            return if is_wanted { self.modifier(name) } else { Some(String::new()) };
        }
        match name {
            "imad" => return Some(self.imad_alias()),
            "f2fp-pack" => return Some(self.pack_text().to_owned()),
            "group-shape" => {
                let (columns, depth) = self.group_shape();
                return Some(format!(".64x{columns}x{depth}"));
            }
            _ => {}
        }
        let (_, bits, words) = FIELDS.iter().find(|it| it.0 == name)?;
        let value = bits.iter().rev().fold(0, |all, it| all << 1 | self.field(*it, 1)) as usize;
        Some(words.get(value).map_or_else(|| format!(".INVALID{value}"), |it| (*it).to_owned()))
    }

    /// What floating-point numbers are packed of, and how.
    fn pack_text(self) -> &'static str {
        match (self.bit(90), self.bit(89), self.bit(78), self.field(73, 2)) {
            (true, _, true, _) => ".F32.PACK_AB_MERGE_C",
            (true, _, false, _) => ".F16.UNPACK_B_MERGE_C",
            (_, true, true, _) => ".F32.PACK_B",
            (_, true, false, 3) => ".E4M3.UNPACK_B",
            (_, true, false, 2) => ".E5M2.UNPACK_B",
            (_, true, false, _) => ".INVALID.UNPACK_B",
            _ if self.field(79, 2) == 3 => ".F32.PACK_AB.RZ",
            _ => ".F32.PACK_AB",
        }
    }

    /// A product that copies, shifts or adds is called so.
    fn imad_alias(self) -> String {
        let unsigned = if self.bit(73) { "" } else { ".U32" };
        if self.bit(74) {
            return format!("{unsigned}.X");
        }
        let [a, b, c] = self.operands(false).map(|it| it.source);
        let zero = OperandSource::Register(RZ);
        let alias = match (self.form(), b) {
            (1..=3, _) if a == zero && b == zero => ".MOV",
            (4, OperandSource::Number(1)) => ".IADD",
            (4, OperandSource::Number(by))
                if c == zero && by.is_power_of_two() && by != 1 << 16 =>
            {
                ".SHL"
            }
            _ => "",
        };
        format!("{alias}{unsigned}")
    }
}
