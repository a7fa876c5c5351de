//! A `.fatbin`: machine code for several architectures, and PTX, one behind the other.

use super::nvrtc::Architecture;

const MAGIC: u32 = 0xba55_ed50;
const PTX: u16 = 1;
const CUBIN: u16 = 2;
/// Of an entry's flags those that say that it is compressed, by LZ4 or zstd.
const COMPRESSED: u64 = 0x2000 | 0x8000;

/// What of it can be executed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Chosen<'a> {
    /// Machine code.
    Cubin(&'a [u8]),
    /// PTX, to be assembled.
    Ptx(&'a str),
}

/// A part.
struct Entry<'a> {
    kind: u16,
    architecture: u32,
    is_compressed: bool,
    bytes: &'a [u8],
}

impl Entry<'_> {
    fn describe(&self) -> String {
        let what = if self.kind == PTX { "PTX for compute" } else { "machine code for sm" };
        let how = if self.is_compressed { " (compressed)" } else { "" };
        format!("{what}_{}{how}", self.architecture)
    }
}

fn word<const BYTES: usize>(bytes: &[u8], at: usize) -> Option<[u8; BYTES]> {
    bytes.get(at..at.checked_add(BYTES)?)?.try_into().ok()
}

/// Whether it is such a file.
pub(crate) fn is_fatbin(bytes: &[u8]) -> bool {
    word(bytes, 0).map(u32::from_le_bytes) == Some(MAGIC)
}

/// The parts, as far as they are whole.
fn entries(bytes: &[u8]) -> Option<Vec<Entry<'_>>> {
    let mut all = vec![];
    let mut at = usize::from(u16::from_le_bytes(word(bytes, 6)?));
    let size = usize::try_from(u64::from_le_bytes(word(bytes, 8)?)).ok()?;
    let end = at.checked_add(size)?;
    while at < end {
        let header = u32::from_le_bytes(word(bytes, at + 4)?) as usize;
        let size = usize::try_from(u64::from_le_bytes(word(bytes, at + 8)?)).ok()?;
        let begin = at.checked_add(header.max(1))?;
        let next = begin.checked_add(size)?;
        all.push(Entry {
            kind: u16::from_le_bytes(word(bytes, at)?),
            architecture: u32::from_le_bytes(word(bytes, at + 28)?),
            is_compressed: u64::from_le_bytes(word(bytes, at + 40)?) & COMPRESSED != 0,
            bytes: bytes.get(begin..next)?,
        });
        at = next;
    }
    Some(all)
}

/// The machine code for an architecture; else PTX for it or one before it.
///
/// # Errors
/// It is cut off; there is neither.
pub(crate) fn choose(bytes: &[u8], of: Architecture) -> Result<Chosen<'_>, String> {
    let all = entries(bytes).ok_or("the file is cut off")?;
    let fits = |it: &&Entry<'_>| !it.is_compressed && it.architecture <= of.0;
    let mut cubins = all.iter().filter(|it| it.kind == CUBIN && it.architecture == of.0);
    if let Some(it) = cubins.find(fits) {
        return Ok(Chosen::Cubin(it.bytes));
    }
    let ptx = all.iter().filter(|it| it.kind == PTX).filter(fits).max_by_key(|it| it.architecture);
    if let Some(it) = ptx {
        let text = it.bytes.split(|it| *it == 0).next().unwrap_or_default();
        return std::str::from_utf8(text).map(Chosen::Ptx).map_err(|it| format!("its PTX: {it}"));
    }
    let has: Vec<String> = all.iter().map(Entry::describe).collect();
    let has = if has.is_empty() { "nothing".to_owned() } else { has.join(", ") };
    Err(format!(
        "nothing in it is for {of}: it has {has}; compile with -arch={of}, or --no-compress where that is \
         compressed"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fatbin(parts: &[(u16, u32, u64, &[u8])]) -> Vec<u8> {
        let mut body = vec![];
        for (kind, architecture, flags, bytes) in parts {
            let mut header = [0; 64];
            header[..2].copy_from_slice(&kind.to_le_bytes());
            header[4..8].copy_from_slice(&64_u32.to_le_bytes());
            header[8..16].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
            header[28..32].copy_from_slice(&architecture.to_le_bytes());
            header[40..48].copy_from_slice(&flags.to_le_bytes());
            body.extend_from_slice(&header);
            body.extend_from_slice(bytes);
        }
        let mut all = MAGIC.to_le_bytes().to_vec();
        all.extend_from_slice(&[1, 0, 16, 0]);
        all.extend_from_slice(&(body.len() as u64).to_le_bytes());
        all.extend_from_slice(&body);
        all
    }

    #[test]
    fn machine_code_goes_before_ptx_and_what_does_not_fit_is_named() {
        let of = Architecture(90);
        let old = (CUBIN, 80, 0x11, &b"old"[..]);
        let all = fatbin(&[old, (PTX, 80, 0x11, b"text\0\0"), (CUBIN, 90, 0x11, b"code")]);
        assert!(is_fatbin(&all));
        assert_eq!(choose(&all, of), Ok(Chosen::Cubin(b"code")));
        let ptx = fatbin(&[old, (PTX, 80, 0x11, b"text\0\0"), (PTX, 100, 0x11, b"new")]);
        assert_eq!(choose(&ptx, of), Ok(Chosen::Ptx("text")));
        let none = fatbin(&[old, (PTX, 90, 0x8011, b"(")]);
        let why = choose(&none, of).unwrap_err();
        assert!(why.contains("machine code for sm_80, PTX for compute_90 (compressed)"), "{why}");
        for cut in 8..all.len() {
            assert!(choose(&all[..cut], of).is_err(), "{cut}");
        }
    }
}
