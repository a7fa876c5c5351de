//! Sweeps: every point of a grid over algorithms, parameters and machines, timed, as samples.

pub mod input;
mod list;
mod log;
mod point;
mod points;
mod spec;

pub use list::{arrangements, kinds, latencies, modes, threads, widths};
pub use log::{Log, LogError};
pub use point::{Point, SweepError, sample, samples};
pub use points::{GridError, MOST_POINTS, Points};
pub use spec::Spec;
