"""Commands and events of matches."""

import pytest

from antipodes.core import Color
from antipodes.errors import IllegalMoveError, InvalidOptionsError, MatchError
from antipodes.match import (
    Abort,
    Accept,
    CancelResignation,
    ClaimDraw,
    ClaimFlag,
    ClaimWin,
    Decline,
    Declined,
    Ended,
    EndVacation,
    Match,
    Offer,
    OfferKind,
    Paused,
    Play,
    QueueResignation,
    Resign,
    Resume,
    Resumed,
    StartVacation,
    Withdrawn,
    bridge,
    claim_flag,
    handle,
    read_event,
    rematch,
)
from antipodes.records import Reason, Result
from tests.match.games import MatchDriver, match_of


def table(*args, **options):
    return MatchDriver(match_of(*args, **options))


def refused(code):
    return pytest.raises(MatchError, check=lambda error: error.code == f"match/{code}")


def test_a_match_is_played_to_its_end_by_the_rules():
    one = table(size=2)
    one.play("a1", "b1", "a2")
    assert one.match.result == Result(Color.BLACK, Reason.CONNECTION)
    assert one.match.seat_to_move is None
    assert isinstance(one.events[-1], Ended)
    assert one.match.record().result == one.match.result
    with refused("over"):
        one.send(Resign, 0)


def test_a_repeated_command_does_nothing():
    match = match_of()
    command = Play(seat=0, ply=0, key="once", move=5)
    after, events = handle(match, command, 0)
    again, nothing = handle(after, command, 99)
    assert len(events) == 1
    assert again is after
    assert nothing == ()


def test_a_stale_command_is_refused_with_both_numbers():
    one = table()
    one.play("a1", "b1", "c1")
    with pytest.raises(MatchError, match=r"move 2, but move 4") as caught:
        one.send(Play, 1, ply=1, move=7)
    assert caught.value.code == "match/stale"


def test_only_the_seat_whose_turn_it_is_moves():
    one = table()
    with refused("not-your-turn"):
        one.send(Play, 1, move=0)


