//! What `umm opt solve` tells of several polygons.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::algorithms::layer::{Layer, LayerPolygon};
use crate::algorithms::polygon::region::{Definition, Region, RegionTriangulation};
use crate::chart;
use crate::cli::support::numbers::{grouped, number_of};
use crate::cli::support::table::Table;
use crate::host::files::path_text;
use crate::keyword::{Keyword, keywords};

/// How long a line between coordinates is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    Plane,
    Geodesic,
}

keywords! { Metric {
    Plane "plane" "In the plane, in the unit of the coordinates"
    Geodesic "geodesic" "On the ellipsoid WGS 84, in metres, of degrees"
} }

/// A polygon, by its number, and what came of it.
pub(super) struct Solved {
    pub(super) polygon: usize,
    pub(super) region: Region,
    /// By definition, in the order in which they are asked for.
    pub(super) found: Vec<RegionTriangulation>,
    pub(super) seconds: Vec<f64>,
}

/// What came of one polygon.
#[derive(Serialize)]
struct PolygonReport {
    feature: usize,
    #[serde(skip_serializing_if = "Map::is_empty")]
    properties: Map<String, Value>,
    vertices: usize,
    holes: usize,
    /// Equal vertices after one another that became one.
    merged: usize,
    /// Vertices that repair put in.
    added: usize,
    /// Faults that repair mended, or that stopped it.
    faults: Vec<String>,
    area: f64,
    /// By definition.
    weights: BTreeMap<&'static str, f64>,
    bridges: usize,
    #[serde(skip)]
    triangles: usize,
}

#[derive(Serialize)]
pub(super) struct Report<'a> {
    file: String,
    format: &'a str,
    features: usize,
    unit: &'static str,
    metric: &'static str,
    polygons: Vec<PolygonReport>,
    /// Polygons that were refused.
    refused: usize,
    /// What was inferred, changed or left out.
    notes: Vec<String>,
    triangles: usize,
    area: f64,
    weights: BTreeMap<&'static str, f64>,
    seconds: BTreeMap<&'static str, f64>,
}

impl<'a> Report<'a> {
    /// The report on polygons of a layer that are solved.
    pub(super) fn of(
        metric: Metric,
        path: &Path,
        layer: &'a Layer,
        polygons: &[LayerPolygon],
        solved: &[Solved],
        definitions: &[Definition],
    ) -> Self {
        let one = |it: &Solved| {
            let polygon = &polygons[it.polygon];
            let weights =
                definitions.iter().zip(&it.found).map(|(d, found)| (d.word(), found.weight));
            PolygonReport {
                feature: polygon.feature,
                properties: layer.features[polygon.feature].properties.clone(),
                vertices: it.region.points().len(),
                holes: polygon.rings.len() - 1,
                merged: it.region.merged,
                added: it.region.added,
                faults: it.region.mended.iter().map(ToString::to_string).collect(),
                area: it.region.area(&it.found[0].triangles),
                weights: weights.collect(),
                bridges: it.found[0].bridges.len(),
                triangles: it.found[0].triangles.len(),
            }
        };
        let reports: Vec<PolygonReport> = solved.iter().map(one).collect();
        // A sum of no floats is −0.
        let total = |of: &dyn Fn(&Solved) -> f64| solved.iter().map(of).sum::<f64>() + 0.0;
        let ranks = || definitions.iter().enumerate();
        let unit = if metric == Metric::Geodesic { " m" } else { layer.unit.suffix() };
        Self {
            file: path_text(path),
            format: layer.format,
            features: layer.features.len(),
            unit,
            metric: metric.word(),
            refused: 0,
            notes: vec![],
            triangles: reports.iter().map(|it| it.triangles).sum(),
            area: reports.iter().map(|it| it.area).sum::<f64>() + 0.0,
            polygons: reports,
            weights: ranks().map(|(k, d)| (d.word(), total(&|it| it.found[k].weight))).collect(),
            seconds: ranks().map(|(k, d)| (d.word(), total(&|it| it.seconds[k]))).collect(),
        }
    }

    /// With the number of polygons that were refused, and with notes.
    pub(super) fn with(self, refused: usize, notes: Vec<String>) -> Self {
        Self { refused, notes, ..self }
    }

    /// The report as a person reads it.
    pub(super) fn render(&self, definitions: &[Definition]) -> String {
        let count = |it: usize| grouped(it as u128);
        let bridges: usize = self.polygons.iter().map(|it| it.bridges).sum();
        let mut table = Table::new(["definition", "total weight", "time"]).numbers(1..3);
        for definition in definitions {
            let word = definition.word();
            table.row([
                word.to_owned(),
                format!("{:?}{}", self.weights[word], self.unit),
                // As wide whatever it is, so that tables of two runs are alike.
                format!("{:>7}", chart::seconds(self.seconds[word])),
            ]);
        }
        let mut text = format!(
            "{}  {}  {}\n\npolygons   {}\nvertices   {}\nholes      {}\ntriangles  {}\narea       {:?}\n",
            self.file,
            self.format,
            number_of(self.features, "feature"),
            count(self.polygons.len()),
            count(self.polygons.iter().map(|it| it.vertices).sum()),
            count(self.polygons.iter().map(|it| it.holes).sum()),
            count(self.triangles),
            self.area,
        );
        if self.refused > 0 {
            text += &format!("refused    {}\n", count(self.refused));
        }
        if bridges > 0 {
            text += &format!(
                "bridges    {}, the shortest chords of the constrained Delaunay triangulation that join \
                 holes; optimal beside them\n",
                count(bridges)
            );
        }
        text + "\n" + &table.text() + "\n"
    }
}
