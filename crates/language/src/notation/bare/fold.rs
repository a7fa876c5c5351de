//! Sums, products, least and greatest values over a range, within expressions: each is computed by a loop
//! above the statement, and stands there by its name.

use super::interval::{Kind, Range, is_sign, range};
use super::phrase::Phrase;
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::expression::plus;
use crate::notation::names::subscript;
use crate::notation::output::{spaced, words};
use crate::notation::token::{Token, bracketed, closing, depths, position, split, text};

struct Fold {
    kind: Kind,
    /// Of each variable, the outer one first.
    ranges: Vec<Range>,
    /// What holds of the variables, beside their ranges.
    condition: Vec<Token>,
    /// Of the value that is folded.
    body: (usize, usize),
    /// From its sign on.
    start: usize,
    end: usize,
}

impl Reader {
    /// The loops that compute what a statement folds, and the statement with their results.
    pub(super) fn folds(&mut self, tokens: &[Token]) -> Result<(Vec<Phrase>, Vec<Token>)> {
        let (mut above, mut tokens) = (vec![], self.braced(tokens));
        while let Some(fold) = self.find(&tokens)? {
            let place = tokens[fold.start].clone();
            let before = &tokens[..fold.start];
            let is_asked_again = before.first().is_some_and(|it| {
                it.is_any(&["while", "until", "elseif", "elsif", "elif", "else"])
            });
            if is_asked_again || before.iter().any(|it| it.is_any(&["then", "else", "do"])) {
                return Err(Diagnostic::new(place.span, "a fold where it is not always computed")
                    .help("give its value to a scalar on a line of its own"));
            }
            let body = self.known.rewrite(&tokens[fold.body.0..fold.body.1]);
            let name = self.out.fresh(fold.kind.word());
            let said = format!("the {} of `{}`", fold.kind.word(), text(&body));
            self.out.hints.said.push((place.clone(), said));
            let mut loops = self.loops(&fold, &name, &place, body);
            // They are as deep as the statement.
            loops.iter_mut().for_each(|it| it.tokens[0].column = tokens[0].column);
            above.extend(loops);
            // `2 Σ …`
            let is_factor = |it: &Token| it.is_number() || it.is_any(&[")", "]"]);
            let sign = tokens[..fold.start].last().filter(|it| is_factor(it));
            let sign = sign.map(|it| Token::made("×", it));
            tokens.splice(fold.start..fold.end, sign.into_iter().chain([place.with(name)]));
        }
        Ok((above, tokens))
    }

    fn loops(&self, fold: &Fold, name: &str, place: &Token, body: Vec<Token>) -> Vec<Phrase> {
        let [Range { variable, from, to }] = &fold.ranges[..] else {
            return self.open_loops(fold, name, place, &body);
        };
        if !fold.condition.is_empty() && !fold.kind.is_linear() {
            return self.open_loops(fold, name, place, &body);
        }
        let one = std::slice::from_ref(variable);
        let at = |index: &[Token]| {
            let put = |it: &Token| match it.is(&variable.text) {
                true if index.len() > 1 => bracketed(index.to_vec()),
                true => {
                    index.iter().map(|of| Token { blank: it.blank.clone(), ..of.clone() }).collect()
                }
                false => vec![it.clone()],
            };
            body.iter().flat_map(put).collect::<Vec<Token>>()
        };
        let from = self.known.rewrite(from);
        let next = plus(from.clone(), 1);
        let line =
            |text: &str, parts: &[&[Token]]| words(place, &text.replace("NAME", name), parts);
        let (first, head, inner) = match fold.kind {
            Kind::Sum => (line("NAME ← 0", &[]), &from, line("NAME ← NAME + ({})", &[&body])),
            Kind::Product => (line("NAME ← 1", &[]), &from, line("NAME ← NAME × ({})", &[&body])),
            Kind::Min => {
                (line("NAME ← {}", &[&at(&from)]), &next, line("NAME ← min(NAME, {} )", &[&body]))
            }
            Kind::Max => {
                (line("NAME ← {}", &[&at(&from)]), &next, line("NAME ← max(NAME, {} )", &[&body]))
            }
            Kind::ArgMin | Kind::ArgMax => {
                let sign = if fold.kind == Kind::ArgMin { "<" } else { ">" };
                let best = at(&[place.with(name)]);
                let text = format!("if ({{}}) {sign} ({{}}) then NAME ← {{}}");
                (line("NAME ← {}", &[&from]), &next, line(&text, &[&body, &best, one]))
            }
        };
        let mut head = line("for {} ← {} to {} do", &[one, head, to]);
        if !fold.condition.is_empty() {
            head.extend(spaced(line("if {} then", &[&self.known.rewrite(&fold.condition)])));
        }
        vec![Phrase::of(first), Phrase::of([head, spaced(inner)].concat())]
    }

