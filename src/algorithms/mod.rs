//! What a listing cannot say: references to check against, generators and readers of inputs, and
//! checkers of results.

pub mod catalogue;
pub mod greedy;
pub mod hull;
#[cfg(feature = "plot")]
pub mod image;
mod input;
pub mod made;
pub mod matrix;
pub mod npy;
pub mod opt;
pub mod points;
pub mod polygon;
pub mod random;
pub mod reference;
pub mod schedule;

pub use input::InputError;
