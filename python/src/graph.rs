//! Which accesses need one another; and what is known of a listing's time for all sizes.

use std::ops::RangeInclusive;

use memory_machine::case::Case;
use memory_machine::case::claim::{Derivation, ParsedClaim};
use memory_machine::case::dependences::{layers_of, report};
use memory_machine::chart::{self, dot};
use memory_machine::run::layout::Layout;
use memory_machine::theory::graph::{Dependences, GraphError, MOST};
use pyo3::prelude::*;

use crate::error;
use crate::interrupt::interruptible;
use crate::listing::Listing;
use crate::setting::{Setting, case_error, json};

/// The accesses of a run, and which need which.
#[pyclass(frozen, module = "memory_machine._native")]
pub struct Graph {
    case: Case,
    layout: Layout,
    graph: Option<Dependences>,
    depth: u64,
    /// As `umm graph --json` prints it.
    #[pyo3(get)]
    json: String,
}

#[pymethods]
impl Graph {
    #[new]
    fn new(py: Python<'_>, listing: &Listing, setting: Setting, growth: bool) -> PyResult<Self> {
        let case = setting.case(py, &listing.program)?.of_pram();
        interruptible(py, |_| {
            let layout = case.layout().map_err(case_error)?;
            let graph = case.dependences(&layout).map_err(case_error)?;
            let depth = case.depth(&layout, graph.as_ref()).map_err(case_error)?;
            let growth = growth.then(|| case.depth_growth()).transpose().map_err(case_error)?;
            let json = json(&report(&case, &layout, graph.as_ref(), depth, growth.as_ref()))?;
            Ok(Self { case, layout, graph, depth, json })
        })
    }

    /// The graph in DOT.
    fn dot(&self) -> PyResult<String> {
        Ok(dot::dependences(&self.case.program, &self.layout, self.kept()?))
    }

    /// A picture; of the accesses of some depths alone, if they are given.
    fn svg(&self, layers: Option<(u64, u64)>) -> PyResult<String> {
        let layers: Option<RangeInclusive<u64>> = layers.map(|(from, to)| from..=to);
        if let Some(layers) = &layers
            && (*layers.start() == 0 || layers.is_empty() || *layers.start() > self.depth)
        {
            return Err(error(format_args!(
                "layers=({}, {}): give the first and the last depth, from 1 to {}",
                layers.start(),
                layers.end(),
                self.depth
            )));
        }
        let part = match &layers {
            Some(layers) => Some(layers_of(self.kept()?, layers)),
            None => None,
        };
        let shown = part.as_ref().map_or_else(|| self.kept(), Ok)?;
        let title = self.case.graph_title(&self.layout, shown, self.depth, layers.as_ref());
        let scene = chart::dependences::scene(&self.case.program, &self.layout, shown, &title);
        let scene = scene.map_err(|it| {
            error(format_args!("{it}; choose smaller sizes, or a part: svg(layers=(1, 12))"))
        })?;
        Ok(scene.svg())
    }
}

impl Graph {
    fn kept(&self) -> PyResult<&Dependences> {
        self.graph.as_ref().ok_or_else(|| {
            let too_large = GraphError::TooLarge { most: MOST };
            error(format_args!("{too_large}; choose smaller sizes"))
        })
    }
}

/// Bounds for all sizes, as text and as JSON.
#[pyfunction]
pub fn derive(
    py: Python<'_>,
    listing: &Listing,
    setting: Setting,
    latex: bool,
) -> PyResult<(String, String)> {
    let case = setting.case(py, &listing.program)?;
    interruptible(py, |_| {
        let bounded = case.derive(&|_| false);
        let derivation = Derivation { program: &case.program, bounded: &bounded, latex };
        Ok((derivation.text(), json(&derivation.json())?))
    })
}

/// A claim with what it assumes of sizes.
pub fn claim(text: &str, assumed: &[String]) -> PyResult<ParsedClaim> {
    let written = ParsedClaim::parse(text).map_err(|it| error(format_args!("bound: {it}")))?;
    let assumed = assumed.iter().map(|it| ParsedClaim::assumption(it));
    let assumed =
        assumed.collect::<Result<Vec<_>, _>>().map_err(|it| error(format_args!("where: {it}")))?;
    Ok(ParsedClaim { assumed: assumed.into_iter().flatten().collect(), ..written })
}
