//! The documentation's listings and console sessions, run.

mod accuracy;
mod counting;
mod course;
mod library;
mod pages;
mod refereed;

use memory_machine::algorithms::catalogue::ON_DMMS;
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, encode, given, text};
use memory_machine::run::{Limits, NoopObserver, execute};
use memory_machine::units::{Threads, Width};

use crate::support::{page, root, umm};

/// A fenced block: what stands behind the fence, the line after it, and the text.
struct Fenced<'a> {
    info: &'a str,
    line: usize,
    text: String,
}

fn fenced(page: &str) -> Vec<Fenced<'_>> {
    let mut blocks: Vec<Fenced<'_>> = vec![];
    let mut open = false;
    for (line, content) in page.lines().enumerate() {
        match content.strip_prefix("```") {
            Some(info) if !open => {
                blocks.push(Fenced { info, line: line + 2, text: String::new() });
                open = true;
            }
            Some(_) => open = false,
            None if open => {
                let block = blocks.last_mut().unwrap();
                block.text += content;
                block.text += "\n";
            }
            None => {}
        }
    }
    blocks
}

/// Loads a listing and, unless `settings` is `None`, runs it with 1, 2, 3, … in every given array.
/// Returns its answer.
fn outcome(listing: &str, settings: Option<&[(&str, &str)]>) -> Result<Option<String>, String> {
    let source = Source { name: "mine.alg".to_owned(), text: listing.to_owned() };
    let program = language::load(source).map_err(|error| error.to_string())?;
    let Some(settings) = settings else { return Ok(None) };
    let value = |name: &str| {
        let setting = settings.iter().find(|(it, _)| *it == name)?;
        setting.1.parse().ok()
    };
    let layout = Layout::new(&program, value, Width::new(4).unwrap(), None).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    for array in given(&program) {
        let numbers: Vec<f64> =
            (1..=layout.regions[array.0].cells).map(|number| number as f64).collect();
        let bits = encode(program.arrays[array.0].element, &numbers).unwrap();
        memory.fill(&layout, array, 0, &bits);
    }
    let limits = Limits::new(Threads::new(4).unwrap(), 1000);
    let answer = execute(&program, &layout, &mut memory, limits, &mut NoopObserver)
        .map_err(|error| error.to_string())?;
    Ok(answer.map(|bits| text(program.answer.as_ref().unwrap().element, bits)))
}

/// Runs every listing of a page; returns how many there are.
fn run_listings(name: &str) -> usize {
    let page = page(name);
    let blocks = fenced(&page);
    let mut listings = 0;
    for (index, block) in blocks.iter().enumerate() {
        let mut words = block.info.split(' ');
        if words.next() != Some("alg") {
            continue;
        }
        listings += 1;
        let place = format!("{name}, line {}", block.line);
        let how = words.next();
        let settings: Vec<(&str, &str)> =
            words.map(|word| word.split_once('=').unwrap_or_else(|| panic!("{place}"))).collect();
        let found = outcome(&block.text, how.map(|_| settings.as_slice()));
        match how {
            None => assert_eq!(found, Ok(None), "{place}"),
            Some("run") => {
                let expected = settings.iter().find(|(name, _)| *name == "answer");
                let expected = expected.map(|(_, value)| (*value).to_owned());
                assert_eq!(found, Ok(expected), "{place}");
            }
            Some("fails") => {
                let expected = blocks[index + 1].text.trim_end();
                let found = found.expect_err(&place);
                assert_eq!(found.trim_end(), expected, "{place}");
            }
            Some(other) => panic!("{place}: `{other}`"),
        }
    }
    listings
}

#[test]
fn listings_of_the_pages_on_the_language() {
    let of_pages = [
        "language",
        "language-reference",
        "procedures",
        "inputs-and-results",
        "notation",
        "atomics",
        "layouts",
    ]
    .map(|it| run_listings(&format!("docs/{it}.md")));
    assert_eq!(of_pages, [21, 10, 7, 2, 9, 2, 3]);
}

#[test]
fn listings_of_the_readme() {
    assert_eq!(run_listings("README.md"), 1);
}

#[test]
fn words_quoted_in_the_grammar_are_reserved() {
    let page = page("docs/language-reference.md");
    let grammar = page.split("## Grammar").nth(1).unwrap();
    // An algorithm's name may be no reserved word.
    let words: Vec<&str> = grammar
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(|word| word.chars().all(|c| c.is_ascii_alphanumeric()) && word.len() > 1)
        .collect();
    assert!(words.len() > 30);
    for word in words {
        let error = outcome(&format!("algorithm {word}()\noutput x[1] : i32\n\nx[0] ← 1\n"), None);
        assert!(error.is_err_and(|it| it.contains("reserved word")), "{word}");
    }
}

#[test]
fn console_sessions_of_the_readme() {
    trycmd::TestCases::new().case("README.md");
}

#[test]
fn console_sessions_of_the_page_on_bounds() {
    trycmd::TestCases::new().case("docs/bounds.md");
}

#[test]
fn console_sessions_of_the_page_on_the_command_line() {
    trycmd::TestCases::new().case("docs/command-line.md");
}

#[test]
fn console_sessions_of_the_pages_on_polygons_and_points() {
    trycmd::TestCases::new().case("docs/opt.md").case("docs/hull.md");
}

#[test]
fn console_sessions_of_the_page_on_the_hmm() {
    trycmd::TestCases::new().case("docs/hmm.md");
}

/// The page says how many questions it answers: of each paragraph that begins with one.
#[test]
fn the_page_of_questions_says_how_many_it_answers() {
    let page = page("docs/questions.md");
    let asked = page.lines().filter_map(|it| it.strip_prefix('*')?.split('*').next());
    let answered: usize = asked.map(|it| it.matches('?').count().max(1)).sum();
    assert!(page.contains(&format!("counts the questions: {answered} are answered")), "{answered}");
}

#[test]
fn console_sessions_of_the_pages_on_machines_of_courses() {
    trycmd::TestCases::new().case("docs/machines/*.md").case("docs/questions.md");
}

#[test]
fn console_sessions_of_the_page_on_improvements() {
    trycmd::TestCases::new().case("docs/improve.md").case("docs/transformations.md");
}

/// Each listing has a command, whose result is right.
#[test]
fn commands_of_the_page_on_the_hmm() {
    let page = page("docs/hmm.md");
    let table = page.lines().filter(|line| line.starts_with('|'));
    let commands: Vec<Vec<&str>> = table
        .flat_map(|line| line.split('`'))
        .filter_map(|text| text.strip_prefix("umm "))
        .map(|arguments| arguments.split(' ').collect())
        .collect();
    assert_eq!(commands.len(), ON_DMMS.len());
    for entry in ON_DMMS {
        let command = commands.iter().find(|it| it[1] == entry.name).expect(entry.name);
        let output = umm(root(), &command[..]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("verified: the result agrees"), "{command:?}: {text}{output:?}");
    }
}
