//! Pseudocode without declarations.

mod array;
mod array_creation;
mod cases;
mod clauses;
mod comparisons;
mod conditions;
mod congruences;
mod declaration;
mod ellipsis;
mod extents;
mod factors;
mod fill;
mod filters;
mod fold;
mod guards;
mod head;
mod interval;
mod lists;
mod loops;
mod operators;
mod phrase;
mod print;
mod prose;
mod queues;
mod range;
mod readings;
mod recursion;
mod returns;
mod sentences;
mod shorthand;
mod spelling;
mod steps;
mod structure;
mod subscripts;
mod superscripts;
mod teaching;
mod turns;
mod variables;
mod words;

use std::collections::{HashMap, HashSet};

use super::expression::Declarations;
use super::layout::{Item, LineKind, items, levels};
use super::names;
use super::output::{Line, Output};
use super::token::{LogicalLine, Token, lines, position};
use crate::diagnostic::{Diagnostic, Span};

type Result<T> = std::result::Result<T, Diagnostic>;

/// The part of a text between Markdown's fences, if it has some.
pub(super) fn fenced(text: &str) -> Span {
    let whole = Span::new(0, text.len());
    let Some(open) = text.find("```").or_else(|| text.find("~~~")) else { return whole };
    let is_first = text[..open].rsplit('\n').next().is_none_or(|it| it.trim().is_empty());
    let fence = &text[open..open + 3];
    let Some(start) = text[open..].find('\n').map(|it| open + it + 1).filter(|_| is_first) else {
        return whole;
    };
    let end = text[start..].find(fence).map_or(text.len(), |it| start + it);
    Span::new(start, end)
}

/// A name for an algorithm, from its title.
pub(super) fn title(text: &str) -> String {
    let letters = text.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' });
    let name: String = letters.collect();
    let name = name.trim_matches('_').to_owned();
    match name.chars().next() {
        None => "listing".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("algorithm_{name}"),
        Some(_) if names::is_reserved(&name) => name + "_",
        Some(_) => name,
    }
}

/// What is known of a listing while its lines are read.
#[derive(Default)]
struct Reader {
    known: Declarations,
    out: Output,
    /// Names that are given values.
    assigned: HashSet<String>,
    /// Those that are given several.
    changed: HashSet<String>,
    /// Arrays that are lists of numbers, and of how many.
    lists: HashMap<String, usize>,
    /// What the loops over a variable say of it, where all say the same.
    ranges: HashMap<String, Option<interval::Range>>,
    /// What has indices such as `2j + 1`, before their braces.
    products: HashSet<String>,
    /// Arrays whose elements are given 0 or 1.
    bits: HashSet<String>,
    /// Whether elements are written in round brackets.
    is_round: bool,
}

/// The lines of a text, with what books print otherwise in the words of code.
fn code(text: &str, out: &mut Output) -> Result<Vec<LogicalLine>> {
    let text = &guards::without_braces(&structure::without_rules(text));
    let Some(mut lines) = lines(text) else {
        let at = text.find('\t').unwrap_or(0);
        return Err(Diagnostic::new(
            Span::new(at, at + 1),
            "a tab in the indentation, and blanks in that of other lines",
        )
        .help("indent all lines by blanks, or all by tabs"));
    };
    if let Some(deep) = lines.iter().find(|it| super::is_deep(&it.tokens)) {
        let span = deep.tokens.first().map_or_else(Span::default, |it| it.span);
        return Err(Diagnostic::new(span, "nested more than 150 deep").help("split the line"));
    }
    super::patterns::of_books(&mut lines, out);
    if steps::lines(&mut lines)? {
        out.make([&steps::NEXT.to_owned()]);
    }
    let queues = queues::lines(&mut lines);
    guards::lines(&mut lines);
    let raised = superscripts::lines(&mut lines);
    let listed = lists::lines(&mut lines);
    let in_turn = turns::lines(&mut lines);
    variables::lines(&mut lines);
    teaching::lines(&mut lines);
    lines.iter_mut().for_each(prose::behind_semicolon);
    declaration::take(&mut lines, &mut out.hints);
    print::clear(&mut lines, &mut out.hints);
    readings::check(&lines)?;
    if let Some(error) = shorthand::powers(&lines) {
        return Err(error);
    }
    cases::lines(&mut lines);
    congruences::lines(&mut lines);
    sentences::lines(&mut lines);
    shorthand::lines(&mut lines);
    structure::loosen(&mut lines);
    for (array, _) in &queues {
        out.hints.array(array).is_new = true;
    }
    out.hints.said.extend([queues, raised, listed, in_turn].concat());
    Ok(lines)
}

