"""Tests of health and metrics endpoints, request ids, request logs and error pages."""

import html
import json
import logging
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory

import antipodes
from antipodes.errors import Fault, InputError
from antipodes.web.email_play.inbound.runner import TransportRunner
from antipodes.web.notifications.models import EmailRow, UndeliverableAddressRow
from antipodes.web.platform import (
    clock,
    data_files,
    error_views,
    health,
    metrics,
    request_middleware,
    schema_version,
    write_probe,
)
from antipodes.web.platform.limits import TooManyError
from antipodes.web.platform.mail_settings import ListenAddress
from antipodes.web.platform.models import ProcessKind, ProcessRow
from antipodes.web.platform.outages import Outage
from tests.raising import raising

pytestmark = pytest.mark.django_db

TOKEN = "a token of many letters"


def test_healthz_responds_under_any_host_name(client):
    response = client.get("/healthz", headers={"host": "10.0.0.7"})
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response.headers["Cache-Control"]


def test_failing_checks_are_named_without_addresses(client, monkeypatch):
    monkeypatch.setitem(
        health._CHECKS,
        "database",
        raising(OperationalError("no answer from db.secret.example at 10.1.2.3")),
    )
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
    for name, kind, done in (("web:1", ProcessKind.WEB, 0), ("engine:1", ProcessKind.ENGINE, 7)):
        ProcessRow.objects.create(
            name=name, kind=kind, host="here", begun_at=1, seen_at=clocks.wall - 1_500, done=done
        )
    text = client.get("/metrics").content.decode()
    silence = "antipodes_process_silence_seconds"
    assert f'{silence}{{kind="{ProcessKind.WEB}",process="web:1"}} 1.5' in text
    assert f'{silence}{{kind="{ProcessKind.ENGINE}",process="engine:1"}} 1.5' in text
    assert 'antipodes_engine_done{process="engine:1"} 7.0' in text
    assert 'antipodes_engine_done{process="web:1"}' not in text


def test_readyz_tells_hosts_of_mail_handshakes_refusals_the_database_and_backups(
    client, ann, clocks, settings, monkeypatch, tmp_path
):
    settings.MAIL_LMTP = ListenAddress("127.0.0.1", 8024)
    settings.MAIL_FOLDER = None
    EmailRow.objects.create(key="1", user=ann, to="a@x.org", made_at=clocks.wall - 5_000, due_at=1)
    UndeliverableAddressRow.objects.create(user=ann, address="a@x.org", changed_at=1, stopped_at=1)
    transport: Any = SimpleNamespace(name="lmtp", is_connected=True)
    TransportRunner([transport]).renew_leases()
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path))
    data_files.note_backup()
    body = client.get("/readyz").json()
    assert body["version"] == antipodes.__version__
    values = body["metrics"]
    prefix = "antipodes_mail_"
    assert {name: value for name, value in values.items() if name.startswith(prefix)} == {
        "antipodes_mail_waiting": 1,
        "antipodes_mail_waiting_seconds": 5,
        "antipodes_mail_bounced_addresses": 1,
        "antipodes_mail_stopped_addresses": 1,
        "antipodes_mail_transport_up lmtp": 1,
        "antipodes_mail_unread": 0,
    }
    assert 0 <= values["antipodes_backup_age_seconds"] < 60
    assert values["antipodes_database_seconds_count"] > 0
    assert {"antipodes_handshakes", "antipodes_refused_handshakes_total"} <= set(values)
    clocks.advance(61_000)
    transport.is_connected = False
    TransportRunner([transport]).renew_leases()
    values = client.get("/readyz").json()["metrics"]
    assert values["antipodes_mail_transport_up lmtp"] == 0
    (tmp_path / "backed-up").unlink()
    assert "antipodes_backup_age_seconds" not in client.get("/readyz").json()["metrics"]
    assert "metrics" not in Client(REMOTE_ADDR="203.0.113.9").get("/readyz").json()


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


