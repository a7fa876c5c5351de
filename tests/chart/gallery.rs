//! The committed pictures are what `umm plot gallery` draws.

use std::process::Command;

#[test]
fn the_gallery_is_drawn_again_byte_for_byte() {
    if !crate::has_time_for("the gallery was not drawn") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_umm"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["plot", "gallery", "-o"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut pictures = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("plots").join(&name);
        let drawn = std::fs::read(entry.path()).unwrap();
        let same = std::fs::read(&committed).is_ok_and(|it| it == drawn);
        assert!(same, "{name:?} differs from {}; run `umm plot gallery`", committed.display());
        pictures += 1;
    }
    assert_eq!(pictures, 86);
}
