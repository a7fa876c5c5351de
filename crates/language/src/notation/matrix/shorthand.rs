//! What a line of MATLAB, Julia or Fortran says in one, as the lines that it stands for: lists that grow, the place of
//! the greatest, sums of what a condition chooses, `where`.

use super::{Family, Reader};
use crate::notation::token::{Token, closing, position, split};

type Lines = Vec<Vec<Token>>;

/// Words apart, with `{0}` for the first of the parts.
fn made(like: &Token, text: &str, parts: &[&[Token]]) -> Vec<Token> {
    let of = |word: &str| {
        let nth = word.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        match nth.and_then(|it| it.parse::<usize>().ok()) {
            Some(nth) => parts[nth].to_vec(),
            None => vec![Token::made(word, like)],
        }
    };
    let mut tokens: Vec<Token> = text.split(' ').flat_map(of).collect();
    // An element's bracket stands at its name.
    for at in 1..tokens.len() {
        if tokens[at].is_any(&["(", "["]) && tokens[at - 1].is_name() {
            tokens[at].blank.clear();
        }
    }
    tokens
}

/// `[]`, `Int[]`, `Float64[]`.
fn is_empty(value: &[Token]) -> bool {
    match value {
        [open, close] => open.is("[") && close.is("]"),
        [of, open, close] => of.is_name() && open.is("[") && close.is("]"),
        _ => false,
    }
}

impl Reader {
    /// Writes such lines out.
    pub(super) fn shorthand(&mut self) {
        self.lists();
        let mut at = 0;
        while at < self.lines.len() {
            let line = self.lines[at].clone();
            let found = self
                .places(&line)
                .or_else(|| self.sums_of_chosen(&line))
                .or_else(|| self.dimension_sums(&line))
                .or_else(|| self.vectors(&line))
                .or_else(|| self.one_where(&line));
            if let Some(lines) = found {
                let count = lines.len();
                self.lines.splice(at..=at, lines);
                at += count;
            } else {
                at += 1;
            }
        }
        for line in &mut self.lines {
            last_elements(line);
            // Julia's `first(size(A))`.
            while let Some(at) = line.windows(4).position(|it| {
                it[0].is_any(&["first", "last"])
                    && it[1].is("(")
                    && it[2].is("size")
                    && it[3].is("(")
            }) {
                let Some(close) = closing(line, at + 3) else { break };
                let number = if line[at].is("first") { "1" } else { "2" };
                let more = [line[close].with(","), line[close].with(number)];
                line.remove(close + 1);
                line.splice(close..close, more);
                line.drain(at..at + 2);
            }
        }
    }

    /// `p = []` with `p(end+1) = x`, or `push!(p, x)`: an array, and how many elements there are.
    fn lists(&mut self) {
        let grows = |line: &[Token], name: &Token| match line {
            [push, open, one, comma, _, .., _] if push.is("push!") => {
                open.is("(") && one.is(&name.text) && comma.is(",")
            }
            [one, open, end, plus, _, close, sign, _, ..] => {
                let is_end = open.is("(") && end.is("end") && plus.is("+") && close.is(")");
                one.is(&name.text) && is_end && sign.is("=")
            }
            _ => false,
        };
        let names: Vec<Token> = self
            .lines
            .iter()
            .filter_map(|line| match &line[..] {
                [name, sign, value @ ..] if sign.is("=") && is_empty(value) => Some(name.clone()),
                _ => None,
            })
            .filter(|name| self.lines.iter().any(|line| grows(line, name)))
            .collect();
        for name in names {
            let count = name.with(format!("{}_count", name.text));
            let hint = self.out.hints.array(&Token::variable(&name));
            (hint.is_new, hint.grows) = (true, true);
            self.known.arrays.insert(name.text.clone());
            let (name, count) = (std::slice::from_ref(&name), std::slice::from_ref(&count));
            let mut lines: Lines = vec![];
            for line in std::mem::take(&mut self.lines) {
                match &line[..] {
                    [one, sign, value @ ..]
                        if one.is(&name[0].text) && sign.is("=") && is_empty(value) =>
                    {
                        lines.push(made(one, "{0} = 0", &[count]));
                    }
                    line if grows(line, &name[0]) => {
                        let value = match line[0].is("push!") {
                            true => &line[4..line.len() - 1],
                            false => &line[7..],
                        };
                        let value = sized(value, &name[0], &count[0]);
                        lines.push(made(&line[0], "{0} = {0} + 1", &[count]));
                        lines.push(made(&line[0], "{0} ( {1} ) = {2}", &[name, count, &value]));
                    }
                    line => lines.push(sized(line, &name[0], &count[0])),
                }
            }
            self.lines = lines;
        }
    }

