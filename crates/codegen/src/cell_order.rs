//! Where the cells of an array with a layout lie, as an expression of CUDA C.

use super::expression::Expressions;
use memory_machine_core::language::program::{ArrayLayout, Expr, LayoutKind};

impl Expressions<'_> {
    /// The word of a cell.
    pub(super) fn laid_out(
        &mut self,
        layout: &ArrayLayout,
        indices: &[Expr],
        extents: &[Expr],
    ) -> String {
        let sizes: Vec<&Expr> = extents.iter().collect();
        match (layout.kind, &layout.arguments[..]) {
            (LayoutKind::Column, _) => {
                let indices: Vec<Expr> = indices.iter().rev().cloned().collect();
                let sizes: Vec<&Expr> = sizes.into_iter().rev().collect();
                self.row_by_row(&indices, &sizes).unwrap_or_default()
            }
            (LayoutKind::Soa, _) => {
                let (mut indices, mut sizes) = (indices.to_vec(), sizes);
                indices.rotate_right(1);
                sizes.rotate_right(1);
                self.row_by_row(&indices, &sizes).unwrap_or_default()
            }
            (LayoutKind::Swizzle, [bits, base, shift]) => {
                let cell = self.row_by_row(indices, &sizes).unwrap_or_default();
                let [bits, base, shift] = [bits, base, shift].map(|it| self.plain(it));
                format!("swizzled({cell}, {bits}, {base}, {shift})")
            }
            (LayoutKind::Pad, [more]) => {
                let more = self.term(more);
                let mut word: Option<String> = None;
                for (at, (index, extent)) in indices.iter().zip(extents).enumerate() {
                    word = Some(match word {
                        None => self.plain(index),
                        Some(word) if at + 1 == extents.len() => {
                            let (extent, index) = (self.term(extent), self.term(index));
                            format!("({word}) * ({extent} + {more}) + {index}")
                        }
                        Some(word) => {
                            format!("({word}) * {} + {}", self.factor(extent), self.term(index))
                        }
                    });
                }
                word.unwrap_or_default()
            }
            // Those that are left are tiles.
            (_, tiles) => {
                // Which tile, then which cell of it, from the outermost dimension on.
                let mut word = String::from("0");
                for ((index, extent), tile) in indices.iter().zip(extents).zip(tiles) {
                    let [index, extent, tile] = [index, extent, tile].map(|it| self.factor(it));
                    word =
                        format!("({word}) * (({extent} + {tile} - 1) / {tile}) + {index} / {tile}");
                }
                for (index, tile) in indices.iter().zip(tiles) {
                    let [index, tile] = [index, tile].map(|it| self.factor(it));
                    word = format!("({word}) * {tile} + {index} % {tile}");
                }
                word
            }
        }
    }
}
