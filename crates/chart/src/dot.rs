//! Graphs as DOT text, for Graphviz and whatever else reads it.

use std::collections::HashSet;
use std::fmt::Write;

use petgraph::dot::{Config, Dot};
use petgraph::visit::EdgeRef;

use super::parse_tree::Label;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::trace::Space;
use memory_machine_geometry::opt::Chord;
use memory_machine_geometry::opt::parse_tree::{ParseTree, apex};
use memory_machine_theory::graph::{DependenceKind, Dependences, critical_path, label};

/// A dependence graph: a cluster a phase, a node an access, the critical path in bold; boxes of shared
/// memory are rounded. Edges by address are dashed, by condition dotted.
pub fn dependences(program: &Program, layout: &Layout, graph: &Dependences) -> String {
    let path = critical_path(graph);
    let on_path: HashSet<_> = path.iter().copied().collect();
    let steps: HashSet<_> = path.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let mut text = format!("digraph \"{}\" {{\n  rankdir=LR\n  node [shape=box]\n", program.name);
    for (phase, name) in (0..).zip(&program.phases) {
        let _ = writeln!(text, "  subgraph \"cluster_{phase}\" {{\n    label=\"{name}\"");
        for node in graph.node_indices() {
            let access = &graph[node];
            if program.sites[access.site.0].phase.0 == phase {
                let bold = if on_path.contains(&node) { ", penwidth=3" } else { "" };
                let rounded = match access.space(program) {
                    Space::Shared => ", style=rounded",
                    Space::Global => "",
                };
                let label = label(program, layout, access);
                let _ = writeln!(text, "    {} [label=\"{label}\"{bold}{rounded}]", node.index());
            }
        }
        text += "  }\n";
    }
    for edge in graph.edge_references() {
        let style = match edge.weight() {
            DependenceKind::Memory | DependenceKind::Value => "",
            DependenceKind::Address => "style=dashed ",
            DependenceKind::Condition => "style=dotted ",
        };
        let bold = if steps.contains(&(edge.source(), edge.target())) { "penwidth=3" } else { "" };
        let attributes = match format!("{style}{bold}").trim() {
            "" => String::new(),
            some => format!(" [{some}]"),
        };
        let (from, to) = (edge.source().index(), edge.target().index());
        let _ = writeln!(text, "  {from} -> {to}{attributes}");
    }
    text + "}\n"
}

/// A parse tree; leaves, which are edges of the polygon, are plain text.
pub fn parse_tree(tree: &ParseTree, label: Label) -> String {
    let node = |_: &ParseTree, (node, &side): (_, &Chord)| {
        let shape = if side.b == side.a + 1 { "plaintext" } else { "ellipse" };
        format!("label=\"{}\" shape={shape}", label(side, apex(tree, node)))
    };
    let config = [Config::EdgeNoLabel, Config::NodeNoLabel];
    let edge = |_: &ParseTree, _: petgraph::graph::EdgeReference<'_, ()>| String::new();
    format!("{:?}", Dot::with_attr_getters(tree, &config, &|g, e| edge(g, e), &|g, n| node(g, n)))
}
