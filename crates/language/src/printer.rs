//! A listing in its canonical form: parsing the result gives the same tree again.

use std::fmt::{self, Display, Formatter};

use super::program::{Array, Program};
use super::syntax::{
    ArrayDeclaration, BinaryOp, Constant, ExprNode, ExprNodeKind, Extent, ForNode, Formal,
    FunctionNode, InputOrigin, LayoutNode, Listing, Name, Order, OriginArgument, ParameterNode,
    Procedure, Promise, RealParameter, RequirementNode, StatementKind, StatementNode, Target,
    UnaryOp,
};

impl Display for Listing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let integers = self.parameters.iter().map(ToString::to_string);
        let parameters: Vec<_> =
            integers.chain(self.reals.iter().map(ToString::to_string)).collect();
        writeln!(f, "algorithm {}({})", self.name.text, parameters.join(", "))?;
        for array in &self.arrays {
            write!(f, "{array}")?;
            match self.clauses.origins.iter().find(|it| it.array == array.name.text) {
                Some(origin) => writeln!(f, " {origin}")?,
                None => writeln!(f)?,
            }
        }
        self.constants.iter().try_for_each(|constant| writeln!(f, "{constant}"))?;
        self.functions.iter().try_for_each(|function| writeln!(f, "{function}"))?;
        self.procedures.iter().try_for_each(|procedure| write!(f, "{procedure}"))?;
        if let Some(answer) = &self.answer {
            writeln!(f, "answer {answer}")?;
        }
        if let Some(reference) = &self.clauses.reference {
            writeln!(f, "reference {}", reference.text)?;
        }
        self.clauses.requirements.iter().try_for_each(|it| match it {
            RequirementNode::Sorted(array) => writeln!(f, "requires sorted({})", array.text),
            RequirementNode::Holds(condition) => writeln!(f, "requires {condition}"),
        })?;
        self.clauses.promises.iter().try_for_each(|promise| writeln!(f, "ensures {promise}"))?;
        writeln!(f)?;
        block(f, &self.body, 0)
    }
}

impl Display for ParameterNode {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.default {
            None => f.write_str(&self.name.text),
            Some(value) => write!(f, "{} = {value}", self.name.text),
        }
    }
}

impl Display for RealParameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} : {}", self.name.text, self.element.word())?;
        self.value.map_or(Ok(()), |it| write!(f, " = {it:?}"))
    }
}

impl Display for ArrayDeclaration {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (role, element) = (self.role.word(), self.element.word());
        write!(f, "{role} {}", self.name.text)?;
        let extents = &self.extents[..self.extents.len() - usize::from(!self.fields.is_empty())];
        if !extents.is_empty() {
            write!(f, "[{}]", commas(extents))?;
        }
        match self.fields[..] {
            [] => write!(f, " : {element}")?,
            _ => write!(f, " : {{{} : {element}}}", self.field_names().join(", "))?,
        }
        self.layout.iter().try_for_each(|layout| write!(f, " layout {layout}"))
    }
}

impl Display for LayoutNode {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word.text)?;
        match self.arguments[..] {
            [] => Ok(()),
            _ => write!(f, "({})", commas(&self.arguments)),
        }
    }
}

impl Display for Extent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.first {
            None => write!(f, "{}", self.size),
            Some(first) => write!(f, "{first} .. {}", self.size),
        }
    }
}

impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "constant {}", self.name.text)?;
        if let Some(entries) = &self.entries {
            write!(f, "[{entries}]")?;
        }
        if let Some(element) = self.element {
            write!(f, " : {}", element.word())?;
        }
        write!(f, " = {}", commas(&self.values))
    }
}

impl Display for InputOrigin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "from {}", self.word.text)?;
        if self.arguments.is_empty() {
            return Ok(());
        }
        write!(f, "({})", commas(&self.arguments))
    }
}

impl Display for OriginArgument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Expression(expression) => expression.fmt(f),
        }
    }
}

impl Display for Promise {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sorted(array) => write!(f, "sorted({})", array.text),
            Self::Permutation { array, of } => {
                write!(f, "permutation({}, {})", array.text, of.text)
            }
            Self::Equal { array, of } => write!(f, "{} = reference.{}", array.text, of.text),
        }
    }
}

impl Display for FunctionNode {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let parameters: Vec<&str> = self.parameters.iter().map(|it| it.text.as_str()).collect();
        write!(f, "function {}({}) = {}", self.name.text, parameters.join(", "), self.body)
    }
}

