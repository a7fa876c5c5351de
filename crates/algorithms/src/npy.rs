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
    let fail = |why: String| MatrixError::Binary { path: path.into(), why };
    let mut bytes = vec![];
    let opened = files::open(path, files::DATA).and_then(|mut it| it.read_to_end(&mut bytes));
    opened.map_err(|error| fail(format!("cannot read the file: {error}")))?;
    let not_npy = || fail("is no .npy file; write it with numpy.save".to_owned());
    let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or_else(not_npy)?;
    let (length, from) = match rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([*a, *b])), 4),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 6),
        _ => return Err(not_npy()),
    };
    let header = rest.get(from..from + length).ok_or_else(not_npy)?;
    let header = String::from_utf8_lossy(header);
    let data = &rest[from + length..];
    let value = |key: &str| {
        let behind = header.split_once(&format!("'{key}':"))?.1.trim_start();
        let end = if behind.starts_with('(') { behind.find(')')? + 1 } else { behind.find(',')? };
        Some(behind[..end].trim().to_owned())
    };
    let (Some(kind), Some(order), Some(shape)) =
        (value("descr"), value("fortran_order"), value("shape"))
    else {
        return Err(not_npy());
    };
    if order != "False" {
        return Err(fail("has columns first; save numpy.ascontiguousarray(a)".to_owned()));
    }
    let shape: Option<Vec<usize>> = shape
        .trim_matches(['(', ')'])
        .split(',')
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .map(|it| it.parse().ok())
        .collect();
    let shape = shape.ok_or_else(not_npy)?;
    let kind = kind.trim_matches(['\'', '"']);
    let size =
        kind.get(2..).and_then(|it| it.parse::<usize>().ok()).filter(|it| (1..=8).contains(it));
    let of = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let unsigned = u64::from_le_bytes(word);
        let bits = 64 - 8 * bytes.len() as u32;
        let signed = (unsigned << bits).cast_signed() >> bits;
        match (&kind[1..2], bytes.len()) {
            ("f", 2) => Some(short_float::widened(Type::F16, unsigned as u16).to_string()),
            ("f", 4) => Some(f32::from_bits(unsigned as u32).to_string()),
            ("f", 8) => Some(f64::from_bits(unsigned).to_string()),
            ("i", _) => Some(signed.to_string()),
            ("u", _) | ("b", 1) => Some(unsigned.to_string()),
            _ => None,
        }
    };
    let size = size.filter(|&size| {
        let is_little = kind.starts_with(['<', '|']) || (size == 1 && kind.is_ascii());
        is_little && of(&[0; 8][..size]).is_some()
    });
    let Some(size) = size else {
        return Err(fail(format!(
            "has elements of type {kind}; save a.astype('<f4'), '<f8', '<i4', '<i8' or '<u4'"
        )));
    };
    let cells = shape.iter().try_fold(1_usize, |cells, it| cells.checked_mul(*it));
    if cells.and_then(|it| it.checked_mul(size)) != Some(data.len()) {
        return Err(fail("is cut off, or too long; write it with numpy.save".to_owned()));
    }
    let columns = if shape.len() < 2 { 1 } else { shape[shape.len() - 1] };
    let mut numbers = vec![];
    for (at, bytes) in data.chunks_exact(size).enumerate() {
        let text = of(bytes).unwrap_or_default();
        let number = parse(&text);
        numbers.push(number.map_err(|why| fail(format!("number {}: '{text}' {why}", at + 1)))?);
    }
    Ok(Matrix::new(columns, numbers))
}
