"""Laws of searching: found is all that was asked for and may be seen, the latest first."""

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
from antipodes.web.archive.openings import key_of, read_opening, turned
from antipodes.web.archive.queries import Query, SearchForm, read_query
from antipodes.web.matches.models import MatchRow
from tests.web.archive.conftest import abort, finisher, resign
from tests.web.conftest import kept

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def archive(django_db_setup, django_db_blocker):
    """The people of some dozen games of all kinds, which are played once for all these tests."""
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
    lots = random.Random(7)
    ann, bob, cy, _ = people
    machine = computer("1")
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
        users = lots.choice([(ann, bob), (bob, ann), (ann, cy), (cy, bob), (ann, machine)])
        row = finish(**{"seed": number, "users": users, **kind})
        at = 1_700_000_000_000 + number // 2 * 86_400_000  # two end at the same time
        MatchRow.objects.filter(pk=row.pk).update(ended_at=at)
        GameRow.objects.filter(pk=row.pk).update(ended_at=at)
        PlayerRow.objects.filter(game=row.pk).update(ended_at=at)


def is_asked(query, row):
    """Look at one game, in the plainest way."""
    shelf, users = row.shelf, {seat.user_id: seat.won for seat in row.players.all()}
    ending = Ending.of(shelf.winner, shelf.reason)
    return all(
        [
            all(player.pk in users for player in query.players),
            not query.game_id or row.option_set.game_id == query.game_id,
            query.option_set is None or row.option_set == query.option_set,
            query.speed in ("", shelf.speed),
            query.board_class in ("", row.option_set.board_class),
            query.rated in (None, shelf.rated),
            query.with_computer in (None, shelf.with_computer),
            query.winner in ("", shelf.winner),
            query.won is None or users.get(query.players[0].pk) is query.won,
            ending is query.ending or (query.ending is None and ending is not Ending.ABORT),
            row.opening.startswith(key_of(query.opening)),
            query.since is None or row.ended_at >= query.since,
            query.until is None or row.ended_at < query.until,
        ]
    )


def expected(query, user):
    rows = GameRow.objects.select_related("shelf", "option_set").prefetch_related("players")
    seen = [row for row in rows if not row.shelf.is_private or may_see(row, user)]
    return sorted(((r.ended_at, r.pk) for r in seen if is_asked(query, r)), reverse=True)


def may_see(row, user):
    return user is not None and row.players.filter(user=user).exists()


def all_pages(query, user, most):
    keys: list[search.Key] = []
    after, first = None, None
    while True:
        found = search.find(query, user, after=after, most=most)
        first = first or found
        keys += found.keys
        after = found.after
        if after is None:
            return keys, first


ASKED = [
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


@pytest.mark.parametrize("few", [20_000, 3, 0])
def test_what_is_found_is_what_was_asked_for(archive, monkeypatch, few):
    monkeypatch.setattr(search, "_FEW", few)
    lengths = set()
    for asked, user in itertools.product(ASKED, (None, archive[0], archive[3])):
        query = read_query(asked)
        keys, first = all_pages(query, user, 5)
        wanted = expected(query, user)
        assert keys == wanted, (asked, user)
        assert first.count == len(wanted), (asked, user)
        assert not first.are_more
        lengths.add(len(wanted))
    assert len(lengths) > 8


def test_only_so_many_games_are_counted_one_by_one(archive, monkeypatch):
    monkeypatch.setattr(search, "MOST_COUNTED", 3)
    found = search.find(read_query({"player": "ann"}), None, after=None, most=2)
    assert (len(found.keys), found.count, found.are_more) == (2, 3, True)


def test_games_that_are_the_same_when_the_board_is_turned_are_found_together(archive):
    game = {"game": "hex", "options": "size=3"}
    found = [
        search.find(read_query({**game, "opening": text}), None, after=None, most=50).keys
        for text in ("a1 b1", "c3 b3", "1. a1 2. b1", "a1, b1")
    ]
    assert found[0]
    assert all(keys == found[0] for keys in found)


def test_somebody_on_several_seats_is_found_once(finish, people):
    users = [people[0], people[1], people[0], people[1]]
    row = finish("antipalos", size=12, seats="team", users=users, by=resign)
    page = selectors.games_page(read_query({"player": "ann", "game": "antipalos"}), None)
    assert [line.row.pk for line in page.lines] == [row.pk]
    assert page.count == 1


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"player": "nobody-there"}, "nobody-there"),
        ({"game": "chess"}, "chess"),
        ({"game": "hex", "options": "size=99"}, "size=99"),
        ({"speed": "slow"}, "slow"),
        ({"result": "won"}, "which player"),
        ({"opening": "e6"}, "Choose a game"),
        ({"game": "hex", "opening": "e6 z99"}, "z99"),
        ({"game": "hex", "opening": "e6 e6"}, "e6"),
        ({"game": "hex", "opening": "a1 a2 a3 a4 a5 a6 a7 a8 a9"}, "at most 8"),
        ({"since": "yesterday"}, "valid date"),
        ({"since": "2026-02-01", "until": "2026-01-01"}, "2026-01-01"),
    ],
)
def test_what_cannot_be_asked_is_told(people, client, asked, words):
    with pytest.raises(InputError, match=words) as raised:
        read_query(asked)
    assert raised.value.code == "archive/query"
    answer = client.get("/games/", asked)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert client.get("/games/found.jsonl", asked).status_code == 400


