//! Steps in time of a stencil as a listing has them: step s computes each cell of a box from cells of step
//! s − 1 around it, and the two lie in two planes of an array by turns.

use std::collections::BTreeSet;

use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, ForNode, Listing, Order, Role,
    StatementKind, StatementNode,
};

use super::bands::only_loop;
use super::operation::words;

/// `for s ← 1 to k … for i … u[s mod 2, i] ← f(u[(s - 1) mod 2, i ± c])`.
pub(crate) struct Stencil<'a> {
    pub(super) steps: &'a ForNode,
    /// Over the cells.
    pub(super) cells: Vec<&'a ForNode>,
    pub(super) body: &'a [StatementNode],
    pub(super) array: &'a ArrayDeclaration,
    /// How far away a cell is that another is computed from.
    pub(super) radius: i64,
}

/// What a body may read.
struct Reader<'a> {
    /// The word for the plane that is read.
    plane: String,
    cells: Vec<&'a str>,
    array: &'a str,
    /// Scalars that it assigns anywhere, and that it has assigned so far.
    own: BTreeSet<&'a str>,
    assigned: BTreeSet<&'a str>,
    /// Of these, those that are the plane that is read.
    planes: BTreeSet<&'a str>,
    radius: i64,
}

impl Reader<'_> {
    /// Whether an expression is known to be the same wherever it is computed for a cell.
    fn knows(&mut self, it: &ExprNode) -> bool {
        match &it.kind {
            ExprNodeKind::Integer(_) | ExprNodeKind::Float(_) => true,
            ExprNodeKind::Name(name) => {
                !self.own.contains(&**name) || self.assigned.contains(&**name)
            }
            ExprNodeKind::Element { array, indices } if array == self.array => {
                self.is_neighbour(indices)
            }
            ExprNodeKind::Element { indices, .. } => indices.iter().all(|it| self.knows(it)),
            ExprNodeKind::Unary(_, it) => self.knows(it),
            ExprNodeKind::Binary(_, left, right) => self.knows(left) && self.knows(right),
            _ => false,
        }
    }

    /// Whether these are the indices of a cell of the step before, a constant distance away.
    fn is_neighbour(&mut self, indices: &[ExprNode]) -> bool {
        let Some((plane, places)) = indices.split_first() else { return false };
        let is_plane = match &plane.kind {
            ExprNodeKind::Name(it) => self.planes.contains(&**it),
            _ => plane.to_string() == self.plane,
        };
        let distances = places.iter().zip(&self.cells).map(|(it, cell)| distance(it, cell));
        let Some(distances) = distances.collect::<Option<Vec<i64>>>() else { return false };
        let most = distances.iter().map(|it| it.abs()).max();
        self.radius = self.radius.max(most.unwrap_or(0));
        is_plane && places.len() == self.cells.len()
    }
}

/// By how much an index is more than a loop's variable.
pub(super) fn distance(it: &ExprNode, variable: &str) -> Option<i64> {
    match &it.kind {
        ExprNodeKind::Name(name) if name == variable => Some(0),
        ExprNodeKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let ExprNodeKind::Integer(by) = right.kind else { return None };
            let by = i64::try_from(by).ok().filter(|it| *it < 1 << 10)?;
            let is_own = matches!(&left.kind, ExprNodeKind::Name(name) if name == variable);
            is_own.then_some(if *op == BinaryOp::Add { by } else { -by })
        }
        _ => None,
    }
}

