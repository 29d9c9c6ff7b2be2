"""When events take their steps, rolling Swiss events, arenas, and playoffs on the site."""

import random

import pytest
from django.test import Client

from antipodes.clocks import DAY, HOUR, MINUTE, SECOND
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.tournaments import PLAYOFF_BOUT, PLAYOFF_CONTROL, TieBreak, make_bout
from antipodes.tournaments.arena import Arena
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.rolling_swiss import RollingSwiss
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import (
    directing,
    exports,
    notifications,
    progress,
    rounds,
    services,
)
from antipodes.web.tournaments.log import replay
from antipodes.web.tournaments.models import GameRow, TournamentRow, TournamentState
from tests.web.tournaments.conftest import advance, play_out, play_round, resign, unfinished

pytestmark = pytest.mark.django_db

CLOCK = "3d/move+10d"
PLAYOFF = (TieBreak.PLAYOFF,)


def test_players_of_a_rolling_swiss_go_on_without_waiting_for_others(make_event, host):
    row = make_event(6, format=RollingSwiss(games_each=3), control=CLOCK)
    directing.start(row.pk, host)
    row = advance(row)
    games = unfinished(row)
    assert len(games) == 3
    for game in games[:2]:
        resign(game, 0)
    row = advance(row)
    assert len(unfinished(row)) == 3  # two new games while the slowest one goes on
    rng = random.Random(1)
    while row.state == TournamentState.RUNNING:
        resign(rng.choice(unfinished(row)), rng.randrange(2))
        row = advance(row)
    pairs = [frozenset((one.first_id, one.second_id)) for one in row.pairings.all()]
    assert len(set(pairs)) == len(pairs) >= 7
    assert row.state == TournamentState.FINISHED


def test_a_waiting_player_is_paired_with_a_far_one_after_a_day(make_event, host):
    row = make_event(3, format=RollingSwiss(games_each=2), control=CLOCK)
    directing.start(row.pk, host)
    row = advance(row)
    assert row.pairings.count() == 1
    waiting = dict(rounds.free_players(row))
    assert len(waiting) == 1
    since = next(iter(waiting.values())) or 0
    assert rounds.state_of(row, since).patient == []
    assert rounds.state_of(row, since + DAY - 1).patient == []
    assert rounds.state_of(row, since + DAY).patient == list(waiting)
    assert rounds.state_of(row).patient == []
    assert row.due_at > since
    assert not progress.step(row.pk)


def tied(make_event, host, players=2, **wanted):
    """Return an event in which all pairings of the only round were drawn."""
    row = make_event(players, format=Swiss(rounds=1), tie_breaks=PLAYOFF, **wanted)
    directing.start(row.pk, host)
    row = advance(row)
    for one in row.pairings.all():
        directing.adjudicate(row.pk, host, one.round, one.table, "draw", "agreed")
    return advance(row)


def test_a_tie_for_the_first_place_is_decided_by_short_games(make_event, host):
    row = tied(make_event, host, players=4)
    playoff = row.pairings.filter(is_playoff=True)
    assert playoff.count() == 2
    assert {one.match.control for one in unfinished(row) if one.pairing.is_playoff} == {
        PLAYOFF_CONTROL
    }
    page = Client(headers={"host": "localhost"}).get(f"/tournament/{row.slug}/").content.decode()
    assert "playoff" in page
    assert "bracket-round" in page
    while row.state == TournamentState.RUNNING:
        for game in unfinished(row):
            if game.pairing.is_playoff:
                resign(game, 0)
        row = advance(row)
    ranks = sorted(one.rank for one in row.entries.all())
    assert ranks[:2] == [1, 2]
    assert {line["points"] for line in exports.as_data(row)["standings"]} == {0.5}
    told = replay(one.data for one in row.log.all())
    assert len(told.players) == row.pairings.count() == 5
    assert (
        Client(headers={"host": "localhost"})
        .get(f"/tournament/{row.slug}/tournament.trf")
        .status_code
        == 200
    )


def tied_in_match_play(make_event, host):
    """Return an event of match play in which the only pairing was drawn."""
    game = make_game("antipalos", {"size": 12})
    return tied(make_event, host, game=game, bout=make_bout("match-6"), control="1m+1s")


def test_a_playoff_has_a_pair_of_games_whatever_the_games_of_the_event(make_event, host):
    row = tied_in_match_play(make_event, host)
    playoff = row.pairings.get(is_playoff=True)
    assert (playoff.bout, playoff.control) == (PLAYOFF_BOUT, PLAYOFF_CONTROL)
    winner = playoff.first_id
    for _ in range(2):
        [game] = [one for one in unfinished(row) if one.pairing.is_playoff]
        resign(game, 0 if game.is_exchanged else 1)
        page = Client(headers={"host": "localhost"}).get(f"/m/{game.match.slug}/")
        assert "two games, with seats exchanged and one result" in page.content.decode()
        row = advance(row)
    assert [one.first_points for one in playoff.games.all()] == [1.0, 1.0]  # not those of Chart A
    assert row.state == TournamentState.FINISHED
    assert row.entries.get(rank=1).pk == winner


