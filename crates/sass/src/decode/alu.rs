//! Integers, floating-point numbers and conditions.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{Combination, FloatMode, Opcode, WordHalf};
use crate::operand::{Condition, Operand, OperandSource, RZ, TRUE};

/// An arithmetic instruction with what most of them have.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic {
    word: EncodedInstruction,
    is_uniform: bool,
    /// Its number among those of threads, whether it is one or the same of the whole warp.
    base: u64,
    operands: [Operand; 3],
    conditions: [Condition; 3],
}

/// Neither negated nor absolute.
fn bare(it: Operand) -> Operand {
    Operand { is_negated: false, is_absolute: false, ..it }
}

/// Not absolute.
fn signed(it: Operand) -> Operand {
    Operand { is_absolute: false, ..it }
}

pub(super) fn reading([a, b, c]: [Operand; 3], it: Instruction) -> Instruction {
    Instruction { a, b, c, ..it }
}

pub(super) fn under(conditions: [Condition; 3], it: Instruction) -> Instruction {
    Instruction { conditions, ..it }
}

impl Arithmetic {
    pub(super) fn of(word: EncodedInstruction) -> Self {
        let base = word.field(0, 9);
        let is_uniform = word.is_of_warp();
        Self {
            word,
            is_uniform,
            base: if is_uniform { base - 0x080 } else { base },
            operands: word.operands(is_uniform),
            conditions: [
                word.condition(87, 90, is_uniform),
                word.condition(77, 80, is_uniform),
                word.condition(68, 71, is_uniform),
            ],
        }
    }

    /// The instruction; none, if it is not known.
    pub(super) fn decode(self) -> Option<Instruction> {
        self.moves()
            .or_else(|| self.comparisons())
            .or_else(|| self.bits())
            .or_else(|| self.integers())
            .or_else(|| self.floats())
    }

    fn with(self, opcode: Opcode) -> Instruction {
        let to = if self.is_uniform { self.word.uniform(16) } else { self.word.register(16) };
        Instruction { to, ..self.word.instruction(opcode) }
    }

    /// With what is said of rounding.
    fn float(self, opcode: Opcode) -> Instruction {
        let mode = match opcode {
            Opcode::Fadd | Opcode::Fmul | Opcode::Ffma => self.word.mode(),
            Opcode::Dadd | Opcode::Dmul | Opcode::Dfma | Opcode::I2fp { .. } => {
                FloatMode { rounding: self.word.rounding(), ..FloatMode::PLAIN }
            }
            _ => self.flushing(),
        };
        Instruction { mode, ..self.with(opcode) }
    }

    fn flushing(self) -> FloatMode {
        FloatMode { flushes: self.word.bit(80), ..FloatMode::PLAIN }
    }

    fn carries(self, opcode: Opcode) -> Instruction {
        let conditions_to = [self.word.condition_to(81, self.is_uniform), TRUE];
        Instruction { conditions_to, ..self.with(opcode) }
    }

    fn sets(self, opcode: Opcode) -> Instruction {
        let conditions_to = self.word.conditions_to(self.is_uniform);
        Instruction { conditions_to, ..self.word.instruction(opcode) }
    }

    /// The last one of two operands, which stands in the third place if it is no register.
    fn last_of_two(self) -> Operand {
        let [_, b, c] = self.operands;
        if matches!(self.word.form(), 2 | 3 | 7) { c } else { b }
    }

    /// Under the first condition alone.
    fn one(self) -> [Condition; 3] {
        [self.conditions[0], Condition::ALWAYS, Condition::ALWAYS]
    }

    /// Copies, choices and votes.
    fn moves(self) -> Option<Instruction> {
        let [a, b, c] = self.operands;
        Some(match self.base {
            0x002 => reading([Operand::NONE, bare(b), Operand::NONE], self.with(Opcode::Mov)),
            0x003 => Instruction { a: bare(a), b: bare(b), ..self.with(Opcode::P2r) },
            0x004 => {
                let byte = self.word.field(76, 2) as u8;
                reading(
                    [bare(a), bare(b), Operand::NONE],
                    self.word.instruction(Opcode::R2p { byte }),
                )
            }
            0x005 => {
                let opcode = Opcode::Cs2r(self.word.special_register()?);
                Instruction { words: 1 + self.word.field(80, 1) as u8, ..self.with(opcode) }
            }
            0x006 => {
                let it = self.with(Opcode::Vote(self.word.vote()?));
                let condition = self.word.condition(87, 90, false);
                Instruction {
                    conditions_to: [self.word.condition_to(81, self.is_uniform), TRUE],
                    conditions: [condition, Condition::ALWAYS, Condition::ALWAYS],
                    ..it
                }
            }
            0x007 => under(
                self.one(),
                reading([bare(a), bare(b), Operand::NONE], self.with(Opcode::Sel)),
            ),
            0x016 => reading([bare(a), bare(b), bare(c)], self.with(Opcode::Prmt)),
            // Used to make constants alone: 0 · 0 + c.
            0x031 | 0x035 if a.source == OperandSource::Register(RZ) && b.source == a.source => {
                reading([Operand::NONE, bare(c), Operand::NONE], self.with(Opcode::Mov))
            }
            _ => return None,
        })
    }

