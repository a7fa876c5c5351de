//! The listings that were written to judge predictions, set by set, as they were measured.
//!
//! `models/validation` has a file of texts a set, one listing after another, and `index.csv` with a
//! row a listing. They are no part of the library: they have no reference.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use self::data::{INDEX, SETS};
use super::catalogue;
use memory_machine_core::keyword;

/// What is built in.
#[cfg(not(target_arch = "wasm32"))]
mod data {
    /// A file of the folder where the sets lie, seen from this file.
    macro_rules! data {
        ($file:expr) => {
            include_str!(concat!("../validation/", $file))
        };
    }

    /// The sets: their numbers and their texts.
    macro_rules! sets {
        ($($set:literal)*) => { &[$(($set, data!(concat!("held-out-", $set, ".algs"))),)*] };
    }

    pub(super) const SETS: &[(u32, &str)] = sets![2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17];

    /// Name, set, topic and source of each listing.
    pub(super) const INDEX: &str = data!("index.csv");
}

/// A page of the browser has no room for them.
#[cfg(target_arch = "wasm32")]
mod data {
    pub(super) const SETS: &[(u32, &str)] = &[];
    pub(super) const INDEX: &str = "";
}

/// A listing of a validation set.
#[derive(Debug)]
pub struct Listing {
    /// The algorithm's name.
    pub name: &'static str,
    /// The number of its set.
    pub set: u32,
    /// What it is about: a topic of the library, or one of a few more.
    pub topic: String,
    /// Where it stands: paper or book, section, algorithm.
    pub source: String,
    /// The listing as it was measured.
    pub text: &'static str,
}

impl Listing {
    /// What it does: what the comment of its first line says beside the source.
    pub fn about(&self) -> &'static str {
        let head = self.text.lines().next().unwrap_or_default();
        let comment = head.split_once("//").map_or("", |it| it.1.trim());
        let rest = comment.strip_prefix(self.source.as_str()).unwrap_or(comment);
        rest.trim_start_matches([':', ',', ' '])
    }

    /// What `umm run` calls it: its name, and its set where the name is taken.
    pub fn identifier(&self) -> String {
        let is_taken = catalogue::find(self.name).is_some()
            || find(self.name).is_some_and(|first| first.set != self.set);
        if is_taken { format!("{}@{}", self.name, self.set) } else { self.name.to_owned() }
    }
}

/// A row of the index.
#[derive(Deserialize)]
struct Row {
    name: String,
    set: u32,
    topic: String,
    source: String,
}

static ALL: LazyLock<Vec<Listing>> = LazyLock::new(|| joined(INDEX, SETS));

/// The rows of an index with their texts; a row without a text is left out.
fn joined(index: &str, sets: &[(u32, &'static str)]) -> Vec<Listing> {
    let of_set = |&(set, texts): &(u32, &'static str)| {
        listings(texts).map(move |(name, text)| ((set, name), (name, text)))
    };
    let texts: HashMap<_, _> = sets.iter().flat_map(of_set).collect();
    let rows = csv::Reader::from_reader(index.as_bytes()).into_deserialize::<Row>();
    let with_text = |Row { name, set, topic, source }: Row| {
        let &(name, text) = texts.get(&(set, name.as_str()))?;
        Some(Listing { name, set, topic, source, text })
    };
    rows.flatten().filter_map(with_text).collect()
}

/// The listings of a set, each from the line that begins with `algorithm` to the next one, with the
/// algorithms' names.
pub fn listings(mut texts: &str) -> impl Iterator<Item = (&str, &str)> {
    const HEAD: &str = "algorithm ";
    std::iter::from_fn(move || {
        let name = texts.strip_prefix(HEAD)?.split('(').next()?;
        let end = texts.find("\nalgorithm ").map_or(texts.len(), |it| it + 1);
        let (text, rest) = texts.split_at(end);
        texts = rest;
        Some((name, text))
    })
}

/// All of them, set by set.
pub fn all() -> &'static [Listing] {
    &ALL
}

/// The listing that `NAME` or `NAME@SET` says: of several sets that have the name, the first one's.
pub fn find(identifier: &str) -> Option<&'static Listing> {
    among(all(), identifier)
}

fn among<'a>(listings: &'a [Listing], identifier: &str) -> Option<&'a Listing> {
    let (name, set) = match identifier.split_once('@') {
        Some((name, set)) => (name, Some(set)),
        None => (identifier, None),
    };
    let is_of_set = |it: &Listing| set.is_none_or(|set| set == it.set.to_string());
    listings.iter().find(|it| it.name == name && is_of_set(it))
}

/// The question whether the listing of the nearest name is meant, if one is near.
pub fn suggestion(name: &str) -> String {
    keyword::suggestion(name, all().iter().map(|it| it.name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every text has a row, every row a text, and no two of a set share a name.
    #[test]
    fn the_index_is_complete() {
        let texts = SETS.iter().flat_map(|(set, texts)| listings(texts).map(|it| (*set, it.0)));
        let texts: Vec<_> = texts.collect();
        let distinct: BTreeSet<_> = texts.iter().copied().collect();
        assert_eq!(distinct.len(), texts.len());
        let rows = csv::Reader::from_reader(INDEX.as_bytes()).into_deserialize::<Row>();
        let rows: Vec<_> = rows.map(Result::unwrap).collect();
        let named: Vec<_> = rows.iter().map(|it| (it.set, it.name.as_str())).collect();
        assert_eq!(named, distinct.into_iter().collect::<Vec<_>>(), "by set, then by name");
        let read: usize = all().iter().map(|it| it.text.len()).sum();
        assert_eq!(read, SETS.iter().map(|it| it.1.len()).sum::<usize>(), "nothing is left over");
    }

    /// What a row says is what the listing's first line says.
    #[test]
    fn sources_stand_in_the_listings() {
        for it in all() {
            let head = it.text.lines().next().unwrap();
            let is_printed = head.contains(&format!("// {}", it.source));
            // Those of the documentation name no source.
            assert_eq!(is_printed, it.set != 2, "{}: {}", it.name, it.source);
            assert!(!it.topic.is_empty() && !it.source.is_empty(), "{}", it.name);
        }
        assert_eq!(find("fm_index").unwrap().source, "Ferragina and Manzini 2000");
        let about = "the least rectangle around a convex polygon";
        assert!(find("calipers").unwrap().about().starts_with(about));
    }

    /// Where sets share a name, the first has it, and the others are told apart by the set.
    #[test]
    fn a_name_of_two_sets_is_the_first_ones() {
        let index =
            "name,set,topic,source\na,4,sorting,Knuth\nb,4,sorting,Knuth\na,9,scans,Ladner\n";
        let sets = [(4, "algorithm a(n)\nx\nalgorithm b(n)\n"), (9, "algorithm a(m)\n")];
        let all = joined(index, &sets);
        let text = |identifier: &str| among(&all, identifier).map(|it| it.text);
        assert_eq!(text("a"), Some("algorithm a(n)\nx\n"));
        assert_eq!(text("a@4"), text("a"));
        assert_eq!(text("a@9"), Some("algorithm a(m)\n"));
        assert_eq!(text("b"), Some("algorithm b(n)\n"));
        assert_eq!([text("b@9"), text("a@"), text("c")], [None; 3]);
    }
}
