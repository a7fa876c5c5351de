//! Accesses, and where code goes on.

use super::{EncodedInstruction, INSTRUCTION_BYTES};
use crate::instruction::Instruction;
use crate::opcode::{AddressSpace, Atomic, AtomicElement, AtomicOperation, Opcode};
use crate::operand::{Condition, Operand, OperandSource, RZ, TRUE};

impl EncodedInstruction {
    /// Bytes of an access, and whether they have a sign.
    fn bytes(self) -> Option<(u8, bool)> {
        Some(match self.field(73, 3) {
            0 => (1, false),
            1 => (1, true),
            2 => (2, false),
            3 => (2, true),
            4 => (4, false),
            5 => (8, false),
            6 => (16, false),
            _ => return None,
        })
    }

    pub(super) fn memory(self) -> Option<Instruction> {
        let base = self.field(0, 9);
        let address = |words| Operand::of(OperandSource::Register(self.register(24))).words(words);
        let offset = self.signed_offset();
        // A register of the warp that is added to the address.
        let also = |first| match self.bit(91) {
            true => Operand::of(OperandSource::Register(self.uniform(first))),
            false => Operand::NONE,
        };
        if matches!(base, 0x0b9 | 0x0bb | 0x182) {
            let (bytes, is_signed) = self.bytes()?;
            let is_uniform = base != 0x182;
            let index = match (is_uniform, self.bit(91)) {
                (false, _) => address(1),
                (true, true) => Operand::of(OperandSource::Register(self.uniform(24))),
                (true, false) => Operand::NONE,
            };
            let place = self.field(38, 16);
            return Some(Instruction {
                to: if is_uniform { self.uniform(16) } else { self.register(16) },
                words: bytes.div_ceil(4),
                a: index,
                bytes,
                is_signed,
                // Beside an index it may be negative.
                offset: if index == Operand::NONE { place as i32 } else { (place as i16).into() },
                ..self.instruction(Opcode::Ldc(self.field(54, 5) as u8))
            });
        }
        if base == 0x1af {
            return Some(self.instruction(Opcode::Ldgdepbar));
        }
        let (opcode, data) = match base {
            0x180 => (Opcode::Ld(AddressSpace::Generic), None),
            0x185 => (Opcode::St(AddressSpace::Generic), Some(32)),
            0x181 => (Opcode::Ld(AddressSpace::Global), None),
            0x183 => (Opcode::Ld(AddressSpace::Local), None),
            0x184 => (Opcode::Ld(AddressSpace::Shared), None),
            0x186 => (Opcode::St(AddressSpace::Global), Some(32)),
            0x187 => (Opcode::St(AddressSpace::Local), Some(32)),
            0x188 => (Opcode::St(AddressSpace::Shared), Some(32)),
            0x1ae => (Opcode::Ldgsts, Some(16)),
            _ => return self.atomic(offset),
        };
        let (bytes, is_signed) = self.bytes()?;
        let words = bytes.div_ceil(4);
        let (is_load, is_copy) = (matches!(opcode, Opcode::Ld(_)), opcode == Opcode::Ldgsts);
        let is_global = matches!(
            opcode,
            Opcode::Ld(AddressSpace::Global | AddressSpace::Generic)
                | Opcode::St(AddressSpace::Global | AddressSpace::Generic)
                | Opcode::Ldgsts
        );
        Some(Instruction {
            to: if is_load { self.register(16) } else { RZ },
            words,
            a: address(if is_global { 2 } else { 1 }),
            b: data.map_or(Operand::NONE, |first| {
                let words = if is_copy { 1 } else { words };
                Operand::of(OperandSource::Register(self.register(first))).words(words)
            }),
            c: match is_global {
                true => Operand::NONE,
                false => also(if is_load { 32 } else { 64 }),
            },
            bytes,
            is_signed,
            offset: if is_copy { self.offsets_of_copy()[0] } else { offset },
            source_offset: if is_copy { self.offsets_of_copy()[1] } else { 0 },
            ..self.instruction(opcode)
        })
    }

