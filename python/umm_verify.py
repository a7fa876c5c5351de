"""Checks certificates of `umm complexity --certificate` and `umm bounds --derive --certificate`.

A second checker, independent of the first: plain Python, exact fractions, no other module of this
project. It believes no answer of a certificate; docs/certificates.md has the rules and why they are
sound. It reads the listing as the tree that the certificate repeats: that this tree is the listing's is
what `umm verify CERTIFICATE LISTING` checks besides.

    python umm_verify.py docs/certificates.jsonl
"""

import json
import math
import sys
from fractions import Fraction

FORMAT = "umm certificate 1"
# What is said from below holds where all parameters are that much.
FROM = 16
# The most by which a measure grows in an iteration, and how many ways through a loop are told apart.
MOST_GROWTH, MOST_PATHS = 4, 24


class Refused(Exception):
    """Why a certificate is refused."""


def need(holds, why="it is not written as it should be"):
    if not holds:
        raise Refused(why)


# Sums of products: {((atom, power), …): fraction}, powers by atom, none 0.


def poly(value):
    return {(): Fraction(value)} if value else {}


def atom(name, power=1):
    return {((name, power),): Fraction(1)}


def plus(a, b, times=1):
    total = dict(a)
    for monomial, it in b.items():
        total[monomial] = total.get(monomial, 0) + it * times
        if not total[monomial]:
            del total[monomial]
    return total


def minus(a, b):
    return plus(a, b, -1)


def scale(a, by):
    return {monomial: it * by for monomial, it in a.items()} if by else {}


def multiply(left, right):
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def times(a, b):
    total = {}
    for left, x in a.items():
        for right, y in b.items():
            monomial = multiply(left, right)
            total[monomial] = total.get(monomial, 0) + x * y
    return {monomial: it for monomial, it in total.items() if it}


def to_the(a, power):
    product = poly(1)
    for _ in range(power):
        product = times(product, a)
    return product


def atoms(a):
    return {name for monomial in a for name, _ in monomial}


def constant(a):
    """Its value if it has no atoms."""
    return a.get((), Fraction(0)) if set(a) <= {()} else None


def by_powers(a, name):
    factors = [{}]
    for monomial, it in a.items():
        power = dict(monomial).get(name, 0)
        if power < 0:
            return None
        while len(factors) <= power:
            factors.append({})
        rest = tuple(pair for pair in monomial if pair[0] != name)
        factors[power] = plus(factors[power], {rest: it})
    return factors


def put(a, name, value):
    factors = by_powers(a, name)
    if factors is None:
        return None
    total = {}
    for factor in reversed(factors):
        total = plus(times(total, value), factor)
    return total


def is_integral(a):
    return all(it.denominator == 1 and all(p > 0 for _, p in m) for m, it in a.items())


def single(a):
    return next(iter(a.items())) if len(a) == 1 else None


def positive(a):
    """Without what is subtracted."""
    return {monomial: it for monomial, it in a.items() if it > 0}


def split(a, name):
    """What has no power −1 of an atom in it, and what stands over the atom."""
    rest, over = {}, {}
    for monomial, it in a.items():
        if dict(monomial).get(name) == -1:
            over[tuple(pair for pair in monomial if pair[0] != name)] = it
        else:
            rest[monomial] = it
    return rest, over


def inverse(a):
    powers, coefficient = single(a)
    return {tuple((n, -p) for n, p in powers): 1 / coefficient}


def slope(powers):
    return None if powers is None or len(powers) > 2 else powers[1] if len(powers) == 2 else {}


def fraction(text):
    need(isinstance(text, str))
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Refused("no fraction") from None
    need(str(value) == text)
    return value


def monomial_of(value):
    need(isinstance(value, dict))
    for power in value.values():
        need(type(power) is int and power != 0 and abs(power) < 1000)
    return tuple(sorted(value.items()))


def read(value):
    need(isinstance(value, list))
    total = {}
    for term in value:
        need(isinstance(term, list) and len(term) == 2)
        total = plus(total, {monomial_of(term[1]): fraction(term[0])})
    need(len(total) == len(value))
    return total


def same(a, written):
    """Whether a polynomial is what is written."""
    return read(written) == a


def sum_of_powers(k, at):
    """1^k + … + m^k as a polynomial in m (Faulhaber)."""
    sums = []
    after = plus(at, poly(1))
    for degree in range(k + 1):
        rest = minus(to_the(after, degree + 1), poly(1))
        for j, known in enumerate(sums):
            rest = minus(rest, scale(known, math.comb(degree + 1, j)))
        sums.append(scale(rest, Fraction(1, degree + 1)))
    return sums[k]


def sum_over(weight, name, first, last):
    factors = by_powers(weight, name)
    need(factors is not None, "a loop's number stands in a denominator")
    total = {}
    for power, factor in enumerate(factors):
        ends = minus(sum_of_powers(power, last), sum_of_powers(power, minus(first, poly(1))))
        total = plus(total, times(factor, ends))
    return total


def ceiling_log(value):
    log = 0
    while 2**log < value:
        log += 1
    return log


class Level:
    """A number of a place: of a loop, one known by facts, or one that halves."""

    def __init__(self, name, number, outside, inside, kind, **more):
        self.atom, self.id = name, number
        self.outside, self.inside, self.kind = outside, inside, kind
        self.__dict__.update(more)


class Scope:
    def __init__(self, values):
        self.levels, self.facts, self.values = [], [], values
        self.sure, self.nest, self.outer = True, None, None

    def copy(self):
        other = Scope(list(self.values))
        other.levels, other.facts = list(self.levels), list(self.facts)
        other.sure, other.nest, other.outer = self.sure, self.nest, self.outer
        return other

    def knows(self, of):
        """Whether every number in it is one of the place, or a size."""
        own = {it.atom for it in self.levels}
        return all("." not in name or name in own for name in atoms(of))

    def set(self, scalar, value):
        if scalar is not None:
            self.values[scalar] = value


class Path:
    """A way through a block, and by how much a measure has grown on it."""

    def __init__(self, scope, start):
        self.scope, self.start, self.grown = scope, start, []

    def copy(self):
        other = Path(self.scope.copy(), self.start)
        other.grown = list(self.grown)
        return other

    def grow(self, to):
        before = self.grown[-1] if self.grown else {}
        self.grown.append(plus(before, minus(to, self.start)))


class While:
    """A `while` loop, and the scalars that its body assigns."""

    def __init__(self, statement):
        self.whole, self.condition, self.body = statement, statement[1], statement[2]
        self.changed = changed(self.body)
        self.has_one_part = not (isinstance(self.condition, list) and self.condition[0] == "and")

    def inside(self, scope):
        inside = scope.copy()
        inside.outer = None
        for it in self.changed:
            inside.set(it, None)
        return inside


