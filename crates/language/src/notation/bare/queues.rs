//! Queues and stacks: arrays with the places of their first and last elements.

use std::collections::HashMap;

use crate::notation::layout::number_length;
use crate::notation::output::words;
use crate::notation::token::{LogicalLine, Token, closing};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Queue,
    Stack,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Put,
    Take,
    Show,
    Ask,
}

/// What is done with a queue or a stack, and how many tokens say so.
struct Call {
    does: Does,
    kind: Option<Kind>,
    object: Token,
    value: Vec<Token>,
    length: usize,
}

fn meaning(word: &Token) -> Option<(Does, Option<Kind>)> {
    Some(match word.text.to_ascii_lowercase().as_str() {
        "enqueue" => (Does::Put, Some(Kind::Queue)),
        "push" => (Does::Put, Some(Kind::Stack)),
        "dequeue" => (Does::Take, Some(Kind::Queue)),
        "pop" => (Does::Take, Some(Kind::Stack)),
        "front" => (Does::Show, Some(Kind::Queue)),
        "top" | "peek" => (Does::Show, None),
        "empty" | "isempty" | "is_empty" | "stack_empty" | "queue_empty" => (Does::Ask, None),
        _ => return None,
    })
}

/// `Q.push(x)`, `PUSH(S, x)`, `push x onto S`, `pop(S)`.
fn call(tokens: &[Token]) -> Option<Call> {
    match tokens {
        [object, dot, word, open, ..] if dot.is(".") && open.is("(") && object.is_name() => {
            let (does, kind) = meaning(word)?;
            let close = closing(tokens, 3)?;
            let value = tokens[4..close].to_vec();
            Some(Call { does, kind, object: object.clone(), value, length: close + 1 })
        }
        [word, open, object, next, ..] if open.is("(") && object.is_name() => {
            let (does, kind) = meaning(word)?;
            let close = closing(tokens, 1)?;
            let value = if next.is(",") { tokens[4..close].to_vec() } else { vec![] };
            let is_whole = next.is(",") || close == 3;
            is_whole.then(|| Call { does, kind, object: object.clone(), value, length: close + 1 })
        }
        [word, rest @ ..] => {
            let (does, kind) = meaning(word).filter(|it| it.0 == Does::Put)?;
            let joins = ["onto", "on", "to", "into", "in"];
            let at = rest.iter().position(|it| it.is_any(&joins)).filter(|it| *it > 0)?;
            let skip = usize::from(rest.get(at + 1)?.is_any(&["stack", "queue"]));
            let object = rest.get(at + 1 + skip)?.clone();
            let value = rest[..at].to_vec();
            object.is_name().then_some(Call { does, kind, object, value, length: at + 3 + skip })
        }
        [] => None,
    }
}

/// Rewrites what is done with queues and stacks; says which arrays they are.
pub(super) fn lines(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    let all = || lines.iter().flat_map(|it| (0..it.tokens.len()).map(|at| &it.tokens[at..]));
    // Books that show how they work have their parts.
    let is_shown = |it: &[Token]| {
        matches!(it, [_, dot, word, next, ..] if dot.is(".") && word.is_any(&["top", "head", "tail"]) && !next.is("("))
            || matches!(it, [head, word, ..] if head.is_any(&["procedure", "function", "algorithm", "def"]) && meaning(word).is_some())
    };
    if all().any(is_shown) {
        return vec![];
    }
    let mut kinds: HashMap<String, Kind> = HashMap::new();
    let mut said = vec![];
    for it in all() {
        let Some(Call { kind: Some(kind), object, .. }) = call(it) else { continue };
        if kinds.contains_key(&object.text) {
            continue;
        }
        // `let Q be a queue` goes before `Q.push(x)`.
        let is_named = |word: &str| {
            all().any(|it| matches!(it, [a, rest @ ..] if a.is(&object.text) && rest.iter().take(5).any(|it| it.is_word(word)) && rest.iter().take(5).any(|it| it.is_any(&["be", "new", "empty", "←", "=", ":="])))
                || matches!(it, [a, b, ..] if a.is_word(word) && b.is(&object.text)))
        };
        let kind = if is_named("queue") { Kind::Queue } else { kind };
        kinds.insert(object.text.clone(), kind);
        let text = match kind {
            Kind::Queue => {
                format!("the queue `{0}` is an array from {0}_head to {0}_tail", object.text)
            }
            Kind::Stack => format!("the stack `{0}` is an array up to {0}_top", object.text),
        };
        said.push((object, text));
    }
    if kinds.is_empty() {
        return said;
    }
    for line in lines.iter_mut() {
        line.tokens = rewritten(&line.tokens, &kinds);
    }
    said
}

fn rewritten(tokens: &[Token], kinds: &HashMap<String, Kind>) -> Vec<Token> {
    let number = number_length(tokens).min(tokens.len());
    if let Some(plain) = made(&tokens[number..], kinds) {
        return [&tokens[..number], &plain].concat();
    }
    let mut out: Vec<Token> = vec![];
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if let Some((plain, length)) = step(rest, &mut out, kinds) {
            out.extend(plain);
            at += length;
        } else {
            out.push(tokens[at].clone());
            at += 1;
        }
    }
    out
}

