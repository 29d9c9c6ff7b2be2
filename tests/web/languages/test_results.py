"""Tests of the translated results of matches."""

import pytest
from django.utils import translation

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.mail.layout.board import result_words as mailed
from antipodes.match import Resign, Terms
from antipodes.match.handling import handle
from antipodes.match.match import Match
from antipodes.records import Reason, Result
from antipodes.web.platform.translations import result_text


def test_a_resignation_among_three_is_no_draw_on_pages_and_in_mails():
    game = make_game("antipalos", {"size": 12, "seats": "cutthroat3"})
    match = Match.begun(Terms(game=game, players=("a", "b", "c")), 0)
    match, _events = handle(match, Resign(seat=0, ply=0, key="r"), 1)
    assert match.result is not None
    text = result_text(match.result)
    assert text == mailed(match.result)
    assert text.startswith("No winner, ended by resignation (")


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("Draw by resignation (Black is out)", "No winner, ended by resignation (Black is out)"),
        ("Draw on time", "No winner, ended by time"),
        ("Draw by agreement", "Draw by agreement"),
    ],
)
def test_results_stored_as_draws_are_corrected(stored, text):
    assert result_text(stored) == text


def test_results_are_translated():
    with translation.override("de"):
        assert result_text(Result(None, Reason.TIME)) == "Kein Sieger, Ende durch Zeitablauf"
        assert result_text(Result(Color.RED, Reason.TIME)).startswith("Rot")
        out = result_text(Result.given_up(Color.RED, Reason.TIME))
        assert out == "Kein Sieger, Ende durch Zeitablauf (Rot ist ausgeschieden)"
    with translation.override("fr"):
        assert result_text("Draw on time (Black is out)").endswith("(Noir est éliminé)")
