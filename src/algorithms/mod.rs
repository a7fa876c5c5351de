//! What a listing cannot say: references to check against, generators and readers of inputs, and
//! checkers of results.

mod input;
pub mod opt;
pub mod polygon;

pub use input::InputError;
