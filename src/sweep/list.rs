//! Lists of machines and numbers of threads, as flags and files write them.

use crate::cost::CostKind;
use crate::grid::Grid;
use crate::keyword::Keyword;
use crate::machine::MachineKind;
use crate::run::layout::Arrangement;
use crate::units::NotPositive;

/// Larger machine parameters could overflow times.
const LARGEST: u64 = 1 << 48;

/// Widths, latencies or numbers of threads: a [`Grid`] of numbers from 1 to 2⁴⁸.
///
/// # Errors
/// What is none.
pub fn positive<T>(text: &str, new: fn(u64) -> Result<T, NotPositive>) -> Result<Vec<T>, String> {
    let Grid(values) = text.parse()?;
    let value = |value: i64| match u64::try_from(value) {
        Ok(value) if value > LARGEST => Err(format!("{value} is more than 2^48")),
        Ok(value) => new(value).map_err(|error| error.to_string()),
        Err(_) => Err(format!("{value} is below 1")),
    };
    values.into_iter().map(value).collect()
}

/// Numbers of DMMs or of blocks, likewise.
///
/// # Errors
/// What is none.
pub fn counts(text: &str) -> Result<Vec<u64>, String> {
    positive(text, |it| if it == 0 { Err(NotPositive("it")) } else { Ok(it) })
}

/// The values of a list of words, without repetition.
///
/// # Errors
/// A word that is none.
pub fn words<T: Keyword>(text: &str) -> Result<Vec<T>, String> {
    list(text, T::from_keyword)
}

/// Kinds of memory machines, or of those that are none; a sweep is of one sort.
///
/// # Errors
/// A word that is none, or words of both sorts.
pub fn machines(text: &str) -> Result<(Vec<MachineKind>, Vec<CostKind>), String> {
    let is_course = |word: &&str| CostKind::from_keyword(word.trim()).is_ok();
    let (course, memory): (Vec<&str>, Vec<&str>) = text.split(',').partition(is_course);
    match (course.is_empty(), memory.is_empty()) {
        (true, _) => match words(text) {
            Ok(memory) => Ok((memory, vec![])),
            Err(error) => {
                let others: Vec<&str> = CostKind::WORDS.iter().map(|it| it.1).collect();
                Err(format!("{error}, {}", others.join(", ")))
            }
        },
        (false, true) => Ok((vec![], words(text)?)),
        (false, false) => Err(match MachineKind::from_keyword(memory[0].trim()) {
            Ok(memory) => format!(
                "{memory} is a memory machine, and {} is none; sweep them apart",
                course[0].trim()
            ),
            Err(error) => error,
        }),
    }
}

/// Values of a parameter of such a machine: a GRID, or words.
///
/// # Errors
/// No value.
pub fn rule(text: &str) -> Result<Vec<String>, String> {
    match text.parse::<Grid>() {
        Ok(Grid(values)) => Ok(values.iter().map(i64::to_string).collect()),
        Err(_) => list(text, |word| match word {
            "" => Err("it has no value".to_owned()),
            word => Ok(word.to_owned()),
        }),
    }
}

/// The same of arrangements, and `none` for a run that is no bulk run.
///
/// # Errors
/// Another word.
pub fn arrangements(text: &str) -> Result<Vec<Option<Arrangement>>, String> {
    list(text, |word| match word {
        "none" => Ok(None),
        word => match Arrangement::from_keyword(word) {
            Ok(arrangement) => Ok(Some(arrangement)),
            Err(error) => Err(format!("{error}, none")),
        },
    })
}

fn list<T: PartialEq>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let mut values = vec![];
    for word in text.split(',') {
        let value = parse(word.trim())?;
        if !values.contains(&value) {
            values.push(value);
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Mode;
    use crate::units::{Latency, Threads, Width};

    #[test]
    fn words_and_numbers() {
        assert_eq!(words("dmm, umm,dmm"), Ok(vec![MachineKind::Dmm, MachineKind::Umm]));
        assert_eq!(words::<Mode>("fast"), Err("`fast` is none of sync, async".to_owned()));
        assert_eq!(arrangements("none").unwrap(), [None]);
        assert_eq!(arrangements("x"), Err("`x` is none of row, column, none".to_owned()));
        assert_eq!(positive("4..16*2", Width::new).unwrap().len(), 3);
        let error = Err("number of threads p must be at least 1".to_owned());
        assert_eq!(positive("0", Threads::new), error);
        assert_eq!(positive("-1", Latency::new), Err("-1 is below 1".to_owned()));
        let error = Err("281474976710657 is more than 2^48".into());
        assert_eq!(positive("281474976710657", Latency::new), error);
    }
}
