//! The memory that the system has left.

pub(super) const GIB: f64 = (1_u64 << 30) as f64;

/// Bytes of memory that a process may still ask for, as Linux tells.
pub(super) fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}
