//! Traces as text, and as flames.

mod flame;
mod text;
