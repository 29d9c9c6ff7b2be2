"""Tests of health and metrics endpoints, request ids, request logs and error pages."""

import json
import logging
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory

from antipodes.web.platform import (
    clock,
    error_views,
    health,
    request_middleware,
    schema_version,
)
from antipodes.web.platform.models import Kind, ProcessRow

pytestmark = pytest.mark.django_db

TOKEN = "a token of many letters"


def test_healthz_responds_under_any_host_name(client):
    response = client.get("/healthz", headers={"host": "10.0.0.7"})
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response.headers["Cache-Control"]


def test_a_site_is_ready_when_all_services_answer(client):
    result = client.get("/readyz").json()
    assert result["ready"]
    assert {result[name] for name in ("database", "redis", "migrations", "clock")} == {"ok"}
    assert result["engines"] == 0


def test_failing_checks_are_named_without_addresses(client, monkeypatch):
    def away():
        raise OperationalError("no answer from db.secret.example at 10.1.2.3")

    monkeypatch.setitem(health._CHECKS, "database", away)
    monkeypatch.setattr(schema_version, "missing", lambda: ["matches.0042_more"])
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["database"] == "fails: OperationalError"
    assert response.json()["migrations"] == "not applied: matches.0042_more"
    assert b"secret" not in response.content


def test_a_site_is_ready_although_its_clock_was_set(client, clocks):
    clock.start()
    clocks.set_wall(-3_600_000)
    clock.follow()
    result = client.get("/readyz").json()
    assert result["ready"]
    assert result["clock"].startswith("3600 s ahead of the ")
    assert b"antipodes_clock_ahead_seconds 3600.0" in client.get("/metrics").content


def test_other_machines_see_no_details():
    stranger = Client(REMOTE_ADDR="203.0.113.9")
    assert stranger.get("/readyz").json() == {"ready": True}
    assert stranger.get("/metrics").status_code == 403


def test_a_peer_without_an_address_sees_no_details():
    assert Client(REMOTE_ADDR="").get("/readyz").json() == {"ready": True}


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_forwarded_requests_do_not_count_as_local(client, header):
    assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 403


def test_other_machines_can_use_the_token(settings):
    settings.METRICS_TOKEN = TOKEN
    stranger = Client(REMOTE_ADDR="203.0.113.9")
    right = {"authorization": f"Bearer {TOKEN}"}
    assert stranger.get("/metrics", headers=right).status_code == 200
    assert stranger.get("/metrics", headers={"authorization": "Bearer "}).status_code == 403
    settings.METRICS_TOKEN = ""
    assert stranger.get("/metrics", headers={"authorization": "Bearer "}).status_code == 403


def test_metrics_count_requests_by_view_and_matches(client, begin):
    begin(size=3)
    client.get("/rules/hex/")
    text = client.get("/metrics").content.decode()
    assert 'antipodes_requests_total{method="GET",status="200",view="game-rules"}' in text
    assert "antipodes_matches_under_way 1.0" in text
    assert 'antipodes_queue_length{queue="moves"}' in text


@pytest.mark.parametrize(("given", "kept"), [("id-of-the-proxy0", True), ("<b>", False)])
def test_a_request_keeps_a_valid_id(client, given, kept):
    name = client.get("/rules/", headers={"X-Request-ID": given}).headers["X-Request-ID"]
    assert (name == given) is kept
    assert len(name) == 16


def test_a_request_is_logged_without_address_and_query(client, caplog):
    with caplog.at_level(logging.INFO, "antipodes.requests"):
        client.get("/analysis/hex/?moves=a1", REMOTE_ADDR="203.0.113.9")
    record = next(one for one in caplog.records if one.name == "antipodes.requests")
    assert (record.method, record.status >= 200) == ("GET", True)
    line = json.dumps({**record.__dict__, "args": None, "exc_info": None}, default=str)
    assert "203.0.113.9" not in line
    assert "moves=a1" not in line


@pytest.fixture
def break_lobby(monkeypatch):
    """Make a page fail with an error."""

    def by(error):
        def fail(*_, **__):
            raise error

        monkeypatch.setattr("antipodes.web.lobby.views.selectors.lobby_of", fail, raising=False)
        monkeypatch.setattr("django.contrib.auth.get_user", fail)
        monkeypatch.setattr("django.contrib.auth.middleware.get_user", fail)

    return by


@pytest.mark.parametrize(("error", "status"), [(OperationalError("x"), 503), (KeyError("x"), 500)])
def test_an_outage_is_a_503_and_other_errors_are_a_500(break_lobby, error, status):
    break_lobby(error)
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "a-session"
    response = client.get("/lobby/")
    assert response.status_code == status
    assert ("Retry-After" in response.headers) is (status == 503)
    assert b"Traceback" not in response.content


def test_programs_get_errors_as_json():
    request = RequestFactory().get("/m/abc/match.json")
    try:
        raise OperationalError("away")
    except OperationalError:
        response = error_views.server_error(request)
    assert response.status_code == 503
    assert json.loads(response.content)["code"] == "site/away"


def test_metrics_name_the_silence_of_each_process_and_the_jobs_of_engines(client, clocks):
    for name, kind, done in (("web:1", Kind.WEB, 0), ("engine:1", Kind.ENGINE, 7)):
        ProcessRow.objects.create(
            name=name, kind=kind, host="here", begun_at=1, seen_at=clocks.wall - 1_500, done=done
        )
    text = client.get("/metrics").content.decode()
    silence = "antipodes_process_silence_seconds"
    assert f'{silence}{{kind="{Kind.WEB}",process="web:1"}} 1.5' in text
    assert f'{silence}{{kind="{Kind.ENGINE}",process="engine:1"}} 1.5' in text
    assert 'antipodes_engine_done{process="engine:1"} 7.0' in text
    assert 'antipodes_engine_done{process="web:1"}' not in text


async def test_asynchronous_requests_reach_probes_and_pages():
    async def page(_request):
        return HttpResponse("a page")

    answer: Any = request_middleware.RequestMiddleware(page)
    for path, content in (("/healthz", b"ok\n"), ("/rules/", b"a page")):
        response = await answer(RequestFactory().get(path))
        assert response.content == content
        assert response.headers["X-Request-ID"]


@pytest.mark.parametrize(("url", "asked"), [("", []), ("redis://here", ["readyz"])])
def test_redis_is_asked_where_the_site_uses_it(settings, monkeypatch, url, asked):
    keys: list[str] = []
    settings.REDIS_URL = url
    monkeypatch.setattr(health, "cache", SimpleNamespace(get=keys.append))
    assert health._redis() is None
    assert keys == asked
