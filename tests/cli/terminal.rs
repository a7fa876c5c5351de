//! What the command writes to a terminal: no escapes but its own colours, and those where wanted.

use crate::support::{command, folder};

/// Whatever a file, its name or an argument holds: nothing commands the terminal.
#[test]
fn nothing_that_is_read_commands_a_terminal() {
    let evil = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\r";
    let races = "algorithm t(n)\ninout o[n] : f32\n\nfor i ← 1 to n-1 do in parallel\n  \
                 o[i] ← o[i-1] // \u{1b}[31m\u{9b}2J\u{202e}\n";
    let unknown = "algorithm t(n)\noutput o[n] : f32\n\no[p] ← 1 // \u{1b}[31m\u{9b}2J\u{202e}\n";
    let [points, toml, json_text] = [
        format!("0,0\n1,\"{evil}\"\n"),
        format!("x{evil} = 1\n"),
        format!("{{\"type\": \"{evil}\"}}"),
    ];
    let name = "a\u{1b}[31m\u{9b}.csv";
    let folder = folder(&[
        ("races.alg", races),
        ("unknown.alg", unknown),
        ("p.csv", &points),
        ("m.toml", &toml),
        ("p.geojson", &json_text),
        (name, "0,0\n1,0\n0,1\n"),
    ]);
    for (line, code) in [
        (&["check", "races.alg", "--set", "n=4"][..], 0),
        (&["check", "unknown.alg"], 2),
        (&["check", "unknown.alg", "--json"], 2),
        (&["hull", "p.csv"], 2),
        (&["hull", "p.geojson"], 2),
        (&["opt", "solve", "p.csv"], 2),
        (&["sweep", "m.toml", "-o", "never.csv"], 2),
        (&["predict", "sum", "--model", "m.toml"], 2),
        (&["opt", "solve", "random", "-n", "8", "--plan", "m.toml"], 2),
        (&["hull", name], 0),
        (&["greedy", name], 0),
        (&["run", name], 2),
        (&["run", "sum", "--set", name], 2),
        (&["plot", "time", name, "-o", "p.svg"], 2),
    ] {
        for forced in ["NO_COLOR", "CLICOLOR_FORCE"] {
            let output = command(folder.path(), line).env(forced, "1").output().unwrap();
            let both = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
            assert_eq!(output.status.code(), Some(code), "{line:?}: {both:?}");
            // Colours of our own are the only escapes.
            let own = |text: &str| {
                let parts = text.split("\u{1b}[").skip(1);
                parts.clone().all(|it| {
                    let (digits, _) = it.split_once('m').unwrap_or(("x", ""));
                    forced == "CLICOLOR_FORCE"
                        && digits.chars().all(|it| it.is_ascii_digit() || it == ';')
                })
            };
            for text in both {
                assert!(own(&text), "{line:?}: {text:?}");
                let rest = text.replace("\u{1b}[", "");
                assert!(
                    !rest.contains(memory_machine::diagnostic::is_hidden),
                    "{line:?}: {text:?}"
                );
            }
        }
    }
}

#[test]
fn errors_are_coloured_only_where_that_is_wanted() {
    let folder = folder(&[("t.alg", "algorithm t(n)\n\nx ← p\n")]);
    let message = |line: &[&str], name: &str, value: &str| {
        let output = command(folder.path(), line).env(name, value).output();
        String::from_utf8(output.unwrap().stderr).unwrap()
    };
    for line in [&["hull", "nowhere.csv"][..], &["check", "t.alg"]] {
        let coloured = message(line, "CLICOLOR_FORCE", "1");
        assert!(coloured.starts_with("\u{1b}[1m\u{1b}["), "{coloured:?}");
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb"), ("TERM", "xterm")] {
            let plain = message(line, name, value);
            assert!(plain.starts_with("error: ") && !plain.contains('\u{1b}'), "{plain:?}");
        }
    }
}
