//! Traces as text.

mod text;
