//! Predictions against measured times.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

use super::predict::{plain, predict};
use super::{Compile, Extension, LaunchOptions, ReuseCache, Work};
use memory_machine_case::{Case, CaseError, Inputs};
use memory_machine_codegen::Launch;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Arrangement;
use memory_machine_core::run::{WHILE_ITERATIONS, WorkLimit};
use memory_machine_measure::listings::{ListingError, measured as measured_program};
use memory_machine_measure::models::{Calibration, Model};
use memory_machine_measure::predictions::PredictedRow;
use memory_machine_measure::{Subject, Timing};

/// How programs are counted.
#[derive(Clone, Copy)]
pub struct CompareOptions<'a> {
    /// Extensions of the plain memory machine that all predictions leave out.
    pub without: &'a [Extension],
    /// What arrays hold at first.
    pub inputs: &'a [(String, OsString)],
    /// More iterations of a loop that is executed count as endless.
    pub while_iterations: u64,
    /// What an execution may take.
    pub work: WorkLimit,
    /// Counts the compiled code where it can be, in place of the listing.
    pub compile: Option<Compile<'a>>,
    /// Is called after every few points.
    pub done: &'a (dyn Fn(u64) + Sync),
}

/// Of listings, with random inputs.
impl Default for CompareOptions<'_> {
    fn default() -> Self {
        Self {
            without: &[],
            inputs: &[],
            while_iterations: WHILE_ITERATIONS,
            work: WorkLimit::NONE,
            compile: None,
            done: &|_| (),
        }
    }
}

/// A measured point with what model_errors say of it.
#[derive(Debug, Clone)]
pub struct ComparedPoint {
    /// What ran, with sizes, inputs and launch.
    pub subject: Subject,
    /// The median of its repetitions.
    pub measured_s: f64,
    /// By the calibrated machine.
    pub predicted_s: f64,
    /// Whether the compiled code was counted, in place of the listing.
    pub is_compiled: bool,
    /// Why the listing was counted, if it was in place of the compiled code.
    pub fallback: Option<String>,
    /// By the plain UMM: a constant for each time unit, if they were counted.
    pub plain_s: Option<f64>,
    /// With each extension left out, if that was asked for.
    pub ablated_s: Vec<(Extension, f64)>,
}

impl ComparedPoint {
    /// `without` is left out of all predictions; each of the others as well, if `is_ablated`.
    pub fn new(
        subject: Subject,
        measured_s: f64,
        work: &Work,
        machine: &Calibration,
        without: &[Extension],
        is_ablated: bool,
    ) -> Self {
        let seconds = |without: &[Extension]| predict(work, machine, without).time_s;
        let left = Extension::ALL.into_iter().filter(|it| is_ablated && !without.contains(it));
        let ablated = |it: Extension| (it, seconds(&[without, &[it]].concat()));
        Self {
            subject,
            measured_s,
            predicted_s: seconds(without),
            is_compiled: work.is_compiled(),
            fallback: work.fallback.clone(),
            plain_s: plain(work, machine),
            ablated_s: left.map(ablated).collect(),
        }
    }
}

/// Why a measured point is not predicted.
#[derive(Debug, Error)]
pub enum CompareError {
    /// Its listing is not found, or is not well-formed.
    #[error("{subject}: {error}")]
    Listing {
        /// What was measured.
        subject: Box<Subject>,
        /// Why there is none.
        error: ListingError,
    },
    /// Its listing cannot be run with such sizes and inputs.
    #[error("{subject}: {error}")]
    Case {
        /// What was measured.
        subject: Box<Subject>,
        /// Why not.
        error: CaseError,
    },
}

/// The measured points of one GPU, point_groups in program and size: they share what one thread does.
pub struct PointGroup<'a> {
    program: Arc<Program>,
    inputs: Inputs,
    /// With their places in the folder.
    pub points: Vec<(usize, &'a Timing)>,
}

