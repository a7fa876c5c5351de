//! Exact time of parallel algorithms on the memory machine models of GPU computing.

pub mod algorithms;
pub mod chart;
pub mod cli;
pub mod count;
pub mod diagnostic;
pub mod fit;
pub mod grid;
pub mod language;
pub mod machine;
pub mod run;
pub mod sample;
pub mod theory;
pub mod trace;
pub mod units;
