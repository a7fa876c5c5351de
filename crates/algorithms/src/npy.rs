//! Arrays of NumPy's format `.npy`, versions 1 to 3: integers, floats and booleans, rows first.

use std::io::{self, Read, Write};
use std::path::Path;

use super::matrix::{Matrix, MatrixError};
use memory_machine_core::host::files;
use memory_machine_core::language::syntax::{Type, short_float};

/// Writes an array whose bytes stand as they do in a file: `kind` is NumPy's word for its type, such as `<f4`.
///
/// # Errors
/// What cannot be written.
pub fn write(out: &mut dyn Write, kind: &str, shape: &[usize], bytes: &[u8]) -> io::Result<()> {
    let shape: String = shape.iter().map(|it| format!("{it},")).collect();
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    // What comes before the data fills a multiple of 64 bytes, and ends a line.
    let length = (PREFIX_BYTES + header.len() + 1).next_multiple_of(64) - PREFIX_BYTES;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(length as u16).to_le_bytes())?;
    writeln!(out, "{header:<width$}", width = length - 1)?;
    out.write_all(bytes)
}

/// A header has fewer, where no array of structures has a hundred fields.
const MOST_HEADER_BYTES: u64 = 1 << 13;
/// Of version 1, before its header.
const PREFIX_BYTES: usize = 10;

/// Reads a file; each number goes through `parse` as text.
///
/// # Errors
/// [`MatrixError`] names the file, and what to change.
pub fn read<T>(
    path: &Path,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Matrix<T>, MatrixError> {
    read_fields(path, &[], parse)
}

/// What NumPy calls the type of a file's numbers, as in `<f4`; none, if its beginning does not say it.
pub fn kind(path: &Path) -> Option<String> {
    let mut bytes = vec![];
    files::open(path, files::DATA).ok()?.take(MOST_HEADER_BYTES).read_to_end(&mut bytes).ok()?;
    let descr = File::read(&bytes).ok()?.descr;
    Some(descr.trim_matches(['\'', '"']).to_owned())
}

/// The same as [`read`], of a structured array the fields of these names, as the columns of a row.
///
/// # Errors
/// As [`read`]; a name that is no field of a structured array.
pub fn read_fields<T>(
    path: &Path,
    names: &[String],
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Matrix<T>, MatrixError> {
    let fail = |why: String| MatrixError::Binary { path: path.into(), why };
    let mut bytes = vec![];
    let opened = files::open(path, files::DATA).and_then(|mut it| it.read_to_end(&mut bytes));
    opened.map_err(|error| fail(format!("cannot read the file: {error}")))?;
    let file = File::read(&bytes).map_err(fail)?;
    let (cells, bytes_a_cell) = file.cells(names).map_err(fail)?;
    let count = file.shape.iter().try_fold(1_usize, |cells, it| cells.checked_mul(*it));
    if count.and_then(|it| it.checked_mul(bytes_a_cell)) != Some(file.data.len()) {
        return Err(fail("is cut off, or too long; write it with numpy.save".to_owned()));
    }
    let columns = match (file.descr.starts_with('['), &file.shape[..]) {
        (true, _) => cells.len(),
        (false, [_, .., columns]) => *columns,
        (false, _) => 1,
    };
    let mut numbers = vec![];
    for (at, bytes) in file.data.chunks_exact(bytes_a_cell).enumerate() {
        for (from, kind) in &cells {
            let text = kind.text(&bytes[*from..*from + kind.bytes]);
            let number = parse(&text);
            numbers.push(number.map_err(|why| fail(format!("number {}: '{text}' {why}", at + 1)))?);
        }
    }
    Ok(Matrix::new(columns, numbers))
}

/// What a header says, and what is behind it.
struct File<'a> {
    /// The type of an element as NumPy writes it.
    descr: String,
    shape: Vec<usize>,
    data: &'a [u8],
}

impl<'a> File<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let not_npy = || "is no .npy file; write it with numpy.save".to_owned();
        let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or_else(not_npy)?;
        let (length, from) = match rest {
            [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([*a, *b])), 4),
            [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 6),
            _ => return Err(not_npy()),
        };
        let header = rest.get(from..from + length).ok_or_else(not_npy)?;
        let header = String::from_utf8_lossy(header);
        let value = |key: &str| {
            let behind = header.split_once(&format!("'{key}':"))?.1.trim_start();
            let end = match behind.as_bytes().first()? {
                b'(' => behind.find(')')? + 1,
                b'[' => behind.find(']')? + 1,
                _ => behind.find(',')?,
            };
            Some(behind[..end].trim().to_owned())
        };
        let (Some(descr), Some(order), Some(shape)) =
            (value("descr"), value("fortran_order"), value("shape"))
        else {
            return Err(not_npy());
        };
        if order != "False" {
            return Err("has columns first; save numpy.ascontiguousarray(a)".to_owned());
        }
        let shape: Option<Vec<usize>> = shape
            .trim_matches(['(', ')'])
            .split(',')
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .map(|it| it.parse().ok())
            .collect();
        let shape = shape.ok_or_else(not_npy)?;
        Ok(Self { descr, shape, data: &rest[from + length..] })
    }

    /// Where the numbers of a cell are in it and of what kind, and the bytes of a cell.
    fn cells(&self, names: &[String]) -> Result<(Vec<(usize, Kind)>, usize), String> {
        let Some(list) = self.descr.strip_prefix('[') else {
            let kind = Kind::read(&self.descr)?;
            return Ok((vec![(0, kind)], kind.bytes));
        };
        let (mut fields, mut bytes) = (vec![], 0);
        for field in list.trim_end_matches(']').split(')') {
            let field = field.trim_start_matches([',', ' ', '(']);
            let Some((name, kind)) = field.split_once(',') else { continue };
            let kind = Kind::read(kind.trim())?;
            fields.push((name.trim_matches(['\'', '"']).to_owned(), bytes, kind));
            bytes += kind.bytes;
        }
        let known: Vec<&str> = fields.iter().map(|it| it.0.as_str()).collect();
        let known = known.join(", ");
        if names.is_empty() {
            return Err(format!("has fields {known}; declare records: {{{known} : f32}}"));
        }
        let find = |name: &String| {
            let field = fields.iter().find(|it| it.0 == *name);
            let field = field.ok_or_else(|| {
                format!(
                    "has no field `{name}`; its fields are {known}: change it, or the listing's"
                )
            });
            field.map(|it| (it.1, it.2))
        };
        Ok((names.iter().map(find).collect::<Result<_, _>>()?, bytes))
    }
}

