//! Loops of C: those that count are `for` loops, all others `while` loops.

use std::collections::HashSet;

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::element::typed;
use crate::notation::output::{spaced, words};
use crate::notation::pragma::Parallel;
use crate::notation::token::{Token, closing, position, split};

/// `for (i = from; i < to; i += by)`.
pub(super) struct Counted {
    pub(super) variable: Token,
    pub(super) from: Vec<Token>,
    /// What the variable is compared with, and how.
    pub(super) bound: Vec<Token>,
    pub(super) sign: String,
    /// The last iteration.
    to: Vec<Token>,
    pub(super) downward: bool,
    pub(super) step: Option<Vec<Token>>,
}

impl Reader {
    /// `for (int x : a)`: every element of an array.
    pub(super) fn for_each(&mut self, word: &Token, inside: &[Token]) -> Result<()> {
        let Some(at) = position(inside, &[":"]) else {
            return Err(Diagnostic::new(word.span, "this `for` has no three parts")
                .help("write `for (i = 0; i < n; i++)`"));
        };
        let ([.., name], [array]) = (&inside[..at], &inside[at + 1..]) else {
            return Err(Diagnostic::new(word.span, "a loop over the elements of what is no array")
                .help("write `for (i = 0; i < n; i++)`"));
        };
        let index = word.with(self.out.fresh("e"));
        let (name, array) = (Token::variable(name), Token::variable(array));
        self.arrays.push(array.text.clone());
        let head = format!("for {} ← 0 to length({}) - 1 do", index.text, array.text);
        self.out.line(words(word, &head, &[]));
        let element = words(&name, &format!("{} [ {} ]", array.text, index.text), &[]);
        let is_reference = inside[..at].iter().any(|it| it.is_any(&["&", "&&"]));
        if is_reference && !inside[0].is("const") {
            // What it is given is given to the element.
            let end = (self.at + self.body_tokens().len()).min(self.tokens.len());
            for place in (self.at..end).rev() {
                if self.tokens[place].is(&name.text) {
                    self.replace(place, place + 1, element.clone());
                }
            }
            return self.inner_body();
        }
        self.out.depth += 1;
        self.out.line(words(&name, "{} ← {}", &[std::slice::from_ref(&name), &element]));
        self.out.depth -= 1;
        self.inner_body()
    }

    pub(super) fn for_loop(&mut self, word: &Token, parallel: Option<&Parallel>) -> Result<()> {
        let inside = self.bracketed()?;
        let parts = split(&inside, &[";"]);
        let [start, condition, advance] = parts[..] else {
            return self.for_each(word, &inside);
        };
        if advance.is_empty() && condition.iter().take(2).any(|it| it.is_any(&["++", "--"])) {
            self.start(start, word)?;
            if self.while_stepping(word, condition)? {
                return Ok(());
            }
        }
        let body = self.body_tokens();
        let counted = self.counted(start, condition, advance, &body);
        if let (Some(counted), Some(typed)) = (&counted, typed(start).filter(|it| it.length > 0)) {
            self.declare(&counted.variable.text, typed.element);
        }
        let is_declared = typed(start).is_some_and(|it| it.length > 0);
        let counted = match counted {
            Some(it) if parallel.is_none() && !is_declared && self.is_read_behind(&it.variable) => {
                None
            }
            Some(it) if self.counts_in_order(word, &it)? => Some(it),
            _ => None,
        };
        let Some(counted) = counted else {
            if parallel.is_some() {
                return Err(Diagnostic::new(word.span, "this parallel loop does not count")
                    .help("write it as `for (i = a; i < b; i++)`, with a body that changes neither i nor b"));
            }
            return self.as_while(word, start, condition, advance);
        };
        let Counted { variable, from, to, downward, step, .. } = counted;
        self.wide.insert(variable.text.clone());
        let known = self.is_natural_from(&from, &to, downward);
        let (from, to) = (self.value(&from)?, self.value(&to)?);
        let mut head =
            words(word, "for {} ← {} to {}", &[std::slice::from_ref(&variable), &from, &to]);
        if downward {
            head.iter_mut().filter(|it| it.is("to")).for_each(|it| it.text = "downto".to_owned());
        }
        if let Some(step) = &step {
            head.push(Token::made("step", word));
            head.extend(spaced(self.value(step)?));
        }
        head.push(Token::made("do", word));
        if parallel.is_some() {
            head.extend([Token::made("in", word), Token::made("parallel", word)]);
        }
        self.out.line(head);
        let is_new = known && self.known.naturals.insert(variable.text.clone());
        self.advances.push(vec![]);
        if let Some(parallel) = parallel {
            self.parallel_body(parallel, word)?;
        } else {
            self.body()?;
        }
        self.advances.pop();
        if is_new {
            self.known.naturals.remove(&variable.text);
        }
        Ok(())
    }

