//! What pages of books and programs leave open is refused, and what is taken for what is said.

use memory_machine::diagnostic::Source;
use memory_machine::language;

use super::silence::{read, refused};

#[test]
fn what_a_page_leaves_open_is_refused() {
    let said = |text: &str, message: &str| {
        let error = refused(text);
        assert!(error.contains(message), "{text}: {error}");
    };
    said(
        "for j = 1 to n do\n  L(j) = 1 + max{L(i) : 1 ≤ i < j, a_i < a_j}\nreturn L(n)\n",
        "there may be none",
    );
    said("S1. Set i ← 1.\nS2. If i > n, go to S9.\nS3. Set i ← i + 1, go to S2.\n", "no step 9");
    said("Processors P_1, …, P_n do in parallel:\n   c[k] := a[k]\n", "have no name");
    said(
        "\\[ x_i = x_{i-1} + a_i, \\quad 1 \\le i \\le n \\]\nwith $x_{-k} = a_k$.\n",
        "in the sentence around",
    );
    said(
        "\\[ m_{i,j} = \\begin{cases} 0 & \\text{if } i = j, \\\\ m_{i,j-1} & \\text{if } i < j. \\end{cases} \\]\n",
        "which values the indices take",
    );
    // Two conditions, or one and a statement.
    said("for i = 1 to n do\n  if i = 1, j = 1\n    a[i] = 0\n", "expected `then`");
}

#[test]
fn words_that_begin_sentences_are_names_where_they_are_assigned() {
    assert!(read("first, last = 1, n\nb[first] = a[last]\n").contains("first, last ← 1, n"));
    assert!(read("for i = n to n step 2 do\n  b[i] ← 2 x_i\n").contains("step 2"));
}

#[test]
fn what_is_taken_for_what_is_said() {
    let said = |text: &str, remark: &str| {
        let source = Source { name: "paste".to_owned(), text: text.to_owned() };
        let program = language::load(source).unwrap_or_else(|error| panic!("{error}"));
        let all: Vec<&String> = program.reading.said.iter().map(|it| &it.text).collect();
        assert!(all.iter().any(|it| it.contains(remark)), "{text}: {all:?}");
    };
    said("for h = log n to 0 do\n  b[h] := a[h]\n", "from a logarithm to less");
    said("for all i ∈ {1, …, n} do\n  s ← s + a[i]\n", "in turn");
    said("for i = 1 to n do\n  b[i] ← p(i)\n", "is an array");
    said("for i = 1 to n do\n  y ← a[i]\nreturn y\n", "0 where no iteration assigns it");
    said("Q ← ∅\nENQUEUE(Q, n)\nx ← DEQUEUE(Q)\nreturn x\n", "the queue `Q`");
}

/// Julia's `break` leaves all loops of one head; of two heads the inner one.
#[test]
fn a_break_leaves_the_loops_of_its_head() {
    let of = |head: &str, ends: &str| {
        format!(
            "function f(a)\n n = length(a)\n s = 0\n {head}\n if a[j] > 20\n break\n end\n s += a[j]\n {ends}\n return s\nend\n"
        )
    };
    let both = refused(&of("for i in 1:n, j in i:n", "end"));
    assert!(both.contains("this leaves both loops of its head"), "{both}");
    assert!(read(&of("for i in 1:n\n for j in i:n", "end\n end")).contains("break"));
}

/// Elements behind the end are those of an assignment.
#[test]
fn an_element_behind_the_end_is_assigned() {
    for line in ["v(end+1);", "push!(v,"] {
        let text = format!("v = [];\nfor i = 1:7\n v(end+1) = i;\n {line}\nend\nt = length(v);\n");
        refused(&text);
    }
}

/// What a program reads is given, and no zeros.
#[test]
fn a_vector_that_is_read_is_an_input() {
    let text = "int main() {\n int n;\n cin >> n;\n vector<int> a(n);\n for (int i = 0; i < n; i++) cin >> a[i];\n \
                int s = 0;\n for (int i = 0; i < n; i++) s += a[i];\n cout << s << endl;\n}\n";
    assert!(read(text).contains("input a[n]"), "{}", read(text));
}
