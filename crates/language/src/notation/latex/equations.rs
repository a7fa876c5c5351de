//! Rows of `align` and its kin: code that is indented by `\quad`, or equations, each with the range of its
//! indices behind it. Equations have no order of their own: where the order of the rows, or of the indices, might
//! not be the one that they are computed in, they are refused.

use super::elements::{elements, folded_over};
use super::{Reader, Result, group};
use crate::diagnostic::{Diagnostic, Span};

const NAMES: [&str; 11] = [
    "aligned",
    "align*",
    "align",
    "split",
    "gathered",
    "gather*",
    "gather",
    "eqnarray*",
    "eqnarray",
    "equation*",
    "equation",
];

/// What begins a line of code.
const HEADS: [&str; 9] =
    ["for", "foreach", "while", "if", "else", "return", "repeat", "until", "procedure"];

/// The equations of a source that has no algorithm.
pub(super) fn find(source: &str) -> Option<Span> {
    let others = ["algorithm", "codebox", "pseudocode", "procedure", "function"];
    if others.iter().any(|it| source.contains(&format!("\\begin{{{it}"))) {
        return None;
    }
    let named = NAMES.iter().find_map(|name| {
        let begin = format!("\\begin{{{name}}}");
        let start = source.find(&begin)? + begin.len();
        let length = source[start..].find(&format!("\\end{{{name}}}"));
        Some(Span::new(start, length.map_or(source.len(), |it| start + it)))
    });
    named.or_else(|| {
        let start = source.find("\\[").filter(|it| !source[..*it].ends_with('\\'))? + 2;
        Some(Span::new(start, start + source[start..].find("\\]")?))
    })
}

/// What a sum or a product begins with, its sign, and the head of its loop.
type Fold = (&'static str, &'static str, String);

/// A row as an equation.
pub(super) struct Equation {
    place: Span,
    pub(super) target: String,
    value: String,
    /// Of a sum or a product.
    folded: Option<Fold>,
    pub(super) range: String,
    /// `=` rather than an arrow.
    is_equality: bool,
    /// Values with their conditions, of which none is that of all others.
    cases: Vec<(String, String)>,
}

impl Reader {
    pub(super) fn equations(&mut self, source: &str, part: Span) -> Result<()> {
        let rows: Vec<Span> = rows(source, part);
        // Cases are read with their equation.
        let has_cases = |it: &Span| source[it.start..it.end].contains("\\begin{cases}");
        let printed = rows.iter().map(|it| match has_cases(it) {
            true => Ok(String::new()),
            false => self.printed(&source[it.start..it.end]),
        });
        let printed = printed.collect::<Result<Vec<String>>>()?;
        let is_code =
            |it: &String| HEADS.contains(&it.split([' ', '(']).next().unwrap_or_default());
        if printed.iter().any(is_code) {
            for (place, text) in rows.iter().zip(printed) {
                self.depth = quads(&source[place.start..place.end]);
                self.row(&text, *place);
            }
            self.depth = 0;
            return Ok(());
        }
        let mut all = vec![];
        for place in rows {
            all.push(self.equation(&source[place.start..place.end], place)?);
        }
        if let Some(last) = all.last_mut().filter(|it| it.range.is_empty()) {
            last.range = self.range_behind(&source[part.end..])?;
        }
        self.boundaries(source, &all, part)?;
        if let Some(open) = all.iter().find(|it| !it.cases.is_empty() && it.range.is_empty()) {
            return Err(Diagnostic::new(open.place, "which values the indices take is not said")
                .help("write `\\quad 1 \\le i \\le n` behind the cases"));
        }
        for (at, equation) in all.iter().enumerate() {
            check(equation, &all[at + 1..])?;
        }
        let said = |it: &Equation| format!("{} {} ", it.range, folded_over(&it.value));
        let variables: String = all.iter().map(said).collect();
        for it in all {
            let value = elements(&it.value, &variables);
            let target = elements(&it.target, &variables);
            self.depth = 0;
            if !it.range.is_empty() {
                self.row(&it.range, it.place);
                self.depth = 1;
            }
            if !it.cases.is_empty() {
                for (nth, (value, condition)) in it.cases.iter().enumerate() {
                    let word = if nth == 0 { "if" } else { "else if" };
                    let condition = elements(condition, &variables);
                    self.row(&format!("{word} {condition} then"), it.place);
                    self.depth += 1;
                    self.row(&format!("{target} ← {}", elements(value, &variables)), it.place);
                    self.depth -= 1;
                }
                continue;
            }
            match it.folded {
                None => self.row(&format!("{target} ← {value}"), it.place),
                Some((neutral, sign, head)) => {
                    self.row(&format!("{target} ← {neutral}"), it.place);
                    self.row(&head, it.place);
                    self.depth += 1;
                    self.row(&format!("{target} ← {target} {sign} {value}"), it.place);
                }
            }
        }
        self.depth = 0;
        Ok(())
    }

