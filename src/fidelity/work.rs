//! What a program gives the machine to do, kernel by kernel: counted, not measured.

use std::sync::Arc;

use super::reuse::{self, Reuse};
use super::thread::{Group, groups};
use crate::case::{Case, CaseError};
use crate::diagnostic::Diagnostic;
use crate::emission::{self, BLOCK, BULK_BLOCK, COOPERATIVE_BLOCK, Launch};
use crate::language::program::{Block, LoopId, Nest, Program, ScalarId};
use crate::language::walk::{accesses, nests};
use crate::machine::{Machine, Mode};
use crate::run::layout::{Arrangement, Layout};
use crate::run::{self, Accesses, Observer};
use crate::trace::{Kind, Phase};
use crate::units::{Threads, Width};

/// How a program is put on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// How sequential statements around parallel loops are done; `None` for the first way that the
    /// listing allows.
    pub launch: Option<Launch>,
    /// Iterations by which reads are made ahead of their place; 1 for each in its place.
    pub prefetch: u64,
}

/// What one number of inputs tells of all: kept between runs of one program, size and arrangement.
#[derive(Debug, Clone)]
pub struct Known(Arc<Reuse>);

/// Everything that a run makes the machine do.
#[derive(Debug, Clone)]
pub struct Work {
    /// In the order of the program; a kernel stands here once, however often it is launched.
    pub kernels: Vec<Kernel>,
    /// How they are launched.
    pub launch: Launch,
    /// Bytes of all arrays.
    pub bytes: f64,
    /// Time units on the plain UMM.
    pub time_units: f64,
}

/// A kernel over all its launches.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Threads of a block.
    pub block: f64,
    /// Threads of each launch.
    pub launches: Vec<f64>,
    /// Steps in which a thread finds its iteration.
    pub(super) search: f64,
    pub(super) sites: Vec<Site>,
    pub(super) groups: Vec<Group>,
    pub(super) reuse: Option<Bulkwise>,
}

/// Where a thread of a bulk run comes back to what it accessed.
#[derive(Debug, Clone)]
pub(super) struct Bulkwise {
    pub(super) reuse: Arc<Reuse>,
    /// Bytes of cache that one of the thread's address groups takes.
    pub(super) group_bytes: f64,
    /// Bytes of shared memory for a thread's reads made ahead.
    pub(super) shared_bytes: f64,
}

/// An access of the listing, over all launches and threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site {
    pub(super) number: usize,
    pub(super) kind: Kind,
    pub(super) accesses: f64,
    /// By warps of 32 threads, and the address groups of 32 words that they touch.
    pub(super) dispatches: f64,
    pub(super) groups: f64,
    /// Sectors that warps of 8 threads touch.
    pub(super) sectors: f64,
}

/// Accesses of one input, or rows of all nests, that a prediction goes through; more would take
/// minutes.
const MOST_FOLLOWED: u128 = 1 << 26;

/// Threads of a warp, and words of an address group of a multiprocessor's cache.
const WARP: Width = Width::at_least_one(32);
/// Words of a sector.
const SECTOR: Width = Width::at_least_one(8);

impl Work {
    /// What `case` does on a device that has `resident` threads at once, which a nest's rounds have;
    /// time units are counted on its machine with warps of 32 threads. How a bulk run's thread comes
    /// back to what it accessed does not depend on the number of inputs: it is found once, if `known`
    /// is kept.
    ///
    /// # Errors
    /// Sizes that make no sense; what running the listing would find.
    pub fn of(
        case: &Case,
        manner: Manner,
        resident: Threads,
        known: &mut Option<Known>,
    ) -> Result<Self, CaseError> {
        let program = &*case.program;
        let launch = launch(case, manner)?;
        // More threads than a nest's round has come in further rounds.
        let threads = if case.bulk.is_some() { case.threads } else { resident };
        let machine = Machine { width: WARP, ..case.machine };
        let case = &Case { threads, machine, mode: Mode::Sync, ..case.clone() };
        let layout = case.layout()?;
        let planned = match case.bulk {
            Some(_) => vec![],
            None => Planner::plan(case, &layout, resident)?,
        };
        let by_site = Case { program: by_site(program).into(), ..case.clone() };
        // Warps are the plain machine's, so that its time is counted with them.
        let warps = by_site.time()?.counts;
        let time_units = warps.iter().map(|it| it.time_units.0 as f64).sum();
        let machine = Machine { width: SECTOR, ..machine };
        let sectors = Case { machine, ..by_site }.time()?.counts;
        let site = |number: usize| Site {
            number,
            kind: program.sites[number].kind,
            accesses: warps[number].accesses as f64,
            dispatches: warps[number].dispatches as f64,
            groups: warps[number].stages as f64,
            sectors: sectors[number].stages as f64,
        };
        let kernel = |body: &Block, launches: Vec<f64>, reuse: Option<Bulkwise>| {
            let sites = accesses(body).map(|it| site(it.site.0)).collect();
            let block = match (case.bulk, launch) {
                (Some(_), _) => BULK_BLOCK,
                (None, Launch::Cooperative) => COOPERATIVE_BLOCK,
                (None, _) => BLOCK,
            };
            let groups = groups(program, body, manner.prefetch);
            Kernel { block: block.into(), launches, search: 0.0, sites, groups, reuse }
        };
        let kernels = match case.bulk {
            Some(arrangement) => {
                let reuse = if let Some(Known(it)) = known {
                    it.clone()
                } else {
                    let accesses: u128 = warps.iter().map(|it| it.accesses).sum();
                    let accesses = accesses / u128::from(threads.get());
                    if accesses > MOST_FOLLOWED {
                        return Err(CaseError::Given(format!(
                            "one input of this run makes {accesses} accesses, and a prediction goes \
                             through them one by one, up to {MOST_FOLLOWED}: choose smaller sizes"
                        )));
                    }
                    let one = Case { threads: Threads::ONE, ..case.clone() };
                    Arc::new(reuse::reuse(&one, arrangement)?)
                };
                *known = Some(Known(reuse.clone()));
                let shared =
                    groups(program, &program.body, manner.prefetch).iter().any(|it| it.prefetch);
                let bulkwise = Bulkwise {
                    reuse,
                    group_bytes: match arrangement {
                        Arrangement::RowWise => 4.0 * WARP.get() as f64,
                        Arrangement::ColumnWise => 4.0,
                    },
                    shared_bytes: if shared { 4.0 * manner.prefetch as f64 } else { 0.0 },
                };
                vec![kernel(&program.body, vec![threads.get() as f64], Some(bulkwise))]
            }
            None => {
                let nests = nests(&program.body).zip(planned);
                nests
                    .map(|(nest, it)| {
                        let search = it.search;
                        Kernel { search, ..kernel(&nest.body, it.launches, None) }
                    })
                    .collect()
            }
        };
        let bytes = emission::bytes(program, &layout) as f64;
        Ok(Self { kernels, launch, bytes, time_units })
    }

