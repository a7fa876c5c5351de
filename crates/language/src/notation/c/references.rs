//! Arguments through which a function gives values back, `int *lo` and `int &lo`: arrays of one element.

use super::loops::changed;
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::boundaries::is_prefix;
use crate::notation::element::typed;
use crate::notation::token::{Token, closing, split};

/// An argument that gives a value back.
struct Given {
    function: Token,
    /// Which of the arguments.
    place: usize,
    name: Token,
    is_pointer: bool,
}

/// The name of an argument, with the sign before it.
fn formal(tokens: &[Token]) -> Option<(&Token, bool)> {
    let [words @ .., sign, name] = tokens else { return None };
    let is_plain = typed(words).is_some_and(|it| it.length == words.len() && !it.is_array);
    let is_const = words.iter().any(|it| it.is("const"));
    (is_plain && !is_const && sign.is_any(&["*", "&"]) && name.is_name())
        .then(|| (name, sign.is("*")))
}

/// Whether all uses of a pointer are of what it points at.
fn is_only_pointed_at(body: &[Token], name: &Token) -> bool {
    let mut uses = (0..body.len()).filter(|&at| body[at].is(&name.text)).peekable();
    uses.peek().is_some()
        && uses.all(|at| {
            let is_star = at > 0 && body[at - 1].is("*");
            let moves = body.get(at + 1).is_some_and(|it| it.is_any(&["[", "++", "--"]));
            is_star && is_prefix(body, at - 1) && !moves
        })
}

impl Reader {
    pub(super) fn references(&mut self) -> Result<()> {
        self.without_swaps();
        self.other_names()?;
        let functions = self.functions();
        let mut given = vec![];
        for function in &functions {
            let body = &self.tokens[function.body.0..function.body.1];
            for (place, argument) in function.arguments.iter().enumerate() {
                let Some((name, is_pointer)) = formal(argument) else { continue };
                let is_given = match is_pointer {
                    true => is_only_pointed_at(body, name),
                    false => changed(body).contains(&name.text),
                };
                if is_given {
                    let (function, name) = (function.name.clone(), name.clone());
                    given.push(Given { function, place, name, is_pointer });
                }
            }
        }
        for it in &given {
            self.as_element(&it.function, &it.name, it.is_pointer);
        }
        self.callers(&given)
    }

    /// `int &m = a[0];` is no copy: what is assigned to m, or to the element, both have.
    fn other_names(&self) -> Result<()> {
        let ends = |it: &Token| it.is_any(&[";", "{", "}"]) || it.text.starts_with('#');
        for (at, three) in self.tokens.windows(3).enumerate() {
            let [sign, name, equal] = three else { continue };
            let start = self.tokens[..at].iter().rposition(ends).map_or(0, |it| it + 1);
            let words = &self.tokens[start..at];
            let is_type = || typed(words).is_some_and(|it| it.length == words.len());
            let is_read = || words.iter().any(|it| it.is("const"));
            if sign.is("&") && name.is_name() && equal.is("=") && is_type() && !is_read() {
                let what = format!("`{}` is another name of what stands behind `=`", name.text);
                return Err(Diagnostic::new(name.span, what).help("write the element itself"));
            }
        }
        Ok(())
    }

    /// `void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }`: a swap, whatever it is called.
    fn without_swaps(&mut self) {
        for function in self.functions().iter().rev() {
            let names = function.arguments.iter().filter_map(|it| formal(it)).collect::<Vec<_>>();
            let [(x, _), (y, _)] = names[..] else { continue };
            let (from, to) = function.body;
            let words: Vec<&str> = self.tokens[from..to]
                .iter()
                .map(|it| it.text.as_str())
                .filter(|it| *it != "*" && *it != "(" && *it != ")")
                .collect();
            let (x, y) = (x.text.as_str(), y.text.as_str());
            let swaps = |t: &str| {
                let all = [t, "=", x, ";", x, "=", y, ";", y, "=", t, ";"];
                words.ends_with(&all) && words.len() <= all.len() + 4
            };
            if !words.iter().any(|it| swaps(it)) {
                continue;
            }
            let ends = |it: &Token| it.is_any(&[";", "}"]) || it.text.starts_with('#');
            let name = self.tokens[..from].iter().rposition(|it| {
                it.span.start == function.name.span.start && it.text == function.name.text
            });
            let Some(name) = name else { continue };
            let start = self.tokens[..name].iter().rposition(ends).map_or(0, |it| it + 1);
            self.tokens.drain(start..=to);
            for at in 0..self.tokens.len().saturating_sub(1) {
                if self.tokens[at].is(&function.name.text) && self.tokens[at + 1].is("(") {
                    self.tokens[at].text = "swap".to_owned();
                }
            }
        }
    }

    /// The argument as an array of one element, in its function.
    fn as_element(&mut self, function: &Token, name: &Token, is_pointer: bool) {
        let functions = self.functions();
        let Some(own) = functions.iter().find(|it| it.name.span.start == function.span.start)
        else {
            return;
        };
        let (from, to) = own.body;
        let index = ["[", "0", "]"].map(|it| Token::glued(it, name));
        let mut out = vec![];
        for at in from..to {
            let token = &self.tokens[at];
            let next = self.tokens.get(at + 1);
            if is_pointer && token.is("*") && next.is_some_and(|it| it.is(&name.text)) {
                continue;
            }
            out.push(token.clone());
            if token.is(&name.text) {
                out.extend(index.iter().cloned());
            }
        }
        self.tokens.splice(from..to, out);
        let before = self.tokens[..from].iter().rposition(|it| it.span.start == name.span.start);
        if let Some(at) = before.filter(|it| *it > 0) {
            let extent = ["[", "1", "]"].map(|it| Token::glued(it, name));
            self.tokens.splice(at + 1..at + 1, extent);
            self.tokens.remove(at - 1);
        }
    }

