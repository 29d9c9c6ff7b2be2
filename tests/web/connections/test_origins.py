"""Tests of the origin check of WebSockets."""

import pytest

from antipodes.web.connections.origins import SameOrigin, is_allowed


def scope(origin, host="play.example.org", scheme="ws", **headers):
    given = {"host": host, "origin": origin, **headers}
    found = [(name.encode(), value.encode()) for name, value in given.items() if value is not None]
    return {"type": "websocket", "path": "/", "scheme": scheme, "headers": found}


@pytest.fixture(autouse=True)
def hosts(settings):
    settings.ALLOWED_HOSTS = ["play.example.org", "other.example.org"]


@pytest.mark.parametrize(
    ("origin", "host", "scheme", "allowed"),
    [
        ("http://play.example.org", "play.example.org", "ws", True),
        ("https://play.example.org", "play.example.org", "wss", True),
        ("http://play.example.org:8000", "play.example.org:8000", "ws", True),
        ("http://PLAY.example.org", "play.example.org", "ws", True),
        ("https://play.example.org", "play.example.org:443", "wss", True),
        # Another scheme, another port, another host of the site, and other sites.
        ("https://play.example.org", "play.example.org", "ws", False),
        ("http://play.example.org", "play.example.org", "wss", False),
        ("http://play.example.org:8001", "play.example.org:8000", "ws", False),
        ("http://play.example.org:8000", "play.example.org", "ws", False),
        ("http://other.example.org", "play.example.org", "ws", False),
        ("http://evil.example", "play.example.org", "ws", False),
        ("http://evil.example", "evil.example", "ws", False),
        ("null", "play.example.org", "ws", False),
        ("", "play.example.org", "ws", False),
        ("http://[", "play.example.org", "ws", False),
        (None, "play.example.org", "ws", False),
    ],
)
def test_pages_may_open_sockets_of_their_own_origin_only(origin, host, scheme, allowed):
    assert is_allowed(scope(origin, host, scheme)) == allowed


@pytest.mark.parametrize("port", ["65536", "99999", "4294967376", "8x", "1:2"])
def test_hosts_with_an_impossible_port_open_no_socket(settings, port):
    settings.ALLOWED_HOSTS = ["*"]
    assert is_allowed(scope("http://play.example.org:65535", "play.example.org:65535"))
    assert not is_allowed(scope(f"http://play.example.org:{port}", f"play.example.org:{port}"))
    assert not is_allowed(scope(None, f"[::1]:{port}"))


def test_a_missing_origin_is_allowed_where_every_host_is(settings):
    settings.ALLOWED_HOSTS = ["*"]
    assert is_allowed(scope(None))
    assert not is_allowed(scope("http://evil.example"))


def test_trusted_origins_may_open_sockets(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://club.example", "https://*.clubs.example"]
    assert is_allowed(scope("https://club.example"))
    assert is_allowed(scope("https://a.clubs.example"))
    assert not is_allowed(scope("http://a.clubs.example"))
    assert not is_allowed(scope("https://clubs.example.evil"))


def test_the_scheme_is_taken_from_the_header_of_a_proxy(settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    by_proxy = {"x-forwarded-proto": "https"}
    assert is_allowed(scope("https://play.example.org", **by_proxy))
    assert not is_allowed(scope("http://play.example.org", **by_proxy))


@pytest.mark.parametrize("origin", ["http://play.example.org", "http://evil.example"])
async def test_a_socket_of_another_site_is_closed_without_being_served(origin):
    events: list[object] = []

    async def serve(*_):
        events.append("served")

    async def receive():
        events.append("received")

    async def send(message):
        events.append(message)

    await SameOrigin(serve)(scope(origin), receive, send)
    if origin == "http://play.example.org":
        assert events == ["served"]
    else:
        assert events == ["received", {"type": "websocket.close"}]


def test_a_client_with_two_origins_is_refused(settings):
    own = scope("http://play.example.org")
    origin = (b"origin", b"http://play.example.org")
    assert is_allowed(own)
    assert not is_allowed({**own, "headers": [*own["headers"], origin]})
    settings.ALLOWED_HOSTS = ["*"]
    assert not is_allowed({**own, "headers": [*own["headers"], origin]})


def test_trusted_origins_are_compared_without_case_and_a_pattern_includes_its_domain(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://Club.example", "https://*.Clubs.example"]
    assert is_allowed(scope("https://club.example"))
    assert is_allowed(scope("https://clubs.example"))
    assert not is_allowed(scope("https://a.club.example"))
    assert not is_allowed(scope("https://club.example:8000"))


def test_a_socket_without_a_scheme_is_not_encrypted():
    plain = scope("http://play.example.org")
    del plain["scheme"]
    assert is_allowed(plain)
    assert not is_allowed({**plain, "headers": scope("https://play.example.org")["headers"]})
