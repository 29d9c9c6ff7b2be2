"""Boards with options that no other visitor chose, and addresses forwarded with ports."""

import pytest

from tests.attack.attack import Target
from tests.attack.client import head

CONNECTIONS = 40
_SECONDS = 20.0
_GROWN = 64  # MiB; a table for each of the boards would take more
_BOARD = "/boards.json?game=antipalos&phase_two_limit={n}"
_ADDRESSES = {
    "ports": "198.18.7.7:{port}",
    "ports of IPv6": "[2001:db8::7]:{port}",
    "nonsense": "client-{n}",
}


async def boards(target: Target) -> None:
    """Request a board with another option each time."""
    await target.repeat(lambda n: head("GET", _BOARD.replace("{n}", str(2 + n))), CONNECTIONS)


async def forwarded(target: Target, address: str) -> None:
    """Request positions, each time from the same host by another port, or as another nonsense."""

    def make(number: int) -> bytes:
        ports = {"{port}": str(1024 + number % 60_000), "{n}": str(number)}
        told = address
        for name, value in ports.items():
            told = told.replace(name, value)
        return head("GET", f"/positions.json?game=hex&size=3&v={number}", address=told)

    await target.repeat(make, CONNECTIONS)


def unlimited(found):
    """Return what the attack got beyond the rate of one address."""

    from antipodes.web.platform.limits import POSITIONS  # attackers run without Django

    counts, most = found["counts"], 2 * POSITIONS.items()[1].amount
    missed = [] if counts.get("200", 0) <= most else [f"answered too often: {counts}"]
    return missed + ["never refused"] * (counts.get("429", 0) == 0)


def grown(found):
    """Return whether the memory of the site has grown too much."""
    return unlimited(found) + [f"grown by {found['grown']} MiB"] * (found["grown"] > _GROWN)


def test_boards_with_options_without_end(siege, withstand):
    withstand(boards, seconds=_SECONDS, check=grown)


@pytest.mark.parametrize("kind", _ADDRESSES)
def test_forwarded_addresses(siege, withstand, kind):
    withstand(forwarded, seconds=_SECONDS, address=_ADDRESSES[kind], check=unlimited)
