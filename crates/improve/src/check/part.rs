//! The part in which two programs differ, and what is alive around it.

use memory_machine_core::language::program::{Block, ScalarId, Statement};

use super::matching::Matching;

/// Statements of both programs that stand at the same place among the same others.
pub(super) struct Part<'a> {
    pub(super) before: Vec<&'a Statement>,
    pub(super) after: Vec<&'a Statement>,
    /// What stands around, from outside: the statement entered (none for the program), and what follows
    /// the part, or the next statement entered, in it.
    pub(super) around: Vec<(Option<&'a Statement>, &'a [Statement])>,
    /// The same of the second program.
    rest: Vec<&'a [Statement]>,
}

/// What a block does with a scalar first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstUse {
    /// It may read what was assigned before.
    Read,
    /// It assigns it for sure, and does not read it before.
    Assigned,
    /// Neither is sure.
    Neither,
}

/// Enters `depth` statements whose heads are the same, and leaves out what is the same on both sides.
pub(super) fn part<'a>(matching: &mut Matching<'a>, depth: usize) -> Result<Part<'a>, String> {
    let mut blocks: [&'a [Statement]; 2] = [&matching.before.body, &matching.after.body];
    let (mut around, mut rest) = (vec![], vec![]);
    let mut entered = None;
    for level in 0..=depth {
        let [mut p, mut q] = blocks;
        while let ([first, others @ ..], [other, rest @ ..]) = (p, q) {
            let mut trial = matching.clone();
            if !trial.statement(first, other) || (level < depth && (p.len() == 1 || q.len() == 1)) {
                break;
            }
            *matching = trial;
            (p, q) = (others, rest);
        }
        let (mut p_end, mut q_end) = (p.len(), q.len());
        while p_end > 0 && q_end > 0 && (level == depth || (p_end > 1 && q_end > 1)) {
            let mut trial = matching.clone();
            // What the part assigns is not known here: whether the rest fits is asked again afterwards.
            trial.scalars.clear();
            trial.forms.clear();
            if !trial.statement(&p[p_end - 1], &q[q_end - 1]) {
                break;
            }
            (p_end, q_end) = (p_end - 1, q_end - 1);
        }
        around.push((entered, &p[p_end..]));
        rest.push(&q[q_end..]);
        let (p, q) = (&p[..p_end], &q[..q_end]);
        if level == depth {
            let part = Part { before: p.iter().collect(), after: q.iter().collect(), around, rest };
            return Ok(part);
        }
        let ([first], [other]) = (p, q) else {
            return Err("the programs differ in more than one statement".to_owned());
        };
        if !matching.head(first, other) {
            return Err("the programs differ around the part".to_owned());
        }
        let inner = |it: &'a Statement| it.blocks().next().map(Vec::as_slice).unwrap_or_default();
        if let (Some(p), Some(q)) = (first.blocks().nth(1), other.blocks().nth(1))
            && !matching.block(p, q)
        {
            return Err("the programs differ in another branch".to_owned());
        }
        entered = Some(first);
        blocks = [inner(first), inner(other)];
    }
    Err("the part is not there".to_owned())
}

impl<'a> Part<'a> {
    /// Whether a scalar may be read after the part before it is assigned again.
    pub(super) fn is_alive(&self, matching: &Matching<'a>, scalar: ScalarId) -> bool {
        for (entered, after) in self.around.iter().rev() {
            match first_use(*after, scalar) {
                FirstUse::Read => return true,
                FirstUse::Assigned => return false,
                FirstUse::Neither => {}
            }
            if let Some(entered) = entered
                && entered.is_loop()
                && (first_use(inside(entered), scalar) == FirstUse::Read
                    || entered.expressions().any(|it| it.scalars().any(|it| it == scalar)))
            {
                return true;
            }
        }
        matching.before.answer.iter().any(|it| it.scalars().any(|it| it == scalar))
    }

    /// Whether what follows the part is the same in both programs.
    pub(super) fn rest_matches(&self, matching: &mut Matching<'a>) -> bool {
        let rest = self.around.iter().zip(&self.rest).rev();
        let mut fits = true;
        for ((_, p), q) in rest {
            fits &= p.len() == q.len() && p.iter().zip(*q).all(|(p, q)| matching.statement(p, q));
        }
        fits && match (&matching.before.answer, &matching.after.answer) {
            (Some(p), Some(q)) => matching.expr(p, q),
            (None, None) => true,
            _ => false,
        }
    }
}

fn inside(statement: &Statement) -> &[Statement] {
    statement.blocks().next().map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn first_use<'a>(
    block: impl IntoIterator<Item = &'a Statement>,
    scalar: ScalarId,
) -> FirstUse {
    for statement in block {
        match first_use_in(statement, scalar) {
            FirstUse::Neither => {}
            found => return found,
        }
    }
    FirstUse::Neither
}

fn first_use_in(statement: &Statement, scalar: ScalarId) -> FirstUse {
    if statement.expressions().any(|it| it.scalars().any(|it| it == scalar)) {
        return FirstUse::Read;
    }
    match statement {
        Statement::Assign { target, .. } if *target == scalar => FirstUse::Assigned,
        Statement::Labelled { body, .. } => first_use(body, scalar),
        Statement::If { then, otherwise, .. } => {
            match (first_use(then, scalar), first_use(otherwise, scalar)) {
                (FirstUse::Read, _) | (_, FirstUse::Read) => FirstUse::Read,
                (FirstUse::Assigned, FirstUse::Assigned) => FirstUse::Assigned,
                _ => FirstUse::Neither,
            }
        }
        Statement::For(it) if it.while_true == Some(scalar) => FirstUse::Read,
        _ => {
            let mut inner = statement.blocks().map(|it: &Block| first_use(it, scalar));
            if inner.any(|it| it == FirstUse::Read) { FirstUse::Read } else { FirstUse::Neither }
        }
    }
}
