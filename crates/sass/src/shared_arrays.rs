//! Which array in shared memory an access is meant for. Machine code has addresses alone; the PTX that it was
//! made of, which stands beside it for debuggers (`-lineinfo`), computes each address from an array's name.
//!
//! Said is only what follows: an access is an array's if every way to its address begins there. Nothing is said
//! of arrays of a size that the launch decides, of addresses that memory held, and of variables of a whole file.

use std::sync::Arc;

use object::{Object, ObjectSection};
use rustc_hash::FxHashMap;

use super::lines;
use super::linkage::{File, RESERVED_SHARED_BYTES};

/// An array in shared memory, by its addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedArray {
    /// As the source calls it.
    pub name: Arc<str>,
    /// Its first byte.
    pub begin: u64,
    /// And the byte behind its last.
    pub end: u64,
}

/// Arrays that an address may be computed from, a bit each; the last bit: something that is not known.
type Origins = u64;
const UNKNOWN: Origins = 1 << 63;
/// Through so many turns of loops addresses are followed.
const MOST_TURNS: usize = 16;
/// Shared memory ends where the last array does, or at the next multiple of this or of the largest alignment.
const END_ALIGNMENT: u64 = 16;

/// By instruction of a kernel, the array that it is meant for, where that is known; `bytes` are all of the
/// kernel's shared memory.
pub(super) fn shared_arrays(
    file: &File<'_>,
    kernel: &str,
    (instructions, bytes): (usize, u64),
) -> Vec<Option<SharedArray>> {
    let nothing = || vec![None; instructions];
    let text = file.section_by_name(".nv_debug_ptx_txt").and_then(|it| it.data().ok());
    let text = text.map(|it| it.split(|it| *it == 0).map(String::from_utf8_lossy));
    let Some(text) = text else { return nothing() };
    let text: Vec<_> = text.collect();
    let Some((first, body)) = body(&text, kernel) else { return nothing() };
    let Some(arrays) = declared(body, bytes) else { return nothing() };
    let code: Vec<Statement<'_>> = body.iter().map(Statement::of).collect();
    let origins = origins(&code, &arrays);
    let rows = lines::lines(file, ".nv_debug_line_sass", kernel, instructions);
    let array = |line: u32| {
        let of = code.get((line as usize).checked_sub(first + 1)?)?;
        let found = of.shared_address().map(|it| origin(it, &arrays, &origins))?;
        let is_one = found.is_power_of_two() && found != UNKNOWN;
        let found = is_one.then(|| arrays.get(found.trailing_zeros() as usize)).flatten()?;
        Some(SharedArray { name: plain_name(&found.name).into(), ..found.clone() })
    };
    rows.iter().map(|it| it.as_ref().and_then(|it| array(it.called.line))).collect()
}

/// The lines of a kernel, and how many stand before them; none, if variables of the whole file are shared.
fn body<'a, T: AsRef<str>>(text: &'a [T], kernel: &str) -> Option<(usize, &'a [T])> {
    let is_begin = |it: &T| {
        let rest = it.as_ref().split_once(".entry ").map_or("", |it| it.1.trim_start());
        rest.strip_prefix(kernel).is_some_and(|it| it.is_empty() || it.starts_with(['(', ' ']))
    };
    let begin = text.iter().position(is_begin)?;
    let (mut depth, mut end, mut is_of_file) = (0_i64, None, false);
    for (at, line) in text.iter().enumerate() {
        let line = line.as_ref();
        is_of_file |= depth == 0 && line.trim_start().starts_with(".shared");
        let has = |of| line.matches(of).count() as i64;
        depth += has('{') - has('}');
        if at > begin && depth == 0 && line.contains('}') && end.is_none() {
            end = Some(at);
        }
    }
    (!is_of_file).then_some((begin, text.get(begin..end?)?))
}

/// Arrays of a kernel by their names in PTX, as they follow each other; none, if they are too many, or do not fill shared memory.
fn declared<T: AsRef<str>>(body: &[T], bytes: u64) -> Option<Vec<SharedArray>> {
    let mut all: Vec<SharedArray> = vec![];
    let (mut end, mut most) = (0_u64, END_ALIGNMENT);
    for line in body {
        let Some(rest) = line.as_ref().trim().strip_prefix(".shared ") else { continue };
        let mut words = rest.trim_end_matches(';').split_whitespace();
        let mut word = words.next()?;
        let mut alignment = None;
        if word == ".align" {
            alignment = Some(words.next()?.parse::<u64>().ok()?);
            word = words.next()?;
        }
        let element = word.trim_start_matches(|it: char| !it.is_ascii_digit());
        let element = element.parse::<u64>().ok()? / 8;
        let mut parts = words.next()?.split('[');
        let name = parts.next()?;
        let mut size = element;
        for part in parts {
            size = size.checked_mul(part.strip_suffix(']')?.parse().ok()?)?;
        }
        let alignment = alignment.unwrap_or(element).max(1);
        most = most.max(alignment);
        let begin = end.checked_next_multiple_of(alignment)?;
        end = begin.checked_add(size).filter(|it| *it <= bytes)?;
        let addresses = [begin, end].map(|it| it + RESERVED_SHARED_BYTES);
        all.push(SharedArray { name: name.into(), begin: addresses[0], end: addresses[1] });
    }
    let is_all = (end..=end.next_multiple_of(most)).contains(&bytes);
    (all.len() < 63 && is_all).then_some(all)
}

/// An instruction of PTX, and what it names: words without brackets.
struct Statement<'a> {
    operation: &'a str,
    operands: &'a str,
}

