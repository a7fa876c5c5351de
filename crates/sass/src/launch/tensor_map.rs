//! Tensors in global memory that one instruction copies a box of: what `cuTensorMapEncodeTiled` would write.

use super::shared::swizzled;
use crate::opcode::AtomicElement;

/// Bytes of a map among a kernel's parameters.
pub const MAP_BYTES: usize = 128;
/// What an own map begins with: that of the driver is not published.
const SIGN: [u8; 8] = *b"tensor 1";
/// Axes, at most, and elements of a box along one.
const MOST_AXES: usize = 5;
const MOST_BOX: u64 = 256;
const UNIT: u64 = 16;

/// Some bytes in shared memory, and where they are in global memory; nowhere beyond a tensor's edge, where
/// zeros come from.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) global: Option<u64>,
    pub(super) shared: u64,
}

/// A tensor, and a box of it; the axis along which elements stand beside each other is the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorMap {
    /// Where it begins.
    pub address: u64,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// As what elements are added.
    pub(crate) element: AtomicElement,
    /// Elements along each axis.
    pub extents: Vec<u64>,
    /// Those of a box.
    pub box_extents: Vec<u64>,
    /// Bytes of a row in shared memory in which units of 16 bytes change places from row to row: 0, 32, 64, 128.
    pub swizzled_bytes: u64,
}

impl TensorMap {
    /// Of an array whose elements stand in order. `is_float` and `is_brain` say as what they are added.
    ///
    /// # Errors
    /// What no map of the device can be.
    pub fn new(
        address: u64,
        (element_bytes, is_float, is_brain): (u64, bool, bool),
        extents: Vec<u64>,
        box_extents: Vec<u64>,
        swizzled_bytes: u64,
    ) -> Result<Self, String> {
        let element = match (element_bytes, is_float, is_brain) {
            (2, _, true) => AtomicElement::Bfloat2,
            (2, true, _) => AtomicElement::Half2,
            (4, true, _) => AtomicElement::Float,
            _ => AtomicElement::Unsigned,
        };
        let it = Self { address, element_bytes, element, extents, box_extents, swizzled_bytes };
        let axes = it.extents.len();
        if axes == 0 || axes > MOST_AXES || it.box_extents.len() != axes {
            return Err(format!(
                "a tensor has 1 to {MOST_AXES} axes, and its box as many; here {axes} and {}",
                it.box_extents.len()
            ));
        }
        if it.box_extents.iter().any(|it| *it == 0 || *it > MOST_BOX) {
            return Err(format!("a box has 1 to {MOST_BOX} elements along each axis"));
        }
        let row = it.box_extents[0] * element_bytes;
        if !row.is_multiple_of(UNIT) {
            return Err(format!("a row of the box has {row} bytes, no multiple of {UNIT}"));
        }
        if axes > 1 && !(it.extents[0] * element_bytes).is_multiple_of(UNIT) {
            let row = it.extents[0] * element_bytes;
            return Err(format!("a row of the tensor has {row} bytes, no multiple of {UNIT}"));
        }
        if !matches!(swizzled_bytes, 0 | 32 | 64 | 128) {
            return Err("swizzle=32, 64 or 128 bytes".to_owned());
        }
        if swizzled_bytes != 0 && row != swizzled_bytes {
            return Err(format!(
                "a row of the box has {row} bytes; only rows as long as the pattern ({swizzled_bytes}) are modelled"
            ));
        }
        Ok(it)
    }

    /// As it stands among the parameters.
    pub fn bytes(&self) -> [u8; MAP_BYTES] {
        let mut all = [0; MAP_BYTES];
        all[..8].copy_from_slice(&SIGN);
        let kind = match self.element {
            AtomicElement::Float => 1,
            AtomicElement::Half2 => 2,
            AtomicElement::Bfloat2 => 3,
            _ => 0,
        };
        let axes = self.extents.len() as u64;
        let head =
            [self.address, self.element_bytes | kind << 8 | self.swizzled_bytes << 16 | axes << 32];
        let rows = self
            .extents
            .iter()
            .zip(&self.box_extents)
            .map(|(extent, of_box)| extent << 16 | of_box);
        for (to, word) in all[8..].chunks_exact_mut(8).zip(head.into_iter().chain(rows)) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        all
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(&SIGN)?;
        let word =
            |at: usize| Some(u64::from_le_bytes(bytes.get(8 * at..8 * at + 8)?.try_into().ok()?));
        let (address, of) = (word(0)?, word(1)?);
        let axes = (of >> 32 & 0xff) as usize;
        let rows: Vec<u64> = (0..axes).map(|axis| word(2 + axis)).collect::<Option<_>>()?;
        let kind = of >> 8 & 0xff;
        let (extents, of_box) =
            (rows.iter().map(|it| it >> 16).collect(), rows.iter().map(|it| it & 0xffff).collect());
        let element = (of & 0xff, kind == 1 || kind == 2, kind == 3);
        Self::new(address, element, extents, of_box, of >> 16 & 0xffff).ok()
    }

