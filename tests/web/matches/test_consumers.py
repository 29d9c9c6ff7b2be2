"""WebSocket consumers of matches."""

import asyncio
import json
import re

import pytest
from asgiref.sync import sync_to_async
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from antipodes.match import Play, Resign
from antipodes.web.matches import presence, snapshots
from antipodes.web.matches.consumers import MatchSocket
from antipodes.web.matches.models import EventRow, MatchRow, ViewerStateRow
from antipodes.web.matches.services import carry_out, group_of
from antipodes.web.platform import metrics, pubsub
from tests.thorough import repetitions
from tests.web.matches.sockets import Socket, joined

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_move_is_acknowledged_and_broadcast(row, people):
    player, view = await joined(row, people[0])
    watcher, _ = await joined(row)
    assert view["own"] == [0]
    command = {"command": "play", "seat": 0, "ply": 0, "key": "12345678", "move": 4}
    await player.send(json.dumps(command))
    answers = [await player.hears(), await player.hears()]
    assert {"type": "done", "key": "12345678"} in answers
    news = await watcher.hears()
    assert [move["text"] for move in news["match"]["moves"]] == ["b2"]
    for socket in (player, watcher):
        await socket.disconnect()


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("no JSON", "match/message"),
        ("[]", "match/message"),
        ("[" * 50_000, "match/message"),
        ("x" * 100_000, "match/message"),
        ('{"seat": 0, "ply": 0, "key": "12345678"}', "match/message"),
        ('{"command": "play", "seat": 0, "ply": 0, "key": "12345678"}', "match/message"),
        ('{"command": "play", "seat": 0.5, "ply": 0, "key": "12345678"}', "match/message"),
        ('{"command": "offer", "seat": 0, "ply": 0, "key": "12345678"}', "match/message"),
        ('{"command": "resign", "seat": 0, "ply": 0, "key": ""}', "match/message"),
        ('{"command": "resign", "seat": 1, "ply": 0, "key": "12345678"}', "match/not-your-seat"),
        ('{"command": "play", "seat": 0, "ply": 0, "key": "12345678", "move": 99}', "move/"),
    ],
)
async def test_an_invalid_message_is_refused_with_a_code(row, people, message, code):
    socket, _ = await joined(row, people[0])
    await socket.send(message)
    answer = await socket.hears_of("refused")
    assert answer["code"].startswith(code)
    await socket.disconnect()


async def test_a_player_cannot_move_for_another(row, people):
    socket, _ = await joined(row, people[2])
    command = {"command": "play", "seat": 0, "ply": 0, "key": "12345678", "move": 4}
    await socket.send(json.dumps(command))
    assert (await socket.hears())["code"] == "match/not-your-seat"
    await socket.disconnect()


async def test_a_missing_match_closes_the_socket(db):
    socket = Socket("nowhere")
    await socket.connect()
    assert (await socket.wire.receive_output())["code"] == 4404


async def test_a_binary_message_is_refused(row, people):
    socket, _ = await joined(row, people[0])
    await socket.wire.send_input({"type": "websocket.receive", "bytes": b"\x00\xff"})
    assert (await socket.hears_of("refused"))["code"] == "match/message"
    await socket.disconnect()


async def test_a_command_with_a_repeated_key_is_executed_once(row, people):
    socket, _ = await joined(row, people[0])
    for _ in range(3):
        answer = await socket.command("play", move=4, key="the same key")
        assert answer["type"] == "done"
    assert await EventRow.objects.filter(match=row).acount() == 1
    await socket.disconnect()


async def test_a_stale_ply_is_refused(row, people):
    socket, _ = await joined(row, people[0])
    await socket.command("play", move=4)
    answer = await socket.command("play", move=5)
    assert (answer["type"], answer["code"]) == ("refused", "match/stale")
    await socket.disconnect()


async def test_a_move_may_come_as_text(row, people):
    socket, _ = await joined(row, people[0])
    assert (await socket.command("play", text="B2"))["type"] == "done"
    assert (await socket.command("play", text="z99"))["code"] == "match/stale"
    refused = await socket.command("play", ply=1, text="z99")
    assert refused["code"].startswith("move/")
    assert (await socket.command("play", text=5))["code"] == "match/message"
    await socket.disconnect()


