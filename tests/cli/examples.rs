//! Every example of every subcommand's help is a command that exists; those that need neither a GPU
//! nor minutes are run, in a folder with stand-ins for the files that they name.

use std::path::Path;
use std::process::{Command, Stdio};

use memory_machine::cli;

use crate::support::{UMM, root};

/// Of every subcommand: its name and the lines of its help's examples.
fn examples() -> Vec<(String, String)> {
    fn gather(command: &clap::Command, name: &str, found: &mut Vec<(String, String)>) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let lines = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
        for line in lines.take_while(|line| line.starts_with("  ")) {
            // Two blanks part a command from what is said about it.
            let command = line.trim().split("  ").next().unwrap_or_default();
            if command.contains("umm ") {
                found.push((name.to_owned(), command.to_owned()));
            }
        }
        for inner in command.get_subcommands() {
            gather(inner, &format!("{name} {}", inner.get_name()), found);
        }
    }
    let mut found = vec![];
    gather(&cli::command(), "umm", &mut found);
    found
}

/// The arguments of each `umm` on a shell's line.
fn commands(line: &str) -> Vec<Vec<String>> {
    let parts = line.split(" && ").flat_map(|it| it.split(" | "));
    let parts = parts.map(|it| it.trim().trim_start_matches("mpirun -n 5 "));
    parts
        .filter(|part| part.starts_with("umm "))
        .map(|part| {
            let words = part.split(" > ").next().unwrap_or_default();
            let (mut arguments, mut quoted) = (vec![String::new()], false);
            for character in words.trim().chars() {
                match (character, arguments.last_mut()) {
                    ('\'', _) => quoted = !quoted,
                    (' ', _) if !quoted => arguments.push(String::new()),
                    (other, Some(last)) => last.push(other),
                    (_, None) => {}
                }
            }
            arguments
        })
        .collect()
}

/// `command` and all commands within it, by their words.
fn all(command: &clap::Command, name: String) -> Vec<String> {
    let inner = command.get_subcommands();
    let inner =
        inner.flat_map(|it| all(it, format!("{name} {}", it.get_name()))).collect::<Vec<_>>();
    [name].into_iter().chain(inner).collect()
}

#[test]
fn every_example_is_a_command() {
    let examples = examples();
    for command in all(&cli::command(), "umm".to_owned()) {
        // One of its own, that is: of the command or of one within it.
        let own = |(of, line): &&(String, String)| *of == command && line.contains(&command);
        assert!(examples.iter().any(|it| own(&it)), "{command} --help has no example");
    }
    // Models are read where they are named.
    let folder = stand_ins();
    for (of, line) in &examples {
        let commands = commands(line);
        assert!(!commands.is_empty(), "{of}: {line}");
        for command in commands {
            let command: Vec<String> = command
                .iter()
                .map(|it| {
                    it.replace("mine.toml", &folder.path().join("mine.toml").to_string_lossy())
                })
                .collect();
            if let Err(error) = cli::command().try_get_matches_from(&command) {
                panic!("{of}: {line}\n{error}");
            }
        }
    }
}

const ASSIGNMENT: &str = "title = 'Copies'\nstatement = 'Copy a into b.'\nreference = 'mine.alg'\n\n\
                          [[test]]\nname = 'at three sizes'\npoints = 2\nset.n = '1, 2, 9'\n";
const QUESTIONS: &str = "title = 'Times'\n\n[[question]]\nname = 'bound'\ntext = 'How long does it take?'\n\
                         points = 1\nlisting = 'mine.alg'\nasks = 'tight_bound'\n";

