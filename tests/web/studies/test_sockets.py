"""Sockets of studies: two writers at once lose nothing."""

import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from jsonschema import Draft202012Validator

from antipodes.errors import InputError
from antipodes.web.api.socket_schemas import socket_schemas
from antipodes.web.connections import commands
from antipodes.web.connections.registry import Connection, ConnectionKind
from antipodes.web.project.asgi import SOCKETS
from antipodes.web.studies import consumers, services
from antipodes.web.studies.chapters import Piece
from antipodes.web.studies.consumers import StudySocket
from antipodes.web.studies.models import ChapterRow
from tests.web.studies.conftest import edit, record

pytestmark = pytest.mark.django_db(transaction=True)


class Writer:
    """A client connected to a chapter."""

    def __init__(self, study, user=None, number=1):
        scope = {
            "type": "websocket",
            "path": f"/study/{study.slug}/{number}/socket",
            "query_string": b"",
            "headers": [],
            "user": user,
        }
        self.wire = ApplicationCommunicator(URLRouter(SOCKETS), scope)
        self.sent = 0

    async def connect(self):
        await self.wire.send_input({"type": "websocket.connect"})
        assert (await self.wire.receive_output(5))["type"] == "websocket.accept"

    async def hears(self):
        message = json.loads((await self.wire.receive_output(5))["text"])
        Draft202012Validator(socket_schemas()["study"]["told"]).validate(message)
        return message

    async def hears_of(self, kind):
        while (message := await self.hears())["type"] != kind:
            pass
        return message

    async def edits(self, key=None, **edit):
        self.sent += 1
        key = key or f"{id(self)}-{self.sent}"
        await self.wire.send_input(
            {"type": "websocket.receive", "text": json.dumps({"key": key, "edit": edit})}
        )
        return key

    async def answer(self, key):
        while (message := await self.hears()).get("key") != key:
            pass
        return message

    async def leave(self):
        await self.wire.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wire.wait()


async def test_two_writers_at_once_lose_nothing(make_study, people):
    study = await database_sync_to_async(make_study)()
    invite = database_sync_to_async(services.invite)
    await invite(study, people[0], [people[1].username], can_write=True)
    writers = [Writer(study, user) for user in people[:2]]
    for one in writers:
        await one.connect()
        assert (await one.hears_of("tree"))["tree"]["nodes"] == [{}]
        assert (await one.hears_of("study"))["canWrite"]
    keys = []
    for number in range(12):
        for one in writers:
            key = await one.edits(kind="add", path=[], move=number)
            keys.append((one, key))
        one, text = writers[number % 2], str(number)
        key = await one.edits(kind="comment", path=[number], text=text, before="")
        keys.append((one, key))
    for one, key in keys:
        assert (await one.answer(key))["type"] == "done"
    kept = await database_sync_to_async(record)(study)
    assert sorted(int(node.move) for node in kept.root.children) == list(range(12))
    assert {node.comment for node in kept.root.children} == {str(number) for number in range(12)}
    for one in writers:
        await one.leave()


async def test_readers_get_edits_in_order_and_may_not_edit(make_study, people):
    study = await database_sync_to_async(make_study)("unlisted")
    writer, reader = Writer(study, people[0]), Writer(study)
    await writer.connect()
    await reader.connect()
    assert not (await reader.hears_of("study"))["canWrite"]
    await writer.edits(kind="add", path=[], move=5)
    await writer.edits(kind="add", path=[5], move=6)
    heard: list[dict[str, Any]] = []
    while len(heard) < 2:
        heard += (await reader.hears_of("edits"))["edits"]
    assert [(one["number"], one["text"], one["by"]) for one in heard] == [
        (0, "b2", people[0].name),
        (1, "c2", people[0].name),
    ]
    refused = await reader.answer(await reader.edits(kind="add", path=[], move=1))
    assert refused["code"] == "studies/not-a-writer"
    refused = await writer.answer(await writer.edits(kind="explode", path=[]))
    assert refused["code"] == "studies/message"
    for one in (writer, reader):
        await one.leave()


async def test_edits_of_anonymous_readers_are_refused_before_any_query(make_study, monkeypatch):
    study = await database_sync_to_async(make_study)("public")
    reader = Writer(study)
    await reader.connect()
    await reader.hears_of("study")
    monkeypatch.setattr(commands, "execute", None)  # no thread is called
    refused = await reader.answer(await reader.edits(kind="add", path=[], move=1))
    assert (refused["type"], refused["code"]) == ("refused", "studies/not-a-writer")
    await reader.leave()


async def test_members_who_were_removed_lose_the_study(make_study, people):
    study = await database_sync_to_async(make_study)()
    invite = database_sync_to_async(services.invite)
    await invite(study, people[0], [people[1].username], can_write=True)
    member = Writer(study, people[1])
    await member.connect()
    await member.hears_of("study")
    await database_sync_to_async(services.remove_member)(study, people[0], people[1].pk)
    assert (await member.wire.receive_output(5))["type"] == "websocket.close"
    stranger = Writer(study, people[2])
    await stranger.connect()
    assert (await stranger.wire.receive_output(5))["code"] == 4404


async def test_messages_without_an_edit_are_refused(make_study, people):
    study = await database_sync_to_async(make_study)()
    writer = Writer(study, people[0])
    await writer.connect()
    await writer.hears_of("study")
    halved = (
        '{"key": "k", "edit": {"kind": "comment", "path": [], "text": "\\ud800", "before": ""}}'
    )
    for text in ("", "[]", "{", '{"key": 5}', "x" * 70_000, halved):
        await writer.wire.send_input({"type": "websocket.receive", "text": text})
        assert (await writer.hears())["code"] == "studies/message"
    await writer.leave()


