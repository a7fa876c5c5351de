"""What the listings beside this file must give: python3 tests/notation/reference.py > tests/notation/cases.txt

A line a case: the listing's name, then what is set, given and expected, apart by `|`. Arrays are row by
row; a listing that counts from 1 has its first element first. `*` stands for a cell without a value.
"""

import math
import random

CASES = []


def case(name, set=None, given=None, expect=None, synchronous=False, real=None, declare=None):
    said = {"semantics": {"loops": "pram"} if synchronous else {}, "declare": declare or {}, "real": real or {}}
    CASES.append((name, said, set or {}, given or {}, expect or {}))


def numbers(count, least, most, seed):
    source = random.Random(seed)
    return [source.randint(least, most) for _ in range(count)]


A = numbers(8, 0, 99, 1)
B = numbers(8, 0, 99, 2)
SIGNED = numbers(8, -50, 50, 3)
M, N = numbers(16, 0, 9, 4), numbers(16, 0, 9, 5)


def product(a, b, n):
    return [sum(a[i * n + k] * b[k * n + j] for k in range(n)) for i in range(n) for j in range(n)]


def prefixes(a):
    return [sum(a[: i + 1]) for i in range(len(a))]


for name in ["insertion-sort-clrs", "insertion-sort-do-below", "julia-insertion"]:
    array = "a" if name.startswith("julia") else "A"
    case(name, {"n": 8}, {array: A}, {array: sorted(A)})
small = numbers(8, 0, 5, 6)
case("counting-sort", {"k": 5, "n": 8}, {"A": small}, {"B": sorted(small)})
case("matrix-multiply-subscripts", {"n": 4}, {"a": M, "b": N}, {"c": product(M, N, 4)})
case("matrix-multiply-rows", {"n": 4}, {"A": M, "B": N}, {"C": product(M, N, 4)})
case("max-min-return", {"n": 8}, {"A": A}, {"result": [max(A), min(A)]})
case("linear-search-early", {"n": 8, "v": A[4]}, {"A": A}, {"result": [A.index(A[4]) + 1]})
case("linear-search-early", {"n": 8, "v": -1}, {"A": A}, {"result": [0]})
ordered = sorted(A)
case("binary-search", {"n": 8, "key": ordered[5]}, {"A": ordered}, {"result": [5]})
case("bubble-sort-do-while", {"n": 8}, {"A": A}, {"A": ordered})
case("selection-sort-one-line", {"n": 8}, {"A": A}, {"A": ordered})
case("pram-sum-pardo", {"n": 8}, {"A": A}, {"result": [sum(A)]})
case("pram-broadcast", {"n": 8, "x": 5}, {}, {"A": [5] * 8})
doubled = [list(A)]
for d in range(3):
    last = doubled[-1]
    doubled.append([last[i] + (last[i - 2**d] if i >= 2**d else 0) for i in range(8)])
case("pram-prefix-doubling", {"n": 8}, {"x": A}, {"S": sum(doubled, [])})
case("pram-processors", {"n": 8}, {"a": A, "b": B}, {"c": [x + y for x, y in zip(A, B)]})


def ranks(next):
    d, s = [[0 if next[i] == i + 1 else 1 for i in range(8)]], [list(next)]
    for t in range(3):
        d.append([d[t][i] + d[t][s[t][i] - 1] for i in range(8)])
        s.append([s[t][s[t][i] - 1] for i in range(8)])
    return sum(d, []), sum(s, [])


chain = [2, 3, 4, 5, 6, 7, 8, 8]
case("list-ranking-steps", {"n": 8}, {"next": chain}, dict(zip("ds", ranks(chain))))


def shortest(w, n):
    d = list(w)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j])
    return d


case("floyd-warshall", {"n": 4}, {"W": numbers(16, 1, 20, 7)}, {"d": shortest(numbers(16, 1, 20, 7), 4)})


def chain_order(p, n):
    m, s = {}, {}
    for i in range(1, n + 1):
        m[i, i] = 0
    for l in range(2, n + 1):
        for i in range(1, n - l + 2):
            j = i + l - 1
            m[i, j] = float("inf")
            for k in range(i, j):
                q = m[i, k] + m[k + 1, j] + p[i - 1] * p[k] * p[j]
                if q < m[i, j]:
                    m[i, j], s[i, j] = q, k
    cells = [(i, j) for i in range(1, n + 1) for j in range(1, n + 1)]
    return [m.get(it, "*") for it in cells], [s.get(it, "*") for it in cells]


p = [30, 35, 15, 5, 10, 20, 25]
case("matrix-chain", {"n": 6}, {"p": p}, dict(zip("ms", chain_order(p, 6))))


def common(x, y):
    c = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            same = x[i - 1] == y[j - 1]
            c[i][j] = c[i - 1][j - 1] + 1 if same else max(c[i - 1][j], c[i][j - 1])
    return sum(c, [])


x, y = numbers(7, 0, 2, 8), numbers(6, 0, 2, 9)
case("lcs-length", {"m": 7, "n": 6}, {"X": x, "Y": y}, {"c": common(x, y)})
case("gcd", {"a": 84, "b": 30}, {}, {"result": [6]})
primes = [int(all(k % d for d in range(2, k))) for k in range(2, 21)]
case("sieve", {"n": 20}, {}, {"prime": ["*"] + primes})
case("horner", {"n": 3, "x": 2}, {"a": [5, 1, 0, 3]}, {"result": [5 + 2 + 24]})
case("tabs", {"n": 8}, {"a": SIGNED}, {"result": [sum(it for it in SIGNED if it > 0)]})
case("greek", {"n": 8, "mu": 3}, {"x": A}, {"result": [sum((it - 3) ** 2 for it in A)]})
case("for-colon-range", {"n": 8}, {"v": A}, {"result": [sum(A)]})
case("for-each", {"n": 8}, {"A": A}, {"result": [sum(A)]})
counts = [0] * 8
for step in [1, 2, 4]:
    for i in range(8 - step):
        counts[i] += 1