/// A type of numbers.
#[derive(Clone, Copy)]
struct Kind {
    /// `f`, `i`, `u` or `b`.
    letter: u8,
    bytes: usize,
}

impl Kind {
    fn read(word: &str) -> Result<Self, String> {
        let word = word.trim_matches(['\'', '"']);
        let kind = match word.as_bytes() {
            [order, letter, ..] if word.is_ascii() => {
                let bytes = word[2..].parse().unwrap_or(0);
                let is_little = matches!(order, b'<' | b'|') || bytes == 1;
                Some(Self { letter: *letter, bytes }).filter(|_| is_little)
            }
            _ => None,
        };
        let is_known = |it: &Self| match it.letter {
            b'f' => matches!(it.bytes, 2 | 4 | 8),
            b'i' | b'u' => (1..=8).contains(&it.bytes),
            b'b' => it.bytes == 1,
            _ => false,
        };
        kind.filter(is_known).ok_or_else(|| {
            format!(
                "has elements of type {word}; save a.astype('<f4'), '<f8', '<f2', '<i4', '<i8' or '<u4'"
            )
        })
    }

    fn text(self, bytes: &[u8]) -> String {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let unsigned = u64::from_le_bytes(word);
        let bits = 64 - 8 * bytes.len() as u32;
        match (self.letter, self.bytes) {
            (b'f', 2) => short_float::widened(Type::F16, unsigned as u16).to_string(),
            (b'f', 4) => f32::from_bits(unsigned as u32).to_string(),
            (b'f', _) => f64::from_bits(unsigned).to_string(),
            (b'i', _) => ((unsigned << bits).cast_signed() >> bits).to_string(),
            _ => unsigned.to_string(),
        }
    }
}
