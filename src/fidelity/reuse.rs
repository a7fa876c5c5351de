//! How soon a thread of a bulk run comes back to what it accessed before.
//!
//! Caches are as large as they are: an access finds its sector in one if not too much else was
//! accessed since. The number of different address groups in a stretch of accesses is taken from
//! the times between accesses to the same group (Denning's working set), so that each access costs
//! a constant time.

use crate::case::{Case, CaseError};
use crate::language::oblivious::{Origin, first_dependence};
use crate::language::program::{Nest, Program};
use crate::run::layout::Arrangement;
use crate::run::{self, Accesses, Observer};
use crate::trace::Kind;

/// For each site, how its accesses lie after earlier ones to the same sector.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reuse {
    sites: Vec<Distances>,
}

/// Accesses by the number of different address groups that the thread accessed since.
#[derive(Debug, Clone, Default, PartialEq)]
struct Distances {
    /// Ascending: groups in between, part of the accesses.
    parts: Vec<(f64, f64)>,
}

impl Reuse {
    /// The part of a site's accesses that a cache of so many of the thread's address groups serves.
    /// Of writes, the part that meets a sector which still waits to be written back.
    pub(super) fn within(&self, site: usize, groups: f64) -> f64 {
        let parts = &self.sites[site].parts;
        parts.iter().take_while(|it| it.0 <= groups).map(|it| it.1).sum()
    }
}

/// Words of an address group and of a sector, as far as one thread sees them.
pub(super) const fn extent(arrangement: Arrangement) -> (u64, u64) {
    match arrangement {
        Arrangement::RowWise => (32, 8),
        // Its neighbours are other threads' cells.
        Arrangement::ColumnWise => (1, 1),
    }
}

/// Runs the thread of one input; `case` has one. With values only where accesses depend on them.
pub(super) fn reuse(case: &Case, arrangement: Arrangement) -> Result<Reuse, CaseError> {
    let (program, layout) = (&*case.program, &case.layout()?);
    let (group, sector) = extent(arrangement);
    let mut watch = Watch {
        program,
        sector,
        group,
        now: 0,
        sectors: vec![0; (layout.words / sector + 1) as usize],
        written: vec![0; (layout.words / sector + 1) as usize],
        groups: vec![0; (layout.words / group + 1) as usize],
        between: vec![Histogram::default(); program.sites.len()],
        groups_between: Histogram::default(),
    };
    match first_dependence(program, Origin::AnyArray) {
        None => run::execute_without_values(program, layout, case.limits(), &mut watch)?,
        Some(_) => {
            case.execute(layout, &mut case.memory(layout)?, &mut watch)?;
        }
    }
    let working_set = watch.groups_between.working_set();
    let site = |histogram: &Histogram| {
        let all = histogram.all().max(1) as f64;
        let filled = histogram.times.iter().enumerate().filter(|it| *it.1 > 0);
        let part = |(bucket, &count): (usize, &u64)| (working_set[bucket], count as f64 / all);
        Distances { parts: filled.map(part).collect() }
    };
    Ok(Reuse { sites: watch.between.iter().map(site).collect() })
}

/// Eighths of octaves that times between accesses are told apart by.
const BUCKETS: usize = 8 * 64;

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
        (0..BUCKETS).map(grow).collect()
    }
}

struct Watch<'a> {
    program: &'a Program,
    sector: u64,
    group: u64,
    /// Accesses so far.
    now: u64,
    /// When each sector was last accessed, when last written, and each group last accessed; 0 if
    /// never.
    sectors: Vec<u64>,
    written: Vec<u64>,
    groups: Vec<u64>,
    between: Vec<Histogram>,
    groups_between: Histogram,
}

impl Observer for Watch<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        self.now += 1;
        let address = accesses.addresses[0];
        let (sector, group) = ((address / self.sector) as usize, (address / self.group) as usize);
        let last = std::mem::replace(&mut self.sectors[sector], self.now);
        let site = accesses.site.0;
        match self.program.sites[site].kind {
            Kind::Read => self.between[site].add(last, self.now),
            Kind::Write => {
                let last = std::mem::replace(&mut self.written[sector], self.now);
                self.between[site].add(last, self.now);
            }
        }
        let last = std::mem::replace(&mut self.groups[group], self.now);
        self.groups_between.add(last, self.now);
    }

    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}
}
