//! Accesses of neighbours: values, time, alignment, traces, CUDA.

use crate::support::{fails, folder, json, succeeds};

fn listing(element: &str, statements: &str) -> String {
    format!(
        "algorithm v(n)\ninput a[n] : {element}\noutput b[n] : {element}\nanswer b[n-3]\n\n\
         for i ← 0 to n/4-1 do in parallel\n{statements}"
    )
}

const WHOLE: &str = "  b[4*i : 4*i+3] ← 2 * a[4*i : 4*i+3] + 1\n";

#[test]
fn an_access_has_as_many_words_as_neighbours() {
    let it = folder(&[("v.alg", &listing("f32", WHOLE)), ("d.alg", &listing("f64", WHOLE))]);
    // Two warps of 8 threads, each with 32 words: four groups; on banks, four passes of two threads.
    for machine in ["umm", "dmm", "umm --bytes", "dmm --bytes"] {
        let words = format!("run v.alg --set n=64 -w 8 -l 10 -p 16 -m {machine} --json");
        let run = json(it.path(), &words);
        let found = ["accesses", "dispatches", "stages", "time_units"].map(|it| run[it].as_u64());
        assert_eq!(found, [32, 4, 16, 16 + 2 * 9].map(Some), "{machine}");
    }
    for machine in ["umm", "dmm"] {
        // An f64 has two words.
        let words = format!("run d.alg --set n=64 -w 8 -l 10 -p 16 -m {machine} --bytes --json");
        assert_eq!(json(it.path(), &words)["stages"].as_u64(), Some(32), "{machine}");
    }
    let counted = json(it.path(), "run v.alg --set n=64 -w 8 -l 10 -p 16 --time-only --json");
    assert_eq!(counted["time_units"].as_u64(), Some(34));
    // A read, two operations for each lane, a write.
    let pram = json(it.path(), "run v.alg --set n=64 -p 16 -m pram --json");
    let found = ["time_units", "steps", "accesses"].map(|it| pram[it].as_u64());
    assert_eq!(found, [10, 2, 32].map(Some));
    // Threads of a warp that ask for the same neighbours get them at once.
    let same = listing("f32", "  b[4*i : 4*i+3] ← a[0 : 3]\n");
    let it = folder(&[("v.alg", &same)]);
    let run = json(it.path(), "run v.alg --set n=64 -w 8 -l 10 -p 16 --json");
    assert_eq!(run["stages"].as_u64(), Some(2 + 8));
}

#[test]
fn values_are_those_of_single_elements() {
    let single = "  for k ← 4*i to 4*i+3 do\n    b[k] ← 2 * a[k] + 1\n";
    let parts = "  x, y, z, u ← a[4*i : 4*i+3]\n  b[4*i : 4*i+1] ← 2 * a[4*i : 4*i+1] + 1\n  \
                 b[4*i+2] ← 2 * z + 1\n  b[4*i+3] ← 2 * u + 1\n";
    let beside = "  b[4*i : 4*i+3] ← a[4*i : 4*i+3] + a[4*i : 4*i+3] + min(1, 1 + a[i])\n";
    for element in ["f32", "f64", "i32", "u8"] {
        let answer = |statements: &str| {
            let it = folder(&[("v.alg", &listing(element, statements))]);
            json(it.path(), "run v.alg --set n=32 --json")["answer"].clone()
        };
        for statements in [WHOLE, parts, beside] {
            assert_eq!(answer(statements), answer(single), "{element}: {statements}");
        }
    }
}

#[test]
fn what_is_no_access_of_neighbours_says_why() {
    for (statements, why) in [
        ("  b[i : i+3] ← a[4*i : 4*i+3]\n", "4 neighbours from b[1] on are not aligned"),
        ("  b[4*i] ← a[4*i : 4*i+3]\n", "`b` is one element or scalar, and this several"),
        ("  b[4*i : 4*i+2] ← a[4*i : 4*i+2]\n", "one access has 2 or 4 neighbours"),
        ("  b[4*i : 4*i+3] ← a[4*i : 4*i+1]\n", "2 neighbours beside 4"),
        ("  x, y ← a[4*i : 4*i+3]\n", "4 neighbours for 2 targets"),
        ("  if a[0 : 1] > 0 then b[i] ← 0\n", "neighbours stand in an assignment"),
    ] {
        let it = folder(&[("v.alg", &listing("f32", statements))]);
        let message = fails(it.path(), "run v.alg --set n=32");
        assert!(message.contains(why), "{statements}{message}");
    }
    let it = folder(&[("v.alg", &listing("f32", WHOLE))]);
    for command in ["graph v.alg --set n=16", "improve v.alg --set n=16"] {
        let message = fails(it.path(), command);
        assert!(message.contains("accesses of several neighbours"), "{message}");
    }
    let laid_out =
        listing("f32", WHOLE).replace("input a[n] : f32", "input a[n] : f32 layout pad(1)");
    let it = folder(&[("v.alg", &laid_out)]);
    let message = fails(it.path(), "run v.alg --set n=32");
    assert!(message.contains("no neighbours of `a`: its layout"), "{message}");
}

#[test]
fn traces_and_cuda_have_them() {
    let it = folder(&[("v.alg", &listing("f32", WHOLE))]);
    succeeds(it.path(), "trace v.alg --set n=64 -w 8 -p 16 -o v.trace");
    let trace = std::fs::read_to_string(it.path().join("v.trace")).unwrap();
    assert!(trace.contains("\nR4 0+4x16\n") && trace.contains("\nW4 64+4x16\n"), "{trace}");
    let replayed = json(it.path(), "replay v.trace -w 8 -l 10 --json");
    assert_eq!(replayed["time_units"].as_u64(), Some(34));
    let cuda = succeeds(it.path(), "cuda v.alg");
    for text in ["const float4 vector0 = *(const float4 *)&a_[", "vector0.w", "= make_float4("] {
        assert!(cuda.contains(text), "{text}: {cuda}");
    }
    // The pipeline has their groups, by the first of each thread's words.
    let explained = succeeds(it.path(), "explain v.alg --set n=8 -w 4 -l 2 -p 4");
    assert!(explained.contains("steps 1, 2: 3 time units each: 2 stages"), "{explained}");
    // On DMMs, too.
    let shared = "algorithm s(n)\ninput a[n] : f32\noutput b[n] : f32\n\n\
                  for k ← 0 to 0 do in parallel on DMMs with 16 threads\n  shared s[64] : f32\n  \
                  for i ← 0 to 15 do in parallel\n    s[4*i : 4*i+3] ← a[4*i : 4*i+3]\n  \
                  for i ← 0 to 15 do in parallel\n    b[4*i : 4*i+3] ← s[4*i : 4*i+3]\n";
    let it = folder(&[("s.alg", shared)]);
    let run = json(it.path(), "run s.alg --set n=64 -m hmm -d 1 -w 8 -l 10 --json");
    assert_eq!(
        (run["global"]["stages"].as_u64(), run["shared"]["stages"].as_u64()),
        (Some(16), Some(16))
    );
    succeeds(it.path(), "cuda s.alg --set n=64");
}
