"""Claims, graphs, derived bounds, traces, chains and trees: what the command line says of them."""

import json
import subprocess

import pytest
from test_listings import UMM

import memory_machine as mm


def umm(*words, fails=0, stdin=None):
    found = subprocess.run([UMM, *words], capture_output=True, text=True, input=stdin)
    assert found.returncode == fails, found.stderr
    return found.stdout


@pytest.mark.parametrize(
    ("bound", "where", "verdict"),
    [
        ("n^3/w + n^3*l/p + n*l", "", "proved"),
        ("Θ(n^3/w + n^3*l/p + n*l)", "p <= n", "proved"),
        ("n^2", "", "refuted"),
    ],
)
def test_a_claim_is_judged_as_on_the_command_line(bound, where, verdict):
    found = mm.complexity("umm_opt", bound=bound, where=where)
    words = ["complexity", "umm_opt", "--bound", bound, *(["--where", where] if where else []), "--json"]
    assert found.report == json.loads(umm(*words, fails=int(verdict == "refuted")))
    assert found.verdict == verdict and bool(found.proof) == (verdict == "proved")
    assert bool(found.witness) == (verdict == "refuted")
    assert bound in repr(found) or verdict in repr(found)


def test_times_are_fitted_as_on_the_command_line():
    # Of one number of threads, as rows stand in another order where there are several.
    grid = ["--set", "n=16..512*2", "-p", "64", "-w", "4,32", "-l", "1,100"]
    found = mm.complexity("umm_opt", n="16..512*2", p=64, w=[4, 32], l=[1, 100])
    assert found.report == json.loads(umm("complexity", "umm_opt", *grid, "--json"))
    assert found.r2 > 0.9 and "n^3/w" in found.formula
    terms = ["n/w", "n*l/p", "log2(n)*l"]
    own = mm.complexity("sum", n="16..65536*2", terms=terms)
    words = ["complexity", "sum", "--set", "n=16..65536*2", "--terms", ", ".join(terms), "--json"]
    assert own.report == json.loads(umm(*words))
    page = own._repr_html_()
    assert "n*l/p" in page and page.count("<tr>") == 4


def test_both_at_once():
    found = mm.complexity("transpose", n=[16, 32, 64, 128], bound="n^2 + n^2*l/p + l", where=["w <= n"])
    words = ["--set", "n=16,32,64,128", "--bound", "n^2 + n^2*l/p + l", "--where", "w <= n"]
    assert found.report == json.loads(umm("complexity", "transpose", *words, "--json"))
    assert found.verdict == "proved" and found.terms


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"n": [4, 8], "growing": "k"}, 'growing="k"'),
        ({"bound": "n +"}, "bound:"),
        ({"where": "p <= n"}, "give the claim"),
        ({"bound": "n", "where": "p"}, "where: `p` compares nothing"),
        ({"n": 4, "terms": "n"}, "terms:"),
    ],
)
def test_what_is_wrong_with_a_claim_is_said(asked, why):
    with pytest.raises(mm.Error) as error:
        mm.complexity("sum", **asked)
    assert why in str(error.value)


def test_a_graph_is_that_of_the_command_line(tmp_path):
    listing = mm.Listing.load("umm_opt")
    graph = listing.graph(n=8)
    assert graph.report == json.loads(umm("graph", "umm_opt", "--set", "n=8", "--json"))
    assert graph.depth == len(graph.chain)
    svg, dot, layers = (tmp_path / name for name in ("g.svg", "g.dot", "l.svg"))
    for path, more in ((svg, []), (dot, []), (layers, ["--layers", "1..8"])):
        umm("graph", "umm_opt", "--set", "n=8", "-o", str(path), *more)
    assert graph.svg == svg.read_text() and graph.dot == dot.read_text()
    assert graph.layers(1, 8).svg == layers.read_text()
    for first, last in ((0, 3), (5, 3), (99, 100)):
        with pytest.raises(mm.Error, match="give the first and the last depth"):
            graph.layers(first, last)
    # Too large to be read: no picture, but all the rest.
    large = listing.graph(n=64)
    assert large._repr_svg_() is None and large.depth > graph.depth


