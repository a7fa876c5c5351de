//! The crates as a registry would have them: packed, unpacked into an empty folder, built from there, and
//! the README's first command run.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::process::Process;
use crate::{Failure, root};

/// Compressed bytes of the crate that everybody installs.
const MOST_BYTES: u64 = 3 << 19;

/// Pack every crate, build `umm` from the unpacked packages alone, and run the README's first command.
#[derive(Debug, Args)]
pub struct Package {
    /// Build optimised, as `cargo install` does.
    #[arg(long)]
    release: bool,
}

impl Package {
    pub fn run(self) -> Result<(), Failure> {
        Process::new("cargo package --locked --allow-dirty --quiet --no-verify").run()?;
        let packed = root().join("target/package");
        let folder = root().join("target/unpacked");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let version = env!("CARGO_PKG_VERSION");
        let mut members = vec![];
        for entry in fs::read_dir(packed)? {
            let path = entry?.path();
            let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default().to_owned();
            let Some(name) = stem.strip_suffix(&format!("-{version}")) else { continue };
            if path.extension() != Some(OsStr::new("crate")) {
                continue;
            }
            unpack(&path, &folder)?;
            let bytes = fs::metadata(&path)?.len();
            println!("{name:<28}{bytes:>9} bytes");
            if name == "memory-machine" && bytes > MOST_BYTES {
                return Err(format!("{name} has {bytes} bytes; at most {MOST_BYTES}").into());
            }
            members.push((name.to_owned(), stem));
        }
        members.sort();
        fs::write(folder.join("Cargo.toml"), workspace(&members)?)?;
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        first_command(&folder, version, self.release)
    }
}

fn unpack(archive: &Path, folder: &Path) -> Result<(), Failure> {
    let mut tar = Command::new("tar");
    let status = tar.arg("xzf").arg(archive).arg("-C").arg(folder).status()?;
    status
        .success()
        .then_some(())
        .ok_or_else(|| format!("tar of {}: {status}", archive.display()).into())
}

/// A workspace in which crates find each other where they were unpacked, with the profiles of this one.
fn workspace(members: &[(String, String)]) -> Result<String, Failure> {
    let ours: toml::Table = fs::read_to_string(root().join("Cargo.toml"))?.parse()?;
    let patches = members.iter().map(|(name, stem)| {
        let path = toml::Table::from_iter([("path".to_owned(), stem.clone().into())]);
        (name.clone(), toml::Value::Table(path))
    });
    let stems = members.iter().map(|it| it.1.clone()).collect::<Vec<_>>();
    let workspace = toml::Table::from_iter([
        ("resolver".to_owned(), "3".into()),
        ("members".to_owned(), stems.into()),
    ]);
    let patch =
        toml::Table::from_iter([("crates-io".to_owned(), toml::Table::from_iter(patches).into())]);
    let mut table = toml::Table::from_iter([
        ("workspace".to_owned(), workspace.into()),
        ("patch".to_owned(), patch.into()),
    ]);
    table.extend(ours.get("profile").map(|it| ("profile".to_owned(), it.clone())));
    Ok(toml::to_string(&table)?)
}

fn first_command(folder: &Path, version: &str, release: bool) -> Result<(), Failure> {
    let input = PathBuf::from(format!("memory-machine-{version}")).join("tests/data/laos.geojson");
    let mut command = Command::new("cargo");
    command.current_dir(folder).env("CARGO_TARGET_DIR", root().join("target"));
    command.args(["run", "--quiet", "--package", "memory-machine"]);
    command.args(release.then_some("--release"));
    let input = format!("c=polygon:{}", input.display());
    command.args(["--", "run", "umm_opt", "--input", &input, "--draw", "laos.svg"]);
    let output = command.output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || !printed.contains("verified: ") {
        return Err(format!("{printed}{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    println!("{printed}");
    File::open(folder.join("laos.svg"))?;
    Ok(())
}
