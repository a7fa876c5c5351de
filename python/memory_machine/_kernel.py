"""Kernels from outside: CUDA C, PTX and machine code, launched on numpy's arrays without a GPU."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._kernel_run import KernelRun, place_of
from ._native import Error
from ._numbers import optional, whole

#: A number or a structure's bytes, an array, a texture, or what the command line has, as "random:f32[1000]".
Given = Any


class Texture:
    """An array that a kernel looks up as a texture; its last extent is x.

    Parameters
    ----------
    array : numpy array
    words : str
        How it is looked up, as `umm kernel` has it: ``"linear"``, ``"wrap"``, ``"normalized"``,
        ``"border=0.5"``, ``"fraction"``, ``"layered"``, ``"channels=4"`` (the last extent then).
    """

    _kind = "texture"

    def __init__(self, array: np.ndarray, *words: str):
        self.array = np.asarray(array)
        self.words = words

    def _native(self, name: str) -> Any:
        channels = any(it in ("channels=2", "channels=4") for it in self.words)
        shape = self.array.shape[:-1] if channels else self.array.shape
        extents = "extents=" + "x".join(map(str, shape))
        return ",".join((self._kind, *self.words, extents)), _native_argument(name, self.array)


class Surface(Texture):
    """An array that a kernel reads and writes as a surface; words are `layered` and `channels=`."""

    _kind = "surface"


class TensorMap(Texture):
    """A `CUtensorMap` of an array, of which a kernel copies boxes; neighbours are along the last axis.

    Parameters
    ----------
    array : numpy array
    box : sequence of int
        Elements along each axis.
    swizzle : int
        Bytes of the pattern in shared memory: 0, 32, 64 or 128.
    """

    _kind = "tensor"

    def __init__(self, array: np.ndarray, box: Sequence[int], swizzle: int = 0):
        super().__init__(array, "box=" + "x".join(map(str, box)), f"swizzle={swizzle}")


class Kernel:
    """A kernel, as machine code for sm_90. `memory_machine.kernel` makes one.

    Attributes
    ----------
    name, mangled : str
        As the source and as the compiler call it.
    parameters : list of dict
        Of each parameter `name` and `type` (`None` where nobody says them), `array`, `bytes`,
        and of a structure its `members`.
    block : int or None
        Threads of a block, if the code says them.

    Examples
    --------
    >>> double = kernel('''extern "C" __global__ void twice(float *x, int n) {
    ...     int i = blockIdx.x * blockDim.x + threadIdx.x;
    ...     if (i < n) x[i] *= 2;
    ... }''')
    >>> x = np.ones(1000, np.float32)
    >>> run = double[4, 256](x, 1000)
    >>> float(x.sum()), run.findings
    (2000.0, [])
    """

    def __init__(
        self, native: _native.Kernel, *, block: int | None = None, shared: int = 0, hidden: int = 0
    ):
        self._native = native
        self._shared = shared
        self._hidden = hidden
        self.block = block
        self.name: str = native.name
        self.mangled: str = native.mangled

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """Of each parameter `name` and `type` (`None` where nobody says them), `array`, `bytes`; of a
        structure `members`, likewise."""

        def said(name: str | None, known: _native.KnownType) -> dict[str, Any]:
            return {"name": name, **dict(zip(("type", "array", "bytes"), known))}

        all = [
            {**said(name, known), "members": [said(*it) for it in members]}
            for name, known, members in self._native.parameters
        ]
        return all[: len(all) - self._hidden]

    def __getitem__(self, launch: Any) -> Launch:
        """`kernel[grid, block]` or `kernel[grid, block, shared]`, of which a call is a launch."""
        return Launch(self, *_launch_of(launch, self.block))

    def run(
        self,
        args: Sequence[Given] | Mapping[str, Given] = (),
        *,
        grid: int | Sequence[int] = 1,
        block: int | Sequence[int] | None = None,
        shared: int = 0,
        constants: Mapping[str, Given] | None = None,
        seed: int = 0,
        sample: int | None = None,
        limit: str | Sequence[str] = (),
        unchecked: bool = False,
    ) -> KernelRun:
        """Executes a launch, and writes what it leaves into the arrays that it was given.

        Parameters
        ----------
        args : sequence, or dict by name or place
            Numbers; arrays, contiguous and of the type that the kernel declares; arrays as
            `Texture`, `Surface` or `TensorMap`; of a structure a dict of its members (whose values are such, too), a
            tuple of its numbers, or `bytes`; `None` for a null pointer; or texts such as
            ``"random:f32[1000]"`` and files.
        grid, block : int, or up to three of them
            Blocks, and threads of each (32 if left out).
        shared : int
            Bytes of dynamic shared memory.
        constants : dict
            Of the source's `__constant__`.
        sample : int
            Execute so many blocks alone, spread evenly; arrays then hold a part of the results.
        limit : str
            Time or warp instructions after which the launch is ended: ``"10s"``, ``"1e9"``.
        unchecked : bool
            Look for no races, which is faster.

        Raises
        ------
        Error
            What does not fit; what the kernel does wrong, with line and thread: accesses beyond an
            array, failed assertions, what is not modelled. Arrays are then as before.
        """
        known = self._native.parameters
        given = [part for it in _by_name(args, known) for part in _parts(*it)]
        given += [(str(len(known) - 1 - it), None) for it in range(self._hidden)]
        typed = _typed(known)
        setting = {
            "arguments": [(name, _native_argument(name, it, name in typed)) for name, it in given],
            "grid": _shape("grid", grid),
            "block": _shape("block", block or self.block or 32),
            "shared": whole("shared", shared or self._shared, 0, 227 << 10),
            "constants": [
                (name, _native_argument(f"constants: {name}", it))
                for own, value in (constants or {}).items()
                for name, it in _parts(own, value)
            ],
            "seed": whole("seed", seed, 0, 2**64 - 1),
            "sample": optional("sample", sample, 1, 2**48),
            "limit": [limit] if isinstance(limit, str) else list(limit),
            "unchecked": bool(unchecked),
        }
        native = self._native.launch(setting)
        places = {name: str(at) for at, (name, *_) in enumerate(known) if name}
        arrays = {}
        for name, it in given:
            array = it.array if isinstance(it, Texture) else it
            if isinstance(array, np.ndarray):
                arrays[place_of(name, places)] = array
                # What is written through a surface is no access to an array.
                if native.is_written(name) or isinstance(it, Surface):
                    _write(native, name, array)
        return KernelRun(native, arrays, places)

    def __repr__(self) -> str:
        said = [f"{it['name'] or place}" for place, it in enumerate(self.parameters)]
        return f"<Kernel {self.name}({', '.join(said)})>"


class Launch:
    """A kernel with its grid and block: a call of it executes them."""

    def __init__(self, kernel: Any, grid: Any, block: Any, shared: int):
        self._kernel = kernel
        self._launch = {"grid": grid, "block": block, "shared": shared}

    def __call__(self, *args: Given, **named: Given) -> KernelRun:
        """Arguments by place, then by name; arrays are written in place, as on a device."""
        run: KernelRun = self._kernel.run(_merged(args, named), **self._launch)
        return run


def _merged(args: Sequence[Given], named: Mapping[str, Given]) -> Any:
    return {**{str(at): it for at, it in enumerate(args)}, **named} if named else args


def _launch_of(launch: Any, block: int | None) -> tuple[Any, Any, int]:
    """Grid, block and shared memory of what stands in the brackets; the block may be the code's."""
    if block is not None:
        # As Triton has it: the tuple is the grid.
        return launch, None, 0
    if not isinstance(launch, tuple) or not 2 <= len(launch) <= 3:
        raise Error("write kernel[grid, block](…), or kernel[grid, block, shared](…)")
    return launch[0], launch[1], launch[2] if len(launch) == 3 else 0


