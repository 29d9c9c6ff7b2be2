"""The translator of kernels to C."""

import math
from pathlib import Path

import numpy as np
import pytest

from antipodes.games.kernels.registry import KERNELS, kernel
from antipodes.search.kernels import antipalos_evaluation, rave
from tools.compiler import wasm
from tools.compiler.entries import Entry, all_entries, kernel_parameters
from tools.compiler.kinds import (
    FLOAT,
    INT,
    UNSIGNED,
    Array,
    Number,
    arithmetic,
    common,
    read,
)
from tools.compiler.translate import TranslationError
from tools.compiler.wasm import translate

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


def test_types_of_operations_are_the_widest():
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


def test_all_kernels_have_a_translation():
    wanted = [entry for entry in all_entries() if not entry.given]
    assert len(wanted) > 250
    program = translate(wanted)
    assert all(f'export_name("{entry.name}")' in program for entry in wanted)


def test_each_kernel_is_built_for_every_choice_of_kernels_that_it_gets():
    names = {entry.name for entry in all_entries()}
    kernels = {entry.function for entry in all_entries()}
    assert kernels == {
        function
        for module, known in KERNELS.items()
        if module.startswith("antipodes.")
        for function, _ in known.values()
    }
    assert "rave_simulate__placement_moves__placement_play__placement_place" in names
    assert not any(name.startswith("rave_simulate__antipode") for name in names)
    assert sum(name.startswith("uct_simulate__antipalos") for name in names) == 2
    assert kernel_parameters(rave.simulate) == ["moves", "play", "step"]


def test_a_kernel_that_is_marked_is_compiled_into_its_callers():
    program = translate([Entry("entry", antipalos_evaluation.score_squares)])
    assert "always_inline)) double antipalos_evaluation_odds(" in program
    assert "always_inline)) int64_t antipalos_evaluation_score_squares(" not in program