def test_growth_of_the_depth():
    growth = mm.Listing.load("sum").graph(n=8, growth=True)
    words = ["graph", "sum", "--set", "n=8", "--growth", "--json"]
    assert growth.report == json.loads(umm(*words))
    assert growth.growth == growth.report["growth"]["formula"] is not None
    with pytest.raises(mm.Error, match="has a parameter n and no inputs"):
        mm.Listing.load("sum").graph(growth=True, inputs={"a": [1.0, 2.0]})


def test_derived_bounds_are_those_of_the_command_line():
    for name, asked, words in (
        ("umm_opt", {}, []),
        ("transpose_padded", {"machine": "hmm"}, ["-m", "hmm"]),
        ("prefix_sums", {"bulk": "column", "n": 8}, ["--bulk", "column", "--set", "n=8"]),
        ("sum", {"latex": True}, ["--latex"]),
    ):
        derived = mm.Listing.load(name).derive(**asked)
        line = ["bounds", name, *words, "--derive"]
        assert derived.report == json.loads(umm(*line, "--json"))
        # The command line breaks long lines.
        assert str(derived) == repr(derived)
        assert str(derived).split() == umm(*line).split()
    assert set(derived.order) == {"upper", "lower"}


def test_a_trace_is_timed_as_on_the_command_line(tmp_path):
    trace = mm.Listing.load("sum").trace(n=64, p=16, w=4)
    for asked, words in (
        ({"w": 4, "l": 5}, ["-w", "4", "-l", "5"]),
        ({"w": 4, "machine": "dmm", "mode": "async"}, ["-w", "4", "-m", "dmm", "--mode", "async"]),
    ):
        found = mm.replay(trace, **asked)
        assert found.report == json.loads(umm("replay", "-", *words, "--json", stdin=trace))
    assert mm.replay(trace, w=4, l=5).time == mm.run("sum", n=64, p=16, w=4, l=5).time
    path = tmp_path / "sum.trace"
    path.write_text(trace)
    assert mm.replay(path, w=4).time == mm.replay(str(path), w=4).time == mm.replay(trace, w=4).time
    with pytest.raises(mm.Error, match="trace:2:1"):
        mm.replay("threads 8\nX 1\n")
    with pytest.raises(mm.Error, match='machine="hmm"'):
        mm.replay(mm.Listing.load("sum_hmm").trace(n=64))


def test_chains_and_trees_are_those_of_the_command_line(tmp_path):
    dimensions = [30, 35, 15, 5, 10, 20, 25]
    found, picture = mm.opt.matrix_chain(dimensions), tmp_path / "t.svg"
    report = json.loads(
        umm("opt", "matrix-chain", *map(str, dimensions), "--json", "--tree", str(picture))
    )
    assert (found.multiplications, found.order) == (report["multiplications"], report["order"])
    assert found.svg.count("<") == picture.read_text().count("<") and "A1..3" in found.svg
    keys, gaps = [0.15, 0.10, 0.05, 0.10, 0.20], [0.05, 0.10, 0.05, 0.05, 0.05, 0.10]
    tree = mm.opt.search_tree(keys, gaps)
    words = ["-p", ",".join(map(str, keys)), "-q", ",".join(map(str, gaps))]
    report = json.loads(umm("opt", "search-tree", *words, "--json", "--tree", str(picture)))
    assert (tree.cost, tree.parents, tree.tree) == (report["cost"], report["parents"], report["tree"])
    assert tree.root == report["root"] and tree.svg == picture.read_text()
    assert mm.opt.search_tree([1, 2]).cost == json.loads(
        umm("opt", "search-tree", "-p", "1,2", "--json")
    )["cost"]
    long = mm.opt.matrix_chain([1 + i % 7 for i in range(400)])
    assert long._repr_svg_() is None
    with pytest.raises(mm.Error, match="2 to 150 matrices"):
        long.svg
    for wrong, why in (([3], "are no chain"), ([3, 0], "p_1 is 0"), ([[1, 2]], "one dimension")):
        with pytest.raises(mm.Error, match=why):
            mm.opt.matrix_chain(wrong)
    with pytest.raises(mm.Error, match="gaps"):
        mm.opt.search_tree([1, 2], [1])
