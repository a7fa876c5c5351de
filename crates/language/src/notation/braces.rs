//! JavaScript, Rust, Go, Kotlin and Swift: their statements in C's words, for C's reader.

mod arms;
mod calls;
mod head;
mod patterns;
mod statement;

pub(super) use self::patterns::of_c;
use super::output::Output;
use super::scan::SourceLine;
use super::selection;
use super::token::{Token, closing, position, split};
use crate::diagnostic::Diagnostic;

/// A language with C's blocks and words of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Script,
    Rust,
    Go,
    Kotlin,
    Swift,
}

struct Translator {
    kind: Kind,
    tokens: Vec<Token>,
    at: usize,
    out: Vec<Token>,
    made: usize,
}

/// Which of the languages a program is in, if in one of them.
pub(super) fn kind(lines: &[SourceLine]) -> Option<Kind> {
    let has = |words: &[&str]| {
        lines.iter().any(|line| {
            line.tokens
                .windows(words.len())
                .any(|it| it.iter().zip(words).all(|(it, of)| it.is(of)))
        })
    };
    let begins =
        |word: &str| lines.iter().any(|it| it.tokens.first().is_some_and(|it| it.is(word)));
    let is_naked = |line: &SourceLine| {
        line.tokens.first().is_some_and(|it| it.is("for"))
            && !line.tokens.get(1).is_some_and(|it| it.is("("))
    };
    Some(match () {
        () if has(&["let", "mut"]) || begins("fn") || has(&["pub", "fn"]) => Kind::Rust,
        () if begins("fun") || begins("val") || has(&["until"]) || has(&["downTo"]) => Kind::Kotlin,
        () if has(&["..", "<"]) || has(&["stride", "("]) || begins("func") && (has(&["->"]) || has(&["inout"])) => Kind::Swift,
        () if begins("func") || has(&[":="]) => Kind::Go,
        () if begins("let") && lines.iter().any(is_naked) => Kind::Rust,
        () if begins("function") || begins("let") || has(&["==="]) || has(&["(", "let"]) => Kind::Script,
        () if lines.iter().any(|it| matches!(&it.tokens[..], [word, name, sign, ..] if word.is("const") && name.is_name() && sign.is("="))) => Kind::Script,
        () if lines.iter().any(is_naked) && has(&[".."]) => Kind::Rust,
        () => return None,
    })
}

/// The program in C's words.
///
/// # Errors
/// A `switch` that is none of branches.
pub(super) fn in_c(
    lines: Vec<SourceLine>,
    kind: Kind,
    out: &mut Output,
) -> Result<Vec<Token>, Diagnostic> {
    let tokens = with_semicolons(lines, kind);
    let mut tokens = without_generics(tokens);
    patterns::of_kind(&mut tokens, kind, out);
    let tokens = arms::without_arms(tokens, kind);
    let tokens = selection::without_switches(tokens, kind == Kind::Go, out)?;
    let mut translator = Translator { kind, tokens, at: 0, out: vec![], made: 0 };
    translator.prepare();
    while translator.at < translator.tokens.len() {
        translator.step();
    }
    Ok(hoisted(translator.out))
}

/// `fn f<T: Ord + Copy>(a: &mut [T]) where …`, `func f[T any](…)`: elements of any type are integers.
fn without_generics(mut tokens: Vec<Token>) -> Vec<Token> {
    let heads = ["fn", "func", "fun", "function"];
    for at in (2..tokens.len()).rev() {
        let is_head =
            tokens[at - 2].is_any(&heads) && tokens[at - 1].is_name() || tokens[at - 1].is("fun");
        let (open, close) = if tokens[at].is("<") { ("<", ">") } else { ("[", "]") };
        if !is_head || !tokens[at].is(open) {
            continue;
        }
        let Some(end) = tokens[at..].iter().position(|it| it.is(close)).map(|it| it + at) else {
            continue;
        };
        let names: Vec<String> = (at + 1..end)
            .filter(|&it| tokens[it].is_name() && tokens[it - 1].is_any(&[open, ","]))
            .map(|it| tokens[it].text.clone())
            .collect();
        let body = position(&tokens[end..], &["{"]).map_or(tokens.len(), |it| it + end);
        let last = closing(&tokens, body).unwrap_or(body).min(tokens.len());
        for token in &mut tokens[end..last] {
            if names.contains(&token.text) {
                token.text = "i64".to_owned();
            }
        }
        if let Some(bounds) = tokens[end..body].iter().position(|it| it.is("where")) {
            tokens.drain(end + bounds..body);
        }
        tokens.drain(at..=end);
    }
    tokens
}

