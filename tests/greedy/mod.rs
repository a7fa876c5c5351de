//! Greedy triangulations: every engine against the definition, and what `verify` accepts.

mod engines;
mod inputs;
mod measure;
mod plane_partition;
mod shares;
mod verify;
