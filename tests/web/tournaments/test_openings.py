"""Openings of tournaments: the moves with which games begin."""

import pytest

from antipodes.clocks import read_control
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.lab.atlas import shipped_atlas
from antipodes.match import MoveSource
from antipodes.tournaments import make_bout
from antipodes.tournaments.arena import Arena
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.tournaments.tables import Tables
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.models import User
from antipodes.web.lobby.selectors import live_matches
from antipodes.web.tournaments import directing, exports, series, services
from antipodes.web.tournaments.log import replay
from antipodes.web.tournaments.models import GameRow, Repeat, TournamentRow, TournamentState
from antipodes.web.tournaments.openings import LONGEST_TEXT
from tests.cases import for_each
from tests.web.tournaments.conftest import advance, move, play_out, play_round, unfinished

pytestmark = pytest.mark.django_db

HEX = make_game("hex", {"size": 5})
OWN = "a1 c3  # a remark\n\n# nothing\nb2\nc2 b3 d4\n"
LINES = ["a1 c3", "b2", "c2 b3 d4"]


def started(make_event, host, players=4, **wanted):
    """Return an event with openings that has begun."""
    row = make_event(players, **{"game": HEX, "openings": OWN, "format": RoundRobin(), **wanted})
    directing.start(row.pk, host)
    return advance(row)


def given(game):
    """Return the moves with which a game began, as text."""
    match = game.match.match()
    position, texts = match.terms.origin, []
    for made in match.moves[: len(match.terms.given_moves)]:
        assert made.source is MoveSource.GIVEN
        texts.append(position.format_move(made.move))
        position = position.play(made.move)
    return " ".join(texts)


def fault_of(make_event, **wanted):
    with pytest.raises(InputError) as refused:
        make_event(**{"game": HEX, **wanted})
    return refused.value.faults


def test_all_games_of_a_round_begin_with_the_same_opening_and_the_next_round_with_the_next(
    make_event, host
):
    row = started(make_event, host, players=6)
    assert row.openings == LINES
    for number in range(1, 6):
        games = unfinished(row)
        assert {one.pairing.round for one in games} == {number}
        assert {given(one) for one in games} == {LINES[(number - 1) % 3]}
        assert {one.pairing.opening_moves() for one in games} == {given(games[0])}
        play_round(row)
        row = advance(row)
    assert row.state == TournamentState.FINISHED


def test_no_clock_runs_for_given_moves(make_event, host):
    row = started(make_event, host, 2)
    match = unfinished(row)[0].match.match()
    assert [len(match.moves), match.seat_to_move] == [2, 0]
    assert match.clock.banks == (read_control("5m+5s").bank,) * 2
    assert match.clock.turn_since == match.moves[0].at


