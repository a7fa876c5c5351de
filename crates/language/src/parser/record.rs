//! Records: `input p[n] : {x, y, z : f32}` is an array of n rows of three, and `p[i].x` the first of row i.

use super::{Parser, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::Symbol;
use crate::syntax::{ExprNode, ExprNodeKind, Extent, Name, Type};

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
