//! What a line of Python says in one, as the lines that it stands for: lists with conditions, the place of the
//! greatest, NumPy's vectors, `else` behind a loop.

use super::Reader;
use crate::notation::scan::SourceLine;
use crate::notation::token::{Token, closing, position, split};

/// Lines to be: how much deeper each is, its words, and tokens for `{0}` and so on.
struct Lines<'a> {
    like: &'a Token,
    lines: Vec<SourceLine>,
}

impl Lines<'_> {
    fn add(&mut self, deeper: usize, text: &str, parts: &[&[Token]]) {
        let of = |word: &str| {
            let nth = word.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
            match nth.and_then(|it| it.parse::<usize>().ok()) {
                Some(nth) => parts[nth].to_vec(),
                None => vec![self.like.with(word)],
            }
        };
        let mut tokens: Vec<Token> = text.split(' ').flat_map(of).collect();
        tokens[0].column = self.like.column + deeper;
        self.lines.push(SourceLine { tokens, comments: vec![] });
    }
}

/// Tokens with one name in place of another.
fn renamed(tokens: &[Token], from: &str, to: &Token) -> Vec<Token> {
    tokens.iter().map(|it| if it.is(from) { it.with(&to.text) } else { it.clone() }).collect()
}

/// `[[f(x, y) for x in range(m)] for y in range(n)]`, where f is of x or y.
fn rows_with(out: &mut Lines<'_>, name: &Token, value: &[Token]) -> bool {
    let split_up = |it: &[Token]| -> Option<(Vec<Token>, Token, Vec<Token>)> {
        let [open, inside @ .., _] = it else { return None };
        let is_whole = open.is("[") && closing(it, 0) == Some(it.len() - 1);
        let at = position(inside, &["for"]).filter(|_| is_whole)?;
        let [variable, word, range, open, count @ .., _] = &inside[at + 1..] else { return None };
        let is_range = word.is("in") && range.is("range") && open.is("(");
        let is_one = position(count, &[",", "for", "if"]).is_none();
        (is_range && is_one).then(|| (inside[..at].to_vec(), variable.clone(), count.to_vec()))
    };
    let Some((row, y, rows)) = split_up(value) else { return false };
    let Some((element, x, columns)) = split_up(&row) else { return false };
    if !element.iter().any(|it| it.is(&x.text) || it.is(&y.text)) {
        return false;
    }
    let own = |it: &Token| it.with(format!("{}_of_{}", it.text, name.text));
    let (own_x, own_y) = (own(&x), own(&y));
    let element = renamed(&renamed(&element, &x.text, &own_x), &y.text, &own_y);
    let [name, x, y] = [name, &own_x, &own_y].map(std::slice::from_ref);
    out.add(0, "{0} = [ [ 0 ] * ( {1} ) for _ in range ( {2} ) ]", &[name, &columns, &rows]);
    out.add(0, "for {0} in range ( {1} ) :", &[y, &rows]);
    out.add(1, "for {0} in range ( {1} ) :", &[x, &columns]);
    out.add(2, "{0} [ {1} ] [ {2} ] = {3}", &[name, y, x, &element]);
    true
}

/// `np.cumsum(x)`, the word and its arguments.
fn of_numpy(value: &[Token]) -> Option<(&str, Vec<&[Token]>)> {
    match value {
        [np, dot, word, open, inside @ .., _]
            if np.is_any(&["np", "numpy"])
                && dot.is(".")
                && open.is("(")
                && closing(value, 3) == Some(value.len() - 1) =>
        {
            Some((&word.text, split(inside, &[","])))
        }
        _ => None,
    }
}

impl Reader {
    /// Writes such lines out.
    pub(super) fn shorthand(&mut self) {
        self.else_of_loops();
        let mut at = 0;
        while at < self.lines.len() {
            let tokens = self.lines[at].tokens.clone();
            let Some(like) = tokens.first() else { break };
            let mut lines = Lines { like, lines: vec![] };
            let name_of_return = like.with("listed");
            let (name, value, is_returned) = match &tokens[..] {
                [word, value @ ..] if word.is("return") => (&name_of_return, value, true),
                [name, sign, value @ ..] if sign.is("=") && name.is_name() => (name, value, false),
                _ => {
                    at += 1;
                    continue;
                }
            };
            let is_done = rows_with(&mut lines, name, value)
                || self.comprehension_with(&mut lines, name, value)
                || !is_returned
                    && (self.place_by_key(&mut lines, name, value)
                        || self.vector(&mut lines, name, value));
            if !is_done {
                at += 1;
                continue;
            }
            if is_returned {
                lines.add(0, "return {0}", &[std::slice::from_ref(name)]);
            }
            let lines = lines.lines;
            self.lines.splice(at..=at, lines);
            at += 1;
        }
    }

