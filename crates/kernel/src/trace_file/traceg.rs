//! Traces of Accel-Sim, a kernel a file: block after block, of each warp after warp.

use super::lines::{Lines, hexadecimal};
use super::warps::{Memory, Opcode, WarpLine, block_number, three, warp_number};
use super::{Launches, TraceFileError};
use crate::timing::Recorder;

/// What the lines before the first block say.
#[derive(Default)]
struct Header {
    block: Option<[u64; 3]>,
    version: u64,
    has_lines: bool,
    /// Words of an instruction before its place in the code; none, where the file does not say.
    before: Option<usize>,
    memory: Memory,
}

pub(super) fn read(
    lines: &mut Lines<'_>,
    launches: &mut Launches<'_>,
) -> Result<(), TraceFileError> {
    let mut header = Header::default();
    let mut recorder: Option<Recorder> = None;
    let (mut block, mut warp, mut left) = (None, None, 0_u64);
    while let Some(line) = lines.next()? {
        if let Some(text) = line.strip_prefix('-') {
            header.note(text);
        } else if let Some(format) = line.strip_prefix("#traces format =") {
            header.before = before(format);
        } else if line.is_empty() || line.starts_with('#') {
            continue;
        } else if let Some(place) = value(&line, "thread block") {
            let place = three(place).ok_or_else(|| lines.wrong("names no block"))?;
            let at = block_number(place);
            recorder.get_or_insert_with(|| header.recorder()).begin_block(at);
            (block, warp) = (Some(at), None);
        } else if let Some(number) = value(&line, "warp") {
            warp = Some(warp_number(number).ok_or_else(|| lines.wrong("names no warp"))?);
        } else if let Some(count) = value(&line, "insts") {
            left = count.parse().map_err(|_| lines.wrong("is no number of instructions"))?;
        } else {
            let (Some(block), Some(warp), Some(recorder)) = (block, warp, &mut recorder) else {
                return Err(lines.wrong("is an instruction of no warp"));
            };
            if left == 0 {
                return Err(lines.wrong("is an instruction more than were announced"));
            }
            left -= 1;
            let of = instruction(&line, &header).map_err(|why| lines.wrong(why))?;
            if let Some(of) = of
                && !of.record(recorder, &header.memory, (block, warp))
            {
                return launches.end(recorder.take());
            }
        }
    }
    match recorder {
        Some(recorder) => launches.end(recorder),
        None => Ok(()),
    }
}

/// `warp = 3`.
fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.strip_prefix(name)?.trim_start().strip_prefix('=').map(str::trim)
}

/// Words before that for the place in the code.
fn before(format: &str) -> Option<usize> {
    let words = format.split_whitespace().filter(|it| *it != "[line_num]");
    words.into_iter().position(|it| it == "PC")
}

impl Header {
    /// A line such as `kernel id = 1`; others say nothing that is needed.
    fn note(&mut self, text: &str) {
        let Some((name, value)) = text.split_once('=') else { return };
        let value = value.trim();
        match name.trim() {
            "block dim" => self.block = three(value),
            "accelsim tracer version" => self.version = value.parse().unwrap_or(0),
            "enable lineinfo" => self.has_lines = value == "1",
            "shmem base_addr" => self.memory.shared = hexadecimal(value).unwrap_or(0),
            "local mem base_addr" => self.memory.local = hexadecimal(value).unwrap_or(0),
            _ => {}
        }
    }

    fn recorder(&self) -> Recorder {
        let threads = self.block.map_or(1, |it| it.iter().product::<u64>().clamp(1, 1024));
        Recorder::new(threads)
    }
}

/// What a line does; nothing, if it neither accesses memory nor waits.
fn instruction(line: &str, header: &Header) -> Result<Option<WarpLine>, String> {
    let cut = || "is cut off".to_owned();
    let mut words = line.split_whitespace();
    // The block's and the warp's numbers, of early versions.
    let ids = header.before.unwrap_or(if header.version < 3 { 4 } else { 0 });
    for _ in 0..ids + usize::from(header.has_lines) {
        words.next().ok_or_else(cut)?;
    }
    let mut next = || words.next().ok_or_else(cut);
    next()?;
    let mask = next()?;
    let active = hexadecimal(mask).and_then(|it| u32::try_from(it).ok());
    let active = active.ok_or_else(|| format!("`{mask}` is no mask of 32 threads"))?;
    let number = |text: &str| text.parse::<usize>().map_err(|_| format!("`{text}` is no number"));
    for _ in 0..number(next()?)? {
        next()?;
    }
    let name = next()?;
    for _ in 0..number(next()?)? {
        next()?;
    }
    let bytes = number(next()?)?;
    let Some(opcode) = Opcode::of(name)? else { return Ok(None) };
    if opcode.is_barrier() {
        return Ok(Some(WarpLine { opcode, active, addresses: [0; 32] }));
    }
    if bytes == 0 || active == 0 {
        return Ok(None);
    }
    let mode = next()?.to_owned();
    let mut addresses = [0; 32];
    let mut lanes = (0..32).filter(|lane| active >> lane & 1 == 1);
    let address = |text: &str| hexadecimal(text).ok_or_else(|| format!("`{text}` is no address"));
    let step = |text: &str| text.parse::<i64>().map_err(|_| format!("`{text}` is no distance"));
    match mode.as_str() {
        "0" => {
            for lane in lanes {
                addresses[lane] = address(next()?)?;
            }
        }
        "1" => {
            let (mut at, apart) = (address(next()?)?, step(next()?)?);
            for lane in lanes {
                addresses[lane] = at;
                at = at.wrapping_add_signed(apart);
            }
        }
        "2" => {
            let mut at = address(next()?)?;
            if let Some(first) = lanes.next() {
                addresses[first] = at;
            }
            for lane in lanes {
                at = at.wrapping_add_signed(step(next()?)?);
                addresses[lane] = at;
            }
        }
        _ => return Err(format!("`{mode}` is no way to list addresses; there are 0, 1 and 2")),
    }
    Ok(Some(WarpLine { opcode, active, addresses }))
}
