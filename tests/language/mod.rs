//! Reading listings.

mod algorithms;
mod constructs;
mod fuzz;
mod notation;
mod recursion;
mod round_trip;
mod semantics;
mod statements;
mod types;