/// Pseudocode.
///
/// # Errors
/// What is not understood.
pub(super) fn read(text: &str) -> Result<Output> {
    let mut reader = Reader::default();
    let mut lines = code(text, &mut reader.out)?;
    reader.out.hints.said.extend(prose::clear(&mut lines));
    operators::operators(&mut lines);
    if operators::cut_quotients(&mut lines) {
        reader.out.hints.functions.insert("quotient");
    }
    super::patterns::of_vectors(&mut lines, &mut reader.out);
    let indexed = indexed(&lines);
    for line in &mut lines {
        readings::quotient(line)?;
        range::as_long_as(line);
        range::noun(&mut line.tokens);
        ellipsis::sums(&mut line.tokens);
        words::words(&mut line.tokens, &indexed);
        shorthand::fractions(&mut line.tokens);
        readings::fractions(&mut line.tokens);
    }
    let algorithms = head::algorithms(&mut lines);
    let lost = subscripts::lost(&mut lines, &algorithms);
    reader.out.hints.said.extend(lost);
    reader.ranges = interval::of_loops(&lines);
    reader.find_names(&lines, &algorithms);
    for (array, rank) in factors::lines(&mut lines, &algorithms, reader.is_round) {
        if !reader.known.arrays.contains_key(&array.text) {
            reader.add_array(&array.text, rank);
            let text = format!("`{}(…)`, which is not defined, is an array", array.text);
            reader.out.hints.said.push((array, text));
        }
    }
    let (head, mut main, mut others) = head::order(algorithms, lines);
    let mut is_repeated = None;
    if let Some(head) = head {
        reader.head(&head, &main);
        // What calls itself is a loop, or a procedure, which the algorithm calls.
        if recursion::is_last(&head, &main) {
            is_repeated = Some(head);
        } else if head::calls(&main, &head.name.text) {
            let mut call = head.call();
            let gives = |it: &[Token]| it[0].is_word("return") && !it[1].is(";");
            if main.iter().any(|it| it.tokens.windows(2).any(gives)) {
                let word = call.tokens[0].with("return");
                call.tokens[0].blank = " ".to_owned();
                call.tokens.insert(0, word);
            }
            others.push((head, std::mem::replace(&mut main, vec![call])));
        }
    }
    let own: Vec<String> = reader.out.hints.arguments.iter().map(|it| it.text.clone()).collect();
    for (head, lines) in &mut others {
        reader.known.words.extend(head.rename(lines, &own));
    }
    let shared = head::shared(&mut others, &mut main, &reader.known.arrays);
    reader.out.hints.said.extend(shared);
    for name in variables::attributes(&mut others, &mut main, &reader.known.arrays) {
        reader.add_array(&name, 1);
    }
    for (head, lines) in others {
        reader.procedure(&head, lines)?;
    }
    let lines = reader.statements(main, None)?;
    reader.out.lines = lines;
    if let Some(head) = is_repeated {
        recursion::repeated(&head, &mut reader.out);
    }
    Ok(reader.out)
}

impl Reader {
    /// Statements with their depths.
    fn statements(
        &mut self,
        lines: Vec<LogicalLine>,
        results: Option<&mut usize>,
    ) -> Result<Vec<Line>> {
        let items = items(lines);
        items.iter().for_each(|it| self.prose(it));
        let mut kept: Vec<Item> = vec![];
        for item in items {
            if item.kind != LineKind::Statement {
                kept.push(item);
                continue;
            }
            let (mut all, tokens) = self.folds(&conditions::iverson(&conditions::members(
                &conditions::each(&item.tokens),
            )))?;
            all.extend(self.phrases(&conditions::numbers(&conditions::chains(&tokens)))?);
            for (at, phrase) in all.into_iter().enumerate() {
                let mut item = item.copy(phrase.tokens);
                let is_guard = phrase.inner.last().is_some_and(|it| it.is("then"));
                item.inner =
                    if is_guard { self.known.rewrite(&phrase.inner) } else { phrase.inner };
                item.tail = phrase.tail;
                if at > 0 {
                    item.comments.clear();
                }
                let tokens = self.known.rewrite(&item.tokens);
                item.tokens = self.known.statement(tokens);
                self.bits(&mut item.tokens);
                self.check(&item.tokens)?;
                if !self.is_length(&item.tokens) {
                    kept.push(item);
                }
            }
        }
        structure::close_loops(&mut kept);
        let code = |it: &&Item| it.kind == LineKind::Statement;
        let Some(levels) = levels(&kept) else {
            let first = kept.iter().find(code).and_then(|it| it.tokens.first());
            let span = first.map_or_else(Span::default, |it| it.span);
            return Err(Diagnostic::new(
                span,
                "it is open which lines belong to which loop or branch",
            )
            .help("indent the lines of each block alike, or close it with `end`"));
        };
        structure::assembled(kept, &levels, self, results)
    }

