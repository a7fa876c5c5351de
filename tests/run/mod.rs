//! Executing listings: values, traces, times.

mod agreement;
mod generate;
mod oracle;
mod shipped;
