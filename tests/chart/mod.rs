//! Charts of samples.

mod cells;
mod data;
mod gallery;
mod on_dmms;
mod plotted;
