"""Looking after what nobody asks for: fallen flags, lost work, and what was left behind."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from django.db import close_old_connections

from antipodes.web.config import data_folder
from antipodes.web.matches import computer, services
from antipodes.web.matches.models import ChallengeRow, MatchRow
from antipodes.web.matches.services import now

logger = logging.getLogger(__name__)

_EACH = 1.0  # seconds between two rounds
_LOST_AFTER = 30  # rounds between two searches for lost work
_STALE_AFTER = 3_600  # rounds between two searches for what was left behind

# All in milliseconds.
DAY = 86_400_000
SHORTEST_OUTAGE = 3_000  # what is shorter may be a slow round
GRACE = 10_000  # after an outage, for people to find their way back


def sign_of_life() -> Path:
    """Return the file that is touched as long as the site is served."""
    return data_folder() / "alive"


def let_flags_fall() -> None:
    """End matches in which somebody's time is up."""
    fallen = MatchRow.objects.filter(ended_at=None, deadline__lte=now())
    for slug in fallen.values_list("slug", flat=True):
        services.let_flag_fall(slug)


def forget_what_was_left() -> None:
    """Delete challenges of guests that nobody joined in a day: their owners are gone."""
    old = ChallengeRow.objects.filter(match=None, joins=None, made_at__lt=now() - DAY)
    old.filter(by__is_guest=True).delete()


def bridge_outage() -> None:
    """Give players of live games back the time for which the site was down, and some grace.

    Games by correspondence go on: their days count, whatever happens to the site.
    """
    try:
        stopped = int(sign_of_life().stat().st_mtime * 1000)
    except FileNotFoundError:
        return
    if now() - stopped > SHORTEST_OUTAGE:
        services.bridge_outage(stopped, now() + GRACE)


class Heartbeat(threading.Thread):
    """Gives a sign of life once a second, in the process that serves."""

    def __init__(self) -> None:
        """Prepare; nothing runs yet."""
        super().__init__(name="heartbeat", daemon=True)

    def run(self) -> None:
        """Go on for as long as the process lives."""
        pause = threading.Event()
        while True:
            sign_of_life().touch()
            pause.wait(_EACH)


class Caretaker(threading.Thread):
    """Makes its round once a second."""

    def __init__(self) -> None:
        """Prepare; nothing runs yet."""
        super().__init__(name="caretaker", daemon=True)
        self._rounds = 0

    def run(self) -> None:
        """Go round for as long as the process lives."""
        pause = threading.Event()
        while True:
            self.go_round()
            pause.wait(_EACH)

    def go_round(self) -> None:
        """Look after everything whose time it is."""
        self._do(let_flags_fall)
        self._rounds += 1
        if self._rounds % _LOST_AFTER == 0:
            self._do(computer.ask_for_forgotten)
        if self._rounds % _STALE_AFTER == 1:
            self._do(forget_what_was_left)

    @staticmethod
    def _do(task: Callable[[], None]) -> None:
        """Do one thing; what goes wrong with it does not keep others from being done."""
        close_old_connections()
        try:
            task()
        except Exception:
            logger.exception("%s has failed", task.__name__)
