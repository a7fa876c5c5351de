//! Pictures as matrices of grey levels.

use std::io::{self, Cursor, Read};
use std::path::Path;

use super::matrix::{Matrix, MatrixError};
use memory_machine_core::host::files;

/// Most pixels of a picture.
const MOST_PIXELS: usize = 1 << 28;
/// How a PNG file begins.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The bytes of a file, up to its end only if it begins as a PNG does.
fn whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = files::open(path, 5 * MOST_PIXELS as u64)?;
    let mut bytes = vec![];
    file.by_ref().take(SIGNATURE.len() as u64).read_to_end(&mut bytes)?;
    if bytes == SIGNATURE {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Reads a PNG file: a row of pixels a row, grey levels from 0, black, to 255.
///
/// # Errors
/// [`MatrixError`] names the file, and what to change.
pub fn read(path: &Path) -> Result<Matrix<u8>, MatrixError> {
    let fail = |why: String| MatrixError::Binary { path: path.into(), why };
    let bytes = whole(path).map_err(|error| fail(format!("cannot read the file: {error}")))?;
    let not_png = |error: png::DecodingError| {
        let error = error.to_string();
        fail(format!(
            "is no picture that can be read: {}; give a .png",
            error.trim_end_matches('.')
        ))
    };
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(not_png)?;
    let Some(size) = reader.output_buffer_size().filter(|&it| it <= 4 * MOST_PIXELS) else {
        return Err(fail("has too many pixels; give one of at most 2^28".to_owned()));
    };
    let mut pixels_read = vec![0; size];
    let frame = reader.next_frame(&mut pixels_read).map_err(not_png)?;
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
    let pixels = pixels_read[..frame.buffer_size()].chunks_exact(samples).map(grey).collect();
    Ok(Matrix::new(frame.width as usize, pixels))
}
