//! What a search finds: listings, each with its time and why it computes what the first one does.

use memory_machine_core::diagnostic::Located;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Arrangement;
use serde::Serialize;
use thiserror::Error;

use crate::check::Certificate;
use crate::memo::Memo;
use crate::time::{Time, number};

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// Steps of a ladder at most.
    pub steps: usize,
    /// Listings that are kept of each round.
    pub beam: usize,
    /// Whether floats may be summed in another order.
    pub reassociates: bool,
    /// Whether arrays may lie column by column, those that are given and results, too.
    pub layouts: bool,
    /// Time units that starting a parallel loop counts, beside those of the machine.
    pub launch: u64,
}

/// Seconds that a listing is predicted to take, its inputs arranged like this.
pub type Predict<'a> = &'a dyn Fn(&Program, Option<Arrangement>) -> Option<f64>;

/// A step that is asked for by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedStep {
    /// Of the transformation.
    pub rule: &'static str,
    /// Which of its forms: words between commas of what the ladder says of it, without quotes; empty for any.
    pub form: String,
}

impl NamedStep {
    /// Whether a ladder's words for a step are this form's.
    pub(crate) fn has_form(&self, what: &str) -> bool {
        let what = what.replace('`', "");
        self.form.is_empty() || what.split(", ").any(|it| it == self.form)
    }
}

/// What goes along with a search.
#[derive(Clone, Copy)]
pub struct Company<'a> {
    /// Whether it is to stop with the best that it has.
    pub is_over: &'a dyn Fn() -> bool,
    /// What says the seconds, if it goes by these.
    pub predict: Option<Predict<'a>>,
    /// The steps that are to be taken in turn, faster or not; it searches if there are none.
    pub steps: &'a [NamedStep],
    /// What earlier searches found out; this one adds to it.
    pub memo: &'a Memo,
    /// Hears after each listing how many were tried.
    pub progress: &'a dyn Fn(usize),
}

impl<'a> Company<'a> {
    /// Nobody, so that it goes by exact time to its end.
    pub fn none(memo: &'a Memo) -> Self {
        Self { is_over: &|| false, predict: None, steps: &[], memo, progress: &|_| {} }
    }
}

/// A listing of the ladder.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rung {
    /// Its text.
    pub listing: String,
    /// How the inputs of a bulk run are arranged.
    pub bulk: Option<&'static str>,
    /// What it takes.
    #[serde(flatten)]
    pub time: Time,
    /// Predicted on a calibrated machine, if there is one and it runs it.
    #[serde(rename = "predicted_s", skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The step from the rung before; none of the first.
    pub step: Option<Step>,
}

/// A step that was taken.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// What was done.
    pub what: String,
    /// Why both compute the same.
    pub why: String,
    /// The line of the rung before that changed.
    pub line: usize,
    /// Runs on random inputs on which both gave the same bits.
    pub runs: usize,
    /// The proof; several where it has listings on the way.
    pub certificates: Vec<Certificate>,
}

/// A step that would have made a listing faster, and was not shown to be legal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct RefusedStep {
    /// What would have been done.
    pub what: String,
    /// The time that it would have taken.
    #[serde(serialize_with = "number")]
    pub time_units: u128,
    /// Why it is not.
    pub reason: String,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ladder {
    /// From the listing as it was to the fastest.
    pub rungs: Vec<Rung>,
    /// Of the first rung, those that would be fastest; nothing that another order of steps takes.
    pub refused: Vec<RefusedStep>,
    /// Listings whose time was counted.
    pub tried: usize,
    /// Whether it ended before it had tried all it would have.
    pub is_cut: bool,
}

/// Why there is no ladder.
#[derive(Debug, Error)]
pub enum SearchError {
    /// The listing is none.
    #[error(transparent)]
    Listing(#[from] Box<Located>),
    /// It has no time.
    #[error("{0}")]
    Time(String),
    /// A step that was to be taken is not.
    #[error("no step `{rule}` is taken: {why}")]
    NotTaken {
        /// The transformation.
        rule: &'static str,
        /// Why not.
        why: String,
    },
    /// A proved step gives another result: a mistake in this program.
    #[error(
        "a step that counts as proved changes the result ({what}): {witness}; please report it"
    )]
    Unsound {
        /// The step.
        what: String,
        /// On which input.
        witness: String,
    },
}
