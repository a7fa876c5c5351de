mod chords;
mod drawing;
pub mod lattice;
mod optimum;
pub mod reading;

use std::path::{Path, PathBuf};

/// A file of `tests/data/`.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}
