//! How much memory this process may take.

use std::fs;
use std::path::Path;

use thiserror::Error;

const GIB: f64 = (1_u64 << 30) as f64;

/// More memory than there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{:.2} GiB of memory, but {:.2} GiB are available", *need as f64 / GIB, *available as f64 / GIB)]
pub struct MemoryExcess {
    /// In bytes, as what is available.
    pub need: u64,
    /// Bytes that the system, its control groups and `ulimit` leave.
    pub available: u64,
}

/// Fewer bytes are taken unasked: asking takes longer than to use them.
pub const LARGE: u64 = 32 << 20;

/// Refuses `need` bytes more, where the system tells that there are fewer.
///
/// # Errors
/// [`MemoryExcess`]
pub fn check(need: u64) -> Result<(), MemoryExcess> {
    if need < LARGE {
        return Ok(());
    }
    match available() {
        Some(available) if need > available => Err(MemoryExcess { need, available }),
        _ => Ok(()),
    }
}

/// Bytes that this process may still take, as Linux tells: the least of what is free, what its
/// control groups (v1 and v2) leave it, and what its limits (`ulimit -v`, `-d`) leave it.
pub fn available() -> Option<u64> {
    let root = Path::new("/");
    [free(root), limits(root)].into_iter().flatten().min()
}

/// Bytes of physical memory that this process may still take, and those that it uses.
pub fn physical() -> Option<(u64, u64)> {
    let root = Path::new("/");
    Some((free(root)?, status(root, "VmRSS:")?))
}

/// What the system and the control groups leave.
fn free(root: &Path) -> Option<u64> {
    let meminfo = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let system = kilobytes(&meminfo, "MemAvailable:");
    system.into_iter().chain(groups(root)).min()
}

/// What the limits of the process leave.
fn limits(root: &Path) -> Option<u64> {
    let limits = fs::read_to_string(root.join("proc/self/limits")).ok()?;
    let left = |(name, used)| {
        let limit = limits.lines().find_map(|line| line.strip_prefix(name))?;
        // The soft limit comes first; `unlimited` is no number.
        let limit = limit.split_whitespace().next()?.parse::<u64>().ok()?;
        Some(limit.saturating_sub(status(root, used)?))
    };
    [("Max address space", "VmSize:"), ("Max data size", "VmData:")]
        .into_iter()
        .filter_map(left)
        .min()
}

/// What each control group of the process leaves, and each around it.
fn groups(root: &Path) -> Vec<u64> {
    let text = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut left = vec![];
    for line in text.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (mounts, [limit, usage, cache]): (&[&str], _) = match controllers {
            "" => (
                &["sys/fs/cgroup", "sys/fs/cgroup/unified"],
                ["memory.max", "memory.current", "inactive_file "],
            ),
            _ if controllers.split(',').any(|it| it == "memory") => (
                &["sys/fs/cgroup/memory"],
                ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "],
            ),
            _ => continue,
        };
        // A container may see its own group as the root: names that are not there are passed over.
        for group in Path::new(path.trim_start_matches('/')).ancestors() {
            for folder in mounts.iter().map(|mount| root.join(mount).join(group)) {
                let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
                let number = |name| text(name)?.trim().parse::<u64>().ok();
                let (Some(limit), Some(usage)) = (number(limit), number(usage)) else { continue };
                // What files were read into memory is given up before anything is refused.
                let cache = text("memory.stat").and_then(|stat| {
                    stat.lines().find_map(|line| line.strip_prefix(cache)?.parse::<u64>().ok())
                });
                left.push(limit.saturating_sub(usage.saturating_sub(cache.unwrap_or(0))));
            }
        }
    }
    left
}

fn status(root: &Path, name: &str) -> Option<u64> {
    kilobytes(&fs::read_to_string(root.join("proc/self/status")).ok()?, name)
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(1024 * value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root folder with these files.
    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:    4000 kB\n");

    #[test]
    fn the_system_tells_what_is_free() {
        assert_eq!(free(root(&[MEMINFO]).path()), Some(4_096_000));
        assert_eq!(free(root(&[]).path()), None);
    }

    #[test]
    fn groups_of_version_1_and_those_around_them_count() {
        let group = "sys/fs/cgroup/memory/outer";
        let root = root(&[
            MEMINFO,
            ("proc/self/cgroup", "5:cpu:/outer/inner\n4:memory:/outer/inner\n0::/\n"),
            (&format!("{group}/inner/memory.limit_in_bytes"), "9223372036854771712\n"),
            (&format!("{group}/inner/memory.usage_in_bytes"), "1000\n"),
            (&format!("{group}/memory.limit_in_bytes"), "5000\n"),
            (&format!("{group}/memory.usage_in_bytes"), "3000\n"),
            (&format!("{group}/memory.stat"), "inactive_file 7\ntotal_inactive_file 500\n"),
        ]);
        assert_eq!(free(root.path()), Some(2500));
    }

    #[test]
    fn groups_of_version_2_count_and_max_is_no_limit() {
        let root = root(&[
            MEMINFO,
            ("proc/self/cgroup", "0::/user/job\n"),
            ("sys/fs/cgroup/user/job/memory.max", "max\n"),
            ("sys/fs/cgroup/user/job/memory.current", "100\n"),
            ("sys/fs/cgroup/user/memory.max", "9000\n"),
            ("sys/fs/cgroup/user/memory.current", "8900\n"),
        ]);
        assert_eq!(free(root.path()), Some(100));
    }

    #[test]
    fn limits_of_the_process_count() {
        let line = |name: &str, soft: &str| format!("{name}  {soft}   unlimited   bytes\n");
        let text = line("Max address space", "5000000") + &line("Max data size", "unlimited");
        let root = root(&[
            ("proc/self/limits", &text),
            ("proc/self/status", "VmSize:\t    1000 kB\nVmData:\t     500 kB\n"),
        ]);
        assert_eq!(limits(root.path()), Some(5_000_000 - 1_024_000));
    }

    #[test]
    fn this_machine_has_some() {
        assert!(available().unwrap() > 1 << 20);
        let error = check(u64::MAX / 2).unwrap_err();
        assert!(error.to_string().starts_with("8589934592.00 GiB of memory, but "), "{error}");
    }
}
