//! What papers say in words.

use super::range::{joined, open_loop, parity, steps};
use super::words::KINDS;
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::names;
use crate::notation::token::{DOTS, Token, position, split};

/// A statement.
#[derive(Default)]
pub(super) struct Phrase {
    pub(super) tokens: Vec<Token>,
    /// What stands at the beginning of the loop that it begins, which may be the head of a branch that is all of
    /// its body; and at its end.
    pub(super) inner: Vec<Token>,
    pub(super) tail: Vec<Token>,
}

/// Whether a sentence is about an array that the algorithm makes.
fn is_new_array(tokens: &[Token]) -> bool {
    let has = |words: &[&str]| tokens.iter().any(|it| it.is_any(words));
    let declares =
        tokens[0].is_any(&["declare", "allocate", "create", "new", "array"]) && has(&["["]);
    let makes = has(&["new"]) || has(&KINDS);
    let is_value = position(tokens, &["←", "<-", ":=", "=", "≔"])
        .is_some_and(|at| !tokens.get(at + 1).is_some_and(|it| it.is_any(&["a", "an", "new"])));
    (makes || declares) && !is_value
}

/// `Let A be the adjacency matrix`: said of what is given.
fn is_given(tokens: &[Token]) -> bool {
    tokens[0].is_word("let")
        && tokens.windows(2).any(|it| it[0].is_word("be") && it[1].is_word("the"))
        && super::prose::is_sentence(&tokens[1..])
}

/// `x ← 0, y ← 1`: two assignments.
fn listed(tokens: &[Token]) -> Option<Vec<Vec<Token>>> {
    const ARROWS: [&str; 5] = ["←", "<-", ":=", "≔", "="];
    let parts = split(tokens, &[","]);
    let is_whole = |it: &&[Token]| {
        it[..it.len().min(1)].iter().all(Token::is_name)
            && position(it, &ARROWS).is_some_and(|at| {
                let is_name = at == 1 || it[1].is("[") || it[1].is("(") || it[1].is("{");
                at > 0 && at + 1 < it.len() && (is_name || !it[at].is("="))
            })
    };
    let is_list = parts.len() > 1 && parts.iter().all(is_whole) && parts[0].len() > 2;
    let is_statement = !tokens[0].is_any(&["for", "forall", "foreach", "let", "var", "set", "if"]);
    (is_list && is_statement).then(|| parts.into_iter().map(<[Token]>::to_vec).collect())
}

impl Phrase {
    pub(super) fn of(tokens: Vec<Token>) -> Self {
        Self { tokens, ..Self::default() }
    }
}

