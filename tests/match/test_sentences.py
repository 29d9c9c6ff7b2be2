"""Sentences about events of a match."""

from typing import get_args

import pytest

from antipodes.match import (
    ANY,
    Accept,
    CancelResignation,
    ConditionalMoves,
    Decline,
    EndVacation,
    Event,
    Offer,
    OfferKind,
    QueueResignation,
    Resign,
    Resume,
    SetConditionalMoves,
    StartVacation,
)
from antipodes.match.sentences import SENTENCES, key_of, sentence, sentence_about
from tests.match.games import MatchDriver, match_of


def texts(events, is_own=False, takeback_to=None):
    found = [
        sentence_about(event, "ann", is_own=is_own, move="e5", takeback_to=takeback_to)
        for event in events
    ]
    return [str(phrase) for phrase in found if phrase is not None]


@pytest.fixture
def driver():
    """A correspondence match of Antipalos, which has draws."""
    return MatchDriver(match_of("antipalos", control="1d/move", size=12))


def test_a_move(driver):
    driver.play("A1*")
    [moved] = driver.events
    assert texts([moved]) == ["ann played e5."]
    assert texts([moved], is_own=True) == ["You played e5."]


@pytest.mark.parametrize(
    ("kind", "offered", "declined", "withdrawn"),
    [
        (OfferKind.DRAW, "offered a draw", "declined the draw", "withdrew the draw offer"),
        (
            OfferKind.PAUSE,
            "asked for a pause",
            "declined the pause",
            "withdrew the request for a pause",
        ),
    ],
)
def test_offers(driver, kind, offered, declined, withdrawn):
    assert texts(driver.send(Offer, 0, kind=kind)) == [f"ann {offered}."]
    assert texts(driver.send(Decline, 1, kind=kind)) == [f"ann {declined}."]
    driver.send(Offer, 0, kind=kind)
    assert texts(driver.send(Decline, 0, kind=kind)) == [f"ann {withdrawn}."]


def test_takebacks_and_pauses(driver):
    driver.play("A1*")
    offered = driver.send(Offer, 0, kind=OfferKind.TAKEBACK)
    assert texts(offered, takeback_to=0) == ["ann asked to take back move 1."]
    assert texts(driver.send(Accept, 1, kind=OfferKind.TAKEBACK)) == [
        "ann accepted the takeback.",
        "Moves were taken back; move 1 is next.",
    ]
    driver.send(Offer, 0, kind=OfferKind.PAUSE)
    assert texts(driver.send(Accept, 1, kind=OfferKind.PAUSE)) == [
        "ann accepted the pause.",
        "The game is paused.",
    ]
    assert texts(driver.send(Resume, 1)) == ["ann ended the pause."]


def test_vacations_and_resignations(driver):
    assert texts(driver.send(StartVacation, 1)) == ["ann is on vacation."]
    assert texts(driver.send(EndVacation, 1), is_own=True) == ["You are back from vacation."]
    assert texts(driver.send(QueueResignation, 1)) == ["You will resign at your next turn."]
    assert texts(driver.send(CancelResignation, 1)) == ["You will not resign."]
    assert texts(driver.send(Resign, 0)) == ["ann resigned."]


def test_conditional_moves(driver):
    moves = ConditionalMoves.line(ANY, 5)
    assert texts(driver.send(SetConditionalMoves, 1, moves=moves)) == [
        "Your conditional moves are saved."
    ]
    assert texts(driver.send(SetConditionalMoves, 1, moves=ConditionalMoves())) == [
        "Your conditional moves are removed."
    ]


def test_an_end_by_the_rules_has_no_sentence():
    driver = MatchDriver(match_of("hex", size=2))
    driver.play("a1", "b1", "a2")
    assert driver.match.result is not None
    assert key_of(driver.events[-1]) not in SENTENCES
    assert texts(driver.events[-2:]) == ["ann played e5."]


def test_a_sentence_without_a_name_says_a_player():
    assert str(sentence("ended-time")) == "A player ran out of time."


def test_each_kind_of_event_has_a_sentence():
    keys = " ".join(SENTENCES)
    for event in get_args(Event):
        assert event.kind in keys, event
