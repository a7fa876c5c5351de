//! The crates as a registry would have them: packed, unpacked into an empty folder, built from there, and
//! the README's first command run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::process::Process;
use crate::{Failure, root, target};

/// Compressed bytes of the crate that everybody installs.
const MOST_BYTES: usize = 3 << 19;
/// Where `cargo package` puts crates, below what Cargo builds.
const PACKED: &str = "package";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Pack every crate, build `umm` from the unpacked packages alone, and run the README's first command.
///
/// The packed page has the hash with which it was built, and `umm web` writes it. Packed once more, each
/// crate has the same bytes.
#[derive(Debug, Args)]
pub struct Package {
    /// Build optimised, as `cargo install` does.
    #[arg(long)]
    release: bool,
}

impl Package {
    pub fn run(self) -> Result<(), Failure> {
        Process::new("web/build").run()?;
        let crates = pack()?;
        if pack()? != crates {
            return Err("packed twice, the crates have other bytes".into());
        }
        let folder = target().join("unpacked");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        for (name, bytes) in &crates {
            unpack(&target().join(PACKED).join(format!("{name}-{VERSION}.crate")), &folder)?;
            println!("{name:<28}{:>9} bytes", bytes.len());
            if name == "memory-machine" && bytes.len() > MOST_BYTES {
                let bytes = bytes.len();
                return Err(format!("{name} has {bytes} bytes; at most {MOST_BYTES}").into());
            }
        }
        fs::write(folder.join("Cargo.toml"), workspace(crates.keys())?)?;
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let mut sum = Command::new("sha256sum");
        sum.args(["--check", "playground.html.sha256"]);
        run(sum.current_dir(folder.join(format!("memory-machine-page-{VERSION}/dist"))))?;
        first_command(&folder, self.release)
    }
}

/// Packs all that is published, and reads it: by name, the compressed bytes.
fn pack() -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let packed = target().join(PACKED);
    if packed.exists() {
        fs::remove_dir_all(&packed)?;
    }
    let ours = ["benches", "bundle", "python", "web"].map(|it| format!("memory-machine-{it}"));
    let ours = ours.iter().map(String::as_str).chain(["xtask"]);
    Process::new("cargo package --locked --allow-dirty --quiet --no-verify --workspace")
        .and(ours.flat_map(|it| ["--exclude".to_owned(), it.to_owned()]))
        .run()?;
    let mut crates = BTreeMap::new();
    for entry in fs::read_dir(packed)? {
        let path = entry?.path();
        let file = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if let Some(name) = file.strip_suffix(&format!("-{VERSION}.crate")) {
            crates.insert(name.to_owned(), fs::read(&path)?);
        }
    }
    Ok(crates)
}

fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status()?;
    status.success().then_some(()).ok_or_else(|| format!("{command:?}: {status}").into())
}

fn unpack(archive: &Path, folder: &Path) -> Result<(), Failure> {
    // Files of a package are all of one day: as new ones, they are built again.
    run(Command::new("tar").arg("xzmf").arg(archive).arg("-C").arg(folder))
}

/// A workspace in which crates find each other where they were unpacked, with the profiles of this one; of
/// what is built to be tried, ours are not optimised.
fn workspace<'a>(names: impl Iterator<Item = &'a String>) -> Result<String, Failure> {
    let ours: toml::Table = fs::read_to_string(root().join("Cargo.toml"))?.parse()?;
    let members: Vec<_> = names.map(|it| (it.clone(), format!("{it}-{VERSION}"))).collect();
    let patches = members.iter().map(|(name, stem)| {
        let path = toml::Table::from_iter([("path".to_owned(), stem.clone().into())]);
        (name.clone(), toml::Value::Table(path))
    });
    let stems: Vec<_> = members.iter().map(|it| it.1.clone()).collect();
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
    let mut profiles = ours["profile"].clone();
    let levels = profiles["dev"]["package"].as_table_mut().ok_or("no levels of packages")?;
    let plain = toml::Table::from_iter([("opt-level".to_owned(), 0.into())]);
    levels.extend(members.into_iter().map(|(name, _)| (name, plain.clone().into())));
    table.insert("profile".to_owned(), profiles);
    Ok(toml::to_string(&table)?)
}

fn first_command(folder: &Path, release: bool) -> Result<(), Failure> {
    let target = target();
    let mut build = Command::new("cargo");
    build.current_dir(folder).env("CARGO_TARGET_DIR", &target);
    build.args(["build", "--quiet", "--package", "memory-machine", "--features", "web"]);
    run(build.args(release.then_some("--release")))?;
    let umm = target.join(if release { "release/umm" } else { "debug/umm" });
    let input = PathBuf::from(format!("memory-machine-{VERSION}")).join("tests/data/laos.geojson");
    let input = format!("c=polygon:{}", input.display());
    let mut command = Command::new(&umm);
    command.args(["run", "umm_opt", "--input", &input, "--draw", "laos.svg"]);
    let output = command.current_dir(folder).output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || !printed.contains("verified: ") {
        return Err(format!("{printed}{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    println!("{printed}");
    File::open(folder.join("laos.svg"))?;
    run(Command::new(&umm).args(["web", "-o", "page.html"]).current_dir(folder))?;
    let page = fs::read(folder.join("page.html"))?;
    let built = fs::read(root().join("web/dist/playground.html"))?;
    (page == built).then_some(()).ok_or_else(|| "`umm web` writes another page".into())
}
