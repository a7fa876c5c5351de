mod chords;
mod drawing;
pub mod lattice;
mod optimum;
pub mod reading;
