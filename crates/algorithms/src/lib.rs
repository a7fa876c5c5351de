//! What a listing cannot say: references to check against, generators and readers of inputs, and
//! checkers of results.

pub mod catalogue;
pub mod generators;
#[cfg(feature = "images")]
pub mod image;
pub mod npy;
pub mod random;
pub mod reference;
pub mod schedule;
pub mod validation_listings;

#[doc(inline)]
pub use memory_machine_geometry::input::InputError;
#[doc(inline)]
pub use memory_machine_geometry::{greedy, hull, matrix, opt, points, polygon};
