//! All integration tests, in one binary.

mod explain;
mod machine;
mod polygon;
