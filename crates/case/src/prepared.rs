//! A case whose arrays have their places.

use super::{Case, CaseError};
use memory_machine_core::run::layout::Layout;

/// A case with its layout, which is found once and handed down with it.
#[derive(Debug, Clone)]
pub struct Prepared {
    case: Case,
    layout: Layout,
}

impl Case {
    /// With its layout.
    ///
    /// # Errors
    /// As [`Case::layout`].
    pub fn prepare(self) -> Result<Prepared, CaseError> {
        let layout = self.layout()?;
        Ok(Prepared { case: self, layout })
    }
}

impl Prepared {
    /// What is run. Another case has another layout: change a clone, and prepare it.
    pub const fn case(&self) -> &Case {
        &self.case
    }

    /// Where its arrays lie.
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }
}
