"""Addresses of clients, as trusted proxies tell them."""

from ipaddress import ip_address

import pytest

from antipodes.web.platform import limits
from antipodes.web.platform.client_addresses import address_of, address_of_scope, networks, parse

PEER = "192.0.2.1"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (0, "203.0.113.9", PEER),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.7, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.7, 203.0.113.9", "198.51.100.7"),
        (2, "203.0.113.9", PEER),
        (1, "", PEER),
        (1, "203.0.113.9:4711", "203.0.113.9"),
        (1, "[2001:db8::1]:443", "2001:db8::1"),
        (1, "[2001:db8::1]", "2001:db8::1"),
        (1, "198.51.100.7:80,[::ffff:203.0.113.9]:443", "203.0.113.9"),
        (1, "nonsense", "0.0.0.0"),
        (1, "203.0.113.9:65536", "0.0.0.0"),
        (1, "[203.0.113.9", "0.0.0.0"),
        (1, "unknown, ", "0.0.0.0"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
    ],
)
def test_the_client_is_what_the_outermost_trusted_proxy_has_seen(
    rf, settings, proxies, forwarded, client
):
    settings.TRUSTED_PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = rf.get("/", headers=headers, REMOTE_ADDR=PEER)
    scope = {
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": (PEER, 4),
    }
    found = [address_of(request), address_of_scope(scope)]
    assert [one if one is None else str(one) for one in found] == [client, client]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (" 192.0.2.1 ", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::1"),
        ("2001:DB8::1", "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", None),
        ("192.0.2.256", None),
    ],
)
def test_an_address_is_read_without_its_interface(text, address):
    found = parse(text)
    assert (found and str(found)) == address


@pytest.mark.parametrize(
    "form", ["198.18.1.{n}:4711", "[2001:db8::{n}]:443", "rubbish-{n}", "{n}:"]
)
def test_no_form_of_a_forwarded_address_evades_the_limits(rf, settings, monkeypatch, form):
    settings.TRUSTED_PROXIES = 1
    monkeypatch.setattr(limits, "defined", {})  # no limit of the site
    limit = limits.rate_limit(f"forms-{form}", "3/minute", per="address", what="requests")
    is_readable = form.startswith(("198", "["))
    for n in range(1, 4):
        text = form.replace("{n}", "7" if is_readable else str(n))
        limits.take_for_address(limit, rf.get("/", headers={"X-Forwarded-For": text}))
    with pytest.raises(limits.TooManyError):
        limits.take_for_address(
            limit, rf.get("/", headers={"X-Forwarded-For": form.replace("{n}", "7")})
        )


def test_a_connection_without_peer_has_no_address(settings):
    settings.TRUSTED_PROXIES = 0
    for scope in ({}, {"client": None}, {"headers": [], "client": ("", 0)}):
        assert address_of_scope(scope) is None


def test_several_headers_of_proxies_are_one_list(settings):
    settings.TRUSTED_PROXIES = 2
    headers = [
        (b"x-forwarded-for", b"198.51.100.7"),
        (b"host", b"192.0.2.9"),
        (b"x-forwarded-for", b"203.0.113.9"),
    ]
    found = address_of_scope({"headers": headers, "client": (PEER, 4)})
    assert str(found) == "198.51.100.7"


def test_an_ipv6_address_counts_for_its_56_and_with_four_times_as_much_for_its_48():
    assert networks(ip_address("192.0.2.1")) == [("192.0.2.1", 1)]
    assert networks(ip_address("2001:db8:1:2ff::1")) == [
        ("2001:db8:1:200::/56", 1),
        ("2001:db8:1::/48", 4),
    ]
