//! Optimal polygon triangulation on a GPU.
//!
//! [`stages`] is the system of Ito and Nakano (2013): a launch a stage, its method and parameters
//! chosen by a [`plan`] that [`tune`] finds.

pub mod plan;
pub mod stages;
pub mod tune;
