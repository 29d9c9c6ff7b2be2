"""Addresses of clients, as trusted proxies tell them."""

import pytest

from antipodes.web.platform.client_addresses import address_of, address_of_scope

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
        (1, "nonsense", None),
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
