//! Words of machine code of 128 bits, as GPUs since Volta have them, decoded.
//!
//! The encoding is not published; it was read off NVIDIA's disassembler, and is known from Mesa's
//! compiler for these GPUs. What is held against it: every array that emitted kernels compute.

mod memory;

use super::instruction::{
    Bytes, CONDITIONS, Combination, Comparison, Condition, Control, Function, Instruction, Opcode,
    Operand, RZ, Register, Rounding, Source, Special, TRUE, UNIFORM, UNIFORM_CONDITIONS,
    UNIFORM_ZERO,
};

/// Bytes of an instruction.
pub(super) const BYTES: u64 = 16;

/// A word, and its place among the instructions of its kernel.
#[derive(Clone, Copy)]
struct Word {
    bits: u128,
    place: u64,
}

/// Decodes an instruction, none that emitted kernels do not have.
pub(super) fn decode(bits: u128, place: u64) -> Option<Instruction> {
    let word = Word { bits, place };
    word.alu().or_else(|| word.special()).or_else(|| word.memory()).or_else(|| word.control_flow())
}

impl Word {
    fn field(self, first: u32, bits: u32) -> u64 {
        (self.bits >> first) as u64 & ((1 << bits) - 1)
    }

    fn bit(self, at: u32) -> bool {
        self.field(at, 1) == 1
    }

    /// Which operands are registers, and which a number or a constant.
    fn form(self) -> u64 {
        self.field(9, 3)
    }

    fn register(self, first: u32) -> Register {
        self.field(first, 8) as Register
    }

    fn uniform(self, first: u32) -> Register {
        UNIFORM + (self.field(first, 8) as Register).min(UNIFORM_ZERO - UNIFORM)
    }

    fn condition_to(self, first: u32, is_uniform: bool) -> Register {
        let base = if is_uniform { UNIFORM_CONDITIONS } else { CONDITIONS };
        base + self.field(first, 3) as Register
    }

    fn condition(self, first: u32, negated: u32, is_uniform: bool) -> Condition {
        Condition { register: self.condition_to(first, is_uniform), is_negated: self.bit(negated) }
    }

    fn conditions_to(self, is_uniform: bool) -> [Register; 2] {
        [self.condition_to(81, is_uniform), self.condition_to(84, is_uniform)]
    }

    fn control(self) -> Control {
        let board = |first| Some(self.field(first, 3) as u8).filter(|it| *it < 6);
        Control {
            stall: self.field(105, 4) as u8,
            written: board(110),
            read: board(113),
            waits: self.field(116, 6) as u8,
        }
    }

    /// With all that does not depend on the opcode.
    fn instruction(self, opcode: Opcode) -> Instruction {
        Instruction {
            opcode,
            guard: self.condition(12, 15, false),
            to: RZ,
            words: 1,
            conditions_to: [TRUE; 2],
            a: Operand::NONE,
            b: Operand::NONE,
            c: Operand::NONE,
            conditions: [Condition::ALWAYS; 3],
            bytes: 0,
            is_signed: false,
            offset: 0,
            target: 0,
            barrier: 0,
            control: self.control(),
        }
    }

    /// The operand that need not be a register of the thread.
    fn flexible(self, is_uniform: bool) -> Operand {
        let is_number = matches!(self.form(), 2 | 4);
        let source = match self.form() {
            1 if is_uniform => Source::Register(self.uniform(32)),
            1 => Source::Register(self.register(32)),
            2 | 4 => Source::Number(self.field(32, 32) as u32),
            3 | 5 => Source::Constant(self.field(54, 5) as u8, self.field(38, 16) as u16),
            _ => Source::Register(self.uniform(32)),
        };
        Operand {
            is_negated: !is_number && self.bit(63),
            is_absolute: !is_number && self.bit(62),
            ..Operand::of(source)
        }
    }