async def test_a_client_can_ask_for_new_moves_only(row, people):
    socket, view = await joined(row, people[0], "moves=new")
    assert (view["from"], view["moves"]) == (0, [])
    for ply, move in enumerate((4, 0, 8)):
        command = Play(seat=ply % 2, ply=ply, key=f"move number {ply}", move=move)
        await sync_to_async(carry_out)(row.slug, command)
        view = (await socket.hears_of("match"))["match"]
        assert (view["from"], [made["move"] for made in view["moves"]]) == (ply, [move])
    await socket.command("offer", ply=3, kind="takeback")
    other, _ = await joined(row, people[1])
    await other.command("accept", seat=1, ply=3, kind="takeback")
    while (view := (await socket.hears_of("match"))["match"])["ply"] == 3:
        pass
    assert (view["from"], view["moves"]) == (2, [])
    for one in (socket, other):
        await one.disconnect()


async def test_too_many_commands_are_refused(row, people, monkeypatch):
    monkeypatch.setattr("antipodes.web.connections.consumers._RATE", 0)
    socket, _ = await joined(row, people[0])
    answers = [await socket.command("claim-flag") for _ in range(60)]
    assert answers[0]["code"] == "match/time-left"
    assert answers[-1]["code"] == "match/too-fast"
    await socket.disconnect()


async def test_a_returning_player_gets_the_moves_seen_so_far(row, people):
    socket, view = await joined(row, people[1])
    assert view["seen"] is None
    await sync_to_async(carry_out)(row.slug, Play(seat=0, ply=0, key="first move", move=4))
    await socket.hears_of("match")
    await socket.disconnect()
    assert await ViewerStateRow.objects.filter(match=row).acount() == 1
    await sync_to_async(carry_out)(row.slug, Play(seat=1, ply=1, key="second move", move=0))
    socket, view = await joined(row, people[1])
    assert (view["seen"], view["ply"]) == (1, 2)
    await socket.disconnect()


async def test_connected_spectators_and_seats_are_counted(row, people):
    player, _ = await joined(row, people[0])
    watchers = [(await joined(row))[0] for _ in range(2)]
    while (news := await player.hears_of("watching"))["count"] < 2:
        pass
    assert news["seats"] == [0]
    for socket in watchers:
        await socket.disconnect()
    while (news := await player.hears_of("watching"))["count"] > 0:
        pass
    await player.disconnect()


async def test_the_first_audience_that_a_player_is_sent_includes_themselves(row, people):
    sockets = [Socket(row.slug, user) for user in people[:2]]
    for count, socket in enumerate(sockets, start=1):
        await socket.connect()
        assert (await socket.hears_of("watching"))["seats"] == list(range(count))
    for socket in sockets:
        await socket.disconnect()


async def test_no_audience_is_sent_before_other_processes_have_told_theirs(
    row, people, monkeypatch
):
    told = []
    monkeypatch.setattr(presence, "_DELAY", 0.05)
    monkeypatch.setattr(presence, "_INTERVAL", 1.0)
    monkeypatch.setattr(pubsub, "is_shared", lambda: True)
    monkeypatch.setattr(pubsub, "broadcast", lambda kind, message: told.append(message))
    socket = Socket(row.slug, people[0])
    await socket.connect()
    assert [(await socket.hears())["type"] for _ in range(2)] == ["match", "chat"]
    while not told:
        assert await socket.wire.receive_nothing(0.05)
    assert told[0]["asks"] == [row.slug]
    answer = {"process": "another", "counts": {row.slug: [[1], 0]}, "asks": []}
    presence.receive_counts(answer)
    assert (await socket.hears())["seats"] == [0, 1]
    await socket.disconnect()


async def test_conditional_moves_and_queued_resignations_are_private(row, people):
    owner, _ = await joined(row, people[1])
    plan = [{"move": 4, "then": [{"move": 0, "then": []}]}]
    assert (await owner.command("conditional-moves", seat=1, moves=plan))["type"] == "done"
    assert (await owner.command("queue-resignation", seat=1))["type"] == "done"
    for user in (people[0], people[2], None):
        socket, view = await joined(row, user)
        assert not any(view["conditionalMoves"].values())
        assert view["resigning"] == []
        assert "4" not in view["conditionalMoves"]
        await socket.disconnect()
    await owner.disconnect()
    owner, view = await joined(row, people[1])
    assert view["conditionalMoves"]["1"][0]["move"] == 4
    assert view["resigning"] == [1]
    await owner.disconnect()


