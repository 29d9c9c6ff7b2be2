"""Starting the site: database, pages, sockets, and the computer in one process."""

from __future__ import annotations

import os
import socket

import django
import uvicorn
from django.core.management import call_command


def prepare() -> None:
    """Load Django and bring the database up to date."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.settings")
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)


def serve(listening: socket.socket) -> None:
    """Serve on a bound socket until interrupted."""
    prepare()
    from antipodes.web import warming
    from antipodes.web.jobs import Worker, studies
    from antipodes.web.matches.computer import ask_for_all
    from antipodes.web.study import analyses, reviews

    studies.flush()
    workers = [Worker(), Worker(studies)]
    for worker in workers:
        worker.start()
    warming.warm_up()
    ask_for_all()
    analyses.take_up()
    reviews.take_up()
    config = uvicorn.Config("antipodes.web.asgi:application", log_level="warning")
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        for worker in workers:
            worker.stop()
