"""Moves of the computer that its opponent's page makes."""

import pytest
from asgiref.sync import sync_to_async
from django.templatetags.static import static

from antipodes.games.registry import make_game
from antipodes.match import MoveSource, Terms
from antipodes.search import device
from antipodes.web.accounts.services import computer as computer_user
from antipodes.web.analysis import engine_kits
from antipodes.web.matches import computer_moves, page_moves
from antipodes.web.matches.models import MatchRow, PageEngineRow
from antipodes.web.matches.services import begin_match
from antipodes.web.matches.snapshots import look_up
from antipodes.web.platform.clock import now
from tests.web.matches.sockets import joined
from tests.web.matches.test_computer_moves import asked, begin_against, play_centre, ply_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _module(monkeypatch):
    """The module is there, whether or not this checkout has built it."""
    monkeypatch.setattr(page_moves, "module_file", lambda _family: __file__)
    monkeypatch.setattr(engine_kits, "module_file", lambda _family: __file__)


@pytest.fixture
def row(people):
    """A casual match against the computer, in which the user begins."""
    return begin_against("1", people[0], size=3)


@pytest.fixture
def page_row(row):
    """Such a match, in which the user's page makes the computer's moves."""
    computer_moves.leave_to_page(row)
    return row


def why_not(row, user):
    fault = page_moves.why_not(look_up(row.slug), user and user.pk)
    return fault and fault.message


def sources(row):
    return [made.source for made in MatchRow.objects.get(slug=row.slug).match().moves]


def test_the_page_of_the_only_player_may_move(row, people):
    assert why_not(row, people[0]) is None
    assert "only who plays" in why_not(row, people[1])
    assert "only who plays" in why_not(row, None)


@pytest.mark.parametrize("change", [{"rated": True}, {"in_event": True}])
def test_pages_do_not_move_where_the_result_counts(people, change):
    row = begin_against("1", people[0], size=3)
    MatchRow.objects.filter(pk=row.pk).update(**change)
    assert "rated matches and in events" in why_not(row, people[0])


def test_pages_do_not_move_where_another_person_plays(people):
    game = make_game("antipalos", {"seats": "cutthroat3", "size": 12})
    for users in (people[:2], [people[0], computer_user("1"), people[1]]):
        chosen = game if len(users) == 3 else make_game("hex", {"size": 3})
        terms = Terms(game=chosen, players=tuple(str(user.pk) for user in users))
        assert "one player against" in why_not(begin_match(terms, users), people[0])


@pytest.mark.parametrize("level", ["1", "7", "8", "9"])
def test_a_level_plays_in_pages_unless_its_search_does_not(people, level, monkeypatch):
    row = begin_against(level, people[0], size=11)
    assert why_not(row, people[0]) is None
    monkeypatch.setattr(device, "plays_on_device", lambda *_: False)
    assert "does not play in pages" in why_not(row, people[0])


@pytest.mark.parametrize(("level", "purpose"), [("8", "play"), ("9", "network")])
def test_the_network_comes_to_pages_of_games_against_its_level_alone(
    people, client, level, purpose
):
    row = begin_against(level, people[0], size=11)
    client.force_login(people[0])
    engine = client.get(f"/m/{row.slug}/engine.json").json()["engine"]
    assert f"for={purpose}&" in engine["kit"]
    kit = client.get(engine["kit"]).content
    assert (b"device_network_grow" in kit) == (level == "9")


def test_a_site_without_the_module_says_so(row, people, monkeypatch):
    monkeypatch.setattr(page_moves, "module_file", lambda _family: None)
    assert "no engine" in why_not(row, people[0])


async def test_the_page_makes_the_computers_move_and_no_job_is_queued(row, people):
    player, _ = await joined(row, people[0])
    assert (await player.command("page-engine", on=True))["type"] == "done"
    await player.command("play", move=4)
    assert await sync_to_async(asked)() == []
    answer = await player.command("computer-move", seat=1, ply=1, move=0)
    assert answer["type"] == "done"
    assert await sync_to_async(sources)(row) == [MoveSource.HAND, MoveSource.DEVICE]
    await player.disconnect()


