//! The engine auto.

/// Which engine it is, and why.
pub(super) const AUTO: &str = "Cpu: to bring points to a GPU would take longer";
