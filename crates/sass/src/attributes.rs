//! Attributes of kernels in a cubin: `.nv.info`.

/// Attributes of a kernel: where its parameters lie among constants, where each of them does from there
/// on, and how large its stack is.
const PARAMETERS_ATTRIBUTE: u8 = 0x0a;
const PARAMETER_ATTRIBUTE: u8 = 0x17;
pub(super) const STACK_BYTES_ATTRIBUTE: u8 = 0x12;
/// A thread has this many at most.
pub(super) const MOST_LOCAL_BYTES: u64 = 512 << 10;
/// How many registers a thread has.
pub(super) const REGISTERS_ATTRIBUTE: u8 = 0x2f;

/// Where parameters stand among constants, and their bytes, in their order.
pub(super) fn parameters(attributes_of: &[u8]) -> Vec<(usize, usize)> {
    let all = attributes(attributes_of).find(|it| it.0 == PARAMETERS_ATTRIBUTE);
    let begin = all.and_then(|it| word(it.1, 4)).unwrap_or(0) & 0xffff;
    let one = |value: &[u8]| {
        let (number_and_place, bytes) = (word(value, 4)?, word(value, 8)? >> 18);
        let (number, place) = (number_and_place & 0xffff, number_and_place >> 16);
        Some((number, ((begin + place) as usize, bytes as usize)))
    };
    let each = attributes(attributes_of).filter(|it| it.0 == PARAMETER_ATTRIBUTE);
    let mut each: Vec<_> = each.filter_map(|it| one(it.1)).collect();
    each.sort_unstable();
    each.into_iter().map(|it| it.1).collect()
}

pub(super) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Kinds and values of a section of attributes.
pub(super) fn attributes(mut bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    /// Followed by this many bytes, and not by a value of two.
    const SIZED: u8 = 4;
    std::iter::from_fn(move || {
        let [format, kind, low, high] = *bytes.first_chunk()?;
        let size = if format == SIZED { u16::from_le_bytes([low, high]).into() } else { 0 };
        let value = bytes.get(4..4 + size)?;
        bytes = &bytes[4 + size..];
        Some((kind, value))
    })
}
