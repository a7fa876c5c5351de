//! What emitted files say, and what is refused.

use memory_machine::codegen::{self, Launch, Options};
use memory_machine::run::layout::Arrangement;

use super::{all_shipped, emitted, emitted_for, listing, shipped, ways};

const PLAIN: Options =
    Options { bulk: None, launch: Launch::Plain, prefetch: 8, standalone: false };

#[test]
fn the_listing_and_its_phases_stand_in_comments() {
    for program in crate::some(all_shipped(), 3) {
        for options in ways(&program) {
            let source = emitted(&program, options).source;
            for line in program.source.text.lines().filter(|it| !it.is_empty()) {
                assert!(source.contains(&format!("//     {line}")), "{line}\n{source}");
            }
        }
    }
    let source = emitted(&shipped("umm_opt"), PLAIN).source;
    for phase in ["A", "B", "C", "D", "E", "F"] {
        assert!(source.contains(&format!("// {phase}: for i_ from ")), "{source}");
        assert!(source.contains(&format!("__global__ void umm_opt_{phase}_kernel(")), "{source}");
    }
}

#[test]
fn a_loop_that_writes_what_it_reads_reads_ahead() {
    let bulk =
        Options { bulk: Some(Arrangement::ColumnWise), prefetch: codegen::PREFETCH, ..PLAIN };
    let source = emitted(&shipped("prefix_sums"), bulk).source;
    assert!(source.contains("__shared__ float b_ahead[8][16][64];"), "{source}");
    let source = emitted(&shipped("prefix_sums"), Options { prefetch: 8, ..bulk }).source;
    assert!(source.contains("        float b_ahead[8];"), "{source}");
    let source = emitted(&shipped("prefix_sums"), Options { prefetch: 1, ..bulk }).source;
    assert!(!source.contains("_ahead["), "{source}");
}

/// Each reads, in some iteration, what one of the seven before it wrote: reading ahead would change
/// the result.
#[test]
fn what_an_iteration_before_wrote_is_not_read_ahead() {
    for body in [
        "a[i+1] ← a[i] + 1",
        "a[i+7] ← a[i] + 1",
        "a[i] ← a[i-3] + 1",
        "a[0] ← a[0] + a[i]",
        "a[i] ← a[n-1-i] + 1",
        "a[2×i] ← a[i] + 1",
        "a[i] ← a[k] + 1",
        "a[i] ← 1\n    a[i+20] ← a[i] + 1",
        "if a[i] > 0 then a[i] ← a[i+1]",
    ] {
        let text =
            format!("algorithm f(n, k)\ninout a[n] : i32\n\nfor i ← 0 to n-1 do\n    {body}\n");
        let source = emitted(&listing(&text), PLAIN).source;
        assert!(!source.contains("_ahead["), "{body}\n{source}");
    }
    for body in
        ["a[i+8] ← a[i] + 1", "a[i] ← a[i] + a[i+1]", "a[i-1] ← a[i]", "a[i+k] ← a[i+k] + 1"]
    {
        let text =
            format!("algorithm f(n, k)\ninout a[n] : i32\n\nfor i ← 0 to n-1 do\n    {body}\n");
        let source = emitted(&listing(&text), PLAIN).source;
        assert!(source.contains("_ahead["), "{body}\n{source}");
    }
}

#[test]
fn what_the_host_cannot_do_stays_on_the_device() {
    let text = "algorithm f(n)\ninout a[n] : i32\n\nwhile a[0] > 0 do\n  \
                for i ← 0 to n-1 do in parallel\n    a[i] ← a[i] - 1\n";
    let program = listing(text);
    assert_eq!(codegen::launches(&program), [Launch::Cooperative]);
    let error = codegen::emit(&program, PLAIN, &[]).unwrap_err().to_string();
    assert!(error.contains("accesses memory") && error.contains("--launch cooperative"), "{error}");
    let cooperative = Options { launch: Launch::Cooperative, ..PLAIN };
    assert!(emitted(&program, cooperative).source.contains("grid_barrier(arrived, round);"));

    let error = codegen::emit(&shipped("opt"), cooperative, &[]).unwrap_err().to_string();
    assert!(error.contains("one kernel"), "{error}");
    let bulk = Options { bulk: Some(Arrangement::RowWise), ..PLAIN };
    let error = codegen::emit(&shipped("sum"), bulk, &[]).unwrap_err().to_string();
    assert!(error.contains("executes a sequential program"), "{error}");
    for bounds in ["0 to a[0]", "0 to n-1 step a[0]"] {
        let nest = format!("for i ← {bounds} do in parallel\n");
        let text = format!("algorithm f(n)\ninout a[n] : i32\n\n{nest}  a[i] ← 1\n");
        let program = listing(&text);
        assert_eq!(codegen::launches(&program), [Launch::Cooperative]);
        let error = codegen::emit(&program, cooperative, &[]).unwrap_err().to_string();
        assert!(error.contains("bounds read an array that the loop writes"), "{error}");
    }
}

