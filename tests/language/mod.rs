//! Reading listings.

mod algorithms;
mod cases;
mod fuzz;
mod round_trip;
