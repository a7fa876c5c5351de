//! Names that shells complete: of listings, and of described machines.

use std::ffi::{OsStr, OsString};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use crate::algorithms::catalogue;
use crate::models::SHIPPED;

/// A shipped listing's name, which shells complete; and any other word: it may be a file.
#[derive(Debug, Clone)]
pub(crate) struct ListingParser;

impl TypedValueParser for ListingParser {
    type Value = OsString;

    fn parse_ref(
        &self,
        _: &Command,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<OsString, clap::Error> {
        Ok(value.to_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(listings().map(PossibleValue::new)))
    }
}

fn listings() -> impl Iterator<Item = &'static str> {
    catalogue::by_topic().into_iter().map(|it| it.name)
}

/// Those of machines, for a parser of machines.
pub(crate) fn models() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|it| it.0)
}

/// A completion script for zsh in which a file may stand where a name is completed: the generator offers
/// the names alone.
pub(crate) fn with_files(script: &str) -> String {
    let all = [
        ("_umm_listings", "listing", "alg", listings().collect::<Vec<_>>().join(" ")),
        ("_umm_models", "model", "toml", models().collect::<Vec<_>>().join(" ")),
    ];
    let mut text = script.to_owned();
    let mut functions = String::new();
    for (function, what, ending, names) in all {
        text = text.replace(&format!(":({names})"), &format!(":{function}"));
        functions += &format!(
            "{function}() {{\n    _alternative '{what}s:{what}:({names})' \
             'files:file:_files -g \"*.{ending}\"'\n}}\n\n"
        );
    }
    // Before what runs it.
    match text.find("\nif [ ") {
        Some(at) => text.insert_str(at + 1, &functions),
        None => text += &functions,
    }
    text
}
