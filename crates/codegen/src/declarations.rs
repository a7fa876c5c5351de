//! What an emitted file declares before its kernels: constants, and the listing's tables.

use std::collections::HashSet;

use super::emitter::Emitter;
use super::names::Names;
use super::operators::literal;
use memory_machine_core::language::program::TableId;

impl Emitter<'_> {
    /// The constants that a text mentions. They leave some of its variables without a use.
    pub(super) fn constants_declared(&self, text: &str) -> String {
        if self.sizes.is_empty() && self.constants.iter().all(Option::is_none) {
            return String::new();
        }
        let names = Names::of_program(self.program);
        let words: HashSet<&str> =
            text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').collect();
        let known = self.constants.iter().enumerate();
        let known = known.filter_map(|(at, it)| Some((names.parameter(at), (*it)?)));
        let mut declared =
            "#pragma nv_diag_suppress 177, 550  // Variables without a use.\n".to_owned();
        for (name, value) in known.filter(|(name, _)| words.contains(name)) {
            declared += &format!("constexpr {} {name} = {value};\n", self.index);
        }
        declared
    }

    /// The listing's tables that a text mentions.
    pub(super) fn tables_declared(&self, text: &str) -> String {
        let names = Names::of_program(self.program);
        let mut declared = String::new();
        for (id, table) in self.program.tables.iter().enumerate() {
            let name = names.table(TableId(id));
            if text.contains(&format!("{name}[")) {
                let entries: Vec<String> = table.entries.iter().map(literal).collect();
                let (word, entries) = (self.word(table.element), entries.join(", "));
                let count = table.entries.len();
                declared += &format!("__constant__ {word} {name}[{count}] = {{{entries}}};\n");
            }
        }
        declared
    }
}
