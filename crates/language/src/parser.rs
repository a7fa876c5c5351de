//! Tokens to syntax tree: recursive descent, one function a rule; `docs/language-reference.md` has the
//! grammar. Depth is bounded, so no listing overflows the stack here or in a later pass.

mod clauses;
mod declaration;
mod expression;
mod foreign;
mod procedure;
mod spawn;
mod statement;

use self::declaration::HeadParameter;
pub(super) use self::expression::arity;
pub(super) use self::foreign::foreign;

use std::collections::BTreeMap;

use super::lexer::{Spanned, Symbol, Token, Word, tokens};
use super::syntax::{Clauses, ExprNode, Listing, Name, Role};
use crate::diagnostic::{Diagnostic, Span};

type Result<T> = std::result::Result<T, Diagnostic>;

/// Longest listing in bytes: a paper's listing has about a thousand.
pub(super) const LONGEST: usize = 1 << 20;
/// Deepest nesting of blocks and of one expression.
const DEEPEST: usize = 150;
/// Most dimensions of an array.
const MOST_DIMENSIONS: usize = 8;
/// Most parameters of a function: each nests its call one deeper.
const MOST_PARAMETERS: usize = 64;

pub(super) fn too_long() -> Diagnostic {
    Diagnostic::new(Span::default(), "the listing is longer than 1 MiB")
        .help("pass data with --input instead of writing it into the listing")
}

/// Parses a listing in the plain form.
pub(super) fn read(text: &str) -> Result<Listing> {
    if text.len() > LONGEST {
        return Err(too_long());
    }
    Parser::new(tokens(text)?).listing()
}

/// The listing that tokens make.
pub(super) fn of_tokens(tokens: Vec<Spanned>) -> Result<Listing> {
    Parser::new(tokens).listing()
}

struct Parser {
    tokens: Vec<Spanned>,
    at: usize,
    /// Rules being parsed inside each other.
    depth: usize,
    /// In a procedure: its results.
    results: Option<Vec<Name>>,
    /// Fields of records, by the arrays' names.
    records: BTreeMap<String, Vec<String>>,
    /// Height of the highest tree among the operands parsed last, which the next operator tops.
    height: usize,
}

impl Parser {
    fn new(tokens: Vec<Spanned>) -> Self {
        Self { tokens, at: 0, depth: 0, results: None, records: BTreeMap::new(), height: 0 }
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span of the token before this one.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn accept(&mut self, token: &Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    fn accept_word(&mut self, word: Word) -> bool {
        self.accept(&Token::Word(word))
    }

    fn accept_symbol(&mut self, symbol: Symbol) -> bool {
        self.accept(&Token::Symbol(symbol))
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = self.peek().describe();
        Diagnostic::new(self.span(), format!("expected {expected}, found {found}"))
            .label(format!("expected {expected}"))
    }

    fn expect(&mut self, token: &Token) -> Result<()> {
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(&token.describe())) }
    }

    fn expect_word(&mut self, word: Word) -> Result<()> {
        self.expect(&Token::Word(word))
    }

    fn expect_symbol(&mut self, symbol: Symbol) -> Result<()> {
        self.expect(&Token::Symbol(symbol))
    }

    fn name(&mut self, what: &str) -> Result<Name> {
        let span = self.span();
        match self.peek().clone() {
            Token::Name(text) => {
                self.advance();
                Ok(Name { text, span })
            }
            Token::Word(_) | Token::Role(_) | Token::Type(_) => Err(self.reserved(what)),
            _ => Err(self.unexpected(what)),
        }
    }

    /// Neither a statement nor the end of what they stand in.
    fn no_statement(&self) -> Diagnostic {
        match (self.peek(), self.peek_second()) {
            (Token::Word(_) | Token::Type(_), Token::Symbol(Symbol::Arrow)) => {
                self.reserved("what is assigned")
            }
            _ => self.unexpected("a statement"),
        }
    }

    fn reserved(&self, expected: &str) -> Diagnostic {
        let word = self.peek().describe();
        let message = format!("expected {expected}, found the reserved word {word}");
        Diagnostic::new(self.span(), message).help("choose another name")
    }

