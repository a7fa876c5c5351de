//! Which modifiers of each instruction are known: one that is not makes another instruction of it, and
//! is refused. And how instructions are called.

use super::EncodedInstruction;

/// The first bit of modifiers, and the one after the last; those before are operands, those after it the
/// compiler's counts.
const FIRST: u32 = 72;
const END: u32 = 105;
/// Conditions that are written, and one that is read, where an instruction has them; else they are those
/// that are always true, or absent.
const TO: [u32; 2] = [81, 84];
const FROM: u32 = 87;

const fn bits(first: u32, count: u32) -> u64 {
    ((1 << count) - 1) << (first - FIRST)
}

const fn bit(at: u32) -> u64 {
    bits(at, 1)
}

const P: u64 = bits(81, 3);
const Q: u64 = bits(84, 3);
const SOURCE: u64 = bits(87, 4);
const SIGNS_OF_A: u64 = bits(72, 2);
const SIGNS: u64 = bits(72, 4);
const ROUNDING: u64 = bits(78, 2);
const SATURATES: u64 = bit(77);
const FLUSHES: u64 = bit(80);
const SIZE: u64 = bits(73, 3);
const CARRIES: u64 = bits(73, 3) | P | SOURCE;
/// A memory access's sort of address, its size, its order among others, and how caches keep it: but for the
/// size no value depends on them.
const GLOBAL: u64 = bits(72, 20);
const UNIFORM: u64 = bit(91);
const HALVES: u64 = SIGNS | Q & bit(85) | bits(81, 4);

