//! `umm opt solve` of files with several polygons, holes or faults, and of other definitions than the
//! optimum: each polygon on its own, all in parallel.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use rayon::prelude::*;

use super::region_report::{Metric, Report, Solved};
use crate::algorithms::export::{self, TriangleFormat, TriangleGroup, TriangleSet};
use crate::algorithms::layer::{CoordinateUnit, Layer, LayerPolygon};
use crate::algorithms::points::Point;
use crate::algorithms::polygon::MOST_LISTED;
use crate::algorithms::polygon::chords::{geodesic, length};
use crate::algorithms::polygon::region::{Definition, Length, Region, RegionError};
use crate::chart;
use crate::cli::support::Failure;
use crate::cli::support::files::{self, StagedOutput};
use crate::cli::support::layer_options::{DEGREES, tell, triangles};
use crate::cli::support::options::{os, word};
use crate::cli::support::picture::encode;
use crate::cli::support::progress::Bar;
use crate::host::files::path_text;

/// What only polygons in a file have.
#[derive(Debug, Args)]
pub(super) struct RegionOptions {
    /// Which triangulation; of several, a table compares the weights, and files have the first
    /// [default: optimal]
    #[arg(long, value_parser = word::<Definition>(), value_delimiter = ',', value_name = "LIST")]
    definition: Vec<Definition>,
    /// How long a chord is [default: plane]
    #[arg(long, value_parser = word::<Metric>())]
    metric: Option<Metric>,
    /// Mend rings that cross or touch themselves: edges are cut where they cross, and inside is what
    /// the even-odd rule says
    #[arg(long)]
    repair: bool,
    /// Write the triangles: .csv (numbers of vertices), .npy, .geojson, .wkt, .obj, .ply, .off, .stl
    /// or .poly; repeatable
    #[arg(long, value_name = "FILE", value_parser = os(triangles))]
    triangles: Vec<PathBuf>,
}

/// What is written, beside triangles.
pub(super) struct RegionOutputs<'a> {
    pub(super) draw: Option<(&'a Path, chart::Theme)>,
    /// Chords, as CSV or GeoJSON.
    pub(super) chords: Vec<&'a Path>,
    pub(super) json: bool,
}

impl RegionOptions {
    /// Whether something is asked for that needs this way of solving.
    pub(super) const fn are_given(&self) -> bool {
        !self.definition.is_empty()
            || self.metric.is_some()
            || self.repair
            || !self.triangles.is_empty()
    }