/// CUDA passes a kernel 32,764 bytes, and each kernel takes every array.
#[test]
fn more_arguments_than_a_kernel_takes_are_refused() {
    let arrays = |count: usize, nests: usize| {
        let declared: String = (0..count).map(|it| format!("output b{it}[n] : i32\n")).collect();
        let nest = "for i ← 0 to n-1 do in parallel\n  b0[i] ← i\n";
        listing(&format!("algorithm f(n)\n{declared}\n{}", nest.repeat(nests)))
    };
    // With the parameter, and room for the barrier's counter.
    assert!(codegen::emit(&arrays(4093, 1), PLAIN, &[]).is_ok());
    let error = codegen::emit(&arrays(4094, 1), PLAIN, &[]).unwrap_err().to_string();
    assert!(error.contains("1 kernels of 4095 arrays and parameters"), "{error}");
    assert!(
        error.contains("a kernel takes at most 4095") && error.contains("fewer arrays"),
        "{error}"
    );
    let error = codegen::emit(&arrays(1023, 1025), PLAIN, &[]).unwrap_err().to_string();
    assert!(error.contains("all kernels together 1048576"), "{error}");
}

#[test]
fn names_of_the_listing_end_in_an_underscore() {
    let text = "algorithm float(int, p = 2)\ninput double[int] : f32\noutput for_[int] : f32\n\n\
                for _ ← 0 to int-1 do\n  number ← double[_]\n  for_[_] ← number × p\n";
    let program = listing(text);
    let bulk = Options { bulk: Some(Arrangement::ColumnWise), ..PLAIN };
    let source = emitted(&program, bulk).source;
    for declared in [
        "float_kernel(const float *__restrict__ double_, ",
        "float *__restrict__ for__, long long int_, long long p_, long long p)",
        "long long u__u = 0;",
    ] {
        assert!(source.contains(declared), "{declared}\n{source}");
    }
}

/// No register is declared for it, but what the listing reads, so does the device.
#[test]
fn a_parameter_that_its_function_does_not_use_is_read_all_the_same() {
    let program = listing(
        "algorithm f(n)\ninout a[n] : f32\nfunction first(u, v) = 2 × u\n\n\
         for i ← 0 to n-1 do in parallel\n  a[i] ← first(a[i], a[0])\n",
    );
    let source = emitted(&program, PLAIN).source;
    assert!(source.contains("(u_ = a_[i_], ((void)(a_[0]), "), "{source}");
}

/// Where one is, what the body assigns is not known yet.
#[test]
fn four_words_are_accessed_at_once_where_all_places_are_known_before() {
    let taken = |row: &str, body: &str| {
        let text = format!(
            "algorithm f(n)\ninput a[n, n] : f32\noutput b[n, n] : f32\n\n\
             for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    \
             d ← {row}\n    {body}\n"
        );
        emitted_for(&listing(&text), PLAIN, 128).source.contains("        copy_four(")
    };
    assert!(taken("i / 2", "b[i, j] ← a[i, j] + d"));
    for (row, body) in [
        ("i / 2", "b[i, j] ← a[d, j]"),
        ("j / 2", "b[i, j] ← a[d, j]"),
        ("4", "b[i, j] ← a[i, j] + a[i, j - d]"),
        ("n-1-i", "b[d, j] ← a[i, j]"),
    ] {
        assert!(!taken(row, body), "{row}: {body}");
    }
}

/// A bound that a nest of a block reads is looked at once; one that it writes itself is refused, as for
/// nests that are kernels.
#[test]
fn bounds_from_memory_are_read_once() {
    let of = |writes: &str| {
        listing(&format!(
            "algorithm f(n, q = 4)\ninput a[n] : i32\noutput b[n] : i32\n\n\
             for k ← 0 to 0 do in parallel on DMMs with q threads\n  shared x[9] : i32\n  \
             for i ← 0 to 8 do in parallel\n    x[i] ← a[i]\n  \
             for i ← 0 to min(1, x[0]) do in parallel\n    for j ← 0 to 3 do in parallel\n      {writes}\n"
        ))
    };
    let source = emitted(&of("b[i×4 + j] ← x[8]"), PLAIN).source;
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    assert_eq!(code.filter(|line| line.contains("x_[0]")).count(), 1, "{source}");
    let error = codegen::emit(&of("x[i×4 + j + 1] ← 3"), PLAIN, &[]).unwrap_err().to_string();
    assert!(error.contains("the loop's bounds read an array that the loop writes"), "{error}");
}

/// A block's nest with this body, then one that reads what it wrote.
fn of_block(body: &str, then: &str) -> String {
    let text = format!(
        "algorithm f(n, q = 64)\ninput a[n] : f32\noutput b[n] : f32\n\n\
         for i ← 0 to n/q - 1 do in parallel on DMMs with q threads\n  \
         shared s[q] : f32\n  \
         for x ← 0 to q-1 do in parallel\n    {body}\n  {then}\n"
    );
    emitted(&listing(&text), PLAIN).source
}

#[test]
fn a_barrier_that_a_loop_needs_once_stands_before_it() {
    let sum = "r ← 0\n  for y ← 0 to q-1 do\n    r ← r + s[y]\n  b[i] ← r";
    let source = of_block("s[x] ← x", sum);
    let [barrier, inner] = ["__syncthreads();  // s is", "for (long long y_ = 0"]
        .map(|it| source.match_indices(it).map(|it| it.0).collect::<Vec<_>>());
    assert_eq!((barrier.len(), inner.len()), (1, 1), "{source}");
    assert!(barrier < inner, "{source}");
    // What the loop itself makes necessary stays in it.
    let shift = "for y ← 1 to q-1 do\n    for x ← 0 to q-1 do in parallel\n      \
                 s[x] ← s[(x + 1) mod q]\n  b[i] ← s[0]";
    let source = of_block("s[x] ← x", shift);
    assert!(
        source
            .contains("    for (long long y_ = 1; y_ <= q_ - 1; y_++) {\n        __syncthreads();"),
        "{source}"
    );
}
