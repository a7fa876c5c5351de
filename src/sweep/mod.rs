//! Sweeps: every point of a grid over algorithms, parameters and machines, timed, as samples.

mod courses;
mod lines;
mod list;
mod log;
mod part;
mod points;
mod run;
mod shard;
mod spec;

pub use list::{arrangements, counts, machines, positive, rule, words};
pub use log::{LogError, SweepLog, text};
pub use part::{PartError, PartFile, Parts};
pub use points::{GridError, MOST_POINTS, Points};
pub use run::{SweepError, rows, run};
pub use shard::Shard;
pub use spec::SweepSpec;
