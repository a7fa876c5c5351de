//! The variants of the system of Ito and Nakano (2013): what computes a stage, and with how many
//! threads and blocks.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where `M[i][j]` lies in an array of `n × n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableArrangement {
    /// At `(i, j)`.
    Naive,
    /// At `(i − j + n − 1, j)`: a row for each stage.
    Sliding,
    /// At `(i, j)` and `(j, i)`.
    Mirroring,
}

impl TableArrangement {
    /// Every arrangement, in the order of their conversions in tuned tables.
    pub const ALL: [Self; 3] = [Self::Naive, Self::Sliding, Self::Mirroring];
}

/// What computes a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// TB: a thread a cell.
    TbNaive,
    /// TB, with a stage in a row, so that neighbouring threads have neighbouring addresses.
    TbSliding,
    /// BB: one or more blocks a cell.
    BbNaive,
    /// BB, with both operands of a cell read along rows.
    BbMirroring,
}

impl Method {
    /// Every method, in the order of Table 1 of Ito and Nakano (2013).
    pub const ALL: [Self; 4] = [Self::TbNaive, Self::TbSliding, Self::BbNaive, Self::BbMirroring];

    /// As in the names of kernels and algorithms.
    pub const fn word(self) -> &'static str {
        match self {
            Self::TbNaive => "tb_naive",
            Self::TbSliding => "tb_sliding",
            Self::BbNaive => "bb_naive",
            Self::BbMirroring => "bb_mirroring",
        }
    }

    /// Where its cells lie in memory.
    pub const fn arrangement(self) -> TableArrangement {
        match self {
            Self::TbNaive | Self::BbNaive => TableArrangement::Naive,
            Self::TbSliding => TableArrangement::Sliding,
            Self::BbMirroring => TableArrangement::Mirroring,
        }
    }

    /// Whether it is BB; if not, it is TB.
    pub const fn is_block_based(self) -> bool {
        matches!(self, Self::BbNaive | Self::BbMirroring)
    }
}

/// A method with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Variant {
    /// What computes a cell.
    pub method: Method,
    /// Threads of a block.
    pub t: u32,
    /// Blocks of a cell; 1 of TB.
    pub b: u32,
}

/// The papers' numbers of threads of a block.
pub const THREADS: [u32; 6] = [32, 64, 128, 256, 512, 1024];
/// The papers' numbers of blocks of a cell, for BB.
pub const BLOCKS: [u32; 4] = [1, 2, 4, 8];

impl Variant {
    /// Every method with every parameter: 12 of TB, 48 of BB.
    pub fn all() -> Vec<Self> {
        let of = |method: Method| {
            let blocks = if method.is_block_based() { &BLOCKS[..] } else { &BLOCKS[..1] };
            let variants = move |&b| THREADS.map(|t| Self { method, t, b });
            blocks.iter().flat_map(variants).collect::<Vec<_>>()
        };
        Method::ALL.into_iter().flat_map(of).collect()
    }

    /// Whether the kernels take these parameters.
    pub fn is_valid(self) -> bool {
        THREADS.contains(&self.t)
            && (self.b == 1 || self.method.is_block_based() && BLOCKS.contains(&self.b))
    }
}

/// `BB(256, 1) mirroring`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, t, b } = self;
        let (_, arrangement) = method.word().split_once('_').unwrap_or_default();
        if method.is_block_based() {
            write!(f, "BB({t}, {b}) {arrangement}")
        } else {
            write!(f, "TB({t}) {arrangement}")
        }
    }
}

/// The largest polygon: `n` is an `int` of the kernels, and a grid has 8 blocks a cell.
pub const MOST_VERTICES: usize = 1 << 16;
