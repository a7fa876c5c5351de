//! All integration tests, in one binary.

mod machine;
mod polygon;
mod run;
mod trace;
