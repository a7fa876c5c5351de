//! Files of pictures.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Failure;
use crate::chart::Scene;
use crate::host::files::ends;

/// The name of one, as an option has it.
pub(crate) fn picture(value: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    if ends(&path, "svg") || ends(&path, "png") {
        return Ok(path);
    }
    Err("pictures are .svg or .png; name it so".to_owned())
}

/// A picture as the bytes of a file of this name: SVG or PNG by its ending.
pub(crate) fn encode(scene: &Scene, path: &Path) -> Result<Vec<u8>, Failure> {
    if ends(path, "png") { scene.png().map_err(Failure::run) } else { Ok(scene.svg().into_bytes()) }
}
