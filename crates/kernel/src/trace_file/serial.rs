//! Traces of one thread: an access after another.

use super::lines::{Lines, hexadecimal};
use super::{TraceFileError, TraceFormat};
use memory_machine_core::trace::{AccessKind, Step};
use memory_machine_core::units::{Address, BANK_BYTES};

/// Bytes of an access where nobody says: of a word; of DRAM, of what it moves at once.
const WORD_BYTES: u64 = BANK_BYTES;
const BURST_BYTES: u64 = 64;
/// Of an access, at most.
const MOST_BYTES: u64 = 1 << 12;

/// Of a line: whether it reads, writes, or both, where, and how many bytes.
struct Access {
    kinds: &'static [AccessKind],
    address: u64,
    bytes: u64,
}

const READ: &[AccessKind] = &[AccessKind::Read];
const WRITE: &[AccessKind] = &[AccessKind::Write];
const BOTH: &[AccessKind] = &[AccessKind::Read, AccessKind::Write];

/// Gives each access to `step`, a word of four bytes at a time. What is fetched as code is none.
pub(super) fn read(
    lines: &mut Lines<'_>,
    format: TraceFormat,
    mut step: impl FnMut(&Step),
) -> Result<(), TraceFileError> {
    let mut columns: Option<Columns> = None;
    while let Some(line) = lines.next()? {
        if line.is_empty() || line.starts_with('#') || line.starts_with("==") {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let found = match format {
            TraceFormat::Lackey => lackey(&words),
            TraceFormat::Dinero => dinero(&words),
            TraceFormat::Dramsim3 => dramsim3(&words),
            TraceFormat::Ramulator => ramulator(&words),
            _ => match &columns {
                Some(columns) => columns.access(&line),
                None => {
                    let of = Columns::of(&line);
                    columns = Some(of.ok_or_else(|| lines.wrong("has no column `address`"))?);
                    continue;
                }
            },
        };
        let access = found.ok_or_else(|| lines.wrong(format!("`{line}` is no access")))?;
        let Some(access) = access else { continue };
        if !(1..=MOST_BYTES).contains(&access.bytes) {
            return Err(lines.wrong(format!("{} bytes; there are 1 to {MOST_BYTES}", access.bytes)));
        }
        let end = access.address.checked_add(access.bytes - 1);
        let end = end.ok_or_else(|| lines.wrong("ends beyond all addresses"))?;
        for &kind in access.kinds {
            for word in access.address / BANK_BYTES..=end / BANK_BYTES {
                let mut one = Step::new(kind);
                one.push(Address(word));
                step(&one);
            }
        }
    }
    Ok(())
}

/// No line, or one without an access, or an access.
type Found = Option<Option<Access>>;

fn lackey(words: &[&str]) -> Found {
    let [kind, place] = words[..] else { return None };
    let (address, bytes) = place.split_once(',')?;
    let (address, bytes) = (hexadecimal(address)?, bytes.parse().ok()?);
    let kinds = match kind {
        "I" => return Some(None),
        "L" => READ,
        "S" => WRITE,
        "M" => BOTH,
        _ => return None,
    };
    Some(Some(Access { kinds, address, bytes }))
}

fn dinero(words: &[&str]) -> Found {
    let (label, address) = (words.first()?, hexadecimal(words.get(1)?)?);
    let kinds = match *label {
        "0" => READ,
        "1" => WRITE,
        "2" => return Some(None),
        _ => return None,
    };
    let bytes = words.get(2).map_or(Some(WORD_BYTES), |it| hexadecimal(it))?;
    Some(Some(Access { kinds, address, bytes }))
}

fn dramsim3(words: &[&str]) -> Found {
    let [address, kind, cycle] = words[..] else { return None };
    cycle.parse::<u64>().ok()?;
    let kinds = match kind {
        "READ" => READ,
        "WRITE" => WRITE,
        _ => return None,
    };
    Some(Some(Access { kinds, address: hexadecimal(address)?, bytes: BURST_BYTES }))
}

fn ramulator(words: &[&str]) -> Found {
    let (kind, address) = match words[..] {
        [address, kind @ ("R" | "W")] => (kind, address),
        [kind @ ("LD" | "ST"), address] => (kind, address),
        _ => return None,
    };
    let kinds = if matches!(kind, "R" | "LD") { READ } else { WRITE };
    // Addresses of this format may be decimal.
    let address = match address.strip_prefix("0x") {
        Some(_) => hexadecimal(address)?,
        None => address.parse().ok()?,
    };
    Some(Some(Access { kinds, address, bytes: BURST_BYTES }))
}

/// Where a table has what is needed.
struct Columns {
    address: usize,
    kind: Option<usize>,
    bytes: Option<usize>,
}

impl Columns {
    fn of(header: &str) -> Option<Self> {
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let at = |wanted: &[&str]| names.iter().position(|it| wanted.contains(it));
        Some(Self {
            address: at(&["address"])?,
            kind: at(&["kind", "op", "type"]),
            bytes: at(&["bytes", "size"]),
        })
    }

    fn access(&self, line: &str) -> Found {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let address = cells.get(self.address)?;
        let address = match address.starts_with("0x") {
            true => hexadecimal(address)?,
            false => address.parse().ok()?,
        };
        let kinds = match self.kind.map(|it| cells.get(it)) {
            None => READ,
            Some(cell) => match cell?.to_ascii_lowercase().as_str() {
                "r" | "read" | "load" => READ,
                "w" | "write" | "store" => WRITE,
                "m" | "modify" => BOTH,
                _ => return None,
            },
        };
        let bytes = match self.bytes {
            None => WORD_BYTES,
            Some(at) => cells.get(at)?.parse().ok()?,
        };
        Some(Some(Access { kinds, address, bytes }))
    }
}
