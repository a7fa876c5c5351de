//! Which line of the source an instruction is of: `.debug_line`, as the compiler writes it for
//! `-lineinfo`. What is inlined is charged to the line of the kernel's own file that calls it, or to its own.

use std::sync::Arc;

use object::{Object, ObjectSection, ObjectSymbol};

use super::decode::INSTRUCTION_BYTES;
use super::linkage::File;

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// The file as the compiler was given it.
    pub file: Arc<str>,
    /// From 1 on.
    pub line: u32,
}

/// A row of the table: from which byte of the code on, and where it is called from, if it is inlined.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    address: u64,
    file: usize,
    line: i64,
    /// The number of the row of the call, from 1 on; 0: not inlined.
    context: u64,
}

const RELOCATION_BYTES: usize = 24;
/// Operations of the standard, and those of NVIDIA's compiler, by number.
const COPY: u8 = 1;
const ADVANCE_PC: u8 = 2;
const ADVANCE_LINE: u8 = 3;
const SET_FILE: u8 = 4;
const CONST_ADD_PC: u8 = 8;
const FIXED_ADVANCE_PC: u8 = 9;
const END_SEQUENCE: u8 = 1;
const SET_ADDRESS: u8 = 2;
const INLINED_CALL: u8 = 0x90;

/// An instruction's line: where what is inlined is called, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    pub(super) called: SourceLine,
    pub(super) own: SourceLine,
}

/// By instruction of a kernel, its line as a section says; all unknown where there is no table.
pub(super) fn lines(
    file: &File<'_>,
    section: &str,
    kernel: &str,
    instructions: usize,
) -> Vec<Option<Lines>> {
    table(file, section, kernel, instructions).unwrap_or_else(|| vec![None; instructions])
}

fn table(
    file: &File<'_>,
    section: &str,
    kernel: &str,
    instructions: usize,
) -> Option<Vec<Option<Lines>>> {
    let data = file.section_by_name(section)?.data().ok()?;
    let relocations = [".rela", section].concat();
    let relocations = file.section_by_name(&relocations)?.data().ok()?;
    // Where in the table the kernel's address stands.
    let is_of_kernel = |at: usize| {
        relocations.chunks_exact(RELOCATION_BYTES).any(|it| {
            let number =
                |from: usize| u64::from_le_bytes(it[from..from + 8].try_into().unwrap_or_default());
            let symbol = object::SymbolIndex((number(8) >> 32) as usize);
            number(0) == at as u64
                && file.symbol_by_index(symbol).is_ok_and(|it| it.name() == Ok(kernel))
        })
    };
    let mut rest = Reader { bytes: data, at: 0 };
    let mut found = vec![None; instructions];
    while rest.at + 4 < data.len() {
        let Some((files, rows)) = unit(&mut rest, &is_of_kernel) else { break };
        fill(&mut found, &files, &rows);
    }
    Some(found)
}

