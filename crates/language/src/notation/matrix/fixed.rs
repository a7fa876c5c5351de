//! FORTRAN 77: comments by their first column, loops that labels close.

use super::Reader;
use crate::notation::token::Token;

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
    let is_fixed =
        text.lines().all(|it| is_code(it) || is_label(it) || is_comment(it) || it.starts_with('!'));
    if !is_fixed {
        return None;
    }
    let line = |line: &str| match is_comment(line) {
        true => format!("!{}", &line[1..]),
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