    /// `[f(x) for x in a if c]`.
    fn comprehension_with(&mut self, out: &mut Lines<'_>, name: &Token, value: &[Token]) -> bool {
        let [open, inside @ .., _] = value else { return false };
        if !open.is("[") || closing(value, 0) != Some(value.len() - 1) {
            return false;
        }
        let (Some(at), Some(word)) = (position(inside, &["for"]), position(inside, &["in"])) else {
            return false;
        };
        let Some(targets) = inside.get(at + 1..word) else { return false };
        let (element, range) = (&inside[..at], &inside[word + 1..]);
        if element.is_empty() || element[0].is("[") || position(range, &["for"]).is_some() {
            return false;
        }
        let end = position(range, &["if"]).unwrap_or(range.len());
        let condition = range.get(end + 1..).unwrap_or_default();
        let range = &range[..end];
        let is_range = range.first().is_some_and(|it| it.is("range"));
        let put = |of: &[Token]| -> Vec<Token> {
            let is_own = |it: &Token| it.is_name() && targets.iter().any(|own| own.is(&it.text));
            let one = |it: &Token| match is_own(it) {
                true => it.with(format!("{}_of_{}", it.text, name.text)),
                false => it.clone(),
            };
            of.iter().map(one).collect()
        };
        let (element, condition, own) = (put(element), put(condition), put(targets));
        let (own, name) = (&own[..], std::slice::from_ref(name));
        if condition.is_empty() && is_range {
            let folds = ["sum", "max", "min", "mean", "any", "all", "dot"];
            let is_fold = |it: &[Token]| it[0].is_any(&folds) && it[1].is("(");
            let [word, open, count @ .., _] = range else { return false };
            let is_plain = word.is("range") && open.is("(") && position(count, &[","]).is_none();
            if !is_plain || !element.windows(2).any(is_fold) {
                return false;
            }
            out.add(0, "{0} = [ 0 ] * ( {1} )", &[name, count]);
            out.add(0, "for {0} in {1} :", &[own, range]);
            out.add(1, "{0} [ {1} ] = {2}", &[name, own, &element]);
            return true;
        }
        if condition.is_empty()
            && let [array] = range
            && let [_] = own
        {
            let index = array.with(self.out.fresh("z"));
            let index = std::slice::from_ref(&index);
            out.add(0, "{0} = [ 0 ] * len ( {1} )", &[name, range]);
            out.add(0, "for {0} , {1} in enumerate ( {2} ) :", &[index, own, range]);
            out.add(1, "{0} [ {1} ] = {2}", &[name, index, &element]);
            return true;
        }
        out.add(0, "{0} = [ ]", &[name]);
        out.add(0, "for {0} in {1} :", &[own, range]);
        let is_chosen = !condition.is_empty();
        if is_chosen {
            out.add(1, "if {0} :", &[&condition]);
        }
        out.add(1 + usize::from(is_chosen), "{0} . append ( {1} )", &[name, &element]);
        true
    }

    /// `max(range(n), key=lambda i: a[i])`: the first with the greatest.
    fn place_by_key(&mut self, out: &mut Lines<'_>, name: &Token, value: &[Token]) -> bool {
        let [word, open, inside @ .., _] = value else { return false };
        let is_whole = open.is("(") && closing(value, 1) == Some(value.len() - 1);
        if !word.is_any(&["max", "min"]) || !is_whole {
            return false;
        }
        let [range, [key, sign, lambda, variable, colon, element @ ..]] = split(inside, &[","])[..]
        else {
            return false;
        };
        if !key.is("key") || !sign.is("=") || !lambda.is("lambda") || !colon.is(":") {
            return false;
        }
        let first = match range {
            [range, open, inside @ .., _] if range.is("range") && open.is("(") => {
                let parts = split(inside, &[","]);
                if parts.len() > 1 { parts[0].to_vec() } else { vec![open.with("0")] }
            }
            [array] if array.is_name() => {
                ["[", "0", "]"].iter().fold(vec![array.clone()], |mut all, it| {
                    all.push(array.with(*it));
                    all
                })
            }
            _ => return false,
        };
        let own = variable.with(self.out.fresh("one"));
        let [best, other] = [name, &own].map(|it| renamed(element, &variable.text, it));
        let sign = [word.with(if word.is("max") { ">" } else { "<" })];
        let (own, name) = (std::slice::from_ref(&own), std::slice::from_ref(name));
        out.add(0, "{0} = {1}", &[name, &first]);
        out.add(0, "for {0} in {1} :", &[own, range]);
        out.add(1, "if ( {0} ) {1} ( {2} ) :", &[&other, &sign, &best]);
        out.add(2, "{0} = {1}", &[name, own]);
        true
    }

