//! What a listing says of its inputs and of its result: `from`, `reference`, `requires` and `ensures`. None of
//! these words is reserved.

use super::{Parser, Result};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Symbol, Token};
use crate::syntax::{
    Clauses, ExprNode, ExprNodeKind, InputOrigin, Name, OriginArgument, Promise, RequirementNode,
    UnaryOp,
};

/// A number as its digits say.
fn number(expression: &ExprNode) -> Option<String> {
    match expression.kind {
        ExprNodeKind::Integer(value) => Some(value.to_string()),
        ExprNodeKind::Float(value) => Some(format!("{value:?}")),
        _ => None,
    }
}

impl Parser {
    /// What may stand behind an array's type: `from random(0, 1)`.
    pub(super) fn origin(&mut self, array: &Name) -> Result<Option<InputOrigin>> {
        if !self.accept_name("from") {
            return Ok(None);
        }
        let word = self.name("what the array holds, as in `from random(0, 1)`")?;
        let mut arguments = vec![];
        if self.accept_symbol(Symbol::Open) {
            let of_letters = word.text == "text";
            arguments = self.list(Symbol::Close, |parser| match of_letters {
                true => parser.letters().map(OriginArgument::Text),
                false => parser.argument(),
            })?;
        }
        Ok(Some(InputOrigin { array: array.text.clone(), word, arguments }))
    }

    /// Those of an alphabet.
    fn letters(&mut self) -> Result<String> {
        let text = match self.peek() {
            Token::Integer(value) => value.to_string(),
            Token::Name(letters) => letters.clone(),
            _ => return Err(self.unexpected("the letters of an alphabet")),
        };
        self.advance();
        Ok(text)
    }

    /// A number, or an expression of the parameters.
    fn argument(&mut self) -> Result<OriginArgument> {
        let expression = self.expression()?;
        let text = match &expression.kind {
            ExprNodeKind::Unary(UnaryOp::Negate, it) => number(it).map(|it| format!("-{it}")),
            _ => number(&expression),
        };
        Ok(text.map_or(OriginArgument::Expression(expression), OriginArgument::Text))
    }

    /// A line that begins with `reference`, `requires` or `ensures`, if one stands here.
    pub(super) fn clause(&mut self, clauses: &mut Clauses) -> Result<bool> {
        let is = |word: &str| matches!(self.peek(), Token::Name(name) if name == word);
        if is("reference") && matches!(self.peek_second(), Token::Text(_)) {
            self.advance();
            let span = self.span();
            if clauses.reference.is_some() {
                return Err(Diagnostic::new(span, "a second `reference`")
                    .help("a listing is compared with one other"));
            }
            if let Token::Text(text) = self.advance() {
                clauses.reference = Some(Name { text, span });
            }
        } else if is("ensures") && matches!(self.peek_second(), Token::Name(_)) {
            self.advance();
            let promise = self.promise()?;
            clauses.promises.push(promise);
        } else if is("requires") && !matches!(self.peek_second(), Token::Symbol(Symbol::Arrow)) {
            self.advance();
            let condition = self.expression()?;
            clauses.requirements.push(match &condition.kind {
                ExprNodeKind::Call { function, arguments } if function == "sorted" => {
                    match &arguments[..] {
                        [ExprNode { kind: ExprNodeKind::Name(text), span }] => {
                            RequirementNode::Sorted(Name { text: text.clone(), span: *span })
                        }
                        _ => {
                            return Err(Diagnostic::new(condition.span, "one array is sorted")
                                .help("write `requires sorted(row)`"));
                        }
                    }
                }
                _ => RequirementNode::Holds(condition),
            });
        } else {
            return Ok(false);
        }
        self.expect(&Token::Newline)?;
        Ok(true)
    }

    fn promise(&mut self) -> Result<Promise> {
        let name = self.name("an array")?;
        if self.accept_symbol(Symbol::Equal) {
            let of = self.name("`reference.` and an array")?;
            let Some(array) = of.text.strip_prefix("reference.") else {
                return Err(Diagnostic::new(of.span, "an array is compared with the reference's")
                    .help(format!("write `ensures {0} = reference.{0}`", name.text)));
            };
            let of = Name { text: array.to_owned(), span: of.span };
            return Ok(Promise::Equal { array: name, of });
        }
        self.expect_symbol(Symbol::Open)?;
        let arrays = self.list(Symbol::Close, |parser| parser.name("an array"))?;
        match (name.text.as_str(), <[Name; 1]>::try_from(arrays.clone()), &arrays[..]) {
            ("sorted", Ok([array]), _) => Ok(Promise::Sorted(array)),
            ("permutation", _, [array, of]) => {
                Ok(Promise::Permutation { array: array.clone(), of: of.clone() })
            }
            _ => Err(Diagnostic::new(name.span, "this cannot be ensured").help(
                "write `ensures sorted(b)`, `ensures permutation(b, a)` or `ensures b = reference.b`",
            )),
        }
    }
}
