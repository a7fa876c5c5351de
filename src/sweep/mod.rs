//! Sweeps: every point of a grid over algorithms, parameters and machines, timed, as samples.

mod list;
mod log;
mod points;
mod spec;

pub use list::{arrangements, counts, positive, words};
pub use log::{Log, LogError};
pub use points::{GridError, MOST_POINTS, Points};
pub use spec::Spec;
