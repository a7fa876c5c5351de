//! What a property fails on is kept where it is committed.

use super::sources_of;

#[test]
fn every_property_keeps_what_it_fails_on() {
    let mut properties = 0;
    for source in sources_of("tests") {
        // Not this text.
        let blocks = source.text.split("\nproptest! {\n").skip(1);
        for block in blocks {
            let first = block.trim_start().lines().next().unwrap_or_default();
            assert!(first.contains("crate::cases("), "{}: {first}", source.name());
            properties += 1;
        }
    }
    assert!(properties > 20, "{properties}");
}