/// The rows of a kernel, in the order of their addresses, to its instructions.
fn fill(found: &mut [Option<Lines>], files: &[Arc<str>], rows: &[(Row, bool)]) {
    // Calls are numbered among the rows of a kernel.
    let all: Vec<Row> = rows.iter().filter(|it| it.1).map(|it| it.0).collect();
    let mut own = all.clone();
    own.sort_by_key(|it| it.address);
    for (at, row) in own.iter().enumerate() {
        // To the first caller that is inlined nowhere.
        let mut outer = *row;
        let mut steps = 0;
        while outer.context > 0 && steps < 64 {
            let Some(call) = all.get(outer.context as usize - 1) else { break };
            outer = *call;
            steps += 1;
        }
        let line_of = |row: &Row| {
            let line = u32::try_from(row.line).ok()?;
            Some(SourceLine { file: files.get(row.file)?.clone(), line })
        };
        let (Some(called), Some(own_line)) = (line_of(&outer), line_of(row)) else { continue };
        let lines = Lines { called, own: own_line };
        let end = own.get(at + 1).map_or(u64::MAX, |it| it.address);
        let first = (row.address / INSTRUCTION_BYTES) as usize;
        let last = ((end / INSTRUCTION_BYTES) as usize).min(found.len());
        for it in found.get_mut(first..last).into_iter().flatten() {
            *it = Some(lines.clone());
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn number(&mut self, bytes: usize) -> Option<u64> {
        Some(self.take(bytes)?.iter().rev().fold(0, |all, it| all << 8 | u64::from(*it)))
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.bytes.get(self.at..)?.iter().position(|it| *it == 0)?;
        let text = self.take(length)?;
        self.at += 1;
        Some(std::str::from_utf8(text).unwrap_or("?"))
    }

    /// Seven bits a byte, the last one without the eighth.
    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte & 128 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let begin = self.at;
        let value = self.unsigned()?;
        let bits = (7 * (self.at - begin)).min(64);
        Some((value << (64 - bits)).cast_signed() >> (64 - bits))
    }
}

type Unit = (Vec<Arc<str>>, Vec<(Row, bool)>);

/// A unit: its files, and its rows, each with whether it is of the kernel.
fn unit(from: &mut Reader<'_>, is_of_kernel: &impl Fn(usize) -> bool) -> Option<Unit> {
    let length = from.number(4)? as usize;
    let end = from.at.checked_add(length)?;
    let mut it = Reader { bytes: from.bytes.get(..end)?, at: from.at };
    from.at = end;
    let _version = it.number(2)?;
    let header = it.number(4)? as usize;
    let program = it.at.checked_add(header)?;
    let least_length = u64::from(it.byte()?);
    let _is_statement = it.byte()?;
    let line_base = it.byte()?.cast_signed();
    let (line_range, first_special) = (it.byte()?.max(1), it.byte()?);
    let lengths = it.take(usize::from(first_special.checked_sub(1)?))?;
    let mut folders: Vec<&str> = vec![""];
    loop {
        match it.text()? {
            "" => break,
            folder => folders.push(folder),
        }
    }
    let mut files: Vec<Arc<str>> = vec!["?".into()];
    loop {
        let name = it.text()?;
        if name.is_empty() {
            break;
        }
        let folder = *folders.get(it.unsigned()? as usize).unwrap_or(&"");
        let _times = (it.unsigned()?, it.unsigned()?);
        let is_whole = folder.is_empty() || name.starts_with('/');
        files.push(if is_whole { name.into() } else { format!("{folder}/{name}").into() });
    }
    it.at = program;
    let special = |opcode: u8| {
        let by = opcode - first_special;
        let address = u64::from(by / line_range) * least_length;
        (address, i64::from(line_base) + i64::from(by % line_range))
    };
    let start = Row { file: 1, line: 1, ..Row::default() };
    let (mut row, mut is_own) = (start, false);
    let mut rows = vec![];
    while it.at < end {
        match it.byte()? {
            0 => {
                let size = it.unsigned()? as usize;
                let next = it.at.checked_add(size)?;
                match it.byte()? {
                    END_SEQUENCE => (row, is_own) = (start, false),
                    SET_ADDRESS => {
                        is_own = is_of_kernel(it.at);
                        row.address = it.number(8)?;
                    }
                    INLINED_CALL => row.context = it.unsigned()?,
                    _ => {}
                }
                it.at = next;
            }
            COPY => rows.push((row, is_own)),
            ADVANCE_PC => row.address += it.unsigned()? * least_length,
            ADVANCE_LINE => row.line += it.signed()?,
            SET_FILE => row.file = it.unsigned()? as usize,
            CONST_ADD_PC => row.address += special(255).0,
            FIXED_ADVANCE_PC => row.address += it.number(2)?,
            opcode if opcode < first_special => {
                let count = *lengths.get(usize::from(opcode) - 1)?;
                for _ in 0..count {
                    it.unsigned()?;
                }
            }
            opcode => {
                let (address, line) = special(opcode);
                row.address += address;
                row.line += line;
                rows.push((row, is_own));
            }
        }
    }
    Some((files, rows))
}
