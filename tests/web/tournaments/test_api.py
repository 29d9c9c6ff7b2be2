"""Tournaments by the API: directing, bots, and the stream of an event."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any, get_args

import pytest
from asgiref.sync import sync_to_async

from antipodes.tournaments.knockout import Knockout
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.models import BOT, User
from antipodes.web.api.schemas.tournaments import DirectionIn
from antipodes.web.api.tournament_stream import TournamentStream
from antipodes.web.tournaments import directing, log
from antipodes.web.tournaments.actions import ACTIONS
from tests.web.tournaments.conftest import advance, play_out, play_round

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 10  # seconds


def ask(client, user, path, data=None):
    """Send a request with a token of a user."""
    _, token = make_token(user, "test", {Scope.TOURNAMENTS}, None)
    return client.post(
        f"/api/v1/tournaments/{path}".rstrip("/"),
        data or {},
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )


def test_a_director_directs_by_the_api(client, make_event, host):
    row = make_event(4, format=Knockout())
    where = f"{row.slug}/direct"
    assert ask(client, host, where, {"action": "start"}).status_code == 204
    advance(row)
    decision = {"action": "adjudicate", "pairing": "1.1", "result": "1-0", "reason": "a proven win"}
    assert ask(client, host, where, decision).status_code == 204
    assert row.pairings.get(round=1, table=1).is_adjudicated
    assert ask(client, host, where, {"action": "resume"}).status_code == 409
    assert ask(client, host, where, {"action": "cancel", "reason": ""}).status_code == 422
    player = User.objects.get(username="p000")
    assert ask(client, player, where, {"action": "pause"}).status_code == 403


def test_an_event_of_an_unknown_club_is_refused(client, host):
    cup = {"title": "Cup", "format": "swiss", "game": "hex", "control": "5m+5s"}
    refused = ask(client, host, "", {**cup, "club": "nowhere"})
    assert (refused.status_code, refused.json()["code"]) == (404, "api/not-found")
    assert "nowhere" in refused.json()["message"]


def test_every_action_of_a_director_is_one_of_the_api():
    names = get_args(DirectionIn.model_fields["action"].annotation)
    assert set(names) == set(ACTIONS) - {"join", "leave", "check-in", "challenge"}


def test_a_bot_enters_a_tournament_that_allows_bots(client, make_event, host):
    bot = User.objects.create(username="robby", first_name=BOT)
    assert ask(client, bot, f"{make_event().slug}/join").status_code == 403
    row = make_event(1, allows_bots=True)
    assert ask(client, bot, f"{row.slug}/join").status_code == 204
    directing.start(row.pk, host)
    advance(row)
    match = row.pairings.get().games.get().match
    assert match.seats.filter(user=bot).exists()


@asynccontextmanager
async def reading(stream):
    """Read a stream by a function that returns the lines until one of a type."""
    lines = stream.lines()

    async def until(kind):
        found: list[dict[str, Any]] = []
        while not found or found[-1]["type"] != kind:
            found.append(await asyncio.wait_for(anext(lines), PATIENCE))
        return [one for one in found if one["type"] != "alive"]

    try:
        yield until
    finally:
        await lines.aclose()


async def test_the_stream_sends_the_state_and_each_changed_pairing(make_event, host):
    row = await sync_to_async(make_event)(4, format=Knockout())
    async with reading(TournamentStream(row.slug, None)) as until:
        first, _ready = await until("ready")
        assert (first["tournament"]["state"], first["tournament"]["players"]) == ("open", 4)
        await sync_to_async(directing.start)(row.pk, host)
        await sync_to_async(advance)(row)
        pairing = (await until("pairing"))[-1]["pairing"]
        assert (pairing["round"], pairing["points"]) == (1, None)
        await sync_to_async(play_round)(row)
        await sync_to_async(advance)(row)
        decided: dict[int, list[float]] = {}
        while len(decided) < 2:
            line = (await until("pairing"))[-1]["pairing"]
            if line["points"] is not None:
                decided[line["table"]] = line["points"]
        assert set(decided) == {1, 2}
        await sync_to_async(play_out)(row)
        state = ""
        while state != "finished":
            state = (await until("tournament"))[-1]["tournament"]["state"]
        with pytest.raises(StopAsyncIteration):
            await until("never")


async def test_the_stream_tells_when_a_viewer_may_see_the_event_no_more(make_event):
    row = await sync_to_async(make_event)(2)
    async with reading(TournamentStream(row.slug, None)) as until:
        await until("ready")
        row.is_private = True
        await sync_to_async(row.save)(update_fields=["is_private"])
        await sync_to_async(advance)(row)
        await sync_to_async(_change)(row)
        assert (await until("gone"))[-1] == {"type": "gone"}


def _change(row):
    """Take a step of an event."""
    with log.locked(row.pk) as again:
        log.record(again, log.Step.PAUSED, state=again.state)
