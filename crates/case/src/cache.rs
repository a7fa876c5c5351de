//! What theory says of a case, and what is found once for many cases of one listing.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::claim::DerivedBounds;
use super::{Case, CaseError, RunTime};
use crate::sample::Settings;
use memory_machine_core::language::oblivious::{Obliviousness, obliviousness};
use memory_machine_core::language::program::Nest;
use memory_machine_core::machine::Mode;
use memory_machine_core::run::{Accesses, Observer};
use memory_machine_core::units::Latency;
use memory_machine_theory::depth::{DepthGrowth, depth, depth_growth, longest_wait};
use memory_machine_theory::profile::Profile;
use memory_machine_theory::{self as theory, Bound, Instance, optimal};

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

/// Runs with more accesses are bounded without their depth.
const MOST_FOLLOWED: u128 = 1 << 23;
/// The same of loops on DMMs, which are followed for each latency.
const MOST_FOLLOWED_ON_DMMS: u128 = 1 << 20;

/// What was found, by what it depends on.
type CacheMap<K, T> = Mutex<HashMap<K, Arc<OnceLock<T>>>>;

/// What is known of the cases of one listing: profiles and depths by size.
#[derive(Default)]
pub struct CaseCache {
    /// The name of the shipped listing that it is.
    shipped: OnceLock<Option<&'static str>>,
    is_semi_oblivious: OnceLock<bool>,
    profiles: CacheMap<Settings, Option<Profile>>,
    races: CacheMap<Settings, bool>,
    /// `None` where it depends on the number of threads.
    depths: CacheMap<Settings, Option<u64>>,
    /// Of bulk runs, by the number of inputs, too.
    steps: CacheMap<(Settings, u64), Option<u128>>,
    /// By latencies, too.
    waits: CacheMap<(Settings, [u64; 2]), Option<u64>>,
    derived: OnceLock<DerivedBounds>,
}

impl CaseCache {
    /// Every bound on what `case`, which took `timed`, may take.
    pub fn bounds(&self, case: &Case, timed: &RunTime) -> Vec<Bound> {
        let (program, layout) = (&*case.program, &timed.layout);
        // They take an access to be one word.
        if program.first_vector().is_some() {
            return vec![];
        }
        let set = case.settings(layout);
        let shipped = *self.shipped.get_or_init(|| case.shipped().map(|entry| entry.name));
        let total = timed.total();
        let profile = || {
            let n = set.0.get("n").and_then(|&n| u64::try_from(n).ok());
            if let (Some("umm_opt"), Some(n)) = (shipped, n) {
                return optimal::table_one(program, n);
            }
            let limit = if timed.depends_on_values { MOST_FOLLOWED } else { MOST_PROFILED };
            let is_of_umm = program.first_loop_on_dmms().is_none();
            if !is_of_umm || program.first_parallel_loop().is_none() || total.accesses > limit {
                return None;
            }
            if !timed.depends_on_values {
                return Profile::of(program, layout, case.limits()).ok();
            }
            let case = case.clone().of_pram();
            let mut memory = case.memory(layout).ok()?;
            let of_run = || Profile::of_run(program, layout, &mut memory, case.limits()).ok();
            self.is_free_of_races(&case, &set).then(of_run).flatten()
        };
        let kept = once(&self.profiles, &set);
        let inputs = if case.bulk.is_some() { u128::from(case.threads.get()) } else { 1 };
        let mut bounds = theory::bounds(&Instance {
            program,
            shipped,
            layout,
            machine: case.machine,
            mode: case.mode,
            threads: case.threads.get(),
            accesses: total.accesses,
            shared: total.shared,
            profile: kept.get_or_init(profile).as_ref(),
            steps: self.steps(case, &set, total.accesses),
            depth: self.depth(case, &set, total.accesses / inputs),
            wait: self.wait(case, &set, total.accesses),
        });
        bounds.extend(self.derived(case).at(case, layout));
        bounds
    }

