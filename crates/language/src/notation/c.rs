//! Programs in C, and in languages with its statements.

mod assignment;
mod bounds;
mod count;
mod declaration;
mod elements;
mod function;
mod integers;
mod loops;
mod pragma;

use std::collections::{HashMap, HashSet};

use self::integers::Signature;
use super::braces;
use super::output::{Output, spaced, words};
use super::scan::{Dialect, SourceLine, scan};
use super::token::{Token, closing, position};
use super::tree::{Known, Tree, expression, unexpected, written};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::Type;

type Result<T> = std::result::Result<T, Diagnostic>;

/// Deeper than any listing is read.
const DEEPEST: usize = 150;

/// The statements of a program, read by their braces and semicolons.
pub(super) struct Reader {
    tokens: Vec<Token>,
    at: usize,
    pub(super) out: Output,
    known: Known,
    nesting: usize,
    /// In a procedure: how many results it has.
    results: Option<usize>,
    /// The names of arrays that are declared.
    arrays: Vec<String>,
    /// Procedures of the program.
    functions: Vec<String>,
    /// What is declared to be true or false.
    bools: Vec<String>,
    /// Scalars whose type is declared.
    registers: Vec<String>,
    /// Scalars that each of the blocks around declares.
    scopes: Vec<HashSet<String>>,
    /// What is declared outside of all functions is given, where it is read first.
    is_global: bool,
    /// Types of scalars and arrays, as declared.
    types: HashMap<String, Type>,
    /// Scalars that the plain form holds in 64 bits: parameters, variables of loops.
    wide: HashSet<String>,
    /// What the functions of the program take and return.
    signatures: HashMap<String, Signature>,
    /// What the function returns that is read.
    returns: Option<Type>,
    /// What `#define` gives names to.
    macros: Vec<(String, Vec<Token>)>,
}

