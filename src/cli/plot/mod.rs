//! `umm plot`

mod gallery;
mod measured;
mod pipeline;
mod read;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use self::measured::MeasuredOptions;
use super::Failure;
use super::files;
use super::options::{MachineOptions, ThemeOption};
use super::point_set::RandomOptions;
use super::replay;
use crate::algorithms::{opt, polygon};
use crate::chart::triangulation::Shape;
use crate::chart::{self, ChartError, Column, Quantity, Row, Scene, Style, Theme};

/// More take their time, of which `umm opt solve` tells.
const MOST_VERTICES: usize = 4096;

/// Draw charts of samples (CSV), of measurements, of a trace, of a polygon, or of points
#[derive(Debug, Clone, Args)]
#[command(
    mut_arg("mode", |arg| arg.hide(true)),
    after_help = "\
Examples:
  umm plot time plots/data/prefix_sums.csv -o time.svg
  umm plot time plots/data/prefix_sums.csv --by n -o time.png --theme dark
  umm plot speedup plots/data/opt.csv --baseline bulk=row -o speedup.svg
  umm plot phases plots/data/umm_opt_phases.csv -o phases.svg
  umm plot regime plots/data/umm_opt.csv -o regime.svg
  umm plot heat models/measurements/ito-nakano-gtx-680/table-1b.csv -o heat.svg
  umm plot occupancy plots/data/prefix_sums_parallel.trace -w 4 -l 8 -o occupancy.svg
  umm plot access plots/data/transpose.trace --step 2 -m dmm -w 8 -o access.svg
  umm plot triangulation tests/data/croatia.geojson -o croatia.png --theme dark
  umm plot pipeline tests/data/airports-australia.csv -o airports.svg
  umm plot pipeline random -n 500 --distribution clusters --seed 7 -o clusters.png
  umm plot measured DIR --chart bulk --of 'opt n=8' -o bulk.svg
  umm plot measured DIR --chart staircase -o staircase.png --theme dark
  umm plot gallery -o /tmp                      every picture of plots/, from plots/data"
)]
pub(super) struct Plot {
    /// What to show
    #[arg(value_enum)]
    kind: Kind,
    /// CSV files of samples; for measured a folder; for occupancy and access a trace; for triangulation a polygon; for pipeline points or random; for gallery the folder of its data
    #[arg(value_name = "SAMPLES")]
    samples: Vec<PathBuf>,
    /// The file to write, .svg or .png; for gallery a folder
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t = ThemeOption::Light)]
    theme: ThemeOption,
    /// The title, in place of the usual one
    #[arg(long)]
    title: Option<String>,
    /// The column of the horizontal axis, such as p, l or n [default: the one that varies most]
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// The only column that tells curves apart [default: every column that varies]
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Of speedup: the rows that the others are compared with, as in bulk=row
    #[arg(long, value_name = "COLUMN=VALUE")]
    baseline: Option<String>,
    /// Of access: which step of the trace, from 1
    #[arg(long, default_value_t = 1)]
    step: usize,
    #[command(flatten)]
    random: RandomOptions,
    #[command(flatten)]
    measured: MeasuredOptions,
    #[command(flatten)]
    machine: MachineOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Time against p, n, w or l
    Time,
    /// How many times faster than the baseline
    Speedup,
    /// Time over the lower bound
    Ratio,
    /// Which term of the lower bound dominates, over threads and latency
    Regime,
    /// Time over two parameters, as coloured cells: --x and --by, by default t and b
    Heat,
    /// The phases' shares of the time
    Phases,
    /// Arrangements side by side, and how many times longer than the fastest each takes
    Arrangements,
    /// Measurements of a device: one of --chart (of a folder)
    Measured,
    /// When the pipeline is busy (of a trace)
    Occupancy,
    /// Address groups and banks of one step (of a trace)
    Access,
    /// A polygon with its optimal triangulation (of a CSV or GeoJSON file)
    Triangulation,
    /// Points, their convex hull, its optimal and their greedy triangulation (of a CSV or GeoJSON
    /// file, or random)
    Pipeline,
    /// Every picture of plots/
    Gallery,
}

