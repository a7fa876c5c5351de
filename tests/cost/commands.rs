//! Closed forms and worked examples, as users ask for them.

use serde_json::{Value, json};
use tempfile::TempDir;

use memory_machine::sample::Sample;

use crate::support::{exits, fails, folder, json, succeeds};

pub(super) const COPY: &str = "\
algorithm copy(n)
input a[n] : f64
output b[n] : f64

for i ← 0 to n-1 do in parallel
  b[i] ← 2 × a[i]
";

/// JáJá 1992, Section 1.3: the logical OR of n bits in one step of writes.
const OR: &str = "\
algorithm any_of(n)
input a[n] : i32 from random(0, 1)
inout any[1] : i32
answer any[0]

for i ← 0 to n-1 do in parallel
  if a[i] = 1 then any[0] ← 1
";

/// Of several that write, one stays.
const WHO: &str = "\
algorithm who(n)
output b[1] : i64
answer b[0]

for i ← 0 to n-1 do in parallel
  b[0] ← i
";

/// One word goes from the last processor to the first.
const SEND: &str = "\
algorithm send(n, k)
inout a[n] : i64

for i ← 0 to k-1 do
  for j ← 0 to 0 do in parallel
    r ← a[n-1-i]
";

const TRANSPOSE: &str = "\
algorithm turn(n)
input a[n, n] : f32
output b[n, n] : f32

for i ← 0 to n-1 do in parallel
  for j ← 0 to n-1 do in parallel
    b[i, j] ← a[j, i]
";

fn listings() -> TempDir {
    folder(&[
        ("copy.alg", COPY),
        ("or.alg", OR),
        ("who.alg", WHO),
        ("send.alg", SEND),
        ("turn.alg", TRANSPOSE),
    ])
}

fn number(found: &Value, key: &str) -> u64 {
    found[key].as_u64().unwrap_or_else(|| panic!("{key}: {found}"))
}

#[test]
fn pram_takes_a_step_for_accesses_and_another_for_operations() {
    let it = listings();
    let run = |words: &str| {
        json(it.path(), &format!("run copy.alg --set n=64 -m pram -p 16 {words} --json"))
    };
    // Four rounds of a read, a product and a write.
    let both = run("");
    assert_eq!((number(&both, "time_units"), number(&both, "work")), (12, 192));
    assert_eq!(number(&run("--cost accesses"), "time_units"), 8);
    assert_eq!(number(&run("--cost operations"), "time_units"), 4);
    assert_eq!(both["machine"], json!({"kind": "pram", "pram": "crew", "cost": "both"}));
}

#[test]
fn variants_of_the_pram_refuse_what_they_cannot_do() {
    let it = listings();
    let message = exits(it.path(), "run or.alg --set n=8 -m pram --pram crew", 2);
    assert!(message.contains("forbids step 2: threads"), "{message}");
    assert!(message.contains("`any[0]`") && message.contains("or.alg:7"), "{message}");
    // A step of reads, one comparison, a step of writes.
    let or = json(it.path(), "run or.alg --set n=8 -m pram --pram common --json");
    assert_eq!(number(&or, "time_units"), 3);
    let message = fails(it.path(), "run who.alg --set n=8 -m pram --pram common");
    assert!(message.contains("threads 0 and 1 write different values"), "{message}");
    for (variant, answer) in [("arbitrary", 7), ("priority", 0), ("combining", 7)] {
        let who =
            json(it.path(), &format!("run who.alg --set n=8 -m pram --pram {variant} --json"));
        assert_eq!(who["answer"], answer, "{variant}");
    }
    let message = fails(it.path(), "run matrix_multiply --set n=4 -m pram --pram erew");
    assert!(message.contains("--pram crew"), "{message}");
}

/// Cormen et al., Section 26.1; JáJá 1992, Algorithm 1.2: a sum in ⌈log₂ n⌉ steps and n − 1 additions.
#[test]
fn sum_has_linear_work_and_logarithmic_span() {
    let it = listings();
    for (n, steps) in [(8, 3), (64, 6), (100, 7)] {
        let words = format!("run sum --set n={n} -m work-span --cost accesses --json");
        let sum = json(it.path(), &words);
        assert_eq!((number(&sum, "work"), number(&sum, "span")), (3 * (n - 1), 3 * steps));
    }
    // Three accesses, one sum and ⌈log₂ N⌉ in the nest for 32, 16, 8, 4, 2, 1; outside, six quotients and sums of
    // `half`, seven comparisons.
    let log = json(it.path(), "run sum --set n=64 -m work-span --spawn log --json");
    assert_eq!(number(&log, "span"), 6 * 4 + 15 + 6 * 2 + 7);
}