fn commas<T: Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

fn block(f: &mut Formatter<'_>, statements: &[StatementNode], depth: usize) -> fmt::Result {
    statements.iter().try_for_each(|it| statement(f, it, depth))
}

fn statement(f: &mut Formatter<'_>, it: &StatementNode, depth: usize) -> fmt::Result {
    write!(f, "{:width$}", "", width = 2 * depth)?;
    match &it.kind {
        StatementKind::Assign { target, declared: Some(element), value, .. } => {
            writeln!(f, "{} : {} ← {value}", target.text, element.word())
        }
        StatementKind::Assign { target, indices, value, .. } if indices.is_empty() => {
            writeln!(f, "{} ← {value}", target.text)
        }
        StatementKind::Assign { target, indices, value, .. } => {
            writeln!(f, "{}[{}] ← {value}", target.text, commas(indices))
        }
        StatementKind::Several { targets, values } => {
            writeln!(f, "{} ← {}", commas(targets), commas(values))
        }
        StatementKind::Call { procedure, arguments } => {
            writeln!(f, "{}({})", procedure.text, commas(arguments))
        }
        StatementKind::Atomic { result, target, value } => {
            if let Some(result) = result {
                write!(f, "{} ← ", result.text)?;
            }
            writeln!(f, "atomic {target} ← {value}")
        }
        StatementKind::Fork { calls, meanwhile } => {
            for (at, call) in calls.iter().enumerate() {
                let indent = if at == 0 { 0 } else { 2 * depth };
                write!(f, "{:indent$}spawn ", "")?;
                statement(f, call, 0)?;
            }
            block(f, meanwhile, depth)?;
            // Of calls that are spawned later, the same one.
            match meanwhile.last().map(|it| &it.kind) {
                Some(StatementKind::Fork { .. }) => Ok(()),
                _ => writeln!(f, "{:width$}sync", "", width = 2 * depth),
            }
        }
        StatementKind::Swap([left, right]) => writeln!(f, "{left} ↔ {right}"),
        StatementKind::Break => writeln!(f, "break"),
        StatementKind::Return { values, .. } if values.is_empty() => writeln!(f, "return"),
        StatementKind::Return { values, .. } => writeln!(f, "return {}", commas(values)),
        StatementKind::Repeat { body, until } => {
            writeln!(f, "repeat")?;
            block(f, body, depth + 1)?;
            writeln!(f, "{:width$}until {until}", "", width = 2 * depth)
        }
        StatementKind::For(ForNode { variable, from, to, downward, step, order, arrays, body }) => {
            let direction = if *downward { "downto" } else { "to" };
            write!(f, "for {} ← {from} {direction} {to}", variable.text)?;
            if let Some(step) = step {
                write!(f, " step {step}")?;
            }
            write!(f, " do")?;
            match order {
                Order::InTurn => writeln!(f)?,
                Order::InParallel => writeln!(f, " in parallel")?,
                Order::OnDmms { threads } => {
                    write!(f, " in parallel on DMMs")?;
                    if let Some(threads) = threads {
                        write!(f, " with {threads} threads")?;
                    }
                    writeln!(f)?;
                }
            }
            for array in arrays {
                writeln!(f, "{:width$}{array}", "", width = 2 * depth + 2)?;
            }
            block(f, body, depth + 1)
        }
        StatementKind::While { condition, decreases, body } => {
            writeln!(f, "while {condition} do")?;
            if let Some(measure) = decreases {
                writeln!(f, "{:width$}decreases {measure}", "", width = 2 * depth + 2)?;
            }
            block(f, body, depth + 1)
        }
        StatementKind::If { condition, then, otherwise } => {
            writeln!(f, "if {condition} then")?;
            block(f, then, depth + 1)?;
            if !otherwise.is_empty() {
                writeln!(f, "{:width$}else", "", width = 2 * depth)?;
                block(f, otherwise, depth + 1)?;
            }
            Ok(())
        }
        StatementKind::Label { name, body } => {
            writeln!(f, "{}:", name.text)?;
            block(f, body, depth + 1)
        }
    }
}

