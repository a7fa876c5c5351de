//! Scripts for shells: they complete the names of listings and of machines.

use std::process::Command;

use crate::support::{folder, root, succeeds};

#[test]
fn every_shell_is_told_the_names() {
    for shell in ["bash", "zsh", "fish"] {
        let script = succeeds(root(), &format!("completions {shell}"));
        for name in ["prefix_sums", "floyd_warshall_in_turn", "h200", "gtx-titan"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    let script = succeeds(root(), "completions fish");
    let names = |it: &&str| it.contains(" floyd_warshall_in_turn ");
    let of_run = script.lines().filter(|it| it.contains("using_subcommand run\"")).find(names);
    assert!(of_run.is_some_and(|it| !it.contains(" -f ")), "files are completed, too");
    assert!(
        script
            .lines()
            .filter(|it| it.contains("seen_subcommand_from cells\""))
            .any(|it| names(&it))
    );
    // Where a name may stand, a file may, too.
    let script = succeeds(root(), "completions zsh");
    for part in ["_umm_listings() {", "_files -g \"*.alg\"", "_files -g \"*.toml\""] {
        assert!(script.contains(part), "{part}");
    }
    // Once, where the files stand beside them.
    assert_eq!(script.matches(" floyd_warshall_in_turn ").count(), 1);
}

#[test]
fn bash_completes_a_listing_and_a_machine() {
    let script = succeeds(root(), "completions bash");
    let folder = folder(&[("umm.bash", &script)]);
    let completed = |words: &str, current: &str, before: &str| {
        let line = format!(
            "source ./umm.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _umm umm '{current}' '{before}'; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = Command::new("bash");
        let output = bash.current_dir(folder.path()).args(["-c", &line]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(
        completed("umm run floyd_warshall_in", "floyd_warshall_in", "run"),
        "floyd_warshall_in_turn"
    );
    assert_eq!(completed("umm predict sum --model gtx-t", "gtx-t", "--model"), "gtx-titan");
}
