"""Tests of results as columns of matches: no module reads them from sentences."""

import ast
import re
from pathlib import Path

import pytest

import antipodes.web
from antipodes.core import Color
from antipodes.records import Reason, Result
from antipodes.web.matches.models import MatchRow

WEB = Path(antipodes.web.__file__).parent
PROSE = re.compile(r"\b(wins|Draw) (by|on)\b|\bNo (winner|result)\b|\bis out\b")

RESULT = re.compile(r"\bresult$")


def prose_of(tree):
    """Yield words of results in a module's code, and where it reads a result as text."""
    sentences = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)  # docstrings
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if PROSE.search(node.value) and id(node) not in sentences:
                yield node.value
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            yield from (text for text in map(ast.unparse, node.comparators) if RESULT.search(text))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "str":
            # A result in English is for mails alone.
            yield from (text for text in map(ast.unparse, node.args) if RESULT.search(text))
        elif isinstance(node, ast.ImportFrom) and node.module == "antipodes.records.result":
            yield from (name.name for name in node.names if name.name == "LOSER")


def test_no_module_of_the_site_compares_or_reads_the_words_of_a_result():
    places = {
        path.relative_to(WEB).as_posix(): words
        for path in WEB.rglob("*.py")
        if "migrations" not in path.parts
        and (words := list(prose_of(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert places == {"platform/translations.py": ["LOSER"]}  # in the list of texts


@pytest.mark.parametrize(
    "code",
    [
        'x = "wins" in row.result',
        "if text == 'Draw by agreement': pass",
        "words = str(match.result)",
        'is_out = f"{color} is out" in row.text',
        "from antipodes.records.result import LOSER",
    ],
)
def test_the_law_finds_words_of_results(code):
    assert len(list(prose_of(ast.parse(code)))) == 1


def test_a_result_is_stored_and_read_as_columns():
    assert MatchRow().result is None
    row = MatchRow()
    for result in (
        Result(Color.RED, Reason.TIME),
        Result(None, Reason.VOID),
        Result(None, Reason.FORFEIT, loser=Color.BLUE),
        Result(Color.BLUE, Reason.RING),
    ):
        row.result = result
        assert (row.result, row.reason) == (result, result.reason.value)
