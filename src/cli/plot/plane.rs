//! Pictures of the plane: a polygon, and points, with their triangulations.

use std::path::{Path, PathBuf};

use clap::Args;

use super::page::{Picture, shown};
use crate::algorithms::opt;
use crate::algorithms::polygon::{self, chords};
use crate::chart;
use crate::chart::pages::triangulate;
use crate::chart::triangulation::VertexLayout;
use crate::cli::support::Failure;
use crate::cli::support::point_set::{GREEDY_BYTES, PointList, PointSet};
use crate::host::files::path_text;

/// More take their time, of which `umm opt solve` tells.
const MOST_VERTICES: usize = 4096;
/// Draw a polygon with its optimal triangulation
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  umm plot triangulation tests/data/croatia.geojson -o croatia.png --theme dark")]
pub(super) struct Triangulation {
    /// A simple polygon (CSV or GeoJSON)
    polygon: PathBuf,
    #[command(flatten)]
    picture: Picture,
}

impl Triangulation {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let polygon = polygon::read(&self.polygon).map_err(Failure::input)?;
        let n = polygon.n();
        if n > MOST_VERTICES {
            return Err(Failure::input(format_args!(
                "{}: has {n} vertices, and at most {MOST_VERTICES} are triangulated here; use `umm opt \
                 solve --draw`",
                path_text(&self.polygon)
            )));
        }
        let weights = chords::weights::<f32>(&polygon).map_err(Failure::input)?;
        let table = opt::solve(&weights, &|_| ());
        let chords = opt::triangulation::recover_from(&weights, |a, b| table.get(a, b));
        let chords = chords.map_err(Failure::run)?;
        let title = self.picture.title().unwrap_or("Optimal triangulation");
        let (shape, weight) = (VertexLayout::Polygon(&polygon), table.get(0, n - 1).into());
        let theme = self.picture.theme();
        let scene = chart::triangulation::scene(shape, &chords, title, weight, theme);
        self.picture.write(scene, &shown(&self.polygon))
    }
}

/// Draw points, their convex hull, its optimal and their greedy triangulation
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot pipeline tests/data/airports-australia.csv -o airports.svg
  umm plot pipeline random -n 500 --distribution clusters --seed 7 -o clusters.png")]
pub(super) struct Pipeline {
    #[command(flatten)]
    points: PointSet,
    #[command(flatten)]
    picture: Picture,
}

impl Pipeline {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let PointList { points, drawn, .. } = self.points.load(GREEDY_BYTES)?;
        let name = self.picture.title().map_or_else(|| self.points.title(drawn), str::to_owned);
        let scene = triangulate(&points, &name, self.picture.theme());
        let data = match drawn {
            Some(_) => self.points.title(drawn),
            None => shown(Path::new(&self.points.name())),
        };
        self.picture.write(scene, &data)
    }
}
