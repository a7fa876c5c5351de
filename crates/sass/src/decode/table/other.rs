//! What warps do once, conversions, special functions, where code goes on, and textures.

use super::{Entry, UNEXECUTED, UNKNOWN, row};
use crate::decode::fields::*;
use crate::instruction::Instruction;
use crate::opcode::*;
use crate::operand::Operand;

pub(super) const OTHERS: &[Entry] = &[
    row(0x0b9, SIZE, "ULDC size", "d constant", |w, it| w.constant(it)),
    row(0x0bb, SIZE, "ULDC size", "d constant", |w, it| w.constant(it)),
    row(0x0bd, bits(73, 2), "UFLO u32 sh", "d ?p81 b", |w, it| {
        it.does(Opcode::Flo { is_signed: w.bit(73), is_distance: w.bit(74) })
    }),
    row(0x0be, 0, "UBREV", "d b", |_, it| it.does(Opcode::Brev)),
    row(0x0bf, 0, "UPOPC", "d b", |_, it| it.does(Opcode::Popc)),
    row(0x0ca, P | bit(84), "R2UR or84", "p-r2ur ur16 r24", |_, it| it.does(Opcode::R2ur)),
    row(0x100, bits(73, 2), "FLO u32 sh", "d ?p81 b", |w, it| {
        it.does(Opcode::Flo { is_signed: w.bit(73), is_distance: w.bit(74) })
    }),
    row(0x101, 0, "BREV", "d b", |_, it| it.does(Opcode::Brev)),
    row(0x102, SIGNS_OF_A | P, "FCHK", "p81 |a| |b|:f", |_, it| it.does(Opcode::Fchk)),
    row(0x104, CONVERSION | bit(77), "F2F ftz f2f-to float-from round", "d |b|:f", |w, it| {
        w.float_to_float(it)
    }),
    row(
        0x105,
        CONVERSION | bit(72) | bit(77),
        "F2I ftz f2i-to float-of to-integer ntz",
        "d |b|:f",
        |w, it| w.float_to_integer(it),
    ),
    row(0x106, CONVERSION | bit(74), "I2F float-to i2f-of round", "d b.part", |w, it| {
        w.integer_to_float(it)
    }),
    row(0x107, CONVERSION, "FRND ftz float-to to-integer", "d |b|:f", |w, it| w.float_to_whole(it)),
    row(0x108, bits(72, 8), "MUFU mufu mufu-half", "d |b|:f", |w, it| w.special_function(it)),
    row(0x109, 0, "POPC", "d b", |_, it| it.does(Opcode::Popc)),
    row(0x110, CONVERSION, "F2F ftz f2f-to float-from round", "d |b|:w", |w, it| {
        w.float_to_float(it)
    }),
    row(
        0x111,
        CONVERSION | bit(72) | bit(77),
        "F2I ftz f2i-to float-of to-integer ntz",
        "d |b|:w",
        |w, it| w.float_to_integer(it),
    ),
    row(0x112, CONVERSION | bit(74), "I2F float-to i2f-of round", "d b.part", |w, it| {
        w.integer_to_float(it)
    }),
    row(0x113, CONVERSION, "FRND ftz float-to to-integer", "d |b|:w", |w, it| w.float_to_whole(it)),
    row(0x118, u64::MAX, "NOP", "", |_, it| it.does(Opcode::Nop)),
    row(0x119, bits(72, 8), "S2R", "d special", |w, it| {
        it.does(Opcode::S2r(w.special_register()?))
    }),
    row(0x11a, bits(72, 8), "DEPBAR depbar", "board n38.6 boards", |w, it| {
        it.does(Opcode::Depbar(w.field(38, 6) as u8))
    }),
    row(0x11b, u64::MAX, "ENDCOLLECTIVE", "", |_, it| it.does(Opcode::Nop)),
    row(0x11c, bit(78) | P, "B2R b2r", "d b2r", |_, it| it.does(Opcode::B2r)),
    row(0x11d, bits(74, 7) | SOURCE, "BAR bar 78?bar-combine defer", "bar", |w, it| w.barrier(it)),
    row(0x141, 0, "BSYNC", "?q87 B16", |_, it| it.does(Opcode::Bsync)),
    row(0x142, SOURCE, "BREAK", "?q87 B16", |_, it| it.does(Opcode::Break)),
    row(0x143, bit(86), "CALL.ABS noinc", "?q87 far", |w, it| {
        it.wide(1, [2, 1, 1]).does(Opcode::CallAbsolute).filter(|_| w.form() == 1)
    }),
    row(0x144, bits(72, 10) | bit(86), "CALL.REL noinc", "?q87 far", |w, it| {
        match w.form() {
            // The caller has put where to go on into registers: it is a jump.
            1 => it.does(Opcode::Brx),
            4 => Instruction { a: Operand::NONE, ..it }.does(Opcode::Call),
            _ => None,
        }
    }),
    row(0x145, 0, "BSSY", "?q87 B16 near", |_, it| it.does(Opcode::Bssy)),
    row(0x146, ALL_BUT_SOURCE, "YIELD", "?q87", |_, it| it.does(Opcode::Nop)),
    row(0x147, bits(72, 10) | bit(84) | SOURCE, "BRA bra bra-any bra-count", "bra", |w, it| {
        w.branch(it)
    }),
    row(0x148, bits(72, 15), "WARPSYNC warpsync all-threads", "?q87 warpsync", |w, it| {
        w.warp_barrier(it)
    }),
    row(0x149, bits(72, 10) | bit(86) | SOURCE, "BRX", "far", |_, it| it.does(Opcode::Brx)),
    row(0x14a, 0, "JMP", "far", UNEXECUTED),
    row(0x14d, SOURCE, "EXIT exit", "?q87", |_, it| it.does(Opcode::Exit)),
    row(0x14e, 0, "LEPC", "d lepc", |_, it| it.wide(2, [1; 3]).does(Opcode::Lepc)),
    row(0x150, bits(72, 10) | bit(86), "RET way nodec", "?q87 far", |w, it| {
        // A register says where alone.
        let by = if w.bit(85) { w.far() } else { it.target.into() };
        Instruction { target: 0, ..it }.does(Opcode::Ret).filter(|_| by == 0)
    }),
    row(0x155, u64::MAX, "BMOV bmov clear", "d B24", |_, it| it.does(Opcode::BmovSave)),
    row(0x156, u64::MAX, "BMOV bmov", "B24 b", |_, it| {
        Instruction { a: it.b, b: Operand::NONE, ..it }.does(Opcode::BmovRestore)
    }),
    row(0x15c, bits(84, 2), "BPT bpt", "n34.20", |_, it| it.does(Opcode::Trap)),
    row(0x15d, ALL_BUT_SOURCE, "NANOSLEEP rand84 warp84 syncs84", "?q87 b", |_, it| {
        Instruction { b: Operand::NONE, ..it }.does(Opcode::Nanosleep)
    }),
    row(
        0x160,
        bits(72, 4) | bits(84, 7),
        "TEX texture-half texture-level aoffi ndv dc evict nodep",
        "?p81 r64 d r24 r32 ur40 number0 dimensions texture-mask",
        |w, it| w.sample(it),
    ),
    row(0x161, 0, "TEX", UNKNOWN, UNEXECUTED),
    row(
        0x163,
        bits(72, 4) | bits(84, 7),
        "TLD4 channel aoffi ptp dc texture-half evict nodep",
        "?p81 r64 d r24 ur40 number0 dimensions texture-mask",
        |w, it| w.gather(it),
    ),
    row(
        0x166,
        bits(72, 4) | bits(84, 7),
        "TLD texture-half texture-level aoffi cl ms evict nodep",
        "?p81 r64 d r24 ur40 number0 dimensions texture-mask",
        |w, it| w.fetch(it),
    ),
    row(0x167, 0, "TLD", UNKNOWN, UNEXECUTED),
];
