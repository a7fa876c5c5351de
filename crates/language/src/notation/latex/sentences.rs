//! What the sentence around an equation says of it.

use super::elements::elements;
use super::equations::{Equation, head};
use super::{Reader, Result};
use crate::diagnostic::{Diagnostic, Span};

/// The sentence behind the end of an equation.
fn sentence(source: &str) -> &str {
    let end = if source.starts_with("\\]") { 2 } else { source.find('}').map_or(0, |it| it + 1) };
    let sentence = source[end..].split("\n\n").next().unwrap_or_default().trim_start();
    sentence.split(['.', ';']).next().unwrap_or_default()
}

impl Reader {
    /// `\\] for $0 \\le i \\le n$, …`: the values of the indices.
    pub(super) fn range_behind(&self, source: &str) -> Result<String> {
        match sentence(source).strip_prefix("for ").filter(|it| it.contains('$')) {
            Some(range) => Ok(head(&self.printed(range)?)),
            None => Ok(String::new()),
        }
    }

    /// `with $H_{i,0} = H_{0,j} = 0$`, before or behind: the elements at the ends, whose indices go as far as in the equation.
    ///
    /// # Errors
    /// What is said of the array otherwise.
    pub(super) fn boundaries(&mut self, source: &str, all: &[Equation], place: Span) -> Result<()> {
        let Some(last) = all.last() else { return Ok(()) };
        let name = last.target.split(['_', '[', ' ']).next().unwrap_or_default().to_owned();
        let said = [&source[..place.start], sentence(&source[place.end..])];
        let parts = said.iter().flat_map(|it| it.split('$').skip(1).step_by(2));
        for part in parts {
            let printed = self.printed(part)?;
            let behind = printed.strip_prefix(name.as_str()).unwrap_or_default();
            if !behind.starts_with(['_', '[', '('])
                || !behind.contains('=')
                || behind.ends_with('=')
            {
                continue;
            }
            let refused = || {
                Err(Diagnostic::new(place, format!("what holds of `{name}` is said in the sentence around the equation"))
                    .help("write it as rows of the equation, or as statements of one of the packages for algorithms"))
            };
            let sides: Vec<&str> = printed.split('=').map(str::trim).collect();
            let Some((value, targets)) = sides.split_last() else { continue };
            if value.contains(['_', '[']) {
                return refused();
            }
            for target in targets {
                let target = elements(target, "");
                let inside = target.split(['[', ']']).nth(1).unwrap_or_default();
                let letters: Vec<&str> = inside
                    .split(',')
                    .map(str::trim)
                    .filter(|it| it.len() == 1 && it.chars().all(char::is_alphabetic))
                    .collect();
                let uppers = letters.iter().map(|it| Some((*it, upper(&last.range, it)?)));
                let Some(uppers) = uppers.collect::<Option<Vec<_>>>() else { return refused() };
                self.depth = 0;
                for (letter, upper) in uppers {
                    self.row(&format!("for {letter} = 0 to {upper} do"), place);
                    self.depth += 1;
                }
                self.row(&format!("{target} ← {value}"), place);
                self.depth = 0;
            }
        }
        Ok(())
    }
}

/// How far a variable goes in `for 1 ≤ i ≤ m, 1 ≤ j ≤ n do`.
fn upper(range: &str, variable: &str) -> Option<String> {
    let range = range.strip_prefix("for ")?.split(" do").next()?;
    let mut parts = range.split(',').map(str::trim);
    let part = parts.find(|it| it.split_whitespace().any(|it| it == variable))?;
    let last = part.rsplit('≤').next()?.trim();
    (part.matches('≤').count() == 2 && !last.is_empty()).then(|| last.to_owned())
}
