//! Compiled kernels, executed. `memory-machine` has all of it under its own names; it is a crate of its
//! own because predictions wait for it, so that it is optimised as one unit.

#![warn(missing_docs)]

pub mod sass;
