"""Worker process: runs jobs, the scheduler and the transports of incoming mail.

It is separate from web processes, so that a search never delays a socket. Its changes go to the
database. Messages to sockets go through Redis, or without it, line by line, through standard
output.

Beside a site on one machine it ends when its standard input does, also when the server was killed.
As ``antipodes work``, on any machine, it ends at SIGTERM or SIGINT. Unfinished jobs are not lost:
their rows remain, and the next worker runs them.
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

_NICE = 5  # so that web processes go first where cores are few


def main() -> None:
    """Work until standard input ends."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
    django.setup()
    from antipodes.web.platform import pubsub

    # Standard output carries messages, so prints go elsewhere.
    pubsub.write_to(sys.stdout)
    sys.stdout = sys.stderr
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    threading.Thread(target=_forward_messages, args=(ended,), daemon=True).start()
    _work(ended)


def run_standalone(say: Callable[[str], object]) -> None:
    """Work for a site that is served elsewhere, until SIGTERM or SIGINT.

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
    say("A worker runs for the site.  (Ctrl-C to stop)")
    serve.report_inbound_mail(say)
    _work(ended)


def _forward_messages(ended: threading.Event) -> None:
    """Forward messages of the server until its end of the pipe is closed."""
    from antipodes.web.platform import pubsub

    for line in sys.stdin:
        try:
            pubsub.forward_line(line)
        except Exception:
            logger.exception("message to the worker not delivered")
    ended.set()


def _work(ended: threading.Event) -> None:
    """Work until an event is set."""
    os.nice(_NICE)
    from django.conf import settings

    from antipodes.web.analysis import services
    from antipodes.web.email_play import inbox_task
    from antipodes.web.email_play.inbound.runner import TransportRunner
    from antipodes.web.jobs import worker_threads
    from antipodes.web.notifications.delivery import DeliveryLoop
    from antipodes.web.platform import clock, heartbeats, locks, metrics, pubsub
    from antipodes.web.platform.models import ProcessKind
    from antipodes.web.project.wiring import DELIVERY_TASKS, PERIODIC_TASKS
    from antipodes.web.server.scheduler import Scheduler

    clock.start()
    heartbeats.EngineHeartbeat().start()
    transports = TransportRunner()
    heartbeat = heartbeats.ProcessHeartbeat(
        ProcessKind.ENGINE, worker_threads.jobs_done, tasks=[transports.renew_leases]
    )
    heartbeat.start()
    if settings.WORKER_METRICS is not None:
        metrics.listen(settings.WORKER_METRICS)
    if settings.OWN_ENGINE:
        worker_threads.start()
    services.take_up()
    scheduler = Scheduler(PERIODIC_TASKS)
    scheduler.start()
    pubsub.receive_as_worker()
    DeliveryLoop(DELIVERY_TASKS, lambda: scheduler.is_active).start()
    # Imported now, since importing it while the first mail is processed would hold its lock longer.
    inbox_task.warm_up()
    inbox_task.process_on_arrival()
    transports.start()
    ended.wait()
    transports.stop()
    # Searches are aborted: their jobs remain, and other workers can run them at once.
    scheduler.stop()
    locks.release_jobs()
    heartbeat.stop()
    os._exit(0)


if __name__ == "__main__":
    main()
