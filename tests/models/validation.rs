//! The validation sets: their listings, what measures them, and what was measured of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use memory_machine::algorithms::{catalogue, validation_listings};
use memory_machine::case::load;
use memory_machine::diagnostic::Source;
use memory_machine::measure::{ALGORITHMS, MeasurementSpec, Repetition, listings, read};

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

/// The folders beneath one, and itself.
fn folders(folder: PathBuf) -> Vec<PathBuf> {
    let entries = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path());
    let beneath: Vec<_> = entries.filter(|it| it.is_dir()).flat_map(folders).collect();
    [vec![folder], beneath].concat()
}

/// What was measured under a name is still what the name says there, and a folder keeps no text, and no
/// hash, of which there are no times.
#[test]
fn every_measured_listing_is_found() {
    let mut of_sets = BTreeSet::new();
    let mut looked = 0;
    for folder in folders(models().join("measurements")) {
        let (table, hashes) = (folder.join(ALGORITHMS), folder.join("listings.csv"));
        if !table.exists() {
            assert!(!hashes.exists(), "{hashes:?}");
            continue;
        }
        let rows: Vec<Repetition> = read(&table).unwrap();
        let names: BTreeSet<String> = rows.into_iter().map(|it| it.name).collect();
        for name in &names {
            let program = listings::measured(&folder, name).unwrap_or_else(|it| panic!("{it}"));
            assert_eq!(&program.name, name);
            looked += 1;
        }
        let set = folder.file_name().unwrap().to_str().unwrap().strip_prefix("held-out-");
        let text = fs::read_to_string(hashes).unwrap_or_default();
        for name in text.lines().skip(1).map(|it| it.split(',').next().unwrap()) {
            assert!(names.contains(name), "{folder:?} has no time of {name}");
            let Some(set) = set else { continue };
            let listing = validation_listings::find(&format!("{name}@{set}")).unwrap();
            of_sets.insert((listing.set, name.to_owned()));
        }
        for file in fs::read_dir(folder.join("listings")).into_iter().flatten() {
            let name = file.unwrap().file_name().into_string().unwrap();
            assert!(
                names.iter().any(|it| name.starts_with(&format!("{it}-"))),
                "{folder:?} {name}"
            );
        }
    }
    assert!(looked > 1000, "{looked}");
    assert_eq!(of_sets.len(), validation_listings::all().len(), "each was measured");
}

/// What a specification measures is shipped or in the set, and the set has no other listings.
#[test]
fn specifications_name_the_listings_of_their_sets() {
    for entry in fs::read_dir(models().join("validation")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let spec = MeasurementSpec::parse(Source { name: path.display().to_string(), text });
        let names: BTreeSet<_> = spec.unwrap().measure.into_iter().map(|it| it.algorithm).collect();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let set = stem.strip_prefix("held-out-").map(|it| it.parse::<u32>().unwrap());
        let of_set = validation_listings::all().iter().filter(|it| Some(it.set) == set);
        let of_set: BTreeSet<_> = of_set.map(validation_listings::Listing::identifier).collect();
        let others = names.iter().filter(|it| !of_set.contains(*it));
        let unknown: Vec<_> = others.filter(|it| catalogue::find(it).is_none()).collect();
        assert!(unknown.is_empty(), "{stem}: {unknown:?}");
        let unmeasured: Vec<_> = of_set.difference(&names).collect();
        assert!(unmeasured.is_empty(), "{stem}: {unmeasured:?}");
    }
}

/// The pages say how many listings there are, and how each set judged.
#[test]
fn pages_count_the_listings_and_have_a_row_a_set() {
    let page = |path: &str| fs::read_to_string(models().parent().unwrap().join(path)).unwrap();
    let number = validation_listings::all().len();
    assert!(page("docs/library.md").contains(&format!("has {number} more")));
    let sets = page("models/validation/README.md");
    assert!(sets.contains(&format!("The {number} texts")));
    let last = validation_listings::all().last().unwrap().set;
    for set in 1..=last {
        assert_eq!(sets.matches(&format!("\n| {set} | 2")).count(), 1, "set {set}");
    }
}

/// A topic is one of the library's, or one that several listings share.
#[test]
fn every_listing_loads_by_its_name() {
    for it in crate::some(validation_listings::all(), 4) {
        let program = load(it.identifier()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((program.name.as_str(), program.source.text.as_str()), (it.name, it.text));
        assert_eq!(load(format!("{}@{}", it.name, it.set)).unwrap().source.text, it.text);
        let alike =
            validation_listings::all().iter().filter(|other| other.topic == it.topic).count();
        let is_shared = catalogue::by_topic().iter().any(|entry| entry.topic == it.topic);
        assert!(alike > 1 || is_shared, "{}: {}", it.name, it.topic);
        assert!(it.topic.bytes().all(|it| it.is_ascii_lowercase() || it == b'-'), "{}", it.topic);
    }
}
