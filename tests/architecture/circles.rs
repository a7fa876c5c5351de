//! No circle between files, in a crate or over several: a file is read after all that it imports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use super::sources;

/// The way to a module from its crate: folders and the file.
type Module = Vec<String>;

/// What would be a circle, but is one definition in two files: each trait bounds the other, since a weight
/// has vectors, and vectors are of weights.
const ONE_OF_TWO: [&str; 2] = ["geometry::opt::simd", "geometry::opt::weight"];

/// What each file has of others.
struct Imports {
    texts: BTreeMap<Module, String>,
    /// By module, the paths of its `use`s, and whether they hand names on.
    uses: BTreeMap<Module, Vec<(bool, Module)>>,
}

/// The library is called `src`, the crates as their folders.
fn module_of(path: &Path) -> Module {
    let path = path.strip_prefix("crates").unwrap_or(path).with_extension("");
    let name = |it: Component| it.as_os_str().to_string_lossy().into_owned();
    let mut module: Module = path.components().map(name).collect();
    if module[0] != "src" {
        assert_eq!(module.remove(1), "src", "{}", path.display());
    }
    if module.last().is_some_and(|it| it == "mod" || it == "lib") {
        module.pop();
    }
    module
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The paths of a tree such as `super::{a::B, c}`.
fn expand(before: &[String], tree: &str, paths: &mut Vec<Module>) {
    let (mut depth, mut from) = (0, 0);
    let ends = tree.char_indices().filter(|&(_, it)| {
        depth += i32::from(it == '{') - i32::from(it == '}');
        it == ',' && depth == 0
    });
    let ends: Vec<usize> = ends.map(|it| it.0).chain([tree.len()]).collect();
    for end in ends {
        let part = tree[from..end].trim();
        from = end + 1;
        let (path, inner) = part.split_once('{').map_or((part, None), |it| (it.0, Some(it.1)));
        let path = path.split(" as ").next().unwrap_or_default();
        let names = path.split("::").map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        let path: Module = before.iter().cloned().chain(names).collect();
        match inner {
            Some(inner) => expand(&path, inner.trim_end().trim_end_matches('}'), paths),
            None if path.len() > before.len() => paths.push(path),
            None => {}
        }
    }
}

/// The `use`s of a text and whether they hand names on, and the paths in what is left of it.
fn paths(text: &str) -> Vec<(bool, Module)> {
    let (mut found, mut rest) = (vec![], String::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let words = line.trim_start();
        let after = ["use ", "pub use ", "pub(super) use ", "pub(crate) use "];
        let Some(tree) = after.iter().find_map(|it| words.strip_prefix(it)) else {
            rest.push_str(line);
            rest.push('\n');
            continue;
        };
        let mut tree = tree.to_owned();
        while !tree.contains(';') {
            tree.push_str(lines.next().unwrap_or(";"));
        }
        let mut paths = vec![];
        expand(&[], tree.split(';').next().unwrap_or_default(), &mut paths);
        found.extend(paths.into_iter().map(|it| (words.starts_with("pub"), it)));
    }
    for word in rest.split(|it| !is_name(it) && it != ':') {
        let path: Module = word.split("::").map(str::to_owned).collect();
        if path.len() > 1 && path.iter().all(|it| !it.is_empty()) {
            found.push((false, path));
        }
    }
    found
}

impl Imports {
    fn of<'a>(sources: impl IntoIterator<Item = (&'a Path, &'a str)>) -> Self {
        let mut texts = BTreeMap::new();
        for (path, text) in sources {
            let code = text.lines().map(|it| it.split("//").next().unwrap_or_default());
            texts.insert(module_of(path), code.collect::<Vec<_>>().join("\n"));
        }
        let uses = texts.iter().map(|(module, text)| (module.clone(), paths(text))).collect();
        Self { texts, uses }
    }

    /// The file that defines what a path of `module` names.
    fn defines(&self, module: &Module, path: &[String]) -> Option<Module> {
        let (mut at, mut rest) = (module.clone(), path);
        match path[0].as_str() {
            "crate" => (at, rest) = (module[..1].to_vec(), &path[1..]),
            "memory_machine" => (at, rest) = (vec!["src".to_owned()], &path[1..]),
            "self" => rest = &path[1..],
            "super" => {}
            name if name.starts_with("memory_machine_") => {
                let name = name.trim_start_matches("memory_machine_").to_owned();
                (at, rest) = (vec![name], &path[1..]);
            }
            child => {
                let below: Module = module.iter().cloned().chain([child.to_owned()]).collect();
                self.texts.get(&below)?;
            }
        }
        while rest.first().is_some_and(|it| it == "super") {
            at.pop();
            rest = &rest[1..];
        }
        while let [first, after @ ..] = rest {
            at.push(first.clone());
            if !self.texts.contains_key(&at) {
                at.pop();
                break;
            }
            rest = after;
        }
        let handed_on = rest.first().and_then(|name| {
            let uses = self.uses.get(&at)?.iter();
            let mut from = uses.filter(|it| it.0 && it.1.last() == Some(name));
            from.find_map(|it| self.defines(&at, &it.1))
        });
        handed_on.or_else(|| self.texts.contains_key(&at).then_some(at))
    }

    /// By file, those that it imports from. A file is a part of those above it, and has what they have.
    fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |(module, uses): (_, &Vec<(bool, Module)>)| {
            let own = uses.iter().filter(|it| !it.0);
            let from = own.filter_map(|it| self.defines(module, &it.1));
            (module, from.filter(|it| !module.starts_with(it)).collect())
        };
        self.uses.iter().map(of).collect()
    }

    /// Files that import each other, around any number of others.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        let imports = self.imports();
        let reach = |from: &Module| {
            let (mut found, mut open) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(next) = open.pop() {
                let new = imports.get(&next).into_iter().flatten();
                open.extend(new.filter(|it| found.insert((*it).clone())).cloned());
            }
            found
        };
        let reached: BTreeMap<&Module, BTreeSet<Module>> =
            imports.keys().map(|it| (*it, reach(it))).collect();
        let circle = |(module, found): (&&Module, &BTreeSet<Module>)| {
            let others = found.iter().filter(|it| reached[it].contains(*module));
            let names: Vec<String> = others.map(|it| it.join("::")).collect();
            (!names.is_empty()).then_some(names)
        };
        reached.iter().filter_map(circle).collect()
    }
}