impl Reader {
    /// One statement as one or more that are plainer; none where nothing is to be done.
    pub(super) fn phrases(&mut self, tokens: &[Token]) -> Result<Vec<Phrase>> {
        let tokens = self.renamed(tokens);
        let Some(first) = tokens.first().cloned() else { return Ok(vec![]) };
        let word = first.text.to_ascii_lowercase();
        let is_assigned = tokens.get(1).is_some_and(Token::assigns);
        let one = |tokens: Vec<Token>| Ok(vec![Phrase::of(tokens)]);
        if let Some(parts) = listed(&tokens) {
            let parts = parts.into_iter().map(|it| self.phrases(&it));
            return Ok(parts.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect());
        }
        if let Some(parts) = super::shorthand::assignments(&tokens) {
            let parts = parts.into_iter().map(|it| self.phrases(&it));
            return Ok(parts.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect());
        }
        if is_assigned {
            if let Some(phrases) = self.array_of(&tokens) {
                return Ok(phrases);
            }
            return match self.list(&tokens) {
                Some(phrases) => Ok(phrases),
                None => one(tokens),
            };
        }
        if let Some(phrases) = self.fill(&tokens) {
            return Ok(phrases);
        }
        let made = |text: &str| Token::made(text, &first);
        if is_given(&tokens) {
            self.out.hints.said.push((first, "said of what is given: left out".to_owned()));
            return Ok(vec![]);
        }
        match word.as_str() {
            "let" | "create" | "allocate" | "new" | "array" | "var" | "declare"
                if is_new_array(&tokens) =>
            {
                Ok(self.new_arrays(&tokens))
            }
            "let" | "var" | "set" | "local" | "int" | "integer" | "real" | "float" | "double"
            | "bool" | "initialize" | "initialise" | "init" | "compute" | "calculate"
            | "update" | "assign" | "define" | "put" | "store"
                if tokens.iter().any(Token::assigns) =>
            {
                let parts = split(&tokens[1..], &[","]);
                let all_assign = parts
                    .iter()
                    .all(|it| position(it, &["←", "<-", ":=", "=", "≔", "⟵"]).is_some());
                match all_assign {
                    true => Ok(parts.into_iter().map(|it| Phrase::of(it.to_vec())).collect()),
                    false => one(tokens[1..].to_vec()),
                }
            }
            "set" if position(&tokens, &["to"]).is_some() => {
                let at = position(&tokens, &["to"]).unwrap_or(0);
                let mut plain = tokens[1..].to_vec();
                plain[at - 1] = Token::made("←", &tokens[at]);
                one(plain)
            }
            "increment" | "decrement" | "increase" | "decrease" if tokens.len() > 1 => {
                let by = position(&tokens, &["by"]);
                let target = &tokens[1..by.unwrap_or(tokens.len())];
                let sign = if word.starts_with("inc") { "+" } else { "-" };
                let amount = by.map_or(vec![made("1")], |by| tokens[by + 1..].to_vec());
                one([target, &[made("←")], target, &[made(sign)], &amount[..]].concat())
            }
            "error" | "abort" | "halt" | "stop" => {
                self.out.hints.said.push((first.clone(), format!("`{word}` ends the algorithm")));
                one(vec![first.with("return")])
            }
            "pass" | "skip" | "nothing" if tokens.len() == 1 => {
                let nothing = self.out.fresh("nothing");
                one(vec![first.with(nothing), made("←"), made("0")])
            }
            "else" if tokens.len() == 2 && tokens[1].is_any(&["pass", "skip", "nothing"]) => {
                let nothing = self.out.fresh("nothing");
                one(vec![first.clone(), made(&nothing), made("←"), made("0")])
            }
            "swap" | "exchange" | "interchange" => {
                let mut plain = tokens.clone();
                let filler = ["the", "element", "elements", "value", "values", "of", "contents"];
                plain.retain(|it| !it.is_any(&filler));
                one(plain)
            }
            "processor" | "processors" | "each"
                if tokens.len() > 2
                    && (position(&tokens, &[":"]).is_some()
                        || !word.starts_with('e') && tokens[tokens.len() - 1].is_word("do")) =>
            {
                self.processor(&tokens)
            }
            "for" | "forall" | "foreach" | "parallel" | "par" | "in" | "pardo" | "concurrently"
            | "simultaneously" => self.loop_head(tokens),
            "else"
                if tokens.get(1).is_some_and(|it| it.is_any(&["for", "set", "let", "return"])) =>
            {
                one(tokens)
            }
            _ => one(tokens),
        }
    }

    /// Variables whose names the plain form keeps for itself get others.
    fn renamed(&self, tokens: &[Token]) -> Vec<Token> {
        let mut out = tokens.to_vec();
        let is_loop =
            tokens.first().is_some_and(|it| it.text.to_ascii_lowercase().starts_with("for"));
        for at in 0..out.len() {
            let token = &tokens[at];
            let next = tokens.get(at + 1);
            let is_variable = self.assigned.contains(&token.text)
                && !next.is_some_and(|it| it.is_any(&["(", "{"]));
            let is_array = next.is_some_and(|it| it.is("[") && it.blank.is_empty())
                && !token.is_any(&["and", "or", "not", "then", "else", "mod", "if", "while"]);
            let is_word =
                is_loop && !is_array && token.is_any(&["step", "in", "to", "downto", "do"]);
            if names::is_reserved(&token.text)
                && (is_variable || is_array)
                && !is_word
                && !token.is_any(&[
                    "for", "if", "while", "then", "else", "do", "and", "or", "not", "mod",
                ])
            {
                out[at].text += "_";
            }
        }
        out
    }

