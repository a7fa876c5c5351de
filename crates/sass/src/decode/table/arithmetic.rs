//! Numbers, bits, conditions, matrices.

use super::{Entry, UNEXECUTED, row};
use crate::decode::fields::*;
use crate::opcode::*;

pub(super) const ARITHMETIC: &[Entry] = &[
    row(0x002, SIGNS, "MOV", "d b mask", |w, it| {
        it.does(Opcode::Mov).filter(|_| w.is_of_warp() || w.field(72, 4) == 15)
    }),
    row(0x003, 0, "P2R byte-to", "d PR a b", |_, it| it.does(Opcode::P2r)),
    row(0x004, bits(76, 2), "R2P", "PR a.byte b", |w, it| {
        it.does(Opcode::R2p { byte: w.field(76, 2) as u8 })
    }),
    row(0x005, bits(72, 9), "CS2R narrow", "d special", |w, it| {
        it.wide(1 + w.field(80, 1) as u8, [1; 3]).does(Opcode::Cs2r(w.special_register()?))
    }),
    row(0x006, bits(72, 2) | P | SOURCE, "VOTE vote", "d!z p81 q87", |w, it| {
        it.does(Opcode::Vote(w.vote()?))
    }),
    row(0x007, SOURCE, "SEL", "d a b q87", |_, it| it.does(Opcode::Sel)),
    row(0x008, SIGNS_OF_A | FLUSHES | SOURCE, "FSEL ftz", "d |a| |b|:f q87", |_, it| {
        it.does(Opcode::Fsel)
    }),
    row(
        0x009,
        SIGNS_OF_A | FLUSHES | bit(81) | SOURCE,
        "FMNMX ftz nan xorsign",
        "d |a| |b|:f q87",
        |w, it| it.under(w.flushing()).does(Opcode::Fmnmx { keeps_nan: w.bit(81) }),
    ),
    row(
        0x00a,
        SIGNS | bits(76, 4) | FLUSHES | SOURCE,
        "FSET bf compare ftz combine",
        "d |a| |b|:f q87",
        |w, it| {
            let and = w.combination()? == Combination::And;
            it.under(w.flushing()).does(Opcode::Fset(w.comparison(4))).filter(|_| and)
        },
    ),
    row(
        0x00b,
        SIGNS | bits(76, 4) | FLUSHES | P | Q | SOURCE,
        "FSETP compare ftz combine",
        "p81 p84 |a| |b|:f q87",
        |w, it| it.under(w.flushing()).does(Opcode::Fsetp(w.comparison(4), w.combination()?)),
    ),
    row(
        0x00c,
        SIGNS | bits(76, 3) | P | Q | SOURCE,
        "ISETP compare3 u32 combine ex",
        "p81 p84 a b:s q87 72?q68",
        |w, it| {
            it.does(Opcode::Isetp {
                comparison: w.comparison(3),
                is_signed: w.bit(73),
                is_upper: w.bit(72),
                combination: w.combination()?,
            })
        },
    ),
    row(0x00f, bit(72) | SOURCE, "VIMNMX3 integers relu", "d a b c:s q87", |w, it| {
        it.does(Opcode::Vimnmx3 { is_signed: w.bit(72) })
    }),
    row(0x097, bits(77, 4) | SOURCE, "UIADD3.64", "d a b c", |w, it| {
        it.wide(2, [2; 3]).does(Opcode::Iadd64).filter(|_| w.form() == 1)
    }),
    row(
        0x010,
        bits(72, 4) | bits(77, 4) | P | Q | SOURCE,
        "IADD3 x",
        "d ?p81 ?p84 ~a ~b:s ~c:s 74?q87 74?q77",
        |w, it| it.does(Opcode::Iadd3 { is_upper: w.bit(74) }),
    ),
    row(
        0x011,
        bits(72, 9) | P | SOURCE,
        "LEA hi x sx32",
        "d ?p81 ~a ~b lea-upper n75.5 74?q87",
        |w, it| {
            it.does(Opcode::Lea {
                by: w.field(75, 5) as u32,
                is_upper: w.bit(80),
                takes_carry: w.bit(74),
                extends_sign: w.bit(73),
            })
        },
    ),
    row(0x012, bits(72, 9) | P | SOURCE, "LOP3.LUT pand", "?p81 d a b c n72.8 q87", |w, it| {
        it.does(Opcode::Lop3 { table: w.field(72, 8) as u8, needs_both: w.bit(80) })
    }),
    row(0x013, 0, "IABS", "d b", |_, it| it.does(Opcode::Iabs)),
    row(0x014, 0, "VABSDIFF u32", "d a b c", UNEXECUTED),
    row(0x015, 0, "VABSDIFF4 u8", "d a b c", UNEXECUTED),
    row(0x016, 0, "PRMT prmt", "d a b c", |_, it| it.does(Opcode::Prmt)),
    row(0x019, bits(73, 4) | FLUSHES, "SHF shift-way w75 shift-type hi", "d a b c", |w, it| {
        it.does(Opcode::Shf {
            is_long: !w.bit(74),
            is_signed: !w.bit(73),
            wraps: w.bit(75),
            is_right: w.bit(76),
            is_upper: w.bit(80),
        })
    }),
    row(0x01a, bit(73) | bit(75), "SGXT w75 u32", "d a b", |w, it| {
        it.does(Opcode::Sgxt { is_signed: w.bit(73), wraps: w.bit(75) })
    }),
    row(0x01b, bit(75), "BMSK w75", "d a b", |w, it| it.does(Opcode::Bmsk { wraps: w.bit(75) })),
    row(
        0x01c,
        bits(72, 9) | P | Q | SOURCE,
        "PLOP3.LUT",
        "p81 p84 q87 q77 plop-third plop-table n16.8",
        |w, it| {
            it.does(Opcode::Plop3(
                (w.field(64, 3) | w.field(72, 5) << 3) as u8,
                w.field(16, 8) as u8,
            ))
        },
    ),
    row(
        0x020,
        SIGNS_OF_A | SATURATES | ROUNDING | FLUSHES | Q,
        "FMUL ftz fmz round sat scale",
        "d |a| |b|:f",
        |w, it| it.under(w.product_mode()?).does(Opcode::Fmul),
    ),
    row(
        0x021,
        SIGNS | SATURATES | ROUNDING | FLUSHES,
        "FADD ftz round sat",
        "d |a| |last|:f",
        |w, it| it.under(w.mode()).does(Opcode::Fadd),
    ),
    row(
        0x023,
        SIGNS | SATURATES | ROUNDING | FLUSHES,
        "FFMA ftz fmz round sat",
        "d |a| |b|:f |c|:f",
        |w, it| it.under(w.mode()).does(Opcode::Ffma),
    ),
    row(0x024, CARRIES, "IMAD imad", "d ?p81 a ~b:s ~c:s 74?q87", |w, it| {
        it.does(Opcode::Imad { is_upper: w.bit(74) })
    }),
    row(0x025, CARRIES, "IMAD.WIDE u32 x", "d ?p81 a ~b:s ~c:s 74?q87", |w, it| {
        it.wide(2, [1, 1, 2])
            .does(Opcode::ImadWide { is_signed: w.bit(73), takes_carry: w.bit(74) })
    }),
    row(0x026, bits(73, 2) | bits(76, 2), "IDP idp-shape idp-a idp-b", "d a b -c", |w, it| {
        it.does(Opcode::Idp { is_signed: [w.bit(73), w.bit(74)], halves: w.dot_halves() })
    }),
    row(
        0x027,
        bit(73) | bit(75) | P | SOURCE,
        "IMAD.HI u32 x",
        "d ?p81 a ~b:s ~c:s 74?q87",
        |w, it| it.wide(1, [1, 1, 2]).does(Opcode::ImadHi { is_signed: w.bit(73) }),
    ),
    row(0x028, SIGNS_OF_A | ROUNDING, "DMUL round", "d |a| |b|:d", |w, it| {
        it.wide(2, [2, 2, 1]).under(w.rounded()).does(Opcode::Dmul)
    }),
    row(0x029, SIGNS | ROUNDING, "DADD round", "d |a| |c|:d", |w, it| {
        it.wide(2, [2, 2, 1]).under(w.rounded()).does(Opcode::Dadd)
    }),
    row(
        0x02a,
        SIGNS | bits(76, 4) | P | Q | SOURCE,
        "DSETP compare-d combine",
        "p81 p84 |a| |last|:d q87",
        |w, it| it.wide(1, [2, 2, 1]).does(Opcode::Dsetp(w.comparison(4), w.combination()?)),
    ),
    row(0x02b, SIGNS | ROUNDING, "DFMA round", "d |a| |b|:d |c|:d", |w, it| {
        it.wide(2, [2; 3]).under(w.rounded()).does(Opcode::Dfma)
    }),
    row(0x02d, u64::MAX, "PREEXIT", "", |_, it| it.does(Opcode::Nop)),
    row(0x02e, u64::MAX, "ACQBULK", "", |_, it| it.does(Opcode::Nop)),
    row(0x02f, P, "ELECT", "p81 URZ q87", |_, it| it.does(Opcode::Elect)),
    row(0x030, HALVES | bit(78), "HADD2 hadd-wide bf16 ftz sat", "d ha hb", |w, it| {
        w.halves(it, 85, |of| Opcode::Hadd2(Halves { is_wide: w.bit(78), ..of }))
    }),
    row(0x031, HALVES, "HFMA2 bf16 ftz fmz sat relu", "d ha hb hc", |w, it| {
        w.product_of_halves(it)
    }),
    row(0x032, HALVES, "HMUL2 bf16 ftz fmz sat", "d ha hb", |w, it| {
        w.halves(it, 85, Opcode::Hmul2)
    }),
    row(
        0x033,
        SIGNS | bits(76, 4) | SOURCE,
        "HSET2 hset-number hbf16 compare ftz hcombine",
        "d ha hb q87",
        |w, it| {
            let (comparison, is_number) = (w.comparison(4), w.bit(71));
            w.halves(it, 65, |halves| Opcode::Hset2 { halves, comparison, is_number })
        },
    ),
    row(
        0x034,
        SIGNS | bits(76, 4) | P | Q | SOURCE,
        "HSETP2 hbf16 compare ftz h-and hcombine",
        "p81 p84 ha hb q87",
        |w, it| {
            let (comparison, combination) = (w.comparison(4), w.combination_at(69)?);
            let needs_both = w.bit(71);
            w.halves(it, 65, |halves| Opcode::Hsetp2 {
                halves,
                comparison,
                combination,
                needs_both,
            })
        },
    ),
    row(0x035, HALVES, "HFMA2.MMA bf16 ftz fmz sat relu", "d ha hb hc", |w, it| {
        w.product_of_halves(it)
    }),
    row(0x036, bit(72), "VIADD", "d -a -b", |_, it| it.does(Opcode::Viadd)),
    row(
        0x037,
        bits(74, 3) | bit(78) | bit(86),
        "IMMA imma-shape imma-a imma-b sat82",
        "d a.rows b.columns c",
        |w, it| w.product(it, w.bytes_product()?),
    ),
    row(0x03b, bits(72, 2) | bit(78), "LDSM matrix-shape matrices", "d shared", |w, it| {
        w.moved_matrix(it, false)
    }),
    row(
        0x03c,
        bits(75, 2) | bit(78) | bits(82, 2),
        "HMMA hmma-shape hmma-sum hmma-type",
        "d -a b c",
        |w, it| w.product(it, w.halves_product()?),
    ),
    row(
        0x03d,
        bits(74, 3) | bit(78) | bit(80),
        "BMMA bmma-shape bmma-operation",
        "d a.rows b.columns c",
        |w, it| w.product(it, w.bits_product()?),
    ),
    row(
        0x03e,
        bits(72, 9) | bits(85, 6),
        "F2FP satfinite relu75 f2fp-to f2fp-pack",
        "d f2fp-a |b|.upper:f f2fp-c",
        |w, it| w.packed_floats(it),
    ),
    row(0x03f, bits(76, 2), "DMMA dmma", "d |a| b |c|", |w, it| w.product(it, w.doubles_product())),
    row(0x040, HALVES | SOURCE, "HMNMX2 bf16 ftz nan xorsign", "d ha hb q87", |w, it| {
        w.halves(it, 85, Opcode::Hmnmx2)
    }),
    row(0x044, bits(72, 2) | bit(78), "STSM matrix-shape matrices", "shared r32", |w, it| {
        w.moved_matrix(it, true)
    }),
    row(
        0x045,
        bits(74, 3) | ROUNDING | bits(84, 2),
        "I2FP i2fp i2fp-from roundz",
        "d b",
        |w, it| {
            let of_words = w.field(75, 2) == 2 && w.field(84, 2) == 2;
            it.under(w.rounded()).does(Opcode::I2fp { is_signed: w.bit(74) }).filter(|_| of_words)
        },
    ),
    row(
        0x046,
        bit(72) | bit(75) | bit(76) | SOURCE,
        "VIADDMNMX integers relu",
        "d a -b c q87",
        |w, it| {
            // The second operand is negated, not the third.
            let is_known = !w.bit(75) || w.is_moved();
            let (is_signed, is_positive) = (w.bit(72), w.bit(76));
            it.does(Opcode::Viaddmnmx { is_signed, is_positive }).filter(|_| is_known)
        },
    ),
    row(0x048, bits(72, 2) | bit(76) | SOURCE, "VIMNMX integers relu", "d a b:s q87", |w, it| {
        it.does(Opcode::Vimnmx {
            is_signed: w.bit(72),
            is_positive: w.bit(76),
            has_halves: w.bit(73),
        })
    }),
];
