"""Laws of what machines ask: by whom, and what they are told."""

import json
import logging

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory

from antipodes.web.platform import clock, error_views, health, schema_version

pytestmark = pytest.mark.django_db

TOKEN = "a token that nobody guesses"


def test_a_process_that_answers_is_healthy_under_any_name(client):
    answer = client.get("/healthz", headers={"host": "10.0.0.7"})
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_site_is_ready_when_everything_answers(client):
    told = client.get("/readyz").json()
    assert told["ready"]
    assert {told[name] for name in ("database", "redis", "migrations", "clock")} == {"ok"}
    assert told["engines"] == 0


def test_what_is_missing_is_told_and_nothing_of_addresses(client, monkeypatch):
    def away():
        raise OperationalError("no answer from db.secret.example at 10.1.2.3")

    monkeypatch.setitem(health._CHECKS, "database", away)
    monkeypatch.setattr(schema_version, "missing", lambda: ["matches.0042_more"])
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "fails: OperationalError"
    assert answer.json()["migrations"] == "not applied: matches.0042_more"
    assert b"secret" not in answer.content


def test_a_clock_that_was_set_is_told_and_people_can_be_served(client, clocks):
    clock.start()
    clocks.set_wall(-3_600_000)
    clock.follow()
    told = client.get("/readyz").json()
    assert told["ready"]
    assert told["clock"].startswith("3600 s ahead of the ")
    assert b"antipodes_clock_ahead_seconds 3600.0" in client.get("/metrics").content


def test_strangers_learn_whether_and_not_why():
    stranger = Client(REMOTE_ADDR="203.0.113.9")
    assert stranger.get("/readyz").json() == {"ready": True}
    assert stranger.get("/metrics").status_code == 403


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_what_was_passed_on_does_not_come_from_this_machine(client, header):
    assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 403


def test_the_token_opens_from_anywhere(settings):
    settings.METRICS_TOKEN = TOKEN
    stranger = Client(REMOTE_ADDR="203.0.113.9")
    right = {"authorization": f"Bearer {TOKEN}"}
    assert stranger.get("/metrics", headers=right).status_code == 200
    assert stranger.get("/metrics", headers={"authorization": "Bearer "}).status_code == 403
    settings.METRICS_TOKEN = ""
    assert stranger.get("/metrics", headers={"authorization": "Bearer "}).status_code == 403


def test_requests_are_measured_by_view_and_matches_are_counted(client, begin):
    begin(size=3)
    client.get("/rules/hex/")
    text = client.get("/metrics").content.decode()
    assert 'antipodes_requests_total{method="GET",status="200",view="game-rules"}' in text
    assert "antipodes_matches_under_way 1.0" in text
    assert 'antipodes_queue_length{queue="moves"}' in text


@pytest.mark.parametrize(("given", "kept"), [("a-name-of-before", True), ("<b>", False)])
def test_a_request_keeps_its_name_if_that_is_one(client, given, kept):
    name = client.get("/rules/", headers={"X-Request-ID": given}).headers["X-Request-ID"]
    assert (name == given) is kept
    assert len(name) == 16


def test_a_request_is_logged_without_who_asked_for_what(client, caplog):
    with caplog.at_level(logging.INFO, "antipodes.requests"):
        client.get("/analysis/hex/?moves=a1", REMOTE_ADDR="203.0.113.9")
    record = next(one for one in caplog.records if one.name == "antipodes.requests")
    assert (record.method, record.status >= 200) == ("GET", True)
    told = json.dumps({**record.__dict__, "args": None, "exc_info": None}, default=str)
    assert "203.0.113.9" not in told
    assert "moves=a1" not in told


@pytest.fixture
def break_lobby(monkeypatch):
    """Let a page fail with an error."""

    def by(error):
        def fail(*_, **__):
            raise error

        monkeypatch.setattr("antipodes.web.lobby.views.selectors.lobby_of", fail, raising=False)
        monkeypatch.setattr("django.contrib.auth.get_user", fail)
        monkeypatch.setattr("django.contrib.auth.middleware.get_user", fail)

    return by


@pytest.mark.parametrize(("error", "status"), [(OperationalError("x"), 503), (KeyError("x"), 500)])
def test_an_outage_is_told_as_one_and_our_faults_as_ours(break_lobby, error, status):
    break_lobby(error)
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "somebody"
    answer = client.get("/lobby/")
    assert answer.status_code == status
    assert ("Retry-After" in answer.headers) is (status == 503)
    assert b"Traceback" not in answer.content


def test_programs_are_told_in_their_form():
    request = RequestFactory().get("/m/abc/match.json")
    try:
        raise OperationalError("away")
    except OperationalError:
        answer = error_views.server_error(request)
    assert answer.status_code == 503
    assert json.loads(answer.content)["code"] == "site/away"
