//! What books write in several ways, in the one that is read.

use crate::notation::output::Output;
use crate::notation::pattern::{Rule, replace};
use crate::notation::token::LogicalLine;

const OF_LINES: [Rule; 10] = [
    (
        "if $c : ^return|break|continue|set|swap|exchange|increment|decrement",
        "if $c then ^return|break|continue|set|swap|exchange|increment|decrement",
    ),
    (
        "else : ^return|break|continue|set|swap|exchange",
        "else ^return|break|continue|set|swap|exchange",
    ),
    ("Initialize|Initialise|initialize|initialise $a with zeros|zeroes", "initialize $a with 0"),
    ("show|display @a", "output @a"),
    ("return array|list @a", "return @a"),
    ("readln|read ( $e ) ;", "readln $e ;"),
    ("each $x : ^increment|add|set|let|swap $b .", "each $x do ^increment|add|set|let|swap $b"),
    ("@a not =", "@a ≠"),
    ("] not =", "] ≠"),
    (") not =", ") ≠"),
];

/// Which norm it is.
const OF_NORMS: [Rule; 4] = [("‖ _ { 2 }", "‖"), ("‖ _ 2", "‖"), ("‖ _2|₂", "‖"), ("‖_2|‖₂", "‖")];

const OF_VECTORS: [Rule; 5] = [
    ("‖ @a ‖", "sqrt ( ∑ _ { norm_at = 1 } ^ { length ( @a ) } @a [ norm_at ] ^ 2 )"),
    (
        "‖ @a -|− @b ‖",
        "sqrt ( ∑ _ { norm_at = 1 } ^ { length ( @a ) } ( @a [ norm_at ] - @b [ norm_at ] ) ^ 2 )",
    ),
    ("⟨ @a , @b ⟩", "( ∑ _ { dot_at = 1 } ^ { length ( @a ) } @a [ dot_at ] × @b [ dot_at ] )"),
    ("@a ^ top|⊤ @b", "( ∑ _ { dot_at = 1 } ^ { length ( @a ) } @a [ dot_at ] × @b [ dot_at ] )"),
    ("@a ^ top|⊤ × @b", "( ∑ _ { dot_at = 1 } ^ { length ( @a ) } @a [ dot_at ] × @b [ dot_at ] )"),
];

/// Puts what the patterns stand for in each line.
pub(super) fn of_lines(lines: &mut [LogicalLine], out: &mut Output) {
    of(lines, &OF_LINES, out);
}

/// Norms, and products of vectors, as sums.
pub(super) fn of_vectors(lines: &mut [LogicalLine], out: &mut Output) {
    of(lines, &OF_NORMS, out);
    of(lines, &OF_VECTORS, out);
}

fn of(lines: &mut [LogicalLine], rules: &[Rule], out: &mut Output) {
    lines.iter_mut().for_each(|it| replace(&mut it.tokens, rules, out));
}
