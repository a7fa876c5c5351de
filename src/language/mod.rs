//! The language of the listings: text → syntax tree → checked [`program::Program`].
//!
//! `docs/language.md` is its reference.

mod check;
mod lexer;
pub mod oblivious;
mod parser;
mod printer;
pub mod program;
pub mod sites;
pub mod syntax;
pub mod walk;

pub use self::parser::parse;
use self::program::Program;
use crate::diagnostic::{Located, Source};

/// Reads a listing: parses and checks it.
///
/// # Errors
/// The first thing wrong with it, with its place.
pub fn load(source: Source) -> Result<Program, Box<Located>> {
    let listing = parse(&source.text);
    listing
        .and_then(|listing| check::check(listing, source.clone()))
        .map_err(|diagnostic| Box::new(Located { source, diagnostic }))
}
