"""The command ``antipodes tournament`` against the API of the site."""

import json
from functools import partial

import httpx
import pytest
from django.test import Client

from antipodes.tournaments.ladder import Ladder
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import directing, services
from tests.cli.tools import run
from tests.web.tournaments.conftest import advance

pytestmark = pytest.mark.django_db

URL = "https://antipodes.example"
SENT = ("authorization",)


@pytest.fixture(autouse=True)
def _site_answers(monkeypatch, settings):
    """Let the site answer requests of HTTPX in this process."""
    settings.ALLOWED_HOSTS = ["*"]

    def answer(request):
        done = Client(headers={"host": "localhost"}).generic(
            request.method,
            request.url.raw_path.decode(),
            request.content,
            "application/json",
            headers={name: value for name, value in request.headers.items() if name in SENT},
        )
        return httpx.Response(done.status_code, content=done.content)

    transport = httpx.MockTransport(answer)
    monkeypatch.setattr(httpx, "Client", partial(httpx.Client, transport=transport))


@pytest.fixture
def command(host):
    """Return a function that runs the command with an account of its own, or as the host."""
    ann = User.objects.create(username="ann")
    tokens = {
        one.username: make_token(one, "terminal", {Scope.TOURNAMENTS}, None)[1]
        for one in (ann, host)
    }

    def call(*words, token=tokens["ann"], by="", data=None):
        environment = {"ANTIPODES_URL": URL, "ANTIPODES_TOKEN": tokens.get(by, token)}
        return run("tournament", *words, env=environment, text=data).output

    return call


def test_a_player_lists_joins_and_leaves_tournaments(command, make_event):
    row = make_event(2, format=RoundRobin(), title="Terminal cup")
    assert "Terminal cup" in command("list")
    assert "Terminal cup" not in command("list", "--state", "finished")
    assert "you have joined" in command("join", row.slug)
    assert "ann" in command("standings", row.slug)
    assert "you have left" in command("leave", row.slug)
    assert "ann" not in command("standings", row.slug)
    assert "Check-in is not open" in command("join", row.slug) + command("check-in", row.slug)


def test_tables_and_pairings_are_shown_without_a_token_and_as_json(command, make_event, host):
    row = make_event(3, format=RoundRobin())
    directing.start(row.pk, host)
    advance(row)
    shown = command("pairings", row.slug, "--round", 1, token=None)
    assert "bye" in shown
    assert f"{URL}/m/" in shown
    found = json.loads(command("standings", row.slug, "--json", token=None))
    assert {one["person"]["name"] for one in found} == {"p000", "p001", "p002"}


def test_a_player_challenges_another_of_a_ladder(command, make_event, host):
    row = make_event(2, format=Ladder(), control="3d/move+10d")
    services.join(row.pk, User.objects.get(username="ann"))
    directing.start(row.pk, host)
    assert "you have challenged p000" in command("challenge", row.slug, "p000")
    assert "cannot challenge p000" in command("challenge", row.slug, "p000")


def test_errors_name_what_is_wrong(command):
    assert "no tournament" in command("standings", "nothing")
    assert "token" in command("join", "nothing", token="two words")
