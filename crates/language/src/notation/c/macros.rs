//! What `#define` gives names to: texts, and texts with arguments.

use super::Result;
use crate::diagnostic::Diagnostic;
use crate::notation::token::{Token, closing, position, split};

/// A name, its arguments if it has brackets, and what it stands for.
pub(super) struct Macro {
    pub(super) name: String,
    pub(super) formals: Option<Vec<String>>,
    pub(super) text: Vec<Token>,
}

impl Macro {
    /// `#define MAX(a, b) ((a) > (b) ? (a) : (b))`.
    fn is_extreme(&self) -> bool {
        let chooses = self.text.iter().any(|it| it.is("?"));
        let is_named = ["min", "max"].iter().any(|it| self.name.eq_ignore_ascii_case(it));
        is_named && chooses && self.formals.as_ref().is_some_and(|it| it.len() == 2)
    }
}

/// More texts inside each other, or tokens in all, than any program has.
const DEEPEST: usize = 50;
const LONGEST: usize = 100_000;

/// `x, y) text` behind a name and a bracket.
pub(super) fn with_arguments(name: &Token, rest: &[Token]) -> Option<Macro> {
    let close = closing(rest, 0)?;
    let formals = split(&rest[1..close], &[","]).into_iter().filter_map(|it| it.first());
    Some(Macro {
        name: name.text.clone(),
        formals: Some(formals.map(|it| it.text.clone()).collect()),
        text: rest[close + 1..].to_vec(),
    })
}

/// The program with each name's text in its place, at the place of the name.
pub(super) fn expanded(tokens: &[Token], macros: &[Macro]) -> Result<Vec<Token>> {
    let mut out = vec![];
    expand(tokens, macros, &mut vec![], &mut out)?;
    Ok(out)
}

fn expand(
    tokens: &[Token],
    macros: &[Macro],
    inside: &mut Vec<String>,
    out: &mut Vec<Token>,
) -> Result<()> {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let known = macros.iter().rfind(|it| it.name == token.text);
        let known = known.filter(|it| !inside.contains(&it.name));
        let opens = tokens.get(at).is_some_and(|it| it.is("("));
        // The less or the greater of two is a function here, where nothing changes twice.
        let steps = |it: &Macro| {
            let close = closing(tokens, at).unwrap_or(at);
            it.is_extreme() && !tokens[at..close].iter().any(|it| it.is_any(&["++", "--", "="]))
        };
        let known = known.filter(|it| !steps(it));
        let Some(known) = known.filter(|it| it.formals.is_none() || opens) else {
            out.push(token.clone());
            continue;
        };
        let mut text = known.text.clone();
        if let Some(formals) = &known.formals {
            let Some(close) = closing(tokens, at) else { continue };
            let arguments = split(&tokens[at + 1..close], &[","]);
            if arguments.len() != formals.len() {
                let text = format!("`{}` takes {} arguments", token.text, formals.len());
                return Err(Diagnostic::new(token.span, text).help("give it as many"));
            }
            let put = |it: Token| match formals.iter().position(|name| it.is(name)) {
                Some(nth) => arguments[nth].to_vec(),
                None => vec![it],
            };
            text = text.into_iter().flat_map(put).collect();
            at = close + 1;
        }
        if inside.len() > DEEPEST || out.len() > LONGEST {
            return Err(Diagnostic::new(token.span, "texts of `#define` without an end")
                .help("write what is meant"));
        }
        text.iter_mut().for_each(|it| it.span = token.span);
        inside.push(known.name.clone());
        let done = expand(&text, macros, inside, out);
        inside.pop();
        done?;
    }
    Ok(())
}

/// `typedef unsigned long long u64;`, `using Matrix = vector<vector<int>>;`
pub(super) fn aliases(tokens: &mut Vec<Token>) {
    while let Some(at) = (0..tokens.len()).find(|&at| {
        let is_using = tokens[at].is("using") && tokens.get(at + 2).is_some_and(|it| it.is("="));
        is_using
            || tokens[at].is("typedef") && !tokens.get(at + 1).is_some_and(|it| it.is("struct"))
    }) {
        let Some(end) = position(&tokens[at..], &[";"]).map(|it| at + it) else { return };
        let (name, of) = match tokens[at].is("using") {
            true => (tokens[at + 1].text.clone(), tokens[at + 3..end].to_vec()),
            false => (tokens[end - 1].text.clone(), tokens[at + 1..end - 1].to_vec()),
        };
        tokens.drain(at..=end);
        let is_name = name.starts_with(|it: char| it.is_alphabetic() || it == '_');
        if !is_name || of.is_empty() || of.iter().any(|it| it.is(&name)) {
            continue;
        }
        let put = |it: &Token| match it.is(&name) {
            true => {
                of.iter().map(|of| Token { blank: " ".to_owned(), ..it.with(&of.text) }).collect()
            }
            false => vec![it.clone()],
        };
        *tokens = tokens.iter().flat_map(put).collect();
    }
}
