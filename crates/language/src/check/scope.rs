//! Which register a scalar's name means at a place of the listing.

use std::collections::{HashMap, HashSet};

use super::types::TypeEstimate;
use crate::program::{Scalar, ScalarId};
use crate::syntax::{Order, StatementKind, StatementNode, Target, Type};

/// Registers are numbered in the order in which a pass meets them, which is the same in every
/// pass; so their inferred types survive from one pass to the next.
#[derive(Default)]
pub(super) struct Scope {
    registers: Vec<(String, TypeEstimate)>,
    /// Those whose type the listing declares.
    declared: HashSet<ScalarId>,
    used: usize,
    names: Names,
}

#[derive(Default)]
pub(super) struct Names {
    /// Loop variables and function parameters, innermost last.
    bound: Vec<(String, ScalarId)>,
    /// Scalars outside parallel loops.
    shared: HashMap<String, ScalarId>,
    /// Inside loops on DMMs and parallel nests, innermost last: the names that the body assigns, and
    /// their registers.
    private: Vec<(HashSet<String>, HashMap<String, ScalarId>)>,
}

impl Scope {
    pub(super) fn start_pass(&mut self) {
        self.used = 0;
        self.names = Names::default();
    }

    fn register(&mut self, name: &str, inferred: TypeEstimate) -> ScalarId {
        if self.used == self.registers.len() {
            self.registers.push((name.to_owned(), inferred));
        }
        self.used += 1;
        ScalarId(self.used - 1)
    }

    /// A fresh register that no name of the listing means.
    pub(super) fn unnamed(&mut self, name: &str, inferred: TypeEstimate) -> ScalarId {
        let scalar = self.register(name, inferred);
        self.registers[scalar.0].1 = inferred;
        scalar
    }

    /// A fresh register that `name` means until [`Scope::unbind`].
    pub(super) fn bind(&mut self, name: &str, inferred: TypeEstimate) -> ScalarId {
        self.bind_to(name, name, inferred)
    }

    /// The same, of a register that is called otherwise.
    pub(super) fn bind_to(&mut self, name: &str, called: &str, inferred: TypeEstimate) -> ScalarId {
        let scalar = self.register(called, inferred);
        self.registers[scalar.0].1 = inferred;
        self.names.bound.push((name.to_owned(), scalar));
        scalar
    }

    pub(super) fn unbind(&mut self) {
        self.names.bound.pop();
    }

    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.names.bound.iter().any(|(bound, _)| bound == name)
    }

    /// Hides every name while a function's body is resolved; give them back with
    /// [`Scope::reveal`].
    pub(super) fn hide(&mut self) -> Names {
        std::mem::take(&mut self.names)
    }

    pub(super) fn reveal(&mut self, hidden: Names) {
        self.names = hidden;
    }

    /// The register that reading `name` means, if there is one.
    pub(super) fn lookup(&self, name: &str) -> Option<ScalarId> {
        if let Some((_, scalar)) = self.names.bound.iter().rev().find(|(bound, _)| bound == name) {
            return Some(*scalar);
        }
        let owner = self.names.private.iter().rev().find(|(assigned, _)| assigned.contains(name));
        owner.map_or(&self.names.shared, |(_, private)| private).get(name).copied()
    }

    /// The register that assigning to `name` means; if this is its first assignment, of the
    /// `inferred` type.
    pub(super) fn target(&mut self, name: &str, inferred: TypeEstimate) -> ScalarId {
        let innermost =
            self.names.private.last().map_or(&self.names.shared, |(_, private)| private);
        if let Some(&scalar) = innermost.get(name) {
            return scalar;
        }
        let scalar = self.register(name, inferred);
        let Names { shared, private, .. } = &mut self.names;
        let innermost = private.last_mut().map_or(shared, |(_, private)| private);
        innermost.insert(name.to_owned(), scalar);
        scalar
    }

    /// Declares the type of a register that assigning to `name` means.
    ///
    /// # Errors
    /// The type that it has already, which is another or none that was declared.
    pub(super) fn declare(&mut self, name: &str, element: Type) -> Result<ScalarId, TypeEstimate> {
        let used = self.used;
        let scalar = self.target(name, TypeEstimate::Known(element));
        let is_new = self.used > used;
        let known = self.inferred(scalar);
        if known != TypeEstimate::Known(element) || !(is_new || self.is_declared(scalar)) {
            return Err(known);
        }
        self.declared.insert(scalar);
        Ok(scalar)
    }

    pub(super) fn is_declared(&self, scalar: ScalarId) -> bool {
        self.declared.contains(&scalar)
    }

    /// Enters a parallel nest or a loop on DMMs: what its body assigns is private to the iteration.
    pub(super) fn enter(&mut self, body: &[StatementNode]) {
        let mut assigned = HashSet::new();
        collect_assigned(body, &mut assigned);
        self.names.private.push((assigned, HashMap::new()));
    }

    pub(super) fn leave(&mut self) {
        self.names.private.pop();
    }

    /// Whether `name` is private here, so that an outer value of it is not seen.
    pub(super) fn is_private(&self, name: &str) -> bool {
        self.names.private.iter().any(|(assigned, _)| assigned.contains(name))
    }

    pub(super) fn name(&self, scalar: ScalarId) -> &str {
        &self.registers[scalar.0].0
    }

    pub(super) fn inferred(&self, scalar: ScalarId) -> TypeEstimate {
        self.registers[scalar.0].1
    }

    pub(super) fn set_inferred(&mut self, scalar: ScalarId, inferred: TypeEstimate) {
        self.registers[scalar.0].1 = inferred;
    }

    pub(super) fn element(&self, scalar: ScalarId) -> Type {
        self.inferred(scalar).settled()
    }

    pub(super) fn into_scalars(self) -> Vec<Scalar> {
        self.registers
            .into_iter()
            .map(|(name, inferred)| Scalar { name, element: inferred.settled() })
            .collect()
    }
}

fn collect_targets(targets: &[Target], names: &mut HashSet<String>) {
    let scalars = targets.iter().filter(|it| it.indices.is_empty());
    names.extend(scalars.map(|it| it.name.text.clone()));
}

fn collect_assigned(block: &[StatementNode], names: &mut HashSet<String>) {
    for statement in block {
        match &statement.kind {
            StatementKind::Assign { target, indices, .. } if indices.is_empty() => {
                names.insert(target.text.clone());
            }
            // What a procedure assigns is its own.
            StatementKind::Atomic { result: Some(result), .. } => {
                names.insert(result.text.clone());
            }
            StatementKind::Assign { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Break
            | StatementKind::Return { .. }
            | StatementKind::Call { .. } => {}
            StatementKind::Several { targets, .. } => collect_targets(targets, names),
            StatementKind::Fork { calls, meanwhile } => {
                collect_assigned(calls, names);
                collect_assigned(meanwhile, names);
            }
            StatementKind::Swap(targets) => collect_targets(targets, names),
            // What a nest inside assigns is private to its own iterations.
            StatementKind::For(it) if it.order != Order::InTurn => {}
            StatementKind::For(it) => collect_assigned(&it.body, names),
            StatementKind::While { body, .. }
            | StatementKind::Repeat { body, .. }
            | StatementKind::Label { body, .. } => {
                collect_assigned(body, names);
            }
            StatementKind::If { then, otherwise, .. } => {
                collect_assigned(then, names);
                collect_assigned(otherwise, names);
            }
        }
    }
}
