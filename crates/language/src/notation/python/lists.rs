//! Lists that grow and shrink: an array, and how many elements there are, or went.

use super::Reader;
use crate::notation::scan::SourceLine;
use crate::notation::token::{Token, closing, position, split};

/// What changes the length of a list, of those that are read.
const CHANGES: [&str; 4] = ["append", "pop", "popleft", "clear"];

struct List {
    name: Token,
    /// Taken at the end that was filled first.
    is_queue: bool,
    count: String,
    first: String,
}

/// The elements that `[]`, `[s]`, `deque([s])` and `list()` begin with.
fn beginning(value: &[Token]) -> Option<Vec<Vec<Token>>> {
    let of_brackets = |it: &[Token]| match it {
        [open, inside @ .., _] if open.is("[") && closing(it, 0) == Some(it.len() - 1) => {
            let is_plain = position(inside, &["for"]).is_none();
            let all = split(inside, &[","]).into_iter().filter(|it| !it.is_empty());
            is_plain.then(|| all.map(<[Token]>::to_vec).collect())
        }
        _ => None,
    };
    match value {
        [word, open, inside @ .., close]
            if word.is_any(&["deque", "list"]) && open.is("(") && close.is(")") =>
        {
            if inside.is_empty() { Some(vec![]) } else { of_brackets(inside) }
        }
        all => of_brackets(all),
    }
}

/// `x: list[int] = []` without what stands behind the colon.
fn untyped(tokens: &[Token]) -> Vec<Token> {
    match tokens {
        [name, colon, rest @ ..]
            if colon.is(":") && name.is_name() && position(rest, &["="]).is_some() =>
        {
            let at = position(rest, &["="]).unwrap_or(rest.len());
            [std::slice::from_ref(name), &rest[at..]].concat()
        }
        all => all.to_vec(),
    }
}

impl Reader {
    /// Puts arrays in place of the lists whose length changes, function by function.
    pub(super) fn lists(&mut self) {
        let mut regions: Vec<(usize, usize)> = self.functions().iter().map(|it| it.body).collect();
        if regions.is_empty() {
            regions.push((0, self.lines.len()));
        }
        for (from, to) in regions {
            while let Some(list) = self.next_list(from, to) {
                self.arrays.insert(list.name.text.clone());
                let hint = self.out.hints.array(&Token::variable(&list.name));
                (hint.is_new, hint.grows) = (true, true);
                for line in &mut self.lines[from..to] {
                    line.tokens = list.line(line);
                }
            }
        }
    }

    fn next_list(&self, from: usize, to: usize) -> Option<List> {
        let lines = &self.lines[from..to];
        let uses = |name: &Token, what: &[&str]| {
            lines.iter().any(|line| {
                line.tokens
                    .windows(3)
                    .any(|it| it[0].is(&name.text) && it[1].is(".") && what.contains(&&*it[2].text))
            })
        };
        let from_front = |name: &Token| {
            uses(name, &["popleft"])
                || lines.iter().any(|line| {
                    line.tokens.windows(6).any(|it| {
                        it[0].is(&name.text) && it[2].is("pop") && it[4].is("0") && it[5].is(")")
                    })
                })
        };
        lines.iter().find_map(|line| {
            let tokens = untyped(&line.tokens);
            let [name, sign, value @ ..] = &tokens[..] else { return None };
            let grows = sign.is("=") && name.is_name() && uses(name, &CHANGES);
            beginning(value).filter(|_| grows)?;
            let own = |what: &str| {
                let mut own = format!("{}_{what}", name.text);
                while self.lines.iter().any(|it| it.tokens.iter().any(|it| it.is(&own))) {
                    own.push('_');
                }
                own
            };
            let (count, first) = (own("count"), own("first"));
            Some(List { name: name.clone(), is_queue: from_front(name), count, first })
        })
    }
}

impl List {
    fn made(&self, like: &Token, text: &str) -> Vec<Token> {
        let of = |word: &str| {
            like.with(match word {
                "$v" => &self.name.text,
                "$n" => &self.count,
                "$f" => &self.first,
                other => other,
            })
        };
        text.split(' ').map(of).collect()
    }

