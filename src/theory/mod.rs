//! What can be said of a program's time without a machine.

pub mod depth;
mod follow;
pub mod graph;
