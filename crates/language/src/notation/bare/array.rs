//! Which names are arrays, and of how many indices.

use std::collections::HashSet;

use super::Reader;
use super::head::Head;
use crate::notation::layout::{Item, number_length};
use crate::notation::names::{is_greek_name, subscript};
use crate::notation::script::{indices, lowered};
use crate::notation::token::{LogicalLine, SUBSCRIPTS, Token, closing, position, split};

/// Words with brackets behind them that are no arrays.
const NONE: [&str; 33] = [
    "length", "rows", "columns", "cols", "size", "min", "max", "in", "to", "and", "or", "not",
    "mod", "div", "if", "while", "for", "return", "until", "array", "then", "else", "do", "of",
    "from", "by", "sum_", "prod_", "sigma_", "min_", "max_", "argmin_", "argmax_",
];

impl Reader {
    pub(super) fn find_names(&mut self, lines: &[LogicalLine], heads: &[Head]) {
        let variables = self.find_variables(lines);
        let is_sum = |it: &[Token]| {
            it[1].is("{") && it[2].is_number() && it[3].is_name() && it[4].is_any(&["+", "-", "−"])
        };
        let sums = lines.iter().flat_map(|it| it.tokens.windows(5)).filter(|it| is_sum(it));
        self.products = sums.map(|it| it[0].text.clone()).collect();
        for LogicalLine { tokens, .. } in lines {
            for at in 0..tokens.len() {
                if let Some((name, rank)) = self.array_at(tokens, at, &variables, heads) {
                    self.add_array(&name, rank);
                }
            }
        }
        if self.is_round {
            // Where some elements are written so, all are.
            for LogicalLine { tokens, .. } in lines {
                for at in 0..tokens.len() {
                    if let Some((name, rank)) = self.round(tokens, at, heads) {
                        self.add_array(&name, rank);
                    }
                }
            }
        }
        // Those that are declared, by whatever brackets.
        let declared: Vec<String> =
            self.out.hints.arrays.iter().map(|it| it.name.text.clone()).collect();
        for LogicalLine { tokens, .. } in lines {
            for at in 0..tokens.len().saturating_sub(1) {
                if declared.contains(&tokens[at].text)
                    && tokens[at + 1].is("(")
                    && let Some(close) = closing(tokens, at + 1)
                {
                    let rank = split(&tokens[at + 2..close], &[","]).len();
                    self.add_array(&tokens[at].text, rank);
                }
            }
        }
        self.find_sets(lines);
        // Arrays that only lengths name.
        for LogicalLine { tokens, .. } in lines {
            for it in tokens.windows(4) {
                let is_length = it[0].is_any(&["length", "rows", "columns"]);
                if is_length && it[1].is("(") && it[2].is_name() && it[3].is(")") {
                    self.add_array(&it[2].text, if it[0].is("columns") { 2 } else { 1 });
                }
            }
        }
    }

    pub(super) fn add_array(&mut self, name: &str, rank: usize) {
        let array = self.known.arrays.entry(name.to_owned()).or_default();
        let rank = rank.max(array.extents.len());
        array.extents = vec![vec![]; rank];
    }

    /// Words, what is assigned, and the variables of loops, which are given.
    fn find_variables(&mut self, lines: &[LogicalLine]) -> HashSet<String> {
        let before = ["for", "forall", "all", "each", "foreach", "with", "and", "≤", "<", ","];
        let mut variables: HashSet<String> = HashSet::new();
        for LogicalLine { tokens, .. } in lines {
            let names = tokens.iter().filter(|it| it.is_name());
            self.known.words.extend(names.map(|it| it.text.clone()));
            for (at, token) in tokens.iter().enumerate() {
                let next = tokens.get(at + 1);
                let word = &tokens[number_length(tokens).min(tokens.len() - 1)];
                if token.is_any(&before)
                    && (word.is_any(&["parallel", "par", "in"])
                        || word.text.to_ascii_lowercase().starts_with("for"))
                    && let Some(name) = next
                    && name.is_name()
                {
                    variables.insert(name.text.clone());
                }
                // `Σ_{i=1}^{n}`
                if token.is("{")
                    && tokens.get(at + 2).is_some_and(|it| it.is_any(&["=", "∈"]))
                    && let Some(name) = next
                    && name.is_name()
                {
                    variables.insert(name.text.clone());
                }
                let is_bit = tokens.get(at + 2).is_some_and(|it| it.is_any(&["0", "1"]));
                if token.is("]") && next.is_some_and(Token::assigns) && is_bit
                    || token.text.contains('_') && next.is_some_and(Token::assigns) && is_bit
                {
                    let name = tokens[number_length(tokens).min(at)..at + 1]
                        .iter()
                        .rfind(|it| it.is_name() && !it.blank.is_empty() || it.text.contains('_'));
                    let name = name.map(|it| it.text.split('_').next().unwrap_or_default());
                    self.bits.extend(name.map(str::to_owned));
                }
                if next.is_some_and(Token::assigns) && token.is_name() {
                    let is_new = self.assigned.insert(token.text.clone());
                    if !is_new {
                        self.changed.insert(token.text.clone());
                    }
                }
            }
        }
        variables
    }

