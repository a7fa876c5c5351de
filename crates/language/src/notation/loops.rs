//! Heads of `for` loops: `for 0 ≤ i < n`, `for i = 1, 2, …, n`, `forall i ∈ {0, …, n-1}`.

use super::expression::{integer, plus};
use super::token::{DOTS, Token, closing, position, split};

/// `for variable ← from to to`.
struct Loop {
    variable: Token,
    from: Vec<Token>,
    to: Vec<Token>,
    downward: bool,
    step: Option<Vec<Token>>,
}

const UPWARD: [&str; 3] = ["<", "≤", "<="];
const DOWNWARD: [&str; 3] = [">", "≥", ">="];
const ARROWS: [&str; 7] = ["←", "<-", ":=", "⟵", "=", "≔", "from"];

/// A line that begins with `for`, or a word for it: its head, as the plain form has it, and what stands
/// behind the head on the line. `None` if it is not understood.
pub(super) fn head(tokens: &[Token]) -> Option<(Vec<Token>, Vec<Token>)> {
    let first = &tokens[0];
    let second = tokens.get(1)?;
    let (mut parallel, skip) = match first.text.to_ascii_lowercase().as_str() {
        "parallel" | "par" if second.is_word("for") => (true, 2),
        "forall" | "parfor" => (true, 1),
        "foreach" => (false, 1),
        "for" if second.is_word("all") => (true, 2),
        "for" if second.is_any(&["each", "every"]) => (false, 2),
        "for" => (false, 1),
        _ => return None,
    };
    let of_c = super::counted::counted(&tokens[skip..]);
    let of_c =
        of_c.map(|(head, rest)| [head, vec![Token::made("do", first)], rest.to_vec()].concat());
    let tokens = of_c.as_deref().unwrap_or(&tokens[skip..]);
    let end = position(tokens, &["do", "pardo", "dopar"]);
    let (range, mut rest) = match end {
        Some(end) => (&tokens[..end], &tokens[end + 1..]),
        None => (tokens, &tokens[tokens.len()..]),
    };
    parallel |= end.is_some_and(|end| tokens[end].is_any(&["pardo", "dopar"]));
    let range = match range {
        // `par do`, `par-do`.
        [range @ .., par] | [range @ .., par, _] if par.is_word("par") => {
            parallel = true;
            range
        }
        all => all,
    };
    let dmms = |it: &[Token]| {
        position(it, &["on"]).is_some_and(|at| it.get(at + 1).is_some_and(|it| it.is("DMMs")))
    };
    if dmms(range) || dmms(rest) {
        return None;
    }
    if let [one, two, behind @ ..] = rest
        && one.is_word("in")
        && two.is_word("parallel")
    {
        (parallel, rest) = (true, behind);
    }
    let (range, says_so) = without_parallel(range);
    parallel |= says_so;
    let mut plain = vec![];
    for (index, it) in loops(range)?.into_iter().enumerate() {
        let like = if index == 0 { first } else { &it.variable };
        let word = |text: &str| Token::made(text, like);
        plain.push(if index == 0 { first.with("for") } else { word("for") });
        plain.extend([Token::made(&it.variable.text, &it.variable), word("←")]);
        plain.extend(behind_blank(it.from));
        plain.push(word(if it.downward { "downto" } else { "to" }));
        plain.extend(behind_blank(it.to));
        if let Some(step) = it.step {
            plain.push(word("step"));
            plain.extend(behind_blank(step));
        }
        plain.push(word("do"));
        plain.extend(parallel.then(|| [word("in"), word("parallel")]).into_iter().flatten());
    }
    Some((plain, rest.to_vec()))
}

fn behind_blank(mut tokens: Vec<Token>) -> Vec<Token> {
    if let Some(first) = tokens.first_mut() {
        first.blank = " ".to_owned();
    }
    tokens
}

/// Without a `,`, a `:` or `in parallel` at the end.
fn without_parallel(mut range: &[Token]) -> (&[Token], bool) {
    let mut parallel = false;
    loop {
        range = match range {
            [rest @ .., last] if last.is_any(&[",", ":"]) => rest,
            [rest @ .., one, two] if one.is_word("in") && two.is_word("parallel") => {
                parallel = true;
                rest
            }
            _ => return (range, parallel),
        };
    }
}

fn loops(range: &[Token]) -> Option<Vec<Loop>> {
    if let Some(pairs) = of_product(range) {
        return pairs.into_iter().map(|(name, set)| listed(name, set, true)).collect();
    }
    if let Some(names) = of_several(range) {
        return names.into_iter().map(|(name, set)| listed(name, set, true)).collect();
    }
    let [variable, second, rest @ ..] = range else { return None };
    if variable.is_name() && second.is_any(&ARROWS) && position(rest, &DOTS).is_none() {
        return Some(vec![bounded(variable, rest)?]);
    }
    if variable.is_name() && (second.is_any(&["∈", "in"]) || second.is_any(&ARROWS)) {
        return Some(vec![listed(variable, rest, second.is("∈"))?]);
    }
    chains(range)
}

