//! Accesses, and where code goes on.

use super::{EncodedInstruction, INSTRUCTION_BYTES};
use crate::instruction::Instruction;
use crate::opcode::{AddressSpace, Opcode};
use crate::operand::{Condition, Operand, OperandSource, RZ};

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
        let offset = (self.field(40, 24) as i32) << 8 >> 8;
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
                guard: self.condition(12, 15, is_uniform),
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
        let is_load = matches!(opcode, Opcode::Ld(_));
        let is_global = matches!(
            opcode,
            Opcode::Ld(AddressSpace::Global) | Opcode::St(AddressSpace::Global) | Opcode::Ldgsts
        );
        Some(Instruction {
            to: if is_load { self.register(16) } else { RZ },
            words,
            a: address(if is_global { 2 } else { 1 }),
            b: data.map_or(Operand::NONE, |first| {
                let words = if opcode == Opcode::Ldgsts { 1 } else { words };
                Operand::of(OperandSource::Register(self.register(first))).words(words)
            }),
            c: match is_global {
                true => Operand::NONE,
                false => also(if is_load { 32 } else { 64 }),
            },
            bytes,
            is_signed,
            // Of a copy, in shared memory.
            offset: if opcode == Opcode::Ldgsts { offset >> 4 } else { offset },
            ..self.instruction(opcode)
        })
    }

    /// Sums in global memory.
    fn atomic(self, offset: i32) -> Option<Instruction> {
        let opcode = match self.field(0, 9) {
            0x1a8 => Opcode::Atom,
            0x18e => Opcode::Red,
            _ => return None,
        };
        let bytes = match (self.field(87, 3), self.field(73, 3)) {
            (0, 0 | 1) => 4,
            (0, 2 | 5) => 8,
            _ => return None,
        };
        let words = bytes / 4;
        Some(Instruction {
            to: if opcode == Opcode::Atom { self.register(16) } else { RZ },
            words,
            a: Operand::of(OperandSource::Register(self.register(24))).words(2),
            b: Operand::of(OperandSource::Register(self.register(32))).words(words),
            bytes,
            offset,
            ..self.instruction(opcode)
        })
    }

    pub(super) fn control_flow(self) -> Option<Instruction> {
        // From the next instruction, in words of 32 bits.
        let far = ((self.field(34, 48) << 16).cast_signed() >> 8) | self.field(16, 8).cast_signed();
        let near = (self.field(34, 30) << 34).cast_signed() >> 34;
        let target = |by: i64| {
            let bytes = (INSTRUCTION_BYTES * (self.place + 1)).checked_add_signed(4 * by)?;
            u32::try_from(bytes / INSTRUCTION_BYTES).ok()
        };
        let one = [self.condition(87, 90, false), Condition::ALWAYS, Condition::ALWAYS];
        let plain = |opcode| self.instruction(opcode);
        let (barrier, kept) = (self.field(16, 4) as u8, self.field(24, 4) as u8);
        Some(match self.field(0, 9) {
            0x118 | 0x146 | 0x148 => plain(Opcode::Nop),
            0x155 => {
                Instruction { barrier: kept, to: self.register(16), ..plain(Opcode::BmovSave) }
            }
            0x156 => {
                let a = Operand::of(OperandSource::Register(self.register(32)));
                Instruction { barrier: kept, a, ..plain(Opcode::BmovRestore) }
            }
            0x18f | 0x192 | 0x1ab => plain(Opcode::Fence),
            0x11a => plain(Opcode::Depbar(self.field(38, 6) as u8)),
            0x11d => plain(Opcode::Bar),
            0x141 => Instruction { barrier, ..plain(Opcode::Bsync) },
            0x142 => Instruction { barrier, ..plain(Opcode::Break) },
            0x144 => Instruction { target: target(far)?, ..plain(Opcode::Call) },
            0x145 => Instruction { barrier, target: target(near)?, ..plain(Opcode::Bssy) },
            0x147 => Instruction { target: target(far)?, conditions: one, ..plain(Opcode::Bra) },
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
