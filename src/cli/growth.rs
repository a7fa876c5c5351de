//! How the depth of a listing's dependences grows with n.

use std::collections::HashMap;
use std::sync::Mutex;

use super::Failure;
use super::options::ProgramOptions;
use super::program::Prepared;
use crate::language::oblivious::{Origin, first_dependence};
use crate::language::program::Program;
use crate::run::Limits;
use crate::sample::Settings;
use crate::theory::depth::{DepthGrowth, Growth, depth_growth};
use crate::units::{Threads, Width};

/// What `--growth` samples.
const SIZES: std::ops::RangeInclusive<i64> = 2..=33;

/// The depth for small n, by executing the program; its other parameters are as in `options`.
pub(super) fn growth(
    program: &Program,
    options: &ProgramOptions,
    limits: Limits,
) -> Result<DepthGrowth, Failure> {
    depth_growth(program, SIZES, limits, |n| {
        let others = options.settings.iter().filter(|(name, _)| name != "n").cloned();
        let options = ProgramOptions {
            algorithm: options.algorithm.clone(),
            settings: others.chain([("n".to_owned(), n)]).collect(),
            inputs: options.inputs.clone(),
            ..*options
        };
        let prepared = Prepared::new(&options, Width::new(1).map_err(Failure::input)?, None)?;
        let memory = prepared.memory()?;
        Ok((prepared.layout, memory))
    })
}

/// The depth of one listing at any n, where a formula is known: derived once for each setting of
/// its other parameters.
#[derive(Default)]
pub(super) struct Depths {
    known: Mutex<HashMap<Settings, Option<Growth>>>,
}

impl Depths {
    /// `None` without a parameter n, without a formula, or where accesses depend on input data and
    /// with them the depth.
    pub(super) fn at(
        &self,
        program: &Program,
        options: &ProgramOptions,
        set: &Settings,
    ) -> Option<u128> {
        let n = *set.0.get("n")?;
        let mut others = set.clone();
        others.0.remove("n");
        let derive = || {
            if first_dependence(program, Origin::Inputs).is_some() {
                return None;
            }
            let threads = Threads::new(u64::MAX).ok()?;
            let limits = Limits { threads, while_iterations: options.while_limit };
            growth(program, options, limits).ok()?.growth
        };
        let growth = *self.known.lock().ok()?.entry(others).or_insert_with(derive);
        growth?.at(n).and_then(|depth| u128::try_from(depth).ok())
    }
}
