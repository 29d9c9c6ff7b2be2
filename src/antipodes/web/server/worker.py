"""The worker process: runs jobs, the scheduler and the transports of incoming mail.

It is separate from web processes, so that a search never delays a socket. What it
changes it writes to the database. Where Redis is shared, sockets hear of it through that; else it
writes what they shall hear to its standard output, line by line.

Beside a site on one machine it ends when its standard input does, which also happens when whoever
started it was killed. As ``antipodes work``, on any machine, it ends when it is told to. Nothing is
lost with it: rows say what is to be done, and the next one takes it up.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable

import django

logger = logging.getLogger(__name__)

_NICE = 5  # where cores are few, sockets go before searches


def main() -> None:
    """Work until the standard input ends."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
    django.setup()
    from antipodes.web.platform import kernel_warmup, pubsub

    # What is printed by mistake shall not look like news.
    pubsub.write_to(sys.stdout)
    sys.stdout = sys.stderr
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    threading.Thread(target=_wait_for_end, args=(ended,), daemon=True).start()
    _work(ended, kernel_warmup.report_to_server)


def run_standalone(say: Callable[[str], object]) -> None:
    """Work for a site that is served elsewhere until SIGTERM or SIGINT.

    Raises:
        InvalidOptionsError: database and Redis are not shared, or not up to date.
    """
    from antipodes.web.platform import data_files
    from antipodes.web.server import serve

    data_files.check_writable()
    serve.load()
    from antipodes.web.platform import checks

    checks.check_sharing("work")
    serve.prepare()
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    say("An engine works for the site.  (Ctrl-C ends it)")
    serve.tell_of_mail(say)
    _work(ended, None, lambda: serve.tell_of_compiling(say))


def _wait_for_end(ended: threading.Event) -> None:
    from antipodes.web.platform import pubsub

    for line in sys.stdin:
        try:
            pubsub.forward_line(line)
        except Exception:
            logger.exception("message to the worker not delivered")
    ended.set()


def _work(
    ended: threading.Event,
    told: Callable[..., None] | None,
    meanwhile: Callable[[], object] = lambda: None,
) -> None:
    """Work until an event is set."""
    os.nice(_NICE)
    from antipodes.web.analysis import services
    from antipodes.web.email_play import inbox_task
    from antipodes.web.email_play.inbound.runner import OpenDoors
    from antipodes.web.jobs import worker_threads
    from antipodes.web.notifications.delivery import DeliveryLoop
    from antipodes.web.platform import clock, heartbeats, kernel_warmup, locks, pubsub
    from antipodes.web.platform.models import Kind
    from antipodes.web.server.scheduler import Scheduler

    clock.start()
    heartbeats.EngineHeartbeat().start()
    sign = heartbeats.ProcessHeartbeat(Kind.ENGINE)
    sign.start()
    kernel_warmup.warm_up(told=told)
    worker_threads.start()
    threading.Thread(target=meanwhile, daemon=True).start()
    services.take_up()
    caretaker = Scheduler()
    caretaker.start()
    pubsub.receive_as_worker()
    DeliveryLoop(lambda: caretaker.is_active).start()
    # What letters need is loaded now: else the first mail would do it, and hold a lock meanwhile.
    inbox_task.warm_up()
    inbox_task.process_on_arrival()
    doors = OpenDoors()
    doors.start()
    ended.wait()
    doors.stop()
    # Searches are cut short: their rows still ask for them, and others may have them at once.
    caretaker.stop()
    locks.release_jobs()
    sign.stop()
    os._exit(0)


if __name__ == "__main__":
    main()
