//! The committed pictures are what `umm plot gallery` draws.

use crate::support::{root, succeeds};

#[test]
#[ignore = "takes seconds"]
fn the_gallery_is_drawn_again_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let printed = succeeds(root(), &["plot", "gallery", "-o", folder.path().to_str().unwrap()]);
    let mut pictures = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let committed = root().join("plots").join(&name);
        let drawn = std::fs::read(entry.path()).unwrap();
        let same = std::fs::read(&committed).is_ok_and(|it| it == drawn);
        assert!(same, "{name:?} differs from {}; run `umm plot gallery`", committed.display());
        pictures += 1;
    }
    assert_eq!(pictures, 88);
    let first = format!("wrote 88 pictures into {}:\n", folder.path().display());
    assert!(printed.starts_with(&first), "{printed}");
}
