//! All integration tests, in one binary.

mod docs;
mod errata;
mod machine;
mod polygon;
