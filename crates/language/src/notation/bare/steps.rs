//! Algorithms in steps that say which one comes next, as Knuth has them: a variable holds the number of the step, and a
//! loop does the one that it names.

use std::collections::HashSet;

use super::clauses::{Act, goes, leaves, scalars, values};
use super::{Result, clauses};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{spaced, words};
use crate::notation::token::{LogicalLine, Token, text};

/// A step, with its sentences.
struct Step {
    name: Token,
    column: usize,
    tokens: Vec<Token>,
}

/// The label that a line begins with, and how many tokens it has.
fn label(tokens: &[Token]) -> Option<(String, usize)> {
    let stars = usize::from(tokens.first().is_some_and(|it| it.is("**")));
    let rest = &tokens[stars..];
    let signs = |from: usize| {
        let is_sign = |it: &&Token| it.is_any(&[".", ":", ")", "**"]);
        rest[from..].iter().take_while(is_sign).count()
    };
    match rest {
        [step, number, ..] if step.is_word("step") && number.is_number() => {
            Some((number.text.clone(), stars + 2 + signs(2)))
        }
        [name, stop, ..] if stop.is(".") && name.blank.is_empty() | (stars == 0) => {
            let letters = name.text.trim_end_matches(|it: char| it.is_ascii_digit());
            let is_name = letters.len() == 1 && name.text.len() > 1 && name.is_name();
            is_name.then(|| (name.text[1..].to_owned(), stars + 1 + signs(1)))
        }
        _ => None,
    }
}

/// Whether a step names another one as the next, or several.
fn leads(tokens: &[Token]) -> bool {
    tokens.windows(2).any(|it| {
        it[0].is_any(&["go", "goto", "return", "back"]) && it[1].is_any(&["to", "step"])
            || it[0].is_word("goto")
            || it[0].is_any(&["step", "steps"]) && it[1].is_number()
    })
}

/// Steps of which one leads to another, as loops and branches; gives whether there are some.
///
/// # Errors
/// What leads to a step that is not there, or out of a loop.
pub(super) fn lines(lines: &mut Vec<LogicalLine>) -> Result<bool> {
    let is_step = |it: &LogicalLine| label(&it.tokens).is_some();
    let is_knuth = |it: &LogicalLine| {
        label(&it.tokens).is_some_and(|of| it.tokens.get(of.1).is_some_and(|it| it.is("[")))
    };
    let leads_on = |it: &LogicalLine| label(&it.tokens).is_some_and(|of| leads(&it.tokens[of.1..]));
    let count = lines.iter().filter(|it| is_step(it)).count();
    // Burden and Faires: no sign behind the number.
    let is_plain = |it: &LogicalLine| {
        it.tokens.len() > 2
            && it.tokens[0].is_word("step")
            && label(&it.tokens).is_some_and(|it| it.1 == 2)
            && clauses::begins(&it.tokens[2..])
    };
    let is_taken = lines.iter().any(is_knuth)
        || lines.iter().any(leads_on)
        || lines.iter().filter(|it| is_step(it)).all(is_plain);
    let Some(first) = lines.iter().position(is_step).filter(|_| count > 1 && is_taken) else {
        return Ok(false);
    };
    title(&mut lines[..first]);
    for line in &mut lines[..first] {
        let is_said = line.tokens.first().is_some_and(|it| it.is("INPUT") || it.is("OUTPUT"));
        let is_output = line.tokens.first().is_some_and(|it| it.is("OUTPUT"));
        if is_output || is_said && !line.tokens.iter().any(Token::assigns) {
            let words = Token::made(format!("// {}", text(&line.tokens)), &line.tokens[0]);
            line.tokens.clear();
            line.comments.insert(0, words);
        }
    }
    let mut steps: Vec<Step> = vec![];
    let mut comments = vec![];
    let mut end = first;
    for (at, line) in lines.iter().enumerate().skip(first) {
        let is_blank = line.tokens.is_empty();
        let label = label(&line.tokens);
        // What stands below a blank line is no step any more.
        let is_behind = at > first && lines[at - 1].tokens.is_empty() && label.is_none();
        if !is_blank && is_behind && !lines[at..].iter().any(is_step) {
            break;
        }
        end = at + 1;
        comments.extend(line.comments.iter().cloned());
        match (label, steps.last_mut()) {
            (Some((name, length)), _) => steps.push(Step {
                name: line.tokens[0].with(name),
                column: line.tokens[0].column,
                tokens: line.tokens[length..].to_vec(),
            }),
            (None, Some(step)) if !is_blank => join(step, &line.tokens),
            _ => {}
        }
    }
    let names: Vec<String> = steps.iter().map(|it| it.name.text.clone()).collect();
    let acts: Vec<Vec<Act>> = steps.iter().map(|it| clauses::acts(&it.tokens)).collect();
    let mut ends = acts.iter().flat_map(|it| values(it));
    let answer = ends.next().filter(|it| !it.is_empty() && ends.all(|of| text(&of) == text(it)));
    let machine = Machine { steps: &steps, names: &names, acts: &acts, answer };
    let mut out = vec![];
    if acts.iter().any(|it| goes(it)) {
        machine.begin(steps[0].column, &mut out);
    }
    machine.range(0, steps.len(), steps[0].column, &mut out)?;
    if let (Some(answer), true) = (&machine.answer, acts.iter().any(|it| goes(it))) {
        let line = [vec![answer[0].with("return")], spaced(answer.clone())].concat();
        push(&mut out, steps[0].column, line);
    }
    if let Some(line) = out.first_mut() {
        line.comments = comments;
    }
    lines.splice(first..end, out);
    Ok(true)
}

