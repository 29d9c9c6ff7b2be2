"""First moves: no clock runs before them, for a time in which players come to the board."""

from dataclasses import replace

import pytest

from antipodes.clocks import MINUTE, SECOND, read_control
from antipodes.errors import MatchError
from antipodes.games.registry import make_game
from antipodes.match import (
    Accept,
    ClaimFlag,
    Match,
    Offer,
    OfferKind,
    Play,
    Resume,
    Terms,
    bridge,
    claim_flag,
)
from antipodes.match.sentences import sentence_about
from antipodes.records import Reason
from tests.match.games import NAMES, MatchDriver

GRACE = 30 * SECOND


@pytest.fixture
def begun():
    """Return a function that begins a match of Hex."""

    def make(control="5m+5s", *, aborts_late=True, game_id="hex", **options):
        game = make_game(game_id, options or {"size": 5})
        terms = Terms(
            game=game,
            players=NAMES[: game.seats],
            control=read_control(control),
            grace=GRACE,
            aborts_late=aborts_late,
        )
        return MatchDriver(Match.begun(terms, 0))

    return make


def times(driver):
    clock = driver.match.clock
    return [clock.left(seat, driver.now) for seat in range(len(clock.banks))]


def test_no_clock_runs_before_each_side_has_made_its_first_move(begun):
    driver = begun()
    driver.now = 29 * SECOND
    assert times(driver) == [5 * MINUTE, 5 * MINUTE]
    driver.play("a1")
    driver.now += 29 * SECOND
    assert driver.match.clock.free_until == driver.match.clock.deadline == 59 * SECOND
    driver.play("b2")
    assert times(driver) == [5 * MINUTE + 5 * SECOND] * 2
    driver.now += 10 * SECOND
    assert times(driver) == [5 * MINUTE - 5 * SECOND, 5 * MINUTE + 5 * SECOND]
    assert driver.match.clock.free_until is None


@pytest.mark.parametrize("moves", [(), ("a1",)])
def test_a_match_without_a_first_move_in_time_is_aborted(begun, moves):
    driver = begun()
    driver.play(*moves)
    match, events = claim_flag(driver.match, GRACE - 1)
    assert (match, events) == (driver.match, ())
    match, [ended] = claim_flag(driver.match, GRACE)
    assert match.result is not None
    assert (match.result.reason, match.result.winner, ended.seat) == (Reason.VOID, None, None)
    told = sentence_about(ended, None, is_own=False, move="")
    assert str(told) == "The game is aborted: a first move did not come in time."


def test_a_first_move_that_comes_too_late_is_not_played(begun):
    driver = begun()
    driver.now = GRACE
    driver.play("a1")
    assert driver.match.ply == 0
    assert driver.match.result.reason is Reason.VOID


def test_who_comes_late_to_a_match_of_an_event_loses_time(begun):
    driver = begun(aborts_late=False)
    driver.now = GRACE + MINUTE
    assert times(driver) == [4 * MINUTE, 5 * MINUTE]
    assert driver.match.clock.deadline == GRACE + 5 * MINUTE
    driver.play("a1")
    assert times(driver) == [4 * MINUTE + 5 * SECOND, 5 * MINUTE]
    match, [ended] = claim_flag(driver.match, driver.now + GRACE + 5 * MINUTE)
    assert match.result is not None
    assert (match.result.reason, ended.seat) == (Reason.TIME, 1)


def test_each_of_three_players_has_time_for_a_first_move(begun):
    driver = begun("1m", aborts_late=False, game_id="antipalos", size=12, seats="cutthroat3")
    for _ in range(3):
        driver.now += GRACE
        driver.send(Play, driver.match.seat_to_move, move=min(driver.match.position.legal_moves))
    assert times(driver) == [MINUTE] * 3
    driver.now += SECOND
    assert times(driver) == [59 * SECOND, MINUTE, MINUTE]


def test_a_takeback_gives_no_time_for_a_first_move_again(begun):
    driver = begun()
    driver.play("a1", "b2")
    driver.send(Offer, 0, kind=OfferKind.TAKEBACK)
    driver.send(Accept, 1, kind=OfferKind.TAKEBACK)
    assert driver.match.ply == 0
    driver.now += MINUTE
    assert driver.match.clock.free_until is None
    assert times(driver)[0] == 4 * MINUTE
    driver.play("a1")
    driver.now += MINUTE
    assert times(driver)[1] == 4 * MINUTE


def test_a_first_turn_goes_on_with_the_rest_of_its_time(begun):
    driver = begun()
    driver.play("a1")
    driver.now += 20 * SECOND
    driver.send(Offer, 0, kind=OfferKind.TAKEBACK)
    driver.send(Accept, 1, kind=OfferKind.TAKEBACK)
    driver.play("a2")
    assert driver.match.clock.free_until == driver.now + 10 * SECOND


def test_a_pause_and_a_downtime_cost_no_time_of_a_first_turn(begun):
    driver = begun()
    driver.now = 10 * SECOND
    driver.send(Offer, 0, kind=OfferKind.PAUSE)
    driver.send(Accept, 1, kind=OfferKind.PAUSE)
    driver.now += 10 * MINUTE
    assert claim_flag(driver.match, driver.now) == (driver.match, ())
    driver.send(Resume, 1)
    assert driver.match.clock.deadline == driver.now + 20 * SECOND
    match, _ = bridge(driver.match, driver.now + 5 * SECOND, driver.now + MINUTE)
    assert match.clock.deadline == driver.now + MINUTE + 15 * SECOND


def test_matches_of_before_have_no_such_time(begun):
    driver = begun()
    old = Match.begun(replace(driver.match.terms, grace=0, aborts_late=False), 0)
    assert old.clock.left(0, GRACE) == 5 * MINUTE - GRACE
    with pytest.raises(MatchError, match="seat 0 has time left"):
        MatchDriver(old).send(ClaimFlag, 1)
