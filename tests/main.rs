//! All integration tests, in one binary.

mod docs;
mod errata;
mod explain;
mod machine;
mod polygon;
mod trace;
