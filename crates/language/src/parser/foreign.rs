//! Statements of other languages: what they are called here, or what to write instead.

/// Of an algorithm, not of a procedure.
pub(super) const RETURNED: (&str, &str) = (
    "an algorithm returns nothing",
    "write results to an output array, and `return` alone below, where it is not the end; `answer …`, \
     above the statements, names the one reported",
);

/// What to say of a statement that begins with this word, which is no assignment: what is missing,
/// and the remedy.
pub(crate) fn foreign(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word.to_ascii_lowercase().as_str() {
        "go" | "goto" => (
            "there is no `go to`",
            "write the loop that it makes: `while … do`, or `repeat` … `until …`",
        ),
        "break" | "exit" | "leave" => (
            "a loop is left by `break`",
            "write `break` on a line of its own: it leaves the innermost loop",
        ),
        "continue" | "next" | "skip" | "pass" => {
            ("an iteration is not left early", "put the rest of the body under an `if`")
        }
        "return" => RETURNED,
        "repeat" | "until" | "loop" => (
            "no loop begins or ends like this",
            "write `repeat`, the indented body, and `until …` below it; or `while … do`",
        ),
        "foreach" | "forall" | "parfor" | "pardo" => (
            "loops are written with `for`",
            "write `for i ← 0 to n-1 do in parallel`, or `forall 0 ≤ i < n do`",
        ),
        "switch" | "case" | "default" => ("there is no `switch`", "write `if … then … else if …`"),
        "end" | "endfor" | "endwhile" | "endif" | "end_for" | "end_while" | "end_if" | "od"
        | "fi" | "begin" | "done" => (
            "there is no such `end` here",
            "`end for`, `end if` or `end` closes a block that is open; indentation makes blocks without",
        ),
        "barrier" | "sync" | "synchronize" | "syncthreads" | "__syncthreads" | "__syncwarp" => (
            "there is no barrier to write",
            "one stands at the beginning and the end of every parallel loop: end this loop, and begin another",
        ),
        "atomicadd" | "atomicmin" | "atomicmax" | "atomiccas" | "atomicexch" | "atomicinc"
        | "atomicsub" | "atomicand" | "atomicor" | "atomicxor" | "atomic" => (
            "there are no atomic operations",
            "give each iteration a cell of its own, and combine them in pairs, as kernels/scans/sum.alg does",
        ),
        "procedure" | "subroutine" | "def" | "fn" | "func" | "proc" | "call" => (
            "procedures stand above the statements",
            "write `procedure p(x[n], k) → s` there, and call it: `s ← p(a, 2)`",
        ),
        "shared" | "__shared__" => (
            "`shared` is declared at the head of a loop on DMMs",
            "such a loop is `for k ← 0 to b-1 do in parallel on DMMs with q threads`; elsewhere, above \
             all statements, write `work s[32] : f32`",
        ),
        "register" => (
            "`register` is declared at the head of a parallel loop, or above all statements",
            "write it there; a scalar needs no declaration",
        ),
        "local" | "global" | "private" | "array" => (
            "arrays are declared above the statements, by their role",
            "write `work s[32] : f32`; a scalar needs no declaration",
        ),
        "let" | "var" | "set" | "int" | "float" | "double" | "long" | "real" | "integer"
        | "const" | "auto" | "unsigned" => (
            "a scalar needs no declaration",
            "assign it, as in `s ← 0`: its type is that of what it is assigned",
        ),
        "print" | "printf" | "write" | "output" | "assert" => (
            "nothing is printed by a listing",
            "`--output a=FILE.csv` writes an array after the run, `answer …` reports a number",
        ),
        "swap" | "exchange" => ("there is no `swap`", "write `a[i] ↔ a[j]`"),
        _ => return None,
    })
}