    pub(super) fn outputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.triangles.iter()
    }

    /// Solves all polygons of a layer, and writes what came out. Errors of one polygon do not stop
    /// the others.
    pub(super) fn run(
        &self,
        path: &Path,
        layer: &Layer,
        outputs: &RegionOutputs,
    ) -> Result<(), Failure> {
        let polygons = layer.polygons();
        if polygons.is_empty() {
            return Err(Failure::input(format_args!(
                "{}: {} without polygons; `umm greedy` and `umm hull` take the vertices of anything",
                path_text(path),
                layer.format
            )));
        }
        let definitions = match &self.definition[..] {
            [] => vec![Definition::Optimal],
            given => given.to_vec(),
        };
        let mut notes = layer.notes.clone();
        let metric = self.length(layer, &mut notes)?;
        let bar = Bar::new(polygons.len() as u64, "polygons");
        let solved: Vec<Result<Solved, RegionError>> = polygons
            .par_iter()
            .enumerate()
            .map(|(rank, polygon)| {
                let solved = self.solve(rank, polygon, &definitions, metric);
                bar.add(1);
                solved
            })
            .collect();
        let mut refused = vec![];
        let mut all = vec![];
        for (polygon, solved) in polygons.iter().zip(solved) {
            match solved {
                Ok(solved) => all.push(solved),
                Err(why) => {
                    let line = layer.rows.as_ref().zip(why.vertex()).map(|it| it.0.line(it.1));
                    let line = line.map_or_else(String::new, |it| format!(":{it}"));
                    refused.push(format!("{}{line}: {why}", place(path, layer, polygon)));
                }
            }
        }
        if all.is_empty() {
            return Err(Failure::input(refused.join("\n")));
        }
        notes.extend(changes(path, layer, &polygons, &all));
        tell(&notes, outputs.json);
        self.write(layer, &polygons, &all, outputs, path)?;
        let (refusals, metric) = (refused.len(), self.metric.unwrap_or(Metric::Plane));
        let report =
            Report::of(metric, path, layer, &polygons, &all, &definitions).with(refusals, notes);
        match outputs.json {
            true => files::print_json(&report)?,
            false => files::print(&report.render(&definitions))?,
        }
        if refused.is_empty() { Ok(()) } else { Err(Failure::input(refused.join("\n"))) }
    }

    fn length(&self, layer: &Layer, notes: &mut Vec<String>) -> Result<Length, Failure> {
        match self.metric.unwrap_or(Metric::Plane) {
            Metric::Geodesic if layer.unit != CoordinateUnit::Degrees => Err(Failure::input(
                "--metric geodesic: the coordinates are not known to be degrees of longitude and \
                 latitude; leave it out, or say so in the file (GeoJSON, columns lon and lat, an SRID)",
            )),
            Metric::Geodesic => Ok(geodesic),
            Metric::Plane => {
                if layer.unit == CoordinateUnit::Degrees {
                    notes.push(format!("{DEGREES}; --metric geodesic gives metres"));
                }
                Ok(length)
            }
        }
    }

    fn solve(
        &self,
        polygon: usize,
        of: &LayerPolygon,
        definitions: &[Definition],
        length: Length,
    ) -> Result<Solved, RegionError> {
        let region = match self.repair {
            true => Region::repaired(&of.rings)?,
            false => Region::new(&of.rings)?,
        };
        let (mut found, mut seconds) = (vec![], vec![]);
        for &definition in definitions {
            let started = Instant::now();
            found.push(region.triangulate(definition, length)?);
            seconds.push(started.elapsed().as_secs_f64());
        }
        Ok(Solved { polygon, region, found, seconds })
    }

    fn write(
        &self,
        layer: &Layer,
        polygons: &[LayerPolygon],
        solved: &[Solved],
        outputs: &RegionOutputs,
        path: &Path,
    ) -> Result<(), Failure> {
        let mut points: Vec<Point> = layer.vertices().collect();
        let (mut groups, mut chords, mut walls) = (vec![], vec![], vec![]);
        for Solved { polygon, region, found, .. } in solved {
            let polygon = &polygons[*polygon];
            // Numbers among the vertices of the file; those that repair put in come after them.
            let number = |(source, &place): (&Option<u32>, &Point)| match source {
                Some(it) => polygon.numbers[*it as usize],
                None => {
                    points.push(place);
                    points.len() as u32 - 1
                }
            };
            let numbers: Vec<u32> =
                region.source().iter().zip(region.points()).map(number).collect();
            let named = |it: u32| numbers[it as usize];
            let properties = layer.features[polygon.feature].properties.clone();
            let triangles = found[0].triangles.iter().map(|it| it.map(named)).collect();
            groups.push(TriangleGroup { properties, triangles });
            chords.extend(found[0].chords.iter().map(|it| it.map(named)));
            walls.extend(region.walls().map(|it| it.map(named)));
        }
        let mut staged = vec![];
        let set = TriangleSet { points: &points, groups: &groups, crs: layer.crs.as_deref() };
        for path in &self.triangles {
            let format = TriangleFormat::of(path).unwrap_or(TriangleFormat::Csv);
            staged.push(StagedOutput::new(path, |file| set.write(format, file))?);
        }
        let weigh = |&[i, j]: &[u32; 2]| length(points[i as usize], points[j as usize]);
        for path in &outputs.chords {
            staged.push(match crate::cli::support::point_set::is_geojson(path) {
                true => StagedOutput::new(path, |file| {
                    let line = |ends: &[u32; 2]| {
                        let properties = [
                            ("i".to_owned(), ends[0].into()),
                            ("j".to_owned(), ends[1].into()),
                            ("length".to_owned(), weigh(ends).into()),
                        ];
                        (ends.map(|it| points[it as usize]), properties.into_iter().collect())
                    };
                    export::lines(file, chords.iter().map(line), layer.crs.as_deref())
                })?,
                false => StagedOutput::new(path, |file| {
                    writeln!(file, "i,j,length")?;
                    chords
                        .iter()
                        .try_for_each(|it| writeln!(file, "{},{},{}", it[0], it[1], weigh(it)))
                })?,
            });
        }
        if let Some((picture, theme)) = outputs.draw {
            let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let lines: Vec<[u32; 2]> = walls.into_iter().chain(chords).collect();
            let scene = chart::points::edges(&points, &lines, &title, theme);
            let picture_bytes = encode(&scene.map_err(Failure::input)?, picture)?;
            staged.push(StagedOutput::new(picture, |file| file.write_all(&picture_bytes))?);
        }
        staged.into_iter().try_for_each(StagedOutput::keep)
    }
}

/// Where a polygon is: the file, and of several features its number and name.
fn place(path: &Path, layer: &Layer, polygon: &LayerPolygon) -> String {
    let path = path_text(path);
    if layer.features.len() < 2 {
        return path;
    }
    let properties = &layer.features[polygon.feature].properties;
    let name = ["name", "NAME", "Name", "id"].iter().find_map(|it| properties.get(*it));
    match name {
        Some(name) => format!("{path}: feature {} ({name})", polygon.feature),
        None => format!("{path}: feature {}", polygon.feature),
    }
}

/// What was changed of the rings.
fn changes(
    path: &Path,
    layer: &Layer,
    polygons: &[LayerPolygon],
    solved: &[Solved],
) -> Vec<String> {
    let mut notes = vec![];
    let merged: usize = solved.iter().map(|it| it.region.merged).sum();
    if merged > 0 {
        let path = path_text(path);
        notes.push(format!("{path}: vertices equal to the one before them, left out: {merged}"));
    }
    for Solved { polygon, region, .. } in solved.iter().filter(|it| !it.region.mended.is_empty()) {
        let place = place(path, layer, &polygons[*polygon]);
        let faults: Vec<String> =
            region.mended.iter().take(MOST_LISTED).map(ToString::to_string).collect();
        let more = region.mended.len() - faults.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        notes.push(format!(
            "{place}: mended: {}{more}; vertices put in: {}",
            faults.join(", "),
            region.added
        ));
    }
    notes
}
