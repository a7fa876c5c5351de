//! Where the algorithms of a source stand among the text around them.

use crate::diagnostic::Span;

/// What stands between the commands of a listing.
pub(super) fn verbatim(source: &str) -> Option<Span> {
    ["lstlisting", "verbatim", "minted"].iter().find_map(|name| {
        let begin = source.find(&format!("\\begin{{{name}}}"))?;
        let line = source[begin..].find('\n')? + begin + 1;
        let end = source[line..].find(&format!("\\end{{{name}}}"))? + line;
        Some(Span::new(line, end))
    })
}

/// The algorithm among the text around it.
pub(super) fn algorithm(source: &str) -> Option<Span> {
    const NAMES: [&str; 14] = [
        "algorithmic",
        "algorithm2e",
        "algorithm",
        "codebox",
        "pseudocode",
        "algorithm*",
        "align*",
        "align",
        "aligned",
        "equation*",
        "equation",
        "procedure",
        "function",
        "document",
    ];
    NAMES.iter().find_map(|name| {
        let begin = format!("\\begin{{{name}}}");
        let mut start = source.find(&begin)? + begin.len();
        if source[start..].starts_with('[') {
            start += source[start..].find(']')? + 1;
        }
        let end =
            source[start..].find(&format!("\\end{{{name}}}")).map_or(source.len(), |it| start + it);
        Some(Span::new(start, end))
    })
}

/// The codeboxes of a source where one calls the procedure of another.
pub(super) fn boxes(source: &str) -> Option<Vec<Span>> {
    const BEGIN: &str = "\\begin{codebox}";
    let mut found = vec![];
    for (at, _) in source.match_indices(BEGIN) {
        let start = at + BEGIN.len();
        let length = source[start..].find("\\end{codebox}")?;
        found.push(Span::new(start, start + length));
    }
    let name = |it: &Span| {
        let head = source[it.start..it.end].split_once("\\Procname{")?.1;
        let name = head.split_once("\\proc{")?.1;
        Some(format!("\\proc{{{}}}", name.split('}').next()?))
    };
    let names: Vec<String> = found.iter().filter_map(name).collect();
    // Its own head, and a call.
    let is_called = |it: &String| {
        let with = |of: &&Span| source[of.start..of.end].contains(it.as_str());
        found.iter().filter(with).count() > 1
    };
    (found.len() > 1 && names.iter().any(is_called)).then_some(found)
}

/// Whether all algorithms of a source are read.
pub(in crate::notation) fn is_whole(source: &str) -> bool {
    boxes(source).is_some()
}

/// Documents with several algorithms: the text of the nth, from 1 on.
pub(in crate::notation) fn nth(source: &str, nth: usize) -> Option<Span> {
    let mut rest = 0;
    let mut found = None;
    let outer = if source.contains("\\begin{algorithm}") || source.contains("\\begin{algorithm*}") {
        "\\begin{algorithm"
    } else {
        "\\begin{"
    };
    for _ in 0..nth {
        let at = source[rest..].find(outer).map(|it| it + rest)?;
        let name_end = source[at..].find('}')? + at;
        let name = &source[at + "\\begin{".len()..name_end];
        let known = [
            "algorithm",
            "algorithm*",
            "algorithm2e",
            "algorithmic",
            "codebox",
            "lstlisting",
            "verbatim",
            "align",
            "align*",
            "minted",
            "pseudocode",
        ];
        let end = source[name_end..]
            .find(&format!("\\end{{{name}}}"))
            .map_or(source.len(), |it| it + name_end + name.len() + 6);
        if !known.contains(&name) {
            rest = name_end;
            return self::nth(&source[rest..], nth)
                .map(|it| Span::new(it.start + rest, it.end + rest));
        }
        found = Some(Span::new(at, end));
        rest = end;
    }
    found
}
