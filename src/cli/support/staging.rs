//! An output before it is in its place. Where the system has files without a name (Linux:
//! `O_TMPFILE`), it is one, so that whatever ends the process leaves nothing behind. Elsewhere it has a
//! temporary name, under which the next run finds and removes it.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// How the names of temporary files begin.
const PREFIX: &str = ".umm-";

/// The temporary files that exist now, for [`remove_temporary`].
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);

/// Removes what is half written: for a process that is about to end at once.
pub(crate) fn remove_temporary() {
    let mut paths = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    for path in paths.drain(..) {
        let _ = std::fs::remove_file(path);
    }
    // No other is begun until the end.
    std::mem::forget(paths);
}

/// A file that is not in its place yet; dropped, it leaves no trace.
pub(super) enum StagedFile {
    Unnamed(File),
    Named(NamedTempFile),
}

impl StagedFile {
    /// A new file of a folder, with the permissions of the one that it will replace.
    pub(super) fn new(folder: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let file = match unnamed(folder) {
            Some(file) => Self::Unnamed(file),
            None => Self::Named(named(folder)?),
        };
        if let Some(permissions) = permissions {
            // The process's mask took some away.
            file.file().set_permissions(permissions)?;
        }
        Ok(file)
    }

    pub(super) fn file(&self) -> &File {
        match self {
            Self::Unnamed(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    /// Puts it in its place; a file that is there is replaced, or, without `replaces`, left alone.
    pub(super) fn persist(self, path: &Path, replaces: bool) -> io::Result<()> {
        match self {
            Self::Unnamed(file) => match link(&file, path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && replaces => {
                    // No signal ends the process while the file has its temporary name.
                    let _held = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
                    let folder = path.parent().unwrap_or(Path::new("."));
                    let mut name = Builder::new();
                    let linked = name.prefix(PREFIX).make_in(folder, |name| link(&file, name))?;
                    linked.persist(path).map(drop).map_err(|error| error.error)
                }
                result => result,
            },
            Self::Named(file) if replaces => {
                file.persist(path).map(drop).map_err(|error| error.error)
            }
            Self::Named(file) => {
                file.persist_noclobber(path).map(drop).map_err(|error| error.error)
            }
        }
    }
}

/// A file without a name, where the system has such and can give it one later.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = File::from(open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    descriptor(&file).exists().then_some(file)
}

#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A file of a temporary name, which is locked as long as its process lives.
fn named(folder: &Path) -> io::Result<NamedTempFile> {
    sweep(folder);
    loop {
        // Held until it is noted: a signal may come in between.
        let mut paths = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        let file = Builder::new()
            .prefix(PREFIX)
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        paths.push(file.path().to_owned());
        drop(paths);
        let is_locked = file.as_file().try_lock().is_ok();
        // Another process may have taken it for one that was left behind.
        if !is_locked || file.as_file().metadata()?.nlink() > 0 {
            return Ok(file);
        }
    }
}

/// Removes the temporary files of processes that were killed: nobody holds their locks.
fn sweep(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let is_temporary = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_temporary
            && entry.file_type().is_ok_and(|it| it.is_file())
            && File::open(entry.path()).is_ok_and(|it| it.try_lock().is_ok())
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let name = |it: io::Result<fs::DirEntry>| it.unwrap().file_name().into_string().unwrap();
        fs::read_dir(folder).unwrap().map(name).collect()
    }

    #[test]
    fn both_kinds_are_put_in_their_place() {
        for is_named in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("out");
            let staged = |text: &str| {
                let staged = match is_named {
                    false => StagedFile::new(folder.path(), None).unwrap(),
                    true => StagedFile::Named(named(folder.path()).unwrap()),
                };
                staged.file().write_all(text.as_bytes()).unwrap();
                staged
            };
            staged("dropped");
            assert!(names(folder.path()).is_empty());
            staged("first").persist(&path, false).unwrap();
            let there = staged("second").persist(&path, false).unwrap_err();
            assert_eq!(there.kind(), io::ErrorKind::AlreadyExists);
            assert_eq!(fs::read_to_string(&path).unwrap(), "first");
            staged("third").persist(&path, true).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "third");
            assert_eq!(names(folder.path()), ["out"]);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_has_no_name_until_it_is_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let staged = StagedFile::new(folder.path(), None).unwrap();
        staged.file().write_all(b"half").unwrap();
        assert!(names(folder.path()).is_empty());
    }

    /// What a killed process has left is locked by nobody.
    #[test]
    fn the_next_run_removes_what_was_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".umm-killed", "kept"] {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        let first = named(folder.path()).unwrap();
        let second = named(folder.path()).unwrap();
        let mut names = names(folder.path());
        names.sort();
        let name = |it: &NamedTempFile| it.path().file_name().unwrap().to_str().unwrap().to_owned();
        let mut expected = vec![name(&first), name(&second), "kept".to_owned()];
        expected.sort();
        assert_eq!(names, expected);
    }
}