/// Every point of one GPU, in the order of the folder. Those of `given` inputs that a program has are
/// read for it, once.
///
/// # Errors
/// A listing that is neither kept in the folder nor shipped; what is no input.
pub fn point_groups<'a>(
    folder: &Path,
    points: &[&'a Timing],
    given: &[(String, OsString)],
) -> Result<Vec<PointGroup<'a>>, CompareError> {
    let mut programs: BTreeMap<&str, (Arc<Program>, Inputs)> = BTreeMap::new();
    let mut point_groups: BTreeMap<_, PointGroup<'_>> = BTreeMap::new();
    let measured = points.iter().filter(|it| !it.subject.is_cpu() && it.subject.devices == 1);
    for (place, point) in measured.enumerate() {
        let subject = &point.subject;
        let (program, inputs) = match programs.entry(&subject.name) {
            Entry::Occupied(it) => it.get().clone(),
            Entry::Vacant(it) => {
                let subject = || Box::new(subject.clone());
                let program = measured_program(folder, &point.subject.name)
                    .map_err(|error| CompareError::Listing { subject: subject(), error })?;
                let inputs = Inputs::read_own(&program, given, Inputs::default().seed)
                    .map_err(|error| CompareError::Case { subject: subject(), error })?;
                it.insert((program.into(), inputs)).clone()
            }
        };
        let key = (&subject.name, &subject.set);
        let of_key = point_groups.entry(key).or_insert_with(|| PointGroup {
            program,
            inputs,
            points: vec![],
        });
        of_key.points.push((place, point));
    }
    Ok(point_groups.into_values().collect())
}

impl CompareError {
    /// Whether a computer with more memory, or with more time, would predict the point.
    pub const fn is_of_size(&self) -> bool {
        use CaseError::{Memory, TooLarge, TooLong};
        matches!(self, Self::Case { error: Memory(_) | TooLarge(_) | TooLong(_), .. })
    }
}

impl PointGroup<'_> {
    /// Each point with its predictions.
    ///
    /// With a compiler, what the compiled code does is counted where it can be, and no extension is
    /// left out.
    ///
    /// # Errors
    /// Of each point that cannot be predicted, why.
    pub fn compared(
        &self,
        model: &Model,
        machine: &Calibration,
        options: &CompareOptions<'_>,
    ) -> Vec<(usize, Result<ComparedPoint, CompareError>)> {
        let &CompareOptions { without, while_iterations, work, compile, .. } = options;
        let is_known = |bulk| self.points.iter().any(|it| it.1.subject.bulk == Some(bulk));
        let mut known = match is_known(Arrangement::RowWise) && is_known(Arrangement::ColumnWise) {
            true => ReuseCache::of_both(),
            false => ReuseCache::default(),
        };
        let mut last: Option<(Subject, Work)> = None;
        let mut one = |&(place, point): &(usize, &Timing)| {
            let subject = point.subject.clone();
            let case = subject.case(self.program.clone()).on(model.machine());
            let case = Case { inputs: self.inputs.clone(), while_iterations, work, ..case };
            let options = LaunchOptions { launch: subject.launch(), prefetch: subject.prefetch };
            // Code that is not counted is counted as the listing has it.
            let code = match last.take() {
                Some((before, work)) if launches_alike(&before, &subject) => {
                    Some(Ok(Work { launch: options.launch.unwrap_or(work.launch), ..work }))
                }
                _ => compile.map(|it| {
                    Work::of_compiled_or_listing(&case, options, machine, it, &mut known)
                }),
            };
            let work = code.unwrap_or_else(|| Work::of(&case, options, machine, &mut known));
            let is_compiled = work.as_ref().is_ok_and(Work::is_compiled);
            match work {
                Ok(work) => {
                    let measured = point.median_s();
                    // Of what compiled code does, most extensions cannot be left out.
                    let is_ablated = compile.is_none();
                    let compared = subject.clone();
                    let it =
                        ComparedPoint::new(compared, measured, &work, machine, without, is_ablated);
                    last = is_compiled.then_some((subject, work));
                    (place, Ok(it))
                }
                Err(error) => (place, Err(CompareError::Case { subject: subject.into(), error })),
            }
        };
        self.points.iter().map(&mut one).collect()
    }
}

