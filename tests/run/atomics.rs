//! Atomics: values, time, races, traces and CUDA; elements of as many bytes as their types have.

use crate::support::{fails, folder, json, root, succeeds};

const HISTOGRAM: &str = "\
algorithm histogram(n, m)
input a[n] : i32 from random(0, 3)
output h[m] : i32
answer h[0] + h[1] + h[2] + h[3]

for b ← 0 to m-1 do in parallel
  h[b] ← 0
for i ← 0 to n-1 do in parallel
  atomic h[a[i]] ← h[a[i]] + 1
";

const ONE_WORD: &str = "\
algorithm one(n)
inout c[4] : i32 from random(0, 0)

for i ← 0 to n-1 do in parallel
  atomic c[0] ← c[0] + 1
";

fn at(statement: &str, element: &str) -> String {
    format!(
        "algorithm f(n)\ninout c[1] : {element} from random(3, 3)\noutput r[n] : {element}\n\
         answer c[0]\n\nfor i ← 0 to n-1 do in parallel\n  x : {element} ← i\n  {statement}\n"
    )
}

#[test]
fn each_atomic_does_what_it_says() {
    for (statement, element, answer) in [
        ("atomic c[0] ← c[0] + x", "i32", 13),
        ("atomic c[0] ← x + c[0]", "u64", 13),
        ("atomic c[0] ← c[0] - x", "i64", -7),
        ("atomic c[0] ← c[0] + x", "f32", 13),
        ("atomic c[0] ← c[0] - x", "f64", -7),
        ("atomic c[0] ← min(c[0], x)", "i32", 0),
        ("atomic c[0] ← max(c[0], x)", "u32", 4),
        ("atomic c[0] ← c[0] & x", "i32", 0),
        ("atomic c[0] ← c[0] | x", "u32", 7),
        ("atomic c[0] ← c[0] xor x", "i32", 7),
        ("atomic c[0] ← x", "i32", 4),
        ("atomic c[0] ← if c[0] = 3 then 9 else c[0]", "i32", 9),
        ("r[i] ← 0\n  old ← atomic c[0] ← c[0] + 2\n  r[i] ← old", "i32", 13),
    ] {
        let it = folder(&[("f.alg", &at(statement, element))]);
        let run = json(it.path(), "run f.alg --set n=5 --json");
        assert_eq!(run["answer"].as_f64(), Some(f64::from(answer)), "{statement}");
        // In whatever rounds.
        let run = json(it.path(), "run f.alg --set n=5 -p 2 --json");
        assert_eq!(run["answer"].as_f64(), Some(f64::from(answer)), "{statement}");
    }
}

#[test]
fn requests_to_one_word_wait_unless_they_merge() {
    let it = folder(&[("one.alg", ONE_WORD), ("h.alg", HISTOGRAM)]);
    let run = |words: &str| {
        let run =
            json(it.path(), &format!("run one.alg --set n=10 -w 4 -l 5 -p 16 {words} --json"));
        [run["stages"].as_u64().unwrap(), run["time_units"].as_u64().unwrap()]
    };
    // Warps of 4, 4 and 2 threads.
    for kind in ["umm", "dmm"] {
        assert_eq!(run(&format!("-m {kind}")), [10, 10 + 5 - 1]);
        assert_eq!(run(&format!("-m {kind} --time-only")), [10, 10 + 5 - 1]);
        assert_eq!(run(&format!("-m {kind} --atomics merged")), [3, 3 + 5 - 1]);
    }
    // Of the same addresses merged atomics take what writes take.
    let text = HISTOGRAM.replace("atomic h[a[i]] ← h[a[i]] + 1", "h[a[i]] ← 1");
    let plain = folder(&[("h.alg", &text)]);
    for kind in ["umm", "dmm"] {
        let words = format!("run h.alg --set n=100 --set m=4 -w 8 -l 3 -p 32 -m {kind} --json");
        let merged = json(it.path(), &format!("{words} --atomics merged"));
        let writes = json(plain.path(), &words);
        assert_eq!(merged["time_units"], writes["time_units"]);
        let serial = json(it.path(), &words);
        assert!(serial["stages"].as_u64() > merged["stages"].as_u64());
        assert_eq!(serial["answer"], 100);
    }
}

#[test]
fn a_trace_has_its_atomics() {
    let it = folder(&[("one.alg", ONE_WORD)]);
    succeeds(it.path(), "trace one.alg --set n=6 -w 4 -p 8 -o one.trace");
    let trace = std::fs::read_to_string(it.path().join("one.trace")).unwrap();
    assert!(trace.contains("\nA 0+0x6\n"), "{trace}");
    // Warps of 4 and 2 threads.
    let replayed = json(it.path(), "replay one.trace -w 4 -l 5 --json");
    assert_eq!((replayed["stages"].as_u64(), replayed["time_units"].as_u64()), (Some(6), Some(10)));
}

#[test]
fn what_an_atomic_returns_depends_on_the_order() {
    let returns = at("r[i] ← 0\n  old ← atomic c[0] ← c[0] + 1\n  r[i] ← old", "i32");
    let it = folder(&[("h.alg", HISTOGRAM), ("r.alg", &returns)]);
    let races = |words: &str| json(it.path(), words)["races"].as_array().unwrap().len();
    assert_eq!(races("run h.alg --set n=50 --set m=4 -p 8 --json"), 0);
    assert!(races("run r.alg --set n=50 -p 64 --json") > 0);
    let check = succeeds(it.path(), "check h.alg --set n=50 --set m=4");
    assert!(check.contains("CRCW combining") && check.contains("races: none"), "{check}");
    let message = fails(it.path(), "run h.alg --set n=50 --set m=4 -m pram --pram arbitrary");
    assert!(message.contains("--pram combining"), "{message}");
    let pram = json(it.path(), "run h.alg --set n=50 --set m=4 -m pram --pram combining --json");
    // A step sets the counters, then each reads its key and adds.
    assert_eq!((pram["time_units"].as_u64(), pram["answer"].as_u64()), (Some(3), Some(50)));
}

