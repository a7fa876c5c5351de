//! All integration tests, in one binary.

mod cli;
mod language;
mod machine;
mod polygon;
mod run;
mod trace;
