//! What the bank is made of: kinds of exercises, listings and machines.

/// Listings whose cost is asked for on every machine, and of which a line or a number of threads is.
pub(super) const PREDICTED: [&str; 9] = [
    "sum",
    "prefix_sums_parallel",
    "transpose",
    "matrix_multiply",
    "matrix_vector",
    "bubble_sort",
    "odd_even_transposition",
    "warshall",
    "n_body",
];

/// Machines of courses, with the texts of their parameters: small, so that a run can be followed by hand.
pub(super) const COURSES: [(&str, &[(&str, &str)]); 9] = [
    ("pram", &[("pram", "arbitrary"), ("cost", "accesses")]),
    ("work-span", &[("cost", "accesses")]),
    ("ideal-cache", &[("cache", "16"), ("line", "4")]),
    ("pem", &[("cache", "16"), ("line", "4")]),
    ("bsp", &[("processors", "4"), ("g", "2"), ("L", "20")]),
    ("logp", &[("processors", "4"), ("L", "6"), ("o", "2"), ("g", "4")]),
    ("agpu", &[("cores", "8"), ("line", "4"), ("cache", "64")]),
    ("tmm", &[("cores", "8"), ("line", "4"), ("cache", "64"), ("slots", "4"), ("L", "20")]),
    ("roofline", &[("bandwidth", "1e9"), ("f32", "4e9"), ("f64", "2e9"), ("integer", "4e9")]),
];

/// What helps on a machine of memory with address groups, and on one with banks.
pub(super) const GROUPS: &str = "A warp's access takes a stage for each address group ⌊address / w⌋; k stages take k + l − 1 time units.";
pub(super) const BANKS: &str = "A warp's access takes as many stages as one bank, address mod w, has distinct \
                                addresses; k stages take k + l − 1 time units.";

/// What helps on a machine of courses.
pub(super) const HINTS: [(&str, &str); 9] = [
    ("pram", "All p processors make a step at a time; n iterations take ⌈n/p⌉ rounds."),
    (
        "work-span",
        "Work counts all accesses, the span those of the longest chain: iterations in parallel count as the longest \
         of them.",
    ),
    ("ideal-cache", CACHES),
    ("pem", CACHES),
    (
        "bsp",
        "A superstep costs the largest work, g times the most words that a processor sends or receives, and L.",
    ),
    (
        "logp",
        "A message takes o to send, L on its way, o to receive; a processor waits g between messages.",
    ),
    ("agpu", "A warp's instruction takes a unit; blocks of global memory that it touches are I/O."),
    (
        "tmm",
        "The largest of work over cores, span, and latencies of chunks that threads cannot hide.",
    ),
    ("roofline", "Operations over the peak, or bytes over the bandwidth: the larger one."),
];

const CACHES: &str =
    "A miss moves a line of B words; a full cache gives up the line used least recently.";

/// A listing that is to become faster, or right: how it begins, and one that is as it should be.
pub(super) struct Pair {
    pub(super) name: &'static str,
    pub(super) task: &'static str,
    pub(super) begun: &'static str,
    pub(super) solved: &'static str,
}

/// A listing with arrays; what stands between head and body is that of both.
macro_rules! pair {
    ($name:literal, $task:literal, $head:literal, $begun:literal, $solved:literal) => {
        Pair {
            name: $name,
            task: $task,
            begun: concat!($head, "\n", $begun, "\n"),
            solved: concat!($head, "\n", $solved, "\n"),
        }
    };
}