/// Whether a name was made for what has none in the text.
pub(super) fn is_made(token: &Token) -> bool {
    ["at_", "bound_", "start_"].iter().any(|it| token.text.starts_with(it))
        && token.text.ends_with('_')
}

/// Whether a statement may begin behind a token.
fn begins_behind(token: Option<&Token>) -> bool {
    token.is_none_or(|it| it.is_any(&[";", "{", "}", "else"]))
}

/// All tokens, with a semicolon where a line ends a statement.
fn with_semicolons(lines: Vec<SourceLine>, kind: Kind) -> Vec<Token> {
    const LEFT_OUT: [&str; 5] = ["import", "package", "use", "#", "@"];
    const HEADS: [&str; 9] =
        ["for", "if", "while", "else", "func", "fn", "fun", "function", "struct"];
    let lines: Vec<Vec<Token>> = lines.into_iter().map(|it| it.tokens).collect();
    let lines: Vec<Vec<Token>> =
        lines.into_iter().filter(|it| !it.is_empty() && !it[0].is_any(&LEFT_OUT)).collect();
    let mut out: Vec<Token> = vec![];
    let mut open = 0_i32;
    for (at, line) in lines.iter().enumerate() {
        // Swift: `{ return false }`
        let line = &match (kind, line.iter().rposition(|it| it.is("}"))) {
            (Kind::Swift, Some(end))
                if end > 0 && line[end - 1].ends_operand() && !is_value(line) =>
            {
                let end_of = Token::glued(";", &line[end]);
                [&line[..end], &[end_of], &line[end..]].concat()
            }
            _ => line.clone(),
        };
        for token in line {
            open += i32::from(token.is_any(&["(", "["])) - i32::from(token.is_any(&[")", "]"]));
        }
        out.extend_from_slice(line);
        let last = &line[line.len() - 1];
        let next = lines.get(at + 1).and_then(|it| it.first());
        let ends = last.is_name() && !last.is("else") && !last.is("do")
            || last.is_number()
            || is_value(line)
            || last.is_any(&[")", "]", "++", "--"]);
        let goes_on = next.is_some_and(|it| {
            it.is_any(&["{", ".", "+", "-", "*", "/", "&&", "||", "?", ":", "=", ")", "]", ","])
        });
        let is_head = line[0].is_any(&HEADS) && last.is(")");
        if kind != Kind::Rust && open <= 0 && ends && !goes_on && !is_head {
            out.push(Token::glued(";", last));
        }
    }
    out
}

/// `x := []int{1, 2}`, `val d = Array(n) { IntArray(m) }`: braces around values.
fn is_value(line: &[Token]) -> bool {
    let at = position(line, &[":=", "="]);
    let count = |text: &str| line.iter().filter(|it| it.is(text)).count();
    let value = at.and_then(|at| line.get(at + 1));
    let is_array = value.is_some_and(|it| it.is("[") || it.text.ends_with("Array"));
    is_array && line.last().is_some_and(|it| it.is("}")) && count("{") == count("}")
}