    /// Where the first of the values is not known before: of nothing, the least value is ∞, and the greatest −∞.
    fn open_loops(&self, fold: &Fold, name: &str, place: &Token, body: &[Token]) -> Vec<Phrase> {
        let line =
            |text: &str, parts: &[&[Token]]| words(place, &text.replace("NAME", name), parts);
        let first = &fold.ranges[0];
        let one = std::slice::from_ref(&first.variable);
        let from = self.known.rewrite(&first.from);
        let condition = self.known.rewrite(&fold.condition);
        let guard = match condition.is_empty() {
            true => vec![],
            false => spaced(line("if {} then", &[&condition])),
        };
        let mut heads = vec![];
        for Range { variable, from, to } in &fold.ranges {
            let one = std::slice::from_ref(variable);
            let head = line("for {} ← {} to {} do", &[one, &self.known.rewrite(from), to]);
            heads.extend(if heads.is_empty() { head } else { spaced(head) });
        }
        let (above, inner) = match fold.kind {
            Kind::Sum => (vec![line("NAME ← 0", &[])], line("NAME ← NAME + ({})", &[body])),
            Kind::Product => (vec![line("NAME ← 1", &[])], line("NAME ← NAME × ({})", &[body])),
            Kind::Min => (vec![line("NAME ← ∞", &[])], line("NAME ← min(NAME, {} )", &[body])),
            Kind::Max => (vec![line("NAME ← -∞", &[])], line("NAME ← max(NAME, {} )", &[body])),
            // The first one that the condition holds for is taken, and what is better after it.
            Kind::ArgMin | Kind::ArgMax => {
                let sign = if fold.kind == Kind::ArgMin { "<" } else { ">" };
                let text = format!(
                    "if (NAME < {{}} or ({{}}) {sign} NAME_value) then NAME, NAME_value ← {{}} , {{}}"
                );
                let none = line("NAME ← {}", &[&plus(from.clone(), -1)]);
                let above = vec![none, line("NAME_value ← 0", &[])];
                (above, line(&text, &[&from, body, one, body]))
            }
        };
        let last = [heads, guard, spaced(inner)].concat();
        above.into_iter().chain([last]).map(Phrase::of).collect()
    }

    /// `max_j L(j)`: the variable in braces.
    fn braced(&self, tokens: &[Token]) -> Vec<Token> {
        let mut out = vec![];
        for (at, token) in tokens.iter().enumerate() {
            let next = tokens.get(at + 1);
            let goes_on = next.is_some_and(|it| {
                it.is_name() && !it.is_any(&["then", "do", "and", "or", "to"])
                    || it.is_any(&["(", "{", "|"])
            });
            let parts = token.text.split_once('_').filter(|(word, index)| {
                Kind::of(word).is_some() && self.ranges.contains_key(*index)
            });
            match parts.filter(|_| goes_on && !self.assigned.contains(&token.text)) {
                Some((word, index)) => {
                    out.push(token.with(format!("{word}_")));
                    out.extend(["{", index, "}"].map(|it| Token::glued(it, token)));
                }
                None => out.push(token.clone()),
            }
        }
        out
    }

    /// The first fold of a statement.
    fn find(&self, tokens: &[Token]) -> Result<Option<Fold>> {
        for at in 0..tokens.len() {
            let (word, behind) = match &tokens[at..] {
                [arg, word, ..] if arg.is_word("arg") && Kind::of(&word.text).is_some() => {
                    (format!("arg{}", word.text), at + 2)
                }
                [sign, under, ..] if under.is("_") => (format!("{}_", sign.text), at + 2),
                [word, ..] => (word.text.clone(), at + 1),
                [] => break,
            };
            let Some(kind) = Kind::of(&word) else { continue };
            let open = tokens.get(behind);
            let found = if word.ends_with('_') && open.is_some_and(|it| it.is("{")) {
                self.below(tokens, behind, kind)
            } else if open.is_some_and(|it| it.is_any(&["(", "{"])) && word.len() > 2 {
                self.within(tokens, behind)
            } else {
                None
            };
            let Some(Found { ranges, condition, body, end }) = found else {
                if word.ends_with('_') && open.is_some_and(|it| it.is("{")) {
                    let text = "a fold whose range is not said from one number to another";
                    return Err(Diagnostic::new(tokens[at].span, text)
                        .help("write it as `sum_{i=1}^{n} a_i`, or as a loop"));
                }
                continue;
            };
            if kind == Kind::Max && !condition.is_empty() {
                let text = "the greatest of values of which there may be none";
                return Err(Diagnostic::new(tokens[at].span, text)
                    .help("write the loop, which begins with what the greatest of nothing is"));
            }
            let nested = &tokens[body.0..body.1];
            if body.0 == body.1 || (0..nested.len()).any(|at| is_sign(&nested[at..])) {
                let text =
                    if body.0 == body.1 { "nothing to fold" } else { "a fold within a fold" };
                return Err(Diagnostic::new(tokens[at].span, text)
                    .help("give the inner one to a scalar, in a loop of its own"));
            }
            return Ok(Some(Fold { kind, ranges, condition, body, start: at, end }));
        }
        Ok(None)
    }