/// Number, name, and bits of modifiers whose meaning is known; by number.
const KNOWN: &[(u64, &str, u64)] = &[
    (0x002, "MOV", SIGNS),
    (0x003, "P2R", 0),
    (0x004, "R2P", bits(76, 2)),
    (0x005, "CS2R", bits(72, 9)),
    (0x006, "VOTE", bits(72, 2) | P | SOURCE),
    (0x007, "SEL", SOURCE),
    (0x008, "FSEL", SIGNS_OF_A | FLUSHES | SOURCE),
    (0x009, "FMNMX", SIGNS_OF_A | FLUSHES | bit(81) | SOURCE),
    (0x00a, "FSET", SIGNS | bits(76, 4) | FLUSHES | SOURCE),
    (0x00b, "FSETP", SIGNS | bits(76, 4) | FLUSHES | P | Q | SOURCE),
    (0x00c, "ISETP", SIGNS | bits(76, 3) | P | Q | SOURCE),
    (0x00f, "VIMNMX3", bit(72) | SOURCE),
    (0x010, "IADD3", bits(72, 4) | bits(77, 4) | P | Q | SOURCE),
    (0x011, "LEA", bits(72, 9) | P | SOURCE),
    (0x012, "LOP3", bits(72, 9) | P | SOURCE),
    (0x013, "IABS", 0),
    (0x014, "VABSDIFF", 0),
    (0x015, "VABSDIFF4", 0),
    (0x016, "PRMT", 0),
    (0x019, "SHF", bits(73, 4) | FLUSHES),
    (0x01a, "SGXT", bit(73) | bit(75)),
    (0x01b, "BMSK", bit(75)),
    (0x01c, "PLOP3", bits(72, 9) | P | Q | SOURCE),
    (0x020, "FMUL", SIGNS_OF_A | SATURATES | ROUNDING | FLUSHES | Q),
    (0x021, "FADD", SIGNS | SATURATES | ROUNDING | FLUSHES),
    (0x023, "FFMA", SIGNS | SATURATES | ROUNDING | FLUSHES),
    (0x024, "IMAD", CARRIES),
    (0x025, "IMAD.WIDE", CARRIES),
    (0x026, "IDP", bits(73, 2) | bits(76, 2)),
    (0x027, "IMAD.HI", bit(73) | bit(75) | P | SOURCE),
    (0x028, "DMUL", SIGNS_OF_A | ROUNDING),
    (0x029, "DADD", SIGNS | ROUNDING),
    (0x02a, "DSETP", SIGNS | bits(76, 4) | P | Q | SOURCE),
    (0x02b, "DFMA", SIGNS | ROUNDING),
    (0x02f, "ELECT", P),
    (0x030, "HADD2", HALVES | bit(78)),
    (0x031, "HFMA2", HALVES),
    (0x032, "HMUL2", HALVES),
    (0x033, "HSET2", SIGNS | bits(76, 4) | SOURCE),
    (0x034, "HSETP2", SIGNS | bits(76, 4) | P | Q | SOURCE),
    (0x035, "HFMA2.MMA", HALVES),
    (0x036, "VIADD", bit(72)),
    (0x037, "IMMA", bits(74, 3) | bit(78) | bit(86)),
    (0x03b, "LDSM", bits(72, 2) | bit(78)),
    (0x03c, "HMMA", bits(75, 2) | bit(78) | bits(82, 2)),
    (0x03d, "BMMA", bits(73, 2)),
    (0x03e, "F2FP", SIGNS_OF_A | bit(76)),
    (0x03f, "DMMA", bit(76)),
    (0x040, "HMNMX2", HALVES | SOURCE),
    (0x044, "STSM", bits(72, 2) | bit(78)),
    (0x045, "I2FP", bits(74, 3) | ROUNDING | bits(84, 2)),
    (0x046, "VIADDMNMX", bit(72) | bit(75) | FLUSHES | SOURCE),
    (0x048, "VIMNMX", bits(72, 2) | bit(76) | SOURCE),
    (0x0b9, "ULDC", SIZE),
    (0x0bb, "LDC", SIZE),
    (0x0bd, "UFLO", bits(73, 2)),
    (0x0be, "UBREV", 0),
    (0x0bf, "UPOPC", 0),
    (0x0ca, "R2UR", P | bit(84)),
    (0x100, "FLO", bits(73, 2)),
    (0x101, "BREV", 0),
    (0x102, "FCHK", SIGNS_OF_A | P),
    (0x104, "F2F", CONVERSION | bit(77)),
    (0x105, "F2I", CONVERSION | bit(72) | bit(77)),
    (0x106, "I2F", CONVERSION | bit(74)),
    (0x107, "FRND", CONVERSION),
    (0x108, "MUFU", bits(74, 6)),
    (0x109, "POPC", 0),
    (0x110, "F2F", CONVERSION),
    (0x111, "F2I", CONVERSION | bit(72) | bit(77)),
    (0x112, "I2F", CONVERSION | bit(74)),
    (0x113, "FRND", CONVERSION),
    (0x118, "NOP", u64::MAX),
    (0x119, "S2R", bits(72, 8)),
    (0x11a, "DEPBAR", bits(72, 8)),
    (0x11b, "ENDCOLLECTIVE", u64::MAX),
    (0x11c, "B2R", bit(78) | P),
    (0x11d, "BAR", bits(74, 7) | SOURCE),
    (0x141, "BSYNC", SOURCE),
    (0x142, "BREAK", SOURCE),
    (0x143, "CALL.ABS", bit(86) | SOURCE),
    (0x144, "CALL.REL", bits(72, 10) | bit(86) | SOURCE),
    (0x145, "BSSY", SOURCE),
    (0x146, "YIELD", u64::MAX),
    (0x147, "BRA", bits(72, 10) | bit(84) | SOURCE),
    (0x148, "WARPSYNC", bits(72, 19)),
    (0x149, "BRX", bits(72, 10) | bit(86) | SOURCE),
    (0x14a, "JMP", 0),
    (0x14d, "EXIT", SOURCE),
    (0x14e, "LEPC", 0),
    (0x150, "RET.REL", bits(72, 10) | bit(86) | SOURCE),
    (0x155, "BMOV", u64::MAX),
    (0x156, "BMOV", u64::MAX),
    (0x15c, "BPT", bits(84, 2)),
    (0x15d, "NANOSLEEP", u64::MAX),
    (0x160, "TEX", 0),
    (0x161, "TEX", 0),
    (0x167, "TLD", 0),
    (0x180, "LD", GLOBAL),
    (0x181, "LDG", GLOBAL),
    (0x182, "LDC", SIZE),
    (0x183, "LDL", SIZE | bit(72) | bit(76) | bits(84, 3)),
    (0x184, "LDS", SIZE),
    (0x185, "ST", GLOBAL),
    (0x186, "STG", GLOBAL),
    (0x187, "STL", SIZE | bit(72) | bit(76) | bits(84, 3)),
    (0x188, "STS", SIZE),
    (0x189, "SHFL", P),
    (0x18a, "ATOM", GLOBAL),
    (0x18b, "ATOM.CAS", GLOBAL),
    (0x18c, "ATOMS", SIZE | SOURCE),
    (0x18d, "ATOMS.CAS", SIZE | SOURCE),
    (0x18e, "RED", GLOBAL),
    (0x18f, "CCTL", u64::MAX),
    (0x192, "MEMBAR", u64::MAX),
    (0x199, "SULD", 0),
    (0x19d, "SUST", 0),
    (0x1a1, "MATCH", bit(73) | bit(79) | P),
    (0x1a2, "ATOM", GLOBAL),
    (0x1a3, "ATOMG", GLOBAL),
    (0x1a6, "RED", GLOBAL),
    (0x1a7, "SYNCS", bit(72) | bit(74) | P | bits(84, 2)),
    (0x1a8, "ATOMG", GLOBAL),
    (0x1a9, "ATOMG.CAS", GLOBAL),
    (0x1aa, "QSPC", bit(72) | SIZE | P),
    (0x1ab, "ERRBAR", u64::MAX),
    (0x1ae, "LDGSTS", GLOBAL),
    (0x1af, "LDGDEPBAR", u64::MAX),
    (0x1b2, "SYNCS", bit(72)),
    (0x1ba, "UBLKCP", bit(73)),
    (0x1c2, "R2UR", P | bit(84)),
    (0x1c3, "S2UR", bits(72, 8)),
    (0x1c4, "REDUX", bit(73) | bits(78, 3)),
    (0x1b0, "ARRIVES", bit(73) | bit(75)),
    (0x1b1, "SYNCS", 0),
    (0x1c6, "FENCE.VIEW", u64::MAX),
    (0x1f0, "HGMMA", 0),
];

