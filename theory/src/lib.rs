//! What can be said of a listing's time before it runs: bounds and closed forms, dependences and depth.
//! `memory-machine` has all of it under its own names; it is a crate of its own because tests wait for
//! it, so that it alone of the library is optimised for them.

#![warn(missing_docs)]

pub mod theory;

use memory_machine_core::{diagnostic, language, machine, run, trace, units};
