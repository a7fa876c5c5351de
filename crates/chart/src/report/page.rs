//! The page: one HTML text that needs nothing beside itself.

use askama::Template;
use thiserror::Error;

use super::exclusions::left_out;
use super::fidelity::{FidelityTables, percent};
use super::findings::{Finding, findings};
use super::fits::{CurveFit, fits};
use super::opt;
use super::prose::prose;
use super::section::{Pictures, Section};
use super::table::{Table, what};
use super::times::{method, times};
use super::{greedy, hull, machine};
use crate::measurement::{Chart, MeasurementSource, Predictions};
use crate::{ChartError, Theme, grouped, seconds};
use memory_machine_core::diagnostic::visible;
use memory_machine_fit::Coefficient;
use memory_machine_measure::Timing;
use memory_machine_measure::folder::Folder;
use memory_machine_measure::models::PublishedFit;

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
struct PageTemplate {
    title: String,
    findings: Vec<Finding>,
    sections: Vec<Section>,
    /// What colours are, on a light page and on a dark one.
    light: String,
    dark: String,
    version: &'static str,
}

/// The page on what a folder holds; `fidelity` are predictions for it, or why there are none.
///
/// # Errors
/// [`ReportError`] if a picture cannot be drawn.
pub fn page(
    folder: &Folder,
    published: &[PublishedFit],
    fidelity: Result<&FidelityTables, &str>,
) -> Result<String, ReportError> {
    let none = Predictions::default();
    let predictions = fidelity.map_or(&none, |it| &it.predictions);
    let measured = MeasurementSource { folder, published, predictions };
    let mut pictures = Pictures::of(measured);
    let fits = fits(&folder.algorithms, published);
    let mut sections = general(folder, &fits, &mut pictures);
    sections.push(triangulation(folder, &mut pictures)?);
    sections.push(greedy_triangulation(folder, &mut pictures));
    sections.push(convex_hull(folder, &mut pictures));
    sections.extend(fidelity.ok().map(|it| predicted(it, &mut pictures)));
    sections.push(Section {
        id: "left-out",
        title: "What was not compared, and why",
        items: left_out(folder, &fits, published, fidelity).iter().map(|it| prose(it)).collect(),
        ..Section::default()
    });
    sections.push(Section {
        id: "times",
        title: "All times",
        folded: [&folder.algorithms, &folder.microbenchmarks]
            .into_iter()
            .flat_map(|it| times(it))
            .collect(),
        ..Section::default()
    });
    for section in &mut sections {
        section.parts.retain(|it| !it.pictures.is_empty());
    }
    // What a folder lacks is stated once, under what was not compared.
    sections.retain(|it| it.id == "method" || it.shows());
    let page = PageTemplate {
        title: format!("Measurements of {}, {}", folder.device.name, folder.device.date),
        findings: findings(folder, fidelity.ok()),
        sections,
        light: pictures.inks.variables(Theme::Light),
        dark: pictures.inks.variables(Theme::Dark),
        version: env!("CARGO_PKG_VERSION"),
    };
    // Not all that names and titles may hold may stand in HTML.
    Ok(visible(&page.render()?).into_owned())
}

/// Machine, method, microbenchmarks, bulk runs, and each algorithm.
fn general(folder: &Folder, fits: &[CurveFit], pictures: &mut Pictures) -> Vec<Section> {
    let all: Vec<&Timing> = folder.algorithms.iter().chain(&folder.microbenchmarks).collect();
    let machine = Section {
        id: "machine",
        title: "Machine",
        tables: vec![machine::table(&folder.device)],
        ..Section::default()
    };
    let texts = [
        "A time on the GPU lies between two events that the GPU itself records before and after \
         the launch; runs to warm up come first and are not counted. A time on the CPU is that of \
         one core. Where a time is shown it is the median of its repetitions, and its spread lies \
         between the quartiles.",
        &method(&all),
        "The *regime* of a point is `memory` if its arrays together are larger than the last-level \
         cache, so that its accesses go to memory, and `cache` otherwise.",
    ];
    let method = Section {
        id: "method",
        title: "Method",
        texts: texts.map(prose).to_vec(),
        ..Section::default()
    };
    let microbenchmarks = Section {
        id: "microbenchmarks",
        title: "Microbenchmarks",
        texts: vec![prose(
            "A machine is calibrated from these alone. No algorithm is among them, so what it \
             predicts of algorithms is a prediction.",
        )],
        parts: vec![
            pictures.part("Latency of dependent loads", Chart::Latency),
            pictures.part("Bandwidth against the stride", Chart::Stride),
            pictures.part("Bandwidth against the number of gaps", Chart::Gaps),
            pictures.part("Bank conflicts", Chart::Staircase),
        ],
        ..Section::default()
    };
    let texts = vec![prose(
        "One sequential algorithm for p inputs at once, a thread for each input. As in the papers \
         on bulk execution, a line a + b·p is fitted to its time: a is paid for any number of \
         inputs, b for each more. The squares of relative errors sum to the least; in parentheses, \
         intervals of 95 % confidence.",
    )];
    let tables = if fits.is_empty() { vec![] } else { vec![fit_table(fits)] };
    let bulk = Section {
        id: "bulk",
        title: "Bulk runs",
        texts,
        tables,
        parts: vec![
            pictures.part("Time and speed-up of bulk runs", Chart::Bulk),
            pictures.part("Row-wise against column-wise", Chart::Ratio),
        ],
        ..Section::default()
    };
    let algorithms = Section {
        id: "algorithms",
        title: "Each algorithm",
        texts: vec![prose(
            "Every size and arrangement that was measured on a GPU, with what models predict where \
             there is one: open an algorithm for its charts.",
        )],
        parts: pictures.each_algorithm(),
        ..Section::default()
    };
    vec![machine, method, microbenchmarks, bulk, algorithms]
}

