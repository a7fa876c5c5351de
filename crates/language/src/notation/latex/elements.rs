//! What an equation prints, in brackets and signs.

/// What no product is made of.
const WORDS: [&str; 13] =
    ["and", "or", "not", "mod", "xor", "div", "to", "min", "max", "sqrt", "if", "then", "else"];

/// The ranges of the sums, and the like, within an expression.
pub(super) fn folded_over(value: &str) -> String {
    let ranges = value.match_indices("_{").filter(|it| folds(&value[..it.0]));
    let ranges = ranges.filter_map(|it| value[it.0 + 2..].split('}').next());
    ranges.collect::<Vec<_>>().join(" ")
}

/// Whether a text ends in the word for a sum, or the like.
fn folds(text: &str) -> bool {
    let word = text.rsplit(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
    ["sum", "prod", "min", "max"].contains(&word)
}

/// What stands below and above the sign of a sum, or the like.
fn limits(text: &str) -> usize {
    let braced = |text: &str, open: &str, close: char| {
        text.strip_prefix(open).and_then(|it| it.find(close)).map_or(0, |it| open.len() + it + 1)
    };
    let below = braced(text, "_{", '}');
    let rest = &text[below..];
    below
        + match braced(rest, "^(", ')') {
            0 if rest.starts_with('^') => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            length => length,
        }
}

/// A row in brackets and signs: `2 a_i b_{i+1}` is `2 × a[i] × b[i+1]`.
pub(super) fn elements(text: &str, variables: &str) -> String {
    let is_variable =
        |it: char| variables.split(|it: char| !it.is_alphanumeric()).any(|of| of == it.to_string());
    let mut out = String::new();
    let mut rest = text;
    // How much of it ends in a sign with its limits.
    let mut fold = 0;
    while let Some(first) = rest.chars().next() {
        let is_word = |it: char| it.is_alphanumeric();
        let length = match first {
            it if is_word(it) => rest.find(|it: char| !is_word(it)).unwrap_or(rest.len()),
            it => it.len_utf8(),
        };
        let (word, behind) = rest.split_at(length);
        // Operands that stand beside each other.
        let before = out.trim_end();
        let last = before.rsplit(|it: char| !is_word(it)).next().unwrap_or_default();
        let ends = before.ends_with(']')
            || before.ends_with(')')
            || !last.is_empty() && !WORDS.contains(&last);
        let begins =
            is_word(first) && !WORDS.contains(&word) || first == '(' && before.len() < out.len();
        let is_folded = before.len() == fold && fold > 0;
        if ends
            && !is_folded
            && begins
            && (before.len() < out.len() || before.ends_with([']', ')']))
        {
            out.truncate(before.len());
            out += " × ";
        }
        out += word;
        rest = behind;
        if is_word(first) && folds(word) && rest.starts_with("_{") {
            let length = limits(rest);
            out += &rest[..length];
            (rest, fold) = (&rest[length..], out.len());
            continue;
        }
        if let Some(script) = rest.strip_prefix('_').filter(|_| is_word(first)) {
            let (script, behind) = match script.strip_prefix('{').and_then(|it| it.split_once('}'))
            {
                Some(it) => it,
                None => script.split_at(script.chars().next().map_or(0, char::len_utf8)),
            };
            rest = behind;
            let letters = script.len() > 1 && script.chars().all(char::is_alphabetic);
            out += &match (letters, script.chars().all(is_variable)) {
                (true, true) => {
                    let each: Vec<String> = script.chars().map(String::from).collect();
                    format!("[{}]", each.join(", "))
                }
                (true, false) => format!("_{script}"),
                (false, _) => format!("[{script}]"),
            };
        }
    }
    out
}
