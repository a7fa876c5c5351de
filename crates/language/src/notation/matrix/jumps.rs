//! FORTRAN 77: comments by their first column, loops that labels close, and `GO TO` where it makes a loop or a
//! branch; names of loops, and `select case`.

use super::{Reader, Result};
use crate::notation::output::words;
use crate::notation::token::{Token, closing, position, split};

/// The label that a line has.
fn label(line: &[Token]) -> Option<&Token> {
    line.first().filter(|it| it.is_number() && line.len() > 1)
}

/// The condition of a jump, if it has one, and where it goes.
fn jump(line: &[Token]) -> Option<(Option<Vec<Token>>, Token)> {
    let code = &line[usize::from(label(line).is_some())..];
    match code {
        [go, to, label] if go.is_word("go") && to.is_word("to") => Some((None, label.clone())),
        [word, open, ..] if word.is_word("if") && open.is("(") => {
            let close = closing(code, 1)?;
            let [go, to, label] = &code[close + 1..] else { return None };
            (go.is_word("go") && to.is_word("to"))
                .then(|| (Some(code[2..close].to_vec()), label.clone()))
        }
        _ => None,
    }
}

fn negated(condition: &[Token], like: &Token) -> Vec<Token> {
    let made = |text: &str| like.with(text);
    [&[made(".not."), made("(")], condition, &[made(")")]].concat()
}

impl Reader {
    /// Jumps that are loops and branches, as these.
    pub(super) fn jumps(&mut self) {
        for line in &mut self.lines {
            if let Some(at) = line.iter().position(|it| it.is_word("goto")) {
                let word = line[at].clone();
                line.splice(at..=at, [word.with("go"), word.with("to")]);
            }
        }
        let mut from = 0;
        while let Some(at) = (from..self.lines.len()).find(|&at| jump(&self.lines[at]).is_some()) {
            if !self.one_jump(at) {
                from = at + 1;
            } else {
                from = 0;
            }
        }
        let targets: Vec<String> =
            self.lines.iter().filter_map(|it| Some(jump(it)?.1.text)).collect();
        for line in &mut self.lines {
            if label(line).is_some_and(|it| !targets.contains(&it.text)) {
                line.remove(0);
            }
        }
        self.lines.retain(|it| !(it.len() == 1 && it[0].is_word("continue")));
    }

    fn one_jump(&mut self, at: usize) -> bool {
        let Some((condition, to)) = jump(&self.lines[at]) else { return false };
        let Some(target) =
            self.lines.iter().position(|it| label(it).is_some_and(|it| it.is(&to.text)))
        else {
            return false;
        };
        let Some(condition) = condition else { return false };
        let like = self.lines[at].last().cloned().unwrap_or(to.clone());
        let others = |but: usize| {
            self.lines.iter().enumerate().any(|(line, it)| {
                line != but && line != at && jump(it).is_some_and(|it| it.1.is(&to.text))
            })
        };
        if target <= at {
            if !self.is_balanced(target, at) || others(at) {
                return false;
            }
            // `10 … IF (c) GO TO 10`
            let until = [vec![like.with("#until")], negated(&condition, &like)].concat();
            self.lines[at] = until;
            self.lines[target].remove(0);
            self.lines.insert(target, vec![like.with("#repeat")]);
            return true;
        }
        if !self.is_balanced(at + 1, target) {
            return false;
        }
        let own = label(&self.lines[at]).cloned();
        let back = jump(&self.lines[target - 1]);
        let turns = back
            .is_some_and(|it| it.0.is_none() && own.as_ref().is_some_and(|own| own.is(&it.1.text)));
        let (word, end) = if turns { ("while", "enddo") } else { ("if", "endif") };
        let mut head = [vec![like.with(word)], negated(&condition, &like)].concat();
        if !turns {
            head.insert(1, like.with("("));
            head.extend([like.with(")"), like.with("then")]);
            if let Some(own) = own {
                head.insert(0, own);
            }
        }
        self.lines[at] = head;
        match turns {
            true => self.lines[target - 1] = vec![like.with(end)],
            false => self.lines.insert(target, vec![like.with(end)]),
        }
        true
    }

    /// Whether every block that begins between two lines ends there.
    fn is_balanced(&self, from: usize, to: usize) -> bool {
        let mut depth = 0_i32;
        self.lines[from..to].iter().all(|it| {
            let code = &it[usize::from(label(it).is_some())..];
            depth += i32::from(self.opens(code));
            depth -= i32::from(code[0].text.to_ascii_lowercase().starts_with("end"));
            depth >= 0
        }) && depth == 0
    }

    /// `outer: do …`, `cycle outer`: names of the innermost loops go.
    pub(super) fn names_of_loops(&mut self) {
        let mut open: Vec<String> = vec![];
        for line in &mut self.lines {
            let mut name = String::new();
            if let [own, colon, word, ..] = &line[..]
                && colon.is(":")
                && word.is_any(&["do", "if"])
            {
                name.clone_from(&own.text);
                line.drain(..2);
            }
            if line[0].is_word("do") {
                open.push(name);
            } else if line[0].is_word("enddo")
                || line[0].is_word("end") && line.get(1).is_some_and(|it| it.is_word("do"))
            {
                open.pop();
                line.truncate(2);
            } else if let Some(at) = line.iter().position(|it| it.is_any(&["cycle", "exit"]))
                && line.len() == at + 2
                && open.last() == Some(&line[at + 1].text)
            {
                line.truncate(at + 1);
            }
        }
    }