/// Frigo et al. 1999: a scan misses ⌈n/B⌉ times, a naive transpose of rows that do not fit n²/B + n².
#[test]
fn ideal_cache_has_the_misses_of_the_paper() {
    let it = listings();
    let run = |words: &str| json(it.path(), &format!("run {words} -m ideal-cache --json"));
    let scan = run("copy.alg --set n=1000 --line 16 --cache 64");
    assert_eq!((number(&scan, "misses"), number(&scan, "write_backs")), (2 * 63, 63));
    // A column takes 32 lines, and the cache has 16: each read misses.
    let turn = run("turn.alg --set n=32 --line 8 --cache 128");
    assert_eq!(number(&turn, "misses"), 32 * 32 + 32 * 32 / 8);
    // Room for a column and for a row's lines: each line is read once.
    let turn = run("turn.alg --set n=32 --line 8 --cache 320");
    assert_eq!(number(&turn, "misses"), 2 * 32 * 32 / 8);
    let curve = run("turn.alg --set n=32 --line 8 --cache 128,320");
    assert_eq!(curve["curve"][0]["misses"], 1152);
    assert_eq!(curve["curve"][1], json!({"cache": 320, "misses": 256, "write_backs": 128}));
    let opt = run("turn.alg --set n=32 --line 8 --cache 128 --policy opt");
    assert!(number(&opt, "misses") < 1152);
}

/// Arge et al. 2008: a step takes a transfer if any processor misses.
#[test]
fn pem_counts_steps_in_which_a_processor_misses() {
    let it = listings();
    // A thread misses each of its 16 reads and writes: its words stand in 16 lines of each array.
    let scan = json(it.path(), "run copy.alg --set n=64 -m pem -p 4 --line 4 --cache 64 --json");
    assert_eq!(number(&scan, "time_units"), 32);
    assert_eq!(number(&scan, "misses"), 128);
    let same =
        json(it.path(), "run copy.alg --set n=64 -m pem --processors 4 --line 4 --cache 64 --json");
    assert_eq!(same["misses"], scan["misses"]);
}

/// Valiant 1990: each of P processors keeps 1/P of its block and sends the rest.
#[test]
fn bsp_charges_words_that_cross() {
    let it = listings();
    let words = "run turn.alg --set n=16 -p 256 -m bsp --processors 4 -g 3 -L 50 --json";
    let turn = json(it.path(), words);
    let h = 64 / 4 * 3;
    assert_eq!((number(&turn, "supersteps"), number(&turn, "h")), (1, h));
    assert_eq!(number(&turn, "time_units"), 3 * h + 50);
    // Nothing crosses where threads work on what is theirs.
    let copy = "run copy.alg --set n=64 -p 64 -m bsp --processors 4 -g 3 -L 50 --json";
    assert_eq!(number(&json(it.path(), copy), "time_units"), 16 + 50);
    let cyclic = "run copy.alg --set n=64 -p 64 -m bsp --processors 4 --owner a=cyclic --json";
    assert_eq!(number(&json(it.path(), cyclic), "h"), 12);
}

/// Culler et al. 1993: a message of one word takes 2·o + L, and k in a row (k − 1)·g more; of LogGP
/// Alexandrov et al. 1995 one of k words (k − 1)·G more.
#[test]
fn logp_has_overhead_latency_and_gap() {
    let it = folder(&[
        ("send.alg", SEND),
        (
            "scatter.alg",
            "algorithm scatter(n)\ninput a[n] : i64\n\nfor i ← 0 to n-1 do in parallel\n  r ← a[0]\n",
        ),
        (
            "move.alg",
            "algorithm move(n)\ninput a[n] : i64\n\nfor i ← 0 to n/2-1 do in parallel\n  r ← a[n/2 + i]\n",
        ),
    ]);
    let time = |words: &str| number(&json(it.path(), &format!("run {words} --json")), "time_units");
    let network = "-m logp -L 6 -o 2 -g 4 --processors";
    assert_eq!(time(&format!("send.alg --set n=8 --set k=1 {network} 8")), 2 * 2 + 6);
    // One sends to seven others.
    assert_eq!(time(&format!("scatter.alg --set n=8 -p 8 {network} 8")), 6 * 4 + 2 * 2 + 6);
    // The second of two processors has all four words, the first reads them.
    assert_eq!(time(&format!("move.alg --set n=8 -p 8 {network} 2")), 3 * 4 + 2 * 2 + 6);
    let long = "move.alg --set n=8 -p 8 -m loggp -L 6 -o 2 -g 4 -G 3 --processors 2";
    assert_eq!(time(long), 3 * 3 + 2 * 2 + 6);
}