    /// Guards every recursion.
    fn deeper<T>(&mut self, rule: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.too_deep());
        }
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// The expression parsed last has become an operand.
    fn higher(&mut self) -> Result<()> {
        self.height += 1;
        if self.height > DEEPEST { Err(self.too_deep()) } else { Ok(()) }
    }

    fn too_deep(&self) -> Diagnostic {
        Diagnostic::new(self.span(), format!("nested more than {DEEPEST} deep"))
            .help("split the expression over several scalars, or the block over phases")
    }

    fn list<T>(
        &mut self,
        close: Symbol,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = vec![];
        if self.accept_symbol(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.accept_symbol(close) {
                return Ok(items);
            }
            if !self.accept_symbol(Symbol::Comma) {
                return Err(self.unexpected(&format!("`,` or `{}`", close.text())));
            }
        }
    }

    fn listing(mut self) -> Result<Listing> {
        if !self.accept_word(Word::Algorithm) {
            return Err(self
                .unexpected("`algorithm`")
                .help("a listing begins with a line such as `algorithm prefix_sums(n)`"));
        }
        let name = self.name("the algorithm's name")?;
        self.expect_symbol(Symbol::Open)?;
        let (mut parameters, mut reals) = (vec![], vec![]);
        for it in self.list(Symbol::Close, Self::parameter)? {
            match it {
                HeadParameter::Integer(it) => parameters.push(it),
                HeadParameter::Real(it) => reals.push(it),
            }
        }
        self.expect(&Token::Newline)?;
        let mut procedures = vec![];
        let (mut arrays, mut constants, mut functions, mut answer) = (vec![], vec![], vec![], None);
        let mut clauses = Clauses::default();
        loop {
            if self.clause(&mut clauses)? {
                continue;
            }
            match *self.peek() {
                Token::Role(role) => {
                    let array = self.array(role)?;
                    clauses.origins.extend(self.origin(&array.name)?);
                    self.expect(&Token::Newline)?;
                    arrays.push(array);
                }
                Token::Name(_) if self.begins_with("constant") => constants.push(self.constant()?),
                Token::Name(_) if self.begins_with(Role::Register.word()) => {
                    arrays.push(self.array(Role::Register)?);
                    self.expect(&Token::Newline)?;
                }
                Token::Name(_) if self.begins_with("procedure") => {
                    procedures.push(self.procedure()?);
                }
                Token::Word(Word::Function) => functions.push(self.function()?),
                Token::Word(Word::Answer) if answer.is_none() => {
                    self.advance();
                    answer = Some(self.expression()?);
                    self.expect(&Token::Newline)?;
                }
                Token::Word(Word::Answer) => {
                    return Err(Diagnostic::new(self.span(), "a second `answer`")
                        .help("a listing names one answer"));
                }
                _ => break,
            }
        }
        let body = self.statements()?;
        if *self.peek() != Token::End {
            return Err(match self.peek() {
                Token::Role(_) | Token::Word(Word::Function | Word::Answer) => self
                    .unexpected("a statement")
                    .help("declarations stand before the first statement"),
                Token::Name(_) if self.begins_with("constant") || self.begins_with("procedure") => {
                    self.unexpected("a statement")
                        .help("declarations stand before the first statement")
                }
                Token::Indent => self
                    .unexpected("a statement of this block")
                    .help("only a loop, an `if` or a label opens a block"),
                Token::Word(Word::Else) => {
                    self.unexpected("a statement").help("no `if` above this `else` is open")
                }
                Token::Word(Word::Do) => self
                    .unexpected("a statement")
                    .help("a loop that is asked at its end is `repeat … until …`"),
                _ => self.no_statement(),
            });
        }
        if body.is_empty() {
            return Err(self.unexpected("a statement").help("this listing does nothing"));
        }
        Ok(Listing {
            name,
            parameters,
            reals,
            arrays,
            constants,
            functions,
            procedures,
            answer,
            clauses,
            body,
        })
    }

    fn expression(&mut self) -> Result<ExprNode> {
        self.deeper(|parser| parser.binary(0))
    }
}
