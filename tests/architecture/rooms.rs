//! Rooms within a crate: where the page of a crate gives the order in which they are read, it holds.

use std::collections::BTreeSet;
use std::path::Path;

use super::{crate_names, sources_of};
use crate::support::page;

/// With this line the documentation of a crate begins the list of its rooms.
const ORDER: &str = "//! A module never imports one that stands further down:";

/// The rooms in the list of a crate's documentation, in their order.
fn rooms(documentation: &str) -> Vec<&str> {
    let list = documentation.lines().skip_while(|it| *it != ORDER).skip(1);
    let items = list.take_while(|it| it.starts_with("//!")).filter(|it| it.starts_with("//! - [`"));
    let names = items.map(|it| it.split(": ").next().unwrap_or(it).trim_end_matches(':'));
    names.flat_map(|it| it.split('`').skip(1).step_by(2)).collect()
}

/// The room of a file, by its path from the crate's `src`.
fn room_of(path: &Path) -> String {
    let first = path.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// What stands directly behind `crate::`.
fn imports(code: &str) -> BTreeSet<String> {
    let lines = code.lines().map(|it| it.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let of_group = rest.strip_prefix('{').map(|it| it.split('}').next().unwrap_or_default());
        for item in
            of_group.unwrap_or(rest).split(',').take(if of_group.is_some() { 99 } else { 1 })
        {
            let is_name = |it: &char| it.is_alphanumeric() || *it == '_';
            found.insert(item.trim_start().chars().take_while(is_name).collect());
        }
    }
    found
}

#[test]
fn no_room_imports_one_that_is_read_later() {
    let mut ordered = 0;
    for name in crate_names() {
        let documentation = page(&format!("crates/{name}/src/lib.rs"));
        let rooms = rooms(&documentation);
        if rooms.is_empty() {
            continue;
        }
        ordered += 1;
        let place = |room: &str| rooms.iter().position(|it| *it == room);
        for source in sources_of(&format!("crates/{name}/src")) {
            let room = room_of(source.path.strip_prefix(format!("crates/{name}/src")).unwrap());
            if room == "lib" {
                continue;
            }
            let own = place(&room)
                .unwrap_or_else(|| panic!("crates/{name}/src/lib.rs: the list lacks {room}"));
            for import in imports(source.code()) {
                let is_before = place(&import).is_none_or(|it| it <= own);
                assert!(is_before, "{}: {import} is read after {room}", source.name());
            }
        }
    }
    // Of the language up to counting, and of geometry.
    assert!(ordered >= 2, "no crate's documentation has the line {ORDER}");
}

#[test]
fn rooms_are_read_from_the_documentation() {
    let text = "//! About.\n//!\n//! A module never imports one that stands further down:\n//!\n\
                //! - [`a`], [`b`]: things, and\n//!   more of [`d`];\n//! - [`c`]:\n//!   others.\n\n\
                pub mod a;\n";
    assert_eq!(rooms(text), ["a", "b", "c"]);
    assert_eq!(
        imports("use crate::{a::B, c};\n// crate::d\nfn f(x: crate::e::F) {}"),
        ["a", "c", "e"].map(str::to_owned).into()
    );
}