#[test]
fn mpc_counts_nests_that_receive() {
    let it = listings();
    let turn =
        json(it.path(), "run turn.alg --set n=16 -p 256 -m mpc --processors 4 --space 128 --json");
    assert_eq!((number(&turn, "rounds"), number(&turn, "words")), (1, 128));
    assert_eq!(turn["fits"], true);
    let copy =
        json(it.path(), "run copy.alg --set n=64 -p 64 -m mpc --processors 4 --space 16 --json");
    assert_eq!((number(&copy, "rounds"), copy["fits"].as_bool()), (0, Some(false)));
    assert!(fails(it.path(), "run copy.alg --set n=64 -m mpc").contains("--space"));
}

/// Williams et al. 2009: below the ridge the bandwidth decides, above it the peak.
#[test]
fn roofline_takes_the_higher_of_two() {
    let it = listings();
    let run = |peak: &str| {
        let words = format!(
            "run copy.alg --set n=1024 -m roofline --bandwidth 1e9 --peak f64={peak} --json"
        );
        json(it.path(), &words)
    };
    let bytes = run("1e9");
    assert_eq!((number(&bytes, "bytes"), number(&bytes, "operations")), (16384, 1024));
    assert_eq!(bytes["time_s"].as_f64(), Some(16384e-9));
    let peak = run("1e6");
    assert_eq!(peak["time_s"].as_f64(), Some(1024e-6));
    assert_eq!(peak["phases"][0]["roof"], "operations");
}

#[test]
fn flags_of_other_machines_are_refused() {
    let it = listings();
    for (words, flag) in [
        ("-m pram --cache 64", "--cache"),
        ("-m umm --pram erew", "--pram"),
        ("-m pram -l 5", "-l"),
        ("-m bsp -o 3", "-o"),
        ("-m logp -o three", "-o three"),
        ("-m ideal-cache --cache 4 --line 8", "--cache 4"),
        ("-m bsp --owner z=cyclic", "--owner z"),
        ("-m pram --bulk row", "--bulk"),
    ] {
        let message = fails(it.path(), &format!("run copy.alg --set n=8 {words}"));
        assert!(message.contains(flag), "{words}: {message}");
    }
    assert!(fails(it.path(), "bench copy.alg --set n=8 -m pram").contains("umm run -m pram"));
}

#[test]
fn tables_have_what_json_has() {
    let it = listings();
    let run = |words: &str| succeeds(it.path(), &format!("run copy.alg --set n=64 {words}"));
    let csv = run("-m ideal-cache --cache 64,128 --line 8 --csv -");
    assert_eq!(
        csv,
        "algorithm,machine,line,policy,accesses,cache,misses,write_backs\n\
                     copy,ideal-cache,8,lru,128,64,16,8\ncopy,ideal-cache,8,lru,128,128,16,8\n"
    );
    assert!(run("-m work-span").contains("span T∞"));
    assert!(run("-m pram --csv -").starts_with("algorithm,machine,pram,cost,time_units,"));
    let all = json(it.path(), "compare-models copy.alg --set n=64 -p 64 --json");
    let kinds: Vec<&str> =
        all.as_array().unwrap().iter().map(|it| it["machine"]["kind"].as_str().unwrap()).collect();
    let known = "umm dmm pram work-span ideal-cache pem bsp logp loggp mpc agpu tmm roofline";
    assert_eq!(kinds.join(" "), known);
    assert!(all.as_array().unwrap().iter().all(|it| it.get("refused").is_none()), "{all}");
}

