//! Listings that claims are made of, beside those that are shipped.

/// Listings that are not shipped.
pub(super) const OWN: &[(&str, &str)] = &[
    (
        "bitonic",
        "\
algorithm double(n)
inout a[n] : f32

s ← 1
while s < n do
  for i ← 0 to n-1 do in parallel
    a[i] ← a[i] + 1
  s ← 2 × s",
    ),
    (
        "blocked",
        "\
algorithm blocked(n, t = 8)
input a[n] : f32
output b[n] : f32

for ii ← 0 to (n-1)/t do in parallel
  for i ← ii×t to min(ii×t+t-1, n-1) do in parallel
    b[i] ← a[i]",
    ),
    (
        "colsum",
        "\
algorithm colsum(n, m)
input a[n, m] : f32
output s[m] : f32

for j ← 0 to m-1 do in parallel
  t ← 0
  for i ← 0 to n-1 do
    t ← t + a[i, j]
  s[j] ← t",
    ),
    (
        "depth40",
        "\
algorithm depth40(n)
inout a[n] : i32

for i ← 1 to min(n-1, 40) do
  a[i] ← a[i-1] + 1",
    ),
    (
        "floyd3",
        "\
algorithm cube(n)
output a[n, n, n] : f32

for i ← 0 to n-1 do in parallel
  for j ← 0 to i do in parallel
    for k ← 0 to j do in parallel
      a[i, j, k] ← 1",
    ),
    (
        "fw",
        "\
algorithm fw(n)
inout d[n, n] : f32

for k ← 0 to n-1 do
  for i ← 0 to n-1 do in parallel
    for j ← 0 to n-1 do in parallel
      d[i, j] ← min(d[i, j], d[i, k] + d[k, j])",
    ),
    (
        "jacobi",
        "\
algorithm jacobi(n, steps)
inout a[n, n] : f32
work b[n, n] : f32

for t ← 1 to steps do
  for i ← 1 to n-2 do in parallel
    for j ← 1 to n-2 do in parallel
      b[i, j] ← a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]
  for i ← 1 to n-2 do in parallel
    for j ← 1 to n-2 do in parallel
      a[i, j] ← b[i, j]",
    ),
    (
        "lcs",
        "\
algorithm lcs(n, m)
input x[n+1] : i32
input y[m+1] : i32
output c[n+1, m+1] : i32

for i ← 0 to n do
  c[i, 0] ← 0
for j ← 0 to m do
  c[0, j] ← 0
for d ← 2 to n+m do
  for i ← max(1, d-m) to min(n, d-1) do in parallel
    c[i, d-i] ← if x[i] = y[d-i] then c[i-1, d-i-1] + 1 else max(c[i-1, d-i], c[i, d-i-1])",
    ),
    (
        "parity",
        "\
algorithm parity(n)
output b[n, n] : f32

if n mod 2 = 0 then
  for i ← 0 to n-1 do in parallel
    for j ← 0 to n-1 do in parallel
      b[i, j] ← 1
else
  for i ← 0 to n-1 do in parallel
    b[0, i] ← 1",
    ),
    (
        "product",
        "\
algorithm product(n, m, k)
input a[n, m] : f32
input b[m, k] : f32
output c[n, k] : f32

for i ← 0 to n-1 do in parallel
  for j ← 0 to k-1 do in parallel
    s ← 0
    for t ← 0 to m-1 do
      s ← s + a[i, t] × b[t, j]
    c[i, j] ← s",
    ),
    (
        "until_cap",
        "\
algorithm until_cap(n)
inout a[n] : i32

k ← 0
while k × k < n × n and k < 100000 do
  a[0] ← a[0] + 1
  k ← k + 1",
    ),
    (
        "until_thousand",
        "\
algorithm until_thousand(n)
inout a[n] : i32

k ← 1
while k × k < min(n, 1000000) do
  a[0] ← a[0] + 1
  k ← k + 1",
    ),
    (
        "race",
        "\
algorithm shift(n)
inout a[n] : i32

for i ← 0 to 7 do in parallel
  for k ← 0 to 7 do
    if i = k then a[k+1] ← a[k]",
    ),
    (
        "saxpy",
        "\
algorithm saxpy(n)
input x[n] : f32
inout y[n] : f32

for i ← 0 to n-1 do in parallel
  y[i] ← y[i] + 2.0 × x[i]",
    ),
    (
        "stride",
        "\
algorithm stride(n, m)
input a[n, m] : f32
output s[n] : f32

for i ← 0 to n-1 do in parallel
  t ← 0
  for j ← 0 to m-1 do
    t ← t + a[i, j]
  s[i] ← t",
    ),
    (
        "tri",
        "\
algorithm tri(n)
input a[n, n] : f32
input x[n] : f32
output y[n] : f32

for i ← 0 to n-1 do in parallel
  t ← 0
  for j ← 0 to i do
    t ← t + a[i, j] × x[j]
  y[i] ← t",
    ),
    (
        "partners",
        "\
algorithm partners(n)
input a[n+2] : f32
output b[n] : f32

for i ← 0 to n-1 do in parallel
  b[i] ← a[i xor 1]",
    ),
    (
        "halves",
        "\
algorithm halves(n)
input a[n] : f32
output b[n] : f32

for i ← 0 to n-1 do in parallel
  b[i] ← a[i / 2]",
    ),
    (
        "turned",
        "\
algorithm turned(n)
input a[n+8] : f32
output b[n] : f32

for j ← 0 to n-1 do
  for i ← 0 to n-1 do in parallel
    b[i] ← a[(i / 4) × 4 + (i + 1) mod 4]",
    ),
    (
        "odd_even",
        "\
algorithm odd_even(n)
inout a[n] : f32

for s ← 1 to n do
  for i ← 0 to n-2 do in parallel
    if i mod 2 = s mod 2 then
      x ← a[i]
      y ← a[i+1]
      a[i] ← min(x, y)
      a[i+1] ← max(x, y)",
    ),
    (
        "threefold",
        "\
algorithm threefold(n)
inout a[n] : f32

h ← 1
while h < n do
  for i ← 0 to n-1 do in parallel
    a[i] ← a[i] + 1
  h ← 3 × h",
    ),
    (
        "thirds",
        "\
algorithm thirds(n)
inout a[n] : f32

h ← n
while h > 0 do
  for i ← 0 to h-1 do in parallel
    a[i] ← a[i] + 1
  h ← h / 3",
    ),
    (
        "gaps",
        "\
algorithm gaps(n)
inout a[n] : f32

h ← 1
while h < n do
  for i ← 0 to n-1 do in parallel
    a[i] ← a[i] + 1
  h ← 3 × h + 1",
    ),
    (
        "swapped",
        "\
algorithm swapped(n)
inout a[2×n] : f32

for i ← 0 to n-1 do in parallel
  for j ← 0 to 1 do in parallel
    a[2×i + (j xor 1)] ← 1",
    ),
];
