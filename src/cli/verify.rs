//! `umm verify`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::case::Case;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::host::files::{DESCRIPTION, read};
use crate::verify::verify;

/// A file of certificates is no longer than so many listings.
const MOST_LISTINGS: u64 = 64;

/// Check certificates: proofs of bounds for all sizes, step by step
///
/// `umm complexity --certificate` and `umm bounds --derive --certificate` write a certificate: the
/// derivation of a bound as data. A checker that shares only the parser with the prover goes through the
/// listing and believes none of its steps. A file may hold several, one a line. Exit code 0: all hold;
/// 1: the first that is refused is named, with the reason.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm complexity sum --bound 'Θ(n/w + n·l/p + l·log n)' --certificate sum.json
  umm verify sum.json sum
  umm verify docs/certificates.jsonl")]
pub(super) struct Verify {
    /// A file of certificates, one a line
    certificates: PathBuf,
    /// The listing that they are of: a shipped one or a file; those of others are left out. Without it,
    /// shipped ones by their names
    listing: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let text = read(&self.certificates, MOST_LISTINGS * DESCRIPTION)?;
        let path = self.certificates.display();
        let given = self.listing.as_ref().map(Case::load).transpose();
        let given = given.map_err(Failure::input)?;
        let mut found: Vec<Value> = vec![];
        for (line, number) in text.lines().zip(1..).filter(|it| !it.0.trim().is_empty()) {
            let place = format!("{path}:{number}");
            let certificate: Value = serde_json::from_str(line)
                .map_err(|error| Failure::input(format_args!("{place}: {error}")))?;
            let name = certificate["listing"].as_str().unwrap_or_default().to_owned();
            let case = match &given {
                Some(case) if case.program.name != name && text.lines().count() > 1 => continue,
                Some(case) => case.clone(),
                None => Case::load(&name).map_err(|error| {
                    Failure::input(format_args!("{place}: give the listing `{name}`: {error}"))
                })?,
            };
            let stated = verify(&certificate, &case.program)
                .map_err(|why| Failure::run(format_args!("{place}: {name}: refused: {why}")))?;
            found.push(json!({
                "line": number, "listing": name, "machine": certificate["setting"]["machine"],
                "claim": certificate["claim"], "states": stated.json(),
            }));
        }
        if found.is_empty() {
            return Err(Failure::input(format_args!("{path}: there is no certificate of it")));
        }
        if self.json {
            return files::print_json(&json!({ "certificates": found }));
        }
        let text: String = found.iter().map(shown).collect();
        files::print(&text)
    }
}

/// A line on what a certificate states.
fn shown(of: &Value) -> String {
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let [listing, machine] = ["listing", "machine"].map(|it| text(&of[it]));
    let states = &of["states"];
    let claim = match &of["claim"] {
        Value::Null => "bounds".to_owned(),
        claim => {
            let terms = claim["terms"].as_array().into_iter().flatten().map(product);
            let sum = terms.collect::<Vec<_>>().join(" + ");
            format!("{}({sum})", text(&claim["relation"]))
        }
    };
    let mut line = format!("{listing} ({machine}): {claim}: {}", text(&states["verdict"]));
    for (side, sign) in [("above", "≤"), ("below", "≥")] {
        if let Some(constant) = states[side].as_str() {
            line += &format!(", time {sign} {constant} times the sum");
        }
    }
    line + "\n"
}

fn product(powers: &Value) -> String {
    let factor = |(atom, power): (&String, &Value)| {
        let name = atom.replace('@', "");
        match power.as_str() {
            Some("1") => name,
            power => format!("{name}^{}", power.unwrap_or_default()),
        }
    };
    let all: Vec<String> = powers.as_object().into_iter().flatten().map(factor).collect();
    if all.is_empty() { "1".to_owned() } else { all.join("·") }
}
