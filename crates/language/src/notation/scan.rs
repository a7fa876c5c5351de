//! Words, numbers and signs of a program in C, Python, MATLAB, Fortran or Julia, line by line.

use super::token::Token;
use crate::diagnostic::{Diagnostic, Span};

/// The languages whose programs are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    C,
    Python,
    /// MATLAB, Fortran and Julia, which share their loops.
    Matrix,
}

/// What stands on a line, with the lines that its open brackets join to it.
#[derive(Debug, Default)]
pub(super) struct SourceLine {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Token>,
}

impl SourceLine {
    /// Characters before its first word.
    pub(super) fn column(&self) -> usize {
        self.tokens.first().map_or(0, |it| it.column)
    }
}

/// Signs of more than one character, longer ones first.
const SIGNS: [&str; 56] = [
    "%/%", "<<=", ">>=", "**=", "//=", ">>>", "...", "!==", "===", "%%", "<=", ">=", "==", "!=",
    "~=", "/=", "&&", "||", "<<", ">>", "++", "--", "+=", "-=", "*=", "%=", "&=", "|=", "^=", "->",
    "**", "//", ".*", "./", ".^", ".+", ".-", ".=", "::", ":=", "=>", "÷=", "<-", "≤", "≥", "≠",
    "÷", "∈", "⊻", "∞", "π", "..", "√", "·", "×", "−",
];
const C_SIGNS_NOT: [&str; 9] = ["~=", "//", "**", ".*", "./", "<-", ".+", ".-", ".="];

/// What begins a comment that goes on to the end of the line.
fn begins_comment(dialect: Dialect, rest: &str, is_first: bool) -> bool {
    match dialect {
        Dialect::C => rest.starts_with("//"),
        Dialect::Python => rest.starts_with('#'),
        Dialect::Matrix => {
            rest.starts_with('#') && !rest.starts_with("#pragma")
                || rest.starts_with('%')
                || rest.starts_with('!') && !rest.starts_with("!=")
                || rest.starts_with("//") && is_first
        }
    }
}

/// The lines of a program. Linear in its length.
///
/// # Errors
/// A character that no program has, a text in quotes.
pub(super) fn scan(text: &str, dialect: Dialect) -> Result<Vec<SourceLine>, Diagnostic> {
    let at = text.len() - text.trim_start_matches('\u{feff}').len();
    let is_julia = dialect == Dialect::Matrix && is_julia(text);
    let mut scan = Scan {
        text,
        dialect,
        is_julia,
        at,
        column: 0,
        brackets: 0,
        is_joined: false,
        blank: String::new(),
    };
    let (mut lines, mut line) = (vec![], SourceLine::default());
    while let Some(first) = scan.rest().chars().next() {
        if first == '&' && std::mem::take(&mut scan.is_joined) {
            // Fortran's line that goes on says so at both its ends.
            (scan.at, scan.column) = (scan.at + 1, scan.column + 1);
        } else if first == '\n' {
            scan.at += 1;
            scan.column = 0;
            // Fortran's fixed form says so on the line that goes on.
            let is_fixed = dialect == Dialect::Matrix && scan.rest().starts_with("     &");
            let is_joined = scan.continues(&mut line) || is_fixed;
            scan.is_joined |= is_joined && dialect == Dialect::Matrix;
            let goes_on = is_joined || scan.brackets > 0 && dialect != Dialect::C;
            if !goes_on {
                lines.push(std::mem::take(&mut line));
                scan.blank.clear();
            }
        } else if first == '\t' {
            scan.column += 8 - scan.column % 8;
            scan.blank.push(' ');
            scan.at += 1;
        } else if first.is_whitespace() {
            scan.column += 1;
            scan.blank.push(' ');
            scan.at += first.len_utf8();
        } else {
            scan.is_joined = false;
            scan.token(&mut line)?;
        }
    }
    lines.push(line);
    Ok(lines)
}