/// One call, or one question, at the beginning of tokens.
fn step(
    rest: &[Token],
    before: &mut Vec<Token>,
    kinds: &HashMap<String, Kind>,
) -> Option<(Vec<Token>, usize)> {
    let like = &rest[0];
    let put = |text: &str, name: &str, parts: &[&[Token]]| {
        let mut plain = words(like, &text.replace('Q', name), parts);
        plain[0].blank.clone_from(&like.blank);
        plain
    };
    if let Some((name, is_empty, length)) = question(rest) {
        let text = match (kinds.get(&name)?, is_empty) {
            (Kind::Queue, true) => "(Q_head > Q_tail)",
            (Kind::Queue, false) => "(Q_head ≤ Q_tail)",
            (Kind::Stack, true) => "(Q_top = 0)",
            (Kind::Stack, false) => "(Q_top > 0)",
        };
        return Some((put(text, &name, &[]), length));
    }
    let it = call(rest)?;
    let name = &it.object.text;
    let kind = kinds.get(name)?;
    let text = match (it.does, kind) {
        (Does::Put, Kind::Queue) => "Q[Q_tail + 1], Q_tail ← {} , Q_tail + 1",
        (Does::Put, Kind::Stack) => "Q[Q_top + 1], Q_top ← {} , Q_top + 1",
        (Does::Show, Kind::Queue) => "Q[Q_head]",
        (Does::Show, Kind::Stack) => "Q[Q_top]",
        (Does::Ask, Kind::Queue) => "(Q_head > Q_tail)",
        (Does::Ask, Kind::Stack) => "(Q_top = 0)",
        (Does::Take, kind) => {
            // `u ← DEQUEUE(Q)`, or nothing is done with the element.
            let (element, by) = match kind {
                Kind::Queue => ("Q[Q_head]", "Q_head ← Q_head + 1"),
                Kind::Stack => ("Q[Q_top]", "Q_top ← Q_top - 1"),
            };
            let arrow = before.last().filter(|it| it.assigns()).cloned();
            let Some(arrow) = arrow else { return Some((put(by, name, &[]), it.length)) };
            before.pop();
            let (scalar, next) = by.split_once(" ← ")?;
            let text = format!("{scalar} ← {element} , {next}");
            let mut plain = vec![Token::glued(",", &arrow)];
            plain.extend(crate::notation::output::spaced(put(&text, name, &[])));
            return Some((plain, it.length));
        }
    };
    Some((put(text, name, &[&it.value]), it.length))
}

/// `Q ≠ ∅`, `Q is not empty`: of what, whether it asks for an empty one, and how many tokens that is.
fn question(tokens: &[Token]) -> Option<(String, bool, usize)> {
    let [name, rest @ ..] = tokens else { return None };
    let nothing = |at: usize| match &rest[at.min(rest.len())..] {
        [set, ..] if set.is("∅") => Some(1),
        [open, close, ..] if open.is("{") && close.is("}") => Some(2),
        _ => None,
    };
    let sign = rest.first()?;
    let (is_empty, length) = match () {
        () if sign.is_any(&["≠", "!=", "<>"]) => (false, 1 + nothing(1)?),
        () if sign.is_any(&["=", "=="]) => (true, 1 + nothing(1)?),
        () if sign.is_word("is") && rest.get(1)?.is_word("empty") => (true, 2),
        () if sign.is_any(&["is", "not"]) => {
            let not = usize::from(sign.is_word("is"));
            let says = rest.get(not)?.is_word("not") && rest.get(not + 1)?.is_word("empty");
            (false, says.then_some(not + 2)?)
        }
        () => return None,
    };
    name.is_name().then(|| (name.text.clone(), is_empty, 1 + length))
}

/// `Q ← ∅`, `let Q be an empty queue`, `Q ← ⟨s⟩`: how it begins.
fn made(tokens: &[Token], kinds: &HashMap<String, Kind>) -> Option<Vec<Token>> {
    let words_of = [
        "let",
        "be",
        "a",
        "an",
        "new",
        "empty",
        "queue",
        "stack",
        "create",
        "initialize",
        "to",
        "as",
        "set",
    ];
    let signs = ["←", ":=", "<-", "=", "∅", "{", "}", "(", ")", "⟨", "⟩", "[", "]", ";"];
    let object = tokens.iter().find(|it| kinds.contains_key(&it.text))?;
    let makes = tokens
        .iter()
        .any(|it| it.is_any(&["be", "new", "empty", "∅", "{", "⟨", "create", "queue", "stack"]));
    let is_head = !tokens[0].is_any(&["if", "while", "until", "repeat", "return", "for", "else"]);
    let asks = tokens.iter().any(|it| it.is_any(&["is", "not", "≠", "."]));
    if !makes || !is_head || asks {
        return None;
    }
    let rest: Vec<Token> = tokens
        .iter()
        .filter(|it| {
            !it.is(&object.text) && !it.is_any(&words_of) && !signs.contains(&it.text.as_str())
        })
        .cloned()
        .collect();
    let holds = tokens.iter().any(|it| it.is_any(&["{", "⟨"])) && !rest.is_empty();
    if !rest.is_empty() && !holds {
        return None;
    }
    let text = match (kinds[&object.text], holds) {
        (Kind::Queue, false) => "Q_head, Q_tail ← 1, 0",
        (Kind::Queue, true) => "Q[1], Q_head, Q_tail ← {} , 1, 1",
        (Kind::Stack, false) => "Q_top ← 0",
        (Kind::Stack, true) => "Q[1], Q_top ← {} , 1",
    };
    let mut plain = words(object, &text.replace('Q', &object.text), &[&rest]);
    (plain[0].blank, plain[0].column) = (tokens[0].blank.clone(), tokens[0].column);
    Some(plain)
}
