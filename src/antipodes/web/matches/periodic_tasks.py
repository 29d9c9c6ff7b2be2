"""Periodic tasks of matches: give players the time of downtimes back, end games on time."""

from __future__ import annotations

from django.db.models import Q

from antipodes.web.matches import downtime, services
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform import heartbeats
from antipodes.web.platform.models import ProcessKind


def give_back_downtimes() -> None:
    """Give players the time of downtimes back, once for each match."""
    for kind, gap in heartbeats.downtimes().items():
        for slug in downtime.unbridged(kind, gap):
            services.give_back(slug, gap)
        heartbeats.mark_given_back(kind, gap)


def let_flags_fall() -> None:
    """End matches in which a player ran out of time while moves could be made."""
    running = MatchRow.objects.filter(ended_at=None)
    computers = running.filter(downtime.COMPUTER_MOVES).values("pk")
    for kind, whose in (
        (ProcessKind.WEB, ~Q(pk__in=computers)),
        (ProcessKind.ENGINE, Q(pk__in=computers)),
    ):
        until = heartbeats.latest(kind)
        if until is not None:
            fallen = running.filter(whose, deadline__lte=until)
            for slug in list(fallen.values_list("slug", flat=True)):
                services.let_flag_fall(slug, until)
