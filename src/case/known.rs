//! What theory says of a case, and what is found once for many cases of one listing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Case, CaseError, Timed};
use crate::language::oblivious::{Origin, first_dependence};
use crate::sample::Settings;
use crate::theory::depth::{DepthGrowth, Growth, depth_growth};
use crate::theory::profile::Profile;
use crate::theory::{self, Bound, Instance, optimal};

/// Sizes n at which the depth of the dependences is sampled.
const SIZES: std::ops::RangeInclusive<i64> = 2..=33;

/// Programs with more accesses are bounded without their profile.
const MOST_PROFILED: u128 = 1 << 24;

/// Profiles that are kept: cases of one size come after one another.
const MOST_KEPT: usize = 64;

impl Case {
    /// The depth for small n, by executing the program with one thread an iteration; its other
    /// parameters are as they are.
    ///
    /// # Errors
    /// As [`Case::memory`] and [`Case::execute`].
    pub fn depth_growth(&self) -> Result<DepthGrowth, CaseError> {
        let case = self.clone().of_pram();
        depth_growth(&case.program, SIZES, case.limits(), |n| {
            let case = case.clone().set("n", n);
            let layout = case.layout()?;
            let memory = case.memory(&layout)?;
            Ok((layout, memory))
        })
    }
}

/// What is known of the cases of one listing: profiles by size, depths by the parameters beside n.
#[derive(Default)]
pub struct Known {
    /// The name of the shipped listing that it is.
    shipped: OnceLock<Option<&'static str>>,
    profiles: Mutex<HashMap<Settings, Arc<OnceLock<Option<Profile>>>>>,
    depths: Mutex<HashMap<Settings, Arc<OnceLock<Option<Growth>>>>>,
}

impl Known {
    /// Every bound on what `case`, which took `timed`, may take.
    pub fn bounds(&self, case: &Case, timed: &Timed) -> Vec<Bound> {
        let (program, layout) = (&*case.program, &timed.layout);
        let set = case.settings(layout);
        let shipped = *self.shipped.get_or_init(|| case.shipped().map(|entry| entry.name));
        let total = timed.total();
        let profile = || {
            let n = set.0.get("n").and_then(|&n| u64::try_from(n).ok());
            if let (Some("umm_opt"), Some(n)) = (shipped, n) {
                return optimal::table_one(program, n);
            }
            let parallel = program.first_parallel_loop().is_some();
            let small = parallel && !timed.depends_on_values && total.accesses <= MOST_PROFILED;
            small.then(|| Profile::of(program, layout, case.while_iterations).ok()).flatten()
        };
        let kept = once(&self.profiles, &set);
        theory::bounds(&Instance {
            program,
            shipped,
            layout,
            machine: case.machine,
            mode: case.mode,
            threads: case.threads.get(),
            accesses: total.accesses,
            profile: kept.get_or_init(profile).as_ref(),
            depth: self.depth(case, &set),
        })
    }

    /// `None` without a parameter n, without a formula, or where accesses depend on input data and with
    /// them the depth.
    fn depth(&self, case: &Case, set: &Settings) -> Option<u128> {
        let n = *set.0.get("n")?;
        let mut others = set.clone();
        others.0.remove("n");
        let derive = || match first_dependence(&case.program, Origin::Inputs) {
            Some(_) => None,
            None => case.depth_growth().ok()?.growth,
        };
        let growth = *once(&self.depths, &others).get_or_init(derive);
        growth?.at(n).and_then(|depth| u128::try_from(depth).ok())
    }
}

/// The place of a setting's value, which one thread finds while the others that need it wait.
fn once<T>(kept: &Mutex<HashMap<Settings, Arc<OnceLock<T>>>>, set: &Settings) -> Arc<OnceLock<T>> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= MOST_KEPT && !kept.contains_key(set) {
        kept.clear();
    }
    kept.entry(set.clone()).or_default().clone()
}
