//! Signs of sums and the like, and the values that their variables take.

use std::collections::HashMap;

use crate::notation::expression::plus;
use crate::notation::layout::number_length;
use crate::notation::loops;
use crate::notation::token::{DOTS, LogicalLine, Token, closing, position, split, text};

/// What is folded to one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sum,
    Product,
    Min,
    Max,
    ArgMin,
    ArgMax,
}

impl Kind {
    pub(super) fn of(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().trim_end_matches('_') {
            "sum" | "sigma" | "∑" => Self::Sum,
            "prod" | "pi" | "∏" => Self::Product,
            "min" => Self::Min,
            "max" => Self::Max,
            "argmin" => Self::ArgMin,
            "argmax" => Self::ArgMax,
            _ => return None,
        })
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Product => "product",
            Self::Min => "least",
            Self::Max => "greatest",
            Self::ArgMin | Self::ArgMax => "place",
        }
    }

    pub(super) const fn is_linear(self) -> bool {
        matches!(self, Self::Sum | Self::Product)
    }
}

/// A variable with its first and last value.
#[derive(Clone)]
pub(super) struct Range {
    pub(super) variable: Token,
    pub(super) from: Vec<Token>,
    pub(super) to: Vec<Token>,
}

/// Whether tokens end in the range of a fold, `max_{1 ≤ i ≤ n}`.
pub(super) fn ends_in_range(tokens: &[Token]) -> bool {
    let is_below =
        |at: usize| is_sign(&tokens[at..]) && closing(tokens, at + 1) == Some(tokens.len() - 1);
    tokens.last().is_some_and(|it| it.is("}")) && (0..tokens.len()).any(is_below)
}

/// Whether they begin with the sign of a fold above its range.
pub(super) fn is_sign(tokens: &[Token]) -> bool {
    let is_below = |it: &Token| it.text.ends_with('_') && Kind::of(&it.text).is_some();
    let open = |at: usize| tokens.get(at).is_some_and(|it| it.is("{"));
    match tokens {
        [sign, under, ..] if under.is("_") => Kind::of(&sign.text).is_some() && open(2),
        [sign, ..] => is_below(sign) && open(1),
        [] => false,
    }
}

/// `1 ≤ i ≤ n`, `i = 1 … n`, `i ∈ {1, …, n}`.
pub(super) fn range(tokens: &[Token]) -> Option<Range> {
    let of = |variable: &Token, from: &[Token], to: &[Token]| {
        let is_whole = variable.is_name() && !from.is_empty() && !to.is_empty();
        is_whole.then(|| Range { variable: variable.clone(), from: from.to_vec(), to: to.to_vec() })
    };
    let parts = split(tokens, &["≤", "<=", "<", "⩽"]);
    if let [from, [variable], to] = &parts[..] {
        let signs = [&tokens[from.len()], &tokens[from.len() + 2]];
        let [low, high] = signs.map(|it| i64::from(it.is("<")));
        return of(variable, &plus(from.to_vec(), low), &plus(to.to_vec(), -high));
    }
    let [variable, sign, rest @ ..] = tokens else { return None };
    let rest = match rest {
        [open, inner @ .., close] if open.is("{") && close.is("}") => inner,
        all => all,
    };
    if !sign.is_any(&["=", "∈", "in", "←", "from"]) {
        return None;
    }
    let dots = position(rest, &DOTS)?;
    let trim =
        |it: &[Token]| -> Vec<Token> { it.iter().filter(|it| !it.is(",")).cloned().collect() };
    let from = split(&rest[..dots], &[","]).first().copied().unwrap_or_default().to_vec();
    of(variable, &from, &trim(&rest[dots + 1..]))
}

/// What the loops of a text say of their variables; nothing where they say different things.
pub(super) fn of_loops(lines: &[LogicalLine]) -> HashMap<String, Option<Range>> {
    let mut found: HashMap<String, Option<Range>> = HashMap::new();
    for line in lines {
        let code = &line.tokens[number_length(&line.tokens).min(line.tokens.len())..];
        let Some((head, _)) = code.first().and_then(|_| loops::head(code)) else { continue };
        let mut heads = head.split(|it| it.is("for")).filter(|it| !it.is_empty());
        for of in heads.by_ref() {
            let ([variable, _, ..], Some(to)) = (of, position(of, &["to"])) else { continue };
            let end = position(of, &["do", "step"]).unwrap_or(of.len());
            let (Some(from), Some(to)) = (of.get(2..to), of.get(to + 1..end)) else { continue };
            let (from, to) = (from.to_vec(), to.to_vec());
            let same = |it: &Option<Range>| {
                it.as_ref()
                    .is_some_and(|it| text(&it.from) == text(&from) && text(&it.to) == text(&to))
            };
            let is_other = found.get(&variable.text).is_some_and(|it| !same(it));
            let range = Range { variable: variable.clone(), from, to };
            found.insert(variable.text.clone(), (!is_other).then_some(range));
        }
    }
    found
}
