//! Heads of loops and functions.

use super::{Kind, Translator, closing, parts, position, split};
use crate::notation::boundaries::end_of_statement;
use crate::notation::token::Token;

/// What a loop counts: from, up to, whether that belongs to it, and which way.
struct Range {
    from: Vec<Token>,
    to: Vec<Token>,
    is_inclusive: bool,
    is_down: bool,
    step: Option<Vec<Token>>,
}

/// Without a call behind it, as `.rev()`: what stands in its brackets.
fn without_call<'a>(tokens: &'a [Token], names: &[&str]) -> Option<(&'a [Token], &'a [Token])> {
    let last = tokens.last()?;
    if !last.is(")") {
        return match tokens {
            [inner @ .., dot, name] if dot.is(".") && name.is_any(names) => Some((inner, &[])),
            _ => None,
        };
    }
    let open = (0..tokens.len())
        .rev()
        .find(|&at| closing(tokens, at) == Some(tokens.len() - 1) && tokens[at].is("("))?;
    let name = tokens.get(open.checked_sub(1)?)?;
    let dot = open.checked_sub(2)?;
    (tokens[dot].is(".") && names.contains(&&*name.text))
        .then(|| (&tokens[..dot], &tokens[open + 1..tokens.len() - 1]))
}

fn grouped(tokens: &[Token]) -> &[Token] {
    match tokens {
        [open, inside @ .., _] if open.is("(") && closing(tokens, 0) == Some(tokens.len() - 1) => {
            inside
        }
        all => all,
    }
}

/// Swift's `stride(from: a, to: b, by: c)`.
fn strided(inside: &[Token]) -> Option<Range> {
    let parts: Vec<Vec<Token>> = split(inside, &[","]).into_iter().map(<[Token]>::to_vec).collect();
    let [from, to, by] = &parts[..] else { return None };
    let value = |it: &[Token]| it.get(2..).map(<[Token]>::to_vec);
    let (from, to, by) = (value(from)?, (value(to)?, to[0].is("through")), value(by)?);
    let is_down = by.first().is_some_and(|it| it.is("-"));
    let (from, (to, is_inclusive)) = if is_down && to.1 {
        (to.0, (from, true))
    } else if is_down {
        return None;
    } else {
        (from, to)
    };
    let by = if is_down { by[1..].to_vec() } else { by };
    let range = Range { from, to, is_inclusive, is_down, step: Some(by) };
    Some(range)
}

impl Translator {
    /// `for i in 0..n {`, `for (i in 0 until n)`, `for (const x of a)`, `for i, x := range a {`.
    pub(super) fn for_head(&mut self, word: &Token) -> bool {
        let naked = !matches!(self.kind, Kind::Script | Kind::Kotlin);
        self.at += 1;
        let (head, length) = match naked {
            true => match self.until(&["{"]) {
                Some(head) => (head.clone(), head.len()),
                None => return false,
            },
            false => match closing(&self.tokens, self.at) {
                Some(close) => (self.tokens[self.at + 1..close].to_vec(), close + 1 - self.at),
                None => return false,
            },
        };
        let made = |text: &str| word.with(text);
        if position(&head, &[";"]).is_some() {
            self.at += length;
            self.three_parts(word, &head);
            return true;
        }
        let sign = ["in", "of", "range"].iter().find_map(|it| position(&head, &[it]));
        let Some(at) = sign else {
            // Go's `for condition {`
            let condition = if head.is_empty() { vec![made("true")] } else { head };
            self.at += length;
            self.out.extend([made("while"), made("(")]);
            self.out.extend(condition);
            self.out.push(made(")"));
            return true;
        };
        let names: Vec<Token> = head[..at]
            .iter()
            .filter(|it| {
                (it.is_name() || it.is("_")) && !it.is_any(&["let", "const", "var", "val"])
            })
            .cloned()
            .collect();
        let of = head[at + 1..].to_vec();
        let Some((range, inner)) = self.counts(word, &names, &of, head[at].is("range")) else {
            self.at -= 1;
            return false;
        };
        self.at += length;
        self.counted(word, range, inner);
        true
    }

    /// `for (let i = 0; i < n; i++)`, `for i := 0; i < n; i++ {`.
    fn three_parts(&mut self, word: &Token, head: &[Token]) {
        let made = |text: &str| word.with(text);
        let mut head: Vec<Vec<Token>> =
            split(head, &[";"]).into_iter().map(<[Token]>::to_vec).collect();
        head[0].retain(|it| !it.is("let"));
        let declares = head[0].iter().position(|it| it.is(":="));
        if let Some(at) = declares {
            head[0][at].text = "=".to_owned();
            head[0].insert(0, made("var"));
        }
        self.out.extend([word.clone(), made("(")]);
        self.out.extend(head.join(&made(";")));
        self.out.push(made(")"));
    }

