"""Tables of three and four on the site: games, results, absent players, and decisions."""

import pytest
from django.test import Client

from antipodes.clocks import read_control
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign
from antipodes.tournaments import make_bout
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.tables import Tables
from antipodes.web.matches.services import carry_out
from antipodes.web.tournaments import directing, exports, services
from antipodes.web.tournaments.log import replay
from antipodes.web.tournaments.models import TournamentRow, TournamentState
from antipodes.web.tournaments.plans import Plan
from antipodes.web.tournaments.results import result_of
from tests.web.tournaments.conftest import advance, unfinished

pytestmark = pytest.mark.django_db

THREE = make_game("antipalos", {"seats": "cutthroat3", "size": 12})
TEAMS = make_game("antipalos", {"seats": "team", "size": 12})


@pytest.fixture
def begun(make_event, host):
    """Return a function that makes an event and starts it."""

    def make(players, game=THREE, **rules):
        row = make_event(players, format=Tables(**rules), game=game)
        directing.start(row.pk, host)
        return advance(row)

    return make


def give_up(game, seat=0):
    """Let a player resign."""
    game.match.refresh_from_db()
    ply = game.match.match().ply
    carry_out(game.match.slug, Resign(seat=seat, ply=ply, key=f"over {game.pk}"))


def check_log(row):
    """Check that the log tells the tables and points of the rows."""
    told = replay(one.data for one in row.log.all())
    for one in row.pairings.all():
        numbers = tuple(player.number for player in one.players)
        assert told.players[one.round, one.table][: len(numbers)] == numbers
        assert told.pairings[one.round, one.table] == one.points


def test_three_players_share_a_game_and_the_others_share_a_resigned_win(begun):
    row = begun(3, rounds=1)
    [game] = unfinished(row)
    assert game.match.seats.count() == 3
    give_up(game, seat=1)
    row = advance(row)
    assert row.state == TournamentState.FINISHED
    # A player without any move is out, as at tables of two.
    assert row.pairings.get().points == (0.5, 0, 0.5)
    assert [one.is_withdrawn for one in row.pairings.get().players] == [False, True, False]
    check_log(row)


def test_players_meet_at_two_tables_with_a_bye_and_rotate(begun):
    row = begun(7, rounds=2)
    for _ in range(2):
        for game in unfinished(row):
            for seat, cell in enumerate(("B2*", "D4*", "F6*")):
                play(game, seat, cell)
            give_up(game, seat=2)
        row = advance(row)
    assert row.state == TournamentState.FINISHED
    assert row.pairings.count() == 6
    byes = [one for one in row.pairings.all() if one.is_bye]
    assert {one.first_points for one in byes} == {1 / 3}
    assert len({one.first_id for one in byes}) == 2
    check_log(row)


def play(game, seat, text):
    game.match.refresh_from_db()
    match = game.match.match()
    move = match.position.parse_move(text)
    carry_out(game.match.slug, Play(seat=seat, ply=match.ply, key=f"{game.pk} {seat}", move=move))


def test_partners_win_together_and_wins_can_count_the_chart(begun):
    row = begun(4, game=TEAMS, rounds=1, score="chart")
    [game] = unfinished(row)
    give_up(game)
    game.match.refresh_from_db()
    assert result_of(game.match).points == (0, 1, 0, 1)
    row = advance(row)
    assert row.pairings.get().points == (0, 3, 0, 3)


def test_players_who_are_left_at_a_table_have_a_bye(begun):
    row = begun(3, rounds=2)
    give_up(unfinished(row)[0])
    row.refresh_from_db()
    row = advance(row)
    assert row.state == TournamentState.FINISHED  # two players are too few for a table
    assert row.round == 1


def test_a_director_decides_a_table_by_its_winning_seat(begun, host):
    row = begun(3, rounds=1)
    directing.adjudicate(row.pk, host, 1, 1, "3", "agreed")
    assert row.pairings.get().points == (0, 0, 1)
    with pytest.raises(InputError, match=r"1\.1 that ends 1-0"):
        directing.adjudicate(row.pk, host, 1, 1, "1-0", "agreed")


def test_the_page_shows_tables_and_who_met_whom(begun, host):
    row = begun(3, rounds=1)
    client = Client(headers={"host": "localhost"})
    client.force_login(host)
    page = client.get(f"/tournament/{row.slug}/").content.decode()
    assert 'class="list crosstable"' in page
    assert "p000 – p001 – p002" in page
    assert "Seat 3 wins" in page
    assert "do/prove" not in page
    assert "All lose" in page
    assert exports.as_data(row)["pairings"][0]["players"] == ["p000", "p001", "p002"]
    assert client.get(f"/tournament/{row.slug}/tournament.trf").status_code == 404


def test_a_host_makes_an_event_of_teams_by_the_form(host):
    client = Client(headers={"host": "localhost"})
    client.force_login(host)
    where = "/tournaments/new/?game=antipalos&format=tables"
    values = {
        "title": "Four hands",
        "format": "tables",
        "rule-rounds": 3,
        "rule-score": "chart",
        "rule-late_entry": 0,
        "option-seats": "team",
        "option-size": 12,
        "control": "5m+5s",
        "check_in": 0,
        "most_players": 16,
        "least_games": 0,
    }
    page = client.get("/tournaments/new/?game=hex&format=tables").content.decode()
    assert 'value="team"' in page  # hex has no such tables, so the page offers another game
    assert 'value="two"' not in page
    made = client.post(where, values)
    assert made.status_code == 302, made.content.decode()
    assert TournamentRow.objects.get(title="Four hands").game.seats == 4


@pytest.mark.parametrize(
    ("wanted", "where"),
    [
        ({"format": RoundRobin(), "game": THREE}, "seats"),
        ({"format": Tables(), "game": make_game("hex")}, "seats"),
        ({"format": Tables(), "game": THREE, "bout": make_bout("mirrored")}, "games"),
        ({"format": Tables(score="chart"), "game": make_game("hex")}, "score"),
    ],
)
def test_formats_fit_the_number_of_seats(host, wanted, where):
    plan = Plan(title="Cup", control=read_control("5m+5s"), **wanted)
    with pytest.raises(InputError) as refused:
        services.create_tournament(host, plan)
    assert where in {one.where for one in refused.value.faults}


def test_two_players_are_too_few_for_a_table_of_three(make_event, host):
    row = make_event(2, format=Tables(), game=THREE)
    with pytest.raises(InputError, match="needs 3 players; 2 are here"):
        directing.start(row.pk, host)
    row.refresh_from_db()
    assert row.state == TournamentState.OPEN


@pytest.mark.parametrize(("players", "entries"), [(5, 6), (4, 4), (3, 3)])
def test_the_computer_takes_the_last_seat_of_a_table(make_event, host, players, entries):
    row = make_event(players, format=Tables(), game=THREE, filler="1")
    directing.start(row.pk, host)
    assert row.entries.count() == entries


def test_the_form_says_when_the_computer_joins_a_table(client, host):
    client.force_login(host)
    odd = "With an odd number of players, the computer joins"
    assert odd in client.get("/tournaments/new/?format=swiss").content.decode()
    page = client.get("/tournaments/new/?format=tables").content.decode()
    assert odd not in page
    assert "With one seat of a table empty, the computer joins" in page
