//! No text makes the reader panic, hang or overflow the stack, and every refusal points somewhere.

use memory_machine::algorithms::catalogue::{CATALOGUE, ON_DMMS};
use memory_machine::diagnostic::Source;
use memory_machine::language::oblivious::{Origin, first_dependence};
use memory_machine::language::sites::work;
use memory_machine::language::{self, parse};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::Memory;
use memory_machine::run::{Limits, NoopObserver, execute};
use memory_machine::units::{Threads, Width};
use proptest::prelude::*;

/// Reads a text and does all that needs no input with it; says whether it is a listing.
fn survive(text: &str) -> bool {
    let source = Source { name: "fuzz.alg".into(), text: text.to_owned() };
    match language::load(source) {
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("error: "), "{message}");
            assert!(message.contains("fuzz.alg:") || text.is_empty(), "{message}");
            false
        }
        Ok(program) => {
            first_dependence(&program, Origin::Inputs);
            work(&program);
            match parse(&program.listing.to_string()) {
                Ok(again) => assert_eq!(again, program.listing),
                // The brackets that printing adds may nest deeper than is read.
                Err(error) => assert!(error.message.starts_with("nested more than"), "{error:?}"),
            }
            true
        }
    }
}

/// Runs a listing with small sizes, whatever it does.
fn run(text: &str) {
    let source = Source { name: "fuzz.alg".into(), text: text.to_owned() };
    let Ok(program) = language::load(source) else { return };
    let value = |name: &str| Some(if name == "n" { 5 } else { 1 });
    let Ok(layout) = Layout::new(&program, value, Width::new(4).unwrap(), None) else { return };
    if layout.words > 100_000 {
        return;
    }
    let mut memory = Memory::new(&layout).unwrap();
    let limits = Limits::new(Threads::new(7).unwrap(), 100);
    if let Err(error) = execute(&program, &layout, &mut memory, limits, &mut NoopObserver) {
        assert!(error.to_string().contains("fuzz.alg:"), "{error}");
    }
}

/// Words of the language, and what stands between them.
const WORDS: &[&str] = &[
    "algorithm",
    "function",
    "answer",
    "for",
    "to",
    "downto",
    "step",
    "do",
    "in",
    "parallel",
    "on DMMs",
    "with",
    "threads",
    "shared",
    "register",
    "constant",
    "procedure",
    "→",
    "..",
    "break",
    "repeat",
    "until",
    "↔",
    "popcount",
    "rotl",
    "log₂",
    "sin",
    "^",
    "π",
    "u64",
    "0xFF",
    "0b1_0",
    "while",
    "if",
    "then",
    "else",
    "and",
    "or",
    "not",
    "mod",
    "xor",
    "min",
    "max",
    "abs",
    "sqrt",
    "true",
    "false",
    "inf",
    "input",
    "output",
    "inout",
    "work",
    "f32",
    "i32",
    "u32",
    "bool",
    "←",
    "<-",
    "<<",
    ">>",
    "≤",
    "=",
    "≠",
    "<",
    "+",
    "-",
    "×",
    "/",
    "&",
    "|",
    "~",
    "∞",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "a",
    "n",
    "i",
    "x",
    "0",
    "1",
    "9223372036854775807",
    "0.5",
    "1e9",
    "\n",
    "\n  ",
    "\n    ",
    " ",
    "//",
    "#",
    "\t",
    "\r\n",
    "\u{feff}",
    "é",
    "\0",
];

proptest! {
    #![proptest_config(crate::cases(2_000))]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        survive(&text);
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        let text = format!("algorithm t(n)\ninout a[n] : f32\n{}", words.join(" "));
        survive(&text);
    }

    /// Shipped listings with words and lines deleted, doubled and swapped.
    #[test]
    fn spoilt_listings(
        which in 0..CATALOGUE.len() + ON_DMMS.len(),
        edits in proptest::collection::vec((0..7_usize, any::<u16>(), any::<u16>()), 1..6),
    ) {
        let entry = CATALOGUE.iter().chain(ON_DMMS).nth(which).unwrap();
        let mut text = entry.text.to_owned();
        for (edit, a, b) in edits {
            let by_lines = edit < 3;
            let mut parts: Vec<&str> = if by_lines {
                text.split_inclusive('\n').collect()
            } else {
                text.split_inclusive([' ', '[', ']', '(', ')', ',', '\n']).collect()
            };
            let (a, b) = (usize::from(a) % parts.len(), usize::from(b) % parts.len());
            match edit {
                0 | 3 => { parts.remove(a); }
                1 | 4 => parts.insert(a, parts[b]),
                2 | 5 => parts.swap(a, b),
                _ => parts[a] = WORDS[b % WORDS.len()],
            }
            text = parts.concat();
            if text.is_empty() {
                break;
            }
        }
        if survive(&text) {
            run(&text);
        }
    }
}

