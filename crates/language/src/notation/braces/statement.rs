//! Declarations and assignments.

use super::{Kind, Translator, closing, parts, position, split};
use crate::notation::token::Token;

/// How many rows and columns, what they hold, and of which type.
type Rows = (Vec<Vec<Token>>, Vec<Token>, Vec<Token>);

/// What only shows values.
const SHOWS: [&str; 8] =
    ["println", "print", "console", "fmt", "System", "Console", "assert", "debug_assert"];

impl Translator {
    /// A statement, or the head of one; false where its tokens stay.
    pub(super) fn statement(&mut self, token: &Token) -> bool {
        let made = |text: &str| token.with(text);
        let next = self.peek(1).cloned();
        match token.text.as_str() {
            "for" => {
                let at = self.at;
                let done = self.for_head(token);
                if !done {
                    self.at = at;
                }
                done
            }
            "pub" | "export" => {
                self.at += 1;
                true
            }
            "fn" | "func" | "fun" | "function" => self.function_head(token),
            "loop" if next.is_some_and(|it| it.is("{")) => {
                self.at += 1;
                self.out.extend(["while", "(", "true", ")"].map(made));
                true
            }
            "while" | "if" if !matches!(self.kind, Kind::Script | Kind::Kotlin) => {
                let rest = &self.tokens[self.at + 1..];
                let Some(end) = position(rest, &["{", ";"]).filter(|it| rest[*it].is("{")) else {
                    return false;
                };
                let condition = rest[..end].to_vec();
                self.at += 1 + end;
                self.out.extend([token.clone(), made("(")]);
                self.out.extend(condition);
                self.out.push(made(")"));
                true
            }
            "let" | "const" | "val" | "var" => self.declared(token),
            word if SHOWS.contains(&word) => match self.until(&[";"]) {
                // What changes something while it is shown, or does not show, stays.
                Some(tokens)
                    if tokens.iter().any(|it| it.is_any(&["++", "--"]))
                        || tokens[0].is_any(&["System", "Console"])
                            && !tokens
                                .iter()
                                .any(|it| it.is_any(&["out", "err", "Write", "WriteLine"])) =>
                {
                    false
                }
                Some(tokens) => {
                    self.at += tokens.len() + 1;
                    true
                }
                None => false,
            },
            _ => self.assigned(token),
        }
    }

