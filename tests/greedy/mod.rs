//! Greedy triangulations: every engine against the definition, and what `verify` accepts.

mod cells;
mod engines;
mod inputs;
mod measure;
mod shares;
mod verify;
