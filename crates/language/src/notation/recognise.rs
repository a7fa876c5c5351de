//! Which notation a text is in, by what only that has.

use crate::diagnostic::Span;
use crate::keyword::Keyword;

/// What a listing may be printed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The language itself.
    Plain,
    /// Papers, and books such as CLRS.
    Paper,
    /// C, and what has its statements.
    C,
    /// Python.
    Python,
    /// MATLAB, Fortran and Julia.
    Matrix,
    /// The source of any of LaTeX's packages for algorithms.
    Latex,
}

impl Keyword for Notation {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Plain, "plain", "the language itself, as `umm check --plain` prints it"),
        (Self::Paper, "paper", "pseudocode of papers and books"),
        (Self::C, "c", "C, and what has its statements"),
        (Self::Python, "python", "Python"),
        (Self::Matrix, "matlab", "MATLAB, Fortran or Julia"),
        (
            Self::Latex,
            "latex",
            "LaTeX: algorithmic, algpseudocode, algorithm2e, clrscode, listings, align",
        ),
    ];
}

/// What the names of files end in.
const ENDINGS: [(Notation, &[&str]); 3] = [
    (
        Notation::C,
        &["c", "h", "cc", "cpp", "cxx", "hpp", "java", "js", "ts", "rs", "go", "kt", "swift", "cs"],
    ),
    (Notation::Python, &["py"]),
    (Notation::Matrix, &["m", "f", "for", "f77", "f90", "f95", "f03", "f08", "jl", "r"]),
];

impl Notation {
    /// What the name of a file says of its text.
    pub(crate) fn of_file(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        ENDINGS.iter().find(|it| it.1.contains(&&*ending)).map(|it| it.0)
    }

    /// As a sentence calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "a listing of the language",
            Self::Paper => "pseudocode",
            Self::C => "C",
            Self::Python => "Python",
            Self::Matrix => "MATLAB, Fortran or Julia",
            Self::Latex => "LaTeX",
        }
    }
}

/// A notation, and the line that shows it best.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recognition {
    pub(super) notation: Notation,
    pub(super) line: Span,
}

/// A line counts for a notation by so much.
type Score = fn(&str) -> i32;

fn contains(line: &str, words: &[&str]) -> bool {
    words.iter().any(|it| line.contains(it))
}

fn of_c(line: &str) -> i32 {
    let is_loop = line.contains("for (") || line.contains("for(");
    let types = [
        "int ",
        "float ",
        "double ",
        "void ",
        "unsigned ",
        "long ",
        "const ",
        "size_t ",
        "bool ",
        "char ",
        "static ",
        "uint32_t ",
    ];
    let is_typed = types.iter().any(|it| line.starts_with(it));
    let foreign =
        contains(line, &["←", "<-", ":=", " pardo", " endfor", " end for", "begin", "\\"])
            || line.ends_with(" do")
            || line.ends_with(" then")
            || line == "end"
            || line.starts_with("elseif ");
    if is_of_braces(line) {
        return 4;
    }
    let statement = line.ends_with(';') && !line.contains(":=") && line.contains('=');
    3 * i32::from(is_loop && line.matches(';').count() >= 2)
        + 2 * i32::from(is_typed)
        + 3 * i32::from(
            line.starts_with("#define")
                || line.starts_with("#include")
                || line.starts_with("#pragma"),
        )
        + i32::from(
            line.ends_with('{')
                && contains(line, &["if (", "if(", "while (", "while(", "else", "do", ")"]),
        )
        + i32::from(statement)
        + 2 * i32::from(
            contains(line, &["++", "--;", "&&", "||"]) && line.ends_with([';', '{', ')']),
        )
        + i32::from(
            (line.starts_with("return ") || line.starts_with("while (")) && line.ends_with(';'),
        )
        - 4 * i32::from(foreign)
}

/// Heads of Rust, Go, Kotlin, Swift and JavaScript.
fn is_of_braces(line: &str) -> bool {
    let words = ["fn ", "pub fn ", "func ", "fun ", "function ", "let mut "];
    let is_head = words.iter().any(|it| line.starts_with(it)) && line.ends_with(['{', ';'])
        || line.starts_with("for ")
            && line.ends_with('{')
            && contains(line, &[" in ", ":= ", " of "]);
    is_head && !contains(line, &["←", "<-", "∈"])
}

