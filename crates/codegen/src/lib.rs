//! From a checked program to CUDA C that runs the same algorithm, bit by bit.
//!
//! A program without parallel loops is one kernel: a bulk run has one thread an input and one
//! function that says where a cell lies. A parallel nest is one kernel, flattened in lexicographic
//! order, so that what is coalesced in the listing is coalesced on the device; the sequential
//! statements around nests launch them from the host, or stand with them in one cooperative kernel
//! with barriers of the whole grid. A loop on DMMs is one kernel, too: its blocks are blocks of
//! threads, with `__shared__` memory and registers of their own. This is the conversion that Tani et
//! al. 2014, Section VI, leave to future work.
//!
//! Sizes that are known when a file is emitted are constants of it; where with them every address
//! fits 32 bits, so is it computed.
//!
//! What a listing says is kept to the last bit: sums and products are rounded one by one, integers
//! wrap, quotients round down. What a run on the machine checks is not: indices outside their
//! array, divisions by zero and conversions that do not fit have no defined result. Threads of one
//! nest must not wait for each other's values: `umm check` finds such races.

mod atomic;
mod barriers;
mod block;
mod block_size;
mod cell_order;
mod choices;
mod cpp_text;
mod declarations;
mod emitter;
mod expression;
mod interval;
mod intervals;
mod iteration_order;
mod iterations;
mod lines;
mod mathematics;
mod names;
mod neighbours;
mod nest;
mod operators;
mod prefetch;
mod prelude;
mod random;
mod ring;
mod short_floats;
mod standalone;
mod statement;
mod storage;
mod tiles;
mod title;
mod vector;
mod warp;

use std::collections::HashSet;

use self::emitter::Emitter;
pub use self::iterations::{is_walked, iterations};
use self::names::Scalars;
pub use self::storage::{array_bytes, bytes, bytes_of, sizes};
pub use self::tiles::Tile;
use memory_machine_core::diagnostic::{Diagnostic, Located, Span};
use memory_machine_core::keyword::keywords;
use memory_machine_core::language::program::{
    ArrayId, Expr, ExprKind, LoopId, LoopRange, Program, ScalarId, Statement,
};
use memory_machine_core::language::walk::{outermost_parallel, statements, statements_outside};
use memory_machine_core::run::layout::Arrangement;
use memory_machine_core::trace::AccessKind;

/// The device function `grid_barrier` of cooperative kernels, for kernels that time it.
pub fn grid_barrier() -> String {
    prelude::needed("grid_barrier(")
}

/// Threads of a block that share a nest.
pub const BLOCK: u32 = 128;

/// The most threads that a block of a loop on DMMs may have on a GPU.
pub const MOST_THREADS: u32 = 1024;

/// Threads of a block of a cooperative kernel: large, since every block comes to every barrier.
pub const COOPERATIVE_BLOCK: u32 = 1024;

/// Threads of a block of a bulk run.
pub const BULK_BLOCK: u32 = 64;

/// Iterations by which a bulk run's reads are made ahead of their place, where that changes no
/// value.
pub const PREFETCH: u32 = 128;

/// Arguments of one kernel: CUDA passes 32,764 bytes.
const MOST_ARGUMENTS: usize = 4095;
/// Arguments of all kernels together: every kernel takes every array.
const MOST_PASSED: usize = 1 << 20;

/// The most that `--prefetch` takes: the iterations that a ring of reads under way holds.
pub const MOST_PREFETCH: u32 = PREFETCH;

/// How the sequential statements around parallel nests are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Launch {
    /// By the host, a launch a nest.
    Plain,
    /// The same launches, captured once in a CUDA graph and replayed.
    Graph,
    /// In one cooperative kernel, with a barrier of the whole grid after each nest.
    Cooperative,
}

impl Launch {
    /// Every way; a listing that is told none takes the first that it allows.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Graph, Self::Cooperative];
}

keywords! { Launch {
    Plain "plain" "The host launches a kernel for each parallel nest"
    Graph "graph" "The same launches, captured once in a CUDA graph"
    Cooperative "cooperative" "One cooperative kernel, with barriers of the whole grid"
} }

/// What to emit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    /// The arrangement of a bulk run; `None` for a run that is none.
    pub bulk: Option<Arrangement>,
    /// How statements around parallel nests are carried out.
    pub launch: Launch,
    /// Iterations by which reads are made ahead of their place; 1 for each in its place.
    pub prefetch: u32,
    /// Whether a `main` follows that allocates, runs, and times.
    pub standalone: bool,
}

