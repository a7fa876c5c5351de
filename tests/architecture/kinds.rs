//! What depends on the kind of machine is spelled in one place.

use std::path::Path;

use super::{sources, sources_of};

/// The kinds are made by [`memory_machine::machine`]'s constructors and words, wherever one is needed.
#[test]
fn the_kinds_of_machine_are_named_in_one_room() {
    let mut named_at_home = false;
    let beside = ["python/src", "web/src"].into_iter().flat_map(sources_of);
    for source in sources().into_iter().chain(beside) {
        let is_at_home = source.path.starts_with("crates/core/src/machine");
        let names = |line: &&str| !line.trim_start().starts_with("//") && names_a_kind(line);
        match source.code().lines().find(names) {
            Some(_) if is_at_home => named_at_home = true,
            Some(line) => panic!("{}: names a kind of machine: {line}", source.name()),
            None => {}
        }
    }
    // Were the kinds called otherwise, the search above would find none anywhere.
    assert!(named_at_home);
}

/// Whether a variant is named, or all of them are brought into scope.
fn names_a_kind(line: &str) -> bool {
    let kinds = line.split("MachineKind::").skip(1);
    kinds.map(|it| it.trim_start_matches('{')).any(|it| {
        let first = it.trim_start().chars().next();
        first.is_some_and(|first| first.is_uppercase() || first == '*')
    })
}

#[test]
fn a_kind_that_is_named_is_found() {
    for line in [
        "let kind = MachineKind::Hmm(Dmms::ONE);",
        "use crate::machine::MachineKind::{Dmm, Umm};",
        "use crate::machine::MachineKind::*;",
        "matches!(kind, MachineKind::Umm)",
    ] {
        assert!(names_a_kind(line), "{line}");
    }
    for line in ["MachineKind::hierarchical(dmms)", "word::<MachineKind>()", "kind: MachineKind,"] {
        assert!(!names_a_kind(line), "{line}");
    }
}

/// What depends on the kind of machine stands in one file, and what makes requests conflict in another:
/// a machine is added there, and as a TOML file in `models`. (`tests/machine/toy.rs` adds one from
/// outside.)
#[test]
fn the_kinds_of_machine_are_told_apart_in_one_room() {
    for source in sources() {
        let (path, text) = (&source.path, source.code());
        if path.ends_with("machine/kind.rs") || path.ends_with("machine/conflict.rs") {
            continue;
        }
        for word in ["== MachineKind::", "!= MachineKind::", "let MachineKind::"] {
            assert!(!text.contains(word), "{}: has {word}", path.display());
        }
        for word in ["Umm =>", "Dmm =>", "\"umm\" =>", "\"dmm\" =>", "\"dmm\""] {
            // A checker of proofs shares nothing with those that make them.
            let is_apart = path.starts_with("crates/verify");
            let is_example = is_apart || path.starts_with("src/cli") && text.contains("\"dmm\",");
            assert!(!text.contains(word) || is_example, "{}: has {word}", path.display());
        }
        if !["run", "machine"]
            .iter()
            .any(|it| path.starts_with(Path::new("crates/core/src").join(it)))
        {
            for word in
                ["Some(\"row\")", "Some(\"column\")", "\"async\"", "RowWise => \"", "\"row-wise\""]
            {
                assert!(!text.contains(word), "{}: has {word}", path.display());
            }
        }
    }
}
