//! Reading listings.

mod algorithms;
mod cases;
mod fuzz;
mod notation;
mod recursion;
mod round_trip;
