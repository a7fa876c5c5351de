//! What is said of files: what they are, under which name, and before any work.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{exits, folder, umm};

#[test]
fn a_file_that_is_no_text_is_called_what_it_is() {
    let folder = folder(&[]);
    for (name, bytes, is) in [
        ("p.gpkg", &b"SQLite format 3\0"[..], "a GeoPackage or another SQLite database, "),
        ("p.parquet", b"PAR1\0\x02", "a Parquet table, "),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        for line in ["hull", "greedy", "opt solve", "replay", "opt matrix-chain --file"] {
            let message = exits(folder.path(), &format!("{line} {name}"), 2);
            let wanted = format!("{name}: this is {is}");
            assert!(message.contains(&wanted), "{line}: {message}");
        }
    }
    // What points are read from, and a trace is not.
    fs::write(folder.path().join("p.csv.gz"), b"\x1f\x8b\x08\0").unwrap();
    let message = exits(folder.path(), "replay p.csv.gz", 2);
    assert!(message.contains("is packed; `gzip -dk p.csv.gz` unpacks it"), "{message}");
    let message = exits(folder.path(), "hull p.csv.gz", 2);
    assert!(message.contains("this gzip file cannot be unpacked"), "{message}");
}

#[test]
fn a_link_to_nothing_is_called_one() {
    let folder = folder(&[("P.csv", "0,0\n4,0\n5,3\n")]);
    symlink("gone", folder.path().join("link.csv")).unwrap();
    let message = exits(folder.path(), "hull link.csv", 2);
    assert!(message.contains("it is a link to gone, which is not there"), "{message}");
    let message = exits(folder.path(), "hull P.csv --csv link.csv", 2);
    assert!(
        message.contains("link.csv: is a link to gone, which is not there; remove"),
        "{message}"
    );
}

#[test]
fn a_name_of_two_lines_stands_on_one() {
    let folder = folder(&[("P.csv", "0,0\n4,0\n5,3\n")]);
    for words in [
        &["hull", "a\nb.csv"][..],
        &["replay", "a\nb.csv"],
        &["fit", "a\nb.csv"],
        &["opt", "search-tree", "a\nb.csv"],
        &["sweep", "a\nb.toml", "-o", "o.csv"],
        &["hull", "P.csv", "--csv", "no/a\nb.csv"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_umm"));
        let output = command.current_dir(folder.path()).args(words).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(r"a\nb"), "{message}");
    }
}

/// As some systems write them.
#[test]
fn endings_may_be_in_capital_letters() {
    let folder = folder(&[
        ("P.CSV", "0,0\n4,0\n5,3\n2,6\n"),
        ("S.TOML", "algorithm = \"sum\"\nset.n = 8\n"),
    ]);
    let at = folder.path();
    for line in [
        "hull P.CSV --csv H.CSV --draw H.SVG",
        "greedy P.CSV --draw G.PNG",
        "opt solve P.CSV --output C.GEOJSON --output C.CSV --tree T.SVG",
        "sweep S.TOML -o O.CSV",
    ] {
        let output = umm(at, line);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let begins = |name: &str, wanted: &[u8]| fs::read(at.join(name)).unwrap().starts_with(wanted);
    assert!(begins("H.SVG", b"<svg") && begins("G.PNG", b"\x89PNG") && begins("T.SVG", b"<svg"));
    assert!(begins("C.GEOJSON", b"{") && begins("C.CSV", b"i,j,weight"));
}

#[test]
fn inputs_are_opened_before_any_work() {
    let folder = folder(&[]);
    for line in
        ["gpu count umm_opt --set n=300 --from nix.csv", "opt solve random -n 8192 --plan nix.toml"]
    {
        let begun = Instant::now();
        let message = exits(folder.path(), line, 2);
        assert!(message.contains("nix.") && message.contains("there is none"), "{line}: {message}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{line}: {:?}", begun.elapsed());
    }
}

#[test]
fn times_of_peers_that_nobody_measures_are_no_picture() {
    let header = "what,size,peer,kind,time_s,peer_time_s\n";
    for time in ["inf", "1e-320", "0", "NaN"] {
        let text = format!("{header}sort,1000,theirs,library,{time},0.5\n");
        let folder = folder(&[("peers.csv", &text)]);
        let message = exits(folder.path(), "plot peers peers.csv -o peers.svg", 2);
        assert!(message.contains(", theirs: `time_s` is "), "{message}");
    }
}

/// Whether the estimate before the work or the allocator within it refuses depends on how large
/// the command itself is; neither speaks of listings.
#[test]
fn too_little_memory_for_points_names_no_listing() {
    let command = "ulimit -v 250000; exec \"$0\" hull random -n 1500000 --engine sequential";
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", command, env!("CARGO_BIN_EXE_umm")]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("choose fewer") && !message.contains("listing"), "{message}");
}