async def test_the_end_is_broadcast_at_once(row, people):
    socket, _ = await joined(row)
    await sync_to_async(carry_out)(row.slug, Resign(seat=0, ply=0, key="resigning now"))
    assert (await socket.hears_of("match"))["match"]["result"]
    await socket.disconnect()


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
_NAMES = st.sampled_from(["command", "seat", "ply", "key", "move", "text", "kind", "moves", "on"])
_KINDS = st.sampled_from(
    [
        "play",
        "resign",
        "offer",
        "accept",
        "decline",
        "conditional-moves",
        "vacation",
        "back",
        "chat",
        "abort",
    ]
)
_NEARLY = st.fixed_dictionaries(
    {"command": _KINDS, "seat": st.just(1), "ply": st.just(0), "key": st.just("k" * 9)},
    optional=dict.fromkeys(("move", "text", "kind", "moves", "room"), _VALUES),
)
_MESSAGES = st.one_of(
    st.text(max_size=200),
    _VALUES.map(json.dumps),
    st.dictionaries(_NAMES, _VALUES).map(json.dumps),
    _NEARLY.map(json.dumps),
)


@settings(
    max_examples=repetitions(40, 150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(message=_MESSAGES)
def test_a_strangers_messages_are_refused_and_change_nothing(row, people, message):
    async def send_it():
        socket, _ = await joined(row, people[2])
        await socket.send(message)
        answer = await socket.hears_of("refused")
        assert answer["code"]
        await socket.disconnect()

    try:
        said = json.loads(message)
    except ValueError:
        said = None
    if isinstance(said, dict) and said.get("command") == "chat":
        return  # a spectator may talk
    asyncio.run(send_it())
    assert MatchRow.objects.get(pk=row.pk).version == 0


async def test_the_progress_of_the_computer_is_sent(row):
    socket, _ = await joined(row)
    progress = {"seat": 1, "share": 0.5, "wait": 0}
    group = group_of(row.slug)
    message = {"type": "match.thinking", **progress}
    await sync_to_async(pubsub.send_to_group)(group, message)
    assert await socket.hears_of("thinking") == {"type": "thinking", **progress}
    await socket.disconnect()


async def test_a_match_that_is_not_kept_is_read_and_sent_once(row, monkeypatch):
    socket, _ = await joined(row)
    await sync_to_async(carry_out)(row.slug, Play(seat=0, ply=0, key="first move", move=4))
    assert (await socket.hears_of("match"))["match"]["version"] == 1
    monkeypatch.setattr(snapshots, "kept", lambda _slug: None)
    message = {"type": "match.changed", "version": 2}
    # The row still has the version that the client knows.
    await sync_to_async(pubsub.send_to_group)(group_of(row.slug), message)
    assert await socket.wire.receive_nothing(0.1)
    await sync_to_async(carry_out)(row.slug, Play(seat=1, ply=1, key="second move", move=0))
    match = (await socket.hears_of("match"))["match"]
    assert match["version"] == 2
    assert (match["from"], [move["move"] for move in match["moves"]]) == (0, [4, 0])
    await socket.disconnect()


def open_sockets():
    [line] = re.findall(r"(?m)^antipodes_sockets (.+)$", metrics.exposition().decode())
    return float(line)


async def test_open_sockets_are_counted_once_each(row, people):
    before = await sync_to_async(open_sockets)()
    sockets = [(await joined(row, user))[0] for user in (people[0], None)]
    assert await sync_to_async(open_sockets)() == before + 2
    for socket in sockets:
        await socket.disconnect()
    assert await sync_to_async(open_sockets)() == before


async def test_a_socket_that_has_sent_no_match_yet_is_not_checked():
    socket = MatchSocket()
    socket.sent = None
    await socket.match_guarded({"type": "match.guarded"})
    await socket.match_changed({"type": "match.changed", "version": 1})


async def test_a_page_gets_the_match_in_its_own_language(row, people):
    captions = []
    for query in ("language=de", "language=fr", ""):
        socket = Socket(row.slug, people[0], query)
        await socket.connect()
        captions.append((await socket.hears_of("match"))["match"]["caption"])
        await socket.disconnect()
    assert captions[0].endswith("ist am Zug.")
    assert captions[1] != captions[0]
    assert captions[2].endswith("to move.")