@for_each("name", ["mirrored", "pair", "best-of-5"])
def test_two_games_with_exchanged_seats_begin_with_the_same_opening(name, make_event, host):
    row = started(make_event, host, 2, format=Swiss(rounds=1), bout=make_bout(name))
    while row.state == TournamentState.RUNNING:
        play_round(row)
        row = advance(row)
    games = list(GameRow.objects.filter(pairing__tournament=row).order_by("number"))
    assert len(games) > 1
    found = [given(one) for one in games]
    assert found == [LINES[at // 2] for at in range(len(games))]


def test_pairings_of_an_arena_have_the_openings_by_turns(make_event, host):
    row = started(make_event, host, 8, format=Arena(minutes=30))
    assert [given(one) for one in unfinished(row)] == [*LINES, LINES[0]]
    for game in unfinished(row)[:2]:
        directing.adjudicate(row.pk, host, game.pairing.round, game.pairing.table, "1-0", "agreed")
    row = advance(row)
    pairings = row.pairings.order_by("round", "table")
    assert [one.opening for one in pairings] == [at % 3 + 1 for at in range(pairings.count())]


def test_tables_of_three_begin_with_openings_too(make_event, host):
    game = make_game("antipalos", {"seats": "cutthroat3", "size": 12})
    first = game.initial()
    move = min(first.legal_moves)
    text = first.format_move(move)
    row = started(make_event, host, 3, format=Tables(rounds=2), game=game, openings=text)
    [one] = unfinished(row)
    assert given(one) == text
    assert one.match.seat_to_move == 1


def test_the_log_tells_the_openings_and_deciding_games_have_them(make_event, host):
    row = started(make_event, host, 4, format=Knockout(), bout=make_bout("best-of-3"))
    row = play_out(row, seed=3)
    told = replay(one.data for one in row.log.all())
    stored = {(one.round, one.table): one.opening for one in row.pairings.all()}
    assert told.openings == stored
    assert {number for number, _ in stored} == {1, 2}
    for game in GameRow.objects.filter(pairing__tournament=row):
        assert given(game) == game.pairing.opening_moves(game.number)


def test_fair_openings_are_those_of_the_atlas_the_most_even_first(make_event, monkeypatch):
    for swap in ("pieces", "off"):
        game = make_game("hex", {"size": 11, "swap": swap})
        row = make_event(game=game, openings="fair")
        atlas = shipped_atlas(game)
        assert atlas is not None
        assert row.openings == [one.move for one in atlas.fair]
    monkeypatch.setenv("LIMIT_TOURNAMENT_OPENINGS", "2")
    game = make_game("hex", {"size": 11})
    fair = make_event(game=game, openings="fair").openings
    assert make_event(game=game, openings=" fair\n").openings == fair
    assert len(fair) == 2
    [fault] = fault_of(make_event, openings="fair")
    assert (fault.code, fault.where) == ("tournament/openings", "openings")
    assert fault.message == (
        "No fair openings of Hex · size 5 are known; write a list of your own."
    )


@for_each(
    "text, messages",
    [
        ("a1\nb2 b2\nz9", ["Line 2 of the openings: b2 is not legal", "Line 3 of the openings: "]),
        ("a1 " * 41, ["Line 1 of the openings: an opening has 41 moves, but 40 at most"]),
        (" # only a remark", ["The list has 0 openings; it must have 1 to 100."]),
    ],
)
def test_openings_that_cannot_be_played_are_refused_with_line_and_move(text, messages, make_event):
    faults = fault_of(make_event, openings=text)
    assert {one.code for one in faults} == {"tournament/openings"}
    for fault, message in zip(faults, messages, strict=True):
        assert fault.message.startswith(message), fault.message


def test_lists_of_openings_that_are_too_long_are_refused(make_event):
    [fault] = fault_of(make_event, openings="a1 # " + "x" * LONGEST_TEXT)
    assert fault.message == "The openings have 20005 characters; the most are 20000."
    longest = "a1 # " + "x" * (LONGEST_TEXT - 5)
    assert make_event(game=HEX, openings=longest).openings == ["a1"]


def test_an_opening_that_ends_the_game_is_refused(make_event):
    game = make_game("hex", {"size": 2, "swap": "off"})
    [fault] = fault_of(make_event, game=game, openings="a1\na1 b1 a2 b2")
    assert "Line 2" in fault.message


def test_games_with_openings_are_not_rated(make_event):
    [fault] = fault_of(make_event, openings=OWN, rated=True)
    assert (fault.code, fault.where) == ("tournament/openings", "rated")


def test_a_repeated_event_keeps_its_openings(make_event, host):
    from antipodes.clocks import DAY
    from antipodes.web.platform.clock import now

    row = make_event(2, game=HEX, openings=OWN, starts_at=now() + DAY, repeats=Repeat.WEEKLY)
    directing.start(row.pk, host)
    following = series.make_next(row.pk)
    assert following is not None
    assert following.openings == LINES


def test_exports_tell_the_openings(make_event, host, client):
    row = started(make_event, host, 2)
    data = exports.as_data(row)
    assert data["openings"] == LINES
    assert [one["opening"] for one in data["pairings"]] == [LINES[0]]
    sgf = b"".join(client.get(f"/tournament/{row.slug}/games.sgf").streaming_content).decode()
    assert ";B[a1];W[c3]" in sgf


def test_a_host_chooses_openings_by_the_form(client, host):
    client.force_login(host)
    where = "/tournaments/new/?game=hex&format=swiss"
    form = {
        "title": "Cup",
        "control": "5m+5s",
        "most_players": "16",
        "check_in": "0",
        "option-size": "5",
        "openings": "own",
    }
    for lines, told in (("a1\na1 a1", "Line 2 of the openings: a1"), ("", "has 0 openings")):
        refused = client.post(where, {**form, "opening_lines": lines})
        assert refused.status_code == 400
        assert told in refused.content.decode()
    refused = client.post(where, {**form, "openings": "fair"})
    assert "No fair openings of Hex" in refused.content.decode()
    assert client.post(where, {**form, "opening_lines": OWN}).status_code == 302
    assert client.post(where, {**form, "openings": "", "opening_lines": OWN}).status_code == 302
    found = TournamentRow.objects.order_by("pk").values_list("openings", flat=True)
    assert [*found] == [LINES, []]


def test_pages_show_the_openings_of_the_event_the_round_and_the_game(client, make_event, host):
    row = started(make_event, host, 2)
    page = client.get(f"/tournament/{row.slug}/").content.decode()
    assert "Each round has the next one of these" in page
    assert all(f"<li>{one}</li>" in page for one in LINES)
    assert "Opening: a1 c3" in page
    [game] = unfinished(row)
    shown = client.get(f"/m/{game.match.slug}/").content.decode()
    assert "opening a1 c3" in shown
    assert "with given moves" in shown
    arena = started(make_event, host, 2, format=Arena(minutes=30))
    page = client.get(f"/tournament/{arena.slug}/").content.decode()
    assert "Each game has the next one of these" in page


def test_games_with_openings_are_listed_with_the_live_games(make_event, host):
    row = started(make_event, host, 2)
    [game] = unfinished(row)
    move(game, game.match.seat_to_move)
    assert [one.pk for one in live_matches(None, 10)] == [game.match.pk]


def test_programs_choose_and_read_openings(client, host):
    _, token = make_token(host, "test", {Scope.TOURNAMENTS}, None)
    plan = {"title": "Cup", "format": "swiss", "game": "hex", "control": "5m+5s"}

    def send(**more):
        return client.post(
            "/api/v1/tournaments",
            {**plan, **more},
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )

    made = send(openings="a1 c3\nb2").json()
    assert made["openings"] == ["a1 c3", "b2"]
    refused = send(openings="a1\na1 a1")
    assert (refused.status_code, refused.json()["code"]) == (422, "tournament/openings")
    for number in range(2):
        services.join(TournamentRow.objects.get().pk, User.objects.create(username=f"p{number}"))
    row = TournamentRow.objects.get()
    directing.start(row.pk, host)
    advance(row)
    [pairing] = client.get(f"/api/v1/tournaments/{row.slug}/pairings").json()
    assert pairing["opening"] == "a1 c3"
    match = client.get(f"/api/v1/matches/{pairing['games'][0]}").json()
    assert match["given"] == 2
    assert [one["source"] for one in match["moves"]] == ["given", "given"]