def test_an_illegal_move_changes_nothing():
    one = table()
    one.play("a1")
    before = one.match
    with pytest.raises(IllegalMoveError):
        one.send(Play, 1, move=0)
    assert one.match is before


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there_is_refused(seat):
    one = table()
    with refused("seats"):
        one.send(Resign, seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_resigns_loses_in_anybodys_turn(seat):
    one = table()
    one.send(Resign, seat)
    assert one.match.result == Result([Color.WHITE, Color.BLACK][seat], Reason.RESIGNATION)


def test_after_a_swap_of_seats_the_colours_are_the_others():
    one = table(swap="sides")
    one.play("a1", "swap")
    one.send(Resign, 1)
    assert one.match.result == Result(Color.WHITE, Reason.RESIGNATION)


def test_of_three_colours_none_wins_when_one_resigns():
    one = table("antipalos", size=12, seats="cutthroat3")
    one.send(Resign, 1)
    assert one.match.result.winner is None
    assert one.match.result.loser is one.match.color_of(1)


def test_a_team_loses_when_one_of_it_resigns():
    one = table("antipalos", size=12, seats="team")
    one.send(Resign, 3)
    assert one.match.result.winner is one.match.color_of(0)


def test_a_queued_resignation_waits_for_ones_turn_and_toggles():
    one = table()
    with refused("your-turn"):
        one.send(QueueResignation, 0)
    one.send(QueueResignation, 1)
    one.send(CancelResignation, 1)
    one.play("a1")
    assert one.match.result is None
    one.send(QueueResignation, 0)
    one.play("b1")
    assert one.match.result == Result(Color.WHITE, Reason.RESIGNATION)


def test_only_its_player_sees_a_queued_resignation():
    one = table()
    one.send(QueueResignation, 1)
    one.send(CancelResignation, 1)
    seen = [[event.is_for(seat) for seat in (0, 1, None)] for event in one.events]
    assert seen == [[False, True, False]] * 2


DRAWN = [
    ("antipalos", {}),
    ("antipalos", {"seats": "team"}),
    ("antipalos", {"ruleset": "mail"}),
    ("antipode", {}),
]
NEVER_DRAWN = [
    ("hex", {}),
    ("cylindrical-hex", {}),
    ("antipod", {}),
    ("antipode", {"full_board": "loss"}),
]


@pytest.mark.parametrize(("game_id", "options"), NEVER_DRAWN)
def test_no_draw_can_be_agreed_in_a_game_that_always_has_a_winner(game_id, options):
    one = table(game_id, **options)
    for command in (Offer, Accept):
        with refused("no-draws"):
            one.send(command, 0, kind=OfferKind.DRAW)
    assert not one.events
    one.send(Offer, 0, kind=OfferKind.PAUSE)
    assert one.match.offers


@pytest.mark.parametrize(("game_id", "options"), DRAWN)
def test_a_draw_can_be_offered_where_the_rules_have_draws(game_id, options):
    one = table(game_id, **options)
    one.send(Offer, 0, kind=OfferKind.DRAW)
    assert one.match.offers


def test_a_draw_needs_both():
    one = table("antipode")
    one.send(Offer, 0, kind=OfferKind.DRAW)
    with refused("no-offer"):
        one.send(Accept, 0, kind=OfferKind.DRAW)
    with refused("offered"):
        one.send(Offer, 0, kind=OfferKind.DRAW)
    one.send(Accept, 1, kind=OfferKind.DRAW)
    assert one.match.result == Result(None, Reason.AGREEMENT)


def test_offers_that_cross_are_an_agreement():
    one = table("antipode")
    one.send(Offer, 0, kind=OfferKind.DRAW)
    one.send(Offer, 1, kind=OfferKind.DRAW)
    assert one.match.result == Result(None, Reason.AGREEMENT)


def test_in_a_team_game_all_four_must_agree():
    one = table("antipalos", size=12, seats="team")
    one.send(Offer, 0, kind=OfferKind.DRAW)
    one.send(Accept, 1, kind=OfferKind.DRAW)
    one.send(Accept, 2, kind=OfferKind.DRAW)
    assert one.match.result is None
    one.send(Accept, 3, kind=OfferKind.DRAW)
    assert one.match.result is not None


def test_one_person_on_two_seats_agrees_once():
    one = table("antipalos", size=12, seats="team", players=("ann", "bob", "ann", "bob"))
    one.send(Offer, 0, kind=OfferKind.DRAW)
    one.send(Accept, 1, kind=OfferKind.DRAW)
    assert one.match.result == Result(None, Reason.AGREEMENT)


def test_an_offer_stands_until_the_other_moves_or_declines():
    one = table("antipalos", size=12)
    one.send(Offer, 0, kind=OfferKind.DRAW)
    one.play("A1*")
    assert one.match.offers
    one.play("B1*")
    assert not one.match.offers
    one.send(Offer, 0, kind=OfferKind.DRAW)
    one.send(Decline, 1, kind=OfferKind.DRAW)
    with refused("no-offer"):
        one.send(Accept, 1, kind=OfferKind.DRAW)
    with refused("no-offer"):
        one.send(Decline, 1, kind=OfferKind.DRAW)


def test_only_ones_own_offer_is_withdrawn():
    one = table("antipalos", size=12)
    one.send(Offer, 0, kind=OfferKind.DRAW)
    (event,) = one.send(Decline, 0, kind=OfferKind.DRAW)
    assert (type(event), one.match.withdrawn) == (Withdrawn, {OfferKind.DRAW: 0})
    assert not one.match.offers
    assert not one.match.declined
    one.send(Offer, 0, kind=OfferKind.DRAW)
    assert not one.match.withdrawn
    (event,) = one.send(Decline, 1, kind=OfferKind.DRAW)
    assert (type(event), one.match.declined) == (Declined, {OfferKind.DRAW: (1, (0,))})
    one.send(Offer, 0, kind=OfferKind.DRAW)
    assert not one.match.declined
    one.send(Decline, 1, kind=OfferKind.DRAW)
    one.play("A1*")
    assert not one.match.declined


def test_a_player_who_had_agreed_can_decline():
    one = table("antipalos", size=12, seats="team")
    one.send(Offer, 0, kind=OfferKind.DRAW)
    one.send(Accept, 1, kind=OfferKind.DRAW)
    (event,) = one.send(Decline, 1, kind=OfferKind.DRAW)
    assert isinstance(event, Declined)
    assert one.match.declined == {OfferKind.DRAW: (1, (0,))}


def test_an_offer_is_withdrawn_from_any_seat_of_its_player():
    one = table("antipalos", size=12, seats="team", players=("ann", "bob", "ann", "bob"))
    one.send(Offer, 0, kind=OfferKind.DRAW)
    (event,) = one.send(Decline, 2, kind=OfferKind.DRAW)
    assert isinstance(event, Withdrawn)


@pytest.mark.parametrize(("seat", "left"), [(0, 2), (1, 1)])
def test_a_takeback_goes_back_before_the_askers_last_move(seat, left):
    one = table()
    one.play("a1", "b1", "c1")
    one.send(Offer, seat, kind=OfferKind.TAKEBACK)
    one.send(Accept, 1 - seat, kind=OfferKind.TAKEBACK)
    assert one.match.ply == left
    expected = table()
    expected.play(*("a1", "b1", "c1")[:left])
    assert one.match.position == expected.match.position
    assert one.match.moves == expected.match.moves
    assert one.match.seat_to_move == left % 2


def test_a_takeback_needs_a_move_and_lapses_with_the_opponents_next():
    one = table()
    with refused("nothing-to-take-back"):
        one.send(Offer, 1, kind=OfferKind.TAKEBACK)
    one.play("a1")
    one.send(Offer, 0, kind=OfferKind.TAKEBACK)
    one.play("b1")
    with refused("no-offer"):
        one.send(Accept, 1, kind=OfferKind.TAKEBACK)


def test_an_offer_of_a_takeback_survives_ones_own_move_and_means_the_same_move():
    one = table()
    one.play("a1", "b1", "c1", "d1")
    one.send(Offer, 0, kind=OfferKind.TAKEBACK)
    one.play("e1")
    assert one.match.offers == {OfferKind.TAKEBACK: (0,)}
    one.send(Accept, 1, kind=OfferKind.TAKEBACK)
    assert one.match.ply == 2
    assert one.match.seat_to_move == 0


def test_an_offer_survives_a_move_of_the_same_player_on_another_seat():
    one = table("antipalos", players=("ann", "bob", "ann", "bob"), size=12, seats="team")
    one.send(Offer, 2, kind=OfferKind.DRAW)
    one.send(Play, 0, move=0)
    assert one.match.offers == {OfferKind.DRAW: (2,)}
    one.send(Play, 1, move=5)
    assert not one.match.offers


def take_back(driver, seat):
    """Agree to take back a seat's last move, in a match of two seats."""
    driver.send(Offer, seat, kind=OfferKind.TAKEBACK)
    driver.send(Accept, 1 - seat, kind=OfferKind.TAKEBACK)


def with_refused_offers():
    """Return a match in which an offer was declined and another one was withdrawn."""
    driver = table("antipalos", size=12)
    driver.play("A1*", "B1*")
    driver.send(Offer, 0, kind=OfferKind.PAUSE)
    driver.send(Decline, 1, kind=OfferKind.PAUSE)
    driver.send(Offer, 1, kind=OfferKind.DRAW)
    driver.send(Decline, 1, kind=OfferKind.DRAW)
    assert driver.match.declined == {OfferKind.PAUSE: (1, (0,))}
    assert driver.match.withdrawn == {OfferKind.DRAW: 1}
    return driver


def with_an_open_offer():
    """Return a match in which the first seat has offered a draw."""
    driver = table("antipalos", size=12, control="1m")
    driver.play("A1*", "B1*")
    driver.send(Offer, 0, kind=OfferKind.DRAW)
    return driver


def test_a_takeback_drops_all_other_offers():
    one = with_an_open_offer()
    take_back(one, 0)
    assert not one.match.offers
    with refused("no-offer"):
        one.send(Accept, 1, kind=OfferKind.DRAW)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda one: take_back(one, 0), id="takeback"),
        pytest.param(lambda one: one.play("C1*"), id="move"),
        pytest.param(lambda one: one.send(Resign, 0), id="end"),
    ],
)
def test_a_takeback_a_move_and_the_end_drop_what_was_declined_and_withdrawn(change):
    one = with_refused_offers()
    change(one)
    assert not one.match.declined
    assert not one.match.withdrawn