    /// The tokens of the statement that stands here.
    pub(super) fn body_tokens(&self) -> Vec<Token> {
        let rest = &self.tokens[self.at..];
        let end = match rest.first() {
            Some(brace) if brace.is("{") => closing(rest, 0).unwrap_or(rest.len()),
            // Loops and branches directly inside are looked through up to the first semicolon outside.
            _ => position(rest, &[";", "}"]).unwrap_or(rest.len()),
        };
        rest[..end].to_vec()
    }

    /// Whether a variable keeps its value behind the loop, where it is read before it is given another.
    fn is_read_behind(&self, variable: &Token) -> bool {
        let from = self.at + self.whole_statement().len();
        let rest = self.tokens.get(from..self.end.min(self.tokens.len())).unwrap_or_default();
        let Some(at) = rest.iter().position(|it| it.is(&variable.text)) else { return false };
        let is_declared = at > 0 && (rest[at - 1].is_name() && !rest[at - 1].is("return"));
        !is_declared && !rest.get(at + 1).is_some_and(|it| it.is("="))
    }

    fn counted(
        &self,
        start: &[Token],
        condition: &[Token],
        advance: &[Token],
        body: &[Token],
    ) -> Option<Counted> {
        let start = match start {
            [of, rest @ ..] if of.is_name() && rest.first().is_some_and(Token::is_name) => {
                let skip = rest.iter().take_while(|it| it.is_name()).count() - 1;
                &rest[skip..]
            }
            all => all,
        };
        let [variable, arrow, from @ ..] = start else { return None };
        if !arrow.is("=") || position(from, &[",", "="]).is_some() {
            return None;
        }
        let is_variable = |it: &Token| it.is(&variable.text);
        let at = position(condition, &["<", "<=", ">", ">=", "!="])?;
        let (left, sign, right) = (&condition[..at], &condition[at], &condition[at + 1..]);
        if position(condition, &["&&", "||", ",", "?"]).is_some() {
            return None;
        }
        let (sign, bound) = match (left, right) {
            ([name], _) if is_variable(name) => (sign.text.clone(), right),
            (_, [name]) if is_variable(name) => {
                let turned = match sign.text.as_str() {
                    "<" => ">",
                    "<=" => ">=",
                    ">" => "<",
                    ">=" => "<=",
                    other => other,
                };
                (turned.to_owned(), left)
            }
            _ => return None,
        };
        let (is_down, step) = advance_of(variable, advance)?;
        let step = step.filter(|it| !matches!(&it[..], [one] if one.is("1")));
        // A step that is no number may be negative.
        let is_number = |it: &Vec<Token>| matches!(&it[..], [one] if one.is_number() || self.known.naturals.contains(&one.text));
        let may_turn = step.as_ref().is_some_and(|it| !is_number(it) && !self.is_size(it));
        let (inclusive, exclusive) = if is_down { (">=", ">") } else { ("<=", "<") };
        let is_by_one = step.is_none();
        let offset = match sign.as_str() {
            it if it == inclusive => 0,
            it if it == exclusive => 1,
            "!=" if is_by_one => 1,
            _ => return None,
        };
        // Their values while the loop runs are those before it only if its body leaves them alone.
        let changes = |name: &str| changed(body).contains(name);
        let of_bounds = bound.iter().chain(step.iter().flatten()).filter(|it| it.is_name());
        let reads_memory = bound.iter().any(|it| it.is("["));
        if changes(&variable.text)
            || of_bounds.clone().any(|it| changes(&it.text))
            || reads_memory
            || may_turn
        {
            return None;
        }
        if bound.is_empty() {
            return None;
        }
        let mut to = bound.to_vec();
        if offset == 1 {
            let loose = position(&to, &["?", "<<", ">>", "&", "|", "^"]).is_some();
            if loose {
                to.insert(0, to[0].with("("));
                to.push(to[0].with(")"));
            }
            let last = to[to.len() - 1].clone();
            to.extend([last.with(if is_down { "+" } else { "-" }), last.with("1")]);
        }
        Some(Counted {
            variable: Token::variable(variable),
            from: from.to_vec(),
            bound: bound.to_vec(),
            sign,
            to,
            downward: is_down,
            step,
        })
    }

    /// Names alone that are never assigned.
    fn is_size(&self, tokens: &[Token]) -> bool {
        let all = changed(&self.tokens);
        tokens.iter().all(|it| !it.is_name() || !all.contains(&it.text))
            && !tokens.iter().any(|it| it.is("-"))
    }

    /// Whether a loop variable is never negative.
    fn is_natural_from(&mut self, from: &[Token], to: &[Token], downward: bool) -> bool {
        let lowest = if downward { to } else { from };
        if lowest.iter().any(|it| it.is("-")) {
            return matches!(lowest, [n, minus, one] if minus.is("-") && one.is("1") && self.known.naturals.contains(&format!("{} >= 1", n.text)));
        }
        lowest.iter().all(|it| !it.is_name() || self.known.naturals.contains(&it.text))
    }

