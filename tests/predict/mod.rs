//! From microbenchmarks to a machine, from a machine to seconds, and back to what was measured.

mod advice;
mod calibration;
mod commands;
mod counters;
mod machine;
mod predicted;