    pub(super) fn row(&mut self, text: &str, place: Span) {
        self.end_line();
        self.push(text, place);
        self.end_line();
    }

    /// What a piece of the source prints, on one line.
    pub(super) fn printed(&self, source: &str) -> Result<String> {
        let mut reader = Self {
            out: super::Printed::default(),
            depth: 0,
            has_line: false,
            macros: self.macros.clone(),
            nesting: self.nesting,
            around: None,
        };
        reader.read(source, Span::new(0, source.len()))?;
        Ok(reader.out.text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn equation(&self, row: &str, place: Span) -> Result<Equation> {
        let wrong = |what: &str, help: &str| Err(Diagnostic::new(place, what).help(help));
        let signs = ["\\gets", "\\leftarrow", "\\coloneqq", "\\mathrel{:=}", ":=", "="];
        let found = signs.iter().filter_map(|sign| Some((row.find(sign)?, *sign))).min();
        let Some((at, sign)) =
            found.filter(|it| !self.printed(&row[..it.0]).is_ok_and(|it| it.is_empty()))
        else {
            return wrong(
                "a row that goes on with the one before it",
                "write each equation on one row",
            );
        };
        let rest = &row[at + sign.len()..];
        let ends =
            ["\\quad", "\\qquad", "&", "\\text", "\\mbox", "\\mathrm", "\\hspace", "\\forall"];
        let cases = rest.find("\\end{cases}").filter(|_| rest.contains("\\begin{cases}"));
        let from = cases.map_or(0, |it| it + "\\end{cases}".len());
        let end = ends.iter().filter_map(|it| Some(from + rest[from..].find(it)?)).min();
        let end = end.unwrap_or(rest.len());
        let (value, range) = (rest[..end].trim(), self.printed(&rest[end..])?);
        if range.contains("otherwise") || range.starts_with("if") {
            return wrong(
                "an equation with cases",
                "write an `if` in one of the packages for algorithms",
            );
        }
        if let Some(cases) = self.open_cases(value)? {
            return Ok(Equation {
                place,
                target: self.printed(&row[..at])?,
                value: cases.iter().map(|it| format!("{} {} ", it.0, it.1)).collect(),
                folded: None,
                range: head(&range),
                is_equality: sign == "=",
                cases,
            });
        }
        let (value, folded) = match self.folded(value)? {
            Some((value, folded)) => (value, Some(folded)),
            None => (value, None),
        };
        let outside = value.replace("\\begin{cases}", "");
        if outside.contains("\\int") || outside.contains("\\begin") {
            return wrong(
                "an integral, or the like, within an expression",
                "give it a row of its own",
            );
        }
        Ok(Equation {
            place,
            target: self.printed(&row[..at])?,
            value: self.printed(value)?.trim_end_matches([',', '.', ';', ' ']).to_owned(),
            folded,
            range: head(&range),
            is_equality: sign == "=",
            cases: vec![],
        })
    }

    /// Cases of which none is that of all others: where none holds, nothing is said.
    fn open_cases(&self, value: &str) -> Result<Option<Vec<(String, String)>>> {
        let inside =
            value.strip_prefix("\\begin{cases}").and_then(|it| it.split_once("\\end{cases}"));
        let Some((inside, _)) = inside.filter(|it| it.1.trim_matches([',', '.', ' ']).is_empty())
        else {
            return Ok(None);
        };
        let rows = super::cases::rows(inside);
        if rows.iter().any(|it| it.1.is_empty() || super::cases::is_otherwise(it.1)) {
            return Ok(None);
        }
        let printed = |it: &(&str, &str)| Ok((self.printed(it.0)?, self.printed(it.1)?));
        rows.iter().map(printed).collect::<Result<Vec<_>>>().map(Some)
    }

    /// `\sum_{k=1}^{n} x_k`: what is added, and the loop.
    fn folded<'a>(&self, value: &'a str) -> Result<Option<(&'a str, Fold)>> {
        let kinds = [("\\sum", "0", "+"), ("\\prod", "1", "×")];
        let kind = kinds.iter().find_map(|it| Some((value.strip_prefix(it.0)?, it.1, it.2)));
        let Some((rest, neutral, sign)) = kind else { return Ok(None) };
        let rest = rest.trim_start_matches("\\limits").trim_start();
        let script = |rest: &'a str, mark: char| -> Option<(&'a str, &'a str)> {
            let behind = rest.strip_prefix(mark)?;
            let length = match behind.starts_with('{') {
                true => group(behind, 0, behind.len()),
                false => behind.chars().next()?.len_utf8(),
            };
            Some((behind[..length].trim_matches(['{', '}']), behind[length..].trim_start()))
        };
        let Some((from, rest)) = script(rest, '_') else { return Ok(None) };
        let from = self.printed(from)?;
        let (head, rest) = match script(rest, '^') {
            Some((to, rest)) => (format!("for {from} to {} do", self.printed(to)?), rest),
            None => (format!("for {from} do"), rest),
        };
        // Whether what is added behind belongs to each of the terms is open.
        let mut depth = 0_i32;
        for (at, letter) in rest.char_indices() {
            depth += i32::from("({[".contains(letter)) - i32::from(")}]".contains(letter));
            if depth == 0 && at > 0 && "+-".contains(letter) {
                return Ok(None);
            }
        }
        Ok(Some((rest, (neutral, sign, head))))
    }
}

