//! Steps in time of a stencil, several at once in tiles that overlap: step s computes each cell of a box
//! from cells of step s − 1 around it, and the two lie in two planes of an array by turns. A block copies
//! a tile with as many cells around it as the steps can see, makes the steps in shared memory, each for a
//! margin less, and stores the tile. What lies in margins is computed by several blocks: by the same
//! operations on the same values, since a cell of step s is computed from cells that the block computed in
//! step s − 1 or that nothing writes. The last step, and what is left of the others, are made as before,
//! so that both planes end as they did.

use memory_machine_core::language;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{
    ExprNode, ExprNodeKind, Listing, StatementKind, StatementNode,
};

use super::certificate::{Refusal, TimeTiles};
use super::operation::{are_new, block, block_mut, to_dmms, words};
use super::stencil::{Stencil, distance, scalar, stencil};

/// The names that are needed, in the order in which [`TimeTiles::names`] has them: rounds, steps of one, the
/// tile, then tiles and places of each dimension.
pub(crate) const NAMES: [&str; 9] = ["round", "turn", "t", "I", "J", "K", "y", "x", "z"];

impl Stencil<'_> {
    /// Where a place of a tile is in a dimension of the array.
    fn place(&self, at: usize, proof: &TimeTiles) -> String {
        let (tile, place) = (&proof.names[3 + at], &proof.names[6 + at]);
        let (side, margin) = (proof.side, proof.steps * self.radius);
        let from = self.cells[at].from.to_string();
        match from.parse::<i64>() {
            Ok(from) if from >= margin => format!("{side} × {tile} + {place} + {}", from - margin),
            Ok(from) => format!("{side} × {tile} + {place} - {}", margin - from),
            Err(_) => format!("{side} × {tile} + {place} + {from} - {margin}"),
        }
    }

    /// A parallel nest over places of a tile.
    fn nest(&self, names: &[String; 9], [from, to]: [&str; 2], inside: &[String]) -> String {
        let mut text = String::new();
        let mut space = " ".repeat(2 * self.dimensions() + 2);
        for at in 0..self.dimensions() {
            text += &format!("{space}for {} ← {from} to {to} do in parallel\n", names[6 + at]);
            space += "  ";
        }
        inside.iter().for_each(|it| text += &format!("{space}{it}\n"));
        text
    }

    /// The rounds.
    fn rounds(&self, proof: &TimeTiles) -> String {
        let TimeTiles { side, steps, threads, names, .. } = proof;
        let [round, step, t, ..] = names;
        let (u, word) = (&self.array.name.text, self.array.element.word());
        let dimensions = self.dimensions();
        let margin = steps * self.radius;
        let wide = side + 2 * margin;
        let places: Vec<String> = (0..dimensions).map(|it| self.place(it, proof)).collect();
        let cell = |of: &str, plane: &str, at: &[String]| {
            format!("{of}[({plane}) mod 2, {}]", at.join(", "))
        };
        let all = |it: &dyn Fn(usize) -> String, by: &str| {
            (0..dimensions).map(it).collect::<Vec<_>>().join(by)
        };
        let own: Vec<String> = names[6..6 + dimensions].to_vec();
        let exists = all(
            &|at| format!("0 ≤ {0} and {0} < {1}", places[at], self.array.extents[at + 1].size),
            " and ",
        );
        let inside = all(
            &|at| {
                format!(
                    "{} ≤ {1} and {1} ≤ {2}",
                    self.cells[at].from, places[at], self.cells[at].to
                )
            },
            " and ",
        );
        let fixed = all(
            &|at| {
                format!(
                    "{0} < {1} or {0} > {2}",
                    places[at], self.cells[at].from, self.cells[at].to
                )
            },
            " or ",
        );
        let k = &self.steps.to;
        let mut text = format!("for {round} ← 0 to max({k} - 1, 0) / {steps} - 1 do\n");
        for at in 0..dimensions {
            let (space, it) = (" ".repeat(2 * at + 2), self.cells[at]);
            let threads = match at + 1 == dimensions {
                true => format!(" with {threads} threads"),
                false => String::new(),
            };
            text += &format!(
                "{space}for {} ← 0 to ({} - {}) / {side} do in parallel on DMMs{threads}\n",
                names[3 + at],
                it.to,
                bracketed(&it.from)
            );
        }
        let space = " ".repeat(2 * dimensions + 2);
        let extents = vec![wide.to_string(); dimensions].join(", ");
        text += &format!("{space}shared {t}[2, {extents}] : {word}\n");
        let [first, other] = [format!("{steps} × {round}"), format!("{steps} × {round} + 1")];
        let loads = [
            format!("if {exists} then"),
            format!("  {} ← {}", cell(t, &first, &own), cell(u, &first, &places)),
            format!("  if {fixed} then"),
            format!("    {} ← {}", cell(t, &other, &own), cell(u, &other, &places)),
        ];
        text += &self.nest(names, ["0", &(wide - 1).to_string()], &loads);
        text += &format!("{space}for {step} ← 1 to {steps} do\n");
        let mut computes = vec![format!("if {inside} then")];
        computes.extend(self.in_tile(proof, &places).into_iter().map(|it| format!("  {it}")));
        let range = [
            format!("{} × {step}", self.radius),
            format!("{} - {} × {step}", wide - 1, self.radius),
        ];
        let nest = self.nest(names, [&range[0], &range[1]], &computes);
        nest.lines().for_each(|it| text += &format!("  {it}\n"));
        let last = format!("{steps} × {round} + {steps}");
        let within = all(&|at| format!("{} ≤ {}", places[at], self.cells[at].to), " and ");
        let stores = [
            format!("if {within} then"),
            format!("  {} ← {}", cell(u, &last, &places), cell(t, &last, &own)),
        ];
        text + &self.nest(names, [&margin.to_string(), &(margin + side - 1).to_string()], &stores)
    }

    /// What a step does for a cell, in the tile.
    fn in_tile(&self, proof: &TimeTiles, places: &[String]) -> Vec<String> {
        let own = proof.names[6..6 + self.dimensions()].join(", ");
        let line = |it: &StatementNode| {
            let StatementKind::Assign { target, indices, value, .. } = &it.kind else {
                return String::new();
            };
            let put = |it: &ExprNode| {
                let mut it = it.clone();
                self.put(&mut it, proof, places);
                it
            };
            match indices.first() {
                None => format!("{} ← {}", target.text, put(value)),
                Some(plane) => {
                    format!("{}[{}, {own}] ← {}", proof.names[2], put(plane), put(value))
                }
            }
        };
        self.body.iter().map(line).collect()
    }

    /// Makes an expression of a step that of a tile: its steps, places and cells.
    fn put(&self, it: &mut ExprNode, proof: &TimeTiles, places: &[String]) {
        let TimeTiles { names, steps, .. } = proof;
        let variable = |at: usize| &self.cells[at].variable.text;
        match &mut it.kind {
            ExprNodeKind::Name(name) if *name == self.steps.variable.text => {
                *name = format!("({steps} × {} + {})", names[0], names[1]);
            }
            ExprNodeKind::Name(name) => {
                if let Some(at) = (0..self.dimensions()).find(|it| variable(*it) == name) {
                    *name = format!("({})", places[at]);
                }
            }
            ExprNodeKind::Element { array, indices } if *array == self.array.name.text => {
                array.clone_from(&names[2]);
                self.put(&mut indices[0], proof, places);
                for (at, it) in indices[1..].iter_mut().enumerate() {
                    let own = &names[6 + at];
                    let text = match distance(it, variable(at)) {
                        Some(by) if by < 0 => format!("{own} - {}", -by),
                        Some(by) if by > 0 => format!("{own} + {by}"),
                        _ => own.clone(),
                    };
                    it.kind = ExprNodeKind::Name(text);
                }
            }
            ExprNodeKind::Element { indices, .. } => {
                indices.iter_mut().for_each(|it| self.put(it, proof, places));
            }
            ExprNodeKind::Unary(_, it) => self.put(it, proof, places),
            ExprNodeKind::Binary(_, left, right) => {
                self.put(left, proof, places);
                self.put(right, proof, places);
            }
            _ => {}
        }
    }
}

