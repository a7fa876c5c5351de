//! The kinds of input, what stands for them, and the commands that read them.

/// Where listings are: the shipped ones by topic, and wrong ones.
const LISTINGS: &[&str] = &[
    "kernels/cryptography",
    "kernels/dynamic-programming",
    "kernels/geometry",
    "kernels/graphs",
    "kernels/grids",
    "kernels/linear-algebra",
    "kernels/numbers",
    "kernels/permutations",
    "kernels/scans",
    "kernels/sorting",
    "kernels/strings",
    "kernels/transforms",
    "tests/data/bad.txt",
];

pub struct Kind {
    pub name: &'static str,
    /// The mutated file, in the folder of the run.
    pub file: &'static str,
    /// Files that stand beside it, as they are shipped.
    pub beside: &'static [(&'static str, &'static str)],
    /// Where right ones are: files and folders of the repository.
    pub(super) seeds: &'static [&'static str],
    /// The ending of the files of a folder.
    pub(super) ending: &'static str,
    /// A command that leaves one.
    pub made_by: Option<&'static str>,
    /// Command lines, and twins: a second one whose JSON must have the same field.
    pub commands: &'static [(&'static str, Option<Twin>)],
}

/// Another way to the same answer.
#[derive(Clone, Copy)]
pub struct Twin {
    pub command: &'static str,
    pub fields: &'static [&'static str],
}

