//! Listings as books and papers print them, with their arrays declared, run; and the plain form, which
//! does not change.

use std::collections::BTreeMap;

use memory_machine::algorithms::catalogue::{CATALOGUE, ON_DMMS};
use memory_machine::diagnostic::Source;
use memory_machine::language::{self, parse, plain};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, encode, number};
use memory_machine::run::{Limits, NoopObserver, execute};
use memory_machine::units::{Threads, Width};

type Arrays = BTreeMap<String, Vec<f64>>;

/// The listings by name: that of a command's session stands in a file.
fn all_printed() -> BTreeMap<&'static str, &'static str> {
    let table = include_str!("printed.txt").strip_prefix("==== ").unwrap();
    let mut all: BTreeMap<_, _> =
        table.split("\n==== ").map(|it| it.split_once('\n').unwrap()).collect();
    all.insert("jaja-sum", include_str!("../data/jaja-sum.alg"));
    all
}

fn printed(name: &str) -> String {
    all_printed()[name].trim_end().to_owned() + "\n"
}

/// Runs a text; gives what its arrays hold in the end, cells without a value as NaN.
fn run_text(text: String, set: &[(&str, i64)], given: &[(&str, &[i64])]) -> Arrays {
    let program = language::load(Source { name: "printed.alg".into(), text });
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let value = |name: &str| set.iter().find(|it| it.0 == name).map(|it| it.1);
    let layout = Layout::new(&program, value, Width::new(4).unwrap(), None).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    for (name, numbers) in given {
        let array = program.array_named(name).unwrap();
        let numbers: Vec<f64> = numbers.iter().map(|&it| it as f64).collect();
        let bits = encode(program.arrays[array.0].element, &numbers).unwrap();
        memory.fill(&layout, array, 0, &bits);
    }
    let limits = Limits::new(Threads::new(64).unwrap(), 10_000);
    execute(&program, &layout, &mut memory, limits, &mut NoopObserver)
        .unwrap_or_else(|error| panic!("{error}"));
    let arrays = program.arrays.iter().filter_map(|it| program.array_named(&it.name));
    arrays
        .map(|id| {
            let array = &program.arrays[id.0];
            let cells = memory.cells(&layout, id, 0);
            let numbers = cells.map(|it| it.map_or(f64::NAN, |it| number(array.element, it)));
            (array.name.clone(), numbers.collect())
        })
        .collect()
}

fn run(name: &str, set: &[(&str, i64)], given: &[(&str, &[i64])]) -> Arrays {
    run_text(printed(name), set, given)
}

/// Numbers below `below` that look random.
fn some(count: usize, below: i64, seed: i64) -> Vec<i64> {
    let mut state = seed;
    let step = |_| {
        state = (state * 1_103_515_245 + 12345) & 0x7fff_ffff;
        (state >> 8) % below
    };
    (0..count).map(step).collect()
}

fn floats(numbers: &[i64]) -> Vec<f64> {
    numbers.iter().map(|&it| it as f64).collect()
}

#[test]
fn sorting_as_printed() {
    let names = [
        "clrs-insertion-sort",
        "clrs-bubblesort",
        "sedgewick-insertion",
        "sedgewick-selection",
        "sedgewick-shellsort",
        "paper-odd-even-transposition",
        "paper-bitonic-sort",
    ];
    for name in names {
        for n in [1, 2, 8, 16] {
            let (size, array) = match name {
                "clrs-insertion-sort" | "clrs-bubblesort" => ("n", "A"),
                _ if name.starts_with("sedgewick") => ("N", "a"),
                _ => ("n", "a"),
            };
            let given = some(n, 20, n as i64);
            let mut sorted = given.clone();
            sorted.sort_unstable();
            let set = [(size, n as i64)];
            if n == 1 && name == "paper-odd-even-transposition" {
                continue;
            }
            assert_eq!(run(name, &set, &[(array, &given)])[array], floats(&sorted), "{name} {n}");
        }
    }
}

/// Blocks in braces, loops as in C, indices below the line.
#[test]
fn sorts_in_other_styles() {
    let listings = [
        ("horowitz-insertion-sort", "a"),
        ("akl-odd-even-transposition", "x"),
        ("sedgewick-selection-in-c", "a"),
    ];
    for (name, array) in listings {
        for n in 2..12 {
            let given = some(n, 50, n as i64);
            let mut sorted = given.clone();
            sorted.sort_unstable();
            let found = run(name, &[("n", n as i64)], &[(array, &given)]);
            assert_eq!(found[array], floats(&sorted), "{name} {n}");
        }
    }
}

