//! Steps by name, as `--take` has them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::improve::search::NamedStep;
use crate::improve::transform::{ARRANGEMENT, TRANSFORMATIONS};

/// The name of a transformation, with hyphens, and behind a colon which of its forms.
#[derive(Debug, Clone)]
pub(super) struct StepParser;

/// The names, and their words on the command line.
fn names() -> impl Iterator<Item = (&'static str, String)> {
    let all = TRANSFORMATIONS.iter().map(|it| it.name).chain([ARRANGEMENT]);
    all.map(|it| (it, it.replace(' ', "-")))
}

impl TypedValueParser for StepParser {
    type Value = NamedStep;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        let text = value.to_string_lossy();
        let (word, form) = text.split_once(':').unwrap_or((&text, ""));
        let words = PossibleValuesParser::new(names().map(|it| it.1).collect::<Vec<_>>());
        let known = words.parse_ref(command, arg, OsStr::new(word))?;
        let rule = names().find(|it| it.1 == known).map_or("", |it| it.0);
        Ok(NamedStep { rule, form: form.trim().to_owned() })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().map(|it| PossibleValue::new(it.1))))
    }
}
