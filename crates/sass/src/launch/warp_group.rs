//! Products of matrices that four warps make together (`wgmma`): each makes 16 of the 64 rows. Where the
//! matrices lie in shared memory, a descriptor of 64 bits says.
//!
//! On the device the four warps go on while the product is made; here each makes its rows at once, which no
//! kernel can tell that waits for the product before it uses it or overwrites the matrices.

use super::access::At;
use super::execution::Running;
use super::observer::{LaunchObserver, MemoryAccess, MemorySpace, WarpAccess};
use super::shared::first_words;
use super::{Fault, FaultCause};
use crate::instruction::Instruction;
use crate::opcode::{AddressSpace, GroupProduct};
use crate::operand::Operand;
use crate::values::word_at;

/// Warps of a group, and rows of each.
const WARPS: usize = 4;
const ROWS: usize = 16;
/// Bytes that lie beside each other in any case.
const UNIT: u64 = 16;
/// Rows or columns of a block of units.
const BLOCK: u64 = 8;

/// Where a matrix lies in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MatrixPlace {
    begin: u64,
    /// Bytes between blocks along one axis and the other.
    leading: u64,
    stride: u64,
    /// Units of a row of a pattern in which units of different rows change places; 1, if none do.
    swizzled: u64,
}

impl MatrixPlace {
    /// `None`, if the pattern does not begin at a multiple of its size.
    fn of(descriptor: u64) -> Option<Self> {
        let bytes = |first: u32| (descriptor >> first & 0x3fff) * UNIT;
        let swizzled = [1, 8, 4, 2][(descriptor >> 62) as usize];
        let is_plain = descriptor >> 49 & 7 == 0;
        is_plain.then_some(Self {
            begin: bytes(0),
            leading: bytes(16),
            stride: bytes(32),
            swizzled,
        })
    }

    /// Of an element of so many bytes, at a row of A or a column of B and a place along it.
    fn address(self, (line, at): (u64, u64), bytes: u64, is_transposed: bool) -> u64 {
        let Self { begin, leading, stride, swizzled } = self;
        let (along, across) = if is_transposed { (line, at) } else { (at, line) };
        let (unit, within) = (along * bytes / UNIT, along * bytes % UNIT);
        let (block, row) = (across / BLOCK, across % BLOCK);
        let [of_unit, of_block] = match (is_transposed, swizzled) {
            (false, 1) => [unit * leading, block * stride],
            (false, _) => [unit * UNIT, block * stride],
            (true, 1) => [unit * stride, block * leading],
            (true, _) => [unit % swizzled * UNIT + unit / swizzled * leading, block * stride],
        };
        super::shared::swizzled(
            begin + row * UNIT * swizzled + of_unit + of_block + within,
            swizzled,
        )
    }
}

impl<O: LaunchObserver> Running<'_, O> {
    pub(super) fn group_product(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        of: GroupProduct,
    ) -> Result<(), Box<Fault>> {
        let registers = self.registers(number);
        let word = |at| u64::from(registers.word(it.b, at)[0]);
        let [a, b] = [0, 2].map(|at| word(at + 1) << 32 | word(at));
        let at = At { warp: number, place, it, word: "a load" };
        let first = (number % WARPS * ROWS) as u64;
        let [transposed_a, transposed_b] = of.is_transposed;
        let a = match it.a {
            Operand::NONE => {
                let lines = first..first + ROWS as u64;
                Some(self.fetch(at, a, lines, (of, transposed_a))?)
            }
            _ => None,
        };
        let b = self.fetch(at, b, 0..of.columns.into(), (of, transposed_b))?;
        self.registers(number).multiply_group(it, of, (a, b));
        Ok(())
    }

    /// Rows of A or columns of B from shared memory.
    fn fetch(
        &mut self,
        at: At<'_>,
        descriptor: u64,
        lines: std::ops::Range<u64>,
        (of, is_transposed): (GroupProduct, bool),
    ) -> Result<Vec<u64>, Box<Fault>> {
        let Some(place) = MatrixPlace::of(descriptor) else {
            let cause = "a matrix whose pattern begins at another place than a multiple of its size \
                         (base offset of its descriptor)";
            let cause = FaultCause::Instruction(cause.to_owned());
            return Err(self.fault(at.warp, at.place, None, cause));
        };
        let bytes = u64::from(of.element.bits().0 / 8);
        let depth = u64::from(of.depth);
        let addresses: Vec<u64> = lines
            .flat_map(|line| (0..depth).map(move |at| (line, at)))
            .map(|it| place.address(it, bytes, is_transposed))
            .collect();
        let units: Vec<u64> = addresses.iter().copied().filter(|it| it % UNIT == 0).collect();
        for some in units.chunks(32) {
            self.read_units(at, some)?;
        }
        let element = |it: &u64| word_at(&self.block.shared, *it as usize, bytes as usize);
        Ok(addresses.iter().map(element).collect())
    }

    /// Of at most as many lanes as a warp has.
    fn read_units(&mut self, at: At<'_>, units: &[u64]) -> Result<(), Box<Fault>> {
        let unit = Instruction { bytes: UNIT as u8, ..*at.it };
        let at = At { it: &unit, ..at };
        let mut addresses = [units[0]; 32];
        addresses[..units.len()].copy_from_slice(units);
        let active = u32::MAX >> (32 - units.len());
        let (mut unwritten, mut left) = (0, active);
        while left != 0 {
            let stretch = self.stretch(at, AddressSpace::Shared, &addresses, left)?;
            left &= !stretch.lanes;
            unwritten |= self.read(at.warp, &stretch, UNIT);
        }
        let values = first_words(&self.block.shared, &addresses, active);
        let access = WarpAccess {
            warp: self.place(at.warp, at.place as usize, active),
            space: MemorySpace::Shared,
            access: MemoryAccess::Load,
            bytes: UNIT,
            addresses: &addresses,
            unwritten,
            unchanged: active,
            values: &values,
            is_request: false,
        };
        self.observer.access(&access);
        Ok(())
    }
}
