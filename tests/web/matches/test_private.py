"""Private matches: users who may not watch get the same answers as for no match.

Who may watch what is in ``permission_table``.
"""

import asyncio
import re

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from antipodes.games.registry import make_game
from antipodes.match import Accept, Offer, OfferKind, Resign, Terms
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.lobby.selectors import lobby_lists
from antipodes.web.matches import snapshots
from antipodes.web.matches.access import may_watch, visible_to
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from tests.web.matches.sockets import Socket, joined

pytestmark = pytest.mark.django_db

BACKEND = "django.contrib.auth.backends.ModelBackend"
WAYS = [
    "",
    "board.json",
    "match.json",
    "notes",
    "record.json",
    "record.sgf",
    "board.svg",
    "board.png",
    "small.svg",
    "hint",
    "review.json",
]


@pytest.fixture
def club(ann, cy):
    """Ann's club, of which Cy is a member."""
    made = clubs.create_club(ann, clubs.ClubDetails(name="Antipodeans"))
    membership.join(made, cy)
    return made


@pytest.fixture
def private(people):
    """Start private matches between Ann and Bob, optionally in a club."""

    def make(club=None):
        game = make_game("hex", {"size": 3})
        users = people[:2]
        terms = Terms(game=game, players=tuple(str(user.pk) for user in users))
        return begin_match(terms, users, is_private=True, club=club)

    return make


def browser_of(user):
    browser = Client()
    if user is not None:
        browser.force_login(user, BACKEND)
    return browser


def _plain(answer):
    """Return a page without its CSRF token, which differs each time."""
    return re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", answer.content.decode())


@pytest.mark.parametrize("way", WAYS)
def test_a_stranger_gets_the_answer_for_a_missing_match(people, private, way):
    row = private()
    browser = browser_of(people[3])
    hidden, none = browser.get(f"/m/{row.slug}/{way}"), browser.get(f"/m/{'x' * 8}/{way}")
    assert hidden.status_code == none.status_code == 404
    assert _plain(hidden).replace(row.slug, "x" * 8) == _plain(none)
    assert dict(hidden.headers).keys() == dict(none.headers).keys()


def test_caching_headers_of_a_private_match_are_private(people, private):
    row = private()
    browser = browser_of(people[0])
    for address in ("board.json", f"small.svg?v={row.version}"):
        assert "private" in browser.get(f"/m/{row.slug}/{address}").headers["Cache-Control"]


def test_lists_and_single_answers_agree(people, private, begin, club):
    rows = [private(), private(club), begin(size=3)]
    for user in (*people, None):
        listed = set(MatchRow.objects.filter(visible_to(user)))
        assert listed == {row for row in rows if may_watch(row, user)}


def test_a_public_match_needs_no_access_query(people, row, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert may_watch(row, people[3])


def test_the_lobby_shows_private_matches_to_those_who_may_watch(people, private, club):
    row = private(club)
    MatchRow.objects.filter(pk=row.pk).update(control="5m+5s", version=1)
    _, _, cy, dee = people
    assert [line.row for line in lobby_lists(cy).live] == [row]
    assert not lobby_lists(dee).live
    assert not lobby_lists(None).live


def test_the_rematch_of_a_private_match_is_private(people, private, club):
    row = private(club)
    carry_out(row.slug, Resign(seat=0, ply=0, key="resigned"))
    offer = Offer(seat=0, ply=0, key="offer one", kind=OfferKind.REMATCH)
    carry_out(row.slug, offer)
    carry_out(row.slug, Accept(seat=1, ply=0, key="accept it", kind=OfferKind.REMATCH))
    rematch = MatchRow.objects.get(rematch_of=row)
    assert rematch.is_private
    assert rematch.club_id == club.pk


def test_a_rematch_begins_although_the_club_was_closed_in_another_process(people, private, club):
    row = private(club)
    carry_out(row.slug, Resign(seat=0, ply=0, key="resigned"))
    carry_out(row.slug, Offer(seat=0, ply=0, key="offer one", kind=OfferKind.REMATCH))
    snapshots.look_up(row.slug)
    clubs.close(club, people[0])
    carry_out(row.slug, Accept(seat=1, ply=0, key="accept it", kind=OfferKind.REMATCH))
    rematch = MatchRow.objects.get(rematch_of=row)
    assert rematch.is_private
    assert rematch.club_id is None
    assert may_watch(rematch, people[1])
    assert not may_watch(rematch, people[2])


@pytest.mark.django_db(transaction=True)
async def test_a_socket_of_a_stranger_is_closed_as_if_there_were_no_match(people, private):
    row = await sync_to_async(private)()
    for user, slug in ((people[3], row.slug), (None, row.slug), (people[3], "nothing")):
        socket = Socket(slug, user)
        await socket.connect()
        answer = await socket.wire.receive_output(5)
        assert answer == {"type": "websocket.close", "code": 4404}
        await socket.wire.send_input({"type": "websocket.disconnect", "code": 4404})
        await socket.wire.wait()


@pytest.mark.django_db(transaction=True)
async def test_a_member_who_leaves_the_club_is_disconnected(people, private, club):
    row = await sync_to_async(private)(club)
    watcher, _ = await joined(row, people[2])
    player, _ = await joined(row, people[0])
    await sync_to_async(clubs.leave)(club, people[2])
    async with asyncio.timeout(5):
        while (answer := await watcher.wire.receive_output(5))["type"] != "websocket.close":
            pass
    assert answer["code"] == 4404
    assert (await player.command("play", move=4))["type"] == "done"
    await player.disconnect()