/// An expression that something is taken from.
fn bracketed(it: &ExprNode) -> String {
    match it.kind {
        ExprNodeKind::Binary(..) => format!("({it})"),
        _ => it.to_string(),
    }
}

/// The listing with the tiles.
pub(crate) fn time_tiles(listing: &Listing, proof: &TimeTiles) -> Option<Listing> {
    let (at, path) = proof.path.split_last()?;
    let around = block(listing, path)?;
    let found = stencil(listing, around.get(*at)?)?;
    let is_small = (1..=1 << 12).contains(&proof.side) && (1..=1 << 6).contains(&proof.steps);
    // The plane that a round reads is not the one that it writes.
    let is_odd = proof.steps % 2 == 1 && (1..=1024).contains(&proof.threads);
    let is_outside = to_dmms(listing, path).is_none();
    let mut rest = listing.clone();
    block_mut(&mut rest, path)?.remove(*at);
    let rest = rest.to_string();
    // Scalars of a step are nobody else's.
    let is_own = |name: &str| words(&rest).all(|it| it != name);
    let mut scalars = found.body.iter().filter_map(|it| scalar(it).map(|it| it.0));
    if !is_small || !is_odd || !is_outside || !scalars.all(is_own) {
        return None;
    }
    if !are_new(listing, proof.names.iter().map(|it| &**it)) || !found.is_whole(&around[..*at]) {
        return None;
    }
    let text = format!("algorithm t()\n\n{}", found.rounds(proof));
    let parsed = language::parse(&text).ok()?;
    let (k, steps) = (&found.steps.to, proof.steps);
    let from = format!("algorithm t()\n\nat ← {steps} × (max({k} - 1, 0) / {steps}) + 1\n");
    let from = language::parse(&from).ok()?;
    let mut new = listing.clone();
    let own = block_mut(&mut new, path)?;
    let StatementKind::For(last) = &mut own[*at].kind else { return None };
    let StatementKind::Assign { value, .. } = &from.body.first()?.kind else { return None };
    last.from = value.clone();
    own.splice(*at..*at, parsed.body);
    Some(new)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &TimeTiles) -> Result<(), Refusal> {
    let expected = time_tiles(&before.listing, proof).ok_or_else(|| {
        Refusal::new(
            "there is no loop of steps from 1 that computes one plane of an array from the other, \
             or not every cell has a value before it",
        )
    })?;
    match expected.to_string() == after.listing.to_string() {
        true => Ok(()),
        false => Err(Refusal::new("the listing by tiles in time is another")),
    }
}
