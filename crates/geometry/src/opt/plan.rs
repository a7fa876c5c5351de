//! Which method computes which stages, and files of such plans.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::variant::{MOST_VERTICES, Method, Variant};

/// Stages `first ..= last`, computed by one variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageRange {
    /// The first stage that is computed so; stage p fills the cells `M[i][i + p]`.
    pub first: usize,
    /// The last one; at least `first`.
    pub last: usize,
    /// What computes them.
    #[serde(flatten)]
    pub variant: Variant,
}

/// All stages of an `n`-gon, 0 to `n − 2`, in order. Stage 0 is the initialisation of the first
/// range's arrangement; where the arrangement changes, the table is converted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Vertices of the polygons, at most [`MOST_VERTICES`].
    pub n: usize,
    /// Ascending, without a gap or an overlap.
    pub ranges: Vec<StageRange>,
}

impl Plan {
    /// One variant for all stages.
    pub fn single(n: usize, variant: Variant) -> Self {
        Self { n, ranges: vec![StageRange { first: 0, last: n - 2, variant }] }
    }

    /// What to do without a tuned plan: BB(256, 1), the best single method of the paper.
    pub fn untuned(n: usize) -> Self {
        Self::single(n, Variant { method: Method::BbMirroring, t: 256, b: 1 })
    }

    /// From pairs of a range's first stage, ascending from 0, and its variant; a range without stages
    /// is left out.
    pub fn from_borders(n: usize, borders: &[(usize, Variant)]) -> Self {
        let mut ranges: Vec<StageRange> = vec![];
        for (index, &(first, variant)) in borders.iter().enumerate() {
            let end = borders.get(index + 1).map_or(n - 1, |next| next.0);
            match ranges.last_mut() {
                _ if first >= end => {}
                Some(range) if range.variant == variant => range.last = end - 1,
                _ => ranges.push(StageRange { first, last: end - 1, variant }),
            }
        }
        Self { n, ranges }
    }

    /// The first stage that BB computes; `n − 1` if there is none.
    pub fn switch(&self) -> usize {
        let blocks = self.ranges.iter().find(|it| it.variant.method.is_block_based());
        blocks.map_or(self.n - 1, |it| it.first)
    }

    /// The switch as a share of all stages.
    fn share(&self) -> f64 {
        self.switch() as f64 / (self.n - 1) as f64
    }

    /// The plan for `n` vertices whose ranges before and after the switch take shares of all stages
    /// in proportion to this plan's, the switch being at `share`.
    fn scaled(&self, n: usize, share: f64) -> Self {
        let (own, whole) = (self.share(), (self.n - 1) as f64);
        // A plan without TB, or without BB, does not say how the other would be done.
        let share = if self.switch() == 0 || self.switch() == self.n - 1 { own } else { share };
        let border = |range: &StageRange| {
            let at = range.first as f64 / whole;
            let at = if at < own {
                at / own * share
            } else if own < 1.0 {
                share + (at - own) / (1.0 - own) * (1.0 - share)
            } else {
                1.0
            };
            ((at * (n - 1) as f64).round() as usize, range.variant)
        };
        Self::from_borders(n, &self.ranges.iter().map(border).collect::<Vec<_>>())
    }

    #[doc(hidden)]
    pub fn check(&self) -> Result<(), PlanError> {
        let wrong = |what: String| Err(PlanError::Wrong { n: self.n, what });
        if !(3..=MOST_VERTICES).contains(&self.n) {
            return wrong(format!("n must be from 3 to {MOST_VERTICES}"));
        }
        let mut next = 0;
        for range in &self.ranges {
            let StageRange { first, last, variant } = range;
            if *first != next || last < first {
                return wrong(format!(
                    "a range of stages {first} to {last} where {next} comes next"
                ));
            }
            if *last > self.n - 2 {
                return wrong(format!(
                    "a range of stages {first} to {last}, but the last is {}",
                    self.n - 2
                ));
            }
            if !variant.is_valid() {
                return wrong(format!(
                    "t = {}, b = {}; t is a power of two from 32 to 1024, b is 1, 2, 4 or 8, and 1 \
                     of TB",
                    variant.t, variant.b
                ));
            }
            next = last + 1;
        }
        if next != self.n - 1 {
            return wrong(format!("its ranges end before stage {next}; there are {}", self.n - 1));
        }
        Ok(())
    }
}

/// A file of plans, for one device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plans {
    /// The GPU for which they were tuned, by its name.
    pub device: String,
    /// The day of the tuning, as in `2026-11-21`.
    pub date: String,
    #[serde(rename = "plan")]
    plans: Vec<Plan>,
}

/// A text that is no file of plans.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The text is no TOML, or has other fields.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A plan that does not cover all stages in order with what the kernels take.
    #[error("the plan for n = {n}: {what}; tune again with `umm opt tune`")]
    Wrong {
        /// Vertices of the plan's polygons.
        n: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A file without a single plan.
    #[error("there is no plan in it; make one with `umm opt tune`")]
    Empty,
}

impl Plans {
    /// # Panics
    /// If there is no plan.
    pub fn new(device: String, date: String, mut plans: Vec<Plan>) -> Self {
        assert!(!plans.is_empty(), "at least one size was tuned");
        plans.sort_by_key(|plan| plan.n);
        Self { device, date, plans }
    }

    /// # Errors
    /// [`PlanError`] with the place in the text, or the plan that cannot be run.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let Self { device, date, plans } = toml::from_str(text)?;
        plans.iter().try_for_each(Plan::check)?;
        if plans.is_empty() {
            return Err(PlanError::Empty);
        }
        Ok(Self::new(device, date, plans))
    }

    /// The plans, by ascending `n`.
    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// The plan for `n ≥ 3` vertices: the tuned one; or else, between two tuned sizes, that of the
    /// nearer one (by the logarithm of n) with the switch moved. The switch's share of all stages is
    /// interpolated, linear in the logarithm of n; the ranges on either side of it keep their
    /// proportions. Beyond the tuned sizes, the nearest plan in proportion.
    pub fn plan(&self, n: usize) -> Plan {
        let above = self.plans.partition_point(|plan| plan.n < n);
        let (before, after) =
            (above.checked_sub(1).map(|it| &self.plans[it]), self.plans.get(above));
        match (before, after) {
            (_, Some(plan)) if plan.n == n => plan.clone(),
            (Some(before), Some(after)) => {
                let log = |n: usize| (n as f64).ln();
                let part = (log(n) - log(before.n)) / (log(after.n) - log(before.n));
                let share = before.share() + part * (after.share() - before.share());
                let nearer = if part <= 0.5 { before } else { after };
                nearer.scaled(n, share)
            }
            (Some(only), None) | (None, Some(only)) => only.scaled(n, only.share()),
            (None, None) => Plan::untuned(n),
        }
    }
}
