//! What a listing cannot say: references to check against, generators and readers of inputs, and
//! checkers of results.

pub mod catalogue;
#[cfg(feature = "plot")]
pub mod image;
pub mod made;
pub mod npy;
pub mod random;
pub mod reference;
pub mod schedule;

#[doc(inline)]
pub use memory_machine_engines::input::InputError;
#[doc(inline)]
pub use memory_machine_engines::{greedy, hull, matrix, opt, points, polygon};
