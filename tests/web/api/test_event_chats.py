"""The chats of tournaments and simuls in the API."""

import pytest

from antipodes.web.matchmaking.presets import DEFAULT_CLOCK
from antipodes.web.simuls.services import make_simul
from tests.web.tournaments.conftest import event_of


@pytest.fixture(params=["tournament", "simul"])
def place(request, people):
    """The address of the chat of an event of the first player."""
    if request.param == "tournament":
        return f"tournaments/{event_of(people[0]).slug}/chat"
    simul = make_simul(
        people[0], game_id="hex", board="standard", control=DEFAULT_CLOCK, host_seat=None
    )
    return f"simuls/{simul.slug}/chat"


def test_messages_of_events_are_sent_once_and_read_by_all(ask, people, token, place):
    for _ in range(2):
        data = {"text": "good evening", "key": "a key of mine"}
        sent = ask("POST", place, token(), data)
        assert (sent.status_code, sent.data["own"]) == (201, True)
    [line] = ask("GET", place).data["lines"]
    assert (line["name"], line["text"], line["own"]) == ("ann", "good evening", False)


def test_events_without_chat_have_none_in_the_api(ask, people, token, place, settings):
    settings.EVENT_CHAT = False
    assert ask("GET", place).status_code == 404
    assert ask("POST", place, token(), {"text": "hello"}).status_code == 404


def test_unknown_events_have_no_chat(ask, people):
    for kind in ("tournaments", "simuls"):
        assert ask("GET", f"{kind}/unknown/chat").status_code == 404
