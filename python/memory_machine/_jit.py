"""Kernels of other packages: functions of Triton and Numba, compiled for a launch, and what they keep."""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ._kernel import Given, Kernel, Launch, compiled
from ._kernel_run import KernelRun
from ._native import Error
from ._numbers import whole

#: Global scratch and profile scratch, which Triton's code has beside a function's parameters.
TRITON_HIDDEN = 2

_TRITON_TYPES = {
    "float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "bool": "i1",
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64",
}  # fmt: skip


class JitKernel:
    """A function of Triton or Numba: each launch compiles it for the types that it is given, once.

    Attributes
    ----------
    name : str
        The function's.
    """

    name: str

    def __getitem__(self, launch: Any) -> Launch:
        """`kernel[grid]` of Triton, `kernel[grid, block]` of Numba: a call of it is a launch."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class TritonKernel(JitKernel):
    """A function of Triton: `kernel[grid](x, y, n, BLOCK=1024, num_warps=8)`.

    Arrays are numpy's. It is compiled for sm_90 (which needs no GPU) as Triton's own launch would: arrays
    begin at a multiple of 16 bytes, whole numbers that are a multiple of 16, or 1, are known to be.
    """

    def __init__(self, function: Any):
        self._function = function
        self._compiled: dict[Any, Kernel] = {}
        self.name: str = function.__name__

    def __getitem__(self, launch: Any) -> Launch:
        """The grid: one to three numbers, or a function of the constants that gives them."""
        return Launch(self, launch, None, 0)

    def run(
        self,
        args: Sequence[Given] | Mapping[str, Given] = (),
        *,
        grid: int | Sequence[int] | Callable[..., Any] = 1,
        block: None = None,
        shared: int = 0,
        **options: Any,
    ) -> KernelRun:
        """Compiles and launches it; the code says how many threads a block has. `options` are those of
        `Kernel.run`."""
        names = self._function.arg_names
        given = args if isinstance(args, Mapping) else {str(at): it for at, it in enumerate(args)}
        given = {names[int(it)] if it.isdigit() else it: value for it, value in given.items()}
        tuning = {it: given.pop(it) for it in ("num_warps", "num_stages") if it in given}
        values = {**self._defaults(), **given}
        for wrong in [it for it in values if it not in names]:
            raise Error(f"argument {wrong}: `{self.name}` has {', '.join(names)}")
        for missing in [it for it in names if it not in values]:
            raise Error(f"argument {missing} of `{self.name}` is not given")
        types, constants, attributes = self._types(values)
        key = (tuple(types.items()), tuple(constants.items()), tuple(attributes), tuple(tuning.items()))
        if key not in self._compiled:
            self._compiled[key] = self._compile(types, constants, attributes, tuning)
        wanted = grid(values) if callable(grid) else grid
        kernel = self._compiled[key]
        kept = [it for it in names if types[it] != "constexpr"]
        sizes = [it["bytes"] for it in kernel.parameters]
        numbers = {
            str(at): _packed(types[it], values[it], size)
            for at, (it, size) in enumerate(zip(kept, sizes, strict=True))
        }
        return kernel.run(numbers, grid=wanted, **options)._called(kept)

    def _defaults(self) -> dict[str, Any]:
        signature = inspect.signature(self._function.fn).parameters.values()
        return {it.name: it.default for it in signature if it.default is not inspect.Parameter.empty}

    def _types(self, values: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any], dict[Any, Any]]:
        """Of each parameter Triton's type, of constants their values, and what is known of others."""
        types, constants, attributes = {}, {}, {}
        for at, parameter in enumerate(self._function.params):
            name, value = parameter.name, values[parameter.name]
            if parameter.is_constexpr or value is None or (value is not True and _is_one(value)):
                types[name], constants[name] = "constexpr", value
                continue
            types[name] = _triton_type(name, value)
            whole_ = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
            if isinstance(value, np.ndarray) or whole_ and int(value) % 16 == 0:
                attributes[at,] = [["tt.divisibility", 16]]
        return types, constants, attributes

    def _compile(self, types: Any, constants: Any, attributes: Any, tuning: Any) -> Kernel:
        compiler: Any = import_module("triton.compiler")
        target = import_module("triton.backends.compiler").GPUTarget("cuda", 90, 32)
        source = compiler.ASTSource(
            fn=self._function, signature=types, constexprs=constants, attrs=attributes
        )
        made = compiler.compile(source, target=target, options=tuning)
        return of_triton(made.asm["cubin"], made.metadata._asdict())


