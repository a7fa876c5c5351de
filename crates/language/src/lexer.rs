//! Text to tokens. Indentation becomes `Indent` and `Dedent`; inside brackets a line may be broken.

use super::syntax::{Role, Type};
use crate::diagnostic::{Diagnostic, Span};

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Integer(u64),
    Float(f64),
    Name(String),
    Word(Word),
    Role(Role),
    Type(Type),
    Symbol(Symbol),
    /// What follows `reference` on its line.
    Text(String),
    Newline,
    Indent,
    Dedent,
    End,
}

macro_rules! words {
    ($(#[$doc:meta])* $type:ident { $($name:ident = $($text:literal)|+),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $type { $($name),* }

        impl $type {
            /// Every spelling, the first of each being the usual one.
            const SPELLINGS: &'static [(&'static str, Self)] = &[$($(($text, Self::$name)),+),*];

            pub fn text(self) -> &'static str {
                Self::SPELLINGS.iter().find(|(_, it)| *it == self).map_or("", |(text, _)| text)
            }
        }
    };
}

words! {
    /// Reserved words.
    Word {
        Algorithm = "algorithm", Function = "function", Answer = "answer",
        For = "for", To = "to", Downto = "downto", Step = "step", Do = "do", In = "in",
        Parallel = "parallel", While = "while", If = "if", Then = "then", Else = "else",
        And = "and", Or = "or", Not = "not", Mod = "mod", Xor = "xor",
        Min = "min", Max = "max", Abs = "abs", Sqrt = "sqrt",
        True = "true", False = "false", Infinity = "inf",
    }
}

