//! `umm web`

mod scorm;

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value, json};

use self::scorm::Edition;
use crate::algorithms::catalogue;
use crate::case::{Case, Printed};
use crate::cli::support::case::ParameterValues;
use crate::cli::support::options::{MachineOptions, ThreadOptions, whole, word};
use crate::cli::support::settings::{ParameterValue, any_setting};
use crate::cli::support::{Failure, files};
use crate::grade::Assignment;
use crate::host::files::{DATA, read};
use crate::keyword::Keyword;

/// Write the playground: a page in which a listing is edited, timed and stepped
///
/// The page is one file that needs no network. It opens with the listing and the machine that are
/// given; else with the papers' 8-gon. Where this umm was built, web/build makes the page.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm web -o playground.html
  umm web transpose --set n=16 -m dmm -w 16 -l 5 -p 64 -o transpose.html
  umm web mine.alg --set n=16 -o mine.html
  umm web --element -o umm-playground.js
  umm web --scorm exercises.toml -o course.zip")]
pub(super) struct Web {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    algorithm: Option<OsString>,
    /// Value of a parameter, as in n=16; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = any_setting, requires = "algorithm")]
    settings: Vec<(String, ParameterValue)>,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Write a script instead, by which a page has `<umm-playground src="playground.html">`
    #[arg(long, conflicts_with_all = ["algorithm", "scorm"])]
    element: bool,
    /// Write a package for learning platforms instead: the exercises of this assignment, marked by the page
    #[arg(long, value_name = "ASSIGNMENT.toml", conflicts_with = "algorithm")]
    scorm: Option<PathBuf>,
    /// Of --scorm: the edition
    #[arg(long, value_parser = word::<Edition>(), default_value_t = Edition::Scorm12, requires = "scorm")]
    edition: Edition,
    /// Of --scorm: points of a hundred with which the course is passed
    #[arg(long, value_name = "POINTS", default_value = "60", value_parser = whole::<u32>(0..=100), requires = "scorm")]
    passing: u32,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// The script of the element.
const ELEMENT: &str = include_str!("element.js");

/// Where the page has what it opens with.
const START: &str = r#"<script type="application/json" id="start">{}</script>"#;

/// Where `web/build` puts the page, in the folder of which this `umm` was built.
const BUILT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/dist/playground.html");

/// The page inside this `umm`, if it is there.
#[cfg(feature = "web")]
const PAGE: Option<&str> = Some(memory_machine_page::PAGE);
#[cfg(not(feature = "web"))]
const PAGE: Option<&str> = None;

/// The page that `web/build` made, at its place.
fn built(place: &Path) -> Result<String, Failure> {
    let refuse = |why: &str| {
        let build = place.ancestors().nth(2).unwrap_or(place).join("build");
        let (place, build) = (place.display(), build.display());
        Failure::input(format_args!("{place}: {why}; {build} makes it in some minutes"))
    };
    if !place.exists() {
        return Err(refuse("there is no page yet"));
    }
    let page = read(place, DATA)?;
    if page.matches(START).count() == 1 { Ok(page) } else { Err(refuse("is no page of this umm")) }
}

impl Web {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.element {
            return files::write(&self.output, |file| file.write_all(ELEMENT.as_bytes()));
        }
        let course = self.scorm.as_ref().map(|it| Assignment::read(it)).transpose()?;
        let start = match &course {
            None => self.start()?,
            Some(course) => json!({ "course": self.course(course)? }),
        };
        let page = match PAGE {
            Some(page) => Cow::from(page),
            None => built(Path::new(BUILT))?.into(),
        };
        let page = opening_with(&page, &start);
        let bytes = match &course {
            None => page.into_bytes(),
            Some(course) => {
                let packed = scorm::package(course, self.edition, self.passing, &page);
                packed.map_err(Failure::run)?
            }
        };
        files::write(&self.output, |file| file.write_all(&bytes))
    }

    /// What the page of a course has of its assignment.
    fn course(&self, assignment: &Assignment) -> Result<Value, Failure> {
        let exercises =
            assignment.items().map(|(item, points)| json!({ "item": item, "points": points }));
        let exercises: Vec<Value> = exercises.collect();
        if exercises.is_empty() || exercises.len() < assignment.number_asked() {
            return Err(Failure::input(
                "--scorm: the page marks exercises of the bank alone; give [[exercise]] with an `item` of `umm grade \
                 --bank`, and leave [[question]] and [[test]] to `umm grade`",
            ));
        }
        assignment.rehearse("")?;
        Ok(json!({
            "title": assignment.title(), "seed": assignment.own_seed(), "passing": self.passing,
            "exercises": exercises,
        }))
    }

    /// The state in which the page opens.
    fn start(&self) -> Result<Value, Failure> {
        let Some(algorithm) = &self.algorithm else { return Ok(json!({})) };
        let values = ParameterValues::of(&self.settings)?;
        let program = values.load(algorithm, Printed::default())?;
        if let Some(name) = values.names_of_reals().next() {
            return Err(Failure::input(format_args!(
                "--set {name}: the page takes whole numbers; write this one into the listing's head, \
                 as in `{name} : f64 = 0.5`"
            )));
        }
        let set = values.set;
        let shipped = algorithm.to_str().and_then(catalogue::find).is_some();
        let case = Case {
            set,
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
        put("bulk", case.bulk.map(Keyword::word).into());
        Ok(start.into())
    }
}

/// The page in that state. A listing may spell the end of a script.
fn opening_with(page: &str, start: &Value) -> String {
    let start = start.to_string().replace("</", "<\\/");
    page.replacen(START, &START.replace("{}", &start), 1)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        web: Web,
    }

    fn start(words: &str) -> Value {
        Command::parse_from(words.split(' ')).web.start().unwrap()
    }

    #[test]
    fn the_state_has_the_words_of_the_page() {
        assert_eq!(start("web -o page.html"), json!({}));
        let words = "web sum_hmm --set n=64 -m hmm -d 4 -w 8 -l 5 -p 16 --mode async -o page.html";
        let expected = json!({
            "name": "sum_hmm", "set": { "n": 64 }, "machine": "hmm", "w": 8, "l": 5, "d": 4,
            "shared_latency": 1, "resident": 1, "p": 16, "mode": "async", "bulk": null,
        });
        assert_eq!(start(words), expected);
    }

    #[test]
    fn a_listing_does_not_end_the_script() {
        let page = format!("<html>{START}</html>");
        let page = opening_with(&page, &json!({ "listing": "// </script>" }));
        assert_eq!(
            page,
            "<html><script type=\"application/json\" id=\"start\">\
             {\"listing\":\"// <\\/script>\"}</script></html>"
        );
    }

    #[test]
    fn a_page_is_taken_where_it_was_built_or_it_is_said_how_to_build_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("web/dist/playground.html");
        let refused = |what: &str| {
            let message = built(&place).unwrap_err().to_string();
            assert!(message.contains(what) && message.contains("web/build"), "{message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        };
        refused("there is no page yet");
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(&place, "<html></html>").unwrap();
        refused("is no page of this umm");
        let page = format!("<html>{START}</html>");
        std::fs::write(&place, &page).unwrap();
        assert_eq!(built(&place).unwrap(), page);
    }

    /// The page has the place that is replaced.
    #[test]
    fn the_page_has_its_state_where_it_is_replaced() {
        let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/page/index.html"));
        assert_eq!(page.matches(START).count(), 1);
    }
}
