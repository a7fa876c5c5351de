//! What no input may cause.

use std::fs;
use std::path::Path;

use memory_machine::gpu::nvrtc;
use roxmltree::{Document, ParsingOptions};
use serde_json::Value;

use crate::worker::Outcome;

/// An exit code that the manual knows, an answer for each refusal, and text that a terminal shows as
/// it is.
pub fn outcome(outcome: &Outcome) -> Result<(), String> {
    if outcome.code > 2 {
        return Err(format!("exit code {}", outcome.code));
    }
    if outcome.code == 2 && !outcome.stderr.contains("error") {
        return Err(format!("exit code 2 without an error: {}", outcome.stderr));
    }
    for text in [&outcome.stdout, &outcome.stderr] {
        // Lines of a file may end as Windows has it.
        let text = text.replace("\r\n", "\n");
        if let Some(character) = text.chars().find(|&it| acts_on_terminals(it)) {
            return Err(format!("prints {character:?}"));
        }
    }
    for word in ["NaN time", "panicked"] {
        if outcome.stdout.contains(word) || outcome.stderr.contains(word) {
            return Err(format!("says {word}"));
        }
    }
    Ok(())
}

fn acts_on_terminals(character: char) -> bool {
    let marks = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    marks || character.is_control() && !matches!(character, '\n' | '\t')
}

/// The files that were written are what their names say; `input` was read.
pub fn outputs(folder: &Path, input: &[u8], compiles: bool) -> Result<(), String> {
    let read = |name: &str| fs::read(folder.join(name)).ok();
    // A name of the input may be drawn as it is.
    let named = String::from_utf8_lossy(input).to_lowercase();
    let no_number = |text: &str| text.contains("NaN") && !named.contains("nan");
    if let Some(bytes) = read("out.svg") {
        let text = String::from_utf8(bytes).map_err(|_| "an SVG that is not UTF-8")?;
        Document::parse(&text)
            .map_err(|error| format!("an SVG that is not well-formed: {error}"))?;
        if no_number(&text) {
            return Err("an SVG with NaN".to_owned());
        }
    }
    if let Some(bytes) = read("out.html") {
        let text = String::from_utf8(bytes).map_err(|_| "a page that is not UTF-8")?;
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        Document::parse_with_options(&text, options)
            .map_err(|error| format!("a page that is not well-formed: {error}"))?;
        if no_number(&text) {
            return Err("a page with NaN".to_owned());
        }
    }
    if let Some(bytes) = read("out.cu") {
        let text = String::from_utf8(bytes).map_err(|_| "CUDA that is not UTF-8")?;
        if compiles && nvrtc::is_present() && !text.contains("int main(") {
            let architecture = nvrtc::architectures().map_err(|error| error.to_string())?;
            let newest = architecture.last().copied().ok_or("no architecture")?;
            nvrtc::compile_ptx(&text, newest)
                .map_err(|error| format!("does not compile: {error}"))?;
        }
    }
    Ok(())
}

/// Two ways to one answer agree: both succeed with the same fields, or neither succeeds.
pub fn twins(one: &Outcome, other: &Outcome, fields: &[&str]) -> Result<(), String> {
    // A refusal for its size may be one engine's alone, and is said.
    let refused = |it: &Outcome| it.stderr.contains("at most") || it.stderr.contains("memory");
    if one.code != other.code {
        if refused(one) || refused(other) || is_open(&other.stdout) {
            return Ok(());
        }
        let (a, b) = (&one.stderr, &other.stderr);
        return Err(format!("exit codes {} and {}: {a} | {b}", one.code, other.code));
    }
    if one.code != 0 {
        return Ok(());
    }
    let parse = |it: &Outcome| serde_json::from_str::<Value>(&it.stdout);
    let (Ok(a), Ok(b)) = (parse(one), parse(other)) else { return Err("no JSON".to_owned()) };
    for field in fields {
        if a.get(field) != b.get(field) {
            return Err(format!("`{field}`: {:?} and {:?}", a.get(field), b.get(field)));
        }
    }
    Ok(())
}

/// Whether a count says that it does not know whether a run fails.
fn is_open(report: &str) -> bool {
    let report = serde_json::from_str::<Value>(report).unwrap_or_default();
    let lists = report["unchecked"].as_object().into_iter().flat_map(|it| it.values());
    lists.filter_map(Value::as_array).any(|it| !it.is_empty())
}

/// Removes what a case wrote.
pub fn clear(folder: &Path, file: &str) {
    for name in ["out.svg", "out.html", "out.cu", "out.csv", "out.csv.partial"] {
        if name != file {
            let _ = fs::remove_file(folder.join(name));
        }
    }
}
