//! Lists of values as a command line or a sweep gives them: `64`, `1,2,4`, `16..512*2`,
//! `100..900+100`.

use std::str::FromStr;

use serde::Deserialize;

use crate::whole_number;

/// Values in the order in which they were given, without repetition. A file writes a number, a list
/// of numbers, or the text of a flag.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "ListItem")]
pub struct Grid(pub Vec<i64>);

#[derive(Deserialize)]
#[serde(untagged)]
enum ListItem {
    Number(i64),
    List(Vec<i64>),
    Text(String),
}

impl TryFrom<ListItem> for Grid {
    type Error = String;

    fn try_from(written: ListItem) -> Result<Self, String> {
        match written {
            ListItem::Number(value) => Ok(Self(vec![value])),
            ListItem::List(values) => {
                let words: Vec<String> = values.iter().map(i64::to_string).collect();
                words.join(",").parse()
            }
            ListItem::Text(text) => text.parse(),
        }
    }
}

/// More values than this in one list are taken for a slip.
const MOST: usize = 100_000;

impl FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut values = vec![];
        for part in text.split(',') {
            append(part.trim(), &mut values)?;
        }
        let mut seen = std::collections::HashSet::new();
        values.retain(|value| seen.insert(*value));
        Ok(Self(values))
    }
}

fn append(part: &str, values: &mut Vec<i64>) -> Result<(), String> {
    let number = whole_number::signed;
    let Some((from, rest)) = part.split_once("..") else {
        values.push(number(part)?);
        return Ok(());
    };
    let (to, by, multiplies) = match (rest.split_once('*'), rest.split_once('+')) {
        (Some((to, by)), _) => (to, number(by)?, true),
        (_, Some((to, by))) if !to.ends_with(['e', 'E']) => (to, number(by)?, false),
        _ => (rest, 1, false),
    };
    if multiplies && (by < 2 || number(from)? < 1) {
        return Err(format!(
            "`{part}` does not grow: begin at 1 or more and multiply by 2 or more"
        ));
    }
    if by < 1 {
        return Err(format!("`{part}` does not grow: add 1 or more"));
    }
    let (from, to) = (number(from)?, number(to)?);
    if from > to {
        return Err(format!("`{part}` is empty: {from} is more than {to}"));
    }
    let mut value = Some(from);
    while let Some(at) = value.filter(|&at| at <= to) {
        if values.len() == MOST {
            return Err(format!("`{part}` makes more than {MOST} values"));
        }
        values.push(at);
        value = if multiplies { at.checked_mul(by) } else { at.checked_add(by) };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Result<Vec<i64>, String> {
        text.parse::<Grid>().map(|grid| grid.0)
    }

    #[test]
    fn lists_and_ranges() {
        assert_eq!(grid("16..128*2"), Ok(vec![16, 32, 64, 128]));
        assert_eq!(grid("16..100*2"), Ok(vec![16, 32, 64]));
        assert_eq!(grid("3, 5..7, 5"), Ok(vec![3, 5, 6, 7]));
        assert_eq!(grid("100..300+100,-2"), Ok(vec![100, 200, 300, -2]));
        assert_eq!(grid("1K..2^12*2,1_0"), Ok(vec![1000, 2000, 4000, 10]));
    }

    #[test]
    fn what_makes_no_list_is_refused() {
        for text in ["", "x", "1..", "8..4", "1..9*1", "0..9*2", "1..9+0", "1..999999999"] {
            assert!(grid(text).is_err(), "{text}");
        }
        assert_eq!(grid("9223372036854775806..9223372036854775807*2").unwrap().len(), 1);
    }
}
