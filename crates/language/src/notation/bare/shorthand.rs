//! What books write shorter than the plain form: `0 ≤ i < n`, `x ∈ {2, 3}`, `a ← b ← 0`, `unless`, and branches
//! that return on one line.

use crate::diagnostic::Diagnostic;
use crate::notation::layout::number_length;
use crate::notation::output::{spaced, words};
use crate::notation::token::{LogicalLine, Token, bracketed, closing, depths, position, split};

/// Lines that hold more than one statement of a branch get a line for each.
pub(super) fn lines(lines: &mut Vec<LogicalLine>) {
    lines.iter_mut().for_each(|it| unless(&mut it.tokens));
    lines.iter_mut().for_each(|it| counted(&mut it.tokens));
    for line in lines.iter_mut() {
        by_colon(&mut line.tokens);
        let number = number_length(&line.tokens);
        // `else: return x`
        if let Some([word, colon, _, ..]) = line.tokens.get(number..)
            && word.is_word("else")
            && colon.is(":")
        {
            line.tokens.remove(number + 1);
        }
    }
    compared(lines);
    under_then(lines);
    let mut at = 0;
    while at < lines.len() {
        let parts = returning(&lines[at].tokens);
        if let Some(parts) = parts {
            let comments = std::mem::take(&mut lines[at].comments);
            let made = parts.into_iter().map(|tokens| LogicalLine { tokens, comments: vec![] });
            let mut made: Vec<LogicalLine> = made.collect();
            made[0].comments = comments;
            let count = made.len();
            lines.splice(at..=at, made);
            at += count;
        } else {
            at += 1;
        }
    }
}

/// `for i = 1 to n: a[i] = 0`, `if c: s`: the colon stands for `do` or `then`.
fn by_colon(tokens: &mut [Token]) {
    let number = number_length(tokens).min(tokens.len());
    let code = &tokens[number..];
    let Some(first) = code.first() else { return };
    let word = match () {
        () if first.is_any(&["for", "forall", "foreach", "while", "parfor"]) => "do",
        () if first.is_any(&["if", "elseif", "elif", "elsif"]) => "then",
        () => return,
    };
    let Some(colon) = position(code, &[":"]).filter(|it| *it > 1) else { return };
    let behind = &code[colon + 1..];
    let has_head = position(code, &["do", "then", "pardo", "?"]).is_some();
    if !has_head
        && position(behind, &["←", ":=", "<-", "="]).is_some_and(|it| it > 0)
        && super::clauses::begins(behind)
    {
        let at = number + colon;
        tokens[at] = Token::made(word, &tokens[at]);
        tokens[at + 1].blank = " ".to_owned();
    }
}

/// `compare-exchange(x, y)` of networks that sort: the lesser one is put first.
fn compared(lines: &mut [LogicalLine]) {
    let is_call = |it: &[Token]| {
        let joined = it[0].is_any(&[
            "compare_exchange",
            "compareexchange",
            "compareandexchange",
            "compexch",
        ]);
        let names = it[0].is_any(&["compare", "comp"])
            && it[1].is_any(&["-", "–", "_"])
            && it[2].is_any(&["exchange", "exch", "swap"]);
        let length = if joined { 1 } else { 3 };
        (joined || names).then_some(length).filter(|length| it[*length].is("("))
    };
    let places = |it: &LogicalLine| {
        (0..it.tokens.len().saturating_sub(4)).find_map(|at| Some((at, is_call(&it.tokens[at..])?)))
    };
    let is_head = |it: &LogicalLine| {
        it.tokens.iter().take(2).any(|it| it.is_any(&["procedure", "function", "algorithm"]))
    };
    // Where it is the algorithm's own, that is what it does.
    if lines.iter().any(|it| is_head(it) && places(it).is_some()) {
        return;
    }
    for line in lines {
        let Some((at, length)) = places(line) else { continue };
        let Some(close) = closing(&line.tokens, at + length) else { continue };
        let parts = split(&line.tokens[at + length + 1..close], &[","]);
        let [x, y] = parts[..] else { continue };
        let mut plain = words(&line.tokens[at], "if {} > {} then swap {} with {}", &[x, y, x, y]);
        plain[0].blank.clone_from(&line.tokens[at].blank);
        line.tokens.splice(at..=close, plain);
    }
}

/// `repeat n times`, `loop i from 0 to n`.
fn counted(tokens: &mut Vec<Token>) {
    let number = number_length(tokens).min(tokens.len());
    if let Some(word) = tokens.get_mut(number)
        && word.is_any(&["pfor", "par_for", "parallel_for", "cilk_for", "doall"])
    {
        word.text = "parfor".to_owned();
    }
    match &tokens[number..] {
        [word, count @ .., times] | [word, count @ .., times, _]
            if word.is_any(&["repeat", "do", "loop"])
                && times.is_word("times")
                && !count.is_empty() =>
        {
            let variable = Token::made(format!("time_{}_", word.span.start), word);
            let plain = words(word, "for {} ← 1 to {} do", &[&[variable], count]);
            let first = Token { blank: word.blank.clone(), ..plain[0].clone() };
            tokens.splice(number.., plain);
            tokens[number] = first;
        }
        [word, variable, from, ..]
            if word.is_word("loop") && variable.is_name() && from.is_any(&["from", "in"]) =>
        {
            tokens[number].text = "for".to_owned();
        }
        _ => {}
    }
}

