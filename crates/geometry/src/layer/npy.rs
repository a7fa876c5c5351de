//! Arrays of NumPy, `.npy` of versions 1 to 3: n × 2 (or n × 3) numbers, 2 × n, or records with
//! fields x and y.

use rayon::prelude::*;

use super::{Fault, Layer, Part, ReadOptions};
use crate::points::Point;

const SHAPE: &str = "save an array of n × 2 numbers, as numpy.column_stack((x, y))";

/// A column of numbers within the data: where its first one is, and how far the next.
#[derive(Clone, Copy)]
struct Column {
    kind: Kind,
    first: usize,
    step: usize,
}

/// A number as it lies in memory.
#[derive(Clone, Copy, PartialEq)]
struct Kind {
    letter: u8,
    size: usize,
    big_endian: bool,
}

impl Kind {
    /// Of a name such as `<f8`.
    fn of(name: &str) -> Result<Self, Fault> {
        let refused = || {
            Fault::new(format!(
                "has elements of type {name}; save a.astype('<f8'), or another of f4, f8, i1 … i8, \
                 u1 … u8"
            ))
        };
        let (order, rest) = match name.as_bytes() {
            [order @ (b'<' | b'>' | b'|' | b'='), rest @ ..] => (*order, rest),
            rest => (b'<', rest),
        };
        let [letter, size] = rest else { return Err(refused()) };
        let size = usize::from(size.wrapping_sub(b'0'));
        let is_known = match letter {
            b'f' => matches!(size, 4 | 8),
            b'i' | b'u' => matches!(size, 1 | 2 | 4 | 8),
            _ => false,
        };
        if !is_known {
            return Err(refused());
        }
        Ok(Self { letter: *letter, size, big_endian: order == b'>' })
    }

    /// The number that these bytes begin with, if it is exact in `f64`.
    fn read(self, bytes: &[u8]) -> Option<f64> {
        let mut word = [0; 8];
        word[..self.size].copy_from_slice(bytes.get(..self.size)?);
        if self.big_endian {
            word[..self.size].reverse();
        }
        let unsigned = u64::from_le_bytes(word);
        let bits = 64 - 8 * self.size as u32;
        let signed = (unsigned << bits).cast_signed() >> bits;
        match (self.letter, self.size) {
            (b'f', 4) => Some(f32::from_bits(unsigned as u32).into()),
            (b'f', _) => Some(f64::from_bits(unsigned)),
            (b'i', _) => Some(signed as f64).filter(|_| signed.unsigned_abs() <= 1 << 53),
            _ => Some(unsigned as f64).filter(|_| unsigned <= 1 << 53),
        }
    }
}

/// Reads one array.
pub(super) fn parse(bytes: &[u8], options: &ReadOptions) -> Result<Layer, Fault> {
    let (header, data) = split(bytes)
        .ok_or_else(|| Fault::new("is no whole .npy file; write it with numpy.save"))?;
    let (columns, n, notes) = columns(header, data.len(), options)?;
    let points = points(data, columns, n)?;
    Ok(Layer { notes, ..Layer::of_part("a NumPy array", Part::Points(points)) })
}

fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (length, from) = match rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([*a, *b])), 4),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 6),
        _ => return None,
    };
    let end = length.checked_add(from)?;
    Some((std::str::from_utf8(rest.get(from..end)?).ok()?, &rest[end..]))
}

/// What stands behind a key of the header.
fn value<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let behind = header.split_once(&format!("'{key}':"))?.1.trim_start();
    let end = match behind.as_bytes().first()? {
        b'(' => behind.find(')')? + 1,
        b'[' => behind.find(']')? + 1,
        _ => behind.find(',')?,
    };
    Some(&behind[..end])
}

type Layout = ([Column; 2], usize, Vec<String>);