    /// The array that a token names, and how many indices it has there.
    fn array_at(
        &mut self,
        tokens: &[Token],
        at: usize,
        variables: &HashSet<String>,
        heads: &[Head],
    ) -> Option<(String, usize)> {
        let token = &tokens[at];
        let is_procedure = |name: &str| heads.iter().any(|it| it.name.is(name));
        let end = token.with(";");
        let next = tokens.get(at + 1).unwrap_or(&end);
        let glued = ["in", "to", "from", "of", "by", "size"];
        let is_glued = next.is("[") && next.blank.is_empty() && token.is_any(&glued);
        if !token.is_name() || !is_glued && NONE.iter().any(|it| token.is_word(it)) {
            return None;
        }
        let begins = ["then", "else", "do", ";", ":", "pardo", "set", "let"];
        let is_statement = at == 0 || tokens[at - 1].is_any(&begins) || at == number_length(tokens);
        if next.is("[") {
            let (mut open, mut rank) = (at + 1, 0);
            while tokens.get(open).is_some_and(|it| it.is("[")) {
                let Some(close) = closing(tokens, open) else { break };
                rank += split(&tokens[open + 1..close], &[","]).len();
                open = close + 1;
            }
            self.known.bracketed.insert(token.text.clone());
            return (rank > 0).then(|| (token.text.clone(), rank));
        }
        // `swap a(k), a(k + 1)`
        let is_swapped = at > 0
            && tokens[at - 1].is_any(&["swap", "exchange", "interchange"])
            && closing(tokens, at + 1)
                .and_then(|it| tokens.get(it + 1))
                .is_some_and(|it| it.is_any(&[",", "with", "and", "↔"]));
        if next.is("(") && is_swapped && !is_procedure(&token.text) {
            self.is_round = true;
            let close = closing(tokens, at + 1)?;
            return Some((token.text.clone(), split(&tokens[at + 2..close], &[","]).len()));
        }
        if next.is("(")
            && is_statement
            && !is_procedure(&token.text)
            && let Some(close) = closing(tokens, at + 1)
            && tokens.get(close + 1).is_some_and(Token::assigns)
        {
            self.is_round = true;
            return Some((token.text.clone(), split(&tokens[at + 2..close], &[","]).len()));
        }
        if next.is("{")
            && token.text.len() > 1
            && let Some(name) = token.text.strip_suffix('_')
            && let Some(close) = closing(tokens, at + 1)
        {
            let is_letter =
                |it: &Token| it.is_name() && it.text.len() == 1 || is_greek_name(&it.text);
            let inside = &tokens[at + 2..close];
            let parts = split(inside, &[","]).len();
            let letters = match inside {
                [one] if one.is_name() && !self.assigned.contains(&one.text) => {
                    one.text.chars().count()
                }
                // `a_{1j}`, unless `a_{2j+1}` shows that it is a product.
                [number, name] if number.is_number() && name.is_name() => {
                    2 - usize::from(self.products.contains(&token.text))
                }
                // `d_{i j}`
                several if several.len() > 1 && several.iter().all(is_letter) => several.len(),
                _ => parts,
            };
            return Some((name.to_owned(), letters.max(parts)));
        }
        // `aᵢ₊₁`, `aᵢⱼ`; what has numbers alone may be a scalar.
        if next.text.starts_with(|it| SUBSCRIPTS.contains(it)) && next.blank.is_empty() {
            let indices = indices(&lowered(&next.text));
            let is_variable = |it: char| {
                let name = it.to_string();
                !it.is_alphabetic() || variables.contains(&name) || self.assigned.contains(&name)
            };
            let has_letter = |it: &String| it.chars().any(char::is_alphabetic);
            let is_element = indices.iter().any(has_letter)
                && indices.iter().all(|it| it.contains(['+', '-']) || it.chars().all(is_variable));
            return is_element.then(|| (token.text.clone(), indices.len()));
        }
        let (name, index) = subscript(&token.text)?;
        if super::interval::Kind::of(name).is_some() && name.len() > 2 {
            return None;
        }
        // `A_m` of the argument A.
        let is_argument = || heads.iter().flat_map(|it| &it.arguments).any(|it| it.is(name));
        let is_variable = |it: char| {
            let it = it.to_string();
            variables.contains(&it) || is_argument() && self.assigned.contains(&it)
        };
        let are_variables = index.chars().all(is_variable);
        (!name.is_empty() && !index.is_empty() && are_variables && !is_procedure(&token.text))
            .then(|| (name.to_owned(), index.chars().count()))
    }

