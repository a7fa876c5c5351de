//! Muller and Hoffmann 2021, the kernels of their repository.

use crate::support::{fails, folder, json};

/// `reduce2a.cu`, one block: n numbers in shared memory.
const REDUCE: &str = "\
algorithm reduce(n)
inout c[n] : i32
answer c[0]

s ← 2
while s < n do
  h ← n / s
  for i ← 0 to h-1 do in parallel
    c[i] ← c[i] + c[i+h]
  s ← 2×s
";

#[test]
fn the_last_sum_is_left_out() {
    let right = REDUCE.replace("s < n", "s ≤ n");
    let ones = "1\n".repeat(256);
    let files = [("printed.alg", REDUCE), ("right.alg", &*right), ("ones.csv", &*ones)];
    let here = folder(&files);
    for (listing, sum) in [("printed", 128), ("right", 256)] {
        let line = format!("run {listing}.alg --set n=256 --input c=ones.csv --json");
        assert_eq!(json(here.path(), &line)["answer"], sum, "{listing}");
    }
}

/// `addSub3.cu`: a block's part of the vector in its shared memory.
const COLUMNS: &str = "\
algorithm columns(n, q = 4)
input a[n] : i32
inout b[n, n] : i32

for k ← 0 to n/q - 1 do in parallel on DMMs with q threads
  shared s[q] : i32
  for x ← 0 to q-1 do in parallel
    s[x] ← a[k×q + x]
  for j ← 0 to n-1 do
    for x ← 0 to q-1 do in parallel
      i ← k×q + x
      b[j, i] ← b[j, i] + s[i]
";

#[test]
fn shared_memory_is_indexed_by_the_grids_thread() {
    let right = COLUMNS.replace("+ s[i]", "+ s[x]");
    let here = folder(&[("printed.alg", COLUMNS), ("right.alg", &right)]);
    let message = fails(here.path(), "run printed.alg -m hmm --set n=8");
    assert!(message.contains("s[i]"), "{message}");
    json(here.path(), "run right.alg -m hmm --set n=8 --json");
}
