"""Search of finished games: results, visibility, paging and downloads."""

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from antipodes.core import Color
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.records import from_json
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.archive import search, selectors
from antipodes.web.archive.facts import Ending
from antipodes.web.archive.models import GameRow, OptionSetRow, PlayerRow
from antipodes.web.archive.openings import canonical_opening, opening_key, read_opening
from antipodes.web.archive.queries import Query, SearchForm, read_query
from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.models import Unrated
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
    for most in (0, 1, 3, 4, 7):
        lines = b"".join(selectors.found_records(Query(), None, most=most)).splitlines()
        assert lines == whole[:most]


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


DAY = 86_400_000


def test_all_fields_of_the_form_are_criteria(archive):
    ann, bob, *_ = archive
    fields = {
        "player": "ann", "opponent": "BOB", "game": "hex", "options": "size=3", "speed": "blitz",
        "board": "small", "rated": "yes", "computer": "no", "result": "white", "ending": "board",
        "opening": "a1 b1", "since": "1970-01-02", "until": "1970-01-02",
    }  # fmt: skip
    option_set = OptionSetRow.objects.get(game_id="hex", key="size=3")
    opening = canonical_opening(option_set.game, read_opening(option_set.game, "a1 b1"))
    expected = Query(
        players=(ann, bob), game_id="hex", option_set=option_set, speed="blitz",
        board_class="small", rated=True, with_computer=False, winner="white",
        ending=Ending.BOARD, opening=opening, since=DAY, until=2 * DAY,
    )  # fmt: skip
    assert read_query(fields) == expected
    assert read_query(dict.fromkeys(fields, "")) == read_query({}) == Query()


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        ({"rated": "no", "computer": "yes"}, {"rated": False, "with_computer": True}),
        ({"player": "ann", "result": "lost"}, {"won": False}),
        ({"player": "ann", "result": "won"}, {"won": True}),
        ({"result": "draw"}, {"ending": Ending.DRAW, "winner": ""}),
        ({"ending": "abort"}, {"ending": Ending.ABORT}),
    ],
)
def test_a_value_of_the_form_is_a_criterion(archive, fields, values):
    query = read_query(fields)
    assert {name: getattr(query, name) for name in values} == values


@pytest.mark.parametrize(
    ("fields", "is_of_buckets"),
    [
        ({}, True),
        ({"game": "hex", "rated": "yes"}, True),
        ({"player": "ann"}, False),
        ({"game": "hex", "opening": "a1"}, False),
        ({"since": "2023-11-17"}, False),
        ({"until": "2023-11-17"}, False),
    ],
)
def test_buckets_alone_decide_without_players_openings_and_dates(archive, fields, is_of_buckets):
    assert read_query(fields).is_of_buckets is is_of_buckets


@pytest.mark.parametrize(
    ("fields", "is_open"),
    [
        ({}, False),
        ({"player": "ann", "game": "hex", "opening": "a1"}, False),
        ({"speed": "blitz"}, True),
        ({"since": "2023-11-17"}, True),
        ({"until": "yesterday"}, True),
    ],
)
def test_more_criteria_are_open_if_one_of_them_is_given(archive, client, fields, is_open):
    assert SearchForm(fields).has_more is is_open
    page = client.get("/games/", fields).context
    assert page["is_filtered"] is bool(fields)


def test_the_form_offers_the_options_and_colours_that_were_played(archive, finish):
    finish("antipalos", size=12, seats="cutthroat3", by=resign)

    def choices_of(name, **fields):
        field: Any = SearchForm(fields)[name].field
        return [str(value) for value, _ in field.choices]

    choices = {
        name: choices_of(name, game=game)
        for game, name in (("hex", "options"), ("antipalos", "result"))
    }
    assert choices["options"] == ["", "usual", "size=3", "size=4,swap=off"]
    game = make_game("antipalos", {"size": 12, "seats": "cutthroat3"})
    assert {color.value for color in game.colors} < set(choices["result"])
    assert len(choices_of("options")) == 1


