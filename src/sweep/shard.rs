//! A sweep divided over processes that know nothing of each other.

use std::fmt;
use std::iter::StepBy;
use std::ops::Range;
use std::str::FromStr;

/// Part `number`, from 1, of `of` parts of a sweep: every `of`-th point, so that each part has large
/// and small ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// All points.
    pub const WHOLE: Self = Self { number: 1, of: 1 };
    /// A sweep has at most as many parts.
    pub const MOST: usize = 100_000;

    /// Which one, from 1.
    pub const fn number(self) -> usize {
        self.number
    }

    /// How many there are.
    pub const fn of(self) -> usize {
        self.of
    }

    /// The numbers of its points, of `points` in all.
    pub fn numbers(self, points: usize) -> StepBy<Range<usize>> {
        (self.number - 1..points.max(self.number - 1)).step_by(self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').map(|(number, of)| (number.parse(), of.parse()));
        match numbers {
            Some((Ok(number), Ok(of))) if (1..=of).contains(&number) && of <= Self::MOST => {
                Ok(Self { number, of })
            }
            Some((Ok(_), Ok(of))) => Err(format!(
                "parts are numbered from 1 to {of}, and there are at most {}",
                Self::MOST
            )),
            _ => Err("write K/N, as in 3/64: part 3 of 64".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