#[test]
fn processors_as_printed() {
    for n in 2..40 {
        let given = some(n, 100, 7);
        let found = run("quinn-summation", &[("n", n as i64)], &[("A", &given)]);
        assert_eq!(found["A"][0], given.iter().sum::<i64>() as f64, "{n}");
        let found = run("xavier-iyengar-broadcast", &[("n", n as i64)], &[("d", &[5])]);
        assert_eq!(found["A"], vec![5.0; n], "{n}");
    }
}

#[test]
fn sums_as_printed() {
    let given = some(16, 100, 5);
    let total: i64 = given.iter().sum();
    let prefixes: Vec<i64> = given
        .iter()
        .scan(0, |sum, it| {
            *sum += it;
            Some(*sum)
        })
        .collect();
    assert_eq!(run("jaja-sum", &[("n", 16)], &[("A", &given)])["S"], [total as f64]);
    let sums = run("jaja-prefix-sums", &[("n", 16), ("k", 4)], &[("A", &given)]);
    assert_eq!(sums["C"][..16], floats(&prefixes));
    for n in [1, 7, 16] {
        let scan = run("paper-scan", &[("n", n as i64)], &[("x", &given[..n])]);
        assert_eq!(scan["x"], floats(&prefixes[..n]));
    }
}

#[test]
fn products_as_printed() {
    let n = 4;
    let [a, b] = [1, 2].map(|seed| some(n * n, 10, seed));
    let cell = |at: usize| (0..n).map(|k| a[at / n * n + k] * b[k * n + at % n]).sum::<i64>();
    let product: Vec<i64> = (0..n * n).map(cell).collect();
    let set = [("n", n as i64)];
    let given: [(&str, &[i64]); 2] = [("A", &a), ("B", &b)];
    assert_eq!(run("jaja-matrix-multiplication", &set, &given)["C"], floats(&product));
    let zeros = vec![0; n * n];
    let given: [(&str, &[i64]); 3] = [("A", &a), ("B", &b), ("C", &zeros)];
    assert_eq!(run("clrs-matrix-multiply", &set, &given)["C"], floats(&product));
}

#[test]
fn graphs_as_printed() {
    let n = 7;
    let weights: Vec<i64> = some(n * n, 50, 3)
        .iter()
        .enumerate()
        .map(|(at, it)| if at % (n + 1) == 0 { 0 } else { it + 1 })
        .collect();
    let mut shortest = weights.clone();
    for k in 0..n {
        for at in 0..n * n {
            let (i, j) = (at / n, at % n);
            shortest[at] = shortest[at].min(shortest[i * n + k] + shortest[k * n + j]);
        }
    }
    let set = [("n", n as i64)];
    assert_eq!(run("clrs-floyd-warshall", &set, &[("D", &weights)])["D"], floats(&shortest));

    let edges = some(n * n, 4, 9).iter().map(|&it| i64::from(it == 0)).collect::<Vec<_>>();
    let mut reach = edges.clone();
    for k in 0..n {
        for at in 0..n * n {
            reach[at] |= reach[at / n * n + k] & reach[k * n + at % n];
        }
    }
    let found = run("sedgewick-warshall", &[("V", n as i64)], &[("a", &edges)]);
    assert_eq!(found["a"], floats(&reach));

    // Indices are from 1 on, and so are the vertices.
    let parents = [1, 1, 2, 3, 5, 5, 6];
    let found = run("jaja-pointer-jumping", &set, &[("P", &parents)]);
    assert_eq!(found["S"], floats(&[1, 1, 1, 1, 5, 5, 5]));
}

#[test]
fn dynamic_programs_as_printed() {
    let (x, y) = (some(9, 3, 1), some(7, 3, 2));
    let mut table = vec![vec![0; 8]; 10];
    for i in 1..=9 {
        for j in 1..=7 {
            table[i][j] = if x[i - 1] == y[j - 1] {
                table[i - 1][j - 1] + 1
            } else {
                table[i - 1][j].max(table[i][j - 1])
            };
        }
    }
    let found = run("clrs-lcs-length", &[("m", 9), ("n", 7)], &[("X", &x), ("Y", &y)]);
    assert_eq!(found["c"], floats(&table.concat()));

    // The example of the book.
    let dimensions = [30, 35, 15, 5, 10, 20, 25];
    let found = run("clrs-matrix-chain-order", &[("n", 6)], &[("p", &dimensions)]);
    assert_eq!(found["m"][5], 15125.0);

    let (weights, most) = (some(6, 9, 4), 20);
    let mut sums = std::collections::BTreeSet::from([0]);
    for weight in &weights {
        sums.extend(sums.clone().iter().map(|it| it + weight).filter(|&it| it <= most));
    }
    let set = [("n", 6), ("W", most)];
    let found = run("kleinberg-tardos-subset-sum", &set, &[("w", &weights)]);
    assert_eq!(found["M"].last(), Some(&(*sums.last().unwrap() as f64)));

    // The example of the book: the intervals' values, and the last that is compatible with each.
    let (values, last) = ([2, 4, 4, 7, 2, 1], [0, 0, 1, 0, 3, 3]);
    let given: [(&str, &[i64]); 2] = [("v", &values), ("p", &last)];
    let found = run("kleinberg-tardos-weighted-intervals", &[("n", 6)], &given);
    assert_eq!(found["M"], [0.0, 2.0, 4.0, 6.0, 7.0, 8.0, 8.0]);
}