    /// The arguments of the algorithm.
    fn head(&mut self, head: &head::Head, lines: &[LogicalLine]) {
        self.out.hints.name = Some(head.name.clone());
        for (name, ranges) in head.arguments.iter().zip(&head.ranges) {
            if !ranges.is_empty() {
                let array = self.known.arrays.entry(name.text.clone()).or_default();
                if array.extents.len() < ranges.len() {
                    array.extents = vec![vec![]; ranges.len()];
                }
            }
            if !self.known.arrays.contains_key(&name.text) {
                self.out.hints.arguments.push(Token::variable(name));
                continue;
            }
            let hint = self.out.hints.array(name);
            hint.is_argument = true;
            if hint.extents.is_empty() && ranges.iter().any(|it| it.len() > 1) {
                let ranges = ranges.iter().flat_map(|it| extents::extents(it));
                let widened = ranges
                    .enumerate()
                    .map(|(at, it)| it.map(|it| extents::widened(&it, &name.text, at, lines)));
                hint.extents = widened.collect();
            }
        }
    }

    /// `t ∨ u` of elements that are given 0 and 1 elsewhere is that of bits.
    fn bits(&self, tokens: &mut [Token]) {
        let Some(at) = position(tokens, &["←", ":=", "<-"]) else { return };
        if !tokens.first().is_some_and(|it| self.bits.contains(&it.text)) {
            return;
        }
        for token in &mut tokens[at..] {
            match token.text.as_str() {
                "∨" => token.text = "|".to_owned(),
                "∧" => token.text = "&".to_owned(),
                _ => {}
            }
        }
    }

    /// What cannot be meant, or in two ways.
    fn check(&self, tokens: &[Token]) -> Result<()> {
        let Some(first) = tokens.first() else { return Ok(()) };
        let is_assigned = tokens.get(1).is_some_and(Token::assigns);
        if is_assigned
            && let Some((name, index)) = names::subscript(&first.text)
            && self.known.arrays.contains_key(name)
            && (self.known.words.contains(index) || index.chars().all(|it| "ijk".contains(it)))
            && !index.is_empty()
        {
            let message = format!(
                "`{}` is the element {name}[{index}], or a scalar of that name",
                first.text
            );
            return Err(Diagnostic::new(first.span, message).help(format!(
                "write `{name}[{index}]` everywhere, or give the scalar another name"
            )));
        }
        let word = |it: &str| first.is_word(it) && !is_assigned;
        if word("repeat") || word("until") || word("return") || word("break") || word("continue") {
            return Ok(());
        }
        if !is_assigned
            && let Some((what, help)) = crate::parser::foreign(&first.text)
            && !tokens.iter().any(Token::assigns)
        {
            return Err(Diagnostic::new(first.span, what).help(help));
        }
        Ok(())
    }

    /// `n ← length(A)`, which is said of A instead of done.
    fn is_length(&mut self, tokens: &[Token]) -> bool {
        let [name, arrow, word, open, array, close] = tokens else { return false };
        let dimension = match word.text.as_str() {
            "length" | "rows" => 0,
            "columns" => 1,
            _ => return false,
        };
        if !arrow.assigns()
            || self.changed.contains(&name.text)
            || !open.is("(")
            || !close.is(")")
            || !name.is_name()
            || !self.known.arrays.contains_key(&array.text)
        {
            return false;
        }
        let known = self.out.hints.lengths.iter().any(|it| it.0 == array.text && it.1 == dimension);
        if !known {
            self.out.hints.lengths.push((array.text.clone(), dimension, name.clone()));
        }
        true
    }

    fn procedure(&mut self, head: &head::Head, lines: Vec<LogicalLine>) -> Result<()> {
        let mut results = 0;
        let body = self.statements(lines, Some(&mut results))?;
        let name = Token::variable(&head.name);
        let formal = |it: &Token| match self.known.arrays.get(&it.text) {
            Some(array) => {
                let sizes: Vec<String> = (0..array.extents.len().max(1))
                    .map(|at| format!("{}_extent{at}", it.text))
                    .collect();
                format!("{}[{}]", it.text, sizes.join(", "))
            }
            None => it.text.clone(),
        };
        let formals: Vec<String> = head.arguments.iter().map(formal).collect();
        let values: Vec<String> =
            (0..results).map(|at| format!("{}_value{at}", name.text)).collect();
        let of = if results > 0 { format!(" → {}", values.join(", ")) } else { String::new() };
        let line = name.with(format!("procedure {}({}){of}", name.text, formals.join(", ")));
        self.out.procedures.push(Line { depth: 0, tokens: vec![line], comments: vec![] });
        self.out.procedures.extend(body.into_iter().map(|it| Line { depth: it.depth + 1, ..it }));
        Ok(())
    }
}

/// Names with an index anywhere.
fn indexed(lines: &[LogicalLine]) -> HashSet<String> {
    let pairs = lines.iter().flat_map(|it| it.tokens.windows(2));
    let named = pairs.filter(|it| it[0].is_name() && it[1].is("["));
    named.map(|it| it[0].text.clone()).collect()
}
