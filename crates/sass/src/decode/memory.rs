//! Accesses.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{AddressSpace, Atomic, AtomicElement, AtomicOperation, Opcode};
use crate::operand::Operand;

/// Of words in memory, by their number.
const OPERATIONS: [AtomicOperation; 9] = [
    AtomicOperation::Add,
    AtomicOperation::Min,
    AtomicOperation::Max,
    AtomicOperation::Increment,
    AtomicOperation::Decrement,
    AtomicOperation::And,
    AtomicOperation::Or,
    AtomicOperation::Xor,
    AtomicOperation::Exchange,
];

impl EncodedInstruction {
    /// With its bytes, and whether they have a sign.
    pub(super) fn sized(self, it: Instruction) -> Option<Instruction> {
        const SIZES: [(u8, bool); 7] =
            [(1, false), (1, true), (2, false), (2, true), (4, false), (8, false), (16, false)];
        let (bytes, is_signed) = *SIZES.get(self.field(73, 3) as usize)?;
        Some(Instruction { words: bytes.div_ceil(4), bytes, is_signed, ..it })
    }

    /// Addresses of memory that is not only the block's or the thread's have 64 bits, without a register of
    /// the warp.
    fn has_plain_address(self, space: AddressSpace) -> bool {
        let is_wide = matches!(space, AddressSpace::Global | AddressSpace::Generic);
        !is_wide || self.bit(72) && (!self.bit(91) || self.form() == 4)
    }

    pub(super) fn load(self, it: Instruction, space: AddressSpace) -> Option<Instruction> {
        let it = self.sized(it).filter(|_| self.has_plain_address(space))?;
        // A condition that it writes is not known.
        let is_plain = !it.writes_conditions();
        it.does(Opcode::Ld(space)).filter(|_| is_plain)
    }

    pub(super) fn store(self, it: Instruction, space: AddressSpace) -> Option<Instruction> {
        let it = self.sized(it).filter(|_| self.has_plain_address(space))?;
        Instruction { b: it.b.words(it.words), ..it }.does(Opcode::St(space))
    }

    /// From global memory to shared.
    pub(super) fn copy_to_shared(self, it: Instruction) -> Option<Instruction> {
        let it = self.sized(it)?;
        let [offset, source_offset] = self.offsets_of_copy();
        let (a, b) = (self.in_register(24).words(2), self.in_register(16));
        Instruction { a, b, offset, source_offset, ..it }
            .does(Opcode::Ldgsts { fills: self.bit(82) })
    }

    /// A constant at a place beside an index, where it may be negative.
    pub(super) fn constant(self, it: Instruction) -> Option<Instruction> {
        let (is_uniform, place) = (self.field(0, 9) != 0x182, self.field(38, 16));
        let a = match (is_uniform, self.bit(91)) {
            (false, _) => self.in_register(24),
            (true, true) => self.in_uniform(24),
            (true, false) => Operand::NONE,
        };
        let offset = if a == Operand::NONE { place as i32 } else { (place as i16).into() };
        // No more than two words at once.
        let it = Instruction { a, offset, ..self.sized(it).filter(|it| it.bytes <= 8)? };
        it.does(Opcode::Ldc(self.field(54, 5) as u8))
    }

    /// Whether an address is of a space.
    pub(super) fn space_query(self, it: Instruction) -> Option<Instruction> {
        let spaces = [AddressSpace::Global, AddressSpace::Local, AddressSpace::Shared];
        let space = *spaces.get(self.field(73, 3) as usize)?;
        let writes_condition_alone = self.register(16) == crate::operand::RZ;
        it.does(Opcode::Qspc(space)).filter(|_| writes_condition_alone)
    }

    pub(super) fn integer_element(self) -> Option<(AtomicElement, u8)> {
        const ELEMENTS: [(AtomicElement, u8); 4] = [
            (AtomicElement::Unsigned, 4),
            (AtomicElement::Signed, 4),
            (AtomicElement::Unsigned, 8),
            (AtomicElement::Signed, 8),
        ];
        ELEMENTS.get(self.field(73, 3) as usize).copied()
    }

    pub(super) fn float_element(self) -> Option<(AtomicElement, u8)> {
        Some(match self.field(73, 3) {
            0 => (AtomicElement::Half2, 4),
            1 => (AtomicElement::Float, 4),
            3 => (AtomicElement::Bfloat2, 4),
            7 => (AtomicElement::Float, 8),
            _ => return None,
        })
    }

    /// Which operation, in so many bits.
    pub(super) fn operation(self, bits: u32) -> Option<AtomicOperation> {
        OPERATIONS.get(self.field(87, bits) as usize).copied()
    }

    pub(super) fn operation_in_shared(self) -> Option<AtomicOperation> {
        match self.field(87, 4) {
            11 => Some(AtomicOperation::Count),
            _ => self.operation(4),
        }
    }

    pub(super) fn swap_in_shared(self) -> Option<AtomicOperation> {
        // A register of the warp would stand where the second number does.
        match (self.field(87, 4), self.bit(91)) {
            (0, false) => Some(AtomicOperation::CompareAndSwap),
            (3, false) => Some(AtomicOperation::CompareAndTry),
            _ => None,
        }
    }

    /// As above.
    pub(super) fn float_operation(self, bits: u32) -> Option<AtomicOperation> {
        (self.field(87, bits) == 0).then_some(AtomicOperation::Add)
    }

    /// What combines a word in memory with another, and gives what was there.
    pub(super) fn atomic(
        self,
        it: Instruction,
        space: AddressSpace,
        (element, bytes): (AtomicElement, u8),
        operation: AtomicOperation,
    ) -> Option<Instruction> {
        // Sums of integers do not depend on their sign.
        let element = match (operation, element) {
            (AtomicOperation::Add, AtomicElement::Signed) => AtomicElement::Unsigned,
            _ => element,
        };
        let atomic = Atomic { operation, element, space };
        let words = bytes / 4;
        let c = if atomic.is_swap() { it.c.words(words) } else { it.c };
        Instruction { words, b: it.b.words(words), c, bytes, ..it }.does(Opcode::Atom(atomic))
    }

    /// The same, which gives nothing.
    pub(super) fn reduction(
        self,
        it: Instruction,
        space: AddressSpace,
        element: (AtomicElement, u8),
        operation: AtomicOperation,
    ) -> Option<Instruction> {
        let it = self.atomic(it, space, element, operation)?;
        let Opcode::Atom(atomic) = it.opcode else { return None };
        it.does(Opcode::Red(atomic))
    }
}
