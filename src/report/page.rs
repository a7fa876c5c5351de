//! The page: one HTML text that needs nothing beside itself.

use askama::Template;
use thiserror::Error;

use super::fidelity::{Ablation, Accuracy, FidelityTables, percent};
use super::fits::{Fitted, fits};
use super::opt::{self, Table};
use super::times::{Times, method, times};
use super::{greedy, hull, machine};
use crate::chart::measured::{Chart, Figure, Measured, Predictions, figures};
use crate::chart::{ChartError, Theme, seconds};
use crate::diagnostic::visible;
use crate::fit::Coefficient;
use crate::measurement::Timing;
use crate::measurement::folder::Folder;
use crate::models::Published;

/// Why there is no page.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A chart cannot be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// The template fails.
    #[error("cannot fill in the page: {0}")]
    Template(#[from] askama::Error),
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page {
    title: String,
    machine: Vec<(&'static str, String)>,
    method: String,
    microbenchmarks: Vec<Section>,
    fits: Vec<FitRow>,
    bulk: Vec<Section>,
    algorithms: Section,
    opt: Option<OptSection>,
    greedy: Option<Part>,
    hull: Option<Part>,
    fidelity: Option<Fidelity>,
    times: Vec<Times>,
    version: &'static str,
}

struct Fidelity {
    /// Model, algorithm, points, mean and worst error.
    accuracies: Vec<[String; 5]>,
    /// What is left out, points, mean error.
    ablations: Vec<[String; 3]>,
    scatter: Section,
}

/// Optimal polygon triangulation.
struct OptSection {
    text: String,
    tables: Vec<Table>,
    sections: Vec<Section>,
    times: Vec<Times>,
}

/// Greedy triangulation, convex hulls.
struct Part {
    text: String,
    tables: Vec<Table>,
    sections: Vec<Section>,
}

/// Figures of one kind; a section without any says so.
struct Section {
    title: &'static str,
    pictures: Vec<Picture>,
}

struct Picture {
    title: String,
    text: String,
    light: String,
    dark: String,
}

/// A fit as a row of the page's table.
struct FitRow {
    what: String,
    manner: String,
    inputs: String,
    points: usize,
    fixed: String,
    per_input: String,
    r2: String,
    mape: String,
    published: String,
}

/// The page on what a folder holds.
///
/// # Errors
/// [`ReportError`] if a picture cannot be drawn.
pub fn page(
    folder: &Folder,
    published: &[Published],
    fidelity: Option<&FidelityTables>,
) -> Result<String, ReportError> {
    let none = Predictions::default();
    let predictions = fidelity.map_or(&none, |it| &it.predictions);
    let measured = Measured { folder, published, predictions };
    let section = |title, chart| -> Result<Section, ChartError> {
        let pictures = figures(chart, measured).iter().map(picture).collect::<Result<_, _>>()?;
        Ok(Section { title, pictures })
    };
    let all: Vec<&Timing> = folder.algorithms.iter().chain(&folder.microbenchmarks).collect();
    let page = Page {
        title: format!("Measurements of {}, {}", folder.device.name, folder.device.date),
        machine: machine::rows(&folder.device),
        method: method(&all),
        microbenchmarks: vec![
            section("Latency of dependent loads", Chart::Latency)?,
            section("Bandwidth against the stride", Chart::Stride)?,
            section("Bandwidth against the number of gaps", Chart::Gaps)?,
            section("Bank conflicts", Chart::Staircase)?,
        ],
        fits: fits(&folder.algorithms, published).iter().map(fit_row).collect(),
        bulk: vec![
            section("Time and speed-up", Chart::Bulk)?,
            section("Row-wise against column-wise", Chart::Ratio)?,
        ],
        algorithms: section("Each algorithm", Chart::Time)?,
        opt: if folder.opt.is_empty() {
            None
        } else {
            Some(OptSection {
                text: opt::text(&folder.opt),
                tables: opt::tables(&folder.opt),
                sections: vec![
                    heat_map(folder)?,
                    section("Time", Chart::OptTime)?,
                    section("Speed-up", Chart::OptSpeedup)?,
                    section("Relaxations a second", Chart::OptRate)?,
                    section("Share of the ceiling", Chart::OptShare)?,
                    section("Many polygons at once", Chart::OptBatch)?,
                ],
                times: opt::all_times(&folder.opt),
            })
        },
        greedy: if folder.greedy.is_empty() {
            None
        } else {
            Some(Part {
                text: greedy::text(&folder.greedy),
                tables: greedy::tables(&folder.greedy),
                sections: vec![
                    section("Time", Chart::GreedyTime)?,
                    section("Blocks and threads", Chart::GreedyGrid)?,
                    section("Operations a second", Chart::GreedyRate)?,
                    section("Lines left", Chart::GreedyRounds)?,
                ],
            })
        },
        hull: if folder.hull.is_empty() {
            None
        } else {
            Some(Part {
                text: hull::text(&folder.hull),
                tables: hull::tables(&folder.hull),
                sections: vec![
                    section("Time", Chart::HullTime)?,
                    section("Speed-up", Chart::HullSpeedup)?,
                    section("Workers", Chart::HullWorkers)?,
                    section("Workers and points", Chart::HullCrossover)?,
                    section("Points a second", Chart::HullRate)?,
                ],
            })
        },
        fidelity: match fidelity {
            Some(tables) => Some(Fidelity {
                accuracies: tables.accuracies.iter().map(Accuracy::row).collect(),
                ablations: tables.ablations.iter().map(Ablation::row).collect(),
                scatter: section("All predictions", Chart::Scatter)?,
            }),
            None => None,
        },
        times: [times(&folder.algorithms), times(&folder.microbenchmarks)]
            .into_iter()
            .flatten()
            .collect(),
        version: env!("CARGO_PKG_VERSION"),
    };
    // Not all that names and titles may hold may stand in HTML.
    Ok(visible(&page.render()?).into_owned())
}

/// Table 1 as a picture.
fn heat_map(folder: &Folder) -> Result<Section, ChartError> {
    let drawn = |theme| opt::heat_map(&folder.opt, &folder.device, theme);
    let pictures = match (drawn(Theme::Light)?, drawn(Theme::Dark)?) {
        (Some((title, text, light)), Some((.., dark))) => {
            vec![Picture { title, text, light: light.svg(), dark: dark.svg() }]
        }
        _ => vec![],
    };
    Ok(Section { title: "All stages in one way", pictures })
}

fn picture(figure: &Figure) -> Result<Picture, ChartError> {
    let svg = |theme| figure.scene(theme, None).svg();
    let (title, text) = (figure.title.clone(), figure.text.clone());
    Ok(Picture { title, text, light: svg(Theme::Light), dark: svg(Theme::Dark) })
}

fn fit_row(it: &Fitted) -> FitRow {
    let published = it.published.iter().map(|it| {
        let (a, b) = (seconds(it.fit.fixed_s), seconds(it.fit.per_input_s));
        format!("{}: {a} + {b}·p", it.model)
    });
    FitRow {
        what: it.subject.what(),
        manner: it.subject.manner(),
        inputs: format!("{} … {}", it.inputs_from, it.inputs_to),
        points: it.line.points,
        fixed: with_interval(it.line.fixed_s),
        per_input: with_interval(it.line.per_input_s),
        r2: format!("{:.4}", it.line.r2),
        mape: percent(it.line.mape),
        published: published.collect::<Vec<_>>().join(", "),
    }
}

fn with_interval(it: Coefficient) -> String {
    let value = seconds(it.coefficient);
    if it.high.is_finite() && it.high > 0.0 {
        format!("{value} ({} … {})", seconds(it.low), seconds(it.high))
    } else {
        value
    }
}
