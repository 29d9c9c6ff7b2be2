"""Events from registration to the last round, whatever is killed or done twice."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, transaction

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.tournaments import make_bout
from antipodes.tournaments.arena import Arena
from antipodes.tournaments.double_elimination import DoubleElimination
from antipodes.tournaments.groups import Groups
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.league import League
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.tournaments.tables import Tables
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.models import User
from antipodes.web.matches import services as matches
from antipodes.web.moderation import services as moderation
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import (
    directing,
    forfeits,
    log,
    notifications,
    progress,
    series,
    services,
)
from antipodes.web.tournaments.log import replay
from antipodes.web.tournaments.models import (
    GameRow,
    PairingRow,
    Repeat,
    TournamentRow,
    TournamentState,
)
from antipodes.web.tournaments.progress import advance_tournaments
from tests.cases import for_each
from tests.thorough import sample
from tests.web.tournaments.conftest import advance, play_out, play_round, resign, unfinished

pytestmark = pytest.mark.django_db

THREE = make_game("antipalos", {"seats": "cutthroat3", "size": 12})
MIRRORED = make_bout("mirrored")
MATCH = {"game": make_game("antipalos", {"size": 12}), "bout": make_bout("match-6")}
FORMATS: dict[str, tuple[int, dict[str, Any]]] = {
    "swiss": (5, {"format": Swiss(rounds=3)}),
    "swiss, mirrored": (4, {"format": Swiss(rounds=2), "bout": MIRRORED}),
    "round robin": (5, {"format": RoundRobin()}),
    "double": (3, {"format": RoundRobin(cycles=2)}),
    "correspondence": (4, {"format": RoundRobin(), "control": "3d/move+10d"}),
    "knockout": (6, {"format": Knockout()}),
    "best of three": (3, {"format": Knockout(), "bout": make_bout("best-of-3")}),
    "double elimination": (5, {"format": DoubleElimination()}),
    "groups": (5, {"format": Groups(group_size=3, promoted=1)}),
    "groups by correspondence": (
        6,
        {"format": Groups(group_size=3, final="round-robin"), "control": "3d/move+10d"},
    ),
    "league by correspondence": (
        6,
        {"format": League(division_size=4, moved=1), "control": "3d/move+10d"},
    ),
    "round robin of matches": (3, {"format": RoundRobin(), **MATCH}),
    "Swiss of matches by correspondence": (
        4,
        {"format": Swiss(rounds=2), **MATCH, "control": "3d/move+10d"},
    ),
    "knockout of matches": (3, {"format": Knockout(), **MATCH}),
    "knockout of mirrored games": (3, {"format": Knockout(), "bout": MIRRORED}),
}


def check(row):
    """Check that the log and the other tables tell the same, and that all games are begun once."""
    told = replay(one.data for one in row.log.all())
    pairings = list(row.pairings.select_related("first", "second"))
    assert told.state == row.state
    assert told.pairings == {
        (one.round, one.table): None
        if one.first_points is None
        else (one.first_points, one.second_points)
        for one in pairings
    }
    assert told.players == {
        (one.round, one.table): (one.first.number, one.second.number if one.second else None)
        for one in pairings
    }
    games = GameRow.objects.filter(pairing__tournament=row).select_related("pairing", "match")
    assert told.games == {
        (one.pairing.round, one.pairing.table, one.number): one.match.slug for one in games
    }
    entries = list(row.entries.all())
    assert told.withdrawn == {one.number for one in entries if one.is_withdrawn and one.number}
    assert told.ranks == {one.number: one.rank for one in entries if one.rank}
    assert [one.number for one in row.log.all()] == list(range(row.version))


def start(row, host):
    directing.start(row.pk, host)
    row.refresh_from_db()
    return row


@for_each("name", sample(list(FORMATS), 5))
def test_events_of_every_format_are_played_to_their_end(name, make_event, host, monkeypatch):
    monkeypatch.setenv("LIMIT_NEW_TOURNAMENTS", "100/hour")
    players, plan = FORMATS[name]
    row = play_out(start(make_event(players, **plan), host))
    assert row.state == TournamentState.FINISHED
    assert row.round == row.last_round
    assert min(row.entries.values_list("rank", flat=True)) == 1
    check(row)


def test_a_step_that_is_repeated_changes_nothing(make_event, host):
    row = advance(start(make_event(4), host))
    version = row.version
    for _ in range(3):
        assert not progress.step(row.pk)
    row.refresh_from_db()
    assert row.version == version
    assert len(unfinished(row)) == 2


def test_two_workers_pair_a_round_once(make_event, host):
    row = start(make_event(4), host)
    planned = progress._planned(row.pk)  # one worker has planned the round ...
    advance(row)  # ... and another one stores it and begins the games
    with log.locked(row.pk) as again:
        progress._run(again, planned)
    advance(row)
    assert row.round == 1
    assert row.pairings.count() == 2
    assert len(unfinished(row)) == 2


def test_the_tables_refuse_a_second_pairing_and_a_second_game(make_event, host):
    row = advance(start(make_event(4), host))
    game = unfinished(row)[0]
    pairing = game.pairing
    for again in (
        PairingRow(tournament=row, round=1, table=9, first=pairing.first, second=pairing.second),
        GameRow(pairing=pairing, number=1, match=unfinished(row)[1].match),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            again.save(force_insert=True)


def test_the_scheduler_finds_events_that_are_due(make_event, host, clocks):
    row = make_event(2, starts_at=now() + 60_000)
    advance_tournaments()
    row.refresh_from_db()
    assert row.state == TournamentState.OPEN
    clocks.advance(61_000)
    advance_tournaments()
    assert len(unfinished(row)) == 1
    play_round(row)
    advance_tournaments()
    row.refresh_from_db()
    assert row.state == TournamentState.FINISHED


def test_registration_and_check_in_open_by_the_clock_and_absent_players_are_out(
    make_event, host, clocks
):
    at = now()
    row = make_event(opens_at=at + 60_000, starts_at=at + 3_600_000, check_in=15)
    assert row.state == TournamentState.ANNOUNCED
    clocks.advance(60_000)
    assert advance(row).state == TournamentState.OPEN
    users = [User.objects.create(username=f"p{number}") for number in range(4)]
    for user in users:
        services.join(row.pk, user)
    clocks.advance(46 * 60_000)
    assert advance(row).state == TournamentState.CHECK_IN
    notifications.notify_of_steps()
    assert users[0].notifications.get().arguments["act"] == "check-in"
    for user in users[:3]:
        services.check_in(row.pk, user)
    clocks.advance(15 * 60_000)
    advance(row)
    assert row.state == TournamentState.RUNNING
    assert {one.user for one in row.entries.all()} == set(users[:3])


def test_a_step_by_the_clock_is_followed_by_the_next_look(make_event, clocks):
    row = make_event(opens_at=now() + 60_000, starts_at=now() + 3_600_000, check_in=15)
    for minutes, state in ((1, TournamentState.OPEN), (46, TournamentState.CHECK_IN)):
        assert not progress.step(row.pk)
        clocks.advance(minutes * 60_000)
        assert progress.step(row.pk)
        row.refresh_from_db()
        assert row.state == state


def test_an_event_starts_when_it_is_full(make_event):
    row = make_event(2, most_players=2, starts_when_full=True)
    assert advance(row).state == TournamentState.RUNNING


def test_an_event_with_one_player_is_cancelled_by_the_clock(make_event, clocks):
    row = make_event(1, starts_at=now() + 60_000)
    clocks.advance(60_000)
    advance(row)
    assert row.state == TournamentState.CANCELLED
    assert row.log.last().reason == "too few players"


def test_the_computer_evens_out_the_players(make_event, host):
    row = advance(start(make_event(3, filler="1"), host))
    assert row.entries.count() == 4
    assert not row.pairings.filter(second=None).exists()


def test_a_late_player_is_paired_from_the_next_round(make_event, host):
    row = advance(start(make_event(4, format=Swiss(rounds=3, late_entry=2)), host))
    late = User.objects.create(username="late")
    services.join(row.pk, late)
    play_round(row)
    advance(row)
    entry = row.entries.get(user=late)
    assert entry.number == 5
    assert row.pairings.filter(round=2, first=entry).exists() or row.pairings.filter(
        round=2, second=entry
    )
    check(play_out(row))


def test_no_player_enters_after_the_last_round_is_paired(make_event, host):
    rules = {"game": THREE, "format": Tables(rounds=1, late_entry=2)}
    for row in (make_event(4, format=Swiss(rounds=1, late_entry=3)), make_event(6, **rules)):
        advance(start(row, host))
        with pytest.raises(InputError, match="Registration is closed"):
            services.join(row.pk, host)


def test_opponents_of_a_player_who_leaves_a_round_robin_win(make_event, host):
    row = advance(start(make_event(4, format=RoundRobin()), host))
    gone = row.entries.first()
    services.leave(row.pk, gone.user)
    play_out(row)
    later = row.pairings.filter(round__gt=1)
    theirs = [one for one in later if gone.pk in (one.first_id, one.second_id)]
    assert len(theirs) == 2
    assert all(one.is_forfeit and not one.games.exists() for one in theirs)
    check(row)


def test_a_player_who_makes_no_move_loses_by_forfeit_and_is_out(make_event, host, clocks):
    row = advance(start(make_event(4, format=Swiss(rounds=3)), host))
    game = unfinished(row)[0]
    clocks.advance(400_000)
    matches.let_flag_fall(game.match.slug)
    advance(row)
    game.pairing.refresh_from_db()
    assert (game.pairing.first_points, game.pairing.is_forfeit) == (0, True)
    assert row.entries.get(pk=game.pairing.first_id).is_withdrawn
    check(row)


def test_a_suspended_player_is_not_paired(make_event, host, moderator):
    row = make_event(3, format=Swiss(rounds=2))
    banned = User.objects.get(username="p000")
    moderation.suspend(moderator, banned, 3, "cheating")
    advance(start(row, host))
    assert row.entries.get(user=banned).is_withdrawn
    check(play_out(row))


def test_a_deleted_account_leaves_its_events(make_event, host):
    before, running = make_event(2), advance(start(make_event(4), host))
    gone = User.objects.get(username="p000")
    delete_account(gone)
    assert not before.entries.filter(user=gone).exists()
    assert running.entries.get(user=gone).is_withdrawn


def test_a_knockout_goes_on_with_seats_exchanged_until_one_is_ahead(make_event, host):
    rules = {"format": Knockout(), "bout": MIRRORED, "control": "3d/move+10d"}
    row = advance(start(make_event(2, **rules), host))
    first, second = unfinished(row)
    assert [one.user for one in second.match.seats.all()] == [
        one.user for one in reversed(first.match.seats.all())
    ]
    resign(first, 0)
    resign(second, 0)
    advance(row)
    (decider,) = unfinished(row)
    assert decider.number == 3
    resign(decider, 1)
    advance(row)
    assert row.state == TournamentState.FINISHED
    assert row.pairings.get().first_points == 1


def test_a_series_ends_when_one_player_cannot_be_caught_up_with(make_event, host):
    for control in ("5m+5s", "3d/move+10d"):
        row = make_event(2, format=Knockout(), bout=make_bout("best-of-5"), control=control)
        advance(start(row, host))
        for number in (1, 2, 3):
            (game,) = unfinished(row)  # one after the other
            assert game.number == number
            resign(game, number % 2)  # the same player wins with both seats
            advance(row)
        assert row.state == TournamentState.FINISHED
        pairing = row.pairings.get()
        assert (pairing.first_points, pairing.games.count()) == (1, 3)


def test_live_mirrored_games_are_played_one_after_the_other(make_event, host):
    row = advance(start(make_event(2, format=Swiss(rounds=1), bout=MIRRORED), host))
    (first,) = unfinished(row)
    resign(first, 0)
    advance(row)
    (second,) = unfinished(row)
    assert second.number == 2
    resign(second, 1)  # the same player wins with both seats
    advance(row)
    assert row.pairings.get().second_points == 1


def test_results_are_counted_once_also_after_the_end_of_an_event(make_event, host):
    row = advance(start(make_event(2), host))
    directing.adjudicate(row.pk, host, 1, 1, "1-0", "a proven win")
    assert advance(row).state == TournamentState.FINISHED
    play_round(row)
    assert progress.due(0) == [row.pk]
    advance(row)
    assert progress.due(0) == []
    check(row)


def test_an_arena_pairs_free_players_until_its_time_is_up(make_event, host, clocks):
    row = advance(start(make_event(5, format=Arena(minutes=10)), host))
    assert len(unfinished(row)) == 2
    (waiting,) = [
        one
        for one in row.entries.all()
        if not row.pairings.filter(first=one).exists()
        and not row.pairings.filter(second=one).exists()
    ]
    game = unfinished(row)[0]
    resign(game, 0)
    advance(row)
    assert len(unfinished(row)) == 2
    paired = row.pairings.get(round=2)
    assert waiting.pk in (paired.first_id, paired.second_id)
    late = User.objects.create(username="late")
    services.join(row.pk, late)
    assert progress.due(now())
    advance(row)
    assert row.pairings.filter(round=3).exists() == (len(unfinished(row)) == 3)
    clocks.advance(10 * 60_000)
    advance(row)
    assert row.state == TournamentState.FINISHED
    winner = row.entries.get(rank=1)
    assert winner.pk == game.pairing.second_id
    ranks = list(row.entries.order_by("pk").values_list("rank", flat=True))
    for going_on in unfinished(row):
        matches.let_flag_fall(going_on.match.slug)  # counts no more
    advance(row)
    assert list(row.entries.order_by("pk").values_list("rank", flat=True)) == ranks
    assert row.pairings.filter(first_points=None).exists()
    check(row)


def test_the_same_two_players_of_an_arena_meet_again_after_a_while(make_event, host, clocks):
    row = advance(start(make_event(2, format=Arena(minutes=10)), host))
    play_round(row)
    advance(row)
    assert unfinished(row) == []
    assert progress.due(now()) == []
    clocks.advance(11_000)
    assert progress.due(now()) == [row.pk]
    advance(row)
    assert len(unfinished(row)) == 1


def test_repeated_events_are_made_once_when_one_has_begun(make_event, host, clocks):
    row = make_event(2, starts_at=now() + 60_000, repeats=Repeat.WEEKLY)
    assert series.due() == []
    clocks.advance(61_000)
    advance(row)
    assert series.due() == [row.pk]
    series.make_next(row.pk)
    series.make_next(row.pk)
    following = TournamentRow.objects.get(previous=row)
    assert following.starts_at == row.starts_at + 7 * 86_400_000
    assert series.due() == []


def test_the_task_repeats_events_that_have_begun(make_event, host, clocks):
    rows = [make_event(2, starts_at=now() + 60_000, repeats=Repeat.WEEKLY) for _ in range(2)]
    clocks.advance(61_000)
    for row in rows:
        advance(row)
    series.repeat_tournaments()
    assert TournamentRow.objects.filter(previous__in=rows).count() == 2


def test_a_host_who_may_host_no_more_events_ends_the_repetition(
    make_event, host, clocks, monkeypatch
):
    def refuse(*_, **__):
        raise InputError.single("tournament/too-many", "you have too many tournaments")

    row = make_event(2, starts_at=now() + 60_000, repeats=Repeat.WEEKLY)
    clocks.advance(61_000)
    advance(row)
    monkeypatch.setattr(services, "create_tournament", refuse)
    assert series.make_next(row.pk) is None
    row.refresh_from_db()
    assert row.repeats == Repeat.NEVER
    assert series.due() == []


def test_an_event_that_fails_does_not_stop_the_others(make_event, clocks, monkeypatch, caplog):
    failing, other = (make_event(2, starts_at=now() + 60_000) for _ in range(2))
    clocks.advance(61_000)
    take_steps = progress.advance

    def fail(key):
        if key == failing.pk:
            raise ValueError("broken")
        take_steps(key)

    monkeypatch.setattr(progress, "advance", fail)
    advance_tournaments()
    for row in (failing, other):
        row.refresh_from_db()
    assert other.state == TournamentState.RUNNING
    assert failing.state != TournamentState.RUNNING
    assert failing.due_at == now() + progress._RETRY
    assert f"tournament step failed tournament={failing.pk}" in caplog.text


def test_an_outage_stops_the_steps_of_all_events(make_event, clocks, monkeypatch):
    def fail(_key):
        raise OperationalError("away")

    make_event(2, starts_at=now() + 60_000)
    clocks.advance(61_000)
    monkeypatch.setattr(progress, "advance", fail)
    with pytest.raises(OperationalError):
        advance_tournaments()


def test_an_event_that_has_changed_since_its_plan_is_planned_again(make_event, host):
    row = make_event(4)
    assert progress._run(row, (row.version - 1, None, "")) is True
    row.refresh_from_db()
    assert not row.is_over


def test_a_month_later_is_the_same_day_or_the_last_one():
    def after(year, month, day):
        at = int(datetime(year, month, day, tzinfo=UTC).timestamp() * 1_000)
        found = series.following(at, Repeat.MONTHLY)
        later = datetime.fromtimestamp(found / 1_000, UTC)
        return later.year, later.month, later.day

    assert after(2026, 1, 31) == (2026, 2, 28)
    assert after(2026, 12, 1) == (2027, 1, 1)


def test_players_hear_of_byes_and_of_their_rank(make_event, host):
    row = play_out(start(make_event(3, format=Swiss(rounds=1)), host))
    notifications.notify_of_steps()
    notifications.notify_of_steps()
    bye = row.pairings.get(second=None).first.user
    acts = [one.arguments["act"] for one in bye.notifications.filter(kind="tournament")]
    assert sorted(acts) == ["finished", "paired"]


@pytest.mark.parametrize(("rank", "points"), [((1, 2), (1.0, 0.0)), ((2, 1), (0.0, 1.0))])
def test_the_better_number_wins_if_both_players_of_a_knockout_have_left(
    make_event, host, rank, points
):
    row = start(make_event(2, format=Knockout()), host)
    first, second = row.entries.all()
    first.number, second.number = rank
    first.is_withdrawn = second.is_withdrawn = True
    pairing = PairingRow(tournament=row, first=first, second=second, needs_winner=True)
    assert forfeits._points(row, pairing) == points
    second.is_withdrawn = False
    assert forfeits._points(row, pairing) == (0.0, 1.0)
    pairing.needs_winner, second.is_withdrawn = False, True
    assert forfeits._points(row, pairing) == (0.0, 0.0)


@pytest.mark.parametrize(("late", "weeks"), [(-1, 3), (0, 4), (1, 4)])
def test_the_next_event_starts_in_the_future(make_event, clocks, late, weeks):
    week = 7 * 86_400_000
    row = make_event(starts_at=now() + 60_000, opens_at=now() + 1, repeats=Repeat.WEEKLY)
    clocks.wall = row.starts_at + 3 * week + late
    plan = series._plan(row)
    assert (plan.starts_at, plan.opens_at) == (row.starts_at + weeks * week, None)


def test_a_player_who_leaves_meanwhile_is_taken_out_of_the_other_events(make_event, monkeypatch):
    rows = [make_event(2, title=title) for title in ("Left", "Other")]
    gone = User.objects.get(username="p000")

    def locked_later(key):
        rows[0].entries.filter(user=gone).delete()
        return log.locked(key)

    monkeypatch.setattr(services, "locked", locked_later)
    services.leave_all(gone)
    assert [one.entries.filter(user=gone).exists() for one in rows] == [False, False]
    assert [one.log.filter(kind="left").count() for one in rows] == [0, 1]