    /// `select case (e)`, `switch e`: its value is made once.
    pub(super) fn select(&mut self, word: &Token, rest: &[Token]) -> Result<()> {
        let value = match rest {
            [case, value @ ..] if case.is_word("case") => value,
            all => all,
        };
        let value = self.value(value, word)?;
        let name = self.out.fresh("chosen");
        self.out.line(words(word, &format!("{name} ← {{}}"), &[&value]));
        self.open.push((format!("#{name}"), 0));
        Ok(())
    }

    /// `case (1, 2)`, `case {1, 2}`, `case default`, `otherwise`.
    pub(super) fn case(&mut self, word: &Token, rest: &[Token]) -> Result<()> {
        let Some((opened, levels)) = self.open.last().cloned().filter(|it| it.0.starts_with('#'))
        else {
            return Err(crate::notation::tree::unexpected(word, "a `select` or `switch` above"));
        };
        self.out.depth -= levels;
        let is_other = word.is_word("otherwise") || matches!(rest, [one] if one.is_word("default"));
        if is_other {
            self.out.line(vec![word.with("else")]);
        } else {
            let inside = match rest {
                [open, inside @ .., _] if open.is_any(&["(", "{"]) => inside,
                all => all,
            };
            let name = word.with(&opened[1..]);
            let made = |text: &str| word.with(text);
            let one = |it: &[Token]| match position(it, &[":"]) {
                Some(at) => {
                    let least = [&[name.clone(), made(">=")], &it[..at]].concat();
                    [&least[..], &[made(".and."), name.clone(), made("<=")], &it[at + 1..]].concat()
                }
                None => [&[name.clone(), made("==")], it].concat(),
            };
            let all: Vec<Vec<Token>> = split(inside, &[","]).into_iter().map(one).collect();
            let condition = self.condition(&all.join(&made(".or.")), word)?;
            let head = if levels == 0 { "if {} then" } else { "else if {} then" };
            self.out.line(words(word, head, &[&condition]));
        }
        self.out.depth += 1;
        if let Some(last) = self.open.last_mut() {
            last.1 = 1;
        }
        Ok(())
    }
}

/// The text with its comments as free form has them; `None` where it is not in fixed form. Nothing moves.
pub(super) fn free(text: &str) -> Option<String> {
    let is_comment = |line: &str| {
        let mut letters = line.chars();
        let begins = matches!(letters.next(), Some('C' | 'c' | '*'));
        begins && letters.next().is_none_or(|it| it == ' ' || it == '-' || it == '*')
    };
    let is_code = |line: &str| line.starts_with("      ") || line.trim().is_empty();
    let is_label = |line: &str| {
        line.len() > 6 && line.as_bytes()[..5].iter().all(|it| *it == b' ' || it.is_ascii_digit())
    };
    // A sign in the sixth column: the line above goes on.
    let goes_on = |line: &str| {
        let sign = line.strip_prefix("     ").and_then(|it| it.bytes().next());
        sign.is_some_and(|it| it.is_ascii() && !b" 0\t".contains(&it))
    };
    let is_fixed = text.lines().all(|it| {
        is_code(it) || goes_on(it) || is_label(it) || is_comment(it) || it.starts_with('!')
    });
    if !is_fixed {
        return None;
    }
    let line = |line: &str| match is_comment(line) {
        true => format!("!{}", &line[1..]),
        false if goes_on(line) => format!("     &{}", &line[6..]),
        false => line.to_owned(),
    };
    Some(text.lines().map(line).collect::<Vec<_>>().join("\n"))
}

impl Reader {
    /// `MOD(I, 2)`: Fortran's own functions have small letters.
    pub(super) fn lower_functions(&mut self) {
        for line in &mut self.lines {
            for at in 0..line.len().saturating_sub(1) {
                let is_shouted =
                    line[at].is_name() && line[at].text == line[at].text.to_ascii_uppercase();
                if is_shouted && line[at + 1].is("(") && super::is_function(&line[at].text) {
                    line[at].text = line[at].text.to_ascii_lowercase();
                }
            }
        }
    }

    /// `DO 10 I = 1, N` up to `10 CONTINUE`: as many `end do` there as loops have the label.
    pub(super) fn close_labels(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        let mut open: Vec<String> = vec![];
        for mut line in lines {
            // `GO TO 10` in the loop that 10 closes: its next iteration.
            let to = |it: &[Token]| {
                it[0].is_word("go") && it[1].is_word("to") && open.last() == Some(&it[2].text)
            };
            if let Some(at) = line.windows(3).position(to) {
                let word = line[at].with("cycle");
                line.splice(at..at + 3, [word]);
            }
            if let [word, label, variable, equal, ..] = &line[..]
                && word.is_word("do")
                && label.is_number()
                && variable.is_name()
                && equal.is("=")
            {
                open.push(label.text.clone());
                line.remove(1);
                self.lines.push(line);
                continue;
            }
            let label = line.first().filter(|it| it.is_number() && line.len() > 1).cloned();
            let Some(label) = label else {
                self.lines.push(line);
                continue;
            };
            let count = open.iter().filter(|it| **it == label.text).count();
            let is_empty = line[1].is_word("continue");
            if count == 0 {
                self.lines.push(line);
                continue;
            }
            open.retain(|it| *it != label.text);
            if !is_empty {
                self.lines.push(line[1..].to_vec());
            }
            let end = Token { ..label.with("enddo") };
            self.lines.extend(std::iter::repeat_n(vec![end], count));
        }
    }
}