    /// Comparisons, and what is made of conditions.
    fn comparisons(self) -> Option<Instruction> {
        let [a, b, _] = self.operands;
        let [first, second, third] = self.conditions;
        let is_signed = self.word.bit(73);
        Some(match self.base {
            0x00a => {
                if self.word.combination()? != Combination::And {
                    return None;
                }
                under(
                    self.one(),
                    reading(
                        [a, b, Operand::NONE],
                        self.float(Opcode::Fset(self.word.comparison(4))),
                    ),
                )
            }
            0x00b => {
                let opcode = Opcode::Fsetp(self.word.comparison(4), self.word.combination()?);
                let it = Instruction { mode: self.flushing(), ..self.sets(opcode) };
                under(self.one(), reading([a, b, Operand::NONE], it))
            }
            0x00c => {
                let opcode = Opcode::Isetp {
                    comparison: self.word.comparison(3),
                    is_signed,
                    is_upper: self.word.bit(72),
                    combination: self.word.combination()?,
                };
                under(
                    [first, third, Condition::ALWAYS],
                    reading([bare(a), bare(b), Operand::NONE], self.sets(opcode)),
                )
            }
            0x01c => {
                let tables =
                    (self.word.field(64, 3) | self.word.field(72, 5) << 3, self.word.field(16, 8));
                let third = self.word.condition(68, 71, self.is_uniform || self.word.bit(67));
                under(
                    [first, second, third],
                    self.sets(Opcode::Plop3(tables.0 as u8, tables.1 as u8)),
                )
            }
            0x009 => {
                let opcode = Opcode::Fmnmx { keeps_nan: self.word.bit(81) };
                under(self.one(), reading([a, b, Operand::NONE], self.float(opcode)))
            }
            0x008 => under(self.one(), reading([a, b, Operand::NONE], self.with(Opcode::Fsel))),
            _ => return None,
        })
    }

    /// Least and greatest of integers, bits and shifts.
    fn bits(self) -> Option<Instruction> {
        let [a, b, c] = self.operands;
        Some(match self.base {
            0x00f => {
                let it = self.with(Opcode::Vimnmx3 { is_signed: self.word.bit(72) });
                under(self.one(), reading([bare(a), bare(b), bare(c)], it))
            }
            0x012 => {
                let opcode = Opcode::Lop3 {
                    table: self.word.field(72, 8) as u8,
                    needs_both: self.word.bit(80),
                };
                let it = self.carries(opcode);
                under(self.one(), reading([bare(a), bare(b), bare(c)], it))
            }
            0x013 => reading([Operand::NONE, bare(b), Operand::NONE], self.with(Opcode::Iabs)),
            0x019 => {
                let opcode = Opcode::Shf {
                    is_long: !self.word.bit(74),
                    is_signed: !self.word.bit(73),
                    wraps: self.word.bit(75),
                    is_right: self.word.bit(76),
                    is_upper: self.word.bit(80),
                };
                reading([bare(a), bare(b), bare(c)], self.with(opcode))
            }
            0x01a => {
                let opcode =
                    Opcode::Sgxt { is_signed: self.word.bit(73), wraps: self.word.bit(75) };
                reading([bare(a), bare(b), Operand::NONE], self.with(opcode))
            }
            0x01b => {
                let opcode = Opcode::Bmsk { wraps: self.word.bit(75) };
                reading([bare(a), bare(b), Operand::NONE], self.with(opcode))
            }
            0x03e if self.is_uniform => {
                reading([Operand::NONE, b, Operand::NONE], self.with(Opcode::Brev))
            }
            0x03f if self.is_uniform => {
                reading([Operand::NONE, b, Operand::NONE], self.with(Opcode::Popc))
            }
            0x03d if self.is_uniform => {
                let opcode =
                    Opcode::Flo { is_signed: self.word.bit(73), is_distance: self.word.bit(74) };
                reading([Operand::NONE, b, Operand::NONE], self.with(opcode))
            }
            0x046 => {
                let opcode = Opcode::Viaddmnmx {
                    is_signed: self.word.bit(72),
                    is_positive: self.word.bit(80),
                };
                under(self.one(), reading([bare(a), b, bare(c)], self.with(opcode)))
            }
            0x048 => {
                let (is_signed, has_halves) = (self.word.bit(72), self.word.bit(73));
                let opcode =
                    Opcode::Vimnmx { is_signed, is_positive: self.word.bit(76), has_halves };
                under(self.one(), reading([bare(a), bare(b), Operand::NONE], self.with(opcode)))
            }
            _ => return None,
        })
    }

