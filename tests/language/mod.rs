//! Reading listings.

mod cases;
mod fuzz;
mod notation;
mod round_trip;
