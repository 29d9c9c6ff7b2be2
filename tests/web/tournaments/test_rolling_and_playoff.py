"""Rolling Swiss events and playoffs on the site."""

import random

import pytest
from django.test import Client

from antipodes.clocks import DAY
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.tournaments import (
    PLAYOFF_BOUT,
    PLAYOFF_CONTROL,
    Knockout,
    RollingSwiss,
    RoundRobin,
    Swiss,
    TieBreak,
    make_bout,
)
from antipodes.web.tournaments import directing, exports
from antipodes.web.tournaments.log import replay
from antipodes.web.tournaments.models import State, TournamentRow
from tests.web.tournaments.conftest import advance, resign, unfinished

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
    while row.state == State.RUNNING:
        resign(rng.choice(unfinished(row)), rng.randrange(2))
        row = advance(row)
    pairs = [frozenset((one.first_id, one.second_id)) for one in row.pairings.all()]
    assert len(set(pairs)) == len(pairs) >= 7
    assert row.state == State.FINISHED


def test_a_waiting_player_is_paired_with_a_far_one_after_a_day(make_event, host, monkeypatch):
    from antipodes.web.tournaments import progress, rounds

    row = make_event(3, format=RollingSwiss(games_each=2), control=CLOCK)
    directing.start(row.pk, host)
    row = advance(row)
    assert row.pairings.count() == 1
    waiting = dict(rounds.free_players(row))
    assert len(waiting) == 1
    since = next(iter(waiting.values())) or 0
    assert rounds.state_of(row, since).patient == []
    assert rounds.state_of(row, since + DAY).patient == list(waiting)
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
    while row.state == State.RUNNING:
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
    assert row.state == State.FINISHED
    assert row.entries.get(rank=1).pk == winner


def test_an_equal_playoff_goes_on_with_single_games_until_one_is_won(make_event, host):
    row = tied_in_match_play(make_event, host)
    playoff = row.pairings.get(is_playoff=True)
    while row.state == State.RUNNING:
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
