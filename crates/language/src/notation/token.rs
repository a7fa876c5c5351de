//! Words, numbers and signs of a listing as printed, line by line, each with its place.

use super::digits::number;
use super::names::{is_greek, is_of_record, is_reserved, spelled as letters_of};
use crate::diagnostic::Span;

/// A word, a number, a sign or a comment.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) text: String,
    /// What stands before it.
    pub(super) blank: String,
    /// In the listing as printed: of what it was made from.
    pub(super) span: Span,
    /// Characters before it on its line.
    pub(super) column: usize,
}

impl Token {
    /// With a blank before it, at the place of another.
    pub(super) fn made(text: impl Into<String>, like: &Self) -> Self {
        Self { text: text.into(), blank: " ".to_owned(), ..like.clone() }
    }

    /// The same without a blank before it.
    pub(super) fn glued(text: impl Into<String>, like: &Self) -> Self {
        Self { text: text.into(), blank: String::new(), ..like.clone() }
    }

    /// The same place and blank, another text.
    pub(super) fn with(&self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self.clone() }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// As the name of a variable, which is none of the words that the plain form keeps.
    pub(super) fn variable(&self) -> Self {
        let name = letters_of(&self.text);
        self.with(if is_reserved(&name) { name + "_" } else { name })
    }

    /// Whether it is this word, in small or capital letters.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is_word(word))
    }

    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
    }

    pub(super) fn is_number(&self) -> bool {
        self.text.starts_with(|it: char| it.is_ascii_digit())
    }

    /// Whether a value may end with it.
    pub(super) fn ends_operand(&self) -> bool {
        self.is_name() || self.is_number() || self.is_any(&[")", "]", "⌋", "⌉", "}", "∞"])
    }

    pub(super) fn opens(&self) -> bool {
        self.is_any(&["(", "[", "{", "⌊", "⌈"])
    }

    pub(super) fn closes(&self) -> bool {
        self.is_any(&[")", "]", "}", "⌋", "⌉"])
    }

    pub(super) fn assigns(&self) -> bool {
        self.is_any(&["←", "<-", ":=", "⟵", "=", "≔"])
    }
}

/// A line with those that its open brackets join to it.
#[derive(Debug, Default)]
pub(super) struct LogicalLine {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Token>,
}

/// Signs of more than one character.
const LONG: [&str; 27] = [
    "**", ". . .", "...", "..", "<->", "<-", ":=:", ":=", "<<", ">>", "<=", ">=", "!=", "<>", "==",
    "=/=", "~=", "&&", "||", "/*", "(*", "+=", "-=", "*=", "/=", "++", "--",
];
/// Letters that typesetters join, and what they are made of; hyphens that only a line's end shows.
const JOINED: [(&str, &str); 7] = [
    ("ﬀ", "ff"),
    ("ﬁ", "fi"),
    ("ﬂ", "fl"),
    ("ﬃ", "ffi"),
    ("ﬄ", "ffl"),
    ("\u{ad}", ""),
    ("\u{200b}", ""),
];
const PRIMES: [char; 4] = ['\'', '′', '’', '″'];
/// What begins a comment that goes on to the end of the line.
const TO_THE_END: [&str; 7] = ["//", "#", "▷", "⊳", "►", "▹", "▻"];
/// What a brace that makes a block is called: no bracket.
pub(super) const BRACES: [&str; 2] = ["{block", "}block"];
/// In bytes.
const LONGEST_COMMENT: usize = 4096;
pub(super) const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁱⁿʲᵏᵐ";
/// Between the first and the last of a range.
pub(super) const DOTS: [&str; 4] = ["..", "...", ". . .", "…"];
pub(super) const SUBSCRIPTS: &str = "₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙₘ";

