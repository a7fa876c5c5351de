//! Inputs with one mistake each, in one file: `-- NAME --` on a line of its own begins the next.

use std::fs;
use std::path::Path;

/// Names and texts, in the order of the file.
pub fn sections(file: &str) -> Vec<(&str, String)> {
    let mut sections: Vec<(&str, String)> = vec![];
    for line in file.split_inclusive('\n') {
        let head = line.trim_end().strip_prefix("-- ").and_then(|it| it.strip_suffix(" --"));
        match (head, sections.last_mut()) {
            (Some(name), _) => sections.push((name, String::new())),
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => panic!("`{line}` stands before the first name"),
        }
    }
    sections
}

/// Writes them into `target/bad` of the project, where users of `umm` find them as files.
pub fn unpack(root: &Path) {
    let file = fs::read_to_string(root.join("tests/data/bad.txt")).unwrap();
    for (name, text) in sections(&file) {
        let path = root.join("target/bad").join(name);
        if fs::read_to_string(&path).is_ok_and(|it| it == text) {
            continue;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}