/// A `__global__` function. Its arguments: the global arrays, the parameters that are no constants,
/// the scalars that it captures, and for a bulk run the number of inputs, for a cooperative kernel the
/// barrier's counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// As in the source.
    pub name: String,
    /// The parallel loop that it executes; `None` for a whole program.
    pub of: Option<LoopId>,
    /// Scalars from outside the loop, which come as arguments after the parameters.
    pub captured: Vec<ScalarId>,
    /// The blocks of threads that it is launched with.
    pub grid: LaunchGrid,
    /// Threads of each.
    pub threads: u32,
    /// Bytes of dynamic shared memory of each; 0 where its arrays are declared with their sizes.
    pub shared: u32,
    /// How the listing became code, and why so: sentences for people.
    pub choices: Vec<String>,
}

/// How many blocks of threads a kernel is launched with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaunchGrid {
    /// As a whole program needs them: one thread, one an input, or as many as are resident.
    Program,
    /// As many as give each thread this many iterations of a nest, if the device has room for them.
    Threads(u32),
    /// One for each iteration, that is for each block of a loop on DMMs.
    Blocks,
    /// This many as the tiles say: their threads lie so over the nest's innermost two loops.
    Tiles(Tile),
}

/// A file of CUDA C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emission {
    /// The whole text.
    pub source: String,
    /// In the order of the source.
    pub kernels: Vec<Kernel>,
    /// By parameter, its value if that is a constant of the file.
    pub constants: Vec<Option<i64>>,
}

impl Emission {
    /// Adds a line of comment at the top, below what the file is.
    pub fn remark(&mut self, text: &str) {
        let end = self.source.find('\n').map_or(0, |at| at + 1);
        self.source.insert_str(end, &format!("// {text}\n"));
    }

    /// The kernel of a parallel loop, and its number.
    pub fn of_loop(&self, id: LoopId) -> Option<(usize, &Kernel)> {
        of_loop(&self.kernels, id).map(|index| (index, &self.kernels[index]))
    }
}

/// The launches that a program allows: those of its parallel loops where no sequential statement
/// accesses memory, since that stays on the device. Loops on DMMs have grids of their own.
pub fn launches(program: &Program) -> &'static [Launch] {
    let outer = HostCode::of(program);
    match (outer.loops.is_empty(), outer.access, program.blocks.is_empty()) {
        (true, ..) => &[Launch::Plain],
        (false, _, false) => &[Launch::Plain, Launch::Graph],
        (false, None, true) => &Launch::ALL,
        (false, Some(_), true) => &[Launch::Cooperative],
    }
}

/// Emits a program. `sizes` has a value for each parameter that is to be a constant of the file;
/// those that shape blocks of threads must be, and are their defaults otherwise.
///
/// # Errors
/// Of a standalone program an input that it does not make;
/// A launch that the program does not allow, with the statement that prevents it; a bulk run of a
/// parallel program; blocks of threads whose shape is not known, or that no GPU has.
pub fn emit(
    program: &Program,
    options: Options,
    sizes: &[Option<i64>],
) -> Result<Emission, Box<Located>> {
    emitted(program, options, sizes, |it| it.file())
}

/// Emits a program's cooperative kernel, and after it each of its parallel loops as a kernel of its own
/// whose threads are the grid's: what is done between two barriers can be looked at by itself.
///
/// # Errors
/// As [`emit`].
pub fn emit_between_barriers(
    program: &Program,
    sizes: &[Option<i64>],
) -> Result<Emission, Box<Located>> {
    let options =
        Options { bulk: None, launch: Launch::Cooperative, prefetch: 1, standalone: false };
    emitted(program, options, sizes, |it| Ok(it.between_barriers()))
}

