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
    range: Range,
    /// What holds of the variable, beside its range.
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
        let (mut above, mut tokens) = (vec![], tokens.to_vec());
        while let Some(fold) = find(&tokens)? {
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
        let Range { variable, from, to } = &fold.range;
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
}

/// The first fold of a statement.
fn find(tokens: &[Token]) -> Result<Option<Fold>> {
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
            below(tokens, behind, kind)
        } else if open.is_some_and(|it| it.is_any(&["(", "{"])) && word.len() > 2 {
            within(tokens, behind)
        } else {
            None
        };
        let Some((range, condition, body, end)) = found else {
            if word.ends_with('_') && open.is_some_and(|it| it.is("{")) {
                let text = "a fold whose range is not said from one number to another";
                return Err(Diagnostic::new(tokens[at].span, text)
                    .help("write it as `sum_{i=1}^{n} a_i`, or as a loop"));
            }
            continue;
        };
        let nested = &tokens[body.0..body.1];
        if body.0 == body.1 || (0..nested.len()).any(|at| is_sign(&nested[at..])) {
            let text = if body.0 == body.1 { "nothing to fold" } else { "a fold within a fold" };
            return Err(Diagnostic::new(tokens[at].span, text)
                .help("give the inner one to a scalar, in a loop of its own"));
        }
        return Ok(Some(Fold { kind, range, condition, body, start: at, end }));
    }
    Ok(None)
}

type Found = (Range, Vec<Token>, (usize, usize), usize);

/// `sum_{i=1}^{n} a_i`: from the brace on.
fn below(tokens: &[Token], open: usize, kind: Kind) -> Option<Found> {
    let close = closing(tokens, open)?;
    let inside = &tokens[open + 1..close];
    // `j = 1, j ≠ i`
    let compares = ["≠", "=", "<", "≤", ">", "≥", "!="];
    let parts = split(inside, &[",", ";"]);
    let is_condition = |it: &&[Token]| position(it, &compares).is_some_and(|at| at > 0);
    let (inside, condition) = match &parts[..] {
        [first, others @ ..]
            if !others.is_empty()
                && kind.is_linear()
                && others.iter().all(is_condition)
                && position(first, &compares).is_some() =>
        {
            let and = Token::made("and", &tokens[open]);
            (*first, others.iter().map(|it| spaced(it.to_vec())).collect::<Vec<_>>().join(&and))
        }
        _ => (inside, vec![]),
    };
    let mut start = close + 1;
    let range = if tokens.get(start).is_some_and(|it| it.is("^")) {
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
        let [variable, sign, from @ ..] = inside else { return None };
        (sign.is("=") && variable.is_name() && !from.is_empty() && position(from, &[","]).is_none())
            .then(|| Range { variable: variable.clone(), from: from.to_vec(), to })?
    } else {
        range(inside)?
    };
    let end = body_end(tokens, start, kind, &range.variable.text);
    Some((range, condition, (start, end), end))
}

/// `argmax(i = h … m, A[i])`, `min{ A[k] : 1 ≤ k ≤ j }`: from the bracket on.
fn within(tokens: &[Token], open: usize) -> Option<Found> {
    let close = closing(tokens, open)?;
    let inside = &tokens[open + 1..close];
    if let Some(colon) = position(inside, &[":", "|"]) {
        let range = range(&inside[colon + 1..])?;
        return Some((range, vec![], (open + 1, open + 1 + colon), close + 1));
    }
    let comma = position(inside, &[","])?;
    let range = range(&inside[..comma])?;
    Some((range, vec![], (open + 2 + comma, close), close + 1))
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
