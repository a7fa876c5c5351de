//! The library's messages in Python's words: what they call a flag is here an argument.

/// What follows the name of an argument in a message.
#[derive(Clone, Copy)]
enum Value {
    /// Nothing, or a number.
    Number,
    /// A word of a closed set, or a text.
    Text,
    /// An array's name.
    Array,
}

/// Phrases that say more than a flag, the longer first.
const PHRASES: &[(&str, &str)] = &[
    (
        "`--output a=FILE.csv` writes an array after the run",
        "`run[\"a\"]` is an array after the run",
    ),
    ("umm run --time-only", "time_only=True"),
    ("umm bounds --derive", "memory_machine.derive"),
    ("see `umm sweep --help`", "see help(memory_machine.sweep)"),
    ("see `umm list`", "see memory_machine.listings()"),
    ("give them with --set", "give them, as in n=64"),
    ("--arg ", "argument "),
    ("--no-files", "files=False"),
    ("--set ", ""),
    ("--set", "the sizes"),
];

/// Flags, and the arguments that they are.
const ARGUMENTS: &[(&str, &str, Value)] = &[
    ("--bandwidth", "bandwidth", Value::Number),
    ("--baseline", "baseline", Value::Text),
    ("--bound", "bound", Value::Text),
    ("--bulk", "bulk", Value::Text),
    ("--by", "by", Value::Text),
    ("--cache", "cache", Value::Number),
    ("--chart", "chart", Value::Text),
    ("--growing", "growing", Value::Text),
    ("--constant", "constants", Value::Array),
    ("--input", "inputs", Value::Array),
    ("--instance", "instances", Value::Number),
    ("--kernel", "kernel", Value::Text),
    ("--launch", "launch", Value::Text),
    ("--line", "line", Value::Number),
    ("--limit", "limit", Value::Text),
    ("--mode", "mode", Value::Text),
    ("--model", "model", Value::Text),
    ("--of", "of", Value::Text),
    ("--phase", "phase", Value::Text),
    ("--predicted", "predicted", Value::Text),
    ("--prefetch", "prefetch", Value::Number),
    ("--resident", "resident", Value::Number),
    ("--shared-latency", "shared_latency", Value::Number),
    ("--size", "size", Value::Number),
    ("--standalone", "standalone", Value::Number),
    ("--step", "step", Value::Number),
    ("--time-only", "time_only", Value::Number),
    ("--terms", "terms", Value::Text),
    ("--type", "type", Value::Text),
    ("--while-limit", "while_limit", Value::Number),
    ("--x", "x", Value::Text),
    ("-d", "d", Value::Number),
    ("-l", "l", Value::Number),
    ("-m", "machine", Value::Text),
    ("-p", "p", Value::Number),
    ("-w", "w", Value::Number),
];

/// A message in Python's words. Lines of a listing that it shows stay as they are, and so do commands
/// of `umm`.
pub fn in_python(message: &str) -> String {
    let lines: Vec<String> = message
        .split('\n')
        .map(|line| if is_of_listing(line) { line.to_owned() } else { translate(line) })
        .collect();
    lines.join("\n")
}

/// Whether a line of a diagnostic shows the listing, as `4 |   a[i] <- 0`.
fn is_of_listing(line: &str) -> bool {
    line.trim_start_matches(|it: char| it == ' ' || it.is_ascii_digit()).starts_with('|')
}

fn translate(line: &str) -> String {
    let (mut text, mut rest) = (String::new(), line);
    while let Some(letter) = rest.chars().next() {
        let is_start = !text.ends_with(|it: char| it.is_alphanumeric() || it == '-' || it == '_');
        let (new, read) = match is_start.then(|| word(rest)).flatten() {
            Some(found) => found,
            None => (letter.to_string(), letter.len_utf8()),
        };
        text += &new;
        rest = &rest[read..];
    }
    text
}

/// What stands at the start of a text, in Python's words, and its length.
fn word(text: &str) -> Option<(String, usize)> {
    for (phrase, new) in PHRASES {
        if text.starts_with(phrase) {
            return Some(((*new).to_owned(), phrase.len()));
        }
    }
    if text.starts_with("umm ") {
        let end = text.find([';', ')', '`', ',']).unwrap_or(text.len());
        return Some((text[..end].to_owned(), end));
    }
    let (flag, name, value) = ARGUMENTS.iter().find(|(flag, ..)| {
        let after = text.strip_prefix(flag).map(|it| it.chars().next());
        after.is_some_and(|it| it.is_none_or(|it| !it.is_alphanumeric() && it != '-'))
    })?;
    let after = &text[flag.len()..];
    let given = after.strip_prefix(' ').unwrap_or_default();
    let end = given.find([' ', ',', ';', ')', ':', '`', '\'']).unwrap_or(given.len());
    let given = &given[..end];
    let shown = match value {
        Value::Number if !given.is_empty() && given.bytes().all(|it| it.is_ascii_digit()) => {
            format!("{name}={given}")
        }
        Value::Text if is_value(given) => format!("{name}=\"{given}\""),
        Value::Array if is_value(given) => {
            let end = given.find(|it: char| !it.is_alphanumeric() && it != '_');
            let array = &given[..end.unwrap_or(given.len())];
            return Some((format!("{name}[\"{array}\"]"), flag.len() + 1 + array.len()));
        }
        _ => return Some(((*name).to_owned(), flag.len())),
    };
    Some((shown, flag.len() + 1 + given.len()))
}

/// Whether a word after a flag is its value, and no word of the sentence.
fn is_value(word: &str) -> bool {
    const OF_SENTENCES: &[&str] = &["", "and", "or", "has", "is", "if", "in", "instead", "to"];
    !OF_SENTENCES.contains(&word)
}
