//! Options of the machines that courses teach beside the memory machines.

use clap::Args;

use super::Failure;
use super::options::{ANY, number, whole, word};
use crate::cost::{CostKind, CostMachine, CountedCost, Owner, Owners, Policy, PramVariant, Spawn};
use crate::grid::Grid;
use crate::keyword::Keyword;
use crate::models::{self, Model};

/// What the machines other than memory machines need; each flag names those that have it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Machines of courses, -m pram to -m roofline")]
pub(crate) struct CostOptions {
    /// Of the PRAM: what threads may do with one word in one step [default: crew]
    #[arg(long, value_name = "VARIANT", value_parser = word::<PramVariant>())]
    pram: Option<PramVariant>,
    /// Of pram and work-span: what is counted [default: both]
    #[arg(long, value_name = "WHAT", value_parser = word::<CountedCost>())]
    cost: Option<CountedCost>,
    /// Of work-span: what the span of a parallel loop has besides its iterations [default: free]
    #[arg(long, value_name = "WHAT", value_parser = word::<Spawn>())]
    spawn: Option<Spawn>,
    /// Of ideal-cache and pem: M, words of a cache; for a curve of the ideal cache a list, as in
    /// 16..4096*2 [default: 1024]; of agpu and tmm: of a multiprocessor's shared memory [default: 12288]
    #[arg(long, value_name = "M")]
    cache: Option<Grid>,
    /// Of ideal-cache and pem: B, words of a line; of agpu: b, cores of a multiprocessor and words of a
    /// block; of tmm: C, words of a chunk [default: 32]
    #[arg(long, value_name = "B", value_parser = number)]
    line: Option<u64>,
    /// Of ideal-cache and pem: which line a full cache gives up [default: lru]
    #[arg(long, value_name = "POLICY", value_parser = word::<Policy>())]
    policy: Option<Policy>,
    /// Of bsp, logp, loggp: P [default: 8]; of mpc: machines [default: as many as hold all arrays]; of
    /// pem: instead of -p
    #[arg(long, value_name = "P", value_parser = number)]
    pub(crate) processors: Option<u64>,
    /// Of bsp, logp, loggp, mpc: how elements are dealt out to processors: block, cyclic, block:B, of
    /// all arrays or of one as in a=cyclic; repeatable [default: block]
    #[arg(long, value_name = "[ARRAY=]OWNER", value_parser = owner)]
    owner: Vec<(Option<String>, Owner)>,
    /// Of bsp: time units a word; of logp and loggp: between messages [default: 4]
    #[arg(short = 'g', long, value_name = "G", value_parser = whole::<u64>(ANY))]
    gap: Option<u64>,
    /// Of bsp: time units a superstep [default: 100]; of logp and loggp: of a message [default: 6]; of
    /// tmm: of an access to memory [default: 100]
    #[arg(short = 'L', long, value_name = "L", value_parser = whole::<u64>(ANY))]
    network_latency: Option<u64>,
    /// Of logp and loggp, also -o: time units to send or to receive [default: 2]
    #[arg(long, value_name = "O", value_parser = whole::<u64>(ANY))]
    overhead: Option<u64>,
    /// Of loggp: time units for a further word of a message [default: 1]
    #[arg(short = 'G', long, value_name = "G", value_parser = whole::<u64>(ANY))]
    long_gap: Option<u64>,
    /// Of agpu and tmm: cores in all [default: 32 times --line]
    #[arg(long, value_name = "P", value_parser = number)]
    cores: Option<u64>,
    /// Of tmm: X, the most threads that a core has [default: 16]
    #[arg(long, value_name = "X", value_parser = number)]
    slots: Option<u64>,
    /// Of mpc: S, words of a machine; of agpu: G, words of global memory [default: as many as it takes]
    #[arg(long, value_name = "S", value_parser = number)]
    space: Option<u64>,
    /// Of roofline: operations a second of a kind (f32, f64, integer), as in f32=6.7e13; of a
    /// calibrated --model its own; repeatable
    #[arg(long, value_name = "KIND=N", value_parser = peak)]
    peak: Vec<(String, f64)>,
    /// Of roofline: bytes a second
    #[arg(long, value_name = "N", value_parser = positive)]
    bandwidth: Option<f64>,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|it| it.is_finite() && *it > 0.0);
    number.ok_or_else(|| "it must be a number above 0, such as 2e12".to_owned())
}

fn peak(text: &str) -> Result<(String, f64), String> {
    match text.split_once('=').ok_or("write KIND=N, as in f32=6.7e13")? {
        (kind @ ("f32" | "f64" | "integer"), number) => Ok((kind.to_owned(), positive(number)?)),
        (kind, _) => Err(format!("`{kind}` is none of f32, f64, integer")),
    }
}

fn owner(text: &str) -> Result<(Option<String>, Owner), String> {
    match text.split_once('=') {
        Some((array, owner)) => Ok((Some(array.to_owned()), owner.parse()?)),
        None => Ok((None, text.parse()?)),
    }
}

