//! Whether a loop of C counts as one of the plain form does: C counts modulo 2ⁿ where a type has no sign or
//! few bits, the plain form among all integers.

use super::integers::{cast, common, integer};
use super::loops::Counted;
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{spaced, words};
use crate::notation::token::{Token, text};
use crate::notation::tree::{Tree, first, written};
use crate::syntax::Type;

/// A value, and a number more.
fn plus(tree: Tree, number: i64) -> Tree {
    let sign = if number < 0 { "-" } else { "+" };
    let value = match integer(&tree) {
        Some(of) => of.saturating_add(number),
        None => number,
    };
    let place = first(&tree);
    let magnitude = Tree::Atom(place.with(value.unsigned_abs().to_string()));
    match integer(&tree) {
        Some(_) if value < 0 => Tree::Prefix("-", Box::new(magnitude), place),
        Some(_) => magnitude,
        None if number == 0 => tree,
        None => Tree::Binary(sign, Box::new(tree), Box::new(magnitude)),
    }
}

impl Reader {
    /// Whether a loop goes from its first value to its last without a turn at 2ⁿ; where that depends on
    /// values, a line before the loop makes the turn an error.
    pub(super) fn counts_in_order(&mut self, word: &Token, loop_: &Counted) -> Result<bool> {
        let own = self.types.get(&loop_.variable.text).copied().filter(|it| it.is_integer());
        let Some(own) = own else { return Ok(true) };
        let (from, bound) = (self.tree(&loop_.from)?, self.tree(&loop_.bound)?);
        let joined = self.type_of(&bound).map_or(own, |it| common(own, it));
        let is_unsigned = matches!(joined, Type::U32 | Type::U64);
        let is_minus_one = integer(&bound) == Some(-1);
        if loop_.sign == "!=" && !(is_unsigned && is_minus_one && loop_.downward) {
            let (more, less) = if loop_.downward { (&from, &bound) } else { (&bound, &from) };
            let is_at_most =
                integer(less) == Some(0) || self.bounds(less).is_some_and(|it| it.1 <= 0);
            if !(is_at_most && self.is_never_negative(more)) {
                let way = match integer(less) {
                    Some(less) => plus(more.clone(), -less),
                    None => Tree::Binary("-", Box::new(more.clone()), Box::new(less.clone())),
                };
                self.must_fit(word, &loop_.variable, way, Type::U64)?;
            }
        }
        if !is_unsigned && !own.is_narrow() {
            return Ok(true);
        }
        let counting = if own.is_narrow() { own } else { joined };
        if loop_.sign == "!=" {
            self.must_fit(word, &loop_.variable, from, counting)?;
            return Ok(true);
        }
        let step = match &loop_.step {
            None => Some(1),
            Some(step) => {
                let defaults = &self.out.hints.defaults;
                let defined = defaults.iter().find(|it| it.0.text == text(step)).map(|it| it.1);
                integer(&self.tree(step)?).or(defined)
            }
        };
        let Some(step) = step.filter(|it| *it > 0) else { return Ok(false) };
        // The value that ends the loop lies so far beyond the bound at most.
        let beyond = step - i64::from(!loop_.sign.ends_with('='));
        let end = plus(bound.clone(), if loop_.downward { -beyond } else { beyond });
        if loop_.downward && step > 1 && !self.fits(&end, counting) {
            return Ok(false);
        }
        self.must_fit(word, &loop_.variable, from, counting)?;
        if loop_.downward {
            self.must_fit(word, &loop_.variable, end, counting)?;
            return Ok(true);
        }
        self.must_fit(word, &loop_.variable, bound, joined)?;
        if own.is_narrow() {
            self.must_fit(word, &loop_.variable, end, own)?;
        }
        Ok(true)
    }

    /// Whether it is 0 at least, without the guess that a signed argument is a size.
    fn is_never_negative(&self, tree: &Tree) -> bool {
        let is_signed = |name: &str| self.types.get(name).is_some_and(|it| it.is_signed());
        let is_guess = |it: &Token| {
            is_signed(&it.text) && self.known.naturals.contains(&format!("{} >= 1", it.text))
        };
        let is_difference = matches!(tree, Tree::Binary("-", ..));
        !is_difference && self.known.is_natural(tree) && !written(tree).iter().any(is_guess)
    }

    /// Refuses shifts of which C leaves the result open.
    pub(super) fn check_shifts(&self, tree: &Tree) -> Result<()> {
        let all = |of: &[Tree]| of.iter().try_for_each(|it| self.check_shifts(it));
        match tree {
            Tree::Atom(_) => Ok(()),
            Tree::Index(_, of) | Tree::Call(_, of) => all(of),
            Tree::Choice(of) => all(&**of),
            Tree::Prefix(_, of, _) | Tree::Round(_, of) => self.check_shifts(of),
            Tree::Binary(sign, left, right) => {
                self.check_shifts(left)?;
                self.check_shifts(right)?;
                let bits = self.type_of(left).map_or(64, |it| it.bits().max(32));
                let Some(by) = integer(right).filter(|_| ["<<", ">>"].contains(sign)) else {
                    return Ok(());
                };
                let is_signed = self.type_of(left).is_some_and(Type::is_signed) && bits == 32;
                let shifted = |it: i64| i128::from(it) << by.clamp(0, 63);
                let is_held = |it: i64| i32::try_from(shifted(it)).is_ok();
                let is_over = *sign == "<<" && is_signed && !integer(left).is_none_or(is_held);
                if (0..i64::from(bits)).contains(&by) && !is_over {
                    return Ok(());
                }
                let text = format!("C leaves open what a shift of {bits} bits by {by} gives here");
                Err(Diagnostic::new(first(right).span, text).help(
                    "shift an unsigned value, or a longer one, as in `1u << 31` and `1L << 40`",
                ))
            }
        }
    }

    fn fits(&self, tree: &Tree, of: Type) -> bool {
        let limits = of.limits();
        let is_within = |(least, most): (i128, i128)| {
            least >= i128::from(*limits.start()) && most <= i128::from(*limits.end())
        };
        let is_wide = !of.is_narrow() && !of.is_signed();
        self.bounds(tree).is_some_and(is_within) || is_wide && self.is_never_negative(tree)
    }

    /// Has a value checked before the loop, if it is not sure to fit.
    fn must_fit(&mut self, word: &Token, variable: &Token, tree: Tree, of: Type) -> Result<()> {
        if self.fits(&tree, of) {
            return Ok(());
        }
        let bits = of.bits();
        let plain = text(&written(&tree));
        if integer(&tree).is_some() {
            let text = format!(
                "`{}` is counted modulo 2^{bits} and would have to be {plain}: no end",
                variable.text
            );
            return Err(Diagnostic::new(word.span, text)
                .help("declare it as `int`, or write the loop that is meant"));
        }
        let name = self.out.fresh("bound");
        let text =
            format!("where {plain} is no {}, C counts modulo 2^{bits}: an error here", of.word());
        self.out.hints.said.push((word.clone(), text));
        let value = spaced(written(&cast(of, tree)));
        self.out.line(words(word, &format!("{name} ← {{}}"), &[&value]));
        Ok(())
    }
}
