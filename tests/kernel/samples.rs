//! A part of the blocks, and what it says of all.

use memory_machine::kernel::{Plan, execute, parameters};

use super::{own, plan};
use crate::support::{folder, umm};

/// Blocks that do the same, more along the grid, more in two columns of it, or as much as a hash says.
const UNEVEN: &str = "extern \"C\" __global__ void f(int kind, float *x) {\n\
    int block = blockIdx.y * gridDim.x + blockIdx.x, rounds = 3;\n\
    if (kind == 1) rounds = block / 8;\n\
    if (kind == 2) rounds = blockIdx.x % 8 == 0 ? 200 : 1;\n\
    if (kind == 3) rounds = (block * 2654435761u >> 16) % 100;\n\
    for (int i = 0; i < rounds; i++) x[(threadIdx.x * (i + 1) + block) % 4096] += 1;\n}\n";

/// An interval of 95 % covers the true sum of nine in ten samples at least, and of equal blocks of all.
#[test]
#[ignore = "needs NVRTC"]
fn intervals_of_samples_cover_what_all_blocks_do() {
    let (code, _folder) = own(UNEVEN);
    let done = |kind: u32, sample, seed| {
        let given = format!("kind={kind}");
        let of = plan("16x32", "32", &[&given, "x=zeros:f32[4096]"]);
        let of = Plan { sample, seed, checks: false, ..of };
        execute(&code.0, &code.0.kernels[0], parameters(&code.1, "f").as_deref(), &of).unwrap()
    };
    for kind in 0..4 {
        let all = done(kind, None, 0);
        assert_eq!(all.sample, None);
        for (name, at) in [("executions", 0), ("requests", 3), ("sectors", 4)] {
            let truth: u64 = all.counts.iter().map(|it| it.quantities()[at].2).sum();
            let mut covered = 0;
            for seed in 0..40 {
                let sample = done(kind, Some(32), seed).sample.unwrap().get(name).unwrap();
                let [low, high] = sample.interval.unwrap();
                covered += u32::from(low <= truth as f64 && truth as f64 <= high);
                if kind == 0 && name != "sectors" {
                    assert_eq!((sample.total, sample.standard_error), (truth as f64, Some(0.0)));
                }
            }
            assert!(covered >= 36, "{kind} {name}: {covered} of 40");
        }
    }
    // As many as there are, and a single one, which says nothing of an error.
    assert_eq!(done(1, Some(512), 0).sample, None);
    let one = done(1, Some(1), 0).sample.unwrap().get("requests").unwrap();
    assert_eq!((one.standard_error, one.interval), (None, None));
}

#[test]
#[ignore = "needs NVRTC"]
fn a_sample_says_how_far_it_may_be_wrong() {
    let at = folder(&[("f.cu", UNEVEN)]);
    let words = "kernel f.cu --grid 16x32 --block 32 --arg kind=1 --arg x=zeros:f32[4096]";
    let said = |more: &str| {
        let done = umm(at.path(), &format!("{words} --unchecked {more}"));
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    let text = said("--sample blocks=32");
    assert!(text.contains("of 32 of 512 blocks"), "{text}");
    let line = text.lines().find(|it| it.starts_with("all 512 blocks, with a confidence of 95 %"));
    assert!(line.is_some_and(|it| it.contains(" ± ") && it.contains(" requests, ")), "{text}");
    assert!(!said("").contains(" ± "));
    let json: serde_json::Value = serde_json::from_str(&said("--sample 32 --json")).unwrap();
    let of = &json["estimates"]["requests"];
    let (total, error) = (of["total"].as_f64().unwrap(), of["standard_error"].as_f64().unwrap());
    assert!(error > 0.0 && of["interval_95"][1].as_f64().unwrap() > total, "{of}");
    // Another seed draws other blocks.
    assert_ne!(said("--sample 32"), said("--sample 32 --seed 7"));
}
