//! Random programs that may fail.

use std::fmt::Write;

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A program written without care: divisors, shifts, conversions, indices, steps and ends of loops
/// may be anything, and some of them depend on what memory holds.
pub fn program(seed: u64) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut text = "algorithm careless()\ninout a[12] : i64\ninout m[4, 5] : i32\n\
                    output o[12] : u32\nconstant K[6] : i64 = 1, 0, 2, 5, -1, 3\n"
        .to_owned();
    if rng.random_range(0..6) == 0 {
        writeln!(text, "answer a[{}]", careless_number(&mut rng, "k", 1)).unwrap();
    }
    writeln!(text, "\nk ← {}", rng.random_range(-1..4)).unwrap();
    for _ in 0..rng.random_range(1..4) {
        careless_item(&mut rng, &mut text, 0, &mut 0, 2, "k");
    }
    text
}

/// An integer that is made of `scalar`, rarely of memory.
fn careless_number(rng: &mut ChaCha8Rng, scalar: &str, deep: usize) -> String {
    let constant = rng.random_range(-2..6);
    if deep == 0 {
        return if rng.random_range(0..3) == 0 { constant.to_string() } else { scalar.to_owned() };
    }
    let number = |rng: &mut ChaCha8Rng| careless_number(rng, scalar, deep - 1);
    match rng.random_range(0..24) {
        0..6 => format!("({} + {constant})", number(rng)),
        6..9 => format!("({} - {})", number(rng), number(rng)),
        9..11 => format!("{} × {constant}", number(rng)),
        11 => format!("{} × 4611686018427387904", number(rng)),
        12..14 => format!("({} / {})", number(rng), number(rng)),
        14..16 => format!("({} mod {})", number(rng), number(rng)),
        16 => format!("({} << {})", number(rng), number(rng)),
        17 => format!("i64(i32({}))", number(rng)),
        18 => format!("min({}, {})", number(rng), number(rng)),
        19 => format!("(if {} > 1 then {} else {})", number(rng), number(rng), number(rng)),
        20 => format!("a[{}]", careless_number(rng, scalar, 0)),
        21 => format!("K[{}]", number(rng)),
        22 => format!("popcount(rotl({}, {}))", number(rng), number(rng)),
        23 => format!("({})^({} & 3)", number(rng), number(rng)),
        _ => scalar.to_owned(),
    }
}

fn careless_item(
    rng: &mut ChaCha8Rng,
    text: &mut String,
    indent: usize,
    names: &mut usize,
    deep: usize,
    scalar: &str,
) {
    let blanks = " ".repeat(2 * indent);
    let kind = if deep == 0 { rng.random_range(0..7) } else { rng.random_range(0..12) };
    let number = |rng: &mut ChaCha8Rng, deep| careless_number(rng, scalar, deep);
    match kind {
        0..2 => writeln!(text, "{blanks}a[{}] ← {}", number(rng, 1), number(rng, 2)).unwrap(),
        2 => {
            let (i, j, value) = (number(rng, 1), number(rng, 1), number(rng, 2));
            writeln!(text, "{blanks}m[{i}, {j}] ← i32({value})").unwrap();
        }
        3 => writeln!(text, "{blanks}o[{scalar} + 1] ← {}", number(rng, 1)).unwrap(),
        4 => writeln!(text, "{blanks}x ← {}", number(rng, 2)).unwrap(),
        5 => writeln!(text, "{blanks}x ← m[0, 1] mod {}", number(rng, 2)).unwrap(),
        6 => {
            let (condition, by) = (number(rng, 1), number(rng, 1));
            let test = format!("{scalar} ≠ {condition} and a[1] / {by} > 0");
            writeln!(text, "{blanks}if {test} then x ← 1 else x ← 2").unwrap();
        }
        7 => {
            writeln!(text, "{blanks}if {} > {} then", number(rng, 1), number(rng, 1)).unwrap();
            careless_item(rng, text, indent + 1, names, deep - 1, scalar);
        }
        _ => {
            *names += 1;
            let name = format!("i{names}");
            let (from, to) = (rng.random_range(-1..3), rng.random_range(0..5));
            let to = match rng.random_range(0..4) {
                0 => format!("{scalar} / {to}"),
                1 => format!("{scalar} + {to}"),
                _ => to.to_string(),
            };
            let step = match rng.random_range(0..8) {
                0 => format!(" step {}", number(rng, 0)),
                _ => String::new(),
            };
            // A parallel loop stands at the top or in a loop in turn: not in another.
            let parallel = indent == 0 && rng.random_range(0..3) > 0;
            let how = if parallel { " do in parallel" } else { " do" };
            writeln!(text, "{blanks}for {name} ← {from} to {to}{step}{how}").unwrap();
            if !parallel && rng.random_range(0..4) == 0 {
                let (left, right) = (number(rng, 1), careless_number(rng, &name, 1));
                writeln!(text, "{blanks}  if {left} < {right} then break").unwrap();
            }
            for _ in 0..rng.random_range(1..3) {
                careless_item(rng, text, indent + 1, names, deep - 1, &name);
            }
        }
    }
}
