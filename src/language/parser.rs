//! Tokens to syntax tree: recursive descent, one function a rule; `docs/language.md` has the
//! grammar. Depth is bounded, so no listing overflows the stack here or in a later pass.

mod clauses;
mod expression;
mod foreign;

pub(super) use self::expression::arity;
use self::foreign::foreign;

use super::lexer::{Spanned, Symbol, Token, Word, tokens};
use super::notation;
use super::syntax::{
    ArrayDeclaration, Clauses, Constant, Expr, For, Function, Listing, Name, Order, Parameter,
    Role, Statement, StatementKind, Target, Type,
};
use crate::diagnostic::{Diagnostic, Span};

type Result<T> = std::result::Result<T, Diagnostic>;

/// Longest listing in bytes: a paper's listing has about a thousand.
const LONGEST: usize = 1 << 20;
/// Deepest nesting of blocks and of one expression.
const DEEPEST: usize = 150;
/// Most parameters of a function: each nests its call one deeper.
const MOST_PARAMETERS: usize = 64;

/// Parses a listing, in the plain form or in a paper's notation; linear in its length.
///
/// # Errors
/// The first place at which `text` is no listing.
pub fn parse(text: &str) -> Result<Listing> {
    read(text).or_else(|error| {
        if text.len() > LONGEST {
            return Err(error);
        }
        let plain = notation::plain(text).ok_or(error)?;
        let printed = |error: Diagnostic| Diagnostic { span: plain.printed(error.span), ..error };
        let mut tokens = tokens(&plain.text).map_err(printed)?;
        for token in &mut tokens {
            token.span = plain.printed(token.span);
        }
        Parser::new(tokens).listing()
    })
}

/// Parses a listing in the plain form.
pub(super) fn read(text: &str) -> Result<Listing> {
    if text.len() > LONGEST {
        return Err(Diagnostic::new(Span::default(), "the listing is longer than 1 MiB")
            .help("pass data with --input instead of writing it into the listing"));
    }
    Parser::new(tokens(text)?).listing()
}

struct Parser {
    tokens: Vec<Spanned>,
    at: usize,
    /// Rules being parsed inside each other.
    depth: usize,
    /// Height of the highest tree among the operands parsed last, which the next operator tops.
    height: usize,
}