    /// NumPy's vectors that are made element by element.
    fn vector(&mut self, out: &mut Lines<'_>, name: &Token, value: &[Token]) -> bool {
        let index = [name.with(self.out.fresh("z"))];
        let target = std::slice::from_ref(name);
        let rank = |it: &[Token]| match it {
            [array] => {
                let shape = |of: &[Token]| {
                    of[0].is(&array.text) && of[1].is(".") && of[2].is("shape") && of[4].is("1")
                };
                let is_asked = self.lines.iter().any(|it| it.tokens.windows(5).any(shape));
                if is_asked { 2 } else { self.rank_of(array) }
            }
            _ => 0,
        };
        // `A @ x`
        let product = match value {
            [left, sign, right] if sign.is("@") => Some((vec![left.clone()], vec![right.clone()])),
            _ => None,
        };
        let (word, parts) = match (&product, of_numpy(value)) {
            (Some((left, right)), _) => ("dot", vec![&left[..], &right[..]]),
            (None, Some(found)) => found,
            _ => return false,
        };
        match (word, &parts[..]) {
            ("cumsum" | "cumprod", [array @ [_]]) => {
                let total = [name.with(self.out.fresh("total"))];
                let (begin, sign) = if word == "cumsum" { ("0", "+") } else { ("1", "*") };
                out.add(0, "{0} = [ 0 ] * len ( {1} )", &[target, array]);
                out.add(0, &format!("{{0}} = {begin}"), &[&total]);
                out.add(0, "for {0} in range ( len ( {1} ) ) :", &[&index, array]);
                out.add(
                    1,
                    &format!("{{0}} = {{0}} {sign} {{1}} [ {{2}} ]"),
                    &[&total, array, &index],
                );
                out.add(1, "{0} [ {1} ] = {2}", &[target, &index, &total]);
            }
            ("diff", [array @ [_]]) => {
                out.add(0, "{0} = [ 0 ] * ( len ( {1} ) - 1 )", &[target, array]);
                out.add(0, "for {0} in range ( len ( {1} ) - 1 ) :", &[&index, array]);
                out.add(1, "{0} [ {1} ] = {2} [ {1} + 1 ] - {2} [ {1} ]", &[target, &index, array]);
            }
            ("linspace", [from, to, count]) => {
                out.add(0, "{0} = [ 0.0 ] * ( {1} )", &[target, count]);
                out.add(0, "for {0} in range ( {1} ) :", &[&index, count]);
                let text =
                    "{0} [ {1} ] = ( {2} ) + {1} * ( ( ( {3} ) - ( {2} ) ) / ( ( {4} ) - 1 ) )";
                out.add(1, text, &[target, &index, from, to, count]);
            }
            ("arange", [count]) => {
                out.add(0, "{0} = list ( range ( {1} ) )", &[target, count]);
            }
            ("dot" | "matmul", [left, right]) if rank(left) == 2 && rank(right) == 1 => {
                let inner = [name.with(self.out.fresh("z"))];
                out.add(0, "{0} = [ 0 ] * {1} . shape [ 0 ]", &[target, left]);
                out.add(0, "for {0} in range ( {1} . shape [ 0 ] ) :", &[&index, left]);
                out.add(1, "for {0} in range ( {1} . shape [ 1 ] ) :", &[&inner, left]);
                let text = "{0} [ {1} ] = {0} [ {1} ] + {2} [ {1} , {3} ] * {4} [ {3} ]";
                out.add(2, text, &[target, &index, left, &inner, right]);
            }
            _ => return false,
        }
        true
    }

    /// `else` behind a loop, which is done unless the loop is left.
    fn else_of_loops(&mut self) {
        let mut at = 0;
        while at < self.lines.len() {
            let line = &self.lines[at];
            let column = line.column();
            let is_else = line.tokens.first().is_some_and(|it| it.is("else"));
            let head = (0..at).rev().find(|&it| self.lines[it].column() <= column);
            let head = head.filter(|&it| {
                is_else
                    && self.lines[it].column() == column
                    && self.lines[it].tokens[0].is_any(&["for", "while"])
            });
            let Some(head) = head else {
                at += 1;
                continue;
            };
            let like = self.lines[head].tokens[0].clone();
            let flag = like.with(self.out.fresh("left"));
            let mut inner: Option<usize> = None;
            for line in &mut self.lines[head + 1..at] {
                inner = inner.filter(|it| *it < line.column());
                let word = line.tokens[0].clone();
                if inner.is_none() && word.is_any(&["for", "while"]) {
                    inner = Some(word.column);
                }
                let Some(place) = line.tokens.iter().position(|it| it.is("break")) else {
                    continue;
                };
                if inner.is_none() {
                    let made = [&flag.text, "=", "True", ";"].map(|it| word.with(it));
                    let mut made = made.to_vec();
                    made[0].column = line.tokens[place].column;
                    line.tokens.splice(place..place, made);
                }
            }
            let made = |text: &str| like.with(text);
            let condition = [made("if"), made("not"), flag.clone()];
            self.lines[at].tokens.splice(0..1, condition);
            let first = vec![like.with(&flag.text), made("="), made("False")];
            self.lines.insert(head, SourceLine { tokens: first, comments: vec![] });
            at += 1;
        }
    }
}
