//! A GPU's own counters, held against what the memory machine counts.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::traffic::KernelTraffic;
use memory_machine_core::keyword::{Keyword, keywords};

/// What a GPU and the memory machine both count, of one launch of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// Instructions of warps that read global memory: dispatches at w = 32.
    LoadRequests,
    /// The same that write.
    StoreRequests,
    /// Sectors of 32 bytes that they read: address groups of 8 words of 4 bytes.
    LoadSectors,
    /// Sectors that they write.
    StoreSectors,
    /// Passes through the banks of shared memory by reads: stages of a DMM.
    SharedLoads,
    /// The same by writes.
    SharedStores,
    /// Sectors that multiprocessors ask the last-level cache for.
    CacheReads,
    /// Sectors that they hand it.
    CacheWrites,
    /// Bytes that come from memory.
    MemoryReads,
}

keywords! { Counter {
    LoadRequests "load_requests" "Warps' reads of global memory"
    StoreRequests "store_requests" "Warps' writes to global memory"
    LoadSectors "load_sectors" "Sectors of 32 bytes that they read"
    StoreSectors "store_sectors" "Sectors of 32 bytes that they write"
    SharedLoads "shared_load_wavefronts" "Stages of shared memory, reading"
    SharedStores "shared_store_wavefronts" "Stages of shared memory, writing"
    CacheReads "l2_read_sectors" "Sectors that the last-level cache is asked for"
    CacheWrites "l2_write_sectors" "Sectors that are handed to the last-level cache"
    MemoryReads "dram_read_bytes" "Bytes that come from memory"
} }

impl Counter {
    /// What NVIDIA's profiler calls it.
    pub const fn metric(self) -> &'static str {
        match self {
            Self::LoadRequests => "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            Self::StoreRequests => "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
            Self::LoadSectors => "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            Self::StoreSectors => "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
            Self::SharedLoads => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            Self::SharedStores => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            Self::CacheReads => "lts__t_sectors_srcunit_tex_op_read.sum",
            Self::CacheWrites => "lts__t_sectors_srcunit_tex_op_write.sum",
            Self::MemoryReads => "dram__bytes_read.sum",
        }
    }

    /// Every counter.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::WORDS.iter().map(|it| it.0)
    }
}

/// A counter of a kernel over all its launches in one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The emitted kernel.
    pub kernel: String,
    /// Its launches.
    pub launches: usize,
    /// What is counted.
    pub counter: Counter,
    /// By the memory machine.
    pub counted: u64,
    /// By the GPU.
    pub measured: f64,
}

impl Held {
    /// Whether both count the same.
    pub fn is_exact(&self) -> bool {
        self.measured == self.counted as f64
    }
}

/// A launch as the profiler saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct Launched {
    /// The kernel's name, without its arguments.
    pub kernel: String,
    /// By metric.
    pub metrics: BTreeMap<String, f64>,
}

/// A line of `ncu --csv`: one metric of one launch.
#[derive(Deserialize)]
struct NcuRow {
    #[serde(rename = "ID")]
    launch: u64,
    #[serde(rename = "Kernel Name")]
    kernel: String,
    #[serde(rename = "Metric Name")]
    metric: String,
    #[serde(rename = "Metric Value")]
    value: String,
}