/// Functions inside others stand before them.
fn hoisted(tokens: Vec<Token>) -> Vec<Token> {
    let mut tokens = tokens;
    for _ in 0..100 {
        let mut depth = 0_usize;
        let (mut outer, mut found) = (0, None);
        for at in 0..tokens.len() {
            let is_head = tokens[at].is("auto")
                && begins_behind(at.checked_sub(1).map(|it| &tokens[it]))
                && tokens.get(at + 2).is_some_and(|it| it.is("("));
            if is_head && depth == 0 {
                outer = at;
            } else if is_head {
                let close = closing(&tokens, at + 2);
                let body = close
                    .map(|it| it + 1)
                    .filter(|it| tokens.get(*it).is_some_and(|it| it.is("{")));
                found = body.and_then(|it| closing(&tokens, it)).map(|end| (at, end));
                break;
            }
            depth += usize::from(tokens[at].is("{"));
            depth = depth.saturating_sub(usize::from(tokens[at].is("}")));
        }
        let Some((from, end)) = found else { break };
        let inner: Vec<Token> = tokens.drain(from..=end).collect();
        tokens.splice(outer..outer, inner);
    }
    tokens
}

impl Translator {
    fn fresh(&mut self, like: &Token) -> Token {
        self.made += 1;
        like.with(format!("at_{}_", self.made))
    }

    /// Casts, references and other signs within expressions.
    fn prepare(&mut self) {
        self.folds();
        if self.kind == Kind::Rust {
            self.tokens.retain(|it| !it.is("mut"));
            let mut at = 0;
            while at < self.tokens.len() {
                let before = at.checked_sub(1).map(|it| &self.tokens[it]);
                let is_prefix =
                    before.is_none_or(|it| !it.ends_operand() || it.is_any(&["in", "return"]));
                if is_prefix && self.tokens[at].is_any(&["&", "*"]) {
                    self.tokens.remove(at);
                } else if self.tokens[at].is("as") {
                    self.cast(at);
                } else {
                    at += 1;
                }
            }
        }
        for at in 0..self.tokens.len() {
            let is_type = |it: &Token| it.is_any(&["i32", "i64", "usize", "u32", "u64", "isize"]);
            if let [of, colons, most, ..] = &self.tokens[at..]
                && (colons.is("::") && is_type(of) || of.is("Int") && colons.is("."))
                && let Some(value) = most_of(&of.text, &most.text)
            {
                let plain = of.with(value);
                self.tokens.splice(at..at + 3, [plain.clone(), plain.with(" "), plain.with(" ")]);
            }
        }
        self.tokens.retain(|it| !it.is(" "));
    }

    /// `x as f64`: the operand before it, in C's cast; to integers of what is no real number, nothing.
    fn cast(&mut self, at: usize) {
        let Some(to) = self.tokens.get(at + 1).cloned() else {
            return drop(self.tokens.remove(at));
        };
        let mut from = at;
        while from > 0 {
            let before = &self.tokens[from - 1];
            if before.is_any(&[")", "]"]) {
                let mut open = 0_usize;
                while from > 0 {
                    from -= 1;
                    open += usize::from(self.tokens[from].is_any(&[")", "]"]));
                    open -= usize::from(self.tokens[from].is_any(&["(", "["])).min(open);
                    if open == 0 {
                        break;
                    }
                }
                continue;
            }
            if from < at && !self.tokens[from].is_any(&["(", "[", "."]) && !before.is(".") {
                break;
            }
            if !before.is_name() && !before.is_number() && !before.is(".") || before.is("return") {
                break;
            }
            from -= 1;
        }
        let word = match to.text.as_str() {
            "f64" => "double",
            "f32" => "float",
            _ => "long",
        };
        let is_plain = !self.tokens[from..at].iter().any(|it| it.is_any(&["*", "/", "+", "."]));
        let is_real = |name: &Token| {
            self.tokens
                .windows(3)
                .any(|it| it[0].is(&name.text) && it[1].is(":") && it[2].text.starts_with('f'))
        };
        let stays = word == "long" && is_plain && !self.tokens[from..at].iter().any(is_real);
        let has_reals = self.tokens.iter().any(|it| it.is_any(&["f64", "f32"]));
        self.tokens.drain(at..at + 2);
        if !stays && (word != "long" || has_reals) {
            let made = ["(", word, ")"].map(|it| to.with(it));
            self.tokens.splice(from..from, made);
        }
    }

