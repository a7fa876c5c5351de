//! Commands of algorithmic, algpseudocode, algorithm2e and clrscode.

use std::ops::Range;

use super::{Reader, Result};
use crate::diagnostic::Span;

/// A command with the arguments that stand behind it.
struct Structure<'a> {
    source: &'a str,
    lower: String,
    place: Span,
    next: usize,
    end: usize,
    /// Behind what stands in square brackets.
    option: usize,
    /// The arguments, with the places behind them; algorithm2e gives the body as one.
    first: (Span, usize),
    second: (Span, usize),
}

impl Reader {
    /// A command that makes lines or blocks; gives the place behind it.
    pub(super) fn structure(
        &mut self,
        source: &str,
        name: &str,
        place: Span,
        part: Range<usize>,
    ) -> Result<Option<usize>> {
        let Range { start: next, end } = part;
        let option = self.skip_option(source, next, end);
        let first = self.argument(source, option, end);
        let second = self.argument(source, first.1, end);
        let lower = name.to_ascii_lowercase();
        let it = Structure { source, lower, place, next, end, option, first, second };
        if let Some(behind) = self.loops(&it)? {
            return Ok(Some(behind));
        }
        match self.branches(&it)? {
            Some(behind) => Ok(Some(behind)),
            None => self.others(&it),
        }
    }

    fn loops(&mut self, it: &Structure<'_>) -> Result<Option<usize>> {
        let Structure { source, lower, place, next, end, option, first, second } = it;
        let (source, place, next, end, option) = (*source, *place, *next, *end, *option);
        let ((first, behind), (second, behind_second)) = (*first, *second);
        let has_argument = behind > option;
        let has_body = has_argument && behind_second > behind;
        match lower.as_str() {
            "for" | "forall" | "foreach" | "while" | "parfor" | "forpar" | "forallp" | "lfor"
            | "lforeach" | "lforall" | "lwhile"
                if has_argument =>
            {
                let is_parallel = lower.contains("par") || lower == "forallp";
                let word = match lower.trim_start_matches('l') {
                    "forall" => "for all",
                    "foreach" => "for each",
                    "while" => "while",
                    _ => "for",
                };
                let behind_head = if is_parallel { " do in parallel" } else { " do" };
                self.headed(source, word, first, behind_head, place)?;
                if has_body {
                    self.body(source, second)?;
                    return Ok(Some(behind_second));
                }
                self.depth += 1;
                Ok(Some(behind))
            }
            "repeat" | "loop" if has_body => {
                self.headed(source, "repeat", Span::new(first.start, first.start), "", place)?;
                self.body(source, second)?;
                self.headed(source, "until", first, "", place)?;
                Ok(Some(behind_second))
            }
            "repeat" | "loop" => {
                self.end_line();
                self.push("repeat", place);
                self.end_line();
                self.depth += 1;
                Ok(Some(next))
            }
            "until" => {
                self.end_line();
                self.depth = self.depth.saturating_sub(1);
                self.push("until ", place);
                if has_argument {
                    self.read(source, first)?;
                    self.end_line();
                    return Ok(Some(behind));
                }
                Ok(Some(next))
            }
            "endfor" | "endforall" | "endwhile" | "endif" | "endloop" | "endprocedure"
            | "endfunction" | "endparfor" | "endforeach" | "endswitch" | "endcase" | "endother"
            | "enddefault" => {
                self.end_line();
                self.depth = self.depth.saturating_sub(1);
                Ok(Some(next))
            }
            "end" if !source[next..end].starts_with('{') => {
                // clrscode.
                self.end_line();
                self.depth = self.depth.saturating_sub(1);
                Ok(Some(next))
            }
            "do" | "then" => {
                self.push(if lower == "do" { " do" } else { " then" }, place);
                self.end_line();
                self.depth += 1;
                Ok(Some(next))
            }
            "for" | "while" | "if" | "forall" | "elseif" | "elsif" | "foreach" | "parfor"
                if !has_argument =>
            {
                self.end_line();
                let word = match lower.as_str() {
                    "elseif" | "elsif" => {
                        self.depth = self.depth.saturating_sub(1);
                        "else if "
                    }
                    "forall" => "for all ",
                    "foreach" => "for each ",
                    "parfor" => "parallel for ",
                    "for" => "for ",
                    "while" => "while ",
                    _ => "if ",
                };
                self.push(word, place);
                Ok(Some(next))
            }
            _ => Ok(None),
        }
    }

