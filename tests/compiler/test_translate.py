"""The translator of kernels to C."""

import math
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from antipodes.games.kernels.registry import KERNELS, kernel
from tools.compiler import wasm
from tools.compiler.kinds import (
    FLOAT,
    INT,
    UNSIGNED,
    Array,
    Kernel,
    Number,
    arithmetic,
    common,
    read,
    read_signature,
)
from tools.compiler.translate import TranslationError
from tools.compiler.wasm import Entry, translate

LIMIT = [1, 2]


@pytest.fixture(autouse=True)
def forget():
    """Forget the kernels of this module after a test."""
    yield
    KERNELS.pop(__name__, None)


def uses_a_list(x):
    return [x]


def raises(x):
    raise ValueError(x)


def reads_a_list(x):
    return LIMIT[x]


def calls_numpy(x):
    return np.sum(x)


def calls_python(x):
    return sorted(x)


def calls_the_c_library(x):
    return math.exp(x)


def loops_over_an_array(x):
    for each in x:
        return each
    return 0


def mixes_signs(x):
    y = np.uint64(1)
    if x > 0:
        y = x
    return y


def divides_with_a_float_index(a, x):
    return a[x / 2]


@pytest.mark.parametrize(
    ("function", "signature", "why"),
    [
        (uses_a_list, "i8(i8)", r"may not use this expression: \[x\]"),
        (raises, "i8(i8)", r"may not use this statement: raise ValueError\(x\)"),
        (reads_a_list, "i8(i8)", "this is no constant of kernels: LIMIT"),
        (calls_numpy, "i8(i8)", r"may not call this: np.sum\(x\)"),
        (calls_python, "i8(i8)", r"may not call this: sorted\(x\)"),
        (calls_the_c_library, "f8(f8)", r"may not call this: math.exp\(x\)"),
        (loops_over_an_array, "i8(i8[::1])", "may not use this statement: for each in x:"),
        (mixes_signs, "i8(i8)", "y is signed here and unsigned elsewhere: y = x"),
        (divides_with_a_float_index, "i8(i8[::1], i8)", "an index must be a whole number"),
    ],
)
def test_what_a_kernel_may_not_use_is_refused_with_file_and_line(function, signature, why):
    kernel(signature)(function)
    line = function.__code__.co_firstlineno
    with pytest.raises(TranslationError, match=why) as caught:
        translate([Entry("entry", function)])
    path, number, _ = str(caught.value).split(":", 2)
    assert Path(path) == Path(__file__)
    assert line < int(number) <= line + 4


def test_a_missing_compiler_is_named(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(wasm, "has_compiler", lambda: False)
    monkeypatch.setattr("sys.argv", ["build", str(tmp_path / "kernels.wasm")])
    with pytest.raises(SystemExit, match="1"):
        wasm.main()
    assert "pip install ziglang" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_types_follow_the_rules_of_numba():
    small, half = Number("u", 4), Number("f", 4)
    assert arithmetic(small, small) == UNSIGNED
    assert arithmetic(small, INT) == INT
    assert arithmetic(half, half) == half
    assert arithmetic(half, INT) == FLOAT
    assert common(INT, UNSIGNED) is None
    assert common(INT, small) == INT
    assert read("f4[:,:,::1]") == Array(half, 3)
    with pytest.raises(ValueError, match="complex is not a type"):
        read("complex")


def takes_kernels(function, signature):
    parameters, _ = read_signature(function, signature)
    return any(isinstance(kind, Kernel) for kind in parameters)


def test_all_kernels_have_a_translation():
    import antipodes

    root = Path(antipodes.__file__).parent
    for part in ("adapters", "games", "search", "training"):
        for path in sorted((root / part / "kernels").glob("[!_]*.py")):
            import_module(f"antipodes.{part}.kernels.{path.stem}")
    wanted = [
        Entry(f"{module.rpartition('.')[2]}_{name}", function)
        for module, kernels in KERNELS.items()
        for name, (function, signature, _) in kernels.items()
        if module.startswith("antipodes.") and not takes_kernels(function, signature)
    ]
    assert len(wanted) > 250
    program = translate(wanted)
    assert all(f'export_name("{entry.name}")' in program for entry in wanted)