def test_a_pause_drops_no_offer_but_its_own():
    one = with_an_open_offer()
    one.send(Offer, 0, kind=OfferKind.PAUSE)
    one.send(Accept, 1, kind=OfferKind.PAUSE)
    assert one.match.offers == {OfferKind.DRAW: (0,)}
    one.send(Resume, 0)
    one.send(Accept, 1, kind=OfferKind.DRAW)
    assert one.match.result == Result(None, Reason.AGREEMENT)


def test_the_end_drops_offers_and_queued_resignations():
    one = with_an_open_offer()
    one.send(QueueResignation, 1)
    one.send(Resign, 0)
    assert not one.match.offers
    assert not one.match.resigning


def test_a_takeback_drops_queued_resignations():
    one = table()
    one.play("a1", "b1")
    one.send(QueueResignation, 1)
    take_back(one, 0)
    assert not one.match.resigning
    one.play("a1")
    assert one.match.result is None


def test_a_swap_of_seats_leaves_a_queued_resignation_with_its_player():
    one = table(swap="sides")
    one.play("a1")
    one.send(QueueResignation, 0)
    one.play("swap")
    assert one.match.result == Result(one.match.color_of(1), Reason.RESIGNATION)


def test_five_takebacks_of_the_first_move_add_no_time():
    one = table(control="1m+30s")
    for _ in range(5):
        one.play("a1")
        one.send(Offer, 0, kind=OfferKind.TAKEBACK)
        one.send(Accept, 1, kind=OfferKind.TAKEBACK)
    assert [one.match.clock.left(seat, one.now) for seat in (0, 1)] == [60_000, 60_000]


