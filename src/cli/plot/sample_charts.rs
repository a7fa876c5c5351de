//! Charts of samples.

use clap::Args;

use super::page::Page;
use super::table::{Cell, Samples, cell};
use crate::chart::{self, ChartError, ChartStyle, Column, Quantity, SampleRow};
use crate::cli::support::Failure;

/// Curves over one parameter.
#[derive(Debug, Args)]
pub(super) struct Curves {
    #[command(flatten)]
    samples: Samples,
    #[command(flatten)]
    axis: Axis,
    /// The only column that tells curves apart [default: every column that varies]
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    #[command(flatten)]
    page: Page,
}

#[derive(Debug, Args)]
struct Axis {
    /// The column of the horizontal axis, such as p, l or n [default: the one that varies most]
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
}

impl Curves {
    pub(super) fn draw(&self, quantity: Quantity) -> Result<(), Failure> {
        self.draw_of(|_| Ok(quantity))
    }

    fn draw_of(
        &self,
        quantity: impl FnOnce(&[SampleRow]) -> Result<Quantity, ChartError>,
    ) -> Result<(), Failure> {
        let rows = self.samples.rows()?;
        let style = self.page.style(&rows, self.axis.x.as_deref(), self.by.as_deref())?;
        let scene = quantity(&rows).and_then(|it| chart::curves(&rows, &it, &style));
        self.page.write(scene, &self.samples.shown())
    }
}

/// Draw time against p, n, w, l or d
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot time plots/data/prefix_sums.csv -o time.svg
  umm plot time plots/data/prefix_sums.csv --by n -o time.png --theme dark
  umm plot time plots/data/prefix_sums.csv --of n=32 -o small.svg
  umm plot time plots/data/hmm_opt_n.csv --by algorithm --bounds -o opt.svg")]
pub(super) struct Time {
    #[command(flatten)]
    curves: Curves,
    /// Draw the rows' lower bounds, too (see `umm bounds`)
    #[arg(long)]
    bounds: bool,
    /// Draw a figure of a machine that is no memory machine instead, such as misses
    #[arg(long, value_name = "NAME", conflicts_with = "bounds")]
    figure: Option<String>,
}

impl Time {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        self.curves.draw(match &self.figure {
            Some(name) => Quantity::Figure(name.clone()),
            None => Quantity::Time { bounds: self.bounds },
        })
    }
}

/// Draw how many times faster than a baseline
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  umm plot speedup plots/data/opt.csv --baseline bulk=row -o speedup.svg")]
pub(super) struct Speedup {
    #[command(flatten)]
    curves: Curves,
    /// The rows that the others are compared with, as in bulk=row
    #[arg(long, value_name = "COLUMN=VALUE", value_parser = cell)]
    baseline: Cell,
}

impl Speedup {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let Cell { column, value } = self.baseline.clone();
        let unknown = |error| ChartError::Data(format!("--baseline {column}={value}: {error}"));
        let of = |rows: &[SampleRow]| Column::named(&column, rows).map_err(unknown);
        let quantity =
            |rows: &[SampleRow]| Ok(Quantity::Speedup { column: of(rows)?, value: value.clone() });
        self.curves.draw_of(quantity)
    }
}

/// Draw which term of the lower bound dominates, over threads and latency
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot regime plots/data/umm_opt.csv -o regime.svg
  umm plot regime plots/data/hmm_sum.csv -o sum.svg")]
pub(super) struct Regime {
    #[command(flatten)]
    samples: Samples,
    #[command(flatten)]
    page: Page,
}

impl Regime {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let rows = self.samples.rows()?;
        let style = self.page.style(&rows, None, None)?;
        self.page.write(chart::regime(&rows, &style), &self.samples.shown())
    }
}

/// Draw the phases' shares of the time
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  umm plot phases plots/data/umm_opt_phases.csv -o phases.svg")]
pub(super) struct Phases {
    #[command(flatten)]
    samples: Samples,
    #[command(flatten)]
    axis: Axis,
    #[command(flatten)]
    page: Page,
}

impl Phases {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let rows = self.samples.rows()?;
        let style = self.page.style(&rows, self.axis.x.as_deref(), None)?;
        self.page.write(chart::phases(&rows, &style), &self.samples.shown())
    }
}

/// Draw time over two parameters, as coloured cells
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot heat models/measurements/ito-nakano-gtx-680/table-1b.csv -o heat.svg
  umm plot heat models/measurements/ito-nakano-gtx-680/table-1b.csv --of n=8192 -o heat.png")]
pub(super) struct Heat {
    #[command(flatten)]
    samples: Samples,
    /// The column of the horizontal axis [default: t]
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// The column of the vertical axis [default: b]
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    #[command(flatten)]
    page: Page,
}

impl Heat {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let rows = self.samples.rows()?;
        let style = self.page.style(&rows, self.x.as_deref(), self.by.as_deref())?;
        self.page.write(chart::heat(&rows, &style), &self.samples.shown())
    }
}

impl Page {
    fn style(
        &self,
        rows: &[SampleRow],
        x: Option<&str>,
        by: Option<&str>,
    ) -> Result<ChartStyle, Failure> {
        let column = |flag: &str, name: Option<&str>| {
            let column = name.map(|name| Column::named(name, rows)).transpose();
            column.map_err(|error| Failure::input(format_args!("{flag}: {error}")))
        };
        let title = self.title().map(str::to_owned);
        Ok(ChartStyle {
            canvas: self.canvas(),
            title,
            x: column("--x", x)?,
            by: column("--by", by)?,
        })
    }
}