case("doubling-list", {"n": 8}, {"c": [0] * 8}, {"c": counts[:7] + [0]})
case("let-pairs", {"n": 10}, {}, {"result": [55]})
case("numbered-steps", {"n": 8}, {"a": A, "b": B}, {"result": [sum(x * y for x, y in zip(A, B))]})
case("power-stars", {"n": 8}, {"x": A}, {"y": [2**i + A[i] for i in range(8)]})
case("div-mod", {"n": 8}, {"x": SIGNED}, {"q": [it // 3 for it in SIGNED], "r": [it % 3 for it in SIGNED]})
case("abs-bars", {"n": 8}, {"x": A, "y": B}, {"result": [max(abs(x - y) for x, y in zip(A, B))]})
case("ternary", {"n": 8}, {"x": SIGNED}, {"y": [max(it, 0) for it in SIGNED]})
case("merge-sort-two", {"p": 1, "r": 8}, {"A": A}, {"A": ordered})


def gauss(a, n):
    a, l = list(a), ["*"] * (n * n)
    for k in range(n - 1):
        for i in range(k + 1, n):
            l[i * n + k] = a[i * n + k] / a[k * n + k]
            for j in range(k + 1, n):
                a[i * n + j] -= l[i * n + k] * a[k * n + j]
    return a


matrix = [4, 2, 8, 2, 9, 4, 8, 4, 21]
case("gauss", {"n": 3}, {"A": matrix}, {"A": gauss(matrix, 3)})
case("prefix-input-lower", {"n": 8}, {"x": A}, {"s": prefixes(A)})
case("odd-even", {"n": 8}, {"a": A}, {"a": ordered})
case("transpose-par", {"n": 4}, {"A": M}, {"B": [M[j * 4 + i] for i in range(4) for j in range(4)]})


def knapsack(w, v, most):
    best = [0] * (most + 1)
    for weight, value in zip(w, v):
        for c in range(most, weight - 1, -1):
            best[c] = max(best[c], best[c - weight] + value)
    return best[most]


w, v = [2, 3, 4, 5], [3, 4, 5, 6]
case("knapsack", {"n": 4, "W": 9}, {"w": w, "v": v}, {"result": [knapsack(w, v, 9)]})
edges = {"from": [1, 1, 2, 3, 4], "to": [2, 3, 4, 4, 5], "w": [4, 1, 1, 5, 2]}
case("bellman-ford", {"n": 5, "m": 5}, {"from": edges["from"], "to_": edges["to"], "w": edges["w"]}, {"dist": [0, 4, 1, 5, 7]})

case("c-saxpy", {"n": 8, "a": 3}, {"x": A, "y": B}, {"y": [3 * x + y for x, y in zip(A, B)]})
case("c-omp-sum", {"n": 8}, {"a": A}, {"result": [sum(A)]})
case("c-omp-sum", {"n": 7}, {"a": A[:7]}, {"result": [sum(A[:7])]})
case("c-matmul-2d", {}, {"A": M, "B": N}, {"C": product(M, N, 4)})
case("c-xor", {"n": 8}, {"a": A}, {"b": [it ^ (it >> 1) for it in A]})
cut = lambda a, b: int(a / b)
case("c-division", {"n": 8}, {"a": SIGNED}, {"q": [cut(it, 2) for it in SIGNED], "r": [it - 3 * cut(it, 3) for it in SIGNED]})
holes = [3, 0, 5, 0, 0, 7, 1, 0]
case("c-bound-changes", {"n": 8}, {"a": holes}, {"result": [4]})
case("c-bitonic", {"n": 8}, {"a": A}, {"a": ordered})
case("c-reverse-two", {"n": 7}, {"a": A[:7]}, {"a": A[6::-1]})
case("c-do-while", {"x": 90210}, {}, {"result": [5]})
bytes_ = numbers(8, 0, 255, 10)
case("c-histogram", {"n": 8}, {"in_": bytes_}, {"hist": [bytes_.count(b) for b in range(256)]})
blurred = [0.25 * A[max(i - 1, 0)] + 0.5 * A[i] + 0.25 * A[min(i + 1, 7)] for i in range(8)]
case("c-stencil-ternary", {"n": 8}, {"in_": A}, {"out": blurred})
h = 2166136261
for byte in bytes_:
    h = ((h ^ byte) * 16777619) & 0xFFFFFFFF
case("c-hash", {"n": 8}, {"s": bytes_}, {"result": [h]})
case("c-acc", {"n": 8}, {"a": A, "b": B}, {"c": [x + y for x, y in zip(A, B)]})
case("java-selection", {"n": 8}, {"a": A}, {"a": ordered})

case("py-sieve", {"n": 20}, {}, {"prime": [0, 0] + primes})
case("py-binary-search", {"n": 8, "x": ordered[5]}, {"a": ordered}, {"result": [5]})
case("py-matmul", {"n": 4}, {"A": M, "B": N}, {"C": product(M, N, 4)})
case("py-mean", {"n": 8}, {"xs": A}, {"result": [sum(A) / 8]})
case("py-reversed", {"n": 8}, {"a": A}, {"s": [sum(A[i:]) for i in range(9)]})
case("py-knapsack", {"n": 4, "cap": 9}, {"w": w, "v": v}, {"result": [knapsack(w, v, 9)]})
case("py-bubble", {"n": 8}, {"a": A}, {"a": ordered})
case("py-prange", {"n": 8}, {"a": A, "b": B}, {"c": [x + y**2 for x, y in zip(A, B)]})
count, x = 0, 27
while x != 1:
    x, count = (x // 2 if x % 2 == 0 else 3 * x + 1), count + 1
case("py-collatz", {"x": 27}, {}, {"result": [count]})
case("matlab-cumsum", {"n": 8}, {"x": A}, {"s": prefixes(A)})
case("matlab-script", {"n": 4}, {"A": M}, {"D": [0 if i == j else M[i * 4 + j] + M[j * 4 + i] for i in range(4) for j in range(4)]})
case("fortran-daxpy", {"n": 8, "a": 3}, {"x": A, "y": B}, {"y": [3 * x + y for x, y in zip(A, B)]})
u = numbers(16, 0, 9, 11)
inner = ["*" if i in (0, 3) or j in (0, 3) else 0.25 * (u[i * 4 - 4 + j] + u[i * 4 + 4 + j] + u[i * 4 + j - 1] + u[i * 4 + j + 1]) for i in range(3) for j in range(3)]
case("fortran-jacobi", {"n": 4}, {"u": u}, {"unew": inner})
case("julia-threads", {"n": 8}, {"x": A}, {"y": [2 * it for it in A]})
case("markdown-fence", {"n": 8}, {"x": A}, {"result": [sum(it * it for it in A)]})

KINDS = ["algpseudocode", "algorithmic", "algorithm2e", "clrscode", "listings"]
for kind in KINDS:
    case(f"latex-{kind}-insertion", {"n": 8}, {"A": A}, {"A": ordered})
    case(f"latex-{kind}-product", {"n": 4}, {"a": M, "b": N}, {"c": product(M, N, 4)})
    case(f"latex-{kind}-scan", {"n": 8}, {"x": A}, {"s": sum(doubled, [])})
    case(f"latex-{kind}-largest", {"n": 8}, {"A": A}, {"result": [max(A)]})
    case(f"latex-{kind}-euclid", {"a": 84, "b": 30}, {}, {"result": [6]})
    case(f"latex-{kind}-floyd", {"n": 4}, {"W": numbers(16, 1, 20, 7)}, {"D": shortest(numbers(16, 1, 20, 7), 4)})
    case(f"latex-{kind}-horner", {"n": 3, "x": 2}, {"a": [5, 1, 0, 3]}, {"result": [31]})
    case(f"latex-{kind}-search", {"n": 8, "v": ordered[5]}, {"A": ordered}, {"result": [6]})
case("latex-macros", {"n": 8}, {"x": A}, {"result": [sum(A)]})

# As others print them: Wikipedia, CLRS, JáJá's course, GPU Gems, Kirk and Hwu, K&R, MATLAB, Fortran, Julia.
# `?` stands for a cell that is not compared.
from math import sqrt  # noqa: E402

S = SIGNED


def reals(count, least, most, seed):
    source = random.Random(seed)
    return [round(source.uniform(least, most) * 1024) / 1024 for _ in range(count)]


case("wiki-heapsort", {"count": 8}, {"a": A}, {"a": sorted(A)})
case("wiki-combsort", {"n": 8}, {"input_": A}, {"input_": sorted(A)})
case("wiki-selection-c", {"aLength": 8}, {"a": A}, {"a": sorted(A)})
case("wiki-insertion", {"n": 8}, {"A": A}, {"A": sorted(A)})
case("wiki-shellsort", {"n": 8}, {"a": A}, {"a": sorted(A)})
best = cur = -1e9; cur = 0
for x in S: cur = max(x, cur + x); best = max(best, cur)
case("wiki-kadane", {"n": 8}, {"numbers": S}, {"result": [best]})
def lev(s, t):
    d = [[0]*(len(t)+1) for _ in range(len(s)+1)]
    for i in range(len(s)+1): d[i][0] = i
    for j in range(len(t)+1): d[0][j] = j
    for i in range(1, len(s)+1):
        for j in range(1, len(t)+1):
            d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+(s[i-1] != t[j-1]))
    return d[-1][-1]
s, t = numbers(8, 0, 2, 8), numbers(6, 0, 2, 9)
case("wiki-levenshtein", {"m": 8, "n": 6}, {"s": s, "t": t}, {"result": [lev(s, t)]})
X = 6; ta = reals(6, -1, 1, 1); tb = reals(6, 3, 5, 2); tc = reals(6, -1, 1, 3); td = reals(6, -9, 9, 4)
x, sc = td[:], [0]*6; sc[0] = tc[0]/tb[0]; x[0] /= tb[0]
for i in range(1, 6):
    if i < 5: sc[i] = tc[i]/(tb[i]-ta[i]*sc[i-1])
    x[i] = (x[i]-ta[i]*x[i-1])/(tb[i]-ta[i]*sc[i-1])
for i in range(4, -1, -1): x[i] -= sc[i]*x[i+1]
case("wiki-thomas-c", {"X": 6}, {"x": td, "a": ta, "b": tb, "c": tc}, {"x": x})
case("wiki-bitonic", {"n": 8}, {"arr": A}, {"arr": sorted(A)})
case("wiki-odd-even-merge", {"n": 8}, {"a": A}, {"a": sorted(A)})
case("wiki-hillis-steele", {"n": 8}, {"x": A + [0]*24}, {"x": ["?"]*24 + prefixes(A)})
up = A[:]
for d in range(3):
    for k in range(0, 8, 2**(d+1)): up[k+2**(d+1)-1] += up[k+2**d-1]
case("gems-upsweep", {"n": 8}, {"x": A}, {"x": up})
case("gems-downsweep", {"n": 8}, {"x": up}, {"x": [0]+prefixes(A)[:-1]})
case("jaja-sum", {"n": 8}, {"A": A}, {"result": [sum(A)]})
case("jaja-prefix", {"n": 8}, {"A": A}, {"C": ["?"]+prefixes(A)+["?"]*36})
case("pram-max", {"n": 8}, {"A": A}, {"result": [max(A)]})
case("pram-broadcast-of-all", {"n": 8, "x": 7}, {}, {"B": [7]*8})
case("pram-rank-sort", {"n": 8}, {"A": A}, {"B": sorted(A)})
case("clrs-merge", {"p": 1, "q": 4, "r": 8}, {"A": sorted(A[:4])+sorted(A[4:])}, {"A": sorted(A)})
def part(a):
    a = a[:]; x = a[-1]; i = -1
    for j in range(len(a)-1):
        if a[j] <= x: i += 1; a[i], a[j] = a[j], a[i]
    a[i+1], a[-1] = a[-1], a[i+1]; return a, i+2
case("clrs-partition", {"p": 1, "r": 8}, {"A": A}, {"A": part(A)[0], "result": [part(A)[1]]})
dims = numbers(7, 1, 20, 5); nn = 6
m = [[0]*(nn+1) for _ in range(nn+1)]
for l in range(2, nn+1):
    for i in range(1, nn-l+2):
        j = i+l-1; m[i][j] = min(m[i][k]+m[k+1][j]+dims[i-1]*dims[k]*dims[j] for k in range(i, j))
case("clrs-matrix-chain", {"p_length": 7}, {"p": dims}, {"m": [m[i][j] if i <= j else "?" for i in range(1, 7) for j in range(1, 7)]})
price = [1, 5, 8, 9, 10, 17, 17, 20]; r = [0]*9
for j in range(1, 9): r[j] = max(price[i-1]+r[j-i] for i in range(1, j+1))
case("clrs-cut-rod", {"n": 8}, {"p": price}, {"r": r})
pat = [0,1,0,1,0,2,0,1]
pi_ = [0]*8; k = 0
for q in range(1, 8):
    while k > 0 and pat[k] != pat[q]: k = pi_[k-1]
    if pat[k] == pat[q]: k += 1
    pi_[q] = k
case("clrs-prefix-function", {"m": 8}, {"P": pat}, {"pi_": pi_})
a4 = [[10,2,3,4],[1,9,2,3],[2,1,8,1],[1,2,3,12]]
a = [r_[:] for r_ in a4]; L = [[float(i == j) for j in range(4)] for i in range(4)]; U = [[0.0]*4 for _ in range(4)]
for k in range(4):
    U[k][k] = a[k][k]
    for i in range(k+1, 4): L[i][k] = a[i][k]/U[k][k]; U[k][i] = a[k][i]
    for i in range(k+1, 4):
        for j in range(k+1, 4): a[i][j] -= L[i][k]*U[k][j]
case("clrs-lu", {"n": 4}, {"A": sum(a4, [])}, {"L": sum(L, []), "U": sum(U, [])})
case("clrs-matrix-multiply", {"n": 4}, {"A": M, "B": N}, {"C": product(M, N, 4)})
def lcs(s, t):
    d = [[0]*(len(t)+1) for _ in range(len(s)+1)]
    for i in range(len(s)):
        for j in range(len(t)): d[i+1][j+1] = d[i][j]+1 if s[i] == t[j] else max(d[i][j+1], d[i+1][j])
    return d
case("clrs-lcs", {"m": 8, "n": 6}, {"X": s, "Y": t}, {"c": sum(lcs(s, t), [])})
hp = [5]+[90, 80, 70, 60, 50, 40, 30]; hh = [0]+hp[:]
i = 1
while True:
    l = i
    for c in (2*i, 2*i+1):
        if c <= 8 and hh[c] > hh[l]: l = c
    if l == i: break
    hh[i], hh[l] = hh[l], hh[i]; i = l
case("clrs-heapify", {"n": 8, "i": 1}, {"A": hp}, {"A": hh[1:]})
case("hwu-matmul-c", {"Width": 4}, {"M": M, "N": N}, {"P": product(M, N, 4)})
mask = [3, 4, 5, 4, 3]
case("hwu-conv-c", {"Mask_Width": 5, "Width": 8}, {"N": A, "M": mask}, {"P": [sum(mask[j]*A[i-2+j] for j in range(5) if 0 <= i-2+j < 8) for i in range(8)]})
rp = [0, 2, 3, 5, 8]; ci = [0, 3, 1, 0, 2, 1, 2, 3]; y0 = [1, 2, 3, 4]
case("hwu-spmv-c", {"num_rows": 4, "data_length": 8, "col_index_length": 8, "x_length": 4}, {"row_ptr": rp, "col_index": ci, "data": A, "x": [2,3,5,7], "y": y0}, {"y": [y0[r_]+sum(A[e]*[2,3,5,7][ci[e]] for e in range(rp[r_], rp[r_+1])) for r_ in range(4)]})
case("hwu-scan-c", {"Max_i": 8}, {"x": A}, {"y": prefixes(A)})
case("omp-pi", {}, {}, {"result": [sum(4/(1+((i+.5)/1000)**2) for i in range(1000))/1000]})
g = reals(36, 0, 9, 7); u = [g[i*6:i*6+6] for i in range(6)]
for _ in range(3):
    v = [r_[:] for r_ in u]
    for i in range(1, 5):
        for j in range(1, 5): v[i][j] = .25*(u[i-1][j]+u[i+1][j]+u[i][j-1]+u[i][j+1])
    u = v
case("omp-jacobi", {"iters": 3}, {"u": g}, {"u": sum(u, [])})
h = numbers(8, 0, 3, 3)
case("omp-histogram", {"n": 8}, {"data": h, "hist": [0]*4}, {"hist": [h.count(k) for k in range(4)]})
case("knr-shellsort", {"n": 8}, {"v": A}, {"v": sorted(A)})
case("knr-binsearch", {"n": 8, "x": sorted(A)[5]}, {"v": sorted(A)}, {"result": [5]})
case("knr-bitcount", {"x": 237}, {}, {"result": [bin(237).count("1")]})
b4 = [1.0, 2, 3, 4]; xs = [0.0]*4
for _ in range(5):
    for i in range(4): xs[i] = (b4[i]-sum(a4[i][j]*xs[j] for j in range(4) if j != i))/a4[i][i]
case("matlab-gauss-seidel", {"n": 4, "maxit": 5}, {"A": sum(a4, []), "b": b4, "x": [0]*4}, {"x": xs})
case("matlab-cumsum-of-all", {"n": 8}, {"x": A}, {"y": prefixes(A)})
uu = [2,1,3,4, 0,4,1,2, 0,0,5,1, 0,0,0,8]; bx = [1,2,3,4]; x = [0]*4
for i in range(3, -1, -1): x[i] = (bx[i]-sum(uu[i*4+j]*x[j] for j in range(i+1, 4)))/uu[i*4+i]
case("matlab-backsub", {"n": 4}, {"U": uu, "b": bx}, {"x": x})
u = reals(8, 0, 5, 2); u0 = u[:]; r = 2*1/2**2
for _ in range(3): u = [u[0]]+[u[i]+r*(u[i+1]-2*u[i]+u[i-1]) for i in range(1, 7)]+[u[7]]
case("matlab-heat", {"alpha": 2, "dt": 1, "dx": 2, "nt": 3, "nx": 8, "n": 8}, {"u": u0}, {"u": u})
case("fortran77-matmul", {"N": 4}, {"A": M, "B": N}, {"C": product(M, N, 4)})
case("fortran90-saxpy", {"n": 8, "a": 3}, {"x": A, "y": B}, {"y": [3*x+y for x, y in zip(A, B)]})
case("fortran90-bubble", {"n": 8}, {"a": A}, {"a": sorted(A)})
case("julia-sum", {"n": 8}, {"a": A}, {"result": [sum(A)]})
case("julia-sieve", {"n": 20}, {}, {"isprime": [int(i > 1 and all(i % d for d in range(2, i))) for i in range(1, 21)]})
case("python-bubble", {"n": 8}, {"arr": A}, {"arr": sorted(A)})
case("python-lcs", {"m": 8, "n": 6}, {"X": s, "Y": t}, {"result": [lcs(s, t)[-1][-1]]})
case("latex-algorithmic-bubble", {"n": 8}, {"A": A}, {"A": sorted(A)})
case("latex-algpseudocode-power", {"n": 5, "x": 3}, {}, {"result": [243]})
case("latex-algorithm2e-pram", {"n": 8}, {"A": A}, {"A": prefixes(A)})
case("latex-clrscode3e-insertion", {"n": 8}, {"A": A}, {"A": sorted(A)})
R = [1]*8; Q = [2,3,4,5,6,7,8,0]
SA = sorted(A)
case("wiki-binary-search", {"n": 8, "T": SA[3], "unsuccessful": -1}, {"A": SA}, {"result": [3]})
case("wiki-euclid", {"a": 84, "b": 36}, {}, {"result": [12]})
cs = numbers(8, 0, 5, 6)
case("wiki-gnome", {"n": 8}, {"a": A}, {"a": sorted(A)})
cf_ = [3, 0, 2, 5]; case("wiki-conjugate-horner", {"n": 3, "x": 2}, {"a": cf_}, {"result": [3+0*2+2*4+5*8]})
inf = 1e9
W = [0,4,9,1, 4,0,2,9, 9,2,0,7, 1,9,7,0]
D = [[W[i*4+j] for j in range(4)] for i in range(4)]
for k in range(4):
    for i in range(4):
        for j in range(4): D[i][j] = min(D[i][j], D[i][k]+D[k][j])
case("clrs-insertion-4th", {"n": 8}, {"A": A}, {"A": sorted(A)})
def cross(a, lo, mid, hi):
    l = max((sum(a[i:mid+1]), -0, i) for i in range(lo, mid+1)); r = max((sum(a[mid+1:j+1]), j) for j in range(mid+1, hi+1))
    return [l[2]+1, r[1]+1, l[0]+r[0]]
T = [0,1,0,0,1,0,1,0]; P = [0,1,0]
case("clrs-naive-matcher", {"n": 8, "m": 3}, {"T": T, "P": P}, {"found": [int(T[s:s+3] == P) for s in range(6)]})
case("clrs-p-matrix-multiply", {"n": 4}, {"A": M, "B": N}, {"C": product(M, N, 4)})
G=[0,1,0,0, 0,0,1,0, 0,0,0,0, 1,0,0,0]
C=[int(G[i*4+j] or i==j) for i in range(4) for j in range(4)]
for k in range(4):
    for i in range(4):
        for j in range(4): C[i*4+j] |= C[i*4+k] & C[k*4+j]
case("clrs-warshall", {"n": 4}, {"A": G}, {"T": C})
R1, R2 = sorted(numbers(8, 0, 99, 11)), sorted(numbers(8, 0, 99, 12))
case("jaja-merge-rank", {"n": 8}, {"A": R1, "B": R2}, {"R": [sum(b < a for b in R2) for a in R1]})
case("pram-odd-even-transposition", {"n": 8}, {"a": A}, {"a": sorted(A)})
case("pram-matvec", {"n": 4}, {"A": M, "x": A[:4]}, {"y": [sum(M[i*4+j]*A[j] for j in range(4)) for i in range(4)]})
xx, mm = reals(6, 0, 5, 1), reals(6, 0, 2, 2)
def acc(i):
    s = 0
    for j in range(6):
        dx = xx[j]-xx[i]; inv = 1/sqrt(dx*dx+.01); s += mm[j]*dx*inv**3
    return s
case("gems-nbody-cpu", {"N": 6}, {"x": xx, "m": mm}, {"acc": [acc(i) for i in range(6)]})
ps = A[:]; st = 4
while st >= 1:
    for t in range(st): ps[t] += ps[t+st]
    st >>= 1
case("hwu-reduction-c", {"n": 8}, {"partialSum": A}, {"partialSum": ps})
da, db = reals(8, 0, 5, 1), reals(8, 0, 2, 2)
case("omp-dot", {"n": 8}, {"a": da, "b": db}, {"result": [sum(x*y for x, y in zip(da, db))]})
case("c-sieve", {}, {}, {"prime": ["?", "?"]+[int(all(i % d for d in range(2, i))) for i in range(2, 31)]})
case("c-transpose", {"n": 4}, {"A": M}, {"B": [M[j*4+i] for i in range(4) for j in range(4)]})
a4 = [[10,2,3,4],[1,9,2,3],[2,1,8,1],[1,2,3,12]]
U = [r[:] for r in a4]; L = [[float(i == j) for j in range(4)] for i in range(4)]
for k in range(3):
    for i in range(k+1, 4):
        L[i][k] = U[i][k]/U[k][k]
        for j in range(k, 4): U[i][j] -= L[i][k]*U[k][j]
case("matlab-lu", {"n": 4, "m": 4}, {"A": sum(a4, [])}, {"L": sum(L, []), "U": sum(U, [])})
h = .02; case("fortran-trapezoid", {}, {}, {"result": [h*(2+sum((i*h)**2 for i in range(1, 100)))]})
case("julia-fib", {"n": 10}, {}, {"result": [55]})
case("julia-matvec", {"m": 4, "n": 4}, {"A": M, "x": A[:4]}, {"y": [sum(M[i*4+j]*A[j] for j in range(4)) for i in range(4)]})
case("python-sieve", {"n": 20}, {}, {"sieve": [int(i > 1 and all(i % d for d in range(2, i))) for i in range(21)]})
px, pc = numbers(8, 0, 99, 1), [10, 50, 90]
case("latex-algorithm2e-kmeans1d", {"n": 8, "k": 3}, {"x": px, "c": pc}, {"l": [min(range(3), key=lambda j: (abs(v-pc[j]), j))+1 for v in px]})
case("latex-algpseudocode-scan-of-all", {"n": 8}, {"a": A}, {"a": prefixes(A)})


# On a synchronous PRAM.
case("synchronous-in-place-scan", {"n": 8}, {"x": A}, {"x": [sum(A[:i+1]) for i in range(8)]}, synchronous=True)
a = A[:]
for h in (1, 2, 3): o = a[:]; a[:8 >> h] = [min(o[2*i], o[2*i+1]) for i in range(8 >> h)]
case("synchronous-tree-min", {"n": 8}, {"A": A}, {"A": a}, synchronous=True)
P = [1, 1, 2, 3, 4, 6, 6, 7]; root = lambda i: i if P[i-1] == i else root(P[i-1])
case("synchronous-pointer-jumping", {"n": 8}, {"P": P}, {"S": [root(i) for i in range(1, 9)]}, synchronous=True)
Q = [2,3,4,5,6,7,8,0]
case("synchronous-list-ranking", {"n": 8}, {"S": Q}, {"R": [7-i for i in range(8)]}, synchronous=True)
a, b = A[:], B[:]; oa, ob = a[:], b[:]
for i in range(1, 7): b[i] = oa[i-1] + ob[i-1]
for i in range(1, 7): a[i] = b[i+1]
case("synchronous-two-rounds", {"n": 8}, {"a": A, "b": B}, {"a": a[:7] + A[7:], "b": b}, synchronous=True)
a = A[:]; t = [a[7-i] for i in range(4)]; o = a[:]
for i in range(4): a[7-i] = o[i]
o = a[:]
for i in range(4): a[i] = t[i] + o[6-i]
case("synchronous-kept-scalar", {"n": 8}, {"a": A}, {"a": a}, synchronous=True)
case("synchronous-transpose", {"n": 4}, {"M": M}, {"M": [M[j*4+i] for i in range(4) for j in range(4)]}, synchronous=True)
o = A; case("synchronous-branches", {"n": 8}, {"a": A}, {"a": [(o[i-1] if i > 0 else o[i]) if o[i] > 50 else (o[i+1]+1 if i < 7 else o[i]) for i in range(8)]}, synchronous=True)
a = A[:]
for t in range(7): o = a[:]; a = [max(o[i], o[i-1]) if i else o[i] for i in range(8)]
case("synchronous-uniform-loop", {"n": 8}, {"a": A}, {"a": a}, synchronous=True)
case("synchronous-swap", {"n": 8}, {"a": A, "b": B}, {"a": [A[0]]+B[:7], "b": A[1:] + B[7:]}, synchronous=True)
case("synchronous-own", {"n": 8}, {"a": A}, {"b": [(x+1)*2 for x in A]}, synchronous=True)
prefix = [0]
for x in A: prefix.append(prefix[-1] + x)
case("latex-align-prefix", {"n": 8}, {"a": A}, {"s": prefix})
case("latex-align-affine", {"n": 8}, {"a": A}, {"b": [2 * x + 1 for x in A]})
case("latex-align-fibonacci", {"n": 8}, {}, {"F": [0, 1, 1, 2, 3, 5, 8, 13, 21]})
case("latex-align-sum", {"n": 8}, {"a": A, "b": B}, {"c": [x + y for x, y in zip(A, B)]})
case("latex-align-product", {"n": 4}, {"A": M, "B": N}, {"C": product(M, N, 4)})
case("latex-align-code", {"n": 8}, {"a": A}, {"result": [sum(A)]})
case("latex-align-scalars", {"a": 3, "b": 4}, {}, {"result": [28]})
case("fold-sum", {"n": 4}, {"M": M, "x": B[:4]}, {"y": [2 * sum(M[4*i+j] * B[j] for j in range(4)) for i in range(4)]})
case("fold-extremes", {"n": 4}, {"a": M, "b": N}, {
    "m": [min(M[4*i+k] + N[4*k+i] for k in range(4)) for i in range(4)],
    "g": [1 + max(range(4), key=lambda k: M[4*i+k] * N[4*k+i]) for i in range(4)]})
case("fold-of-real", {"n": 4}, {"A": M}, {"result": [sum(sum(M[4*i+j] ** 2 for j in range(4)) ** 0.5 for i in range(4)) / 4]})
case("whole-copy", {"n": 8}, {"x": A}, {"x": prefix[1:]})
case("whole-swap", {"n": 5, "m": 3}, {}, {"result": [8]})
case("odd-and-even", {"n": 8}, {"a": A}, {"a": sorted(A)})
case("two-variables", {"n": 8}, {"A": A}, {"result": [max(A)]})
case("calls-inside", {"n": 8}, {"A": B}, {"r": [1 + sum(y < x for y in B) for x in B]})
small = [3, -1, 0, 2, 3, 9, 1, 3]
case("c-continue", {"n": 8, "k": 4}, {"a": small}, {"result": [200 + sum(x for x in small if 0 <= x < 4)]})
case("c-statements-below", {"n": 8}, {"a": A}, {"b": [(x - 0.5) ** 2 for x in A]})
d, u = 17.0, [7 / 17]
for x, y in zip(A[1:], B[1:]): d = x - 1 / d; u.append((y - u[-1]) / d)
case("c-inner-assignment", {"n": 8}, {"a": A, "r": B}, {"u": u})
case("omp-collapse-reduction", {"n": 4}, {"u": M, "w": N}, {"result": [max(abs(x - y) for x, y in zip(M, N))]})
case("py-continue-and-chain", {"n": 8}, {"A": A}, {"result": [2]})
u = A[:]
for t in range(3): o = u[:]; u = [1] + [o[i] + 2 * (o[i+1] - 2 * o[i] + o[i-1]) for i in range(1, 7)] + [o[7]]
case("py-slices", {"n": 8, "T": 3}, {"u": A}, {"u": u})
case("py-slices-overlap", {"n": 8}, {"a": A}, {"a": A[:1] + [A[i] + A[i-1] for i in range(1, 8)]})
case("py-joined-lists", {"amount": 19, "n": 3}, {"c": [4, 9, 6]}, {"result": [3]})
m, b = [[float(x) for x in M[4*i:4*i+4]] for i in range(4)], [float(x) for x in B[:4]]
for k in range(3):
    for i in range(k + 1, 4):
        f = m[i][k] / m[k][k]
        for j in range(k, 4): m[i][j] -= f * m[k][j]
        b[i] -= f * b[k]
case("matlab-slices", {"n": 4, "m": 4}, {"A": M, "b": B[:4]}, {"b": b})
case("fortran-slices", {"n": 8}, {"a": A}, {"a": A[:1] + [x + A[0] for x in A[:7]]})
case("fortran77-go-to", {"N": 8}, {"Y": A}, {"Y": [max([A[0]] + [x for x in A[1:] if x % 2])] + A[1:]})
c = [B[0] / A[0]]
for x, y in zip(A[1:], B[1:]): c.append(y / (x - c[-1]))
case("latex-primes", {"n": 8}, {"b": A, "c": B}, {"c_prime": c})
case("latex-listing-labels", {"n": 8}, {"a": A}, {"a": prefix[:8]})
case("csr-row-pointers", {"rows": 4, "value_length": 5, "column_length": 5, "x_length": 4},
     {"start": [0, 2, 2, 3, 5], "value": [4, -1.5, 2, 3, 1], "column": [0, 3, 1, 0, 2], "x": [1, -2, 0.5, 4]}, {"y": [-2, 0, -4, 3.5]})
case("closed-on-one-line", {"n": 10, "m": 8}, {"u": [3, 9, 5, 6, 10, 8, 2, 4], "v": [9, 1, 6, 2, 4, 8, 5, 10]},
     {"D": [1, 2, 1, 4, 2, 2, 7, 8, 1, 4]})
x, y = [0, 1, 1, 0, 0, 2, 0], [1, 2, 1, 1, 0, 0]
c = [[0] * 7 for i in range(8)]
for i in range(7):
    for j in range(6): c[i+1][j+1] = c[i][j] + 1 if x[i] == y[j] else max(c[i][j+1], c[i+1][j])
case("latex-cases", {"m": 7, "n": 6}, {"x": x, "y": y}, {"c": sum(c, [])})

u = [0.5, 1.25, -3.5, 2, 8, 1, 0, 4.75]
case("real-parameter-c", {"n": 8}, {"u": u}, {"v": ["*"] + [u[i] + 0.125 * (u[i-1] - 2 * u[i] + u[i+1]) for i in range(1, 7)] + ["*"]}, real={"omega": 0.125})
case("real-parameter-paper", {"n": 8}, {"x": u, "y": A}, {"y": [-1.5 * x + y for x, y in zip(u, A)]}, real={"alpha": -1.5})
case("real-parameter-python", {"n": 8, "steps": 2}, {"x": u}, {"x": [x * 0.75 * 0.75 for x in u]}, real={"rate": 0.25})
case("declared-type", {"n": 8}, {"x": u}, {"y": [3 * x for x in u]}, declare={"x": "f64"})
case("chained-comparisons", {"n": 8}, {"A": A}, {"result": [sum(x for x in A if 0 < x < 50)]})
small = [2, 9, 4, 7, 5, 1, 6, 3]
case("sets-and-unless", {"n": 8}, {"a": small}, {"result": [4, 3]})
case("pairs-and-halves", {"n": 3}, {"x": [1, 2, 4]}, {"c": [(x + y) / 2 for x in [1, 2, 4] for y in [1, 2, 4]], "d": [3] * 9})
case("loops-with-conditions", {"n": 8}, {"level": [2, 1, 2, 0, 2, 2, 1, 3], "seen": [0] * 8, "x": small},
     {"level": [0, 1, 0, 0, 0, 0, 1, 3], "seen": [1, 0, 1, 0, 1, 1, 0, 0], "x": [2, 9, 4, 7, 1, 5, 6, 3]})
case("branches-that-return", {"n": 8, "x": 5}, {"A": small}, {"result": [5]})
case("else-under-then", {"n": 8}, {"S": [0, 4, 0, 1, 2, 0, 0, 9]}, {"R": [7, 1, 7, 1, 1, 7, 7, 1]})
case("functions-in-conditions", {"i": 8, "A_length": 8}, {"A": [2, 9, 4, 7, 5, 11, 6, 1]}, {"A": [1, 2, 4, 9, 5, 11, 6, 7]})
case("titles", {"n": 8}, {"x": A}, {"x": [0] + prefixes(A)[1:]})
case("norm", {"n": 2, "m": 2}, {"x": [3, 4]}, {"x": [0.6, 0.8]})
kept = [x for x in A if x > 40]
case("c-steps", {"n": 8}, {"a": A}, {"result": [len(kept)], "b": kept + [sum(A)] + ["?"] * (7 - len(kept))})
case("py-numbers-of-a-list", {"n": 4, "rows": 3, "cols": 3}, {"grid": list(range(9))}, {"result": [sum(d * (3 + d) + 4 + d for d in (-1, 0, 1))]})
R = [int(x > 5) for x in M]
for k in range(4):
    R = [max(R[4*i+j], min(R[4*i+k], R[4*k+j])) for i in range(4) for j in range(4)]
case("latex-listing-mathematics", {"n": 4}, {"R": [int(x > 5) for x in M]}, {"R": R})

case("breadth-first-levels", {"n": 4, "s": 0, "adj_length": 4}, {"off": [0, 2, 3, 4, 4], "adj": [1, 2, 3, 3]}, {"level": [0, 1, 1, 2, "*"]})
case("fortran-part-alone", {"n": 8}, {"a": A}, {"a": A[:1] + A[:7]})

def partition(a, mid):
    a, i, j, k = list(a), 0, 0, len(a) - 1
    while j <= k:
        if a[j] < mid:
            a[i], a[j], i, j = a[j], a[i], i + 1, j + 1
        elif a[j] > mid:
            a[j], a[k], k = a[k], a[j], k - 1
        else:
            j += 1
    return a


case("subscripts-below", {"n": 8}, {"a": A}, {"a_prime": [y - x for x, y in zip(A, A[1:])] + ["*"]})
case("dots-between-elements", {"n": 8}, {"a": A}, {"b": [max(A) * i - sum(A) for i in range(1, 9)]})
case("least-of-a-set", {"n": 8}, {"a": A}, {"m": [min(A[: i + 1]) for i in range(8)]})
case("powers-and-bars-times", {"n": 8}, {"a": SIGNED, "b": B}, {"c": [2**i * y + 2 * abs(x) + abs(y - 1) * (i + 1) for i, (x, y) in enumerate(zip(SIGNED, B), 1)]})
case("sums-beside-sums", {"n": 8}, {"a": A, "c": B}, {"b": [B[i] - sum(A[:i]) - 2 * sum(A[i + 1 :]) for i in range(8)]})
case("number-divides", {"n": 8}, {"a": A}, {"result": [sum(it % 3 == 0 for it in A)]})
case("x-between-elements", {"n": 4}, {"A": M, "B": N}, {"C": [M[4 * i + j] * N[4 * j + i] for i in range(4) for j in range(4)]})
case("comments-behind-semicolons", {"n": 8}, {"A": A}, {"B": [int(it < A[0]) for it in A]})
case("heap-size-of-the-array", {"n": 8}, {"A": A}, {"A": sorted(A)})
case("sizes-in-words", {"n": 8, "mid": 32}, {"A": A}, {"A": partition(A, 32)})
case("cpp-by-reference", {"n": 8}, {"a": SIGNED}, {"a": [2 * it - sum(SIGNED) for it in SIGNED]})
case("js-quotients", {"n": 8}, {"a": SIGNED}, {"p": [it // 2 for it in SIGNED], "q": [int(it / 2) for it in SIGNED]})
case("latex-sums-in-an-equation", {"n": 8}, {"f": [*A, 5]}, {"result": [2 * A[0] + 4 * sum(A[1::2]) - 3 * sum(A[2:8:2]) + 5]})
case("latex-clrscode-branches", {"n": 8}, {"X": [2, 0, -1, 5, 0, 0, 3, -4]}, {"c": [1, 0, -1, 1, 0, 0, 1, -1]})
case("latex-each-row", {"n": 4}, {"a": M, "x": N[:4]}, {"y": [sum(M[4 * i + j] * N[j] for j in range(4)) for i in range(4)]})
a9, b9 = [22, 1, 25, 7, -16, -23, -25, 20, -14], [-17, 10, 9, 13, 1, -14, 6, 15, -8]
s9, p9 = sorted(a9), [22, 1, 25, 7, 16, 23, 25, 20, 14]
x9 = [0.849, -0.589, -1.856, 1.919, 0.594, -1.577, -0.442, 0.636, 0.793]
case("rust-of-1", {"n": 9}, {"a": a9}, {"a": s9})
case("rust-of-2", {"n": 9}, {"a": x9}, {"result": [sum(x9)]})
case("rust-of-3", {"a": 84, "b": 30}, {}, {"result": [6]})
case("rust-of-4", {"n": 9}, {"a": a9}, {"result": [25]})
case("rust-of-5", {"n": 10}, {}, {"result": [1 + 4 + 7 + 10 + 4]})
case("rust-of-6", {"n": 9}, {"x": x9}, {"result": [sum(map(abs, x9)) / 9]})
case("rust-of-7", {"n": 10}, {}, {"result": [55]})
case("rust-of-8", {"m": 3, "n": 12}, {"c": [1, 2, 5]}, {"result": [13]})
case("go-of-1", {"n": 9}, {"a": a9}, {"result": [sum(a9)]})
case("go-of-2.go", {"n": 9}, {"a": a9}, {"a": s9})
case("go-of-3", {"n": 9}, {"a": a9}, {"a": [abs(x) for x in a9]})
case("go-of-5", {"n": 10}, {}, {"result": [55]})
case("kotlin-of-1", {"n": 9}, {"a": a9}, {"result": [sum(a9)]})
case("kotlin-of-2", {"n": 9}, {"a": a9}, {"a": [a9[0]] + [a9[i] + a9[i - 1] for i in range(1, 9)]})
case("kotlin-of-3", {"n": 5}, {}, {"result": [-1 + 4 - 9 + 16 - 25]})
case("swift-of-1", {"n": 9}, {"a": a9}, {"result": [sum(a9)]})
case("swift-of-2", {"n": 5}, {}, {"result": [(5 * 2 + 3) * 2 + 1]})
case("javascript-of-1", {"n": 9}, {"a": a9}, {"result": [25]})
case("javascript-of-2", {"n": 9, "x": 7}, {"a": s9}, {"result": [s9.index(7)]})
case("javascript-of-3", {"n": 9}, {"a": a9}, {"result": [sum(a9) / 9]})
case("javascript-of-4", {"n": 9}, {"a": a9}, {"a": s9})
case("c-sharp-of-1", {"n": 9}, {"a": a9}, {"b": [max(x, 0) + abs(x) % 3 for x in a9]})
case("java-of-1", {"n": 9, "x": 25}, {"a": a9}, {"result": [1]})
case("c-of-1", {"n": 9}, {"a": a9}, {"result": [sum(((x > 0) - (x < 0) for x in a9))]})
case("c-of-3", {"n": 9}, {"a": a9}, {"a": a9[::-1]})
case("c-of-4", {"n": 9}, {"x": x9}, {"result": [sum((math.floor(x) / 2 + math.floor(abs(x) + 0.5) * (1 if x > 0 else -1) + abs(x) for x in x9))]}, declare={"x": "f64"})
case("c-of-5", {"n": 9}, {"a": a9}, {"result": [25]})
case("cpp-of-6", {"n": 9}, {"a": a9}, {"result": [3]})
case("c-of-7", {"n": 45}, {}, {"result": [4]})
case("python-of-2", {"n": 9}, {"a": a9}, {"result": [3]})
case("python-of-3", {"n": 9}, {"a": s9}, {"result": [1]})
case("python-of-4.py", {"n": 9}, {"a": a9}, {"result": [1]})
case("python-of-5", {"n": 9}, {"a": a9}, {"result": [25]})
case("python-of-6", {"n": 9}, {"a": a9}, {"result": [sum((math.floor(x / 3) + x // 4 + int(x / 3) for x in a9))]})
case("python-of-7", {"n": 9}, {"a": a9, "b": b9}, {"result": [sum((abs(x - y) for x, y in zip(a9, b9)))]})
case("python-of-9", {"n": 9}, {"a": a9}, {"result": [sum((a9[i] * a9[j] if (i + j) % 2 == 0 else -1 for i in range(9) for j in range(i)))]})
case("python-of-14.py", {"n": 2, "m": 3}, {"A": sum([[1, 2, 3], [4, 5, 6]], [])}, {"result": [21]})
case("python-of-16", {"n": 9}, {"a": a9}, {"result": [25]})
case("python-of-17.py", {}, {}, {"result": [2.5 ** 0.5]}, real={"x": 2.5})
case("python-of-18.py", {"n": 9}, {"a": a9}, {"result": [4]})
case("python-of-19", {"n": 9, "x": 7}, {"a": a9}, {"result": [3]})
case("python-of-20", {"n": 9}, {"a": a9}, {"result": [1]})
case("matlab-of-3.m", {"n": 9}, {"a": a9}, {"result": [sum((x * x for x in a9))]})
case("matlab-of-5", {"n": 9}, {"a": a9}, {"result": [sum((1 if x % 2 == 0 else -1 if x < -20 else 0 for x in a9))]})
case("matlab-of-8.m", {"n": 9}, {"u": a9, "v": b9}, {"result": [sum((x * y for x, y in zip(a9, b9)))]})
case("fortran-of-1", {"n": 9}, {"a": a9}, {"result": [sum(map(abs, a9))]})
case("fortran-of-3", {"n": 4, "m": 1}, {"u": [1.0, 2.0, 4.0, 8.0, 16.0]}, {"u": [1.0, 2.5, 5.0, 10.0, 16.0]})
case("fortran-77-of-4", {"N": 9}, {"A": a9}, {"A": [5] + a9[1:]})
case("fortran-of-5", {"n": 9}, {"a": a9}, {"a": [2 * x for x in a9]})
case("fortran-of-6", {"n": 9}, {"a": a9}, {"b": [1 if x % 3 == 0 else 2 if x > 0 else 3 for x in a9]})
case("julia-of-4", {"n": 9}, {"a": a9}, {"result": [3]})
case("julia-of-5.jl", {"n": 9}, {"a": a9}, {"result": [sum((x if i % 2 == 0 else -x for i, x in enumerate(a9) if x >= 0))]})
case("pascal-of-1", {"n": 9}, {"a": a9}, {"a": s9})

case("latex-clrscode-comments", {"n": 4}, {"D": W}, {"D": shortest(W, 4)})
case("pascal-div", {"n": 8}, {"a": SIGNED}, {"q": [int(it / 4) for it in SIGNED], "r": [int((it + 1) / 3) * 2 for it in SIGNED]})


def written(kind, values):
    return [f"{kind} {name}={' '.join(str(it) for it in (value if isinstance(value, list) else [value]))}" for name, value in values.items()]


if __name__ == "__main__":
    for name, said, set_, given, expect in CASES:
        words = [it for kind, values in said.items() for it in written(kind, values)]
        print(" | ".join([name, *words, *written("set", set_), *written("in", given), *written("out", expect)]))
