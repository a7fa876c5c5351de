"""What the listings beside this file must give: python3 tests/notation/reference.py > tests/notation/cases.txt

A line a case: the listing's name, then what is set, given and expected, apart by `|`. Arrays are row by
row; a listing that counts from 1 has its first element first. `*` stands for a cell without a value.
"""

import random

CASES = []


def case(name, set=None, given=None, expect=None):
    CASES.append((name, set or {}, given or {}, expect or {}))


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
case("doubling-list", {"n": 8}, {"c": [0] * 7}, {"c": counts[:7]})
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


def written(kind, values):
    return [f"{kind} {name}={' '.join(str(it) for it in (value if isinstance(value, list) else [value]))}" for name, value in values.items()]


if __name__ == "__main__":
    for name, set_, given, expect in CASES:
        print(" | ".join([name, *written("set", set_), *written("in", given), *written("out", expect)]))
