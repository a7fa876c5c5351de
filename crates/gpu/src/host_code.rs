//! CUDA C without what runs on the host: NVRTC compiles for the device alone, and has no headers of C++'s
//! library. Lines keep their numbers.

/// Headers that are there, and empty: what kernels need of them NVRTC has by itself.
pub(super) const EMPTY_HEADERS: [&str; 43] = [
    "algorithm",
    "array",
    "assert.h",
    "cassert",
    "cctype",
    "cfloat",
    "chrono",
    "climits",
    "cmath",
    "cstddef",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
    "cublas_v2.h",
    "cuda.h",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "curand.h",
    "device_launch_parameters.h",
    "float.h",
    "fstream",
    "functional",
    "iomanip",
    "iostream",
    "limits.h",
    "map",
    "math.h",
    "memory",
    "numeric",
    "random",
    "sstream",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string",
    "string.h",
    "sys/time.h",
    "time.h",
    "unistd.h",
    "vector",
];

/// What every kernel may use of those headers.
pub(super) const PRELUDE: &str = "\
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t; \
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; \
typedef unsigned long long uint64_t; typedef unsigned int uint; typedef unsigned char uchar; \
typedef unsigned short ushort;\n";

/// Words that make a declaration one for the device, or for both.
const OF_DEVICE: [&str; 5] =
    ["__global__", "__device__", "__constant__", "__managed__", "__shared__"];
/// Words with which declarations begin that say what is to come.
const KEPT: [&str; 11] = [
    "typedef",
    "using",
    "struct",
    "class",
    "enum",
    "union",
    "constexpr",
    "static constexpr",
    "const",
    "static const",
    "static_assert",
];

/// The source without functions and variables of the host; what stands at their place are blank lines.
pub(super) fn without_host_code(source: &str) -> String {
    let blank = blanked(source);
    let mut kept = String::with_capacity(source.len());
    let mut at = 0;
    while at < source.len() {
        let end = item_end(&blank, at);
        let (item, plain) = (&source[at..end], blank[at..end].trim());
        if is_kept(plain) {
            kept += item;
        } else if let Some(open) = scope(plain, &blank[at..end]) {
            // A scope's own declarations are traversed.
            let body = at + open + 1;
            let close = at + blank[at..end].rfind('}').unwrap_or(open);
            kept += &source[at..body];
            kept += &without_host_code(&source[body..close.max(body)]);
            kept += &source[close.max(body)..end];
        } else {
            kept.extend(item.chars().filter(|it| *it == '\n'));
        }
        at = end;
    }
    kept
}

fn is_kept(plain: &str) -> bool {
    if plain.is_empty() || plain.starts_with('#') || OF_DEVICE.iter().any(|it| plain.contains(it)) {
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
    begins(behind) && !is_declared_function && !is_function(behind)
}

/// Whether a declaration that begins like a constant or a structure is a function that returns one.
fn is_function(plain: &str) -> bool {
    let head = plain.split('{').next().unwrap_or_default();
    head.contains('(') && !head.contains('=') && plain.contains('{') && !head.starts_with("using")
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
        let kept = without_host_code(source);
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
