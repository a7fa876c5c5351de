//! What a notation makes of a text: lines in the plain form, and what it says of its names.

use std::collections::{BTreeSet, HashSet};

use super::token::Token;
use crate::syntax::Type;

/// A line in the plain form.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) depth: usize,
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Token>,
}

/// What a text says of an array beside its use.
#[derive(Debug, Clone)]
pub(crate) struct ArrayHint {
    pub(crate) name: Token,
    /// By dimension, `n` or `1 .. n`, where it is said.
    pub(crate) extents: Vec<Option<String>>,
    pub(crate) element: Option<Type>,
    /// In the head, as an argument.
    pub(crate) is_argument: bool,
    /// Of the algorithm itself, as in `let A be a new array`.
    pub(crate) is_new: bool,
    /// A list that gets more elements.
    pub(crate) grows: bool,
}

/// What a text says of its names.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    pub(crate) name: Option<Token>,
    /// Scalars of the head, in order.
    pub(crate) arguments: Vec<Token>,
    /// Those that are real, with their types.
    pub(crate) reals: Vec<(String, Type)>,
    /// Those that are declared as integers.
    pub(crate) integers: HashSet<String>,
    pub(crate) arrays: Vec<ArrayHint>,
    /// `n = A.length`: the array, its dimension, and the name that its extent has.
    pub(crate) lengths: Vec<(String, usize, Token)>,
    /// Arrays made of others, element by element, which have their lengths; `rows A` is that of a column.
    pub(crate) alike: Vec<(String, String)>,
    /// Arrays that are copies, and of what.
    pub(crate) copies: Vec<(String, String)>,
    /// Parameters with their values, as in `#define N 8`.
    pub(crate) defaults: Vec<(Token, i64)>,
    /// Words that say what comes out.
    pub(crate) outputs: HashSet<String>,
    /// Arrays that are returned.
    pub(crate) returned: HashSet<String>,
    /// How many values are returned; those are in an array `result`.
    pub(crate) results: usize,
    /// Functions that are called and that the listing defines itself.
    pub(crate) functions: BTreeSet<&'static str>,
    /// What was left out, or taken for what, with its place.
    pub(crate) said: Vec<(Token, String)>,
    /// What the indices of this notation begin with, where nothing says it.
    pub(crate) first: Option<i64>,
}

impl Hints {
    /// Whether an array is known to hold what is true or false.
    pub(super) fn is_bool(&self, array: &Token) -> bool {
        let name = Token::variable(array);
        self.arrays.iter().any(|it| it.name.is(&name.text) && it.element == Some(Type::Bool))
    }

    /// The hint on an array, made if there is none.
    pub(super) fn array(&mut self, name: &Token) -> &mut ArrayHint {
        let at = self.arrays.iter().position(|it| it.name.text == name.text);
        let at = at.unwrap_or_else(|| {
            self.arrays.push(ArrayHint {
                name: name.clone(),
                extents: vec![],
                element: None,
                is_argument: false,
                is_new: false,
                grows: false,
            });
            self.arrays.len() - 1
        });
        &mut self.arrays[at]
    }
}

/// What a language says of the variable of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoopVariable {
    /// It gets the next value, whatever the body assigns, and keeps the last one.
    Kept,
    /// The same, but behind the loop it is another variable.
    Own,
    /// It keeps the first value that the loop does not take.
    Beyond,
}

/// Lines as they are made.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// Procedures, above the statements.
    pub(super) procedures: Vec<Line>,
    pub(super) lines: Vec<Line>,
    pub(super) hints: Hints,
    pub(super) depth: usize,
    /// What becomes of the variable of a loop that is assigned, or read behind it.
    pub(super) loop_variable: Option<LoopVariable>,
    comments: Vec<Token>,
    /// Names made for what has none.
    made: Vec<String>,
}

impl Output {
    /// Comments, in the order of the text; a line takes those before it.
    pub(super) fn with_comments(mut comments: Vec<Token>) -> Self {
        comments.reverse();
        Self { comments, ..Self::default() }
    }

    /// Lines, and how much deeper each is.
    pub(super) fn block<const N: usize>(&mut self, like: &Token, lines: [(String, usize); N]) {
        for (text, deeper) in lines {
            self.depth += deeper;
            self.line(words(like, &text, &[]));
            self.depth -= deeper;
        }
    }

