//! What is to be measured: grids of points, and the file that says so.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Subject;
use memory_machine_case::sample::Settings;
use memory_machine_codegen::MOST_PREFETCH;
use memory_machine_core::diagnostic::{Diagnostic, Located, Source, Span};
use memory_machine_core::grid::Grid;
use memory_machine_core::run::layout::Arrangement;

/// A grid of points of one algorithm.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// A shipped listing, or a file.
    pub algorithm: String,
    /// The algorithm's parameters, each with its values.
    #[serde(default)]
    pub set: BTreeMap<String, Grid>,
    /// A bulk run for every number of threads.
    #[serde(default)]
    pub bulk: Vec<Arrangement>,
    /// Numbers of threads; of bulk runs, of inputs.
    #[serde(default = "one")]
    pub threads: Grid,
    /// `plain`, `graph`, `cooperative`; if empty, the first that the listing allows.
    #[serde(default)]
    pub launch: Vec<String>,
    /// Iterations by which reads are made ahead; 1 for as the listing has it.
    #[serde(default = "one", alias = "ahead")]
    pub prefetch: Grid,
    /// Numbers of GPUs that share a bulk run's inputs.
    #[serde(default = "one")]
    pub devices: Grid,
    /// Whether one core of the host is measured, too.
    #[serde(default)]
    pub cpu: bool,
    /// Points of more bytes are left out.
    pub most_bytes: Option<u64>,
}

fn one() -> Grid {
    Grid(vec![1])
}

impl Job {
    /// One algorithm with everything as it is by default.
    pub fn new(algorithm: &str) -> Self {
        Self {
            algorithm: algorithm.to_owned(),
            set: BTreeMap::new(),
            bulk: vec![],
            threads: one(),
            launch: vec![],
            prefetch: one(),
            devices: one(),
            cpu: false,
            most_bytes: None,
        }
    }

    /// The first number outside what its key takes: the key, the number, and the most.
    pub fn out_of_range(&self) -> Option<(&'static str, i64, i64)> {
        let all = [
            ("threads", &self.threads, i64::MAX),
            ("prefetch", &self.prefetch, MOST_PREFETCH.into()),
            ("devices", &self.devices, i64::MAX),
        ];
        all.into_iter().find_map(|(key, grid, most)| {
            let outside = grid.0.iter().find(|it| !(1..=most).contains(*it));
            outside.map(|value| (key, *value, most))
        })
    }

    /// The points, without their bytes: parameters outermost, then arrangement, launch, reading
    /// ahead, devices and, innermost, threads.
    pub fn subjects(&self) -> Vec<Subject> {
        let mut settings = vec![Settings::default()];
        for (name, grid) in &self.set {
            let with = |(set, value): (&Settings, &i64)| {
                let mut set = set.clone();
                set.0.insert(name.clone(), *value);
                set
            };
            settings = settings
                .iter()
                .flat_map(|set| grid.0.iter().map(move |value| (set, value)))
                .map(with)
                .collect();
        }
        fn each<T: Clone>(given: &[T]) -> Vec<Option<T>> {
            if given.is_empty() { vec![None] } else { given.iter().cloned().map(Some).collect() }
        }
        let (bulk, launch) = (each(&self.bulk), each(&self.launch));
        let mut subjects = vec![];
        for set in settings {
            for bulk in &bulk {
                for launch in &launch {
                    for &prefetch in &self.prefetch.0 {
                        for &devices in &self.devices.0 {
                            for &threads in &self.threads.0 {
                                subjects.push(Subject {
                                    name: self.algorithm.clone(),
                                    set: set.clone(),
                                    bulk: *bulk,
                                    threads: bulk.map(|_| threads.unsigned_abs()),
                                    launch: launch.clone(),
                                    prefetch: prefetch.unsigned_abs(),
                                    processor: "gpu".to_owned(),
                                    devices: devices.unsigned_abs(),
                                    ..Subject::default()
                                });
                            }
                        }
                    }
                }
            }
        }
        subjects.dedup();
        subjects
    }
}

/// A file SPEC.toml.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasurementSpec {
    /// Whether the microbenchmarks are measured.
    #[serde(default)]
    pub microbenchmarks: bool,
    /// Grids of algorithms, in the order in which they are measured.
    #[serde(default)]
    pub measure: Vec<Job>,
}

impl MeasurementSpec {
    /// Reads a file.
    ///
    /// ```
    /// use memory_machine_core::diagnostic::Source;
    /// use memory_machine_measure::MeasurementSpec;
    ///
    /// let text = "[[measure]]\nalgorithm = 'opt'\nset.n = '8,64'\nbulk = ['row']\nthreads = '64..256*2'";
    /// let spec = MeasurementSpec::parse(Source { name: "spec.toml".to_owned(), text: text.to_owned() })?;
    /// assert_eq!(spec.measure[0].subjects().len(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The place that is no TOML, no known key, or makes no sense.
    pub fn parse(source: Source) -> Result<Self, Box<Located>> {
        let spec = toml::from_str(&source.text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            Diagnostic::new(Span::new(span.start, span.end), error.message().trim())
                .help("see `umm gpu measure --help` for the keys")
        });
        let spec = spec.and_then(|spec: Self| spec.check().map(|()| spec));
        spec.map_err(|diagnostic| Box::new(Located { source, diagnostic }))
    }

    fn check(&self) -> Result<(), Diagnostic> {
        for job in &self.measure {
            let wrong = |message: String| Diagnostic::new(Span::default(), message);
            let known = |words: &[String], known: &[&str], key: &str| {
                words.iter().find(|word| !known.contains(&word.as_str())).map_or(Ok(()), |word| {
                    Err(wrong(format!("`{key}` of `{}` is `{word}`", job.algorithm))
                        .help(format!("it is one of {}", known.join(", "))))
                })
            };
            known(&job.launch, &["plain", "graph", "cooperative"], "launch")?;
            if let Some((key, value, most)) = job.out_of_range() {
                let message = format!("`{key}` of `{}` has {value}", job.algorithm);
                let numbers = match value {
                    ..1 => "numbers from 1 on".to_owned(),
                    _ => format!("numbers up to {most}"),
                };
                return Err(wrong(message).help(numbers));
            }
        }
        Ok(())
    }
}
