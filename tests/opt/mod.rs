//! Optimal triangulation and the other problems of its recurrence.

mod engine;
mod listings;
mod problems;
mod share;
mod solve;
