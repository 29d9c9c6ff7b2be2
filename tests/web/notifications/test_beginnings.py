"""A live game begins: the players' open pages are told at once."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from antipodes.clocks import SECOND, read_control
from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.web.accounts.services import computer
from antipodes.web.matches.services import begin_match
from antipodes.web.notifications import match_events
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.match_events import beginnings
from antipodes.web.notifications.models import NotificationRow, PushSubscriptionRow
from tests.web.notifications.test_pages import connected, received


@pytest.fixture
def begin():
    """Return a function that begins a match of Hex between users."""

    def make(users, control="5m+5s", **room):
        players = tuple(str(user.pk) for user in users)
        game = make_game("hex", {"size": 5})
        return begin_match(
            Terms(game=game, players=players, control=read_control(control)), users, **room
        )

    return make


def told(*users):
    return [[one["slug"] for one in beginnings(user)] for user in users]


@pytest.mark.django_db(transaction=True)
async def test_every_page_of_both_players_is_told_of_the_game_and_no_other(ann, bob, cy, begin):
    sockets = [await connected(user) for user in (ann, ann, bob, cy)]
    for socket in sockets:
        assert (await received(socket))["type"] == "bell"
    row = await sync_to_async(begin)([ann, bob])
    for socket in sockets[:3]:
        message = await received(socket)
        other = "ann" if socket is sockets[2] else "bob"
        assert message == {
            "type": "began",
            "slug": row.slug,
            "words": f"Your game of Hex · size 5 with {other} begins.",
            "after": None,
        }
    assert await sockets[3].receive_nothing()
    later: Any = await connected(bob, "language=de")
    assert (await received(later))["type"] == "bell"
    assert "beginnt" in (await received(later))["words"]
    for socket in (*sockets, later):
        await socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await socket.wait()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_open", [True, False])
async def test_a_live_game_that_begins_is_pushed_only_to_players_without_an_open_page(
    ann, bob, begin, time, browsers, is_open
):
    for match_feed in match_events.FEEDS:
        match_feed.forget()
    await sync_to_async(match_events.notify_of_match_events)()
    sockets = [await connected(ann)] if is_open else []
    row = await sync_to_async(begin)([ann, bob])
    for seconds in (5, 3):
        time.forward(seconds * SECOND)
        await sync_to_async(match_events.notify_of_match_events)()
        for socket in sockets:
            await socket.receive_nothing(0.3)
    pushed = NotificationRow.objects.filter(kind=NotificationKind.MATCH_BEGAN, push_due__lte=time())
    names = [one.user.username async for one in pushed.order_by("user").select_related("user")]
    assert names == (["bob"] if is_open else ["ann", "bob"])
    assert await NotificationRow.objects.filter(match=row, user=ann).acount() == 1
    for socket in sockets:
        await socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await socket.wait()


@pytest.fixture
def browsers(people):
    """A browser of each person that receives pushes."""
    PushSubscriptionRow.objects.bulk_create(
        PushSubscriptionRow(user=user, endpoint=f"https://push.example/{user.pk}", made_at=0)
        for user in people
    )


@pytest.mark.django_db
def test_only_live_games_between_people_call_their_players(ann, bob, begin, clocks):
    begin([ann, bob], "1d/move")
    begin([ann, computer("1")])
    begin([ann, ann])
    assert told(ann, bob) == [[], []]
    row = begin([ann, bob])
    assert told(ann, bob) == [[row.slug], [row.slug]]
    clocks.advance(30 * SECOND)
    assert told(ann, bob) == [[], []]