@pytest.mark.parametrize("place", ["x", "1-", "-1-2", "1-2-3", "9" * 30 + "-1"])
def test_a_place_in_the_list_that_is_none_is_told(client, place):
    answer = client.get("/games/", {"after": place})
    assert answer.status_code == 400
    assert "is no place in a list" in answer.content.decode()


def test_the_page_shows_games_and_leads_on(archive, client):
    page = client.get("/games/").content.decode()
    assert page.count("small.svg") == len(expected(Query(), None))
    assert "/people/ann/" in page
    found = client.get("/games/", {"player": "ann", "game": "hex"}).content.decode()
    assert "player=ann&amp;game=hex" in found


def test_later_pages_have_addresses(archive, client, monkeypatch):
    monkeypatch.setattr("antipodes.web.archive.views.PAGE", 4)
    query = read_query({"player": "ann"})
    found = search.find(query, None, after=None, most=4)
    assert found.after is not None
    address = {"player": "ann", "after": search.write_key(found.after)}
    first = client.get("/games/", {"player": "ann"}).content.decode()
    assert f"after={search.write_key(found.after)}" in first
    page = client.get("/games/", address).content.decode()
    assert page.count("small.svg") == 4
    assert "The latest" in page


def test_the_records_of_what_is_found_can_be_taken_along(archive, client):
    answer = client.get("/games/found.jsonl", {"player": "ann"})
    lines = b"".join(answer.streaming_content).decode().splitlines()
    keys = expected(read_query({"player": "ann"}), None)
    assert len(lines) == len(keys)
    for line, (_, match) in zip(lines, keys, strict=True):
        record = from_json(line)
        row = MatchRow.objects.get(pk=match)
        assert json.loads(line)["extra"]["antipodes-site"]["match"] == row.slug
        assert record.players == tuple(seat.user.name for seat in row.seats.all())
        assert record.moves() == [made.move for made in row.match().moves]


def test_a_download_is_bounded_and_goes_over_many_pages(archive, monkeypatch):
    monkeypatch.setattr(selectors, "_AT_ONCE", 3)
    whole = b"".join(selectors.found_records(Query(), None)).splitlines()
    assert len(whole) == len(expected(Query(), None))
    assert b"".join(selectors.found_records(Query(), None, most=7)).splitlines() == whole[:7]


def test_data_of_a_game_say_what_the_page_says(archive):
    for line in selectors.games_page(Query(ending=None), archive[0], most=50).lines:
        data = selectors.game_data(line.row)
        assert data["moves"] == line.row.moves
        assert {one["won"] for one in data["players"]} in ({True, False}, {None})
        assert Ending(data["ending"]).condition
        json.dumps(data)


def test_colours_of_a_game_can_be_chosen():
    form = SearchForm({"game": "antipode"})
    offered = {radio.data["value"] for radio in form["result"].subwidgets}
    assert offered == {"", "won", "lost", "draw", Color.RED.value, Color.BLUE.value}


def test_an_opening_is_read_on_the_board_that_is_chosen(archive):
    query = read_query({"game": "hex", "options": "size=4,swap=off", "opening": "d4"})
    assert query.option_set is not None
    game = query.option_set.game
    assert query.opening == turned(game, read_opening(game, "a1"))
    assert User.objects.exists()