fn emitted(
    program: &Program,
    options: Options,
    sizes: &[Option<i64>],
    emission: impl FnOnce(&Emitter<'_>) -> Result<Emission, Diagnostic>,
) -> Result<Emission, Box<Located>> {
    let located = |diagnostic| Box::new(Located { source: program.source.clone(), diagnostic });
    if let Some(it) = program.listing.reals.iter().find(|it| it.value.is_none()) {
        let name = &it.name.text;
        let message = format!("the parameter `{name}`, a real number, has no value");
        let error = Diagnostic::new(it.name.span, message);
        let help = format!("it is a constant of the code: give it, as in --set {name}=0.5");
        return Err(located(error.help(help)));
    }
    if options.bulk.is_some() {
        program.without_vectors("bulk runs")?;
    }
    if options.standalone {
        program.without_global_layouts("programs with a `main`")?;
    }
    let outer = HostCode::of(program);
    if let (Some(_), Some(span)) = (options.bulk, program.first_parallel_loop()) {
        let error = Diagnostic::new(span, "a bulk run executes a sequential program");
        return Err(located(error.label("this loop is parallel").help("leave out --bulk")));
    }
    let between = outer.access.filter(|_| !outer.loops.is_empty());
    if let (Some(span), false) = (between, program.blocks.is_empty()) {
        let error = Diagnostic::new(span, "a statement between loops on DMMs accesses memory")
            .label("the host cannot do this between launches")
            .help("put it into a loop on DMMs of one block");
        return Err(located(error));
    }
    if !launches(program).contains(&options.launch) {
        let error = match (between, program.first_loop_on_dmms()) {
            (_, Some(span)) => {
                Diagnostic::new(span, "loops on DMMs are not part of one cooperative kernel")
                    .label("this loop has blocks of its own")
                    .help("launch each loop: --launch plain or --launch graph")
            }
            (Some(span), None) => {
                Diagnostic::new(span, "a statement between parallel loops accesses memory")
                    .label("the host cannot do this between launches")
                    .help("keep it on the device: --launch cooperative")
            }
            (None, None) => {
                Diagnostic::new(Span::default(), "a program without parallel loops is one kernel")
                    .help("leave out --launch")
            }
        };
        return Err(located(error));
    }
    let mut parallel = statements(&program.body).filter(|it| it.is_parallel());
    if let Some(span) = parallel.find_map(bounds_written) {
        let error = Diagnostic::new(span, "the loop's bounds read an array that the loop writes");
        return Err(located(error.help("read the bound into a scalar before the loop")));
    }
    let given = program.global_arrays().count() + program.parameters.len();
    let captured = outer.loops.iter().map(|it| captured(it).len()).max().unwrap_or(0);
    if given + captured + 1 > MOST_ARGUMENTS || given * outer.loops.len() > MOST_PASSED {
        let kernels = outer.loops.len().max(1);
        let message = format!(
            "{kernels} kernels of {given} arrays and parameters, and up to {captured} scalars"
        );
        let help = format!(
            "a kernel takes at most {MOST_ARGUMENTS}, all kernels together {MOST_PASSED}: declare \
             fewer arrays, or use fewer scalars in one loop"
        );
        return Err(located(Diagnostic::new(Span::default(), message).help(help)));
    }
    warp::check(program).map_err(located)?;
    let constants = block_size::constants(program, sizes).map_err(located)?;
    let blocks = block_size::sizes(program, &constants).map_err(located)?;
    emission(&Emitter::new(program, options, outer, &constants, &blocks)).map_err(located)
}

/// What stands outside parallel loops.
struct HostCode<'a> {
    /// Nests, and loops on DMMs.
    loops: Vec<&'a Statement>,
    /// The first access to memory.
    access: Option<Span>,
    reads: bool,
    writes: bool,
}

impl<'a> HostCode<'a> {
    fn of(program: &'a Program) -> Self {
        let outside = || statements_outside(&program.body, Statement::is_parallel);
        let accesses = || outside().flat_map(Statement::accesses);
        // The GPU holds the tables, too.
        let parts = || outside().flat_map(Statement::expressions).flat_map(Expr::parts);
        let entry = parts().find(|it| matches!(it.kind, ExprKind::Entry(..))).map(|it| it.span);
        Self {
            loops: outermost_parallel(&program.body).collect(),
            access: accesses().next().map(|it| it.span).or(entry),
            reads: accesses().any(|it| program.sites[it.site.0].kind == AccessKind::Read)
                || entry.is_some(),
            writes: accesses().any(|it| program.sites[it.site.0].kind == AccessKind::Write),
        }
    }
}

/// The bounds of a parallel loop that read an array which its body writes.
fn bounds_written(source: &Statement) -> Option<Span> {
    let stored = source.blocks().flat_map(statements).filter_map(|it| match it {
        Statement::Store { access, .. } => Some(access.array),
        _ => None,
    });
    let written: HashSet<ArrayId> = stored.collect();
    let bounds = source.ranges().iter().flat_map(LoopRange::bounds);
    bounds.flat_map(Expr::reads).find(|it| written.contains(&it.array)).map(|it| it.span)
}

/// The scalars from outside that a parallel loop reads, in the order of its text.
fn captured(source: &Statement) -> Vec<ScalarId> {
    let scalars = Scalars::of_loop(source);
    scalars.others.iter().copied().filter(|&it| !scalars.assigned.contains(it)).collect()
}

/// The index of a parallel loop's kernel. Kernels stand in the order of their loops.
fn of_loop(kernels: &[Kernel], id: LoopId) -> Option<usize> {
    kernels.binary_search_by_key(&Some(id), |kernel| kernel.of).ok()
}
