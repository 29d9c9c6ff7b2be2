"""Challenges and series."""

import pytest

from antipodes.clocks import read_control
from antipodes.core import Outcome, Termination
from antipodes.errors import InvalidOptionsError, MatchError
from antipodes.games.antipalos import Antipalos
from antipodes.games.match_play import MatchPlay
from antipodes.games.registry import game_class, make_game
from antipodes.match import (
    Abort,
    Accept,
    Challenge,
    Joined,
    Offer,
    OfferKind,
    Resign,
    Series,
    Terms,
)
from tests.match.games import NAMES, MatchDriver, match_of

HEX = make_game("hex", {})
TEAM = make_game("antipalos", {"size": 12, "seats": "team"})
DUEL = Antipalos(size=12)


@pytest.mark.parametrize(
    ("seat", "players"),
    [
        (0, ("ann", "bob", "cy", "dee")),
        (1, ("dee", "ann", "bob", "cy")),
        (3, ("bob", "cy", "dee", "ann")),
    ],
)
def test_players_without_a_choice_sit_clockwise_from_the_challenger(seat, players):
    challenge = Challenge(game=TEAM, by="ann", seat=seat).join("bob").join("cy").join("dee")
    assert challenge.terms(0).players == players


@pytest.mark.parametrize("seat", [0, 1])
def test_the_challenger_sits_where_they_want(seat):
    challenge = Challenge(game=HEX, by="ann", seat=seat).join("bob")
    assert challenge.terms(lot=7).players[seat] == "ann"


def test_without_a_wish_the_lot_decides():
    challenge = Challenge(game=HEX, by="ann").join("bob")
    assert {challenge.terms(lot).players for lot in range(9)} == {("ann", "bob"), ("bob", "ann")}


def test_a_team_game_waits_for_four():
    challenge = Challenge(game=TEAM, by="ann", seat=2)
    for name in NAMES[1:]:
        missing = 4 - challenge.taken
        with pytest.raises(MatchError, match=f"^{missing} more must join$") as caught:
            challenge.terms(0)
        assert caught.value.code == "match/not-full"
        challenge = challenge.join(name)
    assert challenge.is_full
    assert challenge.terms(0).players == ("cy", "dee", "ann", "bob")


def test_who_may_join():
    challenge = Challenge(game=HEX, by="ann", invited=frozenset({"bob"}))
    for name, code in [("ann", "joined"), ("cy", "not-invited")]:
        with pytest.raises(MatchError) as caught:
            challenge.join(name)
        assert caught.value.code == f"match/{code}"
    with pytest.raises(MatchError):
        challenge.join("bob").join("cy")
    assert challenge.join("bob").leave("bob") == challenge
    with pytest.raises(MatchError):
        challenge.leave("bob")
    with pytest.raises(MatchError):
        Challenge(game=HEX, by="ann", seat=2)


def test_no_more_may_have_joined_than_there_are_seats():
    assert Challenge(game=HEX, by="ann", joined=(Joined(player="bob"),)).is_full
    with pytest.raises(MatchError) as caught:
        Challenge(game=HEX, by="ann", joined=(Joined(player="bob"), Joined(player="cy")))
    assert caught.value.code == "match/full"
    assert str(caught.value) == "3 cannot sit at 2 seats"


def test_everybody_may_choose_a_seat_and_computers_take_theirs():
    challenge = Challenge(game=TEAM, by="ann", seat=0, computers=((1, "robot"), (3, "robot")))
    assert challenge.free_seats == (2,)
    assert challenge.join("bob", 2).terms(0).players == ("ann", "robot", "bob", "robot")


def test_a_seat_is_taken_once_and_must_be_there():
    challenge = Challenge(game=TEAM, by="ann", seat=0).join("bob", 2)
    for seat, code in [(0, "seat-taken"), (2, "seat-taken"), (4, "seats"), (-1, "seats")]:
        with pytest.raises(MatchError, match=f"seat {seat + 1}") as caught:
            challenge.join("cy", seat)
        assert caught.value.code == f"match/{code}"


@pytest.mark.parametrize("lot", range(8))
def test_a_player_without_a_choice_gets_a_seat_that_is_left(lot):
    challenge = Challenge(game=TEAM, by="ann", computers=((1, "robot"),)).join("bob", 0).join("cy")
    players = challenge.terms(lot).players
    assert players[:2] == ("bob", "robot")
    assert set(players[2:]) == {"ann", "cy"}


@pytest.mark.parametrize("lot", range(8))
def test_the_computer_can_fill_the_seats_that_players_leave_free(lot):
    challenge = Challenge(game=TEAM, by="ann", rated=True).join("bob", 2).fill("robot")
    assert challenge.is_full
    assert not challenge.rated
    players = challenge.terms(lot).players
    assert players[2] == "bob"
    assert sorted(players) == ["ann", "bob", "robot", "robot"]
    without_choice = Challenge(game=TEAM, by="ann").join("bob").fill("robot")
    assert without_choice.computers == ((2, "robot"), (3, "robot"))
    assert set(without_choice.terms(lot).players[:2]) == {"ann", "bob"}