const CONVERSION: u64 = bits(75, 2) | ROUNDING | FLUSHES | bits(84, 2);

/// What is known of an instruction of a number: those of a warp do what those of its threads do.
fn known(number: u64) -> Option<(&'static str, u64)> {
    let find = |number| KNOWN.iter().find(|it| it.0 == number).map(|it| (it.1, it.2));
    find(number).or_else(|| match number {
        0x080..=0x0bf => find(number - 0x080),
        _ => None,
    })
}

/// The name of an instruction, without its modifiers.
pub(in crate::decode) fn name(number: u64) -> Option<&'static str> {
    known(number).map(|it| it.0)
}

/// An instruction's name and number, for messages.
pub(crate) fn mnemonic(bits: u128) -> String {
    let number = bits as u64 & 0x1ff;
    let modifiers = (bits >> FIRST) as u64 & !(u64::MAX << (END - FIRST));
    match plain_name(bits) {
        Some(name) => format!("{name} (modifiers {modifiers:#x})"),
        None => format!("opcode {number:#05x} (modifiers {modifiers:#x})"),
    }
}

/// Its name without modifiers, if it has one.
pub(crate) fn plain_name(bits: u128) -> Option<String> {
    let number = bits as u64 & 0x1ff;
    let name = name(number)?;
    let is_uniform = (0x080..=0x0bf).contains(&number) && !name.starts_with('U');
    Some(match (is_uniform, name) {
        (true, "VOTE") => "VOTEU".to_owned(),
        (true, _) => format!("U{name}"),
        (false, _) => name.to_owned(),
    })
}

impl EncodedInstruction {
    /// Whether all its modifiers are known.
    pub(super) fn has_known_modifiers(self) -> bool {
        let number = self.field(0, 9);
        let Some((_, known)) = known(number) else { return false };
        let mut left =
            (self.bits >> FIRST) as u64 & !(u64::MAX << (END - FIRST)) & !known & !UNIFORM;
        for first in [TO[0], TO[1], FROM] {
            let field = bits(first, 3);
            // The condition that is always true.
            if known & field == 0 && left & field == field {
                left &= !field;
            }
        }
        left == 0 && self.has_known_values(number)
    }

    /// Of a conversion, whether it makes a bfloat16 of an f32, rounded to the nearest.
    pub(super) fn makes_bfloat(self) -> bool {
        self.field(75, 3) == 4 && self.field(84, 2) == 2 && self.field(78, 3) == 0
    }

    /// Whether fields of which some values are known have these.
    fn has_known_values(self, number: u64) -> bool {
        match number {
            // All bytes.
            0x002 => self.field(72, 4) == 15,
            // Not halved, doubled …
            0x020 => self.field(84, 3) == 4 || self.field(84, 3) == 0,
            // One, two or four.
            0x03b | 0x044 => self.field(72, 2) < 3,
            // Either no bfloat16, or one of an f32, to the nearest.
            0x104 => !self.bit(77) || self.makes_bfloat(),
            // From a word to an f32.
            0x045 => self.field(75, 2) == 2 && self.field(84, 2) == 2,
            // The second operand is negated, not the third.
            0x046 => !self.bit(75) || matches!(self.form(), 2 | 3 | 7),
            // Addresses of 64 bits, without a register of the warp.
            0x181 | 0x186 | 0x180 | 0x185 => self.bit(72) && (!self.bit(91) || self.form() == 4),
            _ => true,
        }
    }
}
