//! What is swept, and the file that says so.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::list;
use crate::case::Case;
use crate::cost::CostKind;
use crate::diagnostic::{Diagnostic, Located, Source, Span};
use crate::grid::Grid;
use crate::machine::{Dmms, Machine, MachineKind, Mode};
use crate::run::layout::Arrangement;
use crate::run::{WHILE_ITERATIONS, WorkLimit};
use crate::units::{Latency, Threads, Width};

/// A grid of points. Every list has at least one value and none twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepSpec {
    /// Names of shipped listings, or files.
    pub algorithms: Vec<String>,
    /// The algorithms' parameters, each with its values.
    pub set: BTreeMap<String, Grid>,
    /// Kinds of machine; of an HMM, its DMMs are those of the next three lists.
    pub machines: Vec<MachineKind>,
    /// Kinds of machines that are no memory machines; if there are some, the sweep is of them alone.
    pub courses: Vec<CostKind>,
    /// The parameters of these, each with its values.
    pub rules: BTreeMap<String, Vec<String>>,
    /// Values of d.
    pub dmms: Vec<u64>,
    /// Values of ls, the latency of shared memory.
    pub shared_latencies: Vec<Latency>,
    /// Values of R, the blocks that are on a DMM at a time.
    pub residents: Vec<u64>,
    /// Values of w.
    pub widths: Vec<Width>,
    /// Values of l.
    pub latencies: Vec<Latency>,
    /// Values of p; of bulk runs, numbers of inputs.
    pub threads: Vec<Threads>,
    /// Synchronous, asynchronous, or both.
    pub modes: Vec<Mode>,
    /// `None` is a run that is no bulk run.
    pub bulk: Vec<Option<Arrangement>>,
    /// Of given arrays, where time depends on them: names and sources, as
    /// [`Inputs::read`](crate::case::Inputs::read) takes them.
    pub inputs: Vec<(String, OsString)>,
    /// Of random inputs.
    pub seed: u64,
    /// Whether each phase has a row of its own, besides the whole.
    pub phases: bool,
    /// A `while` loop that iterates more often counts as endless.
    pub while_iterations: u64,
    /// What one execution may take, and all of them.
    pub work: WorkLimit,
}

/// No algorithm yet, on the machine that `umm run` takes if it is told none.
impl Default for SweepSpec {
    fn default() -> Self {
        let machine = Machine::default();
        Self {
            algorithms: vec![],
            set: BTreeMap::new(),
            machines: vec![machine.kind],
            courses: vec![],
            rules: BTreeMap::new(),
            dmms: vec![Dmms::ONE.number],
            shared_latencies: vec![Dmms::ONE.latency],
            residents: vec![Dmms::ONE.resident],
            widths: vec![machine.width],
            latencies: vec![machine.latency],
            threads: vec![Threads::at_least_one(1024)],
            modes: vec![Mode::Sync],
            bulk: vec![None],
            inputs: vec![],
            seed: 1,
            phases: false,
            while_iterations: WHILE_ITERATIONS,
            work: WorkLimit::NONE,
        }
    }
}

impl SweepSpec {
    /// Reads a TOML file: the long flags' names are the keys, as `docs/sweeps.md` says.
    ///
    /// ```
    /// use memory_machine::diagnostic::Source;
    /// use memory_machine::sweep::SweepSpec;
    ///
    /// let text = "algorithm = 'prefix_sums'\nset.n = 32\nthreads = '64..4096*2'\nbulk = ['row', 'column']";
    /// let spec = SweepSpec::parse(Source { name: "spec.toml".to_owned(), text: text.to_owned() })?;
    /// assert_eq!((spec.threads.len(), spec.bulk.len()), (7, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The place that is no TOML, no known key, or no list of what the key asks for.
    pub fn parse(source: Source) -> Result<Self, Box<Located>> {
        match Self::read(&source.text) {
            Ok(spec) => Ok(spec),
            Err(diagnostic) => Err(Box::new(Located { source, diagnostic })),
        }
    }

