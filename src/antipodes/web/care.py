"""Looking after what nobody asks for: fallen flags, lost work, and what was left behind."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from django.db import close_old_connections

from antipodes.web.matches import computer, services
from antipodes.web.matches.models import ChallengeRow, MatchRow
from antipodes.web.matches.services import now
from antipodes.web.ops import leases, life, write_probe
from antipodes.web.ops.life import GRACE, SHORTEST_OUTAGE
from antipodes.web.outages import OUTAGES, outage_of
from antipodes.web.rounds import every, rounds

logger = logging.getLogger(__name__)

_EACH = 1.0  # seconds between two looks at what is to be done

DAY = 86_400_000  # milliseconds

_LEASE = "care"
_BRIDGING = "bridging"
_LEASED = 5.0  # seconds after which another engine looks after things, if this one is killed


@every(1)
def let_flags_fall() -> None:
    """End matches in which somebody's time is up."""
    if not (life.is_running() if life.is_shared() else life.is_alive()):
        return  # nobody can play now; whoever serves next gives the time back first
    fallen = MatchRow.objects.filter(ended_at=None, deadline__lte=now())
    for slug in fallen.values_list("slug", flat=True):
        services.let_flag_fall(slug)


@every(3_600)
def forget_what_was_left() -> None:
    """Delete challenges of guests that nobody joined in a day: their owners are gone."""
    old = ChallengeRow.objects.filter(match=None, joins=None, made_at__lt=now() - DAY)
    old.filter(by__is_guest=True).delete()


def bridge_outage() -> None:
    """Give players of live games back the time for which the site was down, and some grace.

    Games by correspondence go on: their days count, whatever happens to the site.
    """
    if life.is_shared():
        life.sign()
        return
    try:
        stopped = int(life.sign_of_life().stat().st_mtime * 1000)
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
            self.beat()
            pause.wait(_EACH)

    def beat(self) -> None:
        """Give a sign of life, unless nothing can be stored: then nobody can play."""
        close_old_connections()
        try:
            if life.is_shared():
                life.sign()
            elif not self._is_in_outage():
                life.sign_of_life().touch()
        except Exception as error:  # noqa: BLE001 - the database is away, and comes back
            logger.warning("a sign of life could not be written: %s", error)

    @staticmethod
    def _is_in_outage() -> bool:
        """Return whether a database of one machine cannot be written, and so clocks stand still.

        When it can be written again one process gives players their time back.
        """
        if not write_probe.is_failing():
            return False
        if not leases.hold(_BRIDGING, _LEASED):
            return True
        bridge_outage()
        leases.let_go(_BRIDGING)
        return not write_probe.try_write()


every(5)(computer.ask_for_forgotten)


class Caretaker(threading.Thread):
    """Looks once a second whose time it is; of several engines one at a time does."""

    def __init__(self) -> None:
        """Prepare; nothing runs yet."""
        super().__init__(name="caretaker", daemon=True)
        self._due: dict[Callable[[], None], float] = {}
        self._is_ending = threading.Event()

    def run(self) -> None:
        """Go round for as long as the process lives."""
        while not self._is_ending.is_set():
            if self._is_its_turn():
                self.go_round()
            self._is_ending.wait(_EACH)

    def stop(self) -> None:
        """Let another engine look after things at once."""
        self._is_ending.set()
        if life.is_shared():
            with suppress(*OUTAGES):
                leases.let_go(_LEASE)

    @staticmethod
    def _is_its_turn() -> bool:
        if not life.is_shared():
            return True
        close_old_connections()
        try:
            return leases.hold(_LEASE, _LEASED)
        except Exception as error:  # noqa: BLE001 - the database is away, and comes back
            logger.warning("nobody can look after things now: %s", error)
            return False

    def go_round(self) -> None:
        """Look after everything whose time it is."""
        at = time.monotonic()
        for one in rounds:
            if at >= self._due.get(one.task, at):
                self._due[one.task] = at + one.seconds
                self._do(one.task)

    @staticmethod
    def _do(task: Callable[[], None]) -> None:
        """Do one thing; what goes wrong with it does not keep others from being done."""
        close_old_connections()
        try:
            task()
        except Exception as error:
            if outage_of(error):
                logger.warning("%s waits for what is away: %s", task.__name__, error)
            else:
                logger.exception("%s has failed", task.__name__)
