"""Starting the site: database, pages and sockets, and beside them the process that thinks."""

from __future__ import annotations

import os
import socket
import sys

import django
import uvicorn
from django.core.management import call_command

_MAX_MESSAGE = 256 * 1024  # bytes of a message from a browser; more closes the socket
_PATIENCE = 5  # seconds that requests have to end when the site is ended

# Seconds that one thread may keep others waiting. By default it is 5 ms, and answers to moves
# would often wait for several such turns.
_SWITCH = 0.000_5


def prepare() -> None:
    """Load Django and bring the database up to date."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.settings")
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)


def serve(listening: socket.socket) -> None:
    """Serve on a bound socket until interrupted."""
    prepare()
    from antipodes.web import care, warming
    from antipodes.web.workers import WorkerProcess

    care.bridge_outage()
    warming.listen()
    sys.setswitchinterval(_SWITCH)
    worker = WorkerProcess()
    worker.start()
    config = uvicorn.Config(
        "antipodes.web.asgi:application",
        log_level="warning",
        ws_max_size=_MAX_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_PATIENCE,
    )
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        worker.stop()
