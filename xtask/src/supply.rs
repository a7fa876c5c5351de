//! What `umm` is built from: how many crates, from where, under which licences; as a bill of materials.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use clap::Args;
use serde_json::{Value, json};
use spdx::{Expression, ParseMode};

use crate::process::Process;
use crate::{Failure, root, target};

/// Crates of others in the default build.
const MOST_CRATES: usize = 120;
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Check the crates that `umm` is built from, and write a bill of materials (CycloneDX).
///
/// Each has a licence that deny.toml allows and comes from the registry; there are at most 120. With
/// cargo-deny, known faults are asked for, too.
#[derive(Debug, Args)]
pub struct Supply;

/// A name with its version.
type Id = (String, String);

/// A crate of the build.
#[derive(Default)]
struct Crate {
    licence: String,
    is_ours: bool,
    uses: BTreeSet<Id>,
}

impl Supply {
    pub fn run(self) -> Result<(), Failure> {
        let crates = tree("normal,build")?;
        check(&crates)?;
        let others = tree("normal")?.values().filter(|it| !it.is_ours).count();
        if others > MOST_CRATES {
            return Err(
                format!("umm needs {others} crates of others, more than {MOST_CRATES}").into()
            );
        }
        let path = target().join("umm.cdx.json");
        let bill = serde_json::to_string_pretty(&bill(&crates, &checksums()?)?)?;
        fs::create_dir_all(target())?;
        fs::write(&path, bill + "\n")?;
        println!("{others} crates of others; bill of materials: {}", path.display());
        if Command::new("cargo-deny").arg("--version").output().is_err() {
            println!("SKIPPED known faults of crates: cargo install cargo-deny asks for them");
            return Ok(());
        }
        Process::new("cargo deny check").run()
    }
}

/// The crates of the default build with what they use, as `cargo tree` prints them.
fn tree(edges: &str) -> Result<BTreeMap<Id, Crate>, Failure> {
    let line = "cargo tree --locked -p memory-machine --prefix depth --format |{p}|{l} -e";
    let output = Process::new(line).and([edges.to_owned()]).command().output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let mut crates: BTreeMap<Id, Crate> = BTreeMap::new();
    let mut above: Vec<Id> = vec![];
    for line in String::from_utf8(output.stdout)?.lines() {
        let strange = || format!("cargo tree prints `{line}`");
        let [depth, package, licence] =
            line.splitn(3, '|').collect::<Vec<_>>().try_into().map_err(|_| strange())?;
        let mut words = package.split(' ');
        let (name, version) = words.next().zip(words.next()).ok_or_else(strange)?;
        let id = (name.to_owned(), version.trim_start_matches('v').to_owned());
        above.truncate(depth.parse()?);
        if let Some(user) = above.last().and_then(|it| crates.get_mut(it)) {
            user.uses.insert(id.clone());
        }
        let it = crates.entry(id.clone()).or_default();
        licence.trim_end_matches(" (*)").clone_into(&mut it.licence);
        it.is_ours = words.any(|word| word.starts_with("(/"));
        above.push(id);
    }
    Ok(crates)
}

fn toml(path: &str) -> Result<toml::Table, Failure> {
    Ok(fs::read_to_string(root().join(path))?.parse()?)
}

/// Licences are those of deny.toml, and each crate comes from the registry or from here.
fn check(crates: &BTreeMap<Id, Crate>) -> Result<(), Failure> {
    let deny = toml("deny.toml")?;
    let allowed: Vec<&str> = deny["licenses"]["allow"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it.as_str())
        .collect();
    let sums = checksums()?;
    for (id, it) in crates {
        let (name, version) = id;
        let fail = |why: String| Err(format!("{name} {version}: {why}").into());
        let expression = match Expression::parse_mode(&it.licence, ParseMode::LAX) {
            Ok(expression) => expression,
            Err(error) => return fail(format!("licence `{}`: {error}", it.licence)),
        };
        if !expression.evaluate(|it| allowed.contains(&it.to_string().as_str())) {
            return fail(format!("deny.toml does not allow its licence, {}", it.licence));
        }
        if !it.is_ours && !sums.contains_key(id) {
            return fail(format!("is not from {REGISTRY}"));
        }
    }
    Ok(())
}

/// SHA-256 of the crates that come from the registry.
fn checksums() -> Result<BTreeMap<Id, String>, Failure> {
    let lock = toml("Cargo.lock")?;
    let packages = lock["package"].as_array().into_iter().flatten();
    let text = |it: &toml::Value, key| it.get(key).and_then(|it| it.as_str()).map(str::to_owned);
    let registered = packages.filter(|it| text(it, "source").as_deref() == Some(REGISTRY));
    let sum = |it| Some(((text(it, "name")?, text(it, "version")?), text(it, "checksum")?));
    Ok(registered.filter_map(sum).collect())
}

/// The same crates give the same bytes: no time is in it but SOURCE_DATE_EPOCH's.
fn bill(crates: &BTreeMap<Id, Crate>, sums: &BTreeMap<Id, String>) -> Result<Value, Failure> {
    let purl = |(name, version): &Id| format!("pkg:cargo/{name}@{version}");
    let component = |id: &Id, it: &Crate| {
        let licence = it.licence.replace('/', " OR ");
        let mut component = json!({
            "type": "library", "bom-ref": purl(id), "name": id.0, "version": id.1,
            "purl": purl(id), "licenses": [{ "expression": licence }],
        });
        if let Some(sum) = sums.get(id) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        }
        component
    };
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let main = ("memory-machine".to_owned(), version);
    let mut about = component(&main, crates.get(&main).ok_or("no memory-machine in the tree")?);
    about["type"] = "application".into();
    let others = crates.iter().filter(|(id, _)| **id != main);
    let components: Vec<Value> = others.map(|(id, it)| component(id, it)).collect();
    let dependencies: Vec<Value> = crates
        .iter()
        .map(|(id, it)| {
            let uses: Vec<String> = it.uses.iter().map(purl).collect();
            json!({ "ref": purl(id), "dependsOn": uses })
        })
        .collect();
    let mut metadata = json!({ "component": about });
    if let Ok(seconds) = std::env::var("SOURCE_DATE_EPOCH") {
        let mut date = Command::new("date");
        let date = date.args(["-u", "+%FT%TZ", "-d"]).arg(format!("@{seconds}")).output()?;
        metadata["timestamp"] = String::from_utf8(date.stdout)?.trim().into();
    }
    Ok(json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": metadata,
        "components": components, "dependencies": dependencies,
    }))
}