/// A sweep's rows say what runs say.
#[test]
fn sweeps_have_what_runs_have() {
    let it = listings();
    let sweep = "sweep turn.alg --set n=8,16 -p 64 -m bsp,logp --rule processors=2,4 \
                 --rule owner=block,cyclic --rule L=7";
    succeeds(it.path(), &format!("{sweep} -o whole.csv"));
    let read = |name: &str| std::fs::read_to_string(it.path().join(name)).unwrap();
    let whole = read("whole.csv");
    let rows: Vec<Sample> =
        csv::Reader::from_reader(whole.as_bytes()).deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 2 * 2 * 2 * 2);
    for row in &rows {
        let (rules, figures) = (row.rules.as_ref().unwrap(), row.figures.as_ref().unwrap());
        let [processors, owner] = ["processors", "owner"].map(|it| rules.get(it).unwrap());
        let (machine, n) = (row.machine.as_deref().unwrap(), row.set.0["n"]);
        let run = json(
            it.path(),
            &format!(
                "run turn.alg --set n={n} -p 64 -m {machine} --processors {processors} \
                 --owner {owner} -L 7 --json"
            ),
        );
        assert_eq!(u128::from(number(&run, "time_units")), row.time_units.unwrap());
        let supersteps = figures.get("supersteps").unwrap().parse();
        assert_eq!(Ok(number(&run, "supersteps")), supersteps);
    }
    // Parts make the same table.
    for part in 1..=3 {
        succeeds(it.path(), &format!("{sweep} --shard {part}/3 -o part{part}.csv"));
    }
    succeeds(it.path(), "sweep merge part1.csv part2.csv part3.csv -o all.csv");
    assert_eq!(read("all.csv"), whole);
    // Flags and a file ask for the same.
    let spec = "algorithm = 'turn.alg'\nset.n = [8, 16]\nthreads = 64\nmachine = ['bsp', 'logp']\n\
                rule.processors = [2, 4]\nrule.owner = 'block,cyclic'\nrule.L = 7\n";
    std::fs::write(it.path().join("spec.toml"), spec).unwrap();
    succeeds(it.path(), "sweep spec.toml -o of-file.csv");
    assert_eq!(read("of-file.csv"), whole);
    succeeds(it.path(), "plot time whole.csv --figure h --x processors --of owner=cyclic -o h.svg");
    assert!(read("h.svg").contains("processors"));
}

#[test]
fn sweeps_refuse_what_their_machines_have_not() {
    let it = listings();
    for (words, says) in [
        ("-m pram,umm", "umm is a memory machine, and pram is none"),
        ("-m pram -w 4", "-w: "),
        ("-m pram --bulk row", "--bulk: "),
        ("-m pram --phases", "--phases: "),
        ("-m pram --rule line=4", "--rule line: no machine of this sweep has it"),
        ("--rule line=4", "--rule line: memory machines"),
        ("-m ideal-cache --rule cache=4", "--rule cache 4: "),
        ("-m mpc", "--rule space: "),
        ("-m pram,bps", "`bps` is none of"),
        ("-m bps", "ideal-cache"),
        ("-m bsp --rule L", "NAME=LIST"),
    ] {
        let message = fails(it.path(), &format!("sweep copy.alg --set n=8 {words} -o -"));
        assert!(message.contains(says), "{words}: {message}");
    }
    let message = fails(it.path(), "sweep or.alg --set n=8 -m pram --rule pram=common,crew -o -");
    assert!(message.contains("forbids step 2") && message.contains("--pram crew"), "{message}");
}

