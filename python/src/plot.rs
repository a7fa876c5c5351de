//! Charts of samples, of traces, of a loop's cells, of points.

use std::path::Path;

use memory_machine::case::replay;
use memory_machine::chart::{
    self, ArrayCells, Canvas, ChartStyle, Column, Peer, Quantity, SampleRow, Scene, Theme, pages,
};
use memory_machine::diagnostic::Source;
use memory_machine::host::files::{self, DATA};
use memory_machine::sample::Sample;
use memory_machine::trace::Trace;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::error;
use crate::interrupt::interruptible;
use crate::listing::Listing;
use crate::points::checked;
use crate::setting::{MachineSetting, Setting, case_error};

/// Width and height in pixels, light or dark, and the title in place of the usual one.
pub type Look = (u32, u32, String, Option<String>);

/// A cell of a table: column and value.
type Cell = (String, String);

/// How a chart is drawn.
pub fn canvas((width, height, theme, _): &Look) -> PyResult<Canvas> {
    let (least, most) = Canvas::SIDES.into_inner();
    if ![width, height].iter().all(|it| Canvas::SIDES.contains(it)) {
        return Err(error(format_args!(
            "size=({width}, {height}): give width and height of {least} to {most} pixels each"
        )));
    }
    let theme = match theme.as_str() {
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        _ => return Err(error(format_args!("theme={theme:?}: choose \"light\" or \"dark\""))),
    };
    Ok(Canvas { size: (*width, *height), theme })
}

fn drawn(mut scene: Scene, data: &str) -> String {
    scene.source(&format!("data: {data}"));
    scene.svg()
}

/// The text of a file of data.
#[pyfunction]
pub fn read_text(path: &str) -> PyResult<String> {
    files::read(Path::new(path), DATA).map_err(error)
}

/// The columns of a table of samples.
#[pyfunction]
pub fn sample_columns() -> Vec<String> {
    let row = serde_json::to_value(Sample::default()).unwrap_or_default();
    row.as_object().map(|it| it.keys().cloned().collect()).unwrap_or_default()
}

/// A chart of samples, which are texts of CSV files with their names.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option of a chart")]
pub fn draw_samples(
    py: Python<'_>,
    tables: Vec<(String, String)>,
    kind: String,
    x: Option<String>,
    by: Option<String>,
    bounds: bool,
    baseline: Option<Cell>,
    of: Option<Cell>,
    look: Look,
) -> PyResult<String> {
    let canvas = canvas(&look)?;
    interruptible(py, |_| {
        let mut rows = vec![];
        for (name, text) in &tables {
            rows.extend(chart::samples(text, name).map_err(error)?);
        }
        if let Some((column, value)) = of {
            rows = SampleRow::chosen(rows, &column, &value).map_err(error)?;
        }
        let column = |name: &Option<String>| {
            name.as_deref().map(|it| Column::named(it, &rows)).transpose().map_err(error)
        };
        let style = ChartStyle { canvas, title: look.3, x: column(&x)?, by: column(&by)? };
        let curves = |quantity| chart::curves(&rows, &quantity, &style);
        let scene = match (kind.as_str(), baseline) {
            ("time", _) => curves(Quantity::Time { bounds }),
            ("speedup", Some((name, value))) => {
                let column = Column::named(&name, &rows).map_err(error)?;
                curves(Quantity::Speedup { column, value })
            }
            ("ratio", _) => curves(Quantity::Ratio),
            ("stages", _) => curves(Quantity::Stages),
            ("arrangements", _) => curves(Quantity::Arrangements),
            ("regime", _) => chart::regime(&rows, &style),
            ("phases", _) => chart::phases(&rows, &style),
            ("heat", _) => chart::heat(&rows, &style),
            _ => return Err(error(format_args!("there is no chart {kind:?}"))),
        };
        let names: Vec<&str> = tables.iter().map(|it| it.0.as_str()).collect();
        Ok(drawn(scene.map_err(error)?, &names.join(", ")))
    })
}

/// Own times over those of peers.
#[pyfunction]
pub fn draw_peers(name: &str, text: &str, look: Look) -> PyResult<String> {
    let rows = Peer::parse(text).map_err(|it| error(format_args!("{name}:{it}")))?;
    let scene = chart::peers(&rows, "Own time", look.3.as_deref(), canvas(&look)?.theme);
    Ok(drawn(scene.map_err(|it| error(format_args!("{name}: {it}")))?, name))
}

/// When the pipeline is busy during a trace; or, with a step, what that step asks for.
#[pyfunction]
pub fn draw_trace(
    py: Python<'_>,
    name: String,
    text: String,
    machine: MachineSetting,
    step: Option<usize>,
    look: Look,
) -> PyResult<String> {
    let (machine, canvas) = (machine.machine()?, canvas(&look)?);
    interruptible(py, |_| {
        let trace: Trace = replay::parse(Source { name: name.clone(), text }).map_err(error)?;
        if trace.has_blocks() {
            return Err(error(format_args!(
                "{name}: it has a loop on DMMs, of which there are no pictures; time it by replay"
            )));
        }
        let title = look.3.as_deref();
        let scene = match step {
            Some(step) => chart::access(machine, &trace, step, &name, title, canvas),
            None => chart::occupancy(machine, &trace, &name, title, canvas),
        };
        Ok(drawn(scene.map_err(error)?, &name))
    })
}

/// Which cells a parallel loop reads and writes.
#[pyfunction]
pub fn draw_cells(
    py: Python<'_>,
    listing: &Listing,
    setting: Setting,
    phases: Vec<String>,
    time: u64,
    iteration: Option<(String, i64)>,
    look: Look,
) -> PyResult<String> {
    let (case, canvas) = (setting.case(py, &listing.program)?.of_pram(), canvas(&look)?);
    interruptible(py, |_| {
        let (program, layout) = (&*case.program, case.layout().map_err(case_error)?);
        let iteration = iteration.as_ref().map(|(name, value)| (name.as_str(), *value));
        let uses = case.cells(&layout, &phases, time, iteration).map_err(case_error)?;
        let grids = ArrayCells::all(program, &layout, &uses).map_err(error)?;
        let (usual, caption) = case.cells_title(&layout, &phases, time, iteration);
        let title = look.3.as_deref().unwrap_or(&usual);
        let scene = chart::cells(&grids, title, &caption, canvas).map_err(error)?;
        Ok(drawn(scene, &format!("a run of {}", program.name)))
    })
}

/// Points, their hull, its optimal triangulation, and their greedy one.
#[pyfunction]
pub fn draw_pipeline(
    py: Python<'_>,
    array: PyReadonlyArray2<'_, f64>,
    look: Look,
) -> PyResult<String> {
    let (points, theme) = (checked(&array)?, canvas(&look)?.theme);
    interruptible(py, |_| {
        let name = look.3.as_deref().unwrap_or("Points");
        let scene = pages::triangulate(points, name, theme).map_err(error)?;
        Ok(scene.svg())
    })
}
