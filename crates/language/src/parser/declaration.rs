//! Declarations: parameters, arrays, constants, functions.

use super::{MOST_DIMENSIONS, MOST_PARAMETERS, Parser, Result};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Symbol, Token};
use crate::syntax::{
    ArrayDeclaration, Constant, Extent, FunctionNode, LayoutNode, ParameterNode, Role, Type,
};

impl Parser {
    pub(super) fn parameter(&mut self) -> Result<ParameterNode> {
        let name = self.name("a parameter")?;
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
        Ok(ParameterNode { name, default })
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