    /// `sum_{i=1}^{n} a_i`: from the brace on.
    fn below(&self, tokens: &[Token], open: usize, kind: Kind) -> Option<Found> {
        let close = closing(tokens, open)?;
        let inside = &tokens[open + 1..close];
        let mut start = close + 1;
        let (ranges, condition) = if tokens.get(start).is_some_and(|it| it.is("^")) {
            let to = match tokens.get(start + 1)? {
                it if it.is_any(&["{", "("]) => {
                    let close = closing(tokens, start + 1)?;
                    let inner = tokens[start + 2..close].to_vec();
                    start = close + 1;
                    inner
                }
                one => {
                    let one = one.clone();
                    start += 2;
                    vec![one]
                }
            };
            let parts = split(inside, &[",", ";"]);
            let [variable, sign, from @ ..] = parts[0] else { return None };
            let is_whole = sign.is("=") && variable.is_name() && !from.is_empty();
            let of = Range { variable: variable.clone(), from: from.to_vec(), to };
            (is_whole.then(|| vec![of])?, conditions(&parts[1..])?)
        } else {
            self.over(inside)?
        };
        let end = body_end(tokens, start, kind, &ranges[0].variable.text);
        Some(Found { ranges, condition, body: (start, end), end })
    }

    /// `argmax(i = h … m, A[i])`, `min{ A[k] : 1 ≤ k ≤ j }`: from the bracket on.
    fn within(&self, tokens: &[Token], open: usize) -> Option<Found> {
        let close = closing(tokens, open)?;
        let inside = &tokens[open + 1..close];
        if let Some(colon) = position(inside, &[":", "|"]) {
            let (ranges, condition) = self.over(&inside[colon + 1..])?;
            let body = (open + 1, open + 1 + colon);
            return Some(Found { ranges, condition, body, end: close + 1 });
        }
        let comma = position(inside, &[","])?;
        let ranges = vec![range(&inside[..comma])?];
        let body = (open + 2 + comma, close);
        Some(Found { ranges, condition: vec![], body, end: close + 1 })
    }

    /// `1 ≤ j < i, a_j < a_i`, `1 ≤ i < j ≤ n`, `v : not done[v]`, `j ≠ i`: what variables take, and what holds of them.
    /// One whose range is not said takes that of the loops over it, or over what it differs from.
    fn over(&self, inside: &[Token]) -> Option<(Vec<Range>, Vec<Token>)> {
        let parts = split(inside, &[",", ":", ";", "|"]);
        let first = parts[0];
        let of_loops = |variable: &Token, like: &Token| {
            let of = self.ranges.get(&like.text)?.as_ref()?;
            let (from, to) = (of.from.clone(), of.to.clone());
            Some(vec![Range { variable: variable.clone(), from, to }])
        };
        if let Some(ranges) = range(first).map(|it| vec![it]).or_else(|| nested(first)) {
            return Some((ranges, conditions(&parts[1..])?));
        }
        match first {
            [variable] => Some((of_loops(variable, variable)?, conditions(&parts[1..])?)),
            [variable, sign, other] if sign.is_any(&["≠", "!="]) => {
                let ranges = of_loops(variable, variable).or_else(|| of_loops(variable, other))?;
                Some((ranges, conditions(&parts)?))
            }
            _ => None,
        }
    }
}

struct Found {
    ranges: Vec<Range>,
    condition: Vec<Token>,
    body: (usize, usize),
    end: usize,
}

/// Conditions that all hold.
fn conditions(parts: &[&[Token]]) -> Option<Vec<Token>> {
    const COMPARES: [&str; 10] = ["≠", "=", "<", "≤", ">", "≥", "!=", "<=", ">=", "=="];
    let is_condition = |it: &&[Token]| {
        it.first().is_some_and(|it| it.is_any(&["not", "¬"]) || it.is("!"))
            || position(it, &COMPARES).is_some_and(|at| at > 0)
            // An element that is true.
            || it.last().is_some_and(|it| it.is_any(&["]", ")"]))
    };
    let Some(first) = parts.first().and_then(|it| it.first()) else { return Some(vec![]) };
    let and = Token::made("and", first);
    let all = parts.iter().map(|it| spaced(it.to_vec())).collect::<Vec<_>>();
    parts.iter().all(is_condition).then(|| all.join(&and))
}

