//! CUDA C without what runs on the host: NVRTC compiles for the device alone, and has no headers of C++'s
//! library. Lines keep their numbers.

use std::collections::BTreeSet;

use super::host_headers::included;

/// Words that make a declaration one for the device, or for both.
const OF_DEVICE: [&str; 5] =
    ["__global__", "__device__", "__constant__", "__managed__", "__shared__"];
/// Words with which declarations begin that say what is to come.
const KEPT: [&str; 13] = [
    "typedef",
    "using",
    "struct",
    "class",
    "enum",
    "union",
    "constexpr",
    "static constexpr",
    "inline constexpr",
    "static inline constexpr",
    "const",
    "static const",
    "static_assert",
];

/// Words of the device: CUDA's, and macros that stand for them.
pub(super) struct Words(BTreeSet<String>);

impl Default for Words {
    fn default() -> Self {
        Self(OF_DEVICE.map(str::to_owned).into())
    }
}

impl Words {
    /// Those that a file defines.
    pub(super) fn add_macros(&mut self, source: &str) {
        for line in source.lines() {
            let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
            let Some(rest) = rest.trim_start().strip_prefix("define ") else { continue };
            let rest = rest.trim_start();
            let (name, value) = rest.split_at(rest.find(is_border).unwrap_or(rest.len()));
            if self.is_of_device(value) {
                self.0.insert(name.to_owned());
            }
        }
    }

    fn is_of_device(&self, text: &str) -> bool {
        text.split(is_border).any(|it| self.0.contains(it))
    }
}

/// Whether a letter belongs to no name.
fn is_border(letter: char) -> bool {
    !letter.is_alphanumeric() && letter != '_'
}

/// Instances of templates that a source launches with arguments in brackets, as `f<float, 4>`, each once.
pub(super) fn launched_instances(source: &str) -> Vec<String> {
    let blank = blanked(source);
    let mut all: Vec<String> = vec![];
    for (at, _) in blank.match_indices("<<<") {
        let before = blank[..at].trim_end();
        let mut depth = 0;
        let open = before.char_indices().rev().find(|(_, letter)| {
            depth += i32::from(*letter == '>') - i32::from(*letter == '<');
            depth <= 0
        });
        let Some((open, '<')) = open else { continue };
        let head = before[..open].trim_end();
        let name = head.rfind(|it: char| is_border(it) && it != ':').map_or(0, |it| it + 1);
        let instance = format!("{}{}", &head[name..], &before[open..]).replace('\n', " ");
        if name < head.len() && !all.contains(&instance) {
            all.push(instance);
        }
    }
    all
}

/// The source without functions and variables of the host, and without other declarations in whose lines the
/// compiler found errors; what stands at their place are blank lines.
pub(super) fn without_host_code(
    source: &str,
    words: &Words,
    lines_with_errors: &BTreeSet<usize>,
) -> String {
    let blank = blanked(source);
    let mut kept = String::with_capacity(source.len());
    let mut at = 0;
    let mut line = 0;
    while at < source.len() {
        let end = item_end(&blank, at);
        let (item, plain) = (&source[at..end], blank[at..end].trim());
        // Its first line may be the last one of what stands before.
        let last = line + item.matches('\n').count();
        // A line of the preprocessor ends with itself.
        let ends = last + usize::from(!plain.starts_with('#') || !item.ends_with('\n'));
        let lines = last - blank[at..end].trim_start().matches('\n').count()..ends;
        let has_error = lines_with_errors.range(lines.clone()).next().is_some();
        if is_kept(plain, words) {
            let errors = lines_with_errors.range(lines).map(|it| it - line).collect();
            let body = type_body(plain, &blank[at..end]).filter(|_| has_error);
            match body.and_then(|it| without_wrong_members(item, it, &errors)) {
                Some(it) => kept += &it,
                None if has_error && may_go(item, plain, words) => kept += &lines_of(item),
                None => kept += item,
            }
        } else if let Some(open) = scope(plain, &blank[at..end]) {
            // A scope's own declarations are traversed.
            let body = at + open + 1;
            let close = at + blank[at..end].rfind('}').unwrap_or(open);
            let before = line + source[at..body].matches('\n').count();
            let within = lines_with_errors.iter().filter_map(|it| it.checked_sub(before)).collect();
            kept += &source[at..body];
            kept += &without_host_code(&source[body..close.max(body)], words, &within);
            kept += &source[close.max(body)..end];
        } else {
            kept += &lines_of(item);
        }
        at = end;
        line = last;
    }
    kept
}