def test_games_with_the_computer_are_not_rated():
    with pytest.raises(MatchError) as caught:
        Challenge(game=HEX, by="ann", rated=True, computers=((1, "robot"),))
    assert caught.value.code == "match/rated"


def test_match_play_belongs_to_the_boxed_game_of_antipalos():
    assert Challenge(game=DUEL, by="ann", points=9).points == 9
    mail = Antipalos(ruleset="mail")
    for game, points in [(HEX, 6), (DUEL, 7), (mail, 6)]:
        with pytest.raises(InvalidOptionsError):
            Challenge(game=game, by="ann", points=points)


def test_terms_say_whether_variations_may_be_tried():
    challenge = Challenge(game=HEX, by="ann", analysis=False).join("bob")
    assert not challenge.terms(0).analysis
    assert Challenge(game=HEX, by="ann").join("bob").terms(0).analysis


def series(game=DUEL, sides=(("ann",), ("bob",)), target=6):
    return Series(standing=MatchPlay(game, target), sides=sides)


def test_the_loser_begins_the_next_game_of_a_series():
    one = series()
    assert one.terms().players == ("ann", "bob")
    table = MatchDriver(match_of("antipalos", size=12))
    table.send(Resign, 1)
    one = one.after(table.match)
    assert one.standing.scores == (3, 0)
    assert one.terms().players == ("bob", "ann")


def test_a_game_called_off_scores_nothing_and_does_not_count():
    table = MatchDriver(match_of("antipalos", size=12))
    table.send(Abort, 0)
    assert series().after(table.match) == series()


def test_a_drawn_game_of_a_series_counts_and_scores_nothing():
    table = MatchDriver(match_of("antipalos", size=12))
    table.send(Offer, 0, kind=OfferKind.DRAW)
    table.send(Accept, 1, kind=OfferKind.DRAW)
    twice = series().after(table.match).after(table.match)
    assert (twice.standing.games, twice.standing.scores) == (2, (0, 0))
    assert twice.terms().players == ("ann", "bob")


@pytest.mark.parametrize("details", [{}, {"rated": True}, {"analysis": False}])
def test_each_game_of_a_series_has_the_terms_of_the_first(details):
    terms = Terms(game=TEAM, players=NAMES, control=read_control("5m+3s"), **details)
    one = Series.begun(terms, 6)
    assert one.terms() == terms
    assert one.sides == (("ann", "cy"), ("bob", "dee"))
    assert one.winner is None
    assert series().terms() == Terms(game=DUEL, players=("ann", "bob"))


def test_a_series_ends_at_its_target():
    one = series()
    while one.winner is None:
        table = MatchDriver(match_of("antipalos", size=12, players=one.terms().players))
        table.send(Resign, table.match.terms.players.index("ann"))
        one = one.after(table.match)
    assert one.winner == ("bob",)
    assert one.standing.scores == (0, 6)


def test_teams_keep_together():
    one = series(TEAM, (("ann", "cy"), ("bob", "dee")))
    assert one.terms().players == ("ann", "bob", "cy", "dee")


def test_sides_must_fit():
    with pytest.raises(InvalidOptionsError):
        series(TEAM, (("ann",), ("bob",)))


def test_a_game_that_goes_on_scores_nothing_yet():
    with pytest.raises(ValueError, match="not over"):
        series().after(match_of("antipalos", size=12))


def test_an_end_by_the_rules_scores_its_points():
    standing = MatchPlay(DUEL, 6)
    color = DUEL.colors[0]
    assert standing.after(Outcome(color, Termination.CONNECTION, 3)).scores == (3, 0)


def test_a_game_that_ends_by_the_rules_is_added_to_its_series():
    example = game_class("antipalos").finished_game
    assert example is not None
    table = MatchDriver(match_of("antipalos", **example.options))
    table.play(*example.moves.split())
    one = series().after(table.match)
    assert one.standing == MatchPlay(DUEL, 6).after(table.match.position.outcome)
    assert (one.standing.scores, one.standing.games) == ((3, 0), 1)
    assert one.terms().players == ("bob", "ann")


def test_regression_a_game_that_is_over_before_it_begins_is_not_played():
    decided = make_game("antipod", {"side": 2})
    with pytest.raises(InvalidOptionsError, match="Antipod is over before the first move"):
        Challenge(game=decided, by="ann")


def test_a_promised_seat_cannot_be_taken_by_others():
    promised = (("bob", 2),)
    challenge = Challenge(game=TEAM, by="ann", seat=0, promised=promised)
    with pytest.raises(MatchError, match="seat 3 is taken already") as caught:
        challenge.join("cy", 2)
    assert caught.value.code == "match/seat-taken"
    assert challenge.join("bob", 1).join("cy", 1).joined[0].seat == 2
