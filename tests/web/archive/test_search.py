"""Search of finished games: results, visibility, paging and downloads."""

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from antipodes.core import Color
from antipodes.errors import InputError
from antipodes.records import from_json
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.archive import search, selectors
from antipodes.web.archive.facts import Ending
from antipodes.web.archive.models import GameRow, PlayerRow
from antipodes.web.archive.openings import canonical_opening, opening_key, read_opening
from antipodes.web.archive.queries import Query, SearchForm, read_query
from antipodes.web.matches.models import MatchRow
from tests.thorough import repetitions, sample
from tests.web.archive.conftest import abort, finisher, resign
from tests.web.conftest import kept

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def archive(django_db_setup, django_db_blocker):
    """Play some dozen games of all kinds once for this module; yield the players."""
    with kept(django_db_blocker):
        people = [User.objects.create(username=name) for name in ("ann", "bob", "cy", "dee")]
        play_all(people)
        yield people


@pytest.fixture
def people(db, archive):
    return archive


def play_all(people):
    """Play games that end at different times."""
    finish = finisher(people)
    rng = random.Random(7)
    ann, bob, cy, _ = people
    level = computer("1")
    kinds: Iterator[dict[str, Any]] = itertools.cycle(
        [
            {"size": 3},
            {"size": 3, "rated": True, "control": "5m+5s"},
            {"size": 4, "swap": "off", "control": "3d/move"},
            {"game_id": "antipod", "side": 3},
            {"size": 3, "by": abort},
            {"size": 3, "by": resign, "moves": ("a1", "b1")},
            {"size": 3, "by": resign, "moves": ("c3", "b3")},
            {"size": 3, "is_private": True},
        ]
    )
    for number, kind in zip(range(26), kinds, strict=False):
        users = rng.choice([(ann, bob), (bob, ann), (ann, cy), (cy, bob), (ann, level)])
        row = finish(**{"seed": number, "users": users, **kind})
        at = 1_700_000_000_000 + number // 2 * 86_400_000  # two end at the same time
        MatchRow.objects.filter(pk=row.pk).update(ended_at=at)
        GameRow.objects.filter(pk=row.pk).update(ended_at=at)
        PlayerRow.objects.filter(game=row.pk).update(ended_at=at)


def matches(query, row):
    """Return whether a game matches a query, by direct comparison."""
    bucket, users = row.bucket, {seat.user_id: seat.won for seat in row.players.all()}
    ending = Ending.of(bucket.winner, bucket.reason)
    return all(
        [
            all(player.pk in users for player in query.players),
            not query.game_id or row.option_set.game_id == query.game_id,
            query.option_set is None or row.option_set == query.option_set,
            query.speed in ("", bucket.speed),
            query.board_class in ("", row.option_set.board_class),
            query.rated in (None, bucket.rated),
            query.with_computer in (None, bucket.with_computer),
            query.winner in ("", bucket.winner),
            query.won is None or users.get(query.players[0].pk) is query.won,
            ending is query.ending or (query.ending is None and ending is not Ending.ABORT),
            row.opening.startswith(opening_key(query.opening)),
            query.since is None or row.ended_at >= query.since,
            query.until is None or row.ended_at < query.until,
        ]
    )


def expected(query, user):
    rows = GameRow.objects.select_related("bucket", "option_set").prefetch_related("players")
    visible = [row for row in rows if not row.bucket.is_private or may_see(row, user)]
    return sorted(((r.ended_at, r.pk) for r in visible if matches(query, r)), reverse=True)


def may_see(row, user):
    return user is not None and row.players.filter(user=user).exists()


def all_pages(query, user, most):
    keys: list[search.Cursor] = []
    after, first = None, None
    while True:
        found = search.find(query, user, after=after, most=most)
        first = first or found
        keys += found.keys
        after = found.after
        if after is None:
            return keys, first