/// A program in C.
///
/// # Errors
/// What is no statement of those that are read.
pub(super) fn read(text: &str) -> Result<Output> {
    let lines = scan(text, Dialect::C)?;
    let comments = lines.iter().flat_map(|it| it.comments.clone()).collect();
    let mut reader = Reader {
        tokens: vec![],
        at: 0,
        out: Output::with_comments(comments),
        known: Known { cuts: true, ..Known::default() },
        nesting: 0,
        results: None,
        arrays: vec![],
        functions: vec![],
        bools: vec![],
        registers: vec![],
        scopes: vec![HashSet::new()],
        is_global: false,
        types: HashMap::new(),
        wide: HashSet::new(),
        signatures: HashMap::new(),
        returns: None,
        macros: vec![],
    };
    reader.out.hints.first = Some(0);
    let kind = braces::kind(&lines);
    let lines = match kind {
        Some(kind) => {
            reader.known.is_script = kind == braces::Kind::Script;
            reader.known.cuts = !reader.known.is_script;
            let tokens = braces::in_c(lines, kind);
            tokens
                .iter()
                .filter(|it| braces::is_made(it))
                .for_each(|it| reader.out.make([&it.text]));
            vec![SourceLine { tokens, comments: vec![] }]
        }
        None => lines,
    };
    for line in lines {
        match &line.tokens[..] {
            [hash, word, rest @ ..] if hash.is("#") => reader.directive(hash, word, rest)?,
            all => reader.tokens.extend_from_slice(all),
        }
    }
    reader.tokens = function::without_classes(std::mem::take(&mut reader.tokens));
    if let Some(byte) = reader.tokens.iter().find(|it| it.is("byte")) {
        return Err(Diagnostic::new(byte.span, "`byte` has a sign in Java, and none in C#")
            .help("write `signed char` or `unsigned char`"));
    }
    reader.find_functions();
    reader.find_naturals();
    reader.program()?;
    reader.out.hints.functions = std::mem::take(&mut reader.known.uses);
    reader.out.end();
    Ok(reader.out)
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, text: &str) -> bool {
        self.peek().is_some_and(|it| it.is(text))
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    fn place(&self) -> Token {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get(self.at.min(last)).cloned().unwrap_or(Token {
            text: String::new(),
            blank: String::new(),
            span: Span::default(),
            column: 0,
        })
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.accept(text) {
            Ok(())
        } else {
            Err(unexpected(&self.place(), &format!("`{text}`")))
        }
    }

    /// Tokens up to a sign outside brackets, which is taken, too.
    fn until(&mut self, sign: &str) -> Result<Vec<Token>> {
        let rest = &self.tokens[self.at..];
        let Some(end) = position(rest, &[sign]) else {
            return Err(unexpected(&self.place(), &format!("a statement that ends in `{sign}`")));
        };
        let found = rest[..end].to_vec();
        if let Some(brace) = found.iter().find(|it| it.is_any(&["{", "}"])) {
            return Err(unexpected(brace, &format!("`{sign}`")));
        }
        self.at += end + 1;
        Ok(found)
    }

    /// What stands in the brackets here.
    fn bracketed(&mut self) -> Result<Vec<Token>> {
        let place = self.place();
        let rest = &self.tokens[self.at..];
        let close = closing(rest, 0).filter(|_| place.is("("));
        let close = close.ok_or_else(|| unexpected(&place, "`(`"))?;
        let inside = rest[1..close].to_vec();
        self.at += close + 1;
        Ok(inside)
    }

    fn tree(&mut self, tokens: &[Token]) -> Result<Tree> {
        let place = self.place().span;
        let tree = expression(tokens, Dialect::C, &mut self.known, place)?;
        self.check_shifts(&tree)?;
        Ok(self.promoted(tree))
    }

    fn value(&mut self, tokens: &[Token]) -> Result<Vec<Token>> {
        Ok(written(&self.tree(tokens)?))
    }

    /// A condition: of a number, whether it is not 0.
    fn condition(&mut self, tokens: &[Token]) -> Result<Vec<Token>> {
        let tree = self.tree(tokens)?;
        Ok(written(&self.truth(tree)))
    }

    /// A block, or one statement.
    fn body(&mut self) -> Result<()> {
        self.out.depth += 1;
        let before = self.out.lines.len();
        self.statement()?;
        if self.out.lines[before..].iter().all(|it| it.tokens.is_empty()) {
            let place = self.tokens[self.at.saturating_sub(1)].clone();
            self.out.lines.truncate(before);
            let nothing = self.out.fresh("nothing");
            self.out.line(vec![
                place.with(nothing),
                Token::made("←", &place),
                Token::made("0", &place),
            ]);
        }
        self.out.depth -= 1;
        Ok(())
    }

    fn statements(&mut self) -> Result<()> {
        while self.peek().is_some() && !self.is("}") {
            self.statement()?;
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<()> {
        self.nesting += 1;
        let token = self.place();
        if self.nesting > DEEPEST {
            return Err(Diagnostic::new(token.span, format!("nested more than {DEEPEST} deep"))
                .help("split the program"));
        }
        self.at += 1;
        match token.text.as_str() {
            ";" => {}
            "{" => {
                self.scopes.push(HashSet::new());
                self.statements()?;
                self.scopes.pop();
                self.expect("}")?;
            }
            "for" => self.for_loop(&token, None)?,
            "while" => {
                let condition = self.bracketed()?;
                if !self.while_stepping(&token, &condition)? {
                    let condition = self.condition(&condition)?;
                    self.out.line(words(&token, "while {} do", &[&condition]));
                    self.body()?;
                }
            }
            "do" => self.repeat(&token)?,
            "if" => self.branch(&token)?,
            "return" => self.return_statement(&token)?,
            "break" | "continue" => {
                self.expect(";")?;
                self.out.line(vec![token]);
            }
            "goto" | "switch" | "case" | "default" => {
                let (what, help) = crate::parser::foreign(&token.text).unwrap_or_default();
                return Err(Diagnostic::new(token.span, what).help(help));
            }
            "printf" | "puts" | "assert" | "free" | "free_vector" | "free_dvector"
            | "free_ivector" | "__syncthreads" | "cout" | "std" => {
                self.until(";")?;
                if token.is("__syncthreads") {
                    return Err(Diagnostic::new(token.span, "a barrier among the threads of a block")
                        .help("a kernel as it stands is read by `umm kernel`; in a listing a barrier stands at the end of each parallel loop"));
                }
                let text = format!("`{}` has no effect on the values: left out", token.text);
                self.out.hints.said.push((token, text));
            }
            pragma if pragma.starts_with("#pragma") => self.pragma(&token)?,
            _ => {
                self.at -= 1;
                if !self.declaration()? {
                    let tokens = self.until(";")?;
                    if !self.ends_program(&tokens) {
                        let tokens = self.inner_assignments(&tokens)?;
                        self.simple(&tokens)?;
                    }
                }
            }
        }
        self.nesting -= 1;
        Ok(())
    }

    /// `exit(1)`, `nrerror("…")`: nothing is computed behind it.
    fn ends_program(&mut self, tokens: &[Token]) -> bool {
        let [name, open, .., close] = tokens else { return false };
        let lower = name.text.to_ascii_lowercase();
        let is_word = name.is_any(&["exit", "abort", "die", "fatal", "panic"]);
        let says_so = (lower.contains("error") || is_word) && !self.functions.contains(&name.text);
        let is_end = open.is("(") && close.is(")") && says_so && self.results.is_none();
        if is_end {
            let text = format!("`{}` ends the program", name.text);
            self.out.hints.said.push((name.clone(), text));
            self.out.line(vec![name.with("return")]);
        }
        is_end
    }

    fn repeat(&mut self, token: &Token) -> Result<()> {
        self.out.line(vec![token.with("repeat")]);
        self.body()?;
        self.expect("while")?;
        let condition = self.bracketed()?;
        self.expect(";")?;
        let tree = Tree::Prefix(
            "not",
            Box::new({
                let tree = self.tree(&condition)?;
                self.truth(tree)
            }),
            token.clone(),
        );
        let condition = written(&tree);
        self.out.line(words(token, "until {}", &[&condition]));
        Ok(())
    }

    fn branch(&mut self, token: &Token) -> Result<()> {
        let condition = self.bracketed()?;
        let condition = self.inner_assignments(&condition)?;
        let condition = self.condition(&condition)?;
        self.out.line(words(token, "if {} then", &[&condition]));
        self.body()?;
        if self.is("else") {
            let word = self.place();
            self.at += 1;
            self.out.line(vec![word]);
            self.body()?;
        }
        Ok(())
    }

    fn return_statement(&mut self, token: &Token) -> Result<()> {
        let value = self.until(";")?;
        // Behind it, only the end of the function.
        let is_last = self.out.depth == 0 && self.is("}") || self.peek().is_none();
        if let Some(results) = &mut self.results {
            *results = usize::from(!value.is_empty());
            let value = if value.is_empty() { vec![] } else { self.value_returned(&value)? };
            self.out.line([vec![token.clone()], spaced(value)].concat());
            return Ok(());
        }
        if value.is_empty() {
            if !is_last {
                self.out.line(vec![token.clone()]);
            }
            return Ok(());
        }
        // What `main` returns is no result.
        let is_main = self.out.hints.name.as_ref().is_some_and(|it| it.is("main"));
        if is_last && is_main && matches!(&value[..], [one] if one.is_any(&["0", "EXIT_SUCCESS"])) {
            return Ok(());
        }
        let value = self.value_returned(&value)?;
        let arrays = self.arrays.clone();
        self.out.returned(token, vec![value], |it| arrays.iter().any(|name| name == it), is_last);
        Ok(())
    }

    /// What is returned, in the type of the function.
    fn value_returned(&mut self, tokens: &[Token]) -> Result<Vec<Token>> {
        let tree = self.tree(tokens)?;
        let value = self.converted(tree, self.returns, false);
        Ok(written(&self.widened_result(value)))
    }

    /// A condition as the plain form has it: a number holds where it is not 0.
    pub(super) fn truth(&self, tree: Tree) -> Tree {
        match tree {
            Tree::Binary(op @ ("or" | "and"), left, right) => {
                Tree::Binary(op, Box::new(self.truth(*left)), Box::new(self.truth(*right)))
            }
            Tree::Prefix("not", of, token) => Tree::Prefix("not", Box::new(self.truth(*of)), token),
            Tree::Binary("=" | "≠" | "<" | "≤" | ">" | "≥", ..) | Tree::Choice(_) => tree,
            Tree::Call(ref it, _) if it.is_any(&["quotient", "remainder"]) => self.not_zero(tree),
            Tree::Call(..) if self.type_of(&tree).is_none_or(|it| it == Type::Bool) => tree,
            Tree::Atom(ref it) if it.is_any(&["true", "false"]) => tree,
            Tree::Atom(ref it) | Tree::Index(ref it, _) if self.bools.contains(&it.text) => tree,
            tree => self.not_zero(tree),
        }
    }

    fn not_zero(&self, tree: Tree) -> Tree {
        let zero = super::tree::first(&tree).with("0");
        Tree::Binary("≠", Box::new(tree), Box::new(Tree::Atom(zero)))
    }
}

/// A name that may be a variable's.
fn is_variable(token: &Token) -> bool {
    token.is_name() && !token.is_any(&["if", "for", "while", "do", "else", "return"])
}
