//! Lists of machines and numbers of threads, as flags and files write them.

use crate::grid::Grid;
use crate::machine::{MachineKind, Mode};
use crate::run::layout::Arrangement;
use crate::units::{Latency, NotPositive, Threads, Width};

/// Larger machine parameters could overflow times.
const LARGEST: u64 = 1 << 48;

fn positive<T>(text: &str, new: fn(u64) -> Result<T, NotPositive>) -> Result<Vec<T>, String> {
    let Grid(values) = text.parse()?;
    let value = |value: i64| match u64::try_from(value) {
        Ok(value) if value > LARGEST => Err(format!("{value} is more than 2^48")),
        Ok(value) => new(value).map_err(|error| error.to_string()),
        Err(_) => Err(format!("{value} is below 1")),
    };
    values.into_iter().map(value).collect()
}

/// # Errors
/// What is no grid of whole numbers from 1 to 2⁴⁸.
pub fn widths(text: &str) -> Result<Vec<Width>, String> {
    positive(text, Width::new)
}

/// # Errors
/// As [`widths`].
pub fn latencies(text: &str) -> Result<Vec<Latency>, String> {
    positive(text, Latency::new)
}

/// # Errors
/// As [`widths`].
pub fn threads(text: &str) -> Result<Vec<Threads>, String> {
    positive(text, Threads::new)
}

/// The values of a list of words, without repetition.
fn words<T: Copy + PartialEq>(text: &str, known: &[(&str, T)]) -> Result<Vec<T>, String> {
    let mut values = vec![];
    for word in text.split(',').map(str::trim) {
        let Some((_, value)) = known.iter().find(|(name, _)| *name == word) else {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            return Err(format!("`{word}` is none of {}", names.join(", ")));
        };
        if !values.contains(value) {
            values.push(*value);
        }
    }
    Ok(values)
}

/// `umm`, `dmm`.
///
/// # Errors
/// Another word.
pub fn kinds(text: &str) -> Result<Vec<MachineKind>, String> {
    words(text, &[("umm", MachineKind::Umm), ("dmm", MachineKind::Dmm)])
}

/// `sync`, `async`.
///
/// # Errors
/// Another word.
pub fn modes(text: &str) -> Result<Vec<Mode>, String> {
    words(text, &[("sync", Mode::Sync), ("async", Mode::Async)])
}

/// `none`, `row`, `column`.
///
/// # Errors
/// Another word.
pub fn arrangements(text: &str) -> Result<Vec<Option<Arrangement>>, String> {
    let (row, column) = (Arrangement::RowWise, Arrangement::ColumnWise);
    words(text, &[("none", None), ("row", Some(row)), ("column", Some(column))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers() {
        assert_eq!(kinds("dmm, umm,dmm"), Ok(vec![MachineKind::Dmm, MachineKind::Umm]));
        assert_eq!(modes("fast"), Err("`fast` is none of sync, async".to_owned()));
        assert_eq!(arrangements("none").unwrap(), [None]);
        assert_eq!(widths("4..16*2").unwrap().len(), 3);
        assert_eq!(threads("0"), Err("number of threads p must be at least 1".to_owned()));
        assert_eq!(latencies("-1"), Err("-1 is below 1".to_owned()));
        assert_eq!(latencies("281474976710657"), Err("281474976710657 is more than 2^48".into()));
    }
}
