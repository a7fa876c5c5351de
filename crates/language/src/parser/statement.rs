//! Statements and blocks.

use super::{Parser, Result, foreign};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::{Symbol, Token, Word};
use crate::syntax::{
    ExprNode, ExprNodeKind, ForNode, Name, Order, Role, StatementKind, StatementNode, Target,
};

impl Parser {
    /// Statements up to the end of their block.
    pub(super) fn statements(&mut self) -> Result<Vec<StatementNode>> {
        let mut statements = vec![];
        while matches!(
            self.peek(),
            Token::Name(_) | Token::Word(Word::For | Word::While | Word::If)
        ) {
            let is_fork = self.begins_fork();
            statements.push(self.deeper(if is_fork { Self::fork } else { Self::statement })?);
        }
        Ok(statements)
    }

    /// What follows `do`, `then`, `else` or a label: a block below, or one statement on the line.
    pub(super) fn block(&mut self, after: &str) -> Result<Vec<StatementNode>> {
        self.headed_block(after, |_| Ok(()))
    }

    /// The same where something may stand at the head of a block below.
    fn headed_block(
        &mut self,
        after: &str,
        head: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Vec<StatementNode>> {
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
            return Err(self.no_statement());
        }
        Ok(statements)
    }

    pub(super) fn statement(&mut self) -> Result<StatementNode> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Word(Word::For) => self.for_loop()?,
            Token::Word(Word::While) => {
                self.advance();
                let condition = self.expression()?;
                self.expect_word(Word::Do)?;
                let mut decreases = None;
                let body = self.headed_block("`do`", |parser| {
                    decreases = parser.decreases()?;
                    Ok(())
                })?;
                StatementKind::While { condition, decreases, body }
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
                return Ok(StatementNode { kind: StatementKind::Break, span: start });
            }
            Token::Name(name) if name == "return" && self.begins_operand() => self.returns()?,
            Token::Name(name) if name == "repeat" && self.peek_second() == &Token::Newline => {
                self.repeat()?
            }
            Token::Name(_) if self.begins_atomic() => self.atomic(None)?,
            Token::Name(_) => self.assignment()?,
            _ => return Err(self.unexpected("a statement")),
        };
        let span = match &kind {
            StatementKind::Assign { value, .. } | StatementKind::Atomic { value, .. } => {
                start.to(value.span)
            }
            StatementKind::Several { .. }
            | StatementKind::Swap(_)
            | StatementKind::Call { .. }
            | StatementKind::Return { .. } => start.to(self.end_of_last()),
            StatementKind::Repeat { .. } | StatementKind::Break => start,
            StatementKind::For(it) => start.to(it.to.span),
            StatementKind::While { condition, .. } | StatementKind::If { condition, .. } => {
                start.to(condition.span)
            }
            StatementKind::Label { name, .. } => name.span,
            StatementKind::Fork { .. } => start,
        };
        Ok(StatementNode { kind, span })
    }

    /// The line `decreases e` at the head of a loop, if it stands here: the word is not reserved.
    fn decreases(&mut self) -> Result<Option<ExprNode>> {
        let is_clause =
            matches!(self.peek(), Token::Name(it) if it == "decreases") && self.begins_operand();
        if !is_clause {
            return Ok(None);
        }
        self.advance();
        let measure = self.expression()?;
        self.end_of_line()?;
        Ok(Some(measure))
    }

    /// Nothing is assigned to what is called `return` or `decreases` here.
    fn begins_operand(&self) -> bool {
        use Symbol::{Arrow, Colon, Comma, OpenIndex, Swap};
        !matches!(self.peek_second(), Token::Symbol(Arrow | Colon | Comma | OpenIndex | Swap))
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
        let [third, fourth] = [2, 3].map(|by| self.tokens.get(self.at + by).map(|it| &it.token));
        let is_type = third
            .and_then(Token::element)
            .is_some_and(|it| it.is_reserved() || fourth == Some(&Token::Symbol(Symbol::Arrow)));
        *self.peek_second() == Token::Symbol(Symbol::Colon) && !is_type
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
        let roles: &[Role] = match order {
            Order::OnDmms { .. } => &[Role::Shared, Role::Register],
            Order::InParallel => &[Role::Register],
            Order::InTurn => &[],
        };
        let mut arrays = vec![];
        let body = self.headed_block("`do`", |parser| {
            while let Some(role) = roles.iter().find(|it| parser.begins_with(it.word())) {
                arrays.push(parser.array(*role)?);
                parser.expect(&Token::Newline)?;
            }
            Ok(())
        })?;
        Ok(StatementKind::For(ForNode { variable, from, to, downward, step, order, arrays, body }))
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
        Ok(Order::OnDmms { threads })
    }

    pub(super) fn accept_name(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(name) if name == word);
        if found {
            self.advance();
        }
        found
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
        if declared.is_none() && self.peek() == &Token::Symbol(Symbol::Open) {
            return self.call(target);
        }
        if !begins
            && declared.is_none()
            && let Some((what, help)) = foreign(&target.text)
        {
            return Err(Diagnostic::new(target.span, what).help(help));
        }
        let indices = if declared.is_none() && self.accept_symbol(Symbol::OpenIndex) {
            let indices = self.indices(&target)?;
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
                _ if declared.is_some() => error
                    .help("a register is declared by its first assignment, as in `h : u32 ← 0`"),
                // Two names in a row: what other languages call `temp`, `local` or `float`.
                Token::Name(_) => error.help(
                    "an array is declared above the first statement, as in `work t[n] : f32`; a \
                     register by its first assignment",
                ),
                _ => error,
            });
        }
        if declared.is_none() && indices.is_empty() && self.begins_atomic() {
            return self.atomic(Some(target));
        }
        self.accept_spawn();
        let value = self.expression()?;
        self.end_of_line()?;
        Ok(StatementKind::Assign { target, declared, indices, value })
    }

    /// Behind the opening bracket, of what is assigned to; a record's field is the last.
    fn indices(&mut self, of: &Name) -> Result<Vec<ExprNode>> {
        let mut indices = self.list(Symbol::CloseIndex, Self::index)?;
        self.field(&of.text, &mut indices)?;
        Ok(indices)
    }

    /// The word `atomic` is not reserved: it stands before a name.
    fn begins_atomic(&self) -> bool {
        matches!(self.peek(), Token::Name(word) if word == "atomic")
            && matches!(self.peek_second(), Token::Name(_))
    }

    /// `atomic a[i] ← value`.
    fn atomic(&mut self, result: Option<Name>) -> Result<StatementKind> {
        self.advance();
        let name = self.name("an array")?;
        let indices =
            if self.accept_symbol(Symbol::OpenIndex) { self.indices(&name)? } else { vec![] };
        self.expect_symbol(Symbol::Arrow)?;
        let value = self.expression()?;
        self.end_of_line()?;
        Ok(StatementKind::Atomic { result, target: Target { name, indices }, value })
    }

    /// `x, y ← e, f` and `x ↔ y`, behind the first target.
    fn several(&mut self, first: Target) -> Result<StatementKind> {
        let mut targets = vec![first];
        let is_swap = self.peek() == &Token::Symbol(Symbol::Swap);
        while self.accept_symbol(Symbol::Comma) || (is_swap && self.accept_symbol(Symbol::Swap)) {
            let name = self.name("a scalar or an array")?;
            let indices =
                if self.accept_symbol(Symbol::OpenIndex) { self.indices(&name)? } else { vec![] };
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
        self.accept_spawn();
        let mut values = vec![self.expression()?];
        while self.accept_symbol(Symbol::Comma) {
            values.push(self.expression()?);
        }
        // What one value may be that several targets take.
        let is_several = matches!(
            &values[..],
            [ExprNode { kind: ExprNodeKind::Call { .. } | ExprNodeKind::Element { .. }, .. }]
        );
        if values.len() != targets.len() && !is_several {
            let (given, wanted) = (values.len(), targets.len());
            let span = values[0].span.to(self.last_span());
            let message = format!("{given} values for {wanted} targets");
            return Err(Diagnostic::new(span, message).help("write one value for each target"));
        }
        self.end_of_line()?;
        Ok(StatementKind::Several { targets, values })
    }

    /// A simple statement ends its line, unless an `else` of a one-line `if` follows.
    pub(super) fn end_of_line(&mut self) -> Result<()> {
        if matches!(self.peek(), Token::Word(Word::Else)) || self.accept(&Token::Newline) {
            return Ok(());
        }
        Err(self.unexpected("the end of the line"))
    }
}