fn triangulation(folder: &Folder, pictures: &mut Pictures) -> Result<Section, ChartError> {
    let heat = opt::heat_map(&folder.opt, &folder.device)?;
    Ok(Section {
        id: "opt",
        title: "Optimal polygon triangulation",
        texts: [
            "Ito and Nakano (2013) compute the table of n vertices diagonal by diagonal, each stage \
             by threads (TB) or by blocks (BB), and publish the times of a GeForce GTX 680. Here \
             are their tables made again, and beside them this project's engines: the plain triple \
             loop, the engine of the CPU, and the tiled engine of the GPU. `docs/opt.md` describes \
             them.",
            &opt::text(&folder.opt),
        ]
        .map(prose)
        .to_vec(),
        tables: opt::tables(&folder.opt),
        parts: vec![
            pictures.part_of("All stages in one way", &heat),
            pictures.part("Time of the engines", Chart::OptTime),
            pictures.part("Speed-up of the engines", Chart::OptSpeedup),
            pictures.part("Relaxations a second", Chart::OptRate),
            pictures.part("Share of the ceiling", Chart::OptShare),
            pictures.part("Many polygons at once", Chart::OptBatch),
        ],
        folded: opt::all_times(&folder.opt),
        ..Section::default()
    })
}

fn greedy_triangulation(folder: &Folder, pictures: &mut Pictures) -> Section {
    Section {
        id: "greedy",
        title: "Greedy triangulation",
        texts: [
            "Shoemaker accepts lines between points from the shortest on and takes away what \
             crosses them, and publishes the times of a serial program, of a cluster and of a GPU. \
             Here the experiments are made again, with exact tests, beside an engine that does \
             without most lines. `docs/greedy.md` describes them.",
            &greedy::text(&folder.greedy),
        ]
        .map(prose)
        .to_vec(),
        tables: greedy::tables(&folder.greedy),
        parts: vec![
            pictures.part("Time of greedy triangulation", Chart::GreedyTime),
            pictures.part("Blocks and threads", Chart::GreedyGrid),
            pictures.part("Operations a second", Chart::GreedyRate),
            pictures.part("Lines left", Chart::GreedyRounds),
        ],
        ..Section::default()
    }
}

fn convex_hull(folder: &Folder, pictures: &mut Pictures) -> Section {
    Section {
        id: "hull",
        title: "Convex hull",
        texts: [
            "Srikanth et al. run quickhull round by round: on a GPU in seven phases of scans, and \
             on a Cell processor in chunks, a chunk for each of its cores. Here are both, exact, \
             the chunks for workers with and without SIMD; and beside them an engine that first \
             filters what is certainly inside. `docs/hull.md` describes them.",
            &hull::text(&folder.hull),
        ]
        .map(prose)
        .to_vec(),
        tables: hull::tables(&folder.hull),
        parts: vec![
            pictures.part("Time of convex hulls", Chart::HullTime),
            pictures.part("Speed-up of convex hulls", Chart::HullSpeedup),
            pictures.part("Workers", Chart::HullWorkers),
            pictures.part("Workers and points", Chart::HullCrossover),
            pictures.part("Points a second", Chart::HullRate),
        ],
        ..Section::default()
    }
}

fn predicted(fidelity: &FidelityTables, pictures: &mut Pictures) -> Section {
    Section {
        id: "fidelity",
        title: "Fidelity",
        texts: vec![prose(
            "Predictions are made by models that are calibrated from microbenchmarks alone. MAPE is the mean of |predicted − measured| / measured.",
        )],
        tables: fidelity.tables(),
        parts: vec![
            pictures.part("How far predictions are off", Chart::Residuals),
            pictures.part("All predictions", Chart::Scatter),
        ],
        ..Section::default()
    }
}

fn fit_table(fits: &[CurveFit]) -> Table {
    let row = |it: &CurveFit| {
        let published = it.published.iter().map(|it| {
            let (a, b) = (seconds(it.fit.fixed_s), seconds(it.fit.per_input_s));
            format!("{}: {a} + {b}·p", it.model)
        });
        vec![
            what(&it.subject),
            it.subject.execution(),
            format!("{} … {}", grouped(it.inputs_from), grouped(it.inputs_to)),
            it.line.points.to_string(),
            with_interval(it.line.fixed_s),
            with_interval(it.line.per_input_s),
            format!("{:.4}", it.line.r2),
            percent(it.line.mape),
            published.collect::<Vec<_>>().join(", "),
        ]
    };
    let head =
        ["algorithm", "execution", "inputs p", "points", "a", "b", "R²", "MAPE", "published line"];
    Table::new("Lines a + b·p of bulk runs", &head, fits.iter().map(row).collect()).worded(2)
}

fn with_interval(it: Coefficient) -> String {
    let value = seconds(it.coefficient);
    if it.high.is_finite() && it.high > 0.0 {
        format!("{value} ({} … {})", seconds(it.low), seconds(it.high))
    } else {
        value
    }
}
