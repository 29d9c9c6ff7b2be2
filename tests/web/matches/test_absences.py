"""Players who leave a live game: the opponent may claim its end after a while, and only then."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from antipodes.clocks import SECOND, read_control
from antipodes.errors import MatchError
from antipodes.games.registry import make_game
from antipodes.match import ClaimDraw, ClaimWin, Play, Terms
from antipodes.web.matches import absences
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications import match_events
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.platform.clock import now
from tests.web.matches.sockets import Socket, joined

pytestmark = pytest.mark.django_db(transaction=True)

OUTAGES = ("database is locked", "database or disk is full")


def begin(users, control="5m+5s", game_id="hex", *, rated=False, **options):
    """Begin a match in which each player has moved once; the first is to move."""
    game = make_game(game_id, options or {"size": 4, "swap": "off"})
    players = tuple(str(user.pk) for user in users)
    terms = Terms(game=game, players=players, control=read_control(control), rated=rated)
    row = begin_match(terms, users)
    for ply in range(2):
        move = row.match().position.legal_moves[0]
        carry_out(row.slug, Play(seat=ply, ply=ply, key=f"first move {ply}", move=int(move)))
        row = MatchRow.objects.get(slug=row.slug)
    return row


def claim(row, kind=ClaimWin, seat=1, ply=2):
    carry_out(row.slug, kind(seat=seat, ply=ply, key=f"claim {kind.__name__} {now()}"))
    return MatchRow.objects.get(slug=row.slug)


def refusal(row, **details):
    """Return the code and the text of a refused claim; nothing may have changed."""
    before = MatchRow.objects.get(slug=row.slug).version
    with pytest.raises(MatchError) as refused:
        claim(row, **details)
    assert MatchRow.objects.get(slug=row.slug).version == before
    return refused.value.code, str(refused.value)


def test_a_win_is_claimed_after_the_count_and_not_before(people, clocks):
    row = begin(people[:2])
    assert refusal(row)[0] == "match/not-left"
    absences.note_left(row.slug, (0,), now())
    clocks.advance(20 * SECOND)
    assert refusal(row) == ("match/not-left", "the opponent has 40 seconds left to return")
    clocks.advance(41 * SECOND)
    ended = claim(row)
    assert (ended.winner, ended.reason) == ("white", "forfeit")
    assert str(ended.result) == "White wins by forfeit"


def test_the_host_sets_the_count(people, clocks, monkeypatch):
    monkeypatch.setenv("LIMIT_CLAIM_SECONDS", "10")
    row = begin(people[:2])
    absences.note_left(row.slug, (0,), now())
    clocks.advance(11 * SECOND)
    assert claim(row).reason == "forfeit"


def test_a_player_who_is_back_cannot_be_claimed_from(people, clocks):
    row = begin(people[:2])
    absences.note_left(row.slug, (0,), now())
    clocks.advance(61 * SECOND)
    absences.note_back(row.slug, (0,))
    assert refusal(row)[0] == "match/not-left"


def test_the_count_begins_with_the_turn_of_the_player_who_left(people, clocks):
    row = begin(people[:2])
    absences.note_left(row.slug, (1,), now())
    clocks.advance(61 * SECOND)
    assert refusal(row, seat=0)[0] == "match/your-turn"
    carry_out(row.slug, Play(seat=0, ply=2, key="third move", move=9))
    assert refusal(row, seat=0, ply=3)[0] == "match/not-left"
    clocks.advance(61 * SECOND)
    assert claim(row, seat=0, ply=3).winner == "black"


def test_a_draw_is_claimed_only_where_the_game_has_draws(people, clocks):
    hex_row, row = begin(people[:2]), begin(people[2:4], game_id="antipalos", size=12)
    for one in (hex_row, row):
        absences.note_left(one.slug, (0,), now())
    clocks.advance(61 * SECOND)
    assert refusal(hex_row, kind=ClaimDraw)[0] == "match/no-draws"
    ended = claim(row, kind=ClaimDraw)
    assert (ended.winner, ended.reason) == ("", "agreement")


@pytest.mark.parametrize("control", ["3d/move", "unlimited"])
def test_nothing_is_claimed_in_slow_games(people, clocks, control):
    row = begin(people[:2], control)
    assert not absences.can_leave(look_up(row.slug))
    absences.note_left(row.slug, (0,), now())
    clocks.advance(61 * SECOND)
    assert refusal(row)[0] == "match/not-live"


def test_a_host_of_several_live_games_is_not_away_while_playing_one(people, clocks):
    row, other = begin(people[:2]), begin([people[0], people[2]])
    absences.note_left(row.slug, (0,), now())
    clocks.advance(61 * SECOND)
    assert refusal(row)[0] == "match/plays-elsewhere"
    absences.note_left(other.slug, (0,), now())
    assert claim(row).reason == "forfeit"


def test_the_player_who_left_is_told_how_the_game_ended(people, clocks):
    match_events.notify_of_match_events()
    row = begin(people[:2])
    absences.note_left(row.slug, (0,), now())
    clocks.advance(61 * SECOND)
    match_events.notify_of_match_events()
    claim(row)
    for _ in range(2):
        match_events.notify_of_match_events()
        clocks.advance(20 * SECOND)
    told = NotificationRow.objects.filter(user=people[0], kind="match-ended")
    assert [one.arguments["reason"] for one in told] == ["forfeit"]


async def test_the_audience_hears_who_has_left_and_who_is_back(people, monkeypatch):
    monkeypatch.setattr(absences, "_RELOAD", 0.05)
    row = await sync_to_async(begin)(people[:2])
    (leaver, _), (opponent, _) = [await joined(row, user) for user in people[:2]]
    await leaver.disconnect()
    told = await opponent.hears_of("left")
    assert (told["seat"], told["claimAfter"]) == (0, 60 * SECOND)
    assert told["at"] == await SeatRow.objects.values_list("left_at", flat=True).aget(
        match=row, number=0
    )
    assert (await opponent.command("claim-win", seat=1, ply=2))["code"] == "match/not-left"
    late, _ = await joined_late(row, people[2])
    leaver, _ = await joined(row, people[0])
    assert (await opponent.hears_of("left"))["at"] is None
    assert (await leaver.hears_of("left")) == told  # then the player knows of the claim
    for one in (late, leaver, opponent):
        await one.disconnect()


async def joined_late(row, user):
    """Return a client who joins while a player is away, and is told so."""
    socket = Socket(row.slug, user)
    await socket.connect()
    told = await socket.hears_of("left")
    assert told["seat"] == 0
    return socket, told


async def test_a_page_that_is_loaded_again_has_not_left(people, monkeypatch):
    monkeypatch.setattr(absences, "_RELOAD", 0.3)
    row = await sync_to_async(begin)(people[:2])
    (first, _), (opponent, _) = [await joined(row, user) for user in people[:2]]
    await first.disconnect()
    second, _ = await joined(row, people[0])
    await asyncio.sleep(0.6)
    assert await SeatRow.objects.filter(match=row, left_at__isnull=False).acount() == 0
    for one in (second, opponent):
        await one.disconnect()


async def test_a_player_said_to_be_away_by_another_process_takes_it_back(people):
    row = await sync_to_async(begin)(people[:2])
    player, _ = await joined(row, people[0])
    await sync_to_async(absences.note_left)(row.slug, (0,), now())
    assert (await player.hears_of("left"))["at"] is None
    assert await SeatRow.objects.filter(match=row, left_at__isnull=False).acount() == 0
    await player.disconnect()


@pytest.mark.parametrize("arrives", [True, False])
@pytest.mark.parametrize("outage", OUTAGES)
async def test_a_player_who_is_back_during_an_outage_is_noted_after_it(
    people, monkeypatch, outage, arrives
):
    monkeypatch.setattr(absences, "_RELOAD", 0.02)
    row = await sync_to_async(begin)(people[:2])
    fail_once(monkeypatch, "note_back", outage)
    if arrives:
        await sync_to_async(absences.note_left)(row.slug, (0,), now())
        player, _ = await joined(row, people[0])
        assert (await player.hears_of("left"))["at"] is not None
    else:
        player, _ = await joined(row, people[0])
        await sync_to_async(absences.note_left)(row.slug, (0,), now())
    assert (await player.hears_of("left"))["at"] is None
    assert await SeatRow.objects.filter(match=row, left_at__isnull=False).acount() == 0
    await player.disconnect()


@pytest.mark.parametrize("outage", OUTAGES)
async def test_a_player_who_leaves_during_an_outage_is_noted_after_it(people, monkeypatch, outage):
    monkeypatch.setattr(absences, "_RELOAD", 0.02)
    row = await sync_to_async(begin)(people[:2])
    tries = fail_once(monkeypatch, "note_left", outage)
    await absences._note_later(row.slug, (0,), 5)
    assert len(tries) == 2
    assert (await SeatRow.objects.aget(match=row, number=0)).left_at == 5


def fail_once(monkeypatch, name, outage):
    """Let a function of absences fail at its first call; return all calls."""
    note = getattr(absences, name)
    tries = []

    def note_later(*arguments):
        tries.append(arguments)
        if len(tries) == 1:
            raise OperationalError(outage)
        note(*arguments)

    monkeypatch.setattr(absences, name, note_later)
    return tries
