//! The instructions: one row each, from which come the text of the disassembler, names in messages, and
//! which modifiers [`super::decode`] has a meaning for. Fields are explained in [`super::fields`], operands in
//! [`super::text`].

use super::masks::*;

/// An instruction.
#[derive(Debug)]
pub(super) struct Entry {
    /// The lowest nine bits of the word.
    pub(super) number: u64,
    /// Bits of modifiers that are executed: all others must be as the compiler has them by default.
    pub(super) known: u64,
    /// Its name, and after it the fields of modifiers in the order in which they are printed.
    pub(super) name: &'static str,
    /// Operands in the order in which they are printed.
    pub(super) operands: &'static str,
}

const fn row(number: u64, known: u64, name: &'static str, operands: &'static str) -> Entry {
    Entry { number, known, name, operands }
}

/// The entry of a number: what warps do once has those of threads, but for a few.
pub(super) fn entry(number: u64) -> Option<&'static Entry> {
    let find = |number| ARITHMETIC.iter().chain(OTHERS).find(|it| it.number == number);
    find(number).or_else(|| match number {
        0x080..=0x0bf => find(number - 0x080),
        _ => None,
    })
}

/// All of them.
#[cfg(test)]
pub(super) fn entries() -> impl Iterator<Item = &'static Entry> {
    ARITHMETIC.iter().chain(OTHERS)
}

