//! Optimal polygon triangulation on a GPU.
//!
//! [`tiled`] is this project's engine: one launch for the whole table, by min-plus products of tiles.

pub mod tiled;
