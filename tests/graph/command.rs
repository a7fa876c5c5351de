//! `umm graph` as its users call it.

use std::path::Path;

use serde_json::Value;

use crate::support::{succeeds, umm};

fn printed(folder: &Path, words: &str) -> String {
    succeeds(folder, &format!("graph {words}"))
}

#[test]
fn files_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let json: Value =
        serde_json::from_str(&printed(at, "umm_opt --set n=8 -o g.svg --growth --json")).unwrap();
    assert_eq!((&json["depth"], &json["growth"]["formula"]), (&37.into(), &"6·n − 11".into()));
    let chain = json["longest_chain"].as_array().unwrap();
    assert_eq!(chain.len(), 37);
    assert_eq!((&chain[36]["element"], &chain[36]["kind"]), (&"M[1,7]".into(), &"write".into()));
    let svg = std::fs::read_to_string(at.join("g.svg")).unwrap();
    let boxes = svg.matches("M[1,7]").count();
    assert!(svg.contains("</svg>") && boxes > 1, "{boxes}");

    let dot = printed(at, "sum --set n=4 -o -");
    printed(at, "sum --set n=4 -o g.dot");
    assert_eq!(dot, std::fs::read_to_string(at.join("g.dot")).unwrap());
    assert_eq!((dot.matches("label=\"write a[").count(), dot.matches(" -> ").count()), (3, 8));
    assert!(dot.contains("label=\"main\""));

    let tree = printed(at, "opt --input c=paper --parse-tree -o -");
    assert_eq!((tree.matches(" -> ").count(), tree.matches("plaintext").count()), (12, 7));
    assert_eq!(printed(at, "umm_opt --input c=paper --parse-tree -o t.svg"), "");
    let svg = std::fs::read_to_string(at.join("t.svg")).unwrap();
    assert_eq!(svg.matches("<text").count(), 14);
}

/// Its picture is wider than a screen, and a part of it is not.
#[test]
fn a_wide_picture_says_how_to_draw_a_part() {
    let folder = tempfile::tempdir().unwrap();
    for (layers, says) in [("", true), ("--layers 1..8", false)] {
        let output = umm(folder.path(), &format!("graph umm_opt --set n=8 -o g.svg {layers}"));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{message}");
        assert_eq!(message.contains("draw a part (--layers 1..8)"), says, "{layers}: {message}");
    }
}

#[test]
fn what_is_too_large_is_refused_before_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for (words, what) in [
        ("umm_opt --set n=20 -o g.svg", "write FILE.dot"),
        ("umm_opt --set n=2000 -o g.dot", "choose smaller sizes (--set)"),
        ("opt --set n=160 --parse-tree -o g.svg", "choose a smaller n"),
    ] {
        let output = umm(folder.path(), &format!("graph {words}"));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}: {message}");
        assert!(message.starts_with("error: g.svg: ") || message.contains(what), "{message}");
        assert!(message.contains(what), "{message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(printed(folder.path(), "prefix_sums --set n=5000").contains("depth  2 (the graph"));
}
