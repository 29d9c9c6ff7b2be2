"""Tests of the site behind the proxies of ``deploy``."""

import json
import re
import socket
import time
from contextlib import suppress

import httpx
import pytest
from websockets.sync.client import connect

from tests.deploy.proxies import NAME, Proxy, caddy, nginx, unchecked
from tests.live.logs import tracebacks
from tests.live.pages import send_form
from tests.live.site import Site

HOME = "127.0.0.7"  # the address of clients
_SILENT = 65  # seconds; by default, proxies close connections that are silent for a minute
_PASSWORD = "antarctica-tortoise-9"
SECRET = "antipodes:a-long-random-text"
_TOKEN = """
import pathlib
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.models import User
user = User.objects.create_user("robot", "robot@example.org", "antarctica-tortoise-9")
pathlib.Path({path!r}).write_text(make_token(user, "test", list(Scope), None)[1])
"""


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def both(request, tmp_path_factory):
    """A site behind one of the proxies, both as documented for hosts."""
    folder = tmp_path_factory.mktemp("deploy")
    site = Site(folder / "data", folder / "site.log")
    found = Proxy(folder / "proxy", site.port)
    site.set_environment(
        # /healthz is requested by IP address, as containers do.
        HTTPS="true",
        TRUSTED_PROXIES="1",
        ALLOWED_HOSTS=NAME,
        CSRF_TRUSTED_ORIGINS=found.origin,
        MAIL_HOST=NAME,
        MAIL_WEBHOOK_SECRET=SECRET,
    )
    site.start()
    try:
        found.start(request.param)
        yield found, site
    finally:
        found.stop()
        site.stop()
    assert not tracebacks(site.log_text())


@pytest.fixture
def proxy(both):
    return both[0]


@pytest.fixture
def browser(proxy):
    """A client at ``HOME`` that forges another address."""
    transport = httpx.HTTPTransport(verify=unchecked(), local_address=HOME)
    headers = {"Origin": proxy.origin, "X-Forwarded-For": "203.0.113.9", "X-Real-IP": "203.0.113.9"}
    with httpx.Client(
        base_url=proxy.origin, transport=transport, headers=headers, timeout=30
    ) as found:
        yield found


def test_pages_and_files_pass_compressed(proxy, browser):
    plain = httpx.get(f"http://{NAME}:{proxy.http}/rules/?a=1", follow_redirects=False)
    assert plain.status_code in {301, 308}
    assert re.fullmatch(r"https://localhost(:\d+)?/rules/\?a=1", plain.headers["Location"])
    page = browser.get("/rules/")
    assert page.status_code == 200
    assert "max-age=31536000" in page.headers["Strict-Transport-Security"]
    assert "Content-Security-Policy" in page.headers
    (style,) = re.findall(r'href="(/static/[^"]*/antipodes/site\.css)"', page.text)
    file = browser.get(style, headers={"Accept-Encoding": "gzip"})
    assert file.status_code == 200
    assert file.headers["Content-Encoding"] == "gzip"
    assert "max-age" in file.headers["Cache-Control"]
    assert browser.get("/nowhere/").status_code == 404


def test_metrics_and_readiness_are_not_public(proxy, browser):
    assert browser.get("/healthz").status_code == 200
    for address in ("/metrics", "/readyz", "/metrics?x=1", "//metrics", "/./readyz", "/%6detrics"):
        response = browser.get(f"{proxy.origin}{address}")
        assert response.status_code in {403, 404}, address
        assert "antipodes_" not in response.text


def test_the_site_sees_the_real_address_of_the_client(browser):
    sent = send_form(
        browser, "/accounts/signup/", username="tess", email="tess@example.org", password1=_PASSWORD
    )
    assert sent.status_code == 302, sent.text[:500]
    assert all("Secure" in one for one in sent.headers.get_list("Set-Cookie"))
    page = browser.get("/accounts/sessions/")
    assert f"from {HOME}" in page.text
    assert "203.0.113.9" not in page.text


def test_a_form_from_another_site_is_refused(proxy, browser):
    browser.headers["Origin"] = "https://evil.example"
    assert send_form(browser, "/pair/", game="hex").status_code == 403


def test_silent_sockets_stay_open(proxy, browser):
    made = send_form(
        browser,
        "/new/hex/",
        opponent="computer",
        level="1",
        control="unlimited",
        seat="0",
        analysis="on",
        **{"option-size": "5", "option-swap": "off"},
    )
    assert made.status_code == 302, re.findall(r"errorlist.*", made.text)
    match = made.headers["Location"]
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    ways = {"ssl": unchecked(), "origin": proxy.origin, "additional_headers": {"Cookie": cookies}}
    address = proxy.origin.replace("https", "wss")
    with (
        connect(f"{address}{match}socket", **ways) as game,
        connect(f"{address}/notices/socket?language=en-gb", **ways) as notifications,
    ):
        message = json.loads(game.recv(timeout=30))
        assert message["type"] == "match"
        assert "unseen" in json.loads(notifications.recv(timeout=30))
        time.sleep(_SILENT)
        for socket in (game, notifications):
            assert socket.ping().wait(20)
        game.send(json.dumps({"command": "move", "id": 1, "text": "c3", "ply": 0}))
        assert json.loads(game.recv(timeout=30))


def test_streams_pass_line_by_line(both, browser, tmp_path):
    path = tmp_path / "token"
    both[1].shell(_TOKEN.format(path=str(path)))
    sign = {"Authorization": f"Bearer {path.read_text()}"}
    with browser.stream("GET", "/api/v1/stream/events", headers=sign) as stream:
        assert stream.status_code == 200
        lines = stream.iter_lines()
        while json.loads(next(lines))["type"] != "ready":
            pass
        began = time.monotonic()
        made = browser.post("/api/v1/challenges", headers=sign, json={"game": "hex"})
        assert made.status_code in {200, 201}, made.text
        while json.loads(next(lines))["type"] != "challenge":
            pass
        assert time.monotonic() - began < 5
        # Keepalive lines are not buffered either.
        began = time.monotonic()
        assert json.loads(next(lines))["type"] == "alive"
        assert time.monotonic() - began < 10
        # Timeouts for slow requests do not end the stream.
        while time.monotonic() - began < _SILENT:
            assert json.loads(next(lines))["type"] == "alive"


def chunks(size):
    """Yield a body in chunks, without declared length."""
    for _ in range(size // 1_000):
        yield b"x" * 1_000


@pytest.mark.parametrize("content", [b"x" * 300_000, chunks], ids=["sized", "chunked"])
def test_large_bodies_are_refused(browser, content):
    body = content(600_000) if callable(content) else content
    # A proxy may close the connection while the client is still sending.
    with suppress(httpx.WriteError, httpx.RemoteProtocolError):
        assert browser.post("/api/v1/challenges", content=body).status_code == 413


def test_mails_of_a_provider_may_be_larger(browser):
    path, body = "/mail/webhooks/postmark/", b"x" * 2_000_000
    auth = tuple(SECRET.split(":"))
    assert browser.post(path, content=body, auth=auth).status_code == 400
    assert browser.post(path, content=body).status_code == 413
    assert browser.post(path, content=body * 3, auth=auth).status_code == 413


def test_a_client_that_never_ends_its_headers_is_disconnected(proxy):
    with (
        socket.create_connection(("127.0.0.1", proxy.https), 60) as plain,
        unchecked().wrap_socket(plain, server_hostname=NAME) as connection,
    ):
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        response = connection.recv(1_000)
        assert not response or b" 408 " in response or b" 400 " in response
