//! What is said of a folder of measurements: fits, charts, the page.

mod charts;
mod fits;
mod impossible;
mod opt;
mod page;
mod points;
mod synthetic;