fn listing(statements: &str) -> String {
    format!("algorithm t(n)\ninout a[n] : i64\n{statements}\n")
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("-", ""),
        ("~", ""),
        ("+", ""),
        ("a[", "]"),
        ("abs(", ")"),
        ("min(1, ", ")"),
        ("if true then 1 else ", ""),
    ] {
        for depth in [10, 100, 1000, crate::share(100_000, 5)] {
            let text = listing(&format!("x ← {}1{}", open.repeat(depth), close.repeat(depth)));
            assert_eq!(survive(&text), depth < 150, "{open} {depth}");
        }
    }
    for depth in [10, 100, 500] {
        let mut text = String::new();
        for level in 0..depth {
            text += &format!("{:1$}if true then\n", "", level);
        }
        text += &format!("{:1$}x ← 1", "", depth);
        assert_eq!(survive(&listing(&text)), depth < 150);
        let one_line = format!("{}x ← 1", "if true then ".repeat(depth));
        assert_eq!(survive(&listing(&one_line)), depth < 150);
    }
}

#[test]
fn chains_are_read_or_refused() {
    for sign in ["+", "and", "×", "<<", "or", "mod", "="] {
        for length in [1, 100, crate::share(200_000, 10)] {
            let item = if matches!(sign, "and" | "or") { "true" } else { "n" };
            let text = listing(&format!("x ← {item}{}", format!(" {sign} {item}").repeat(length)));
            assert_eq!(survive(&text), length < (if sign == "=" { 2 } else { 150 }));
        }
    }
}

/// Chains inside brackets inside chains: each part is shallow, the tree is not.
#[test]
fn depth_does_not_add_up_unseen() {
    let mut text = "n".to_owned();
    for level in 0..140 {
        text = format!("({text}){}", "+1".repeat(level));
    }
    assert!(!survive(&listing(&format!("x ← {text}"))));
}

/// Functions that call each other, each in the body of the next.
fn functions(count: usize, arguments: &str, body: &dyn Fn(usize) -> String) -> String {
    let mut text = format!("algorithm t(n)\noutput a[n] : i64\nfunction h0({arguments}) = 1\n");
    for index in 1..count {
        text += &format!("function h{index}({arguments}) = {}\n", body(index - 1));
    }
    text
}

fn go(text: String, call: &str) -> bool {
    survive(&format!("{text}a[0] ← {call}\n"))
}

#[test]
#[ignore = "takes seconds"]
fn functions_of_a_parameter_that_expand_too_far() {
    let twice = |index| format!("h{index}(x) + h{index}(x)");
    assert!(!go(functions(40, "x", &twice), "h39(n)"));
}

#[test]
fn functions_expand_within_bounds() {
    let twice = |index| format!("h{index}() + h{index}()");
    assert!(go(functions(10, "", &twice), "h9()"));
    assert!(!go(functions(40, "", &twice), "h39()"));
    let once = |index| format!("h{index}(x)");
    assert!(go(functions(100, "x", &once), "h99(n)"));
    let many = crate::share(5000, 5);
    assert!(!go(functions(many, "x", &once), &format!("h{}(n)", many - 1)));
    // Many functions that nobody calls.
    assert!(go(functions(many, "x", &|_| "x × x + x".to_owned()), "h7(n)"));
    let names: Vec<String> = (0..5000).map(|i| format!("p{i}")).collect();
    let many = format!("algorithm t(n)\noutput a[n] : i64\nfunction h({}) = 1\n", names.join(", "));
    assert!(!go(many, "1"));
}

/// Brackets let a line go on further to the left than it begins.
#[test]
fn a_line_may_go_on_to_the_left_of_its_beginning() {
    survive("9223372036854775807 while ( \n ) until");
    survive("algorithm t(n)\n      17: repeat x ← (1 +\n2) until x > 0");
}

#[test]
fn a_listing_of_a_mebibyte_is_read() {
    let line = "a[0] ← a[0] + 1\n";
    let head = "algorithm t(n)\ninout a[n] : i64\n";
    let text = head.to_owned() + &line.repeat(((1 << 20) - head.len()) / line.len());
    assert!(survive(&text));
    assert!(!survive(&(text + line)));
    let comment = format!("{head}//{}\na[0] ← 1\n", "x".repeat(1_000_000));
    assert!(survive(&comment));
    let wide = format!("{head}a[0] ← ({}1{})\n", "\n".repeat(500_000), "\n".repeat(500_000));
    assert!(survive(&wide));
}

/// Each loop's scalar is set before the loop and takes data in it, so that each level needs two looks.
#[test]
fn deep_loops_are_analysed_in_time() {
    let mut text = String::new();
    for level in 0..70 {
        let indent = "  ".repeat(level);
        text += &format!("{indent}s{level} ← 0\n{indent}for v{level} ← 0 to 1 do\n");
    }
    for level in (0..70).rev() {
        text += &format!("{}s{level} ← s{level} + a[0]\n", "  ".repeat(level + 1));
    }
    assert!(survive(&listing(&text)));
}