    pub(super) fn line(&mut self, tokens: Vec<Token>) {
        let Some(start) = tokens.iter().map(|it| it.span.start).min() else { return };
        while self.comments.last().is_some_and(|it| it.span.start < start) {
            let comment: Vec<Token> = self.comments.pop().into_iter().collect();
            self.lines.push(Line { depth: self.depth, tokens: vec![], comments: comment });
        }
        self.lines.push(Line { depth: self.depth, tokens, comments: vec![] });
    }

    /// What a loop has left in the end.
    pub(super) fn end(&mut self) {
        while let Some(comment) = self.comments.pop() {
            self.lines.push(Line { depth: self.depth, tokens: vec![], comments: vec![comment] });
        }
    }

    /// A name that nothing else has.
    pub(super) fn fresh(&mut self, word: &str) -> String {
        self.made.push(format!("{word}_{}_", self.made.len() + 1));
        self.made[self.made.len() - 1].clone()
    }

    /// Takes names for what has none.
    pub(super) fn make<const N: usize>(&mut self, names: [&String; N]) {
        self.made.extend(names.into_iter().cloned());
    }

    /// Whether the text itself has no such name.
    pub(super) fn is_made(&self, name: &str) -> bool {
        self.made.iter().any(|it| it == name)
    }

    /// `return e, f`: what is returned goes to an array, but arrays are what they are.
    pub(super) fn returned(
        &mut self,
        word: &Token,
        values: Vec<Vec<Token>>,
        is_array: impl Fn(&str) -> bool,
        is_last: bool,
    ) {
        let is_whole = |it: &Vec<Token>| matches!(&it[..], [name] if is_array(&name.text));
        let (arrays, values): (Vec<_>, Vec<_>) = values.into_iter().partition(is_whole);
        self.hints.returned.extend(arrays.iter().map(|it| it[0].text.clone()));
        if !values.is_empty() {
            self.hints.results = self.hints.results.max(values.len());
            for (at, value) in values.into_iter().enumerate() {
                let target = [
                    Token::made("result", word),
                    Token::glued("[", word),
                    Token::glued(at.to_string(), word),
                    Token::glued("]", word),
                    Token::made("←", word),
                ];
                self.line([target.to_vec(), spaced(value)].concat());
            }
        }
        if !is_last {
            self.line(vec![word.with("return")]);
        }
    }
}

/// With a blank before the first.
pub(super) fn spaced(mut tokens: Vec<Token>) -> Vec<Token> {
    if let Some(first) = tokens.first_mut() {
        first.blank = " ".to_owned();
    }
    tokens
}

/// Values with commas between them.
pub(super) fn listed(values: Vec<Vec<Token>>, like: &Token) -> Vec<Token> {
    values.into_iter().map(spaced).collect::<Vec<_>>().join(&Token::glued(",", like))
}

/// Words of the plain form at the place of a token; of those in braces, the tokens of `parts`.
pub(super) fn words(like: &Token, text: &str, parts: &[&[Token]]) -> Vec<Token> {
    let mut parts = parts.iter();
    let mut out: Vec<Token> = vec![];
    for word in text.split(' ') {
        if word == "{}" {
            out.extend(spaced(parts.next().map(|it| it.to_vec()).unwrap_or_default()));
            continue;
        }
        // Brackets and commas are words of their own.
        let (mut rest, mut is_first) = (word, true);
        while !rest.is_empty() {
            let is_sign = |it: char| "()[],".contains(it);
            let end = match rest.find(is_sign) {
                Some(0) => 1,
                Some(at) => at,
                None => rest.len(),
            };
            let blank = if is_first { " ".to_owned() } else { String::new() };
            out.push(Token { blank, ..like.with(&rest[..end]) });
            (rest, is_first) = (&rest[end..], false);
            if rest.starts_with("{}") {
                out.extend(parts.next().map(|it| it.to_vec()).unwrap_or_default());
                rest = &rest[2..];
            }
        }
    }
    out.iter_mut().take(1).for_each(|it| it.blank.clear());
    out
}
