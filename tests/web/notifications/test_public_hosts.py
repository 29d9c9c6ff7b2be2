"""Connections to public hosts only."""

import asyncio

import aiohttp
import pytest

from antipodes.web.notifications.push import is_public, is_public_address, public_session
from tests.raising import raising


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "192.168.1.1",
        "::1",
        "fe80::1%eth0",
        "::ffff:10.0.0.1",
        "224.0.0.1",
        "0.0.0.0",
        "fd00::1",
    ],
)
def test_internal_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111"])
def test_global_addresses_are_public(address):
    assert is_public(address)


def post(url):
    """Post to a URL with a session for public hosts; return the status."""

    async def send():
        async with (
            public_session() as session,
            asyncio.timeout(5),
            session.post(url, allow_redirects=False) as answer,
        ):
            return answer.status

    return asyncio.run(send())


def failure(url):
    """Return why a URL cannot be reached."""
    with pytest.raises(aiohttp.ClientConnectorError) as found:
        post(url)
    return str(found.value.os_error)


def resolved(monkeypatch, *addresses):
    """Have all names resolve to these addresses."""
    found = [(2, 1, 6, "", (address, 443)) for address in addresses]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], []])
def test_a_name_that_resolves_to_an_internal_address_is_refused(monkeypatch, addresses):
    """The name is resolved at the time of the connection."""
    resolved(monkeypatch, *addresses)
    assert "not a public host" in failure("https://push.example.org/1")


@pytest.mark.parametrize("url", ["http://push.example.org/1", "https://127.0.0.1/1"])
def test_a_connection_that_is_not_to_a_public_host_by_https_is_refused(monkeypatch, url):
    resolved(monkeypatch, "8.8.8.8")
    with pytest.raises(aiohttp.ClientConnectionError, match="not a public host with HTTPS"):
        post(url)


def test_a_connection_goes_to_the_address_that_was_checked(monkeypatch):
    connected = []

    async def start_connection(addr_infos, **_):
        connected.append([one[4][:2] for one in addr_infos])
        raise OSError("no route")

    resolved(monkeypatch, "8.8.8.8")
    monkeypatch.setattr("aiohappyeyeballs.start_connection", start_connection)
    assert "no route" in failure("https://push.example.org/1")
    assert connected == [[("8.8.8.8", 443)]]


def test_a_host_that_cannot_be_reached_is_an_error_of_the_connection(monkeypatch):
    monkeypatch.setattr("socket.getaddrinfo", raising(OSError("no such name")))
    assert "no such name" in failure("https://push.example.org/1")


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("https://push.example.org/1", True),
        ("https://push.example.org:443/1", True),
        ("https://8.8.8.8/1", True),
        ("https://push.example.org:80/1", False),
        ("https://8.8.8.8:80/1", False),
        ("http://8.8.8.8/1", False),
        ("https://user@8.8.8.8/1", False),
        ("https://[/1", False),
        ("https:///1", False),
        ("https://push.internal/1", False),
    ],
)
def test_a_push_service_has_a_public_host_and_the_usual_port(url, is_allowed):
    assert is_public_address(url) is is_allowed


def test_a_session_has_no_proxies_of_the_environment_and_no_cookies():
    async def made():
        async with public_session() as session:
            return session.trust_env, type(session.cookie_jar)

    assert asyncio.run(made()) == (False, aiohttp.DummyCookieJar)