/// More of a step, on a line of its own: another sentence, unless the line above goes on.
fn join(step: &mut Step, tokens: &[Token]) {
    let last = step.tokens.last();
    let goes_on = last.is_none_or(|it| {
        it.is_any(&[".", ";", ",", "then", "else", "do", "and", "or", ":", "←", "=", ":="])
    });
    let is_branch = step.tokens.iter().rposition(|it| it.is_word("if")).is_some_and(|at| {
        step.tokens[at].column < tokens[0].column
            && step.tokens[at..].iter().any(|it| it.is_word("then"))
    });
    let begins = clauses::begins(tokens);
    // `For j = 1, …, n` above `set y = 0`.
    let sentence = step.tokens.iter().rposition(|it| it.is_any(&[".", ";"])).map_or(0, |it| it + 1);
    let is_head = step.tokens.get(sentence).is_some_and(|it| {
        it.is_any(&["for", "while"])
            && !step.tokens[sentence..].iter().any(|it| it.is_any(&["set", "do"]))
    });
    if !goes_on && begins && !is_head {
        step.tokens.push(Token::glued(if is_branch { ";" } else { "." }, &tokens[0]));
    }
    step.tokens.extend(tokens.iter().cloned());
}

/// `Algorithm E (Euclid's algorithm). Given two integers …`: what is more than the name is said of it.
fn title(lines: &mut [LogicalLine]) {
    for line in lines {
        let [word, name, ..] = &line.tokens[..] else { continue };
        let stop = line.tokens.iter().position(|it| it.is_any(&[".", "("])).unwrap_or(0);
        if word.is_word("algorithm") && name.is_name() && stop == 2 {
            let behind = line.tokens.split_off(2);
            let words = Token::made(format!("// {}", text(&behind)), &behind[0]);
            line.comments.insert(0, words);
        }
    }
}

struct Machine<'a> {
    steps: &'a [Step],
    names: &'a [String],
    acts: &'a [Vec<Act>],
    /// What all ends give.
    answer: Option<Vec<Token>>,
}

/// The variable that holds the number of the next step.
pub(super) const NEXT: &str = "next_step";

