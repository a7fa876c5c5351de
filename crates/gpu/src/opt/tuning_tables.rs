//! What tuning found, as tables: those of the paper, and every timed stage.

use super::tune::{StageTime, Total, Tuning};
use memory_machine_case::sample::{Sample, Settings};
use memory_machine_geometry::opt::variant::{Method, Variant};

/// Tables of some sizes, by the names of their files.
#[derive(Debug, Clone)]
pub struct TuningTables {
    /// Times as samples: `table-1.csv` has all stages in one variant, `table-3.csv` the plan,
    /// `stages.csv` every timed stage, `best.csv` the fastest of each method.
    pub samples: [(&'static str, Vec<Sample>); 4],
    /// `table-2.csv`: the stages of TB and BB in the plans.
    pub switches: String,
}

/// Times of one device.
struct Times<'a> {
    device: &'a str,
    seed: u64,
}

impl TuningTables {
    /// The tables of what was found on a device with random weights of this seed.
    pub fn new(found: &[Tuning], device: &str, seed: u64) -> Self {
        let times = Times { device, seed };
        let total = |n: usize, it: &Total| Sample {
            source: (!it.measured).then(|| "sum over timed stages".to_owned()),
            ..times.of_variant(it.variant, &[("n", n)], it.time_s)
        };
        let (mut totals, mut plans, mut stages, mut best) = (vec![], vec![], vec![], vec![]);
        let mut switches =
            "n,tb_first_stage,tb_last_stage,bb_first_stage,bb_last_stage\n".to_owned();
        for tuning in found {
            let (n, switch) = (tuning.plan.n, tuning.plan.switch());
            totals.extend(tuning.totals.iter().map(|it| total(n, it)));
            plans.push(times.sample("combined", &[("n", n)], tuning.graph_s));
            stages.extend(tuning.stages.iter().map(|it| times.stage(n, it)));
            best.extend(fastest_by_method(&tuning.stages).iter().map(|it| times.stage(n, it)));
            let range = |first: usize, end: usize| match first < end {
                true => format!("{first},{}", end - 1),
                false => ",".to_owned(),
            };
            switches += &format!("{n},{},{}\n", range(0, switch), range(switch, n - 1));
        }
        let samples = [
            ("table-1.csv", totals),
            ("table-3.csv", plans),
            ("stages.csv", stages),
            ("best.csv", best),
        ];
        Self { samples, switches }
    }
}

impl Times<'_> {
    fn sample(&self, algorithm: &str, set: &[(&str, usize)], time_s: f64) -> Sample {
        let set = set.iter().map(|(name, value)| ((*name).to_owned(), *value as i64)).collect();
        Sample {
            algorithm: format!("opt_{algorithm}"),
            set: Settings(set),
            time_s: Some(time_s),
            device: Some(self.device.to_owned()),
            seed: Some(self.seed),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            ..Sample::default()
        }
    }

    /// A method's parameters, `b` only of BB, as the published tables have them.
    fn of_variant(&self, variant: Variant, set: &[(&str, usize)], time_s: f64) -> Sample {
        let (t, b) = (("t", variant.t as usize), ("b", variant.b as usize));
        let own: &[_] = if variant.method.is_block_based() { &[t, b] } else { &[t] };
        self.sample(variant.method.word(), &[set, own].concat(), time_s)
    }

    fn stage(&self, n: usize, it: &StageTime) -> Sample {
        self.of_variant(it.variant, &[("n", n), ("stage", it.p)], it.time_s)
    }
}

/// The fastest of each method, at stages where every way was timed; `times` are by stage.
fn fastest_by_method(times: &[StageTime]) -> Vec<StageTime> {
    let variants = Variant::all().len();
    let mut fastest = vec![];
    for stage in times.chunk_by(|a, b| a.p == b.p).filter(|stage| stage.len() == variants) {
        for method in Method::ALL {
            let of = stage.iter().filter(|it| it.variant.method == method);
            fastest.extend(of.min_by(|a, b| a.time_s.total_cmp(&b.time_s)));
        }
    }
    fastest
}