    /// Of the run itself; `None` if it is long. Where iterations race, it is another with another
    /// number of threads, and of no asynchronous run is it known.
    fn depth(&self, case: &Case, set: &Settings, accesses: u128) -> Option<u128> {
        if accesses > MOST_FOLLOWED || case.program.first_loop_on_dmms().is_some() {
            return None;
        }
        let of = |case: &Case| {
            let layout = case.layout().ok()?;
            let mut memory = case.memory(&layout).ok()?;
            depth(&case.program, &layout, &mut memory, case.limits()).ok()
        };
        let pram = || {
            let case = case.clone().of_pram();
            self.is_free_of_races(&case, set).then(|| of(&case)).flatten()
        };
        let found = *once(&self.depths, set).get_or_init(pram);
        let racing = case.mode == Mode::Sync && case.bulk.is_none();
        found.or_else(|| racing.then(|| of(case)).flatten()).map(u128::from)
    }

    /// Steps of a bulk run of a semi-oblivious program; `None` if it is long.
    fn steps(&self, case: &Case, set: &Settings, accesses: u128) -> Option<u128> {
        let is_semi = || matches!(obliviousness(&case.program), Obliviousness::Semi(_));
        if case.bulk.is_none()
            || accesses > MOST_FOLLOWED
            || !*self.is_semi_oblivious.get_or_init(is_semi)
        {
            return None;
        }
        let of_run = || {
            let layout = case.layout().ok()?;
            let mut memory = case.memory(&layout).ok()?;
            let mut steps = StepCounter(0);
            case.execute(&layout, &mut memory, &mut steps).ok()?;
            Some(steps.0)
        };
        *once(&self.steps, &(set.clone(), case.threads.get())).get_or_init(of_run)
    }

    /// The depth in time units, of a run with loops on DMMs.
    fn wait(&self, case: &Case, set: &Settings, accesses: u128) -> Option<u128> {
        let dmms = case.machine.kind.dmms()?;
        if accesses > MOST_FOLLOWED_ON_DMMS || case.program.first_loop_on_dmms().is_none() {
            return None;
        }
        let latencies = [case.machine.latency, dmms.latency].map(Latency::get);
        let found = || {
            let case = case.clone().of_pram();
            let layout = case.layout().ok().filter(|_| self.is_free_of_races(&case, set))?;
            let mut memory = case.memory(&layout).ok()?;
            longest_wait(&case.program, &layout, &mut memory, case.limits(), latencies).ok()
        };
        let kept = once(&self.waits, &(set.clone(), latencies));
        (*kept.get_or_init(found)).map(u128::from)
    }

    /// Of a run with a thread for each iteration.
    fn is_free_of_races(&self, case: &Case, set: &Settings) -> bool {
        *once(&self.races, set).get_or_init(|| case.is_free_of_races())
    }

    /// What is derived from the listing, all its parameters but those with a default being open; all of
    /// one with recursion, which is loaded for one size and cached for many.
    fn derived(&self, case: &Case) -> &DerivedBounds {
        let program = &*case.program;
        let open = |name: &str| {
            program.is_unfolded
                || program.parameters.iter().any(|it| it.name == name && it.default.is_none())
        };
        self.derived.get_or_init(|| case.derive(&open))
    }
}

/// Counts the steps in which a thread accesses.
struct StepCounter(u128);

impl Observer for StepCounter {
    fn access(&mut self, _: &Accesses<'_>) {
        self.0 += 1;
    }

    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}
}

/// The place of a setting's value, which one thread finds while the others that need it wait.
fn once<K: Clone + Eq + Hash, T>(kept: &CacheMap<K, T>, key: &K) -> Arc<OnceLock<T>> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= MOST_KEPT && !kept.contains_key(key) {
        kept.clear();
    }
    kept.entry(key.clone()).or_default().clone()
}