/// Every point with all its predictions as a row of a table; of a prediction that there is not, 0.
///
/// # Errors
/// A row that is no line: none.
pub fn to_csv(points: &[ComparedPoint]) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(vec![]);
    let ablated = points.first().map_or(&[][..], |it| &it.ablated_s);
    let names = ablated.iter().map(|it| format!("without_{}_s", it.0));
    let fixed = PredictedRow::COLUMNS.into_iter().map(str::to_owned);
    writer.write_record(fixed.chain(names))?;
    for it in points {
        let Subject { name, set, bulk, threads, launch, prefetch, .. } = it.subject.clone();
        let row = PredictedRow {
            name,
            set,
            bulk,
            threads,
            launch,
            prefetch,
            measured_s: it.measured_s,
            calibrated_s: it.predicted_s,
            plain_s: it.plain_s.unwrap_or(0.0),
        };
        let ablated: Vec<f64> = it.ablated_s.iter().map(|it| it.1).collect();
        writer.serialize((row, ablated))?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// Whether two runs of one program and size launch the same kernels: one by one, or as a graph.
fn launches_alike(one: &Subject, other: &Subject) -> bool {
    let by_the_host = |it: &Subject| matches!(it.launch(), Some(Launch::Plain | Launch::Graph));
    let shape = |it: &Subject| (it.bulk, it.threads, it.prefetch);
    by_the_host(one) && by_the_host(other) && shape(one) == shape(other)
}

/// How far a model is off: parts of one, and the rank correlation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ErrorSummary {
    /// How many were compared.
    pub points: usize,
    /// The mean of |predicted − measured| / measured.
    pub mape: f64,
    /// The median of |predicted − measured| / measured.
    pub median_ape: f64,
    /// The largest of |predicted − measured| / measured.
    pub worst_ape: f64,
    /// Spearman's, of predicted and measured seconds.
    pub rank_correlation: f64,
}

/// The errors of (predicted, measured) seconds; `None` without any.
pub fn errors(pairs: &[(f64, f64)]) -> Option<ErrorSummary> {
    let mut apart: Vec<f64> = pairs.iter().map(|(a, b)| (a / b - 1.0).abs()).collect();
    apart.sort_by(f64::total_cmp);
    let worst_ape = *apart.last()?;
    let (lower, upper) = ((apart.len() - 1) / 2, apart.len() / 2);
    Some(ErrorSummary {
        points: apart.len(),
        mape: apart.iter().sum::<f64>() / apart.len() as f64,
        median_ape: f64::midpoint(apart[lower], apart[upper]),
        worst_ape,
        rank_correlation: rank_correlation(pairs),
    })
}

/// Pearson's correlation of the ranks; equal numbers share their mean rank. 0 if all are equal.
fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let predicted = ranks(&pairs.iter().map(|it| it.0).collect::<Vec<_>>());
    let measured = ranks(&pairs.iter().map(|it| it.1).collect::<Vec<_>>());
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let scale = (product(&predicted, &predicted) * product(&measured, &measured)).sqrt();
    if scale > 0.0 { product(&predicted, &measured) / scale } else { 0.0 }
}

fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    let mut ranks = vec![0.0; numbers.len()];
    for equal in order.chunk_by(|a, b| numbers[*a] == numbers[*b]) {
        let below = order.iter().filter(|it| numbers[**it] < numbers[equal[0]]).count();
        for at in equal {
            ranks[*at] = below as f64 + f64::midpoint(1.0, equal.len() as f64);
        }
    }
    ranks
}

/// The errors of one model on all points and on those of each algorithm.
#[derive(Debug, Clone)]
pub struct ModelErrors {
    /// `calibrated`, `plain`, or `without EXTENSION`.
    pub name: String,
    /// On all points together.
    pub all: ErrorSummary,
    /// On the points of each algorithm, by its name.
    pub algorithms: BTreeMap<String, ErrorSummary>,
}

/// The calibrated machine, the plain one, and the calibrated with each extension left out.
pub fn model_errors(points: &[ComparedPoint]) -> Vec<ModelErrors> {
    let model = |name: &str, seconds: &dyn Fn(&ComparedPoint) -> Option<f64>| {
        let pair = |it: &ComparedPoint| Some((seconds(it)?, it.measured_s));
        let all: Vec<_> = points.iter().filter_map(pair).collect();
        let mut algorithms: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        for it in points {
            algorithms.entry(it.subject.name.clone()).or_default().extend(pair(it));
        }
        let algorithms = algorithms
            .into_iter()
            .filter_map(|(name, pairs)| Some((name, errors(&pairs)?)))
            .collect();
        Some(ModelErrors { name: name.to_owned(), all: errors(&all)?, algorithms })
    };
    let without = |extension: Extension| {
        model(&format!("without {extension}"), &|it| {
            it.ablated_s.iter().find(|it| it.0 == extension).map(|it| it.1)
        })
    };
    [model("calibrated", &|it| Some(it.predicted_s)), model("plain", &|it| it.plain_s)]
        .into_iter()
        .chain(Extension::ALL.map(without))
        .flatten()
        .collect()
}