def _is_one(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and int(value) == 1


def _triton_type(name: str, value: Any) -> str:
    if isinstance(value, np.ndarray) and value.dtype.name in _TRITON_TYPES:
        return f"*{_TRITON_TYPES[value.dtype.name]}"
    if isinstance(value, np.generic) and value.dtype.name in _TRITON_TYPES:
        return _TRITON_TYPES[value.dtype.name]
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "i32" if -(2**31) <= value < 2**31 else "i64"
    if isinstance(value, float):
        return "fp32"
    raise Error(f"argument {name} is a {type(value).__name__}: give a number or a numpy array")


def _packed(of: str, value: Any, size: int) -> Given:
    """A number as Triton's launch passes it."""
    if of.startswith("*"):
        return value
    if of.startswith(("fp", "bf")):
        kind = {8: np.float64, 4: np.float32}.get(size)
        if kind is None:
            raise Error(f"a number of type {of} is not passed; take float32")
        return kind(value)
    return int(value).to_bytes(size, "little", signed=int(value) < 0)


class NumbaKernel(JitKernel):
    """A function of Numba: `kernel[grid, block](x, y)`; an array is its seven or more parameters."""

    def __init__(self, function: Any):
        self._function = getattr(function, "py_func", function)
        self._compiled: dict[Any, Kernel] = {}
        self.name: str = self._function.__name__

    def __getitem__(self, launch: Any) -> Launch:
        """Grid and block, as Numba has them."""
        if not isinstance(launch, tuple) or not 2 <= len(launch) <= 4:
            raise Error("write kernel[grid, block](…), or kernel[grid, block, 0, shared](…)")
        return Launch(self, launch[0], launch[1], launch[3] if len(launch) == 4 else 0)

    def run(
        self,
        args: Sequence[Given] | Mapping[str, Given] = (),
        *,
        grid: int | Sequence[int] = 1,
        block: int | Sequence[int] = 32,
        shared: int = 0,
        **options: Any,
    ) -> KernelRun:
        """Compiles it for the types of its arguments, and launches it; `options` are those of
        `Kernel.run`."""
        numba: Any = import_module("numba")
        parameters = inspect.signature(self._function).parameters
        given = args if isinstance(args, Mapping) else dict(zip(map(str, range(len(args))), args))
        positional = [value for name, value in given.items() if name.isdigit()]
        named = {name: value for name, value in given.items() if not name.isdigit()}
        try:
            bound = inspect.signature(self._function).bind(*positional, **named)
        except TypeError as why:
            raise Error(f"`{self.name}`: {why}") from None
        values = [bound.arguments[it] for it in parameters]
        types = tuple(numba.typeof(it) for it in values)
        if types not in self._compiled:
            self._compiled[types] = self._compile(types)
        flat: list[Given] = []
        names = []
        for name, value, of in zip(parameters, values, types):
            parts = _numba_parts(name, value, of)
            flat += parts
            names += [f"{name}.{at}" for at in range(len(parts))] if len(parts) > 1 else [name]
            if isinstance(value, np.ndarray):
                names[-len(parts) + 4] = name
        kernel = self._compiled[types]
        numbers = {str(at): it for at, it in enumerate(flat)}
        run = kernel.run(numbers, grid=grid, block=block, shared=shared, **options)
        return run._called(names)

    def _compile(self, types: Any) -> Kernel:
        signature = import_module("numba").void(*types)
        cuda: Any = import_module("numba.cuda")
        text, _ = cuda.compile(
            self._function, signature, cc=(9, 0), device=False, lineinfo=True, abi="numba",
            output="ptx",
        )  # fmt: skip
        made = Kernel(compiled("ptx", text.encode(), self.name))
        made.name = self.name
        return made


def _numba_parts(name: str, value: Any, of: Any) -> list[Given]:
    """As Numba's own launch passes it: no owner twice, elements, their bytes, data, shape, strides."""
    if isinstance(value, np.ndarray):
        numbers = [np.int64(it) for it in (value.size, value.itemsize)]
        rest = [np.int64(it) for it in (*value.shape, *value.strides)]
        return [np.int64(0), np.int64(0), *numbers, value, *rest]
    if isinstance(value, (bool, int, float, np.generic)):
        kind = np.dtype(str(of).replace("boolean", "bool")).type
        return [kind(value)]
    raise Error(f"argument {name} is a {type(value).__name__}: give a number or a numpy array")


def of_triton(code: bytes, metadata: Mapping[str, Any]) -> Kernel:
    """Machine code of Triton with what Triton says of it."""
    native = compiled("cubin", code, metadata["name"], metadata["name"])
    if metadata.get("global_scratch_size", 0) or metadata.get("profile_scratch_size", 0):
        raise Error(f"`{native.name}` needs scratch memory of Triton's launch, which is not modelled")
    if metadata.get("num_ctas", 1) != 1:
        raise Error(f"`{native.name}` is of clusters, which are not modelled")
    threads = 32 * whole("num_warps", metadata["num_warps"], 1, 32)
    return Kernel(native, block=threads, shared=metadata["shared"], hidden=TRITON_HIDDEN)


def kernel(
    source: Any,
    *,
    kernel: str | None = None,
    define: Sequence[str] = (),
    include: Sequence[str | os.PathLike[str]] = (),
    instances: Sequence[str] = (),
    name: str = "kernel.cu",
) -> Kernel | JitKernel:
    """A kernel from anywhere, to be launched on numpy's arrays without a GPU.

    Parameters
    ----------
    source : str, path, bytes, or function
        A file `.cu`, `.ptx` or `.cubin`; a folder of Triton's cache; CUDA C or PTX as text; a cubin's
        bytes; a function of Triton or Numba, or what Triton compiled; a RawKernel of CuPy.
    kernel : str
        Which one, where there are several.
    define, include, instances
        For the compiler of CUDA C: macros, as in ``"N=64"``; folders of headers; instances of templates,
        as in ``"f<float, 4>"``.
    name : str
        What messages call a text.

    Raises
    ------
    Error
        What the compiler says; that there is none, with how to install it; machine code for others than
        sm_90.

    Examples
    --------
    >>> twice = kernel('__global__ void twice(int *x) { x[threadIdx.x] *= 2; }')
    >>> x = np.arange(32, dtype=np.int32)
    >>> run = twice[1, 32](x)
    >>> int(x[31]), run.instructions > 0
    (62, True)
    """
    options: dict[str, Any] = {"define": define, "include": include, "instances": instances}
    if isinstance(source, os.PathLike) or isinstance(source, str) and _is_path(source):
        return _of_path(os.path.expanduser(source), kernel, options)
    if isinstance(source, str):
        kind = "ptx" if re.search(r"^\.version", source, re.MULTILINE) else "cu"
        return Kernel(compiled(kind, source.encode(), name, kernel, **options))
    if isinstance(source, (bytes, bytearray)):
        kind = "cubin" if source[:4] == b"\x7fELF" else "ptx"
        return Kernel(compiled(kind, bytes(source), kernel or name, kernel))
    package = type(source).__module__.split(".")[0]
    if package == "triton" and hasattr(source, "asm"):
        return of_triton(source.asm["cubin"], source.metadata._asdict())
    if package == "triton" and hasattr(source, "arg_names"):
        return TritonKernel(source)
    if package == "numba":
        return NumbaKernel(source)
    if package == "cupy" and hasattr(source, "code"):
        return Kernel(compiled("cu", source.code.encode(), name, kernel or source.name, **options))
    raise Error(
        f"a {type(source).__name__} is no kernel: give a file .cu, .ptx or .cubin, its text or bytes, or a "
        "function of Triton (@triton.jit) or Numba (@cuda.jit)"
    )


def _is_path(text: str) -> bool:
    return "\n" not in text and (
        text.endswith((".cu", ".cuh", ".ptx", ".cubin")) or os.path.isdir(os.path.expanduser(text))
    )


def _of_path(path: str, kernel: str | None, options: Any) -> Kernel:
    if os.path.isdir(path):
        found = sorted(str(it) for it in Path(path).glob("*.cubin"))
        if len(found) != 1:
            raise Error(f"{path}: {len(found)} files .cubin are in it; name one")
        path = found[0]
    beside = Path(path).with_suffix(".json")
    if path.endswith(".cubin") and beside.is_file():
        metadata = json.loads(beside.read_text(encoding="utf-8"))
        if "triton_version" in metadata or "num_warps" in metadata:
            return of_triton(Path(path).read_bytes(), metadata)
    return Kernel(compiled("file", b"", path, kernel, **options))