def test_a_takeback_that_would_leave_a_player_no_time_is_refused():
    one = table(control="10s+30s")
    one.play("a1", "b1")
    one.now = 35_000
    one.play("c1")
    one.send(Offer, 0, kind=OfferKind.TAKEBACK)
    one.send(Accept, 1, kind=OfferKind.TAKEBACK)
    assert one.match.clock.left(0, one.now) == 5_000
    one.send(Offer, 0, kind=OfferKind.TAKEBACK)
    before = one.match
    with refused("no-time"):  # the increment of the first move is used up
        one.send(Accept, 1, kind=OfferKind.TAKEBACK)
    assert one.match is before


def test_a_match_can_be_aborted_before_ones_first_move():
    one = table()
    one.play("a1")
    with refused("too-late"):
        one.send(Abort, 0)
    one.send(Abort, 1)
    assert one.match.result == Result(None, Reason.VOID)


def test_a_player_out_of_time_loses_whichever_command_comes_first():
    one = table(control="1m")
    one.now = 59_999
    with refused("time-left"):
        one.send(ClaimFlag, 1)
    one.now = 60_000
    events = one.send(ClaimFlag, 1)
    assert [type(event) for event in events] == [Ended]
    assert one.match.result == Result(Color.WHITE, Reason.TIME)


def test_an_end_is_claimed_only_from_an_opponent_who_is_to_move_in_a_live_game():
    one = table(control="5m")
    one.play("a1")
    with refused("not-begun"):
        one.send(ClaimWin, 0)
    one.play("b1")
    with refused("your-turn"):
        one.send(ClaimWin, 0)
    [ended] = one.send(ClaimWin, 1)
    assert (ended.seat, ended.result) == (0, Result(Color.WHITE, Reason.FORFEIT))
    slow = table(control="3d/move")
    slow.play("a1", "b1")
    with refused("not-live"):
        slow.send(ClaimDraw, 1)


