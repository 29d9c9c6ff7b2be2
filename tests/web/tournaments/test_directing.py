"""Actions of directors, and who may take them."""

import pytest

from antipodes.clocks import HOUR
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.search.levels import find_level
from antipodes.tournaments import TieBreak
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.ladder import Ladder
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.tournaments.tables import Tables
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, notifications, services
from antipodes.web.tournaments.log import LONGEST_REASON
from antipodes.web.tournaments.models import Repeat, TournamentRow, TournamentState
from antipodes.web.tournaments.selectors import table
from tests.web.tournaments.conftest import advance, play_out, play_round, resign, unfinished

pytestmark = pytest.mark.django_db


def test_only_the_host_and_moderators_direct_an_event(make_event, host, moderator):
    row = make_event(2)
    with pytest.raises(InputError) as error:
        directing.start(row.pk, User.objects.get(username="p000"))
    assert error.value.code == "tournament/not-director"
    directing.cancel(row.pk, moderator, "a duplicate")
    row.refresh_from_db()
    assert row.state == TournamentState.CANCELLED
    assert (row.log.last().by, row.log.last().reason) == (moderator, "a duplicate")


def test_a_start_with_too_few_players_is_refused_and_changes_nothing(make_event, host):
    row = make_event(1)
    with pytest.raises(InputError, match="needs 2 players; 1 are here") as error:
        directing.start(row.pk, host)
    assert error.value.code == "tournament/size"
    row.refresh_from_db()
    assert (row.state, row.entries.count()) == (TournamentState.OPEN, 1)


def test_the_page_of_a_refused_action_leads_back_to_the_event(client, make_event, host):
    row = make_event(1)
    client.force_login(host)
    answer = client.post(f"/tournament/{row.slug}/do/start")
    assert answer.status_code == 409
    assert f'href="/tournament/{row.slug}/"' in answer.content.decode()


def test_a_start_of_a_check_in_with_too_few_players_removes_no_player(make_event, host):
    row = make_event(3, starts_at=now() + HOUR, check_in=15)
    TournamentRow.objects.filter(pk=row.pk).update(state=TournamentState.CHECK_IN)
    services.check_in(row.pk, User.objects.get(username="p000"))
    with pytest.raises(InputError, match="1 are here"):
        directing.start(row.pk, host)
    assert row.entries.count() == 3


