//! The language of the listings: text → syntax tree → checked [`program::Program`].
//!
//! `docs/language.md` is its reference. Texts are short, so this crate is not optimised where tests are built.

pub mod access;
mod adopt;
mod array_layout;
mod atomic;
mod check;
mod clause;
pub mod diagnostic;
mod hazard;
pub mod keyword;
mod lexer;
pub mod notation;
pub mod oblivious;
pub mod outline;
mod parsed;
mod parser;
mod partial_declaration;
mod printer;
pub mod program;
mod reading;
pub mod sites;
mod spelling;
mod synchronous;
pub mod syntax;
pub mod vector;
pub mod walk;
pub mod warp;

use std::borrow::Cow;
use std::sync::Arc;

use self::notation::Notation;
pub use self::parsed::parse;
pub use self::partial_declaration::PartialDeclaration;
use self::program::{Program, Reading, Remark};
pub use self::spelling::spellings;
pub use self::synchronous::Semantics;
use self::syntax::Listing;
use crate::diagnostic::{Located, Source, Span};

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
    load_in(source, AsPrinted::default(), sizes)
}

/// What is said of a text beside the text.
#[derive(Debug, Clone, Copy, Default)]
pub struct AsPrinted<'a> {
    /// The notation that it is in; else the one that it seems to have.
    pub notation: Option<Notation>,
    /// The notation that the name of its file says, which its text may contradict.
    pub of_file: Option<Notation>,
    /// What its parallel loops mean.
    pub semantics: Semantics,
    /// Values of real parameters.
    pub reals: &'a [(String, f64)],
    /// Of a text without declarations: what holds of its names, whatever their use says.
    pub declared: &'a [PartialDeclaration],
}

/// The same for a text of which this is said.
///
/// # Errors
/// As [`load`].
pub fn load_in(
    source: Source,
    printed: AsPrinted<'_>,
    sizes: impl Fn(&str) -> Option<i64>,
) -> Result<Program, Box<Located>> {
    let semantics = printed.semantics;
    let of_file = printed.of_file.or_else(|| Notation::of_file(&source.name));
    let printed = AsPrinted { of_file, ..printed };
    let program = parsed::parse_in(&source.text, printed).and_then(|mut parsed| {
        if semantics == Semantics::Pram {
            let (listing, said) = synchronous::rewrite(parsed.listing)?;
            parsed.plain = Some(listing.to_string());
            parsed.listing = listing;
            parsed.said.extend(said);
        }
        let place = |span: Span| source.line(span);
        let said = parsed
            .said
            .iter()
            .map(|(span, text)| Remark { line: place(*span), text: text.clone() });
        let reading = Reading {
            notation: parsed.notation,
            plain: parsed.plain,
            semantics,
            said: said.collect(),
        };
        let given = |name: &str| {
            let real = printed.reals.iter().rfind(|it| it.0 == name).map(|it| it.1);
            real.or_else(|| sizes(name).map(|it| it as f64))
        };
        set_reals(&mut parsed.listing, given);
        let program = check::check(parsed.listing, source.clone(), &sizes)?;
        Ok(Program { reading, ..program })
    });
    program.map_err(|diagnostic| Box::new(Located { source, diagnostic }))
}

fn set_reals(listing: &mut Listing, value: impl Fn(&str) -> Option<f64>) {
    for it in &mut listing.reals {
        it.value = value(&it.name.text).or(it.value);
    }
}

/// The program with another value of a real parameter, which is a constant of it.
///
/// # Errors
/// As [`load`].
pub fn with_real(program: &Program, parameter: &str, value: f64) -> Result<Program, Box<Located>> {
    let mut listing = program.listing.clone();
    set_reals(&mut listing, |it| (it == parameter).then_some(value));
    // What was unfolded is for the sizes that it has.
    let sizes = |name: &str| program.parameters.iter().find(|it| it.name == name)?.default;
    checked_again(program, listing, &sizes)
}

fn checked_again(
    program: &Program,
    listing: Listing,
    sizes: &dyn Fn(&str) -> Option<i64>,
) -> Result<Program, Box<Located>> {
    let source = program.source.clone();
    let again = check::check(listing, source.clone(), sizes);
    let again = again.map_err(|diagnostic| Box::new(Located { source, diagnostic }))?;
    Ok(Program { reading: program.reading.clone(), ..again })
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
        true => checked_again(program, program.listing.clone(), &sizes).map(Arc::new),
        false => Ok(program.clone()),
    }
}

/// A listing in the plain form of the language, whatever notation it is in; linear in its length. What is
/// a listing as it stands does not change.
pub fn plain(text: &str) -> Cow<'_, str> {
    match parsed::parse_in(text, AsPrinted::default()) {
        Ok(parsed) => parsed.plain.map_or(Cow::Borrowed(text), Cow::Owned),
        Err(_) => notation::plain(text).map_or(Cow::Borrowed(text), |it| Cow::Owned(it.text)),
    }
}
