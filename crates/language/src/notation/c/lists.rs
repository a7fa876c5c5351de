//! Lists, stacks and queues that grow: an array, and how many elements there are, or went.

use crate::notation::output::Output;
use crate::notation::token::{Token, closing, position};

/// Types of lists, and which of them are left at the end that was filled first.
const LISTS: [&str; 12] = [
    "vector",
    "stack",
    "queue",
    "deque",
    "List",
    "ArrayList",
    "Stack",
    "Deque",
    "Queue",
    "LinkedList",
    "ArrayDeque",
    "Vector",
];
const ADDS: [&str; 11] = [
    "push_back",
    "emplace_back",
    "push",
    "add",
    "Add",
    "append",
    "offer",
    "Push",
    "Enqueue",
    "addLast",
    "emplace",
];

struct List {
    name: Token,
    element: &'static str,
    /// Tokens of its declaration.
    declared: (usize, usize),
    /// What is taken first went in first.
    is_queue: bool,
}

fn element(of: &Token) -> &'static str {
    match of.text.as_str() {
        "Integer" | "int" | "Int" => "int",
        "Long" | "long" => "long",
        "Double" | "double" => "double",
        "Float" | "float" => "float",
        "bool" | "Boolean" => "bool",
        "char" | "Character" => "char",
        _ => "var",
    }
}

/// The next list that is declared empty, from a place on.
fn next(tokens: &[Token], from: usize) -> Option<List> {
    (from..tokens.len()).find_map(|at| {
        let begins =
            at.checked_sub(1).is_none_or(|it| tokens[it].is_any(&[";", "{", "}", ")", "final"]));
        let rest = &tokens[at..];
        let end = position(rest, &[";"]).filter(|_| begins)?;
        let is_value =
            |it: &[Token]| it.iter().any(|it| it.is("new")) && it.iter().all(|it| !it.is_number());
        let (name, of, word) = match &rest[..end] {
            // `vector<int> v`, `List<Integer> v = new ArrayList<>()`
            [word, open, of, close, name, value @ ..]
                if LISTS.contains(&&*word.text)
                    && open.is("<")
                    && close.is(">")
                    && (value.is_empty() || is_value(value)) =>
            {
                (name, element(of), word.text.as_str())
            }
            // `var v = []`
            [word, name, sign, open, close]
                if word.is_any(&["var", "let", "const"])
                    && sign.is("=")
                    && open.is("[")
                    && close.is("]") =>
            {
                (name, "var", "")
            }
            // `var v = mutableListOf<Int>()`
            [word, name, sign, made, open, of, close, ..]
                if word.is_any(&["var", "val"])
                    && sign.is("=")
                    && made.is_any(&["mutableListOf", "ArrayList", "ArrayDeque"])
                    && open.is("<")
                    && close.is(">") =>
            {
                (name, element(of), made.text.as_str())
            }
            _ => return None,
        };
        let mut behind =
            tokens[at + end..].windows(3).filter(|it| it[0].is(&name.text) && it[1].is("."));
        let grows = behind.clone().any(|it| ADDS.contains(&&*it[2].text));
        let leaves = [
            "shift",
            "poll",
            "remove",
            "pop_front",
            "front",
            "Dequeue",
            "removeFirst",
            "pollFirst",
            "element",
        ];
        let is_queue =
            word == "queue" || word == "Queue" || behind.any(|it| leaves.contains(&&*it[2].text));
        grows.then(|| List { name: name.clone(), element: of, declared: (at, at + end), is_queue })
    })
}

/// The program with arrays in place of lists.
pub(super) fn as_arrays(tokens: Vec<Token>, out_of: &mut Output) -> Vec<Token> {
    let (mut tokens, mut from) = (tokens, 0);
    while let Some(list) = next(&tokens, from) {
        let (start, end) = list.declared;
        out_of.hints.array(&Token::variable(&list.name)).grows = true;
        let mut depth = 0_i32;
        let is_out = |at: &usize| {
            depth += i32::from(tokens[*at].is("{")) - i32::from(tokens[*at].is("}"));
            depth < 0
        };
        let scope = (end..tokens.len()).find(is_out).unwrap_or(tokens.len());
        let own = |what: &str| {
            let mut name = format!("{}_{what}", list.name.text);
            while tokens.iter().any(|it| it.is(&name)) {
                name.push('_');
            }
            name
        };
        let (count, first) = (own("count"), own("first"));
        let made = |text: &str| {
            let of = |word: &str| {
                list.name.with(match word {
                    "$v" => &list.name.text,
                    "$n" => &count,
                    "$f" => &first,
                    "$t" => list.element,
                    other => other,
                })
            };
            text.split(' ').map(of).collect::<Vec<_>>()
        };
        let mut out = made("$t $v [ ] ; int $n = 0 ;");
        if list.is_queue {
            out.extend(made("int $f = 0 ;"));
        }
        let mut at = end + 1;
        while at < scope {
            let rest = &tokens[at..scope];
            match list.replaced(rest, out.last(), &made) {
                Some((new, length)) => {
                    out.extend(new);
                    at += length;
                }
                None => {
                    out.push(rest[0].clone());
                    at += 1;
                }
            }
        }
        tokens.splice(start..scope.max(end + 1).min(tokens.len()), out);
        from = start + 1;
    }
    tokens
}

