//! Files of pictures.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Failure;
use crate::chart::Scene;

/// The name of one, as an option has it.
pub(super) fn picture(value: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    match path.extension().and_then(|it| it.to_str()) {
        Some("svg" | "png") => Ok(path),
        _ => Err("pictures are .svg or .png; name it so".to_owned()),
    }
}

/// A picture as the bytes of a file of this name: SVG or PNG by its ending.
pub(super) fn encode(scene: &Scene, path: &Path) -> Result<Vec<u8>, Failure> {
    let is_png = path.extension().is_some_and(|it| it == "png");
    if is_png { scene.png().map_err(Failure::run) } else { Ok(scene.svg().into_bytes()) }
}
