//! Optimal polygon triangulation.

mod listings;
