//! The crates, as their `Cargo.toml` has them.

use std::collections::{BTreeMap, BTreeSet};

use super::crate_names;
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

/// A prediction is held against a picture by who draws it, and machine code knows no listing.
#[test]
fn what_stands_apart_stays_apart() {
    let dependencies = dependencies();
    let has = |name, other| beneath(name, &dependencies).contains(other);
    for (name, other) in [("predict", "chart"), ("chart", "predict"), ("measure", "predict")] {
        assert!(!has(name, other), "{name} depends on {other}");
    }
    for alone in ["core", "fit", "sass"] {
        assert_eq!(dependencies[alone], BTreeSet::new(), "{alone}");
    }
    assert_eq!(dependencies["geometry"], ["core".to_owned()].into());
    assert_eq!(dependencies["theory"], ["core".to_owned()].into());
}
