//! The texts that a kind begins with.

use std::fs;
use std::path::PathBuf;

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::bad;
use crate::kinds::Kind;
use crate::worker;

impl Kind {
    /// Texts that are tried as they are, with every command: what failed once, and what is odd.
    pub fn corpus(&self) -> Vec<String> {
        let folder = worker::root().join("tests/fuzz/corpus").join(self.name);
        let entries = fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|it| fs::read_to_string(it).expect("a text of the corpus")).collect()
    }

    /// How many cases these are: the first of this kind.
    pub fn corpus_cases(&self) -> u64 {
        (self.corpus().len() * self.commands.len()) as u64
    }

    /// Right texts of this kind.
    pub fn seeds(&self) -> Vec<String> {
        let root = worker::root();
        let ends = |path: &PathBuf| path.extension().is_some_and(|it| it == self.ending);
        let mut paths = vec![];
        let mut texts = vec![];
        for seed in self.seeds {
            let path = root.join(seed);
            if path.ends_with("bad.txt") {
                let file = fs::read_to_string(path).expect("a table of seeds");
                let ours = bad::sections(&file).into_iter();
                let ours = ours.filter(|it| ends(&PathBuf::from(it.0)));
                texts.extend(ours.map(|it| quick(&it.1)));
            } else if path.is_dir() {
                let entries =
                    fs::read_dir(&path).expect("a folder of seeds").map(|it| it.unwrap().path());
                paths.extend(entries.filter(ends));
            } else {
                paths.push(path);
            }
        }
        paths.sort();
        let text = |path: &PathBuf| Some(quick(&fs::read_to_string(path).ok()?));
        texts.extend(paths.iter().filter_map(text));
        texts
    }
}

/// A text without the measured points that take seconds to predict.
fn quick(text: &str) -> String {
    let slow = [
        "opt,n=512,",
        "transpose,n=",
        "permute,n=4194304,",
        "permute,n=1048576,",
        "umm_opt,n=2048,",
    ];
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !slow.iter().any(|it| line.starts_with(it))).collect()
}

/// Rows that stand for a table of thousands: its head and at most 40 others, in their order.
pub fn shortened(text: &str, rng: &mut impl RngExt) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= 60 {
        return text.to_owned();
    }
    let start = rng.random_range(1..lines.len());
    let mut rows: Vec<usize> = (start..lines.len().min(start + 20)).collect();
    let mut others: Vec<usize> = (1..lines.len()).collect();
    others.shuffle(rng);
    rows.extend(others.into_iter().take(20));
    rows.sort_unstable();
    rows.dedup();
    let rows = rows.into_iter().map(|row| lines[row]);
    let head = [lines[0]].into_iter();
    head.chain(rows).collect::<Vec<_>>().join("\n") + "\n"
}

/// One of a kind's texts, short enough to be tried thousands of times.
pub fn choose<'a>(seeds: &'a [String], rng: &mut impl RngExt) -> &'a str {
    seeds.choose(rng).map_or("", String::as_str)
}
