//! The driver's and NVRTC's side: engines on a GPU, and what is said where there is none.

mod absent;
mod compile;
mod device;
