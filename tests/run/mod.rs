//! Executing listings: values, traces, times.

mod agreement;
mod atomics;
pub mod choices;
pub mod generate;
pub mod hmm;
mod layouts;
mod library;
pub mod on_dmms;
mod oracle;
mod points;
mod races;
mod semi_oblivious;
mod shipped;
mod short_floats;
mod steps;
mod vectors;