def socket_of(study, user):
    """Return the socket of a reader, without a client."""
    found = StudySocket()
    found.slug, found.number, found.edits = study.slug, 1, 0
    found.connection = Connection(ConnectionKind.SOCKET)
    found.reload_user = lambda: user  # type: ignore[method-assign]
    return found


def sent_to(socket):
    """Return the edits that a reader would be sent now."""
    text = socket._missing().text
    return json.loads(text)["edits"] if text else []


def sent_later(sent):
    """Return a function that sends texts by adding them to a list."""

    async def send(text):
        sent.append(text)

    return send


def test_an_edit_of_a_deleted_chapter_is_refused(study, people):
    socket = socket_of(study, people[0])
    data = {"kind": "add", "path": [], "move": 5}
    socket._edit("the first", data)
    assert [node.move for node in record(study).root.children] == [5]
    ChapterRow.objects.all().delete()
    with pytest.raises(InputError) as error:
        socket._edit("the second", data)
    [fault] = error.value.faults
    assert (fault.code, fault.message) == ("studies/gone", "this chapter was deleted")


@pytest.mark.parametrize(("most", "is_whole"), [(3, False), (2, True)])
async def test_a_client_that_lacks_many_edits_gets_the_whole_chapter(
    make_study, people, monkeypatch, most, is_whole
):
    def write():
        study = make_study()
        for move in (5, 6, 7):
            edit(study, people[0], "add", move=move)
        return study

    async def send(message):
        sent.append(message)

    async def study_changed(message, *, with_tree):
        sent.append((message, with_tree))

    sent: list[Any] = []
    monkeypatch.setattr(consumers, "_MOST_EDITS", most)
    socket = socket_of(await database_sync_to_async(write)(), people[0])
    socket.send = send
    socket.study_changed = study_changed
    for chapter, edits in ((2, 3), (1, 0)):
        await socket.chapter_edited({"chapter": chapter, "edits": edits})
    assert sent == []
    await socket.chapter_edited({"chapter": 1, "edits": 3})
    if is_whole:
        assert (sent, socket.edits) == ([({}, True)], 0)
        return
    message = json.loads(*sent)
    assert message["type"] == "edits"
    assert [(one["number"], one["move"], one["by"]) for one in message["edits"]] == [
        (0, 5, "ann"), (1, 6, "ann"), (2, 7, "ann")
    ]  # fmt: skip
    assert socket.edits == 3


async def test_a_key_has_up_to_64_characters(make_study, people):
    study = await database_sync_to_async(make_study)()
    writer = Writer(study, people[0])
    await writer.connect()
    await writer.hears_of("study")
    edit_of = {"kind": "add", "path": [], "move": 5}
    for key, is_known in (("k" * 64, True), ("k" * 65, False), ("", False), (["k"], False)):
        text = json.dumps({"key": key, "edit": edit_of})
        await writer.wire.send_input({"type": "websocket.receive", "text": text})
        while (answer := await writer.hears())["type"] == "edits":
            pass
        if is_known:
            assert (answer["type"], answer["key"]) == ("done", key)
        else:
            assert answer["code"] == "studies/message"
            assert answer["message"].startswith("key: ")
    await writer.leave()


def test_a_client_is_told_title_chapters_and_permissions(make_study, people):
    study = make_study("unlisted")
    services.add_chapter(study, people[0], "Ends", record(study))
    socket = socket_of(study, people[0])
    socket.user = people[0]
    view = {
        "type": "study",
        "title": "Bridges",
        "chapters": [
            {"number": 1, "title": "Chapter 1", "game_id": "hex"},
            {"number": 2, "title": "Ends", "game_id": "hex"},
        ],
        "canWrite": True,
    }
    assert socket._study(with_tree=False) == (view, None)
    assert socket._study(with_tree=True) == (view, Piece.of_text("[{}]", 0))
    socket.user = None
    assert socket._study(with_tree=False) == ({**view, "canWrite": False}, None)
    socket.number = 3
    assert socket._study(with_tree=False) is None


def test_edits_of_a_writer_without_an_account_have_no_name(study, people):
    edit(study, people[0], "comment", text="rude", before="")
    services.remove_comment(study.chapters.get(), [], "a key")
    socket = socket_of(study, people[0])
    found = [(one["number"], one["by"], one["text"]) for one in sent_to(socket)]
    assert found == [(0, "ann", "rude"), (1, "", "")]
    socket.edits = 1
    assert [one["number"] for one in sent_to(socket)] == [1]


async def test_edits_are_read_once_for_all_readers(make_study, people, monkeypatch):
    def write():
        study = make_study()
        for move in (5, 6):
            edit(study, people[0], "add", move=move)
        return study

    def noted(socket):
        reads.append(socket.edits)
        return missing(socket)

    reads: list[int] = []
    missing = StudySocket._missing
    monkeypatch.setattr(StudySocket, "_missing", noted)
    study = await database_sync_to_async(write)()
    sent: list[str] = []
    for start in (0, 0, 1, 0):
        socket = socket_of(study, people[0])
        socket.edits = start
        socket.send = sent_later(sent)
        await socket.chapter_edited({"chapter": 1, "edits": 2})
        assert socket.edits == 2
    assert reads == [0, 1]
    numbers = [[one["number"] for one in json.loads(text)["edits"]] for text in sent]
    assert numbers == [[0, 1], [0, 1], [1], [0, 1]]