/// The lines of a text; `None` where tabs leave open how far one is indented. Linear in its length.
pub(super) fn lines(text: &str) -> Option<Vec<LogicalLine>> {
    let at = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut scan = Scan {
        text,
        at,
        start: at,
        counted: (at, 0),
        tabs: 0,
        brackets: 0,
        blank: String::new(),
        line: LogicalLine::default(),
    };
    let mut lines = vec![];
    let has_blanks = text.lines().any(|it| it.starts_with(' ') && !it.trim().is_empty());
    while let Some(first) = scan.rest().chars().next() {
        match first {
            '\n' => {
                scan.at += 1;
                if scan.brackets > 0 {
                    scan.blank.push('\n');
                } else {
                    lines.push(std::mem::take(&mut scan.line));
                    scan.blank.clear();
                }
                scan.start = scan.at;
                scan.tabs = 0;
            }
            '\t' if text[scan.start..scan.at].trim().is_empty() => {
                // A tab stands for eight blanks, unless other lines are indented by blanks.
                if text[scan.start..scan.at].contains(' ') || has_blanks {
                    return None;
                }
                scan.tabs += 1;
                scan.at += 1;
            }
            _ if first.is_whitespace() => {
                scan.blank.push(' ');
                scan.at += first.len_utf8();
            }
            _ => scan.token(first, &mut lines),
        }
    }
    lines.push(scan.line);
    Some(lines)
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// Of the line.
    start: usize,
    /// A place on the line, and the characters before it.
    counted: (usize, usize),
    /// At the beginning of the line.
    tabs: usize,
    brackets: usize,
    blank: String,
    line: LogicalLine,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, length: usize) -> Token {
        let text = self.rest()[..length].to_owned();
        let span = Span::new(self.at, self.at + length);
        let (at, column) = self.counted;
        let at = at.max(self.start);
        let before = if at == self.start { 0 } else { column };
        let column = before + self.text[at..self.at].chars().count();
        self.counted = (self.at, column);
        self.at += length;
        let column = column + 7 * self.tabs;
        Token { text, blank: std::mem::take(&mut self.blank), span, column }
    }

    fn token(&mut self, first: char, lines: &mut Vec<LogicalLine>) {
        let rest = self.rest();
        if let Some(sign) = TO_THE_END.iter().find(|it| rest.starts_with(**it)) {
            let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let token = self.take(length);
            let is_plain = sign.is_ascii();
            let text = token.text[sign.len()..].trim();
            let token = if is_plain { token } else { token.with(format!("// {text}")) };
            return self.line.comments.push(token);
        }
        for (open, close) in [("/*", "*/"), ("(*", "*)"), ("⟨⟨", "⟩⟩"), ("⟪", "⟫"), ("{", "}")]
        {
            if rest.starts_with(open)
                && (open != "{" || self.brace_is_comment())
                && let Some(length) = self.find(open.len(), close)
            {
                return self.comment(open.len(), length, close.len(), lines);
            }
        }
        let while_in = |set: fn(char) -> bool| rest.find(|it| !set(it)).unwrap_or(rest.len());
        let length = if rest.starts_with("log₂") {
            "log₂".len()
        } else if first.is_ascii_digit() {
            number(rest)
        } else if is_letter(first) {
            let word = while_in(|it| is_letter(it) || it.is_ascii_digit());
            let behind = &rest[word..];
            let primes = behind.find(|it| !PRIMES.contains(&it)).unwrap_or(behind.len());
            // x′_i and x′_{i+1} are elements of x′.
            let index = behind[primes..].strip_prefix('_').filter(|_| primes > 0);
            let is_word = |it: char| it.is_ascii_alphanumeric();
            let index = index.map(|it| 1 + it.find(|it| !is_word(it)).unwrap_or(it.len()));
            word + primes + index.unwrap_or(0)
        } else if SUPERSCRIPTS.contains(first) {
            while_in(|it| SUPERSCRIPTS.contains(it))
        } else if SUBSCRIPTS.contains(first) {
            while_in(|it| SUBSCRIPTS.contains(it))
        } else {
            let long = LONG.iter().find(|it| rest.starts_with(**it));
            long.map_or(first.len_utf8(), |it| it.len())
        };
        if (first == '{' && self.opens_block()) || (first == '}' && self.brackets == 0) {
            let token = self.take(1);
            self.line.tokens.push(token.with(BRACES[usize::from(first == '}')]));
            return;
        }
        match first {
            '(' | '[' | '{' => self.brackets += 1,
            ')' | ']' | '}' => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        let token = self.take(length);
        let token = if is_letter(first) { spelled(token) } else { token };
        self.line.tokens.push(token);
    }

    /// How far it is to what closes a comment, which is looked for on so many bytes only.
    fn find(&self, from: usize, close: &str) -> Option<usize> {
        let rest = &self.rest().as_bytes()[from..];
        let near = &rest[..rest.len().min(LONGEST_COMMENT)];
        near.windows(close.len()).position(|it| it == close.as_bytes())
    }

    /// Braces around a set, around what `min` is taken of, or around what stands above or below the
    /// line, are none; nor are those of C.
    fn brace_is_comment(&self) -> bool {
        let of_set = ["∈", "in", "min", "max", "=", "←", ":=", "^", "∖", "∪", "≠"];
        let of_set = |it: &Token| it.is_any(&of_set) || it.text.ends_with('_');
        let tokens = &self.line.tokens;
        // `(i, j) ∈ {1, …, n} × {1, …, m}`
        let is_product =
            tokens.iter().any(|it| it.is("∈")) && tokens.last().is_some_and(|it| it.is("×"));
        let is_set = is_product || tokens.last().is_some_and(of_set);
        let words = self.line.tokens.iter().map(|it| it.text.as_str());
        !is_set && !self.opens_block() && !is_of_record(words)
    }

    /// Whether a line ends behind the brace here, or it stands around statements of one line, the last
    /// of which has its semicolon.
    fn opens_block(&self) -> bool {
        let line = self.rest().lines().next().unwrap_or_default();
        let inside = line[1..].split('}').next().filter(|it| it.len() + 1 < line.len());
        self.ends_line(1) || inside.is_some_and(|it| it.trim_end().ends_with(';'))
    }

    /// Whether the line ends behind so many bytes, but for a comment.
    fn ends_line(&self, behind: usize) -> bool {
        let rest = self.rest()[behind..].trim_start_matches([' ', '\t', '\r']);
        rest.is_empty()
            || rest.starts_with('\n')
            || TO_THE_END.iter().any(|it| rest.starts_with(it))
    }

    /// A comment of one or more lines.
    fn comment(&mut self, open: usize, length: usize, close: usize, lines: &mut Vec<LogicalLine>) {
        let blank = self.take(open).blank;
        self.blank = if blank.is_empty() { " ".to_owned() } else { blank };
        let end = self.at + length;
        while self.at < end {
            let left = &self.text[self.at..end];
            let token = self.take(left.find('\n').unwrap_or(left.len()));
            if !token.text.trim().is_empty() {
                let text = format!("// {}", token.text.trim());
                self.line.comments.push(token.with(text));
            }
            if self.at < end {
                self.at += 1;
                self.start = self.at;
                if self.brackets == 0 {
                    lines.push(std::mem::take(&mut self.line));
                }
            }
        }
        self.take(close);
        self.blank = " ".to_owned();
    }
}