def test_an_equal_playoff_goes_on_with_single_games_until_one_is_won(make_event, host):
    row = tied_in_match_play(make_event, host)
    playoff = row.pairings.get(is_playoff=True)
    while row.state == TournamentState.RUNNING:
        [game] = [one for one in unfinished(row) if one.pairing.is_playoff]
        resign(game, 0)
        row = advance(row)
    games = list(playoff.games.all())
    assert [one.is_exchanged for one in games] == [False, True, False]
    assert [one.first_points for one in games] == [0.0, 1.0, 0.0]


def test_a_playoff_game_cannot_be_corrected_after_the_next_round(make_event, host):
    row = tied(make_event, host, players=4)
    for one in row.pairings.filter(is_playoff=True):
        directing.adjudicate(row.pk, host, one.round, one.table, "1-0", "agreed")
    row = advance(row)
    with pytest.raises(InputError, match="before the next round"):
        directing.adjudicate(row.pk, host, 2, 1, "0-1", "a mistake")


@pytest.mark.parametrize(
    "wanted",
    [
        {"format": Knockout(), "tie_breaks": PLAYOFF},
        {"format": RoundRobin(), "tie_breaks": PLAYOFF, "control": CLOCK},
        {"format": RoundRobin(), "tie_breaks": (*PLAYOFF, TieBreak.WINS)},
    ],
)
def test_a_playoff_is_for_live_events_with_tables_and_comes_last(make_event, wanted):
    with pytest.raises(InputError, match="playoff is the last tie-break") as refused:
        make_event(**wanted)
    assert refused.value.code == "tournament/playoff"


def test_a_host_wants_a_playoff_by_the_form(host):
    client = Client(headers={"host": "localhost"})
    client.force_login(host)
    where = "/tournaments/new/?game=hex&format=swiss"
    assert 'name="playoff"' in client.get(where).content.decode()
    assert 'name="playoff"' not in client.get(where.replace("swiss", "arena")).content.decode()
    values = {
        "title": "Blitz end",
        "playoff": "on",
        "control": "5m+5s",
        "check_in": 0,
        "most_players": 16,
    }
    made = client.post(where, values)
    assert made.status_code == 302, made.content.decode()
    row = TournamentRow.objects.get(title="Blitz end")
    assert row.ranking == [*Swiss.usual_tie_breaks, TieBreak.PLAYOFF]


@pytest.mark.parametrize(("name", "offered"), [("arena", {"3m+2s"}), ("ladder", {"1d/move+5d"})])
def test_the_form_offers_clocks_that_fit_the_format(host, name, offered):
    client = Client(headers={"host": "localhost"})
    client.force_login(host)
    page = client.get(f"/tournaments/new/?game=hex&format={name}").content.decode()
    clocks = {"3m+2s", "1d/move+5d"}
    assert {one for one in clocks if f'<option value="{one}"' in page} == offered


def test_events_are_due_at_their_time_the_earliest_first_and_when_games_have_ended(
    make_event, host, clocks
):
    at = now()
    played = make_event(2)
    directing.start(played.pk, host)
    advance(played)
    later, earlier = (make_event(starts_at=at + offset) for offset in (2_000, 1_000))
    assert progress.due(at + 999) == []
    assert progress.due(at + 1_000) == [earlier.pk]
    assert progress.due(at + 2_000) == [earlier.pk, later.pk]
    play_round(played)
    assert progress.due(at + 999) == [played.pk]
    TournamentRow.objects.filter(pk=played.pk).update(due_at=at)
    assert progress.due(at + 999) == [played.pk]


def test_an_event_starts_at_its_time_and_not_before(make_event, clocks):
    row = make_event(2, starts_at=now() + HOUR)
    TournamentRow.objects.filter(pk=row.pk).update(due_at=0)
    clocks.advance(HOUR - 1)
    assert advance(row).state == TournamentState.OPEN
    assert row.due_at == row.starts_at
    clocks.advance(1)
    assert advance(row).state == TournamentState.RUNNING
    assert row.begun_at == now()