    /// `A(i)`, where elements are written in round brackets and no procedure is called so.
    fn round(&self, tokens: &[Token], at: usize, heads: &[Head]) -> Option<(String, usize)> {
        let (token, next) = (&tokens[at], tokens.get(at + 1)?);
        let is_function = token.is_any(&NONE)
            || crate::adopt::KNOWN.contains(&token.text.as_str())
            || token.is_any(&[
                "log", "lg", "log2", "floor", "ceil", "swap", "exchange", "end", "begin", "all",
                "each", "forall", "foreach", "set", "let", "pardo",
            ]);
        let is_procedure = heads.iter().any(|it| it.name.is(&token.text));
        let is_array = token.is_name()
            && next.is("(")
            && next.blank.is_empty()
            && !is_function
            && !is_procedure;
        let close = closing(tokens, at + 1).filter(|_| is_array && at > 0)?;
        Some((token.text.clone(), split(&tokens[at + 2..close], &[","]).len()))
    }

    /// What a loop goes over is an array, unless its elements are indices.
    fn find_sets(&mut self, lines: &[LogicalLine]) {
        let is_index = |name: &str| {
            lines.iter().any(|it| {
                it.tokens.iter().enumerate().any(|(at, token)| {
                    token.is(name)
                        && at > 0
                        && it.tokens[at - 1].is_any(&["[", ",", "_"])
                        && it.tokens[..at].iter().any(|it| it.is("["))
                })
            })
        };
        for LogicalLine { tokens, .. } in lines {
            let Some(at) = position(tokens, &["in", "∈", "of"]) else { continue };
            let [variable, array] = [at.wrapping_sub(1), at + 1].map(|it| tokens.get(it));
            if let (Some(variable), Some(array)) = (variable, array)
                && tokens.iter().any(|it| it.is_any(&["each", "foreach", "every"]))
                && array.is_name()
                && tokens.get(at + 2).is_none_or(|it| it.is_any(&["do", ":", ","]))
                && !is_index(&variable.text)
            {
                self.add_array(&array.text, 1);
            }
        }
    }

    /// What `Input:` and `Output:` say of arrays.
    pub(super) fn prose(&mut self, item: &Item) {
        for comment in &item.comments {
            let text = comment.text.trim_start_matches(['/', ' ']);
            let lower = text.to_ascii_lowercase();
            let is_input = ["input", "require", "data"].iter().any(|it| lower.starts_with(it));
            let is_output = ["output", "ensure", "result"].iter().any(|it| lower.starts_with(it));
            if !is_input && !is_output {
                self.ranges_of(comment, text);
                continue;
            }
            let words: HashSet<&str> =
                text.split(|it: char| !it.is_alphanumeric() && it != '_').collect();
            let named: Vec<String> = self
                .known
                .arrays
                .keys()
                .filter(|it| words.contains(it.as_str()))
                .cloned()
                .collect();
            if is_output {
                self.out.hints.outputs.extend(words.iter().map(|it| (*it).to_owned()));
            }
            let all_real = lower.contains("real") || lower.contains("float");
            // `b ∈ ℝⁿ`, as LaTeX's letters print it.
            let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for name in named {
                let is_real = all_real
                    || ["ℝ", "R^", "R "].iter().any(|it| said.contains(&format!("{name} ∈ {it}")));
                if is_output {
                    self.out.hints.returned.insert(name.clone());
                    continue;
                }
                let token = comment.with(name.clone());
                let rank = self.known.arrays.get(&name).map_or(1, |it| it.extents.len());
                let hint = self.out.hints.array(&token);
                hint.is_argument = true;
                if is_real {
                    hint.element = Some(crate::syntax::Type::F64);
                }
                if let Some(extents) = super::extents::printed_ranges(text, &name, rank) {
                    hint.extents = extents;
                }
            }
        }
    }

    /// `// sort a[0..n-1]` above the statements.
    fn ranges_of(&mut self, comment: &Token, text: &str) {
        // In one order, whatever the map has.
        let mut known: Vec<_> = self.known.arrays.iter().collect();
        known.sort_by_key(|it| it.0);
        for (name, array) in known {
            let rank = array.extents.len();
            let Some(extents) = super::extents::printed_ranges(text, name, rank) else { continue };
            let hint = self.out.hints.array(&comment.with(name.clone()));
            if hint.extents.is_empty() && extents.iter().all(Option::is_some) {
                hint.extents = extents;
            }
        }
    }
}