/// To be made faster.
pub(super) const FASTER: [Pair; 6] = [
    pair!(
        "scale",
        "b is to be 2·a; neighbouring threads should access neighbouring words",
        "algorithm my_scale(n)\ninput a[n, n] : f32\noutput b[n, n] : f32\n",
        "for j ← 0 to n-1 do in parallel\n  for i ← 0 to n-1 do in parallel\n    b[i, j] ← 2 × a[i, j]",
        "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    b[i, j] ← 2 × a[i, j]"
    ),
    pair!(
        "transpose",
        "b is to be the transpose of a; no two words that a warp asks for should lie in one bank",
        "algorithm my_transpose(n)\ninput a[n, n] : f32\noutput b[n, n] : f32\n",
        "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    b[j, i] ← a[i, j]",
        "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    b[(i+j) mod n, j] ← a[j, (i+j) mod n]"
    ),
    pair!(
        "sum",
        "s[0] is to be the sum of a; parallel loops help, and so do few steps",
        "algorithm my_sum(n)\ninput a[n] : i64\noutput s[1] : i64\nwork t[n] : i64\n",
        "r ← 0\nfor i ← 0 to n-1 do\n  r ← r + a[i]\ns[0] ← r",
        "h ← (n+1) / 2\nfor i ← 0 to h-1 do in parallel\n  if i + h < n then\n    t[i] ← a[i] + a[i + h]\n  else\n    \
         t[i] ← a[i]\nwhile h > 1 do\n  half ← (h+1) / 2\n  for i ← 0 to h-half-1 do in parallel\n    \
         t[i] ← t[i] + t[i + half]\n  h ← half\ns[0] ← t[0]"
    ),
    pair!(
        "column_maxima",
        "m[j] is to be the largest number of column j",
        "algorithm my_maxima(n)\ninput a[n, n] : i64\noutput m[n] : i64\n",
        "for j ← 0 to n-1 do\n  r ← a[0, j]\n  for i ← 1 to n-1 do\n    r ← max(r, a[i, j])\n  m[j] ← r",
        "for j ← 0 to n-1 do in parallel\n  r ← a[0, j]\n  for i ← 1 to n-1 do\n    r ← max(r, a[i, j])\n  m[j] ← r"
    ),
    pair!(
        "neighbours",
        "b[i] is to be a[i] + a[i+1] + a[i+2]; a word that was read need not be read again",
        "algorithm my_window(n)\ninput a[n + 2] : i64\noutput b[n] : i64\nwork t[n] : i64\n",
        "for i ← 0 to n-1 do in parallel\n  t[i] ← a[i] + a[i+1]\nfor i ← 0 to n-1 do in parallel\n  b[i] ← t[i] + a[i+2]",
        "for i ← 0 to n-1 do in parallel\n  b[i] ← a[i] + a[i+1] + a[i+2]"
    ),
    pair!(
        "reversal",
        "b is to be a, backwards; one pass suffices",
        "algorithm my_reversal(n)\ninput a[n] : i64\noutput b[n] : i64\nwork t[n] : i64\n",
        "for i ← 0 to n-1 do in parallel\n  t[i] ← a[i]\nfor i ← 0 to n-1 do in parallel\n  b[i] ← t[n-1-i]",
        "for i ← 0 to n-1 do in parallel\n  b[i] ← a[n-1-i]"
    ),
];

/// To be repaired.
pub(super) const BROKEN: [Pair; 8] = [
    pair!(
        "copy",
        "b is to be a copy of a",
        "algorithm my_copy(n)\ninput a[n] : i64\noutput b[n] : i64\n",
        "for i ← 0 to n-2 do in parallel\n  b[i] ← a[i]",
        "for i ← 0 to n-1 do in parallel\n  b[i] ← a[i]"
    ),
    pair!(
        "shift",
        "a is to move by one place to the left; its last number stays",
        "algorithm my_shift(n)\ninout a[n] : i64\nwork t[n] : i64\n",
        "for i ← 0 to n-2 do in parallel\n  a[i] ← a[i+1]",
        "for i ← 0 to n-1 do in parallel\n  t[i] ← a[i]\nfor i ← 0 to n-2 do in parallel\n  a[i] ← t[i+1]"
    ),
    pair!(
        "minimum",
        "m[0] is to be the smallest number of a",
        "algorithm my_minimum(n)\ninput a[n] : i64\noutput m[1] : i64\n",
        "r ← 0\nfor i ← 0 to n-1 do\n  r ← min(r, a[i])\nm[0] ← r",
        "r ← a[0]\nfor i ← 1 to n-1 do\n  r ← min(r, a[i])\nm[0] ← r"
    ),
    pair!(
        "row_sums",
        "s[i] is to be the sum of row i",
        "algorithm my_row_sums(n)\ninput a[n, n] : i64\noutput s[n] : i64\n",
        "for i ← 0 to n-1 do in parallel\n  r ← 0\n  for j ← 0 to n-1 do\n    r ← r + a[j, i]\n  s[i] ← r",
        "for i ← 0 to n-1 do in parallel\n  r ← 0\n  for j ← 0 to n-1 do\n    r ← r + a[i, j]\n  s[i] ← r"
    ),
    pair!(
        "prefix_sums",
        "b[i] is to be a[0] + … + a[i]",
        "algorithm my_prefix_sums(n)\ninput a[n] : i64\noutput b[n] : i64\n",
        "r ← 0\nfor i ← 0 to n-1 do\n  b[i] ← r\n  r ← r + a[i]",
        "r ← 0\nfor i ← 0 to n-1 do\n  r ← r + a[i]\n  b[i] ← r"
    ),
    pair!(
        "swap",
        "a is to be transposed in its place",
        "algorithm my_swap(n)\ninout a[n, n] : i64\n",
        "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    r ← a[i, j]\n    a[i, j] ← a[j, i]\n    \
         a[j, i] ← r",
        "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    if i < j then\n      r ← a[i, j]\n      \
         a[i, j] ← a[j, i]\n      a[j, i] ← r"
    ),
    pair!(
        "dot",
        "s[0] is to be the dot product of a and b",
        "algorithm my_dot(n)\ninput a[n] : i64\ninput b[n] : i64\noutput s[1] : i64\n",
        "s[0] ← 0\nfor i ← 0 to n-1 do in parallel\n  s[0] ← s[0] + a[i] × b[i]",
        "r ← 0\nfor i ← 0 to n-1 do\n  r ← r + a[i] × b[i]\ns[0] ← r"
    ),
    pair!(
        "smoothing",
        "b[i] is to be a[i-1] + a[i] + a[i+1], where a number beyond the ends counts as 0",
        "algorithm my_smoothing(n)\ninput a[n] : i64\noutput b[n] : i64\n",
        "for i ← 0 to n-1 do in parallel\n  b[i] ← a[max(i-1, 0)] + a[i] + a[min(i+1, n-1)]",
        "for i ← 0 to n-1 do in parallel\n  r ← a[i]\n  if i > 0 then\n    r ← r + a[i-1]\n  if i < n-1 then\n    \
         r ← r + a[i+1]\n  b[i] ← r"
    ),
];

