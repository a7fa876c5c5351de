//! What the source of a kernel says that its machine code does not: how its parameters are called, and of
//! `extern "C"` what they are.

use super::element::Element;
use super::signature::{Parameter, ParameterType};

/// A kernel's parameters, by their place, from CUDA C.
pub fn parameters(source: &str, kernel: &str) -> Option<Vec<Parameter>> {
    let source = without_comments(source);
    let mut from = 0;
    while let Some(at) = source[from..].find("__global__") {
        let rest = &source[from + at..];
        from += at + "__global__".len();
        let body = rest.find(['{', ';']).unwrap_or(rest.len());
        let head = &rest[..body];
        let Some(place) = word_before_parenthesis(head, kernel) else { continue };
        let inside = parenthesized(&rest[place..])?;
        return Some(split(inside).into_iter().map(parameter).collect());
    }
    None
}

fn without_comments(source: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some(at) = rest.find('/') {
        text += &rest[..at];
        rest = &rest[at..];
        let end = match rest.as_bytes().get(1) {
            Some(b'/') => rest.find('\n').unwrap_or(rest.len()),
            Some(b'*') => rest.find("*/").map_or(rest.len(), |it| it + 2),
            _ => {
                text.push('/');
                1
            }
        };
        text.push(' ');
        rest = &rest[end..];
    }
    text + rest
}

/// Where the parenthesis behind a word begins.
fn word_before_parenthesis(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).find_map(|(at, _)| {
        let is_letter = |it: char| it.is_alphanumeric() || it == '_';
        let before = text[..at].chars().next_back();
        let behind = &text[at + word.len()..];
        let begins = behind.trim_start().starts_with('(');
        let is_word = !before.is_some_and(is_letter) && begins;
        is_word.then(|| at + word.len() + behind.find('(').unwrap_or(0))
    })
}

fn parenthesized(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(1..at);
        }
    }
    None
}

/// At commas that stand in no brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut depth) = (vec![], 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' | '>' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts.retain(|it| !it.trim().is_empty());
    parts
}

/// The last word of a declaration, and what the words before it say.
fn parameter(declaration: &str) -> Parameter {
    let head = declaration.split(['[', '=']).next().unwrap_or_default();
    // Of a pointer to an array, as in `(*x)[4]`, the name stands in brackets.
    let head = head.trim_end_matches(|it: char| it == ')' || it.is_whitespace());
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    let begin = head.rfind(|it| !is_letter(it)).map_or(0, |it| it + 1);
    let brackets = declaration[..declaration.find('=').unwrap_or(declaration.len())].matches('[');
    let pointers = head.matches('*').count() + brackets.count();
    Parameter::plain(Some(head[begin..].to_owned()), kind(&head[..begin], pointers))
}

/// What a declaration's words say, where they are the language's own.
fn kind(words: &str, pointers: usize) -> ParameterType {
    let words = words.replace(['*', '(', ')'], " ");
    let qualifiers = ["const", "volatile", "restrict", "__restrict__", "__restrict", "struct"];
    let words: Vec<&str> = words.split_whitespace().filter(|it| !qualifiers.contains(it)).collect();
    match (number(&words), pointers) {
        (Some(of), 0) => ParameterType::Number(of),
        (of, 1) => ParameterType::Array(of),
        (_, 2..) => ParameterType::Array(None),
        _ => ParameterType::Other,
    }
}

fn number(words: &[&str]) -> Option<Element> {
    let mut plain = words.to_vec();
    plain.retain(|it| !matches!(*it, "signed" | "unsigned"));
    // `long int` and `long` are the same.
    if plain.len() > 1 {
        plain.retain(|it| *it != "int");
    }
    let bytes = match &plain[..] {
        ["float"] => return Some(Element::Float(4)),
        ["double"] => return Some(Element::Float(8)),
        ["half" | "__half"] => return Some(Element::Float(2)),
        ["__nv_bfloat16"] => return Some(Element::Bf16),
        ["bool"] => return Some(Element::Bool),
        ["size_t" | "uint64_t"] => return Some(Element::Unsigned(8)),
        ["uint32_t" | "uint"] => return Some(Element::Unsigned(4)),
        ["uint16_t"] => return Some(Element::Unsigned(2)),
        ["uint8_t"] => return Some(Element::Unsigned(1)),
        ["int64_t" | "ptrdiff_t"] | ["long"] | ["long", "long"] => 8,
        ["int" | "int32_t"] => 4,
        [] if !words.is_empty() => 4,
        ["short" | "int16_t"] => 2,
        ["char" | "int8_t"] => 1,
        _ => return None,
    };
    Some(match words.contains(&"unsigned") {
        true => Element::Unsigned(bytes),
        false => Element::Signed(bytes),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_a_source() {
        let source = "// __global__ void f(int no)\n\
            __global__ void g(int a);\n\
            template <class T, int N> __global__ __launch_bounds__(256)\n\
            void f(const float *__restrict__ x, /* the (sum) */ T (y)[4], int n = 3) {}\n\
            extern \"C\" __global__ void h(unsigned long long a, const unsigned char* b, unsigned c,\n\
            float4 d, double **e, T* f, long int g, short h[]) {}";
        let of = |kernel: &str| parameters(source, kernel).unwrap();
        let names = |kernel: &str| of(kernel).into_iter().map(|it| it.name.unwrap());
        assert_eq!(names("g").collect::<Vec<_>>(), ["a"]);
        assert_eq!(names("f").next().unwrap(), "x");
        assert_eq!(names("f").skip(1).collect::<Vec<_>>(), ["y", "n"]);
        assert_eq!(parameters(source, "k"), None);
        let kinds: Vec<ParameterType> = of("h").into_iter().map(|it| it.of).collect();
        let (number, array) = (ParameterType::Number, ParameterType::Array);
        let expected = [
            number(Element::Unsigned(8)),
            array(Some(Element::Unsigned(1))),
            number(Element::Unsigned(4)),
            ParameterType::Other,
            array(None),
            array(None),
            number(Element::Signed(8)),
            array(Some(Element::Signed(2))),
        ];
        assert_eq!(kinds, expected);
        assert_eq!(of("f")[0].of, array(Some(Element::Float(4))));
    }
}
