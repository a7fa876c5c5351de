//! Accesses of neighbours: several elements in one access, as `a[i : i+3]`.

use super::program::{Program, Site};
use crate::diagnostic::{Diagnostic, Located, Span};

/// One element of such an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorLane {
    /// Which it is, from 0.
    pub lane: u64,
    /// How many there are: 2 or 4.
    pub lanes: u64,
}

/// How many neighbours one access may have.
pub const VECTOR_LANES: [u64; 2] = [2, 4];

impl Site {
    /// Elements of the access that begins here; `None` of one that began with another element.
    pub fn elements(&self) -> Option<u64> {
        match self.vector {
            None => Some(1),
            Some(VectorLane { lane: 0, lanes }) => Some(lanes),
            Some(_) => None,
        }
    }
}

impl Program {
    /// The first access of several neighbours, if there is one.
    pub fn first_vector(&self) -> Option<Span> {
        self.sites.iter().find(|it| it.vector.is_some()).map(|it| it.span)
    }

    /// # Errors
    /// The listing has an atomic, a layout, a word of a warp, or an access of several neighbours, which
    /// `what` does not know.
    pub fn with_plain_accesses(&self, what: &str) -> Result<(), Box<Located>> {
        self.without_atomics(what)?;
        self.without_layouts(what)?;
        self.without_warp_words(what)?;
        self.without_vectors(what)
    }

    /// # Errors
    /// The listing accesses several neighbours at once, and `what` takes an access to be one word.
    pub fn without_vectors(&self, what: &str) -> Result<(), Box<Located>> {
        self.first_vector().map_or(Ok(()), |span| {
            let message = format!("{what} are not known of accesses of several neighbours");
            let diagnostic = Diagnostic::new(span, message)
                .help("`umm run` and `umm check` know them; or write an access for each");
            Err(Box::new(Located { source: self.source.clone(), diagnostic }))
        })
    }
}