    /// `[m, k] = max(a)`.
    fn places(&mut self, line: &[Token]) -> Option<Lines> {
        let at = position(line, &["="])?;
        let [open, m, comma, k, close] = &line[..at] else { return None };
        let [word, bracket, array, last] = &line[at + 1..] else { return None };
        let is_one =
            open.is("[") && comma.is(",") && close.is("]") && bracket.is("(") && last.is(")");
        if !is_one || !word.is_any(&["max", "min"]) || !array.is_name() {
            return None;
        }
        let z = [array.with(self.out.fresh("z"))];
        let sign = [word.with(if word.is("max") { ">" } else { "<" })];
        let [m, k, a] = [m, k, array].map(std::slice::from_ref);
        let like = &line[0];
        Some(vec![
            made(like, "{0} = {1} ( 1 )", &[m, a]),
            made(like, "{0} = 1", &[k]),
            made(like, "for {0} = 2 : length ( {1} )", &[&z, a]),
            made(like, "if {0} ( {1} ) {2} {3}", &[a, &z, &sign, m]),
            made(like, "{0} = {1} ( {2} )", &[m, a, &z]),
            made(like, "{0} = {1}", &[k, &z]),
            made(like, "end", &[]),
            made(like, "end", &[]),
        ])
    }

    /// `sum(a(a > 0))`: a loop above the statement.
    fn sums_of_chosen(&mut self, line: &[Token]) -> Option<Lines> {
        let at = line
            .windows(4)
            .position(|it| it[0].is("sum") && it[1].is("(") && it[2].is_name() && it[3].is("("))?;
        let close = closing(line, at + 3)?;
        let array = &line[at + 2];
        let inside = &line[at + 4..close];
        let compares = ["<", ">", "<=", ">=", "==", "~=", "!="];
        let is_chosen = inside.iter().any(|it| it.is(&array.text))
            && position(inside, &compares).is_some()
            && line.get(close + 1).is_some_and(|it| it.is(")"))
            && !line[0].is_any(&["if", "while", "elseif", "for"]);
        if !is_chosen {
            return None;
        }
        let like = &line[0];
        let [z, sum] = [self.out.fresh("z"), self.out.fresh("sum")].map(|it| [array.with(it)]);
        let a = std::slice::from_ref(array);
        let element = made(array, "{0} ( {1} )", &[a, &z]);
        let one = |it: &Token| if it.is(&array.text) { element.clone() } else { vec![it.clone()] };
        let condition: Vec<Token> = inside.iter().flat_map(one).collect();
        let rest = [&line[..at], &sum, &line[close + 2..]].concat();
        Some(vec![
            made(like, "{0} = 0", &[&sum]),
            made(like, "for {0} = 1 : length ( {1} )", &[&z, a]),
            made(like, "if {0}", &[&condition]),
            made(like, "{0} = {0} + {1}", &[&sum, &element]),
            made(like, "end", &[]),
            made(like, "end", &[]),
            rest,
        ])
    }