impl<'a> Statement<'a> {
    fn of<T: AsRef<str>>(line: &'a T) -> Self {
        let mut line = line.as_ref().trim().trim_end_matches(';');
        if line.starts_with('@') {
            line = line.split_once(char::is_whitespace).map_or("", |it| it.1.trim_start());
        }
        let (operation, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Self { operation, operands: operands.trim_start() }
    }

    /// Where it writes, and what it reads.
    fn parts(&self) -> (&'a str, &'a str) {
        let end = match self.operands.starts_with('{') {
            true => self.operands.find('}'),
            false => self.operands.find(','),
        };
        self.operands.split_at(end.unwrap_or(self.operands.len()))
    }

    /// The address that it accesses shared memory at.
    fn shared_address(&self) -> Option<&'a str> {
        let of = self.operation;
        let accesses = ["ld.", "st.", "atom.", "red.", "ldmatrix.", "stmatrix.", "cp.async."];
        if !of.contains(".shared") || !accesses.iter().any(|it| of.starts_with(it)) {
            return None;
        }
        let (_, rest) = self.operands.split_once('[')?;
        Some(rest.split_once(']')?.0)
    }
}

/// Names in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '$' | '%' | '.');
    text.split(move |it| !is_part(it)).filter(|it| !it.is_empty())
}

/// The arrays that a text's names may come from.
fn origin(text: &str, arrays: &[SharedArray], known: &FxHashMap<&str, Origins>) -> Origins {
    let of = |name: &str| match arrays.iter().position(|it| &*it.name == name) {
        Some(array) => 1 << array,
        None => known.get(name).copied().unwrap_or_default(),
    };
    names(text).fold(0, |all, name| all | of(name))
}

/// By register, the arrays that it may be computed from.
fn origins<'a>(code: &[Statement<'a>], arrays: &[SharedArray]) -> FxHashMap<&'a str, Origins> {
    let mut known: FxHashMap<&str, Origins> = FxHashMap::default();
    for _ in 0..MOST_TURNS {
        let mut is_new = false;
        for it in code {
            let (to, from) = it.parts();
            let family = it.operation.split('.').next().unwrap_or_default();
            let found = match family {
                "st" | "red" | "bra" | "bar" | "ret" | "" => continue,
                "mov" | "selp" | "cvta" | "cvt" | "min" | "max" => origin(from, arrays, &known),
                // What memory held, other threads have, or functions give.
                "ld" | "ldu" | "atom" | "shfl" | "tex" | "suld" | "call" | "ldmatrix" => UNKNOWN,
                // An array's address and how far from there.
                _ => match origin(from, arrays, &known) {
                    UNKNOWN => UNKNOWN,
                    all => all & !UNKNOWN,
                },
            };
            for name in names(to).filter(|it| it.starts_with('%')) {
                let before = known.entry(name).or_default();
                is_new |= *before | found != *before;
                *before |= found;
            }
        }
        if !is_new {
            return known;
        }
    }
    // Not followed to the end: nothing is known.
    known.values_mut().for_each(|it| *it = UNKNOWN);
    known
}

/// A variable as the source calls it, of its name in machine code, which ends with it and its length.
fn plain_name(name: &str) -> &str {
    let is_whole = |at: &usize| {
        let digits = name[..*at].trim_end_matches(|it: char| it.is_ascii_digit());
        name[digits.len()..*at].parse() == Ok(name.len() - at)
    };
    let mut starts = name.char_indices().map(|it| it.0).rev();
    let found = starts.find(is_whole).filter(|_| name.starts_with("_Z"));
    found.map_or(name, |at| &name[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
.visible .entry k(
.param .u64 k_param_0
)
{
.shared .align 1 .b8 _ZZ1kPfiE1A[10];
.shared .align 4 .b8 _ZZ1kPfiE1B[400];
mov.u32 %r11, _ZZ1kPfiE1B;
ld.global.u32 %r1, [%rd1];
add.s32 %r12, %r11, %r1;
st.shared.f32 [%r12], %f1;
mov.u32 %r19, _ZZ1kPfiE1A;
$L__BB0_1:
st.shared.u8 [%r19+1], %r2;
add.s32 %r19, %r19, 1;
@%p1 bra $L__BB0_1;
selp.b32 %r3, %r19, %r11, %p2;
ld.shared.f32 %f2, [%r3];
ld.local.u32 %r4, [%rd2];
mov.u32 %r4, %r19;
ld.shared.u8 %r5, [%r4];
ld.shared.u8 %r5, [_ZZ1kPfiE1A+3];
}";

    #[test]
    fn addresses_are_followed_to_arrays() {
        let text: Vec<&str> = TEXT.lines().collect();
        let (first, body) = body(&text, "k").unwrap();
        assert_eq!((first, body.len()), (0, 21));
        let arrays = declared(body, 416).unwrap();
        assert_eq!(
            [arrays[1].begin, arrays[1].end],
            [12, 412].map(|it| it + RESERVED_SHARED_BYTES)
        );
        assert_eq!(declared(body, 417), None, "something else lies there");
        let code: Vec<Statement<'_>> = body.iter().map(Statement::of).collect();
        let known = origins(&code, &arrays);
        let of = |line: usize| code[line].shared_address().map(|it| origin(it, &arrays, &known));
        assert_eq!(
            [9, 12, 16, 19, 20, 10].map(of),
            [Some(2), Some(1), Some(3), Some(1 | UNKNOWN), Some(1), None]
        );
        assert_eq!(
            [plain_name("_ZZ1kPfiE1A"), plain_name("_ZZ4fastE11tile_width2"), plain_name("s")],
            ["A", "tile_width2", "s"]
        );
    }
}