    /// `processor P_i: …`, what one of them does; `processor P_i, 1 ≤ i ≤ n, does:`, what all do.
    fn processor(&mut self, tokens: &[Token]) -> Result<Vec<Phrase>> {
        let colon = position(tokens, &[":"]).unwrap_or(tokens.len());
        let (who, behind) = (&tokens[..colon], tokens.get(colon + 1..).unwrap_or_default());
        if let Some(dots) = who.iter().position(|it| it.is_any(&DOTS)) {
            return self.processors(who, dots, behind);
        }
        if who.iter().any(|it| it.is_any(&["≤", "<", "<=", "∈"])) {
            let variable = who.iter().position(|it| it.is(",") || it.is("(")).unwrap_or(0);
            let said = who[variable..].iter();
            let words = ["does", "do", "in", "parallel", ",", "(", ")"];
            let range = said.filter(|it| !it.is_any(&words)).cloned();
            let made = |text: &str| Token::made(text, &tokens[0]);
            let order = [made("do"), made("in"), made("parallel")];
            let head =
                [vec![tokens[0].with("for")], range.collect(), order.to_vec(), behind.to_vec()];
            return self.loop_head(head.concat());
        }
        if behind.is_empty() { Ok(vec![]) } else { self.phrases(behind) }
    }

    /// `processors P_1, …, P_n do in parallel`: what each does, i being its number.
    fn processors(&mut self, who: &[Token], dots: usize, behind: &[Token]) -> Result<Vec<Phrase>> {
        let number = |it: &[Token]| -> Option<Vec<Token>> {
            let name = it.iter().find(|it| it.text.starts_with("P_"))?;
            Some(vec![name.with(&name.text[2..])])
        };
        let (first, last) = (number(&who[..dots]), number(&who[dots..]));
        let is_known = self.known.words.contains("i") && !self.assigned.contains("i");
        let (Some(first), Some(last), true) = (first, last, is_known) else {
            return Err(Diagnostic::new(who[0].span, "processors whose numbers have no name")
                .help("write `for all 1 ≤ i ≤ n in parallel do`"));
        };
        let made = |text: &str| Token::made(text, &who[0]);
        let head = [vec![who[0].with("for"), made("i"), made("←")], first, vec![made("to")], last];
        let order = vec![made("do"), made("in"), made("parallel")];
        self.loop_head([head.concat(), order, behind.to_vec()].concat())
    }

