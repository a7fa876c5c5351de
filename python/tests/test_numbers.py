"""Numbers that are given: what a type does not hold is an error, and never another number."""

import numpy as np
import pytest

import memory_machine as mm

COPY = """algorithm copy(n, m)
input a[n, m] : {0}
output b[n, m] : {0}
for i <- 0 to n-1 do in parallel
  for j <- 0 to m-1 do in parallel
    b[i, j] <- a[i, j]
"""


def copied(dtype, value):
    return mm.Listing(COPY.format(dtype)).run(inputs={"a": value}, w=4, l=5, p=8)["b"]


@pytest.mark.parametrize(
    ("dtype", "value", "why"),
    [
        ("f32", [[1.0, 2.0], [3.0, 1e300]], "a[1, 1] = 1e+300 does not fit float32"),
        ("f32", [[-1e39]], "rescale it, or take a wider type"),
        ("f32", np.array([[1e39]], dtype=np.longdouble), "does not fit float32"),
        ("i32", [[0, 2**31]], "a[0, 1] = 2147483648 does not fit int32"),
        ("i32", [[0.5]], "a[0, 0] = 0.5 is no int32: round it"),
        ("i32", [[np.nan]], "a[0, 0] = nan is no int32"),
        ("i64", [[np.inf]], "a[0, 0] = inf is no int64"),
        ("i64", [[2.0**63]], "does not fit int64"),
        ("u64", [[2.0**64]], "does not fit uint64"),
        ("u64", [[-1]], "a[0, 0] = -1 does not fit uint64"),
        ("i64", np.array([[2**63]], dtype=np.uint64), "does not fit int64"),
        ("u8", [[256]], "does not fit uint8, which goes from 0 to 255"),
        ("bool", [[2]], "a[0, 0] = 2 is no bool"),
        ("f64", [[1j]], "holds complex128"),
        ("f32", [["1.5"]], "holds <U3"),
        ("f32", [[None]], "holds what is no number"),
        ("i32", [[10**30]], "does not fit int32"),
        ("f32", np.ma.masked_array([[1.0, 2.0]], [[False, True]]), "a[0, 1] is masked"),
    ],
)
def test_what_a_type_does_not_hold_is_said(dtype, value, why):
    with pytest.raises(mm.Error) as error:
        copied(dtype, value)
    assert str(error.value).startswith("inputs: a") and why in str(error.value)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("f32", [[np.inf, -np.inf, np.nan]]),
        ("f32", [[0.1, 1e-30, float(np.finfo(np.float32).max)]]),
        ("f64", [[2**53, -(2**63)]]),
        ("i64", [[-(2.0**63), 2.0**62]]),
        ("i8", [[-128.0, 127.0]]),
        ("u64", [[2**64 - 1]]),
        ("bool", [[0.0, True]]),
    ],
)
def test_what_a_type_holds_goes_in(dtype, value):
    np.testing.assert_array_equal(copied(dtype, value), np.asarray(value).astype(copied(dtype, value).dtype))


def test_points_and_weights_are_not_cut():
    for call in (
        lambda: mm.hull([[0, 1j]]),
        lambda: mm.greedy(np.array([["0", "1"]])),
        lambda: mm.opt.solve(weights=[[1j]]),
        lambda: mm.opt.matrix_chain([2, 3.5]),
        lambda: mm.opt.matrix_chain([2, -3]),
        lambda: mm.opt.search_tree(np.ma.masked_array([1.0], [True])),
    ):
        with pytest.raises(mm.Error):
            call()


def test_whole_floats_are_whole_numbers():
    expected = mm.run("sum", n=64, p=16).time
    assert mm.run("sum", n=64.0, p=16.0).time == expected
    assert mm.run("sum", n=np.float32(64), p=np.int8(16)).time == expected
    assert [row["n"] for row in mm.sweep("sum", n=[4.0, 8]).to_dict("records")] == [4, 8]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"n": 64.5}, "n=64.5: it is a whole number, as in n=64"),
        ({"n": "64"}, "n='64': it is a whole number"),
        ({"n": float("nan")}, "n=nan: it is a whole number"),
        ({"n": 2**70}, "n=1180591620717411303424: it is a whole number from"),
        ({"n": 4, "p": -1}, "p=-1: it is a whole number from 1 to"),
        ({"n": 4, "w": 0}, "w=0: it is a whole number from 1 to 281474976710656"),
        ({"n": 4, "l": 2**60}, "l=1152921504606846976: it is a whole number from 1"),
        ({"n": 4, "seed": -1}, "seed=-1"),
        ({"n": 4, "machine": "hmm", "resident": 0}, "resident=0"),
    ],
)
def test_no_whole_number_is_said(asked, why):
    with pytest.raises(mm.Error) as error:
        mm.run("sum", **asked)
    assert why in str(error.value)
