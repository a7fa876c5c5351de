//! How a text was understood.

use super::notation::Notation;
use super::synchronous::Semantics;

/// How a text was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// What it was read as.
    pub notation: Notation,
    /// The listing in the plain form, where the text is in another.
    pub plain: Option<String>,
    /// What its parallel loops were taken for.
    pub semantics: Semantics,
    /// What was recognised, taken and left out.
    pub said: Vec<Remark>,
}

/// What was taken for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Of the text, from 1 on.
    pub line: usize,
    /// In a sentence.
    pub text: String,
}
