//! The language of the listings: text → syntax tree → checked [`program::Program`].
//!
//! `docs/language.md` is its reference.

mod check;
mod lexer;
mod notation;
pub mod oblivious;
mod parser;
mod printer;
pub mod program;
pub mod sites;
pub mod syntax;
pub mod walk;

use std::borrow::Cow;

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

/// A listing in the plain form of the language, whatever a paper's notation it is in; linear in its
/// length. What is a listing as it stands does not change.
pub fn plain(text: &str) -> Cow<'_, str> {
    match parser::read(text) {
        Ok(_) => Cow::Borrowed(text),
        Err(_) => notation::plain(text).map_or(Cow::Borrowed(text), |it| Cow::Owned(it.text)),
    }
}