fn is_letter(it: char) -> bool {
    let is_joined = || JOINED.iter().any(|(joined, _)| joined.starts_with(it));
    it.is_ascii_alphabetic() || it == '_' || !it.is_ascii() && (is_joined() || is_greek(it))
}

/// A word in letters that names are made of: x′ is `x_prime`.
fn spelled(mut token: Token) -> Token {
    if !token.text.is_ascii() {
        for (joined, letters) in JOINED {
            token.text = token.text.replace(joined, letters);
        }
    }
    let word = token.text.find(PRIMES).map_or(&*token.text, |at| &token.text[..at]);
    let letters = if word.contains(is_greek) { letters_of(word) } else { word.to_owned() };
    let index = token.text[word.len()..].trim_start_matches(PRIMES);
    let primes = token.text[word.len()..token.text.len() - index.len()].chars();
    let count: usize = primes.map(|it| if it == '″' { 2 } else { 1 }).sum();
    token.text = letters + &"_prime".repeat(count) + index;
    token
}

/// How deep in brackets each token lies; a bracket lies outside itself.
pub(super) fn depths(tokens: &[Token]) -> Vec<usize> {
    let mut depth = 0_usize;
    let of = |token: &Token| {
        depth = depth.saturating_sub(usize::from(token.closes()));
        let own = depth;
        depth += usize::from(token.opens());
        own
    };
    tokens.iter().map(of).collect()
}

/// The first token outside brackets that is one of these, in small or capital letters.
pub(super) fn position(tokens: &[Token], words: &[&str]) -> Option<usize> {
    let depths = depths(tokens);
    (0..tokens.len()).find(|&at| depths[at] == 0 && tokens[at].is_any(words))
}

/// The parts between commas outside brackets.
pub(super) fn split<'a>(tokens: &'a [Token], signs: &[&str]) -> Vec<&'a [Token]> {
    let depths = depths(tokens);
    let (mut parts, mut start) = (vec![], 0);
    for at in 0..tokens.len() {
        if depths[at] == 0 && tokens[at].is_any(signs) {
            parts.push(&tokens[start..at]);
            start = at + 1;
        }
    }
    parts.push(&tokens[start..]);
    parts
}

/// Where the bracket that opens at `at` closes.
pub(super) fn closing(tokens: &[Token], at: usize) -> Option<usize> {
    let mut open = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        open += usize::from(token.opens());
        if token.closes() {
            open = open.checked_sub(1)?;
            if open == 0 {
                return Some(index);
            }
        }
    }
    None
}

/// As a text, without a blank around it.
pub(super) fn text(tokens: &[Token]) -> String {
    let words = tokens.iter().map(|it| it.blank.clone() + &it.text);
    words.collect::<String>().trim().to_owned()
}

/// In brackets, with the blank of the first before them.
pub(super) fn bracketed(mut tokens: Vec<Token>) -> Vec<Token> {
    let (Some(first), Some(last)) = (tokens.first().cloned(), tokens.last().cloned()) else {
        return tokens;
    };
    tokens[0].blank.clear();
    tokens.insert(0, first.with("("));
    tokens.push(Token::glued(")", &last));
    tokens
}