words! {
    /// Punctuation; where one spelling begins another, the longer is meant.
    Symbol {
        Arrow = "←" | "<-" | ":=" | "⟵",
        ShiftLeft = "<<", ShiftRight = ">>",
        LessEqual = "≤" | "<=", GreaterEqual = "≥" | ">=", NotEqual = "≠" | "!=" | "<>",
        Equal = "=" | "==", Less = "<", Greater = ">",
        Plus = "+", Minus = "-" | "−", Times = "×" | "*" | "·", Divide = "/", Percent = "%",
        And = "∧", Or = "∨", Not = "¬",
        Power = "^", Pi = "π", LogTwo = "log₂",
        Swap = "↔" | "<->", Yields = "→" | "->", Range = "..",
        OpenFloor = "⌊", CloseFloor = "⌋", OpenCeiling = "⌈", CloseCeiling = "⌉",
        BitAnd = "&", BitOr = "|", BitNot = "~", Infinity = "∞",
        Open = "(", Close = ")", OpenIndex = "[", CloseIndex = "]", Comma = ",", Colon = ":",
        OpenRecord = "{", CloseRecord = "}", Dot = ".",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Spanned {
    pub token: Token,
    pub span: Span,
}

/// Splits `text` into tokens, ending in [`Token::End`]; linear in its length.
///
/// # Errors
/// A character or number that no listing contains, a tab in the indentation, an indentation that
/// fits no block.
pub fn tokens(text: &str) -> Result<Vec<Spanned>, Diagnostic> {
    let mut lexer =
        Lexer { text, at: 0, indents: vec![0], brackets: 0, goes_on: false, tokens: Vec::new() };
    lexer.at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while lexer.at < text.len() {
        lexer.line()?;
    }
    let end = Span::new(text.len(), text.len());
    while lexer.indents.pop().is_some_and(|indent| indent > 0) {
        lexer.tokens.push(Spanned { token: Token::Dedent, span: end });
    }
    lexer.tokens.push(Spanned { token: Token::End, span: end });
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    indents: Vec<usize>,
    brackets: usize,
    /// Behind a comma a line goes on in the next.
    goes_on: bool,
    tokens: Vec<Spanned>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, token: Token, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.tokens.push(Spanned { token, span });
        self.at += length;
    }

    /// One line, up to and with its line end.
    fn line(&mut self) -> Result<(), Diagnostic> {
        let indent = self.rest().len() - self.rest().trim_start_matches(' ').len();
        self.at += indent;
        if self.rest().starts_with('\t') && !self.line_is_blank() {
            return Err(Diagnostic::new(
                Span::new(self.at, self.at + 1),
                "a tab in the indentation",
            )
            .help("indent with spaces"));
        }
        if self.brackets == 0 && !self.goes_on && !self.line_is_blank() {
            self.indentation(indent)?;
        }
        let first = self.tokens.len();
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
            self.at += blank;
            let rest = self.rest();
            if rest.is_empty() || rest.starts_with(['\n', '#']) || rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
                let comma = Token::Symbol(Symbol::Comma);
                self.goes_on = self.tokens.last().is_some_and(|last| last.token == comma);
                if self.brackets == 0 && !self.goes_on && self.tokens.len() > first {
                    self.push(Token::Newline, 0);
                }
                self.at = (self.at + 1).min(self.text.len());
                return Ok(());
            }
            self.token()?;
        }
    }

    fn line_is_blank(&self) -> bool {
        let line = self.rest().lines().next().unwrap_or("").trim();
        line.is_empty() || line.starts_with('#') || line.starts_with("//")
    }

    fn indentation(&mut self, indent: usize) -> Result<(), Diagnostic> {
        let innermost = *self.indents.last().unwrap_or(&0);
        if indent > innermost {
            self.indents.push(indent);
            self.push(Token::Indent, 0);
        }
        while self.indents.last().is_some_and(|&open| open > indent) {
            self.indents.pop();
            self.push(Token::Dedent, 0);
        }
        if self.indents.last() != Some(&indent) {
            return Err(Diagnostic::new(
                Span::new(self.at - indent, self.at),
                "this indentation fits no block above",
            )
            .help("indent the lines of one block alike"));
        }
        Ok(())
    }

    fn token(&mut self) -> Result<(), Diagnostic> {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or(' ');
        if first.is_ascii_digit() {
            return self.number();
        }
        let is_symbol = rest.starts_with(Symbol::LogTwo.text());
        if (first.is_ascii_alphabetic() || first == '_') && !is_symbol {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
            let length = name.len();
            if name == "reference" {
                self.reference();
                return Ok(());
            }
            let token = word(name);
            self.push(token, length);
            return Ok(());
        }
        let spelled = Symbol::SPELLINGS
            .iter()
            .filter(|(text, symbol)| rest.starts_with(text) && self.may_stand(*symbol));
        let symbol = spelled.max_by_key(|(text, _)| text.len());
        let Some(&(text, symbol)) = symbol else {
            let span = Span::new(self.at, self.at + first.len_utf8());
            let error = Diagnostic::new(span, format!("unexpected character `{first}`"));
            return Err(match first {
                ';' => error.help("write one statement a line"),
                '{' | '}' => error.help("indentation makes blocks; `{…}` on one line is a comment"),
                '²' | '³' => error.help("write the power: `x^2`"),
                _ if first.is_alphanumeric() || first == '\'' => {
                    error.help("names are made of ASCII letters, digits and _")
                }
                _ => error,
            });
        };
        match symbol {
            Symbol::Open | Symbol::OpenIndex | Symbol::OpenRecord => self.brackets += 1,
            Symbol::Close | Symbol::CloseIndex | Symbol::CloseRecord => {
                self.brackets = self.brackets.saturating_sub(1);
            }
            _ => {}
        }
        self.push(Token::Symbol(symbol), text.len());
        Ok(())
    }

    /// Braces stand behind the colon of a declaration alone, and a point behind indices.
    fn may_stand(&self, symbol: Symbol) -> bool {
        let is_last =
            |it: Symbol| self.tokens.last().is_some_and(|last| last.token == Token::Symbol(it));
        match symbol {
            Symbol::OpenRecord => is_last(Symbol::Colon),
            Symbol::CloseRecord => self.brackets > 0,
            Symbol::Dot => is_last(Symbol::CloseIndex),
            _ => true,
        }
    }

    /// The word `reference`, with the array of `reference.b`, or with the file behind it on a line that
    /// begins with it.
    fn reference(&mut self) {
        let length = "reference".len();
        let is_first =
            self.text[..self.at].rsplit('\n').next().is_some_and(|it| it.trim().is_empty());
        let rest = &self.rest()[length..];
        if let Some(array) = rest.strip_prefix('.') {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = array.find(|c| !is_part(c)).unwrap_or(array.len());
            let length = length + 1 + end;
            let name = self.rest()[..length].to_owned();
            return self.push(Token::Name(name), length);
        }
        let line = rest.lines().next().unwrap_or("");
        let end = ["//", "#"].iter().filter_map(|it| line.find(it)).min().unwrap_or(line.len());
        let file = line[..end].trim().to_owned();
        let begins = |it: char| it.is_alphanumeric() || "./_~".contains(it);
        let names_file = is_first && rest.starts_with(' ') && file.starts_with(begins);
        self.push(Token::Name("reference".to_owned()), length);
        if names_file {
            self.at += self.rest().len() - self.rest().trim_start_matches(' ').len();
            let length = file.len();
            self.push(Token::Text(file), length);
        }
    }

    fn number(&mut self) -> Result<(), Diagnostic> {
        if let Some((radix, kind)) = radix(self.rest()) {
            return self.integer(2, radix, kind);
        }
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut length = digits(0);
        if bytes.get(length) == Some(&b'_') {
            return self.integer(0, 10, "decimal");
        }
        let mut is_float = false;
        if bytes.get(length) == Some(&b'.') && digits(length + 1) > 0 {
            length += 1 + digits(length + 1);
            is_float = true;
        }
        if matches!(bytes.get(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
            let exponent = digits(length + 1 + sign);
            if exponent > 0 {
                length += 1 + sign + exponent;
                is_float = true;
            }
        }
        let span = Span::new(self.at, self.at + length);
        let text = &self.rest()[..length];
        let token = if is_float {
            text.parse().ok().filter(|value: &f64| value.is_finite()).map(Token::Float)
        } else {
            text.parse().ok().map(Token::Integer)
        };
        let glued = self.rest()[length..].starts_with(|c: char| c.is_alphabetic() || c == '_');
        match token {
            Some(token) if !glued => {
                self.push(token, length);
                Ok(())
            }
            Some(_) => Err(self.glued(span)),
            None => Err(Diagnostic::new(span, "this number is too large")
                .help("integers go up to 18446744073709551615; write +∞ or inf for infinity")),
        }
    }
}