    /// `c = sum(A, 1)` and `sum(A, 2)`: of each column, or of each row.
    fn dimension_sums(&mut self, line: &[Token]) -> Option<Lines> {
        let [name, sign, word, open, array, comma, number, close] = line else { return None };
        let is_sum =
            sign.is("=") && word.is("sum") && open.is("(") && comma.is(",") && close.is(")");
        if !is_sum || !number.is_any(&["1", "2"]) || self.known.family == Family::Fortran {
            return None;
        }
        let [z, y] = [self.out.fresh("z"), self.out.fresh("z")].map(|it| [array.with(it)]);
        let (own, other) = if number.is("1") { ("2", "1") } else { ("1", "2") };
        let index = if number.is("1") { "{2} , {1}" } else { "{1} , {2}" };
        let [n, a] = [name, array].map(std::slice::from_ref);
        Some(vec![
            made(name, &format!("{{0}} = zeros ( size ( {{1}} , {own} ) , 1 )"), &[n, a]),
            made(name, &format!("for {{0}} = 1 : size ( {{1}} , {own} )"), &[&z, a]),
            made(name, &format!("for {{0}} = 1 : size ( {{1}} , {other} )"), &[&y, a]),
            made(
                name,
                &format!("{{0}} ( {{1}} ) = {{0}} ( {{1}} ) + {{3}} ( {index} )"),
                &[n, &z, &y, a],
            ),
            made(name, "end", &[]),
            made(name, "end", &[]),
        ])
    }

