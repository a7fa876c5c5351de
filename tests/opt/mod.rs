//! Optimal triangulation and the other problems of its recurrence.

mod engine;
mod problems;
mod solve;