impl Display for Procedure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let texts =
            |names: &[Name]| names.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(", ");
        let formal = |it: &Formal| match it.extents.is_empty() {
            true => it.name.text.clone(),
            false => format!("{}[{}]", it.name.text, texts(&it.extents)),
        };
        let formals: Vec<String> = self.parameters.iter().map(formal).collect();
        write!(f, "procedure {}({})", self.name.text, formals.join(", "))?;
        if !self.results.is_empty() {
            write!(f, " → {}", texts(&self.results))?;
        }
        writeln!(f)?;
        block(f, &self.body, 1)
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.text)?;
        if self.indices.is_empty() { Ok(()) } else { write!(f, "[{}]", commas(&self.indices)) }
    }
}

impl Display for ExprNode {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        expression(f, self, 0)
    }
}

/// Writes `it`, in brackets if it binds less tightly than `strength`.
fn expression(f: &mut Formatter<'_>, it: &ExprNode, strength: u8) -> fmt::Result {
    let bracketed = |f: &mut Formatter<'_>, binds: u8, inner: &dyn Display| {
        if binds < strength { write!(f, "({inner})") } else { write!(f, "{inner}") }
    };
    match &it.kind {
        ExprNodeKind::Integer(value) => write!(f, "{value}"),
        ExprNodeKind::Float(value) => write!(f, "{value:?}"),
        ExprNodeKind::Infinity => f.write_str("inf"),
        ExprNodeKind::Boolean(value) => write!(f, "{value}"),
        ExprNodeKind::Name(name) => f.write_str(name),
        ExprNodeKind::Element { array, indices } => write!(f, "{array}[{}]", commas(indices)),
        ExprNodeKind::Neighbours(ends) => write!(f, "{} : {}", ends[0], ends[1]),
        ExprNodeKind::Slice { array, ranges } => {
            let range = |(first, last): &(ExprNode, Option<ExprNode>)| match last {
                Some(last) => format!("{first} .. {last}"),
                None => first.to_string(),
            };
            let ranges: Vec<String> = ranges.iter().map(range).collect();
            write!(f, "{array}[{}]", ranges.join(", "))
        }
        ExprNodeKind::Call { function, arguments } => {
            write!(f, "{function}({})", commas(arguments))
        }
        ExprNodeKind::Unary(UnaryOp::Abs, operand) => write!(f, "abs({operand})"),
        ExprNodeKind::Unary(UnaryOp::Sqrt, operand) => write!(f, "sqrt({operand})"),
        ExprNodeKind::Floor(operand) => write!(f, "⌊{operand}⌋"),
        ExprNodeKind::Ceiling(operand) => write!(f, "⌈{operand}⌉"),
        ExprNodeKind::Unary(op, operand) => {
            let (sign, binds) = match op {
                UnaryOp::Not => ("not ", 2),
                UnaryOp::BitNot => ("~", 10),
                _ => ("-", 10),
            };
            bracketed(
                f,
                binds,
                &fmt::from_fn(|f| {
                    f.write_str(sign)?;
                    expression(f, operand, binds)
                }),
            )
        }
        ExprNodeKind::Binary(op @ (BinaryOp::Min | BinaryOp::Max), left, right) => {
            write!(f, "{}({left}, {right})", op.written().0)
        }
        ExprNodeKind::Binary(op, left, right) => {
            let (sign, binds) = op.written();
            // Comparisons do not chain: both sides must bind tighter.
            let is_power = *op == BinaryOp::Power;
            let left_binds = if op.is_comparison() || is_power { binds + 1 } else { binds };
            // Powers alone group to the right.
            let right_binds = if is_power { binds } else { binds + 1 };
            bracketed(
                f,
                binds,
                &fmt::from_fn(|f| {
                    expression(f, left, left_binds)?;
                    write!(f, " {sign} ")?;
                    expression(f, right, right_binds)
                }),
            )
        }
        ExprNodeKind::Conditional(parts) => {
            let [condition, then, otherwise] = parts.as_ref();
            write!(f, "(if {condition} then {then} else {otherwise})")
        }
    }
}

impl Program {
    /// An array's extent as its declaration has it, which the text may lack.
    pub fn extent_text(&self, array: &Array, dimension: usize) -> String {
        let declared = self.listing.arrays.iter().find(|it| it.name.text == array.name);
        match declared.and_then(|it| it.extents.get(dimension)) {
            Some(extent) if self.reading.plain.is_some() => extent.to_string(),
            _ => self.source.at(array.extents[dimension].span).to_owned(),
        }
    }
}
