//! All integration tests, in one binary.

mod chart;
mod cli;
mod count;
mod docs;
mod errata;
mod explain;
mod language;
mod machine;
mod polygon;
mod run;
mod trace;