def _shape(name: str, value: Any) -> list[int]:
    parts = list(value) if isinstance(value, (tuple, list)) else [value]
    if not 1 <= len(parts) <= 3:
        raise Error(f"{name}={value!r}: it is one to three whole numbers, as in {name}=(64, 2)")
    return [whole(name, it, 1, 2**31 - 1) for it in parts] + [1] * (3 - len(parts))


def _by_name(args: Any, known: Sequence[tuple[Any, ...]]) -> list[tuple[str, Given]]:
    if isinstance(args, Mapping):
        return list(args.items())
    if isinstance(args, (str, bytes, np.ndarray)):
        raise Error("args: give a list of the arguments, or a dict")
    if len(args) > len(known):
        raise Error(f"{len(args)} arguments are given, and the kernel has {len(known)}")
    return [(str(at), it) for at, it in enumerate(args)]


def _parts(name: str, value: Given) -> list[tuple[str, Given]]:
    """A parameter, or the members of a structure that it is given."""
    if not isinstance(value, Mapping):
        return [(name, value)]
    dot = {key: "" if key.startswith(("[", "@")) else "." for key in map(str, value)}
    return [part for key, it in value.items() for part in _parts(f"{name}{dot[str(key)]}{key}", it)]


def _typed(known: Sequence[tuple[Any, ...]]) -> set[str]:
    """Names of numbers of which the type is known."""
    names = set()
    for at, (own, of, members) in enumerate(known):
        for path, (element, is_array, _) in [("", of), *((f".{path}", of) for path, of in members)]:
            if element and not is_array:
                names |= {f"{it}{path}" for it in (at, own)}
    return names