fn of_python(line: &str) -> i32 {
    let is_head = line.ends_with(':');
    let heads = ["for ", "while ", "if ", "elif ", "else:"];
    let foreign = contains(line, &["←", "<-", ":=", " to ", "{", ";", " downto ", "\\"])
        || line.ends_with(" do:")
        || line.ends_with(" then:");
    4 * i32::from(line.starts_with("def ") && is_head)
        + 4 * i32::from(contains(
            line,
            &[
                "in range(",
                "in prange(",
                " in enumerate(",
                " in zip(",
                " in reversed(",
                " in sorted(",
                "float('inf')",
                "float(\"inf\")",
                "divmod(",
                ".index(",
            ],
        ))
        + 2 * i32::from(line.starts_with("elif ") && is_head)
        + 2 * i32::from(
            line.starts_with("import ") || line.starts_with("from ") && line.contains(" import "),
        )
        + 3 * i32::from(contains(line, &["[1:]", "[:-1]", "[1:-1", "[::-1]", "[:, "]))
        + i32::from(contains(line, &["len(", " // ", "True", "False", "None"]))
        // A value with `if` between: nothing else has that without a `then`.
        + 2 * i32::from(
            line.contains(" = ")
                && line.contains(" if ")
                && line.contains(" else ")
                && !contains(line, &["if (", " then "]),
        )
        + 3 * i32::from(contains(line, &["//=", "np.", "[::-1]", "**="]))
        + 2 * i32::from(
            contains(line, &["sum(", "max(", "min(", "any(", "all("])
                && contains(line, &["len(", " for "]),
        )
        + i32::from(
            is_head
                && heads.iter().any(|it| line.starts_with(it))
                && contains(line, &["==", "<", ">", "!=", "else:"]),
        )
        - 4 * i32::from(foreign)
}

fn of_matrix(line: &str) -> i32 {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> = lower.split([' ', ',', '(']).filter(|it| !it.is_empty()).collect();
    let first = words.first().copied().unwrap_or_default();
    let range = lower.split('%').next().unwrap_or_default();
    let counts = first == "for"
        && range.contains(':')
        && !range.trim_end().ends_with(':')
        && !contains(range, &[":=", "∈ {", "..", "…", ";"])
        && (range.contains('=') || range.contains(" in ") || range.contains('∈'));
    let fortran_loop =
        first == "do" && range.contains('=') && range.contains(',') && !range.contains(';');
    let foreign = contains(line, &["←", "<-", ":=", "{", "\\", " to "])
        || lower.ends_with(" do") && first != "do" && first != "end";
    4 * i32::from(counts)
        + 4 * i32::from(fortran_loop)
        + 4 * i32::from(
            first == "subroutine"
                || first == "parfor"
                || lower.starts_with("do concurrent")
                || lower.starts_with("do while"),
        )
        + 4 * i32::from(contains(
            &lower,
            &[
                "@threads",
                "@inbounds",
                "integer ::",
                "real ::",
                "intent(",
                "implicit none",
                "!$omp",
            ],
        ))
        + 3 * i32::from(first == "function" && line.contains('='))
        + 2 * i32::from(contains(line, &[".*", "zeros(", "~=", "numel(", ".and.", ".or.", " .= "]))
        + 2 * i32::from(line.contains(" .= "))
        + 3 * i32::from(contains(line, &["(end)", ":end)"]) || assigns_part(line))
        + i32::from(
            lower == "end"
                || lower == "end do"
                || lower == "enddo"
                || lower.starts_with("end function")
                || lower.starts_with("end subroutine"),
        )
        - 4 * i32::from(foreign)
}

/// `a(2:n) = …`: a part of an array in round brackets.
fn assigns_part(line: &str) -> bool {
    let Some((target, _)) = line.split_once('=').filter(|it| !it.1.starts_with('=')) else {
        return false;
    };
    let target = target.trim_end();
    let inside = target
        .split_once('(')
        .filter(|it| it.0.chars().all(|it| it.is_ascii_alphanumeric() || it == '_'));
    inside.is_some_and(|it| it.1.ends_with(')') && it.1.contains(':') && !it.1.contains('('))
}

