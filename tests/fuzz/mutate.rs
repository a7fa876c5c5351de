//! Texts that are nearly right.

use rand::RngExt;
use rand::seq::IndexedRandom;

/// Numbers and words at the borders of what readers take.
const NASTY: &[&str] = &[
    "",
    "0",
    "-1",
    "1",
    "2",
    "3",
    "-0.0",
    "0.5",
    "NaN",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "5e-324",
    "1e400",
    "-1e308",
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775807",
    "-9223372036854775808",
    "4294967296",
    "2147483648",
    "0x1F",
    "1_000",
    "1e",
    "é",
    "\u{1b}[31m",
    "\u{1b}]0;t\u{7}",
    "\u{7}",
    "\r",
    "\0",
    "\u{9b}2J",
    "\u{202e}",
    "\u{2028}",
    "\u{feff}",
    "\"",
    "'",
    "<",
    "&",
    "]]>",
    "\\",
    "//",
    ",",
    ";",
    "\t",
    "  ",
    "\n",
    "\n\n",
    "{",
    "}",
    "[",
    "]",
];

/// Words that stand for others of their kind in a listing.
const WORDS: &[&str] = &[
    "n",
    "i",
    "j",
    "k",
    "r",
    "s",
    "a",
    "b",
    "c",
    "p",
    "t",
    "x",
    "0",
    "1",
    "2",
    "n-1",
    "n/2",
    "n*n",
    "7",
    "+",
    "-",
    "×",
    "/",
    "mod",
    "div",
    "xor",
    "^",
    "rotl(",
    "popcount(",
    "sin(",
    "⌈log₂ n⌉",
    "π",
    "0xFFFF_FFFF",
    "18446744073709551615",
    "constant K[2] : u32 = 1, 2",
    "K[i]",
    "procedure p(x[m]) → s",
    "p(a)",
    "s ← p(a[1 .. n-1])",
    "h : u64 ← 1",
    "a[i] ↔ a[0]",
    "x, y ← y, x",
    "break",
    "repeat",
    "until i > 2",
    "and",
    "or",
    "min(",
    "max(",
    ")",
    "(",
    "<",
    "≤",
    "=",
    "≠",
    "←",
    "for",
    "to",
    "downto",
    "step",
    "do",
    "in parallel",
    "in parallel on DMMs",
    "in parallel on DMMs with 3 threads",
    "with q threads",
    "with 0 threads",
    "shared",
    "register",
    "s[i]",
    "while",
    "if",
    "then",
    "else",
    "f32",
    "f64",
    "i32",
    "i64",
    "u32",
    "bool",
    "input",
    "output",
    "inout",
    "work",
    "inf",
    "log",
    "exp",
    "pow",
    "free",
    "NULL",
    "EOF",
    "stdin",
    "linux",
    "a[i]",
    "b[i+1]",
    "true",
    "»",
    "shl",
    "shr",
    "<<",
    ">>",
    "1 << 40",
    "abs(",
    "sqrt(",
    "f(",
    "0.5",
    "answer",
    "function",
];

/// `seed` with one to five changes.
pub fn text(seed: &str, is_listing: bool, others: &[String], rng: &mut impl RngExt) -> Vec<u8> {
    let mut text = seed.to_owned();
    for _ in 0..rng.random_range(1..=5) {
        let words = if is_listing && rng.random_ratio(3, 4) { WORDS } else { NASTY };
        text = once(&text, words, others, rng);
    }
    let mut bytes = text.into_bytes();
    if rng.random_ratio(1, 20) && !bytes.is_empty() {
        let at = rng.random_range(0..bytes.len());
        bytes[at] = rng.random();
    }
    bytes
}

fn once(text: &str, words: &[&str], others: &[String], rng: &mut impl RngExt) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return (*words.choose(rng).expect("words")).to_owned();
    }
    let at = rng.random_range(0..lines.len());
    match rng.random_range(0..12) {
        0 => lines.swap(0, at),
        1 => {
            let to = rng.random_range(0..lines.len());
            lines.swap(at, to);
        }
        2 => {
            lines.remove(at);
        }
        3 => lines.insert(at, lines[at].clone()),
        4 => lines.truncate(at),
        5 => {
            // A line of another text of this kind.
            let other: Vec<&str> = others.choose(rng).map_or(vec![], |it| it.lines().collect());
            lines.insert(at, other.choose(rng).copied().unwrap_or_default().to_owned());
        }
        6 if words == WORDS => {
            let blocks = blocks(&lines[at], rng);
            lines.splice(at..at, blocks);
        }
        _ => lines[at] = replaced(&lines[at], words, rng),
    }
    lines.join("\n") + "\n"
}

/// A loop on DMMs, or two or three directly inside each other, as deep in the text as a line: shared
/// memory, registers, and a nest for each.
fn blocks(line: &str, rng: &mut impl RngExt) -> Vec<String> {
    let mut depth = line.len() - line.trim_start().len();
    let mut lines = vec![];
    let mut push = |depth: usize, text: &str| lines.push(format!("{:depth$}{text}", ""));
    let loops = rng.random_range(1..=3);
    for number in 1..=loops {
        let to = ["n-1", "1", "n / 2", "0", "-1"].choose(rng).expect("bounds");
        let q = ["4", "n", "1", "n + 3", "0"].choose(rng).expect("threads");
        let with = if number == loops { format!(" with {q} threads") } else { String::new() };
        push(depth, &format!("for k{number} ← 0 to {to} do in parallel on DMMs{with}"));
        depth += 2;
    }
    let declared = ["shared s[n] : i32", "register v[3] : i32", "register w : i32"];
    for array in declared.iter().filter(|_| rng.random_ratio(9, 10)) {
        push(depth, array);
    }
    let bodies = ["s[i] ← i", "v[i mod 3] ← i", "w ← i", "s[i] ← s[i] + v[i mod 3]", "r ← w"];
    for _ in 0..rng.random_range(0..4) {
        push(depth, "for i ← 0 to n-1 do in parallel");
        push(depth + 2, bodies.choose(rng).expect("statements"));
    }
    push(depth, ["u ← s[0]", "u ← k1", "s[n-1] ← 1"].choose(rng).expect("statements"));
    lines
}

/// A line with one of its words replaced, or one put between two.
fn replaced(line: &str, words: &[&str], rng: &mut impl RngExt) -> String {
    let word = |it: char| it.is_alphanumeric() || it == '_' || it == '.' || it == '-';
    let mut pieces: Vec<String> = vec![];
    for character in line.chars() {
        match pieces.last_mut() {
            Some(last) if word(character) && last.chars().all(word) => last.push(character),
            _ => pieces.push(character.to_string()),
        }
    }
    let new = (*words.choose(rng).expect("words")).to_owned();
    if pieces.is_empty() || rng.random_ratio(1, 5) {
        pieces.insert(rng.random_range(0..=pieces.len()), new);
    } else {
        let at = rng.random_range(0..pieces.len());
        pieces[at] = new;
    }
    pieces.concat()
}