    fn as_while(
        &mut self,
        word: &Token,
        start: &[Token],
        condition: &[Token],
        advance: &[Token],
    ) -> Result<()> {
        self.scopes.push(HashSet::new());
        self.start(start, word)?;
        self.head_of_while(word, condition)?;
        self.advances.push(advance.to_vec());
        self.body()?;
        self.advances.pop();
        self.out.depth += 1;
        self.simple(advance)?;
        self.out.depth -= 1;
        self.scopes.pop();
        Ok(())
    }

    /// Names that bound loops, or arrays.
    fn counts(&self) -> HashSet<String> {
        let mut found = HashSet::new();
        let mut add = |tokens: &[Token]| {
            found.extend(tokens.iter().filter(|it| it.is_name()).map(|it| it.text.clone()));
        };
        for (at, token) in self.tokens.iter().enumerate() {
            let Some(close) = closing(&self.tokens, at + 1) else { continue };
            if token.is("for") {
                let inside = &self.tokens[at + 2..close];
                split(inside, &[";"]).get(1).into_iter().for_each(|it| add(it));
            } else if token.is("malloc") || token.is_name() && self.tokens[at + 1].is("[") {
                let declares = at > 0 && self.tokens[at - 1].is_name() || token.is("malloc");
                if declares {
                    add(&self.tokens[at + 2..close]);
                }
            }
        }
        found
    }

    /// Whether only the heads of `for` loops change a name.
    pub(super) fn only_counts(&self, name: &str) -> bool {
        let (mut outside, mut at) = (vec![], 0);
        while at < self.tokens.len() {
            if self.tokens[at].is("for") {
                at = closing(&self.tokens, at + 1).unwrap_or(at);
            } else {
                outside.push(self.tokens[at].clone());
            }
            at += 1;
        }
        !changed(&outside).contains(name)
    }

    /// Names that are never negative: arguments that nothing changes are sizes.
    pub(super) fn find_naturals(&mut self) {
        let changed = changed(&self.tokens);
        let names = self.tokens.windows(2).filter(|it| it[0].is("int") && it[1].is_name());
        let names: Vec<String> = names.map(|it| it[1].text.clone()).collect();
        let counts = self.counts();
        let sizes = names.iter().filter(|it| !changed.contains(*it) && counts.contains(*it));
        let defined = self.out.hints.defaults.iter().filter(|it| it.1 > 0).map(|it| &it.0.text);
        for name in sizes.chain(defined).cloned().collect::<Vec<_>>() {
            self.known.naturals.insert(format!("{name} >= 1"));
            self.known.naturals.insert(name);
        }
        // Variables that are only ever given numbers, or raised.
        let unsigned =
            self.tokens.windows(3).filter(|it| it[0].is("unsigned") || it[0].is("size_t"));
        let unsigned: Vec<String> =
            unsigned.flat_map(|it| [it[1].text.clone(), it[2].text.clone()]).collect();
        self.known.naturals.extend(unsigned);
    }
}

/// The names that a text assigns.
pub(super) fn changed(tokens: &[Token]) -> HashSet<String> {
    let signs = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
    let mut found = HashSet::new();
    for (at, token) in tokens.iter().enumerate() {
        if !token.is_any(&signs) {
            continue;
        }
        if let Some(before) = at.checked_sub(1).map(|it| &tokens[it])
            && before.is_name()
        {
            found.insert(before.text.clone());
        }
        if token.is_any(&["++", "--"])
            && let Some(next) = tokens.get(at + 1)
            && next.is_name()
        {
            found.insert(next.text.clone());
        }
    }
    for it in tokens.windows(3).filter(|it| it[0].is("&") && (it[1].is_name())) {
        // `swap(&a, &b)` changes both.
        found.insert(it[1].text.clone());
    }
    found
}

/// Whether the third part of a `for` counts down, and by what if it is not 1.
fn advance_of(variable: &Token, advance: &[Token]) -> Option<(bool, Option<Vec<Token>>)> {
    let is_variable = |it: &Token| it.is(&variable.text);
    Some(match advance {
        [name, sign] | [sign, name] if is_variable(name) && sign.is_any(&["++", "--"]) => {
            (sign.is("--"), None)
        }
        [name, sign, by @ ..] if is_variable(name) && sign.is_any(&["+=", "-="]) => {
            (sign.is("-="), Some(by.to_vec()))
        }
        [name, equal, again, sign, by @ ..]
            if is_variable(name)
                && is_variable(again)
                && equal.is("=")
                && sign.is_any(&["+", "-"])
                && position(by, &["+", "-", "<<", ">>", "&", "|", "<", ">"]).is_none() =>
        {
            (sign.is("-"), Some(by.to_vec()))
        }
        _ => return None,
    })
}
