"""Open live challenges end when their author has left the site for a minute."""

import re
from types import SimpleNamespace

import pytest

from antipodes.clocks import SECOND
from antipodes.web.challenges import author_presence
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.connections import registry
from antipodes.web.connections.registry import ConnectionKind, users_online
from antipodes.web.platform import heartbeats
from antipodes.web.platform.models import ProcessKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def post(client, people):
    """Return a function that posts a challenge of ann with the form."""
    client.force_login(people[0])

    def make(opponent="anybody", control="5m+5s"):
        values = {"opponent": opponent, "control": control, "option-size": 11, "uses": 1}
        answer = client.post("/new/hex/", values)
        slug = re.search("/c/([^/]+)/", answer.headers["location"])
        assert slug is not None
        return ChallengeRow.objects.get(slug=slug[1])

    return make


@pytest.fixture
def present(monkeypatch):
    """Set which users have a page open."""

    def be(*users):
        found = [
            SimpleNamespace(kind=ConnectionKind.SOCKET, credentials=SimpleNamespace(user=user.pk))
            for user in users
        ]
        anonymous = SimpleNamespace(kind=ConnectionKind.SOCKET, credentials=None)
        monkeypatch.setattr(registry, "open_connections", lambda: [anonymous, *found])

    return be


def go_on(clocks, seconds, *, is_up=True):
    """Let time pass, while the web processes look who is there."""
    for _ in range(seconds):
        clocks.advance(SECOND)
        if is_up:
            heartbeats.beat(ProcessKind.WEB)
            author_presence.note_present(users_online())
        author_presence.end_left_challenges()


def lasts(row):
    return ChallengeRow.objects.filter(pk=row.pk).exists()


def test_an_open_live_challenge_ends_a_minute_after_its_author_has_left(
    post, people, clocks, present, client
):
    row = post()
    assert (
        "ends when you have left the site for a minute"
        in client.get(f"/c/{row.slug}/").content.decode()
    )
    present(people[0])
    go_on(clocks, 90)
    present(people[1])
    go_on(clocks, 60)
    assert lasts(row)
    go_on(clocks, 2)
    assert not lasts(row)
    assert client.get(f"/c/{row.slug}/").status_code == 404


@pytest.mark.parametrize(
    ("opponent", "control"),
    [("link", "5m+5s"), ("anybody", "3d/move+10d"), ("anybody", "unlimited")],
)
def test_other_challenges_wait_for_an_author_who_is_elsewhere(
    post, clocks, present, opponent, control
):
    row = post(opponent, control)
    present()
    go_on(clocks, 100)
    assert lasts(row)


def test_no_challenge_ends_while_the_site_is_down_or_starts(post, people, clocks, present):
    row = post()
    present()
    go_on(clocks, 30)
    go_on(clocks, 600, is_up=False)
    author_presence.note_present(None)  # as a process does that starts
    go_on(clocks, 50)
    assert lasts(row)
    present(people[0])
    go_on(clocks, 100)
    assert lasts(row)
