//! What stands above the statements: the name with its parameters, arrays with the indices they have.

use std::collections::HashSet;

use super::expression::{Array, Declarations, at_place, integer, plus};
use super::layout::{Item, LineKind};
use super::token::bracketed;
use super::token::{Token, closing, position, split};

/// What declares an array.
const ROLES: [&str; 6] = ["input", "output", "inout", "work", "shared", "register"];
/// What else stands above the statements.
const OTHERS: [&str; 6] = ["function", "answer", "constant", "reference", "ensures", "requires"];

impl Declarations {
    /// Reads the declarations, and puts them and the head into the plain form.
    pub(super) fn of(items: &mut [Item]) -> Self {
        let mut known = Self::default();
        for Item { tokens, .. } in items.iter() {
            // What is glued to a number is known if it stands elsewhere, too.
            let words = (0..tokens.len()).filter(|&at| {
                let is_glued = at > 0 && tokens[at - 1].is_number() && tokens[at].blank.is_empty();
                tokens[at].is_name() && !is_glued
            });
            known.words.extend(words.map(|at| tokens[at].text.clone()));
            if tokens.first().is_some_and(|it| !ROLES.contains(&it.text.as_str())) {
                let pairs = tokens.windows(2).filter(|it| it[1].is_any(&["[", "("]));
                known.bracketed.extend(pairs.map(|it| it[0].text.clone()));
            }
        }
        let head = items.iter().position(|it| !it.tokens.is_empty());
        for (index, item) in items.iter_mut().enumerate() {
            let [word, name, ..] = &item.tokens[..] else { continue };
            if Some(index) == head || name.assigns() || !name.is_name() && !word.is("answer") {
                continue;
            }
            let word = word.text.clone();
            if ROLES.contains(&word.as_str()) {
                let is_local = ["shared", "register"].contains(&word.as_str());
                let kind = if is_local { LineKind::Statement } else { LineKind::Declaration };
                let tokens = known.array(&item.tokens);
                item.set(kind, tokens);
            } else if OTHERS.contains(&word.as_str()) {
                if word == "function" {
                    known.functions.insert(name.text.clone());
                }
                item.kind = LineKind::Declaration;
            }
        }
        if let Some(head) = head {
            let tokens = std::mem::take(&mut items[head].tokens);
            let tokens = known.head(&tokens, items);
            items[head].set(LineKind::Declaration, tokens);
        }
        known
    }

    /// `input A[1..n, 0..m] : f32`, whose extents the plain form has.
    fn array(&mut self, tokens: &[Token]) -> Vec<Token> {
        let name = &tokens[1];
        let (mut array, mut end) = (Array::default(), 2);
        let mut printed: Vec<Vec<Token>> = vec![];
        while tokens.get(end).is_some_and(|it| it.is("[")) {
            let Some(close) = closing(tokens, end) else { return tokens.to_vec() };
            for part in split(&tokens[end + 1..close], &[","]) {
                let (range, extent) = self.range(part);
                printed.push(range);
                array.extents.push(extent);
            }
            end = close + 1;
        }
        let mut plain = tokens[..2].to_vec();
        for (dimension, mut range) in printed.into_iter().enumerate() {
            plain.push(Token::glued(if dimension == 0 { "[" } else { "," }, name));
            if let Some(first) = range.first_mut() {
                first.blank = if dimension == 0 { String::new() } else { " ".to_owned() };
            }
            plain.extend(range);
        }
        if !array.extents.is_empty() {
            plain.push(Token::glued("]", &tokens[end - 1]));
        }
        plain.extend_from_slice(&tokens[end..]);
        self.arrays.insert(name.text.clone(), array);
        plain
    }

    /// The range of indices in the plain form, and how many there are.
    fn range(&self, part: &[Token]) -> (Vec<Token>, Vec<Token>) {
        let Some(at) = position(part, &["..", "...", ". . .", "…", ":"]) else {
            let extent = self.rewrite(part);
            return (extent.clone(), extent);
        };
        let (from, to) = (self.rewrite(&part[..at]), self.rewrite(&part[at + 1..]));
        let range = [from.clone(), vec![part[at].with("..")], to.clone()].concat();
        let extent = match (integer(&from), to.last().cloned()) {
            (Some(from), _) => plus(to, 1_i64.saturating_sub(from)),
            (None, Some(last)) => {
                let mut extent = to;
                extent.push(Token::made("-", &last));
                let mut inner = bracketed(at_place(&from, &last));
                inner.iter_mut().take(1).for_each(|it| it.blank = " ".to_owned());
                extent.extend(inner);
                plus(extent, 1)
            }
            (None, None) => part.to_vec(),
        };
        (range, extent)
    }

