"""Integer programs (.koat, as TPDB has them under Complexity_ITS) as listings, and how many of them have bounds.

    python benches/koat.py PROGRAM.koat                     # prints the listing
    python benches/koat.py FOLDER --umm target/release/umm  # counts; --runs compares the bounds with runs, too

A program's functions are numbers of one scalar, `at`, and its arguments the differences of two parameters each,
so that they may be negative. What it leaves open, which rule is taken and any other number, is data.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import tempfile

NAME = r"[A-Za-z_][\w.'!$]*"
SIGNS = {">=": "≥", "<=": "≤", "==": "=", "!=": "≠"}


def parts(text):
    """What stands between the commas outside of brackets."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [it.strip() for it in found if it.strip()]


def rules(text):
    """`(function, arguments, function, values, conditions)` of each rule, and where the program begins."""
    text = re.sub(r"#.*", "", text)
    begin = re.search(r"FUNCTIONSYMBOLS\s+([^\s)]+)", text)[1]
    text = text[text.index("(RULES") + 6 : text.rindex(")")]
    head = re.compile(rf"({NAME})\s*\(([^()]*)\)\s*-(?:\{{[^}}]*\}})?>")
    heads = list(head.finditer(text))
    found = []
    for this, after in zip(heads, heads[1:] + [None]):
        right, _, guard = text[this.end() : after.start() if after else len(text)].partition(":|:")
        calls = re.fullmatch(r"Com_\d+\s*\((.*)\)", right.strip(), re.S)
        calls = parts(calls[1] if calls else right.strip())
        if len(calls) != 1 or "||" in guard:
            raise ValueError("it calls several functions at once, or has an `or`")
        call = re.fullmatch(rf"({NAME})\s*\((.*)\)", calls[0], re.S)
        conditions = [it.strip() for it in re.split(r"&&|/\\|∧", guard) if it.strip()]
        conditions = [it for it in conditions if it.upper() != "TRUE"]
        found.append((this[1], parts(this[2]), call[1], parts(call[2]), conditions))
    return begin, found


def expression(text, name):
    text = re.sub(NAME, lambda it: name(it[0]), text)
    power = re.compile(r"(\w+|\([^()]*\))\s*(?:\^|\*\*)\s*(\d+)")
    while it := power.search(text):
        text = text[: it.start()] + "(" + " * ".join([it[1]] * int(it[2])) + ")" + text[it.end() :]
    return text.replace("*", "×")


def steps(own, numbers, with_coin):
    """Of a function's rules, what each reads, and its condition with what it does."""
    read, arms = [], []
    for _, arguments, to, values, conditions in own:
        known = {it: f"x{at}" for at, it in enumerate(arguments)}

        def name(of):
            if of not in known:
                read.append(f"v{len(read)}")
                known[of] = read[-1]
            return known[of]

        tests = [f"c[t mod m] mod 8 ≠ {len(arms)}"] if with_coin else []
        for it in conditions:
            left, sign, right = re.fullmatch(r"(.*?)(>=|<=|==|!=|=|<|>)(.*)", it, re.S).groups()
            tests.append(f"{expression(left.strip(), name)} {SIGNS.get(sign, sign)} {expression(right.strip(), name)}")
        values = [expression(it, name) for it in values]
        changed = [(at, it) for at, it in enumerate(values) if it != f"x{at}"]
        # All at once.
        sets = [f"y{at} ← {it}" for at, it in changed] + [f"x{at} ← y{at}" for at, _ in changed]
        arms.append((" and ".join(tests) or "1 = 1", sets + [f"at ← {numbers.get(to, 0)}"]))
    return read, arms


def listing(text, title):
    begin, all_rules = rules(text)
    arity = max(len(it) for rule in all_rules for it in (rule[1], rule[3]))
    functions = list(dict.fromkeys([begin] + [rule[0] for rule in all_rules]))
    numbers = {function: at for at, function in enumerate(functions, 1)}
    sizes = "".join(f"p{at}, q{at}, " for at in range(arity))
    lines = [f"algorithm {title}({sizes}m = 64)", "input c[m] : i64", "output done[1] : i64", ""]
    lines += [f"x{at} ← p{at} - q{at}" for at in range(arity)]
    lines += ["at ← 1", "t ← 0", "while at > 0 do", "  done[0] ← at"]

    def tree(some, room):
        if len(some) > 1:
            half = len(some) // 2
            lines.append(f"{room}if at < {numbers[some[half]]} then")
            tree(some[:half], room + "  ")
            lines.append(f"{room}else")
            return tree(some[half:], room + "  ")
        own = [rule for rule in all_rules if rule[0] == some[0]]
        read, arms = steps(own, numbers, len(own) > 1)
        for scalar in read:
            lines.extend([f"{room}{scalar} ← c[t mod m]", f"{room}t ← t + 1"])
        lines.extend([f"{room}t ← t + 1"] if len(own) > 1 else [])
        for word, (test, sets) in zip(["if"] + ["else if"] * len(arms), arms):
            lines.extend([f"{room}{word} {test} then"] + [f"{room}  {it}" for it in sets])
        lines.extend([f"{room}else", f"{room}  at ← 0"])

    tree(functions, "  ")
    return "\n".join(lines) + "\n"


def judge(file, folder, options):
    """`finite`, `none`, or what was wrong."""
    title = re.sub(r"\W", "_", "its_" + file.stem)
    path = pathlib.Path(folder) / f"{abs(hash(file))}.alg"
    try:
        path.write_text(listing(file.read_text(), title))
        umm = [options.umm, "bounds", str(path)]
        found = subprocess.run([*umm, "--derive"], capture_output=True, text=True, timeout=options.limit)
    except ValueError as error:
        return f"not read: {error}"
    except subprocess.TimeoutExpired:
        return "late"
    if found.returncode:
        return "refused: " + found.stderr.splitlines()[0]
    if "time ≤" not in found.stdout:
        return "none"
    for size in [1, 2, 5, 11] if options.runs else []:
        sizes = {it: (size + 3 * at) % 13 + 1 for at, it in enumerate(re.findall(r"[pq]\d+", path.read_text().splitlines()[0]))}
        grids = [it for name, value in sizes.items() for it in ("--set", f"{name}={value}")]
        run = subprocess.run([*umm, *grids, "-p", "1", "--while-limit", "20000", "--seed", str(size)], capture_output=True, text=True)
        if run.returncode == 1:
            return f"contradicted: {run.stderr}"
    return "finite"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("path", type=pathlib.Path)
    options.add_argument("--umm")
    options.add_argument("--limit", type=float, default=60, help="seconds for each")
    options.add_argument("--runs", action="store_true")
    options = options.parse_args()
    if options.path.is_file():
        return print(listing(options.path.read_text(), "its"), end="")
    files = sorted(options.path.rglob("*.koat"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda it: judge(it, folder, options), files))
    for file, it in zip(files, found):
        print(file.relative_to(options.path), it)
    for word, count in collections.Counter(it.split(":")[0] for it in found).most_common():
        print(f"{word}: {count} of {len(files)}")


if __name__ == "__main__":
    main()
