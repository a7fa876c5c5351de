//! Single steps that search takes only on the way to others: what they make, and what is refused.

mod common;

use memory_machine_improve::check::{Certificate, Proof, Refusal, Speculation, Team, verify};

use self::common::{PRODUCT, proved, same, ways};

/// What a kind of step makes of a listing where it is proved, whatever is not.
fn legal(rule: &str, text: &str, n: i64) -> Vec<(String, String)> {
    let is_proved = |it: &(String, Vec<Certificate>)| it.1.iter().all(|it| verify(it).is_ok());
    same(text, ways(rule, text).into_iter().filter(is_proved), n)
}

/// A thread computes several elements, held in registers, and no guard stands where it sums.
#[test]
fn a_product_comes_to_register_tiles() {
    let nest = PRODUCT.replace("n-1 do\n  for j", "n-1 do in parallel\n  for j");
    let nest = nest.replace("  for j ← 0 to n-1 do", "  for j ← 0 to n-1 do in parallel");
    let mut all = ways("tile", &nest);
    all.retain(|it| it.0.contains("elements a thread"));
    assert_eq!(all.len(), 4);
    // A proof takes seconds; all have the same parts.
    let few = if std::env::var_os("UMM_THOROUGH").is_some() { 4 } else { 1 };
    for certificate in all.iter().take(few).flat_map(|it| &it.1) {
        assert_eq!(verify(certificate), Ok(()), "{}", certificate.after);
    }
    let own = same(&nest, all, 70);
    for (_, listing) in &own {
        let inner = listing.split("for K ←").nth(1).unwrap_or_default();
        let sum = inner.split("s[").next().unwrap_or_default();
        assert!(!sum.lines().any(|it| it.trim_start().starts_with("if ")), "{listing}");
    }
}

#[test]
fn a_column_of_a_shared_array_comes_to_lie_in_different_banks() {
    let text = include_str!("../../../docs/listings/transpose_unpadded.alg");
    let found = proved("padding", text, 64);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.contains("shared s[t, t + 1] : f32"), "{}", found[0].1);
}

/// An exclusive or does the same without a word more, and is the last step: of layouts nothing is proved.
#[test]
fn a_shared_array_comes_to_be_swizzled() {
    let text = include_str!("../../../docs/listings/transpose_unpadded.alg");
    let text = text.replace("shared s[t, t]", "shared s[32, 32]");
    let found = proved("swizzle", &text, 64);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].1.contains("shared s[32, 32] : f32 layout swizzle(5, 0, 5)"),
        "{}",
        found[0].1
    );
    assert_eq!(proved("swizzle", &found[0].1, 64), []);
    assert_eq!(proved("swizzle", &text.replace("[32, 32]", "[32, 33]"), 64), []);
    let mut changed = ways("swizzle", &text).remove(0).1.remove(0);
    changed.after = changed.after.replace("s[y, x] ←", "s[x, y] ←");
    let refusal = verify(&changed).expect_err("it is not proved").to_string();
    assert!(refusal.contains("more than the layout"), "{refusal}");
}

/// Records field by field, one array after the other; then nothing else is proved.
#[test]
fn records_come_to_lie_field_by_field() {
    let text = "algorithm fields(n)\ninput p[n, 4] : f32\noutput x[n, 2] : f32\n\n\
                for i ← 0 to n-1 do in parallel\n  x[i, 1] ← p[i, 0]\n";
    let found = proved("columns", text, 33);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].1.contains("input p[n, 4] : f32 layout column"), "{}", found[0].1);
    let both = proved("columns", &found[0].1, 33);
    assert!(both[0].1.contains("output x[n, 2] : f32 layout column"), "{both:?}");
    assert_eq!(proved("columns", &both[0].1, 33), []);
    assert_eq!(legal("reversal", &found[0].1.replace(" in parallel", ""), 33), []);
    let mut changed = ways("columns", text).remove(0).1.remove(0);
    changed.after = changed.after.replace("p[i, 0]", "p[i, 1]");
    let refusal = verify(&changed).expect_err("it is not proved").to_string();
    assert!(refusal.contains("more than the layout"), "{refusal}");
}

