//! What a program reads and shows: what it reads is given, what it shows last is its result.

use super::loops::changed;
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::token::{Token, closing, split};

fn is_text(tokens: &[Token]) -> bool {
    matches!(tokens, [one] if one.text.starts_with(['"', '\'']) || one.is_any(&["endl", "flush", "10", "32"]))
}

/// What a statement shows, without texts.
fn values(word: &Token, tokens: &[Token]) -> Vec<Vec<Token>> {
    let parts = match word.text.as_str() {
        "cout" | "cerr" => split(tokens, &["<<"]),
        _ => {
            let Some(open) = tokens.iter().position(|it| it.is("(")) else { return vec![] };
            let close = closing(tokens, open).unwrap_or(tokens.len());
            let inside = &tokens[open + 1..close];
            let has_text = split(inside, &["+"]).iter().any(|it| is_text(it));
            split(inside, if word.is("System") && has_text { &["+"] } else { &[","] })
        }
    };
    let shown = parts.into_iter().filter(|it| !it.is_empty() && !is_text(it));
    shown.map(<[Token]>::to_vec).collect()
}

impl Reader {
    /// `printf("%d", x);` and `cout << x;`.
    pub(super) fn shown(&mut self, word: &Token) -> Result<()> {
        let tokens = self.until(";")?;
        if let Some(sign) = tokens.iter().find(|it| it.is_any(&["++", "--", "="])) {
            return Err(Diagnostic::new(sign.span, "what is shown is changed by that")
                .help("change it in a statement of its own"));
        }
        let values = if word.is_any(&["assert", "puts"]) { vec![] } else { values(word, &tokens) };
        for value in &values {
            if let [array, open, ..] = &value[..]
                && open.is("[")
                && closing(value, 1) == Some(value.len() - 1)
                && self.out.depth > 0
                && self.results.is_none()
            {
                self.out.hints.returned.insert(Token::variable(array).text);
            }
        }
        let ends = self.is_end_of_main();
        let is_result = !values.is_empty()
            && ends
            && self.out.depth == 0
            && self.results.is_none()
            && self.out.hints.results == 0;
        if is_result {
            let values = values.iter().map(|it| self.value(it)).collect::<Result<Vec<_>>>()?;
            let arrays = self.arrays.clone();
            self.out.returned(word, values, |it| arrays.iter().any(|name| name == it), true);
            let text = "what is shown last is the result".to_owned();
            self.out.hints.said.push((word.clone(), text));
            return Ok(());
        }
        // What a function of the program changes is changed.
        let calls = |it: &[Token]| it[1].is("(") && self.functions.contains(&it[0].text);
        let called = values.iter().filter(|it| it.windows(2).any(calls)).cloned();
        for value in called.collect::<Vec<_>>() {
            let own = word.with(self.out.fresh("shown"));
            self.assign(std::slice::from_ref(&own), &word.with("="), &value)?;
        }
        let text = format!("`{}` has no effect on the values: left out", word.text);
        self.out.hints.said.push((word.clone(), text));
        Ok(())
    }

    /// Whether nothing is computed behind: texts, `return 0;`, the end.
    fn is_end_of_main(&self) -> bool {
        let end = self.end.min(self.tokens.len());
        let rest = self.tokens.get(self.at..end).unwrap_or_default();
        split(rest, &[";"]).iter().all(|it| match it {
            [] => true,
            [word, value] => word.is("return") && value.is_any(&["0", "EXIT_SUCCESS"]),
            [word, ..] => {
                let shows = word.is_any(&["printf", "puts", "cout", "free", "system", "getchar"]);
                shows && values(word, &it[1..]).is_empty() || word.is("free")
            }
        })
    }

    /// `scanf("%d", &n);` and `cin >> n;`: what is read is given.
    pub(super) fn given(&mut self, word: &Token) -> Result<()> {
        let start = self.at;
        let tokens = self.until(";")?;
        let parts = match word.is("cin") {
            true => split(&tokens, &[">>"]),
            false => match closing(&tokens, 0) {
                Some(close) => split(&tokens[1..close], &[","]),
                None => vec![],
            },
        };
        let from = self.begin;
        for part in parts {
            let part = match part {
                [address, rest @ ..] if address.is("&") => rest,
                all => all,
            };
            if part.is_empty() || is_text(part) {
                continue;
            }
            let is_element = part.len() > 1 && part[1].is("[");
            let is_changed = changed(&self.tokens[from..start]).contains(&part[0].text);
            let is_loop = self.out.depth > 0 && !is_element;
            if is_changed || is_loop || part.len() > 1 && !is_element {
                return Err(Diagnostic::new(
                    part[0].span,
                    format!("`{}` is read again and again, or has a value before", part[0].text),
                )
                .help("read it into an array, as an input"));
            }
            let text = format!("`{}` is read: given", part[0].text);
            self.out.hints.said.push((part[0].clone(), text));
            if is_element {
                let hint = self.out.hints.array(&Token::variable(&part[0]));
                hint.is_new = false;
                hint.extents.iter_mut().for_each(|it| *it = None);
            }
        }
        Ok(())
    }

    /// `exit(1)`, `nrerror("…")`: nothing is computed behind it.
    pub(super) fn ends_program(&mut self, tokens: &[Token]) -> bool {
        let [name, open, .., close] = tokens else { return false };
        let lower = name.text.to_ascii_lowercase();
        let is_word = name.is_any(&["exit", "abort", "die", "fatal", "panic"]);
        let says_so = (lower.contains("error") || is_word) && !self.functions.contains(&name.text);
        let is_end = open.is("(") && close.is(")") && says_so && self.results.is_none();
        if is_end {
            let text = format!("`{}` ends the program", name.text);
            self.out.hints.said.push((name.clone(), text));
            self.out.line(vec![name.with("return")]);
        }
        is_end
    }
}
