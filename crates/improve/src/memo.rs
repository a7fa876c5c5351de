//! What a search has found out: a later one with the same question need not count and predict it again.
//! It holds times alone, and no proofs: those are made anew.

use std::cell::RefCell;
use std::collections::BTreeMap;

use memory_machine_core::keyword::Keyword;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Arrangement;
use serde::{Deserialize, Serialize};

use crate::time::Time;

/// Times and predicted seconds by listings. A search with these finds the same ladder as one without.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memo {
    /// By sizes and arrangement, then by listing.
    times: RefCell<BTreeMap<String, Time>>,
    /// By arrangement and listing; `None` of what no prediction is made.
    seconds: RefCell<BTreeMap<String, Option<f64>>>,
}

/// Of an arrangement and a listing.
fn key(program: &Program, bulk: Option<Arrangement>) -> String {
    format!("{}\n{}", bulk.map_or("", Keyword::word), program.source.text)
}

impl Memo {
    /// How many answers are known.
    pub fn count(&self) -> usize {
        self.times.borrow().len() + self.seconds.borrow().len()
    }

    /// The time with some sizes, counted if it is not known.
    pub(crate) fn time(
        &self,
        program: &Program,
        (values, bulk): (&BTreeMap<String, i64>, Option<Arrangement>),
        count: impl FnOnce() -> Result<Time, String>,
    ) -> Result<Time, String> {
        let sizes: Vec<String> = values.iter().map(|it| format!("{} = {}", it.0, it.1)).collect();
        let key = format!("{} {}", sizes.join(", "), key(program, bulk));
        if let Some(known) = self.times.borrow().get(&key) {
            return Ok(*known);
        }
        let found = count()?;
        self.times.borrow_mut().insert(key, found);
        Ok(found)
    }

    /// The seconds, predicted if they are not known. What time was up for is not kept.
    pub(crate) fn seconds(
        &self,
        program: &Program,
        bulk: Option<Arrangement>,
        predict: impl FnOnce() -> Option<f64>,
        is_over: &dyn Fn() -> bool,
    ) -> Option<f64> {
        let key = key(program, bulk);
        if let Some(known) = self.seconds.borrow().get(&key) {
            return *known;
        }
        let found = predict();
        if found.is_some() || !is_over() {
            self.seconds.borrow_mut().insert(key, found);
        }
        found
    }
}
