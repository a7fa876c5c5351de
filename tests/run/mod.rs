//! Executing listings: values, traces, times.

mod agreement;
pub mod generate;
mod oracle;
mod points;
mod races;
mod shipped;
