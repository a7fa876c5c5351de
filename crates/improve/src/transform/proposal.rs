//! What a transformation proposes.

use memory_machine_core::language::syntax::Listing;

use crate::check::Proof;

/// A step that may be taken.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// What is done, as in `interchange the loops over i and j`.
    pub what: String,
    /// Why it is legal if the proof holds.
    pub why: &'static str,
    /// The line that changes, from 1.
    pub line: usize,
    /// The listings on the way, the last of them the one after the step, each with what would show that
    /// it computes the same as the one before.
    pub path: Vec<(Listing, Proof)>,
}

impl Proposal {
    /// The listing after the step.
    pub fn listing(&self) -> Option<&Listing> {
        self.path.last().map(|it| &it.0)
    }
}

/// Why threads may share what an iteration of a parallel loop sums.
pub(super) const fn why_of_shared_sum(reassociates: bool) -> &'static str {
    if reassociates {
        "no iteration needs what another writes; reassociation is allowed: a sum of n numbers differs by \
         γₙ Σ|aᵢ| at most, γₙ = n·u / (1 − n·u)"
    } else {
        "no iteration needs what another writes; sums may have any order"
    }
}

/// A kind of step.
pub struct Transformation {
    /// Its name.
    pub name: &'static str,
    /// What it can do to a listing with this text.
    pub propose: Propose,
    /// Whether a search tries it unasked: others change no machine's time by themselves.
    pub is_searched: bool,
}

type Propose = fn(&Listing, &str) -> Vec<Proposal>;

impl Transformation {
    pub(super) const fn new(name: &'static str, propose: Propose) -> Self {
        Self { name, propose, is_searched: true }
    }

    pub(super) const fn on_demand(name: &'static str, propose: Propose) -> Self {
        Self { name, propose, is_searched: false }
    }
}
