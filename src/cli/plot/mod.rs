//! `umm plot`: a subcommand a kind of picture, a file a group of kinds.

mod cells;
mod gallery;
mod measured;
mod peers;
mod plane;
mod samples;
mod slides;
mod table;
mod trace;

use std::path::{Component, Path, PathBuf};

use clap::{Args, Subcommand};

use super::Failure;
use super::files;
use super::options::{ThemeOption, os};
use super::picture::{encode, picture};
use super::progress::spin;
use crate::chart::{Canvas, ChartError, Quantity, Scene, Theme};

/// Draw charts of samples, of measurements or of a trace, and polygons and points triangulated
#[derive(Debug, Args)]
#[command(
    subcommand_value_name = "KIND",
    subcommand_help_heading = "Kinds",
    after_help = "\
Examples:
  umm plot time plots/data/prefix_sums.csv -o time.svg
  umm plot measured DIR --chart bulk --of 'opt n=8' -o bulk.svg
  umm plot access plots/data/transpose.trace --step 2 -m dmm -w 8 -o access.svg
  umm plot pipeline tests/data/airports-australia.csv -o airports.png --theme dark
  umm plot gallery -o /tmp

`umm plot KIND --help` has each kind's options and more examples. Samples come from `umm sweep`
and `umm bounds`, measurements from `umm gpu measure` and the like, traces from `umm trace`."
)]
pub(super) struct Plot {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    Time(samples::Time),
    Speedup(samples::Speedup),
    /// Draw time over its lower bound
    #[command(after_help = "\
Example:
  umm bounds sum --set n=64..512*2 -p 16,64 --csv bounds.csv && umm plot ratio bounds.csv -o ratio.svg")]
    Ratio(samples::Curves),
    /// Draw the pipeline stages a warp access, of an HMM those in shared memory
    #[command(after_help = "\
Example:
  umm plot stages plots/data/hmm_rap.csv --by algorithm -o stages.svg")]
    Stages(samples::Curves),
    Regime(samples::Regime),
    Heat(samples::Heat),
    Phases(samples::Phases),
    /// Draw arrangements side by side, and how many times longer than the fastest each takes
    #[command(after_help = "\
Example:
  umm plot arrangements plots/data/transpose.csv -o arrangements.svg")]
    Arrangements(samples::Curves),
    Measured(measured::Measured),
    Peers(peers::Peers),
    /// Draw when the pipeline is busy during a trace
    #[command(after_help = "\
Example:
  umm plot occupancy plots/data/prefix_sums_parallel.trace -w 4 -l 8 -o occupancy.svg")]
    Occupancy(trace::Traced),
    Access(trace::Access),
    Cells(cells::Cells),
    Triangulation(plane::Triangulation),
    Pipeline(plane::Pipeline),
    Slides(slides::Slides),
    Gallery(gallery::Gallery),
}

impl Plot {
    pub(super) fn run(&self) -> Result<(), Failure> {
        spin("drawing", || self.draw())
    }

    fn draw(&self) -> Result<(), Failure> {
        match &self.kind {
            Kind::Time(time) => time.draw(),
            Kind::Speedup(speedup) => speedup.draw(),
            Kind::Ratio(curves) => curves.draw(Quantity::Ratio),
            Kind::Stages(curves) => curves.draw(Quantity::Stages),
            Kind::Regime(regime) => regime.draw(),
            Kind::Heat(heat) => heat.draw(),
            Kind::Phases(phases) => phases.draw(),
            Kind::Arrangements(curves) => curves.draw(Quantity::Arrangements),
            Kind::Measured(measured) => measured.draw(),
            Kind::Peers(peers) => peers.draw(),
            Kind::Occupancy(traced) => traced.draw_occupancy(),
            Kind::Access(access) => access.draw(),
            Kind::Cells(cells) => cells.draw(),
            Kind::Triangulation(triangulation) => triangulation.draw(),
            Kind::Pipeline(pipeline) => pipeline.draw(),
            Kind::Slides(slides) => slides.draw(),
            Kind::Gallery(gallery) => gallery.draw(),
        }
    }
}

/// Where a picture goes and how it looks.
#[derive(Debug, Args)]
struct Picture {
    /// The file to write
    #[arg(short, long, value_name = "FILE.svg|.png", value_parser = os(picture))]
    output: PathBuf,
    /// Colours for light or for dark pages
    #[arg(long, value_enum, default_value_t = ThemeOption::Light)]
    theme: ThemeOption,
    /// The title, in place of the usual one
    #[arg(long)]
    title: Option<String>,
}

impl Picture {
    const fn theme(&self) -> Theme {
        self.theme.theme()
    }

    fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Writes the picture with a line on its source: `data` that it shows.
    fn write(&self, scene: Result<Scene, ChartError>, data: &str) -> Result<(), Failure> {
        let mut scene = scene.map_err(Failure::input)?;
        scene.source(&format!("data: {data}"));
        let bytes = encode(&scene, &self.output)?;
        files::write(&self.output, |file| file.write_all(&bytes))
    }
}

/// Of a picture that may be of any size.
#[derive(Debug, Args)]
struct Page {
    #[command(flatten)]
    picture: Picture,
    /// Pixels; letters keep their size, so that a small chart is readable where it is enlarged, as on a slide
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size, default_value = "1200x675")]
    size: (u32, u32),
}

impl Page {
    const fn canvas(&self) -> Canvas {
        Canvas { size: self.size, theme: self.picture.theme() }
    }

    fn title(&self) -> Option<&str> {
        self.picture.title()
    }

    fn write(&self, scene: Result<Scene, ChartError>, data: &str) -> Result<(), Failure> {
        self.picture.write(scene, data)
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |it: &str| it.parse().ok().filter(|it| Canvas::SIDES.contains(it));
    let sides = text.split_once(['x', '×']).and_then(|(a, b)| Some((side(a)?, side(b)?)));
    let (least, most) = Canvas::SIDES.into_inner();
    sides.ok_or(format!("write WIDTHxHEIGHT, as in 800x450, each of {least} to {most} pixels"))
}

/// A path as a reader would write it: `a/b/../c` is `a/c`.
fn shown(path: &Path) -> String {
    let mut short = PathBuf::new();
    for part in path.components() {
        let is_below = short.components().next_back().is_some_and(|it| it != Component::ParentDir);
        if part == Component::ParentDir && is_below {
            short.pop();
        } else {
            short.push(part);
        }
    }
    if path == "-" { "standard input".to_owned() } else { short.display().to_string() }
}
