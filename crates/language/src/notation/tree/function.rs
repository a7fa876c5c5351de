//! Functions and attributes by the names that the plain form has for them.

use super::value::folded;
use super::{Expressions, Result, Tree, unexpected};
use crate::diagnostic::{Diagnostic, Span};
use crate::notation::token::Token;

/// `bitshift(a, -1)`: to the right.
fn shifted(name: &Token, left: Tree, by: Tree) -> Result<Tree> {
    match by {
        Tree::Atom(it) if it.is_number() => {
            Ok(Tree::Binary("<<", Box::new(left), Box::new(Tree::Atom(it))))
        }
        Tree::Prefix("-", of, _) if matches!(&*of, Tree::Atom(it) if it.is_number()) => {
            Ok(Tree::Binary(">>", Box::new(left), of))
        }
        _ => Err(Diagnostic::new(
            name.span,
            "a shift to the left, or to the right where the number is negative",
        )
        .help("write a number, or a product with or a quotient by a power of two")),
    }
}

/// 1, -1 or 0, as a value is above, below or none of both.
fn sign(name: &Token, of: Tree) -> Tree {
    let number = |text: &str| Tree::Atom(name.with(text));
    let compared = |op| Tree::Binary(op, Box::new(of.clone()), Box::new(number("0")));
    let minus = Tree::Prefix("-", Box::new(number("1")), name.with("-"));
    let below = Tree::Choice(Box::new([compared("<"), minus, number("0")]));
    Tree::Choice(Box::new([compared(">"), number("1"), below]))
}

/// `fld(a, b)`, which rounds down, and `mod1(a, b)`, the remainder from 1 on.
fn of_julia(name: &Token, mut arguments: Vec<Tree>) -> Tree {
    let one = || Box::new(Tree::Atom(name.with("1")));
    let right = Box::new(arguments.remove(1));
    let left = Box::new(arguments.remove(0));
    if name.is("fld") {
        return Tree::Round(false, Box::new(Tree::Binary("/", left, right)));
    }
    let before = Box::new(Tree::Binary("-", left, one()));
    Tree::Binary("+", Box::new(Tree::Binary("mod", before, right)), one())
}

/// What numbers of Rust and Kotlin are asked for.
const OF_NUMBERS: [&str; 17] = [
    "abs",
    "min",
    "max",
    "sqrt",
    "floor",
    "ceil",
    "pow",
    "powi",
    "powf",
    "round",
    "sin",
    "cos",
    "exp",
    "ln",
    "rem_euclid",
    "div_euclid",
    "count_ones",
];