/// Whether nothing of the device is lost without a declaration.
fn may_go(item: &str, plain: &str, words: &Words) -> bool {
    // Of a header, the only error in this line is that it is not there.
    item.lines().last().and_then(included).is_some()
        || !plain.starts_with('#') && !words.is_of_device(plain)
}

/// The body of a structure that is the device's, too.
fn type_body(plain: &str, whole: &str) -> Option<std::ops::Range<usize>> {
    let head = if plain.starts_with("template") { behind_brackets(plain) } else { plain };
    let is_type = ["struct", "class", "union"].iter().any(|it| head.starts_with(it));
    let body = whole.find('{')? + 1..whole.rfind('}')?;
    (is_type && body.start <= body.end).then_some(body)
}

/// A structure without the functions in which the compiler found errors; what it holds stays as it is. None
/// if there is an error elsewhere in it.
fn without_wrong_members(
    item: &str,
    body: std::ops::Range<usize>,
    errors: &BTreeSet<usize>,
) -> Option<String> {
    let blank = blanked(&item[body.clone()]);
    let mut kept = item[..body.start].to_owned();
    let (mut at, mut left_out) = (0, 0);
    while at < blank.len() {
        let end = item_end(&blank, at);
        let (member, plain) = (&item[body.clone()][at..end], blank[at..end].trim());
        let last = kept.matches('\n').count() + member.matches('\n').count();
        let lines = last - blank[at..end].trim_start().matches('\n').count()..last + 1;
        let wrong = errors.range(lines).count();
        let is_own = !plain.contains("__device__") && !plain.contains("virtual");
        if wrong > 0 && is_own && plain.ends_with('}') && is_function(plain) {
            kept += &lines_of(member);
            left_out += wrong;
        } else {
            kept += member;
        }
        at = end;
    }
    (left_out >= errors.len()).then(|| kept + &item[body.end..])
}

/// Blank lines, as many as a text has.
fn lines_of(text: &str) -> String {
    "\n".repeat(text.matches('\n').count())
}

fn is_kept(plain: &str, words: &Words) -> bool {
    if plain.is_empty() || plain.starts_with('#') || words.is_of_device(plain) {
        return scope(plain, plain).is_none();
    }
    let begins = |it: &str| {
        let it = it.trim_start();
        KEPT.iter().any(|word| {
            it.strip_prefix(word).is_some_and(|it| it.starts_with([' ', '\n', '<', '(']))
        })
    };
    let is_template = plain.starts_with("template");
    let behind = if is_template { behind_brackets(plain) } else { plain };
    let is_declared_function = is_template && !begins(behind);
    // Functions that are constants are the device's as well.
    let is_constant = behind.contains("constexpr");
    begins(behind) && !is_declared_function && (is_constant || !is_function(behind))
}

/// Whether a declaration that begins like a constant or a structure is a function that returns one.
fn is_function(plain: &str) -> bool {
    let head = plain.split('{').next().unwrap_or_default();
    // What else has brackets in front of its body are attributes of a structure.
    let last = head.rfind(')').map(|it| head[it + 1..].trim()).filter(|_| plain.contains('{'));
    last.is_some_and(|it| {
        it.split_whitespace().all(|it| ["const", "noexcept", "override"].contains(&it))
    }) && !head.contains('=')
        && !head.starts_with("using")
}

fn behind_brackets(plain: &str) -> &str {
    let mut depth = 0;
    for (at, letter) in plain.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => {
                depth -= 1;
                if depth == 0 {
                    return plain[at + 1..].trim_start();
                }
            }
            _ => {}
        }
    }
    plain
}

/// Where the brace of a namespace, or of `extern "C"`, opens.
fn scope(plain: &str, whole: &str) -> Option<usize> {
    let head = plain.split('{').next()?;
    let is_scope = head.trim_start().starts_with("namespace")
        || head.trim() == "extern"
        || head.trim().starts_with("extern \"") && !head.contains('(');
    (is_scope && plain.contains('{')).then(|| whole.find('{').unwrap_or(0))
}