    /// The three operands of an arithmetic instruction.
    fn operands(self, is_uniform: bool) -> [Operand; 3] {
        let register = |first, absolute, negated| {
            let register = if is_uniform { self.uniform(first) } else { self.register(first) };
            Operand {
                is_negated: self.bit(negated),
                is_absolute: self.bit(absolute),
                ..Operand::of(Source::Register(register))
            }
        };
        let (a, flexible, last) =
            (register(24, 73, 72), self.flexible(is_uniform), register(64, 74, 75));
        match self.form() {
            2 | 3 | 7 => [a, last, flexible],
            _ => [a, flexible, last],
        }
    }

    fn comparison(self, bits: u32) -> Comparison {
        Comparison(self.field(76, bits) as u8)
    }

    fn combination(self) -> Option<Combination> {
        [Combination::And, Combination::Or, Combination::Xor]
            .get(self.field(74, 2) as usize)
            .copied()
    }

    fn rounding(self) -> Rounding {
        match self.field(78, 2) {
            0 => Rounding::Nearest,
            1 => Rounding::Down,
            2 => Rounding::Up,
            _ => Rounding::Zero,
        }
    }

    /// Integers, floating-point numbers and conditions.
    fn alu(self) -> Option<Instruction> {
        let base = self.field(0, 9);
        let is_uniform = matches!(base, 0x080..=0x0bf);
        let [a, b, c] = self.operands(is_uniform);
        let plain = |it: Operand| Operand { is_negated: false, is_absolute: false, ..it };
        let to = if is_uniform { self.uniform(16) } else { self.register(16) };
        let first = self.condition(87, 90, is_uniform);
        let second = self.condition(77, 80, is_uniform);
        let third = self.condition(68, 71, is_uniform);
        let guard = self.condition(12, 15, is_uniform);
        let with = |opcode| Instruction { to, guard, ..self.instruction(opcode) };
        let carries = |opcode| Instruction {
            conditions_to: [self.condition_to(81, is_uniform), TRUE],
            ..with(opcode)
        };
        let whole = |it: Operand| Operand { is_absolute: false, ..it };
        let sets = |opcode| Instruction {
            conditions_to: self.conditions_to(is_uniform),
            guard,
            ..self.instruction(opcode)
        };
        // The last one of two, which stands in the third place if it is no register.
        let other = if matches!(self.form(), 2 | 3 | 7) { c } else { b };
        let conditions = |conditions: [Condition; 3], it| Instruction { conditions, ..it };
        let [always, _, _] = [Condition::ALWAYS; 3];
        let one = [first, always, always];
        let of = |[a, b, c]: [Operand; 3], it| Instruction { a, b, c, ..it };
        let (none, is_signed) = (Operand::NONE, self.bit(73));
        Some(match if is_uniform { base - 0x080 } else { base } {
            0x002 => of([none, plain(b), none], with(Opcode::Mov)),
            0x003 => Instruction { a: plain(a), b: plain(b), ..with(Opcode::P2r) },
            0x004 => {
                let byte = self.field(76, 2) as u8;
                of([plain(a), plain(b), none], self.instruction(Opcode::R2p { byte }))
            }
            0x005 => Instruction { words: 1 + self.field(80, 1) as u8, ..with(Opcode::Cs2r) },
            0x006 => {
                let it = with(Opcode::Vote { is_any: self.bit(72) });
                let condition = self.condition(87, 90, false);
                Instruction {
                    conditions_to: [self.condition_to(81, is_uniform), TRUE],
                    conditions: [condition, always, always],
                    ..it
                }
            }
            0x007 => conditions(one, of([plain(a), plain(b), none], with(Opcode::Sel))),
            0x008 => conditions(one, of([a, b, none], with(Opcode::Fsel))),
            0x009 => conditions(one, of([a, b, none], with(Opcode::Fmnmx))),
            0x00a => {
                if self.combination()? != Combination::And {
                    return None;
                }
                conditions(one, of([a, b, none], with(Opcode::Fset(self.comparison(4)))))
            }
            0x00b => {
                let opcode = Opcode::Fsetp(self.comparison(4), self.combination()?);
                conditions(one, of([a, b, none], sets(opcode)))
            }
            0x00c => {
                let opcode = Opcode::Isetp {
                    comparison: self.comparison(3),
                    is_signed,
                    is_upper: self.bit(72),
                    combination: self.combination()?,
                };
                conditions([first, third, always], of([plain(a), plain(b), none], sets(opcode)))
            }
            0x00f => {
                let it = with(Opcode::Vimnmx3 { is_signed: self.bit(72) });
                conditions(one, of([plain(a), plain(b), plain(c)], it))
            }
            0x010 => {
                let it = Instruction {
                    conditions_to: self.conditions_to(is_uniform),
                    ..with(Opcode::Iadd3 { is_upper: self.bit(74) })
                };
                conditions([first, second, always], of([whole(a), b, whole(c)], it))
            }
            0x011 => {
                let opcode = Opcode::Lea {
                    by: self.field(75, 5) as u32,
                    is_upper: self.bit(80),
                    takes_carry: self.bit(74),
                    extends_sign: is_signed,
                };
                let it = carries(opcode);
                conditions(one, of([whole(a), b, plain(c)], it))
            }
            0x012 => {
                let opcode =
                    Opcode::Lop3 { table: self.field(72, 8) as u8, needs_both: self.bit(80) };
                let it = carries(opcode);
                conditions(one, of([plain(a), plain(b), plain(c)], it))
            }
            0x013 => of([none, plain(b), none], with(Opcode::Iabs)),
            0x016 => of([plain(a), plain(b), plain(c)], with(Opcode::Prmt)),
            0x019 => {
                let opcode = Opcode::Shf {
                    is_long: !self.bit(74),
                    is_signed: !self.bit(73),
                    wraps: self.bit(75),
                    is_right: self.bit(76),
                    is_upper: self.bit(80),
                };
                of([plain(a), plain(b), plain(c)], with(opcode))
            }
            0x01c => {
                let tables = (self.field(64, 3) | self.field(72, 5) << 3, self.field(16, 8));
                let third = self.condition(68, 71, is_uniform || self.bit(67));
                conditions(
                    [first, second, third],
                    sets(Opcode::Plop3(tables.0 as u8, tables.1 as u8)),
                )
            }
            0x020 => of([a, b, none], with(Opcode::Fmul)),
            0x021 => of([a, other, none], with(Opcode::Fadd)),
            0x023 => of([a, b, c], with(Opcode::Ffma)),
            0x024 => {
                let it = carries(Opcode::Imad { is_upper: self.bit(74) });
                conditions(one, of([plain(a), b, whole(c)], it))
            }
            0x025 => {
                let opcode = Opcode::ImadWide { is_signed, takes_carry: self.bit(74) };
                let it = Instruction {
                    words: 2,
                    conditions_to: [self.condition_to(81, is_uniform), TRUE],
                    ..with(opcode)
                };
                conditions(one, of([plain(a), b, whole(c.words(2))], it))
            }
            0x026 => {
                let is_signed = [self.bit(73), self.bit(74)];
                let bytes = if self.bit(77) { Bytes::Upper } else { Bytes::Lower };
                let halves = self.bit(76).then_some(bytes);
                of([plain(a), plain(b), plain(c)], with(Opcode::Idp { is_signed, halves }))
            }
            0x027 => {
                let it = carries(Opcode::ImadHi { is_signed });
                of([plain(a), b, whole(c.words(2))], it)
            }
            0x028..=0x02b => {
                let (opcode, operands) = match base {
                    0x028 => (Opcode::Dmul, [a.words(2), b.words(2), none]),
                    0x029 => (Opcode::Dadd, [a.words(2), c.words(2), none]),
                    0x02a => {
                        let opcode = Opcode::Dsetp(self.comparison(4), self.combination()?);
                        let operands = [a.words(2), other.words(2), none];
                        return Some(conditions(one, of(operands, sets(opcode))));
                    }
                    _ => (Opcode::Dfma, [a.words(2), b.words(2), c.words(2)]),
                };
                of(operands, Instruction { words: 2, ..with(opcode) })
            }
            // Used to make constants alone: 0 · 0 + c.
            0x031 | 0x035 if a.source == Source::Register(RZ) && b.source == a.source => {
                of([none, plain(c), none], with(Opcode::Mov))
            }
            0x036 => of([whole(a), b, none], with(Opcode::Viadd)),
            0x045 => of([none, b, none], with(Opcode::I2fp { is_signed: self.bit(74) })),
            0x046 => {
                let opcode =
                    Opcode::Viaddmnmx { is_signed: self.bit(72), is_positive: self.bit(80) };
                conditions(one, of([plain(a), b, plain(c)], with(opcode)))
            }
            0x03d => {
                let opcode = Opcode::Flo { is_signed: self.bit(73), is_distance: self.bit(74) };
                of([none, b, none], with(opcode))
            }
            0x048 => {
                let (is_signed, has_halves) = (self.bit(72), self.bit(73));
                let opcode = Opcode::Vimnmx { is_signed, is_positive: self.bit(76), has_halves };
                conditions(one, of([plain(a), plain(b), none], with(opcode)))
            }
            _ => return None,
        })
    }

