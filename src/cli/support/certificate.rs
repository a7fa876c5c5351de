//! Certificates of bounds as files.

use std::path::Path;

use serde_json::Value;

use super::{Failure, files};

/// Writes a certificate, or says of what there is none yet.
pub(crate) fn write_certificate(path: &Path, found: Result<Value, String>) -> Result<(), Failure> {
    let certificate = found.map_err(|error| {
        Failure::input(format_args!("--certificate: {error}; leave the flag out"))
    })?;
    files::write(path, |file| writeln!(file, "{certificate}"))
}
