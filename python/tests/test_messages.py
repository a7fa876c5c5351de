"""Messages are in Python's words: arguments, no flags of the command line."""

import re

import pytest

import memory_machine as mm

LOOP = """algorithm looped(n)
inout a[n] : i32
i <- 0
while i < n do
  i <- i + a[0] - a[0]
"""

OF_FILE = """algorithm of_file(n)
output a[n] : i32
reference other.alg
ensures a = reference.a

a[0] <- 1
"""

ON_DMMS = mm.Listing.load("sum_hmm")


def parallel():
    return mm.Listing.load("sum")


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: parallel().run(n=4, bulk="row"), "leave out bulk, or drop `in parallel`"),
        (lambda: parallel().run(n=4, inputs={"a": [1, 2]}), "change the sizes"),
        (lambda: parallel().run(n=4, inputs={"b": "paper"}), 'inputs["b"]=paper: `sum`'),
        (lambda: parallel().run(), "give it: n=16"),
        (lambda: ON_DMMS.run(n=64), 'machine="hmm", with d DMMs'),
        (lambda: mm.Listing(LOOP).run(n=4, while_limit=10), "raise while_limit if it is meant to"),
        (lambda: mm.Listing(LOOP).run(n=4, limit="1e3"), "stopped at the limit of 1000 operations"),
        (lambda: mm.Listing(LOOP).check(n=4, limit="1 d"), "limit=\"1 d\": write a time"),
        (lambda: mm.Listing(OF_FILE).run(n=4, files=False), "may read no file (files=False)"),
        (lambda: parallel().cuda(launch="cooperative", bulk="row", n=4), "bulk"),
        (lambda: mm.sweep("sum", n=4, d=2), "leave out d, shared_latency and resident"),
        (lambda: mm.sweep("sum", m=4), "m=4: no listing has such a parameter"),
        (lambda: mm.sweep("sum"), "give it: n=16,32"),
        (lambda: mm.run("som", n=4), "see memory_machine.listings()"),
        (lambda: mm.complexity("sum", n=[4, 8], terms="n/x"), "terms: `n/x` names `x`"),
        (lambda: mm.complexity("sum", n=4, terms="n, l"), "give more values (the sizes, p, w, l)"),
        (lambda: mm.complexity("sum", bound="k"), "bound: `sum` has no `k`"),
        (lambda: mm.plot.cells("umm_opt", n=8, phase="Z"), 'phase="Z"'),
        (lambda: mm.plot.heat("plots/none.csv"), "plots/none.csv"),
        (lambda: mm.sweep("sum", n=4, p="4..2"), "p: `4..2` is empty: 4 is more than 2; give one value"),
        (lambda: mm.sweep("sum", n=4, w=0), "w: width w must be at least 1"),
        (lambda: mm.sweep("sum", n="4..x"), "`n`: `x` is no whole number"),
        (lambda: mm.sweep("sum", n=4, mode="fast"), "`mode`: `fast` is none of sync, async"),
        (lambda: parallel().run(n=4, mode="fast"), "mode: `fast` is none of sync, async"),
        (lambda: parallel().predict(n=4, launch="grph"), "launch: `grph` is none of plain, graph"),
        (lambda: parallel().explain(n=10**6), "too large a picture; explain a smaller run"),
        (lambda: parallel().run(n=4, inputs=[1, 2, 3, 4]), "inputs=[1, 2, 3, 4]: give a dict"),
    ],
)
def test_messages_name_arguments(call, why):
    with pytest.raises(mm.Error) as error:
        call()
    message = str(error.value)
    assert why in message
    assert not re.search(r"(^|[ (`])-{1,2}[a-z]", message), message


def test_the_listing_in_a_message_stays_as_it_is():
    with pytest.raises(mm.Error) as error:
        mm.Listing("algorithm f(n, p)\noutput b[n] : i32\nb[n -p ] <- c\n")
    assert "3 | b[n -p ] <- c" in str(error.value)


def test_a_run_is_shown_by_arguments():
    run = mm.run("sum", n=64, p=16, mode="async", machine="dmm")
    assert 'sum n=64 machine="dmm" w=32 l=100 p=16 mode="async"' in repr(run)
