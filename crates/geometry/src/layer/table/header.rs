//! Which columns of a table hold x and y, by their names.

/// Names of x and of y that belong together; of several pairs in a header, the first counts.
const PAIRS: [[&[&str]; 2]; 3] = [
    [
        &[
            "x",
            "pointx",
            "xcoord",
            "xcoordinate",
            "coordx",
            "coordinatex",
            "posx",
            "positionx",
            "px",
        ],
        &[
            "y",
            "pointy",
            "ycoord",
            "ycoordinate",
            "coordy",
            "coordinatey",
            "posy",
            "positiony",
            "py",
        ],
    ],
    [
        &[
            "lon",
            "long",
            "lng",
            "longitude",
            "decimallongitude",
            "geolon",
            "geolong",
            "geolng",
            "geolongitude",
            "londec",
            "longdec",
            "longitudedecimal",
            "longdd",
            "xlon",
            "lonx",
            "longitudex",
        ],
        &[
            "lat",
            "latitude",
            "decimallatitude",
            "geolat",
            "geolatitude",
            "latdec",
            "latitudedecimal",
            "latdd",
            "ylat",
            "laty",
            "latitudey",
        ],
    ],
    [
        &["easting", "eastings", "east", "e", "xeasting"],
        &["northing", "northings", "north", "n", "ynorthing"],
    ],
];

/// What may follow a name, as in `latitude_deg` or `x (m)`.
const UNITS: [&str; 20] = [
    "deg", "degree", "degrees", "dd", "°", "rad", "radians", "mm", "cm", "m", "metre", "metres",
    "meter", "meters", "km", "ft", "feet", "px", "pixel", "pixels",
];

/// For messages: what to write.
pub(super) const NAMES: &str = "x and y, lon and lat, or easting and northing";

/// The columns of x and y, and whether their names are of longitude and latitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) places: [usize; 2],
    pub(super) are_degrees: bool,
}

/// The columns of x and y if a file's first line names them, in any case and with a unit or without;
/// none if it is no header of two columns.
///
/// # Errors
/// What is wrong, if there are two columns of other names, or a coordinate stands there twice.
pub(super) fn columns(header: &[String]) -> Result<Option<Columns>, String> {
    for (names, rank) in PAIRS.into_iter().zip(0..) {
        for form in [letters, without_unit] {
            let columns = names.map(|names| -> Vec<usize> {
                let is_named = |field: &str| names.contains(&&*form(field));
                (0..header.len()).filter(|&it| is_named(&header[it])).collect()
            });
            match columns.each_ref().map(Vec::as_slice) {
                [&[x], &[y]] => {
                    return Ok(Some(Columns { places: [x, y], are_degrees: rank == 1 }));
                }
                [[], _] | [_, []] => {}
                [&[a, b, ..], _] | [_, &[a, b, ..]] => {
                    return Err(format!(
                        "the columns `{}` and `{}` both name the same coordinate; rename or remove \
                         one, or choose by --columns X,Y",
                        header[a], header[b]
                    ));
                }
            }
        }
    }
    let is_number = |field: &String| field.parse::<f64>().is_ok();
    if header.len() == 2 && !header.iter().any(is_number) {
        return Err(format!(
            "the columns `{}` and `{}` could be x and y either way; call them {NAMES}, or choose \
             by --columns X,Y",
            header[0], header[1]
        ));
    }
    Ok(None)
}

/// The columns that are asked for by name, or by number from 1.
pub(super) fn chosen(header: &[String], wanted: &[String; 2]) -> Result<[usize; 2], String> {
    let place = |name: &String| {
        let is_named = |it: &&String| it.trim() == name.trim();
        if let Some(at) = header.iter().position(|it| is_named(&it)) {
            return Ok(at);
        }
        if let Some(at) = header.iter().position(|it| it.eq_ignore_ascii_case(name)) {
            return Ok(at);
        }
        match name.trim().parse::<usize>() {
            Ok(number) if (1..=header.len()).contains(&number) => Ok(number - 1),
            _ => Err(format!(
                "--columns: there is no column `{name}`; there are {}",
                header.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
            )),
        }
    };
    let places = [place(&wanted[0])?, place(&wanted[1])?];
    if places[0] == places[1] {
        return Err("--columns: x and y are the same column; name two".to_owned());
    }
    Ok(places)
}

/// Its letters, small: `POINT_X` and `Lon.` → `pointx`, `lon`.
fn letters(field: &str) -> String {
    field.chars().filter(|it| it.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

/// `latitude_deg`, `Latitude [°]` → `latitude`.
fn without_unit(field: &str) -> String {
    let field = field.to_lowercase();
    let parted = field.trim_end_matches([')', ']']).rsplit_once(['_', ' ', '(', '[', '/']);
    match parted {
        Some((name, unit)) if UNITS.contains(&unit) => letters(name),
        _ => letters(&field),
    }
}
