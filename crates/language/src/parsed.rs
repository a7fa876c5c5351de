//! A text to a listing: as it stands, or in the notation that it is printed in.

use super::lexer::tokens;
use super::notation::{self, Notation};
use super::parser;
use super::syntax::Listing;
use crate::AsPrinted;
use crate::diagnostic::{Diagnostic, Span};

type Result<T> = std::result::Result<T, Diagnostic>;

/// A listing, and how its text was understood.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) listing: Listing,
    /// The text in the plain form, where it is another.
    pub(super) plain: Option<String>,
    pub(super) notation: Notation,
    /// What was recognised and taken, each with its place.
    pub(super) said: Vec<(Span, String)>,
}

/// Parses a listing, in the plain form or in a paper's notation; linear in its length.
///
/// # Errors
/// The first place at which `text` is no listing.
pub fn parse(text: &str) -> Result<Listing> {
    parse_in(text, AsPrinted::default()).map(|it| it.listing)
}

/// The same in a notation, if one is given.
pub(super) fn parse_in(text: &str, printed: AsPrinted<'_>) -> Result<Parsed> {
    let parsed = parsed(text, printed)?;
    // What a listing declares itself is changed where it stands.
    if let Some(it) = printed.declared.first()
        && (parsed.plain.is_none() || notation::is_declared(text))
    {
        let message = format!("the listing declares `{}` itself", it.name);
        return Err(Diagnostic::new(parsed.listing.name.span, message)
            .help("leave out --declare, and change the declaration in the listing"));
    }
    Ok(parsed)
}

fn parsed(text: &str, said: AsPrinted<'_>) -> Result<Parsed> {
    let forced = said.notation;
    let error = match forced {
        None | Some(Notation::Plain) => match parser::read(text) {
            Ok(listing) => {
                let notation = Notation::Plain;
                return Ok(Parsed { listing, plain: None, notation, said: vec![] });
            }
            Err(error) => Some(error),
        },
        Some(_) => None,
    };
    if text.len() > parser::LONGEST || forced == Some(Notation::Plain) {
        return Err(error.unwrap_or_else(parser::too_long));
    }
    if !notation::is_declared(text) {
        let reading = notation::read(text, said)?;
        let listing = printed(&reading.plain)?;
        let plain = Some(reading.plain.text);
        return Ok(Parsed { listing, plain, notation: reading.notation, said: reading.said });
    }
    let plain = notation::plain(text);
    let plain = match (plain, error) {
        (Some(plain), _) => plain,
        (None, Some(error)) => return Err(error),
        (None, None) => {
            return Ok(Parsed {
                listing: parser::read(text)?,
                plain: None,
                notation: Notation::Plain,
                said: vec![],
            });
        }
    };
    let listing = printed(&plain)?;
    Ok(Parsed { listing, plain: Some(plain.text), notation: Notation::Paper, said: vec![] })
}

/// The listing that a plain text is, with the places of the text as printed.
fn printed(plain: &notation::Plain) -> Result<Listing> {
    let printed = |error: Diagnostic| Diagnostic { span: plain.printed(error.span), ..error };
    let mut tokens = tokens(&plain.text).map_err(printed)?;
    for token in &mut tokens {
        token.span = plain.printed(token.span);
    }
    parser::of_tokens(tokens)
}