    /// Sums and products of integers.
    fn integers(self) -> Option<Instruction> {
        let [a, b, c] = self.operands;
        let [first, second, _] = self.conditions;
        let is_signed = self.word.bit(73);
        Some(match self.base {
            0x010 => {
                let it = Instruction {
                    conditions_to: self.word.conditions_to(self.is_uniform),
                    ..self.with(Opcode::Iadd3 { is_upper: self.word.bit(74) })
                };
                under([first, second, Condition::ALWAYS], reading([signed(a), b, signed(c)], it))
            }
            0x011 => {
                let opcode = Opcode::Lea {
                    by: self.word.field(75, 5) as u32,
                    is_upper: self.word.bit(80),
                    takes_carry: self.word.bit(74),
                    extends_sign: is_signed,
                };
                let it = self.carries(opcode);
                under(self.one(), reading([signed(a), b, bare(c)], it))
            }
            0x024 => {
                let it = self.carries(Opcode::Imad { is_upper: self.word.bit(74) });
                under(self.one(), reading([bare(a), b, signed(c)], it))
            }
            0x025 => {
                let opcode = Opcode::ImadWide { is_signed, takes_carry: self.word.bit(74) };
                let it = Instruction {
                    words: 2,
                    conditions_to: [self.word.condition_to(81, self.is_uniform), TRUE],
                    ..self.with(opcode)
                };
                under(self.one(), reading([bare(a), b, signed(c.words(2))], it))
            }
            0x026 => {
                let is_signed = [self.word.bit(73), self.word.bit(74)];
                let bytes = if self.word.bit(77) { WordHalf::Upper } else { WordHalf::Lower };
                let halves = self.word.bit(76).then_some(bytes);
                reading([bare(a), bare(b), bare(c)], self.with(Opcode::Idp { is_signed, halves }))
            }
            0x027 => {
                let it = self.carries(Opcode::ImadHi { is_signed });
                reading([bare(a), b, signed(c.words(2))], it)
            }
            0x036 => reading([signed(a), b, Operand::NONE], self.with(Opcode::Viadd)),
            _ => return None,
        })
    }

    /// Sums and products of floating-point numbers, and conversions to them.
    fn floats(self) -> Option<Instruction> {
        let [a, b, c] = self.operands;
        Some(match self.base {
            0x020 => reading([a, b, Operand::NONE], self.float(Opcode::Fmul)),
            0x021 => reading([a, self.last_of_two(), Operand::NONE], self.float(Opcode::Fadd)),
            0x023 => reading([a, b, c], self.float(Opcode::Ffma)),
            0x028..=0x02b => {
                let (opcode, operands) = match self.base {
                    0x028 => (Opcode::Dmul, [a.words(2), b.words(2), Operand::NONE]),
                    0x029 => (Opcode::Dadd, [a.words(2), c.words(2), Operand::NONE]),
                    0x02a => {
                        let opcode =
                            Opcode::Dsetp(self.word.comparison(4), self.word.combination()?);
                        let operands = [a.words(2), self.last_of_two().words(2), Operand::NONE];
                        return Some(under(self.one(), reading(operands, self.sets(opcode))));
                    }
                    _ => (Opcode::Dfma, [a.words(2), b.words(2), c.words(2)]),
                };
                reading(operands, Instruction { words: 2, ..self.float(opcode) })
            }
            0x045 => reading(
                [Operand::NONE, b, Operand::NONE],
                self.float(Opcode::I2fp { is_signed: self.word.bit(74) }),
            ),
            _ => return None,
        })
    }
}
