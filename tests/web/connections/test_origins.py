"""Laws of which pages may open WebSockets: the same by which forms are accepted."""

import pytest

from antipodes.web.connections.origins import may_open


def scope(origin, host="play.example.org", scheme="ws", **headers):
    given = {"host": host, "origin": origin, **headers}
    found = [(name.encode(), value.encode()) for name, value in given.items() if value is not None]
    return {"type": "websocket", "path": "/", "scheme": scheme, "headers": found}


@pytest.fixture(autouse=True)
def hosts(settings):
    settings.ALLOWED_HOSTS = ["play.example.org", "other.example.org"]


@pytest.mark.parametrize(
    ("origin", "host", "scheme", "may"),
    [
        ("http://play.example.org", "play.example.org", "ws", True),
        ("https://play.example.org", "play.example.org", "wss", True),
        ("http://play.example.org:8000", "play.example.org:8000", "ws", True),
        ("http://PLAY.example.org", "play.example.org", "ws", True),
        ("https://play.example.org", "play.example.org:443", "wss", True),
        # Another scheme, another port, another host that the site has besides, and foreign ones.
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
def test_a_page_opens_sockets_of_its_own_origin_alone(origin, host, scheme, may):
    assert may_open(scope(origin, host, scheme)) == may


def test_programs_without_an_origin_come_in_where_every_host_is_allowed(settings):
    settings.ALLOWED_HOSTS = ["*"]
    assert may_open(scope(None))
    assert not may_open(scope("http://evil.example"))


def test_trusted_origins_may_open_sockets(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://club.example", "https://*.clubs.example"]
    assert may_open(scope("https://club.example"))
    assert may_open(scope("https://a.clubs.example"))
    assert not may_open(scope("http://a.clubs.example"))
    assert not may_open(scope("https://clubs.example.evil"))


def test_a_server_before_the_site_tells_the_scheme(settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    by_proxy = {"x-forwarded-proto": "https"}
    assert may_open(scope("https://play.example.org", **by_proxy))
    assert not may_open(scope("http://play.example.org", **by_proxy))