impl CostOptions {
    /// The flags that were given, and the machines that have them.
    fn given(&self) -> Vec<(&'static str, &'static [CostKind])> {
        use CostKind as K;
        const POLICIES: &[CostKind] = &[K::IdealCache, K::Pem];
        const CACHES: &[CostKind] = &[K::IdealCache, K::Pem, K::Agpu, K::Tmm];
        const NETWORKS: &[CostKind] = &[K::Bsp, K::LogP, K::LogGp];
        const LATENCIES: &[CostKind] = &[K::Bsp, K::LogP, K::LogGp, K::Tmm];
        const OWNERS: &[CostKind] = &[K::Bsp, K::LogP, K::LogGp, K::Mpc];
        const PROCESSORS: &[CostKind] = &[K::Bsp, K::LogP, K::LogGp, K::Mpc, K::Pem];
        let flags: [(&str, bool, &[CostKind]); 17] = [
            ("--pram", self.pram.is_some(), &[K::Pram]),
            ("--cost", self.cost.is_some(), &[K::Pram, K::WorkSpan]),
            ("--spawn", self.spawn.is_some(), &[K::WorkSpan]),
            ("--cache", self.cache.is_some(), CACHES),
            ("--line", self.line.is_some(), CACHES),
            ("--policy", self.policy.is_some(), POLICIES),
            ("--processors", self.processors.is_some(), PROCESSORS),
            ("--owner", !self.owner.is_empty(), OWNERS),
            ("-g", self.gap.is_some(), NETWORKS),
            ("-L", self.network_latency.is_some(), LATENCIES),
            ("--overhead", self.overhead.is_some(), &[K::LogP, K::LogGp]),
            ("-G", self.long_gap.is_some(), &[K::LogGp]),
            ("--space", self.space.is_some(), &[K::Mpc, K::Agpu]),
            ("--cores", self.cores.is_some(), &[K::Agpu, K::Tmm]),
            ("--slots", self.slots.is_some(), &[K::Tmm]),
            ("--peak", !self.peak.is_empty(), &[K::Roofline]),
            ("--bandwidth", self.bandwidth.is_some(), &[K::Roofline]),
        ];
        flags.into_iter().filter(|it| it.1).map(|(flag, _, of)| (flag, of)).collect()
    }

    /// Whether the variant of the PRAM is given.
    pub(crate) const fn has_pram(&self) -> bool {
        self.pram.is_some()
    }

    /// Whether the space of MPC's machines is given.
    pub(crate) const fn has_space(&self) -> bool {
        self.space.is_some()
    }

    /// # Errors
    /// A flag, of those of other machines.
    pub(crate) fn refuse_all(&self, machine: &str) -> Result<(), Failure> {
        match self.given().first() {
            None => Ok(()),
            Some((flag, of)) => Err(not_of(flag, of, machine)),
        }
    }

    /// The machine. `overhead` is what -o says.
    ///
    /// # Errors
    /// A flag that the machine does not have, or lacks.
    pub(crate) fn machine(
        &self,
        kind: CostKind,
        model: Option<&Model>,
        overhead: Option<u64>,
    ) -> Result<CostMachine, Failure> {
        if let Some((flag, of)) = self.given().into_iter().find(|it| !it.1.contains(&kind)) {
            return Err(not_of(flag, of, &format!("-m {}", kind.word())));
        }
        self.of_kind(kind, model, overhead)
    }

    /// The same, whatever flags of other machines there are.
    pub(crate) fn of_kind(
        &self,
        kind: CostKind,
        model: Option<&Model>,
        overhead: Option<u64>,
    ) -> Result<CostMachine, Failure> {
        if kind == CostKind::Roofline {
            let device = models::device(model, &self.peak, self.bandwidth);
            return device.map(CostMachine::Roofline).map_err(Failure::input);
        }
        fn text(word: Option<impl ToString>) -> Option<String> {
            word.map(|it| it.to_string())
        }
        let values = |it: &Grid| it.0.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let given = [
            ("pram", text(self.pram)),
            ("cost", text(self.cost)),
            ("spawn", text(self.spawn)),
            ("cache", self.cache.as_ref().map(values)),
            ("line", text(self.line)),
            ("policy", text(self.policy)),
            ("processors", text(self.processors)),
            ("owner", Some(self.owners().to_string())),
            ("g", text(self.gap)),
            ("L", text(self.network_latency)),
            ("o", text(overhead.or(self.overhead))),
            ("G", text(self.long_gap)),
            ("space", text(self.space)),
            ("cores", text(self.cores)),
            ("slots", text(self.slots)),
        ];
        let rules = given.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?)));
        CostMachine::of(kind, &rules.collect())
            .map_err(|error| Failure::input(format_args!("--{error}")))
    }

    fn owners(&self) -> Owners {
        let other = self.owner.iter().rev().find(|it| it.0.is_none());
        let other = other.map_or(Owner::Block, |it| it.1);
        let named = self.owner.iter().filter_map(|(name, owner)| Some((name.clone()?, *owner)));
        Owners { other, named: named.collect() }
    }

    /// The arrays that `--owner` names.
    pub(crate) fn owned_arrays(&self) -> impl Iterator<Item = &str> {
        self.owner.iter().filter_map(|it| it.0.as_deref())
    }
}

fn not_of(flag: &str, of: &[CostKind], machine: &str) -> Failure {
    let of: Vec<String> = of.iter().map(|it| format!("-m {}", it.word())).collect();
    Failure::input(format_args!(
        "{flag} is for {}, and this is {machine}; change -m, or leave it out",
        of.join(" or ")
    ))
}