def test_no_games_begin_while_an_event_is_paused(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    directing.pause(row.pk, host, "lunch")
    play_round(row)
    advance(row)
    assert (row.round, unfinished(row)) == (1, [])
    assert not row.pairings.filter(first_points=None).exists()
    directing.resume(row.pk, host)
    advance(row)
    assert (row.round, len(unfinished(row))) == (2, 2)


def test_a_decided_pairing_counts_for_the_event_and_leaves_the_game_alone(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    first, second = unfinished(row)
    directing.adjudicate(row.pk, host, 1, first.pairing.table, "0-1", "a proven win")
    resign(second, 0)
    advance(row)
    assert row.round == 2
    first.match.refresh_from_db()
    assert first.match.ended_at is None
    step = row.log.get(kind="adjudicated")
    assert (step.by, step.reason) == (host, "a proven win")
    resign(first, 1)  # the player who was declared the loser wins the game
    advance(row)
    first.pairing.refresh_from_db()
    assert first.pairing.first_points == 0


def test_a_decision_needs_a_reason_and_a_pairing(make_event, host):
    row = make_event(4, format=Knockout())
    directing.start(row.pk, host)
    advance(row)
    for arguments, code in (
        ((1, 1, "1-0", " "), "tournament/reason"),
        ((1, 9, "1-0", "why"), "tournament/result"),
        ((1, 1, "2-0", "why"), "tournament/result"),
        ((1, 1, "draw", "why"), "tournament/result"),
    ):
        with pytest.raises(InputError) as error:
            directing.adjudicate(row.pk, host, *arguments)
        assert error.value.code == code
    play_round(row)
    advance(row)
    with pytest.raises(InputError):  # the final depends on it
        directing.adjudicate(row.pk, host, 1, 1, "0-1", "a mistake")


def test_a_player_who_is_taken_out_reads_why(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    directing.withdraw_player(row.pk, host, "p003", "left the room")
    assert row.entries.get(user__username="p003").is_withdrawn
    assert row.log.last().reason == "left the room"
    with pytest.raises(InputError):
        directing.withdraw_player(row.pk, host, "p003", "again")


def test_actions_fit_the_state_of_the_event(make_event, host):
    row = make_event(2)
    for refused in (
        lambda: directing.pause(row.pk, host),
        lambda: directing.resume(row.pk, host),
        lambda: directing.adjudicate(row.pk, host, 1, 1, "1-0", "why"),
    ):
        with pytest.raises(InputError) as error:
            refused()
        assert error.value.code == "tournament/state"
    directing.start(row.pk, host)
    with pytest.raises(InputError):
        directing.start(row.pk, host)
    play_out(row)
    with pytest.raises(InputError):
        directing.cancel(row.pk, host, "too late")
    with pytest.raises(InputError):
        services.leave(row.pk, User.objects.get(username="p000"))


def test_the_computer_plays_in_casual_events_only(make_event, host):
    row = make_event(1)
    directing.add_computer(row.pk, host, "1")
    directing.add_computer(row.pk, host, "1")
    entry = row.entries.get(user__computer="computer:1")
    assert (entry.rating, entry.is_provisional) == (find_level("1").rating("hex"), False)
    assert row.entries.count() == 2
    rated = make_event(rated=True)
    with pytest.raises(InputError) as error:
        directing.add_computer(rated.pk, host, "1")
    assert error.value.code == "tournament/bots"


def test_the_winner_of_a_knockout_is_first_and_the_losers_share_their_places(make_event, host):
    row = make_event(4, format=Knockout())
    directing.start(row.pk, host)
    play_out(row)
    assert [one.rank for one in table(row)] == [1, 2, 3, 3]


def test_players_hear_of_decisions_about_their_pairing(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    decided, other = unfinished(row)
    directing.adjudicate(row.pk, host, 1, decided.pairing.table, "0-1", "a proven win")
    notifications.notify_of_steps()

    def told(game):
        return [
            [one.arguments["act"] for one in entry.user.notifications.filter(kind="tournament")]
            for entry in game.pairing.players
        ]

    assert told(decided) == [["adjudicated"]] * 2
    assert told(other) == [[], []]


def code_of(refused):
    """Return code and text of the only fault of a refused action."""
    with pytest.raises(InputError) as error:
        refused()
    [fault] = error.value.faults
    return fault.code, fault.message


def in_state(name):
    """Return the fault of an action that does not fit the state of an event."""
    message = f"This is not possible now: the tournament is in the state “{name}”."
    return "tournament/state", message


def test_no_player_is_taken_out_of_an_event_that_is_over(make_event, host):
    row = make_event(2)
    directing.cancel(row.pk, host, "rain")
    refused = code_of(lambda: directing.withdraw_player(row.pk, host, "p000", "late"))
    assert refused == in_state("cancelled")
    assert row.entries.filter(is_withdrawn=False).count() == 2


def test_the_computer_joins_before_the_start_and_only_where_there_is_room(make_event, host):
    row = make_event(2, most_players=3)
    directing.add_computer(row.pk, host, "1")
    full = "This tournament is full: it has 3 players."
    assert code_of(lambda: directing.add_computer(row.pk, host, "2")) == ("tournament/full", full)
    directing.add_computer(row.pk, host, "1")  # it is there already
    entry = row.entries.get(user__username__startswith="computer")
    assert entry.is_checked_in
    directing.start(row.pk, host)
    refused = code_of(lambda: directing.add_computer(row.pk, host, "2"))
    assert refused == in_state("running")
    assert row.entries.count() == 3


def test_a_director_decides_pairings_of_two_while_the_event_is_under_way(make_event, host):
    row = make_event(3)
    directing.start(row.pk, host)
    advance(row)
    bye = row.pairings.get(second=None)
    game = row.pairings.exclude(second=None).get()
    for state, may in (
        (TournamentState.RUNNING, True),
        (TournamentState.PAUSED, True),
        (TournamentState.FINISHED, False),
    ):
        row.state = state
        assert directing.may_decide(row, game) is may
        assert not directing.may_decide(row, bye)


def test_results_of_a_ladder_are_not_corrected(make_event, host):
    row = make_event(2, format=Ladder(), control="3d/move+10d")
    directing.start(row.pk, host)
    advance(row)
    services.challenge(row.pk, User.objects.get(username="p001"), "p000")
    advance(row)
    pairing = row.pairings.get()
    assert directing.may_decide(row, pairing)
    directing.adjudicate(row.pk, host, pairing.round, 1, "1-0", "a proven win")
    pairing.refresh_from_db()
    row.refresh_from_db()
    assert not directing.may_decide(row, pairing)
    message = "The places have changed by this result, so it cannot be corrected."
    refused = code_of(
        lambda: directing.adjudicate(row.pk, host, pairing.round, 1, "0-1", "a mistake")
    )
    assert refused == ("tournament/result", message)


@pytest.mark.parametrize("length", [0, 1, LONGEST_REASON, LONGEST_REASON + 1])
def test_a_reason_is_neither_empty_nor_too_long(make_event, host, length):
    row = make_event(2)
    if 0 < length <= LONGEST_REASON:
        directing.cancel(row.pk, host, "x" * length)
        assert row.log.last().reason == "x" * length
        return
    message = f"The reason has {length} characters; give one of 1 to {LONGEST_REASON}."
    refused = code_of(lambda: directing.cancel(row.pk, host, "x" * length))
    assert refused == ("tournament/reason", message)


THREE = make_game("antipalos", {"seats": "cutthroat3", "size": 12})
TEAMS = make_game("antipalos", {"seats": "team", "size": 12})


@pytest.mark.parametrize(
    ("wanted", "results"),
    [
        ({}, {"1-0": (1, 0), "0-1": (0, 1), "draw": (0.5, 0.5), "0-0": (0, 0)}),
        (
            {"format": Tables(), "game": THREE},
            {
                "1": (1, 0, 0),
                "2": (0, 1, 0),
                "3": (0, 0, 1),
                "draw": (1 / 3, 1 / 3, 1 / 3),
                "0-0": (0, 0, 0),
            },
        ),
        (
            {"format": Tables(), "game": TEAMS},
            {
                "1": (1, 0, 1, 0),
                "2": (0, 1, 0, 1),
                "draw": (0.5, 0.5, 0.5, 0.5),
                "0-0": (0, 0, 0, 0),
            },
        ),
        (
            {"format": Tables(score="chart"), "game": TEAMS},
            {
                "1": (3, 0, 3, 0),
                "2": (0, 3, 0, 3),
                "draw": (1.5, 1.5, 1.5, 1.5),
                "0-0": (0, 0, 0, 0),
            },
        ),
    ],
)
def test_a_pairing_can_be_decided_for_each_side(make_event, wanted, results):
    found = directing.results_of(make_event(**wanted))
    assert found.keys() == results.keys()
    for name, points in results.items():
        assert found[name] == pytest.approx(points), name


def test_each_action_is_a_step_with_its_actor_and_reason(make_event, host, clocks):
    row = make_event(4, format=RoundRobin(), repeats=Repeat.WEEKLY, starts_at=now() + HOUR)
    directing.start(row.pk, host)
    advance(row)
    clocks.advance(1_000)
    directing.pause(row.pk, host, " lunch\nbreak ")
    directing.resume(row.pk, host)
    row.refresh_from_db()
    assert row.due_at == now()
    TournamentRow.objects.filter(pk=row.pk).update(due_at=None)
    directing.adjudicate(row.pk, host, 1, 2, "draw", "agreed")
    row.refresh_from_db()
    assert row.due_at == now()
    directing.cancel(row.pk, host, "rain")
    steps = row.log.order_by("-number")[:4]
    assert [(one.kind, one.by, one.reason, one.data, one.at) for one in reversed(steps)] == [
        ("paused", host, "lunch break", {"state": "paused"}, now()),
        ("resumed", host, "", {"state": "running"}, now()),
        ("adjudicated", host, "agreed", {"points": [[1, 2, 0.5, 0.5]], "places": []}, now()),
        ("cancelled", host, "rain", {"state": "cancelled"}, now()),
    ]
    row.refresh_from_db()
    assert (row.repeats, row.due_at, row.ended_at) == (Repeat.NEVER, None, now())
    pairing = row.pairings.get(round=1, table=2)
    assert (pairing.is_adjudicated, pairing.is_forfeit) == (True, False)


def test_a_player_is_taken_out_before_the_start_by_any_case_of_the_name(make_event, host):
    row = make_event(3)
    player = User.objects.get(username="p001")
    directing.withdraw_player(row.pk, host, "P001", "a wish")
    assert row.entries.count() == 2
    step = row.log.last()
    assert (step.kind, step.by, step.reason) == ("left", host, "a wish")
    assert step.data == {"user": player.pk}
    assert code_of(lambda: directing.withdraw_player(row.pk, host, "p001", "again")) == (
        "tournament/not-in",
        "p001 is not in this tournament.",
    )


def test_a_withdrawal_decides_the_pairings_without_a_game(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    row.refresh_from_db()
    assert advance(row).pairings.count() == 2
    gone = row.pairings.get(table=1).second
    row.pairings.get(table=1).games.all().delete()
    TournamentRow.objects.filter(pk=row.pk).update(due_at=None)
    directing.withdraw_player(row.pk, host, gone.user.username, "a wish")
    step = row.log.last()
    assert (step.kind, step.by, step.reason) == ("withdrawn", host, "a wish")
    points = [[1, 1, 1.0, 0.0]]
    assert step.data == {"withdrawn": [gone.number], "points": points, "places": []}
    pairing = row.pairings.get(table=1)
    assert (pairing.points, pairing.is_forfeit) == ((1.0, 0.0), True)
    row.refresh_from_db()
    assert row.due_at is not None


def test_an_adjudication_names_the_pairing_and_result_that_there_are_not(make_event, host):
    row = make_event(3, format=Knockout())
    directing.start(row.pk, host)
    advance(row)
    bye = row.pairings.get(second=None)
    game = row.pairings.exclude(second=None).get()
    winner = "A pairing of a knockout needs a winner, before the next round is paired."
    for at, result, message in (
        (bye.table, "1-0", f"There is no pairing 1.{bye.table} that ends 1-0."),
        (7, "1-0", "There is no pairing 1.7 that ends 1-0."),
        (game.table, "x" * 20, f"There is no pairing 1.{game.table} that ends {'x' * 10}."),
        (game.table, "draw", winner),
        (game.table, "0-0", winner),
    ):
        refused = code_of(
            lambda at=at, result=result: directing.adjudicate(row.pk, host, 1, at, result, "why")
        )
        assert refused == ("tournament/result", message)
    directing.adjudicate(row.pk, host, 1, game.table, "0-1", "why")
    directing.adjudicate(row.pk, host, 1, game.table, "1-0", "a mistake")
    game.refresh_from_db()
    assert game.points == (1.0, 0.0)


def test_a_playoff_game_is_decided_until_the_next_round_is_paired(make_event, host):
    row = make_event(4, format=Swiss(rounds=1), tie_breaks=(TieBreak.PLAYOFF,))
    directing.start(row.pk, host)
    advance(row)
    for table_number in (1, 2):
        directing.adjudicate(row.pk, host, 1, table_number, "draw", "agreed")
    advance(row)
    playoff = row.pairings.filter(is_playoff=True, round=2).first()
    assert directing.may_decide(row, playoff)
    row.round = 3
    assert not directing.may_decide(row, playoff)


def notified(row, kind="tournament"):
    """Return who was notified of what: names, and arguments without the title."""
    notifications.notify_of_steps()
    found = []
    for user in User.objects.order_by("username"):
        for one in user.notifications.filter(kind=kind).order_by("pk"):
            told = dict(one.arguments)
            assert told.pop("title") == row.title
            assert one.path == f"/tournament/{row.slug}/"
            found.append((user.username, one.by and one.by.username, told))
        user.notifications.all().delete()
    return found


def test_absent_players_are_notified_of_the_check_in_and_out_at_the_start(make_event, host, clocks):
    row = make_event(3, starts_at=now() + HOUR, check_in=15, format=Swiss(rounds=1))
    services.join(row.pk, host)
    clocks.advance(HOUR - 1)
    advance(row)
    services.check_in(row.pk, User.objects.get(username="p001"))
    site = {"reason": "", "of_site": 1}
    check_in = {**site, "act": "check-in"}
    assert notified(row) == [(name, None, check_in) for name in ("host", "p000", "p002")]
    directing.withdraw_player(row.pk, host, "p002", "a wish")
    told = {"reason": "a wish", "of_site": 0, "act": "left"}
    assert notified(row) == [("p002", "host", told)]
    services.check_in(row.pk, host)
    directing.start(row.pk, host)
    assert {one.user.username for one in row.entries.all()} == {"host", "p001"}


def test_a_check_in_that_is_over_is_told_no_more(make_event, host, clocks):
    row = make_event(2, starts_at=now() + HOUR, check_in=15)
    clocks.advance(HOUR - 1)
    advance(row)
    directing.cancel(row.pk, host, "rain")
    cancelled = {"reason": "rain", "of_site": 0, "act": "cancelled"}
    assert notified(row) == [(name, "host", cancelled) for name in ("p000", "p001")]


def test_players_are_told_what_others_decide_about_them(make_event, host):
    row = make_event(2, format=Swiss(rounds=1))
    services.join(row.pk, host)
    directing.start(row.pk, host)
    advance(row)
    site = {"reason": "", "of_site": 1}
    [(first, second)] = [
        [player.user.username for player in one.players] for one in row.pairings.filter(table=1)
    ]
    [bye] = row.pairings.get(second=None).players
    name = bye.user.username
    assert notified(row) == [(name, None, {**site, "act": "paired", "round": 1})]
    directing.adjudicate(row.pk, host, 1, 1, "1-0", "a proven win")
    decided = {"reason": "a proven win", "of_site": 0, "act": "adjudicated", "round": 1}
    others = sorted({first, second} - {"host"})
    assert notified(row) == [(one, "host", decided) for one in others]
    advance(row)
    ranks = {one.user.username: one.rank for one in row.entries.all()}
    assert notified(row) == [
        (one, None, {**site, "act": "finished", "rank": rank})
        for one, rank in sorted(ranks.items())
    ]


def test_a_player_is_told_who_took_them_out_and_why(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    notified(row)
    directing.withdraw_player(row.pk, host, "p003", "left the room")
    told = {"reason": "left the room", "of_site": 0, "act": "withdrawn"}
    assert notified(row) == [("p003", "host", told)]
    services.leave(row.pk, User.objects.get(username="p002"))
    assert notified(row) == []  # that was the player's own wish


def test_a_player_taken_out_before_the_start_is_told_why(make_event, host):
    row = make_event(3)
    directing.withdraw_player(row.pk, host, "p001", "not a member")
    told = {"reason": "not a member", "of_site": 0, "act": "left"}
    assert notified(row) == [("p001", "host", told)]
    services.leave(row.pk, User.objects.get(username="p002"))
    services.leave_all(User.objects.get(username="p000"))
    assert notified(row) == []  # they left by themselves