def test_details_of_the_site_are_the_results_of_all_checks_and_the_processes(client):
    at = clock.now()
    for name, kind in (
        ("web:1", ProcessKind.WEB),
        ("web:2", ProcessKind.WEB),
        ("engine:1", ProcessKind.ENGINE),
    ):
        ProcessRow.objects.create(name=name, kind=kind, host="here", begun_at=at, seen_at=at)
    response = client.get("/readyz")
    checked = ("database", "writing", "redis", "migrations", "clock")
    shown = response.json()
    assert set(shown.pop("metrics"))
    assert shown == {
        "ready": True,
        "version": antipodes.__version__,
        **dict.fromkeys(checked, "ok"),
        "engines": 1,
        "web": 2,
    }
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
    assert "no-store" in response.headers["Cache-Control"]


def test_a_site_that_is_not_ready_counts_no_processes_and_tells_strangers_nothing_more(
    client, monkeypatch
):
    monkeypatch.setattr(schema_version, "missing", lambda: ["matches.0042", "matches.0043"])
    found = client.get("/readyz").json()
    assert (found["ready"], found["migrations"]) == (
        False,
        "not applied: matches.0042, matches.0043",
    )
    assert "web" not in found
    stranger = Client(REMOTE_ADDR="203.0.113.9").get("/readyz")
    assert (stranger.status_code, stranger.json()) == (503, {"ready": False})


def test_probes_have_types_and_are_not_cached(client, settings):
    plain = "text/plain; charset=utf-8"
    assert client.get("/healthz").headers["Content-Type"] == plain
    refused = client.get("/metrics", REMOTE_ADDR="203.0.113.9")
    assert refused.headers["Content-Type"] == plain
    assert b"METRICS_TOKEN" in refused.content
    found = client.get("/metrics", REMOTE_ADDR="::1")
    assert found.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    for one in (refused, found):
        assert "no-store" in one.headers["Cache-Control"]
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics", headers={"authorization": "Bearer wrong"}).status_code == 200


def counted(name):
    """Return a value of the metrics."""
    for line in metrics.exposition().decode().splitlines():
        if line.startswith(f"{name} "):
            return float(line.rpartition(" ")[2])
    return 0.0


def test_commands_sockets_and_changes_are_counted():
    names = (
        "antipodes_command_seconds_count",
        "antipodes_command_seconds_sum",
        "antipodes_sockets",
        'antipodes_match_changes_total{game="hex"}',
    )
    before = [counted(name) for name in names]
    metrics.note_command(0.5)
    metrics.note_sockets(3)
    metrics.note_sockets(-1)
    metrics.note_change("hex")
    after = [counted(name) for name in names]
    assert [new - old for new, old in zip(after, before, strict=True)] == [1, 0.5, 2, 1]


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [
        ("a" * 7, False),
        ("a" * 8, True),
        ("A_z-0189" * 8, True),
        ("a" * 65, False),
        ("12345678 ", False),
    ],
)
def test_an_id_of_a_request_has_8_to_64_letters_and_digits(given, is_kept):
    answer: Any = request_middleware.RequestMiddleware(lambda _request: HttpResponse())
    request = RequestFactory().get("/", HTTP_X_REQUEST_ID=given)
    name = answer(request).headers["X-Request-ID"]
    assert (name == given) is is_kept
    assert is_kept or len(name) == 16


def test_a_request_is_counted_and_logged_with_its_time(monkeypatch, caplog):
    times = iter([5.0, 5.03125])
    noted: list[tuple[object, ...]] = []
    clock_of_test = SimpleNamespace(perf_counter=lambda: next(times))
    monkeypatch.setattr(request_middleware, "time", clock_of_test)
    monkeypatch.setattr(metrics, "note_request", lambda *given: noted.append(given))
    answer: Any = request_middleware.RequestMiddleware(lambda _request: HttpResponse(status=404))
    with caplog.at_level(logging.INFO, "antipodes.requests"):
        answer(RequestFactory().generic("BREW", "/nowhere/"))
    assert noted == [("none", "other", 404, 0.03125)]
    [record] = caplog.records
    assert record.getMessage() == "other none 404"
    details = {name: record.__dict__[name] for name in ("view", "method", "status")}
    assert details == {"view": "none", "method": "other", "status": 404}
    assert record.__dict__["milliseconds"] == 31.2


