//! Inputs of a given form: ranges of numbers, sorted numbers, linked lists, graphs, matrices, texts.

use std::collections::HashSet;
use std::fmt;

use chacha20::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::reference::Numbers;
use memory_machine_core::language::program::{Array, ExprKind};
use memory_machine_core::language::syntax::Type;

/// What the numbers of an array are like.
#[derive(Debug, Clone, PartialEq)]
pub enum Generator {
    /// Integers from the first to the last, or reals from the first up to the second.
    Between(f64, f64),
    /// Ascending: integers 0 … 99, or reals from [0, 1).
    Sorted,
    /// The successors of a linked list through all cells in a random order; the last is its own.
    List,
    /// Distinct directed edges, no loops. An array of two columns has an edge a row; a square one is
    /// the matrix: 1 where there is an edge, of reals its length from [0, 1), 0 from a vertex to
    /// itself, else ∞.
    Graph {
        /// Unless the array tells.
        vertices: Option<u64>,
        /// As many.
        edges: u64,
    },
    /// A symmetric positive definite matrix: its diagonal outweighs its rows.
    PositiveDefinite,
    /// A matrix that is 0 but for three diagonals, the middle one outweighing the others; in three
    /// rows, or three columns, the diagonals themselves.
    Tridiagonal,
    /// The codes of letters of an alphabet.
    Text(String),
}

/// Words for [`Generator`], and how each is written.
pub const WORDS: &[(&str, &str)] = &[
    ("random", "random[:SEED][:LO..HI]"),
    ("permutation", "permutation[:SEED]"),
    ("sorted", "sorted[:SEED]"),
    ("list", "list[:SEED]"),
    ("graph", "graph:VERTICES,EDGES[:SEED]"),
    ("spd", "spd[:SEED]"),
    ("tridiagonal", "tridiagonal[:SEED]"),
    ("text", "text:ALPHABET[:SEED]"),
];