    fn branches(&mut self, it: &Structure<'_>) -> Result<Option<usize>> {
        let Structure { source, lower, place, next, end, option, first, second } = it;
        let (source, place, next, end, option) = (*source, *place, *next, *end, *option);
        let ((first, behind), (second, behind_second)) = (*first, *second);
        let has_argument = behind > option;
        let has_body = has_argument && behind_second > behind;
        match lower.as_str() {
            "if" | "uif" | "lif" | "elsif" | "elseif" | "uelseif" | "lelseif" | "elif"
                if has_argument =>
            {
                let is_else = lower.contains("els") || lower == "elif";
                if is_else && !has_body {
                    self.depth = self.depth.saturating_sub(1);
                }
                self.headed(source, if is_else { "else if" } else { "if" }, first, " then", place)?;
                if has_body {
                    self.body(source, second)?;
                    return Ok(Some(behind_second));
                }
                self.depth += 1;
                Ok(Some(behind))
            }
            "switch" | "case" | "ucase" | "lcase" if has_argument => {
                let word = if lower == "switch" { "switch" } else { "case" };
                let sign = if lower == "switch" { " do" } else { ":" };
                self.headed(source, word, first, sign, place)?;
                if has_body {
                    self.body(source, second)?;
                    return Ok(Some(behind_second));
                }
                self.depth += 1;
                Ok(Some(behind))
            }
            "other" | "uother" | "lother" | "default" => {
                self.headed(source, "otherwise:", Span::new(next, next), "", place)?;
                if has_argument {
                    self.body(source, first)?;
                    return Ok(Some(behind));
                }
                self.depth += 1;
                Ok(Some(next))
            }
            "eif" if has_body => {
                let (third, behind_third) = self.argument(source, behind_second, end);
                self.headed(source, "if", first, " then", place)?;
                self.body(source, second)?;
                self.headed(source, "else", Span::new(third.start, third.start), "", place)?;
                self.body(source, third)?;
                Ok(Some(behind_third))
            }
            "else" | "uelse" | "lelse" | "elsenoif" => {
                self.end_line();
                if has_argument {
                    self.push("else", place);
                    self.body(source, first)?;
                    return Ok(Some(behind));
                }
                self.depth = self.depth.saturating_sub(1);
                self.push("else", place);
                self.end_line();
                self.depth += 1;
                Ok(Some(option))
            }
            _ => Ok(None),
        }
    }

    /// clrscode's `\ElseIf` stands without `\Then`, too.
    fn end_head(&mut self, place: Span) {
        let line = self.out.text.rsplit('\n').next().unwrap_or_default().trim();
        if self.has_line && line.starts_with("else if ") && !line.ends_with(" then") {
            self.push(" then", place);
            self.depth += 1;
        }
    }

    fn others(&mut self, it: &Structure<'_>) -> Result<Option<usize>> {
        let Structure { source, lower, place, next, end, option, first, second } = it;
        let (source, place, next, end, option) = (*source, *place, *next, *end, *option);
        let ((first, behind), (second, behind_second)) = (*first, *second);
        let has_argument = behind > option;
        match lower.as_str() {
            "state" | "statex" | "li" => {
                self.end_head(place);
                self.end_line();
                Ok(Some(option))
            }
            "comment" | "tcp" | "tcc" | "commentsymbol" | "tcpright" | "rcomment" | "tcp*" => {
                let next = if source[next..end].starts_with('*') { next + 1 } else { next };
                let option = self.skip_option(source, next, end);
                let (inside, behind) = self.argument(source, option, end);
                // algorithm2e's own ends the line.
                if lower.starts_with("tc") && !source[next..option].contains(['h', 'f']) {
                    self.end_line();
                }
                if behind == option {
                    // clrscode: up to the next line of the listing, or the end of a block.
                    let text = &source[next..end];
                    let ends = ["\\li", "\\End", "\\end"].into_iter();
                    let line = ends.filter_map(|it| text.find(it)).min();
                    return Ok(Some(line.map_or(end, |it| next + it)));
                }
                let _ = inside;
                Ok(Some(behind))
            }
            "return" | "kwret" | "kwreturn" => {
                self.end_line();
                self.push("return ", place);
                if has_argument {
                    self.read(source, first)?;
                    return Ok(Some(behind));
                }
                Ok(Some(next))
            }
            "require" | "ensure" | "kwin" | "kwout" | "kwdata" | "kwresult" | "input"
            | "output" | "kwinput" | "kwoutput" | "data" | "result" => {
                self.end_line();
                let is_input = ["require", "kwin", "kwdata", "input", "kwinput", "data"]
                    .contains(&lower.as_str());
                self.push(if is_input { "Input: " } else { "Output: " }, place);
                if has_argument {
                    self.read(source, first)?;
                    self.end_line();
                    return Ok(Some(behind));
                }
                Ok(Some(next))
            }
            "procedure" | "function" | "fn" if has_argument => {
                self.end_line();
                let word = if lower == "procedure" { "procedure " } else { "function " };
                self.push(word, place);
                self.read(source, first)?;
                if lower == "fn" {
                    self.end_line();
                    self.body(source, second)?;
                    return Ok(Some(behind_second));
                }
                self.push("(", place);
                self.read(source, second)?;
                self.push(")", place);
                self.end_line();
                self.depth += 1;
                Ok(Some(behind_second))
            }
            "procname" if has_argument => {
                self.end_line();
                self.push("procedure ", place);
                self.read(source, first)?;
                self.end_line();
                Ok(Some(behind))
            }
            _ => Ok(None),
        }
    }
}
