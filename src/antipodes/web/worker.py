"""The process that thinks: it works the queues off and looks after what nobody asks for.

It is apart from the process that serves, so that a search never keeps a socket waiting. What it
changes it writes to the database; what sockets shall hear of it writes to its standard output,
line by line. It ends when its standard input does, which also happens when whoever started it was
killed. Nothing is lost with it: rows say what is to be done, and the next one takes it up.
"""

from __future__ import annotations

import os
import sys

import django

_NICE = 5  # where cores are few, sockets go before searches


def main() -> None:
    """Work until the standard input ends."""
    os.nice(_NICE)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.settings")
    django.setup()
    from antipodes.web import wake, warming
    from antipodes.web.care import Caretaker
    from antipodes.web.jobs import Worker, queue, studies
    from antipodes.web.matches.computer import ask_for_all
    from antipodes.web.study import analyses, reviews

    # What is printed by mistake shall not look like news.
    wake.write_to(sys.stdout)
    sys.stdout = sys.stderr
    for waiting in (queue, studies):
        waiting.flush()
        Worker(waiting).start()
    warming.warm_up(told=warming.tell_others)
    ask_for_all()
    analyses.take_up()
    reviews.take_up()
    Caretaker().start()
    for _ in sys.stdin:
        pass  # nothing is ever said; the end is what counts
    # Searches are cut short: their rows still ask for them.
    os._exit(0)


if __name__ == "__main__":
    main()