    /// Conversions, bits, special functions and registers.
    fn special(self) -> Option<Instruction> {
        let [_, b, _] = self.operands(false);
        let size = |first| 1 << self.field(first, 2);
        let (from, to): (u8, u8) = (size(84), size(75));
        let rounding = self.rounding();
        let words = |bytes: u8| bytes.div_ceil(4);
        let with = |opcode| Instruction { to: self.register(16), b, ..self.instruction(opcode) };
        let converts =
            |opcode| Instruction { words: words(to), b: b.words(words(from)), ..with(opcode) };
        Some(match self.field(0, 9) {
            0x100 => {
                let opcode = Opcode::Flo { is_signed: self.bit(73), is_distance: self.bit(74) };
                with(opcode)
            }
            0x101 => with(Opcode::Brev),
            0x102 => {
                let [a, b, _] = self.operands(false);
                let conditions_to = self.conditions_to(false);
                Instruction {
                    conditions_to: [conditions_to[0], TRUE],
                    a,
                    b,
                    ..self.instruction(Opcode::Fchk)
                }
            }
            0x104 | 0x110 => converts(Opcode::F2f { from, to }),
            0x105 | 0x111 => converts(Opcode::F2i { from, to, is_signed: self.bit(72), rounding }),
            0x106 | 0x112 => {
                let (is_signed, part) = (self.bit(74), self.field(60, 2) as u8);
                converts(Opcode::I2f { from, part, to, is_signed, rounding })
            }
            0x107 | 0x113 => converts(Opcode::Frnd { bytes: to, rounding }),
            0x108 => with(Opcode::Mufu(match self.field(74, 6) {
                4 => Function::Reciprocal,
                5 => Function::ReciprocalRoot,
                6 => Function::UpperReciprocal,
                7 => Function::UpperReciprocalRoot,
                8 => Function::Root,
                _ => return None,
            })),
            0x109 => with(Opcode::Popc),
            0x119 | 0x1c3 => {
                let special = match self.field(72, 8) {
                    0x00 => Special::Lane,
                    0x21 => Special::Thread,
                    0x25 => Special::Block,
                    0x22 | 0x23 | 0x26 | 0x27 | 0x88 => Special::Zero,
                    _ => return None,
                };
                let is_uniform = self.field(0, 9) == 0x1c3;
                let to = if is_uniform { self.uniform(16) } else { self.register(16) };
                Instruction { to, ..self.instruction(Opcode::S2r(special)) }
            }
            0x0ca | 0x1c2 => Instruction {
                to: self.uniform(16),
                a: Operand::of(Source::Register(self.register(24))),
                ..self.instruction(Opcode::R2ur)
            },
            _ => return None,
        })
    }
}
