//! Finds the fastest plan by timing stages on the GPU: the paper's adaptive granularity.
//!
//! A stage's time does not depend on the numbers in the table, so stages are timed in any order.
//! All ways are timed at some 128 stages; between them only those that come near the fastest there,
//! the others being interpolated. The plan is the cheapest way through the stages, conversions
//! included; whole runs of it and of single methods then say what all of it takes.

use thiserror::Error;

use super::stages::StagedOpt;
use crate::error::{CudaError, Result as CudaResult};
use crate::gpu::Gpu;
use crate::random::Random;
use memory_machine_core::language::syntax::Type;
use memory_machine_geometry::opt::plan::Plan;
use memory_machine_geometry::opt::variant::{TableArrangement, Variant};

/// How much is timed.
#[derive(Debug, Clone, Copy)]
pub struct TuneEffort {
    /// Of the stages, each one of this many.
    pub every: usize,
    /// Of what takes under a millisecond; longer stages and runs of over half a second are timed once.
    pub repetitions: usize,
    /// What whole runs of single methods may take in all, the fastest first, in seconds. The others'
    /// times are sums over timed stages. The fastest is always run.
    pub budget_s: f64,
    /// Of random weights.
    pub seed: u64,
}

/// Seconds of one stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageTime {
    /// The stage's number.
    pub p: usize,
    /// What computed it.
    pub variant: Variant,
    /// The median of its repetitions.
    pub time_s: f64,
}

/// Seconds of all stages in one way, initialisation included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Total {
    /// What computed all stages.
    pub variant: Variant,
    /// Seconds; see `measured`.
    pub time_s: f64,
    /// Whether it is the time of a whole run, rather than a sum over stages.
    pub measured: bool,
}

/// What tuning one size found.
#[derive(Debug, Clone)]
pub struct Tuning {
    /// The fastest that was found.
    pub plan: Plan,
    /// Seconds of the whole plan as a graph, initialisation and conversion included.
    pub graph_s: f64,
    /// Seconds of the same, launch by launch.
    pub plain_s: f64,
    /// By stage, then way.
    pub stages: Vec<StageTime>,
    /// The paper's Table 1, in the order of [`Variant::all`].
    pub totals: Vec<Total>,
    /// Seconds of converting the whole table, by arrangement from and to.
    pub conversions: [[f64; 3]; 3],
}

impl Tuning {
    /// The fastest of the single methods that were run as a whole.
    pub fn fastest_method(&self) -> Option<&Total> {
        let measured = self.totals.iter().filter(|it| it.measured);
        measured.min_by(|a, b| a.time_s.total_cmp(&b.time_s))
    }
}

/// Why there is no plan.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The GPU, its driver or its compiler fails.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// Two variants that compute different numbers.
    #[error(
        "n = {n}: {variant} computes another first row than other methods; this is a mistake of the kernels: please report it"
    )]
    Differs {
        /// Vertices of the polygon.
        n: usize,
        /// The one that differs.
        variant: Variant,
    },
}

/// Stages at which all ways are timed.
const COARSE: usize = 128;
/// A way comes near the fastest if it takes up to this many times its time.
const NEAR: f64 = 1.5;
/// A change of ways must save this share of the fastest single method's time: what is less is noise.
const GAIN: f64 = 5e-4;
/// Seconds from which one repetition will do: of a stage, of a run.
const LONG_STAGE: f64 = 1e-3;
const LONG_RUN: f64 = 0.5;
/// Relaxations up to which a stage is launched several times over, and how often at most, so that
/// the beginning and the end of a graph do not count.
const SHORT: usize = 1 << 23;
const MOST_LAUNCHES: usize = 16;

