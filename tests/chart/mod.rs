//! Charts of samples.

mod data;
mod gallery;
mod robust;