    /// A loop over what a range counts; `inner` is its variable, and what its names get.
    fn counted(&mut self, word: &Token, range: Range, inner: (Token, Vec<Token>)) {
        let made = |text: &str| word.with(text);
        let Range { from, to, is_inclusive, is_down, step } = range;
        // A range is made once, whatever its loop assigns.
        let body_end = closing(&self.tokens, self.at).unwrap_or(self.at);
        let changed = |name: &Token| {
            self.tokens[self.at..body_end].windows(2).any(|it| {
                let assigns =
                    it[1].text.ends_with('=') && !it[1].is_any(&["==", "<=", ">=", "!=", "==="]);
                it[0].is(&name.text) && (assigns || it[1].is_any(&["++", "--"]))
            })
        };
        let once = |out: &mut Vec<Token>, bound: Vec<Token>, name: Token| {
            if !bound.iter().any(|it| it.is_name() && changed(it)) {
                return bound;
            }
            out.extend([made("var"), name.clone(), made("=")]);
            out.extend(bound);
            out.push(made(";"));
            vec![name]
        };
        let mut above = vec![];
        let to = once(&mut above, to, made(&format!("bound_{}_", self.made + 1)));
        let from = once(&mut above, from, made(&format!("start_{}_", self.made + 1)));
        self.made += 1;
        self.out.extend(above);
        let (variable, inner) = inner;
        let by = step.unwrap_or_else(|| vec![made("1")]);
        let group = |it: &[Token]| match it {
            [_] => it.to_vec(),
            all => [&[made("(")], all, &[made(")")]].concat(),
        };
        let mut out = vec![word.clone(), made("("), made("var"), variable.clone(), made("=")];
        let compare = |out: &mut Vec<Token>, sign: &str, bound: &[Token]| {
            out.extend([made(";"), variable.clone(), made(sign)]);
            out.extend(group(bound));
            out.push(made(";"));
        };
        if is_down {
            out.extend(group(&to));
            if !is_inclusive {
                out.extend([made("-"), made("1")]);
            }
            compare(&mut out, ">=", &from);
        } else {
            out.extend(from);
            compare(&mut out, if is_inclusive { "<=" } else { "<" }, &to);
        }
        out.extend([variable.clone(), made(if is_down { "-=" } else { "+=" })]);
        out.extend(group(&by));
        out.push(made(")"));
        self.out.extend(out);
        if !inner.is_empty() {
            // A statement alone has the element of its own, too.
            if !self.peek(0).is_some_and(|it| it.is("{")) {
                let end = end_of_statement(&self.tokens, self.at);
                self.tokens.insert(end, made("}"));
                self.tokens.insert(self.at, made("{"));
            }
            self.out.push(made("{"));
            self.at += 1;
            self.out.extend(inner);
        }
    }

    /// What a loop counts, its variable, and what its names get inside.
    fn counts(
        &mut self,
        word: &Token,
        names: &[Token],
        of: &[Token],
        is_go: bool,
    ) -> Option<(Range, (Token, Vec<Token>))> {
        let made = |text: &str| word.with(text);
        let (mut of, mut is_down, mut step) = (of, false, None);
        // `0 until n step 2`
        if let Some(at) = position(of, &["step"]) {
            step = Some(of[at + 1..].to_vec());
            of = &of[..at];
        }
        if let Some((inner, by)) = without_call(of, &["step_by"]) {
            (of, step) = (inner, Some(by.to_vec()));
        }
        if let Some((inner, _)) = without_call(of, &["rev", "reversed"]) {
            (of, is_down) = (inner, true);
        }
        of = grouped(of);
        let exclusive = matches!(self.kind, Kind::Rust);
        let signs = ["until", "downTo", "...", ".."];
        if let Some(at) = position(of, &signs)
            && let [name] = names
        {
            let (left, right) = (of[..at].to_vec(), &of[at + 1..]);
            let (right, is_inclusive) = match right {
                [sign, rest @ ..] if sign.is("=") => (rest, true),
                [sign, rest @ ..] if sign.is("<") => (rest, false),
                all => (all, !(of[at].is("until") || exclusive && of[at].is(".."))),
            };
            let turns = of[at].is("downTo");
            if left.is_empty() || right.is_empty() {
                return None;
            }
            let (from, to) = if turns { (right.to_vec(), left) } else { (left, right.to_vec()) };
            let range = Range { from, to, is_inclusive, is_down: is_down || turns, step };
            return Some((range, (name.clone(), vec![])));
        }
        if let [stride, open, inside @ .., _] = of
            && stride.is("stride")
            && open.is("(")
        {
            return Some((strided(inside)?, (names.first()?.clone(), vec![])));
        }
        let mut is_numbered = false;
        for calls in [
            &["enumerate", "enumerated", "withIndex", "entries"][..],
            &["iter", "into_iter", "keys"],
        ] {
            if let Some((inner, _)) = without_call(of, calls) {
                is_numbered |= calls.contains(&"enumerate");
                of = inner;
            }
        }
        let is_indices = without_call(of, &["indices"]);
        let of = is_indices.map_or(of, |it| it.0);
        let [array] = of else { return None };
        let length = if array.is_number() {
            vec![array.clone()]
        } else {
            vec![array.clone(), made("."), made("length")]
        };
        let range = |to| Range {
            from: vec![made("0")],
            to,
            is_inclusive: false,
            is_down,
            step: step.clone(),
        };
        let element = |name: &Token, index: &Token| {
            let signs = [made("="), array.clone(), made("["), index.clone(), made("]"), made(";")];
            [vec![made("var"), name.clone()], signs.to_vec()].concat()
        };
        match names {
            [one] if is_indices.is_some() || is_go => {
                // Go's `range n` of a number.
                let is_array =
                    self.tokens.windows(2).any(|it| it[0].is(&array.text) && it[1].is("["));
                let to = if is_go && !is_array { of.to_vec() } else { length };
                Some((range(to), (one.clone(), vec![])))
            }
            [one] => {
                let index = self.fresh(word);
                Some((range(length), (index.clone(), element(one, &index))))
            }
            [index, one] if is_numbered || is_go => {
                let index = if index.is("_") { self.fresh(word) } else { index.clone() };
                let inner = if one.is("_") { vec![] } else { element(one, &index) };
                Some((range(length), (index, inner)))
            }
            _ => None,
        }
    }

