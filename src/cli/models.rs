//! `umm models`

use clap::Args;
use serde::Serialize;

use crate::cli::support::Failure;
use crate::cli::support::files::{print, print_json};
use crate::cli::support::table::{Table, TableFile};
use crate::cli::support::terminal::wrapped;
use crate::keyword::Keyword;
use crate::models::{self, Model, SHIPPED};

/// List the described machines that --model knows, with the sources of their numbers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm models
  umm models --json
  umm run prefix_sums --set n=32 --bulk column -p 4096 --model gtx-titan
  umm run sum --set n=1024 --model mine.toml -l 200")]
pub(super) struct Models {
    #[command(flatten)]
    table: TableFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A row of the table as CSV.
#[derive(Serialize)]
struct TableRow<'a> {
    model: &'a str,
    machine: &'a str,
    width: u64,
    latency: u64,
    description: &'a str,
}

impl<'a> TableRow<'a> {
    fn of(model: &'a Model) -> Self {
        Self {
            model: &model.name,
            machine: model.kind.word(),
            width: model.width.value.get(),
            latency: model.latency.value.get(),
            description: &model.description,
        }
    }
}

impl Models {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.table.check()?;
        let models: Vec<Model> =
            SHIPPED.iter().filter_map(|(name, _)| models::find(name)).collect();
        self.table.write(models.iter().map(TableRow::of))?;
        if self.json {
            return print_json(&serde_json::json!({ "models": models }));
        }
        let mut table = Table::new(["model", "-m", "-w", "-l", "what it is"]);
        let mut sources = String::new();
        for model in &models {
            let (width, latency) = (&model.width, &model.latency);
            let kind = model.kind.word();
            let (w, l) = (width.value.to_string(), latency.value.to_string());
            table.row([model.name.as_str(), kind, &w, &l, &model.description]);
            sources += &format!("\n{}\n", model.name);
            sources += &format!("  w = {w}: {}\n  l = {l}: {}\n", width.source, latency.source);
            for (name, fact) in &model.facts {
                sources +=
                    &format!("  {} = {}: {}\n", name.replace('_', " "), fact.value, fact.source);
            }
            for fit in &model.fits {
                let bulk =
                    fit.bulk.as_ref().map_or(String::new(), |bulk| format!(" --bulk {bulk}"));
                sources += &format!(
                    "  {} {}{bulk}: {} µs + {} ns·p: {}\n",
                    fit.algorithm,
                    fit.set,
                    number(fit.fixed_s * 1e6),
                    number(fit.per_input_s * 1e9),
                    fit.source
                );
            }
        }
        print(&format!("{}\n{}", table.text(), wrapped(&sources)))
    }
}

/// A number without the digits that binary fractions add.
fn number(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