/// The head of the loop that a range stands for.
pub(super) fn head(range: &str) -> String {
    let mut text = range.trim_matches([' ', ',', '.', ';']);
    let is_parallel = text.ends_with("in parallel");
    text = text.trim_end_matches("in parallel").trim_matches([' ', ',']);
    if text.starts_with('(') && text.ends_with(')') {
        text = &text[1..text.len() - 1];
    }
    for word in ["for", "all", "each", "every", "where", "with"] {
        text =
            text.strip_prefix(word).filter(|it| it.starts_with(' ')).unwrap_or(text).trim_start();
    }
    match (text, is_parallel) {
        ("", _) => String::new(),
        (text, true) => format!("for {text} do in parallel"),
        (text, false) => format!("for {text} do"),
    }
}

/// The rows of a part, without what is empty.
fn rows(source: &str, part: Span) -> Vec<Span> {
    let text = &source[part.start..part.end];
    let (mut found, mut start, mut depth) = (vec![], 0, 0_i32);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            // Its rows are of one equation.
            b'\\' if text[at..].starts_with("\\begin{cases}") => {
                at += text[at..].find("\\end{cases}").unwrap_or(0) + "\\begin{cases".len();
            }
            b'%' => at += text[at..].find('\n').unwrap_or(text.len() - at - 1),
            b'\\' if bytes.get(at + 1) == Some(&b'\\') && depth <= 0 => {
                found.push(start..at);
                start = at + 2;
                if text[start..].starts_with('[') {
                    start += text[start..].find(']').map_or(0, |it| it + 1);
                }
                at = start;
                continue;
            }
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    found.push(start.min(text.len())..text.len());
    let empty = [' ', '\n', '\t', '\r', '&'];
    let shown = found.into_iter().filter_map(|it| {
        let row = &text[it.clone()];
        let from = it.start + row.len() - row.trim_start_matches(empty).len();
        let is_shown = !row.trim_matches(empty).is_empty();
        is_shown.then(|| Span::new(part.start + from, part.start + it.end))
    });
    shown.collect()
}