#: Of numpy's types what the library calls them.
_ELEMENTS = {
    "bool": "bool", "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32",
    "uint32": "u32", "int64": "i64", "uint64": "u64", "float16": "f16", "bfloat16": "bf16",
    "float32": "f32", "float64": "f64", "complex64": "f32", "complex128": "f64",
}  # fmt: skip


def _element(name: str, dtype: np.dtype) -> str:
    of = "uint8" if dtype.kind == "V" and dtype.name != "bfloat16" else dtype.name
    if of not in _ELEMENTS or not dtype.isnative:
        raise Error(f"argument {name} holds {dtype}, which no kernel reads; convert it: .astype(…)")
    return _ELEMENTS[of]


def _native_argument(name: str, value: Given, is_typed: bool = False) -> Any:
    """A value as the library takes it: a text, bytes, a number, or an array's bytes.

    A number of numpy says its own type where the parameter has none.
    """
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, Texture):
        return value._native(name)
    if value is None:
        return ("i64", "0")
    if isinstance(value, (bool, np.bool_)):
        return ("bool" if isinstance(value, np.bool_) else None, str(int(value)))
    if isinstance(value, np.void):
        return value.tobytes()
    if isinstance(value, np.generic):
        if value.dtype.name == "bfloat16":
            return ("bf16", repr(float(value)))
        of = None if value.dtype.kind not in "iuf" else _ELEMENTS.get(value.dtype.name)
        if of is None:
            raise Error(f"argument {name} is {value.dtype}: give bytes, as in x.tobytes()")
        text = str(int(value)) if value.dtype.kind in "iu" else repr(float(value))
        return (None if is_typed else of, text)
    if isinstance(value, (int, float)):
        return (None, repr(value))
    if isinstance(value, tuple) and value and all(isinstance(it, (int, float, np.generic)) for it in value):
        return (None, ",".join(_native_argument(name, it, True)[1] for it in value))
    if isinstance(value, np.ndarray):
        if not (value.flags.c_contiguous or value.flags.f_contiguous):
            raise Error(
                f"argument {name} is no whole block of memory; give a copy: np.ascontiguousarray(x)"
            )
        columns = value.shape[-1] if value.ndim else 1
        return (_element(name, value.dtype), columns, _flat(value))
    raise Error(
        f"argument {name} is a {type(value).__name__}: give a number, a numpy array, or bytes "
        "(np.asarray(x) of what lies in this computer's memory)"
    )


def _flat(array: np.ndarray) -> np.ndarray:
    """An array's bytes as they stand in memory, without a copy."""
    flat = array.reshape(-1, order="A")
    return flat.view(np.uint8) if array.size else np.empty(0, np.uint8)


def _write(native: Any, name: str, array: np.ndarray) -> None:
    """Writes what a kernel wrote into the array that was given."""
    if not array.size:
        return
    if not array.flags.writeable:
        raise Error(f"the kernel writes into argument {name}, which is read-only; give a copy")
    _flat(array)[:] = native.array(name)[2]


def _tools() -> list[str]:
    """Folders in which packages of Python keep nvcc and ptxas."""
    found = []
    for package, folders in (("nvidia", ("cu*/bin", "cuda_nvcc/bin")), ("triton", ("backends/nvidia/bin",))):
        spec = importlib.util.find_spec(package)
        for root in (spec.submodule_search_locations if spec else None) or ():
            found += [str(it) for pattern in folders for it in sorted(Path(root).glob(pattern))]
    return found


def compiled(
    kind: str,
    given: bytes,
    name: str,
    kernel: str | None = None,
    *,
    define: Sequence[str] = (),
    include: Sequence[str | os.PathLike[str]] = (),
    instances: Sequence[str] = (),
) -> _native.Kernel:
    """Machine code of a file, of CUDA C (`cu`), of PTX, or as it is."""
    setting = {
        "defines": list(define),
        "includes": [os.fspath(it) for it in include],
        "instances": list(instances),
        "tools": _tools(),
    }
    return _native.Kernel(kind, given, name, kernel, setting)
