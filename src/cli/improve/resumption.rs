//! The file of `--resume`: what a search has counted and predicted, and of which question.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::describe;
use crate::host::files::path_text;
use crate::improve::memo::Memo;
use crate::models::Model;

/// It is written again after so long.
const EACH: Duration = Duration::from_secs(2);

/// As it stands in the file.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    /// What was asked, in words: answers hold for no other question.
    question: BTreeMap<String, String>,
    known: Memo,
}

/// What is known, and where it is kept.
pub(super) struct Resumption<'a> {
    path: Option<&'a Path>,
    found: Found,
    written: Cell<Instant>,
}

/// Whatever times and seconds depend on, the listings aside.
fn question(
    case: &Case,
    sizes: &str,
    launch: u64,
    model: Option<&Model>,
) -> BTreeMap<String, String> {
    let words = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("listing", case.program.listing.to_string()),
        ("sizes", sizes.to_owned()),
        ("machine", describe(case.machine, case.mode)),
        ("threads", case.threads.to_string()),
        ("bulk run", format!("{:?}", case.bulk)),
        ("inputs", format!("{:x}, seed {}", case.inputs.fingerprint(), case.inputs.seed)),
        ("limit of loops", case.while_iterations.to_string()),
        ("launch", launch.to_string()),
        ("model", model.map_or_else(|| "none".to_owned(), Model::text)),
    ];
    words.map(|(name, text)| (name.to_owned(), text)).into()
}

impl<'a> Resumption<'a> {
    /// What the file holds, if there is one.
    pub(super) fn open(
        path: Option<&'a Path>,
        (case, sizes): (&Case, &str),
        (launch, model): (u64, Option<&Model>),
    ) -> Result<Self, Failure> {
        let asked = question(case, sizes, launch, model);
        let new = Found { question: asked.clone(), ..Found::default() };
        let found = match path {
            Some(path) => read(path)?.unwrap_or(new),
            None => new,
        };
        let other = asked.iter().find(|it| found.question.get(it.0) != Some(it.1));
        if let (Some(path), Some((what, now))) = (path, other) {
            let before = found.question.get(what).map_or("nothing", |it| it);
            let short = |it: &str| it.lines().count() < 2 && it.len() < 200;
            let both = match short(now) && short(before) {
                true => format!(" ({before} there, {now} here)"),
                false => String::new(),
            };
            return Err(Failure::input(format_args!(
                "{}: this search is another: its {what} differs{both}; name a new file",
                path_text(path)
            )));
        }
        Ok(Self { path, found, written: Cell::new(Instant::now()) })
    }

    pub(super) fn memo(&self) -> &Memo {
        &self.found.known
    }

    /// Writes the file if it is time to.
    pub(super) fn keep(&self) {
        if self.path.is_some() && self.written.get().elapsed() > EACH {
            // The last time says what is wrong.
            let _ = self.save();
            self.written.set(Instant::now());
        }
    }

    pub(super) fn save(&self) -> Result<(), Failure> {
        let Some(path) = self.path else { return Ok(()) };
        files::write(path, |file| Ok(serde_json::to_writer(file, &self.found)?))
    }
}

fn read(path: &Path) -> Result<Option<Found>, Failure> {
    let name = path_text(path);
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|it| {
            Failure::input(format_args!("{name}: no file of --resume: {it}; name a new file"))
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::input(format_args!("{name}: {error}"))),
    }
}