impl Lexer<'_> {
    /// Digits behind a prefix, in groups with `_` between them.
    fn integer(&mut self, prefix: usize, radix: u32, kind: &str) -> Result<(), Diagnostic> {
        let all = self.letters();
        let span = Span::new(self.at, self.at + all.len());
        let digits = &all[prefix..];
        let is_number = digits
            .split('_')
            .all(|group| !group.is_empty() && group.chars().all(|it| it.is_digit(radix)));
        if !is_number {
            let message = format!("`{all}` is no {kind} number");
            let help = "digits may stand in groups with one `_` between them, as in `0xFFFF_0000`";
            return Err(Diagnostic::new(span, message).help(help));
        }
        match u64::from_str_radix(&digits.replace('_', ""), radix) {
            Ok(value) => {
                self.push(Token::Integer(value), span.end - span.start);
                Ok(())
            }
            Err(_) => Err(Diagnostic::new(span, "this number is too large")
                .help("integers have up to 64 bits")),
        }
    }

    /// Letters, digits and `_` from here on.
    fn letters(&self) -> &str {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let rest = self.rest();
        &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]
    }

    /// Letters directly behind the number at `span`.
    fn glued(&self, span: Span) -> Diagnostic {
        let all = self.letters();
        let whole = Span::new(self.at, self.at + all.len());
        if let Some(digits) = all.strip_suffix(['f', 'F', 'u', 'U', 'l', 'L'])
            && digits.bytes().all(|it| it.is_ascii_digit())
        {
            return Diagnostic::new(whole, "a number has no type of its own").help(format!(
                "write {digits}: it takes the type of what it meets; or convert it, as in `f32({digits})`"
            ));
        }
        Diagnostic::new(span, "a name cannot begin with a digit")
            .help("write the product `2 × n` with its sign")
    }
}

/// What a number is written in, if its prefix says so.
fn radix(text: &str) -> Option<(u32, &'static str)> {
    match text.get(..2)? {
        "0x" | "0X" => Some((16, "hexadecimal")),
        "0b" | "0B" => Some((2, "binary")),
        "0o" | "0O" => Some((8, "octal")),
        _ => None,
    }
}

fn word(name: &str) -> Token {
    let role = Role::ALL.into_iter().find(|role| role.word() == name).map(Token::Role);
    let element = Type::ALL.into_iter().find(|it| it.word() == name && it.is_reserved());
    let element = element.map(Token::Type);
    let reserved = Word::SPELLINGS.iter().find(|(text, _)| *text == name);
    role.or(element)
        .or_else(|| reserved.map(|&(_, word)| Token::Word(word)))
        .unwrap_or_else(|| Token::Name(name.to_owned()))
}

impl Token {
    /// The type that stands here. The words of narrow types are not reserved.
    pub fn element(&self) -> Option<Type> {
        match self {
            Self::Type(element) => Some(*element),
            Self::Name(name) => Type::ALL.into_iter().find(|it| it.word() == name),
            _ => None,
        }
    }

    /// The token as a message names it.
    pub fn describe(&self) -> String {
        match self {
            Self::Integer(value) => format!("`{value}`"),
            Self::Float(value) => format!("`{value:?}`"),
            Self::Name(name) => format!("`{name}`"),
            Self::Word(word) => format!("`{}`", word.text()),
            Self::Role(role) => format!("`{}`", role.word()),
            Self::Type(element) => format!("`{}`", element.word()),
            Self::Symbol(symbol) => format!("`{}`", symbol.text()),
            Self::Text(text) => format!("`{text}`"),
            Self::Newline => "the end of the line".to_owned(),
            Self::Indent => "an indented line".to_owned(),
            Self::Dedent => "the end of the block".to_owned(),
            Self::End => "the end of the listing".to_owned(),
        }
    }
}
