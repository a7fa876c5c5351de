//! Commands that make lines and blocks.

use super::macros::Macro;
use super::{Reader, Result, signs};
use crate::diagnostic::Span;

impl Reader {
    /// The command at a place; gives the place behind it.
    pub(super) fn command(&mut self, source: &str, at: usize, end: usize) -> Result<usize> {
        let rest = &source[at + 1..end];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = match letters {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            letters => letters,
        };
        let name = rest[..length].to_owned();
        let next = at + 1 + length;
        let place = Span::new(at, next);
        if let Some(meaning) = self.macros.get(&name).cloned() {
            return self.defined(source, place, next, end, meaning);
        }
        if name == "\\" || name == ";" && !self.in_math(source, at) {
            self.end_line();
            return Ok(self.skip_option(source, next, end));
        }
        if let Some(behind) = self.structure(source, &name, place, next..end)? {
            return Ok(behind);
        }
        if let Some(next) = self.fraction(source, &name, place, next, end)? {
            return Ok(next);
        }
        if let Some(accent) = signs::accent(&name) {
            // Another name than that without it: `\hat{m}_t` is an element of mhat.
            let (inside, behind) = self.argument(source, next, end);
            let (inside, behind) = match behind > next {
                true => (inside, behind),
                false => {
                    let rest = &source[next..end];
                    let blank = rest.len() - rest.trim_start().len();
                    let letter = rest[blank..].chars().next().map_or(0, char::len_utf8);
                    let command = rest[blank..].strip_prefix('\\');
                    let letters =
                        command.map(|it| it.bytes().take_while(u8::is_ascii_alphabetic).count());
                    let length = letters.map_or(letter, |it| it + 1);
                    let span = Span::new(next + blank, next + blank + length);
                    (span, span.end)
                }
            };
            let printed = self.printed(&source[inside.start..inside.end])?;
            let base = printed.find(|it: char| !it.is_alphanumeric()).unwrap_or(printed.len());
            let is_name = base > 0;
            let accent = if is_name { accent } else { "" };
            let text = format!("{}{accent}{}", &printed[..base], &printed[base..]);
            self.push(&text, Span::new(place.start, behind));
            return Ok(behind);
        }
        if signs::is_font(&name) {
            // `\operatorname*{arg\,max}`
            let next = next + usize::from(source[next..end].starts_with('*'));
            let (inside, behind) = self.argument(source, next, end);
            self.read(source, inside)?;
            return Ok(behind);
        }
        if let Some(count) = signs::nothing(&name) {
            let mut behind = next;
            if name == "begin" {
                let (environment, after) = self.argument(source, behind, end);
                if ["cases", "dcases"].contains(&&source[environment.start..environment.end]) {
                    return self.cases(source, after, end, place);
                }
                behind = after;
                return Ok(self.skip_option(source, behind, end));
            }
            if name == "end" {
                self.end_line();
            }
            behind = self.skip_option(source, behind, end);
            for _ in 0..count {
                behind = self.argument(source, behind, end).1;
            }
            return Ok(behind);
        }
        match signs::sign(&name) {
            Some(sign) => {
                let is_letter = |it: Option<char>| it.is_some_and(char::is_alphabetic);
                // `i\ell`: two letters.
                if is_letter(sign.chars().next()) && is_letter(self.out.text.chars().next_back()) {
                    self.push(" ", place);
                }
                self.push(sign, place);
            }
            // A command that is not known stands for its name.
            None => self.push(&format!(" {name} "), place),
        }
        Ok(next)
    }

    /// Whether a place is between dollars on its line: there `\;` is a blank.
    fn in_math(&self, source: &str, at: usize) -> bool {
        let line = source[..at].rsplit('\n').next().unwrap_or("");
        let dollars = line.matches('$').count() - line.matches("\\$").count();
        dollars % 2 == 1
    }

    fn fraction(
        &mut self,
        source: &str,
        name: &str,
        place: Span,
        next: usize,
        end: usize,
    ) -> Result<Option<usize>> {
        match name {
            "frac" | "tfrac" | "dfrac" => {
                let (above, behind) = self.argument(source, next, end);
                let (below, behind) = self.argument(source, behind, end);
                self.push("((", place);
                self.read(source, above)?;
                self.push(") / (", place);
                self.read(source, below)?;
                self.push("))", place);
                if is_factor(&source[behind..end]) {
                    self.push(" × ", place);
                }
                Ok(Some(behind))
            }
            "sqrt" => {
                let (inside, behind) = self.argument(source, next, end);
                self.push("sqrt(", place);
                self.read(source, inside)?;
                self.push(")", place);
                Ok(Some(behind))
            }
            "lceil" | "lfloor" | "attrib" | "attribii" if name.starts_with("attrib") => {
                let (array, behind) = self.argument(source, next, end);
                let (attribute, behind) = self.argument(source, behind, end);
                self.read(source, array)?;
                self.push(".", place);
                self.read(source, attribute)?;
                Ok(Some(behind))
            }
            "floor" | "ceil" | "abs" | "norm"
                if source[next..end].trim_start().starts_with('{') =>
            {
                let (inside, behind) = self.argument(source, next, end);
                let signs = match name {
                    "floor" => ["⌊", "⌋"],
                    "ceil" => ["⌈", "⌉"],
                    "norm" => ["‖", "‖"],
                    _ => ["|", "|"],
                };
                self.push(signs[0], place);
                self.read(source, inside)?;
                self.push(signs[1], place);
                Ok(Some(behind))
            }
            // Conditions below a sum.
            "substack" => {
                let (inside, behind) = self.argument(source, next, end);
                let text = &source[inside.start..inside.end];
                let mut at = inside.start;
                for (nth, row) in text.split("\\\\").enumerate() {
                    if nth > 0 {
                        self.push(", ", place);
                    }
                    self.read(source, Span::new(at, at + row.len()))?;
                    at += row.len() + 2;
                }
                Ok(Some(behind))
            }
            "pmod" => {
                let (inside, behind) = self.short_argument(source, next, end);
                self.push(" (mod ", place);
                self.read(source, inside)?;
                self.push(")", place);
                Ok(Some(behind))
            }
            "Call" | "CALL" => {
                let (function, behind) = self.argument(source, next, end);
                let (arguments, behind) = self.argument(source, behind, end);
                self.read(source, function)?;
                self.push("(", place);
                self.read(source, arguments)?;
                self.push(")", place);
                Ok(Some(behind))
            }
            "subarr" => {
                let (from, behind) = self.argument(source, next, end);
                let (to, behind) = self.argument(source, behind, end);
                self.push("[", place);
                self.read(source, from)?;
                self.push("..", place);
                self.read(source, to)?;
                self.push("]", place);
                Ok(Some(behind))
            }
            _ => Ok(None),
        }
    }