    /// `fn f(a: &[i32], n: usize) -> i32 {`, `func f(a []int, n int) int {`, `function f(a, n) {`.
    pub(super) fn function_head(&mut self, word: &Token) -> bool {
        let Some(name) = self.peek(1).filter(|it| it.is_name()).cloned() else { return false };
        let Some(close) = closing(&self.tokens, self.at + 2) else { return false };
        let inside = self.tokens[self.at + 2..=close].to_vec();
        let Some(open) = position(&self.tokens[close..], &["{"]).map(|it| it + close) else {
            return false;
        };
        let Some(end) = closing(&self.tokens, open) else { return false };
        let result = self.tokens[close + 1..open].to_vec();
        let body = self.tokens[open..end].to_vec();
        let made = |text: &str| word.with(text);
        let is_used = |name: &Token| {
            body.windows(3).any(|it| {
                it[0].is(&name.text)
                    && (it[1].is("[")
                        || it[1].is(".") && it[2].is_any(&["length", "size", "len", "count"]))
                    || it[2].is(&name.text) && it[1].is("(") && it[0].is("len")
                    || it[1].is_any(&["of", "range"]) && it[2].is(&name.text)
            })
        };
        let rank = |name: &Token| {
            body.windows(2)
                .enumerate()
                .filter(|(_, it)| it[0].is(&name.text) && it[1].is("["))
                .filter_map(|(at, _)| {
                    let close = closing(&body, at + 1)?;
                    Some(1 + usize::from(body.get(close + 1).is_some_and(|it| it.is("["))))
                })
                .max()
                .unwrap_or(1)
        };
        self.out.extend([made("auto"), name.clone(), made("(")]);
        let all = parts(&inside).into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>();
        let mut types: Vec<Token> = vec![];
        let mut formals: Vec<Vec<Token>> = vec![];
        for part in all.iter().rev() {
            let colon = position(part, &[":"]);
            let (names, of) = match colon {
                Some(at) => (&part[..at], &part[at + 1..]),
                None => part.split_at(1),
            };
            let own: Vec<Token> =
                of.iter().filter(|it| !it.is_any(&["&", "mut", "inout", "'"])).cloned().collect();
            // Go: `a, b int`.
            if colon.is_some() || !own.is_empty() {
                types = own;
            }
            let Some(name) = names.iter().rev().find(|it| it.is_name() && !it.is("_")) else {
                continue;
            };
            let is_array = types
                .iter()
                .any(|it| it.is("[") || it.text.contains("Array") || it.is_any(&["Vec", "List"]))
                || types.is_empty() && is_used(name);
            let element = self.element(&types);
            let mut formal = vec![made(element), name.clone()];
            if is_array {
                for _ in 0..rank(name) {
                    formal.extend([made("["), made("]")]);
                }
            }
            formals.push(formal);
        }
        formals.reverse();
        self.out.extend(formals.join(&made(",")));
        self.out.push(made(")"));
        self.at = open;
        if self.kind == Kind::Rust && result.iter().any(|it| it.is("->")) {
            self.return_last(open, end);
        }
        true
    }

    /// The value of a block is that of its last expression.
    fn return_last(&mut self, open: usize, end: usize) {
        let body = &self.tokens[open..end];
        let Some(last) = body.iter().rposition(|it| it.is_any(&[";", "{", "}"])) else { return };
        let start = open + last + 1;
        if start < end && !self.tokens[start].is("return") {
            let like = self.tokens[start].clone();
            self.tokens.insert(end, Token::glued(";", &like));
            self.tokens.insert(start, like.with("return"));
            self.tokens[start + 1].blank = " ".to_owned();
        }
    }
}
