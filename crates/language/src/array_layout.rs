//! In which order the cells of an array lie, and what they are called.

use super::program::{Array, ArrayId, Expr, Program};
use super::syntax::Role;
use crate::diagnostic::{Diagnostic, Located, Span};
use crate::keyword::keywords;

/// What stands behind `layout`.
#[derive(Debug, Clone)]
pub struct ArrayLayout {
    /// Which order.
    pub kind: LayoutKind,
    /// As many as the order takes, of type i64, over the parameters alone.
    pub arguments: Vec<Expr>,
    /// The word and its arguments.
    pub span: Span,
}

/// Orders of cells that have a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LayoutKind {
    /// The first index goes fastest.
    Column,
    /// Of records, field by field: a structure of arrays.
    Soa,
    /// Tile by tile; the arguments are the sides of one.
    Tile,
    /// This many words behind each row are of no cell.
    Pad,
    /// `swizzle(bits, base, shift)`: this many bits of a cell's number, from bit base + shift on, are
    /// combined with those from base on by an exclusive or.
    Swizzle,
}

keywords! { LayoutKind {
    Column "column" "The first index goes fastest"
    Soa "soa" "Field by field: a structure of arrays"
    Tile "tile" "Tile by tile"
    Pad "pad" "Words between rows"
    Swizzle "swizzle" "Bits of a cell's number change others"
} }

impl LayoutKind {
    /// The word of a structure of arrays; that of an array of structures, `aos`, is the order of rows.
    pub(super) const SOA: &str = "soa";

    /// Arguments that it takes, for an array of this many dimensions.
    pub(super) const fn arguments(self, dimensions: usize) -> usize {
        match self {
            Self::Column | Self::Soa => 0,
            Self::Tile => dimensions,
            Self::Pad => 1,
            Self::Swizzle => 3,
        }
    }

    /// How it is written.
    pub(super) const fn example(self) -> &'static str {
        match self {
            Self::Column => "column",
            Self::Soa => "soa",
            Self::Tile => "tile(8, 8)` with a side for each dimension, `tile(8)",
            Self::Pad => "pad(1)",
            Self::Swizzle => "swizzle(5, 0, 5)",
        }
    }
}

impl Array {
    /// The dimensions from the slowest to the fastest, if cells lie in such an order.
    pub fn order_of_dimensions(&self) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.extents.len()).collect();
        match self.layout.as_ref().map(|it| it.kind) {
            None => {}
            Some(LayoutKind::Column) => order.reverse(),
            Some(LayoutKind::Soa) => order.rotate_right(1),
            Some(_) => return None,
        }
        Some(order)
    }

    /// An element as a listing writes it: `a[1, 2]`, or of records `p[1].x`.
    pub fn element_text(&self, indices: &[i64]) -> String {
        let field = indices.last().and_then(|&it| self.fields.get(usize::try_from(it).ok()?));
        let shown = &indices[..indices.len() - usize::from(field.is_some())];
        let shown: Vec<String> = shown.iter().map(i64::to_string).collect();
        let field = field.map_or_else(String::new, |it| format!(".{it}"));
        format!("{}[{}]{field}", self.name, shown.join(", "))
    }
}

impl Program {
    /// The first array of memory whose cells do not lie row by row; arrays of global memory come first.
    pub fn first_layout(&self) -> Option<(ArrayId, &ArrayLayout)> {
        let arrays = self.arrays.iter().enumerate().filter(|it| it.1.role != Role::Register);
        arrays.into_iter().find_map(|(at, array)| Some((ArrayId(at), array.layout.as_ref()?)))
    }

    /// # Errors
    /// An array of global memory has a layout, and `what` has the host put cells row by row.
    pub fn without_global_layouts(&self, what: &str) -> Result<(), Box<Located>> {
        match self.first_layout() {
            Some((array, _)) if self.arrays[array.0].role != Role::Shared => {
                self.without_layouts(what)
            }
            _ => Ok(()),
        }
    }

    /// # Errors
    /// An array has a layout, and `what` takes cells to lie row by row.
    pub fn without_layouts(&self, what: &str) -> Result<(), Box<Located>> {
        self.first_layout().map_or(Ok(()), |(array, layout)| {
            let name = &self.arrays[array.0].name;
            let message = format!("{what} are not known of arrays with a layout, such as `{name}`");
            let diagnostic = Diagnostic::new(layout.span, message)
                .help("`umm run` and `umm check` know them; or write the indices out");
            Err(Box::new(Located { source: self.source.clone(), diagnostic }))
        })
    }
}