/// `1 ≤ i < j ≤ n`: each variable from the one before it on.
fn nested(tokens: &[Token]) -> Option<Vec<Range>> {
    let signs = ["≤", "<=", "<", "⩽"];
    let parts = split(tokens, &signs);
    let [from, [first], [second], to] = &parts[..] else { return None };
    let mut at = 0;
    let steps = parts[..3].iter().map(|it| {
        at += it.len() + 1;
        i64::from(tokens[at - 1].is("<"))
    });
    let [low, between, high] = steps.collect::<Vec<_>>()[..] else { return None };
    if !first.is_name() || !second.is_name() || from.is_empty() || to.is_empty() {
        return None;
    }
    let to = plus(to.to_vec(), -high);
    let outer = Range { variable: first.clone(), from: plus(from.to_vec(), low), to: to.clone() };
    let from = plus(vec![first.clone()], between);
    Some(vec![outer, Range { variable: second.clone(), from, to }])
}

/// `Σ … − c Σ …`: where the part of a sum with the next sign begins, which the variable is not in.
fn beside(tokens: &[Token], depth: &[usize], variable: &str) -> Option<usize> {
    let next = (1..tokens.len()).find(|&at| is_sign(&tokens[at..]))?;
    let is_sum = |at: &usize| depth[*at] == 0 && tokens[*at].is_any(&["+", "-", "−", "–"]);
    let at = (1..next).rev().find(is_sum).filter(|_| depth[next] == 0)?;
    let open = (next..next + 3).find(|&it| tokens.get(it).is_some_and(|it| it.is("{")))?;
    let is_again = tokens.get(open + 1).is_some_and(|it| it.is(variable));
    let behind = if is_again { &tokens[at..next] } else { &tokens[at..] };
    (!behind.iter().any(|it| mentions(it, variable))).then_some(at)
}

/// Whether a token is a variable, or has it as an index.
fn mentions(token: &Token, variable: &str) -> bool {
    token.is(variable)
        || subscript(&token.text).is_some_and(|(_, index)| {
            index == variable || variable.len() == 1 && index.contains(variable)
        })
        || token.text.chars().all(|it| crate::notation::token::SUBSCRIPTS.contains(it))
            && crate::notation::script::lowered(&token.text).contains(variable)
}

/// Where what is folded ends: as far as the variable goes, and at a sum or quotient behind that.
fn body_end(tokens: &[Token], start: usize, kind: Kind, variable: &str) -> usize {
    const ENDS: [&str; 21] = [
        ",", ";", "=", "≠", "<", ">", "≤", "≥", "<=", ">=", "==", "then", "do", "and", "or", "to",
        "downto", "step", "if", "else", "pardo",
    ];
    let rest = &tokens[start..];
    let depth = depths(rest);
    let mut open = 0_i64;
    let is_outside = |it: &Token| {
        open += i64::from(it.is_any(&["(", "[", "{", "⌊", "⌈"]));
        open -= i64::from(it.is_any(&[")", "]", "}", "⌋", "⌉"]));
        open < 0
    };
    let closed = rest.iter().position(is_outside).unwrap_or(rest.len());
    let closed = beside(&rest[..closed], &depth, variable).unwrap_or(closed);
    let ended = (0..closed).find(|&at| depth[at] == 0 && rest[at].is_any(&ENDS)).unwrap_or(closed);
    let last = (0..ended).rev().find(|&at| mentions(&rest[at], variable));
    let stop = |from: usize| {
        let is_stop =
            |at: usize| depth[at] == 0 && at > 0 && rest[at].is_any(&["+", "-", "−", "–", "/"]);
        (from..ended).find(|&at| is_stop(at)).unwrap_or(ended)
    };
    let group = rest.first().filter(|it| it.is("(")).and_then(|_| closing(rest, 0));
    let end = match (group, last) {
        (Some(close), last) if !kind.is_linear() && last.is_none_or(|it| it < close) => {
            // `(x - c)^2`
            let is_power = rest.get(close + 1).is_some_and(|it| it.is("^"));
            match rest.get(close + 2).filter(|_| is_power) {
                Some(it) if it.is_any(&["(", "{"]) => {
                    closing(rest, close + 2).map_or(close, |it| it + 1)
                }
                Some(_) => close + 3,
                None => close + 1,
            }
        }
        (_, Some(last)) => stop(last),
        (_, None) => stop(0),
    };
    start + end
}