fn columns(header: &str, length: usize, options: &ReadOptions) -> Result<Layout, Fault> {
    let broken = || Fault::new("has no header of numpy; write it with numpy.save");
    let (Some(kind), Some(order), Some(shape)) =
        (value(header, "descr"), value(header, "fortran_order"), value(header, "shape"))
    else {
        return Err(broken());
    };
    let shape = shape.trim_matches(['(', ')']).split(',').map(str::trim);
    let shape: Option<Vec<usize>> =
        shape.filter(|it| !it.is_empty()).map(|it| it.trim_end_matches('L').parse().ok()).collect();
    let shape = shape.ok_or_else(broken)?;
    let fits = |size: usize| {
        let cells = shape.iter().try_fold(size, |cells, it| cells.checked_mul(*it));
        if cells == Some(length) {
            Ok(())
        } else {
            Err(Fault::new("is cut off, or too long; write it with numpy.save"))
        }
    };
    if kind.starts_with('[') {
        let (columns, size) = fields(kind, options)?;
        fits(size)?;
        let [n] = shape[..] else {
            return Err(Fault::new(format!("has records in {shape:?}; {SHAPE}")));
        };
        return Ok((columns, n, vec![]));
    }
    let kind = Kind::of(kind.trim_matches(['\'', '"']))?;
    fits(kind.size)?;
    let [rows, width] = shape[..] else {
        return Err(Fault::new(format!("has the shape {shape:?}; {SHAPE}")));
    };
    let by_rows = order != "True";
    let mut notes = vec![];
    // Points by rows, or as a row of x and one of y.
    let (n, of, turned) = match (rows, width) {
        (_, 2 | 3) => (rows, width, false),
        (2 | 3, _) => (width, rows, true),
        _ => return Err(Fault::new(format!("has the shape {shape:?}; {SHAPE}"))),
    };
    if of == 3 {
        notes.push("the third number of each point is left out".to_owned());
    }
    if turned {
        notes.push(format!("{of} rows of {n} numbers are read as x and y"));
    }
    let is_adjacent = by_rows != turned;
    let column = |rank: usize| match is_adjacent {
        true => Column { kind, first: rank * kind.size, step: of * kind.size },
        false => Column { kind, first: rank * n * kind.size, step: kind.size },
    };
    Ok(([column(0), column(1)], n, notes))
}

/// The fields x and y of records, as `[('x', '<f8'), ('y', '<f8')]` describes them.
fn fields(kind: &str, options: &ReadOptions) -> Result<([Column; 2], usize), Fault> {
    let mut found: Vec<(&str, Kind, usize)> = vec![];
    let mut size = 0;
    for field in kind.split('(').skip(1) {
        let words: Vec<&str> = field.split('\'').collect();
        let [_, name, between, of, ..] = words[..] else {
            return Err(Fault::new(format!("has records {kind}; {SHAPE}")));
        };
        if between.trim() != "," {
            return Err(Fault::new(format!("has records {kind}; {SHAPE}")));
        }
        // What is no number is stepped over.
        let bytes = of.trim_start_matches(['<', '>', '|', '=']);
        let width: Option<usize> = bytes.get(1..).and_then(|it| it.parse().ok());
        let scale = if bytes.starts_with('U') { 4 } else { 1 };
        let Some(width) = width.and_then(|it| it.checked_mul(scale)) else {
            return Err(Fault::new(format!("has records {kind}; {SHAPE}")));
        };
        if let Ok(kind) = Kind::of(of) {
            found.push((name, kind, size));
        }
        size += width;
    }
    let names: Vec<String> = found.iter().map(|it| it.0.to_owned()).collect();
    let ([x, y], _) =
        super::table::named_columns(&names, options.columns.as_ref()).map_err(Fault::new)?;
    let column = |at: usize| Column { kind: found[at].1, first: found[at].2, step: size };
    Ok(([column(x), column(y)], size))
}

fn points(data: &[u8], [x, y]: [Column; 2], n: usize) -> Result<Vec<Point>, Fault> {
    let plain = Kind { letter: b'f', size: 8, big_endian: false };
    let is_pairs = [x, y].map(|it| (it.first, it.step)) == [(0, 16), (8, 16)];
    if is_pairs && x.kind == plain && y.kind == plain && cfg!(target_endian = "little") {
        // As points lie in memory.
        let mut points = vec![Point::default(); n];
        let place = bytemuck::cast_slice_mut::<Point, u8>(&mut points);
        place.par_chunks_mut(1 << 20).zip(data.par_chunks(1 << 20)).for_each(|(to, from)| {
            to[..from.len()].copy_from_slice(from);
        });
        return Ok(points);
    }
    let at = |column: Column, rank: usize| {
        column.kind.read(data.get(column.first + rank * column.step..)?)
    };
    let point = |rank: usize| {
        let pair = at(x, rank).zip(at(y, rank));
        pair.map(|(x, y)| Point { x, y }).ok_or_else(|| {
            Fault::new(format!("point {rank} has an integer above 2^53; save it as f8, rounded"))
        })
    };
    (0..n).into_par_iter().map(point).collect()
}
