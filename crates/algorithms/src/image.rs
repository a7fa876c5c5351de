//! Pictures as matrices of grey levels.

use std::path::Path;

use super::matrix::{Matrix, MatrixError};
use memory_machine_core::host::files;

/// Most pixels of a picture.
const MOST_PIXELS: usize = 1 << 28;

/// Reads a PNG file: a row of pixels a row, grey levels from 0, black, to 255.
///
/// # Errors
/// [`MatrixError`] names the file, and what to change.
pub fn read(path: &Path) -> Result<Matrix<u8>, MatrixError> {
    let fail = |why: String| MatrixError::Binary { path: path.into(), why };
    let file = files::open(path, files::DATA);
    let file = file.map_err(|error| fail(format!("cannot read the file: {error}")))?;
    let not_png = |error: png::DecodingError| {
        let error = error.to_string();
        fail(format!(
            "is no picture that can be read: {}; give a .png",
            error.trim_end_matches('.')
        ))
    };
    let mut decoder = png::Decoder::new(file);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(not_png)?;
    let size = reader.output_buffer_size();
    if size > 4 * MOST_PIXELS {
        return Err(fail("has too many pixels; give one of at most 2^28".to_owned()));
    }
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).map_err(not_png)?;
    let samples = frame.color_type.samples();
    let grey = |pixel: &[u8]| match *pixel {
        // The luma of ITU-R BT.601.
        [red, green, blue, ..] => {
            let sum = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
            ((sum + 500) / 1000) as u8
        }
        [grey, ..] => grey,
        [] => 0,
    };
    let pixels = bytes[..frame.buffer_size()].chunks_exact(samples).map(grey).collect();
    Ok(Matrix::new(frame.width as usize, pixels))
}
