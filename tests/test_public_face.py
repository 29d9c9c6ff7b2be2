"""Laws of the names that people import."""

import subprocess
import sys

import antipodes


def test_every_public_name_is_there():
    for name in antipodes.__all__:
        assert getattr(antipodes, name) is not None


def test_the_public_names_are_sorted_and_listed():
    assert antipodes.__all__ == sorted(antipodes.__all__)
    assert set(antipodes.__all__) == {*antipodes._HOMES, "errors"}
    assert set(antipodes.__all__) <= set(dir(antipodes))


def test_import_is_light():
    script = (
        "import sys, antipodes; print('numpy' in sys.modules, 'antipodes._kernels' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]
