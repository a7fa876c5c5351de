//! `umm web`

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use super::case::settings;
use super::options::{MachineOptions, ThreadOptions, setting};
use super::{Failure, files};
use crate::algorithms::catalogue;
use crate::case::{Case, load};
use crate::word::Word;

/// Write the playground: a page in which a listing is edited, timed and stepped
///
/// The page is one file that needs no network. It opens with the listing and the machine that are
/// given; else with the papers' 8-gon.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm web -o playground.html
  umm web transpose --set n=16 -m dmm -w 16 -l 5 -p 64 -o transpose.html
  umm web mine.alg --set n=16 -o mine.html")]
pub(super) struct Web {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    algorithm: Option<OsString>,
    /// Value of a parameter, as in n=16; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting, requires = "algorithm")]
    settings: Vec<(String, i64)>,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// The file to write
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
}

/// Where the page has what it opens with.
const START: &str = r#"<script type="application/json" id="start">{}</script>"#;

/// What `web/build` made.
#[cfg(feature = "web")]
const PAGE: Option<&str> =
    Some(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/dist/playground.html")));
#[cfg(not(feature = "web"))]
const PAGE: Option<&str> = None;

impl Web {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let start = self.start()?;
        let page = PAGE.ok_or_else(|| {
            Failure::input(
                "this umm was built without the page; in its repository say: rustup target add \
                 wasm32-unknown-unknown && web/build && cargo install --path . --features web",
            )
        })?;
        // A listing may spell the end of a script.
        let start = start.to_string().replace("</", "<\\/");
        let page = page.replacen(START, &START.replace("{}", &start), 1);
        files::write(&self.output, |file| file.write_all(page.as_bytes()))
    }

    /// The state in which the page opens.
    fn start(&self) -> Result<Value, Failure> {
        let Some(algorithm) = &self.algorithm else { return Ok(json!({})) };
        let program = load(algorithm)?;
        let shipped = algorithm.to_str().and_then(catalogue::find).is_some();
        let case = Case {
            set: settings(&self.settings)?,
            machine: self.machine.machine()?,
            mode: self.machine.mode(),
            threads: self.threads.threads,
            bulk: self.threads.bulk,
            ..Case::new(program)
        };
        case.given_sizes()?;
        let mut start = Map::new();
        let mut put = |name: &str, value: Value| start.insert(name.to_owned(), value);
        put("name", case.program.name.as_str().into());
        if !shipped {
            put("listing", case.program.source.text.as_str().into());
        }
        put("set", json!(case.set.0));
        put("machine", case.machine.kind.word().into());
        put("w", case.machine.width.get().into());
        put("l", case.machine.latency.get().into());
        if let Some(dmms) = case.machine.kind.dmms() {
            put("d", dmms.number.into());
            put("shared_latency", dmms.latency.get().into());
            put("resident", dmms.resident.into());
        }
        put("p", case.threads.get().into());
        put("mode", case.mode.word().into());
        put("bulk", case.bulk.map(Word::word).into());
        Ok(start.into())
    }
}
