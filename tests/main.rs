//! All integration tests, in one binary.

mod errata;
mod machine;
mod polygon;