impl Plot {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.kind == Kind::Gallery {
            return gallery::draw(self);
        }
        let Some(path) = &self.output else {
            return Err(Failure::input("name the picture: -o FILE.svg or -o FILE.png"));
        };
        let bytes = encode(&self.scene()?, path)?;
        files::write(path, |file| file.write_all(&bytes))
    }

    fn scene(&self) -> Result<Scene, Failure> {
        if self.baseline.is_some() != (self.kind == Kind::Speedup) {
            return Err(Failure::input(match self.kind {
                Kind::Speedup => "speedup needs --baseline COLUMN=VALUE, such as bulk=row",
                _ => "--baseline is for speedup; leave it out",
            }));
        }
        let of_heat = self.kind == Kind::Heat && self.measured.chart.is_none();
        if self.measured.is_given() && self.kind != Kind::Measured && !of_heat {
            return Err(Failure::input(
                "--chart is for measured, --of for measured and heat; leave them out",
            ));
        }
        if self.random.is_given() && self.kind != Kind::Pipeline {
            return Err(Failure::input(
                "-n, --distribution and --seed are for pipeline; leave them out",
            ));
        }
        match self.kind {
            Kind::Pipeline => return pipeline::scene(self),
            Kind::Measured => return self.measured.scene(self),
            Kind::Occupancy | Kind::Access => return self.of_trace(),
            Kind::Triangulation => return self.of_polygon(),
            _ => {}
        }
        let mut rows = read::rows(&self.samples)?;
        if let (Kind::Heat, Some(of)) = (self.kind, &self.measured.of) {
            rows = chosen(rows, of).map_err(Failure::input)?;
        }
        let style = self.style(&rows).map_err(Failure::input)?;
        let curves = |quantity| chart::curves(&rows, &quantity, &style);
        let scene = match self.kind {
            Kind::Time => curves(Quantity::Time),
            Kind::Ratio => curves(Quantity::Ratio),
            Kind::Arrangements => curves(Quantity::Arrangements),
            Kind::Phases => chart::phases(&rows, &style),
            Kind::Regime => chart::regime(&rows, &style),
            Kind::Heat => chart::heat(&rows, &style),
            _ => self.quantity(&rows).and_then(curves),
        };
        scene.map_err(Failure::input)
    }

    fn style(&self, rows: &[Row]) -> Result<Style, ChartError> {
        let column =
            |name: &Option<String>| name.as_ref().map(|name| Column::named(name, rows)).transpose();
        Ok(Style {
            theme: self.theme(),
            title: self.title.clone(),
            x: column(&self.x)?,
            by: column(&self.by)?,
        })
    }

    const fn theme(&self) -> Theme {
        self.theme.theme()
    }

    fn quantity(&self, rows: &[Row]) -> Result<Quantity, ChartError> {
        let text = self.baseline.as_deref().unwrap_or_default();
        let Some((column, value)) = text.split_once('=') else {
            return Err(ChartError::Data(format!("--baseline {text}: write COLUMN=VALUE")));
        };
        let column = Column::named(column, rows)?;
        Ok(Quantity::Speedup { column, value: value.to_owned() })
    }

    fn of_polygon(&self) -> Result<Scene, Failure> {
        let [path] = &self.samples[..] else {
            return Err(Failure::input("name one polygon file, CSV or GeoJSON"));
        };
        let polygon = polygon::read(path).map_err(Failure::input)?;
        let n = polygon.n();
        if n > MOST_VERTICES {
            return Err(Failure::input(format_args!(
                "{}: has {n} vertices, and at most {MOST_VERTICES} are triangulated here; use `umm opt \
                 solve --draw`",
                path.display()
            )));
        }
        let weights = polygon::chords::weights::<f32>(&polygon).map_err(Failure::input)?;
        let table = opt::solve(&weights, &|_| ());
        let chords = opt::triangulation::recover_from(&weights, |a, b| table.get(a, b));
        let title = self.title.as_deref().unwrap_or("Optimal triangulation");
        let (shape, weight) = (Shape::Polygon(&polygon), table.get(0, n - 1).into());
        chart::triangulation::scene(
            shape,
            &chords.map_err(Failure::run)?,
            title,
            weight,
            self.theme(),
        )
        .map_err(Failure::input)
    }

    fn of_trace(&self) -> Result<Scene, Failure> {
        let [path] = &self.samples[..] else {
            return Err(Failure::input("name one trace file (see `umm trace`)"));
        };
        let trace = replay::read(path)?;
        let (machine, title, theme) = (self.machine.machine(), self.title.as_deref(), self.theme());
        let name = name(path);
        let scene = if self.kind == Kind::Access {
            chart::access(machine, &trace, self.step, &name, title, theme)
        } else {
            chart::occupancy(machine, &trace, &name, title, theme)
        };
        scene.map_err(Failure::input)
    }
}

/// A picture as the bytes of a file of this name: SVG or PNG by its ending.
pub(super) fn encode(scene: &Scene, path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = match path.extension().and_then(|it| it.to_str()) {
        Some("svg") => scene.svg().map(String::into_bytes),
        Some("png") => scene.png(),
        _ => {
            return Err(Failure::input(format_args!(
                "{}: pictures are .svg or .png; name it so",
                path.display()
            )));
        }
    };
    bytes.map_err(Failure::run)
}

fn name(path: &Path) -> String {
    if path == "-" {
        return "trace".to_owned();
    }
    path.file_stem().map_or_else(String::new, |it| it.to_string_lossy().into_owned())
}

/// The rows that have a value in a column, as in `n=8192`.
fn chosen(rows: Vec<Row>, of: &str) -> Result<Vec<Row>, ChartError> {
    let fail = |what| ChartError::Data(format!("--of {of}: {what}"));
    let (column, value) = of.split_once('=').ok_or_else(|| fail("write COLUMN=VALUE"))?;
    let column = Column::named(column, &rows)?;
    let is_meant = |row: &Row| column.text(&row.sample).as_deref() == Some(value);
    let chosen: Vec<Row> = rows.into_iter().filter(is_meant).collect();
    if chosen.is_empty() { Err(fail("no row has this value")) } else { Ok(chosen) }
}
