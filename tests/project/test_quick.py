"""`make quick` runs the tests nearest to a change, and starts none when the time is up."""

import pytest

from tools import quick

GRAPH = {
    "src/antipodes/clocks/clock.py": ["src/antipodes/match/match.py", "tests/clocks/test_clock.py"],
    "src/antipodes/match/match.py": ["tests/match/test_match.py", "tests/scale/test_suite.py"],
    "tests/match/games.py": ["tests/match/test_machine.py"],
}


def test_a_test_that_imports_the_change_comes_before_one_that_imports_it_through_others():
    found = quick.nearest_tests(["src/antipodes/clocks/clock.py"], GRAPH)
    assert found.index("tests/clocks/test_clock.py") < found.index("tests/match/test_match.py")
    assert "tests/scale/test_suite.py" not in found, "make test does not run it"


def test_the_test_named_like_the_change_comes_first_and_its_folder_after_it():
    first, *others = quick.nearest_tests(["src/antipodes/clocks/clock.py"], {})
    assert first == "tests/clocks/test_clock.py"
    assert "tests/clocks/test_control.py" in others


def test_a_changed_test_runs_itself_and_a_helper_runs_its_neighbours():
    assert quick.nearest_tests(["tests/laws/test_swaps.py"], {})[0] == "tests/laws/test_swaps.py"
    assert quick.nearest_tests(["tests/match/games.py"], GRAPH)[0] == "tests/match/test_machine.py"
    assert "tests/games/test_setups.py" in quick.nearest_tests(["tests/games/cases.py"], {})


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("src/antipodes/search/proof/solver.py", "search/proof"),
        ("src/antipodes/web/static/antipodes/board.js", "web"),
        ("docs/bots.md", "docs"),
        ("Makefile", "."),
    ],
)
def test_tests_lie_in_the_folder_that_mirrors_the_change(path, folder):
    assert quick.mirror(path) == quick.ROOT / "tests" / folder


def test_python_files_have_dependents():
    clock = "src/antipodes/clocks/clock.py"
    assert clock in quick.dependents()["src/antipodes/clocks/control.py"]


def test_no_test_is_started_when_the_time_is_up():
    assert quick.TimeLimit(1e9).pytest_runtest_protocol() is None
    limit = quick.TimeLimit(0)
    assert limit.pytest_runtest_protocol() is True
    assert limit.left == 1
