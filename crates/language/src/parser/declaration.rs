//! Declarations: parameters, arrays, constants, functions; and fields of records.
//!
//! `input p[n] : {x, y, z : f32}` is an array of n rows of three, and `p[i].x` the first of row i.

use super::{MOST_DIMENSIONS, MOST_PARAMETERS, Parser, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::{Symbol, Token};
use crate::syntax::{
    ArrayDeclaration, Constant, ExprNode, ExprNodeKind, Extent, FunctionNode, LayoutNode, Name,
    ParameterNode, RealParameter, Role, Type,
};

/// One of the names behind an algorithm's.
pub(super) enum HeadParameter {
    Integer(ParameterNode),
    Real(RealParameter),
}

impl Parser {
    pub(super) fn parameter(&mut self) -> Result<HeadParameter> {
        let name = self.name("a parameter")?;
        if self.accept_symbol(Symbol::Colon) {
            return self.real_parameter(name).map(HeadParameter::Real);
        }
        let default = if self.accept_symbol(Symbol::Equal) {
            let negative = self.accept_symbol(Symbol::Minus);
            let Token::Integer(value) = *self.peek() else {
                return Err(self.unexpected("an integer"));
            };
            let Ok(value) = i64::try_from(value) else {
                return Err(Diagnostic::new(self.span(), "this number is too large")
                    .help("parameters go up to 9223372036854775807"));
            };
            self.advance();
            Some(if negative { -value } else { value })
        } else {
            None
        };
        Ok(HeadParameter::Integer(ParameterNode { name, default }))
    }

    fn real_parameter(&mut self, name: Name) -> Result<RealParameter> {
        let (of, element) = (self.span(), self.element()?);
        if !element.is_float() {
            return Err(Diagnostic::new(of, "the type of a parameter is one of real numbers")
                .help("write `x : f64`; a parameter without a type is an integer"));
        }
        let value = if self.accept_symbol(Symbol::Equal) {
            let negative = self.accept_symbol(Symbol::Minus);
            let value = match *self.peek() {
                Token::Integer(value) => value as f64,
                Token::Float(value) => value,
                _ => return Err(self.unexpected("a number")),
            };
            self.advance();
            Some(if negative { -value } else { value })
        } else {
            None
        };
        Ok(RealParameter { name, element, value })
    }

    pub(super) fn array(&mut self, role: Role) -> Result<ArrayDeclaration> {
        self.advance();
        let name = self.name("the array's name")?;
        let is_one_register =
            role == Role::Register && *self.peek() == Token::Symbol(Symbol::Colon);
        let mut extents = if is_one_register {
            vec![]
        } else {
            self.expect_symbol(Symbol::OpenIndex)?;
            self.list(Symbol::CloseIndex, Self::extent)?
        };
        self.expect_symbol(Symbol::Colon)?;
        let (fields, element) = self.fields_and_element()?;
        if let (true, Some(field)) = (is_one_register, fields.first()) {
            return Err(Diagnostic::new(field.span, "a single register has no fields")
                .help("declare a register for each, or an array of records, as in `r[1]`"));
        }
        extents.extend(self.extent_of_fields(&name, &fields));
        if (extents.is_empty() && !is_one_register) || extents.len() > MOST_DIMENSIONS {
            let message = format!("an array has one to {MOST_DIMENSIONS} dimensions");
            return Err(Diagnostic::new(name.span, message)
                .help("compute one index from several, as in `a[i×n + j]`"));
        }
        let layout = self.layout()?;
        Ok(ArrayDeclaration { role, name, extents, fields, element, layout })
    }

    /// What may stand behind an array's type: `layout tile(8, 8)`.
    fn layout(&mut self) -> Result<Option<LayoutNode>> {
        if !self.accept_name("layout") {
            return Ok(None);
        }
        let word = self.name("the order of cells, as in `layout column`")?;
        let mut arguments = vec![];
        if self.accept_symbol(Symbol::Open) {
            arguments = self.list(Symbol::Close, Self::expression)?;
        }
        Ok(Some(LayoutNode { word, arguments }))
    }

    /// `n`, or `1 .. n`.
    fn extent(&mut self) -> Result<Extent> {
        let size = self.expression()?;
        if !self.accept_symbol(Symbol::Range) {
            return Ok(Extent { first: None, size });
        }
        Ok(Extent { first: Some(size), size: self.expression()? })
    }

    /// Whether a declaration with this word stands here, which is not reserved: but no statement
    /// begins with two names, or a name and a reserved word that should be one.
    pub(super) fn begins_with(&self, word: &str) -> bool {
        use Token::{Name, Role, Type, Word};
        matches!(self.peek(), Name(name) if name == word)
            && matches!(self.peek_second(), Name(_) | Word(_) | Role(_) | Type(_))
    }

    pub(super) fn constant(&mut self) -> Result<Constant> {
        self.advance();
        let name = self.name("the constant's name")?;
        let entries = if self.accept_symbol(Symbol::OpenIndex) {
            let entries = self.expression()?;
            self.expect_symbol(Symbol::CloseIndex).map_err(|error| {
                error.help("a table has one dimension: compute one index from several")
            })?;
            Some(entries)
        } else {
            None
        };
        let element = if self.accept_symbol(Symbol::Colon) { Some(self.element()?) } else { None };
        if entries.is_some() && element.is_none() {
            return Err(self
                .unexpected("`:`")
                .help("write its type, as in `constant K[2] : u32 = 3, 5`"));
        }
        self.expect_symbol(Symbol::Equal)?;
        let mut values = vec![self.expression()?];
        while entries.is_some() && self.accept_symbol(Symbol::Comma) {
            values.push(self.expression()?);
        }
        self.expect(&Token::Newline)?;
        Ok(Constant { name, entries, element, values })
    }

    pub(super) fn element(&mut self) -> Result<Type> {
        let Some(element) = self.peek().element() else {
            return Err(self.unexpected(
                "an element type: f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 or bool",
            ));
        };
        self.advance();
        Ok(element)
    }

    pub(super) fn function(&mut self) -> Result<FunctionNode> {
        self.advance();
        let name = self.name("the function's name")?;
        self.expect_symbol(Symbol::Open)?;
        let parameters = self.list(Symbol::Close, |parser| parser.name("a parameter"))?;
        if parameters.len() > MOST_PARAMETERS {
            let message = format!("a function has at most {MOST_PARAMETERS} parameters");
            return Err(Diagnostic::new(name.span, message).help("split it into several functions"));
        }
        self.expect_symbol(Symbol::Equal)?;
        let body = self.expression()?;
        self.expect(&Token::Newline)?;
        Ok(FunctionNode { name, parameters, body })
    }
}

/// Most fields of a record.
const MOST_FIELDS: usize = 256;

impl Parser {
    /// What stands behind a declaration's colon: a type, or fields of one type.
    pub(super) fn fields_and_element(&mut self) -> Result<(Vec<Name>, Type)> {
        if !self.accept_symbol(Symbol::OpenRecord) {
            return Ok((vec![], self.element()?));
        }
        let (mut fields, mut element): (Vec<Name>, Option<Type>) = (vec![], None);
        loop {
            let field = self.name("a field's name")?;
            if fields.iter().any(|it| it.text == field.text) {
                return Err(Diagnostic::new(
                    field.span,
                    format!("a second field `{}`", field.text),
                )
                .help("call it something else"));
            }
            fields.push(field);
            if self.accept_symbol(Symbol::Comma) {
                continue;
            }
            self.expect_symbol(Symbol::Colon)
                .map_err(|it| it.help("write the fields' type, as in `{x, y, z : f32}`"))?;
            let span = self.span();
            let found = self.element()?;
            if *element.get_or_insert(found) != found {
                return Err(Diagnostic::new(span, "the fields of a record have one type")
                    .help("give those of another type an array of their own"));
            }
            if self.accept_symbol(Symbol::CloseRecord) {
                break;
            }
            self.expect_symbol(Symbol::Comma)?;
        }
        match (element, fields.get(MOST_FIELDS)) {
            (Some(element), None) => Ok((fields, element)),
            (_, more) => {
                let span = more.map_or_else(|| self.last_span(), |it| it.span);
                Err(Diagnostic::new(span, format!("a record has at most {MOST_FIELDS} fields"))
                    .help("make the last dimension an index: `input p[n, m] : f32`"))
            }
        }
    }

    /// The dimension that fields are.
    pub(super) fn extent_of_fields(&mut self, array: &Name, fields: &[Name]) -> Option<Extent> {
        let names = fields.iter().map(|it| it.text.clone()).collect();
        self.records.insert(array.text.clone(), names);
        let last = fields.last()?;
        let size = number(fields.len(), last.span);
        Some(Extent { first: None, size })
    }

    /// A field behind the indices of a record, as the last of them.
    pub(super) fn field(&mut self, array: &str, indices: &mut Vec<ExprNode>) -> Result<()> {
        if !self.accept_symbol(Symbol::Dot) {
            return Ok(());
        }
        let field = self.name("a field")?;
        let fields = self.records.get(array).map_or(&[][..], Vec::as_slice);
        let Some(at) = fields.iter().position(|it| *it == field.text) else {
            let message = format!("`{array}` has no field `{}`", field.text);
            return Err(Diagnostic::new(field.span, message).help(match fields {
                [] => "records are declared with their fields: `input p[n] : {x, y, z : f32}`"
                    .to_owned(),
                _ => format!("its fields are {}", fields.join(", ")),
            }));
        };
        indices.push(number(at, field.span));
        Ok(())
    }
}

fn number(value: usize, span: Span) -> ExprNode {
    ExprNode { kind: ExprNodeKind::Integer(value as u64), span }
}
