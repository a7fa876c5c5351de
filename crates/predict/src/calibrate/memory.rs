//! Caches and memory: latencies of chains of loads, and strides that touch ever more groups and sectors.

use super::{Calibrator, Result, WARP_THREADS, fitted, median, one};
use crate::microbenchmarks::{CalibrationError, at};
use memory_machine_measure::Subject;

/// Rows as (stride, seconds, words).
type Strides = Vec<(f64, f64, f64)>;

impl Calibrator<'_> {
    /// Of a chain of loads in ever larger footprints, and what of them the caches hold.
    pub(super) fn latencies(&mut self) -> Result<()> {
        let (steps, l2_bytes) = (&self.steps, self.l2_bytes);
        let first = steps[0];
        let (largest, dram_s) = steps[steps.len() - 1];
        let l1_s = first.1;
        let mut beyond: Vec<f64> = steps
            .iter()
            .filter(|it| it.0 <= l2_bytes / 2.0 && it.1 > 2.0 * l1_s)
            .map(|it| it.1)
            .collect();
        let l2_s = median(&mut beyond, "chase")?;
        let between = (l1_s * l2_s).sqrt();
        let misses = steps.iter().position(|it| it.1 > between).unwrap_or(steps.len() - 1).max(1);
        // Beyond its size a part of a chain's steps still meets the cache: that part of the footprint is
        // what it holds.
        let slower = dram_s - l2_s;
        let mut held: Vec<f64> = steps
            .iter()
            .filter(|it| it.0 > l2_bytes && it.0 < 4.0 * l2_bytes)
            .map(|it| it.0 * (dram_s - it.1) / slower)
            .collect();
        let it = &mut self.found;
        it.l1_latency_s = one(l1_s, &format!("chase: a step within {} bytes", first.0));
        it.l2_latency_s = one(
            l2_s,
            "chase: the median step in footprints beyond the first cache and up to half the last",
        );
        it.dram_latency_s = one(dram_s, &format!("chase: a step within {largest} bytes"));
        it.l1_bytes = one(
            (steps[misses - 1].0 * steps[misses].0).sqrt().round(),
            "chase: the geometric mean of the last footprint that it holds and the first that it does not",
        );
        it.l2_held_bytes = one(
            median(&mut held, "chase")?.round(),
            "chase: the part that the last-level cache serves of footprints up to four times its size, median",
        );
        Ok(())
    }

    /// Reads of a full device in footprints of more than `low` bytes and up to `high`, by stride.
    fn strides(&self, low: f64, high: f64, from: f64) -> Result<Strides> {
        let is = |it: &Subject| {
            let bytes = it.bytes as f64;
            it.threads == Some(self.resident)
                && at(it, "n") == self.rows.strided_words()
                && at(it, "f") == 0.0
                && at(it, "skip") == 0.0
                && bytes > low
                && bytes <= high
                && at(it, "stride") >= from
        };
        self.rows.of("read", &is, "stride")
    }

    /// Accesses of a multiprocessor's warps that these reads make.
    fn warp_accesses(&self) -> f64 {
        self.rows.strided_words() / WARP_THREADS / self.multiprocessors
    }

    /// A warp touches ever more groups, of ever fewer sectors each.
    pub(super) fn caches(&mut self) -> Result<()> {
        let (accesses, started_s) = (self.warp_accesses(), self.started_s);
        let groups = |stride: f64| stride.min(WARP_THREADS) * accesses;
        let sectors = |stride: f64| (4.0 * stride).min(WARP_THREADS) * accesses;
        let times = |of: &Strides| of.iter().map(|it| it.1 - started_s).collect::<Vec<f64>>();
        let l1_bytes = self.found.l1_bytes.value;
        let near = self.strides(0.0, l1_bytes, 1.0)?;
        let terms: Vec<Vec<f64>> = near.iter().map(|it| vec![accesses, groups(it.0)]).collect();
        let what = "read: strides within the first cache";
        let [_, l1_group_s] = fitted(what, &terms, &times(&near))?;
        let far = self.strides(l1_bytes, self.l2_bytes, 8.0)?;
        let terms: Vec<Vec<f64>> = far.iter().map(|it| vec![groups(it.0), sectors(it.0)]).collect();
        let what = "read: strides of 8 words and more within the last-level cache";
        let [l2_group_s, l2_sector_s] = fitted(what, &terms, &times(&far))?;
        self.found.l1_group_s = l1_group_s;
        self.found.l2_group_s = l2_group_s;
        self.found.l2_sector_s = l2_sector_s;
        Ok(())
    }

    /// Seconds a word, by the stride: up to 32 words a word's share of a group grows, up to 8 that of a
    /// sector.
    pub(super) fn writes(&mut self) -> Result<()> {
        let started_s = self.started_s;
        let writes = self.rows.of("write", &|it| it.bytes as f64 <= self.l2_bytes, "stride")?;
        let write = |stride: f64| {
            let found = writes.iter().find(|it| it.0 == stride);
            let missing = || CalibrationError::Missing(format!("`write` with stride {stride}"));
            found.map(|(_, time, n)| (time - started_s) / n).ok_or_else(missing)
        };
        let (whole, sector, group) = (write(1.0)?, write(8.0)?, write(32.0)?);
        let group_s = ((group - sector) * 4.0 / 3.0).max(0.0);
        let it = &mut self.found;
        it.write_group_s = one(group_s, "write: strides 32 and 8 within the last-level cache");
        it.write_part_s = one(
            sector - group_s / 4.0,
            "write: a word of every sector within the last-level cache, less its groups",
        );
        it.write_sector_s = one(
            8.0 * (whole - group_s / 32.0),
            "write: stride 1 within the last-level cache, less its groups",
        );
        Ok(())
    }

    /// Words scattered over memory cost it whole address groups, and 64 bytes each at least; a copy moves
    /// all their bytes.
    pub(super) fn dram(&mut self) -> Result<()> {
        let (accesses, started_s) = (self.warp_accesses(), self.started_s);
        let (multiprocessors, l2_bytes) = (self.multiprocessors, self.l2_bytes);
        let groups = |stride: f64| stride.min(WARP_THREADS) * accesses;
        let wide = |stride: f64| (2.0 * stride).min(WARP_THREADS) * accesses;
        let far = self.strides(l2_bytes, f64::INFINITY, 8.0)?;
        let scattered = far.iter().map(|it| {
            (vec![groups(it.0) * multiprocessors, wide(it.0) * multiprocessors], it.1 - started_s)
        });
        let copies = self.rows.of("copy", &|it| it.bytes as f64 > l2_bytes, "bytes")?;
        let copied =
            copies.iter().map(|it| (vec![2.0 * it.0 / 128.0, 2.0 * it.0 / 64.0], it.1 - started_s));
        let (terms, times): (Vec<_>, Vec<_>) = scattered.chain(copied).unzip();
        let what = "read: strides of 8 words and more in memory; copy, read and written";
        let [group_s, sector_s] = fitted(what, &terms, &times)?;
        let parts = |it: &Subject| it.bytes as f64 > l2_bytes && at(it, "stride") >= 8.0;
        let parts = self.rows.of("write", &parts, "stride")?;
        let terms: Vec<Vec<f64>> = parts
            .iter()
            .map(|(stride, _, n)| vec![n * stride.min(32.0) / 32.0, n * stride.min(16.0) / 16.0])
            .collect();
        let times: Vec<f64> = parts.iter().map(|it| it.1 - started_s).collect();
        let what = "write: strides of 8 words and more in memory";
        let [part_group_s, part_sector_s] = fitted(what, &terms, &times)?;
        let it = &mut self.found;
        (it.dram_group_s, it.dram_sector_s) = (group_s, sector_s);
        (it.dram_part_group_s, it.dram_part_sector_s) = (part_group_s, part_sector_s);
        Ok(())
    }
}
