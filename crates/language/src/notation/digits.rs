//! Numbers as pseudocode prints them.

/// The length of the number with which `text` begins: `1..n` begins with 1, `0x1F` and `2e5` are whole.
pub(super) fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|it| it.is_ascii_digit()).count();
    if matches!(bytes, [b'0', b'x' | b'X' | b'b' | b'B' | b'o' | b'O', next, ..] if next.is_ascii_hexdigit())
    {
        return text.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(text.len());
    }
    let mut length = digits(0);
    if bytes.get(length) == Some(&b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        length += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    length
}