    /// What combines a word in memory with another.
    fn atomic(self, offset: i32) -> Option<Instruction> {
        use {AtomicElement as Element, AtomicOperation as Operation};
        let base = self.field(0, 9);
        let size = self.field(73, 3);
        let space = match base {
            0x18a | 0x18b | 0x1a2 => AddressSpace::Generic,
            0x18c | 0x18d => AddressSpace::Shared,
            0x18e | 0x1a3 | 0x1a6 | 0x1a8 | 0x1a9 => AddressSpace::Global,
            _ => return None,
        };
        let swaps = matches!(base, 0x18b | 0x18d | 0x1a9);
        let (element, bytes) = match (base, size) {
            (0x1a2 | 0x1a3 | 0x1a6, 0) => (Element::Half2, 4),
            (0x1a2 | 0x1a3 | 0x1a6, 1) => (Element::Float, 4),
            (0x1a2 | 0x1a3 | 0x1a6, 3) => (Element::Bfloat2, 4),
            (0x1a2 | 0x1a3 | 0x1a6, 7) => (Element::Float, 8),
            (0x1a2 | 0x1a3 | 0x1a6, _) => return None,
            (_, 0) => (Element::Unsigned, 4),
            (_, 1) => (Element::Signed, 4),
            (_, 2) => (Element::Unsigned, 8),
            (_, 3) => (Element::Signed, 8),
            _ => return None,
        };
        let bits = if matches!(base, 0x18e | 0x1a6) { 3 } else { 4 };
        let operation = match (base, self.field(87, bits)) {
            (0x18d, 0) | (0x18b | 0x1a9, _) => Operation::CompareAndSwap,
            (0x18d, 3) => Operation::CompareAndTry,
            (0x18d, _) => return None,
            (0x1a2 | 0x1a3 | 0x1a6, 0) => Operation::Add,
            (0x1a2 | 0x1a3 | 0x1a6, _) => return None,
            (_, 0) => Operation::Add,
            (_, 1) => Operation::Min,
            (_, 2) => Operation::Max,
            (_, 3) => Operation::Increment,
            (_, 4) => Operation::Decrement,
            (_, 5) => Operation::And,
            (_, 6) => Operation::Or,
            (_, 7) => Operation::Xor,
            (_, 8) => Operation::Exchange,
            (0x18c, 11) => Operation::Count,
            _ => return None,
        };
        // Sums of integers do not depend on their sign.
        let element = match (operation, element) {
            (Operation::Add, Element::Signed) => Element::Unsigned,
            _ => element,
        };
        let atomic = Atomic { operation, element, space };
        let words = bytes / 4;
        let is_reduction = matches!(base, 0x18e | 0x1a6);
        let is_shared = space == AddressSpace::Shared;
        let data = |first| Operand::of(OperandSource::Register(self.register(first))).words(words);
        Some(Instruction {
            to: if is_reduction { RZ } else { self.register(16) },
            words,
            // Whether it was done, or is to be done by other instructions.
            conditions_to: [if base == 0x1a2 { self.condition_to(81, false) } else { TRUE }, TRUE],
            a: Operand::of(OperandSource::Register(self.register(24))).words(if is_shared {
                1
            } else {
                2
            }),
            b: data(32),
            // What is swapped in; or a register of the warp that is added to the address.
            c: match is_shared && !swaps && self.bit(91) {
                true => Operand::of(OperandSource::Register(self.uniform(64))),
                false if swaps => data(64),
                false => Operand::NONE,
            },
            bytes,
            offset,
            ..self.instruction(match is_reduction {
                true => Opcode::Red(atomic),
                false => Opcode::Atom(atomic),
            })
        })
    }

    pub(super) fn control_flow(self) -> Option<Instruction> {
        let (far, near) = (self.far(), self.near());
        let target = |by: i64| {
            let bytes = (INSTRUCTION_BYTES * (self.place + 1)).checked_add_signed(4 * by)?;
            u32::try_from(bytes / INSTRUCTION_BYTES).ok()
        };
        let one = [self.condition(87, 90, false), Condition::ALWAYS, Condition::ALWAYS];
        let plain = |opcode| self.instruction(opcode);
        let (barrier, kept) = (self.field(16, 4) as u8, self.field(24, 4) as u8);
        Some(match self.field(0, 9) {
            // What launches after it may begin, and those before it are over: here one follows another.
            0x02d | 0x02e | 0x118 | 0x11b | 0x146 => plain(Opcode::Nop),
            0x143 => {
                let a = Operand::of(OperandSource::Register(self.register(24))).words(2);
                Instruction { a, ..plain(Opcode::CallAbsolute) }
            }
            0x14e => Instruction {
                to: self.register(16),
                words: 2,
                target: target(self.near_address())?,
                ..plain(Opcode::Lepc)
            },
            0x15c => plain(Opcode::Trap),
            // Where threads that are apart would go on one by one: here they wait for each other.
            0x147 if self.bit(91) => {
                let a = Operand::of(OperandSource::Register(self.uniform(24)));
                Instruction { a, conditions: one, ..plain(Opcode::BranchIfDivergent) }
            }
            0x155 => {
                Instruction { barrier: kept, to: self.register(16), ..plain(Opcode::BmovSave) }
            }
            0x156 => {
                let a = Operand::of(OperandSource::Register(self.register(32)));
                Instruction { barrier: kept, a, ..plain(Opcode::BmovRestore) }
            }
            0x18f | 0x192 | 0x1ab | 0x1c6 => plain(Opcode::Fence),
            0x11a => plain(Opcode::Depbar(self.field(38, 6) as u8)),
            0x141 => Instruction { barrier, ..plain(Opcode::Bsync) },
            0x142 => Instruction { barrier, ..plain(Opcode::Break) },
            // The caller has put where to go on into registers: it is a jump.
            0x144 if self.form() == 1 => {
                let a = Operand::of(OperandSource::Register(self.register(24)));
                Instruction { a, target: target(far)?, ..plain(Opcode::Brx) }
            }
            0x144 if self.form() != 4 => return None,
            0x144 => Instruction { target: target(far)?, ..plain(Opcode::Call) },
            0x145 => Instruction { barrier, target: target(near)?, ..plain(Opcode::Bssy) },
            0x147 => {
                let opcode = if self.bit(84) { Opcode::BraAny } else { Opcode::Bra };
                Instruction { target: target(far)?, conditions: one, ..plain(opcode) }
            }
            0x149 => {
                let a = Operand::of(OperandSource::Register(self.register(24)));
                Instruction { a, target: target(far)?, ..plain(Opcode::Brx) }
            }
            0x14d => plain(Opcode::Exit),
            0x150 => {
                let a = Operand::of(OperandSource::Register(self.register(24)));
                Instruction { a, ..plain(Opcode::Ret) }
            }
            _ => return None,
        })
    }
}
