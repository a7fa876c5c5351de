//! The tutorial and the course: sessions, listings, figures and slides.

use std::fs;
use std::path::PathBuf;

use super::{fenced, run_listings};
use crate::support::{page, root, succeeds};

const LECTURES: [&str; 5] = ["1-coalescing", "2-umm-opt", "3-bulk", "4-hmm", "5-nine-models"];

#[test]
fn console_sessions_of_the_tutorial_and_the_course() {
    let cases = trycmd::TestCases::new();
    cases.case("docs/tutorial.md").case("docs/open-questions.md").case("docs/course/README.md");
    cases.case("docs/course/*/README.md").case("docs/course/*/slides.md");
}

/// What the tutorial prints is what its commands run.
#[test]
fn listings_of_the_tutorial_are_files() {
    assert_eq!(run_listings("docs/tutorial.md"), 2);
    let tutorial = page("docs/tutorial.md");
    for block in fenced(&tutorial).iter().filter(|it| it.info.starts_with("alg")) {
        let name = block.text.strip_prefix("algorithm ").unwrap().split('(').next().unwrap();
        assert_eq!(block.text, page(&format!("docs/listings/{name}.alg")));
    }
}

#[test]
#[ignore = "takes seconds"]
fn figures_of_the_course_are_drawn_again() {
    let folder = tempfile::tempdir().unwrap();
    let readme = page("docs/course/README.md");
    let commands: Vec<&str> = readme
        .lines()
        .filter(|line| line.starts_with("| `figures/"))
        .map(|line| line.split('`').nth(3).unwrap().strip_prefix("umm ").unwrap())
        .collect();
    for command in &commands {
        let (start, name) = command.rsplit_once(" docs/course/figures/").unwrap();
        let drawn = folder.path().join(name);
        // Words, or what stands between quotes.
        let parts = start.split('\'').enumerate();
        let mut arguments: Vec<&str> = parts
            .flat_map(|(part, text)| match part % 2 {
                0 => text.split_whitespace().collect(),
                _ => vec![text],
            })
            .collect();
        arguments.push(drawn.to_str().unwrap());
        succeeds(root(), &arguments[..]);
        let is_same =
            page(&format!("docs/course/figures/{name}")) == fs::read_to_string(drawn).unwrap();
        assert!(is_same, "{name} is not what `umm {command}` draws");
    }
    let figures = fs::read_dir(root().join("docs/course/figures")).unwrap().count();
    assert_eq!(commands.len(), figures);
}

/// `umm plot slides` makes the decks of their texts and of the pictures in `plots/`.
#[test]
fn slides_are_those_of_their_texts() {
    for lecture in LECTURES {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("docs/course/{lecture}/slides.md");
        succeeds(root(), &["plot", "slides", &text, "-o", folder.path().to_str().unwrap()]);
        let drawn = fs::read_dir(folder.path()).unwrap();
        let names: Vec<PathBuf> = drawn.map(|it| it.unwrap().file_name().into()).collect();
        assert_eq!(names.len(), 10, "{lecture}");
        for name in names {
            let committed = root().join("docs/course").join(lecture).join("slides").join(&name);
            let is_same =
                fs::read(&committed).unwrap() == fs::read(folder.path().join(name)).unwrap();
            assert!(
                is_same,
                "{} differs; run `umm plot slides {text} -o docs/course/{lecture}/slides`",
                committed.display()
            );
        }
    }
}
