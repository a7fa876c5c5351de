//! The fast clocks against plain formulas and against a tick-by-tick simulator.

mod agreement;
mod asynchronous;
pub mod hmm;
pub mod oracle;
mod toy;
pub mod traces;
