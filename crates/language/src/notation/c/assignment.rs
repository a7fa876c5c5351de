//! Assignments of C.

use super::conditions::{SIGNS, step_target};
use super::{Reader, Result, closing};
use crate::diagnostic::Diagnostic;
use crate::notation::array_assignment::reading_indices;
use crate::notation::output::spaced;
use crate::notation::token::{Token, position, split};
use crate::notation::tree::{Tree, unexpected, written};
use crate::syntax::Type;

impl Reader {
    /// `x = e`, `x += e`, `x++`, `f(x)`, and several of them with commas between.
    pub(super) fn simple(&mut self, tokens: &[Token]) -> Result<()> {
        if tokens.is_empty() {
            return Ok(());
        }
        for part in split(tokens, &[","]) {
            self.assignment(part)?;
        }
        Ok(())
    }

    /// `b[k++] = e`: the step is a statement of its own, before or behind, where nothing else has the name.
    fn steps_apart(&mut self, tokens: &[Token]) -> Result<bool> {
        let is_step = |it: &Token| it.is_any(&["++", "--"]);
        let is_lazy = |it: &Token| it.is_any(&["&&", "||", "?"]);
        let Some(at) = tokens.iter().position(is_step) else { return Ok(false) };
        let (is_first, is_last) = (at == 0, at + 1 == tokens.len());
        let assigns = |it: &Token| it.text.ends_with('=') && !it.is_any(&["==", "<=", ">=", "!="]);
        let is_whole = tokens.iter().filter(|it| is_step(it)).count() == 1
            && (is_first || is_last)
            && !tokens.iter().any(assigns);
        if is_whole || tokens.iter().any(is_lazy) {
            return Ok(false);
        }
        let Some((target, is_before)) = step_target(tokens, at) else { return Ok(false) };
        let name = &tokens[target.start];
        // `i = a[i]++` would find its element by the new place.
        let is_given = matches!(tokens, [one, sign, ..] if sign.is("=") && tokens[target.clone()].iter().any(|it| it.is(&one.text)));
        if is_given || tokens.iter().filter(|it| it.is(&name.text)).count() > 1 {
            return Ok(false);
        }
        let step = [&tokens[target], std::slice::from_ref(&tokens[at])].concat();
        let mut rest = tokens.to_vec();
        rest.remove(at);
        if is_before {
            self.assignment(&rest)?;
            self.assignment(&step)?;
        } else {
            self.assignment(&step)?;
            self.assignment(&rest)?;
        }
        Ok(true)
    }

    pub(super) fn assignment(&mut self, tokens: &[Token]) -> Result<()> {
        if self.steps_apart(tokens)? {
            return Ok(());
        }
        let Some(place) = tokens.first() else {
            return Err(unexpected(&self.place(), "a statement"));
        };
        if let Some(at) = position(tokens, &SIGNS) {
            let (target, sign, value) = (&tokens[..at], &tokens[at], &tokens[at + 1..]);
            if let Some(second) = position(value, &SIGNS) {
                if !sign.is("=") || !value[second].is("=") {
                    return Err(unexpected(&value[second], "one assignment"));
                }
                return self.chain(&tokens[..at], sign, value, second);
            }
            if !sign.is("=") {
                let target = &self.place_once(target, sign)?[..];
                let op = sign.with(sign.text.trim_end_matches('='));
                let bracketed =
                    [vec![sign.with("(")], value.to_vec(), vec![sign.with(")")]].concat();
                let whole = [target, &[op], &bracketed[..]].concat();
                return self.assign(target, sign, &whole);
            }
            return self.assign(target, sign, value);
        }
        let step = |sign: &Token| if sign.is("++") { "+" } else { "-" };
        match tokens {
            [target @ .., sign] | [sign, target @ ..]
                if sign.is_any(&["++", "--"]) && !target.is_empty() =>
            {
                let target = self.place_once(target, sign)?;
                let whole = [&target[..], &[sign.with(step(sign)), sign.with("1")]].concat();
                self.assign(&target, sign, &whole)
            }
            [swap, open, inside @ .., close]
                if swap.is_any(&["swap", "SWAP", "exchange", "exch"])
                    && open.is("(")
                    && close.is(")")
                    && !self.functions.contains(&swap.text) =>
            {
                let strip = |it: &[Token]| match it {
                    [address, rest @ ..] if address.is("&") => rest.to_vec(),
                    all => all.to_vec(),
                };
                let parts: Vec<Vec<Token>> = split(inside, &[","]).into_iter().map(strip).collect();
                match &parts[..] {
                    [left, right] => {
                        let (left, right) = (self.value(left)?, self.value(right)?);
                        self.out.line([left, vec![Token::made("↔", swap)], spaced(right)].concat());
                        Ok(())
                    }
                    [array, left, right] => {
                        let element = |it: &[Token]| {
                            [array.clone(), vec![swap.with("[")], it.to_vec(), vec![swap.with("]")]]
                                .concat()
                        };
                        let (left, right) =
                            (self.value(&element(left))?, self.value(&element(right))?);
                        self.out.line([left, vec![Token::made("↔", swap)], spaced(right)].concat());
                        Ok(())
                    }
                    _ => Err(unexpected(swap, "a swap of two")),
                }
            }
            [name, open, ..] if name.is_name() && open.is("(") => {
                let call = self.value(tokens)?;
                self.out.line(call);
                Ok(())
            }
            _ => Err(unexpected(place, "a statement")),
        }
    }