def response_to(error, path="/", accept="text/html"):
    """Return the response to an unhandled exception."""
    try:
        raise error
    except Exception:  # noqa: BLE001 - any may be given
        return error_views.server_error(RequestFactory().get(path, headers={"accept": accept}))


@pytest.mark.parametrize(
    ("error", "status", "code", "message"),
    [
        (OperationalError("away"), 503, "site/away", Outage.AWAY.message),
        (OperationalError("disk is full"), 503, "site/disk-full", Outage.DISK_FULL.message),
        (
            KeyError("x"),
            500,
            "site/failed",
            "Something went wrong; it is our fault, and it has been noted.",
        ),
    ],
    ids=["away", "full", "failed"],
)
def test_programs_get_the_code_and_message_of_an_unhandled_exception(error, status, code, message):
    response = response_to(error, "/api/v1/account")
    assert (response.status_code, response.headers.get("Retry-After")) == (
        status,
        "5" if status == 503 else None,
    )
    assert json.loads(response.content) == {"code": code, "message": message}


@pytest.mark.parametrize(
    ("path", "accept", "is_data"),
    [
        ("/m/abc/match.json", "text/html", True),
        ("/api/v1/account", "text/html", True),
        ("/apiary/", "text/html", False),
        ("/m/abc/", "application/json", True),
        ("/m/abc/", "application/json, text/html", False),
        ("/m/abc/", "*/*", False),
        ("/m/abc/", "image/png", False),
    ],
)
def test_programs_get_data_and_browsers_get_pages(path, accept, is_data):
    kind = response_to(KeyError("x"), path, accept).headers["Content-Type"]
    assert kind == ("application/json" if is_data else "text/html; charset=utf-8")
    request = RequestFactory().get(path, headers={"accept": accept})
    refused = error_views.bad_request(request, ValueError("too many fields"))
    assert (refused.status_code, refused.headers["Content-Type"]) == (400, kind)
    if is_data:
        fault = {"code": "api/refused", "message": "The request cannot be read."}
        assert json.loads(refused.content) == {**fault, "faults": [{**fault, "where": ""}]}


@pytest.mark.parametrize(
    ("text", "title", "is_of_disk"),
    [("away", "Temporarily unavailable", False), ("disk is full", "Read-only for now", True)],
)
def test_the_page_of_an_outage_says_whether_games_can_be_watched(text, title, is_of_disk):
    page = response_to(OperationalError(text)).content.decode()
    assert f"<h1>{title}</h1>" in page
    assert (html.escape(Outage.DISK_FULL.message) in page) is is_of_disk
    with pytest.raises(OperationalError, match=text) if is_of_disk else nullcontext():
        write_probe.check()


def test_an_error_of_a_user_is_a_page_with_a_link_back_or_data():
    error = InputError([Fault("some/fault", "no such move"), Fault("other/fault", "no <turn>")])
    page = error_views.refused(anonymous(), error, status=409, back="/m/abc/")
    assert page.status_code == 409
    assert "no such move; no &lt;turn&gt;" in page.content.decode()
    assert 'href="/m/abc/">Back</a>' in page.content.decode()
    page = error_views.refused(anonymous(), error)
    assert page.status_code == 400
    assert "Back</a>" not in page.content.decode()
    data = error_views.json_error(error)
    assert (data.status_code, "Retry-After" in data.headers) == (400, False)
    expected = {"code": "some/fault", "message": "no such move; no <turn>"}
    assert json.loads(data.content) == expected


def test_an_exceeded_limit_is_data_with_retry_after_or_left_to_the_middleware():
    error = TooManyError(42)
    with pytest.raises(TooManyError):
        error_views.refused(anonymous(), error)
    data = error_views.json_error(error)
    assert (data.status_code, data.headers["Retry-After"]) == (429, "42")


def anonymous():
    """Return a request of an anonymous client."""
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), {}  # type: ignore[assignment]
    return request
