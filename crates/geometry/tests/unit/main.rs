//! What each module promises.

mod greedy;
mod layer;
mod opt;
mod points;
mod polygon;
mod rest;