    /// `x = r / (d = b)`: what is assigned in brackets is assigned above.
    pub(super) fn inner_assignments(&mut self, tokens: &[Token]) -> Result<Vec<Token>> {
        let mut tokens = tokens.to_vec();
        let inner = |of: &[Token]| {
            let is_one = |it: &[Token]| it[0].is("(") && it[1].is_name() && it[2].is("=");
            of.windows(3)
                .position(is_one)
                .filter(|at| *at > 0 || closing(of, 0) != Some(of.len() - 1))
        };
        // `(s[i] = t[j]) != 0`: both get the value, which is asked.
        while let Some((open, equal, close)) = assigned_element(&tokens) {
            let same = tokens[open].with(self.out.fresh("same"));
            let (target, value) = (&tokens[open + 1..equal], &tokens[equal + 1..close]);
            let sign = &tokens[equal];
            self.declare(&same.text, self.types.get(&target[0].text).copied());
            let target = [target, &[sign.clone(), same.clone()]].concat();
            let value = [&[same.clone(), sign.clone()], value].concat();
            self.assignment(&value)?;
            self.assignment(&target)?;
            tokens.splice(open..=close, [same]);
        }
        while let Some(at) = inner(&tokens) {
            let Some(close) = closing(&tokens, at) else { break };
            let name = tokens[at + 1].clone();
            let is_elsewhere =
                tokens[..at].iter().chain(&tokens[close..]).any(|it| it.is(&name.text));
            let is_call = at.checked_sub(1).is_some_and(|it| tokens[it].is_name());
            let is_sure = !tokens[..at].iter().any(|it| it.is_any(&["&&", "||", "?"]));
            if is_elsewhere || is_call || !is_sure {
                break;
            }
            let assigned = tokens[at + 1..close].to_vec();
            self.simple(&assigned)?;
            tokens.splice(at..=close, [name]);
        }
        Ok(tokens)
    }

    /// `a[0] = b = e`, from the right: each gets what the one behind it has got, without reading it.
    fn chain(&mut self, target: &[Token], sign: &Token, rest: &[Token], at: usize) -> Result<()> {
        let inner = &rest[..at];
        if inner.is_empty() {
            return Err(unexpected(sign, "a variable between two `=`"));
        }
        if let [_] = inner {
            self.assignment(rest)?;
            return self.assignment(&[target, std::slice::from_ref(sign), inner].concat());
        }
        let value = &rest[at + 1..];
        if matches!(value, [one] if one.is_any(&["0", "1", "true", "false"])) {
            for target in [inner, target] {
                self.assign(target, sign, value)?;
            }
            return Ok(());
        }
        let same = sign.with(self.out.fresh("same"));
        let element = self.types.get(&inner[0].text).copied();
        self.declare(&same.text, element);
        if element.is_some_and(Type::is_float) {
            self.known.reals.insert(same.text.clone());
        }
        let same = std::slice::from_ref(&same);
        self.assignment(&[same, std::slice::from_ref(sign), value].concat())?;
        self.assign(inner, sign, same)?;
        self.assign(target, sign, same)
    }

    /// A target that is read and written, with its place found before.
    fn place_once(&mut self, target: &[Token], sign: &Token) -> Result<Vec<Token>> {
        let mut target = target.to_vec();
        for range in reading_indices(&target).into_iter().rev() {
            let place = Token::glued(self.out.fresh("place"), sign);
            let tree = self.tree(&target[range.clone()])?;
            self.declare(&place.text, self.type_of(&tree));
            let value = spaced(written(&tree));
            self.out.line([vec![place.clone(), Token::made("←", sign)], value].concat());
            target.splice(range, [place]);
        }
        Ok(target)
    }