#[test]
fn no_files_import_each_other() {
    let sources = sources();
    let circles = Imports::of(sources.iter().map(|it| (&*it.path, it.code()))).circles();
    assert_eq!(circles, [ONE_OF_TWO.map(str::to_owned).to_vec()].into());
}

#[test]
fn a_circle_is_found() {
    let circles = |files: &[(&'static str, &'static str)]| {
        Imports::of(files.iter().map(|(path, text)| (Path::new(*path), *text))).circles()
    };
    let found = [["src::a", "src::b::c"].map(str::to_owned).to_vec()];
    for (a, c) in [
        ("use crate::b::{\n    d::E,\n    C,\n};", "use crate::a::A;"),
        ("use crate::b::c;", "fn c() -> super::super::a::A {}"),
        ("fn a() { crate::b::c::c() }", "use crate::a;"),
    ] {
        let b = "mod c;\npub use self::c::C;";
        let files = [("src/a.rs", a), ("src/b/mod.rs", b), ("src/b/c.rs", c), ("src/b/d.rs", "")];
        assert_eq!(circles(&files), found.clone().into(), "{a}");
    }
    // What is only handed on, and what a file has from the one above it, is none.
    let a = "pub use crate::b::C;\nmod e;\nuse self::e::E;";
    let files =
        [("src/a.rs", a), ("src/a/e.rs", "use super::A;"), ("src/b/mod.rs", "use crate::a::A;")];
    assert_eq!(circles(&files), BTreeSet::new());
    // Over crates: what the library hands on is of the crate beneath.
    let lib = "pub use memory_machine_x as x;";
    let a = "use memory_machine_x::b;";
    let b = "use memory_machine::a;";
    let files = [("src/lib.rs", lib), ("src/a.rs", a), ("crates/x/src/b.rs", b)];
    assert_eq!(circles(&files), [["src::a", "x::b"].map(str::to_owned).to_vec()].into());
}