#[test]
fn knuth_as_printed() {
    let found = run("knuth-binomials", &[("n", 8)], &[]);
    assert_eq!(found["C"][8 * 9..], floats(&[1, 8, 28, 56, 70, 56, 28, 8, 1]));
    let given = some(8, 20, 6);
    let found = run("knuth-walsh-transform", &[("n", 8)], &[("x", &given)]);
    let sign = |i: usize, j: usize| if (i & j).count_ones().is_multiple_of(2) { 1 } else { -1 };
    let wanted: Vec<i64> = (0..8).map(|i| (0..8).map(|j| sign(i, j) * given[j]).sum()).collect();
    assert_eq!(found["x"], floats(&wanted));
    let found = run("knuth-horner", &[("n", 3)], &[("u", &[4, 3, 2, 1])]);
    let s: i64 = 4 + 3 * 3 + 2 * 9 + 27;
    assert_eq!(found["v"], [(s * s + 2 * s - 1) as f64]);
}

#[test]
fn every_printed_listing_is_run_and_has_a_plain_form_that_is_plain() {
    let this = include_str!("notation.rs");
    let all = all_printed();
    for &name in all.keys() {
        assert!(this.contains(&format!("\"{name}\"")), "{name} is not run");
        let text = printed(name);
        let once = plain(&text).into_owned();
        assert_ne!(once, text, "{name}");
        assert_eq!(plain(&once), once, "{name}");
        assert_eq!(parse(&once).unwrap(), parse(&text).unwrap(), "{name}");
    }
    assert!(all.len() >= 20, "{}", all.len());
}

#[test]
fn plain_listings_stay_byte_for_byte() {
    for entry in CATALOGUE.iter().chain(ON_DMMS) {
        assert_eq!(plain(entry.text), entry.text, "{}", entry.name);
    }
}

/// What sends every shipped listing through the pass, down to the last form of a loop, and changes
/// nothing that it says.
#[test]
fn semicolons_leave_every_listing_as_it_is() {
    for entry in CATALOGUE.iter().chain(ON_DMMS) {
        let ended = |line: &str| {
            let code = line.split("//").next().unwrap().trim_end();
            let first = code.split_whitespace().next().unwrap_or_default();
            let is_head = ["for", "while", "if", "function", "constant"].contains(&first);
            let is_assignment = (code.contains('←') || code.contains('↔')) && !is_head;
            if is_assignment { format!("{code};") } else { code.to_owned() }
        };
        let lines: Vec<String> = entry.text.lines().map(ended).collect();
        let text = lines.join("\n");
        assert_ne!(plain(&text), text, "{}", entry.name);
        assert_eq!(parse(&text).unwrap(), parse(entry.text).unwrap(), "{}", entry.name);
    }
}

