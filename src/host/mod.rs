//! What the machine that this program runs on gives: files to read, memory to use.

pub mod files;
pub mod memory;