QUERIES = [
    {},
    {"player": "ann"},
    {"player": "ANN", "opponent": "bob"},
    {"opponent": "bob"},
    {"player": "ann", "opponent": "ann"},
    {"player": "ann", "result": "won"},
    {"player": "ann", "opponent": "bob", "result": "lost"},
    {"game": "hex"},
    {"game": "antipod", "result": "black"},
    {"game": "hex", "options": "size=4,swap=off"},
    {"game": "hex", "options": "usual"},
    {"speed": "blitz"},
    {"speed": "correspondence", "rated": "no"},
    {"board": "small"},
    {"rated": "yes"},
    {"computer": "yes"},
    {"computer": "no", "player": "cy"},
    {"result": "white"},
    {"result": "draw"},
    {"ending": "resignation"},
    {"ending": "board", "player": "bob"},
    {"ending": "abort"},
    {"game": "hex", "options": "size=3", "opening": "a1"},
    {"game": "hex", "options": "size=3", "opening": "a1 b1"},
    {"game": "hex", "options": "size=3", "opening": "a1 b1", "player": "ann"},
    {"game": "hex", "opening": "a1"},
    {"since": "2023-11-17"},
    {"since": "2023-11-17", "until": "2023-11-20", "player": "ann"},
    {"until": "2023-11-17", "game": "hex"},
    {"player": "dee"},
]


@pytest.mark.parametrize("few", [20_000, 3, 0][: repetitions(2, 3)])
def test_a_search_finds_exactly_the_matching_games(archive, monkeypatch, few):
    monkeypatch.setattr(search, "_FEW", few)
    lengths = set()
    searches = list(itertools.product(QUERIES, (None, archive[0], archive[3])))
    for fields, user in sample(searches, 20):
        query = read_query(fields)
        keys, first = all_pages(query, user, 5)
        games = expected(query, user)
        assert keys == games, (fields, user)
        assert first.count == len(games), (fields, user)
        assert not first.are_more
        lengths.add(len(games))
    assert len(lengths) > 8


@pytest.mark.parametrize("few", [20_000, 0], ids=["by player", "by opening"])
@pytest.mark.parametrize("opening", ["a1", "a1 b1"])
def test_the_games_of_players_with_an_opening_are_found(archive, monkeypatch, few, opening):
    monkeypatch.setattr(search, "_FEW", few)
    board = {"game": "hex", "options": "size=3", "opening": opening}
    found = set()
    for player in ({}, {"player": "ann"}, {"player": "ann", "opponent": "bob"}):
        query = read_query({**board, **player})
        public, _private = search._buckets(query)
        assert search._by_size(query, public)[1] is (bool(player) and few > 0)
        keys, _first = all_pages(query, None, 5)
        assert keys == expected(query, None)
        found.add(len(keys))
    assert len(found) == 3


@pytest.mark.parametrize(("result", "won"), [("won", True), ("lost", False), ("draw", None)])
def test_a_result_is_that_of_the_player(archive, result, won):
    query = read_query({"player": "ann", "result": result})
    assert query.won is won
    keys, _ = all_pages(query, None, 50)
    ends = {PlayerRow.objects.get(game=key, user=archive[0]).won for _, key in keys}
    assert ends <= {won}


def test_the_count_of_results_is_limited(archive, monkeypatch):
    monkeypatch.setattr(search, "MOST_COUNTED", 3)
    found = search.find(read_query({"player": "ann"}), None, after=None, most=2)
    assert (len(found.keys), found.count, found.are_more) == (2, 3, True)


def test_symmetric_openings_are_found_together(archive):
    game = {"game": "hex", "options": "size=3"}
    found = [
        search.find(read_query({**game, "opening": text}), None, after=None, most=50).keys
        for text in ("a1 b1", "c3 b3", "1. a1 2. b1", "a1, b1")
    ]
    assert found[0]
    assert all(keys == found[0] for keys in found)


