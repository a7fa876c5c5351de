"""What is asked of a run: sizes, inputs, machine; as the library takes it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _native
from ._numbers import LARGEST, converted, optional, whole


def machine_of(
    *,
    machine: str | None = None,
    w: int | None = None,
    l: int | None = None,
    d: int | None = None,
    shared_latency: int | None = None,
    resident: int | None = None,
    model: str | os.PathLike[str] | None = None,
    rules: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A machine; `rules` are parameters of one of courses."""
    return {
        "machine": machine,
        "w": optional("w", w, 1, LARGEST),
        "l": optional("l", l, 1, LARGEST),
        "d": optional("d", d, 1, LARGEST),
        "shared_latency": optional("shared_latency", shared_latency, 1, LARGEST),
        "resident": optional("resident", resident, 1, LARGEST),
        "model": None if model is None else os.fspath(model),
        "rules": {name: rule(value) for name, value in (rules or {}).items()},
    }


def rule(value: Any) -> str:
    """A parameter as the command line has it: a list's members with commas between."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(map(rule, value))
    return str(value)


def rules_of(
    native: _native.Listing,
    machine: str | None,
    sizes: Mapping[str, Any],
    given: Mapping[str, Any] | None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters of a machine of courses, given or among the sizes that the listing lacks; other sizes."""
    known = None if machine is None else _native.rules(machine)
    if known is None:
        if given:
            name = next(iter(given))
            raise _native.Error(
                f"rules: {name!r}: memory machines have w, l and d; say machine=\"bsp\", or another"
            )
        return {}, dict(sizes)
    parameters = {name for name, _ in native.parameters}
    rules = {name: it for name, it in sizes.items() if name in known and name not in parameters}
    rest = {name: it for name, it in sizes.items() if name not in rules}
    return {**rules, **(given or {})}, rest


def setting_of(
    native: _native.Listing,
    sizes: Mapping[str, Any],
    *,
    given: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    machine: Mapping[str, Any] | None = None,
    p: int = 1024,
    mode: str = "sync",
    bulk: str | None = None,
    seed: int = 1,
    while_limit: int | None = None,
    limit: str | Sequence[str] = (),
    files: bool = True,
) -> dict[str, Any]:
    """All that is asked; `given` are sizes whose names are those of arguments."""
    for name, value in (("set", given), ("inputs", inputs)):
        if not isinstance(value, (Mapping, type(None))):
            raise _native.Error(f"{name}={value!r}: give a dict, as in {name}={{'a': …}}")
    sizes = {**sizes, **(given or {})}
    reals = [name for name, _ in native.reals]
    known = [name for name, _ in native.parameters] + reals
    for name, value in sizes.items():
        if name not in known:
            raise _native.Error(
                f"{name}={value!r}: `{native.name}` has no such parameter (its parameters: "
                f"{', '.join(known) or 'none'}), and this question has no such argument"
            )
    types = {name: dtype for name, dtype, _, _ in native.arrays}
    return {
        "set": {name: whole(name, value) for name, value in sizes.items() if name not in reals},
        "reals": {name: _real(name, sizes[name]) for name in reals if name in sizes},
        "inputs": {name: _input(types, name, value) for name, value in (inputs or {}).items()},
        "machine": dict(machine or machine_of()),
        "p": whole("p", p, 1, LARGEST),
        "mode": mode,
        "bulk": bulk,
        "seed": whole("seed", seed, 0, 2**64 - 1),
        "while_limit": optional("while_limit", while_limit, 0, 2**64 - 1),
        "limit": [limit] if isinstance(limit, str) else list(limit),
        "files": files,
    }


def _real(name: str, value: Any) -> float:
    """The value of a parameter that is a real number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise _native.Error(f"{name}={value!r}: give a number") from None


def _input(types: Mapping[str, str], name: str, value: Any) -> Any:
    """A source, or numbers in the array's own type."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, str) or name not in types:
        return value
    # A float16 is rounded by way of a float32, as the language has it.
    dtype = "float32" if types[name] == "float16" else types[name]
    return converted(f"inputs: {name}", value, dtype)
