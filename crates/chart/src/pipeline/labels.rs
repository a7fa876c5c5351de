//! Words for what the rows hold.

use super::Picture;
use memory_machine_core::machine::{Machine, WarpAccess};
use memory_machine_core::trace::{AccessKind, Piece, Step};
use memory_machine_core::units::Address;

/// Longer lists are cut.
const LONGEST: usize = 36;
/// From this number on, a progression is given by its ends.
const MOST_SPELLED_OUT: u64 = 5;

/// `a`, `a, b` or `a…b`.
pub(super) fn range(first: u64, last: u64, name: impl Fn(u64) -> String) -> String {
    match last - first {
        0 => name(first),
        1 => format!("{}, {}", name(first), name(last)),
        _ => format!("{}…{}", name(first), name(last)),
    }
}

/// What a warp's threads ask for, in order; `–` for an idle thread. Of a listing with the values, and
/// without the step, which stands above.
pub(super) fn requests(picture: &Picture<'_>, access: &WarpAccess) -> String {
    let verb = match access.kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
    };
    if let Some(source) = picture.source {
        return format!("{verb} {}", list(&access.requests, |it| source.element(access, it)));
    }
    match picture.listing {
        None => format!("step {} {verb} {}", access.step, list(&access.requests, number)),
        Some((steps, program, layout)) => {
            let all = steps.requests(program, layout, access);
            let words = all.map(|it| format!("{} = {}", it.element, it.value)).collect();
            format!("{verb} {}", joined(words, ", ", 2 * LONGEST))
        }
    }
}

/// The warp, in a loop on DMMs with its block.
pub(super) fn warp(access: &WarpAccess) -> String {
    let block = access.block.map_or_else(String::new, |it| format!("block {} ", it.at.block));
    format!("{block}W({})", access.warp)
}

/// Whose pipeline an access goes through, on a machine with several.
pub(super) fn pipeline(access: &WarpAccess) -> String {
    match access.dmm() {
        None => "global memory".to_owned(),
        Some(dmm) => format!("shared memory of DMM {dmm}"),
    }
}

/// For each of an access's stages, where the requests go, and the addresses.
/// Of a listing, the elements.
pub(super) fn stages(picture: &Picture<'_>, access: &WarpAccess) -> Vec<(String, String)> {
    let stages = access.stages.iter().map(|it| {
        let program = picture.listing.map(|(_, program, _)| program);
        let is_array = |name: &str| program.is_some_and(|it| it.array_named(name).is_some());
        let (target, addresses) = destination(access.memory, it, is_array);
        match picture.source {
            None => (target, addresses),
            Some(source) => {
                let element = |it| source.element(access, it);
                (target, list(&pieces(it.iter().copied()), element))
            }
        }
    });
    let Some((steps, program, layout)) = picture.listing else { return stages.collect() };
    let requests: Vec<_> = steps.requests(program, layout, access).collect();
    let element = |address: &Address| {
        let asked = requests.iter().find(|it| it.address == *address);
        asked.map_or_else(String::new, |it| it.element.clone())
    };
    let elements = |it: &Vec<Address>| joined(it.iter().map(element).collect(), " ", LONGEST);
    stages.zip(&access.stages).map(|((target, _), it)| (target, elements(it))).collect()
}

/// The address group, or the banks, to which a stage's requests go; and the addresses.
fn destination(
    memory: Machine,
    stage: &[Address],
    is_array: impl Fn(&str) -> bool,
) -> (String, String) {
    let (sign, places) = memory.kind.destinations(stage, memory.width, is_array);
    let target = format!("{sign}[{}]", list(&pieces(places), number));
    (target, list(&pieces(stage.iter().copied()), number))
}

fn pieces(addresses: impl IntoIterator<Item = Address>) -> Vec<Piece> {
    let mut step = Step::new(AccessKind::Read);
    addresses.into_iter().for_each(|address| step.push(address));
    step.pieces
}

fn number(address: Address) -> String {
    address.0.to_string()
}

fn list(pieces: &[Piece], name: impl Fn(Address) -> String) -> String {
    let mut words = Vec::new();
    for piece in pieces {
        match *piece {
            Piece::Idle(count) if count < MOST_SPELLED_OUT => {
                words.extend((0..count).map(|_| "–".to_owned()));
            }
            Piece::Idle(count) => words.push(format!("– (×{count})")),
            Piece::Run(run) if run.count < MOST_SPELLED_OUT => {
                words.extend((0..run.count).map(|i| name(run.at(i))));
            }
            Piece::Run(run) if run.stride == 0 => {
                words.push(format!("{} (×{})", name(run.base), run.count));
            }
            Piece::Run(run) => {
                words.push(format!(
                    "{} {} … {}",
                    name(run.base),
                    name(run.at(1)),
                    name(run.last())
                ));
            }
        }
    }
    joined(words, " ", LONGEST)
}

/// As many words as fit.
fn joined(words: Vec<String>, gap: &str, longest: usize) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        let before = if index > 0 { gap } else { "" };
        if text.chars().count() + before.len() + word.chars().count() > longest && index > 0 {
            return text + " …";
        }
        text.push_str(before);
        text.push_str(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory_machine_core::trace::{Event, text};

    #[test]
    fn lists_are_short() {
        for (step, expected) in [
            ("7 5 15 0", "7 5 15 0"),
            ("0+1x4", "0 1 2 3"),
            ("0+1x32", "0 1 … 31"),
            ("62-2x32", "62 60 … 0"),
            ("5+0x32", "5 (×32)"),
            ("- 3 -x20 4", "– 3 – (×20) 4"),
            (
                "1 10 4 18 2 37 21 90 3 66 12 44 8 81 17 23",
                "1 10 4 18 2 37 21 90 3 66 12 44 8 81 …",
            ),
        ] {
            let trace = text::parse(&format!("threads 32\nR {step}")).unwrap();
            let Event::Step(step) = &trace.events[0] else { panic!() };
            assert_eq!(list(&step.pieces, number), expected);
        }
    }
}
