//! Which columns of a CSV file hold x and y, by their names.

use csv::StringRecord;
use thiserror::Error;

/// Names of x and of y that belong together; of several pairs in a header, the first counts.
const PAIRS: [[&[&str]; 2]; 3] = [
    [&["x"], &["y"]],
    [&["lon", "long", "lng", "longitude"], &["lat", "latitude"]],
    [&["easting", "east"], &["northing", "north"]],
];

/// What may follow a name, as in `latitude_deg` or `x (m)`.
const UNITS: [&str; 18] = [
    "deg", "degree", "degrees", "dd", "°", "rad", "radians", "mm", "cm", "m", "metres", "meters",
    "km", "ft", "feet", "px", "pixel", "pixels",
];

/// For messages: what to write.
pub(super) const NAMES: &str = "x and y, lon and lat, or easting and northing";

/// A header that does not say where x and y are.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HeaderError {
    /// Two columns whose names say nothing.
    #[error("the columns `{0}` and `{1}` could be x and y either way; call them {NAMES}")]
    Unknown(String, String),
    /// Two columns for one coordinate.
    #[error("the columns `{0}` and `{1}` both name the same coordinate; rename or remove one")]
    Twice(String, String),
}

/// The columns of x and y if a file's first line names them, in any case and with a unit or without;
/// none if it is no header of two columns.
///
/// # Errors
/// [`HeaderError`] if there are two columns of other names, or a coordinate stands there twice.
pub(super) fn columns(header: &StringRecord) -> Result<Option<[usize; 2]>, HeaderError> {
    for names in PAIRS {
        for form in [str::to_lowercase, without_unit] {
            let columns = names.map(|names| -> Vec<usize> {
                let is_named = |field: &str| names.contains(&&*form(field));
                (0..header.len()).filter(|&it| is_named(&header[it])).collect()
            });
            match columns.each_ref().map(Vec::as_slice) {
                [&[x], &[y]] => return Ok(Some([x, y])),
                [[], _] | [_, []] => {}
                [&[a, b, ..], _] | [_, &[a, b, ..]] => {
                    return Err(HeaderError::Twice(header[a].into(), header[b].into()));
                }
            }
        }
    }
    let is_number = |field: &str| field.parse::<f64>().is_ok();
    if header.len() == 2 && !header.iter().any(is_number) {
        return Err(HeaderError::Unknown(header[0].into(), header[1].into()));
    }
    Ok(None)
}

/// `latitude_deg`, `Latitude [°]` → `latitude`.
fn without_unit(field: &str) -> String {
    let field = field.to_lowercase();
    let parted = field.trim_end_matches([')', ']']).rsplit_once(['_', ' ', '(', '[', '/']);
    match parted {
        Some((name, unit)) if UNITS.contains(&unit) => {
            name.trim_end_matches(['_', ' ', '(', '[']).to_owned()
        }
        _ => field,
    }
}
