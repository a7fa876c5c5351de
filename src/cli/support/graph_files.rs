//! Graphs and parse trees as files: SVG or DOT by their ending.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Failure;
use crate::algorithms::opt::Chord;
use crate::algorithms::opt::parse_tree::parse_tree;
use crate::chart::parse_tree::Label;
use crate::chart::{self, ChartError, dot};
use crate::host::files::{ends, path_text};

/// The value of an option that names such a file, or `-` for DOT on standard output.
pub(crate) fn destination(value: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    if *path == *"-" || ends(&path, "svg") || ends(&path, "dot") || ends(&path, "gv") {
        return Ok(path);
    }
    Err("name a file FILE.svg or FILE.dot, or - for DOT on standard output".to_owned())
}

/// The parse tree of a triangulation as what the file's name says, SVG or DOT.
pub(crate) fn tree_text(
    path: &Path,
    n: usize,
    chords: &[Chord],
    weight: impl Display,
) -> Result<String, Failure> {
    let title = format!("Parse tree: n = {n}, total weight {weight}");
    labelled_tree(path, n, chords, &title, &|side, _| format!("v{} v{}", side.a, side.b))
}

/// The same, of a polygon that stands for something else, as `label` says.
pub(crate) fn labelled_tree(
    path: &Path,
    n: usize,
    chords: &[Chord],
    title: &str,
    label: Label,
) -> Result<String, Failure> {
    let tree = parse_tree(n, chords).map_err(Failure::input)?;
    if !ends(path, "svg") {
        return Ok(dot::parse_tree(&tree, label));
    }
    let scene = chart::parse_tree::scene(&tree, title, label);
    Ok(scene.map_err(|error| undrawable(path, &error))?.svg())
}

/// Refuses to draw a parse tree of `n` vertices, before it is known, if it would be too wide.
pub(crate) fn check_tree(path: &Path, n: usize) -> Result<(), Failure> {
    if !ends(path, "svg") {
        return Ok(());
    }
    chart::parse_tree::check_width(n - 1).map_err(|error| undrawable(path, &error))
}

fn undrawable(path: &Path, error: &ChartError) -> Failure {
    let path = path_text(path);
    Failure::input(format_args!("{path}: {error}; choose a smaller n, or write FILE.dot"))
}