impl Expressions<'_> {
    /// `math.sqrt`, `np.abs`: the last of them.
    pub(super) fn qualified(&mut self, token: Token) -> Result<Token> {
        let mut token = token;
        while token
            .is_any(&["math", "np", "numpy", "Math", "std", "cmath", "sys", "linalg", "operator"])
            && (self.is(".") || self.is("::"))
            && let Some(name) = self.tokens.get(self.at + 1)
        {
            // Go's and C#'s have capital letters.
            let is_shouted = token.is_any(&["math", "Math"])
                && name.text.starts_with(char::is_uppercase)
                && name.text.chars().any(char::is_lowercase);
            let name =
                &if is_shouted { name.with(name.text.to_ascii_lowercase()) } else { name.clone() };
            // Java's rounds otherwise than C's.
            let of_java = token.is("Math") && name.is_any(&["round", "trunc"]);
            let own = name.with(format!("Math.{}", name.text));
            token = if of_java { own } else { name.clone() };
            self.at += 2;
        }
        Ok(token)
    }

    /// `a.length`, `a.shape[0]`, `a.size()`.
    pub(super) fn attribute(&mut self, array: Token, indices: Vec<Tree>) -> Result<Tree> {
        self.at += 1;
        let name = self.peek().cloned().unwrap_or_else(|| self.last());
        self.at += 1;
        let of = |word: &str| {
            Ok(Tree::Call(array.with(word), vec![Tree::Atom(Token::variable(&array))]))
        };
        if self.accept("(") {
            let arguments = self.arguments(")")?;
            if !arguments.is_empty() || name.is_any(&OF_NUMBERS) {
                let of = match indices.is_empty() {
                    true => Tree::Atom(Token::variable(&array)),
                    false => Tree::Index(Token::variable(&array), indices),
                };
                return self.method(&name, of, arguments);
            }
        }
        // `a[i].length`
        if let ([_], "length" | "size" | "len" | "count") = (&indices[..], name.text.as_str()) {
            return of("columns");
        }
        if name.is("shape") && self.accept("[") {
            let dimension = self.peek().map(|it| it.text.clone()).unwrap_or_default();
            self.at += 1;
            self.expect("]")?;
            return match dimension.as_str() {
                "0" => of("rows"),
                "1" => of("columns"),
                _ => Err(unexpected(&self.last(), "0 or 1")),
            };
        }
        match name.text.as_str() {
            "length" | "size" | "len" | "count" | "Length" => of("length"),
            "rows" => of("rows"),
            "cols" | "columns" => of("columns"),
            other => Err(Diagnostic::new(name.span, format!("`.{other}` is not known")).help(
                "an array has elements and a length; a record is an array for each of its parts",
            )),
        }
    }

    /// `(x + 1).min(y).max(z)`: what is asked of a value.
    pub(super) fn methods(&mut self, mut tree: Tree) -> Result<Tree> {
        while self.is(".")
            && let [_, name, open, ..] = &self.tokens[self.at..]
            && name.is_any(&OF_NUMBERS)
            && open.is("(")
        {
            let name = name.clone();
            self.at += 3;
            let arguments = self.arguments(")")?;
            tree = self.method(&name, tree, arguments)?;
        }
        Ok(tree)
    }

    /// `x.abs()`, `a.max(b)`, of numbers.
    pub(super) fn method(
        &mut self,
        name: &Token,
        of: Tree,
        mut arguments: Vec<Tree>,
    ) -> Result<Tree> {
        if !name.is_any(&OF_NUMBERS) {
            return Err(Diagnostic::new(name.span, format!("`.{}` is not known", name.text))
                .help("write what it computes"));
        }
        arguments.insert(0, of);
        let plain = match name.text.as_str() {
            "powi" | "powf" => "pow",
            "rem_euclid" => "floorMod",
            "div_euclid" => "floorDiv",
            other => other,
        };
        self.call(name.with(plain), arguments)
    }

    /// A function by the name that the plain form has for it.
    pub(super) fn call(&mut self, name: Token, arguments: Vec<Tree>) -> Result<Tree> {
        let count = arguments.len();
        if self.known.defined.contains(&name.text) {
            return Ok(Tree::Call(name, arguments));
        }
        let mut arguments = match self.of_library(&name, arguments)? {
            Ok(tree) => return Ok(tree),
            Err(arguments) => arguments,
        };
        let plain = |to: &str| Ok(name.with(to));
        // `len(A[0])`: a row's.
        if let ("len" | "length", [Tree::Index(array, row)]) = (name.text.as_str(), &arguments[..])
            && row.len() == 1
            && self.dialect == super::Dialect::Python
        {
            return Ok(Tree::Call(name.with("columns"), vec![Tree::Atom(array.clone())]));
        }
        let renamed = match (name.text.as_str(), count) {
            ("fabs" | "fabsf" | "fabsl" | "labs", 1) => plain("abs"),
            ("isqrt", 1) => {
                let root = Tree::Call(name.with("sqrt"), arguments);
                return Ok(Tree::Round(false, Box::new(root)));
            }
            ("sqrtf" | "dsqrt", 1) => plain("sqrt"),
            ("fmin" | "fminf" | "MIN" | "imin" | "minimum", 2..) => plain("min"),
            ("fmax" | "fmaxf" | "MAX" | "imax" | "maximum", 2..) => plain("max"),
            ("expf", 1) => plain("exp"),
            ("logf", 1) => plain("log"),
            ("log2f", 1) => plain("log2"),
            ("sinf", 1) => plain("sin"),
            ("cosf", 1) => plain("cos"),
            ("powf", 2) => plain("pow"),
            ("len" | "length" | "numel", 1) => plain("length"),
            ("size" | "SIZE", 1) => plain("length"),
            ("float" | "double" | "Float64" | "real" | "dble", 1) => plain("f64"),
            ("int" | "Int" | "trunc" | "fix", 1) => plain("i64"),
            ("sign", 1) if self.dialect != super::Dialect::C => {
                return Ok(sign(&name, arguments.remove(0)));
            }
            ("fld" | "mod1", 2) => return Ok(of_julia(&name, arguments)),
            _ => plain(&name.text),
        }?;
        let is_up = renamed.text.to_ascii_lowercase().starts_with("ceil");
        match (renamed.text.as_str(), count) {
            ("floor" | "floorf" | "ceil" | "ceilf" | "ceiling" | "CEILING", 1) => {
                let operand = arguments.remove(0);
                let operand = match operand {
                    Tree::Binary("real /", left, right) => Tree::Binary("/", left, right),
                    other => other,
                };
                let is_c = self.dialect == super::Dialect::C && !self.known.is_script;
                let rounded = Tree::Round(is_up, Box::new(operand));
                // A real number in C, which has a quotient that is none.
                Ok(if is_c { Tree::Call(name.with("f64"), vec![rounded]) } else { rounded })
            }
            ("size" | "SIZE", 2) => {
                let word = match &arguments[1] {
                    Tree::Atom(it) if it.is("1") => "rows",
                    Tree::Atom(it) if it.is("2") => "columns",
                    _ => return Err(unexpected(&name, "the first or second dimension")),
                };
                Ok(Tree::Call(name.with(word), vec![arguments.remove(0)]))
            }
            (
                "mod" | "modulo" | "rem" | "MOD" | "div" | "fld" | "idivide" | "ceil" | "bitand"
                | "bitor" | "bitxor" | "bitshift" | "shiftl" | "ishft" | "iand" | "ior" | "ieor",
                2,
            ) => {
                let (right, left) = (arguments.remove(1), arguments.remove(0));
                let word = renamed.text.to_ascii_lowercase();
                let cuts = self.known.cuts || word == "rem" || word == "div";
                let (op, sign) = match word.as_str() {
                    "mod" | "rem" if cuts => ("mod", "%"),
                    "mod" | "modulo" | "rem" => ("mod", "mod"),
                    "div" | "idivide" => ("//", "div"),
                    "fld" => ("/", "fld"),
                    "bitand" | "iand" => ("&", "&"),
                    "bitor" | "ior" => ("|", "|"),
                    "bitxor" | "ieor" => ("xor", "xor"),
                    _ => ("<<", "<<"),
                };
                if op == "<<" {
                    return shifted(&name, left, right);
                }
                if op == "/" {
                    let quotient = Tree::Binary("/", Box::new(left), Box::new(right));
                    return Ok(Tree::Round(false, Box::new(quotient)));
                }
                let floors = self.known.floors;
                self.known.floors = word == "modulo" || floors && !cuts;
                let tree = self.operation(op, sign, left, right, name.span);
                self.known.floors = floors;
                Ok(tree)
            }
            _ => Ok(Tree::Call(renamed, arguments)),
        }
    }

    /// An operation with the meaning that it has in its language.
    pub(super) fn operation(
        &mut self,
        plain: &'static str,
        sign: &str,
        left: Tree,
        right: Tree,
        span: Span,
    ) -> Tree {
        let (plain, left, right) = self.known.without_bools(plain, left, right);
        // JavaScript computes with the bits of 32.
        let is_narrow = self.known.is_script && ["&", "|", "xor", "<<", ">>"].contains(&plain);
        let narrow = |it: Tree| match &it {
            Tree::Atom(token) if token.is_number() => it,
            Tree::Call(name, _) if name.is("i32") => it,
            _ => Tree::Call(super::first(&it).with("i32"), vec![it]),
        };
        let (left, right) = if is_narrow { (narrow(left), narrow(right)) } else { (left, right) };
        let is_real = self.known.is_real(&left) || self.known.is_real(&right);
        let are_natural = self.known.is_natural(&left) && self.known.is_natural(&right);
        let call = |name: &str, left, right| {
            let like = Token { text: name.to_owned(), blank: " ".to_owned(), span, column: 0 };
            Tree::Call(like, vec![left, right])
        };
        if let ("+" | "-", Some(sum)) = (plain, folded(plain, &left, &right)) {
            return sum;
        }
        match plain {
            // The bits of a negative number of 32 without their sign.
            ">>>" => {
                let all = Tree::Atom(super::first(&left).with("0xffffffff"));
                let bits = Tree::Binary("&", Box::new(left), Box::new(all));
                Tree::Binary(">>", Box::new(bits), Box::new(right))
            }
            "//" if self.known.floors || are_natural || sign == "%/%" => {
                Tree::Round(false, Box::new(Tree::Binary("/", Box::new(left), Box::new(right))))
            }
            "//" => {
                self.known.uses.insert("quotient");
                call("quotient", left, right)
            }
            "/" if is_real || self.known.cuts && are_natural => {
                Tree::Binary("/", Box::new(left), Box::new(right))
            }
            "/" if self.known.cuts => {
                self.known.uses.insert("quotient");
                call("quotient", left, right)
            }
            "/" => Tree::Binary("real /", Box::new(left), Box::new(right)),
            "mod" if sign == "%" && !self.known.floors && !are_natural => {
                self.known.uses.insert("remainder");
                call("remainder", left, right)
            }
            _ => Tree::Binary(plain, Box::new(left), Box::new(right)),
        }
    }
}