/// `i, j ∈ {1, …, n}`: each variable with the set.
fn of_several(range: &[Token]) -> Option<Vec<(&Token, &[Token])>> {
    let sign = range.iter().position(|it| it.is("∈")).filter(|it| *it > 1)?;
    let set = range.get(sign + 1..).filter(|it| it.first().is_some_and(Token::opens))?;
    let is_whole = closing(set, 0) == Some(set.len() - 1);
    let names = split(&range[..sign], &[","]).into_iter().map(|it| match it {
        [name] if name.is_name() => Some((name, set)),
        _ => None,
    });
    names.collect::<Option<Vec<_>>>().filter(|it| it.len() > 1 && is_whole)
}

/// `(i, j) ∈ {1, …, n} × {1, …, m}`: each variable with its set.
fn of_product(range: &[Token]) -> Option<Vec<(&Token, &[Token])>> {
    let close = closing(range, 0).filter(|_| range[0].is("("))?;
    let sign = range.get(close + 1)?;
    let names = split(&range[1..close], &[","]);
    let sets = split(range.get(close + 2..)?, &["×", "*"]);
    if !sign.is_any(&["∈", "in"]) || names.len() != sets.len() || names.len() < 2 {
        return None;
    }
    let mut found = vec![];
    for (name, set) in names.into_iter().zip(sets) {
        let [name] = name else { return None };
        if !name.is_name() || !set.first()?.is_any(&["{", "["]) {
            return None;
        }
        found.push((name, set));
    }
    Some(found)
}

/// `from to to step step`, with the words that other books have.
fn bounded(variable: &Token, tokens: &[Token]) -> Option<Loop> {
    let variable = variable.clone();
    if let Some(step) = position(tokens, &["step"])
        && let Some(until) = position(tokens, &["until"]).filter(|&until| until > step)
    {
        // Algol's order.
        let (from, to) = (tokens[..step].to_vec(), tokens[until + 1..].to_vec());
        let step = Some(tokens[step + 1..until].to_vec());
        return Some(Loop { variable, from, to, downward: false, step });
    }
    let to = position(tokens, &["to", "until", "upto", "downto"])?;
    let (before, is_down) = match &tokens[..to] {
        [before @ .., down] if down.is_word("down") => (before, true),
        all => (all, tokens[to].is_word("downto")),
    };
    let behind = &tokens[to + 1..];
    let by = position(behind, &["step", "by"]);
    let step = by.map(|by| behind[by + 1..].to_vec());
    // `to 1 by −1` goes down.
    let (downward, step) = match step.as_deref().and_then(integer) {
        Some(-1) => (true, None),
        Some(by @ ..0) => {
            let place = tokens[to].clone();
            (true, Some(vec![Token::made(by.unsigned_abs().to_string(), &place)]))
        }
        _ => (is_down, step),
    };
    let to = behind[..by.unwrap_or(behind.len())].to_vec();
    Some(Loop { variable, from: before.to_vec(), to, downward, step })
}

