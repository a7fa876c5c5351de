//! Two names for one list: what is assigned to one is in the other.

use super::Reader;
use crate::notation::token::Token;

impl Reader {
    /// Puts a list's own name in place of another, where `b = a` is all that says what b is.
    pub(super) fn other_names(&mut self) {
        let mut regions: Vec<(usize, usize)> = self.functions().iter().map(|it| it.body).collect();
        if regions.is_empty() {
            regions.push((0, self.lines.len()));
        }
        for (from, to) in regions {
            let found = (from..to).find_map(|at| match &self.lines[at].tokens[..] {
                [name, sign, array]
                    if sign.is("=")
                        && array.is_name()
                        && self.arrays.contains(&name.text)
                        && !name.is(&array.text)
                        && self.assignments(name) == 1 =>
                {
                    Some((at, name.clone(), array.clone()))
                }
                _ => None,
            });
            let Some((at, name, array)) = found else { continue };
            // Another list of that name later would be another.
            let is_bound = |line: &[Token]| matches!(line, [one, sign, ..] if one.is(&array.text) && sign.is("="));
            if self.lines[at + 1..to].iter().any(|it| is_bound(&it.tokens)) {
                continue;
            }
            let text = format!("`{}` is another name of `{}`", name.text, array.text);
            self.out.hints.said.push((name.clone(), text));
            self.arrays.insert(array.text.clone());
            for line in &mut self.lines[at..to] {
                for token in &mut line.tokens {
                    if token.is(&name.text) {
                        token.text.clone_from(&array.text);
                    }
                }
            }
            let like = self.lines[at].tokens[0].clone();
            self.lines[at].tokens = vec![like.with("pass")];
        }
    }
}
