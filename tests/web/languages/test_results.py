"""How the site says that a match has ended."""

import pytest
from django.utils import translation

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.mail.layout.board import result_words as mailed
from antipodes.match import Resign, Terms
from antipodes.match.handling import handle
from antipodes.match.match import Match
from antipodes.records import Reason, Result
from antipodes.web.platform.translations import result_words


def test_whoever_gives_up_among_three_makes_no_draw_here_nor_by_mail():
    game = make_game("antipalos", {"size": 12, "seats": "cutthroat3"})
    match = Match.begun(Terms(game=game, players=("a", "b", "c")), 0)
    match, _events = handle(match, Resign(seat=0, ply=0, key="r"), 1)
    assert match.result is not None
    said = result_words(match.result)
    assert said == mailed(match.result)
    assert said.startswith("No winner, ended by resignation (")


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ("Draw by resignation (Black is out)", "No winner, ended by resignation (Black is out)"),
        ("Draw on time", "No winner, ended by time"),
        ("Draw by agreement", "Draw by agreement"),
    ],
)
def test_results_that_were_stored_as_draws_are_said_rightly(stored, said):
    assert result_words(stored) == said


def test_results_are_said_in_other_languages():
    with translation.override("de"):
        assert result_words(Result(None, Reason.TIME)) == "Kein Sieger, Ende durch Zeitablauf"
        assert result_words(Result(Color.RED, Reason.TIME)).startswith("Rot")
        out = result_words(Result.given_up(Color.RED, Reason.TIME))
        assert out == "Kein Sieger, Ende durch Zeitablauf (Rot ist ausgeschieden)"
    with translation.override("fr"):
        assert result_words("Draw on time (Black is out)").endswith("(Noir est éliminé)")
