//! `umm list`

use clap::Args;

use serde::Serialize;

use crate::algorithms::{catalogue, validation_listings};
use crate::case::load;
use crate::cli::support::Failure;
use crate::cli::support::files::{print, print_json};
use crate::cli::support::table::{Table, TableFile};
use crate::language::oblivious::{Obliviousness, obliviousness};

/// List the shipped algorithms, by topic
///
/// With --all also those of the validation sets: listings written to judge predicted seconds, which
/// have no reference. `umm run NAME` finds these, too; NAME@SET is the one of a set.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm list
  umm list sort
  umm list --all graphs
  umm list cormen et al --json

`umm check NAME --plain` prints a listing, `umm run NAME` runs it.")]
pub(super) struct List {
    /// List those with all of these words in their topic, name, description or source
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
    /// The same words in one argument
    #[arg(long, value_name = "WORDS", hide = true)]
    search: Option<String>,
    /// List the listings of the validation sets, too
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    table: TableFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A listing, without what only its program says.
struct Entry {
    topic: &'static str,
    name: String,
    about: &'static str,
    source: &'static str,
    set: Option<u32>,
}

#[derive(Serialize)]
struct Row {
    topic: &'static str,
    name: String,
    parameters: Vec<String>,
    inputs: Vec<String>,
    about: &'static str,
    source: &'static str,
    oblivious: bool,
    obliviousness: &'static str,
    /// The validation set.
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<u32>,
    #[serde(skip)]
    answer: &'static str,
}

/// A row of the table as CSV: names have a blank between.
#[derive(Serialize)]
struct TableRow<'a> {
    topic: &'a str,
    algorithm: &'a str,
    set: String,
    inputs: String,
    about: &'a str,
    obliviousness: &'a str,
    source: &'a str,
    validation_set: Option<u32>,
}

impl Row {
    fn in_table(&self) -> TableRow<'_> {
        TableRow {
            topic: self.topic,
            algorithm: &self.name,
            set: self
                .parameters
                .iter()
                .map(|it| it.replace(" = ", "="))
                .collect::<Vec<_>>()
                .join(" "),
            inputs: self.inputs.join(" "),
            about: self.about,
            obliviousness: self.obliviousness,
            source: self.source,
            validation_set: self.set,
        }
    }
}

impl List {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.table.check()?;
        let words = [&self.words[..], self.search.as_slice()].concat().join(" ");
        let shipped = shipped().filter(|it| it.has(&words));
        let of_sets: Vec<Entry> = of_sets().filter(|it| it.has(&words)).collect();
        let (of_sets, more) = if self.all { (of_sets, 0) } else { (vec![], of_sets.len()) };
        let mut entries: Vec<Entry> = shipped.chain(of_sets).collect();
        // Shipped ones first, in each topic.
        entries.sort_by_key(|it| it.topic);
        let rows = entries.into_iter().map(Entry::row).collect::<Result<Vec<Row>, Failure>>()?;
        self.table.write(rows.iter().map(Row::in_table))?;
        if self.json {
            return print_json(&serde_json::json!({ "algorithms": rows }));
        }
        if rows.is_empty() {
            return Err(Failure::input(match (self.all, more) {
                (true, _) => {
                    format!("no listing has these words: {words}; `umm list --all` has all")
                }
                (_, 0) => {
                    format!("no shipped listing has these words: {words}; `umm list` has all")
                }
                _ => format!(
                    "no shipped listing has these words: {words}; --all shows {more} of the \
                     validation sets"
                ),
            }));
        }
        let end = match more {
            0 => String::new(),
            more => format!("\n--all shows {more} more, of the validation sets.\n"),
        };
        print(&format!("{}\n{end}", self.table(&rows)))
    }

    fn table(&self, rows: &[Row]) -> String {
        let mut header =
            vec!["algorithm", "--set", "--input", "what it does", "oblivious", "source"];
        if self.all {
            header.push("set");
        }
        let end = header.len();
        let mut table = Table::new(header).long(4..end);
        for topic in rows.chunk_by(|a, b| a.topic == b.topic) {
            table.row([topic[0].topic]);
            for row in topic {
                let (parameters, inputs) = (row.parameters.join(", "), row.inputs.join(", "));
                let (about, answer, source) = (row.about, row.answer, row.source);
                let set = row.set.map(|it| it.to_string()).unwrap_or_default();
                let cells =
                    [&format!("  {}", row.name), &*parameters, &inputs, about, answer, source];
                table.row(cells.into_iter().chain(self.all.then_some(&*set)));
            }
        }
        table.text()
    }
}

fn shipped() -> impl Iterator<Item = Entry> {
    catalogue::by_topic().into_iter().map(|it| Entry {
        topic: it.topic,
        name: it.name.to_owned(),
        about: it.about,
        source: it.source(),
        set: None,
    })
}

fn of_sets() -> impl Iterator<Item = Entry> {
    validation_listings::all().iter().map(|it| Entry {
        topic: &it.topic,
        name: it.identifier(),
        about: it.about(),
        source: &it.source,
        set: Some(it.set),
    })
}

impl Entry {
    /// Whether all words are in what is said of a listing, in capital letters or small ones.
    fn has(&self, words: &str) -> bool {
        let text = [self.topic, &self.name, self.about, self.source].join(" ").to_lowercase();
        words.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }

    fn row(self) -> Result<Row, Failure> {
        let program = load(&self.name)?;
        let obliviousness = obliviousness(&program);
        let parameters = program.parameters.iter().map(|it| match it.default {
            None => it.name.clone(),
            Some(value) => format!("{} = {value}", it.name),
        });
        let given = program.arrays.iter().filter(|array| array.role.is_given());
        Ok(Row {
            topic: self.topic,
            name: self.name,
            parameters: parameters.collect(),
            inputs: given.map(|array| array.name.clone()).collect(),
            about: self.about,
            source: self.source,
            oblivious: obliviousness == Obliviousness::Oblivious,
            obliviousness: obliviousness.word(),
            set: self.set,
            answer: obliviousness.answer(),
        })
    }
}