/// `unless c do s`, `s unless c`, `s if c`.
fn unless(tokens: &mut Vec<Token>) {
    let number = number_length(tokens).min(tokens.len());
    let code = &tokens[number..];
    let verb = usize::from(
        code.first()
            .is_some_and(|it| it.is_any(&["initialize", "initialise", "set", "let", "compute"])),
    );
    let arrow = position(code, &["←", ":=", "<-", "=", "+=", "-="]);
    // A name, or an element, and the sign.
    let is_target = |at: usize| match &code[verb.min(at)..at] {
        [name] => name.is_name(),
        [name, brackets @ ..] => name.is_name() && closing(brackets, 0) == Some(brackets.len() - 1),
        [] => false,
    };
    let is_assignment = arrow.is_some_and(is_target)
        && !code[0].is_any(&["for", "forall", "if", "while", "elseif", "else", "until", "return"]);
    // `M[0, w] = 0 for each w = 0, 1, …, W`
    if is_assignment
        && let Some(at) = position(code, &["for"]).filter(|it| *it > 2)
        && code[at - 1].ends_operand()
        && position(code, &["do", "then", "if"]).is_none()
    {
        let made = |text: &str| Token::made(text, &code[at]);
        let first = Token { column: code[0].column, blank: code[0].blank.clone(), ..made("for") };
        let statement = spaced(code[verb..at].to_vec());
        let plain = [vec![first], code[at + 1..].to_vec(), vec![made("do")], statement].concat();
        tokens.splice(number.., plain);
        return;
    }
    if is_assignment
        && let Some(at) = position(code, &["unless", "if"]).filter(|it| *it > 2)
        && position(code, &["then", "else"]).is_none()
        && code[at - 1].ends_operand()
        && at + 1 < code.len()
    {
        let word = &code[at];
        let made = |text: &str| Token::made(text, word);
        let condition = match word.is_word("if") {
            true => code[at + 1..].to_vec(),
            false => [vec![made("not")], spaced(bracketed(code[at + 1..].to_vec()))].concat(),
        };
        let first = Token { column: code[0].column, blank: code[0].blank.clone(), ..made("if") };
        let statement = spaced(code[..at].to_vec());
        let plain = [vec![first], condition, vec![made("then")], statement].concat();
        tokens.splice(number.., plain);
        return;
    }
    let code = &tokens[number..];
    let Some(first) = code.first().filter(|it| it.is_word("unless")) else { return };
    if code.get(1).is_none_or(Token::assigns) {
        return;
    }
    let end = position(code, &["do", "then", ":"]).unwrap_or(code.len());
    let condition = bracketed(code[1..end].to_vec());
    let made = |text: &str| Token::made(text, first);
    let behind = code.get(end + 1..).unwrap_or_default().to_vec();
    let plain =
        [vec![first.with("if"), made("not")], spaced(condition), vec![made("then")], behind]
            .concat();
    tokens.splice(number.., plain);
}

/// An `else` that stands under the `then` of the line above belongs to its `if`.
fn under_then(lines: &mut [LogicalLine]) {
    let mut above: Option<(usize, usize)> = None;
    for line in lines {
        let number = number_length(&line.tokens);
        let Some(first) = line.tokens.get(number) else { continue };
        if let (true, Some((then, head))) = (first.is_word("else"), above)
            && first.column == then
        {
            line.tokens[number].column = head;
            continue;
        }
        let then = line.tokens[number..].iter().find(|it| it.is_word("then"));
        let is_branch = first.is_word("if");
        above = then.filter(|_| is_branch).map(|it| (it.column, first.column));
    }
}

/// Whether a branch of a line has several assignments: `then x ← 1, y ← 2`.
fn has_list(code: &[Token]) -> bool {
    let start = match position(code, &["then"]) {
        Some(then) => then + 1,
        None if code[0].is_word("else") => 1,
        None => return false,
    };
    let is_list = |it: &[Token]| {
        let parts = split(it, &[","]);
        let assigns = |it: &&[Token]| position(it, &["←", ":=", "<-"]).is_some_and(|at| at > 0);
        parts.len() > 1 && parts.iter().all(assigns)
    };
    let is_plain = position(&code[start..], &[";", "then", "if"]).is_none();
    is_plain && split(&code[start..], &["else"]).into_iter().any(is_list)
}

