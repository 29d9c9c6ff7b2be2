"""Effort levels of analyses."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from antipodes.errors import Fault, InputError
from antipodes.search.interface import Limits


@dataclass(frozen=True, slots=True)
class Effort:
    """An effort level.

    Attributes:
        name: name in URLs and rows.
        title: label.
        seconds: search time; threats take up to a quarter of it in addition.
    """

    name: str
    title: str | Promise
    seconds: float

    @property
    def limits(self) -> Limits:
        return Limits(seconds=self.seconds)

    @property
    def seconds_with_threats(self) -> float:
        """Maximum time of an analysis."""
        return 1.25 * self.seconds


HINT = Effort("hint", _("a hint"), 1.5)
EFFORTS = (
    Effort("glance", _("a glance (1 second)"), 1),
    Effort("look", _("a look (5 seconds)"), 5),
    Effort("study", _("a study (30 seconds)"), 30),
)
DEFAULT_EFFORT = EFFORTS[0]

_BY_NAME = {effort.name: effort for effort in (*EFFORTS, HINT)}


def find_effort(name: str) -> Effort:
    """Return the effort level with a name.

    Raises:
        InputError: there is no such level.
    """
    if name not in _BY_NAME:
        known = ", ".join(effort.name for effort in EFFORTS)
        fault = Fault.of(
            "study/no-such-effort",
            "there is no effort {name}; there are {known}",
            name=repr(name[:20]),
            known=known,
        )
        raise InputError([fault])
    return _BY_NAME[name]
