//! Reading listings.

mod algorithms;
mod cases;
mod fuzz;
mod notation;
mod round_trip;
