//! `umm web`, with the page inside and without.

use crate::support::umm;

#[test]
fn the_page_is_written_or_it_is_said_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let run = |words: &str| umm(folder.path(), &format!("web {words} -o page.html"));
    let unknown = run("sum --set m=3");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("has no parameter `m`"));
    let output = run("sum --set n=64 -w 8");
    if cfg!(feature = "web") {
        assert!(output.status.success());
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(page.starts_with("<!doctype html>") && page.contains(r#""set":{"n":64}"#));
    } else {
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("built without the page") && message.contains("web/build"));
        assert!(!path.exists());
    }
}