/// Numbers, bits, conditions, conversions, matrices.
const ARITHMETIC: &[Entry] = &[
    row(0x002, SIGNS, "MOV", "d b mask"),
    row(0x003, 0, "P2R byte-to", "d PR a b"),
    row(0x004, bits(76, 2), "R2P", "PR a.byte b"),
    row(0x005, bits(72, 9), "CS2R narrow", "d special"),
    row(0x006, bits(72, 2) | P | SOURCE, "VOTE vote", "d!z p81 q87"),
    row(0x007, SOURCE, "SEL", "d a b q87"),
    row(0x008, SIGNS_OF_A | FLUSHES | SOURCE, "FSEL ftz", "d |a| |b|:f q87"),
    row(0x009, SIGNS_OF_A | FLUSHES | bit(81) | SOURCE, "FMNMX ftz nan xorsign", "d |a| |b|:f q87"),
    row(
        0x00a,
        SIGNS | bits(76, 4) | FLUSHES | SOURCE,
        "FSET bf compare ftz combine",
        "d |a| |b|:f q87",
    ),
    row(
        0x00b,
        SIGNS | bits(76, 4) | FLUSHES | P | Q | SOURCE,
        "FSETP compare ftz combine",
        "p81 p84 |a| |b|:f q87",
    ),
    row(
        0x00c,
        SIGNS | bits(76, 3) | P | Q | SOURCE,
        "ISETP compare3 u32 combine ex",
        "p81 p84 a b:s q87 72?q68",
    ),
    row(0x00f, bit(72) | SOURCE, "VIMNMX3 integers relu", "d a b c:s q87"),
    row(
        0x010,
        bits(72, 4) | bits(77, 4) | P | Q | SOURCE,
        "IADD3 x",
        "d ?p81 ?p84 ~a ~b:s ~c:s 74?q87 74?q77",
    ),
    row(0x011, bits(72, 9) | P | SOURCE, "LEA hi x sx32", "d ?p81 ~a ~b lea-upper n75.5 74?q87"),
    row(0x012, bits(72, 9) | P | SOURCE, "LOP3.LUT pand", "?p81 d a b c n72.8 q87"),
    row(0x013, 0, "IABS", "d b"),
    row(0x014, 0, "VABSDIFF u32", "d a b c"),
    row(0x015, 0, "VABSDIFF4 u8", "d a b c"),
    row(0x016, 0, "PRMT prmt", "d a b c"),
    row(0x019, bits(73, 4) | FLUSHES, "SHF shift-way w75 shift-type hi", "d a b c"),
    row(0x01a, bit(73) | bit(75), "SGXT w75 u32", "d a b"),
    row(0x01b, bit(75), "BMSK w75", "d a b"),
    row(
        0x01c,
        bits(72, 9) | P | Q | SOURCE,
        "PLOP3.LUT",
        "p81 p84 q87 q77 plop-third plop-table n16.8",
    ),
    row(
        0x020,
        SIGNS_OF_A | SATURATES | ROUNDING | FLUSHES | Q,
        "FMUL ftz fmz round sat scale",
        "d |a| |b|:f",
    ),
    row(0x021, SIGNS | SATURATES | ROUNDING | FLUSHES, "FADD ftz round sat", "d |a| |last|:f"),
    row(
        0x023,
        SIGNS | SATURATES | ROUNDING | FLUSHES,
        "FFMA ftz fmz round sat",
        "d |a| |b|:f |c|:f",
    ),
    row(0x024, CARRIES, "IMAD imad", "d a ~b:s ~c:s 74?q87"),
    row(0x025, CARRIES, "IMAD.WIDE u32 x", "d ?p81 a ~b:s ~c:s 74?q87"),
    row(0x026, bits(73, 2) | bits(76, 2), "IDP idp-shape idp-a idp-b", "d a b -c"),
    row(0x027, bit(73) | bit(75) | P | SOURCE, "IMAD.HI u32 x", "d ?p81 a ~b:s ~c:s 74?q87"),
    row(0x028, SIGNS_OF_A | ROUNDING, "DMUL round", "d |a| |b|:d"),
    row(0x029, SIGNS | ROUNDING, "DADD round", "d |a| |c|:d"),
    row(
        0x02a,
        SIGNS | bits(76, 4) | P | Q | SOURCE,
        "DSETP compare-d combine",
        "p81 p84 |a| |last|:d q87",
    ),
    row(0x02b, SIGNS | ROUNDING, "DFMA round", "d |a| |b|:d |c|:d"),
    row(0x02d, u64::MAX, "PREEXIT", ""),
    row(0x02e, u64::MAX, "ACQBULK", ""),
    row(0x02f, P, "ELECT", "p81 URZ q87"),
    row(0x030, HALVES | bit(78), "HADD2 hadd-wide bf16 ftz sat", "d ha hb"),
    row(0x031, HALVES, "HFMA2 bf16 ftz fmz sat relu", "d ha hb hc"),
    row(0x032, HALVES, "HMUL2 bf16 ftz fmz sat", "d ha hb"),
    row(
        0x033,
        SIGNS | bits(76, 4) | SOURCE,
        "HSET2 hset-number hbf16 compare ftz hcombine",
        "d ha hb q87",
    ),
    row(
        0x034,
        SIGNS | bits(76, 4) | P | Q | SOURCE,
        "HSETP2 hbf16 compare ftz h-and hcombine",
        "p81 p84 ha hb q87",
    ),
    row(0x035, HALVES, "HFMA2.MMA bf16 ftz fmz sat relu", "d ha hb hc"),
    row(0x036, bit(72), "VIADD", "d -a -b"),
    row(
        0x037,
        bits(74, 3) | bit(78) | bit(86),
        "IMMA imma-shape imma-a imma-b sat82",
        "d a.rows b.columns c",
    ),
    row(0x03b, bits(72, 2) | bit(78), "LDSM matrix-shape matrices", "d shared"),
    row(
        0x03c,
        bits(75, 2) | bit(78) | bits(82, 2),
        "HMMA hmma-shape hmma-sum hmma-type",
        "d -a b c",
    ),
    row(0x03d, bits(73, 2), "BMMA bmma", "d a b c"),
    row(0x03e, SIGNS_OF_A | bit(76), "F2FP satfinite relu75 f2fp-to f2fp-pack", "d |a| |b|:f"),
    row(0x03f, bit(76), "DMMA dmma", "d |a| b |c|"),
    row(0x040, HALVES | SOURCE, "HMNMX2 bf16 ftz nan xorsign", "d ha hb q87"),
    row(0x044, bits(72, 2) | bit(78), "STSM matrix-shape matrices", "shared r32"),
    row(0x045, bits(74, 3) | ROUNDING | bits(84, 2), "I2FP i2fp i2fp-from roundz", "d b"),
    row(0x046, bit(72) | bit(75) | FLUSHES | SOURCE, "VIADDMNMX integers relu", "d a -b c q87"),
    row(0x048, bits(72, 2) | bit(76) | SOURCE, "VIMNMX integers relu", "d a b:s q87"),
    row(0x0b9, SIZE, "ULDC size", "d constant"),
    row(0x0bb, SIZE, "ULDC size", "d constant"),
    row(0x0bd, bits(73, 2), "UFLO u32 sh", "d ?p81 b"),
    row(0x0be, 0, "UBREV", "d b"),
    row(0x0bf, 0, "UPOPC", "d b"),
    row(0x0ca, P | bit(84), "R2UR or84", "p-r2ur ur16 r24"),
    row(0x100, bits(73, 2), "FLO u32 sh", "d ?p81 b"),
    row(0x101, 0, "BREV", "d b"),
    row(0x102, SIGNS_OF_A | P, "FCHK", "p81 |a| |b|:f"),
    row(0x104, CONVERSION | bit(77), "F2F ftz f2f-to float-from round", "d |b|:f"),
    row(0x105, CONVERSION | bit(72) | bit(77), "F2I ftz f2i-to float-of to-integer ntz", "d |b|:f"),
    row(0x106, CONVERSION | bit(74), "I2F float-to i2f-of round", "d b.part"),
    row(0x107, CONVERSION, "FRND ftz float-to to-integer", "d |b|:f"),
    row(0x108, bits(74, 6), "MUFU mufu mufu-half", "d |b|:f"),
    row(0x109, 0, "POPC", "d b"),
    row(0x110, CONVERSION, "F2F ftz f2f-to float-from round", "d |b|:w"),
    row(0x111, CONVERSION | bit(72) | bit(77), "F2I ftz f2i-to float-of to-integer ntz", "d |b|:w"),
    row(0x112, CONVERSION | bit(74), "I2F float-to i2f-of round", "d b.part"),
    row(0x113, CONVERSION, "FRND ftz float-to to-integer", "d |b|:w"),
];

