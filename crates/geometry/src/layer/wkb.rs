//! Well-known binary, of OGC, ISO and PostGIS: heights and measures are left out.

use super::{CoordinateUnit, Fault, Feature, Layer, Part};
use crate::points::Point;

/// Collections within collections, at most so deep.
const DEEPEST: usize = 32;

/// Whether bytes begin with a geometry: an order of bytes and a type.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    let mut reader = Reader { bytes, at: 0, big_endian: false };
    reader.kind().is_ok_and(|it| (1..=7).contains(&it.kind))
}

/// Reads all geometries, each of which becomes a feature.
pub(super) fn parse(bytes: &[u8]) -> Result<Layer, Fault> {
    let mut reader = Reader { bytes, at: 0, big_endian: false };
    let (mut features, mut srid) = (vec![], None);
    while reader.at < bytes.len() {
        let mut parts = vec![];
        reader.geometry(&mut parts, &mut srid, 0)?;
        features.push(Feature { parts, ..Feature::default() });
    }
    let srid = srid.map(|it: u32| it.to_string());
    let (unit, crs) = CoordinateUnit::of_srid(srid.as_deref());
    Ok(Layer { features, format: "WKB", unit, crs, ..Layer::default() })
}

/// The pieces of one geometry.
#[cfg(feature = "geo-formats")]
pub(super) fn parts(bytes: &[u8]) -> Result<Vec<Part>, Fault> {
    let mut parts = vec![];
    Reader { bytes, at: 0, big_endian: false }.geometry(&mut parts, &mut None, 0)?;
    Ok(parts)
}

struct Kind {
    kind: u32,
    /// Numbers of a position.
    width: usize,
    srid: Option<u32>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    big_endian: bool,
}

impl Reader<'_> {
    fn fault(&self, what: &str) -> Fault {
        Fault::new(format!("no WKB at byte {}: {what}; write the file anew", self.at))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let found = self.bytes.get(self.at..).and_then(|it| it.first_chunk::<N>());
        let mut bytes = *found.ok_or_else(|| self.fault("it ends too soon"))?;
        self.at += N;
        if self.big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u32, Fault> {
        self.take().map(u32::from_le_bytes)
    }

    /// A number of things that take this many bytes at least.
    fn count(&mut self, least: usize) -> Result<usize, Fault> {
        let count = self.number()? as usize;
        if count.saturating_mul(least) > self.bytes.len() - self.at {
            return Err(self.fault("it ends too soon"));
        }
        Ok(count)
    }

    fn kind(&mut self) -> Result<Kind, Fault> {
        match self.take::<1>()? {
            [0] => self.big_endian = true,
            [1] => self.big_endian = false,
            _ => return Err(self.fault("no order of bytes")),
        }
        let word = self.number()?;
        let flags = word >> 28;
        let (kind, thousands) = ((word & 0x0fff_ffff) % 1000, (word & 0x0fff_ffff) / 1000);
        if thousands > 3 || !(1..=7).contains(&kind) || word & 0x1000_0000 != 0 {
            return Err(self.fault("no type of geometry"));
        }
        let (z, m) = (flags >> 3 & 1, flags >> 2 & 1);
        let more = z.max(thousands & 1) + m.max(thousands >> 1 & 1);
        let srid = if flags >> 1 & 1 == 1 { Some(self.number()?) } else { None };
        Ok(Kind { kind, width: 2 + more as usize, srid })
    }

    fn geometry(
        &mut self,
        parts: &mut Vec<Part>,
        srid: &mut Option<u32>,
        depth: usize,
    ) -> Result<(), Fault> {
        if depth > DEEPEST {
            return Err(self.fault("collections within collections"));
        }
        let Kind { kind, width, srid: own } = self.kind()?;
        if let Some(own) = own {
            srid.get_or_insert(own);
        }
        match kind {
            1 => {
                let point = self.point(width)?;
                // An empty one has no coordinates.
                if !(point.x.is_nan() && point.y.is_nan()) {
                    parts.push(Part::Points(vec![point]));
                }
            }
            2 => parts.push(Part::Line(self.points(width)?)),
            3 => {
                let rings = self.count(4)?;
                let rings = (0..rings).map(|_| self.points(width)).collect::<Result<_, _>>()?;
                parts.push(Part::Polygon(rings));
            }
            _ => {
                for _ in 0..self.count(5)? {
                    self.geometry(parts, srid, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn points(&mut self, width: usize) -> Result<Vec<Point>, Fault> {
        let count = self.count(8 * width)?;
        (0..count).map(|_| self.point(width)).collect()
    }

    fn point(&mut self, width: usize) -> Result<Point, Fault> {
        let mut numbers = [0.0; 4];
        for number in &mut numbers[..width] {
            *number = f64::from_le_bytes(self.take()?);
        }
        Ok(Point { x: numbers[0], y: numbers[1] })
    }
}
