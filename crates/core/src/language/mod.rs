//! The language of the listings: text → syntax tree → checked [`program::Program`].
//!
//! `docs/language.md` is its reference.

mod atomic;
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
use std::sync::Arc;

pub use self::parser::parse;
use self::program::Program;
use crate::diagnostic::{Located, Source};

/// Reads a listing: parses and checks it.
///
/// # Errors
/// The first thing wrong with it, with its place.
pub fn load(source: Source) -> Result<Program, Box<Located>> {
    load_for(source, |_| None)
}

/// The same for these values of parameters: one whose procedures call themselves is another program for
/// each.
///
/// # Errors
/// As [`load`].
pub fn load_for(
    source: Source,
    sizes: impl Fn(&str) -> Option<i64>,
) -> Result<Program, Box<Located>> {
    let listing = parse(&source.text);
    listing
        .and_then(|listing| check::check(listing, source.clone(), &sizes))
        .map_err(|diagnostic| Box::new(Located { source, diagnostic }))
}

/// The program for other values of its parameters, which is this one unless a procedure calls itself.
///
/// # Errors
/// As [`load`]: with these sizes it may be unfolded too far.
pub fn for_sizes(
    program: &Arc<Program>,
    sizes: impl Fn(&str) -> Option<i64>,
) -> Result<Arc<Program>, Box<Located>> {
    match program.is_unfolded {
        true => load_for(program.source.clone(), sizes).map(Arc::new),
        false => Ok(program.clone()),
    }
}

/// A listing in the plain form of the language, whatever a paper's notation it is in; linear in its
/// length. What is a listing as it stands does not change.
pub fn plain(text: &str) -> Cow<'_, str> {
    match parser::read(text) {
        Ok(_) => Cow::Borrowed(text),
        Err(_) => notation::plain(text).map_or(Cow::Borrowed(text), |it| Cow::Owned(it.text)),
    }
}
