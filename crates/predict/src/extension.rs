//! What the plain memory machine is extended by.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// Something that the plain memory machine does not say. Each can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extension {
    /// A launch takes time, as does a barrier of all threads.
    Launches,
    /// L2MissModel a multiprocessor, the width is 8 words, a sector; without, whole address groups move.
    Sectors,
    /// Memory has levels; without, every access goes to memory.
    Levels,
    /// Many multiprocessors, each with a pipeline; without, as many work as there are.
    Multiprocessors,
    /// Only this many threads are there at once; without, all are.
    Occupancy,
    /// Waiting and stages overlap; without, their times are added.
    Overlap,
    /// No thread waits for its writes; without, writes are waited for like reads.
    Writes,
    /// Addresses are computed; without, in no time.
    Arithmetic,
    /// Reads that do not need each other are under way together; without, one by one.
    MemoryParallelism,
}

impl Extension {
    /// Every extension.
    pub const ALL: [Self; 9] = [
        Self::Launches,
        Self::Sectors,
        Self::Levels,
        Self::Multiprocessors,
        Self::Occupancy,
        Self::Overlap,
        Self::Writes,
        Self::Arithmetic,
        Self::MemoryParallelism,
    ];

    /// As `--without` takes it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Launches => "launches",
            Self::Sectors => "sectors",
            Self::Levels => "levels",
            Self::Multiprocessors => "multiprocessors",
            Self::Occupancy => "occupancy",
            Self::Overlap => "overlap",
            Self::Writes => "writes",
            Self::Arithmetic => "arithmetic",
            Self::MemoryParallelism => "memory-parallelism",
        }
    }
}

impl fmt::Display for Extension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Extension {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = Self::ALL.map(Self::word).join(", ");
        // What two of them were called before.
        let text = match text {
            "residency" => "occupancy",
            "together" => "memory-parallelism",
            text => text,
        };
        Self::ALL
            .into_iter()
            .find(|it| it.word() == text)
            .ok_or_else(|| format!("no extension is called `{text}`; choose from: {words}"))
    }
}