@pytest.mark.parametrize(
    ("seat", "ply", "move", "code"),
    [
        (0, 1, 0, "match/not-your-seat"),
        (2, 1, 0, "match/not-your-seat"),
        (1, 0, 0, "match/stale"),
        (1, 1, 4, "move/"),
        (1, 1, 10**6, "move/"),
    ],
)
async def test_a_wrong_move_of_the_page_is_refused(page_row, people, seat, ply, move, code):
    await sync_to_async(play_centre)(page_row)
    player, _ = await joined(page_row, people[0])
    answer = await player.command("computer-move", seat=seat, ply=ply, move=move)
    assert answer["code"].startswith(code)
    assert await sync_to_async(ply_of)(page_row) == 1
    await player.disconnect()


async def test_a_stranger_can_neither_move_nor_keep_the_server_from_it(row, people):
    await sync_to_async(play_centre)(row)
    stranger, _ = await joined(row, people[1])
    for command in (
        {"command": "page-engine", "on": True},
        {"command": "computer-move", "move": 0},
    ):
        answer = await stranger.command(**command, seat=1, ply=1)
        assert answer["code"] == "match/no-page-engine"
    assert await sync_to_async(asked)() == [(row.slug, 1)]
    await stranger.disconnect()


async def test_two_tabs_of_a_match_make_one_move(page_row, people):
    await sync_to_async(play_centre)(page_row)
    for move in (0, 1):
        player, _ = await joined(page_row, people[0])
        key = f"device {page_row.slug} 1"
        answer = await player.command("computer-move", seat=1, ply=1, move=move, key=key)
        assert answer["type"] == "done"
        await player.disconnect()
    assert await sync_to_async(ply_of)(page_row) == 2


def test_a_move_that_no_page_has_made_in_time_is_made_here(page_row, work_off, monkeypatch):
    play_centre(page_row)
    computer_moves.queue_missing_moves()
    assert asked() == []
    later = now() + page_moves.PATIENCE
    monkeypatch.setattr("antipodes.web.matches.page_moves.now", lambda: later)
    computer_moves.queue_missing_moves()
    assert asked() == [(page_row.slug, 1)]
    work_off()
    assert sources(page_row) == [MoveSource.HAND, MoveSource.HAND]


def test_a_page_that_cannot_leaves_the_move_to_the_server(page_row):
    play_centre(page_row)
    computer_moves.take_back(look_up(page_row.slug).row)
    assert asked() == [(page_row.slug, 1)]
    assert not PageEngineRow.objects.exists()


def test_a_move_that_waits_here_is_left_to_the_page(row):
    play_centre(row)
    computer_moves.leave_to_page(row)
    assert asked() == []


def test_the_page_gets_the_engine_for_its_match(row, people, client):
    client.force_login(people[0])
    engine = client.get(f"/m/{row.slug}/engine.json").json()["engine"]
    assert engine["module"] == static("antipodes/engine/placement.wasm")
    kit = client.get(engine["kit"])
    assert kit.status_code == 200
    assert "immutable" in kit.headers["Cache-Control"]
    outdated = client.get(engine["kit"].partition("&v=")[0])
    assert "immutable" not in outdated.headers["Cache-Control"]
    client.force_login(people[1])
    refused = client.get(f"/m/{row.slug}/engine.json").json()
    assert refused["engine"] is None
    assert "only who plays" in refused["reason"]


def test_a_game_without_an_engine_has_no_kit(client, monkeypatch):
    monkeypatch.setattr(engine_kits, "device_levels", lambda _game, network: ())
    answer = client.get("/engine.kit?game=antipalos")
    assert answer.status_code == 400
    assert answer.json()["code"] == "study/no-page-engine"


def test_the_engine_for_analyses_is_named_with_its_kit(client):
    engine = client.get("/engine.json?game=hex&size=4&moves=1&for=analysis").json()["engine"]
    kit = client.get(engine["kit"])
    assert kit.status_code == 200
    assert b'"report"' in kit.content
    assert "immutable" in kit["Cache-Control"]


def test_games_of_more_colours_are_analysed_in_pages_too(client):
    told = client.get("/engine.json?game=antipalos&seats=cutthroat3&for=analysis").json()
    kit = client.get(told["engine"]["kit"])
    assert b'"colors":["white","black","red"]' in kit.content


def test_kits_are_for_known_purposes_only(client):
    for address in ("/engine.json", "/engine.kit"):
        answer = client.get(f"{address}?game=hex&for=victory")
        assert answer.status_code == 400
        assert answer.json()["message"] == "kits are not for 'victory'"
