//! `umm list`

use clap::Args;

use serde::Serialize;

use super::Failure;
use super::files::{print, print_json};
use super::terminal;
use crate::algorithms::catalogue::{CATALOGUE, ON_DMMS};
use crate::case::load;

/// List the shipped algorithms
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  umm list --json")]
pub(super) struct List {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    parameters: Vec<String>,
    inputs: Vec<String>,
    about: &'static str,
    source: &'static str,
}

impl List {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let rows = CATALOGUE
            .iter()
            .chain(ON_DMMS)
            .map(|entry| {
                let program = load(entry.name)?;
                let parameters = program.parameters.iter().map(|it| match it.default {
                    None => it.name.clone(),
                    Some(value) => format!("{} = {value}", it.name),
                });
                let given = program.arrays.iter().filter(|array| array.role.is_given());
                Ok(Row {
                    name: entry.name,
                    parameters: parameters.collect(),
                    inputs: given.map(|array| array.name.clone()).collect(),
                    about: entry.about,
                    source: entry.paper,
                })
            })
            .collect::<Result<Vec<Row>, Failure>>()?;
        if self.json {
            return print_json(&serde_json::json!({ "algorithms": rows }));
        }
        let mut table = terminal::table();
        table.set_header(["algorithm", "--set", "--input", "what it does", "source"]);
        for row in &rows {
            let (parameters, inputs) = (row.parameters.join(", "), row.inputs.join(", "));
            table.add_row([row.name, &parameters, &inputs, row.about, row.source]);
        }
        print(&format!("{}\n", table.trim_fmt()))
    }
}
