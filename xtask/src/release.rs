//! What a release offers for download: archives and a Debian package, with their hashes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::process::Process;
use crate::{Failure, root, target};

/// Shells, and the files that their completions are looked for in.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "umm.bash"),
    ("zsh", "_umm"),
    ("fish", "umm.fish"),
    ("elvish", "umm.elv"),
    ("powershell", "umm.ps1"),
];

/// Build what a release offers: an archive for each target, and a Debian package.
///
/// An archive holds `umm` with its page inside, manual pages, completions of five shells and licences.
/// It is laid out as `cargo binstall` expects. The same sources at the same place give the same bytes:
/// dates are those of SOURCE_DATE_EPOCH, or else of the last commit.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo xtask release
  cargo xtask release --target x86_64-unknown-linux-musl    one static file, without a GPU
  cargo xtask release --twice                               build again, and compare all bytes")]
pub struct Release {
    /// What Rust calls the machines to build for; this one if left out, with a Debian package.
    #[arg(long)]
    target: Option<String>,
    /// Build a second time from nothing, and fail if any byte differs.
    #[arg(long)]
    twice: bool,
}

/// What git says of the last commit.
fn commit(format: &str) -> Result<String, Failure> {
    let mut git = Command::new("git");
    let output =
        git.current_dir(root()).args(["log", "-1", &format!("--format={format}")]).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

fn run(command: &mut Command) -> Result<Vec<u8>, Failure> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let message = || format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.status.success().then_some(output.stdout.clone()).ok_or_else(|| message().into())
}

impl Release {
    pub fn run(self) -> Result<(), Failure> {
        Process::new("web/build").run()?;
        let date = std::env::var("SOURCE_DATE_EPOCH").or_else(|_| commit("%ct"))?;
        let umm = self.build(&target(), &date)?;
        if self.twice {
            let again = self.build(&target().join("again"), &date)?;
            if fs::read(&umm)? != fs::read(&again)? {
                return Err("built twice, umm has other bytes".into());
            }
            println!("built twice: the same {} bytes", fs::metadata(&umm)?.len());
        }
        let extras = root().join("target/packaging");
        write_extras(&umm, &extras)?;
        let mut files = vec![self.archive(&umm, &extras, &date)?];
        if self.target.is_none() {
            match Command::new("cargo-deb").arg("--version").output() {
                Ok(_) => files.push(debian_package(&date)?),
                Err(_) => println!("SKIPPED the Debian package: there is no cargo-deb"),
            }
        }
        for file in files {
            let sum = run(Command::new("sha256sum").arg(&file))?;
            print!("{:>9} bytes  {}", fs::metadata(&file)?.len(), String::from_utf8_lossy(&sum));
        }
        Ok(())
    }

    fn build(&self, folder: &Path, date: &str) -> Result<PathBuf, Failure> {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(root()).env("CARGO_TARGET_DIR", folder).env("SOURCE_DATE_EPOCH", date);
        cargo.env("CARGO_INCREMENTAL", "0").env("UMM_COMMIT", commit("%H")?);
        cargo.args([
            "build",
            "--locked",
            "--release",
            "--quiet",
            "--bin",
            "umm",
            "--features",
            "web,xz",
        ]);
        let place = match &self.target {
            Some(target) => {
                cargo.args(["--target", target]);
                folder.join(target)
            }
            None => folder.to_owned(),
        };
        run(&mut cargo)?;
        Ok(place.join("release/umm"))
    }

    /// The archive that `cargo binstall` looks for.
    fn archive(&self, umm: &Path, extras: &Path, date: &str) -> Result<PathBuf, Failure> {
        let host = || Ok::<_, Failure>(String::from_utf8(run(Command::new("rustc").arg("-vV"))?)?);
        let target_name = match &self.target {
            Some(target) => target.clone(),
            None => {
                let said = host()?;
                let host = said.lines().find_map(|it| it.strip_prefix("host: "));
                host.ok_or("rustc names no host")?.to_owned()
            }
        };
        let name = format!("umm-{target_name}-v{}", env!("CARGO_PKG_VERSION"));
        let place = target().join("release-files");
        let folder = place.join(&name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        fs::copy(umm, folder.join("umm"))?;
        for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"] {
            fs::copy(root().join(file), folder.join(file))?;
        }
        run(Command::new("cp").arg("-r").arg(extras.join("man")).arg(&folder))?;
        run(Command::new("cp").arg("-r").arg(extras.join("completions")).arg(&folder))?;
        let file = place.join(format!("{name}.tgz"));
        let mut tar = Command::new("tar");
        tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=go-w"]);
        tar.arg(format!("--mtime=@{date}")).args(["--use-compress-program", "gzip -n -9"]);
        run(tar.arg("-cf").arg(&file).arg("-C").arg(&place).arg(&name))?;
        Ok(file)
    }
}

/// Manual pages and completions, as packages install them.
fn write_extras(umm: &Path, folder: &Path) -> Result<(), Failure> {
    run(Command::new(umm).args(["man", "-o"]).arg(folder.join("man")))?;
    let completions = folder.join("completions");
    fs::create_dir_all(&completions)?;
    for (shell, file) in SHELLS {
        fs::write(completions.join(file), run(Command::new(umm).args(["completions", shell]))?)?;
    }
    Ok(())
}

fn debian_package(date: &str) -> Result<PathBuf, Failure> {
    let file =
        target().join(format!("release-files/memory-machine_{}.deb", env!("CARGO_PKG_VERSION")));
    let mut deb = Command::new("cargo-deb");
    deb.current_dir(root()).env("SOURCE_DATE_EPOCH", date);
    run(deb.args(["--no-build", "--output"]).arg(&file))?;
    Ok(file)
}
