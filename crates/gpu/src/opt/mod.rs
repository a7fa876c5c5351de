//! Optimal polygon triangulation on a GPU.
//!
//! [`tiled`] is this project's engine: one launch for the whole table, by min-plus products of tiles.
//! [`stages`] is the system of Ito and Nakano (2013): a launch a stage, its method and parameters
//! chosen by a [`Plan`](memory_machine_geometry::opt::plan::Plan) that [`tune`] finds.

pub mod stages;
pub mod tiled;
pub mod tune;
pub mod tuning_tables;