/// Accesses, what warps do together, and where code goes on.
const OTHERS: &[Entry] = &[
    row(0x118, u64::MAX, "NOP", ""),
    row(0x119, bits(72, 8), "S2R", "d special"),
    row(0x11a, bits(72, 8), "DEPBAR depbar", "board n38.6 boards"),
    row(0x11b, u64::MAX, "ENDCOLLECTIVE", ""),
    row(0x11c, bit(78) | P, "B2R b2r", "d b2r"),
    row(0x11d, bits(74, 7) | SOURCE, "BAR bar 78?bar-combine defer", "bar"),
    row(0x141, SOURCE, "BSYNC", "?q87 B16"),
    row(0x142, SOURCE, "BREAK", "?q87 B16"),
    row(0x143, bit(86) | SOURCE, "CALL.ABS noinc", "?q87 far"),
    row(0x144, bits(72, 10) | bit(86) | SOURCE, "CALL.REL noinc", "?q87 far"),
    row(0x145, SOURCE, "BSSY", "?q87 B16 near"),
    row(0x146, u64::MAX, "YIELD", "?q87"),
    row(0x147, bits(72, 10) | bit(84) | SOURCE, "BRA bra bra-any bra-count", "bra"),
    row(0x148, bits(72, 19), "WARPSYNC warpsync all-threads", "?q87 warpsync"),
    row(0x149, bits(72, 10) | bit(86) | SOURCE, "BRX", "far"),
    row(0x14a, 0, "JMP", "far"),
    row(0x14d, SOURCE, "EXIT exit", "?q87"),
    row(0x14e, 0, "LEPC", "d lepc"),
    row(0x150, bits(72, 10) | bit(86) | SOURCE, "RET way nodec", "?q87 far"),
    row(0x155, u64::MAX, "BMOV bmov clear", "d B24"),
    row(0x156, u64::MAX, "BMOV bmov", "B24 b"),
    row(0x15c, bits(84, 2), "BPT bpt", "n34.20"),
    row(0x15d, u64::MAX, "NANOSLEEP rand84 warp84 syncs84", "?q87 b"),
    row(
        0x160,
        0,
        "TEX texture-half texture-level aoffi ndv dc evict nodep",
        "?p81 r64 d r24 r32 ur40 number0 dimensions texture-mask",
    ),
    row(0x161, 0, "TEX", ""),
    row(0x166, 0, "TLD texture-level", "?p81 r64 d r24 ur40 number0 dimensions texture-mask"),
    row(0x167, 0, "TLD", ""),
    row(0x180, GLOBAL, "LD extended evict ltc size order-of-load", "d global"),
    row(0x181, GLOBAL, "LDG extended evict ltc size order-of-load", "?p81 d global"),
    row(0x182, SIZE, "LDC size indexing", "d constant"),
    row(0x183, SIZE | bit(72) | bit(76) | bits(84, 3), "LDL evict size", "d local"),
    row(0x184, SIZE, "LDS size", "d shared"),
    row(0x185, GLOBAL, "ST extended evict size order", "global r32"),
    row(0x186, GLOBAL, "STG extended evict size order", "global r32"),
    row(0x187, SIZE | bit(72) | bit(76) | bits(84, 3), "STL evict size", "local r32"),
    row(0x188, SIZE, "STS size", "shared r32"),
    row(0x189, P, "SHFL shuffle", "p81 d a shuffle-by shuffle-within"),
    row(0x18a, GLOBAL, "ATOM extended operation evict atomic-type order", "p81 d global r32"),
    row(0x18b, GLOBAL, "ATOM extended atomic-cas evict atomic-type order", "p81 d global r32 r64"),
    row(0x18c, SIZE | SOURCE, "ATOMS operation-shared atomic-type", "d shared shared-data"),
    row(0x18d, SIZE | SOURCE, "ATOMS cas-shared atomic-type", "d shared r32 r64"),
    row(0x18e, GLOBAL, "REDG extended reduction evict atomic-type order", "global r32"),
    row(0x18f, u64::MAX, "CCTL cctl-cache cctl", "cctl"),
    row(0x192, u64::MAX, "MEMBAR membar-kind membar", ""),
    row(
        0x199,
        0,
        "SULD.D surface-format surface-shape surface-size evict order surface-edge",
        "d surface ur40 surface-place",
    ),
    row(
        0x19d,
        0,
        "SUST.D surface-format surface-shape surface-size evict order surface-edge",
        "surface r32 ur40 surface-place",
    ),
    row(0x1a1, bit(73) | bit(79) | P, "MATCH match wide-match", "match-to d a"),
    row(
        0x1a2,
        GLOBAL,
        "ATOM extended float-operation evict atomic-float order",
        "p81 d global r32",
    ),
    row(
        0x1a3,
        GLOBAL,
        "ATOMG extended float-operation evict atomic-float order",
        "p81 d global r32",
    ),
    row(0x1a6, GLOBAL, "REDG extended float-operation evict atomic-float order", "global r32"),
    row(
        0x1a7,
        bit(72) | bit(74) | P | bits(84, 2),
        "SYNCS syncs trywait tmask red optout arrivals",
        "syncs",
    ),
    row(0x1a8, GLOBAL, "ATOMG extended operation evict atomic-type order", "p81 d global r32"),
    row(0x1a9, GLOBAL, "ATOMG extended atomic-cas evict atomic-type order", "p81 d global r32 r64"),
    row(0x1aa, bit(72) | SIZE | P, "QSPC extended qspc", "p81 d global"),
    row(0x1ab, u64::MAX, "ERRBAR", ""),
    row(
        0x1ae,
        GLOBAL,
        "LDGSTS.E bypass evict ltc-copy size order-of-load zfill",
        "copied global-source ?q87",
    ),
    row(0x1af, u64::MAX, "LDGDEPBAR", ""),
    row(0x1b0, bit(73) | bit(75), "ARRIVES.LDGSTSBAR.64.TRANSCNT", "shared"),
    row(0x1b1, 0, "SYNCS.CCTL.IV", "shared"),
    row(0x1b2, bit(72), "SYNCS.EXCH.64", "ur16 exchanged ur32"),
    row(0x1ba, bit(73), "UBLKCP.S.G", "[ur32] [ur24] ur64"),
    row(0x1c2, P | bit(84), "R2UR or84", "p-r2ur ur16 r24"),
    row(0x1c3, bits(72, 8), "S2UR", "ur16 special"),
    row(0x1c4, bit(73) | bits(78, 3), "REDUX redux s32", "ur16 r24"),
    row(0x1c6, u64::MAX, "FENCE.VIEW.ASYNC fence", ""),
    row(0x1f0, 0, "HGMMA", ""),
];