/// `{a, …, b}`, `a..b`, `1, 2, …, n`, `range(a, b)`.
fn listed(variable: &Token, tokens: &[Token], is_set: bool) -> Option<Loop> {
    let variable = variable.clone();
    if let [range, open, inside @ .., close] = tokens
        && range.is("range")
        && open.is("(")
        && close.is(")")
    {
        let zero = vec![Token::made("0", range)];
        let (from, end, step) = match split(inside, &[","])[..] {
            [end] => (zero, end, None),
            [from, end] => (from.to_vec(), end, None),
            [from, end, step] => (from.to_vec(), end, Some(step.to_vec())),
            _ => return None,
        };
        return Some(Loop { variable, from, to: plus(end.to_vec(), -1), downward: false, step });
    }
    if let [open, inside @ .., close] = tokens
        && open.is("[")
        && close.is("]")
        && is_set
        && position(inside, &DOTS).is_none()
        && let [from, to] = split(inside, &[","])[..]
    {
        // An interval.
        return Some(Loop {
            variable,
            from: from.to_vec(),
            to: to.to_vec(),
            downward: false,
            step: None,
        });
    }
    // `[0, n)` is without n.
    if let [open, inside @ .., close] = tokens
        && open.is("[")
        && close.is(")")
        && let [from, to] = split(inside, &[","])[..]
    {
        let to = plus(to.to_vec(), -1);
        return Some(Loop { variable, from: from.to_vec(), to, downward: false, step: None });
    }
    let inside = match tokens {
        [open, inside @ .., close] if open.is_any(&["{", "["]) && close.is_any(&["}", "]"]) => {
            inside
        }
        all => all,
    };
    let dots = position(inside, &DOTS)?;
    let firsts = match &inside[..dots] {
        [rest @ .., comma] if comma.is(",") => rest,
        all => all,
    };
    let to = match &inside[dots + 1..] {
        [comma, rest @ ..] if comma.is(",") => rest.to_vec(),
        all => all.to_vec(),
    };
    let text = |it: &[Token]| it.iter().map(|it| it.text.replace('−', "-")).collect::<String>();
    // `i², i² + i, …`
    if let [from, second, ..] = split(firsts, &[","])[..]
        && integer(second).is_none()
        && let Some(sign) = second.get(from.len()).filter(|it| it.is("+"))
        && text(&second[..from.len()]) == text(from)
    {
        let by = &second[from.len() + 1..];
        let is_one = matches!(by, [one] if one.is("1"));
        let step = (!is_one && !by.is_empty() && !sign.is("-")).then(|| by.to_vec());
        return Some(Loop { variable, from: from.to_vec(), to, downward: false, step });
    }
    let (from, difference) = match split(firsts, &[","])[..] {
        [from] => (from.to_vec(), 1),
        [from, second, ..] => {
            let difference = match (integer(from), integer(second)) {
                (Some(from), Some(second)) => second.checked_sub(from)?,
                _ => [1, -1]
                    .into_iter()
                    .find(|&by| text(&plus(from.to_vec(), by)) == text(second))?,
            };
            (from.to_vec(), difference)
        }
        _ => return None,
    };
    let like = from.first()?.clone();
    let step = match difference {
        0 => return None,
        1 | -1 => None,
        other => Some(vec![Token::made(other.unsigned_abs().to_string(), &like)]),
    };
    (!to.is_empty()).then_some(Loop { variable, from, to, downward: difference < 0, step })
}

/// `0 ≤ i < n`, `0 ≤ i, j < n`, `0 ≤ i < j < n`, `i, j with 0 ≤ i < n and 0 ≤ j < m`: a loop a variable.
fn chains(range: &[Token]) -> Option<Vec<Loop>> {
    let signs = [UPWARD, DOWNWARD].concat();
    let relations = |it: &[Token]| split(it, &signs).len() - 1;
    let (mut found, mut others): (Vec<Loop>, Vec<&Token>) = (vec![], vec![]);
    let mut start = 0;
    let ends = (0..=range.len()).filter(|&at| {
        range.get(at).is_none_or(|it| it.is_any(&[",", "and", "∧", "with", "where", ":"]))
    });
    for end in ends {
        let part = &range[start..end];
        match relations(part) {
            // Names alone, before what bounds them.
            0 => {
                others.extend(part);
                start = end + 1;
            }
            1 => {}
            _ => {
                found.extend(chain(part, &signs)?);
                start = end + 1;
            }
        }
    }
    // Words that say more of the values are not left out.
    let fillers = ["(", ")", ",", "pair", "pairs", "indices", "such", "that", "tuples", "triples"];
    // `P_i`, whose number is i.
    let is_of = |it: &Token, of: &Loop| {
        it.text == of.variable.text || it.text.strip_prefix("P_") == Some(&of.variable.text)
    };
    let is_known = |it: &&Token| it.is_any(&fillers) || found.iter().any(|of| is_of(it, of));
    let says_no_more = others.iter().all(is_known);
    (!found.is_empty() && start > range.len() && says_no_more).then_some(found)
}

fn chain(tokens: &[Token], signs: &[&str]) -> Option<Vec<Loop>> {
    let parts = split(tokens, signs);
    let relations: Vec<&Token> = {
        let mut at = 0;
        parts[..parts.len() - 1]
            .iter()
            .map(|part| {
                at += part.len() + 1;
                &tokens[at - 1]
            })
            .collect()
    };
    let downward = DOWNWARD.contains(&relations[0].text.as_str());
    let of_one_way = |it: &&Token| DOWNWARD.contains(&it.text.as_str()) == downward;
    if !relations.iter().all(of_one_way) {
        return None;
    }
    let is_strict = |it: &Token| it.is_any(&["<", ">"]);
    let inward = if downward { -1 } else { 1 };
    let last = parts.len() - 1;
    let to = plus(parts[last].to_vec(), if is_strict(relations[last - 1]) { -inward } else { 0 });
    let mut loops = vec![];
    for middle in 1..last {
        let offset = if is_strict(relations[middle - 1]) { inward } else { 0 };
        let from = plus(parts[middle - 1].to_vec(), offset);
        for name in split(parts[middle], &[","]) {
            let [variable] = name else { return None };
            if !variable.is_name() || (middle > 1 && split(parts[middle - 1], &[","]).len() > 1) {
                return None;
            }
            let (variable, from, to) = (variable.clone(), from.clone(), to.clone());
            loops.push(Loop { variable, from, to, downward, step: None });
        }
    }
    Some(loops)
}