    /// An argument that may be one sign without braces.
    fn short_argument(&self, source: &str, next: usize, end: usize) -> (Span, usize) {
        let (inside, behind) = self.argument(source, next, end);
        if behind > next {
            return (inside, behind);
        }
        let rest = source[next..end].trim_start();
        let start = end - rest.len();
        let behind = start + rest.chars().next().map_or(0, char::len_utf8);
        (Span::new(start, behind), behind)
    }

    /// A line `word inside behind`.
    pub(super) fn headed(
        &mut self,
        source: &str,
        word: &str,
        inside: Span,
        behind: &str,
        place: Span,
    ) -> Result<()> {
        self.end_line();
        self.push(word, place);
        self.push(" ", place);
        self.read(source, inside)?;
        self.push(behind, place);
        self.end_line();
        Ok(())
    }

    pub(super) fn body(&mut self, source: &str, inside: Span) -> Result<()> {
        self.end_line();
        self.depth += 1;
        self.read(source, inside)?;
        self.end_line();
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }

    /// A command that the source defines.
    fn defined(
        &mut self,
        source: &str,
        place: Span,
        next: usize,
        end: usize,
        meaning: Macro,
    ) -> Result<usize> {
        match meaning {
            Macro::Word(word) => {
                let (inside, behind) = self.argument(source, next, end);
                let blank = if self.has_line { " " } else { "" };
                if word.ends_with(':') {
                    self.end_line();
                    self.push(&format!("{word} "), place);
                } else {
                    self.push(&format!("{blank}{word}"), place);
                }
                if behind > next {
                    let is_function = !word.ends_with(':');
                    if is_function {
                        self.push("(", place);
                    }
                    self.read(source, inside)?;
                    if is_function {
                        self.push(")", place);
                    } else {
                        self.end_line();
                    }
                    return Ok(behind);
                }
                if !word.ends_with(':') {
                    self.push(" ", place);
                }
                Ok(next)
            }
            Macro::Program(word) => {
                let (head, behind) = self.argument(source, next, end);
                let (body, behind) = self.argument(source, behind, end);
                let said = word.trim().trim_end_matches(':').to_ascii_lowercase();
                let is_known = ["function", "procedure", "algorithm"].contains(&said.as_str());
                let word = if is_known { said.as_str() } else { "procedure" };
                self.headed(source, word, head, "", place)?;
                self.body(source, body)?;
                Ok(behind)
            }
            Macro::Loop(head, tail) => {
                let (condition, behind) = self.argument(source, next, end);
                let (body, behind) = self.argument(source, behind, end);
                let is_parallel = head.contains("parallel")
                    || tail.contains("parallel")
                    || head.contains("pardo")
                    || tail.contains("pardo");
                let word = if head.trim_start().starts_with("while") { "while" } else { "for" };
                let word = if head.contains("all") { "for all" } else { word };
                self.headed(
                    source,
                    word,
                    condition,
                    if is_parallel { " do in parallel" } else { " do" },
                    place,
                )?;
                self.body(source, body)?;
                Ok(behind)
            }
            Macro::Text(count, mut body) => {
                let mut behind = next;
                for nth in 1..=count {
                    let (inside, after) = self.argument(source, behind, end);
                    body = body.replace(&format!("#{nth}"), &source[inside.start..inside.end]);
                    behind = after;
                }
                if body.len() > super::LONGEST / 4 {
                    return Ok(behind);
                }
                let whole = Span::new(place.start, behind);
                let outer = self.around;
                self.around = Some(outer.unwrap_or(whole));
                let length = body.len();
                let done = self.read(&body, Span::new(0, length));
                self.around = outer;
                done?;
                Ok(behind)
            }
        }
    }
}

/// Whether what stands behind a fraction is multiplied by it.
fn is_factor(source: &str) -> bool {
    let rest = source.trim_start_matches([' ', '\n', '{']);
    let Some(command) = rest.strip_prefix('\\') else {
        return rest.starts_with(|it: char| it.is_ascii_alphabetic() || it == '(' || it == '|');
    };
    let length = command.bytes().take_while(u8::is_ascii_alphabetic).count();
    let name = &command[..length];
    let opens = ["left", "bigl", "Bigl", "biggl", "sum", "prod", "frac", "dfrac", "sqrt"];
    let is_letter = |it: &str| it.bytes().all(|it| it.is_ascii_alphabetic());
    let words = ["min", "max", "true", "false"];
    opens.contains(&name)
        || signs::sign(name).is_some_and(|it| is_letter(it) && !words.contains(&it))
}