impl Generator {
    /// What a word with its arguments means; `None` for another word.
    ///
    /// # Errors
    /// What is wrong with the arguments, and what to write.
    pub fn of(word: &str, arguments: &[&str]) -> Option<Result<Self, String>> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|it| it.is_finite());
        let count = |text: &str| text.trim().parse::<u64>().ok();
        Some(match (word, arguments) {
            ("random", [low, high]) => match (number(low), number(high)) {
                (Some(low), Some(high)) if low <= high => Ok(Self::Between(low, high)),
                _ => {
                    Err("random numbers lie between two numbers, the lesser first, as in 0..99"
                        .into())
                }
            },
            ("sorted", []) => Ok(Self::Sorted),
            ("list", []) => Ok(Self::List),
            ("spd", []) => Ok(Self::PositiveDefinite),
            ("tridiagonal", []) => Ok(Self::Tridiagonal),
            ("graph", [edges]) => match count(edges) {
                Some(edges) => Ok(Self::Graph { vertices: None, edges }),
                None => Err("a graph has a whole number of edges, as in graph:8,12".into()),
            },
            ("graph", [vertices, edges]) => match (count(vertices), count(edges)) {
                (Some(vertices), Some(edges)) if vertices > 0 => {
                    Ok(Self::Graph { vertices: Some(vertices), edges })
                }
                _ => Err("a graph has vertices and edges, as in graph:8,12".into()),
            },
            ("text", [alphabet]) if !alphabet.is_empty() => Ok(Self::Text((*alphabet).to_owned())),
            ("text", _) => Err("name an alphabet, as in text:ACGT".into()),
            ("graph", _) => Err("a graph has vertices and edges, as in graph:8,12".into()),
            ("sorted" | "list" | "spd" | "tridiagonal", _) => {
                Err(format!("`{word}` takes no argument but a seed"))
            }
            _ => return None,
        })
    }

    /// Why an array of these extents cannot hold such numbers, if it cannot; `literal` is
    /// [`literal_extent`]'s.
    ///
    /// # Errors
    /// That, and what to change.
    pub fn check(
        &self,
        is_real: bool,
        extents: &[u64],
        literal: Option<usize>,
    ) -> Result<(), String> {
        let is_square = matches!(extents, [rows, columns] if rows == columns);
        match self {
            Self::Graph { vertices, edges } => {
                let vertices = match extents {
                    [rows, columns] if rows == columns && !is_list(extents, literal) => {
                        if vertices.is_some_and(|it| it != *rows) {
                            return Err(format!(
                                "the array has {rows} × {rows} cells; change --set"
                            ));
                        }
                        *rows
                    }
                    [rows, 2] => match vertices {
                        Some(_) if rows != edges => {
                            return Err(format!(
                                "the array has room for {rows} edges; change --set"
                            ));
                        }
                        Some(vertices) => *vertices,
                        None => {
                            return Err("say how many vertices there are, as in graph:8,12".into());
                        }
                    },
                    _ => {
                        return Err(
                            "a graph fills a matrix [n, n], or a list of edges [m, 2]".into()
                        );
                    }
                };
                let most = vertices.saturating_mul(vertices - 1);
                if *edges > most {
                    return Err(format!(
                        "{vertices} vertices have at most {most} edges; ask for fewer"
                    ));
                }
                Ok(())
            }
            // They are drawn as f64, of which beyond not all are integers of their own.
            Self::Between(low, high) if !is_real && low.abs().max(high.abs()) > Type::EXACT => {
                let most = Type::EXACT;
                Err(format!("integers of a range go from -{most} to {most} at most"))
            }
            Self::PositiveDefinite if !is_square || !is_real => {
                Err("a positive definite matrix is square, of f32 or f64".into())
            }
            Self::Tridiagonal if !(is_square || matches!(extents, [3, _] | [_, 3])) || !is_real => {
                Err("a tridiagonal matrix fills [n, n], [3, n] or [n, 3], of f32 or f64".into())
            }
            Self::List if extents.len() != 1 => {
                Err("a list fills an array of one dimension".into())
            }
            _ => Ok(()),
        }
    }

    /// The numbers of an array, row-major; the same seed gives the same on every machine. `is_real`
    /// says whether it holds reals; `literal` is [`literal_extent`]'s.
    pub fn numbers(
        &self,
        is_real: bool,
        extents: &[u64],
        literal: Option<usize>,
        seed: u64,
    ) -> Numbers<'static> {
        let cells = extents.iter().product::<u64>() as usize;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        match self {
            &Self::Between(low, high) if is_real => {
                Box::new((0..cells).map(move |_| low + (high - low) * unit(&mut rng)))
            }
            &Self::Between(low, high) => {
                let (low, high) = (low.ceil() as i64, high.floor() as i64);
                Box::new((0..cells).map(move |_| rng.random_range(low..=high.max(low)) as f64))
            }
            Self::Sorted => {
                let one = |rng: &mut ChaCha8Rng| {
                    if is_real { unit(rng) } else { f64::from(rng.random_range(0..100_u32)) }
                };
                let mut numbers: Vec<f64> = (0..cells).map(|_| one(&mut rng)).collect();
                numbers.sort_by(f64::total_cmp);
                Box::new(numbers.into_iter())
            }
            Self::List => {
                let mut order: Vec<usize> = (0..cells).collect();
                order.shuffle(&mut rng);
                let mut successors = vec![0.0; cells];
                for pair in order.windows(2) {
                    successors[pair[0]] = pair[1] as f64;
                }
                if let Some(&last) = order.last() {
                    successors[last] = last as f64;
                }
                Box::new(successors.into_iter())
            }
            Self::Graph { vertices, edges } => {
                let as_list = is_list(extents, literal);
                graph(*vertices, *edges, as_list, is_real, extents, rng)
            }
            Self::PositiveDefinite => {
                let n = cells.isqrt();
                let mut matrix = vec![0.0; cells];
                for row in 0..n {
                    for column in 0..=row {
                        let number = unit(&mut rng) + if row == column { n as f64 } else { 0.0 };
                        matrix[row * n + column] = number;
                        matrix[column * n + row] = number;
                    }
                }
                Box::new(matrix.into_iter())
            }
            Self::Tridiagonal => {
                let (rows, columns) = (extents[0] as usize, extents[1] as usize);
                let n = rows.max(columns);
                let diagonals = diagonals(extents, literal);
                // The middle one is more than the two beside it together.
                let bands: Vec<[f64; 3]> = (0..n)
                    .map(|row| {
                        let [before, middle, behind] =
                            [0.0, 2.0, 0.0].map(|it| it + unit(&mut rng));
                        [
                            if row == 0 { 0.0 } else { before },
                            middle,
                            if row + 1 == n { 0.0 } else { behind },
                        ]
                    })
                    .collect();
                let cell = move |at: usize| {
                    let (row, column) = (at / columns, at % columns);
                    match diagonals {
                        Some(0) => bands[column][row],
                        Some(_) => bands[row][column],
                        None => {
                            let band = (column + 1).checked_sub(row).filter(|&band| band < 3);
                            band.map_or(0.0, |band| bands[row][band])
                        }
                    }
                };
                Box::new((0..cells).map(cell))
            }
            Self::Text(alphabet) => {
                let letters: Vec<u32> = alphabet.chars().map(u32::from).collect();
                Box::new((0..cells).map(move |_| {
                    f64::from(letters[rng.random_range(0..letters.len() as u32) as usize])
                }))
            }
        }
    }
}

