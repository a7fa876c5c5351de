//! Which processor a word belongs to.

use std::fmt;
use std::str::FromStr;

/// How the elements of an array are dealt out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// ⌈N/P⌉ consecutive ones to each processor.
    Block,
    /// One after another in turn.
    Cyclic,
    /// So many consecutive ones in turn; 1 at least.
    BlockCyclic(u64),
}

impl Owner {
    /// The owner of element `element` of `count`.
    pub(super) const fn of(self, element: u64, count: u64, processors: u64) -> u64 {
        match self {
            Self::Block => element / count.div_ceil(processors),
            Self::Cyclic => element % processors,
            Self::BlockCyclic(block) => element / block % processors,
        }
    }
}

impl FromStr for Owner {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "block" => Ok(Self::Block),
            None if text == "cyclic" => Ok(Self::Cyclic),
            Some(("block", size)) => match size.parse() {
                Ok(size) if size > 0 => Ok(Self::BlockCyclic(size)),
                _ => Err(format!("`{size}` is no size of a block: write block:4")),
            },
            _ => Err(format!("`{text}` is none of block, cyclic, block:B")),
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block => f.write_str("block"),
            Self::Cyclic => f.write_str("cyclic"),
            Self::BlockCyclic(size) => write!(f, "block:{size}"),
        }
    }
}

/// The same for all arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owners {
    /// Of arrays that are not named.
    pub other: Owner,
    /// By array.
    pub named: Vec<(String, Owner)>,
}

impl Owners {
    /// How the elements of an array are dealt out.
    pub fn of(&self, array: &str) -> Owner {
        self.named.iter().find(|it| it.0 == array).map_or(self.other, |it| it.1)
    }
}

impl fmt::Display for Owners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.other)?;
        self.named.iter().try_for_each(|(array, owner)| write!(f, ",{array}={owner}"))
    }
}