/// Tunes `n ≥ 4` vertices with weights of type f32. `progress` receives how many steps are done, of
/// how many.
///
/// # Errors
/// A GPU without room for weights and three tables, `16·n²` bytes, or that fails; methods that
/// disagree.
pub fn tune(
    gpu: &Gpu,
    n: usize,
    manner: TuneEffort,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Tuning, TuneError> {
    let weights = gpu.allocate((n * n * size_of::<f32>()) as u64)?;
    Random::new(gpu)?.fill(&weights, Type::F32, (n * n) as u64, None, manner.seed)?;
    let tuner = Tuner { gpu, stages: StagedOpt::with_weights(gpu, n, weights)?, n, manner };
    for arrangement in TableArrangement::ALL {
        tuner.stages.initialise(arrangement)?;
    }
    let conversions = tuner.conversions()?;
    let variants = Variant::all();
    let coarse = sampled(n, manner.every.max((n - 2).div_ceil(COARSE)));
    let fine = sampled(n, manner.every);
    let steps = coarse.len() + fine.len() + variants.len();
    let mut done = 0;
    let mut step = || {
        done += 1;
        progress(done, steps);
    };

    let mut stages = vec![];
    for &p in &coarse {
        for &variant in &variants {
            stages.push(StageTime { p, variant, time_s: tuner.stage(variant, p)? });
        }
        step();
    }
    let mut costs = costs(n, &variants, &stages);
    for &p in &fine {
        let fastest = costs.iter().map(|it| it[p]).fold(f64::INFINITY, f64::min);
        for (variant, cost) in
            variants.iter().zip(&costs).filter(|_| coarse.binary_search(&p).is_err())
        {
            if cost[p] <= NEAR * fastest {
                stages.push(StageTime { p, variant: *variant, time_s: tuner.stage(*variant, p)? });
            }
        }
        step();
    }
    stages.sort_by_key(|it| (it.p, it.variant));
    costs = self::costs(n, &variants, &stages);

    let sum = |cost: &Vec<f64>| cost.iter().sum::<f64>();
    let total = |(&variant, cost)| Total { variant, time_s: sum(cost), measured: false };
    let mut totals: Vec<Total> = variants.iter().zip(&costs).map(total).collect();
    let gain = GAIN * totals.iter().map(|it| it.time_s).fold(f64::INFINITY, f64::min);
    let mut plan = Plan::from_borders(n, &cheapest(&variants, &costs, &conversions, gain));
    let estimate = totals.iter().map(|it| it.time_s).fold(f64::INFINITY, f64::min);
    let mut graph_s = tuner.run(&plan, estimate)?;
    let row = tuner.stages.first_row(&plan)?;

    let mut order: Vec<usize> = (0..totals.len()).collect();
    order.sort_by(|a, b| totals[*a].time_s.total_cmp(&totals[*b].time_s));
    let mut spent = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        let Total { variant, time_s, .. } = totals[index];
        spent += time_s * if time_s > LONG_RUN { 1.0 } else { 1.0 + tuner.runs(time_s) as f64 };
        if rank == 0 || spent <= manner.budget_s {
            let single = Plan::single(n, variant);
            let time_s = tuner.run(&single, time_s)?;
            totals[index] = Total { variant, time_s, measured: true };
            let found = tuner.stages.first_row(&single)?;
            if !found.iter().map(|it| it.to_bits()).eq(row.iter().map(|it| it.to_bits())) {
                return Err(TuneError::Differs { n, variant });
            }
            if time_s < graph_s {
                (plan, graph_s) = (single, time_s);
            }
        }
        step();
    }
    let plain_s = tuner.timed(graph_s, || tuner.stages.launch(&plan))?;
    Ok(Tuning { plan, graph_s, plain_s, stages, totals, conversions })
}

/// Every n-th stage, for this n, from 1 to `n − 2`, the first and the last included.
fn sampled(n: usize, every: usize) -> Vec<usize> {
    let mut stages: Vec<usize> = (1..n - 2).step_by(every).collect();
    stages.push(n - 2);
    stages
}

/// By way and stage, seconds: as timed, or linear between the timed stages before and after. Stage
/// 0 costs nothing. The first and the last stage of every way have been timed; `times` are by stage.
fn costs(n: usize, variants: &[Variant], times: &[StageTime]) -> Vec<Vec<f64>> {
    let of = |variant: &Variant| {
        let mut costs = vec![0.0; n - 1];
        let mut before: Option<&StageTime> = None;
        for time in times.iter().filter(|it| it.variant == *variant) {
            costs[time.p] = time.time_s;
            if let Some(before) = before {
                let between = &mut costs[before.p + 1..time.p];
                for (step, cost) in (1..).zip(between) {
                    let part = f64::from(step) / (time.p - before.p) as f64;
                    *cost = before.time_s + part * (time.time_s - before.time_s);
                }
            }
            before = Some(time);
        }
        costs
    };
    variants.iter().map(of).collect()
}

/// The cheapest sequence of ways through the stages, as borders of ranges: TB first, then BB, as in
/// the paper; a change of the arrangement costs its conversion, any change `gain`.
fn cheapest(
    variants: &[Variant],
    costs: &[Vec<f64>],
    conversions: &[[f64; 3]; 3],
    gain: f64,
) -> Vec<(usize, Variant)> {
    let stages = costs[0].len();
    let arranged = |variant: usize| variants[variant].method.arrangement() as usize;
    let change = |from: usize, to: usize| {
        let back = variants[from].method.is_block_based() && !variants[to].method.is_block_based();
        match (from == to, back) {
            (true, _) => 0.0,
            (_, true) => f64::INFINITY,
            _ => gain + conversions[arranged(from)][arranged(to)],
        }
    };
    // The least cost up to a stage in each way, and the way of the stage before.
    let mut least: Vec<f64> = costs.iter().map(|cost| cost[0]).collect();
    let mut came: Vec<Vec<usize>> = vec![];
    for stage in 1..stages {
        let from = |to: usize| {
            let cost = |from: &usize| least[*from] + change(*from, to);
            (0..variants.len()).min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(to)
        };
        let before: Vec<usize> = (0..variants.len()).map(from).collect();
        let total = |(to, (&from, cost)): (usize, (&usize, &Vec<f64>))| {
            least[from] + change(from, to) + cost[stage]
        };
        least = before.iter().zip(costs).enumerate().map(total).collect();
        came.push(before);
    }
    let mut variant =
        (0..variants.len()).min_by(|a, b| least[*a].total_cmp(&least[*b])).unwrap_or(0);
    let mut borders = vec![];
    for p in (0..stages).rev() {
        borders.push((p, variants[variant]));
        variant = if p > 0 { came[p - 1][variant] } else { variant };
    }
    borders.reverse();
    borders
}

