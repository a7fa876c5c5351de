//! From the listing that a person writes to one that takes less time, each step proved.

pub mod check;
