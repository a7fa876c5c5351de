//! Lines of CUDA C.

use super::title::comment;

/// Lines of text, indented.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) text: String,
    pub(super) depth: usize,
}

impl Lines {
    pub(super) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    pub(super) fn comments(&mut self, texts: &[String]) {
        texts.iter().for_each(|text| self.line(&format!("//   {}", comment(text))));
    }

    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    pub(super) fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }
}
