//! `umm list`

use clap::Args;

use serde::Serialize;

use super::Failure;
use super::files::{print, print_json};
use super::terminal;
use crate::algorithms::catalogue::{self, Entry};
use crate::case::load;
use crate::language::oblivious::{Obliviousness, obliviousness};

/// List the shipped algorithms, by topic
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm list
  umm list sort
  umm list cormen et al --json

`umm check NAME --plain` prints a listing, `umm run NAME` runs it.")]
pub(super) struct List {
    /// List those with all of these words in their topic, name, description or source
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
    /// The same words in one argument
    #[arg(long, value_name = "WORDS", hide = true)]
    search: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    topic: &'static str,
    name: &'static str,
    parameters: Vec<String>,
    inputs: Vec<String>,
    about: &'static str,
    source: &'static str,
    oblivious: bool,
    obliviousness: &'static str,
    #[serde(skip)]
    answer: &'static str,
}

impl List {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let words = [&self.words[..], self.search.as_slice()].concat().join(" ");
        let rows = catalogue::by_topic()
            .into_iter()
            .filter(|entry| has(entry, &words))
            .map(|entry| {
                let program = load(entry.name)?;
                let obliviousness = obliviousness(&program);
                let parameters = program.parameters.iter().map(|it| match it.default {
                    None => it.name.clone(),
                    Some(value) => format!("{} = {value}", it.name),
                });
                let given = program.arrays.iter().filter(|array| array.role.is_given());
                Ok(Row {
                    topic: entry.topic,
                    name: entry.name,
                    parameters: parameters.collect(),
                    inputs: given.map(|array| array.name.clone()).collect(),
                    about: entry.about,
                    source: entry.source(),
                    oblivious: obliviousness == Obliviousness::Oblivious,
                    obliviousness: obliviousness.word(),
                    answer: obliviousness.answer(),
                })
            })
            .collect::<Result<Vec<Row>, Failure>>()?;
        if self.json {
            return print_json(&serde_json::json!({ "algorithms": rows }));
        }
        if rows.is_empty() {
            return Err(Failure::input(format_args!(
                "no shipped listing has these words: {words}; `umm list` has all"
            )));
        }
        let mut table = terminal::table();
        table.set_header(["algorithm", "--set", "--input", "what it does", "oblivious", "source"]);
        for topic in rows.chunk_by(|a, b| a.topic == b.topic) {
            table.add_row([topic[0].topic]);
            for row in topic {
                let name = format!("  {}", row.name);
                let (parameters, inputs) = (row.parameters.join(", "), row.inputs.join(", "));
                let (about, answer, source) = (row.about, row.answer, row.source);
                table.add_row([&name, &parameters, &inputs, about, answer, source]);
            }
        }
        print(&format!("{}\n", table.trim_fmt()))
    }
}

/// Whether all words are in what is said of a listing, in capital letters or small ones.
fn has(entry: &Entry, words: &str) -> bool {
    let text = [entry.topic, entry.name, entry.about, entry.source()].join(" ").to_lowercase();
    words.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
