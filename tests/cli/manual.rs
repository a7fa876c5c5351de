//! Manual pages, and what a report on a fault should say.

use crate::support::{fails, root, umm};

#[test]
fn each_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let output = umm(root(), &["man", "-o", folder.path().to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let mut root_command = memory_machine::cli::command().disable_help_subcommand(true);
    root_command.build();
    let mut wanted = vec![];
    let mut left = vec![&root_command];
    while let Some(command) = left.pop() {
        wanted.push(format!("{}.1", command.get_display_name().unwrap_or("umm")));
        left.extend(command.get_subcommands());
    }
    let pages = std::fs::read_dir(folder.path()).unwrap();
    let mut found: Vec<String> =
        pages.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted);
    let printed = umm(root(), "man opt measure").stdout;
    assert_eq!(printed, std::fs::read(folder.path().join("umm-opt-measure.1")).unwrap());
    assert!(fails(root(), "man opt nix").contains("it has solve"));
}

#[test]
fn a_report_on_a_fault_says_how_it_was_built() {
    let text = umm(root(), "--version --verbose").stdout;
    assert_eq!(text, umm(root(), "-v -V").stdout);
    let text = String::from_utf8(text).unwrap();
    let words: Vec<&str> = text.lines().filter_map(|it| it.split_whitespace().next()).collect();
    assert_eq!(words, ["umm", "commit", "target", "features", "page", "NVRTC", "GPU"]);
}