    /// Kernels that are launched, or barriers that are waited at.
    pub fn launches(&self) -> usize {
        self.kernels.iter().map(|it| it.launches.len()).sum()
    }
}

/// How the case is launched, if it can be.
fn launch(case: &Case, manner: Manner) -> Result<Launch, CaseError> {
    let program = &*case.program;
    let allowed = emission::launches(program);
    let launch = manner.launch.unwrap_or(allowed[0]);
    // The emitter knows what cannot be run so.
    let options = emission::Options {
        bulk: case.bulk,
        launch,
        prefetch: u32::try_from(manner.prefetch).unwrap_or(1),
        standalone: false,
    };
    emission::emit(program, options, &[])?;
    let is_sequential = program.first_parallel_loop().is_none() || allowed.len() == 1;
    if case.bulk.is_none() && is_sequential {
        return Err(CaseError::Given(format!(
            "{}: a program's seconds are predicted as a bulk run (--bulk row, --bulk column), or if \
             it has parallel loops with no access to memory between them",
            program.name
        )));
    }
    Ok(launch)
}

/// The program with each site as a phase of its own.
fn by_site(program: &Program) -> Program {
    let mut program = program.clone();
    program.phases = (0..program.sites.len()).map(|it| it.to_string()).collect();
    for (number, site) in (0..).zip(&mut program.sites) {
        site.phase = Phase(number);
    }
    program
}

/// Whether a nest's rows differ in length, so that a thread searches for its own.
fn is_searched(nest: &Nest) -> bool {
    let mut inner = nest.ranges[1..].iter().flat_map(|range| [&range.from, &range.to]);
    let is_variable = |it| nest.ranges.iter().any(|range| range.variable == it);
    inner.any(|bound| bound.scalars().any(is_variable))
}

/// A nest's launches.
struct Planned {
    nest: LoopId,
    searched: bool,
    /// Threads of each.
    launches: Vec<f64>,
    /// The most steps of a look-up.
    search: f64,
}

/// Notes how many threads each launch of each nest has.
struct Planner<'a> {
    layout: &'a Layout,
    /// Threads that are there at once.
    resident: u64,
    nests: Vec<Planned>,
    /// Of all nests whose rows are gone through one by one.
    rows: u128,
}

impl<'a> Planner<'a> {
    /// The launches of each nest, in the order of the program.
    fn plan(case: &Case, layout: &'a Layout, resident: Threads) -> Result<Vec<Planned>, CaseError> {
        let program = &*case.program;
        let planned = |nest: &Nest| Planned {
            nest: nest.id(),
            searched: is_searched(nest),
            launches: vec![],
            search: 0.0,
        };
        let nests = nests(&program.body).map(planned).collect();
        let mut planner = Self { layout, resident: resident.get(), nests, rows: 0 };
        run::execute_without_values(program, layout, case.limits(), &mut planner)?;
        Ok(planner.nests)
    }
}

impl Observer for Planner<'_> {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn skip_nest(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        let known = |scalar| Some(scalars(scalar));
        let parameters = &self.layout.parameters;
        let rows = emission::iterations(&nest.ranges[..1], parameters, &known).unwrap_or(0);
        if is_searched(nest) {
            self.rows += u128::from(rows);
        }
        if self.rows > MOST_FOLLOWED {
            let message = format!(
                "with these loops there are {} rows of different lengths, and a prediction goes \
                 through them one by one, up to {MOST_FOLLOWED}: choose smaller sizes",
                self.rows
            );
            return Err(Diagnostic::new(nest.span, message).into());
        }
        let iterations = emission::iterations(&nest.ranges, parameters, &known).unwrap_or(0);
        let here = self.nests.iter_mut().find(|it| it.nest == nest.id());
        let Some(planned) = here else { return Ok(true) };
        if iterations > 0 {
            let rows = rows as f64;
            // Threads that count all rows do so once each: no more come than are there at once.
            let walked = emission::is_walked(&nest.ranges);
            let threads = if walked { iterations.min(self.resident) } else { iterations };
            planned.launches.push(threads as f64);
            let steps = if walked { rows } else { rows.log2().ceil() };
            if planned.searched {
                planned.search = planned.search.max(steps);
            }
        }
        Ok(true)
    }
}