/// `if c then return e else return f`, and `else return f`: a line for each part.
fn returning(tokens: &[Token]) -> Option<Vec<Vec<Token>>> {
    let number = number_length(tokens).min(tokens.len());
    let code = &tokens[number..];
    let first = code.first().filter(|it| it.is_any(&["if", "else", "elseif", "elif", "elsif"]))?;
    const VERBS: [&str; 7] =
        ["return", "set", "let", "increment", "decrement", "increase", "decrease"];
    let returns = |it: &[Token]| {
        it[0].is_any(&["then", "else"])
            && it[1].is_any(if position(code, &[";"]).is_none() { &VERBS } else { &VERBS[..1] })
    };
    if !code.windows(2).any(returns) && !has_list(code) {
        return None;
    }
    let column = first.column;
    let mut parts: Vec<Vec<Token>> = vec![];
    let body = |tokens: &[Token]| {
        let mut tokens = tokens.to_vec();
        if let Some(first) = tokens.first_mut() {
            first.column = column + 2;
        }
        tokens
    };
    let mut rest = code;
    if !first.is_word("else") || rest.get(1).is_some_and(|it| it.is_word("if")) {
        let then = position(rest, &["then"])?;
        parts.push(rest[..=then].to_vec());
        rest = &rest[then + 1..];
        let end = position(rest, &["else"]).unwrap_or(rest.len());
        let inside = match &rest[..end] {
            [inner @ .., last] if last.is_any(&[";", ","]) => inner,
            all => all,
        };
        if inside.is_empty() {
            return None;
        }
        parts.push(body(inside));
        rest = &rest[end..];
    }
    if let [other, behind @ ..] = rest {
        let mut other = other.clone();
        other.column = column;
        if behind.first()?.is_word("if") {
            return None;
        }
        parts.push(vec![other]);
        parts.push(body(behind));
    }
    parts[0] = [&tokens[..number], &parts[0][..]].concat();
    Some(parts)
}

/// The vulgar fractions that letters have.
pub(super) fn fractions(tokens: &mut Vec<Token>) {
    const VULGAR: [(&str, &str); 3] = [("½", "0.5"), ("¼", "0.25"), ("¾", "0.75")];
    let mut at = 0;
    while at < tokens.len() {
        if let Some((_, value)) = VULGAR.iter().find(|it| tokens[at].is(it.0)) {
            tokens[at].text = (*value).to_owned();
            let next = tokens.get(at + 1);
            if next.is_some_and(|it| it.is_name() || it.is_number() || it.is("(")) {
                let sign = Token::made("×", &tokens[at]);
                tokens.insert(at + 1, sign);
                at += 1;
            }
        }
        at += 1;
    }
}

/// `a ← b ← e` is `b ← e` and `a ← b`; `a, b = e, f` has an arrow in the plain form.
pub(super) fn assignments(tokens: &[Token]) -> Option<Vec<Vec<Token>>> {
    let signs: Vec<usize> = {
        let levels = depths(tokens);
        (0..tokens.len()).filter(|&at| levels[at] == 0 && tokens[at].assigns()).collect()
    };
    let first = *signs.first()?;
    if tokens[0].is_any(&[
        "for", "forall", "if", "while", "let", "set", "until", "return", "else", "foreach",
    ]) {
        return None;
    }
    if let [arrow] = signs[..]
        && tokens[arrow].is("=")
        && let targets = split(&tokens[..arrow], &[","])
        && targets.len() > 1
        && split(&tokens[arrow + 1..], &[","]).len() == targets.len()
        && targets.iter().all(|it| is_target(it))
    {
        let mut plain = tokens.to_vec();
        plain[arrow].text = "←".to_owned();
        return Some(vec![plain]);
    }
    let second = *signs.get(1)?;
    let is_alike = signs.iter().all(|at| tokens[*at].text == tokens[first].text);
    let mut targets: Vec<&[Token]> = vec![&tokens[..first]];
    targets.extend(signs.windows(2).map(|it| &tokens[it[0] + 1..it[1]]));
    if !is_alike || !targets.iter().all(|it| is_target(it)) || second + 1 >= tokens.len() {
        return None;
    }
    let last = signs[signs.len() - 1];
    // The value is that of the last name, which has it first.
    let mut made = vec![[targets[targets.len() - 1], &tokens[last..]].concat()];
    for pair in targets.windows(2).rev() {
        made.push([pair[0], &[tokens[first].clone()], &spaced(pair[1].to_vec())].concat());
    }
    made.iter_mut().for_each(|it| it[0].column = tokens[0].column);
    Some(made)
}

fn is_target(tokens: &[Token]) -> bool {
    match tokens {
        [name] => name.is_name(),
        [name, open, ..] => {
            name.is_name() && open.is("[") && closing(tokens, 1) == Some(tokens.len() - 1)
        }
        [] => false,
    }
}

/// `^` beside `**`: one of them is no power.
pub(super) fn powers(lines: &[LogicalLine]) -> Option<Diagnostic> {
    let all = || lines.iter().flat_map(|it| &it.tokens);
    let sign = all().find(|it| it.is("^")).filter(|_| all().any(|it| it.is("**")))?;
    Some(
        Diagnostic::new(sign.span, "`^` beside `**`: exclusive or as in Python, or a power, too")
            .help("write `xor`, or `**` for the power; --notation python says that it is Python"),
    )
}
