"""The package as a whole: its version, its imports, its signatures."""

import ast
import inspect
import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from test_listings import UMM

import memory_machine as mm
from memory_machine import _magic, _native

PACKAGE = Path(mm.__file__).parent


def test_the_version_is_there():
    assert mm.__version__ == version("memory-machine-models") == _native.__version__
    printed = subprocess.run([UMM, "--version"], capture_output=True, text=True, check=True)
    assert printed.stdout.split()[1] == mm.__version__


def test_the_package_runs_as_the_command():
    words = ["run", "sum", "--set", "n=64", "--json"]
    ran = subprocess.run([sys.executable, "-m", "memory_machine", *words], capture_output=True, text=True)
    command = subprocess.run([UMM, *words], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (command.returncode, command.stdout) and ran.stdout
    mistake = subprocess.run([sys.executable, "-m", "memory_machine", "rnu"], capture_output=True, text=True)
    assert mistake.returncode == 2 and "Usage: umm " in mistake.stderr


def imports():
    """By module, those of the package that it imports, for types alone or not."""
    found = {}
    for path in PACKAGE.glob("*.py"):
        nodes = [it for it in ast.walk(ast.parse(path.read_text())) if isinstance(it, ast.ImportFrom)]
        own = [it for it in nodes if it.level == 1]
        names = {it.module for it in own if it.module}
        names |= {name.name for it in own if not it.module for name in it.names}
        found[path.stem] = names
    return found


def test_no_modules_import_each_other():
    graph = imports()
    assert graph["_listing"] >= {"_results", "_setting"}

    def reached(start):
        found, open_ = set(), [start]
        while open_:
            new = graph.get(open_.pop(), set()) - found
            found |= new
            open_ += new
        return found

    assert [it for it in graph if it in reached(it)] == []


def functions():
    for module in (mm, mm.opt, mm.plot):
        for name in module.__all__:
            it = getattr(module, name)
            if inspect.isfunction(it):
                yield f"{module.__name__}.{name}", it
            elif inspect.isclass(it) and not issubclass(it, (Exception, str)):
                for method, member in inspect.getmembers(it, inspect.isfunction):
                    if not method.startswith("_"):
                        yield f"{name}.{method}", member


@pytest.mark.parametrize(("name", "function"), list(functions()), ids=lambda it: it if isinstance(it, str) else "")
def test_signatures_are_explicit(name, function):
    signature = inspect.signature(function)
    kinds = {it.kind: it.name for it in signature.parameters.values()}
    assert inspect.Parameter.VAR_POSITIONAL not in kinds
    # Only names of a listing's parameters are open, and those that it does not have are refused.
    assert kinds.get(inspect.Parameter.VAR_KEYWORD, "sizes") == "sizes"
    assert signature.return_annotation is not inspect.Signature.empty
    arguments = [it for it in signature.parameters.values() if it.name != "self"]
    assert all(it.annotation is not inspect.Parameter.empty for it in arguments)
    assert inspect.getdoc(function)


@pytest.mark.parametrize("question", ["run", "check", "trace", "explain", "graph", "derive", "cuda", "predict"])
def test_an_argument_that_is_none_is_refused(question):
    with pytest.raises(mm.Error, match="`sum` has no such parameter"):
        getattr(mm.Listing.load("sum"), question)(n=4, threads=4)


def test_the_stub_is_complete():
    stub = ast.parse((PACKAGE / "_native.pyi").read_text())
    functions = {it.name: it for it in stub.body if isinstance(it, ast.FunctionDef)}
    classes = {it.name: it for it in stub.body if isinstance(it, ast.ClassDef)}
    public = {it for it in dir(_native) if not it.startswith("_")}
    assert {*functions, *classes} == public

    def parameters(function):
        return [it.arg for it in function.args.args if it.arg not in ("self", "cls")]

    def native(function):
        return [it for it in inspect.signature(function).parameters if it != "self"]

    for name, function in functions.items():
        assert parameters(function) == native(getattr(_native, name)), name
    for name, stubbed in classes.items():
        if name == "Error":
            continue
        members = {it for it in vars(getattr(_native, name)) if not it.startswith("_")}
        own = [it for it in stubbed.body if isinstance(it, (ast.FunctionDef, ast.AnnAssign))]
        names = {it.name if isinstance(it, ast.FunctionDef) else it.target.id for it in own}
        assert {it for it in names if not it.startswith("_")} == members, name


#: Commands that are asked of the command line alone: they measure, or are about the terminal.
# Certificates have a checker of their own, `umm_verify.py`.
OF_THE_COMMAND_LINE = {"bench", "completions", "gpu", "man", "verify", "web"}


def test_what_umm_is_asked_python_is_asked():
    help_text = subprocess.run([UMM, "--help"], capture_output=True, text=True, check=True).stdout
    commands = set(re.findall(r"^  ([a-z]+)  ", help_text, re.MULTILINE)) - {"umm"}
    assert {"complexity", "graph", "replay", "fit", "plot"} <= commands
    names = {*mm.__all__, *(it for it in dir(mm.Listing) if not it.startswith("_"))}
    asked = commands - OF_THE_COMMAND_LINE - {"list"}
    assert asked - names == set() and "listings" in names
    solvers = subprocess.run([UMM, "opt", "--help"], capture_output=True, text=True, check=True).stdout
    assert "matrix-chain" in solvers and hasattr(mm.opt, "matrix_chain")
    # Every chart but those of the course and of the gallery.
    kinds = subprocess.run([UMM, "plot", "--help"], capture_output=True, text=True, check=True).stdout
    kinds = set(re.findall(r"^  ([a-z]+)  ", kinds, re.MULTILINE)) - {"umm", "help"}
    assert kinds - {"slides", "gallery", "triangulation"} == set(mm.plot.__all__)
    assert set(_magic.QUESTIONS) == {
        it for it in dir(mm.Listing) if it in commands or it == "derive"
    }
    assert json.loads(json.dumps(mm.models()))[0]["name"] == "textbook"