/// A folder with what the examples name.
pub(super) fn stand_ins() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["docs", "kernels", "models", "plots", "tests"] {
        std::os::unix::fs::symlink(root().join(name), at.join(name)).unwrap();
    }
    let mine = "algorithm mine(n)\ninput a[n] : f32\noutput b[n] : f32\n\n\
                for i ← 0 to n-1 do in parallel\n  b[i] ← a[i]\n";
    std::fs::create_dir(at.join("submissions")).unwrap();
    let data: String = (0..100).map(|it| format!("{it}\n")).collect();
    let sort = "INSERTION-SORT(A)\nfor j = 2 to A.length\n    key = A[j]\n    i = j - 1\n    \
                while i > 0 and A[i] > key\n        A[i + 1] = A[i]\n        i = i - 1\n    A[i + 1] = key\n";
    let algorithm = |value: &str| {
        format!(
            "\\begin{{algorithmic}}\n\\For{{$i = 1$ to $n$}}\n\\State $b[i] \\gets {value}$\n\\EndFor\n\\end{{algorithmic}}\n"
        )
    };
    let paper = algorithm("a[i]") + &algorithm("a[i] + i");
    let product =
        "void add(const int *a, int *b, int n) {\n  for (int i = 0; i < n; i++) b[i] += a[i];\n}\n";
    let traced = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 3\n\n\
                  #BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 1\n\
                  0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 4\n\n#END_TB\n";
    let spec = "algorithm = [\"sum\"]\nset.n = [16, 32]\n";
    for (name, text) in [
        ("mine.alg", mine),
        ("sort.txt", sort),
        ("paper.tex", &paper),
        ("matmul.c", product),
        ("data.csv", &data),
        ("kernel-1.traceg", traced),
        ("spec.toml", spec),
        ("access.trace", "threads 8\nR 7 5 15 0 10+0x4\n"),
        ("copies.toml", ASSIGNMENT),
        ("times.toml", QUESTIONS),
        ("exercises.toml", "title = 'Races'\n[[exercise]]\nitem = 'race/shift/pram'\n"),
        ("answers.txt", "bound = Θ(n/w + n*l/p + l)\n"),
        ("submissions/mine.alg", mine),
    ] {
        std::fs::write(at.join(name), text).unwrap();
    }
    for (shipped, name) in [
        ("models/gtx-680.toml", "mine.toml"),
        ("tests/data/clrs-matrix-chain.csv", "dimensions.csv"),
        ("tests/data/clrs-search-tree.csv", "weights.csv"),
    ] {
        std::fs::copy(at.join(shipped), at.join(name)).unwrap();
    }
    folder
}

/// Whether an example runs here, in seconds: no GPU, no folder of measurements.
fn runs(of: &str, line: &str) -> bool {
    let needs_more =
        ["umm gpu", "umm kernel", "umm opt tune", "umm opt measure", "umm hull measure"]
            .into_iter()
            .chain(["umm greedy measure", "umm compare", "umm fit", "umm report", "umm calibrate"])
            .chain(["umm predict", "umm plot measured", "umm models"]);
    // What compiles a kernel.
    let needs_more = needs_more.chain([".cu --kernel"]);
    let too_long =
        ["mpirun", "xz -dc", "--engine gpu", "random -n", "dot -Tpdf", "gallery", "--resources"];
    // Large pictures, and what takes seconds by itself.
    let takes_seconds = ["umm complexity transpose", "product.alg", "umm bench", ".png"];
    let is_quick =
        line != "umm greedy branches" && !takes_seconds.iter().any(|it| line.contains(it));
    !needs_more.into_iter().any(|it| of.starts_with(it) || line.contains(it))
        && !too_long.iter().any(|it| line.contains(it))
        && (is_quick || crate::is_thorough())
        && !line.contains("bash-completion")
        && (super::web::has_page() || !of.starts_with("umm web"))
}

#[test]
fn examples_run() {
    let folder = stand_ins();
    let binary = Path::new(UMM).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut ran = 0;
    // All of a help, since an example may need what one before it wrote.
    let examples = examples();
    let helps = crate::some(examples.chunk_by(|a, b| a.0 == b.0), 2);
    for (_, line) in helps.flatten().filter(|(of, line)| runs(of, line)) {
        // Of the same kind, and triangulated at once: opt::solve has the large one.
        let line = &line.replace("great-britain", "laos");
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(folder.path())
            .env("PATH", &path)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}\n{error}");
        ran += 1;
    }
    assert!(ran > crate::share(90, 2), "{ran}");
}