    fn line(&self, line: &SourceLine) -> Vec<Token> {
        let tokens = untyped(&line.tokens);
        let like = &tokens[0];
        let column = |mut it: Vec<Token>| {
            it[0].column = like.column;
            it
        };
        if let [name, sign, value @ ..] = &tokens[..]
            && name.is(&self.name.text)
            && sign.is("=")
            && let Some(elements) = beginning(value)
        {
            let mut out = self.made(like, &format!("$n = {}", elements.len()));
            if self.is_queue {
                out.extend(self.made(like, "; $f = 0"));
            }
            for (at, element) in elements.into_iter().enumerate() {
                out.extend(self.made(like, &format!("; $v [ {at} ] =")));
                out.extend(self.uses(&element, false));
            }
            return column(out);
        }
        let is_own = |it: &[Token], what: &str| {
            it.len() > 3 && it[0].is(&self.name.text) && it[1].is(".") && it[2].is(what)
        };
        if is_own(&tokens, "append") && closing(&tokens, 3) == Some(tokens.len() - 1) {
            let value = self.uses(&tokens[4..tokens.len() - 1], false);
            let begin = self.made(like, "$v [ $n ] =");
            return column([begin, value, self.made(like, "; $n += 1")].concat());
        }
        if is_own(&tokens, "clear") && tokens.len() == 5 {
            let text = if self.is_queue { "$f = $n" } else { "$n = 0" };
            return column(self.made(like, text));
        }
        let is_head = like.is_any(&["while", "if", "elif"]);
        let mut out = tokens.clone();
        // What is taken out is taken above, where the statement is one.
        let taken =
            (0..out.len()).find(|&at| is_own(&out[at..], "pop") || is_own(&out[at..], "popleft"));
        let mut above = vec![];
        if let Some(at) = taken.filter(|_| !is_head)
            && let Some(close) = closing(&out, at + 3)
        {
            let text = if self.is_queue { "$f += 1" } else { "$n -= 1" };
            above = self.made(like, text);
            if at == 0 && close + 1 == out.len() {
                return column(above);
            }
            above.push(like.with(";"));
            let element = if self.is_queue { "$v [ $f - 1 ]" } else { "$v [ $n ]" };
            let element = self.made(&out[at], element);
            let behind = out.split_off(close + 1);
            out.truncate(at);
            out = [self.uses(&out, is_head), element, self.uses(&behind, is_head)].concat();
            return column([above, out].concat());
        }
        let out = self.uses(&out, is_head);
        column([above, out].concat())
    }

    /// The other uses of a list in a statement.
    fn uses(&self, tokens: &[Token], is_head: bool) -> Vec<Token> {
        let (mut out, mut at): (Vec<Token>, usize) = (vec![], 0);
        let size = if self.is_queue { "( $n - $f )" } else { "$n" };
        while let Some(token) = tokens.get(at) {
            let rest = &tokens[at..];
            if let [len, open, name, close, ..] = rest
                && len.is("len")
                && open.is("(")
                && name.is(&self.name.text)
                && close.is(")")
            {
                out.extend(self.made(token, size));
                at += 4;
                continue;
            }
            if !token.is(&self.name.text) || out.last().is_some_and(|it| it.is(".")) {
                out.push(token.clone());
                at += 1;
                continue;
            }
            let begin = if self.is_queue { "$f" } else { "0" };
            match rest {
                // `stack[-1]`
                [_, open, minus, ..] if open.is("[") && minus.is("-") => {
                    out.extend(self.made(token, "$v [ $n"));
                    at += 2;
                }
                [_, open, ..] if open.is("[") && self.is_queue => {
                    out.extend(self.made(token, "$v [ $f +"));
                    at += 2;
                }
                [_, next, ..] if next.is_any(&["[", "."]) => {
                    out.push(token.clone());
                    at += 1;
                }
                _ if tokens[0].is("return") && tokens.len() == 2 => {
                    out.push(token.clone());
                    at += 1;
                }
                _ => {
                    let before = out.last();
                    let is_truth = is_head
                        && before.is_none_or(|it| {
                            it.is_any(&["while", "if", "elif", "not", "and", "or"])
                        })
                        && rest.get(1).is_none_or(|it| it.is_any(&[":", "and", "or", ")"]));
                    let text = match is_truth {
                        true => format!("( {size} > 0 )"),
                        false => format!("$v [ {begin} : $n ]"),
                    };
                    out.extend(self.made(token, &text));
                    at += 1;
                }
            }
        }
        out
    }
}