/// PolyBench's bicg: what sums along rows leaves what sums along columns, from the middle of a loop.
#[test]
fn a_loop_is_distributed_from_the_middle_of_the_one_inside() {
    let text = "algorithm both(n)\ninput a[n, n] : f64\ninout s[n] : f64\noutput q[n] : f64\n\n\
                for i ← 0 to n-1 do\n  q[i] ← 0\n  for j ← 0 to n-1 do\n    \
                s[j] ← s[j] + a[i, j]\n    q[i] ← q[i] + a[i, j] × s[0]\n";
    // `q` needs what `s[0]` is at each step.
    assert!(legal("distribution", text, 9).iter().all(|it| !it.0.contains(": 2 of")));
    let found = legal("distribution", &text.replace("s[0]", "a[0, j]"), 9);
    let inner = "  for j ← 0 to n - 1 do\n    q[i] ← q[i]";
    let expected = format!("for i ← 0 to n - 1 do in parallel\n{inner}");
    let own = found.iter().find(|it| it.0.contains("2 of its 3") && it.1.contains(&expected));
    assert!(own.is_some_and(|it| it.0.ends_with("the others in parallel")), "{found:?}");
}

/// What only names an index is written out, and the loop comes to run in parallel. Not if somebody else asks
/// for it, or if something that it is made of changes before it is used.
#[test]
fn a_scalar_that_names_an_index_is_written_out() {
    let text = "algorithm sums(n)\ninput a[n] : f32\ninout b[2 × n] : f32\nwork w[1] : i64\n\n\
                for s ← 0 to n-1 do\n  for i ← 0 to n-1 do\n    j ← i + s\n    \
                if a[i] > 0 then b[j] ← b[j] + a[i]\n";
    let found = legal("substitution", text, 9);
    assert!(found.iter().any(|it| it.0.ends_with("`i` in parallel")), "{found:?}");
    assert!(found.iter().all(|it| it.1.contains("b[i + s] ← b[i + s] + a[i]")), "{found:?}");
    for (old, new) in [
        // A number elsewhere may have another type.
        ("+ a[i]", "+ j"),
        ("    j ← i + s\n", "    j ← i + s\n    j ← i\n"),
        ("j ← i + s", "w[0] ← i\n    j ← i + w[0]"),
        ("j ← i + s", "j ← i32(i + s)"),
        ("then b", "then\n      w[0] ← j\n    b"),
    ] {
        assert_eq!(legal("substitution", &text.replace(old, new), 9), [], "{new}");
    }
}

#[test]
fn a_minimum_comes_to_be_written_only_where_it_changes() {
    let paths = include_str!("../../../docs/listings/paths.alg");
    for element in ["i32", "f32"] {
        let found = proved("elision", &paths.replace("i32", element), 12);
        assert_eq!(found.len(), 1, "{found:?}");
        let is_guarded = found[0].1.contains("if new ≠ old or new = 0 then");
        assert_eq!(is_guarded, element == "f32", "{}", found[0].1);
    }
}