    fn read(text: &str) -> Result<Self, Diagnostic> {
        let file: File = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            Diagnostic::new(Span::new(span.start, span.end), error.message().trim()).help(KEYS)
        })?;
        let mut spec = Self::default();
        let algorithms = file.algorithm.as_ref().map(|it| it.get_ref().0.split(',').map(str::trim));
        spec.algorithms = algorithms.into_iter().flatten().map(str::to_owned).collect();
        if spec.algorithms.iter().all(String::is_empty) {
            let message = "the sweep names no algorithm";
            return Err(Diagnostic::new(Span::default(), message)
                .help("add algorithm = \"prefix_sums\", or a list of them"));
        }
        for (name, text) in &file.set {
            spec.set.insert(name.clone(), parsed(text, &format!("set.{name}"), |it| it.parse())?);
        }
        if let Some(words) = &file.machine {
            spec.set_machines(parsed(words, "machine", list::machines)?);
        }
        for (name, text) in &file.rule {
            spec.rules.insert(name.clone(), parsed(text, &format!("rule.{name}"), list::rule)?);
        }
        take(&mut spec.dmms, &file.dmms, "dmms", list::counts)?;
        take(&mut spec.shared_latencies, &file.shared_latency, "shared_latency", |it| {
            list::positive(it, Latency::new)
        })?;
        take(&mut spec.residents, &file.resident, "resident", list::counts)?;
        take(&mut spec.widths, &file.width, "width", |it| list::positive(it, Width::new))?;
        take(&mut spec.latencies, &file.latency, "latency", |it| list::positive(it, Latency::new))?;
        take(&mut spec.threads, &file.threads, "threads", |it| list::positive(it, Threads::new))?;
        take(&mut spec.modes, &file.mode, "mode", list::words)?;
        take(&mut spec.bulk, &file.bulk, "bulk", list::arrangements)?;
        spec.inputs = file.input.into_iter().map(|(name, it)| (name, it.into())).collect();
        spec.seed = file.seed.unwrap_or(spec.seed);
        spec.phases = file.phases.unwrap_or(spec.phases);
        spec.while_iterations = file.while_limit.unwrap_or(spec.while_iterations);
        Ok(spec)
    }

    /// What [`list::machines`] found; memory machines stay as they are where it found none.
    pub fn set_machines(&mut self, (memory, courses): (Vec<MachineKind>, Vec<CostKind>)) {
        if courses.is_empty() {
            self.machines = memory;
        }
        self.courses = courses;
    }

    /// What is given of memory machines, by its flag, though the sweep is of others.
    pub(super) fn of_memory_in_vain(&self) -> Option<&'static str> {
        let plain = Self::default();
        let given = [
            ("-w", self.widths != plain.widths),
            ("-l", self.latencies != plain.latencies),
            ("--mode", self.modes != plain.modes),
            ("--bulk", self.bulk != plain.bulk),
            ("--phases", self.phases),
            ("-d, --shared-latency or --resident", self.describes_dmms()),
        ];
        given.into_iter().find(|it| it.1).map(|it| it.0)
    }

    /// The kinds of machine, an HMM with every combination of its DMMs: d outermost, then ls, R.
    pub fn kinds(&self) -> Vec<MachineKind> {
        let mut kinds = vec![];
        for &kind in &self.machines {
            if kind.dmms().is_none() {
                kinds.push(kind);
                continue;
            }
            for &number in &self.dmms {
                for &latency in &self.shared_latencies {
                    let of = |&resident| Dmms { number, latency, resident };
                    kinds.extend(self.residents.iter().map(of).map(MachineKind::hierarchical));
                }
            }
        }
        kinds
    }

    /// A listing without sizes but those that are given one value, on the first machine, in the first
    /// mode and arrangement: what is asked of all sizes is asked of it.
    #[must_use]
    pub fn of_all_sizes(&self, mut case: Case) -> Case {
        for (name, grid) in &self.set {
            if let [value] = grid.0[..] {
                case = case.set(name, value);
            }
        }
        case.machine.kind = self.kinds()[0];
        (case.mode, case.bulk) = (self.modes[0], self.bulk[0]);
        (case.while_iterations, case.work) = (self.while_iterations, self.work);
        case
    }

    /// The machine that all points shall have where no axis says otherwise.
    pub fn set_machine(&mut self, machine: Machine) {
        let Machine { kind, width, latency } = machine;
        (self.machines, self.widths, self.latencies) = (vec![kind], vec![width], vec![latency]);
        if let Some(Dmms { number, latency, resident }) = kind.dmms() {
            self.dmms = vec![number];
            self.shared_latencies = vec![latency];
            self.residents = vec![resident];
        }
    }

    /// Whether DMMs are described though no machine has any.
    pub(super) fn describes_dmms_in_vain(&self) -> bool {
        self.machines.iter().all(|it| it.dmms().is_none()) && self.describes_dmms()
    }

    fn describes_dmms(&self) -> bool {
        let one = Dmms::ONE;
        self.dmms != [one.number]
            || self.shared_latencies != [one.latency]
            || self.residents != [one.resident]
    }
}

/// The keys of a file, for a message.
const KEYS: &str = "the keys are algorithm, set, machine, rule, dmms, shared_latency, resident, width, \
                    latency, threads, mode, bulk, input, seed, phases and while_limit; see `umm sweep --help`";

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct File {
    algorithm: Option<Spanned<Words>>,
    set: BTreeMap<String, Spanned<Words>>,
    machine: Option<Spanned<Words>>,
    rule: BTreeMap<String, Spanned<Words>>,
    dmms: Option<Spanned<Words>>,
    shared_latency: Option<Spanned<Words>>,
    resident: Option<Spanned<Words>>,
    width: Option<Spanned<Words>>,
    latency: Option<Spanned<Words>>,
    threads: Option<Spanned<Words>>,
    mode: Option<Spanned<Words>>,
    bulk: Option<Spanned<Words>>,
    input: BTreeMap<String, String>,
    seed: Option<u64>,
    phases: Option<bool>,
    while_limit: Option<u64>,
}

fn take<T>(
    place: &mut T,
    words: &Option<Spanned<Words>>,
    key: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<(), Diagnostic> {
    if let Some(words) = words {
        *place = parsed(words, key, parse)?;
    }
    Ok(())
}

fn parsed<T>(
    words: &Spanned<Words>,
    key: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<T, Diagnostic> {
    parse(&words.get_ref().0).map_err(|error| {
        let span = words.span();
        Diagnostic::new(Span::new(span.start, span.end), format!("`{key}`: {error}"))
            .help("give one value, a list as in [32, 64], or a range as in \"64..4096*2\"")
    })
}

/// A list as a flag writes it, whichever way the file does: `"1,2"`, `[1, 2]`, `1`.
struct Words(String);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordsVisitor)
    }
}

struct WordsVisitor;

impl<'de> Visitor<'de> for WordsVisitor {
    type Value = Words;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a whole number, or a list of them")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Words, E> {
        Ok(Words(text.to_owned()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Words, E> {
        Ok(Words(number.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Words, A::Error> {
        let mut words: Vec<String> = vec![];
        while let Some(Words(word)) = sequence.next_element()? {
            words.push(word);
        }
        Ok(Words(words.join(",")))
    }
}