    pub(super) fn assign(&mut self, target: &[Token], sign: &Token, value: &[Token]) -> Result<()> {
        if let Some(inner) = value.iter().find(|it| it.is_any(&["++", "--"])) {
            return Err(Diagnostic::new(
                inner.span,
                format!("`{}` within an expression", inner.text),
            )
            .help("write it as a statement of its own, before or behind"));
        }
        let target = self.value(target)?;
        if target.len() == 1 {
            self.known.naturals.remove(&format!("{} >= 1", target[0].text));
        }
        let value = self.tree(value)?;
        if let ([name], Tree::Call(call, of)) = (&target[..], &value)
            && call.is_any(&["length", "rows", "columns"])
            && let [Tree::Atom(array)] = &of[..]
            && self.out.depth == 0
            && self
                .tokens
                .windows(2)
                .filter(|it| {
                    it[0].is(&name.text)
                        && it[1].text.ends_with('=')
                        && !it[1].is_any(&["==", "<=", ">=", "!="])
                })
                .count()
                == 1
        {
            let dimension = usize::from(call.is("columns"));
            self.out.hints.lengths.push((array.text.clone(), dimension, name.clone()));
            return Ok(());
        }
        let name = target.first().map_or("", |it| &it.text);
        let of = self.types.get(name).copied();
        let is_typed = target.len() > 1 || self.registers.iter().any(|it| it == name);
        let value = self.converted(value, of, is_typed);
        self.out.line([target, vec![Token::made("←", sign)], spaced(written(&value))].concat());
        Ok(())
    }

    /// A value as C converts it: `float` beside `double` becomes that, and what is assigned gets the type
    /// of its target, which the plain form knows of elements and registers.
    pub(super) fn converted(&self, value: Tree, to: Option<Type>, is_typed: bool) -> Tree {
        if to.is_some_and(Type::is_integer) {
            let value = match (self.leaves(&value, Type::F32), self.leaves(&value, Type::F64)) {
                (true, true) => self.widened(value),
                _ => value,
            };
            return self.stored(value, to, is_typed);
        }
        let has = |of: Type| self.leaves(&value, of);
        let to = to.filter(|it| it.is_float());
        let place = super::super::tree::first(&value);
        match (has(Type::F32), has(Type::F64), to) {
            (true, true, to) => {
                let value = self.widened(value);
                if to == Some(Type::F32) {
                    Tree::Call(place.with("f32"), vec![value])
                } else {
                    value
                }
            }
            (true, false, Some(Type::F64)) => Tree::Call(place.with("f64"), vec![value]),
            (false, true, Some(Type::F32)) => Tree::Call(place.with("f32"), vec![value]),
            _ => value,
        }
    }

    /// Whether an element or a scalar of a type is among what a value is made of.
    fn leaves(&self, tree: &Tree, of: Type) -> bool {
        match tree {
            Tree::Atom(it) | Tree::Index(it, _) => self.types.get(&it.text) == Some(&of),
            Tree::Call(name, _) if name.is_any(&["f32", "f64"]) => name.is(of.word()),
            Tree::Call(_, all) => all.iter().any(|it| self.leaves(it, of)),
            Tree::Prefix(_, it, _) => self.leaves(it, of),
            Tree::Binary(_, left, right) => self.leaves(left, of) || self.leaves(right, of),
            Tree::Choice(parts) => parts[1..].iter().any(|it| self.leaves(it, of)),
            Tree::Round(..) => false,
        }
    }

    fn widened(&self, tree: Tree) -> Tree {
        let deeper = |it: Box<Tree>| Box::new(self.widened(*it));
        match tree {
            Tree::Atom(ref it) | Tree::Index(ref it, _)
                if self.types.get(&it.text) == Some(&Type::F32) =>
            {
                let word = it.with("f64");
                Tree::Call(word, vec![tree])
            }
            Tree::Call(name, all) if name.is("f32") => {
                Tree::Call(name.with("f64"), vec![Tree::Call(name, all)])
            }
            Tree::Call(name, all) if !name.is("f64") => {
                Tree::Call(name, all.into_iter().map(|it| self.widened(it)).collect())
            }
            Tree::Prefix(op, of, token) => Tree::Prefix(op, deeper(of), token),
            Tree::Binary(op, left, right) => Tree::Binary(op, deeper(left), deeper(right)),
            Tree::Choice(parts) => {
                let [condition, then, other] = *parts;
                Tree::Choice(Box::new([condition, self.widened(then), self.widened(other)]))
            }
            other => other,
        }
    }
}

/// Where an element is assigned in brackets: the bracket, the sign, and what closes it.
fn assigned_element(tokens: &[Token]) -> Option<(usize, usize, usize)> {
    if tokens.iter().any(|it| it.is_any(&["&&", "||", "?"])) {
        return None;
    }
    (0..tokens.len()).find_map(|open| {
        let [bracket, name, index, ..] = &tokens[open..] else { return None };
        let is_call = open.checked_sub(1).is_some_and(|it| tokens[it].is_name());
        if !bracket.is("(") || is_call || !name.is_name() || !index.is("[") {
            return None;
        }
        let close = closing(tokens, open)?;
        let end = closing(tokens, open + 2)?;
        tokens.get(end + 1).filter(|it| it.is("=")).map(|_| (open, end + 1, close))
    })
}
