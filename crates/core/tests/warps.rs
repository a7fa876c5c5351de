//! Words of warps: their values on warps of any width, and what is wrong with them.

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language::load;
use memory_machine_core::language::program::ArrayId;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::Memory;
use memory_machine_core::run::{Limits, NoopObserver, execute};
use memory_machine_core::units::{Threads, Width};

/// The result of a listing whose array `b` is of i64, on warps of this width; or what is wrong.
fn run(text: &str, n: i64, width: u64) -> Result<Vec<i64>, String> {
    let source = Source { name: "it.alg".to_owned(), text: text.to_owned() };
    let program = load(source).map_err(|it| it.to_string())?;
    let layout = Layout::new(&program, |_| Some(n), Width::at_least_one(width), None).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    let limits = Limits::new(Threads::at_least_one(8), 1000);
    execute(&program, &layout, &mut memory, limits, &mut NoopObserver)
        .map_err(|it| it.to_string())?;
    let values = memory.values(&layout, ArrayId(0), 0);
    Ok(values.into_iter().map(|it| it.unwrap().cast_signed()).collect())
}

fn listing(value: &str) -> String {
    format!(
        "algorithm b(n)\noutput b[n] : i64\n\nfor k ← 0 to 0 do in parallel on DMMs with n threads\n  \
         for i ← 0 to n-1 do in parallel\n    b[i] ← {value}\n"
    )
}

/// Six threads in warps of four: the second has two.
#[test]
fn words_give_what_the_threads_of_a_warp_have() {
    for (value, expected) in [
        ("lane()", [0, 1, 2, 3, 0, 1]),
        ("width()", [4; 6]),
        ("shuffle(i, 1)", [1, 1, 1, 1, 5, 5]),
        ("shuffle_up(i, 1)", [0, 0, 1, 2, 4, 4]),
        ("shuffle_up(i, 9)", [0, 1, 2, 3, 4, 5]),
        ("shuffle_xor(i, 1)", [1, 0, 3, 2, 5, 4]),
        ("(if any(i = 2) then 1 else 0)", [1, 1, 1, 1, 0, 0]),
        ("(if all(i > 3) then 1 else 0)", [0, 0, 0, 0, 1, 1]),
        ("i64(ballot(i mod 2 = 1))", [10, 10, 10, 10, 2, 2]),
        ("reduce_sum(i)", [6, 6, 6, 6, 9, 9]),
        ("reduce_min(i)", [0, 0, 0, 0, 4, 4]),
        ("reduce_max(i)", [3, 3, 3, 3, 5, 5]),
        ("reduce_and(i)", [0, 0, 0, 0, 4, 4]),
        ("reduce_or(i)", [3, 3, 3, 3, 5, 5]),
        ("reduce_xor(i)", [0, 0, 0, 0, 1, 1]),
    ] {
        assert_eq!(run(&listing(value), 6, 4), Ok(expected.to_vec()), "{value}");
    }
}

/// ((x₀ + x₂) + (x₁ + x₃)), in an f32 that cannot hold the sum of the other order.
#[test]
fn floats_are_reduced_by_a_tree() {
    let value =
        "i64(reduce_sum(if i = 0 then f32(2^24) else (if i = 2 then -f32(2^24) else f32(1))))";
    assert_eq!(run(&listing(value), 4, 4), Ok(vec![2; 4]));
}

#[test]
fn what_is_wrong_with_a_word_is_said() {
    for (value, why) in [
        ("shuffle_down(i, 1)", "lane 1 of a warp reads lane 2, which has no iteration"),
        ("shuffle(i, 4)", "lane 0 of a warp reads lane 4, which no warp has"),
        ("shuffle_up(i, -1)", "distances are not negative"),
        ("reduce_and(f32(i))", "expected integers of a warp, found f32"),
        ("shuffle(i)", "takes 2 arguments, not 1"),
        ("(if i > 3 then reduce_sum(i) else 0)", "not all threads of a warp need come"),
        ("(if i > 3 and any(i = 2) then 1 else 0)", "not all threads of a warp need come"),
    ] {
        let message = run(&listing(value), 6, 4).unwrap_err();
        assert!(message.contains(why), "{value}: {message}");
        assert!(message.contains("it.alg:6"), "{value}: {message}");
    }
    let misplaced = "a word of a warp outside a parallel loop of a block";
    for text in [
        listing("lane()").replace(" on DMMs with n threads", ""),
        listing("i").replace("b[n]", "b[n + width()]"),
        listing("i").replace("0 to 0", "0 to lane()"),
    ] {
        let message = run(&text, 6, 4).unwrap_err();
        assert!(message.contains(misplaced) || message.contains("in another"), "{message}");
    }
    let wide = run(&listing("i64(ballot(i > 3))"), 6, 65).unwrap_err();
    assert!(wide.contains("a ballot has 64 bits"), "{wide}");
}
