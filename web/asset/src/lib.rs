//! The playground of memory-machine, as `web/build` makes it: one HTML file that needs no network.

/// The page.
pub const PAGE: &str = include_str!("../dist/playground.html");

/// Its SHA-256 when it was built, as `sha256sum` writes it: 64 digits, two blanks, the file's name.
pub const SUM: &str = include_str!("../dist/playground.html.sha256");
