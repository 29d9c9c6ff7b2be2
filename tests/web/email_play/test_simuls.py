"""The mail command ``simul``."""

import re
from typing import Any

import pytest

from antipodes.web.accounts.models import User
from antipodes.web.email_play import mail_tokens
from antipodes.web.simuls import services
from tests.web.email_play.conftest import HOST

pytestmark = pytest.mark.django_db

COMMANDS = f"play@{HOST}"


def test_simuls_are_listed_joined_and_left(reachable, ann, post):
    token = mail_tokens.make_token(ann, "a test")
    host = User.objects.create(username="stork")
    row = services.make_simul(host, game_id="hex", board="small", control="10m+5s", host_seat=None)

    def answer(line):
        [email] = post.send(ann, COMMANDS, line)
        return email.text

    assert "stork" in answer("simul list")
    assert "You have joined" in answer(f"simul join ann {token} {row.pk}")
    assert row.players.get().user == ann
    assert "You have left" in answer(f"simul ann {token} leave {row.pk}")
    assert not row.players.exists()


def test_the_list_has_open_simuls_and_then_those_in_progress(reachable, post):
    token = mail_tokens.make_token(reachable[0], "a test")
    terms: dict[str, Any] = {"game_id": "hex", "board": "small", "control": "10m+5s"}
    rows = [services.make_simul(user, host_seat=None, **terms) for user in reachable[1:3]]
    for user in (reachable[0], reachable[3]):
        services.join(rows[0].slug, user)
    services.begin(rows[0].slug, reachable[1])
    services.join(rows[1].slug, reachable[3])
    lines = []
    for subject in ("simul", "simul list", f"simul ann {token} list"):
        [email] = post.send(reachable[0], COMMANDS, subject)
        assert email.subject == "Antipodes: simuls"
        assert "News: Simuls, which are casual." in email.text
        lines.append([re.split(r"\s{2,}", one.strip()) for one in email.text.splitlines()[-2:]])
    assert lines[0] == lines[1] == lines[2]
    assert [(one[0], one[1], *one[3:]) for one in lines[0]] == [
        (str(rows[1].pk), "cy", "10m+5s", "1", "open"),
        (str(rows[0].pk), "bob", "10m+5s", "2", "in progress"),
    ]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("join 0", "there is no simul '0'"),
        ("leave x", "there is no simul 'x'"),
        ("join", "there is no simul without a number"),
        ("leave 999", "there is no simul '999'"),
        ("win", "'win' is none of list, join and leave"),
    ],
)
def test_a_refused_command_tells_what_there_is_not(reachable, post, words, text):
    token = mail_tokens.make_token(reachable[0], "a test")
    [email] = post.send(reachable[0], COMMANDS, f"simul ann {token} {words}")
    assert f"mail/simul; {text}" in " ".join(email.text.split())
