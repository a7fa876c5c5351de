//! Charts of samples.

mod cells;
mod gallery;
mod on_dmms;
mod plotted;