fn of_latex(line: &str) -> i32 {
    let mut commands = 0;
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        rest = &rest[at + 1..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        commands += i32::from(letters >= 2);
    }
    2 * commands.min(3) + 4 * i32::from(line.starts_with("\\begin{"))
}

/// How much the name of its file counts for a text's notation.
const NAMED: i32 = 5;

/// The notation of a text, of which the name of its file may say something.
pub(super) fn recognise(text: &str, of_file: Option<Notation>) -> Recognition {
    let kinds: [(Notation, Score); 4] = [
        (Notation::Latex, of_latex),
        (Notation::C, of_c),
        (Notation::Python, of_python),
        (Notation::Matrix, of_matrix),
    ];
    let start = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    // Nothing but LaTeX has environments.
    let begins = |it: &&str| it.starts_with("\\begin{") && it.contains('}');
    if let Some(line) = text.lines().map(str::trim).find(begins) {
        let line = Span::new(start(line), start(line) + line.len());
        return Recognition { notation: Notation::Latex, line };
    }
    let mut best = Recognition { notation: Notation::Paper, line: Span::default() };
    if super::r::is_r(text) && of_file.is_none_or(|it| it == Notation::Matrix) {
        best.notation = Notation::Matrix;
        return best;
    }
    let mut most = 2;
    for (notation, score) in kinds {
        let scores = || text.lines().map(|line| (score(line.trim()), line.trim()));
        let total: i32 = scores().map(|it| it.0).sum();
        let total = total + if of_file == Some(notation) { NAMED } else { 0 };
        if total > most {
            most = total;
            let line = scores().max_by_key(|it| it.0).map_or(Span::default(), |(_, line)| {
                Span::new(start(line), start(line) + line.len())
            });
            best = Recognition { notation, line };
        }
    }
    if best.notation == Notation::Paper && is_function_of_julia(text) {
        best.notation = Notation::Matrix;
    }
    let has_pragmas =
        || text.lines().any(|it| it.starts_with("#include") || it.starts_with("#define"));
    let is_named = of_file == Some(Notation::C) || text.lines().map(str::trim).any(is_of_braces);
    if best.notation == Notation::C && !is_named && !has_pragmas() && !has_semicolons(text) {
        best.notation = Notation::Paper;
    }
    best
}

/// `function f(a, b)` up to `end`, without a word or a sign that only books have.
fn is_function_of_julia(text: &str) -> bool {
    let lines = || text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#'));
    let of_books = [
        "←", ":=", "<-", "≤", "≥", "≠", "⌊", "⌈", "·", "√", " then", " do", " to ", "//", "lg ",
        "log ",
    ];
    let first = lines().next().unwrap_or_default();
    first.starts_with("function ")
        && first.ends_with(')')
        && lines().next_back() == Some("end")
        && lines().all(|it| !contains(it, &of_books) && !it.ends_with([':', ';']))
}

/// Whether statements end in semicolons: what only looks like C goes by its lines.
fn has_semicolons(text: &str) -> bool {
    let code = |line: &str| {
        let line = line.split("//").next().unwrap_or_default();
        line.split(" # ").next().unwrap_or_default().trim().to_owned()
    };
    let lines: Vec<String> = text.lines().map(code).collect();
    let heads = ["for", "if", "while", "else", "#", "*", "/*", "return", "}"];
    let mut inside = 0_i32;
    let mut is_naked = |line: &String| {
        let outside = inside <= 0;
        inside += line.matches('(').count() as i32 - line.matches(')').count() as i32;
        let assigns = line.contains('=') && !line.contains("==");
        let swaps = line.starts_with("swap ");
        let ends = line.ends_with(|it: char| it.is_ascii_alphanumeric() || it == ']' || it == '_');
        outside && (assigns || swaps) && ends && !heads.iter().any(|it| line.starts_with(it))
    };
    let naked = lines.iter().filter(|it| is_naked(it)).count();
    let ended = lines.iter().filter(|it| it.ends_with(';') && it.contains('=')).count();
    naked == 0 || ended > 2 * naked
}
