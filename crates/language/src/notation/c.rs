//! Programs in C, and in languages with its statements.

mod assignment;
mod bounds;
mod conditions;
mod console;
mod count;
mod declaration;
mod fills;
mod folds;
mod function;
mod globals;
mod indices;
mod integers;
mod labels;
mod lists;
mod literals;
mod loops;
mod macros;
mod names;
mod pointers;
mod pragma;
mod references;
mod returns;
mod rows;

use std::collections::{HashMap, HashSet};

use self::integers::Signature;
use super::braces;
use super::output::{Output, words};
use super::scan::{Dialect, SourceLine, scan};
use super::selection;
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
    macros: Vec<macros::Macro>,
    /// Whether it is in another language, whose statements are C's in other words.
    is_of_other: bool,
    /// What each of the loops around does between its iterations, where that is a statement.
    advances: Vec<Vec<Token>>,
    /// Where the body of the function that is read begins and ends.
    begin: usize,
    end: usize,
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
        is_of_other: false,
        advances: vec![],
        begin: 0,
        end: usize::MAX,
    };
    reader.out.hints.first = Some(0);
    let lines = literals::without_numbers(lines);
    let kind = braces::kind(&lines);
    let lines = match kind {
        Some(kind) => {
            reader.is_of_other = true;
            reader.known.is_script = kind == braces::Kind::Script;
            reader.known.cuts = !reader.known.is_script;
            let tokens = braces::in_c(lines, kind, &mut reader.out)?;
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
    macros::aliases(&mut reader.tokens);
    let mut tokens = function::without_classes(std::mem::take(&mut reader.tokens));
    if kind.is_none() {
        braces::of_c(&mut tokens, &mut reader.out);
    }
    let tokens = macros::expanded(&tokens, &reader.macros)?;
    let tokens = literals::as_numbers(tokens, kind != Some(braces::Kind::Script));
    let tokens = labels::without_labels(tokens, &mut reader.out);
    let tokens = selection::without_switches(tokens, false, &mut reader.out)?;
    let tokens = rows::named(rows::swapped(tokens, &mut reader.out), &mut reader.out);
    reader.tokens = lists::as_arrays(tokens, &mut reader.out);
    reader.references()?;
    reader.pointers()?;
    reader.with_caller();
    reader.names_apart();
    reader.globals();
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
    /// Puts others in place of some tokens of the function that is read.
    fn replace(&mut self, from: usize, to: usize, tokens: Vec<Token>) {
        self.end = self.end.saturating_add(tokens.len()).saturating_sub(to - from);
        self.tokens.splice(from..to, tokens);
    }

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

    /// The body of a loop whose head does all that is done between its iterations.
    fn inner_body(&mut self) -> Result<()> {
        self.advances.push(vec![]);
        let done = self.body();
        self.advances.pop();
        done
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
        if !token.is_any(&["for", "while", "do", "{"]) {
            self.folds()?;
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
                    self.head_of_while(&token, &condition)?;
                    self.inner_body()?;
                }
            }
            "do" => self.repeat(&token)?,
            "if" => self.branch(&token)?,
            "return" => self.return_statement(&token)?,
            "break" => {
                self.expect(";")?;
                self.out.line(vec![token]);
            }
            "continue" => {
                self.expect(";")?;
                let advance = self.advances.last().cloned().unwrap_or_default();
                self.simple(&advance)?;
                self.out.line(vec![token]);
            }
            "goto" | "switch" | "case" | "default" => {
                let (what, help) = crate::parser::foreign(&token.text).unwrap_or_default();
                return Err(Diagnostic::new(token.span, what).help(help));
            }
            "__syncthreads" => {
                return Err(Diagnostic::new(token.span, "a barrier among the threads of a block")
                    .help("a kernel as it stands is read by `umm kernel`; in a listing a barrier stands at the end of each parallel loop"));
            }
            "printf" | "puts" | "assert" | "cout" | "cerr" => self.shown(&token)?,
            "System"
                if self.tokens.get(self.at + 1).is_some_and(|it| it.is_any(&["out", "err"])) =>
            {
                self.shown(&token)?;
            }
            "scanf" | "cin" => self.given(&token)?,
            "free" | "free_vector" | "free_dvector" | "free_ivector" => {
                self.until(";")?;
            }
            pragma if pragma.starts_with("#pragma") => self.pragma(&token)?,
            _ => {
                self.at -= 1;
                if self.filled()? {
                    self.statement()?;
                } else if !self.declaration()? {
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

    fn repeat(&mut self, token: &Token) -> Result<()> {
        self.out.line(vec![token.with("repeat")]);
        self.inner_body()?;
        self.expect("while")?;
        let condition = self.bracketed()?;
        let condition = self.repeat_changing(&condition)?;
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
        let condition = self.effects_apart(&condition)?;
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
}

/// A name that may be a variable's.
fn is_variable(token: &Token) -> bool {
    token.is_name() && !token.is_any(&["if", "for", "while", "do", "else", "return"])
}