    /// The type of C that declares a name.
    pub(super) fn element(&self, types: &[Token]) -> &'static str {
        let has = |words: &[&str]| types.iter().any(|it| words.contains(&&*it.text));
        match () {
            () if has(&["f32", "float32", "Float"]) && self.kind != Kind::Kotlin => "float",
            () if has(&["f64", "float64", "Double", "DoubleArray"]) => "double",
            () if has(&["bool", "Bool", "Boolean", "BooleanArray"]) => "bool",
            () if has(&["u8", "uint8", "byte"]) => "uint8_t",
            () if has(&["uint32"]) || has(&["u32"]) => "uint32_t",
            () if has(&["int32"]) => "int32_t",
            // Kotlin's turns at 2³¹, as Java's does.
            () if self.kind == Kind::Kotlin && has(&["Int", "IntArray"]) => "int",
            () => "var",
        }
    }

    /// `let mut x: i32 = e;`, `const x = e;`, `var x int = e`.
    fn declared(&mut self, word: &Token) -> bool {
        let Some(all) = self.until(&[";"]) else { return false };
        let of_c = all.get(1).is_some_and(|it| !it.is_name() && !it.is_any(&["(", "["]));
        if of_c {
            return false;
        }
        let made = |text: &str| word.with(text);
        let at = position(&all, &["="]);
        let (left, value) = match at {
            Some(at) => (&all[1..at], &all[at + 1..]),
            None => (&all[1..], &all[..0]),
        };
        if left.is_empty() {
            return false;
        }
        if left[0].is_any(&["(", "["]) {
            let (targets, values) = (parts(left), parts(value));
            if targets.len() != values.len() {
                return false;
            }
            self.at += all.len() + 1;
            self.together(word, &targets, &values, true);
            return true;
        }
        // JavaScript: `let i = 0, j = n - 1;`
        if split(&all, &[","]).len() > 1 {
            self.at += 1;
            self.out.push(made("var"));
            return true;
        }
        let (name, types) = (left[0].clone(), &left[1..]);
        self.at += all.len() + 1;
        self.declare(&name, types, value);
        true
    }

    fn declare(&mut self, name: &Token, types: &[Token], value: &[Token]) {
        let made = |text: &str| name.with(text);
        if self.made_rows(name, value) {
            return;
        }
        // `x := []int{}`
        if let [open, close, of, brace, elements @ .., last] = value
            && open.is("[")
            && close.is("]")
            && brace.is("{")
            && last.is("}")
        {
            let element = self.element(std::slice::from_ref(of));
            match elements.is_empty() {
                true => {
                    self.out.extend(["var", &name.text, "=", "[", "]", ";"].map(made));
                }
                false => {
                    self.out.extend([element, &name.text, "[", "]", "=", "{"].map(made));
                    self.out.extend_from_slice(elements);
                    self.out.extend(["}", ";"].map(made));
                }
            }
            return;
        }
        let is_count = matches!(value, [one] if one.is_number() && !one.text.contains(['.', 'L']));
        let element = match self.kind {
            Kind::Kotlin if types.is_empty() && is_count => "int",
            _ => self.element(types),
        };
        if let Some((counts, fill, of)) = self
            .rows(value)
            .or_else(|| self.new_array(value).map(|(count, fill, of)| (vec![count], fill, of)))
        {
            let element = if of.is_empty() { element } else { self.element(&of) };
            let is_truth = matches!(&fill[..], [one] if one.is_any(&["true", "false"]));
            let element = if is_truth { "bool" } else { element };
            for (at, count) in counts.iter().enumerate() {
                self.out.extend(["vector", "<", element, ">"].map(made));
                if at == 0 {
                    self.out.push(name.clone());
                }
                self.out.push(made("("));
                self.out.extend_from_slice(count);
                self.out.push(made(","));
            }
            let is_zero = matches!(&fill[..], [zero] if zero.is("0"));
            let fill = if element == "bool" && is_zero { vec![made("false")] } else { fill };
            self.out.extend(fill);
            self.out.extend(counts.iter().map(|_| made(")")));
            self.out.push(made(";"));
            return;
        }
        self.out.extend([made(element), name.clone()]);
        if !value.is_empty() {
            self.out.push(made("="));
            let rest = std::mem::take(&mut self.tokens);
            let at = std::mem::replace(&mut self.at, 0);
            self.tokens = value.to_vec();
            while self.at < self.tokens.len() {
                self.step();
            }
            (self.tokens, self.at) = (rest, at);
        }
        self.out.push(made(";"));
    }

    /// `vec![0; n]`, `make([]int, n)`, `new Array(n).fill(0)`, `IntArray(n)`: how many, what, and of which type.
    fn new_array(&self, value: &[Token]) -> Option<(Vec<Token>, Vec<Token>, Vec<Token>)> {
        let zero = |it: &Token| vec![it.with("0")];
        let inside = |tokens: &[Token]| -> Option<(Vec<Token>, usize)> {
            let close = closing(tokens, 0)?;
            Some((tokens[1..close].to_vec(), close))
        };
        match value {
            [vec, bang, rest @ ..] if vec.is("vec") && bang.is("!") => self.new_array(rest),
            [open, ..] if open.is("[") && self.kind == Kind::Rust => {
                let (inner, close) = inside(value)?;
                let at = position(&inner, &[";"])?;
                let (fill, count) = (inner[..at].to_vec(), inner[at + 1..].to_vec());
                let is_real = fill.iter().any(|it| it.text.contains('.'));
                let of = if is_real { vec![open.with("f64")] } else { vec![] };
                (close + 1 == value.len() && !fill[0].is("vec") && !fill[0].is("["))
                    .then_some((count, fill, of))
            }
            [make, rest @ ..] if make.is("make") && rest.first()?.is("(") => {
                let (inner, _) = inside(rest)?;
                let parts = split(&inner, &[","]);
                let is_plain =
                    parts.len() == 2 && parts[0].iter().filter(|it| it.is("[")).count() == 1;
                is_plain.then(|| (parts[1].to_vec(), zero(make), parts[0].to_vec()))
            }
            [array, open, ..] if array.is("Array") && open.is("(") && self.kind == Kind::Script => {
                self.new_array(&[&[array.with("new")], value].concat())
            }
            [new, array, rest @ ..] if new.is("new") && array.text.contains("Array") => {
                let (inner, close) = inside(rest)?;
                let fill = match &rest[close + 1..] {
                    [] => zero(new),
                    [dot, fill, open, value @ .., _]
                        if dot.is(".") && fill.is("fill") && open.is("(") =>
                    {
                        value.to_vec()
                    }
                    _ => return None,
                };
                (!inner.is_empty() && position(&inner, &[","]).is_none()).then_some((
                    inner,
                    fill,
                    vec![],
                ))
            }
            [array, rest @ ..]
                if array.is_any(&["IntArray", "LongArray", "DoubleArray", "BooleanArray"]) =>
            {
                let (inner, close) = inside(rest)?;
                let fill =
                    if array.is("BooleanArray") { vec![array.with("false")] } else { zero(array) };
                let fill = match &rest[close + 1..] {
                    [] => fill,
                    [open, value @ .., _] if open.is("{") && value.len() == 1 => value.to_vec(),
                    _ => return None,
                };
                Some((inner, fill, vec![array.clone()]))
            }
            [open, element, _, rest @ ..]
                if open.is("[") && self.kind == Kind::Swift && rest.first()?.is("(") =>
            {
                let (inner, _) = inside(rest)?;
                let parts = split(&inner, &[","]);
                let [fill, count] = parts[..] else { return None };
                let is_plain = fill.first()?.is("repeating") && count.first()?.is("count");
                is_plain.then(|| (count[2..].to_vec(), fill[2..].to_vec(), vec![element.clone()]))
            }
            _ => None,
        }
    }

    /// `vec![vec![0; m]; n]`, `Array(n) { IntArray(m) }`, `Array.from({ length: n }, () => new Array(m).fill(0))`: rows.
    fn rows(&self, value: &[Token]) -> Option<Rows> {
        let is_array = |it: &Token| it.text.ends_with("Array");
        let (outer, inner): (Vec<Token>, &[Token]) = match value {
            [vec, bang, open, ..] if vec.is("vec") && bang.is("!") && open.is("[") => {
                let inside = &value[3..closing(value, 2)?];
                let at = position(inside, &[";"])?;
                (inside[at + 1..].to_vec(), &inside[..at])
            }
            [array, open, ..] if array.is("Array") && open.is("(") && self.kind == Kind::Kotlin => {
                let close = closing(value, 1)?;
                let [brace, inner @ .., last] = &value[close + 1..] else { return None };
                let ends = inner.iter().rev().take_while(|it| it.is(";")).count();
                let inner = &inner[..inner.len() - ends];
                (brace.is("{") && last.is("}")).then_some((value[2..close].to_vec(), inner))?
            }
            [array, dot, from, open, brace, length, colon, ..]
                if array.is("Array")
                    && dot.is(".")
                    && from.is("from")
                    && open.is("(")
                    && brace.is("{")
                    && length.is("length")
                    && colon.is(":") =>
            {
                let close = closing(value, 4)?;
                let arrow = position(&value[close..value.len() - 1], &["=>"])? + close;
                (value[7..close].to_vec(), &value[arrow + 1..value.len() - 1])
            }
            [new, array, open, ..] if new.is("new") && is_array(array) && open.is("(") => {
                let close = closing(value, 2)?;
                let map = value[close..].iter().position(|it| it.is("map"))? + close;
                let arrow = value[map..].iter().position(|it| it.is("=>"))? + map;
                (value[3..close].to_vec(), &value[arrow + 1..value.len() - 1])
            }
            _ => return None,
        };
        let (count, fill, of) = self.new_array(inner)?;
        Some((vec![outer, count], fill, of))
    }

    /// `a, b = b, a`, `x := e`, `a.swap(i, j)`.
    fn assigned(&mut self, word: &Token) -> bool {
        let Some(all) = self.until(&[";"]) else { return false };
        let is_slice = all.iter().any(|it| it.is(":=")) && all.iter().any(|it| it.is("["));
        if all.iter().any(|it| it.is_any(&["{", "}"])) && !is_slice {
            return false;
        }
        let made = |text: &str| word.with(text);
        if let [array, dot, swap, open, inside @ .., _] = &all[..]
            && dot.is(".")
            && swap.is_any(&["swap", "swapAt"])
            && open.is("(")
            && let [left, right] = &split(inside, &[","])[..]
        {
            let element = |at: &[Token]| [&[array.clone(), made("[")], at, &[made("]")]].concat();
            self.at += all.len() + 1;
            self.together(
                word,
                &[element(left), element(right)],
                &[element(right), element(left)],
                false,
            );
            return true;
        }
        if self.grown(&all) {
            return true;
        }
        let Some(at) = position(&all, &[":=", "="]) else { return false };
        let (left, sign, value) = (&all[..at], &all[at], &all[at + 1..]);
        let (targets, values) = (parts(left), parts(value));
        let is_group = left.first().is_some_and(|it| it.is_any(&["(", "["]));
        if targets.len() > 1
            && targets.len() == values.len()
            && (is_group || split(left, &[","]).len() > 1)
        {
            self.at += all.len() + 1;
            self.together(word, &targets, &values, sign.is(":="));
            return true;
        }
        if sign.is(":=")
            && let [name] = left
        {
            self.at += all.len() + 1;
            self.declare(name, &[], value);
            return true;
        }
        false
    }

    /// All values before the first is given.
    fn together(
        &mut self,
        like: &Token,
        targets: &[Vec<Token>],
        values: &[Vec<Token>],
        is_new: bool,
    ) {
        let made = |text: &str| like.with(text);
        let text = |it: &[Token]| it.iter().map(|it| it.text.clone()).collect::<String>();
        if let ([a, b], [c, d]) = (targets, values)
            && text(a) == text(d)
            && text(b) == text(c)
        {
            self.out.extend([made("swap"), made("(")]);
            self.out.extend(a.clone());
            self.out.push(made(","));
            self.out.extend(b.clone());
            self.out.extend([made(")"), made(";")]);
            return;
        }
        let reads = |it: &Token| targets.iter().flatten().any(|of| of.is(&it.text));
        if is_new && targets.iter().all(|it| it.len() == 1) && !values.iter().flatten().any(reads) {
            for (target, value) in targets.iter().zip(values) {
                self.declare(&target[0], &[], value);
            }
            return;
        }
        let names: Vec<Token> = targets.iter().map(|_| self.fresh(like)).collect();
        for (name, value) in names.iter().zip(values) {
            self.declare(name, &[], value);
        }
        for (target, name) in targets.iter().zip(&names) {
            if is_new {
                self.out.push(made("var"));
            }
            self.out.extend(target.clone());
            self.out.extend([made("="), name.clone(), made(";")]);
        }
    }
}
