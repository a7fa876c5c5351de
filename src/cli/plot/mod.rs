//! `umm plot`: a subcommand a kind of picture, a file a group of kinds.

mod cells;
mod gallery;
mod measurements;
mod page;
mod peers;
mod plane;
mod sample_charts;
mod slides;
mod table;
mod trace;

use clap::{Args, Subcommand};

use crate::chart::Quantity;
use crate::cli::support::Failure;
use crate::cli::support::progress::spin;

/// Draw charts of samples, measurements and traces, and triangulated polygons and points
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
    kind: PlotKind,
}

#[derive(Debug, Subcommand)]
enum PlotKind {
    Time(sample_charts::Time),
    Speedup(sample_charts::Speedup),
    /// Draw time over its lower bound
    #[command(after_help = "\
Example:
  umm bounds sum --set n=64..512*2 -p 16,64 --csv bounds.csv && umm plot ratio bounds.csv -o ratio.svg")]
    Ratio(sample_charts::Curves),
    /// Draw the pipeline stages a warp access, of an HMM those in shared memory
    #[command(after_help = "\
Example:
  umm plot stages plots/data/hmm_rap.csv --by algorithm -o stages.svg")]
    Stages(sample_charts::Curves),
    Regime(sample_charts::Regime),
    Heat(sample_charts::Heat),
    Phases(sample_charts::Phases),
    /// Draw arrangements side by side, and how many times longer than the fastest each takes
    #[command(after_help = "\
Example:
  umm plot arrangements plots/data/transpose.csv -o arrangements.svg")]
    Arrangements(sample_charts::Curves),
    Measured(measurements::MeasurementChart),
    Peers(peers::Peers),
    /// Draw when the pipeline is busy during a trace
    #[command(after_help = "\
Example:
  umm plot occupancy plots/data/prefix_sums_parallel.trace -w 4 -l 8 -o occupancy.svg")]
    Occupancy(trace::TraceChart),
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
            PlotKind::Time(time) => time.draw(),
            PlotKind::Speedup(speedup) => speedup.draw(),
            PlotKind::Ratio(curves) => curves.draw(Quantity::Ratio),
            PlotKind::Stages(curves) => curves.draw(Quantity::Stages),
            PlotKind::Regime(regime) => regime.draw(),
            PlotKind::Heat(heat) => heat.draw(),
            PlotKind::Phases(phases) => phases.draw(),
            PlotKind::Arrangements(curves) => curves.draw(Quantity::Arrangements),
            PlotKind::Measured(measured) => measured.draw(),
            PlotKind::Peers(peers) => peers.draw(),
            PlotKind::Occupancy(traced) => traced.draw_occupancy(),
            PlotKind::Access(access) => access.draw(),
            PlotKind::Cells(cells) => cells.draw(),
            PlotKind::Triangulation(triangulation) => triangulation.draw(),
            PlotKind::Pipeline(pipeline) => pipeline.draw(),
            PlotKind::Slides(slides) => slides.draw(),
            PlotKind::Gallery(gallery) => gallery.draw(),
        }
    }
}
