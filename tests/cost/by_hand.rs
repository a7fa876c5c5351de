//! Corners, computed by hand from the definitions: loops without iterations, one processor, processors
//! that divide nothing, supersteps without messages.

use super::commands::COPY;
use crate::support::{folder, json};

const FOLD: &str = "\
algorithm fold(n, k)
inout a[n] : i64

for i ← 0 to k-1 do in parallel
  a[i] ← a[i] + a[n-1-i]
";

/// Even iterations take 3, odd ones 6: two to branch, then a write, or three operations and a write.
const BRANCH: &str = "\
algorithm branch(n)
output a[n] : i64

for i ← 0 to n-1 do in parallel
  if i mod 2 = 0 then
    a[i] ← 1
  else
    a[i] ← i × i + i + 1
";

/// Writes every second word, so a line each, again and again.
const ROUNDS: &str = "\
algorithm rounds(n, k)
inout a[n] : i64

for r ← 0 to k-1 do
  for i ← 0 to n/2-1 do
    a[2×i] ← 1
";

/// The first processor needs three words of the last.
const TAIL: &str = "\
algorithm tail(n)
inout a[n] : i64

for j ← 0 to 0 do in parallel
  r ← a[n-1] + a[n-2] + a[n-3]
";

/// What is typed after `umm run`, and the figures that must come out.
const CASES: [(&str, &str); 23] = [
    ("fold.alg --set n=5 --set k=0 -p 3 -m pram", "time_units 0 work 0"),
    ("fold.alg --set n=5 --set k=0 -p 3 -m work-span", "work 0 span 0 brent 0"),
    ("fold.alg --set n=5 --set k=0 -p 3 -m pem --cache 4 --line 2", "time_units 0 misses 0"),
    // A nest without iterations has its barrier all the same.
    ("fold.alg --set n=5 --set k=0 -m bsp --processors 3 -g 2 -L 5", "time_units 5 supersteps 1"),
    // Two rounds of three steps and a sum.
    ("fold.alg --set n=5 --set k=5 -p 3 -m pram", "time_units 8 work 24 done 20"),
    ("fold.alg --set n=5 --set k=5 -p 1 -m pram", "time_units 20 work 20"),
    // Both sides of the branch, one after the other: 2 + 1 + 3 + 1.
    ("branch.alg --set n=4 -p 4 -m pram", "time_units 7 work 28 done 18"),
    ("branch.alg --set n=4 -p 4 -m pram --cost operations", "time_units 5"),
    ("branch.alg --set n=5 -p 4 -m work-span --spawn log", "work 21 span 9 brent 12"),
    ("branch.alg --set n=1 -p 4 -m work-span --spawn log", "work 3 span 3 brent 3"),
    // Lines 0 1 2 0 1 2 through two lines.
    ("rounds.alg --set n=6 --set k=2 -m ideal-cache --cache 4 --line 2", "misses 6 write_backs 6"),
    (
        "rounds.alg --set n=6 --set k=2 -m ideal-cache --cache 4 --line 2 --policy opt",
        "misses 4 write_backs 4",
    ),
    ("copy.alg --set n=5 -m ideal-cache --cache 4 --line 4", "misses 10 write_backs 5"),
    ("copy.alg --set n=5 -m ideal-cache --cache 8 --line 4", "misses 4 write_backs 2"),
    // Two write one line: neither keeps it.
    ("copy.alg --set n=4 -p 2 -m pem --cache 2 --line 2", "time_units 4 misses 8 write_backs 4"),
    // Owners 0 0 1 1 2 2 0 0 1 1, processors 0 1 2 0 1 2 0 1 2 0.
    (
        "copy.alg --set n=10 -p 3 -m bsp --processors 3 --owner block:2 -g 2 -L 5",
        "time_units 23 w 4 h 7",
    ),
    // Owners 0 0 1 1 2, processors 0 0 1 2 3.
    ("copy.alg --set n=5 -p 5 -m bsp --processors 4 -g 3 -L 7", "time_units 15 w 2 h 2"),
    ("copy.alg --set n=5 -p 5 -m bsp --processors 1 -g 3 -L 7", "time_units 12 h 0"),
    // Sent at 0, 4, 8; there at 8, 12, 16.
    ("tail.alg --set n=6 -p 2 -m logp --processors 2 -L 6 -o 2 -g 4", "time_units 18 messages 3"),
    (
        "tail.alg --set n=6 -p 2 -m loggp --processors 2 -L 6 -o 2 -g 4 -G 1",
        "time_units 12 messages 1",
    ),
    ("tail.alg --set n=6 -p 2 -m logp --processors 1", "time_units 2 messages 0"),
    // Twelve words, whatever width arrays are aligned to.
    ("copy.alg --set n=6 -p 2 -m mpc --space 4", "machines 3 held 4 received 3"),
    ("copy.alg --set n=5 -p 2 -m roofline", "operations 5 bytes 128"),
];

#[test]
fn corners_come_out_as_by_hand() {
    let it = folder(&[
        ("copy.alg", COPY),
        ("fold.alg", FOLD),
        ("branch.alg", BRANCH),
        ("rounds.alg", ROUNDS),
        ("tail.alg", TAIL),
    ]);
    for (words, figures) in CASES {
        let found = json(it.path(), &format!("run {words} --json"));
        let figures: Vec<&str> = figures.split(' ').collect();
        for figure in figures.chunks(2) {
            let value = figure[1].parse::<u64>().unwrap();
            assert_eq!(found[figure[0]].as_u64(), Some(value), "{words}: {}", figure[0]);
        }
    }
}
