//! Tensor maps as arguments: `tensor,box=64x64,swizzle=128:random:f16[512x512]`.

use super::element::Element;
use super::texture::extents;
use memory_machine_sass::launch::TensorMap;

/// What box of an array one instruction copies, and how it lies in shared memory.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorOptions {
    of_box: Vec<u64>,
    swizzled_bytes: u64,
    extents: Option<Vec<u64>>,
}

impl TensorOptions {
    /// Reads the words behind `tensor`.
    ///
    /// # Errors
    /// A word that says nothing of a map; no box.
    pub(super) fn read(words: &str) -> Result<Self, String> {
        let mut it = Self { of_box: vec![], swizzled_bytes: 0, extents: None };
        for word in words.split(',').skip(1) {
            match word.split_once('=').unwrap_or((word, "")) {
                ("box", text) => {
                    it.of_box = extents(text).map_err(|_| "write box=64x64".to_owned())?;
                }
                ("swizzle", text) => {
                    it.swizzled_bytes = text.parse().map_err(|_| "write swizzle=128".to_owned())?;
                }
                ("extents", text) => it.extents = Some(extents(text)?),
                _ => {
                    return Err(format!(
                        "`{word}` says nothing of a tensor map: box=64x64, swizzle=32, 64 or 128 (bytes), \
                         extents=512x512"
                    ));
                }
            }
        }
        match it.of_box.is_empty() {
            true => Err("a tensor map has a box: tensor,box=64x64:random:f16[512x512]".to_owned()),
            false => Ok(it),
        }
    }

    /// The map of an array at an address, of so many bytes and columns, or of the extents with which it was made.
    ///
    /// # Errors
    /// Extents that are not the array's; what no map can be.
    pub(super) fn map(
        &self,
        address: u64,
        (element, bytes, columns): (Element, usize, usize),
        made: Option<&[u64]>,
    ) -> Result<TensorMap, String> {
        let size = element.bytes() as u64;
        let rows = || {
            let columns = columns.max(1) as u64;
            let rows = bytes as u64 / size / columns;
            if self.of_box.len() == 1 { vec![rows * columns] } else { vec![rows, columns] }
        };
        let extents = self.extents.clone().or_else(|| made.map(<[u64]>::to_vec));
        let mut extents = extents.unwrap_or_else(rows);
        let all = extents.iter().try_fold(size, |all, it| all.checked_mul(*it));
        if all != Some(bytes as u64) {
            return Err(format!(
                "its extents are not those of an array of {bytes} bytes: write extents=512x512"
            ));
        }
        let mut of_box = self.of_box.clone();
        // The axis of neighbours is the last that is written, and a map's first.
        extents.reverse();
        of_box.reverse();
        let kind = (size, element.is_float(), element == Element::Bf16);
        TensorMap::new(address, kind, extents, of_box, self.swizzled_bytes)
    }
}
