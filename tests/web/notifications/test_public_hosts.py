"""Connections to public hosts only."""

from typing import Any

import pytest
import requests
from urllib3.exceptions import NewConnectionError

from antipodes.web.notifications import public_hosts
from antipodes.web.notifications.public_hosts import is_public, is_public_address, public_session


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


def test_a_name_that_resolves_to_an_internal_address_is_refused(monkeypatch):
    """The name is resolved at the time of the connection."""
    answers = [(2, 1, 6, "", ("127.0.0.1", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: answers)
    with public_session() as session, pytest.raises(requests.ConnectionError, match="not a public"):
        session.post("https://push.example.org/1", timeout=2)
    with public_session() as session, pytest.raises(requests.exceptions.InvalidSchema):
        session.post("http://push.example.org/1", timeout=2)


@pytest.mark.parametrize(
    ("addresses", "is_public_host"),
    [(["8.8.8.8", "8.8.4.4"], True), (["8.8.8.8", "10.0.0.1"], False), ([], False)],
)
def test_a_connection_goes_to_the_address_that_was_checked(monkeypatch, addresses, is_public_host):
    connected = []
    found = [(None, None, None, "", (address, 443)) for address in addresses]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr("socket.create_connection", lambda *given: connected.append(given))
    unset: Any = object()
    for timeout in (7, unset):
        one = public_hosts._PublicConnection("push.example.org", 443, timeout=timeout)
        if is_public_host:
            one._new_conn()
        else:
            with pytest.raises(NewConnectionError, match="not a public host"):
                one._new_conn()
    expected = [((addresses[0], 443), 7), ((addresses[0], 443), None)] if is_public_host else []
    assert connected == expected


def test_a_host_that_cannot_be_reached_is_an_error_of_the_connection(monkeypatch):
    def fail(*_, **__):
        raise OSError("no such name")

    monkeypatch.setattr("socket.getaddrinfo", fail)
    one = public_hosts._PublicConnection("push.example.org", 443)
    with pytest.raises(NewConnectionError, match="no such name"):
        one._new_conn()


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


def test_a_session_follows_no_redirects_and_no_proxies_of_the_environment():
    with public_session() as session:
        assert (session.max_redirects, session.trust_env) == (0, False)
