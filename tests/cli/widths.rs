//! What is printed fits the terminal, or 100 columns where there is none: broken between words, never
//! inside one. Tables as files have raw numbers.

use memory_machine::cli;

use crate::support::{command, folder, root};

/// What `line` prints where `COLUMNS` says this width, or nothing does.
fn printed(line: &str, columns: Option<usize>) -> String {
    let mut command = command(root(), line);
    match columns {
        Some(columns) => command.env("COLUMNS", columns.to_string()),
        None => command.env_remove("COLUMNS"),
    };
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

const TABLES: [&str; 9] = [
    "list",
    "models",
    "run transpose_padded --set n=64 -m hmm",
    "bench sum --set n=64 --repetitions 1",
    "bounds umm_opt --set n=8,16 -p 64 -l 1,100",
    "bounds umm_opt --derive",
    "complexity umm_opt --bound n^3/w+n^3*l/p+n*l",
    "fit models/measurements/nvidia-h200/2026-11-21",
    "graph sum --set n=8",
];

#[test]
fn what_is_printed_fits_its_columns() {
    for line in TABLES {
        for columns in crate::some([Some(60), Some(80), Some(100), None], 3) {
            let text = printed(line, columns);
            assert!(!text.is_empty(), "umm {line}");
            let width = columns.unwrap_or(100);
            let wide = text.lines().find(|it| it.chars().count() > width);
            assert_eq!(wide, None, "umm {line}, {columns:?} columns");
        }
    }
}

#[test]
fn no_width_breaks_a_word() {
    for columns in crate::some([60, 80, 100], 3) {
        let list = printed("list", Some(columns));
        for name in ["matrix_multiply_registers", "increasing_subsequence", "Pollaczek-Geiringer"] {
            assert!(list.contains(name), "{columns}: {name}\n{list}");
        }
        let fit = printed("fit models/measurements/nvidia-h200/2026-11-21", Some(columns));
        for cell in ["10.5 µs", "129 ps", "column-wise", "0.9814"] {
            assert!(fit.contains(cell), "{columns}: {cell}\n{fit}");
        }
    }
}

/// All commands, with those within others.
fn all(command: clap::Command, found: &mut Vec<clap::Command>) {
    command.get_subcommands().cloned().for_each(|inner| all(inner, found));
    found.push(command);
}

#[test]
fn help_is_at_most_a_hundred_columns_wide() {
    let mut commands = vec![];
    all(cli::command(), &mut commands);
    assert!(commands.len() > 40, "{}", commands.len());
    for mut command in commands.into_iter().map(|it| it.term_width(100)) {
        for help in [command.render_help(), command.render_long_help()].map(|it| it.to_string()) {
            let wide = help.lines().find(|it| it.chars().count() > 100);
            assert_eq!(wide, None, "umm {}", command.get_name());
        }
    }
}

/// Every number is one, without blanks among its digits, and each column has a name of its own.
#[test]
fn tables_as_files_have_raw_numbers() {
    let folder = folder(&[]);
    for (line, head, numbers) in [
        (
            "run umm_opt --set n=64",
            "phase,accesses,warp_accesses,stages,global_stages,shared_stages,time_units",
            "D,85312,2784,10690,,,35242\n",
        ),
        (
            "run sum --set n=1024 --time-only",
            "phase,accesses,warp_accesses,stages,global_stages,shared_stages,time_units",
            ",3069,",
        ),
        ("models", "model,machine,width,latency,description", "\ntextbook,umm,4,5,"),
        ("list sha256", "topic,algorithm,set,inputs,about,obliviousness,source,validation_set", ""),
        (
            "complexity sum --set n=16..256*2 -p 64 --terms n/w,l",
            "term,coefficient,coefficient_low,coefficient_high",
            "\nn/w,",
        ),
        (
            "greedy branches -n 16 --runs 2",
            "n,distribution,seed,runs,tests,sharing_an_end,",
            "\n16,square,1,2,",
        ),
        ("bench sum --set n=64 --repetitions 1", "on,what,time_units,median_s,", "\nmodel,"),
    ] {
        let line = format!("{line} --csv table.csv");
        let output = command(folder.path(), &*line).output().unwrap();
        assert!(output.status.success(), "umm {line}");
        let table = std::fs::read_to_string(folder.path().join("table.csv")).unwrap();
        assert!(table.starts_with(head) && table.contains(numbers), "umm {line}: {table}");
        assert!(!table.contains(['\u{202f}', '\u{2009}', '\u{a0}']), "umm {line}: {table}");
    }
    // In place of the report, which goes to standard error.
    let output = command(folder.path(), "run sum --set n=8 --csv -").output().unwrap();
    let [table, report] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(table.starts_with("phase,") && report.contains("verified"), "{table}{report}");
}
