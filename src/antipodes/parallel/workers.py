"""Which processes do the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from antipodes.errors import AntipodesError


class WorkerError(AntipodesError):
    """The processes cannot work: they end by themselves, or their scheduler is gone."""


def _ignore(_sentence: str) -> None:
    """Take no notice."""


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes that do the work.

    Attributes:
        count: of processes on this machine; 1 without a scheduler is this process, which does not
            need Dask.
        scheduler: address of Dask's scheduler, such as ``tcp://host:8786``, whose workers do
            everything; ``None`` for this machine.
        dashboard: whether the processes of this machine get Dask's dashboard.
        tell: receives sentences: the address of the dashboard, and what is being waited for.
    """

    count: int = 1
    scheduler: str | None = None
    dashboard: bool = False
    tell: Callable[[str], object] = field(default=_ignore, compare=False)

    @property
    def is_this_process(self) -> bool:
        """Whether this process does everything itself."""
        return self.count == 1 and self.scheduler is None
