//! What a folder of measurements says: tables, fits, charts and the page that holds them all.

pub mod fits;