impl List {
    /// What a use of the list at the beginning of `rest` is, and how many tokens that were.
    fn replaced(
        &self,
        rest: &[Token],
        before: Option<&Token>,
        made: &dyn Fn(&str) -> Vec<Token>,
    ) -> Option<(Vec<Token>, usize)> {
        // `for (int x : v)`
        if let [word, open, ..] = rest
            && word.is("for")
            && open.is("(")
            && let Some(close) = closing(rest, 1)
            && let [head @ .., colon, of] = &rest[2..close]
            && colon.is(":")
            && of.is(&self.name.text)
        {
            let at = format!("{}_at", self.name.text);
            let from = if self.is_queue { "$f" } else { "0" };
            let mut out = made(&format!("for ( int {at} = {from} ; {at} < $n ; {at} ++ ) {{"));
            out.extend_from_slice(head);
            out.extend(made(&format!("= $v [ {at} ] ;")));
            let body = &rest[close + 1..];
            let end = match body.first()? {
                open if open.is("{") => closing(body, 0)?,
                _ => position(body, &[";"])?,
            };
            // What is in the body is looked at in its turn.
            let inner = self.all(&body[..=end], made);
            out.extend(inner);
            out.extend(made("}"));
            return Some((out, close + end + 2));
        }
        if let [len, open, name, close, ..] = rest
            && len.is("len")
            && open.is("(")
            && name.is(&self.name.text)
            && close.is(")")
        {
            return Some((made(if self.is_queue { "( $n - $f )" } else { "$n" }), 4));
        }
        let [name, dot, what, ..] = rest else { return None };
        if !name.is(&self.name.text) || !dot.is(".") || before.is_some_and(|it| it.is(".")) {
            return None;
        }
        let inside = match rest.get(3) {
            Some(open) if open.is("(") => &rest[4..closing(rest, 3)?],
            _ => &[],
        };
        let length = if rest.get(3).is_some_and(|it| it.is("(")) { inside.len() + 5 } else { 3 };
        let is_statement = before.is_none_or(|it| it.is_any(&[";", "{", "}", ")", "else"]))
            && rest.get(length).is_some_and(|it| it.is(";"));
        let inside = self.all(inside, made);
        let size = if self.is_queue { "( $n - $f )" } else { "$n" };
        let last = made("$v [ $n - 1 ]");
        let new = match what.text.as_str() {
            add if ADDS.contains(&add) && is_statement && !inside.is_empty() => {
                let text = [made("{ $v [ $n ] ="), inside, made("; $n ++ ; }")].concat();
                return Some((text, length + 1));
            }
            "size" | "length" | "Count" | "count" => made(size),
            "empty" | "isEmpty" => made(&format!("( {size} == 0 )")),
            "back" | "top" | "last" | "getLast" | "peekLast" | "Peek" => last,
            "peek" if !self.is_queue => last,
            "front" | "peek" | "element" | "first" | "peekFirst" | "getFirst" if self.is_queue => {
                made("$v [ $f ]")
            }
            "pop_front" | "shift" | "poll" | "remove" | "Dequeue" | "removeFirst" | "pollFirst"
                if inside.is_empty() =>
            {
                made(if is_statement { "$f ++" } else { "$v [ $f ++ ]" })
            }
            // C++'s queue.
            "pop" if self.is_queue && is_statement => made("$f ++"),
            "pop" | "pop_back" | "Pop" | "removeLast" | "pollLast"
                if !self.is_queue || what.is("pop_back") =>
            {
                made(if is_statement { "$n --" } else { "$v [ -- $n ]" })
            }
            "get" | "at" => [made("$v ["), inside, made("]")].concat(),
            "set" if is_statement => {
                let at = position(&inside, &[","])?;
                [made("$v ["), inside[..at].to_vec(), made("] ="), inside[at + 1..].to_vec()]
                    .concat()
            }
            "clear" | "Clear" => made(if self.is_queue { "$f = $n" } else { "$n = 0" }),
            "begin" => made("$v + 0"),
            "end" => made("$v + $n"),
            _ => return None,
        };
        Some((new, length))
    }

    fn all(&self, tokens: &[Token], made: &dyn Fn(&str) -> Vec<Token>) -> Vec<Token> {
        let (mut out, mut at) = (vec![], 0);
        while at < tokens.len() {
            match self.replaced(&tokens[at..], out.last(), made) {
                Some((new, length)) => {
                    out.extend(new);
                    at += length;
                }
                None => {
                    out.push(tokens[at].clone());
                    at += 1;
                }
            }
        }
        out
    }
}