impl Machine<'_> {
    fn named(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| it == name)
    }

    /// Scalars that one step assigns before others read them are 0 at first: which of them comes first is said by numbers.
    fn begin(&self, column: usize, out: &mut Vec<LogicalLine>) {
        let mut seen: HashSet<String> = HashSet::new();
        for token in self.acts.iter().flat_map(|it| scalars(it)) {
            let (token, is_target) = token;
            if seen.insert(token.text.clone()) && is_target {
                push(out, column, words(&token, &format!("{} ← 0", token.text), &[]));
            }
        }
    }

    /// The steps of a range as lines, in turn where none leads elsewhere.
    fn range(
        &self,
        from: usize,
        to: usize,
        column: usize,
        out: &mut Vec<LogicalLine>,
    ) -> Result<()> {
        let leads = (from..to).any(|at| goes(&self.acts[at]));
        let place = &self.steps[from].name;
        // Steps that a loop above has done already.
        let mut at = from;
        if !leads {
            while at < to {
                at = self.step(at, None, column, out)?;
            }
            return Ok(());
        }
        push(out, column, words(place, &format!("{NEXT} ← {}", from + 1), &[]));
        push(out, column, words(place, &format!("while {NEXT} ≤ {to} do"), &[]));
        let mut is_first = true;
        while at < to {
            let word = if is_first { "if" } else { "else if" };
            let place = &self.steps[at].name;
            let head = format!("{word} {NEXT} = {} then", at + 1);
            push(out, column + 2, words(place, &head, &[]));
            at = self.step(at, Some((from, to)), column + 4, out)?;
            is_first = false;
        }
        Ok(())
    }

    /// One step, with those of its loops; gives the one behind it.
    fn step(
        &self,
        at: usize,
        range: Option<(usize, usize)>,
        column: usize,
        out: &mut Vec<LogicalLine>,
    ) -> Result<usize> {
        let mut behind = at + 1;
        for act in &self.acts[at] {
            if let Act::Loop { steps, .. } = act
                && let Some(last) = self.named(&steps[1])
            {
                behind = behind.max(last + 1);
            }
        }
        self.emit(at, &self.acts[at], range.map(|it| (it, behind)), column, out)?;
        Ok(behind)
    }

    /// What a loop shows has many values.
    fn shows_nothing(&self, first: usize, last: usize) -> Result<()> {
        let shown = self.acts[first..=last].iter().flatten().find_map(|it| match it {
            Act::End(word, _) if word.is_any(&["output", "print"]) => Some(word),
            _ => None,
        });
        match shown {
            None => Ok(()),
            Some(word) => Err(Diagnostic::new(word.span, "a value that a loop shows")
                .help("leave it out, and return what comes out in the end")),
        }
    }

    /// What is done in turn, and which step is next, if one is to be said.
    fn emit(
        &self,
        step: usize,
        acts: &[Act],
        next: Option<((usize, usize), usize)>,
        column: usize,
        out: &mut Vec<LogicalLine>,
    ) -> Result<()> {
        let place = &self.steps[step].name;
        for (nth, act) in acts.iter().enumerate() {
            match act {
                Act::Plain(tokens) => push(out, column, tokens.clone()),
                Act::End(word, value)
                    if value.is_empty() | self.answer.is_some()
                        && next.is_some_and(|it| it.0.0 == 0) =>
                {
                    let behind = self.steps.len() + 1;
                    push(out, column, words(word, &format!("{NEXT} ← {behind}"), &[]));
                    return Ok(());
                }
                Act::End(word, value) => {
                    let line = [vec![word.with("return")], value.clone()].concat();
                    push(out, column, line);
                    return Ok(());
                }
                Act::Go(word, name) => {
                    let refused = |what: &str, help: &str| {
                        Err(Diagnostic::new(word.span, what).help(help.to_owned()))
                    };
                    let Some(to) = self.named(name) else {
                        return refused(
                            &format!("there is no step {name}"),
                            "name a step that the text has, by the number before it",
                        );
                    };
                    let Some(((from, end), _)) = next else {
                        return refused("a step that comes next in no turn", "write the loop");
                    };
                    if !(from..=end).contains(&to) {
                        return refused(
                            "a step that leads out of the loop around it",
                            "write the loop with the condition under which it goes on",
                        );
                    }
                    push(out, column, words(word, &format!("{NEXT} ← {}", to + 1), &[]));
                    return Ok(());
                }
                Act::Loop { head, steps, is_post } => {
                    let range = [&steps[0], &steps[1]].map(|it| self.named(it));
                    let [Some(first), Some(last)] = range else {
                        return Err(Diagnostic::new(
                            place.span,
                            "a loop over steps that are not here",
                        )
                        .help("name steps that the text has, by the numbers before them"));
                    };
                    if first != step + 1 || last < first {
                        return Err(Diagnostic::new(
                            place.span,
                            "a loop over steps that do not follow it",
                        )
                        .help("put the steps that it repeats behind it"));
                    }
                    self.shows_nothing(first, last)?;
                    if *is_post {
                        push(out, column, vec![place.with("repeat")]);
                        self.range(first, last + 1, column + 2, out)?;
                        push(out, column, head.clone());
                    } else {
                        push(out, column, head.clone());
                        self.range(first, last + 1, column + 2, out)?;
                    }
                }
                Act::Body(head, inner) => {
                    push(out, column, head.clone());
                    self.emit(step, inner, None, column + 2, out)?;
                }
                Act::If(condition, then, other) => {
                    let head = words(place, "if {} then", &[condition]);
                    push(out, column, head);
                    let rest = &acts[nth + 1..];
                    if next.is_none() || !leaves(then) && !leaves(other) {
                        self.emit(step, then, None, column + 2, out)?;
                        if !other.is_empty() {
                            push(out, column, vec![place.with("else")]);
                            self.emit(step, other, None, column + 2, out)?;
                        }
                        continue;
                    }
                    self.emit(step, &[then, rest].concat(), next, column + 2, out)?;
                    push(out, column, vec![place.with("else")]);
                    return self.emit(step, &[other, rest].concat(), next, column + 2, out);
                }
            }
        }
        if let Some((_, behind)) = next {
            push(out, column, words(place, &format!("{NEXT} ← {}", behind + 1), &[]));
        }
        Ok(())
    }
}

fn push(out: &mut Vec<LogicalLine>, column: usize, mut tokens: Vec<Token>) {
    if let Some(first) = tokens.first_mut() {
        (first.column, first.blank) = (column, String::new());
        out.push(LogicalLine { tokens, comments: vec![] });
    }
}
