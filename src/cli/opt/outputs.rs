//! What comes out: chords as files for other programs, and what reports have in common.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::algorithms::opt::Chord;
use crate::algorithms::polygon::Polygon;
use crate::chart;
use crate::cli::support::Failure;
use crate::cli::support::files::{STDOUT_HAS_THE_REPORT, StagedOutput};
use crate::cli::support::graph_files::destination;
use crate::cli::support::table::Table;
use crate::host::files::{ends, path_text};

/// `--output`
#[derive(Debug, Clone)]
pub(super) struct Output {
    pub(super) path: PathBuf,
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    GeoJson,
    Csv,
}

pub(super) fn output(value: OsString) -> Result<Output, String> {
    let path = PathBuf::from(value);
    let format = if ends(&path, "geojson") || ends(&path, "json") {
        Format::GeoJson
    } else if ends(&path, "csv") {
        Format::Csv
    } else {
        return Err("chords are written as .geojson or .csv; name it so".to_owned());
    };
    Ok(Output { path, format })
}

impl Output {
    /// Whether it needs to know where the vertices are.
    pub(super) fn needs_places(&self) -> bool {
        self.format == Format::GeoJson
    }

    /// Writes chords with their weights, as text.
    pub(super) fn write(
        &self,
        chords: &[(Chord, String)],
        polygon: Option<&Polygon>,
    ) -> Result<StagedOutput, Failure> {
        match (self.format, polygon) {
            (Format::GeoJson, Some(polygon)) => {
                StagedOutput::new(&self.path, |file| geojson(file, chords, polygon))
            }
            (Format::GeoJson, None) => Err(no_places(&self.path)),
            (Format::Csv, _) => StagedOutput::new(&self.path, |file| csv(file, chords)),
        }
    }
}

pub(super) fn no_places(path: &Path) -> Failure {
    Failure::input(format_args!(
        "{}: GeoJSON needs coordinates, and a matrix of weights has none; name the polygon, too, or \
         write FILE.csv",
        path_text(path)
    ))
}

/// `--tree`
pub(super) fn tree(value: OsString) -> Result<PathBuf, String> {
    if value == "-" { Err(STDOUT_HAS_THE_REPORT.to_owned()) } else { destination(value) }
}

/// A table of the steps of a computation, in seconds, and their total.
pub(super) fn times(steps: &[(&str, f64)]) -> String {
    let mut table = Table::new(["step", "time", "share"]).numbers(1..3);
    let total: f64 = steps.iter().map(|(_, seconds)| seconds).sum();
    for &(name, seconds) in steps.iter().chain(&[("total", total)]) {
        let share = format!("{:.1} %", 100.0 * seconds / total);
        table.row([name.to_owned(), chart::seconds(seconds), share]);
    }
    table.text()
}

fn csv(file: &mut dyn Write, chords: &[(Chord, String)]) -> io::Result<()> {
    writeln!(file, "i,j,weight")?;
    chords.iter().try_for_each(|(Chord { a, b }, weight)| writeln!(file, "{a},{b},{weight}"))
}

/// A layer of lines, one a chord.
fn geojson(file: &mut dyn Write, chords: &[(Chord, String)], polygon: &Polygon) -> io::Result<()> {
    writeln!(file, r#"{{"type": "FeatureCollection", "features": ["#)?;
    for (rank, (Chord { a, b }, weight)) in chords.iter().enumerate() {
        let [from, to] =
            [a, b].map(|&v| polygon.vertices()[v]).map(|p| format!("[{}, {}]", p.x, p.y));
        let properties = format!(r#"{{"i": {a}, "j": {b}, "weight": {weight}}}"#);
        let geometry = format!(r#"{{"type": "LineString", "coordinates": [{from}, {to}]}}"#);
        let comma = if rank + 1 < chords.len() { "," } else { "" };
        writeln!(
            file,
            r#"{{"type": "Feature", "properties": {properties}, "geometry": {geometry}}}{comma}"#
        )?;
    }
    writeln!(file, "]}}")
}
