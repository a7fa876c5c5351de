//! Lines of an unfinished sweep and of its parts.

use std::io;

use crate::sample::Sample;

/// How the first line of an unfinished sweep begins.
pub(super) const UNFINISHED: &str = "# unfinished";

/// The names of a sample's columns, as a line.
pub(super) fn columns() -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(vec![]);
    writer.serialize(Sample::default()).map_err(io::Error::other)?;
    let text = writer.into_inner().map_err(|error| error.into_error())?;
    let end = text.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    Ok(text[..end].to_vec())
}

/// A line's point and its row, if it is as it was written: as the `rank`-th of its point.
pub(super) fn row(line: &[u8], rank: usize) -> Option<(usize, &[u8])> {
    let mut parts = line.splitn(3, |&byte| byte == b',');
    let index = std::str::from_utf8(parts.next()?).ok()?.parse().ok()?;
    let (sum, row) = (parts.next()?, parts.next()?);
    (sum == checksum(index, rank, row).as_bytes()).then_some((index, row))
}

/// Of a row with its line break; the same row elsewhere has another.
pub(super) fn checksum(index: usize, rank: usize, row: &[u8]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&(index as u64).to_le_bytes());
    hasher.update(&(rank as u64).to_le_bytes());
    hasher.update(row);
    format!("{:08x}", hasher.finalize())
}