    /// The head of a loop with the words that a PRAM's processors have.
    fn loop_head(&mut self, tokens: Vec<Token>) -> Result<Vec<Phrase>> {
        let first = tokens[0].clone();
        let made = |text: &str| Token::made(text, &first);
        let mut tokens = tokens;
        in_parallel(&mut tokens);
        // `for each processor P(i, j), 1 ≤ i, j ≤ n`
        let of_processor = |it: &[Token]| {
            it[0].is_any(&["processor", "processors"]) && it[1].is_name() && it[2].is("(")
        };
        if let Some(at) = tokens.windows(3).position(of_processor) {
            tokens.drain(at..at + 2);
        }
        // `for all i such that 1 ≤ i ≤ n`
        let such = |it: &[Token]| it[0].is_word("such") && it[1].is_word("that");
        if let Some(at) = tokens.windows(2).position(such) {
            tokens.splice(at..at + 2, [made("with")]);
        }
        if let Some(condition) = super::filters::condition(&mut tokens) {
            let mut phrases = self.loop_head(tokens)?;
            if let Some(head) = phrases.iter_mut().rev().find(|it| it.inner.is_empty()) {
                // Nothing is left to be asked of what goes as far as it holds.
                head.inner = condition;
            }
            return Ok(phrases);
        }
        if let Some(head) = parity(&tokens)? {
            return Ok(vec![Phrase::of(head)]);
        }
        joined(&mut tokens);
        // `in parallel for …`
        let mut tokens = match &tokens[..] {
            [one, two, rest @ ..] if one.is_word("in") && two.is_word("parallel") => {
                [rest.to_vec(), vec![made("in"), made("parallel")]].concat()
            }
            _ => tokens,
        };
        if tokens.iter().any(|it| it.is_word("until"))
            && position(&tokens, &["step"]).is_none()
            && tokens[0].is_word("for")
        {
            let at = tokens.iter().find(|it| it.is_word("until")).map_or(first.span, |it| it.span);
            return Err(Diagnostic::new(
                at,
                "`until` of a `for` loop: up to the value, or up to the one before it",
            )
            .help("write `to` for a last value that is included, `to … - 1` for one that is not"));
        }
        // Processors are their numbers.
        let own = tokens.windows(2).find(|it| it[1].assigns()).map(|it| it[0].text.clone());
        tokens.retain(|it| {
            own.as_ref().is_some_and(|own| it.is(own))
                || !it.is_any(&[
                    "processor",
                    "processors",
                    "thread",
                    "vertex",
                    "element",
                    "index",
                    "node",
                    "integer",
                ])
        });
        for token in &mut tokens {
            if let Some(index) =
                token.text.strip_prefix("P_").filter(|it| !it.is_empty() && !it.starts_with('{'))
            {
                token.text = index.to_owned();
            }
        }
        if let Some(at) = tokens.iter().position(|it| it.is("inclusive")) {
            tokens.remove(at);
        }
        // `for i in parallel, 1 ≤ i ≤ n do`: the words belong to the end.
        if let Some(at) =
            tokens.windows(2).position(|it| it[0].is_word("in") && it[1].is_word("parallel"))
            && tokens[at + 2..].iter().any(|it| it.is_any(&["≤", "<", "∈", "<=", "=", "←"]))
        {
            tokens.drain(at..at + 2);
            let end = position(&tokens, &["do", "pardo"]).unwrap_or(tokens.len());
            tokens.splice(end..end, [made("in"), made("parallel")]);
        }
        steps(&mut tokens);
        if super::range::levels(&mut tokens) {
            let said = "a loop from a logarithm to less: down".to_owned();
            self.out.hints.said.push((first.clone(), said));
        }
        if let Some(error) = open_loop(&tokens) {
            return Err(error);
        }
        if let Some(phrases) = self.doubling(&tokens) {
            return Ok(phrases);
        }
        if let Some(phrases) = self.each(&tokens) {
            return Ok(phrases);
        }
        Ok(vec![Phrase::of(by_colon(&tokens).unwrap_or(tokens))])
    }
}

/// `PARDO for i = 1 to n`, `for i = 1 to n do parallel`: in the words of other books.
fn in_parallel(tokens: &mut Vec<Token>) {
    if let [word, next, _, ..] = &tokens[..]
        && word.is_any(&["pardo", "concurrently", "simultaneously"])
        && next.is_any(&["for", "forall"])
    {
        tokens[0].text = "parallel".to_owned();
    }
    if let [.., word, last] = &tokens[..]
        && word.is_word("do")
        && last.is_word("parallel")
    {
        let at = tokens.len() - 1;
        tokens.insert(at, Token::made("in", &tokens[at]));
    }
}

/// `for i = 1:n` with `to`.
fn by_colon(tokens: &[Token]) -> Option<Vec<Token>> {
    let [word, variable, sign, rest @ ..] = tokens else { return None };
    let made = |text: &str| Token::made(text, word);
    let is_range =
        sign.assigns() && position(rest, &["to", "downto", "..", "...", "…", ";"]).is_none();
    let colon = position(rest, &[":"]).filter(|it| is_range && *it + 1 < rest.len() && *it > 0)?;
    let parts = split(rest, &[":"]);
    if parts.len() != 2 && !(parts.len() == 3 && parts[2].is_empty()) {
        return None;
    }
    let end = position(&rest[colon + 1..], &["do"]).map_or(rest.len(), |it| colon + 1 + it);
    let to = match &rest[colon + 1..end] {
        [inner @ .., last] if last.is(":") => inner,
        all => all,
    };
    let head = [word.clone(), variable.clone(), made("←")];
    let behind = rest.get(end + 1..).unwrap_or_default();
    Some([&head, &rest[..colon], &[made("to")], to, &[made("do")], behind].concat())
}
