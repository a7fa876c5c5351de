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
mod substitution;
mod swizzle;
mod team;
mod tile;
mod tile_copy;
mod tiled_wavefront;
mod time_tiles;
pub(crate) mod tree;
mod wavefront;

pub use self::proposal::{Proposal, Transformation};

/// The one that asks others to fill their arrays in another order.
pub(crate) const COLUMNS: &str = "columns";

/// Every transformation, in the order in which they are tried.
pub const TRANSFORMATIONS: &[Transformation] = &[
    Transformation { name: "parallel", propose: parallel::propose },
    Transformation { name: "interchange", propose: interchange::propose },
    Transformation { name: "wavefront", propose: wavefront::propose },
    Transformation { name: "tiled wavefront", propose: tiled_wavefront::propose },
    Transformation { name: "tile", propose: tile::propose },
    Transformation { name: "block", propose: block::propose },
    Transformation { name: "team", propose: team::propose },
    Transformation { name: "reduction", propose: reduction::propose },
    Transformation { name: "scan", propose: scan::propose },
    Transformation { name: "bands", propose: bands::propose },
    Transformation { name: "time tiles", propose: time_tiles::propose },
    Transformation { name: "promotion", propose: promotion::propose },
    Transformation { name: "distribution", propose: distribution::propose },
    Transformation { name: "fusion", propose: fusion::propose },
    Transformation { name: "layout", propose: layout::propose },
    Transformation { name: "padding", propose: padding::propose },
    Transformation { name: "swizzle", propose: swizzle::propose },
    Transformation { name: COLUMNS, propose: columns::propose },
    Transformation { name: "substitution", propose: substitution::propose },
    Transformation { name: "elision", propose: elision::propose },
    Transformation { name: "reversal", propose: reversal::propose },
];