def test_a_game_with_a_player_on_several_seats_is_found_once(finish, people):
    users = [people[0], people[1], people[0], people[1]]
    row = finish("antipalos", size=12, seats="team", users=users, by=resign)
    page = selectors.games_page(read_query({"player": "ann", "game": "antipalos"}), None)
    assert [line.row.pk for line in page.lines] == [row.pk]
    assert page.count == 1


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"player": "unknown-name"}, "unknown-name"),
        ({"game": "chess"}, "chess"),
        ({"game": "hex", "options": "size=99"}, "size=99"),
        ({"speed": "slow"}, "slow"),
        ({"result": "won"}, "Enter the player"),
        ({"opening": "e6"}, "Choose a game"),
        ({"game": "hex", "opening": "e6 z99"}, "z99"),
        ({"game": "hex", "opening": "e6 e6"}, "e6"),
        ({"game": "hex", "opening": "a1 a2 a3 a4 a5 a6 a7 a8 a9"}, "at most 8"),
        ({"since": "yesterday"}, "valid date"),
        ({"since": "2026-02-01", "until": "2026-01-01"}, "2026-01-01"),
    ],
)
def test_an_invalid_query_shows_errors(people, client, fields, error):
    with pytest.raises(InputError, match=error) as raised:
        read_query(fields)
    assert raised.value.code == "archive/query"
    answer = client.get("/games/", fields)
    assert answer.status_code == 400
    assert error in answer.content.decode()
    assert client.get("/games/found.jsonl", fields).status_code == 400


@pytest.mark.parametrize("cursor", ["x", "1-", "-1-2", "1-2-3", "9" * 30 + "-1"])
def test_an_invalid_cursor_shows_an_error(client, cursor):
    answer = client.get("/games/", {"after": cursor})
    assert answer.status_code == 400
    assert "is not a position in a list" in answer.content.decode()


def test_the_page_shows_games_with_links(archive, client):
    page = client.get("/games/").content.decode()
    assert page.count("small.svg") == len(expected(Query(), None))
    assert "/people/ann/" in page
    found = client.get("/games/", {"player": "ann", "game": "hex"}).content.decode()
    assert "player=ann&amp;game=hex" in found


def test_pages_link_to_the_next_page_and_back_to_the_first(archive, client, monkeypatch):
    monkeypatch.setattr("antipodes.web.archive.views.PAGE_SIZE", 4)
    found = search.find(read_query({"player": "ann"}), None, after=None, most=4)
    assert found.after is not None
    cursor = search.write_cursor(found.after)
    first = client.get("/games/", {"player": "ann"}).content.decode()
    assert f"after={cursor}" in first
    page = client.get("/games/", {"player": "ann", "after": cursor}).content.decode()
    assert page.count("small.svg") == 4
    assert "Latest games" in page


def test_the_records_of_the_results_can_be_downloaded(archive, client):
    answer = client.get("/games/found.jsonl", {"player": "ann"})
    lines = b"".join(answer.streaming_content).decode().splitlines()
    keys = expected(read_query({"player": "ann"}), None)
    assert len(lines) == len(keys)
    for line, (_, match) in zip(lines, keys, strict=True):
        record = from_json(line)
        row = MatchRow.objects.get(pk=match)
        assert json.loads(line)["extra"]["antipodes-site"]["match"] == row.slug
        assert record.players == tuple(seat.user.name for seat in row.seats.all())
        assert record.moves() == [move.move for move in row.match().moves]


def test_a_download_is_limited_and_read_in_batches(archive, monkeypatch):
    monkeypatch.setattr(selectors, "_BATCH", 3)
    whole = b"".join(selectors.found_records(Query(), None)).splitlines()
    assert len(whole) == len(expected(Query(), None))
    assert b"".join(selectors.found_records(Query(), None, most=7)).splitlines() == whole[:7]


def test_the_data_of_a_game_agree_with_its_row(archive):
    for line in selectors.games_page(Query(ending=None), archive[0], most=50).lines:
        data = selectors.game_data(line.row)
        assert data["moves"] == line.row.moves
        assert {one["won"] for one in data["players"]} in ({True, False}, {None})
        assert Ending(data["ending"]).condition
        json.dumps(data)


def test_the_form_offers_the_colours_of_the_game():
    form = SearchForm({"game": "antipode"})
    offered = {radio.data["value"] for radio in form["result"].subwidgets}
    assert offered == {"", "won", "lost", "draw", Color.RED.value, Color.BLUE.value}


def test_an_opening_is_read_on_the_board_of_the_chosen_options(archive):
    query = read_query({"game": "hex", "options": "size=4,swap=off", "opening": "d4"})
    assert query.option_set is not None
    game = query.option_set.game
    assert query.opening == canonical_opening(game, read_opening(game, "a1"))
    assert User.objects.exists()
