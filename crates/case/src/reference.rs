//! The listing that another names as its `reference`. Who runs a stranger's listing lends it no other
//! files than those that came with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::CaseError;
use super::load::{LoadError, is_built_in, load_for};
use super::{Case, suggestion};
use memory_machine_core::diagnostic::{Diagnostic, Located};
use memory_machine_core::host::files::{self, path_text};
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::Name;

/// Why a listing is not given the file that it names, and what to do.
struct Refusal(String, &'static str);

const BESIDE: &str = "a listing may name a shipped listing, or a file FILE.alg that lies beside it or in a \
                      folder beneath: copy the file there";

impl Case {
    /// The listing that `reference` names, if one does: a shipped one, or a file beside this one or
    /// beneath its folder, links followed. An error never quotes a file that is no listing.
    ///
    /// # Errors
    /// [`CaseError::Program`] if there is no such listing, or it may not be read.
    pub fn reference(&self) -> Result<Option<Arc<Program>>, CaseError> {
        let Some(Name { text, span }) = &self.program.listing.clauses.reference else {
            return Ok(None);
        };
        let source = &self.program.source;
        let is_file = text.ends_with(".alg") || text.contains('/');
        let file = || if self.no_files { Err(without_files()) } else { beside(&source.name, text) };
        let algorithm = match is_file {
            true => file(),
            false if is_built_in(text.as_ref()) => Ok(text.into()),
            false => Err(unknown(text)),
        };
        let loaded = algorithm.and_then(|it| {
            load_for(it, &self.values()).map_err(|error| match error {
                LoadError::File(error) => Refusal(error.to_string(), BESIDE),
                LoadError::Unknown(name) => unknown(&name),
                error @ LoadError::NoSuchAlgorithm { .. } => Refusal(error.to_string(), BESIDE),
                LoadError::Listing(located) => {
                    let line = located.source.line(located.diagnostic.span);
                    let message = format!("`{text}` is no listing: line {line} is wrong");
                    Refusal(message, "`umm check FILE.alg` says what is wrong with it")
                }
            })
        });
        loaded.map(|it| Some(Arc::new(it))).map_err(|Refusal(why, remedy)| {
            let diagnostic = Diagnostic::new(*span, format!("reference: {why}")).help(remedy);
            CaseError::Program(Box::new(Located { source: source.clone(), diagnostic }))
        })
    }
}

fn unknown(name: &str) -> Refusal {
    Refusal(
        format!("no shipped listing is called `{name}`; {}see `umm list`", suggestion(name)),
        BESIDE,
    )
}

fn without_files() -> Refusal {
    let why = "this listing may read no file (--no-files)";
    Refusal(why.to_owned(), "name a shipped listing, or leave `reference` out")
}

/// The file of this name beside a listing, or beneath its folder, also where links lead.
fn beside(listing: &str, name: &str) -> Result<PathBuf, Refusal> {
    let folder = Path::new(listing).parent().unwrap_or(Path::new(""));
    let path = folder.join(name);
    // A browser's page has only what it was given.
    if cfg!(target_family = "wasm") {
        return Ok(path);
    }
    let outside = || Refusal(format!("`{name}` lies outside the listing's folder"), BESIDE);
    let named = Path::new(name);
    let is_beneath = named
        .components()
        .all(|it| matches!(it, std::path::Component::Normal(_) | std::path::Component::CurDir));
    if !is_beneath {
        return Err(outside());
    }
    let absent = |_| Refusal(format!("{}: there is no such file", path_text(&path)), BESIDE);
    let home = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (home, target) =
        (home.canonicalize().map_err(absent)?, path.canonicalize().map_err(absent)?);
    if !target.starts_with(&home) {
        return Err(outside());
    }
    if !files::ends(&target, "alg") || !target.is_file() {
        return Err(Refusal(format!("`{name}` is no file FILE.alg"), BESIDE));
    }
    Ok(path)
}
