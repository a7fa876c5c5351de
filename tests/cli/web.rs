//! `umm web`, with the page inside and without.

use crate::support::{fails, folder, root, succeeds, umm};

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

#[test]
fn an_element_is_written() {
    let folder = tempfile::tempdir().unwrap();
    assert!(umm(folder.path(), "web --element -o umm-playground.js").status.success());
    let script = std::fs::read_to_string(folder.path().join("umm-playground.js")).unwrap();
    assert!(script.contains("customElements.define(\"umm-playground\""));
}

/// A zip file whose entries are stored has their texts in it.
#[test]
fn a_course_is_packed_or_it_is_said_why_not() {
    let course = "title = \"A & B\"\n[[exercise]]\nitem = \"race/shift/pram\"\n";
    let mixed = format!(
        "{course}[[question]]\nname = \"q\"\ntext = \"?\"\nlisting = \"sum\"\nasks = \"stages\"\n"
    );
    let folder = folder(&[("course.toml", course), ("mixed.toml", &mixed)]);
    let message = fails(folder.path(), "web --scorm mixed.toml -o course.zip");
    assert!(message.contains("--scorm: the page marks exercises of the bank alone"), "{message}");
    assert!(!folder.path().join("course.zip").exists());
    if !has_page() {
        return;
    }
    for (edition, version) in [("1.2", "1.2"), ("2004", "2004 4th Edition")] {
        succeeds(
            folder.path(),
            &*format!("web --scorm course.toml --edition {edition} -o course.zip"),
        );
        let zip = std::fs::read(folder.path().join("course.zip")).unwrap();
        let zip = String::from_utf8_lossy(&zip);
        assert!(zip.starts_with("PK") && zip.contains("<title>A &amp; B</title>"));
        assert!(zip.contains(&format!("<schemaversion>{version}</schemaversion>")));
        assert!(zip.contains("\"item\":\"race/shift/pram\""));
    }
}
