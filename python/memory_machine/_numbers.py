"""Numbers that are given: nothing is rounded, cut or lost in silence."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._native import Error

#: The largest that a machine may have: larger ones could overflow times.
LARGEST = 2**48


def whole(name: str, value: Any, least: int = -(2**63), most: int = 2**63 - 1) -> int:
    """A whole number of a range: an integer, or a float such as 64.0."""
    try:
        number = operator.index(value)
    except TypeError:
        is_whole = isinstance(value, (float, np.floating)) and float(value).is_integer()
        if not is_whole:
            raise Error(f"{name}={value!r}: it is a whole number, as in {name}=64") from None
        number = int(value)
    if not least <= number <= most:
        raise Error(f"{name}={value!r}: it is a whole number from {least} to {most}")
    return number


def optional(name: str, value: Any, least: int, most: int) -> int | None:
    """The same of one that may be left out."""
    return None if value is None else whole(name, value, least, most)


def converted(what: str, value: Any, dtype: Any) -> np.ndarray:
    """An array in a type that may be narrower; a number that it does not hold is an error.

    Floats are rounded to nearest, as wherever a number is stored as a float.
    """
    array = value if isinstance(value, np.ndarray) else np.asarray(value)
    if np.ma.is_masked(array):
        index = tuple(np.argwhere(np.ma.getmaskarray(array))[0])
        raise Error(f"{_cell(what, index)} is masked, so that it has no value; fill it: .filled(0)")
    array, dtype = np.asarray(array), np.dtype(dtype)
    if array.dtype == dtype:
        return array
    if array.size == 0:
        return array.astype(dtype)
    if array.dtype == object:
        array = _of_objects(what, array)
    if array.dtype.kind not in "biuf":
        raise Error(f"{what} holds {array.dtype}, where {dtype} is asked for; give real numbers")
    with np.errstate(all="ignore"):
        numbers = array.astype(dtype)
    wrong = ~_is_kept(array, numbers)
    if wrong.any():
        index = tuple(np.argwhere(wrong)[0])
        raise Error(f"{_cell(what, index)} = {array[index]!s} {_why(array[index], dtype)}")
    return numbers


def _is_kept(given: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Where numbers are what was given."""
    kind = numbers.dtype.kind
    if kind == "f":
        kept: np.ndarray = np.isfinite(numbers) == np.isfinite(given)
    elif kind == "b":
        kept = (given == 0) | (given == 1)
    elif given.dtype.kind == "f":
        info = np.iinfo(numbers.dtype)
        # Both ends are powers of two, which floats hold.
        within = (given >= float(info.min)) & (given < float(info.max // 2 + 1) * 2)
        kept = within & (given == np.trunc(given))
    else:
        kept = (numbers.astype(given.dtype) == given) & ((numbers < 0) == (given < 0))
    return kept


def _of_objects(what: str, array: np.ndarray) -> np.ndarray:
    """Python's own numbers, which numpy had no type for: integers beyond 64 bits, and mixtures."""
    try:
        if any(it is None for it in array.flat):
            raise TypeError("None")
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise Error(f"{what} holds what is no number ({error}); give real numbers") from None


def _cell(what: str, index: tuple[Any, ...]) -> str:
    return f"{what}[{', '.join(str(int(it)) for it in index)}]" if index else what


def _why(value: Any, dtype: np.dtype) -> str:
    if dtype.kind == "f":
        largest = np.finfo(dtype).max
        return f"does not fit {dtype}, whose largest is {largest!s}: rescale it, or take a wider type"
    if dtype.kind == "b":
        return "is no bool: give 0 or 1, or take another type"
    if isinstance(value, np.floating) and not float(value).is_integer():
        return f"is no {dtype}: round it, or take a type of floats"
    info = np.iinfo(dtype)
    return f"does not fit {dtype}, which goes from {info.min} to {info.max}: take a wider type"
