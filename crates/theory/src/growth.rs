//! Terms that a listing's loops suggest for its running time.

use memory_machine_core::language::program::{Block, Program, Statement};
use memory_machine_core::run::layout::Arrangement;

/// Depths of loops around accesses.
#[derive(Default, Clone, Copy)]
struct Depths {
    sequential: usize,
    parallel: usize,
    halving: usize,
}

/// Candidate terms over `size`, `p`, `w` and `l`, as formulas: `size^d/w` and `size^d·l/p` for each
/// depth d of loops around accesses of parallel nests, `size^s·l` for each depth s of sequential
/// loops; a `while` loop counts as a factor `log2(size)`. Linear in the program's length.
pub fn terms(program: &Program, size: &str, bulk: Option<Arrangement>) -> Vec<String> {
    let mut found = vec![];
    visit(&program.body, Depths::default(), &mut found);
    let most = |of: fn(&Depths) -> usize| found.iter().map(of).max().unwrap_or(0);
    let work = most(|it| if it.parallel > 0 { it.sequential + it.parallel } else { 0 });
    let sequential = most(|it| it.sequential);
    let power = |degree: usize| match degree {
        0 => "1".to_owned(),
        1 => size.to_owned(),
        _ => format!("{size}^{degree}"),
    };
    let mut terms = vec![];
    for degree in (1..=work).rev() {
        terms.push(format!("{}/w", power(degree)));
        terms.push(format!("{}*l/p", power(degree)));
    }
    for degree in (0..=sequential).rev() {
        match bulk {
            Some(Arrangement::RowWise) => terms.push(format!("{}*p", power(degree))),
            Some(Arrangement::ColumnWise) => terms.push(format!("{}*p/w", power(degree))),
            None => {}
        }
        terms.push(format!("{}*l", power(degree)));
    }
    if most(|it| it.halving) > 0 {
        terms.push(format!("{}*log2({size})*l", power(sequential)));
    }
    terms
}

fn visit(block: &Block, depths: Depths, found: &mut Vec<Depths>) {
    for statement in block {
        let mut inside = depths;
        match statement {
            Statement::For(_) => inside.sequential += 1,
            Statement::Parallel(nest) => inside.parallel += nest.ranges.len(),
            Statement::While { .. } => inside.halving += 1,
            _ => {}
        }
        // The condition of a `while` loop is evaluated in each of its iterations.
        let own = if let Statement::While { .. } = statement { inside } else { depths };
        found.extend(statement.accesses().map(|_| own));
        statement.blocks().for_each(|it| visit(it, inside, found));
    }
}
