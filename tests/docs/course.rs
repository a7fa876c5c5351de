//! The tutorial and the course: sessions, listings, figures and slides.

use std::fs;

use super::{fenced, run_listings};
use crate::support::{page, root, succeeds};

/// Pixels of a slide, of 1280 × 720, that the letters of its code have at least.
const SMALLEST_CODE: f64 = 14.0;

#[test]
fn console_sessions_of_the_tutorial_and_the_course() {
    let cases = trycmd::TestCases::new();
    cases.case("docs/tutorial.md").case("docs/open-questions.md").case("docs/course/README.md");
    cases.case("docs/course/*/README.md").case("docs/course/*/slides.md");
    cases.case("docs/course/teaching.md");
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
    drawn_again("docs/course/README.md", "figures");
}

#[test]
#[ignore = "takes seconds"]
fn pictures_of_transformations_are_drawn_again() {
    drawn_again("docs/transformations.md", "transformations");
}

/// Draws the pictures of a folder by the commands in the table of a page: each is what stands there.
fn drawn_again(path: &str, folder: &str) {
    let scratch = tempfile::tempdir().unwrap();
    let text = page(path);
    let row = format!("| `{folder}/");
    let commands: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with(&row))
        .map(|line| line.split('`').nth(3).unwrap().strip_prefix("umm ").unwrap())
        .collect();
    for command in &commands {
        let (start, kept) = command.rsplit_once(' ').unwrap();
        let drawn = scratch.path().join(kept.rsplit_once('/').unwrap().1);
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
        let is_same = page(kept) == fs::read_to_string(drawn).unwrap();
        assert!(is_same, "{kept} is not what `umm {command}` draws");
    }
    let pictures = root().join(path).with_file_name(folder);
    assert_eq!(commands.len(), fs::read_dir(pictures).unwrap().count());
}

/// Every deck is drawn from its text and its figures: ten slides, none too full, no letters too small.
#[test]
fn decks_are_drawn_from_their_texts() {
    let mut lectures = 0;
    for entry in fs::read_dir(root().join("docs/course")).unwrap() {
        let text = entry.unwrap().path().join("slides.md");
        if !text.exists() {
            continue;
        }
        lectures += 1;
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = [text.as_path(), folder.path()].map(|it| it.to_str().unwrap());
        succeeds(root(), &["plot", "slides", from, "-o", to]);
        let slides: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|it| fs::read_to_string(it.unwrap().path()).unwrap())
            .collect();
        assert_eq!(slides.len(), 10, "{}", text.display());
        // Code is as large as its widest line allows.
        for size in slides.iter().flat_map(|it| it.split("xml:space=\"preserve\"").skip(1)) {
            let size = size.split("font-size=\"").nth(1).unwrap().split('"').next().unwrap();
            assert!(size.parse::<f64>().unwrap() >= SMALLEST_CODE, "{}: {size}", text.display());
        }
    }
    assert_eq!(lectures, page("docs/course/README.md").matches("[deck](").count());
}
