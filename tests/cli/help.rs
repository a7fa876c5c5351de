//! What help shows, and flags that had other names before.

use clap::Command;
use memory_machine::cli;

#[test]
fn every_command_stands_in_the_help_once() {
    let mut umm = cli::command();
    for help in [umm.render_help(), umm.render_long_help()].map(|it| it.to_string()) {
        for command in cli::command().get_subcommands() {
            let (name, about) = (command.get_name(), command.get_about().unwrap().to_string());
            let entries = help.lines().filter(|line| {
                line.strip_prefix("  ").and_then(|it| it.split_whitespace().next()) == Some(name)
            });
            let entries: Vec<&str> = entries.collect();
            assert!(matches!(entries[..], [entry] if entry.ends_with(&about)), "{name}: {help}");
        }
        let headings = help.lines().filter(|line| !line.starts_with(' ') && line.ends_with(':'));
        let wanted = ["Listings:", "Studies:", "Machines:", "GPUs:", "Solvers:", "Pictures:"];
        let wanted = wanted.into_iter().chain(["Shells:", "Options:", "Examples:"]);
        assert!(headings.eq(wanted), "{help}");
    }
}

/// All commands, those within others among them.
fn all(command: &Command) -> Vec<&Command> {
    let inner = command.get_subcommands().flat_map(all);
    [command].into_iter().chain(inner).collect()
}

#[test]
fn a_flag_means_the_same_everywhere() {
    let umm = cli::command();
    let mut found = 0;
    for command in all(&umm) {
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            let value = argument.get_value_names().map_or(String::new(), |it| it.join(" "));
            let holds = match argument.get_long() {
                Some("machine") => help.to_lowercase().contains("machine"),
                Some("model") => help.contains(" described ") || help.contains(" calibrated "),
                Some("device") => help.starts_with("The GPU's number"),
                Some("draw") => value == "FILE.svg|.png",
                Some("csv") => value.starts_with("FILE.csv"),
                _ => continue,
            };
            assert!(holds, "umm {}: {}: {help}", command.get_name(), argument.get_id());
            found += 1;
        }
    }
    assert!(found > 30, "{found}");
}

/// What is wrong with a value of each flag of `command` and of all commands within it.
fn refused(command: &Command, value: &str, found: &mut Vec<String>) {
    for argument in command.get_arguments().filter(|it| it.get_action().takes_values()) {
        let flag = match (argument.get_long(), argument.get_short()) {
            (Some(long), _) => format!("--{long}={value}"),
            (None, Some(short)) => format!("-{short}{value}"),
            (None, None) => continue,
        };
        // The command alone: to build the whole tree for each flag takes thirty times as long.
        if let Err(error) = command.clone().try_get_matches_from([command.get_name(), &flag]) {
            found.push(error.to_string());
        }
    }
    for inner in command.get_subcommands() {
        refused(inner, value, found);
    }
}

#[test]
fn a_number_that_is_none_is_refused_in_words_of_its_reader() {
    for value in crate::some(["x", "1.5", "-1", "99999999999999999999"], 3) {
        let mut found = vec![];
        refused(&cli::command(), value, &mut found);
        let of_values = found.iter().filter(|it| it.contains("write a whole number from ")).count();
        assert!(of_values > 50, "{value}: {of_values}");
        for message in found {
            for words in ["invalid digit", "invalid float", "too large to fit", " is not in "] {
                assert!(!message.contains(words), "{message}");
            }
        }
    }
}

#[test]
fn whatever_uses_a_gpu_takes_its_number() {
    for line in [
        "gpu run sum --set n=8",
        "gpu measure microbenchmarks -o measured",
        "opt solve random --engine gpu",
        "opt solve random --plan plan.toml",
        "opt measure -o measured",
        "opt tune -n 128",
        "greedy random --engine gpu",
        "greedy measure -o measured",
        "hull random --engine gpu",
        "hull measure -o measured",
        // Without a GPU's engine it does not matter.
        "hull random --engine cpu",
    ] {
        let words = ["umm"].into_iter().chain(line.split(' ')).chain(["--device", "1"]);
        assert!(cli::command().try_get_matches_from(words).is_ok(), "{line}");
    }
}

#[test]
fn flags_have_their_old_names_too() {
    for line in [
        "umm explain - --svg slide.svg",
        "umm hull random --output ring.csv",
        "umm greedy random --output edges.csv",
        "umm opt tune -n 128 --csv tuned",
        // And the one name of a table where it is one result among others.
        "umm opt solve random --csv chords.csv",
        "umm sweep sum --set n=8 --csv sum.csv",
        "umm list --search sort",
    ] {
        let words = line.split(' ');
        assert!(cli::command().try_get_matches_from(words).is_ok(), "{line}");
    }
    for command in ["explain", "hull", "greedy"] {
        let help = cli::command().find_subcommand_mut(command).unwrap().render_help().to_string();
        assert!(!help.contains("--svg") && !help.contains("--output"), "{help}");
    }
}
