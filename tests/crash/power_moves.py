"""Play moves by sockets, as pages do, and write the acknowledged ones to a file.

    python power_moves.py MOVES CHECKPOINT_EACH SYNCHRONOUS

The database is in ANTIPODES_DATA, as filled by ``seed.py``. Acknowledged moves are written to the
file ``acknowledged`` there, so that the record has them in order with writes to the database.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

moves, checkpoint_each, synchronous = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

from antipodes.web.platform import config  # noqa: E402

if synchronous != "unchanged":
    options = config._SQLITE["init_command"]
    assert "synchronous=FULL" in options
    config._SQLITE["init_command"] = options.replace(
        "synchronous=FULL", f"synchronous={synchronous}"
    )

import django  # noqa: E402

django.setup()

from asgiref.testing import ApplicationCommunicator  # noqa: E402
from channels.routing import URLRouter  # noqa: E402
from django.db import connection  # noqa: E402

from antipodes.web.accounts.models import User  # noqa: E402
from antipodes.web.project.asgi import SOCKETS  # noqa: E402

tables = json.loads(Path(os.environ["ANTIPODES_DATA"], "tables.json").read_text())
acknowledged = os.open(Path(os.environ["ANTIPODES_DATA"], "acknowledged"), os.O_WRONLY | os.O_CREAT)


async def socket_of(slug, user):
    path = f"/m/{slug}/socket"
    scope = {"type": "websocket", "path": path, "query_string": b"", "headers": [], "user": user}
    wire = ApplicationCommunicator(URLRouter(SOCKETS), scope)
    await wire.send_input({"type": "websocket.connect"})
    assert (await wire.receive_output(60))["type"] == "websocket.accept"
    return wire


async def play(wire, slug, ply):
    key = f"{slug} {ply:04}"
    command = {"command": "play", "seat": ply % 2, "ply": ply, "key": key, "move": ply}
    await wire.send_input({"type": "websocket.receive", "text": json.dumps(command)})
    while (answer := json.loads((await wire.receive_output(60))["text"])).get("key") != key:
        pass
    assert answer["type"] == "done", answer
    os.write(acknowledged, f"{slug} {ply}\n".encode())


async def main():
    users = User.objects.filter(computer="", username__startswith="person-").order_by("pk")
    people = [user async for user in users]
    wires = [await socket_of(tables[at // 2], user) for at, user in enumerate(people)]
    for number in range(moves):
        table, ply = number % len(tables), number // len(tables)
        await play(wires[2 * table + ply % 2], tables[table], ply)
        if checkpoint_each and number % checkpoint_each == checkpoint_each - 1:
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA wal_checkpoint")
    os._exit(0)


asyncio.run(main())