/// Comments, texts and letters in quotes as spaces, so that brackets are brackets; what is longer than a line
/// of the preprocessor is one.
fn blanked(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut all = bytes.to_vec();
    let mut at = 0;
    let blank = |all: &mut Vec<u8>, from: usize, to: usize| {
        for it in &mut all[from..to] {
            if *it != b'\n' {
                *it = b' ';
            }
        }
    };
    while at < bytes.len() {
        let rest = &source[at.min(source.len())..];
        let end = match bytes[at] {
            b'/' if rest.starts_with("//") => at + rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => at + rest.find("*/").map_or(rest.len(), |it| it + 2),
            b'"' if rest.starts_with("\"C\"") => {
                at += "\"C\"".len();
                continue;
            }
            b'"' => quoted(bytes, at, b'"'),
            b'\'' => quoted(bytes, at, b'\''),
            _ => {
                at += 1;
                while !source.is_char_boundary(at) {
                    at += 1;
                }
                continue;
            }
        };
        let end = end.min(bytes.len());
        blank(&mut all, at, end);
        at = end;
        while !source.is_char_boundary(at) {
            at += 1;
        }
    }
    String::from_utf8_lossy(&all).into_owned()
}

fn quoted(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Where the declaration, or the line of the preprocessor, that begins here ends.
fn item_end(blank: &str, from: usize) -> usize {
    let rest = &blank[from..];
    let begin = rest.find(|it: char| !it.is_whitespace()).unwrap_or(rest.len());
    if rest[begin..].starts_with('#') {
        let mut end = from + begin;
        loop {
            let line = blank[end..].find('\n').map_or(blank.len(), |it| end + it + 1);
            let is_continued = blank[end..line].trim_end().ends_with('\\');
            end = line;
            if !is_continued || end >= blank.len() {
                return end;
            }
        }
    }
    let mut depth = 0_i64;
    let mut has_body = false;
    for (at, letter) in rest.char_indices() {
        match letter {
            '{' | '(' | '[' => {
                depth += 1;
                has_body |= letter == '{';
            }
            '}' | ')' | ']' => {
                depth -= 1;
                // A function ends with its body; a structure with a semicolon behind it.
                let behind = rest[at + 1..].trim_start();
                let head = rest[begin..].trim_start();
                let is_type = ["struct", "class", "enum", "union", "typedef"].iter().any(|it| {
                    head.starts_with(it)
                        || head.starts_with("template") && behind_brackets(head).starts_with(it)
                });
                if letter == '}'
                    && depth <= 0
                    && has_body
                    && !is_type
                    && !behind.starts_with([';', ',', '='])
                {
                    return from + at + 1;
                }
            }
            ';' if depth <= 0 => return from + at + 1,
            '#' if depth <= 0
                && at > begin
                && rest[..at].trim_end_matches([' ', '\t']).ends_with('\n') =>
            {
                return from + at;
            }
            _ => {}
        }
    }
    blank.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_stay_and_the_host_goes() {
        let source = "#include <cstdio>\n#define N(x) \\\n  x\nstruct P { int a; };\nnamespace q {\n\
            __device__ int f() { return '}'; }\nint host() { printf(\"}\"); return 0; }\n}\n\
            template <class T> __global__ void k(T *x) { x[0] = 1; } // }\n\
            std::vector<int> v = { 1, 2 };\nint main() { k<<<1, 1>>>(x); }\nconst int M = 3;\n\
            extern \"C\" {\n__global__ void c(int *x) { x[0] = M; }\nvoid h() { exit(1); }\n}\n\
            extern \"C\" __global__ void e(int *x) { x[0] = M; }\n\
            extern __shared__ float s[];\n";
        let kept = without_host_code(source, &Words::default(), &BTreeSet::new());
        for it in [
            "#include",
            "struct P",
            "int f()",
            "void k(T",
            "const int M",
            "void c(int",
            "void e(int",
            "float s[]",
        ] {
            assert!(kept.contains(it), "{it}: {kept}");
        }
        for it in ["main", "host()", "vector", "exit"] {
            assert!(!kept.contains(it), "{it}: {kept}");
        }
        assert_eq!(kept.lines().count(), source.lines().count());
    }
}