struct Tuner<'a> {
    gpu: &'a Gpu,
    stages: StagedOpt<'a, f32>,
    n: usize,
    manner: TuneEffort,
}

impl Tuner<'_> {
    fn conversions(&self) -> CudaResult<[[f64; 3]; 3]> {
        let mut seconds = [[0.0; 3]; 3];
        for from in TableArrangement::ALL {
            for to in TableArrangement::ALL.into_iter().filter(|to| *to != from) {
                let laps =
                    self.gpu.laps(self.manner.repetitions, || self.stages.convert(from, to))?;
                seconds[from as usize][to as usize] = median(laps);
            }
        }
        Ok(seconds)
    }

    /// Seconds of a stage between others.
    fn stage(&self, variant: Variant, p: usize) -> CudaResult<f64> {
        let relaxations = p * (self.n - 1 - p);
        let launches = (SHORT / relaxations).clamp(1, MOST_LAUNCHES);
        let launch = || (0..launches).try_for_each(|_| self.stages.stage(variant, p));
        let graph = self.gpu.capture(launch)?;
        let mut laps = self.gpu.laps(1, || graph.launch())?;
        if laps[0] < LONG_STAGE {
            laps = self.gpu.laps(self.manner.repetitions, || graph.launch())?;
        }
        Ok(median(laps) / launches as f64)
    }

    /// Seconds of a whole plan, as a graph; `estimate` decides how often it is run.
    fn run(&self, plan: &Plan, estimate: f64) -> CudaResult<f64> {
        let graph = self.stages.graph(plan)?;
        self.timed(estimate, || graph.launch())
    }

    fn timed(&self, estimate: f64, work: impl Fn() -> CudaResult<()>) -> CudaResult<f64> {
        if estimate > LONG_RUN {
            self.gpu.synchronize()?;
            return self.gpu.seconds(work);
        }
        Ok(median(self.gpu.laps(self.runs(estimate), work)?))
    }

    fn runs(&self, estimate: f64) -> usize {
        ((LONG_RUN / 2.0 / estimate) as usize).clamp(1, self.manner.repetitions)
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    f64::midpoint(times[(times.len() - 1) / 2], times[times.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory_machine_geometry::opt::variant::Method;

    fn variant(method: Method) -> Variant {
        Variant { method, t: 32, b: 1 }
    }

    #[test]
    fn stages_between_timed_ones_are_interpolated() {
        assert_eq!(sampled(12, 4), [1, 5, 9, 10]);
        assert_eq!(sampled(4, 1), [1, 2]);
        let variant = variant(Method::BbNaive);
        let time = |(p, time_s)| StageTime { p, variant, time_s };
        let times: Vec<_> = [(1, 1.0), (5, 3.0), (6, 9.0)].into_iter().map(time).collect();
        let costs = costs(8, &[variant], &times);
        assert_eq!(costs[0], [0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 9.0]);
    }

    /// Every sequence of ways is tried: none is cheaper.
    #[test]
    fn no_sequence_is_cheaper() {
        let variants =
            [variant(Method::TbNaive), variant(Method::TbSliding), variant(Method::BbMirroring)];
        let conversions = [[0.0, 9.0, 2.5], [9.0, 0.0, 2.0], [9.0, 9.0, 0.0]];
        let (stages, gain) = (7, 0.1);
        let mut state = 1_u64;
        for _ in 0..50 {
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 60) as f64
            };
            let costs: Vec<Vec<f64>> =
                variants.map(|_| (0..stages).map(|_| random()).collect()).to_vec();
            let cost = |sequence: &[usize]| {
                let own: f64 =
                    (0..).zip(sequence).map(|(p, &variant)| costs[variant][p as usize]).sum();
                let changes = sequence.windows(2).map(|pair| match (pair[0], pair[1]) {
                    (from, to) if from == to => 0.0,
                    (2, _) => f64::INFINITY,
                    (from, to) => {
                        let place =
                            |variant: usize| variants[variant].method.arrangement() as usize;
                        gain + conversions[place(from)][place(to)]
                    }
                });
                own + changes.sum::<f64>()
            };
            let all = (0..3_usize.pow(stages as u32)).map(|code| {
                (0..stages as u32).map(|p| code / 3_usize.pow(p) % 3).collect::<Vec<_>>()
            });
            let least = all.map(|it| cost(&it)).fold(f64::INFINITY, f64::min);
            let found = cheapest(&variants, &costs, &conversions, gain);
            let index = |variant: &Variant| variants.iter().position(|it| it == variant).unwrap();
            let found: Vec<usize> = found.iter().map(|(_, variant)| index(variant)).collect();
            assert!((cost(&found) - least).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
    }
}