/// Whether a text of that dialect is Julia's.
fn is_julia(text: &str) -> bool {
    let lines = || text.lines().map(str::trim);
    if super::r::is_r(text) {
        return true;
    }
    let is_matlab = lines().any(|it| it.starts_with('%') || it.ends_with(';') && it.contains('='));
    let head = |it: &str| it.starts_with("function ") && it.ends_with(')') && !it.contains('=');
    let is_own = |it: &str| {
        let over = it.starts_with("for ") && it.contains(" in ");
        head(it) || over || it.starts_with('#') || it.contains(" += ") || it.contains('÷')
    };
    !is_matlab && lines().any(is_own)
}

struct Scan<'a> {
    text: &'a str,
    dialect: Dialect,
    /// `%` divides, where it stands between operands.
    is_julia: bool,
    at: usize,
    column: usize,
    brackets: usize,
    /// Whether the line before goes on here.
    is_joined: bool,
    blank: String,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Whether a sign at the end of a line says that it goes on.
    fn continues(&self, line: &mut SourceLine) -> bool {
        let sign = match self.dialect {
            Dialect::C | Dialect::Python => &["\\"][..],
            Dialect::Matrix => &["...", "&"],
        };
        let goes_on = line.tokens.last().is_some_and(|it| sign.contains(&it.text.as_str()));
        if goes_on {
            line.tokens.pop();
        }
        goes_on
    }

    fn take(&mut self, length: usize) -> Token {
        let text = self.rest()[..length].to_owned();
        let span = Span::new(self.at, self.at + length);
        let column = self.column;
        self.column += text.chars().count();
        self.at += length;
        Token { text, blank: std::mem::take(&mut self.blank), span, column }
    }

    /// Whether `%` is Julia's remainder here, and no comment of MATLAB.
    fn divides(&self, behind: &str, line: &SourceLine) -> Result<bool, Diagnostic> {
        let behind = behind.trim();
        let is_word = |it: &str| {
            !it.is_empty() && it.chars().all(|it| it.is_alphanumeric() || "_()[]".contains(it))
        };
        let assigns = line.tokens.iter().any(|it| it.is("="));
        let is_operand = line.tokens.last().is_some_and(Token::ends_operand);
        if self.dialect != Dialect::Matrix || !is_operand || self.is_julia {
            return Ok(self.is_julia && is_operand);
        }
        if assigns && is_word(behind) {
            let span = Span::new(self.at, self.at + 1);
            return Err(Diagnostic::new(
                span,
                "`%` begins a comment of MATLAB, or is Julia's remainder",
            )
            .help("write `rem(a, b)`; before a comment of MATLAB, a semicolon"));
        }
        Ok(false)
    }

    fn token(&mut self, line: &mut SourceLine) -> Result<(), Diagnostic> {
        let rest = self.rest();
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let divides = rest.starts_with('%') && self.divides(&rest[1..end], line)?;
        if !divides && begins_comment(self.dialect, rest, line.tokens.is_empty()) {
            let token = self.take(end);
            let words = token.text.trim_start_matches(['/', '#', '%', '!', ' ']).to_owned();
            line.comments.push(token.with(format!("// {words}")));
            return Ok(());
        }
        let block = [("/*", "*/"), ("\"\"\"", "\"\"\""), ("'''", "'''"), ("#=", "=#")];
        if let Some((open, close)) = block.iter().find(|it| rest.starts_with(it.0)) {
            let length = rest[open.len()..]
                .find(close)
                .map_or(rest.len(), |it| it + open.len() + close.len());
            let comment = self.take(length);
            let words =
                comment.text.lines().map(|it| it.trim().trim_matches(['/', '*', '"', '\'']).trim());
            let words = words.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ");
            line.comments.push(comment.with(format!("// {words}")));
            return Ok(());
        }
        let first = rest.chars().next().unwrap_or(' ');
        let is_part = |it: char| it.is_alphanumeric() || it == '_';
        let length = if first.is_ascii_digit() {
            number(rest)
        } else if first.is_alphabetic() || first == '_' || first == '@' {
            let end = rest[first.len_utf8()..].find(|it| !is_part(it));
            let length = end.map_or(rest.len(), |it| it + first.len_utf8()).max(1);
            // Julia's functions that change an argument.
            length + usize::from(self.is_julia && rest[length..].starts_with("!("))
        } else if let Some(dotted) = self.dotted(rest) {
            dotted
        } else if first == '\'' && self.transposes(line) {
            1
        } else if matches!(first, '"' | '\'') {
            return self.quoted(first, end, line);
        } else {
            let known = |it: &&&str| self.dialect != Dialect::C || !C_SIGNS_NOT.contains(*it);
            let sign = SIGNS.iter().filter(known).find(|it| rest.starts_with(**it));
            sign.map_or(first.len_utf8(), |it| it.len())
        };
        match first {
            '(' | '[' => self.brackets += 1,
            '{' if self.dialect == Dialect::Python => self.brackets += 1,
            ')' | ']' => self.brackets = self.brackets.saturating_sub(1),
            '}' if self.dialect == Dialect::Python => {
                self.brackets = self.brackets.saturating_sub(1)
            }
            _ => {}
        }
        let token = self.take(length);
        line.tokens.push(token);
        Ok(())
    }

    /// Whether a quote stands directly behind an operand of MATLAB, which it transposes.
    fn transposes(&self, line: &SourceLine) -> bool {
        let ends = line.tokens.last().is_some_and(|it| it.ends_operand() || it.is("'"));
        self.dialect == Dialect::Matrix && ends && self.blank.is_empty()
    }

    /// Fortran's `.and.`.
    fn dotted(&self, rest: &str) -> Option<usize> {
        let inside = rest.strip_prefix('.').filter(|_| self.dialect == Dialect::Matrix)?;
        let length = inside.find(|it: char| !it.is_ascii_alphabetic())?;
        (length > 1 && inside[length..].starts_with('.')).then_some(length + 2)
    }

    /// A text, which only what is printed has.
    fn quoted(&mut self, quote: char, end: usize, line: &mut SourceLine) -> Result<(), Diagnostic> {
        let rest = self.rest();
        match rest[1..end].find(quote) {
            Some(length) => {
                let token = self.take(length + 2);
                line.tokens.push(token);
                Ok(())
            }
            None => {
                let span = Span::new(self.at, self.at + 1);
                Err(Diagnostic::new(span, format!("`{quote}` has no meaning here"))
                    .help("a transpose is written by its indices, a text is no value"))
            }
        }
    }
}

