"""Groups of arrays, which kernels take as one argument."""

import ast
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import antipodes
from antipodes.games.kernels import edition
from antipodes.games.kernels.registry import KERNELS, types_of
from antipodes.games.registry import make_game
from antipodes.search.kernels import batch, rave

SOURCES = Path(antipodes.__file__).parent
for source in SOURCES.glob("*/kernels/*.py"):
    import_module(".".join(("antipodes", *source.relative_to(SOURCES).with_suffix("").parts)))

ANNOTATED = [
    function
    for kernels in KERNELS.values()
    for function, signature in kernels.values()
    if not signature
]


def groups():
    kinds = {kind for function in ANNOTATED for kind in types_of(function).values()}
    return {kind.__name__: kind for kind in kinds if not isinstance(kind, str)}


def test_the_types_of_a_kernel_without_a_signature_are_those_of_all_its_parameters():
    assert ANNOTATED
    for function in ANNOTATED:
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        assert tuple(types_of(function)) == (*names, "return"), function


def test_a_group_has_arrays_and_groups_only():
    assert {"Tree", "Walk", "FloodLayout", "Connections", "Circuits"} <= groups().keys()
    for group in groups().values():
        assert tuple(types_of(group)) == group._fields
        for kind in types_of(group).values():
            assert kind in groups().values() or kind.endswith("::1]"), group


def _called(node):
    return node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)


def test_arrays_are_put_into_groups_by_name():
    """So two arrays of one type cannot be exchanged unnoticed."""
    made = re.compile(rf"\b({'|'.join(groups())})\(")
    # Other packages make none.
    for path in SOURCES.glob("search/**/*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if made.search(text) else ():
            if isinstance(node, ast.Call) and made.fullmatch(f"{_called(node)}("):
                assert not node.args, f"{path}:{node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize(("one", "other"), [("ahead", "sources"), ("slots", "behind")])
def test_a_group_with_two_arrays_of_other_types_exchanged_is_refused(one, other):
    game = make_game("hex", {"size": 3})
    layout = batch.flood_layout(game.topology, game.tables)
    wrong = layout._replace(**{one: getattr(layout, other), other: getattr(layout, one)})
    black, reached = np.zeros((2, 10), np.int64)
    flood = edition(batch, "flood")
    assert flood(layout, black, reached) == 0
    with pytest.raises(TypeError, match=r"must be an? "):
        flood(wrong, black, reached)


def test_a_group_in_place_of_another_is_refused():
    game = make_game("hex", {"size": 3})
    layout = batch.flood_layout(game.topology, game.tables)
    update = edition(rave, "count_visit")
    with pytest.raises(TypeError, match=r"must be an? "):
        update(layout, 0, 0.5)