def test_a_claim_after_the_flag_has_fallen_is_a_win_on_time():
    one = table(control="1m")
    one.play("a1", "b1")
    one.now = 61_000
    one.send(ClaimWin, 1)
    assert one.match.result == Result(Color.WHITE, Reason.TIME)


def test_a_move_after_the_flag_comes_too_late():
    one = table(control="1m")
    one.now = 61_000
    one.send(Play, 0, move=0)
    assert one.match.ply == 0
    assert one.match.result == Result(Color.WHITE, Reason.TIME)
    assert claim_flag(one.match, 70_000) == (one.match, ())


def test_declining_a_pause_that_has_begun_does_not_end_it():
    one = table()
    with refused("not-paused"):
        one.send(Resume, 0)
    one.send(Offer, 0, kind=OfferKind.PAUSE)
    one.send(Accept, 1, kind=OfferKind.PAUSE)
    with refused("no-offer"):
        one.send(Decline, 1, kind=OfferKind.PAUSE)
    (resumed,) = one.send(Resume, 1)
    assert (type(resumed), resumed.seat) == (Resumed, 1)
    assert not one.match.clock.paused


def test_no_player_moves_and_no_flag_falls_in_a_pause():
    one = table(control="1m")
    one.now = 10_000
    one.send(Offer, 0, kind=OfferKind.PAUSE)
    one.send(Accept, 1, kind=OfferKind.PAUSE)
    one.now = 500_000
    with refused("paused"):
        one.send(Play, 0, move=0)
    with refused("paused"):
        one.send(Offer, 0, kind=OfferKind.PAUSE)
    one.send(Resume, 1)
    assert one.match.clock.left(0, 500_000) == 50_000
    one.play("a1")


def test_a_clock_stands_still_on_vacation():
    one = table(control="1d/move")
    one.send(StartVacation, 0)
    with refused("on-vacation"):
        one.send(StartVacation, 0)
    one.now = 10 * 86_400_000
    assert claim_flag(one.match, one.now)[1] == ()
    one.send(EndVacation, 0)
    with refused("not-on-vacation"):
        one.send(EndVacation, 0)
    one.now += 86_400_000
    one.send(ClaimFlag, 1)
    assert one.match.result == Result(Color.WHITE, Reason.TIME)


def test_a_live_game_has_no_vacation_and_no_player_more_than_a_month():
    with refused("no-vacation"):
        table(control="5m").send(StartVacation, 0)
    one = table(control="1d/move")
    one.send(StartVacation, 0)
    one.now = one.match.terms.control.vacation
    one.send(EndVacation, 0)
    with refused("no-vacation"):
        one.send(StartVacation, 0)


def test_a_rematch_is_agreed_after_the_end_and_nothing_else_is():
    one = table()
    with refused("not-over"):
        one.send(Offer, 0, kind=OfferKind.REMATCH)
    one.send(Resign, 0)
    with refused("over"):
        one.send(Offer, 0, kind=OfferKind.DRAW)
    one.send(Offer, 1, kind=OfferKind.REMATCH)
    one.send(Decline, 0, kind=OfferKind.REMATCH)
    one.send(Offer, 0, kind=OfferKind.REMATCH)
    one.send(Accept, 1, kind=OfferKind.REMATCH)
    assert one.match.is_agreed(OfferKind.REMATCH)
    with refused("no-offer"):
        one.send(Decline, 0, kind=OfferKind.REMATCH)
    assert one.match.result == Result(Color.WHITE, Reason.RESIGNATION)


def test_no_player_loses_time_in_an_outage():
    one = table(control="1m")
    match, events = bridge(one.match, 10_000, 500_000)
    assert [type(event) for event in events] == [Paused, Resumed]
    assert match.clock.left(0, 500_000) == 50_000
    assert match.clock.deadline == 550_000
    early = match.clock.turn_to(1, 400_000)
    assert early.left(0, 400_000) == 50_000
    assert early.deadline == 560_000


