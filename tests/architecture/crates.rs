//! The crates, as their `Cargo.toml` has them.

use std::collections::{BTreeMap, BTreeSet};

use super::{crate_names, sources_of};
use crate::support::page;

/// By crate, those that it depends on.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let of = |name: String| {
        let manifest: toml::Table = page(&format!("crates/{name}/Cargo.toml")).parse().unwrap();
        let package = manifest["package"]["name"].as_str().unwrap().to_owned();
        assert_eq!(package, format!("memory-machine-{name}"), "crates/{name}");
        let all = manifest.get("dependencies").and_then(toml::Value::as_table);
        let all = all.into_iter().flat_map(|it| it.keys());
        let ours = all.filter_map(|it| it.strip_prefix("memory-machine-").map(str::to_owned));
        (name, ours.collect())
    };
    crate_names().into_iter().map(of).collect()
}

/// All that a crate is built of.
fn beneath(name: &str, dependencies: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let own = dependencies[name].iter();
    own.flat_map(|it| beneath(it, dependencies).into_iter().chain([it.clone()])).collect()
}

/// Predictions and pictures are made without a GPU: only the command brings the driver in.
#[test]
fn nothing_but_the_command_needs_a_gpu() {
    let dependencies = dependencies();
    for name in dependencies.keys() {
        assert!(!beneath(name, &dependencies).contains("gpu"), "{name} depends on gpu");
    }
    assert!(dependencies.contains_key("gpu"));
}

/// Predictions and measurements are made without pictures, and measurements without predictions.
#[test]
fn what_stands_apart_stays_apart() {
    let dependencies = dependencies();
    let has = |name, other| beneath(name, &dependencies).contains(other);
    for (name, other) in [("predict", "chart"), ("measure", "chart"), ("measure", "predict")] {
        assert!(!has(name, other), "{name} depends on {other}");
    }
    for alone in ["fit", "language"] {
        assert_eq!(dependencies[alone], BTreeSet::new(), "{alone}");
    }
    for on_language in ["core", "verify"] {
        assert_eq!(dependencies[on_language], ["language".to_owned()].into(), "{on_language}");
    }
    for on_core in ["geometry", "improve", "sass", "theory"] {
        assert_eq!(dependencies[on_core], ["core".to_owned()].into(), "{on_core}");
    }
}

/// Machine code knows no listing: of the core it has quantities alone.
#[test]
fn machine_code_knows_no_listing() {
    let mut found = BTreeSet::new();
    for source in sources_of("crates/sass/src") {
        let after = source.text.split("memory_machine_core::").skip(1);
        found.extend(after.map(|it| it.split("::").next().unwrap_or_default().to_owned()));
    }
    assert_eq!(found, ["units".to_owned()].into());
}