/// A listing, its work and its span in accesses as the page has them, and their values for n = 2ᵏ.
type WorkAndSpan = (&'static str, &'static str, &'static str, fn(u64, u64) -> [u64; 2]);

const OF_ALGORITHMS: [WorkAndSpan; 23] = [
    ("sum", "3(n − 1)", "3k", |n, k| [3 * (n - 1), 3 * k]),
    ("hillis_steele", "3nk + 3n + 1", "3k + 4", |n, k| [3 * n * k + 3 * n + 1, 3 * k + 4]),
    ("blelloch_scan", "7n − 6", "7k + 1", |n, k| [7 * n - 6, 7 * k + 1]),
    ("prefix_sums_parallel", "8n − 3k − 8", "8k − 3", |n, k| [8 * n - 3 * k - 8, 8 * k - 3]),
    ("segmented_scan", "6nk + 4n + 2", "6k + 6", |n, k| [6 * n * k + 4 * n + 2, 6 * k + 6]),
    ("list_ranking", "6nk + 7n", "6k + 7", |n, k| [6 * n * k + 7 * n, 6 * k + 7]),
    ("rank_sort", "n² + 2n", "n + 2", |n, _| [n * n + 2 * n, n + 2]),
    ("odd_even_transposition", "2n(n − 1)", "4n", |n, _| [2 * n * (n - 1), 4 * n]),
    ("bitonic", "nk(k + 1)", "2k(k + 1)", |n, k| [n * k * (k + 1), 2 * k * (k + 1)]),
    ("walsh_hadamard", "2nk", "4k", |n, k| [2 * n * k, 4 * k]),
    ("haar", "8(n − 1)", "6k", |n, k| [8 * (n - 1), 6 * k]),
    ("fft_stockham", "4nk + 4n", "8k + 4", |n, k| [4 * n * k + 4 * n, 8 * k + 4]),
    ("transpose", "6n²", "6", |n, _| [6 * n * n, 6]),
    ("matrix_vector", "4n² + 2n", "4n + 2", |n, _| [4 * n * n + 2 * n, 4 * n + 2]),
    ("matrix_multiply", "2n³ + n²", "2n + 1", |n, _| [2 * n.pow(3) + n * n, 2 * n + 1]),
    ("forward_substitution", "2n(n − 1)", "4(n − 1)", |n, _| [2 * n * (n - 1), 4 * (n - 1)]),
    ("lu", "(8n³ − 3n² − 5n)/6", "7(n − 1)", |n, _| {
        [(8 * n.pow(3) - 3 * n * n - 5 * n) / 6, 7 * (n - 1)]
    }),
    ("cholesky", "(4n³ + 9n² − n)/6", "9n − 7", |n, _| {
        [(4 * n.pow(3) + 9 * n * n - n) / 6, 9 * n - 7]
    }),
    ("floyd_warshall", "4n(n − 1)²", "4n", |n, _| [4 * n * (n - 1).pow(2), 4 * n]),
    ("bellman_ford", "2n³ − n", "2n² − 1", |n, _| [2 * n.pow(3) - n, 2 * n * n - 1]),
    ("matrix_chain", "(n³ + 3n² − 2n)/2", "(3n² + 3n − 4)/2", |n, _| {
        [(n.pow(3) + 3 * n * n - 2 * n) / 2, (3 * n * n + 3 * n - 4) / 2]
    }),
    ("lcs", "6n² + 2n + 2", "12n − 4", |n, _| [6 * n * n + 2 * n + 2, 12 * n - 4]),
    ("n_body", "4n² + 6n", "4n + 6", |n, _| [4 * n * n + 6 * n, 4 * n + 6]),
];

#[test]
fn algorithms_have_the_work_and_span_of_the_page() {
    let it = listings();
    let page = include_str!("../../docs/machines/work-span.md");
    for (name, work, span, _) in OF_ALGORITHMS {
        assert!(page.contains(&format!("| `{name}` | {work} | {span} |")), "{name}");
    }
    let names: Vec<&str> = OF_ALGORITHMS.iter().map(|it| it.0).collect();
    let (names, sizes) = (names.join(","), "--set n=8,16,32,64 --set k=3..6");
    let csv = succeeds(
        it.path(),
        &format!("sweep {names} {sizes} -m work-span --rule cost=accesses -o -"),
    );
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let mut seen = 0;
    for row in reader.deserialize::<Sample>().map_while(Result::ok) {
        let of_row = OF_ALGORITHMS.iter().find(|it| it.0 == row.algorithm);
        let of = |name: &str| u64::try_from(*row.set.0.get(name)?).ok();
        let (n, k) = match (of("n"), of("k")) {
            (Some(n), _) => (n, u64::from(n.ilog2())),
            (None, k) => (1 << k.unwrap(), k.unwrap()),
        };
        let figures = row.figures.as_ref().unwrap();
        let found = ["work", "span"].map(|it| figures.get(it).unwrap().parse::<u64>().unwrap());
        assert_eq!(found, of_row.unwrap().3(n, k), "{} n = {n}", row.algorithm);
        seen += 1;
    }
    assert_eq!(seen, 4 * OF_ALGORITHMS.len());
}
