//! Which accesses of a run need one another.

use std::ops::RangeInclusive;

use petgraph::graph::NodeIndex;
use serde_json::{Map, Value, json};

use super::{Case, CaseError};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::trace::{AccessKind, Space};
use memory_machine_theory::depth::{DepthGrowth, depth};
use memory_machine_theory::graph::{
    AccessNode, Dependences, GraphError, MOST, critical_path, element, graph,
};

impl Case {
    /// The accesses of a run, and which need which; `None` if there are too many to keep.
    ///
    /// # Errors
    /// As [`Case::memory`] and [`Case::execute`].
    pub fn dependences(&self, layout: &Layout) -> Result<Option<Dependences>, CaseError> {
        // Where counting is quick, a hopeless run is not begun.
        let counted = self.count(layout);
        let accesses: u128 = counted.map_or(0, |it| it.counts.iter().map(|it| it.accesses).sum());
        if accesses > MOST as u128 {
            return Ok(None);
        }
        match graph(&self.program, layout, &mut self.memory(layout)?, self.limits(), MOST) {
            Ok(graph) => Ok(Some(graph)),
            Err(GraphError::TooLarge { .. }) => Ok(None),
            Err(GraphError::Run(located)) => Err(located.into()),
        }
    }

    /// Accesses of the longest chain: of the graph, or by a run that keeps none.
    ///
    /// # Errors
    /// As [`Case::memory`] and [`Case::execute`].
    pub fn depth(&self, layout: &Layout, graph: Option<&Dependences>) -> Result<u64, CaseError> {
        match graph {
            Some(graph) => Ok(graph.node_weights().map(|it| it.depth).max().unwrap_or(0)),
            None => {
                let mut memory = self.memory(layout)?;
                Ok(depth(&self.program, layout, &mut memory, self.limits())?)
            }
        }
    }

    /// What a picture of the accesses of these depths, or of all, is called.
    pub fn graph_title(
        &self,
        layout: &Layout,
        shown: &Dependences,
        depth: u64,
        layers: Option<&RangeInclusive<u64>>,
    ) -> String {
        let part = layers.map_or_else(String::new, |it| {
            format!(", of these depths {} to {}", it.start(), depth.min(*it.end()))
        });
        let (name, sizes) = (&self.program.name, self.sizes(layout));
        format!("{name}: {sizes}, depth {depth}{part}, {} accesses", shown.node_count())
    }
}

/// The accesses of these depths alone.
pub fn layers_of(graph: &Dependences, layers: &RangeInclusive<u64>) -> Dependences {
    let is_in = |node: &AccessNode| layers.contains(&node.depth).then_some(*node);
    graph.filter_map(|_, node| is_in(node), |_, edge| Some(*edge))
}

const fn memory_name(space: Space) -> &'static str {
    match space {
        Space::Global => "global",
        Space::Shared => "shared",
    }
}

/// Depth and longest chain of a run, as `umm graph --json` prints them; without a `graph` the depth
/// alone.
pub fn report(
    case: &Case,
    layout: &Layout,
    graph: Option<&Dependences>,
    depth: u64,
    growth: Option<&DepthGrowth>,
) -> Value {
    let program = &*case.program;
    let parameters = program.parameters.iter().zip(&layout.parameters);
    let parameters: Map<_, _> =
        parameters.map(|(it, &value)| (it.name.clone(), value.into())).collect();
    let chain = graph.map(|graph| {
        let one = |node: NodeIndex| {
            let access = &graph[node];
            let site = &program.sites[access.site.0];
            let mut object = json!({
                "kind": if site.kind == AccessKind::Write { "write" } else { "read" },
                "element": element(program, layout, access),
                "phase": program.phases[site.phase.0 as usize],
                "line": program.source.line(site.span),
                "thread": access.thread,
                "step": access.step,
            });
            if let Some(block) = access.block {
                object["block"] = block.into();
                object["memory"] = memory_name(access.space(program)).into();
            }
            object
        };
        critical_path(graph).into_iter().map(one).collect::<Vec<_>>()
    });
    let growth = growth.map(|it| {
        json!({
            "formula": it.growth.map(|formula| formula.to_string()),
            "samples": it.samples.iter().map(|(n, depth)| json!({ "n": n, "depth": depth })).collect::<Vec<_>>(),
        })
    });
    json!({
        "algorithm": program.name,
        "parameters": parameters,
        "seed": case.inputs.seed,
        "accesses": graph.map(Dependences::node_count),
        "dependences": graph.map(Dependences::edge_count),
        "depth": depth,
        "longest_chain": chain,
        "growth": growth,
    })
}