def test_an_outage_leaves_every_offer_open():
    driver = with_an_open_offer()
    for kind in (OfferKind.TAKEBACK, OfferKind.PAUSE):
        driver.send(Offer, 0, kind=kind)
    match, events = bridge(driver.match, driver.now, driver.now + 500_000)
    assert events
    assert match.offers == driver.match.offers
    assert len(match.offers) == 3


@pytest.mark.parametrize("stopped", [60_000, 70_000])
def test_a_flag_that_fell_before_everything_stood_still_stays_fallen(stopped):
    one = table(control="1m")
    assert bridge(one.match, stopped, 500_000) == (one.match, ())


DAY = 86_400_000


@pytest.mark.parametrize(
    ("stopped", "resumed", "left"),
    [
        (DAY, 2 * DAY, DAY),  # it had two days, and goes on
        (DAY, 10 * DAY, DAY),
        (2 * DAY + 1_000, 10 * DAY, DAY - 1_000),
        (2 * DAY + 1_000, 2 * DAY + 5_000, DAY - 1_000),
    ],
)
def test_by_correspondence_each_player_has_a_day_after_an_outage(stopped, resumed, left):
    one = table(control="3d/move")
    match, _ = bridge(one.match, stopped, resumed)
    assert match.clock.left(0, resumed) == left


def test_by_correspondence_time_goes_on_as_long_as_there_is_enough():
    one = table(control="3d/move")
    for stopped, resumed in [(1_000, DAY), (1_000, 2 * DAY), (DAY, DAY)]:
        assert bridge(one.match, stopped, resumed) == (one.match, ())


def test_an_outage_changes_no_match_without_a_running_clock():
    over = table(control="1m")
    over.send(Resign, 0)
    for match in (match_of(), over.match):
        assert bridge(match, 10_000, 500_000) == (match, ())


def test_players_must_fit_the_seats():
    with pytest.raises(InvalidOptionsError):
        match_of(players=("ann",))
    with pytest.raises(InvalidOptionsError):
        match_of(players=("ann", ""))


def resigned(seat, *arguments, **options):
    one = table(*arguments, **options)
    one.send(Resign, seat)
    return one.match


@pytest.mark.parametrize("loser", [0, 1])
def test_a_rematch_exchanges_the_seats(loser):
    assert rematch(resigned(loser)).players == ("bob", "ann")


@pytest.mark.parametrize(("loser", "players"), [(0, ("ann", "bob")), (1, ("bob", "ann"))])
def test_the_loser_begins_a_rematch_of_antipalos(loser, players):
    assert rematch(resigned(loser, "antipalos", size=12)).players == players


def test_after_a_draw_at_antipalos_the_order_stays():
    one = table("antipalos", size=12)
    one.send(Offer, 0, kind=OfferKind.DRAW)
    one.send(Accept, 1, kind=OfferKind.DRAW)
    assert rematch(one.match).players == ("ann", "bob")


@pytest.mark.parametrize("loser", range(4))
def test_a_team_that_lost_begins_a_rematch_and_partners_stay_opposite(loser):
    players = rematch(resigned(loser, "antipalos", size=12, seats="team")).players
    assert ("ann", "bob", "cy", "dee")[loser] in (players[0], players[2])
    assert {players[0], players[2]} in ({"ann", "cy"}, {"bob", "dee"})


def test_there_is_no_rematch_of_a_game_that_goes_on():
    with pytest.raises(ValueError, match="not over"):
        rematch(match_of())


def test_events_survive_json_and_replay_to_the_same_match():
    one = table(control="5m+3s", size=3, swap="pieces")
    one.now = 1_000
    one.play("b1", "swap", "a1")
    one.send(Offer, 0, kind=OfferKind.TAKEBACK)
    one.send(Accept, 1, kind=OfferKind.TAKEBACK)
    one.send(QueueResignation, 1)
    one.play("c3")
    assert one.match.result is not None
    events = [read_event(event.as_json()) for event in one.events]
    assert events == one.events
    assert Match.replayed(one.match.terms, 0, events) == one.match
