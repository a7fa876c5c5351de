//! What the source of a kernel says that its machine code does not: how its parameters are called.

/// The names of a kernel's parameters, by their place, from CUDA C.
pub fn parameter_names(source: &str, kernel: &str) -> Option<Vec<String>> {
    let source = without_comments(source);
    let mut from = 0;
    while let Some(at) = source[from..].find("__global__") {
        let rest = &source[from + at..];
        from += at + "__global__".len();
        let body = rest.find(['{', ';']).unwrap_or(rest.len());
        let head = &rest[..body];
        let Some(place) = word_before_parenthesis(head, kernel) else { continue };
        let inside = parenthesized(&rest[place..])?;
        return Some(split(inside).into_iter().map(name).collect());
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

/// The last word of a declaration.
fn name(declaration: &str) -> String {
    let head = declaration.split(['[', '=']).next().unwrap_or_default().trim_end();
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    let begin = head.rfind(|it| !is_letter(it)).map_or(0, |it| it + 1);
    head[begin..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parameters() {
        let source = "// __global__ void f(int no)\n\
            __global__ void g(int a);\n\
            template <class T, int N> __global__ __launch_bounds__(256)\n\
            void f(const float *__restrict__ x, /* the (sum) */ T (y)[4], int n = 3) {}";
        assert_eq!(parameter_names(source, "g").unwrap(), ["a"]);
        assert_eq!(parameter_names(source, "f").unwrap()[0], "x");
        assert_eq!(parameter_names(source, "f").unwrap()[2], "n");
        assert_eq!(parameter_names(source, "h"), None);
    }
}
