"""Tests of results as columns of matches: no module reads them from sentences."""

import ast
import re
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

import antipodes.web
from antipodes.core import Color
from antipodes.match import Resign
from antipodes.records import Reason, Result
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out

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


def stored_before(connected, row, text):
    connected.execute("UPDATE matches_matchrow SET result = %s WHERE id = %s", [text, row.pk])


@pytest.mark.django_db(transaction=True)
def test_the_migration_makes_columns_of_sentences(begin):
    sentences = {
        "Black wins by connection": Result(Color.BLACK, Reason.CONNECTION),
        "White wins on time": Result(Color.WHITE, Reason.TIME),
        "Draw by agreement": Result(None, Reason.AGREEMENT),
        "No result": Result(None, Reason.VOID),
        "Draw on time (Red is out)": Result(None, Reason.TIME, loser=Color.RED),
        "No winner, ended by time (Red is out)": Result(None, Reason.TIME, loser=Color.RED),
        "something else": Result(),
        "": None,
    }
    rows = {text: begin(size=3) for text in sentences}
    given_up = begin("antipalos", size=12, seats="cutthroat3")
    carry_out(given_up.slug, Resign(seat=0, ply=0, key="enough"))
    last = given_up.events.order_by("number").last()
    loser = last.data["result"].pop("loser")
    last.data["result"]["text"] = f"{loser.title()} is out"
    last.save()
    rows[f"No winner, ended by resignation ({loser.title()} is out)"] = given_up
    try:
        MigrationExecutor(connection).migrate([("matches", "0003_first_moves")])
        with connection.cursor() as cursor:
            for text, row in rows.items():
                stored_before(cursor, row, text)
    finally:
        MigrationExecutor(connection).migrate([("matches", "0004_results")])
    for text, expected in sentences.items():
        assert MatchRow.objects.get(pk=rows[text].pk).result == expected
    row = MatchRow.objects.get(pk=given_up.pk)
    assert row.result == row.match().result == Result(None, Reason.RESIGNATION, loser=Color(loser))
