//! `umm web`, with the page inside and without.

use crate::support::{root, umm};

/// Whether there is a page for `umm web` to write: inside, or where `web/build` puts it.
pub(super) fn has_page() -> bool {
    cfg!(feature = "web") || root().join("web/dist/playground.html").exists()
}

#[test]
fn the_page_is_written_or_it_is_said_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let run = |words: &str| umm(folder.path(), &format!("web {words} -o page.html"));
    let unknown = run("sum --set m=3");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("has no parameter `m`"));
    let output = run("sum --set n=64 -w 8");
    if has_page() {
        assert!(output.status.success());
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(page.starts_with("<!doctype html>") && page.contains(r#""set":{"n":64}"#));
    } else {
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("there is no page yet") && message.contains("web/build"));
        assert!(!path.exists());
    }
}
