"""Games begun without end: series whose games are aborted, and rematches of aborted games."""

import asyncio
import json
from typing import Any

from tests.attack.attack import Target
from tests.attack.client import Connection, api

_SERIES = {"game": "antipalos", "opponent": "computer", "level": 1, "points": 15, "seat": 0}
_PAUSE = 0.05  # seconds after a refusal or a lost connection


async def aborts_of_series(target: Target, token: str) -> None:
    """Begin series, and abort each game and its rematches as fast as responses arrive."""
    connection = Connection(target.port)

    async def ask(method: str, path: str, data: object = None) -> Any:
        status, body = await connection.fetch(api(method, path, token, data))
        if status not in {200, 201}:
            raise OSError(f"status {status}")
        return json.loads(body)

    slug = ""
    while True:
        try:
            if not slug:
                slug = (await ask("POST", "/challenges", _SERIES))["match"]["slug"]
                target.counts["games"] += 1
            after = await ask("POST", f"/matches/{slug}/abort", {})
            target.counts["begun by an abort"] += after["next"] is not None
            await ask("POST", f"/matches/{slug}/offers/rematch", {"answer": "offer"})
            slug = (await ask("GET", f"/matches/{slug}"))["next"] or ""
            target.counts["games"] += bool(slug)
        except OSError as error:
            slug = ""
            target.counts[str(error)] += 1
            await asyncio.sleep(_PAUSE)


def begun_too_many(found):
    """Return the bounds that the attack has broken; three attempts last less than four minutes."""
    from antipodes.web.platform.limits import NEW_GAMES  # attackers run without Django

    counts, most = found["total"], 4 * NEW_GAMES.items()[0].amount
    missed = [] if 0 < counts.get("games", 0) <= most else [f"games begun: {counts}"]
    return missed + [f"begun by aborts: {counts}"] * (counts.get("begun by an abort", 0) > 0)


def test_aborts_of_series(siege, withstand):
    token = siege.seeded["accounts"][1]["token"]
    withstand(aborts_of_series, token=token, check=begun_too_many)