def assigned(body):
    """Every scalar that statements assign, loops' variables included."""
    for it in body:
        if it[0] == "assign":
            yield it[1]
        elif it[0] in ("store", "eval"):
            yield it[6] if it[0] == "store" else it[2]
        elif it[0] == "for":
            yield it[1][0]
            yield from assigned(it[2])
        elif it[0] == "parallel":
            yield from (part[0] for part in it[1])
            yield from assigned(it[2])
        elif it[0] == "while":
            yield from assigned(it[2])
        elif it[0] == "if":
            yield from assigned(it[2])
            yield from assigned(it[3])


def changed(body):
    """Every scalar that statements assign, once."""
    return [it for it in dict.fromkeys(assigned(body)) if it is not None]


def scalars(expr):
    if isinstance(expr, list):
        if expr and expr[0] == "var":
            return [expr[1]]
        return [found for part in expr for found in scalars(part)]
    return []


def parts(expr, op):
    if isinstance(expr, list) and expr and expr[0] == op:
        return parts(expr[1], op) + parts(expr[2], op)
    return [expr]


class Checker:
    """Walks over a tree as the prover did, and takes the certificate's answers one by one."""

    def __init__(self, certificate):
        need(isinstance(certificate, dict) and len(certificate) == 7)
        need(certificate.get("format") == FORMAT, "it is no " + FORMAT)
        self.tree, setting = certificate["program"], certificate["setting"]
        need(isinstance(setting, dict) and len(setting) == 4)
        self.names, self.fixed = self.tree["parameters"], setting["fixed"]
        self.exponents = setting["exponents"]
        need(setting["machine"] in ("umm", "dmm") and setting["from"] == FROM)
        self.is_umm = setting["machine"] == "umm"
        need(len(self.fixed) == len(self.exponents) == len(self.names))
        need(all(it is None or type(it) is int for it in self.fixed))
        need(all(type(it) is bool for it in self.exponents))
        self.sizes = []
        for name, fixed, is_exponent in zip(self.names, self.fixed, self.exponents):
            if fixed is None:
                self.sizes.append(("2^" + name, name) if is_exponent else (name, "log " + name))
        self.sizes += [(it, "log " + it) for it in ("@p", "@w", "@l")]
        self.log_of = {}
        for size, log in reversed(self.sizes):
            self.log_of[size] = log
        self.known_atoms = {it for pair in self.sizes for it in pair}
        self.answers, self.at = certificate["steps"], 0
        need(isinstance(self.answers, list))
        self.next, self.known = 0, {}
        self.upper, self.parts, self.requests, self.chain = {}, [], {}, {}
        self.apart = {}

    # What is asked, and whether an answer holds.

    def answer(self):
        need(self.at < len(self.answers), "it has too few steps")
        self.at += 1
        return self.answers[self.at - 1]

    def least(self, name, up):
        for size, log in self.sizes:
            if name in (size, log):
                start = 1 if up or size[0] == "@" else FROM
                return start if name == size else max(1, ceiling_log(start))
        return None

    def must(self, of, facts, why, up):
        """A combination of facts, each times a positive number and a product of sizes, is `of`."""
        need(isinstance(why, list))
        total = {}
        for term in why:
            need(isinstance(term, list) and len(term) == 3 and isinstance(term[2], list))
            coefficient, powers = fraction(term[0]), monomial_of(term[1])
            need(coefficient > 0 and all(name in self.known_atoms for name, _ in powers))
            product = {powers: coefficient}
            for factor in term[2]:
                if isinstance(factor, str):
                    least = self.least(factor, up)
                    need(least is not None)
                    product = times(product, minus(atom(factor), poly(least)))
                else:
                    need(type(factor) is int and 0 <= factor < len(facts))
                    product = times(product, facts[factor])
            total = plus(total, product)
        rest = minus(total, of)
        nearly = is_integral(of) and constant(rest) == Fraction(999, 1000)
        need(not rest or nearly, "an inequality does not follow as it says")

    def prove(self, of, facts, up):
        why = self.answer()
        if why is False:
            return False
        self.must(of, facts, why, up)
        return True

    def without(self, of, outer, facts, gone, up):
        answer = self.answer()
        if answer is None:
            return None
        need(isinstance(answer, dict) and len(answer) == (3 if up else 2))
        value = read(answer.get("at"))
        self.must(minus(value, of) if up else minus(of, value), facts, answer.get("by"), up)
        if up:
            self.must(value, outer, answer.get("positive"), up)
        need(not atoms(value) & set(gone), "a number of a loop is left outside of it")
        return value

    # Sums over levels.

    def over(self, levels, facts, weight, up, placed=None):
        for at in reversed(range(len(levels))):
            level = levels[at]
            key = (level.id, frozenset(weight.items()), up, placed is not None)
            if key not in self.known:
                here = placed is not None and at in placed
                self.known[key] = self.one(level, facts, weight, up, here)
            weight = self.known[key]
            if weight is None:
                need(not up, "a sum from above is missing")
                return None
        need(atoms(weight) <= self.known_atoms, "a sum has more than sizes in it")
        return weight

    def one(self, level, facts, weight, up, here):
        if level.kind == "loop":
            if here:
                return self.first(level, facts, weight)
            weight, over = split(weight, level.atom)
            total = self.looped(level, facts, weight, up)
            over = self.reciprocals(over, level.highs, up)
            return None if total is None or over is None else plus(total, over)
        if level.kind == "halving":
            return self.halved(level, facts, weight, up)
        if level.kind == "harmonic" and up:
            powers = by_powers(weight, level.atom)
            if powers is None or len(powers) > 2:
                return None
            if len(powers) == 1 or not self.prove(powers[1], facts[: level.outside], True):
                return weight if len(powers) == 1 else None
            return plus(powers[0], times(times(powers[1], level.of), atom(level.by, -1)))
        if level.atom not in atoms(weight):
            return weight
        inside = facts[: level.inside]
        return self.without(weight, inside, inside, [level.atom], up)

    def looped(self, level, facts, weight, up):
        outer, own = facts[: level.outside], atom(level.atom)
        if len(level.lows) == len(level.highs) == 1 and is_integral(level.highs[0]):
            low, high = level.lows[0], level.highs[0]
            room = minus(high, low)
            total = sum_over(weight, level.atom, low, high)
            gone, inside, room = [level.atom], outer + [room], plus(room, poly(1))
        elif not up:
            return self.least_of(level, outer, weight)
        else:
            inside, first, room = facts[: level.inside], level.lows[0], None
            start = level.atom + "'"
            if len(level.lows) > 1:
                first = atom(start)
                inside = inside + [minus(first, low) for low in level.lows] + [minus(own, first)]
            total = sum_over(weight, level.atom, first, own)
            gone = [level.atom, start]
        answer = self.answer()
        need(isinstance(answer, dict))
        if "sum" in answer and answer["sum"] is None:
            return None
        if room is not None and len(answer) == 1 and "exact" in answer:
            self.must(room, outer, answer["exact"], up)
            return total
        need(up and len(answer) == 3, "a sum from below must be exact")
        value = read(answer.get("sum"))
        need(not atoms(value) & set(gone))
        self.must(minus(value, total), inside, answer.get("by"), up)
        self.must(value, outer, answer.get("positive"), up)
        return value

    def reciprocals(self, over, highs, up):
        """Σ c/x over a loop's numbers, from 1 on: 1 + 1/2 + … + 1/m ≤ ⌈log₂ m⌉ + 1."""
        if not over:
            return {}
        of_sizes = [it for it in highs if atoms(it) <= self.known_atoms]
        log = self.logarithm(of_sizes[0]) if of_sizes else None
        if log is None or not up or not atoms(over) <= self.known_atoms:
            return None
        return times(positive(over), plus(log, poly(1)))

    def least_of(self, level, outer, weight):
        sums = []
        for low in level.lows:
            for high in level.highs:
                room = plus(minus(high, low), poly(1))
                if not is_integral(high) or not self.prove(room, outer, False):
                    return None
                sums.append(sum_over(weight, level.atom, low, high))
        answer = self.answer()
        if answer["least"] is None:
            return None
        need(isinstance(answer, dict) and len(answer) == 2 and len(answer["by"]) == len(sums))
        value = read(answer["least"])
        for total, why in zip(sums, answer["by"]):
            self.must(minus(total, value), outer, why, False)
        return value

    def first(self, level, facts, weight):
        if len(level.lows) != 1:
            return None
        for high in level.highs:
            room = minus(high, level.lows[0])
            if not is_integral(high) or not self.prove(room, facts[: level.outside], False):
                return None
        return put(weight, level.atom, level.lows[0])

    def halved(self, level, facts, weight, up):
        powers = by_powers(weight, level.atom)
        if not up:
            if level.atom in atoms(weight):
                if level.first is None:
                    return None
                is_fine = self.prove(weight, facts[: level.inside], False)
                return put(weight, level.atom, level.first) if is_fine else None
            is_fine = all(it > 0 for it in weight.values()) and atoms(weight) <= self.known_atoms
            return times(level.least, weight) if level.least is not None and is_fine else None
        if powers is None:
            return None

        def series(j):
            return scale(to_the(level.largest, j), Fraction(2**j, 2**j - 1))

        total = {}
        for power, factor in enumerate(powers):
            if atoms(factor) <= self.known_atoms:
                factor = positive(factor)
            elif not self.prove(factor, facts[: level.outside], True):
                return None
            every = level.most if power == 0 or level.up else series(power)
            for j in range(1, power + 1) if level.up else ():
                every = plus(every, scale(series(j), math.comb(power, j)))
            total = plus(total, times(factor, every))
        return total

    def logarithm(self, of):
        """⌈log₂⌉ of a sum of products of sizes, at most."""
        factor, most = Fraction(0), {}
        for powers, coefficient in positive(of).items():
            factor += coefficient
            for name, power in powers:
                most[name] = max(most.get(name, 0), power)
        if factor <= 0 or any(n not in self.log_of or p <= 0 for n, p in most.items()):
            return None
        total = poly(ceiling_log(factor))
        for name, power in most.items():
            total = plus(total, scale(atom(self.log_of[name]), power))
        return total

    # Whole numbers as polynomials.

    def level(self, name, scope, kind, facts, **more):
        self.next += 1
        name = f"{name}.{self.next}"
        own, outside = atom(name), len(scope.facts)
        scope.facts = scope.facts + facts(own)
        level = Level(name, self.next, outside, len(scope.facts), kind, **more)
        scope.levels = scope.levels + [level]
        return own

    def value(self, expr, scope):
        if type(expr) is int:
            return poly(expr)
        if not isinstance(expr, list):
            return None
        op = expr[0]
        if op == "par":
            fixed = self.fixed[expr[1]]
            return atom(self.names[expr[1]]) if fixed is None else poly(fixed)
        if op == "var":
            return scope.values[expr[1]]
        if op == "let":
            scope.set(expr[1], self.value(expr[2], scope))
            return self.value(expr[3], scope)
        if op not in ("+", "-", "*", "/", "mod", "min", "<<", ">>"):
            return None
        left, right = self.value(expr[1], scope), self.value(expr[2], scope)
        if left is None or right is None:
            return None
        if op in "+-":
            return plus(left, right, 1 if op == "+" else -1)
        if op == "*":
            return times(left, right)
        if op == "min":
            return self.level("min", scope, "named", lambda it: [minus(left, it), minus(right, it)])
        if op in ("<<", ">>"):
            right = self.power_of_two(right)
            if right is None or op == "<<":
                return None if right is None else times(left, right)
        quotient = self.quotient(left, right, scope)
        if op == "mod":
            return None if quotient is None else minus(left, times(quotient, right))
        return quotient

    def power_of_two(self, of):
        power = poly(1)
        for monomial, factor in of.items():
            if factor.denominator != 1 or factor < 0:
                return None
            base = poly(2)
            if monomial:
                name = monomial[0][0]
                if len(monomial) > 1 or monomial[0][1] != 1 or name not in self.names:
                    return None
                if not self.exponents[self.names.index(name)]:
                    return None
                base = atom("2^" + name)
            if factor > 60:
                return None
            power = times(power, to_the(base, int(factor)))
        return power

    def is_size(self, of):
        found = single(of)
        names = {size for size, _ in self.sizes}
        return (
            found is not None
            and found[1] > 0
            and all(name in names for name, _ in found[0])
            and is_integral(of)
        )

    def quotient(self, of, by, scope):
        if by == poly(1):
            return of

        def rest(it):
            rest = minus(of, times(it, by))
            return [minus(minus(by, rest), poly(1)), rest]

        if self.is_size(by):
            return self.level("quotient", scope, "named", rest)
        loops = [it for it in scope.levels if it.kind == "loop" and atom(it.atom) == by]
        if not loops or not self.prove(minus(by, poly(1)), scope.facts, True):
            return None
        if not self.prove(of, scope.facts, True):
            return None
        every = lambda it: rest(it) + [it, minus(of, it)]  # noqa: E731
        return self.level("quotient", scope, "harmonic", every, of=of, by=loops[0].atom)

    def condition(self, expr, scope):
        if not isinstance(expr, list) or expr[0] not in ("<", "<=", ">", ">="):
            return None
        left, right = self.value(expr[1], scope), self.value(expr[2], scope)
        if left is None or right is None:
            return None
        less = minus(right, left) if expr[0][0] == "<" else minus(left, right)
        return less if len(expr[0]) == 2 else minus(less, poly(1))

    # Statements.

    def block(self, body, scope):
        for it in body:
            self.statement(it, scope)

    def around(self, body, scope):
        for it in assigned(body):
            scope.set(it, None)
        return scope.copy()

    def statement(self, it, scope):
        word = it[0]
        if word == "assign":
            self.reads(it[2], scope)
            scope.set(it[1], self.value(it[2], scope))
        elif word == "store":
            self.reads(it[4], scope)
            for other in it[5]:
                self.reads(other, scope)
            self.access(it[2], it[3], it[7], scope)
            scope.set(it[6], None)
        elif word == "eval":
            for other in it[1]:
                self.reads(other, scope)
            scope.set(it[2], None)
        elif word == "for":
            before = scope.copy()
            inside = self.around(it[2], scope)
            inside.outer = None
            turn = self.enter(it[1], inside)
            inside.sure = inside.sure and it[3] is False
            if scope.nest is None:
                inside.outer = (before, inside.copy(), it[1][0], it[2], turn)
            self.block(it[2], inside)
            scope.set(it[1][0], None)
        elif word == "parallel":
            need(scope.nest is None, "a parallel loop within another's iteration")
            inside = self.around(it[2], scope)
            inside.outer = None
            outside = len(inside.levels)
            for part in it[1]:
                self.enter(part, inside)
            inside.nest = range(outside, len(inside.levels))
            self.block(it[2], inside)
            for part in it[1]:
                scope.set(part[0], None)
        elif word == "while":
            self.while_loop(While(it), scope)
        else:
            need(word == "if", "a statement that is none")
            self.reads(it[1], scope)
            for arm in (it[2], it[3]):
                inside = scope.copy()
                inside.sure = False
                self.block(arm, inside)
            for other in assigned([it]):
                scope.set(other, None)

    def reads(self, expr, scope):
        if not isinstance(expr, list) or not expr:
            return
        word = expr[0]
        if word == "get":
            self.access(expr[2], expr[3], False, scope)
        elif word in ("and", "or", "if"):
            self.reads(expr[1], scope)
            sure, scope.sure = scope.sure, False
            for other in expr[2:]:
                self.reads(other, scope)
            scope.sure = sure
        elif word == "let":
            self.reads(expr[2], scope)
            scope.set(expr[1], self.value(expr[2], scope))
            self.reads(expr[3], scope)
        elif word not in ("par", "var"):
            for other in expr[1:] if isinstance(word, str) else expr:
                self.reads(other, scope)

    def enter(self, part, scope):
        for at in (1, 2, 4):
            self.reads(part[at], scope)
        name, down, step = self.tree["scalars"][part[0]], part[3] is True, part[4]
        if step is None and scope.nest is None:
            low, high = (part[2], part[1]) if down else (part[1], part[2])
            lows = [self.must_value(it, scope, name) for it in parts(low, "max")]
            highs = [self.must_value(it, scope, name) for it in parts(high, "min")]
            value = self.level(
                name,
                scope,
                "loop",
                lambda it: [minus(it, low) for low in lows] + [minus(high, it) for high in highs],
                lows=lows,
                highs=highs,
            )
            begin = highs if down else lows
            count = plus(minus(highs[0], lows[0]), poly(1))
            turn = begin[0] if len(begin) == 1 else None, plus(value, poly(-1 if down else 1)), count
        else:
            first = self.must_value(part[1], scope, name)
            last = self.must_value(part[2], scope, name)
            step = poly(1) if step is None else self.must_value(step, scope, name)
            run = minus(first, last) if down else minus(last, first)
            if self.is_size(step):
                own, count = self.counter(name, run, step, scope), times(run, inverse(step))
            else:
                count = self.quotient(run, step, scope)
                need(count is not None, "a step that is no size")
                own = self.counter(name, count, poly(1), scope)
            at = lambda it: plus(first, times(it, step), -1 if down else 1)  # noqa: E731
            value, turn = at(own), (first, at(plus(own, poly(1))), plus(count, poly(1)))
        scope.set(part[0], value)
        return turn

    def must_value(self, expr, scope, name):
        value = self.value(expr, scope)
        need(value is not None, f"how often {name} counts is not known")
        return value

    def counter(self, name, run, step, scope):
        facts = lambda it: [it, minus(run, times(it, step))]  # noqa: E731
        high = times(run, inverse(step))
        return self.level(name, scope, "loop", facts, lows=[{}], highs=[high])

    # Loops that end when a condition says so.

    def while_loop(self, it, scope):
        self.reads(it.condition, scope)
        after = scope.copy()
        inside = self.by_number(it, after)
        if inside is None:
            after = scope.copy()
            inside = self.by_measure(it, after)
        if inside is None:
            after = scope.copy()
            for scalar in it.changed:
                after.set(scalar, None)
            inside = self.amortised(it, scope)
        need(inside is not None, "how often a while loop runs is not known")
        scope.levels, scope.facts, scope.values = after.levels, after.facts, after.values
        self.reads(it.condition, inside)
        self.block(it.body, inside)

    def by_number(self, it, scope):
        main = it.condition if it.has_one_part else it.condition[1]
        drivers = [scalar for scalar in scalars(main) if scalar in it.changed]
        if not drivers or scope.values[drivers[0]] is None:
            return None
        driver, before = drivers[0], scope.values[drivers[0]]
        for scalar in it.changed:
            scope.set(scalar, None)
        inside = it.inside(scope)
        inside.sure = inside.sure and it.has_one_part
        tried = inside.copy()
        number = self.level("while", tried, "named", lambda it: [])
        name = next(iter(atoms(number)))
        tried.set(driver, number)
        fact = self.condition(main, tried)
        if fact is None:
            return None
        tried.facts = tried.facts + [fact]
        ends = self.paths(it.body, Path(tried, {}), None)
        after = ends[0].scope.values[driver]
        if after is None or any(end.scope.values[driver] != after for end in ends):
            return None
        by = constant(minus(after, number))
        if by is not None:
            counted = inside.copy()
            self.next += 1
            own = f"while.{self.next}"
            counted.set(driver, plus(before, scale(atom(own), by)))
            fact = self.condition(main, counted)
            powers = None if fact is None else by_powers(fact, own)
            fall = constant(powers[1]) if powers is not None and len(powers) == 2 else None
            if fall is None or fall >= 0 or not self.is_size(poly(-fall)):
                return None
            own = self.counter("while", powers[0], poly(-fall), inside)
            inside.set(driver, plus(before, scale(own, by)))
        else:
            found = self.halving(before, number, name, after, fact, ends[0].scope.facts, scope)
            if found is None:
                return None
            found["first"] = None
            runs = put(fact, name, before) or {}
            if inside.sure and self.prove(runs, scope.facts, False):
                found["first"] = before
            facts = lambda it: [minus(it, poly(1)), minus(found["largest"], it)]  # noqa: E731
            own = self.level("while", inside, "halving", facts, **found)
            inside.set(driver, own)
            fact = self.condition(main, inside)
            if fact is None:
                return None
            inside.facts = inside.facts + [fact]
            inside.levels[-1].inside = len(inside.facts)
        return inside

    def halving(self, before, number, name, after, fact, facts, scope):
        powers = by_powers(fact, name)
        if powers is None or len(powers) != 2 or constant(powers[1]) is None:
            return None
        rise = constant(powers[1])
        edge = scale(powers[0], -1 / rise)
        if rise < 0:
            doubles = after == scale(number, 2)
            if not doubles or not self.prove(minus(before, poly(1)), scope.facts, True):
                return None
            found = self.between(edge, False, scope)
            if found is not None:
                found["most"] = plus(found["most"], poly(1))
                is_exact = before == poly(1) and rise == -1
                found["least"] = self.log_of_size(plus(edge, poly(1))) if is_exact else None
            return found
        if constant(edge) is None:
            return None
        stop = math.ceil(constant(edge)) - 1
        rest = minus(number, scale(after, 2))
        up = False
        if not self.prove(rest, facts, True):
            up = True
            if not self.prove(plus(rest, poly(1)), facts, True):
                return None
        if stop < int(up):
            return None
        is_slow = self.prove(minus(poly(1), rest), facts, True)
        found = self.between(before, up, scope)
        if found is not None:
            found["most"] = found["most"] if up else plus(found["most"], poly(1))
            least = self.log_of_size(before) if is_slow else None
            less = poly(ceiling_log(stop + 1))
            found["least"] = None if least is None else minus(least, less)
        return found

    def between(self, number, up, scope):
        found = self.largest(number, scope)
        return None if found is None else {"largest": found[0], "up": up, "most": found[1]}

    def largest(self, number, scope):
        """What a number is no more than, a sum of products of sizes, and ⌈log₂⌉ of that at most."""
        gone = [it.atom for it in scope.levels]
        found = self.without(number, scope.facts, scope.facts, gone, True)
        if found is None or not atoms(found) <= self.known_atoms:
            return None
        log = self.logarithm(positive(found))
        return None if log is None else (positive(found), log)

    def floor_of_log(self, of):
        """⌊log₂⌋ of a size, or of a parameter and a constant, at least: n − 8 is no less than n/2."""
        more = of.get((), Fraction(0))
        size = {monomial: it for monomial, it in of.items() if monomial}
        log = self.log_of_size(size)
        if log is None:
            return None
        is_machine = any(it[0] == "@" for it in atoms(size))
        is_fine = more >= (0 if is_machine else -FROM // 2)
        return minus(log, poly(2 if more < 0 else 1)) if is_fine else None

    def log_of_size(self, of):
        found = single(of)
        if found is None or found[1] != 1 or len(found[0]) != 1 or found[0][0][1] != 1:
            return None
        log = self.log_of.get(found[0][0][0])
        return None if log is None else atom(log)

    # Ways through a loop's body, and measures that fall on all of them.

    def paths(self, body, start, stop):
        paths = [start]
        for it in body:
            many, following = len(paths), []
            for path in paths:
                ends = self.follow(it, path, many, stop)
                if ends is None:
                    return None
                following += ends
            if stop is not None and len(following) > MOST_PATHS:
                return None
            paths = following
        return paths

    def follow(self, it, path, many, stop):
        own = changed([it])
        if it[0] == "assign":
            path.scope.set(it[1], self.value(it[2], path.scope))
        elif it[0] == "if" and (stop is not None or own and 2 * many <= MOST_PATHS):
            every = []
            for arm, holds in ((it[2], True), (it[3], False)):
                inside = path.copy()
                facts = self.facts(it[1], holds, inside.scope)
                inside.scope.facts = inside.scope.facts + facts
                ends = self.paths(arm, inside, stop)
                if ends is None:
                    return None
                every += ends
            return every
        elif stop is not None and it == stop[0]:
            now = self.measure(stop[1], path.scope)
            if now is None:
                return None
            path.grow(now)
            self.name(own, [], path.scope)
            path.start = self.measure(stop[1], path.scope)
            if path.start is None:
                return None
        else:
            for scalar in own:
                path.scope.set(scalar, None)
        return [path]

    def name(self, own, positive, scope):
        for it in own:
            facts = lambda own: [own] if it in positive else []  # noqa: B023, E731
            scope.set(it, self.level("any", scope, "named", facts))

    def measure(self, conditions, scope):
        total = {}
        for it in conditions:
            fact = self.condition(it, scope)
            total = None if fact is None or total is None else plus(total, fact)
        return total

    def facts(self, condition, holds, scope):
        if isinstance(condition, list) and condition[0] == ("and" if holds else "or"):
            left = self.facts(condition[1], holds, scope)
            return left + self.facts(condition[2], holds, scope)
        fact = self.condition(condition, scope)
        if fact is None:
            return []
        return [fact if holds else scale(plus(fact, poly(1)), -1)]

    def every(self, ends, of):
        return all(self.prove(of(value), scope.facts, True) for scope, value in ends)

    def by_measure(self, it, scope):
        before = scope.copy()
        found = self.iteration(it, before)
        if found is None:
            return None
        start, paths, positives = found
        inside = self.doubles(it, start, paths, scope)
        if inside is not None:
            for scalar in it.changed:
                scope.set(scalar, None)
            return inside
        conjuncts = parts(it.condition, "and")
        for measured in [[part] for part in conjuncts] + [conjuncts][: len(conjuncts) > 1]:
            first, now = self.measure(measured, scope), self.measure(measured, start.copy())
            if first is None or now is None:
                continue
            ends = []
            for path in paths:
                end = path.scope.copy()
                after = self.measure(measured, end)
                if after is None:
                    break
                ends.append((end, after))
            if len(ends) < len(paths):
                continue
            entered = self.halves(it, first, now, ends, scope)
            entered = entered or self.falls(it, first, now, ends, scope)
            if entered is not None:
                self.grown(it, start, paths, positives, entered[1], scope)
                return entered[0]
        return None

    def iteration(self, it, scope):
        """Where any iteration begins and may end, and numbers that are never negative."""
        positives = [
            scalar
            for scalar in it.changed
            if scope.values[scalar] is not None
            and self.prove(scope.values[scalar], scope.facts, True)
        ]
        while True:
            start = scope.copy()
            self.name(it.changed, positives, start)
            start.facts = start.facts + self.facts(it.condition, True, start)
            paths = self.paths(it.body, Path(start.copy(), {}), None)
            stay = []
            for scalar in positives:
                ends = self.ends(paths, scalar)
                if ends is not None and self.every(ends, lambda it: it):
                    stay.append(scalar)
            if stay == positives:
                return start, paths, positives
            positives = stay

    def ends(self, paths, scalar):
        ends = [(path.scope, path.scope.values[scalar]) for path in paths]
        return None if any(value is None for _, value in ends) else ends

    def falls(self, it, first, now, ends, scope):
        for least in (minus(now, ends[0][1]), poly(1)):
            fall = lambda after: minus(minus(now, after), least)  # noqa: B023, E731
            if not self.is_size(least) or not self.every(ends, fall):
                continue
            is_exact = self.every(ends, lambda after: minus(least, minus(now, after)))  # noqa: B023
            inside = it.inside(scope)
            inside.sure = inside.sure and it.has_one_part and is_exact
            self.counter("while", first, least, inside)
            return inside, plus(times(first, inverse(least)), poly(1))
        return None

    def halves(self, it, first, now, ends, scope):
        for more in (1, 2):

            def rest(after, by):
                return minus(plus(now, poly(more)), scale(plus(after, poly(more)), by))  # noqa: B023

            if not self.every(ends, lambda after: plus(rest(after, 2), poly(more - 1))):  # noqa: B023
                continue
            number = plus(first, poly(more))
            found = self.largest(number, scope)
            if found is None:
                return None
            most = plus(found[1], poly(1)) if more == 1 else found[1]
            log, least = self.floor_of_log(number), None
            for by in (2, 3, 4, 8) if log is not None else ():
                if self.every(ends, lambda after: minus(poly(by - 1), rest(after, by))):  # noqa: B023
                    less = ceiling_log(more) - (by == 2)
                    least = scale(minus(log, poly(less)), Fraction(1, ceiling_log(by)))
                    break
            return self.powers_of(it, most, least, scope), most
        return None

    def powers_of(self, it, most, least, scope):
        inside = it.inside(scope)
        inside.sure = inside.sure and it.has_one_part and least is not None
        more = {"largest": {}, "up": False, "most": most, "least": least, "first": None}
        self.level("while", inside, "halving", lambda it: [], **more)
        return inside

    def doubles(self, it, start, paths, scope):
        for scalar in it.changed:
            first, now = scope.values[scalar], start.values[scalar]
            ends = self.ends(paths, scalar)
            if first is None or now is None or ends is None:
                continue
            if not self.prove(minus(first, poly(1)), scope.facts, True):
                continue
            square = times(now, now)
            is_square = any(value == square for _, value in ends)
            is_square = is_square and self.prove(minus(first, poly(2)), scope.facts, True)
            others = [end for end in ends if not is_square or end[1] != square]
            if not self.every(others, lambda after: minus(after, scale(now, 2))):  # noqa: B023
                continue
            for part in parts(it.condition, "and"):
                fact = self.condition(part, start.copy())
                powers = None if fact is None else by_powers(fact, next(iter(atoms(now))))
                if powers is None or len(powers) != 2:
                    continue
                fall = constant(powers[1])
                if fall is None or fall >= 0 or not scope.knows(powers[0]):
                    continue
                found = self.largest(scale(powers[0], -1 / fall), scope)
                if found is not None:
                    return self.powers_of(it, plus(found[1], poly(1)), None, scope)
        return None

    def grown(self, it, start, paths, positives, count, scope):
        before = scope.copy()
        for scalar in it.changed:
            scope.set(scalar, None)
        for more in range(MOST_GROWTH + 1):
            most = plus(count, poly(more))
            if self.prove(most, before.facts, True):
                break
        else:
            return
        for scalar in positives:
            first, now = before.values[scalar], start.values[scalar]
            ends = self.ends(paths, scalar)
            if first is None or now is None or ends is None:
                continue
            for by in range(MOST_GROWTH + 1):
                growth = lambda after: minus(poly(by), minus(after, now))  # noqa: B023, E731
                if not self.every(ends, growth):
                    continue
                never_falls = self.every(ends, lambda after: minus(after, now))  # noqa: B023
                last = plus(first, scale(most, by))
                facts = lambda own: [own, minus(last, own)] + [minus(own, first)] * never_falls  # noqa: B023, E731
                scope.set(scalar, self.level("after", scope, "named", facts))
                break

    def amortised(self, it, scope):
        if scope.outer is None:
            return None
        before, inside, variable, body, (low, turn_next, turn_count) = scope.outer
        if low is None:
            return None
        own = changed(body)
        for part in parts(it.condition, "and"):
            at_first = before.copy()
            at_first.set(variable, low)
            first = self.measure([part], at_first)
            if first is None:
                continue
            start = inside.copy()
            self.name(own, [], start)
            turn = start.copy()
            now = self.measure([part], turn)
            if now is None:
                continue
            turn.facts = turn.facts + [now]
            falls = True
            for path in self.paths(it.body, Path(turn, {}), None):
                after = self.measure([part], path.scope)
                falls = falls and after is not None
                if falls:
                    less = minus(minus(now, after), poly(1))
                    falls = self.prove(less, path.scope.facts, True)
            if not falls:
                continue
            begin = self.measure([part], start)
            ends = self.paths(body, Path(start, begin), (it.whole, [part]))
            growth = self.growth(ends, variable, turn_next, [part])
            if growth is None:
                continue
            last = plus(first, scale(turn_count, growth))
            if not before.knows(last):
                continue
            counted = before.copy()
            for scalar in [variable] + own:
                counted.set(scalar, None)
            counted.sure, counted.outer = False, None
            self.counter("while", last, poly(1), counted)
            return counted
        return None

    def growth(self, ends, variable, after, measured):
        grown = []
        for path in ends or []:
            path.scope.set(variable, after)
            last = self.measure(measured, path.scope)
            if last is None:
                return None
            path.grow(last)
            grown += [(path.scope, it) for it in path.grown]
        for most in range(MOST_GROWTH + 1) if grown else ():
            if self.every(grown, lambda it: minus(poly(most), it)):  # noqa: B023
                return most
        return None

    # What an access costs.

    def access(self, array, indices, is_serial, scope):
        for it in indices:
            self.reads(it, scope)
        one, nest = poly(1), scope.nest
        if nest is None:
            every = self.over(scope.levels, scope.facts, one, True)
            self.upper = plus(self.upper, times(every, atom("@l")))
        else:
            cell = self.cell(array, indices, scope)
            steps = self.steps(scope)
            rounds = self.over(scope.levels[: nest.start], scope.facts, steps, True)
            lanes = self.over(scope.levels[: nest.stop], scope.facts, steps, True)
            by_thread, by_width = (times(lanes, atom(it, -1)) for it in ("@p", "@w"))
            waits = times(minus(atom("@l"), one), plus(by_thread, rounds))
            self.upper = plus(self.upper, waits)
            warps = plus(plus(by_width, by_thread), rounds)
            if cell is None or is_serial:
                choices = [self.over(scope.levels, scope.facts, one, True)]
            else:
                choices = self.stages(cell, scope, steps, warps, by_width)
                self.far_apart(cell, scope)
            for part in self.parts:
                if part[1] == choices:
                    part[0] += 1
                    break
            else:
                self.parts.append([1, choices])
        if scope.sure:
            requests = self.over(scope.levels, scope.facts, one, False) or {}
            chain = requests
            if nest is not None:
                chain = self.over(scope.levels, scope.facts, one, False, nest) or {}
            self.requests = plus(self.requests, requests)
            self.chain = plus(self.chain, chain)

    def cell(self, array, indices, scope):
        cell, extents = {}, self.tree["arrays"][array]
        for at, index in enumerate(indices):
            extent = self.value(extents[at], scope) if at else poly(1)
            index = self.value(index, scope)
            known = cell is not None and extent is not None and index is not None
            cell = plus(times(cell, extent), index) if known else None
        return cell

    def steps(self, scope):
        product, nest = poly(1), scope.nest
        gone = [it.atom for it in scope.levels[nest.start :]]
        outside = scope.facts[: scope.levels[nest.start].outside]
        for level in scope.levels[nest.stop :]:
            if level.kind in ("named", "harmonic"):
                continue
            most = level.most if level.kind == "halving" else None
            if most is None:
                count = plus(atom(level.atom), poly(1))
                most = self.without(count, outside, scope.facts[: level.inside], gone, True)
                need(most is not None, "how often an inner loop counts at most is not known")
            product = times(product, most)
        return product

    def lanes(self, scope):
        levels = [scope.levels[at] for at in scope.nest if scope.levels[at].kind == "loop"]
        own = scope.levels[scope.nest.start :]
        return levels, {it.atom for it in own if it.kind != "loop"}

    def stages(self, cell, scope, steps, warps, by_width):
        choices, nest = [], scope.nest
        rule = self.neighbours(cell, scope)
        if rule is not None:
            each, sweep, gaps = rule
            every = warps
            for at in gaps:
                every = plus(every, self.over(scope.levels[:at], scope.facts, steps, True))
            choices.append(plus(scale(every, each), scale(by_width, sweep)))
            if not gaps and not sweep:
                return choices
        choices.append(self.over(scope.levels, scope.facts, poly(1), True))
        stretch = self.stretch(cell, scope)
        if stretch is None:
            return choices
        weight = times(stretch, steps)
        once = self.over(scope.levels[: nest.start], scope.facts, weight, True)
        every = self.over(scope.levels[: nest.stop], scope.facts, weight, True)
        per_width, per_thread = atom("@w", -1), atom("@p", -1)
        if self.rises(cell, scope):
            choices.append(plus(times(once, per_width), scale(warps, 2)))
        each = plus(times(every, plus(per_width, per_thread)), once)
        choices.append(plus(times(each, per_width), scale(warps, 2)))
        return choices

    def stretch(self, cell, scope):
        own = scope.levels[scope.nest.start :]
        is_common = lambda at: at >= len(scope.nest) and own[at].kind == "loop"  # noqa: E731
        gone = [it.atom for at, it in enumerate(own) if not is_common(at)]
        high = self.without(cell, scope.facts, scope.facts, gone, True)
        low = None if high is None else self.without(cell, scope.facts, scope.facts, gone, False)
        if low is None:
            return None
        stretch = minus(high, low)
        is_outside = not atoms(stretch) & {it.atom for it in own}
        outside = scope.facts[: own[0].outside]
        return stretch if is_outside and self.prove(stretch, outside, True) else None

    def rises(self, cell, scope):
        levels, foreign = self.lanes(scope)
        by = slope(by_powers(cell, levels[-1].atom))
        if atoms(cell) & foreign or by is None:
            return False
        for choices in [self.turns(cell, levels, at) for at in range(len(levels) - 1)] + [[by]]:
            if not any(self.prove(it, scope.facts, True) for it in choices):
                return False
        return True

    def far_apart(self, cell, scope):
        levels, foreign = self.lanes(scope)
        if not scope.sure or not self.is_umm or atoms(cell) & foreign or len(levels) > 1:
            return
        by = slope(by_powers(cell, levels[0].atom))
        if by is None or not self.is_size(by) or constant(by) is not None:
            return
        total = self.over(scope.levels, scope.facts, poly(1), False) or {}
        key = tuple(sorted(by.items()))
        self.apart[key] = plus(self.apart.get(key, {}), total)

    def neighbours(self, cell, scope):
        levels, foreign = self.lanes(scope)
        by = slope(by_powers(cell, levels[-1].atom))
        if atoms(cell) & foreign or by is None or constant(by) is None:
            return None
        by = abs(constant(by))
        each = 2 if self.is_umm and by or by > 1 else 1
        most = 0 if self.is_umm and not by else 1
        gaps = []
        for at in range(len(levels) - 1):
            steps = self.turns(cell, levels, at)
            step = constant(steps[0]) if len(steps) == 1 else None
            if step is None or abs(step) > most or by > 1:
                gaps.append(scope.levels.index(levels[at]) + 1)
        return each, by if by > 1 else 0, gaps

    def turns(self, cell, lanes, at):
        after = plus(atom(lanes[at].atom), poly(1))
        found = [(cell, cell)]
        for level in reversed(lanes[at + 1 :]):
            one = len(level.lows) == len(level.highs) == 1
            if not one and len(lanes) != 2:
                return []
            for end in level.lows + level.highs:
                slopes = [slope(by_powers(end, it.atom)) for it in lanes]
                if any(it is None or constant(it) is None for it in slopes):
                    return []
                most = 1 if len(lanes) == 2 else 0
                if sum(1 for it in slopes if it) > most or not is_integral(end):
                    return []
            placed = []
            for first, last in found:
                for low in level.lows:
                    for high in level.highs:
                        placed.append((put(first, level.atom, low), put(last, level.atom, high)))
            if any(it is None for pair in placed for it in pair):
                return []
            found = placed
        steps = [(put(first, lanes[at].atom, after), last) for first, last in found]
        return [minus(first, last) for first, last in steps if first is not None]

    # From the sums to the claim.

    def bounds(self):
        upper = [[1, [self.upper]]] + self.parts
        lower = {
            "bandwidth": (None, times(self.requests, atom("@w", -1))),
            "threads": (None, times(times(self.requests, atom("@l")), atom("@p", -1))),
            "chain": (None, times(self.chain, atom("@l"))),
        }
        for at, (by, bound) in enumerate(sorted(self.apart.items())):
            lower[f"apart {at}"] = (dict(by), bound)
        return upper, lower

    def powers(self, value):
        need(isinstance(value, dict) and all(it in self.known_atoms for it in value))
        powers = {name: fraction(it) for name, it in value.items()}
        need(all(powers.values()))
        return powers

    def factor(self, left, right, step):
        total, factor = dict(left), 1
        need(isinstance(step.get("rows"), list))
        for row in step["rows"]:
            need(isinstance(row, list) and len(row) == 2)
            count = fraction(row[1])
            need(count > 0)
            if isinstance(row[0], str):
                need(row[0] in self.log_of)
                add(total, {row[0]: 1, self.log_of[row[0]]: -64}, count)
                factor *= 35 ** min(math.ceil(count * 64), 1 << 16)
            else:
                need(type(row[0]) is int and 0 <= row[0] < len(self.assumed))
                add(total, self.assumed[row[0]][0], count)
                add(total, self.assumed[row[0]][1], -count)
        for name, more in self.powers(step.get("slack")).items():
            need(more > 0)
            add(total, {name: 1}, more)
        need({n: p for n, p in total.items() if p} == right, "a mean is not what it says")
        return factor

    def mean(self, weights, every):
        need(isinstance(weights, list))
        total, mean = 0, {}
        for it in weights:
            need(isinstance(it, list) and len(it) == 2)
            weight = fraction(it[1])
            need(weight > 0 and type(it[0]) is int and 0 <= it[0] < len(every))
            add(mean, every[it[0]], weight)
            total += weight
        need(total == 1)
        return {name: power for name, power in mean.items() if power}

    def above(self, proofs):
        need(isinstance(proofs, list) and len(proofs) == len(self.up))
        total = Fraction(0)
        for (count, sums), proof in zip(self.up, proofs):
            need(isinstance(proof, list) and len(proof) == 2 and proof[0])
            picks, most = [[]], Fraction(0)
            for at in proof[0]:
                need(type(at) is int and 0 <= at < len(sums))
                positive = [(m, it) for m, it in ordered(sums[at]) if it > 0]
                most = max(most, sum((it for _, it in positive), Fraction(0)))
                picks = [pick + [exact(m)] for pick in picks for m, _ in positive]
            need(isinstance(proof[1], list) and len(proof[1]) == len(picks))
            factor = Fraction(0)
            for pick, step in zip(picks, proof[1]):
                need(isinstance(step, dict) and len(step) == 4)
                left = self.mean(step.get("of"), pick)
                right = self.mean(step.get("below"), self.terms)
                factor = max(factor, self.factor(left, right, step))
            total += count * most * factor
        return total

    def held(self, of):
        need(isinstance(of, list) and len(of) == 4 and of[0] in self.low)
        apart, bound = self.low[of[0]]
        monomial, coefficient = monomial_of(of[1]), fraction(of[2])
        need(coefficient > 0)
        self.must(minus(bound, {monomial: coefficient}), [], of[3], False)
        return exact(monomial), coefficient, apart

    def below(self, steps):
        need(isinstance(steps, list) and len(steps) == len(self.terms))
        found = []
        for term, step in zip(self.terms, steps):
            need(isinstance(step, dict) and len(step) == 3 and isinstance(step.get("bounds"), list))
            held, least = [], []
            for part in step["bounds"]:
                need(isinstance(part, list) and len(part) in (5, 6))
                monomial, coefficient, apart = self.held(part[1:5])
                need((apart is None) == (len(part) == 5))
                if apart is not None:
                    # What is assumed says that w is no more than a product of sizes.
                    need(single(apart) is not None and single(apart)[1] >= 1)
                    need(isinstance(part[5], dict) and len(part[5]) == 2)
                    by = exact(single(apart)[0])
                    need(self.factor({"@w": Fraction(1)}, by, part[5]) == 1)
                held.append(monomial)
                least.append(coefficient)
            weights = [[at, part[0]] for at, part in enumerate(step["bounds"])]
            found.append(min(least) / self.factor(term, self.mean(weights, held), step))
        return min(found) / len(self.terms)

    def speed(self, powers, direction):
        plain, logs = Fraction(0), Fraction(0)
        for size, log in self.sizes:
            if size in direction:
                plain += powers.get(size, 0) * direction[size]
                logs += powers.get(log, 0)
        return plain, logs

    def direction(self, value):
        direction = self.powers(value)
        need(all(it in self.log_of and by > 0 for it, by in direction.items()))
        for more, less in self.assumed:
            need(self.speed(more, direction) >= self.speed(less, direction))
        return direction

    def refuted(self, of, above):
        need(isinstance(of, dict) and len(of) == 3)
        direction = self.direction(of.get("direction"))
        if above:
            monomial, _, apart = self.held(of.get("bound"))
            own = self.speed(monomial, direction)
            if apart is not None:
                need(single(apart) is not None)
                fast = self.speed(exact(single(apart)[0]), direction)
                need(fast > self.speed({"@w": 1}, direction))
            need(all(self.speed(it, direction) < own for it in self.terms))
            self.speeds([monomial] + self.terms, direction, of)
            return
        need(all(size[0] == "@" or size in direction for size, _ in self.sizes))
        at = of.get("term")
        need(type(at) is int and 0 <= at < len(self.terms))
        own = self.speed(self.terms[at], direction)
        for _, sums in self.up:
            slower = lambda m: self.speed(exact(m), direction) < own  # noqa: E731
            need(any(all(slower(m) for m, it in total.items() if it > 0) for total in sums))
        every = [total for _, sums in self.up for total in sums]
        positive = [exact(m) for total in every for m, it in ordered(total) if it > 0]
        self.speeds([self.terms[at]] + positive, direction, of)

    def speeds(self, every, direction, of):
        need(of["speeds"] == [str(self.speed(it, direction)[0]) for it in every])

    def claim(self, claim):
        self.up, self.low = self.bounds()
        if claim is None:
            return "bounds", None, None
        need(isinstance(claim, dict) and len(claim) == 3)
        need(claim["relation"] in ("O", "Ω", "Θ") and claim["terms"])
        self.terms = [self.powers(it) for it in claim["terms"]]
        need(all(len(it) == 2 for it in claim["assumed"]))
        self.assumed = [[self.powers(it) for it in pair] for pair in claim["assumed"]]
        constants = {True: None, False: None}
        for above in (True, False):
            if claim["relation"] == ("Ω" if above else "O"):
                continue
            answer = self.answer()
            need(isinstance(answer, dict) and len(answer) == 1)
            if "refuted" in answer:
                self.refuted(answer["refuted"], above)
                return "refuted", constants[True], None
            proofs = answer.get("proved")
            constants[above] = self.above(proofs) if above else self.below(proofs)
        return "proved", constants[True], constants[False]

    def check(self, certificate):
        self.block(self.tree["body"], Scope([None] * len(self.tree["scalars"])))
        verdict, above, below = self.claim(certificate["claim"])
        need(self.at == len(self.answers), "it has too many steps")
        states = certificate["states"]
        need(isinstance(states, dict) and len(states) == 5)
        text = lambda it: None if it is None else str(it)  # noqa: E731
        need(states["verdict"] == verdict, "it states another verdict")
        need(states["above"] == text(above) and states["below"] == text(below))
        need(len(states["upper"]) == len(self.up) and len(states["lower"]) == len(self.low))
        for (count, sums), written in zip(self.up, states["upper"]):
            need(written[0] == count and len(written) == 2 and len(written[1]) == len(sums))
            need(all(same(it, w) for it, w in zip(sums, written[1])))
        for rule, (apart, bound) in self.low.items():
            written = states["lower"].get(rule)
            need(isinstance(written, list) and len(written) == 2 and same(bound, written[1]))
            need(written[0] is None if apart is None else same(apart, written[0]))
        return verdict


def add(total, powers, count):
    for name, power in powers.items():
        total[name] = total.get(name, 0) + power * count


def exact(monomial):
    return {name: Fraction(power) for name, power in monomial}


def ordered(of):
    """Its terms, in the order in which they are written: by atoms, then powers."""
    return sorted(of.items())


def verify(certificate):
    """What a certificate proves: `proved`, `refuted` or `bounds`; raises `Refused`."""
    try:
        return Checker(certificate).check(certificate)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise Refused(f"it is not written as it should be: {error}") from error


def main(paths):
    """Checks files of certificates, one a line."""
    if not paths:
        sys.exit("usage: python umm_verify.py CERTIFICATES.jsonl …")
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(filter(str.strip, file), 1):
                certificate = json.loads(line)
                try:
                    verdict = verify(certificate)
                except Refused as why:
                    sys.exit(f"{path}:{number}: REFUSED: {why}")
                print(f"{path}:{number}: {certificate['listing']}: {verdict}")


if __name__ == "__main__":
    main(sys.argv[1:])