/// Each piece of notation, and what it is in the plain form.
#[test]
fn pieces_of_notation() {
    let head = "algorithm t(n)\ninout a[n] : i64\ninout b[1..n, 1..n] : i64\n";
    let plain_head = head;
    let pairs = [
        ("a[0] = 2n;", "a[0] ← 2 × n"),
        ("a[0] ← n / 2n", "a[0] ← n / (2 × n)"),
        ("a[0] ← 2(n + 1)", "a[0] ← 2 × (n + 1)"),
        ("a[0] ← n²", "a[0] ← (n × n)"),
        ("a[0] ← a[1] ⊕ 3 {both}", "a[0] ← a[1] xor 3 // both"),
        ("b[1][n] := 1", "b[1, n] := 1"),
        ("b[i & 1, 2] ← 1;", "b[i & 1, 2] ← 1"),
        ("x = a₁", "x ← a[1]"),
        ("x₁ ← 2", "x_1 ← 2"),
        ("exchange a[0] with a[1]", "a[0] ↔ a[1]"),
        ("k ← ⌈lg n⌉;", "k ← ⌈log₂ n⌉"),
        ("repeat k := 1; j := k until j > 0", "repeat\n  k := 1\n  j := k\nuntil j > 0"),
        ("a[0] ← 2^{n-1}", "a[0] ← 2^(n-1)"),
        ("(i, j) ← (1, 2)", "i, j ← 1, 2"),
        ("i = 1; i++; i += n - 2", "i ← 1\ni ← i + 1\ni ← i + (n - 2)"),
        ("x′ ← 1; x'' ← x′", "x_prime ← 1\nx_prime_prime ← x_prime"),
        ("oﬀset ← 1; va\u{ad}lue\u{2009}=\u{a0}2", "offset ← 1\nvalue ← 2"),
        ("a[0] :=: a[1]", "a[0] ↔ a[1]"),
        ("a_0 ← a_{n-1};", "a[0] ← a[n-1]"),
        ("a_0 = a[0]", "a_0 ← a[0]"),
        (
            "if n ~= 2 { \n  a[0] = 1\n} else {\n  a[0] = 2\n}",
            "if n ≠ 2 then\n  a[0] ← 1\nelse\n  a[0] ← 2",
        ),
        ("while (n < 0) // never\n{\na[0] = 1;\n}", "while (n < 0) do // never\n  a[0] ← 1"),
        (
            "for (int i = n; i > 0; i -= 2) a[i - 1] = i;",
            "for i ← n downto 1 step 2 do a[i - 1] ← i",
        ),
        ("for (int j = 0; j + 1 < n - 1; j++) a[j + 1] = j;", "for j ← 0 to n - 3 do a[j + 1] ← j"),
        (
            "for (i = 1; i - b[1][1] <= n; i++) a[i - 1] = i;",
            "for i ← 1 to n + (b[1, 1]) do a[i - 1] ← i",
        ),
        (
            "for i = n to 1 by -2 par do a[i - 1] = i",
            "for i ← n downto 1 step 2 do in parallel a[i - 1] ← i",
        ),
        (
            "par for i = n down to 1 do a[i - 1] = i",
            "for i ← n downto 1 do in parallel a[i - 1] ← i",
        ),
        ("Step 1. a[0] ← 1\nStep 2. a[1] ← 2", "a[0] ← 1\na[1] ← 2"),
        ("for 0 < i ≤ n do a[i-1] ← 1", "for i ← 1 to n do a[i-1] ← 1"),
        ("for i = n, n − 1, …, 1 do a[i-1] ← 1", "for i ← n downto 1 do a[i-1] ← 1"),
        ("for i ∈ {0, 2, …, n} do a[i] ← 1", "for i ← 0 to n step 2 do a[i] ← 1"),
        ("for i := 1 step 2 until n do a[i-1] := 1", "for i ← 1 to n step 2 do a[i-1] := 1"),
        ("for i in range(n) do a[i] ← 1", "for i ← 0 to n - 1 do a[i] ← 1"),
        (
            "for all i, j with 0 ≤ i < n and 0 ≤ j ≤ i pardo a[i] ← j",
            "for i ← 0 to n - 1 do in parallel for j ← 0 to i do in parallel a[i] ← j",
        ),
        (
            "if n > 1\n  a[0] = 1\nelif n < 0\n  a[0] = 2",
            "if n > 1 then\n  a[0] ← 1\nelse if n < 0 then\n  a[0] ← 2",
        ),
        ("if (n > 1) { a[0] = 1; a[1] = 2; }", "if (n > 1) then\n  a[0] ← 1\n  a[1] ← 2"),
        ("IF n > 1 THEN a[0] = 1 ELSE a[0] = 2", "if n > 1 then a[0] ← 1 else a[0] ← 2"),
    ];
    for (printed, wanted) in pairs {
        let printed = format!("{head}{printed}\n");
        let found = plain(&printed);
        assert_eq!(found, format!("{plain_head}{wanted}\n"), "{printed}");
        // Those with a scalar that nobody assigns are well-formed, too.
        parse(&printed).unwrap();
    }
}

#[test]
fn messages_point_into_the_printed_text() {
    let text = "SUM(A, n)\ninput A[1..n] : i32\noutput s[1] : i32\n 9  for i = 1 to n\n10      s[0] = s[0] + A[i] mod\n";
    let source = Source { name: "printed.alg".into(), text: text.into() };
    let message = language::load(source.clone()).unwrap_err().to_string();
    assert!(message.contains("printed.alg:5:"), "{message}");
    let source = Source { text: text.replace(" mod", "; x = y[2n]"), ..source };
    let message = language::load(source).unwrap_err().to_string();
    assert!(message.contains("printed.alg:5:33") && message.contains("y[2n]"), "{message}");
}
