//! What `umm graph` prints.

use petgraph::graph::NodeIndex;

use crate::case::Case;
use crate::language::program::Program;
use crate::run::layout::Layout;
use crate::theory::depth::DepthGrowth;
use crate::theory::graph::{Dependences, critical_path, label};
use crate::trace::Space;

/// Steps of the critical path that a person wants to read.
const STEPS: usize = 24;

/// What was found of a case.
#[derive(Clone, Copy)]
pub(super) struct GraphReport<'a> {
    pub(super) case: &'a Case,
    pub(super) layout: &'a Layout,
    /// `None` if it is too large to keep.
    pub(super) graph: Option<&'a Dependences>,
    pub(super) depth: u64,
    pub(super) growth: Option<&'a DepthGrowth>,
}

/// The report as a person reads it.
pub(super) fn render_text(report: &GraphReport<'_>) -> String {
    let GraphReport { case, layout, graph, depth, growth } = *report;
    let program = &*case.program;
    let mut text = format!("{}  {}", program.name, case.sizes(layout));
    if case.is_random() {
        text += &format!("  seed {}", case.inputs.seed);
    }
    text += "\n\n";
    match graph {
        Some(graph) => {
            let (accesses, edges) = (graph.node_count(), graph.edge_count());
            text +=
                &format!("accesses     {accesses}\ndependences  {edges}\ndepth        {depth}\n\n");
        }
        None => text += &format!("depth  {depth} (the graph is too large to keep)\n\n"),
    }
    text += &match program.first_loop_on_dmms() {
        Some(_) => bounds_of_hmm(program, graph, depth),
        None => bounds_of_umm(graph, depth),
    };
    if let Some(growth) = growth {
        text += &match growth.growth {
            Some(formula) => format!("\ndepth(n) = {formula}  for 2 ≤ n ≤ 33, by execution\n"),
            None => {
                "\ndepth(n) for 2 ≤ n ≤ 33, by execution, follows no constant, linear, quadratic or \
                 logarithm\n"
                    .to_owned()
            }
        };
    }
    if let Some(graph) = graph.filter(|it| it.node_count() > 0) {
        text += "\nlongest chain\n";
        let path = critical_path(graph);
        let shown = if path.len() > STEPS { STEPS / 2 } else { path.len() };
        let line = |(number, node): (usize, NodeIndex)| {
            let access = &graph[node];
            let phase = &program.phases[program.sites[access.site.0].phase.0 as usize];
            format!("{number:>6}  {phase}  {}\n", label(program, layout, access))
        };
        let numbered: Vec<_> = (1..).zip(path.iter().copied()).collect();
        text.extend(numbered[..shown].iter().copied().map(line));
        if shown < numbered.len() {
            text += "     …\n";
            text.extend(numbered[numbered.len() - STEPS / 2..].iter().copied().map(line));
        }
    }
    text
}

fn bounds_of_umm(graph: Option<&Dependences>, depth: u64) -> String {
    let mut text = format!(
        "Each access on the longest chain needs the one before: on every UMM and DMM, whatever the\n\
         number of threads, this takes at least depth·l = {depth}·l time units.\n"
    );
    if let Some(graph) = graph {
        text += &format!(
            "A thread waits for each of its accesses: p threads take at least accesses·l/p =\n\
             {}·l/p time units.\n",
            graph.node_count()
        );
    }
    text
}

/// The same with the latencies of both memories.
fn bounds_of_hmm(program: &Program, graph: Option<&Dependences>, depth: u64) -> String {
    let Some(graph) = graph else {
        return format!(
            "Each access on the longest chain needs the one before: on every HMM this takes at least\n\
             depth·min(l, ls) = {depth}·min(l, ls) time units.\n"
        );
    };
    let latencies = |nodes: &mut dyn Iterator<Item = NodeIndex>| {
        let is_shared = |node: NodeIndex| graph[node].space(program) == Space::Shared;
        let (shared, global): (Vec<_>, Vec<_>) = nodes.partition(|&it| is_shared(it));
        format!("{}·l + {}·ls", global.len(), shared.len())
    };
    format!(
        "Each access on the longest chain needs the one before: on every HMM, however many DMMs it\n\
         has, this takes at least {} time units.\n\
         A thread waits for each of its accesses: where P threads run at once, they take at least\n\
         ({})/P time units.\n",
        latencies(&mut critical_path(graph).into_iter()),
        latencies(&mut graph.node_indices())
    )
}