def test_registration_and_check_in_open_at_their_time_and_not_before(make_event, clocks):
    row = make_event(opens_at=now() + MINUTE, starts_at=now() + HOUR, check_in=15)
    for wait, state in ((MINUTE, TournamentState.OPEN), (44 * MINUTE, TournamentState.CHECK_IN)):
        before = row.state
        clocks.advance(wait - 1)
        assert advance(row).state == before
        clocks.advance(1)
        assert advance(row).state == state
    assert row.due_at == row.starts_at
    assert [one.data for one in row.log.all()] == [
        {"state": state} for state in ("announced", "open", "check-in")
    ]


def test_an_event_does_not_start_before_it_is_full_or_if_its_host_starts_it(make_event):
    for wanted, players in (({"starts_when_full": True}, 2), ({}, 3)):
        row = make_event(players, most_players=3, **wanted)
        TournamentRow.objects.filter(pk=row.pk).update(due_at=0)
        assert advance(row).state == TournamentState.OPEN
        assert row.due_at is None


def test_an_event_with_rounds_is_looked_at_again_after_results_alone(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    assert advance(row).due_at is None


def test_an_arena_is_looked_at_again_in_two_seconds_if_two_players_wait(make_event, host, clocks):
    row = make_event(3, format=Arena(minutes=10))
    directing.start(row.pk, host)
    advance(row)
    assert len(rounds.free_players(row)) == 1
    assert row.due_at == row.ends_at == row.begun_at + 10 * MINUTE
    game = unfinished(row)[0]
    directing.adjudicate(row.pk, host, 1, 1, "1-0", "agreed")
    services.leave(row.pk, game.pairing.first.user)
    row.refresh_from_db()
    one, other = (entry for entry in row.entries.filter(is_withdrawn=False))
    assert dict(rounds.free_players(row)).keys() == {one.number, other.number}
    assert progress._next_look(row) == now() + 2 * SECOND
    clocks.wall = row.ends_at - 1_999
    assert progress._next_look(row) == row.ends_at
    row.state = TournamentState.PAUSED
    assert progress._next_look(row) is None


def test_a_continuous_event_by_correspondence_is_looked_at_again_in_six_hours(
    make_event, host, clocks
):
    row = make_event(2, format=RollingSwiss(games_each=2), control=CLOCK)
    directing.start(row.pk, host)
    assert advance(row).due_at == now() + 6 * HOUR


def test_an_arena_ends_when_its_time_is_up_and_not_before(make_event, host, clocks):
    assert make_event(format=Arena(minutes=10)).ends_at is None
    row = make_event(2, format=Arena(minutes=10))
    directing.start(row.pk, host)
    advance(row)
    clocks.wall = row.ends_at - 1
    assert advance(row).state == TournamentState.RUNNING
    clocks.advance(1)
    assert advance(row).state == TournamentState.FINISHED
    assert (row.ended_at, row.due_at, row.last_round) == (now(), None, None)


def test_players_of_an_arena_are_free_from_the_end_of_their_game_on(make_event, host, clocks):
    row = make_event(3, format=Arena(minutes=10))
    directing.start(row.pk, host)
    advance(row)
    begun = now()
    clocks.advance(MINUTE)
    play_round(row)
    assert progress.step(row.pk)
    [pairing] = row.pairings.all()
    entries = row.entries.all()
    assert {one.free_since for one in entries if one in pairing.players} == {now()}
    assert {one.free_since for one in entries if one not in pairing.players} == {begun}


def test_games_begin_and_results_are_counted_a_few_at_a_time(make_event, host, monkeypatch):
    monkeypatch.setattr(progress, "_TOGETHER", 3)
    mirrored = {"bout": make_bout("mirrored"), "control": CLOCK}
    row = make_event(10, format=Swiss(rounds=1), **mirrored)
    directing.start(row.pk, host)
    advance(row)
    begun = [one.data["games"] for one in row.log.filter(kind="begun")]
    assert [len(games) for games in begun] == [4, 4, 2]  # pairings are not torn apart
    games = GameRow.objects.order_by("pk").select_related("pairing", "match")
    assert [game for some in begun for game in some] == [
        [1, one.pairing.table, one.number, one.match.slug] for one in games
    ]
    play_out(row)
    counted = [len(one.data["results"]) for one in row.log.filter(kind="results")]
    assert counted == [3, 3, 3, 1]


def test_games_of_an_event_have_its_rules(make_event, host):
    for wanted, expected in (
        ({"rated": True}, (True, False, "5m+5s")),
        ({"control": CLOCK}, (False, True, CLOCK)),
    ):
        row = make_event(2, **wanted)
        directing.start(row.pk, host)
        advance(row)
        match = unfinished(row)[0].match
        assert (match.rated, match.analysis, match.control) == expected
        assert (match.is_private, match.club) == (False, None)


def test_a_player_whose_account_is_closed_is_out(make_event, host):
    row = make_event(3, format=RoundRobin())
    User.objects.filter(username="p001").update(is_active=False)
    directing.start(row.pk, host)
    advance(row)
    [step] = row.log.filter(kind="withdrawn")
    entry = row.entries.get(user__username="p001")
    assert (entry.is_withdrawn, step.data["withdrawn"]) == (True, [entry.number])
    assert (step.by, step.reason) == (None, "the account was closed")


def test_players_are_numbered_by_rating_then_by_when_they_joined(make_event, host, clocks):
    row = make_event(4)
    p0, p1, p2, p3 = row.entries.order_by("pk")
    for entry, rating, joined in ((p0, 1_500, 1), (p1, 1_700, 9), (p2, 1_700, 8), (p3, 1_600, 1)):
        row.entries.filter(pk=entry.pk).update(rating=rating, joined_at=joined)
    directing.start(row.pk, host)
    row.refresh_from_db()
    order = [p2, p1, p3, p0]
    assert list(row.entries.order_by("number")) == order
    found = [(one.number, one.place, one.free_since) for one in row.entries.all()]
    assert found == [(number, None, now()) for number in (1, 2, 3, 4)]
    assert (row.begun_at, row.due_at, row.last_round) == (now(), now(), 3)
    step = row.log.last()
    assert (step.kind, step.by) == ("started", host)
    assert step.data == {
        "state": "running",
        "players": [[number, one.user_id] for number, one in enumerate(order, start=1)],
        "rounds": 3,
        "places": [],
    }


def test_a_computer_that_has_joined_already_does_not_join_again(make_event, host):
    row = make_event(2, filler="1")
    directing.add_computer(row.pk, host, "1")
    directing.start(row.pk, host)
    assert row.entries.count() == 3
    even = make_event(2, filler="1")
    directing.start(even.pk, host)
    assert even.entries.count() == 2


def test_an_event_that_ends_early_has_fewer_rounds_than_planned(make_event, host, clocks):
    row = make_event(2, format=Swiss(rounds=3))
    directing.start(row.pk, host)
    play_out(row)
    assert (row.round, row.last_round, row.state) == (1, 1, TournamentState.FINISHED)
    assert (row.ended_at, row.due_at) == (now(), None)
    ranks = {one.number: one.rank for one in row.entries.all()}
    step = row.log.last()
    assert (step.kind, step.by) == ("finished", None)
    by_rank = sorted(ranks.items(), key=lambda pair: pair[1])
    assert step.data == {"state": "finished", "ranks": [list(pair) for pair in by_rank]}
    assert [rank for _, rank in by_rank] == [1, 2]


def test_everyone_is_told_why_an_event_ends_early(make_event, host, client):
    row = make_event(4, format=Swiss(rounds=3))
    directing.start(row.pk, host)
    advance(row)
    one = row.pairings.first()
    for entry in row.entries.exclude(pk__in=[one.first_id, one.second_id]):
        services.leave(row.pk, entry.user)
    play_out(row)
    assert (row.round, row.state) == (1, TournamentState.FINISHED)
    reason = "the players who are left cannot be paired without a second game"
    assert (row.log.last().kind, row.log.last().reason) == ("finished", reason)
    assert reason in client.get(f"/tournament/{row.slug}/").content.decode()
    notifications.notify_of_steps()
    told = NotificationRow.objects.filter(arguments__act="finished").select_related("user")
    assert {each.user for each in told} == {entry.user for entry in row.entries.all()}
    assert {each.arguments["reason"] for each in told} == {reason}


def test_an_event_whose_last_opponent_left_ends_for_too_few_players(make_event, host):
    row = make_event(3, format=Swiss(rounds=3))
    directing.start(row.pk, host)
    advance(row)
    for entry in row.entries.filter(number__gt=1):
        services.leave(row.pk, entry.user)
    play_out(row)
    assert row.log.last().reason == "too few players"


def test_the_log_tells_which_pairings_need_a_winner_and_which_are_a_playoff(make_event, host):
    for kind, decisive in ((Knockout(), [1, 2]), (RoundRobin(), [])):
        row = make_event(4, format=kind)
        directing.start(row.pk, host)
        advance(row)
        step = row.log.get(kind="paired")
        pairings = [[one.first.number, one.second.number] for one in row.pairings.all()]
        assert step.data == {
            "round": 1,
            "pairings": pairings,
            "decisive": decisive,
            "playoff": False,
            "points": [],
        }
    row = tied(make_event, host)
    assert [one.data["playoff"] for one in row.log.filter(kind="paired")] == [False, True]


def test_each_game_of_an_event_is_announced(make_event, host, monkeypatch):
    announced: list[MatchRow] = []
    monkeypatch.setattr(progress, "announce", announced.append)
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    assert announced == [game.match for game in unfinished(row)]
    assert len(announced) == 2
