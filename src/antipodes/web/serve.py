"""Starting the site: database, pages and sockets, and beside them the process that thinks."""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
from collections.abc import Callable

import django
import uvicorn
from django.core.management import call_command

_MAX_MESSAGE = 256 * 1024  # bytes of a message from a browser; more closes the socket
_PATIENCE = 5  # seconds that requests have to end when the site is ended
_LOADING = 20.0  # seconds; whatever takes longer is compiled, not loaded

# Seconds that one thread may keep others waiting. By default it is 5 ms, and answers to moves
# would often wait for several such turns.
_SWITCH = 0.000_5

# Allocations, young and middle collections until the garbage of the next older generation is looked
# for. A look at everything holds all sockets up for a quarter of a second, so it has to be rare.
_GARBAGE = (20_000, 20, 1_000)


def prepare() -> None:
    """Load Django and bring the database up to date."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.settings")
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)


def _tell_of_compiling(say: Callable[[str], object]) -> None:
    """Tell when the computer's engine takes long to get ready, and when it is."""
    from antipodes.web import warming

    if warming.wait_for_all(_LOADING):
        return
    say(
        "The computer gets ready. The first time its engine is compiled, which takes some minutes;"
        " all pages work meanwhile, and its first moves may take longer."
    )
    warming.wait_for_all()
    say("The computer is ready.")


def serve(listening: socket.socket, say: Callable[[str], object]) -> None:
    """Serve on a bound socket until interrupted; ``say`` tells whoever started it what goes on."""
    prepare()
    from antipodes.web import care, warming
    from antipodes.web.workers import WorkerProcess

    care.bridge_outage()
    care.Heartbeat().start()
    warming.listen()
    threading.Thread(target=_tell_of_compiling, args=(say,), daemon=True).start()
    sys.setswitchinterval(_SWITCH)
    gc.freeze()  # what is loaded by now stays, and need not be looked at again
    gc.set_threshold(*_GARBAGE)
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
