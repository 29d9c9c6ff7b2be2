"""The weather of a site: outages and losses that the world brings over it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

WRITE = re.compile(
    r"\s*(?:INSERT\b.*?INTO|REPLACE\b.*?INTO|UPDATE|DELETE\s+FROM)\s+\"?(\w+)", re.IGNORECASE
)


class KilledError(BaseException):
    """A process is killed, so that nothing in it handles the error."""


@dataclass
class Weather:
    """Everything that goes wrong at present.

    Attributes:
        outage: what the database says to each write; empty if it works.
        stops_commits: whether it says so only at the end of a transaction with writes.
        loses_messages: whether no message between processes arrives.
        forgets_after_commit: whether nothing that waits for a commit is done after it.
        keeps_mail: whether mail to the site is late.
        doubles_mail: whether each mail comes twice.
        late: mail that is late.
        job_writes: writes after which the worker is killed in a job; ``None`` if it lives on.
        is_in_job: whether the worker runs a job.
        has_worker: whether the worker lives.
        written: values that have been written since the present act began.
        tables: to which something has been written since laws were checked last.
    """

    outage: str = ""
    stops_commits: bool = False
    loses_messages: bool = False
    forgets_after_commit: bool = False
    keeps_mail: bool = False
    doubles_mail: bool = False
    late: list[tuple[bytes, str, list[str]]] = field(default_factory=list)
    job_writes: int | None = None
    is_in_job: bool = False
    has_worker: bool = True
    written: int = 0
    tables: set[str] = field(default_factory=set)

    def reach_site(self) -> None:
        """Bring the weather to the database and to the messages of this process."""
        from django.db.backends.base.base import BaseDatabaseWrapper
        from django.db.backends.signals import connection_created
        from django.db.utils import OperationalError

        from antipodes.web.platform import pubsub

        def write(
            execute: Callable[..., Any], sql: str, values: Any, many: bool, context: Any
        ) -> Any:
            if (table := WRITE.match(sql)) is not None:
                connection = context["connection"]
                if self.outage and not (self.stops_commits and connection.in_atomic_block):
                    raise OperationalError(self.outage)
                connection.has_written = True
                self.tables.add(table[1])
                self.write_in_job()
                self.written += sum(map(len, values)) if many else len(values or ())
            return execute(sql, values, many, context)

        def wrap(connection: Any, **_: object) -> None:
            if write not in connection.execute_wrappers:
                connection.execute_wrappers.append(write)

        connection_created.connect(wrap, weak=False)
        run = BaseDatabaseWrapper.run_and_clear_commit_hooks

        def after_commit(connection: Any) -> None:
            if self.forgets_after_commit:
                connection.run_on_commit = []
            run(connection)

        methods = vars(BaseDatabaseWrapper)
        commit, roll_back = methods["_commit"], methods["_rollback"]

        def commit_or_fail(connection: Any) -> None:
            if vars(connection).pop("has_written", False) and self.outage:
                raise OperationalError(self.outage)
            commit(connection)

        def forget_writes(connection: Any) -> None:
            vars(connection).pop("has_written", None)
            roll_back(connection)

        setattr(BaseDatabaseWrapper, run.__name__, after_commit)
        setattr(BaseDatabaseWrapper, commit.__name__, commit_or_fail)
        setattr(BaseDatabaseWrapper, roll_back.__name__, forget_writes)
        for name in ("_send", "deliver_here"):
            vars(pubsub)[name] = self._unless_lost(vars(pubsub)[name])

    def write_in_job(self) -> None:
        """Kill the worker at the write at which its time has come."""
        if self.is_in_job and self.job_writes is not None:
            self.job_writes -= 1
            if self.job_writes < 0:
                self.job_writes, self.has_worker = None, False
                raise KilledError

    def _unless_lost(self, send: Callable[..., None]) -> Callable[..., None]:
        def send_or_lose(*message: Any) -> None:
            if not self.loses_messages:
                send(*message)

        return send_or_lose