    /// `algorithm name(n, m)`, from whatever a paper has. Arrays are no parameters; what extents are
    /// made of is one.
    fn head(&self, tokens: &[Token], items: &[Item]) -> Vec<Token> {
        let words = ["algorithm", "procedure", "program", "function", "subroutine"];
        let first = &tokens[0];
        let is_said = first.is_any(&words);
        let is_called = first.is_name()
            && tokens.last().is_some_and(|it| it.is(")"))
            && position(tokens, &["("])
                .is_some_and(|at| closing(tokens, at) == Some(tokens.len() - 1))
            && tokens.iter().all(|it| !it.assigns() && !it.is("["));
        let is_title = first.is_name()
            && !first.is_any(&["for", "while", "if", "repeat"])
            && !ROLES.contains(&first.text.as_str())
            && tokens.iter().all(|it| it.is_name() || it.is_any(&["-", "–"]));
        if !is_said && !is_called && !is_title {
            return tokens.to_vec();
        }
        let mut title = if is_said { &tokens[1..] } else { tokens };
        while title.first().is_some_and(|it| it.is_number() || it.is_any(&[".", ":"])) {
            title = &title[1..];
        }
        let mut arguments: &[Token] = &[];
        if let Some(open) = position(title, &["("])
            && let Some(close) = closing(title, open)
        {
            (title, arguments) = if open == 0 {
                (&title[1..close], &title[..0])
            } else {
                (&title[..open], &title[open + 1..close])
            };
        }
        let parts: Vec<&str> = title
            .iter()
            .filter(|it| it.is_name() || it.is_number())
            .map(|it| it.text.as_str())
            .collect();
        let is_plain = first.is("algorithm") && title.len() == 1;
        let place = title.iter().fold(title.first().unwrap_or(first).clone(), |name, it| Token {
            span: name.span.to(it.span),
            ..name
        });
        let name = match parts[..] {
            [] => "listing".to_owned(),
            _ => parts.join("_"),
        };
        let below = items.iter().flat_map(|it| &it.tokens).filter(|it| it.is_name());
        let below: HashSet<&str> = below.map(|it| it.text.as_str()).collect();
        let mut given: HashSet<&str> = HashSet::new();
        let mut kept: Vec<Vec<Token>> = vec![];
        for part in split(arguments, &[","]) {
            let Some(name) = part.first() else { continue };
            let whole = part.iter().any(|it| it.is("=")) || part.len() == 1;
            let is_used = is_plain || below.contains(name.text.as_str());
            if whole && is_used && !self.arrays.contains_key(&name.text) && given.insert(&name.text)
            {
                kept.push(part.to_vec());
            }
        }
        let declared = items.iter().filter(|it| it.kind == LineKind::Declaration);
        let in_order = declared.filter_map(|it| self.arrays.get(&it.tokens.get(1)?.text));
        for token in in_order.flat_map(|it| it.extents.iter().flatten()) {
            let is_parameter = token.is_name()
                && !token.is_any(&["mod", "min", "max", "xor"])
                && !self.functions.contains(&token.text);
            if is_parameter && given.insert(&token.text) {
                kept.push(vec![Token::made(&token.text, token)]);
            }
        }
        let mut plain = vec![first.with("algorithm")];
        plain.push(if is_plain { title[0].clone() } else { Token::made(name, &place) });
        plain.push(Token::glued("(", &place));
        for (index, mut parameter) in kept.into_iter().enumerate() {
            parameter[0].blank = if index == 0 { String::new() } else { " ".to_owned() };
            if index > 0 {
                plain.push(Token::glued(",", &place));
            }
            plain.extend(parameter);
        }
        plain.push(Token::glued(")", &place));
        plain
    }

    /// The last statement, `return e`: nothing where `e` is an array, else what the only output of one
    /// word gets, or the answer.
    pub(super) fn returned(&self, items: &mut Vec<Item>) {
        let code = |it: &Item| it.kind == LineKind::Statement;
        let Some(last) = items.iter().rposition(code) else { return };
        let [word, value @ ..] = &items[last].tokens[..] else { return };
        if !word.is_word("return") || value.first().is_some_and(Token::assigns) {
            return;
        }
        let names = || value.iter().filter(|it| it.is_name());
        let is_array = |it: &Token| self.arrays.contains_key(&it.text);
        if names().all(is_array) && !value.iter().any(|it| it.is("[")) {
            return items[last].say();
        }
        let one_word = items.iter().filter(|it| {
            matches!(&it.tokens[..], [role, name, open, one, close, ..]
                if role.is("output") && is_array(name) && open.is("[") && one.is("1") && close.is("]"))
        });
        let targets: Vec<Token> = one_word.map(|it| it.tokens[1].clone()).collect();
        if let [target] = &targets[..] {
            let target = word.with(&target.text);
            let index = ["[", "0", "]"].map(|it| Token::glued(it, word));
            let arrow = Token::made("←", word);
            let statement = [vec![target], index.to_vec(), vec![arrow], value.to_vec()].concat();
            return items[last].set(LineKind::Statement, statement);
        }
        let declared = items.iter().filter(|it| it.kind == LineKind::Declaration);
        let has_answer =
            declared.clone().any(|it| it.tokens.first().is_some_and(|it| it.is("answer")));
        let in_extents: HashSet<&str> = (self.arrays.values())
            .flat_map(|it| it.extents.iter().flatten())
            .map(|it| it.text.as_str())
            .collect();
        let is_known = |it: &Token| {
            is_array(it)
                || in_extents.contains(it.text.as_str())
                || it.is_any(&["mod", "min", "max"])
        };
        if !has_answer && names().all(is_known) {
            let above = items.iter().rposition(|it| it.kind == LineKind::Declaration);
            let answer = [vec![word.with("answer")], value.to_vec()].concat();
            let mut item = items.remove(last);
            item.set(LineKind::Declaration, answer);
            items.insert(above.map_or(0, |it| it + 1), item);
        }
    }
}
