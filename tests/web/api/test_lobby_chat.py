"""The lobby's chat in the API."""

import pytest

from antipodes.web.matches import open_chat
from antipodes.web.relations.services import block
from tests.web.chat_clients import lobby_chat


@pytest.fixture(autouse=True)
def _is_on(settings):
    settings.LOBBY_CHAT = True


def test_messages_of_the_lobby_are_sent_once_and_read_by_all(ask, people, token):
    for _ in range(2):
        data = {"text": "good evening", "key": "a key of mine"}
        sent = ask("POST", "lobby/chat", token(), data)
        assert (sent.status_code, sent.data["room"], sent.data["own"]) == (201, "lobby", True)
    [line] = ask("GET", "lobby/chat").data["lines"]
    assert (line["name"], line["text"], line["own"]) == ("ann", "good evening", False)
    assert ask("GET", "lobby/chat", token()).data["lines"][0]["own"]


def test_messages_without_a_key_are_sent_each_time(ask, people, token):
    block(people[1], people[0])
    for _ in range(2):
        assert ask("POST", "lobby/chat", token(), {"text": "hello"}).status_code == 201
    for user, count in ((None, 2), (people[1], 0), (people[2], 2)):
        text = None if user is None else token(user)
        assert len(ask("GET", "lobby/chat", text).data["lines"]) == count


def test_messages_of_the_lobby_have_the_limits_of_the_page(ask, people, token):
    for text, code in (("", "api/body"), (" ", "chat/text"), ("x" * 501, "api/body")):
        refused = ask("POST", "lobby/chat", token(), {"text": text})
        assert (refused.status_code, refused.data["code"]) == (422, code)
    for number in range(5):
        assert ask("POST", "lobby/chat", token(), {"text": f"line {number}"}).status_code == 201
    refused = ask("POST", "lobby/chat", token(), {"text": "one more"})
    assert (refused.status_code, refused.data["code"]) == (429, "chat/too-fast")
    assert len(open_chat.history(lobby_chat(), None)) == 5


def test_a_lobby_without_chat_has_none_in_the_api(ask, people, token, settings):
    settings.LOBBY_CHAT = False
    assert ask("GET", "lobby/chat").status_code == 404
    assert ask("POST", "lobby/chat", token(), {"text": "hello"}).status_code == 404
