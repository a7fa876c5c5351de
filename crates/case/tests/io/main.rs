//! Bounds of words between two memories, against the best and many other orders of small graphs.

mod graph;
mod pebbles;
mod random;
mod table;

use graph::Graph;
use memory_machine_algorithms::catalogue::CATALOGUE;
use memory_machine_case::Case;
use num_traits::ToPrimitive;

/// The lower bound for sizes, by name; others have their default.
fn lower(case: &Case, fast: u64) -> u64 {
    let layout = case.layout().unwrap();
    case.io_bounds().lower_at(&layout.parameters, fast).to_u64().unwrap()
}

/// How many random listings are tried: with `UMM_THOROUGH=all`, as CI has it, and for a change.
fn seeds([all, thorough, few]: [u64; 3]) -> u64 {
    match std::env::var("UMM_THOROUGH").as_deref() {
        Ok("all") => all,
        Ok(_) => thorough,
        Err(_) => few,
    }
}

/// Of every listing with one size of its own: orders that keep near what is in fast memory, and random ones,
/// move no fewer words.
#[test]
fn no_order_of_a_shipped_listing_moves_fewer_words() {
    let mut graphs = 0;
    for entry in CATALOGUE {
        let case = Case::load(entry.name).unwrap();
        let Some(first) = case.program.parameters.first().filter(|it| it.default.is_none()) else {
            continue;
        };
        let bounds = case.io_bounds();
        for size in [1, 3, 7] {
            let case = case.clone().set(&first.name, size);
            let layout = case.layout().unwrap();
            let Some(graph) = Graph::of(&case.program, &layout.parameters, 6000) else { break };
            graphs += 1;
            for fast in [2, 3, 6, 12, 30, 100] {
                let lower = bounds.lower_at(&layout.parameters, fast).to_u64().unwrap();
                for seed in 0..3 {
                    let order = graph.order(seed, fast as usize);
                    let Some(moved) = graph.moved(&order, fast as usize) else { continue };
                    let name = entry.name;
                    assert!(lower <= moved, "{name} {size} S = {fast}: {lower} > {moved}");
                }
            }
        }
    }
    assert!(graphs >= 150, "{graphs}");
}

/// The best order of all, by search.
#[test]
fn no_bound_is_above_the_optimum_of_a_small_graph() {
    let mut decided: u64 = 0;
    let seeds = seeds([700, 250, 50]);
    for seed in 0..seeds {
        let text = random::listing(seed);
        let case = Case::parse("random.alg", &text).unwrap_or_else(|it| panic!("{it}\n{text}"));
        for size in [1, 2] {
            let case = case.clone().set("n", size);
            let Some(graph) = Graph::of(&case.program, &[size], 13) else { continue };
            for fast in [3, 4, 5] {
                let Some(best) = pebbles::least(&graph, fast) else { continue };
                let lower = lower(&case, fast as u64);
                assert!(lower <= best, "n = {size}, S = {fast}: {lower} > {best}\n{text}");
                decided += 1;
            }
        }
    }
    assert!(decided >= seeds / 4, "{decided}");
}

/// The same for the listings that bounds are known for.
#[test]
fn no_bound_is_above_the_optimum_of_a_listing() {
    let mut decided = 0;
    for entry in CATALOGUE.iter().filter(|it| it.topic == "polybench") {
        let mut case = Case::load(entry.name).unwrap();
        for name in case.program.clone().parameters.iter().map(|it| it.name.clone()) {
            case = case.set(&name, 2);
        }
        let sizes = case.layout().unwrap().parameters;
        let Some(graph) = Graph::of(&case.program, &sizes, 14) else { continue };
        for fast in [3, 4] {
            let Some(best) = pebbles::least(&graph, fast) else { continue };
            let lower = lower(&case, fast as u64);
            assert!(lower <= best, "{} S = {fast}: {lower} > {best}", entry.name);
            decided += 1;
        }
    }
    assert!(decided >= 4, "{decided}");
}

/// Random listings of two and three loops at sizes where bounds by projections are not 0.
#[test]
fn no_order_of_a_random_listing_moves_fewer_words() {
    let mut beyond = 0;
    let seeds = seeds([600, 200, 20]);
    for seed in 0..seeds {
        let text = random::listing(seed);
        let case = Case::parse("random.alg", &text).unwrap();
        let bounds = case.io_bounds();
        for size in [10] {
            let case = case.clone().set("n", size);
            let Some(graph) = Graph::of(&case.program, &[size], 3000) else { continue };
            for fast in [3, 4, 7, 12] {
                let lower = bounds.lower_at(&[size], fast).to_u64().unwrap();
                let once = pieceless(&case, &[size], fast);
                beyond += u32::from(lower > once);
                let Some(moved) = graph.moved(&graph.order(seed, fast as usize), fast as usize)
                else {
                    continue;
                };
                assert!(lower <= moved, "n = {size}, S = {fast}: {lower} > {moved}\n{text}");
            }
        }
    }
    assert!(u64::from(beyond) >= seeds / 15, "{beyond}");
}

/// Steps of a stencil in strips that lean to the left move few words, and no fewer than the bound.
#[test]
fn a_stencil_in_strips_is_near_the_bound() {
    let (n, k, fast) = (600, 400, 40);
    let case = Case::load("jacobi_1d").unwrap().set("n", n).set("k", k);
    let graph = Graph::of(&case.program, &[n, k], 400_000).unwrap();
    let first = graph.order(0, 0);
    let (start, points) = first.split_at(2 * n as usize);
    let width = n as usize - 2;
    // Point (s, i) of the strip of 18 steps it is in, by i + s.
    let key = |at: usize| (at / width / 18, at % width + at / width, at / width);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|it| key(*it));
    let order: Vec<usize> =
        start.iter().copied().chain(order.iter().map(|it| points[*it])).collect();
    let moved = graph.moved(&order, fast as usize).unwrap();
    let lower = lower(&case, fast);
    assert!(lower <= moved && moved < 3 * lower, "{lower} {moved}");
    assert!(lower > 2 * pieceless(&case, &[n, k], fast), "{lower}");
}

/// Words that are moved once in any case.
fn pieceless(case: &Case, sizes: &[i64], fast: u64) -> u64 {
    let mut bounds = case.io_bounds();
    bounds.pieces.clear();
    bounds.lower_at(sizes, fast).to_u64().unwrap()
}
