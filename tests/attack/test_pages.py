"""Expensive pages, requested over forty connections of one address."""

import pytest

from tests.attack.attack import Target
from tests.attack.client import head

CONNECTIONS = 40
_ROWS = 26
_LINE = ",".join(map(str, range(600)))
_PAGES = {
    "picture": "/m/{slug}/board.png?n={n}",
    "drawing": "/m/{slug}/board.svg?n={n}",
    "api": "/api/?n={n}",
    "document": "/api/openapi.json?n={n}",
    "positions": f"/positions.json?game=hex&size={_ROWS}&moves={_LINE}&v={{n}}",
    "analysis": f"/analysis/hex/?size={_ROWS}&moves={_LINE}",
    "statistics": "/statistics/hex/?n={n}",
    "archive": "/games/?player=person-1&n={n}",
    "found": "/games/found.jsonl?game=hex&n={n}",
    "rules": "/rules/antipode/?n={n}",
    "rules-pictures": "/rules/antipode.svg?n={n}",
    "lobby": "/lobby/?n={n}",
    "ratings": "/ratings/hex/?n={n}",
    "sign-in": "/accounts/login/?n={n}",
}


async def read(target: Target, path: str) -> None:
    """Request a page repeatedly, each time with another URL so that no cache has it."""
    await target.repeat(lambda n: head("GET", path.replace("{n}", str(n))), CONNECTIONS)


@pytest.mark.parametrize("page", _PAGES)
def test_a_page_over_forty_connections(siege, withstand, page):
    slug = siege.seeded["large"][0]["slug"]
    withstand(read, seconds=8.0, path=_PAGES[page].replace("{slug}", slug))