/// Reads what `ncu --csv --print-units base` prints, launch by launch. Lines before the table, which
/// are the profiler's or the program's own, are passed over.
///
/// # Errors
/// What is wrong, as the end of a message that names the file: no table, with what the profiler says
/// instead; a line that is none of the table's, or a value that is no number.
pub fn profile(text: &str) -> Result<Vec<Launched>, String> {
    let is_head = |line: &str| line.starts_with("\"ID\",") || line.starts_with("ID,");
    let Some(head) = text.lines().position(is_head) else {
        return Err(match text.lines().find(|it| it.starts_with("==ERROR==")) {
            Some(error) => error.trim_start_matches("==ERROR==").trim().to_owned(),
            None => "no table of ncu --csv is here: no line begins with \"ID\"".to_owned(),
        });
    };
    let after = text.lines().skip(head);
    let table: Vec<&str> = after.filter(|it| !it.starts_with("==")).collect();
    let table = table.join("\n");
    let mut launches: BTreeMap<u64, Launched> = BTreeMap::new();
    for (number, line) in csv::Reader::from_reader(table.as_bytes()).deserialize().enumerate() {
        let at = head + number + 2;
        let line: NcuRow = line.map_err(|error| format!("line {at}: {error}"))?;
        // Thousands are set off where the locale does so.
        let value: f64 =
            line.value.replace(',', "").parse().map_err(|_| {
                format!("line {at}: {:?} of {} is no number", line.value, line.metric)
            })?;
        let name = line.kernel.split('(').next().unwrap_or_default().trim();
        let kernel = name.rsplit(' ').next().unwrap_or_default().to_owned();
        let launch = launches.entry(line.launch);
        let launch = launch.or_insert(Launched { kernel, metrics: BTreeMap::new() });
        launch.metrics.insert(line.metric, value);
    }
    Ok(launches.into_values().collect())
}

/// Holds the profile of a run against what is counted of it, kernel by kernel. A profile may have more
/// launches of a kernel than a run has: the first count.
///
/// # Errors
/// As [`profile`]: a kernel with fewer launches than a run has, a metric that is missing.
pub fn hold(counted: &[KernelTraffic], profile: &[Launched]) -> Result<Vec<Held>, String> {
    let mut held = vec![];
    for of in counted {
        let launches: Vec<&Launched> =
            profile.iter().filter(|it| it.kernel == of.kernel).take(of.launches).collect();
        if launches.len() < of.launches {
            let (found, kernel, wanted) = (launches.len(), &of.kernel, of.launches);
            return Err(format!(
                "has {found} launches of {kernel}, and a run of these sizes has {wanted}; profile \
                 the same sizes from the first launch on"
            ));
        }
        for counter in Counter::all() {
            let metric = counter.metric();
            let values = launches.iter().map(|it| it.metrics.get(metric).copied());
            let Some(measured) = values.sum::<Option<f64>>() else {
                return Err(format!("has no {metric} of {}; add it to --metrics", of.kernel));
            };
            let counted = of.of(counter);
            let (kernel, launches) = (of.kernel.clone(), of.launches);
            held.push(Held { kernel, launches, counter, counted, measured });
        }
    }
    Ok(held)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_read_launch_by_launch() {
        let text = "==PROF== Connected to process 7\n\
                    \"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n\
                    \"0\",\"7\",\"saxpy_kernel(const float *, float *)\",\"a.sum\",\"\",\"62,500\"\n\
                    \"0\",\"7\",\"saxpy_kernel(const float *, float *)\",\"b.sum\",\"byte\",\"8000128\"\n\
                    \"1\",\"7\",\"void other(int)\",\"a.sum\",\"\",\"1\"\n\
                    ==PROF== Disconnected\n";
        let launches = profile(text).unwrap();
        let names: Vec<&str> = launches.iter().map(|it| it.kernel.as_str()).collect();
        assert_eq!(names, ["saxpy_kernel", "other"]);
        assert_eq!(launches[0].metrics["a.sum"], 62_500.0);
        assert_eq!(launches[0].metrics["b.sum"], 8_000_128.0);
    }

    #[test]
    fn what_is_no_profile_is_refused() {
        let forbidden = "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n";
        assert!(profile(forbidden).unwrap_err().starts_with("ERR_NVGPUCTRPERM"));
        assert!(profile("hello\n").unwrap_err().contains("no table"));
        let head = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n";
        let error = profile(&format!("{head}\"0\",\"k\",\"m\",\"n/a\"\n")).unwrap_err();
        assert_eq!(error, "line 2: \"n/a\" of m is no number");
    }
}
