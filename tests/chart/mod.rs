//! Charts of samples.

mod data;
mod gallery;