const fn twin(command: &'static str, fields: &'static [&'static str]) -> Option<Twin> {
    Some(Twin { command, fields })
}

pub static KINDS: &[Kind] = &[
    Kind {
        name: "listing",
        file: "case.alg",
        beside: &[("ones.csv", "tests/data/paper-8-gon-weights.csv")],
        seeds: LISTINGS,
        ending: "alg",
        made_by: None,
        commands: &[
            ("check case.alg", None),
            ("check case.alg --set n=4 --while-limit 1000 --json", None),
            (
                "run case.alg --set n=5 -p 7 -w 4 -l 3 --while-limit 1000 --json",
                twin(
                    "run case.alg --set n=5 -p 7 -w 4 -l 3 --while-limit 1000 --json --time-only",
                    &["time_units", "stages", "accesses"],
                ),
            ),
            (
                "run case.alg --set n=8 -p 8 -w 4 -l 3 -m dmm --mode async --while-limit 1000 --json",
                twin(
                    "run case.alg --set n=8 -p 8 -w 4 -l 3 -m dmm --mode async --while-limit 1000 \
                         --json --time-only",
                    &["time_units", "stages", "accesses"],
                ),
            ),
            (
                "run case.alg --set n=6 -p 5 -w 4 -l 3 -m hmm -d 2 --while-limit 1000 --json",
                twin(
                    "run case.alg --set n=6 -p 5 -w 4 -l 3 -m hmm -d 2 --while-limit 1000 --json \
                         --time-only",
                    &["time_units", "stages", "accesses", "shared"],
                ),
            ),
            (
                "run case.alg --set n=5 -w 4 -l 3 -m hmm -d 3 --shared-latency 2 --resident 2 --mode \
                 async --while-limit 1000",
                None,
            ),
            (
                "explain case.alg --set n=3 -p 4 -w 4 -l 3 -m hmm -d 2 --while-limit 1000 --draw \
                 out.svg",
                None,
            ),
            (
                "bounds case.alg --set n=4 -p 4 -w 4 -l 2 -m hmm -d 2 --resident 2 --while-limit 1000",
                None,
            ),
            ("run case.alg --set n=8 --bulk row -p 5 --while-limit 1000", None),
            (
                "run case.alg --set n=8 -p 4 --input c=ones.csv --draw out.svg --while-limit 1000",
                None,
            ),
            ("trace case.alg --set n=4 -p 3 --while-limit 1000 -o out.csv", None),
            ("explain case.alg --set n=4 -p 4 -w 4 -l 3 --while-limit 1000 --draw out.svg", None),
            ("graph case.alg --set n=4 --while-limit 1000 -o out.svg", None),
            ("cuda case.alg -o out.cu", None),
            ("cuda case.alg --bulk column -o out.cu", None),
            ("cuda case.alg --launch cooperative -o out.cu", None),
            ("cuda case.alg --standalone -o out.cu", None),
            ("predict case.alg --set n=8 --model h200 --while-limit 1000", None),
            ("bounds case.alg --set n=4 -p 4 -w 4 -l 2 --while-limit 1000", None),
            ("sweep case.alg --set n=4 -p 2,4 -w 4 -l 1 --while-limit 1000 -o out.csv", None),
        ],
    },
    Kind {
        name: "points",
        file: "case.csv",
        beside: &[],
        seeds: &["tests/data/airports-australia.csv", "tests/data/convex-12.csv"],
        ending: "csv",
        made_by: None,
        commands: &[
            (
                "hull case.csv --json --engine cpu",
                twin("hull case.csv --json --engine sequential", &["vertices"]),
            ),
            (
                "greedy case.csv --json --engine fast",
                twin("greedy case.csv --json --engine paper", &["distinct", "length"]),
            ),
            ("hull case.csv --draw out.svg", None),
            ("greedy case.csv --csv out.csv", None),
            ("plot pipeline case.csv -o out.svg", None),
        ],
    },
    Kind {
        name: "geojson",
        file: "case.geojson",
        beside: &[],
        seeds: &["tests/data/laos.geojson", "tests/data/croatia.geojson"],
        ending: "geojson",
        made_by: None,
        commands: &[
            // The engine naive takes one polygon alone.
            ("opt solve case.geojson --json --type f64", None),
            ("opt solve case.geojson --draw out.svg", None),
            ("run umm_opt --input c=polygon:case.geojson -p 64 --draw out.svg", None),
            ("plot triangulation case.geojson -o out.svg", None),
            ("hull case.geojson", None),
        ],
    },
    Kind {
        name: "polygon",
        file: "case.csv",
        beside: &[],
        seeds: &["tests/data/convex-12.csv", "tests/data/concave-16.csv"],
        ending: "csv",
        made_by: None,
        commands: &[
            (
                "opt solve case.csv --json --type f32",
                twin("opt solve case.csv --json --type f32 --engine naive", &["weight"]),
            ),
            ("opt solve case.csv --type i32 --tree out.svg", None),
            ("run opt --input c=polygon:case.csv", None),
            ("plot triangulation case.csv -o out.svg", None),
        ],
    },
    Kind {
        name: "numbers",
        file: "case.csv",
        beside: &[],
        seeds: &[
            "tests/data/paper-8-gon-weights.csv",
            "tests/data/clrs-search-tree.csv",
            "tests/data/clrs-matrix-chain.csv",
        ],
        ending: "csv",
        made_by: None,
        commands: &[
            ("run opt --input c=case.csv", None),
            ("run umm_opt --input c=case.csv --json", None),
            ("run transpose --input a=case.csv", None),
            ("run prefix_sums --input a=case.csv --set n=4", None),
            ("run permute --input p=case.csv", None),
            ("opt solve --weights case.csv --json", None),
            ("opt search-tree case.csv --tree out.svg", None),
            ("opt matrix-chain --file case.csv --json", None),
        ],
    },
    Kind {
        name: "trace",
        file: "case.trace",
        beside: &[],
        seeds: &[
            "tests/data/pipeline.trace",
            "plots/data/transpose.trace",
            "plots/data/prefix_sums_parallel.trace",
        ],
        ending: "trace",
        made_by: None,
        commands: &[
            ("replay case.trace -w 4 -l 5 --json", None),
            ("replay case.trace -m dmm -w 4 -l 5 --mode async", None),
            ("explain case.trace -w 4 -l 2 --draw out.svg", None),
            ("plot occupancy case.trace -w 4 -l 8 -o out.svg", None),
            ("plot access case.trace --step 2 -m dmm -w 8 -o out.svg", None),
        ],
    },
    Kind {
        name: "samples",
        file: "case.csv",
        beside: &[],
        seeds: &["plots/data"],
        ending: "csv",
        made_by: None,
        commands: &[
            ("plot time case.csv -o out.svg", None),
            ("plot time case.csv --by n --x width -o out.svg", None),
            ("plot speedup case.csv --baseline bulk=row -o out.svg", None),
            ("plot phases case.csv -o out.svg", None),
            ("plot regime case.csv -o out.svg", None),
        ],
    },
    Kind {
        name: "heat",
        file: "case.csv",
        beside: &[],
        seeds: &["models/measurements/ito-nakano-gtx-680"],
        ending: "csv",
        made_by: None,
        commands: &[
            ("plot heat case.csv -o out.svg", None),
            ("plot time case.csv --x stage -o out.svg", None),
        ],
    },
    Kind {
        name: "algorithms",
        file: "m/algorithms.csv",
        beside: &[("m/device.json", "models/measurements/nvidia-h200/2026-11-21/device.json")],
        seeds: &[
            "models/measurements/nvidia-h200/2026-11-21/algorithms.csv",
            "models/measurements/nvidia-h200/2026-11-21/opt.csv",
        ],
        ending: "csv",
        made_by: None,
        commands: &[
            ("fit m", None),
            ("compare m --model h200", None),
            ("report m -o out.html", None),
            ("plot measured m --chart scatter --model h200 -o out.svg", None),
            ("plot measured m --chart bulk -o out.svg", None),
            ("plot measured m --chart opt-rate -o out.svg", None),
        ],
    },
    Kind {
        name: "microbenchmarks",
        file: "m/microbenchmarks.csv",
        beside: &[("m/device.json", "models/measurements/nvidia-h200/2026-11-22/device.json")],
        seeds: &["models/measurements/nvidia-h200/2026-11-22/microbenchmarks.csv"],
        ending: "csv",
        made_by: None,
        commands: &[
            ("calibrate m", None),
            ("plot measured m --chart staircase -o out.svg", None),
            ("plot measured m --chart stride -o out.svg", None),
            ("report m -o out.html", None),
        ],
    },
    Kind {
        name: "greedy-times",
        file: "m/greedy.csv",
        beside: &[("m/device.json", "models/measurements/nvidia-h200/2026-11-21/device.json")],
        seeds: &["models/measurements/nvidia-h200/2026-11-21/greedy.csv"],
        ending: "csv",
        made_by: None,
        commands: &[
            ("report m -o out.html", None),
            ("plot measured m --chart greedy-time -o out.svg", None),
            ("plot measured m --chart greedy-grid -o out.svg", None),
        ],
    },
    Kind {
        name: "hull-times",
        file: "m/hull.csv",
        beside: &[("m/device.json", "models/measurements/nvidia-h200/2026-11-21/device.json")],
        seeds: &["models/measurements/nvidia-h200/2026-11-21/hull.csv"],
        ending: "csv",
        made_by: None,
        commands: &[
            ("report m -o out.html", None),
            ("plot measured m --chart hull-time -o out.svg", None),
            ("plot measured m --chart hull-workers -o out.svg", None),
            ("plot measured m --chart hull-crossover -o out.svg", None),
        ],
    },
    Kind {
        name: "device",
        file: "m/device.json",
        beside: &[("m/hull.csv", "models/measurements/nvidia-h200/2026-11-21/hull.csv")],
        seeds: &["models/measurements/nvidia-h200/2026-11-21/device.json"],
        ending: "json",
        made_by: None,
        commands: &[("report m -o out.html", None), ("fit m", None)],
    },
    Kind {
        name: "model",
        file: "case.toml",
        beside: &[],
        seeds: &["models", "tests/data/sweep"],
        ending: "toml",
        made_by: None,
        commands: &[
            ("run sum --set n=16 --model case.toml", None),
            ("predict prefix_sums --set n=32 --bulk column -p 4096 --model case.toml", None),
            ("sweep case.toml -o out.csv", None),
        ],
    },
    Kind {
        name: "plan",
        file: "case.toml",
        beside: &[],
        seeds: &["models/measurements/nvidia-h200/2026-11-21/opt/plan.toml"],
        ending: "toml",
        made_by: None,
        commands: &[("opt solve random -n 16 --plan case.toml", None)],
    },
    Kind {
        name: "partial",
        file: "out.csv.partial",
        beside: &[("fails.alg", "tests/data/sweep/fails-at-16.alg")],
        seeds: &[],
        ending: "partial",
        made_by: Some("sweep fails.alg --set n=4..16*2 -p 2,4 -w 4 -l 1 -o out.csv"),
        commands: &[("sweep fails.alg --set n=4..16*2 -p 2,4 -w 4 -l 1 -o out.csv", None)],
    },
];
