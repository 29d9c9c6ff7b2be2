"""The command ``antipodes tournament`` against the API of the site."""

import json
from functools import partial

import httpx
import pytest
from django.test import Client

from antipodes.tournaments import Ladder, RoundRobin, Swiss
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import directing, services
from antipodes.web.tournaments.models import State, TournamentRow
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


def test_a_host_makes_a_tournament_of_options(command):
    words = ("--title", "Cup", "--format", "swiss", "--rule", "rounds=4", "--game", "antipalos")
    more = ("--set", "size=12", "--control", "5m+5s", "--games", "match-6", "--bots")
    times = ("--starts-at", "2999-01-01T19:00+01:00")
    refused = command("create", *words, *more, *times, by="host")
    assert "within a year" in refused
    shown = command("create", *words, *more, "--tie-break", "wins", by="host")
    row = TournamentRow.objects.get()
    assert f"the tournament {row.slug} is made: {URL}/tournament/{row.slug}/" in shown
    assert (row.title, row.host.username, row.format) == ("Cup", "host", Swiss(rounds=4))
    assert (row.games, row.control, row.options) == ("match-6", "5m+5s", {"size": 12})
    assert row.allows_bots
    assert row.tie_breaks == ["wins"]


def test_a_host_makes_a_tournament_of_a_file_and_options_come_first(command):
    plan = {"title": "Cup", "format": "swiss", "rules": {"rounds": 4, "late_entry": 1}}
    text = json.dumps({**plan, "game": "hex", "control": "5m+5s"})
    words = ("create", "--file", "-", "--title", "Other", "--rule", "rounds=5")
    assert "is made" in command(*words, by="host", data=text)
    row = TournamentRow.objects.get()
    assert (row.title, row.format) == ("Other", Swiss(rounds=5, late_entry=1))
    assert "no JSON" in command(*words, by="host", data="title: Cup")
    assert "no JSON object" in command(*words, by="host", data="[]")
    assert "'soon' is no time" in command(*words, "--starts-at", "soon", by="host", data=text)
    assert (
        "unknown format"
        in command("create", "--title", "Cup", "--format", "x", "--game", "hex", by="host")
        or TournamentRow.objects.count() == 1
    )


def test_a_host_makes_a_tournament_with_openings(command, tmp_path):
    words = ("create", "--title", "Cup", "--format", "swiss", "--game", "hex", "--set", "size=11")
    more = ("--control", "5m+5s", "--openings")
    assert "is made" in command(*words, *more, "fair", by="host")
    lines = tmp_path / "openings.txt"
    lines.write_text("a1 c3\n# a remark\nz9\n")
    assert "Line 3 of the openings: " in command(*words, *more, lines, by="host")
    lines.write_text("a1 c3\nb2\n")
    assert "is made" in command(*words, *more, lines, by="host")
    assert "neither fair nor a file" in command(*words, *more, tmp_path / "none", by="host")
    fair, own = TournamentRow.objects.order_by("pk")
    assert (len(fair.openings) > 9, own.openings) == (True, ["a1 c3", "b2"])
    for user in User.objects.all():
        services.join(own.pk, user)
    directing.start(own.pk, own.host)
    advance(own)
    assert "a1 c3" in command("pairings", own.slug)


def test_a_director_leads_a_tournament_from_its_start_to_its_end(command, make_event, host):
    row = make_event(3, format=RoundRobin())

    def direct(action, *words):
        return command(action, row.slug, *words, by="host")

    assert "plays in the tournament" in direct("add-computer", "1")
    assert "There is no level '99'" in direct("add-computer", "99")
    assert "you have invited ann" in direct("invite", "ann")
    assert f"the tournament {row.slug} starts" in direct("start")
    advance(row)
    assert "is paused" in direct("pause", "--reason", "a break")
    assert "continues" in direct("resume")
    assert "the pairing 1.1 is decided: 1-0" in direct("decide", "1.1", "1-0", "--reason", "agreed")
    assert "There is no pairing 9.9" in direct("decide", "9.9", "1-0", "--reason", "agreed")
    assert "Missing option '--reason'" in direct("decide", "1.1", "1-0")
    assert "p001 is out" in direct("withdraw", "p001", "--reason", "a wish")
    assert "not possible now" in direct("finish")
    assert "is cancelled" in direct("cancel", "--reason", "rain")
    row.refresh_from_db()
    assert row.state == State.CANCELLED
    reasons = {one.kind: one.reason for one in row.log.exclude(reason="")}
    assert reasons.items() >= {"paused": "a break", "adjudicated": "agreed"}.items()


def test_a_director_finishes_a_ladder(command, make_event, host):
    row = make_event(2, format=Ladder(), control="3d/move+10d")
    directing.start(row.pk, host)
    assert "is finished" in command("finish", row.slug, by="host")


def test_a_player_directs_no_tournament_of_others(command, make_event):
    row = make_event(2, format=RoundRobin())
    for words in (("start",), ("cancel", "--reason", "x"), ("invite", "p000")):
        action, *more = words
        assert "Only the host and moderators" in command(action, row.slug, *more)
