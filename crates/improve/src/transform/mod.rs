//! Transformations: each proposes listings that may compute the same, with what would show it. None of
//! them decides whether a step is legal: [`crate::check`] does.

mod bands;
mod block;
mod columns;
mod cut;
mod distribution;
mod elision;
pub(crate) mod form;
mod fusion;
mod interchange;
mod layout;
mod nest;
mod padding;
mod parallel;
mod promotion;
mod proposal;
mod reduction;
mod reversal;
mod scan;
mod strip_mining;
mod substitution;
mod swizzle;
mod team;
mod tile;
mod tile_copy;
mod tiled_wavefront;
mod time_tiles;
pub(crate) mod tree;
mod unrolling;
mod wavefront;

pub use self::proposal::{Proposal, Transformation};

/// The one that asks others to fill their arrays in another order.
pub(crate) const COLUMNS: &str = "columns";

/// Another arrangement of the inputs of a bulk run: the listing stays.
pub const ARRANGEMENT: &str = "arrangement";

/// Every transformation of a listing, in the order in which they are tried.
pub const TRANSFORMATIONS: &[Transformation] = &[
    Transformation::new("parallel", parallel::propose),
    Transformation::new("interchange", interchange::propose),
    Transformation::new("wavefront", wavefront::propose),
    Transformation::new("tiled wavefront", tiled_wavefront::propose),
    Transformation::new("tile", tile::propose),
    Transformation::new("block", block::propose),
    Transformation::new("team", team::propose),
    Transformation::new("reduction", reduction::propose),
    Transformation::new("scan", scan::propose),
    Transformation::new("bands", bands::propose),
    Transformation::new("time tiles", time_tiles::propose),
    Transformation::new("promotion", promotion::propose),
    Transformation::new("distribution", distribution::propose),
    Transformation::new("fusion", fusion::propose),
    Transformation::new("layout", layout::propose),
    Transformation::new("padding", padding::propose),
    Transformation::new("swizzle", swizzle::propose),
    Transformation::new("diagonal", swizzle::propose_diagonal),
    Transformation::new(COLUMNS, columns::propose),
    Transformation::new("substitution", substitution::propose),
    Transformation::new("elision", elision::propose),
    Transformation::new("reversal", reversal::propose),
    Transformation::on_demand("strip-mining", strip_mining::propose),
    Transformation::on_demand("unrolling", unrolling::propose),
];