/// The stencil that a statement is, if it is one.
pub(crate) fn stencil<'a>(
    listing: &'a Listing,
    statement: &'a StatementNode,
) -> Option<Stencil<'a>> {
    let StatementKind::For(steps) = &statement.kind else { return None };
    let (mut cells, mut body) = (vec![], &steps.body[..]);
    while let Some(it) = only_loop(body) {
        cells.push(it);
        body = &it.body;
    }
    let parameter = |it: &str| listing.parameters.iter().any(|own| own.name.text == it);
    let is_fixed = |it: &ExprNode| {
        let text = it.to_string();
        !text.contains('[') && words(&text).all(|it| parameter(it) || it.parse::<i64>().is_ok())
    };
    let is_plain = |it: &ForNode| {
        let is_box = is_fixed(&it.from) && is_fixed(&it.to);
        is_box && !it.downward && it.step.is_none() && it.arrays.is_empty()
    };
    let in_order = steps.order == Order::InTurn
        && cells.iter().all(|it| matches!(it.order, Order::InTurn | Order::InParallel));
    let names: BTreeSet<&str> = cells.iter().chain([&steps]).map(|it| &*it.variable.text).collect();
    let fits = (1..=3).contains(&cells.len()) && names.len() == cells.len() + 1 && in_order;
    if !fits || !cells.iter().chain([&steps]).all(|it| is_plain(it)) {
        return None;
    }
    let (StatementNode { kind, .. }, scalars) = body.split_last()?;
    let StatementKind::Assign { target, declared: None, indices, value } = kind else {
        return None;
    };
    let array = listing.arrays.iter().find(|it| it.name.text == target.text)?;
    let s = &*steps.variable.text;
    let mut written = vec![format!("{s} mod 2")];
    written.extend(cells.iter().map(|it| it.variable.text.clone()));
    let has_planes = array.extents.first().is_some_and(|it| it.size.to_string() == "2")
        && array.extents.iter().all(|it| it.first.is_none() && is_fixed(&it.size));
    let cell: Vec<String> = indices.iter().map(ToString::to_string).collect();
    let is_array = matches!(array.role, Role::Inout | Role::Output | Role::Work);
    if steps.from.to_string() != "1" || cell != written || !has_planes || !is_array {
        return None;
    }
    let mut reader = Reader {
        plane: format!("({s} - 1) mod 2"),
        cells: cells.iter().map(|it| &*it.variable.text).collect(),
        array: &target.text,
        own: scalars.iter().filter_map(|it| scalar(it).map(|it| it.0)).collect(),
        assigned: BTreeSet::new(),
        planes: BTreeSet::new(),
        radius: 0,
    };
    for it in scalars {
        let (name, value) = scalar(it)?;
        // Once each, so that a name has one value.
        if !reader.knows(value) || !reader.assigned.insert(name) {
            return None;
        }
        if value.to_string() == reader.plane {
            reader.planes.insert(name);
        }
    }
    let (is_known, radius) = (reader.knows(value), reader.radius);
    (is_known && radius > 0 && array.layout.is_none()).then_some(Stencil {
        steps,
        cells,
        body,
        array,
        radius,
    })
}

/// The scalar that a statement assigns, and what.
pub(super) fn scalar(it: &StatementNode) -> Option<(&str, &ExprNode)> {
    match &it.kind {
        StatementKind::Assign { target, declared: None, indices, value } if indices.is_empty() => {
            Some((&target.text, value))
        }
        _ => None,
    }
}

impl Stencil<'_> {
    pub(crate) const fn dimensions(&self) -> usize {
        self.cells.len()
    }

    /// Bytes of a tile's shared memory.
    pub(crate) fn bytes(&self, side: i64, steps: i64) -> Option<i64> {
        let wide = side.checked_add(2 * steps.checked_mul(self.radius)?)?;
        let cells = (0..self.dimensions()).try_fold(2_i64, |all, _| all.checked_mul(wide))?;
        cells.checked_mul(i64::from(self.array.element.bits()) / 8)
    }

    /// Whether every cell of both planes has a value before the steps: it is given, or a nest before them
    /// writes all.
    pub(super) fn is_whole(&self, before: &[StatementNode]) -> bool {
        self.array.role == Role::Inout || before.iter().any(|it| self.fills(it))
    }

    /// Whether a nest writes every cell of both planes.
    fn fills(&self, statement: &StatementNode) -> bool {
        let (mut names, mut body) = (vec![], std::slice::from_ref(statement));
        for extent in &self.array.extents[1..] {
            let Some(it) = only_loop(body) else { return false };
            let last = format!("{} - 1", extent.size);
            let is_plain = it.from.to_string() == "0" && it.to.to_string() == last;
            if !is_plain || it.step.is_some() || it.downward {
                return false;
            }
            names.push(it.variable.text.clone());
            body = &it.body;
        }
        let writes = |plane: &str| {
            let cell: Vec<String> = [&[plane.to_owned()], &names[..]].concat();
            body.iter().any(|it| match &it.kind {
                StatementKind::Assign { target, indices, .. } => {
                    let own: Vec<String> = indices.iter().map(ToString::to_string).collect();
                    target.text == self.array.name.text && own == cell
                }
                _ => false,
            })
        };
        writes("0") && writes("1")
    }
}
