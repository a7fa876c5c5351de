//! How files of points and polygons are read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::options::word;
use crate::algorithms::export::{TRIANGLE_ENDINGS, TriangleFormat};
use crate::algorithms::layer::{self, Layer, Missing, ReadOptions};
use crate::host::files::path_text;

#[derive(Debug, Args)]
pub(crate) struct LayerOptions {
    /// Columns of a table that are x and y: names, or numbers from 1
    #[arg(long, value_name = "X,Y", value_delimiter = ',', num_args = 1)]
    columns: Vec<String>,
    /// What becomes of a row of a table without a coordinate [default: refuse]
    #[arg(long, value_parser = word::<Missing>())]
    missing: Option<Missing>,
    /// Which to read: the object of a TopoJSON, the file in a zip or .npz
    #[arg(long, value_name = "NAME")]
    member: Option<String>,
}

impl LayerOptions {
    /// Whether nothing is said.
    pub(crate) const fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.missing.is_none() && self.member.is_none()
    }

    /// Reads a file; its notes are what was inferred or left out, with the file.
    pub(crate) fn read(&self, path: &Path) -> Result<Layer, Failure> {
        let columns = match &self.columns[..] {
            [] => None,
            [x, y] => Some([x.clone(), y.clone()]),
            _ => return Err(Failure::input("--columns: name two, as in --columns lon,lat")),
        };
        let missing = self.missing.unwrap_or_default();
        let options =
            ReadOptions { columns, missing, member: self.member.clone(), is_strict: false };
        let mut layer = layer::read(path, &options).map_err(Failure::input)?;
        for note in &mut layer.notes {
            *note = format!("{}: {note}", path_text(path));
        }
        Ok(layer)
    }
}

/// Tells notes on standard error; a report for programs has them itself.
pub(crate) fn tell(notes: &[String], is_json: bool) {
    for note in notes.iter().filter(|_| !is_json) {
        eprintln!("note: {note}");
    }
}

/// The value of `--triangles`: a file in a format of triangles.
pub(crate) fn triangles(value: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    match TriangleFormat::of(&path) {
        Some(_) => Ok(path),
        None => Err(format!("triangles are written as {TRIANGLE_ENDINGS}; name it so")),
    }
}

/// What is said where lengths are in degrees.
pub(crate) const DEGREES: &str = "degrees are no lengths: one of longitude is shorter than one of \
                                  latitude, but on the equator";