/// The extent that an array's declaration writes as a number, if it is one of two: what tells `[m, 2]`
/// from `[n, n]` where m and n are 2.
pub fn literal_extent(array: &Array) -> Option<usize> {
    let [rows, columns] = &array.extents[..] else { return None };
    match (&rows.kind, &columns.kind) {
        (ExprKind::Integer(_), ExprKind::Integer(_)) => None,
        (ExprKind::Integer(_), _) => Some(0),
        (_, ExprKind::Integer(_)) => Some(1),
        _ => None,
    }
}

/// Whether an array of these extents has an edge a row.
fn is_list(extents: &[u64], literal: Option<usize>) -> bool {
    matches!(extents, [rows, 2] if *rows != 2 || literal == Some(1))
}

/// Along which extent an array has three diagonals; `None` for a whole matrix.
fn diagonals(extents: &[u64], literal: Option<usize>) -> Option<usize> {
    match extents {
        [3, 3] => literal,
        [3, _] => Some(0),
        [_, 3] => Some(1),
        _ => None,
    }
}

fn graph(
    vertices: Option<u64>,
    edges: u64,
    is_list: bool,
    is_real: bool,
    extents: &[u64],
    mut rng: ChaCha8Rng,
) -> Numbers<'static> {
    let n = if is_list { vertices.unwrap_or(1) } else { extents[0] };
    let pairs = n * (n - 1);
    // Of few edges the ones, of many the others, so that draws rarely repeat.
    let few = edges.min(pairs - edges);
    let mut drawn = HashSet::new();
    while (drawn.len() as u64) < few {
        drawn.insert(rng.random_range(0..pairs));
    }
    let is_edge = move |pair: u64| drawn.contains(&pair) == (few == edges);
    let ends = move |pair: u64| {
        let (from, to) = (pair / (n - 1), pair % (n - 1));
        [from, to + u64::from(to >= from)]
    };
    if is_list {
        let list = (0..pairs).filter(move |&pair| is_edge(pair)).flat_map(ends);
        return Box::new(list.map(|it| it as f64));
    }
    Box::new((0..n * n).map(move |cell| {
        let (from, to) = (cell / n, cell % n);
        let is_loop = from == to;
        let there = !is_loop && is_edge(from * (n - 1) + to - u64::from(to > from));
        let length = if is_real && there { unit(&mut rng) } else { 1.0 };
        match (there, is_real && !is_loop) {
            (true, _) => length,
            (false, true) => f64::INFINITY,
            (false, false) => 0.0,
        }
    }))
}

fn unit(rng: &mut ChaCha8Rng) -> f64 {
    f64::from(rng.random::<u32>() >> 8) / f64::from(1 << 24)
}

/// As a report prints it.
impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Between(low, high) => write!(f, "random, {low} … {high}"),
            Self::Sorted => f.write_str("random, sorted"),
            Self::List => f.write_str("a linked list in random order"),
            Self::Graph { edges, .. } => write!(f, "a random graph of {edges} edges"),
            Self::PositiveDefinite => f.write_str("a random positive definite matrix"),
            Self::Tridiagonal => f.write_str("a random tridiagonal matrix"),
            Self::Text(alphabet) => write!(f, "random letters of {alphabet}"),
        }
    }
}