impl Parser {
    fn new(tokens: Vec<Spanned>) -> Self {
        Self { tokens, at: 0, depth: 0, height: 0 }
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
            Token::Word(_) | Token::Role(_) | Token::Type(_) => {
                let word = self.peek().describe();
                Err(Diagnostic::new(
                    span,
                    format!("expected {what}, found the reserved word {word}"),
                )
                .help("choose another name"))
            }
            _ => Err(self.unexpected(what)),
        }
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
        let parameters = self.list(Symbol::Close, Self::parameter)?;
        self.expect(&Token::Newline)?;
        let (mut arrays, mut constants, mut functions, mut answer) = (vec![], vec![], vec![], None);
        let mut clauses = Clauses::default();
        loop {
            if self.clause(&mut clauses)? {
                continue;
            }
            match *self.peek() {
                Token::Name(_) if self.begins_with("constant") => constants.push(self.constant()?),
                Token::Role(role) => {
                    let array = self.array(role)?;
                    clauses.origins.extend(self.origin(&array.name)?);
                    self.expect(&Token::Newline)?;
                    arrays.push(array);
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
                Token::Name(_) if self.begins_with("constant") => self
                    .unexpected("a statement")
                    .help("declarations stand before the first statement"),
                Token::Indent => self
                    .unexpected("a statement of this block")
                    .help("only a loop, an `if` or a label opens a block"),
                Token::Word(Word::Else) => {
                    self.unexpected("a statement").help("no `if` above this `else` is open")
                }
                _ => self.unexpected("a statement"),
            });
        }
        if body.is_empty() {
            return Err(self.unexpected("a statement").help("this listing does nothing"));
        }
        Ok(Listing { name, parameters, arrays, constants, functions, answer, clauses, body })
    }

    fn parameter(&mut self) -> Result<Parameter> {
        let name = self.name("a parameter")?;
        let default = if self.accept_symbol(Symbol::Equal) {
            let negative = self.accept_symbol(Symbol::Minus);
            let Token::Integer(value) = *self.peek() else {
                return Err(self.unexpected("an integer"));
            };
            let Ok(value) = i64::try_from(value) else {
                return Err(Diagnostic::new(self.span(), "this number is too large")
                    .help("parameters go up to 9223372036854775807"));
            };
            self.advance();
            Some(if negative { -value } else { value })
        } else {
            None
        };
        Ok(Parameter { name, default })
    }

    fn array(&mut self, role: Role) -> Result<ArrayDeclaration> {
        self.advance();
        let name = self.name("the array's name")?;
        let is_one_register =
            role == Role::Register && *self.peek() == Token::Symbol(Symbol::Colon);
        let extents = if is_one_register {
            vec![]
        } else {
            self.expect_symbol(Symbol::OpenIndex)?;
            self.list(Symbol::CloseIndex, Self::expression)?
        };
        self.expect_symbol(Symbol::Colon)?;
        let element = self.element()?;
        if (extents.is_empty() && !is_one_register) || extents.len() > 3 {
            return Err(Diagnostic::new(name.span, "an array has one to three dimensions")
                .help("compute one index from several, as in `a[i×n + j]`"));
        }
        Ok(ArrayDeclaration { role, name, extents, element })
    }

    /// Whether a declaration with this word stands here, which is not reserved: but no statement
    /// begins with two names.
    fn begins_with(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(name) if name == word)
            && matches!(self.peek_second(), Token::Name(_))
    }

    fn constant(&mut self) -> Result<Constant> {
        self.advance();
        let name = self.name("the constant's name")?;
        let entries = if self.accept_symbol(Symbol::OpenIndex) {
            let entries = self.expression()?;
            self.expect_symbol(Symbol::CloseIndex).map_err(|error| {
                error.help("a table has one dimension: compute one index from several")
            })?;
            Some(entries)
        } else {
            None
        };
        let element = if self.accept_symbol(Symbol::Colon) { Some(self.element()?) } else { None };
        if entries.is_some() && element.is_none() {
            return Err(self
                .unexpected("`:`")
                .help("write its type, as in `constant K[2] : u32 = 3, 5`"));
        }
        self.expect_symbol(Symbol::Equal)?;
        let mut values = vec![self.expression()?];
        while entries.is_some() && self.accept_symbol(Symbol::Comma) {
            values.push(self.expression()?);
        }
        self.expect(&Token::Newline)?;
        Ok(Constant { name, entries, element, values })
    }

    fn element(&mut self) -> Result<Type> {
        let Token::Type(element) = *self.peek() else {
            return Err(self.unexpected("an element type: f32, f64, i32, i64, u32, u64 or bool"));
        };
        self.advance();
        Ok(element)
    }

    fn function(&mut self) -> Result<Function> {
        self.advance();
        let name = self.name("the function's name")?;
        self.expect_symbol(Symbol::Open)?;
        let parameters = self.list(Symbol::Close, |parser| parser.name("a parameter"))?;
        if parameters.len() > MOST_PARAMETERS {
            let message = format!("a function has at most {MOST_PARAMETERS} parameters");
            return Err(Diagnostic::new(name.span, message).help("split it into several functions"));
        }
        self.expect_symbol(Symbol::Equal)?;
        let body = self.expression()?;
        self.expect(&Token::Newline)?;
        Ok(Function { name, parameters, body })
    }

    /// Statements up to the end of their block.
    fn statements(&mut self) -> Result<Vec<Statement>> {
        let mut statements = vec![];
        while matches!(
            self.peek(),
            Token::Name(_) | Token::Word(Word::For | Word::While | Word::If)
        ) {
            statements.push(self.deeper(Self::statement)?);
        }
        Ok(statements)
    }

    /// What follows `do`, `then`, `else` or a label: a block below, or one statement on the line.
    fn block(&mut self, after: &str) -> Result<Vec<Statement>> {
        self.headed_block(after, |_| Ok(()))
    }

    /// The same where something may stand at the head of a block below.
    fn headed_block(
        &mut self,
        after: &str,
        head: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Vec<Statement>> {
        if self.peek() != &Token::Newline {
            return Ok(vec![self.deeper(Self::statement)?]);
        }
        self.advance();
        if !self.accept(&Token::Indent) {
            return Err(self
                .unexpected(&format!("an indented block after {after}"))
                .help("indent the lines that belong to it"));
        }
        head(self)?;
        let statements = self.statements()?;
        if statements.is_empty() || !self.accept(&Token::Dedent) {
            return Err(self.unexpected("a statement"));
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Word(Word::For) => self.for_loop()?,
            Token::Word(Word::While) => {
                self.advance();
                let condition = self.expression()?;
                self.expect_word(Word::Do)?;
                StatementKind::While { condition, body: self.block("`do`")? }
            }
            Token::Word(Word::If) => self.branch()?,
            Token::Name(_) if self.labels() => {
                let name = self.name("a label")?;
                self.advance();
                StatementKind::Label { name, body: self.block("the label")? }
            }
            Token::Name(name) if name == "break" && self.ends_here() => {
                self.advance();
                self.end_of_line()?;
                return Ok(Statement { kind: StatementKind::Break, span: start });
            }
            Token::Name(name) if name == "repeat" && self.peek_second() == &Token::Newline => {
                self.repeat()?
            }
            Token::Name(_) => self.assignment()?,
            _ => return Err(self.unexpected("a statement")),
        };
        let span = match &kind {
            StatementKind::Assign { value, .. } => start.to(value.span),
            StatementKind::Several { .. } | StatementKind::Swap(_) => start.to(self.end_of_last()),
            StatementKind::Repeat { .. } | StatementKind::Break => start,
            StatementKind::For(it) => start.to(it.to.span),
            StatementKind::While { condition, .. } | StatementKind::If { condition, .. } => {
                start.to(condition.span)
            }
            StatementKind::Label { name, .. } => name.span,
        };
        Ok(Statement { kind, span })
    }

    /// Whether a statement of one word ends behind it.
    fn ends_here(&self) -> bool {
        matches!(self.peek_second(), Token::Newline | Token::Word(Word::Else))
    }

    /// The last token before the end of the line that was read last.
    fn end_of_last(&self) -> Span {
        let before = &self.tokens[..self.at];
        let last = before.iter().rev().find(|it| it.span.start < it.span.end);
        last.map_or_else(|| self.span(), |it| it.span)
    }

    fn repeat(&mut self) -> Result<StatementKind> {
        self.advance();
        let body = self.block("`repeat`")?;
        if !self.accept_name("until") {
            return Err(self
                .unexpected("`until`")
                .help("a `repeat` ends in `until` and a condition"));
        }
        let until = self.expression()?;
        self.end_of_line()?;
        Ok(StatementKind::Repeat { body, until })
    }

    /// Whether a label stands here; with a type behind its colon a name is a register.
    fn labels(&self) -> bool {
        let third = self.tokens.get(self.at + 2).map(|it| &it.token);
        *self.peek_second() == Token::Symbol(Symbol::Colon)
            && !matches!(third, Some(Token::Type(_)))
    }

    fn for_loop(&mut self) -> Result<StatementKind> {
        self.advance();
        let variable = self.name("the loop variable")?;
        if !self.accept_symbol(Symbol::Arrow) {
            return Err(self.unexpected("`←`").help("write `for i ← 0 to n-1 do`"));
        }
        let from = self.expression()?;
        let downward = self.accept_word(Word::Downto);
        if !downward && !self.accept_word(Word::To) {
            return Err(self.unexpected("`to` or `downto`"));
        }
        let to = self.expression()?;
        let step = if self.accept_word(Word::Step) { Some(self.expression()?) } else { None };
        // `do in parallel` as the papers print it, or `in parallel do`.
        let mut order = self.order()?;
        self.expect_word(Word::Do)?;
        if order == Order::InTurn {
            order = self.order()?;
        }
        let body = match &mut order {
            Order::OnDmms { arrays, .. } => self.headed_block("`do`", |parser| {
                while let Some(role) = parser.local_role() {
                    arrays.push(parser.array(role)?);
                    parser.expect(&Token::Newline)?;
                }
                Ok(())
            })?,
            Order::InTurn | Order::InParallel => self.block("`do`")?,
        };
        Ok(StatementKind::For(For { variable, from, to, downward, step, order, body }))
    }

    fn order(&mut self) -> Result<Order> {
        if !self.accept_word(Word::In) {
            return Ok(Order::InTurn);
        }
        self.expect_word(Word::Parallel)?;
        // None of these words is reserved.
        if !self.accept_name("on") {
            return Ok(Order::InParallel);
        }
        if !self.accept_name("DMMs") {
            return Err(self.unexpected("`DMMs`").help("write `in parallel on DMMs`"));
        }
        let threads = if self.accept_name("with") {
            let threads = Box::new(self.expression()?);
            if !self.accept_name("threads") {
                return Err(self.unexpected("`threads`").help("write `with q threads`"));
            }
            Some(threads)
        } else {
            None
        };
        Ok(Order::OnDmms { threads, arrays: vec![] })
    }

    fn accept_name(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(name) if name == word);
        if found {
            self.advance();
        }
        found
    }

    /// The role with which a declaration at the head of a loop on DMMs begins here: neither word is
    /// reserved, but no statement begins with two names.
    fn local_role(&self) -> Option<Role> {
        let Token::Name(word) = self.peek() else { return None };
        let role = [Role::Shared, Role::Register].into_iter().find(|it| it.word() == word)?;
        self.begins_with(role.word()).then_some(role)
    }

    fn branch(&mut self) -> Result<StatementKind> {
        self.advance();
        let condition = self.expression()?;
        self.expect_word(Word::Then)?;
        let then = self.block("`then`")?;
        let otherwise = if self.accept_word(Word::Else) { self.block("`else`")? } else { vec![] };
        Ok(StatementKind::If { condition, then, otherwise })
    }

    fn assignment(&mut self) -> Result<StatementKind> {
        let target = self.name("a scalar or an array")?;
        let declared = if self.accept_symbol(Symbol::Colon) { Some(self.element()?) } else { None };
        let begins = matches!(
            self.peek(),
            Token::Symbol(Symbol::Arrow | Symbol::OpenIndex | Symbol::Comma | Symbol::Swap)
        );
        if !begins
            && declared.is_none()
            && let Some((what, help)) = foreign(&target.text)
        {
            return Err(Diagnostic::new(target.span, what).help(help));
        }
        let indices = if declared.is_none() && self.accept_symbol(Symbol::OpenIndex) {
            let indices = self.list(Symbol::CloseIndex, Self::expression)?;
            if indices.is_empty() {
                return Err(Diagnostic::new(
                    self.last_span(),
                    "an array reference without an index",
                ));
            }
            indices
        } else {
            vec![]
        };
        if declared.is_none() && matches!(self.peek(), Token::Symbol(Symbol::Comma | Symbol::Swap))
        {
            return self.several(Target { name: target, indices });
        }
        if !self.accept_symbol(Symbol::Arrow) {
            let error = self.unexpected("`←`");
            return Err(match self.peek() {
                Token::Symbol(Symbol::Equal) => {
                    error.help("`=` compares; an assignment is written `←` or `<-`")
                }
                Token::Symbol(Symbol::Open) => error.help(format!(
                    "a call is no statement: assign its value, as in `x ← {}(…)`",
                    target.text
                )),
                _ if declared.is_some() => error
                    .help("a register is declared by its first assignment, as in `h : u32 ← 0`"),
                _ => error,
            });
        }
        let value = self.expression()?;
        self.end_of_line()?;
        Ok(StatementKind::Assign { target, declared, indices, value })
    }

    /// `x, y ← e, f` and `x ↔ y`, behind the first target.
    fn several(&mut self, first: Target) -> Result<StatementKind> {
        let mut targets = vec![first];
        let is_swap = self.peek() == &Token::Symbol(Symbol::Swap);
        while self.accept_symbol(Symbol::Comma) || (is_swap && self.accept_symbol(Symbol::Swap)) {
            let name = self.name("a scalar or an array")?;
            let indices = if self.accept_symbol(Symbol::OpenIndex) {
                self.list(Symbol::CloseIndex, Self::expression)?
            } else {
                vec![]
            };
            targets.push(Target { name, indices });
        }
        if is_swap {
            self.end_of_line()?;
            let count = targets.len();
            return <[Target; 2]>::try_from(targets).map(StatementKind::Swap).map_err(|targets| {
                let message = format!("`↔` swaps two, not {count}");
                Diagnostic::new(targets[0].name.span, message)
                    .help("assign several at once: `x, y, z ← y, z, x`")
            });
        }
        self.expect_symbol(Symbol::Arrow)?;
        let mut values = vec![self.expression()?];
        while self.accept_symbol(Symbol::Comma) {
            values.push(self.expression()?);
        }
        if values.len() != targets.len() {
            let (given, wanted) = (values.len(), targets.len());
            let span = values[0].span.to(self.last_span());
            let message = format!("{given} values for {wanted} targets");
            return Err(Diagnostic::new(span, message).help("write one value for each target"));
        }
        self.end_of_line()?;
        Ok(StatementKind::Several { targets, values })
    }

    /// A simple statement ends its line, unless an `else` of a one-line `if` follows.
    fn end_of_line(&mut self) -> Result<()> {
        if matches!(self.peek(), Token::Word(Word::Else)) || self.accept(&Token::Newline) {
            return Ok(());
        }
        Err(self.unexpected("the end of the line"))
    }

    fn expression(&mut self) -> Result<Expr> {
        self.deeper(|parser| parser.binary(0))
    }
}