/// How deep `\quad` and `\qquad` indent a row.
fn quads(row: &str) -> usize {
    let (mut rest, mut depth) = (row, 0);
    loop {
        rest = rest.trim_start_matches([' ', '&', '\n', '\t']);
        let (behind, by) = match (rest.strip_prefix("\\qquad"), rest.strip_prefix("\\quad")) {
            (Some(behind), _) => (behind, 2),
            (_, Some(behind)) => (behind, 1),
            _ => return depth,
        };
        (rest, depth) = (behind, depth + by);
    }
}

/// The scripts of each name in a text: `x_{i-1}` has `i-1`, and so has `x[i-1]`.
fn scripts(text: &str) -> Vec<(&str, &str)> {
    let mut found = vec![];
    for (at, sign) in text.match_indices(['_', '[']) {
        let name = text[..at]
            .rfind(|it: char| !it.is_alphanumeric())
            .map_or(0, |it| it + text[it..].chars().next().map_or(1, char::len_utf8));
        let behind = &text[at + 1..];
        let script = match behind.strip_prefix('{') {
            Some(inside) => inside.split('}').next().unwrap_or_default(),
            None if sign == "[" => behind.split(']').next().unwrap_or_default(),
            None => &behind[..behind.chars().next().map_or(0, char::len_utf8)],
        };
        if name < at && !script.is_empty() {
            found.push((&text[name..at], script));
        }
    }
    found
}

/// Refuses what is not computed in the order of the rows and indices.
fn check(it: &Equation, below: &[Equation]) -> Result<()> {
    let name_of = |it: &Equation| it.target.split(['_', ' ', '[']).next().unwrap_or("").to_owned();
    let own = name_of(it);
    let mut names = it.value.split(|it: char| !it.is_alphanumeric());
    if !it.is_equality {
        return Ok(());
    }
    if let Some(later) =
        names.find(|name| **name != own && below.iter().any(|it| name_of(it) == *name))
    {
        let text = format!("`{later}` is used here, and defined further down");
        return Err(Diagnostic::new(it.place, text)
            .help("put the rows in the order in which they are computed, or write `\\gets`"));
    }
    let Some((_, script)) = scripts(&it.target).first().copied() else { return Ok(()) };
    let parts = |script: &str| -> Vec<String> {
        script.split(',').map(|it| it.split_whitespace().collect()).collect()
    };
    let is_before = |to: &str, of: &str| {
        let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        of.strip_prefix(to).is_some_and(|back| {
            back.is_empty() || back.strip_prefix(['-', '−']).is_some_and(is_number)
        })
    };
    let target = parts(script);
    let is_ordered = |of: &str| {
        let of = parts(of);
        of.len() == target.len() && target.iter().zip(&of).all(|(to, of)| is_before(to, of))
    };
    let mut own_scripts = scripts(&it.value).into_iter().filter(|of| of.0 == own);
    let open =
        own_scripts.find(|of| it.folded.is_some() || !it.range.is_empty() && !is_ordered(of.1));
    match open {
        None => Ok(()),
        Some((_, of)) => {
            let text = format!("`{own}` is defined by `{own}_{{{of}}}`: in which order is open");
            Err(Diagnostic::new(it.place, text)
                .help("write the loop that computes it, in one of the packages for algorithms"))
        }
    }
}
