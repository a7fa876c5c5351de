//! A GPU's own counters, held against what the memory machine counts.

use std::collections::BTreeMap;

use serde::Deserialize;

pub use super::counter::Counter;
use super::traffic::KernelTraffic;

/// A counter of a kernel over all its launches in one run.
#[derive(Debug, Clone, PartialEq)]
pub struct CounterComparison {
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

impl CounterComparison {
    /// Whether both count the same.
    pub fn is_exact(&self) -> bool {
        self.measured == self.counted as f64
    }
}

/// A launch as the profiler saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfiledLaunch {
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
pub fn profile(text: &str) -> Result<Vec<ProfiledLaunch>, String> {
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
    let mut launches: BTreeMap<u64, ProfiledLaunch> = BTreeMap::new();
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
        let launch = launch.or_insert(ProfiledLaunch { kernel, metrics: BTreeMap::new() });
        launch.metrics.insert(line.metric, value);
    }
    Ok(launches.into_values().collect())
}

/// Holds the profile of a run against what is counted of it, kernel by kernel. A profile may have more
/// launches of a kernel than a run has: the first count.
///
/// # Errors
/// As [`profile`]: a kernel with fewer launches than a run has, a metric that is missing.
pub fn compare_counters(
    counted: &[KernelTraffic],
    profile: &[ProfiledLaunch],
) -> Result<Vec<CounterComparison>, String> {
    let mut held = vec![];
    for of in counted {
        let launches: Vec<&ProfiledLaunch> =
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
            held.push(CounterComparison { kernel, launches, counter, counted, measured });
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
