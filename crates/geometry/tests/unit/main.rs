//! What each module promises.

mod damage;
#[cfg(feature = "geo-formats")]
mod geo_formats;
mod greedy;
mod layer;
mod opt;
mod points;
mod polygon;
mod rest;