    /// What is given back to a scalar: that is an array of one element, too.
    fn callers(&mut self, given: &[Given]) -> Result<()> {
        for it in given {
            let mut from = 0;
            while let Some(at) = (from..self.tokens.len()).find(|&at| {
                let is_call = self.tokens[at].is(&it.function.text)
                    && self.tokens.get(at + 1).is_some_and(|it| it.is("("));
                is_call && self.tokens[at].span.start != it.function.span.start
            }) {
                from = at + 1;
                let Some(close) = closing(&self.tokens, at + 1) else { continue };
                if self.tokens.get(close + 1).is_some_and(|it| it.is("{")) {
                    continue;
                }
                let arguments = split(&self.tokens[at + 2..close], &[","]);
                let Some(argument) = arguments.get(it.place) else { continue };
                // A declaration of the function.
                if argument.len() > 2 && typed(argument).is_some() {
                    continue;
                }
                let name = match (it.is_pointer, argument) {
                    (true, [address, name]) if address.is("&") => name.clone(),
                    (false, [name]) => name.clone(),
                    // An array whose first element it is, or an element that is given on.
                    (true, [_]) => continue,
                    (_, other) => {
                        let text = format!(
                            "`{}` changes this through `{}`",
                            it.function.text, it.name.text
                        );
                        return Err(Diagnostic::new(
                            other.first().unwrap_or(&it.function).span,
                            text,
                        )
                        .help("give it a scalar, and assign the element behind the call"));
                    }
                };
                if !self.as_cell(at, &name) {
                    let text = format!(
                        "`{}` changes `{}`, which is not declared here",
                        it.function.text, name.text
                    );
                    return Err(Diagnostic::new(name.span, text)
                        .help("declare it in the function that calls"));
                }
            }
        }
        Ok(())
    }

    /// A scalar of the function around a place as an array of one element; false where it has no declaration.
    pub(super) fn as_cell(&mut self, at: usize, name: &Token) -> bool {
        let functions = self.functions();
        let around = functions.iter().find(|it| (it.body.0..it.body.1).contains(&at));
        let (from, to) = around.map_or((0, self.tokens.len()), |it| it.body);
        let body = self.tokens[from..to].to_vec();
        let is_declared = |at: usize| {
            let rest = &body[at + 1..];
            let before = at.checked_sub(1).map(|it| &body[it]);
            let is_first = before.is_some_and(|it| it.is_name() && !it.is("return"));
            // Braces may stand around the values before it.
            let end = body[..at].iter().rposition(|it| it.is(";")).map_or(0, |it| it + 1);
            let begins =
                (end..at).rev().filter(|&it| it == end || body[it - 1].is_any(&["{", "}", "("]));
            let mut typed_from =
                begins.filter(|&it| typed(&body[it..at]).is_some_and(|it| it.length > 0));
            let is_next = before.is_some_and(|it| it.is(",")) && typed_from.next().is_some();
            (is_first || is_next) && rest.first().is_some_and(|it| it.is_any(&[";", ",", "=", "["]))
        };
        let places = (0..body.len()).filter(|&at| body[at].is(&name.text));
        let Some(declared) = places.clone().find(|&at| is_declared(at)) else { return false };
        if body[declared + 1].is("[") {
            return true;
        }
        let cell = |text: &str| ["[", text, "]"].map(|it| Token::glued(it, name));
        let mut out: Vec<Token> = vec![];
        let mut at = 0;
        while at < body.len() {
            let token = &body[at];
            let is_address = token.is("&")
                && body.get(at + 1).is_some_and(|it| it.is(&name.text))
                && (at == 0 || !body[at - 1].ends_operand());
            if is_address {
                out.push(body[at + 1].clone());
                at += 2;
                continue;
            }
            out.push(token.clone());
            at += 1;
            if !token.is(&name.text) {
                continue;
            }
            if at - 1 == declared {
                out.extend(cell("1"));
                if body[at].is("=") {
                    let rest = &body[at + 1..];
                    let end = crate::notation::token::position(rest, &[";", ","]);
                    let end = end.unwrap_or(rest.len());
                    out.extend([name.with("="), name.with("{")]);
                    out.extend_from_slice(&rest[..end]);
                    out.push(name.with("}"));
                    at += 1 + end;
                } else if around.is_none() {
                    // Outside of functions, it begins with 0.
                    out.extend(["=", "{", "0", "}"].map(|it| name.with(it)));
                }
            } else if !self.is_given(&out, name) {
                out.extend(cell("0"));
            }
        }
        self.tokens.splice(from..to, out);
        true
    }

    /// Whether a name at the end stands for the array: an argument by reference.
    fn is_given(&self, out: &[Token], name: &Token) -> bool {
        let Some(open) = out.iter().rposition(|it| it.is("(")) else { return false };
        let Some(function) = open.checked_sub(1).map(|it| &out[it]) else { return false };
        let place = split(&out[open + 1..], &[","]).len() - 1;
        let is_alone = out.len() < 2 || out[out.len() - 2].is_any(&["(", ","]);
        let functions = self.functions();
        let callee = functions.iter().find(|it| it.name.text == function.text);
        let formal = callee.and_then(|it| it.arguments.get(place));
        let takes = formal.is_some_and(|it| it.iter().any(|it| it.is("[")));
        takes && is_alone && !name.text.is_empty()
    }
}
