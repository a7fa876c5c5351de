//! The elements of an array of global memory lie column by column: legal since a layout changes addresses
//! and nothing else.

use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{LayoutNode, Listing, Name};

use super::certificate::{Columns, Refusal};

/// The arrays that may lie so: of two dimensions or more, without a layout.
pub(crate) fn arrays(listing: &Listing) -> Vec<Name> {
    let may = listing.arrays.iter().filter(|it| it.extents.len() > 1 && it.layout.is_none());
    may.map(|it| it.name.clone()).collect()
}

/// The listing in which an array lies column by column.
pub(crate) fn by_columns(listing: &Listing, proof: &Columns) -> Option<Listing> {
    let name = arrays(listing).into_iter().find(|it| it.text == proof.array)?;
    let mut new = listing.clone();
    let own = new.arrays.iter_mut().find(|it| it.name.text == name.text)?;
    let word = Name { text: "column".to_owned(), span: name.span };
    own.layout = Some(LayoutNode { word, arguments: vec![] });
    Some(new)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Columns) -> Result<(), Refusal> {
    let expected = by_columns(&before.listing, proof)
        .ok_or_else(|| Refusal::new("no array of that name has rows and columns"))?;
    match expected.to_string() == after.listing.to_string() {
        true => Ok(()),
        false => Err(Refusal::new("more than the layout of the array changes")),
    }
}
