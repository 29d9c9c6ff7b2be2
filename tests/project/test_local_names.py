"""Names say what they hold: locals of long functions, and classes of kinds and verdicts."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src/antipodes"
VAGUE = {"found", "kept", "of", "one", "rest"}
COMMON = {"Kind", "Progress", "State", "Verdict"}
LONG = 10  # lines of a function that a reader takes in at once
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
EXPRESSIONS = (ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.ListComp, ast.SetComp)


def name_bound_by(node: ast.AST) -> str | None:
    """Return the name that a node binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return name
        case ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name
    return None


def vague_locals(tree: ast.AST, function: str = "", *, is_long: bool = False) -> Iterator[str]:
    """Yield the vague names in long functions, without those of an expression in one line."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, EXPRESSIONS) and node.lineno == node.end_lineno:
            continue
        if isinstance(node, FUNCTIONS):
            assert node.end_lineno is not None
            yield from vague_locals(node, node.name, is_long=node.end_lineno - node.lineno >= LONG)
            continue
        if is_long and name_bound_by(node) in VAGUE:
            yield f"{function}: {name_bound_by(node)}"
        yield from vague_locals(node, function, is_long=is_long)


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Yield name and syntax tree of each module."""
    for path in SOURCE.rglob("*.py"):
        yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def test_locals_of_long_functions_say_what_they_hold():
    vague = {name: names for name, tree in sources() if (names := list(vague_locals(tree)))}
    assert vague == {}, "name them for what they hold, such as stored_rows or remaining_moves"


def test_classes_of_common_words_carry_the_word_of_their_owner():
    common = [
        f"{name}: {node.name}"
        for name, tree in sources()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name in COMMON
    ]
    assert common == [], "put a word in front, such as SearchProgress"


LINES = "    pass\n" * 9


@pytest.mark.parametrize(
    ("lines", "is_refused"),
    [
        (f"def f(one):\n    x = 1\n{LINES}", True),
        (f"def f():\n    found = 1\n{LINES}", True),
        (f"def f():\n    for rest in range(3):\n        pass\n{LINES}", True),
        (f"def f():\n    x = [\n        one for one in y\n    ]\n{LINES}", True),
        (f"def f():\n    x = [one for one in y]\n{LINES}", False),
        (f"def f():\n    x = max(y, key=lambda one: -one)\n{LINES}", False),
        (f"def f():\n    x.found = 1\n{LINES}", False),
        ("def f():\n    found = 1\n", False),
    ],
)
def test_only_vague_names_that_are_read_far_from_their_meaning_are_refused(lines, is_refused):
    assert bool(list(vague_locals(ast.parse(lines)))) is is_refused