/// The length of the number with which `text` begins; `1:n` and `1..n` begin with 1.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from..].iter().take_while(|it| it.is_ascii_digit() || **it == b'_').count()
    };
    if matches!(bytes, [b'0', b'x' | b'X' | b'b' | b'B' | b'o' | b'O', next, ..] if next.is_ascii_hexdigit())
    {
        return text.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(text.len());
    }
    let mut length = digits(0);
    let behind = bytes.get(length + 1).copied().unwrap_or(b' ');
    if bytes.get(length) == Some(&b'.')
        && !matches!(behind, b'.' | b'*' | b'/' | b'^')
        && !behind.is_ascii_alphabetic()
    {
        length += 1 + digits(length + 1);
    } else if bytes.get(length) == Some(&b'.') && matches!(behind, b'f' | b'F' | b'd' | b'e') {
        length += 1;
    }
    if matches!(bytes.get(length), Some(b'e' | b'E' | b'd' | b'D')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        length += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    let suffix = bytes[length..].iter().take_while(|it| b"fFuUlL".contains(it)).count();
    let ends =
        bytes.get(length + suffix).is_none_or(|it| !it.is_ascii_alphanumeric() && *it != b'_');
    if ends { length + suffix } else { length }
}

/// A number as the plain form has it.
pub(super) fn plain_number(text: &str) -> String {
    if text.starts_with("0x") || text.starts_with("0X") {
        return text.trim_end_matches(['u', 'U', 'l', 'L']).to_owned();
    }
    let digits = text.trim_end_matches(['f', 'F', 'u', 'U', 'l', 'L']).replace(['d', 'D'], "e");
    let digits = digits.strip_suffix('.').map_or(digits.clone(), |it| format!("{it}.0"));
    let digits = digits.replace(".e", ".0e");
    let is_float = text.ends_with(['f', 'F']) && !digits.contains(['.', 'e', 'E']);
    if is_float { format!("{digits}.0") } else { digits }
}
