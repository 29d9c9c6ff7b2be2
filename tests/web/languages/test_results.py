"""Tests of the translated results of matches."""

import pytest
from django.utils import translation

from antipodes.core import Color
from antipodes.errors import Fault, InputError, Phrase
from antipodes.games.registry import make_game
from antipodes.mail.layout.board import result_words as mailed
from antipodes.match import Resign, Terms
from antipodes.match.handling import handle
from antipodes.match.match import Match
from antipodes.records import Reason, Result
from antipodes.web.platform.translations import (
    caption_text,
    color_name,
    error_message,
    phrase_text,
    place_text,
    result_text,
    translate,
)


def test_a_resignation_among_three_is_no_draw_on_pages_and_in_mails():
    game = make_game("antipalos", {"size": 12, "seats": "cutthroat3"})
    match = Match.begun(Terms(game=game, players=("a", "b", "c")), 0)
    match, _events = handle(match, Resign(seat=0, ply=0, key="r"), 1)
    assert match.result is not None
    text = result_text(match.result)
    assert text == mailed(match.result)
    assert text.startswith("No winner, ended by resignation (")


def test_results_are_translated():
    with translation.override("de"):
        assert result_text(Result(None, Reason.TIME)) == "Kein Sieger, Ende durch Zeitablauf"
        assert result_text(Result(Color.RED, Reason.TIME)).startswith("Rot")
        out = result_text(Result(None, Reason.TIME, loser=Color.RED))
        assert out == "Kein Sieger, Ende durch Zeitablauf (Rot ist ausgeschieden)"
    with translation.override("fr"):
        out = result_text(Result(None, Reason.TIME, loser=Color.BLACK))
        assert out.endswith("(Noir est éliminé)")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_way_to_end_has_words_in_each_language(language):
    results = [Result(winner, reason) for reason in Reason for winner in (None, Color.BLACK)]
    with translation.override(language):
        untranslated = [str(result) for result in results if result_text(result) == str(result)]
        assert untranslated == []
        position = make_game("hex", {"size": 2, "swap": "off"}).initial()
        for move in ("a1", "b1", "a2"):
            position = position.play(position.parse_move(move))
        assert position.outcome is not None
        assert result_text(position.outcome) == result_text(Result.of(position.outcome))


@pytest.mark.parametrize(
    ("language", "place"),
    [
        ("en-gb", "move 3, line 4, column b, character 5, row 6, file c, the size, row x9, swap"),
        ("de", "Zug 3, Zeile 4, Spalte b, Zeichen 5, Reihe 6, Linie c, die Größe, row x9, swap"),
    ],
)
def test_the_place_of_a_fault_is_translated_unless_it_is_a_name(language, place):
    with translation.override(language):
        found = place_text(
            "move 3, line 4, column b, character 5, row 6, file c, the size, row x9, swap"
        )
    assert found == place


def test_all_faults_of_an_error_are_translated_with_their_places():
    error = InputError(
        [
            Fault.of("seat", "there is no seat {seat}", where="move 3", seat=7),
            Fault("size", "the size is too large", "the size"),
            Fault("other", "the point is not empty"),
        ]
    )
    assert error_message(error) == (
        "move 3: there is no seat 7; the size is too large; the point is not empty"
    )
    with translation.override("de"):
        seat, size, point = error_message(error).split("; ")
        assert seat == f"Zug 3: {translation.gettext('there is no seat {seat}').format(seat=7)}"
        assert size == "the size is too large"
        assert point == translation.gettext("the point is not empty") != "the point is not empty"


def test_values_of_a_phrase_are_translated():
    result = Result(Color.RED, Reason.TIME)
    values = {"a": (1, Color.RED), "b": Phrase("Hex: {one}", {"one": "x"}), "c": result}
    phrase = Phrase("{a} / {b} / {c}", values)
    assert phrase_text(phrase) == "1, red / Hex: x / Red wins on time"
    position = make_game("hex", {"size": 3}).initial()
    assert caption_text(position) == "Hex, move 1: Black to move."
    with translation.override("de"):
        assert phrase_text(phrase) == "1, rot / Hex: x / Rot gewinnt durch Zeit"
        assert caption_text(position) == "Hex, Zug 1: Schwarz ist am Zug."
        assert color_name(Color.BLACK) == "Schwarz"
    assert translate("") == ""