/// Neighbours access neighbours in the transposed matrix, and many threads share a column's sum.
#[test]
fn a_transposed_matrix_times_a_vector_comes_to_teams_of_threads() {
    let text = |element: &str, index: &str| {
        format!(
            "algorithm times(n)\ninput a[n, n] : {element}\ninput x[n] : {element}\n\
             inout y[n] : {element}\n\nfor j ← 1 to n-1 do in parallel\n  s ← y[j]\n  \
             for i ← 2 to n-1 do\n    s ← s + a[i, j] × {index}\n  y[j] ← 2 × s\n"
        )
    };
    for (element, n) in [("i32", 70), ("i64", 131)] {
        let found = proved("team", &text(element, "x[i]"), n);
        assert_eq!(found.len(), 5, "{found:?}");
        assert!(found[0].1.contains("shared part[32, 32]"), "{}", found[0].1);
    }
    // What is summed may not be of an array that the loop writes.
    assert_eq!(proved("team", &text("i32", "y[j]"), 20), []);
    // Nor may a strip have more iterations than columns.
    let of_one = ways("team", &text("i32", "x[i]")).remove(0).1;
    let Proof::Team(team) = &of_one[1].proof else { panic!("{of_one:?}") };
    let fewer = Proof::Team(Team { columns: 16, ..team.clone() });
    let after = of_one[1].after.replace("part[32, 32]", "part[32, 16]");
    let changed = Certificate { after, proof: fewer, ..of_one[1].clone() };
    let refusal = verify(&changed).expect_err("it is not proved").to_string();
    assert!(refusal.contains("more iterations than columns"), "{refusal}");
}

/// Shortest paths by bands have the same bits for any function of the three cells, of floats too.
#[test]
fn shortest_paths_come_to_bands() {
    let paths = include_str!("../../../docs/listings/paths.alg");
    let parallel = paths.replace("n-1 do\n    for", "n-1 do in parallel\n    for");
    let other = paths.replace("min(d[i, j], d[i, k] + d[k, j])", "d[i, j] - d[i, k] × d[k, j]");
    for (text, n) in
        [(paths, 33), (&parallel, 70), (&other, 34), (&other.replace("i32", "f32"), 37)]
    {
        let found = proved("bands", text, n);
        assert_eq!(found.len(), 1, "{text}");
        for part in ["work row[32, n]", "register s[4, 4]"] {
            assert!(found[0].1.contains(part), "{}", found[0].1);
        }
    }
    // Without the guard a step writes its own row; another cell may have changed within the band.
    for (from, to) in [("if i ≠ k and j ≠ k then", "if i ≠ k then"), ("d[k, j]", "d[j, k]")] {
        assert_eq!(proved("bands", &paths.replace(from, to), 8), []);
    }
}

/// A sweep in place needs its upper right neighbour, so that only steeper diagonals run in parallel.
#[test]
fn a_sweep_in_place_comes_to_skewed_diagonals() {
    let text = "algorithm sweep(n)\ninout u[n, n] : f64\n\nfor i ← 1 to n-2 do\n  \
                for j ← 1 to n-2 do\n    \
                u[i, j] ← (u[i-1, j-1] + u[i-1, j+1] + u[i, j-1] + u[i, j+1] + u[i+1, j]) / 5\n";
    let found = legal("wavefront", text, 13);
    let [(what, listing)] = &found[..] else { panic!("{found:?}") };
    assert!(what.contains("d = 2 × i + j in turn, each over `i`"), "{what}");
    for part in ["for d ← 3 to 3 × n - 6 do", "if 2 × i + 1 ≤ d and d + 2 ≤ 2 × i + n then"]
    {
        assert!(listing.contains(part), "{listing}");
    }
}

