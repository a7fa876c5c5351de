//! How soon a thread of a bulk run comes back to what it accessed before.
//!
//! Caches are as large as they are: an access finds its sector in one if not too much else was
//! accessed since. The number of different address groups in a stretch of accesses is taken from
//! the times between accesses to the same group (Denning's working set), so that each access costs
//! a constant time.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use memory_machine_case::{Case, CaseError};
use memory_machine_codegen as codegen;
use memory_machine_core::language::oblivious::{Origin, first_dependence};
use memory_machine_core::language::program::{Array, Nest, Program};
use memory_machine_core::run::layout::{Arrangement, Layout};
use memory_machine_core::run::{self, Accesses, Active, Observer, Operation};
use memory_machine_core::trace::AccessKind;
use memory_machine_core::units::{Threads, WARP};

/// For each site, how its accesses lie after earlier ones to the same sector.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reuse {
    sites: Vec<ReuseDistances>,
    /// How often the thread accesses each.
    pub(super) accesses: Vec<f64>,
    /// How often any thread of its warp does.
    pub(super) turns: Vec<f64>,
    /// What its warp computes, by kind.
    pub(super) operations: BTreeMap<Operation, f64>,
}

/// Accesses by the number of different address groups that the thread accessed since.
#[derive(Debug, Clone, Default, PartialEq)]
struct ReuseDistances {
    /// Ascending: groups in between, part of the accesses.
    parts: Vec<(f64, f64)>,
}

impl Reuse {
    /// The part of a site's accesses that a cache of this many of the thread's address groups serves.
    /// Of writes, the part that meets a sector which still waits to be written back.
    pub(super) fn within(&self, site: usize, groups: f64) -> f64 {
        let parts = &self.sites[site].parts;
        parts.iter().take_while(|it| it.0 <= groups).map(|it| it.1).sum()
    }

    /// The same of a cache that whatever comes takes some of, by chance, where it is too small.
    pub(super) fn mostly_within(&self, site: usize, groups: f64) -> f64 {
        let parts = &self.sites[site].parts;
        parts.iter().map(|it| it.1 * (groups / it.0.max(groups)).min(1.0)).sum()
    }
}

/// Accesses of one input that a prediction goes through; more would take minutes.
const MOST_FOLLOWED: u128 = 1 << 26;

/// What one number of inputs tells of all: kept between runs of one program and size.
#[derive(Debug, Clone, Default)]
pub struct ReuseCache {
    /// By arrangement.
    known: HashMap<Arrangement, Arc<Reuse>>,
    /// Whether one run tells it of both arrangements, where it can.
    of_both: bool,
}

impl ReuseCache {
    /// For runs of both arrangements.
    pub fn of_both() -> Self {
        Self { of_both: true, ..Self::default() }
    }

    pub(super) fn get(
        &mut self,
        case: &Case,
        arrangement: Arrangement,
    ) -> Result<Arc<Reuse>, CaseError> {
        if let Some(known) = self.known.get(&arrangement) {
            return Ok(known.clone());
        }
        let both = [Arrangement::RowWise, Arrangement::ColumnWise];
        let (threads, arrangements) = match first_dependence(&case.program, Origin::AnyArray) {
            None if self.of_both => (Threads::ONE, &both[..]),
            None => (Threads::ONE, &[arrangement][..]),
            Some(_) => (Threads::at_least_one(WARP), &[arrangement][..]),
        };
        let some = Case { threads, ..case.clone() };
        let found = reuse(&some, arrangements, MOST_FOLLOWED)?;
        self.known.extend(arrangements.iter().copied().zip(found.into_iter().map(Arc::new)));
        Ok(self.known[&arrangement].clone())
    }
}

/// Bytes of an address group and of a sector, as far as one thread sees them.
const fn extent(arrangement: Arrangement) -> (u64, u64) {
    match arrangement {
        Arrangement::RowWise => (128, 32),
        // Its neighbours are other threads' cells.
        Arrangement::ColumnWise => (8, 8),
    }
}

/// Runs the thread of one input, or, where data decide, those of a warp, of which the first is
/// followed; `case` has as many inputs. With values only where accesses depend on them. No
/// more than `most` accesses are followed. For each arrangement; of several the accesses must not
/// differ, as of one input whose accesses depend on no values.
fn reuse(case: &Case, arrangements: &[Arrangement], most: u128) -> Result<Vec<Reuse>, CaseError> {
    let (program, layout) = (&*case.program, &case.layout()?);
    let mut watch = ReuseObserver {
        program,
        now: 0,
        most,
        operations: [0.0; Operation::ALL.len()],
        turns: vec![0.0; program.sites.len()],
        of: arrangements.iter().map(|it| ArrangedArrays::new(*it, case, layout)).collect(),
    };
    let run = match first_dependence(program, Origin::AnyArray) {
        None => run::execute_without_values(program, layout, case.limits(), &mut watch)
            .map_err(CaseError::from),
        Some(_) => case.execute(layout, &mut case.memory(layout)?, &mut watch).map(|_| ()),
    };
    if u128::from(watch.now) >= most {
        return Err(CaseError::TooLong(format!(
            "one input of this run makes more than {most} accesses, and a prediction goes through \
             them one by one: choose smaller sizes"
        )));
    }
    run?;
    let operations = Operation::ALL.into_iter().zip(watch.operations);
    let operations: BTreeMap<_, _> = operations.filter(|it| it.1 > 0.0).collect();
    let reuse = |of: &ArrangedArrays| Reuse {
        turns: watch.turns.clone(),
        sites: of.distances(),
        accesses: of.between.iter().map(|it| it.all() as f64).collect(),
        operations: operations.clone(),
    };
    Ok(watch.of.iter().map(reuse).collect())
}