#[test]
fn cuda_has_the_functions() {
    for (statement, element, call) in [
        ("atomic c[0] ← c[0] + x", "i32", "atomicAdd(&"),
        ("atomic c[0] ← c[0] - x", "i32", "atomicSub(&"),
        ("atomic c[0] ← c[0] - x", "f32", "atomicAdd(&"),
        ("atomic c[0] ← c[0] + x", "i64", "atomicAdd((unsigned long long *)&"),
        ("atomic c[0] ← max(c[0], x)", "i64", "atomicMax((long long *)&"),
        ("atomic c[0] ← x", "u32", "atomicExch(&"),
        ("atomic c[0] ← if c[0] = x then 1 else c[0]", "i32", "atomicCAS(&"),
        ("o ← atomic c[0] ← c[0] xor x\n  r[i] ← o", "u32", "old_ = (unsigned)atomicXor(&"),
    ] {
        let it = folder(&[("f.alg", &at(statement, element))]);
        let cuda = succeeds(it.path(), "cuda f.alg --set n=64");
        assert!(cuda.contains(call), "{statement}: {cuda}");
    }
}

#[test]
fn what_is_no_atomic_is_refused() {
    for (statement, element, why) in [
        ("atomic c[0] ← 2 × c[0]", "i32", "no atomic makes this"),
        ("atomic c[0] ← c[0] + c[0]", "i32", "no atomic makes this"),
        ("atomic c[0] ← c[0] & x", "f32", "no such atomic of f32"),
        ("atomic c[0] ← c[0] + 1", "u8", "no such atomic of u8"),
        ("atomic z[0] ← z[0] + 1", "i32", "unknown array `z`"),
    ] {
        let text = at(statement, element).replace("x : u8 ← i", "x ← i");
        let it = folder(&[("f.alg", &text)]);
        let message = fails(it.path(), "run f.alg --set n=4");
        assert!(message.contains(why), "{statement}: {message}");
    }
    let it = folder(&[("h.alg", HISTOGRAM)]);
    let message = fails(it.path(), "graph h.alg --set n=4 --set m=4");
    assert!(message.contains("not known of listings with atomics"), "{message}");
}

/// Reads with a stride, of elements of a type.
fn stride(element: &str, by: u64) -> String {
    format!(
        "algorithm f(n)\ninput a[4 × n] : {element} from random(0, 1)\n\nfor i ← 0 to n-1 do in parallel\n  \
         x ← a[{by} × i]\n"
    )
}

#[test]
fn elements_have_the_bytes_of_their_types() {
    for (element, by, umm, dmm) in [
        // 32 bytes: one group of 128, eight words.
        ("u8", 1, 1, 1),
        // Four words of 4 bytes to a row of banks.
        ("u8", 4, 1, 1),
        ("u16", 1, 1, 1),
        ("f32", 1, 1, 1),
        ("f32", 2, 2, 2),
        // 256 bytes: two groups, and two passes of 16 threads.
        ("f64", 1, 2, 2),
        ("i64", 2, 4, 4),
        // A pass has the first two words of every eight: four threads a bank.
        ("f64", 4, 8, 8),
    ] {
        let it = folder(&[("f.alg", &stride(element, by))]);
        for (kind, stages) in [("umm", umm), ("dmm", dmm)] {
            let run = json(
                it.path(),
                &format!("run f.alg --set n=32 -w 32 -p 32 --bytes -m {kind} --json"),
            );
            assert_eq!(run["stages"], stages, "{element} {by} {kind}");
        }
    }
    // Without it an element is a word.
    let it = folder(&[("f.alg", &stride("f64", 1))]);
    assert_eq!(json(it.path(), "run f.alg --set n=32 -w 32 -p 32 --json")["stages"], 1);
    assert!(fails(it.path(), "run f.alg --set n=32 --bytes --time-only").contains("--time-only"));
}

#[test]
fn listings_that_use_what_atomics_return_are_right_in_any_rounds() {
    for threads in [1, 7, 64] {
        let words = format!("run docs/listings/bfs_queue.alg --set n=50 -p {threads} --json");
        assert_eq!(json(root(), &words)["verified"], true);
        // The table has each key once.
        let words = format!("run docs/listings/hash_insertion.alg --set n=60 -p {threads}");
        let it = folder(&[]);
        let (keys, table) = (it.path().join("a.csv"), it.path().join("t.csv"));
        let numbers: Vec<i64> = (0..60).map(|it| 1 + it * it % 41).collect();
        let lines = numbers.iter().map(|it| format!("{it}\n"));
        std::fs::write(&keys, lines.collect::<String>()).unwrap();
        let (keys, out) = (keys.display(), table.display());
        succeeds(root(), &format!("{words} --input a={keys} --output t={out}"));
        let text = std::fs::read_to_string(table).unwrap();
        let found = text.split_whitespace().flat_map(|it| it.split(','));
        let mut found: Vec<i64> =
            found.map(|it| it.parse().unwrap()).filter(|it| *it > 0).collect();
        let mut wanted = numbers;
        found.sort_unstable();
        wanted.sort_unstable();
        wanted.dedup();
        assert_eq!(found, wanted, "{threads} threads");
    }
}
