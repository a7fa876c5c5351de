//! A sample of a launch's blocks: which they are, and how far what they say of all may be wrong.
//!
//! The grid's blocks are parted into stretches of as many, and of each one block is drawn: evenly spaced, but
//! not in step with what repeats along the grid. A stretch's sum is its block's times its length. The variance
//! within stretches is that of neighbours in the sample (the collapsed strata of Cochran, Sampling Techniques,
//! 1977, 5A.12), which is too large where blocks change along the grid, and so on the safe side.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::argument::next;
use super::counts::{InstructionCounts, QUANTITIES};
use super::plan::Plan;
use memory_machine_sass::launch::Launch;

/// Blocks of a sample, at most.
const MOST_BLOCKS: u64 = 1 << 20;

/// Blocks of each stretch of the grid; the same of the number of blocks that were asked for and of the number
/// of stretches that this makes.
const fn stretch(blocks: u64, sample: u64) -> u64 {
    if sample == 0 { blocks } else { blocks.div_ceil(sample) }
}

/// The blocks of a sample, by their numbers; none, where all are executed.
pub(super) fn chosen_blocks(plan: &Plan) -> Result<Option<Vec<u64>>, String> {
    let blocks: u64 = plan.grid.0.iter().map(|it| u64::from(*it)).product();
    let Some(length) = plan.sample.map(|it| stretch(blocks, it)).filter(|it| *it > 1) else {
        return Ok(None);
    };
    if blocks.div_ceil(length) > MOST_BLOCKS {
        return Err(format!("a sample has at most {MOST_BLOCKS} blocks; take fewer, or all"));
    }
    let mut state = plan.seed;
    let draw = |begin| begin + next(&mut state) % length.min(blocks - begin);
    Ok(Some((0..blocks).step_by(length as usize).map(draw).collect()))
}

/// What each block of a sample does.
#[derive(Debug, Default)]
pub(crate) struct SampleSums(BTreeMap<u64, [u64; QUANTITIES]>);

impl SampleSums {
    /// Adds what a count became more by.
    pub(crate) fn add(
        &mut self,
        block: u64,
        before: &InstructionCounts,
        after: &InstructionCounts,
    ) {
        let sums = self.0.entry(block).or_default();
        for ((sum, before), after) in
            sums.iter_mut().zip(before.quantities()).zip(after.quantities())
        {
            *sum += after.2 - before.2;
        }
    }

    /// Of other blocks.
    pub(crate) fn join(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// What all blocks of the launch do.
    pub(crate) fn sample(&self, launch: &Launch<'_>) -> SampleEstimates {
        let chosen = launch.chosen.unwrap_or_default();
        let of_block = |it: &u64| self.0.get(it).copied().unwrap_or_default();
        let rows: Vec<[u64; QUANTITIES]> = chosen.iter().map(of_block).collect();
        let names = InstructionCounts::default().quantities();
        SampleEstimates(std::array::from_fn(|at| {
            let of: Vec<u64> = rows.iter().map(|it| it[at]).collect();
            (names[at].0, SampleEstimate::of(&of, launch.blocks()))
        }))
    }
}

/// What all blocks do, as a sample of them has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleEstimate {
    /// The sum.
    pub total: f64,
    /// Its standard error; none of a single block, or where it is too large to be a number.
    pub standard_error: Option<f64>,
    /// From where to where it is, with a confidence of 95 %.
    pub interval: Option<[f64; 2]>,
}

/// The same by the name of what is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleEstimates([(&'static str, SampleEstimate); QUANTITIES]);

impl SampleEstimates {
    /// Of what has this name among [`InstructionCounts::quantities`].
    pub fn get(&self, name: &str) -> Option<SampleEstimate> {
        self.0.iter().find(|it| it.0 == name).map(|it| it.1)
    }
}

impl SampleEstimate {
    /// Of what one block of each stretch does, in their order.
    fn of(counts: &[u64], blocks: u64) -> Self {
        let length = stretch(blocks, counts.len() as u64);
        let lengths = (0..counts.len() as u64).map(|it| length.min(blocks - it * length));
        let total: f64 =
            counts.iter().zip(lengths.clone()).map(|(it, by)| *it as f64 * by as f64).sum();
        let steps = counts.windows(2).map(|it| (it[1] as f64 - it[0] as f64).powi(2));
        // Of a stretch of one block all is known.
        let weight: f64 = lengths.filter(|it| *it > 1).map(|it| (it as f64).powi(2)).sum();
        let pairs = counts.len().saturating_sub(1) as f64;
        let standard_error =
            (pairs > 0.0).then(|| (weight * steps.sum::<f64>() / (2.0 * pairs)).sqrt());
        // Neighbours' differences have each block twice, and count for half of what they are.
        let freedom = (counts.len() / 2).max(1) as f64;
        let quantile = StudentsT::new(0.0, 1.0, freedom).map(|it| it.inverse_cdf(0.975)).ok();
        let interval = standard_error.zip(quantile).map(|(error, quantile)| {
            // What was seen is certain.
            let seen = counts.iter().map(|it| *it as f64).sum();
            [(total - quantile * error).max(seen), total + quantile * error]
        });
        Self { total, standard_error, interval }
    }
}

impl Serialize for SampleEstimate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("total", &self.total)?;
        map.serialize_entry("standard_error", &self.standard_error)?;
        map.serialize_entry("interval_95", &self.interval)?;
        map.end()
    }
}

impl Serialize for SampleEstimates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0)
    }
}
