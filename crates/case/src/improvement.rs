//! A faster listing for a case.

use memory_machine_core::keyword::Keyword;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::{Arrangement, Layout};
use memory_machine_improve::search::{Company, Ladder, Reach, Rung, SearchError, search};
use memory_machine_improve::time::{Setting, number};
use memory_machine_theory::BoundKind;
use serde::Serialize;

use crate::{Case, CaseCache};

/// A ladder, and how far it could go.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Improvement {
    /// The listings.
    #[serde(flatten)]
    pub ladder: Ladder,
    /// The largest lower bound that is known for the accesses of the last rung.
    pub lower_bound: Option<LowerBound>,
}

/// A lower bound on the time of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LowerBound {
    /// What it is called.
    pub name: String,
    /// The least time.
    #[serde(serialize_with = "number")]
    pub time_units: u128,
}

impl Case {
    /// From its listing by proved steps to one that takes less time with its sizes, inputs and machine:
    /// fewer predicted seconds, if they are asked for.
    ///
    /// # Errors
    /// [`SearchError`], also where the case has no layout.
    pub fn improve(&self, reach: Reach, company: Company<'_>) -> Result<Improvement, SearchError> {
        let layout = self.layout().map_err(|it| SearchError::Time(it.to_string()))?;
        let values = self.settings(&layout).0.into_iter().collect();
        let given = |other: &Program, layout: &Layout| {
            let case = Self { program: other.clone().into(), ..self.clone() };
            case.memory(layout).map_err(|it| it.to_string())
        };
        let Self { machine, mode, bulk, .. } = *self;
        let limits = self.limits();
        let launch = reach.launch.into();
        let setting =
            Setting { values: &values, machine, mode, limits, bulk, given: &given, launch };
        let ladder = search(&self.program, &setting, reach, company)?;
        let lower_bound = ladder.rungs.last().and_then(|it| self.lower_bound(it));
        Ok(Improvement { ladder, lower_bound })
    }

    /// The case of a rung.
    pub fn of_rung(&self, rung: &Rung) -> Option<Self> {
        let word = |it: &&(Arrangement, &str, &str)| Some(it.1) == rung.bulk;
        let bulk = Arrangement::WORDS.iter().find(word).map(|it| it.0);
        let program = Self::parse("listing", &rung.listing).ok()?.program;
        Some(Self { program, bulk, ..self.clone() })
    }

    fn lower_bound(&self, rung: &Rung) -> Option<LowerBound> {
        let case = self.of_rung(rung)?;
        let timed = case.time().ok()?;
        let bounds = CaseCache::default().bounds(&case, &timed);
        let lower = bounds.iter().filter(|it| it.phase.is_none() && it.kind != BoundKind::Upper);
        let most = lower.max_by_key(|it| it.value)?;
        Some(LowerBound { name: most.name.to_owned(), time_units: most.value })
    }
}