    fn peek(&self, behind: usize) -> Option<&Token> {
        self.tokens.get(self.at + behind)
    }

    /// One token, or one head of a statement.
    fn step(&mut self) {
        let token = self.tokens[self.at].clone();
        let begins = begins_behind(self.out.last()) || token.is("for");
        if begins && self.statement(&token) {
            return;
        }
        match token.text.as_str() {
            "if" if matches!(self.kind, Kind::Rust | Kind::Kotlin)
                && self.out.last().is_some_and(|it| it.is_any(&["=", "return", "("])) =>
            {
                if !self.choice(&token) {
                    self.at += 1;
                    self.out.push(token);
                }
            }
            _ => {
                self.at += 1;
                self.out.push(token);
            }
        }
    }

    /// Tokens up to a sign outside brackets, which is left.
    fn until(&self, signs: &[&str]) -> Option<Vec<Token>> {
        let rest = &self.tokens[self.at..];
        position(rest, signs).map(|end| rest[..end].to_vec())
    }

    /// `if c { x } else { y }` as a value.
    fn choice(&mut self, like: &Token) -> bool {
        let rest = &self.tokens[self.at + 1..];
        let (parts, length) = match self.kind {
            Kind::Rust => {
                let Some(open) = position(rest, &["{"]) else { return false };
                let Some(close) = closing(rest, open) else { return false };
                let [word, other, ..] = &rest[close + 1..] else { return false };
                let end = closing(rest, close + 2).filter(|_| word.is("else") && other.is("{"));
                let Some(end) = end else { return false };
                let parts = [&rest[..open], &rest[open + 1..close], &rest[close + 3..end]];
                (parts.map(<[Token]>::to_vec), end + 1)
            }
            _ => {
                let Some(close) = closing(rest, 0) else { return false };
                let Some(word) = position(rest, &["else"]) else { return false };
                let end = position(rest, &[";"]).unwrap_or(rest.len());
                if end < word {
                    return false;
                }
                let parts = [&rest[..=close], &rest[close + 1..word], &rest[word + 1..end]];
                (parts.map(<[Token]>::to_vec), end)
            }
        };
        if parts.iter().any(|it| it.iter().any(|it| it.is_any(&[";", "{", "if"]))) {
            return false;
        }
        let group = |it: &[Token]| [&[like.with("(")], it, &[like.with(")")]].concat();
        let [condition, then, other] = &parts;
        self.out.extend(group(condition));
        self.out.push(like.with("?"));
        self.out.extend(group(then));
        self.out.push(like.with(":"));
        self.out.extend(group(other));
        self.at += 1 + length;
        true
    }
}

/// The greatest and the least number of a type.
fn most_of(of: &str, which: &str) -> Option<&'static str> {
    Some(match (of, which) {
        ("i32", "MAX") => "2147483647",
        ("i64" | "isize", "MAX") | ("Int", "max") => "9223372036854775807",
        ("u32", "MAX") => "4294967295",
        ("Int", "MAX_VALUE") => "2147483647",
        _ => return None,
    })
}

/// The parts of a list in brackets.
fn parts(tokens: &[Token]) -> Vec<Vec<Token>> {
    let inner = match tokens {
        [open, inside @ .., _]
            if open.is_any(&["(", "["]) && closing(tokens, 0) == Some(tokens.len() - 1) =>
        {
            inside
        }
        all => all,
    };
    split(inner, &[","]).into_iter().map(<[Token]>::to_vec).collect()
}
