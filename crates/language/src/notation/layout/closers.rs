//! How deep lines lie by what closes blocks.

use super::{Item, LineKind};
use crate::notation::statement::opens_block;

/// Deeper than any listing is read.
const DEEPEST: usize = 150;

pub(super) fn by_closers(items: &[Item]) -> Option<Vec<usize>> {
    let of_code =
        |it: &Item| matches!(it.kind, LineKind::Statement | LineKind::Begin | LineKind::End);
    let code: Vec<usize> = (0..items.len()).filter(|&at| of_code(&items[at])).collect();
    let has = |kind| items.iter().any(|it| it.kind == kind);
    let mut closers = Closers { items, code, at: 0, found: vec![0; items.len()] };
    if has(LineKind::Begin) {
        closers.statements(0)?;
    } else if has(LineKind::End) {
        closers.each_closed()?;
    } else {
        return None;
    }
    (closers.at == closers.code.len()).then_some(closers.found)
}

struct Closers<'a> {
    items: &'a [Item],
    code: Vec<usize>,
    at: usize,
    found: Vec<usize>,
}

impl<'a> Closers<'a> {
    fn peek(&self) -> Option<&'a Item> {
        self.code.get(self.at).map(|&at| &self.items[at])
    }

    fn take(&mut self, depth: usize) {
        self.found[self.code[self.at]] = depth;
        self.at += 1;
    }

    /// Every loop and branch has its `end`.
    fn each_closed(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        while let Some(item) = self.peek() {
            if item.kind == LineKind::End {
                // The last may close the whole listing.
                depth = match depth.checked_sub(1) {
                    Some(outer) => outer,
                    None if self.at + 1 == self.code.len() => 0,
                    None => return None,
                };
                self.take(depth);
                continue;
            }
            if item.begins_with("else") || item.begins_with("until") {
                depth = depth.checked_sub(1)?;
            }
            self.take(depth);
            depth += usize::from(opens_block(&item.tokens));
        }
        (depth == 0).then_some(())
    }

    /// Statements up to what ends their block.
    fn statements(&mut self, depth: usize) -> Option<()> {
        while let Some(item) = self.peek() {
            if item.kind == LineKind::End || item.begins_with("until") {
                break;
            }
            self.statement(depth)?;
        }
        Some(())
    }

    /// One statement, which may be a block.
    fn statement(&mut self, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        let item = self.peek()?;
        self.take(depth);
        if item.kind == LineKind::Begin {
            self.statements(depth)?;
            let closes = self.peek()?.kind == LineKind::End;
            self.take(depth);
            return closes.then_some(());
        }
        if item.begins_with("repeat") {
            self.statements(depth + 1)?;
            let closes = self.peek()?.begins_with("until");
            self.take(depth);
            return closes.then_some(());
        }
        if opens_block(&item.tokens) {
            self.statement(depth + 1)?;
        }
        if self.peek().is_some_and(|it| it.begins_with("else")) && item.begins_with("if") {
            self.statement(depth)?;
        }
        Some(())
    }
}
