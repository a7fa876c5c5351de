//! Words of the page.

/// A text as HTML: what stands between `` ` `` is code, between `*` emphasised.
pub(super) fn prose(text: &str) -> String {
    let text = text.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;");
    let marked = |text: &str, mark: char, element: &str| {
        let parts: Vec<&str> = text.split(mark).collect();
        // A mark without its partner is a character.
        if parts.len().is_multiple_of(2) {
            return text.to_owned();
        }
        let part = |(index, part): (usize, &&str)| match index % 2 {
            0 => (*part).to_owned(),
            _ => format!("<{element}>{part}</{element}>"),
        };
        parts.iter().enumerate().map(part).collect()
    };
    marked(&marked(&text, '`', "code"), '*', "em")
}
