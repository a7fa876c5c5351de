//! `--model`

use std::ffi::OsStr;
use std::path::Path;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};

use super::Failure;
use super::names::models as names;
use crate::diagnostic::Source;
use crate::host::files::{DESCRIPTION, ends, read};
use crate::keyword::suggestion;
use crate::models::{self, Calibration, Model, SHIPPED};

/// Reads the value of `--model`. A mistake in the file is answered like one in a listing.
#[derive(Debug, Clone)]
pub(crate) struct ModelParser;

impl TypedValueParser for ModelParser {
    type Value = Model;

    fn parse_ref(
        &self,
        command: &Command,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Model, clap::Error> {
        load(value).map_err(|failure| {
            let message = failure.to_string();
            let message = message.strip_prefix("error: ").unwrap_or(&message);
            clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n")).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().map(PossibleValue::new)))
    }
}

fn load(value: &OsStr) -> Result<Model, Failure> {
    let name = value.to_string_lossy();
    if let Some(model) = models::find(&name) {
        return Ok(model);
    }
    let path = Path::new(value);
    if !ends(path, "toml") {
        return Err(Failure::input(format_args!(
            "no shipped model is called `{name}`; {}see `umm models`, or name a file FILE.toml",
            suggestion(&name, SHIPPED.iter().map(|it| it.0))
        )));
    }
    let text = read(path, DESCRIPTION)?;
    let former = Model::former_names(&text);
    if let Some((before, now)) = former.first() {
        eprintln!(
            "note: {name}: {} of its numbers have the names of an earlier version, such as \
             calibration.{before}, which is calibration.{now} now; they are read as before",
            former.len()
        );
    }
    Ok(Model::parse(Source { name: name.into_owned(), text })?)
}

/// The calibration of a model.
pub(crate) fn calibration(model: &Model) -> Result<&Calibration, Failure> {
    model.calibration.as_ref().ok_or_else(|| {
        Failure::input(format_args!(
            "--model {}: it is not calibrated, so that it predicts no seconds; name one that is, such \
             as h200, or make one: umm calibrate DIR -o mine.toml",
            model.name
        ))
    })
}
