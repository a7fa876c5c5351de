//! The elements of a shared array lie in another order, by an exclusive or: legal since a layout changes
//! addresses and nothing else, and this one is a bijection.

use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{
    ArrayDeclaration, ExprNodeKind, LayoutNode, Listing, Name, Role, StatementKind, StatementNode,
};

use super::certificate::{Refusal, Swizzle};

/// The layout in which element j of row i lies at j xor i, if rows are as long as a power of 2 says.
fn layout(array: &ArrayDeclaration) -> Option<LayoutNode> {
    let [.., last] = &array.extents[..] else { return None };
    let ExprNodeKind::Integer(length) = last.size.kind else { return None };
    let fits = array.role == Role::Shared && array.extents.len() == 2 && array.layout.is_none();
    if !fits || !length.is_power_of_two() || !(4..=1024).contains(&length) {
        return None;
    }
    let mut bits = last.size.clone();
    bits.kind = ExprNodeKind::Integer(u64::from(length.trailing_zeros()));
    let mut base = bits.clone();
    base.kind = ExprNodeKind::Integer(0);
    let word = Name { text: "swizzle".to_owned(), span: array.name.span };
    Some(LayoutNode { word, arguments: vec![bits.clone(), base, bits] })
}

/// Does something to each declaration of arrays of blocks.
fn each_array(block: &mut [StatementNode], change: &mut impl FnMut(&mut ArrayDeclaration)) {
    for it in block {
        match &mut it.kind {
            StatementKind::For(it) => {
                it.arrays.iter_mut().for_each(&mut *change);
                each_array(&mut it.body, change);
            }
            StatementKind::While { body, .. }
            | StatementKind::Repeat { body, .. }
            | StatementKind::Label { body, .. } => each_array(body, change),
            StatementKind::If { then, otherwise, .. } => {
                each_array(then, change);
                each_array(otherwise, change);
            }
            _ => {}
        }
    }
}

/// The shared arrays that may be swizzled.
pub(crate) fn arrays(listing: &Listing) -> Vec<Name> {
    let mut found: Vec<Name> = vec![];
    let mut all = listing.body.clone();
    each_array(&mut all, &mut |it| found.extend(layout(it).map(|_| it.name.clone())));
    found
}

/// The listing in which every shared array of a name is swizzled.
pub(crate) fn swizzled(listing: &Listing, proof: &Swizzle) -> Option<Listing> {
    let mut new = listing.clone();
    let mut count = 0;
    each_array(&mut new.body, &mut |it| {
        if it.name.text == proof.array
            && let Some(layout) = layout(it)
        {
            it.layout = Some(layout);
            count += 1;
        }
    });
    (count > 0).then_some(new)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Swizzle) -> Result<(), Refusal> {
    let expected = swizzled(&before.listing, proof)
        .ok_or_else(|| Refusal::new("no shared array of that name has rows of a power of 2"))?;
    match expected.to_string() == after.listing.to_string() {
        true => Ok(()),
        false => Err(Refusal::new("more than the layout of the array changes")),
    }
}