/// Eighths of octaves that times between accesses are distinguished by.
const TIME_BUCKETS: usize = 8 * 64;

/// How many accesses lie how far apart.
#[derive(Debug, Clone, Default)]
struct Histogram {
    /// By bucket, up to the last that has any.
    times: Vec<u64>,
    /// Accesses without an earlier one.
    first: u64,
}

const fn bucket(time: u64) -> usize {
    let octave = time.ilog2();
    let eighth = if octave < 3 { 0 } else { (time >> (octave - 3)) & 7 };
    octave as usize * 8 + eighth as usize
}

/// The shortest time of a bucket.
fn start(bucket: usize) -> f64 {
    2_f64.powi((bucket / 8) as i32) * (1.0 + (bucket % 8) as f64 / 8.0)
}

impl Histogram {
    fn add(&mut self, last: u64, now: u64) {
        if last == 0 {
            self.first += 1;
        } else {
            let bucket = bucket(now - last);
            if bucket >= self.times.len() {
                self.times.resize(bucket + 1, 0);
            }
            self.times[bucket] += 1;
        }
    }

    fn all(&self) -> u64 {
        self.first + self.times.iter().sum::<u64>()
    }

    /// Different groups in a stretch as long as each bucket says: the sum, over its accesses, of
    /// the part of all accesses that come back no sooner.
    fn working_set(&self) -> Vec<f64> {
        let all = self.all().max(1) as f64;
        let (mut later, mut time, mut size) = (all, 0.0, 0.0);
        let grow = |bucket: usize| {
            let next = start(bucket).max(time);
            size += (next - time) * later / all;
            time = next;
            later -= self.times.get(bucket).map_or(0.0, |it| *it as f64);
            size
        };
        (0..TIME_BUCKETS).map(grow).collect()
    }
}

struct ReuseObserver<'a> {
    program: &'a Program,
    most: u128,
    /// As in [`Operation::ALL`].
    operations: [f64; Operation::ALL.len()],
    /// How often any thread accesses, by site.
    turns: Vec<f64>,
    /// Accesses so far.
    now: u64,
    of: Vec<ArrangedArrays>,
}

/// Where the words lie by one arrangement, and when they were accessed.
struct ArrangedArrays {
    /// By array: its first word, its first byte, bytes of a word.
    places: Vec<(u64, u64, u64)>,
    sector: u64,
    group: u64,
    /// Neighbouring words that are of different inputs.
    inputs: u64,
    /// When each sector was last accessed, when last written, and each group last accessed; 0 if
    /// never.
    sectors: Vec<u64>,
    written: Vec<u64>,
    groups: Vec<u64>,
    between: Vec<Histogram>,
    groups_between: Histogram,
}

impl ArrangedArrays {
    fn new(arrangement: Arrangement, case: &Case, layout: &Layout) -> Self {
        let program = &case.program;
        let (group, sector) = extent(arrangement);
        // Cells of a column take eight bytes each, of whichever type: they lie apart.
        let bytes = |array: &Array| match arrangement {
            Arrangement::RowWise => codegen::bytes_of(array.element),
            Arrangement::ColumnWise => 8,
        };
        let mut places = vec![];
        let mut end = 0;
        for (region, array) in layout.regions.iter().zip(&program.arrays) {
            places.push((region.base.0, end, bytes(array)));
            end += (region.cells * bytes(array)).next_multiple_of(256);
        }
        Self {
            sector,
            group,
            inputs: match arrangement {
                Arrangement::RowWise => 1,
                Arrangement::ColumnWise => case.threads.get(),
            },
            places,
            sectors: vec![0; (end / sector + 1) as usize],
            written: vec![0; (end / sector + 1) as usize],
            groups: vec![0; (end / group + 1) as usize],
            between: vec![Histogram::default(); program.sites.len()],
            groups_between: Histogram::default(),
        }
    }

    /// An access at a time.
    fn access(&mut self, program: &Program, site: usize, address: u64, now: u64) {
        let site_of = &program.sites[site];
        let (base, start, bytes) = self.places[site_of.array.0];
        let address = (address - base) / self.inputs * bytes + start;
        let (sector, group) = ((address / self.sector) as usize, (address / self.group) as usize);
        let last = std::mem::replace(&mut self.sectors[sector], now);
        match site_of.kind {
            AccessKind::Read => self.between[site].add(last, now),
            AccessKind::Write => {
                let last = std::mem::replace(&mut self.written[sector], now);
                self.between[site].add(last, now);
            }
        }
        let last = std::mem::replace(&mut self.groups[group], now);
        self.groups_between.add(last, now);
    }

    /// By site.
    fn distances(&self) -> Vec<ReuseDistances> {
        let working_set = self.groups_between.working_set();
        let site = |histogram: &Histogram| {
            let all = histogram.all().max(1) as f64;
            let filled = histogram.times.iter().enumerate().filter(|it| *it.1 > 0);
            let part = |(bucket, &count): (usize, &u64)| (working_set[bucket], count as f64 / all);
            ReuseDistances { parts: filled.map(part).collect() }
        };
        self.between.iter().map(site).collect()
    }
}

impl Observer for ReuseObserver<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = accesses.site.0;
        self.turns[site] += 1.0;
        if accesses.active.find(|_| true) != Some(0) {
            return;
        }
        self.now += 1;
        for of in &mut self.of {
            of.access(self.program, site, accesses.addresses[0], self.now);
        }
    }

    fn operation(&mut self, operation: &dyn Fn() -> Option<Operation>, _: &Active) {
        if let Some(operation) = operation() {
            self.operations[operation as usize] += 1.0;
        }
    }

    fn has_seen_enough(&self) -> bool {
        u128::from(self.now) >= self.most
    }

    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}
}
