//! Calls of functions, which are inlined, and conversions, which are called by a type's name.

use super::built_in::BuiltIn;
use super::extents::count;
use super::types::{TypeEstimate, Typed};
use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::parser::arity;
use crate::program::{Expr, ExprKind, ScalarId};
use crate::syntax::{self, FunctionNode, Type};

/// Functions are inlined: calls of calls could grow without bound. The longest listing without
/// calls has fewer expressions than this.
const MOST_EXPRESSIONS: usize = 1 << 21;
/// Deepest nesting of an expression with the functions that it calls; every later pass recurses as
/// deep.
const DEEPEST: usize = 500;

impl<'a> Checker<'a> {
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: &[syntax::ExprNode],
        span: Span,
    ) -> Result<Typed> {
        let functions = self.functions;
        let is_defined = functions.iter().any(|it| it.name.text == name);
        let to = Type::ALL.into_iter().find(|it| it.word() == name).filter(|_| !is_defined);
        if let Some(to) = to {
            let [argument] = arguments else {
                return Err(arity(span, name, "one argument", arguments.len()));
            };
            return self.convert(argument, to, span);
        }
        let Some(index) = functions.iter().position(|it| it.name.text == name) else {
            if let Some(built_in) = BuiltIn::of(name) {
                return self.built_in(built_in, name, arguments, span);
            }
            return Err(match self.declared(name) {
                Some("a procedure") => {
                    Diagnostic::new(span, format!("`{name}` is a procedure, not a function"))
                        .help(format!("a call stands alone on the right: `s ← {name}(…)`"))
                }
                Some(other) => {
                    Diagnostic::new(span, format!("`{name}` is {other}, not a function"))
                }
                None => {
                    let error = Diagnostic::new(span, format!("unknown function `{name}`"));
                    match instead_of_function(name) {
                        Some(help) => error.help(help),
                        None => error.help(format!(
                            "define it above the statements: `function {name}(x) = …`"
                        )),
                    }
                }
            });
        };
        let function = &functions[index];
        if index >= self.callable {
            return Err(Diagnostic::new(
                span,
                format!("`{name}` is defined later, or calls itself"),
            )
            .help("a function calls only functions defined above it"));
        }
        if arguments.len() != function.parameters.len() {
            let takes = count(function.parameters.len(), "argument");
            return Err(arity(span, name, &takes, arguments.len()));
        }
        let values =
            arguments.iter().map(|argument| self.typed(argument)).collect::<Result<Vec<_>>>()?;
        let types: Vec<TypeEstimate> = values.iter().map(|value| value.inferred).collect();
        let (scalars, body) = self.inline(function, index, &types)?;
        let inferred = body.inferred;
        let expr = scalars.into_iter().zip(values).rev().try_fold(
            body.settle(),
            |body, (scalar, value)| {
                let (element, value) = (body.element, value.settle());
                Ok(Expr { kind: ExprKind::Let(scalar, Box::new([value, body])), element, span })
            },
        )?;
        Ok(Typed { expr, inferred })
    }

    /// Whether what stands for functions and constants is not too much.
    pub(super) fn expands(&self, span: Span) -> Result<()> {
        let excess = match () {
            () if self.expressions > MOST_EXPRESSIONS => {
                Some(format!("the functions expand to more than {MOST_EXPRESSIONS} expressions"))
            }
            () if self.depth > DEEPEST => {
                Some(format!("the functions expand to expressions more than {DEEPEST} deep"))
            }
            () => None,
        };
        match excess {
            Some(message) => {
                let error = Diagnostic::new(span, message);
                Err(error.help("assign intermediate results to scalars"))
            }
            None => Ok(()),
        }
    }

    /// Resolves a function's body with parameters of the given types in fresh registers.
    fn inline(
        &mut self,
        function: &'a FunctionNode,
        index: usize,
        types: &[TypeEstimate],
    ) -> Result<(Vec<ScalarId>, Typed)> {
        self.expands(function.name.span)?;
        let hidden = self.scope.hide();
        let callable = std::mem::replace(&mut self.callable, index);
        let mut scalars = vec![];
        for (parameter, inferred) in function.parameters.iter().zip(types) {
            // The argument is evaluated before it is bound, so its type is settled.
            let settled = TypeEstimate::Known(inferred.settled());
            let scalar = self.scope.bind(&parameter.text, settled);
            self.assigned.insert(scalar);
            scalars.push(scalar);
        }
        let around = self.function.replace(&function.name.text);
        let body = self.typed(&function.body)?;
        self.function = around;
        self.scope.reveal(hidden);
        self.callable = callable;
        Ok((scalars, body))
    }

    /// A function must make sense for integers or for floats, called or not. Leaves no trace.
    pub(super) fn check_function(&mut self, function: &'a FunctionNode) -> Result<()> {
        let mut alone = |element| {
            let types = vec![TypeEstimate::Known(element); function.parameters.len()];
            let outside = (self.callable, std::mem::take(&mut self.scope));
            let result = self.inline(function, outside.0, &types);
            (self.callable, self.scope) = outside;
            self.assigned.clear();
            self.function = None;
            self.expressions = 0;
            self.depth = 0;
            result.map(|_| ())
        };
        let as_floats = alone(Type::F64);
        if as_floats.is_ok() { as_floats } else { alone(Type::I64).or(as_floats) }
    }

    fn convert(&mut self, argument: &syntax::ExprNode, to: Type, span: Span) -> Result<Typed> {
        let typed = self.typed(argument)?;
        let inferred = TypeEstimate::Known(to);
        let is_bool = |element| element == Type::Bool;
        if is_bool(typed.expr.element) != is_bool(to) {
            let found = typed.inferred;
            return Err(Diagnostic::new(span, format!("{found} cannot become {}", to.word()))
                .help("compare, as in `x ≠ 0`, or write `if x then 1 else 0`"));
        }
        let operand = typed.settle();
        let expr = if operand.element == to {
            operand
        } else {
            Expr { kind: ExprKind::Convert(Box::new(operand)), element: to, span }
        };
        Ok(Typed { expr, inferred })
    }
}

/// What to write instead of a function that other languages have.
fn instead_of_function(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "power" | "square" | "sqr" => "write `x^2`, or `pow(x, y)`",
        "floor" | "trunc" | "round" | "int" => {
            "`⌊x⌋` rounds down, `i64(x)` cuts a float's fraction off"
        }
        "ceil" | "ceiling" => "`⌈x⌉` rounds up, `i64(x)` cuts a float's fraction off",
        "float" | "real" => "`f32(x)` and `f64(x)` convert to floats",
        "double" => "`f64(x)` converts to a float",
        "fabs" | "labs" => "write `abs(x)`",
        "fmin" | "fminf" => "write `min(x, y)`",
        "fmax" | "fmaxf" => "write `max(x, y)`",
        "length" | "len" | "size" => {
            "an array's extents are parameters of the algorithm: use those"
        }
        "ln" => "the natural logarithm is `log(x)`",
        "atan" => "write `atan2(x, 1)`",
        "popc" | "popcnt" | "bitcount" => "write `popcount(x)`",
        "asin" | "acos" | "sinh" | "cosh" | "tanh" | "exp2" | "log10" | "cbrt" | "hypot" => {
            "the language has sin, cos, tan, atan2, exp, log, log2, pow and sqrt: define a function \
             that is made of these"
        }
        "rand" | "random" => "give random numbers in an input array",
        _ => return None,
    })
}
