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

/// A completion script for fish with the listings' names, beside files: the generator offers values of
/// options alone.
pub(crate) fn with_listings(script: &str, command: &Command) -> String {
    let names = listings().collect::<Vec<_>>().join(" ");
    let mut text = script.to_owned();
    for one in command.get_subcommands() {
        let condition = format!("__fish_umm_using_subcommand {}", one.get_name());
        if takes_listing(one) {
            text += &format!("complete -c umm -n \"{condition}\" -a \"{names}\"\n");
        }
        for inner in one.get_subcommands().filter(|it| takes_listing(it)) {
            let inner = inner.get_name();
            text += &format!(
                "complete -c umm -n \"{condition}; and __fish_seen_subcommand_from {inner}\" -a \"{names}\"\n"
            );
        }
    }
    text
}

fn takes_listing(command: &Command) -> bool {
    let first = listings().next();
    command
        .get_positionals()
        .any(|it| it.get_possible_values().first().map(PossibleValue::get_name) == first)
}