/// What a dropped guard may not do: write global memory, or what somebody reads.
#[test]
fn a_guard_that_keeps_something_out_stays() {
    let text = |guards: [&str; 3]| {
        let [first, second, third] = guards;
        format!(
            "algorithm sums(n)\ninput a[n] : f32\noutput c[n] : f32\n\n\
             for I ← 0 to (n - 1) / 32 do in parallel on DMMs with 8 threads\n  \
             register s[4] : f32\n  for u ← 0 to 7 do in parallel\n    \
             for e ← 0 to 3 do\n      {first}s[e] ← 1\n  for u ← 0 to 7 do in parallel\n    \
             for e ← 0 to 3 do\n      {second}s[e] ← s[e] + 2\n  \
             for u ← 0 to 7 do in parallel\n    for e ← 0 to 3 do\n      \
             {third}c[32 × I + 8 × e + u] ← s[e]\n"
        )
    };
    let guard = "if 32 × I + 8 × e + u < n then ";
    let verdict = |before: [&str; 3], after: [&str; 3]| {
        let proof = Proof::Speculation(Speculation { depth: 0 });
        let [before, after] = [before, after].map(text);
        verify(&Certificate { rule: "tile".to_owned(), before, after, proof })
    };
    let all = [guard; 3];
    assert_eq!(verdict(all, ["", "", guard]), Ok(()));
    let message = |it: Result<(), Refusal>| it.expect_err("it is not proved").to_string();
    let found = message(verdict(all, ["", "", ""]));
    assert!(found.contains("more than to write a register"), "{found}");
    let found = message(verdict(all, [guard, "", guard]));
    assert!(found.contains("never written"), "{found}");
    // With half the elements summed twice, the guard decides what is stored.
    let half = "if 32 × I + 8 × e + u < 16 then ";
    let found = message(verdict(["", half, guard], ["", "", guard]));
    assert!(found.contains("is read"), "{found}");
    let found = message(verdict(["", "", guard], ["", half, guard]));
    assert!(found.contains("less often"), "{found}");
}

/// Each rule with a body for which it is legal and what it makes of it, and one for which it is not.
#[test]
fn loops_change_places_only_where_no_dependence_turns() {
    let text = |body: &str| {
        format!(
            "algorithm loops(n)\ninout a[n, n] : i32\ninout b[n, n] : i32\nwork w[n, n] : i32\n\n{body}"
        )
    };
    let rows = "for i ← 1 to n-1 do\n  for j ← 1 to n-1 do\n    ";
    let two = |first: &str, second: &str| {
        format!("for i ← 1 to n-2 do\n  {first}\nfor i ← 1 to n-2 do\n  {second}\n")
    };
    let one = |first: &str, second: &str| format!("for i ← 1 to n-2 do\n  {first}\n  {second}\n");
    let layout = "for i ← 0 to n-1 do\n  for j ← 0 to n-1 do\n    w[i, j] ← a[j, i]\n    \
                  b[j, i] ← w[i, j]\n";
    let cases = [
        (
            "interchange",
            format!("{rows}a[i, j] ← a[i-1, j-1] + 1\n"),
            "for j ← 1 to n - 1 do\n  for i",
            format!("{rows}a[i, j] ← a[i-1, (j+1) mod n] + 1\n"),
        ),
        (
            "reversal",
            "for i ← 1 to n-1 do\n  a[i, 0] ← b[i-1, 0]\n".to_owned(),
            "for i ← n - 1 downto 1 do",
            "for i ← 1 to n-1 do\n  a[i, 0] ← a[i-1, 0]\n".to_owned(),
        ),
        (
            "distribution",
            one("a[i, 0] ← b[i, 1]", "b[i, 0] ← a[i-1, 0]"),
            "for i ← 1 to n - 2 do\n  a[i, 0] ← b[i, 1]\nfor i",
            one("a[i, 0] ← b[i, 1]", "b[i+1, 1] ← a[i, 0]"),
        ),
        (
            "fusion",
            two("a[i, 0] ← b[i, 1]", "b[i, 0] ← a[i-1, 0]"),
            "a[i, 0] ← b[i, 1]\n  b[i, 0] ← a[i - 1, 0]",
            two("a[i, 0] ← b[i, 1]", "b[i, 0] ← a[i+1, 0]"),
        ),
        ("layout", layout.to_owned(), "w[j, i] ← a[j, i]", layout.to_owned()),
    ];
    for (rule, may, expected, may_not) in cases {
        let found = proved(rule, &text(&may), 9);
        assert!(found.iter().any(|it| it.1.contains(expected)), "{rule}: {found:?}");
        let may_not = match rule {
            "layout" => text(&may_not).replace("work w", "inout w"),
            _ => text(&may_not),
        };
        assert_eq!(legal(rule, &may_not, 9), [], "{rule}");
    }
}