@pytest.mark.parametrize(("length", "error"), [(150, "no player named"), (151, "at most 150")])
def test_names_have_at_most_150_characters(db, length, error):
    for field in ("player", "opponent"):
        with pytest.raises(InputError, match=error):
            read_query({field: "x" * length})


def test_a_fault_names_its_field(db):
    form = SearchForm({"since": "2026-02-01", "until": "2026-01-01", "speed": "slow"})
    with pytest.raises(InputError) as caught:
        form.query()
    assert {fault.where for fault in caught.value.faults} == {"speed", "until"}


def test_the_count_and_the_next_page_are_exact_at_their_limits(archive, monkeypatch):
    query = read_query({"player": "ann"})
    total = len(expected(query, None))
    for limit, count, are_more in ((total, total, False), (total - 1, total - 1, True)):
        monkeypatch.setattr(search, "MOST_COUNTED", limit)
        found = search.find(query, None, after=None, most=2)
        assert (found.count, found.are_more) == (count, are_more)
    assert search.find(query, None, after=None, most=total).after is None
    last = search.find(query, None, after=None, most=total - 1).after
    assert last is not None
    found = search.find(query, None, after=last, most=total)
    assert (len(found.keys), found.count, found.are_more, found.after) == (1, None, False, None)


def test_own_private_games_are_among_the_latest(archive):
    ann = archive[0]
    private = GameRow.objects.filter(bucket__is_private=True, players__user=ann)
    keys = list(private.values_list("ended_at", "pk"))
    assert keys
    found = search.find(Query(), ann, after=None, most=200)
    assert set(keys) < set(found.keys)
    assert found.count == len(found.keys)
    for ended, key in keys:
        following = search.find(Query(), ann, after=(ended, key), most=200).keys
        assert list(following) == [one for one in found.keys if one < (ended, key)]


def test_the_whole_data_of_a_game(finish, people):
    row = finish(
        size=3, rated=True, control="5m+5s", moves=("a1", "b1"), by=resign, is_private=True
    )
    game = GameRow.objects.get(pk=row.pk)
    assert selectors.game_data(game) == {
        "match": row.slug,
        "game": "hex",
        "options": game.option_set.game.options.as_dict(),
        "speed": "blitz",
        "board": "small",
        "rated": True,
        "voided": False,
        "private": True,
        "from_position": False,
        "players": [
            {"seat": 0, "name": "ann", "color": "black", "won": False},
            {"seat": 1, "name": "bob", "color": "white", "won": True},
        ],
        "winner": "white",
        "reason": "resignation",
        "ending": "resignation",
        "moves": 2,
        "swapped": False,
        "ended_at": row.ended_at,
    }
    [line] = selectors.games_page(Query(rated=True), people[0], most=1).lines
    assert (line.title, line.speed, line.is_voided) == ("Hex · size 3", "blitz", False)
    assert (line.result, line.ended.microsecond) == (
        "White wins by resignation", (row.ended_at or 0) % 1_000 * 1_000
    )  # fmt: skip
    assert [(one.user, one.color, one.won) for one in line.players] == [
        (people[0], "Black", False), (people[1], "White", True)
    ]  # fmt: skip


@pytest.mark.parametrize("reason", [Unrated.Reason.VOIDED, Unrated.Reason.RESTORED])
def test_a_voided_game_is_marked(finish, reason):
    row = finish(size=3, rated=True, moves=("a1", "b1"), by=resign)
    Unrated.objects.create(match=row, reason=reason)
    data = selectors.game_data(GameRow.objects.get(pk=row.pk))
    assert data["voided"] is (reason == Unrated.Reason.VOIDED)


def test_a_game_without_a_winner_has_none_in_its_data(finish):
    row = finish(size=3, by=abort)
    data = selectors.game_data(GameRow.objects.get(pk=row.pk))
    assert (data["winner"], data["ending"]) == (None, "abort")
