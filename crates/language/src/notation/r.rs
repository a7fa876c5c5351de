//! What only R has.

/// Whether a text is in R: nothing else has both its arrow and its braces.
pub(super) fn is_r(text: &str) -> bool {
    let lines = || text.lines().map(str::trim);
    let arrow = lines().any(|it| {
        it.split_once(" <- ").is_some_and(|(left, _)| {
            left.chars().all(|it| it.is_ascii_alphanumeric() || "_.[], +-".contains(it))
        })
    });
    // What pseudocode with braces has not.
    let own = |it: &str| {
        let counts = it.starts_with("for (") && it.contains(" in ") && it.contains([':', '{', '<']);
        let words = [
            "<- function(",
            "%%",
            "%/%",
            "seq_along(",
            "seq_len(",
            "numeric(",
            "cat(",
            "ifelse(",
            "<- integer(",
            "<- c(",
            "paste(",
        ];
        counts || words.iter().any(|word| it.contains(word))
    };
    arrow && lines().any(own) && !lines().any(|it| it.ends_with(';'))
}