    /// Bytes of a piece, and the pieces of the box that begins at these coordinates, in shared memory from a
    /// place on.
    pub(super) fn pieces(&self, begin: &[i64], shared: u64) -> Result<(u64, Vec<Piece>), String> {
        if !shared.is_multiple_of(128) {
            return Err(format!("to shared memory at {shared:#x}, no multiple of 128"));
        }
        let size = self.element_bytes.cast_signed();
        let unit = UNIT.cast_signed();
        if begin[0].wrapping_mul(size) % unit != 0 {
            return Err(format!(
                "that begins at element {} of a row, whose byte is no multiple of {UNIT}",
                begin[0]
            ));
        }
        // The edge lies between units, or elements are copied one by one.
        let is_even = self.extents[0].cast_signed() * size % unit == 0;
        let bytes = if is_even { UNIT } else { self.element_bytes };
        let row = self.box_extents[0] * self.element_bytes;
        let rows: u64 = self.box_extents[1..].iter().product();
        let mut pieces = Vec::with_capacity((rows * row / bytes) as usize);
        for number in 0..rows {
            let (mut rest, mut line, mut stride) = (number, Some(0_i64), 1_i64);
            for (axis, count) in self.box_extents.iter().enumerate().skip(1) {
                stride *= self.extents[axis - 1].cast_signed();
                let at = begin[axis] + (rest % count).cast_signed();
                rest /= count;
                let is = (0..self.extents[axis].cast_signed()).contains(&at);
                line = line.filter(|_| is).map(|line| line + at * stride);
            }
            for by in (0..row).step_by(bytes as usize) {
                let at = begin[0] + (by / self.element_bytes).cast_signed();
                let is = (0..self.extents[0].cast_signed()).contains(&at);
                let global = line
                    .filter(|_| is)
                    .map(|line| self.address.wrapping_add_signed((line + at) * size));
                let place = shared + number * row + by;
                let shared = swizzled(place, self.swizzled_bytes / UNIT);
                pieces.push(Piece { global, shared });
            }
        }
        Ok((bytes, pieces))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(extents: &[u64], of_box: &[u64], swizzled: u64) -> Result<TensorMap, String> {
        TensorMap::new(1 << 48, (4, true, false), extents.to_vec(), of_box.to_vec(), swizzled)
    }

    #[test]
    fn a_map_comes_back_from_its_bytes() {
        let it = map(&[64, 33, 5], &[8, 4, 2], 32).unwrap();
        assert_eq!(TensorMap::read(&it.bytes()), Some(it));
        assert_eq!(TensorMap::read(&[0; MAP_BYTES]), None);
        for (extents, of_box, swizzled) in [
            (&[64_u64, 2][..], &[8_u64][..], 0),
            (&[64, 2], &[3, 1], 0),
            (&[63, 2], &[4, 1], 0),
            (&[64, 2], &[8, 257], 0),
            (&[64, 2], &[8, 2], 128),
        ] {
            assert!(map(extents, of_box, swizzled).is_err());
        }
    }

    /// Beyond an edge nothing is in global memory, and a coordinate may be negative.
    #[test]
    fn boxes_are_cut_at_edges() {
        let it = map(&[8, 4], &[8, 4], 32).unwrap();
        let (bytes, pieces) = it.pieces(&[0, 2], 0x400).unwrap();
        assert_eq!((bytes, pieces.len()), (16, 8));
        let inside: Vec<bool> = pieces.iter().map(|it| it.global.is_some()).collect();
        assert_eq!(inside, [true, true, true, true, false, false, false, false]);
        assert_eq!(pieces[0].global, Some((1 << 48) + 2 * 32));
        let (_, pieces) = it.pieces(&[-4, 0], 0x400).unwrap();
        assert_eq!([pieces[0].global, pieces[1].global], [None, Some(1 << 48)]);
        assert!(it.pieces(&[-1, 0], 0x400).is_err(), "an H200 takes it for an illegal instruction");
        let (bytes, pieces) = map(&[7], &[8], 0).unwrap().pieces(&[0], 0x400).unwrap();
        assert_eq!((bytes, pieces.len(), pieces[7].global), (4, 8, None));
        // The second row of 128 bytes has its units in another order.
        let it = map(&[8, 8], &[8, 8], 32).unwrap();
        let (_, pieces) = it.pieces(&[0, 0], 0x400).unwrap();
        assert_eq!([pieces[0].shared, pieces[8].shared], [0x400, 0x490]);
    }
}