/// Listings with a race.
pub(super) const RACES: [(&str, &str); 8] = [
    (
        "shift",
        "algorithm shift(n)\ninput b[n] : i64\ninout a[n] : i64\n\nfor i ← 0 to n-2 do in parallel\n  c ← b[i]\n  \
         a[i] ← a[i+1] + c\n",
    ),
    (
        "counter",
        "algorithm count(n)\ninput a[n] : i64\ninout s[1] : i64\noutput b[n] : i64\n\nfor i ← 0 to n-1 do in parallel\n  \
         b[i] ← a[i]\n  s[0] ← s[0] + 1\n",
    ),
    (
        "neighbour",
        "algorithm neighbour(n)\ninput a[n] : i64\noutput b[n] : i64\nwork t[n] : i64\n\nfor i ← 0 to n-1 do in parallel\n  \
         t[i] ← 2 × a[i]\n  b[i] ← t[(i+1) mod n]\n",
    ),
    (
        "scan",
        "algorithm scan(n)\ninput a[n] : i64\ninout x[n] : i64\n\nfor i ← 0 to n-1 do in parallel\n  x[i] ← a[i]\n\
         d ← 1\nwhile d < n do\n  for i ← d to n-1 do in parallel\n    x[i] ← x[i] + x[i-d]\n  d ← 2 × d\n",
    ),
    (
        "swap",
        "algorithm swap(n)\ninput b[n, n] : i64\ninout a[n, n] : i64\n\nfor i ← 0 to n-1 do in parallel\n  \
         for j ← 0 to n-1 do in parallel\n    r ← b[i, j]\n    a[i, j] ← a[j, i] + r\n",
    ),
    (
        "last",
        "algorithm last(n)\ninput a[n] : i64\noutput b[n] : i64\nwork m[1] : i64\n\nfor i ← 0 to n-1 do in parallel\n  \
         m[0] ← a[i]\n  b[i] ← m[0]\n",
    ),
    (
        "diagonal",
        "algorithm diagonal(n)\ninout a[n, n] : i64\noutput b[n] : i64\n\nfor i ← 1 to n-1 do in parallel\n  \
         b[i] ← a[i, 0]\n  a[i, i] ← a[i-1, i-1] + 1\n",
    ),
    (
        "halves",
        "algorithm halves(n)\ninput b[n] : i64\ninout a[n] : i64\n\nfor i ← 0 to n/2 do in parallel\n  \
         r ← b[i]\n  a[i] ← a[i + n/2 - 1] + r\n",
    ),
];

/// Listings with a bound of their time on the UMM that can be proved, which an answer may not exceed.
pub(super) const BOUNDS: [(&str, &str); 12] = [
    ("sum", "n/w + n*l/p + l*log2(n)"),
    ("prefix_sums_parallel", "n/w + n*l/p + l*log2(n)"),
    ("prefix_sums", "n*l"),
    ("bubble_sort", "n^2*l"),
    ("odd_even_transposition", "n^2/w + n^2*l/p + n*l"),
    ("n_body", "n^2/w + n^2*l/p + n*l"),
    ("matrix_vector", "n^2 + n^2*l/p + n*l"),
    ("permute", "n + n*l/p + l"),
    ("matrix_multiply", "n^3/w + n^3*l/p + n*l"),
    ("warshall", "n^3/w + n^3*l/p + n*l"),
    ("floyd_warshall", "n^3/w + n^3*l/p + n*l"),
    ("umm_opt", "n^3/w + n^3*l/p + n*l"),
];
