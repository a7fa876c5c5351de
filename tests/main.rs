//! The integration tests, one binary.

mod machine;
mod trace;
