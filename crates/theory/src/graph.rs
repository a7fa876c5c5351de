//! The accesses of a run and what each needs, as a graph: see [`super::depth`] for what a
//! dependence is.

use std::rc::Rc;

use petgraph::Direction::Incoming;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use thiserror::Error;

use super::def_use::{DefUseTracker, Event, Needs, Recorder};
use memory_machine_core::diagnostic::Located;
use memory_machine_core::language::program::{Program, SiteId};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::Memory;
use memory_machine_core::run::{self, Limits, Observer};
use memory_machine_core::trace::{AccessKind, Space};
use memory_machine_core::units::Address;

/// One thread's access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessNode {
    /// The array reference of the listing.
    pub site: SiteId,
    /// The word accessed.
    pub address: Address,
    /// From 0; in a loop on DMMs, of the threads of its block.
    pub thread: usize,
    /// In a loop on DMMs, which block.
    pub block: Option<u64>,
    /// The access step of the run, from 0; accesses of one step are simultaneous.
    pub step: usize,
    /// Accesses on the longest chain that ends here, this one included.
    pub depth: u64,
}

/// Why an access needs an earlier one. If there are several reasons, the first of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DependenceKind {
    /// It reads what the other wrote.
    Memory,
    /// It writes a value computed from what the other read.
    Value,
    /// Its address was computed from what the other read.
    Address,
    /// Whether it happens was decided by what the other read.
    Condition,
}

/// Accesses in the order of execution; every edge goes from an access to a later one that needs it.
pub type Dependences = DiGraph<AccessNode, DependenceKind>;

/// Why there is no graph.
#[derive(Debug, Error)]
pub enum GraphError {
    /// More than can be kept.
    #[error("the dependence graph has more than {most} accesses and dependences")]
    TooLarge {
        /// The most nodes and edges.
        most: usize,
    },
    /// A mistake in the listing that shows when it runs.
    #[error(transparent)]
    Run(#[from] Box<Located>),
}

/// Nodes and edges together, about 200 MB.
pub const MOST: usize = 8_000_000;

/// The dependence graph of a run; `memory` holds the inputs before and the outputs after.
///
/// # Errors
/// [`GraphError::TooLarge`] for more than `most` nodes and edges, else those of [`run::execute`].
pub fn graph(
    program: &Program,
    layout: &Layout,
    memory: &mut Memory,
    limits: Limits,
    most: usize,
) -> Result<Dependences, GraphError> {
    program.without_atomics("dependences")?;
    program.without_vectors("dependences")?;
    program.without_warp_words("dependences")?;
    let mut tracker =
        DefUseTracker::new(program, Keeper { graph: DiGraph::new(), most, full: false });
    run::execute(program, layout, memory, limits, &mut tracker as &mut dyn Observer)?;
    if tracker.recorder.full {
        return Err(GraphError::TooLarge { most });
    }
    Ok(tracker.recorder.graph)
}

/// A chain of most accesses, first access first: the critical path.
pub fn critical_path(graph: &Dependences) -> Vec<NodeIndex> {
    let deepest = |nodes: &mut dyn Iterator<Item = NodeIndex>| {
        nodes.reduce(|best, it| if graph[it].depth > graph[best].depth { it } else { best })
    };
    let mut path = vec![];
    let mut at = deepest(&mut graph.node_indices());
    while let Some(node) = at {
        path.push(node);
        at = deepest(&mut graph.edges_directed(node, Incoming).map(|edge| edge.source()));
    }
    path.reverse();
    path
}

impl AccessNode {
    /// The memory that is accessed.
    pub fn space(&self, program: &Program) -> Space {
        let array = program.sites[self.site.0].array;
        let is_shared = program.arrays[array.0].role == Role::Shared;
        if is_shared { Space::Shared } else { Space::Global }
    }
}

/// An access as a person reads it: `read M[1,3]`, and of shared memory `read x[1,3] in block 2`.
pub fn label(program: &Program, layout: &Layout, node: &AccessNode) -> String {
    let verb = match program.sites[node.site.0].kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    };
    let element = element(program, layout, node);
    match node.block.filter(|_| node.space(program) == Space::Shared) {
        Some(block) => format!("{verb} {element} in block {block}"),
        None => format!("{verb} {element}"),
    }
}

/// What is accessed, `M[1,3]`.
pub fn element(program: &Program, layout: &Layout, node: &AccessNode) -> String {
    let site = &program.sites[node.site.0];
    let (array, region) = (&program.arrays[site.array.0], &layout.regions[site.array.0]);
    let (cell, _) = layout.cell(site.array, node.address.0);
    let indices: Vec<String> = region.indices(cell).iter().map(i64::to_string).collect();
    format!("{}[{}]", array.name, indices.join(","))
}

/// Keeps every access, numbered in order.
struct Keeper {
    graph: Dependences,
    most: usize,
    /// There was more than `most`: nothing is kept any more.
    full: bool,
}

impl Recorder for Keeper {
    /// Ascending. `None` is the empty list.
    type Reads = Option<Rc<[u32]>>;

    fn join(into: &mut Self::Reads, other: &Self::Reads) {
        let Some(other) = other else { return };
        let Some(mine) = into else {
            *into = Some(other.clone());
            return;
        };
        if !Rc::ptr_eq(mine, other) {
            let mut all: Vec<u32> = mine.iter().chain(other.iter()).copied().collect();
            all.sort_unstable();
            all.dedup();
            *into = Some(all.into());
        }
    }

    fn one(access: u32) -> Self::Reads {
        Some([access].into())
    }

    fn record(&mut self, event: &Event, needs: &Needs<'_, Self::Reads>) -> u32 {
        if self.full {
            return 0;
        }
        let lists = [
            (DependenceKind::Value, needs.value.and_then(Option::as_deref)),
            (DependenceKind::Address, needs.address.as_deref()),
            (DependenceKind::Condition, needs.condition.as_deref()),
        ];
        let reads = lists
            .iter()
            .flat_map(|(why, list)| list.unwrap_or_default().iter().map(|&access| (access, *why)));
        let written = needs.written.map(|access| (access, DependenceKind::Memory));
        let mut sources: Vec<(u32, DependenceKind)> = written.into_iter().chain(reads).collect();
        sources.sort_unstable();
        sources.dedup_by_key(|(access, _)| *access);
        if self.graph.node_count() + self.graph.edge_count() + sources.len() >= self.most {
            self.full = true;
            self.graph.clear();
            return 0;
        }
        let depth = |&(access, _): &(u32, _)| self.graph[NodeIndex::<u32>::from(access)].depth;
        let node = self.graph.add_node(AccessNode {
            site: event.site,
            address: Address(event.address),
            thread: event.thread,
            block: event.block,
            step: event.step,
            depth: 1 + sources.iter().map(depth).max().unwrap_or(0),
        });
        for (access, why) in sources {
            self.graph.add_edge(access.into(), node, why);
        }
        node.index() as u32
    }
}
