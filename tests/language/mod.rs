//! Reading listings.

mod cases;
mod fuzz;
mod round_trip;