    /// `x = linspace(a, b, n)`, `x = 0:n`, `s = cumsum(x)`, `w = [f(x) for x in v]`.
    fn vectors(&mut self, line: &[Token]) -> Option<Lines> {
        let [name, sign, value @ ..] = line else { return None };
        if !sign.is("=") || !name.is_name() || self.known.family == Family::Fortran {
            return None;
        }
        let z = [name.with(self.out.fresh("z"))];
        let n = std::slice::from_ref(name);
        let end = || made(name, "end", &[]);
        match value {
            [word, open, inside @ .., _] if word.is("linspace") && open.is("(") => {
                let [from, to, count] = split(inside, &[","])[..] else { return None };
                let text = "{0} ( {1} ) = ( {2} ) + ( {1} - 1 ) * ( ( ( {3} ) - ( {2} ) ) / ( ( {4} ) - 1.0 ) )";
                Some(vec![
                    made(name, "{0} = zeros ( {1} , 1 )", &[n, count]),
                    made(name, "for {0} = 1 : {1}", &[&z, count]),
                    made(name, text, &[n, &z, from, to, count]),
                    end(),
                ])
            }
            [word, open, array, close] if word.is("cumsum") && open.is("(") && close.is(")") => {
                let a = std::slice::from_ref(array);
                let total = [name.with(self.out.fresh("total"))];
                Some(vec![
                    made(name, "{0} = 0", &[&total]),
                    made(name, "{0} = zeros ( length ( {1} ) , 1 )", &[n, a]),
                    made(name, "for {0} = 1 : length ( {1} )", &[&z, a]),
                    made(name, "{0} = {0} + {1} ( {2} )", &[&total, a, &z]),
                    made(name, "{0} ( {1} ) = {2}", &[n, &z, &total]),
                    end(),
                ])
            }
            [open, inside @ .., close] if open.is("[") && close.is("]") => {
                let at = position(inside, &["for"])?;
                let [variable, word, range @ ..] = &inside[at + 1..] else { return None };
                let is_range =
                    word.is_any(&["in", "="]) && position(range, &["for", "if"]).is_none();
                let own = [variable.with(format!("{}_of_{}", variable.text, name.text))];
                let put =
                    |it: &Token| if it.is(&variable.text) { own[0].clone() } else { it.clone() };
                let element: Vec<Token> = inside[..at].iter().map(put).collect();
                let range_of = position(range, &[":"]);
                match (range, range_of) {
                    ([array], None) if is_range && array.is_name() => Some(vec![
                        made(name, "{0} = zeros ( length ( {1} ) , 1 )", &[n, range]),
                        made(name, "for {0} = 1 : length ( {1} )", &[&z, range]),
                        made(name, "{0} = {1} ( {2} )", &[&own, range, &z]),
                        made(name, "{0} ( {1} ) = {2}", &[n, &z, &element]),
                        end(),
                    ]),
                    ([one, ..], Some(1)) if is_range && one.is("1") => Some(vec![
                        made(name, "{0} = zeros ( {1} , 1 )", &[n, &range[2..]]),
                        made(name, "for {0} = {1}", &[&own, range]),
                        made(name, "{0} ( {1} ) = {2}", &[n, &own, &element]),
                        end(),
                    ]),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Fortran's `where (a < 0) a = 0`: every element for which it holds.
    fn one_where(&mut self, line: &[Token]) -> Option<Lines> {
        let [word, open, ..] = line else { return None };
        if !word.is_word("where") || !open.is("(") {
            return None;
        }
        let close = closing(line, 1)?;
        let rest = &line[close + 1..];
        let [array, sign, ..] = rest else { return None };
        if !sign.is("=") {
            return None;
        }
        let indexed = |name: &Token| {
            self.lines
                .iter()
                .any(|it| it.windows(2).any(|it| it[0].is(&name.text) && it[1].is("(")))
                && !super::is_function(&name.text)
        };
        let z = [array.with(self.out.fresh("z"))];
        let element = |of: &[Token]| -> Vec<Token> {
            let one = |(at, it): (usize, &Token)| {
                let is_alone = !of.get(at + 1).is_some_and(|it| it.is("("));
                match it.is_name() && is_alone && indexed(it) {
                    true => made(it, "{0} ( {1} )", &[std::slice::from_ref(it), &z]),
                    false => vec![it.clone()],
                }
            };
            of.iter().enumerate().flat_map(one).collect()
        };
        let (condition, body) = (element(&line[2..close]), element(rest));
        let a = std::slice::from_ref(array);
        Some(vec![
            made(word, "do {0} = 1 , size ( {1} )", &[&z, a]),
            made(word, "if ( {0} ) then", &[&condition]),
            body,
            made(word, "endif", &[]),
            made(word, "enddo", &[]),
        ])
    }
}

/// `a[end]`: the last element of Julia.
fn last_elements(line: &mut Vec<Token>) {
    let mut at = 0;
    while at < line.len() {
        let open = (0..at)
            .rev()
            .find(|&it| line[it].is("[") && closing(line, it).is_some_and(|close| close > at));
        let name = open.and_then(|it| it.checked_sub(1)).map(|it| line[it].clone());
        if let (true, Some(open), Some(name)) = (line[at].is("end"), open, name)
            && name.is_name()
        {
            let like = line[at].clone();
            let before = split(&line[open + 1..at], &[","]).len();
            let close = closing(line, open).unwrap_or(at);
            let of = std::slice::from_ref(&name);
            let size = match split(&line[open + 1..close], &[","]).len() {
                1 => made(&like, "length ( {0} )", &[of]),
                _ => made(&like, &format!("size ( {{0}} , {before} )"), &[of]),
            };
            line.splice(at..=at, size);
        }
        at += 1;
    }
}

/// The length of a list is how many elements it has.
fn sized(tokens: &[Token], name: &Token, count: &Token) -> Vec<Token> {
    let (mut out, mut at) = (vec![], 0);
    while let Some(token) = tokens.get(at) {
        match &tokens[at..] {
            [word, open, own, close, ..] if open.is("(") && own.is(&name.text) && close.is(")") => {
                match word.text.as_str() {
                    "length" | "numel" => out.push(count.clone()),
                    "isempty" => {
                        out.extend(made(word, "( {0} == 0 )", &[std::slice::from_ref(count)]))
                    }
                    "sum" | "maximum" | "minimum" | "max" | "min" => {
                        let part = made(
                            word,
                            "{0} ( {1} ( 1 : {2} ) )",
                            &[
                                std::slice::from_ref(word),
                                std::slice::from_ref(own),
                                std::slice::from_ref(count),
                            ],
                        );
                        out.extend(part);
                    }
                    _ => {
                        out.push(token.clone());
                        at += 1;
                        continue;
                    }
                }
                at += 4;
            }
            [own, open, end, ..]
                if own.is(&name.text) && open.is_any(&["(", "["]) && end.is("end") =>
            {
                out.extend([own.clone(), open.clone(), count.clone()]);
                at += 3;
            }
            _ => {
                out.push(token.clone());
                at += 1;
            }
        }
    }
    out
}