/// A launch makes a diagonal of tiles, a block the diagonals of one: sides that divide nothing, and a cell
/// that a later tile would have to write first.
#[test]
fn a_dynamic_program_comes_to_diagonals_of_tiles() {
    let text = include_str!("../../../kernels/strings/edit_distance.alg");
    let found = ways("tiled wavefront", text);
    assert_eq!(found.len(), 4, "{found:?}");
    // The proofs of both sides have the same parts; from the third on other loops are parallel first.
    let few = if std::env::var_os("UMM_THOROUGH").is_some() { 1 } else { 3 };
    for certificate in found.iter().step_by(few).flat_map(|it| &it.1) {
        assert_eq!(verify(certificate), Ok(()), "{}", certificate.after);
    }
    let own = same(text, found, 70);
    assert!(own[0].1.contains("in parallel on DMMs with 32 threads"), "{}", own[0].1);
    assert!(own[3].1.contains("\nfor j ← 1 to n do in parallel\n"), "{}", own[3].1);
    let needs = text.replace("D[i, j-1] + 1", "D[i-1, j+1] + 1");
    let refused = ways("tiled wavefront", &needs).remove(0).1;
    let why = refused.iter().find_map(|it| verify(it).err()).expect("it is not proved");
    assert!(why.message.contains("needs a cell of `D` first"), "{why}");
}

/// Steps in time come to tiles that overlap, in one, two and three dimensions, with scalars and other
/// arrays; not where a cell is computed from this step, where borders have no value, or where a step is
/// not computed from the one before alone.
#[test]
fn steps_of_a_stencil_come_to_tiles_in_time() {
    let line = include_str!("../../../kernels/polybench/jacobi_1d.alg");
    let plane = include_str!("../../../kernels/grids/nine_point.alg");
    let space = include_str!("../../../kernels/polybench/heat_3d.alg");
    let all = std::env::var_os("UMM_THOROUGH").is_some();
    for (text, n) in [(line, 300), (plane, 40), (space, 11)] {
        for k in if all { &[17, 0, 1, 3, 4, 9][..] } else { &[17] } {
            let own = ["k = 2", "k = 3", "k = 4"].iter().find(|it| text.contains(**it));
            let text = text.replace(own.expect("it has a default"), &format!("k = {k}"));
            let found = proved("time tiles", &text, n);
            assert!(!found.is_empty() && found[0].1.contains("[2, "), "{found:?}");
        }
    }
    let given = "algorithm steps(n, m = 50, k = 5)\ninput c[n, m] : f32\ninout u[2, n, m] : f32\n\n\
                 for s ← 1 to k do\n  for i ← 2 to n-2 do\n    for j ← 1 to m-3 do\n      \
                 r ← u[(s-1) mod 2, i-2, j] × c[i, j] + s × i\n      \
                 u[s mod 2, i, j] ← r - u[(s-1) mod 2, i, j+2] × 0.5\n";
    assert_eq!(proved("time tiles", given, 41).len(), 3);
    let outside = given.replace("for s", "r ← c[0, 0]\nfor s");
    let changes = [
        ("u[(s-1) mod 2, i, j+2]", "u[s mod 2, i, j+2]"),
        ("u[(s-1) mod 2, i, j+2]", "u[(s-1) mod 2, i, i+2]"),
        ("inout u", "work u"),
        ("s ← 1 to k", "s ← 0 to k"),
        ("to m-3 do", "to i do"),
    ];
    let changed = changes.map(|(own, other)| given.replacen(own, other, 1));
    for it in changed.iter().chain([&outside, &outside.replace("r ← u", "r ← r + u")]) {
        assert!(*it != given && ways("time tiles", it).is_empty(), "{it}");
    }
    let mut certificate = ways("time tiles", given).remove(0).1.remove(0);
    certificate.after = certificate.after.replacen("+ 2] × 0.5", "+ 1] × 0.5", 1);
    assert!(verify(&certificate).is_err(), "{}", certificate.after);
}
