"""Notifications of events: check-in, byes, decisions of the director, the final rank.

Steps that players should hear of are marked in the log until a delivery task has told them. Keys of
notifications prevent duplicates if a process is killed in between. Games tell of their begin and
their end by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.urls import reverse

from antipodes.web.accounts.models import User
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.services import prepare, store
from antipodes.web.tournaments.log import Step
from antipodes.web.tournaments.models import LogRow, TournamentState

Told = Iterator[tuple[User, dict[str, Any]]]  # a player, and the values of the text

_TOGETHER = 100  # notifications stored in one transaction


def notify_of_steps() -> None:
    """Notify the players of all marked steps."""
    steps = LogRow.objects.filter(is_told=False).select_related("tournament", "by")
    for step in steps.order_by("at", "pk"):
        _notify(step)
        LogRow.objects.filter(pk=step.pk).update(is_told=True)


def _notify(step: LogRow) -> None:
    row = step.tournament
    path = reverse("tournament", args=[row.slug])
    prepared = []
    for user, values in _TOLD[Step(step.kind)](step):
        if user.pk == step.by_id:
            continue
        notification = prepare(
            user,
            NotificationKind.INVITED if step.kind == Step.INVITED else NotificationKind.TOURNAMENT,
            by=step.by,
            key=f"tournament {row.pk} {step.number}",
            path=path,
            act=step.kind,
            title=row.title,
            reason=step.reason,
            of_site=int(step.by_id is None),
            **values,
        )
        if notification is not None:
            prepared.append(notification)
    for at in range(0, len(prepared), _TOGETHER):
        store(prepared[at : at + _TOGETHER])


def _invited(step: LogRow) -> Told:
    yield User.objects.get(pk=step.data["user"]), {}


def _entered(step: LogRow) -> Told:
    for user in User.objects.filter(pk__in=step.data["users"]):
        yield user, {}


def _left(step: LogRow) -> Told:
    """Tell a player whom the director took out before the start, when no entry is left."""
    if step.by_id is not None:
        for user in User.objects.filter(pk=step.data["user"]):
            yield user, {}


def _check_in(step: LogRow) -> Told:
    if step.tournament.state == TournamentState.CHECK_IN:
        for one in step.tournament.entries.filter(is_checked_in=False).select_related("user"):
            yield one.user, {}


def _all(step: LogRow) -> Told:
    for one in step.tournament.entries.select_related("user"):
        yield one.user, {} if one.rank is None else {"rank": one.rank}


def _with_byes(step: LogRow) -> Told:
    numbers = [first for first, second, *_ in step.data["pairings"] if second is None]
    for one in step.tournament.entries.filter(number__in=numbers).select_related("user"):
        yield one.user, {"round": step.data["round"]}


def _withdrawn(step: LogRow) -> Told:
    numbers = step.data["withdrawn"]
    for one in step.tournament.entries.filter(number__in=numbers).select_related("user"):
        yield one.user, {}


def _dropped(step: LogRow) -> Told:
    numbers = step.data["dropped"]
    for one in step.tournament.entries.filter(number__in=numbers).select_related("user"):
        yield one.user, {}


def _decided(step: LogRow) -> Told:
    results = step.data["points"] or step.data["results"]
    for round_number, table, *_ in results:
        pairing = step.tournament.pairings.filter(round=round_number, table=table).first()
        for one in pairing.players if pairing else ():
            yield one.user, {"round": round_number}


_TOLD: dict[Step, Callable[[LogRow], Told]] = {
    Step.INVITED: _invited,
    Step.ENTERED: _entered,
    Step.LEFT: _left,
    Step.CHECK_IN: _check_in,
    Step.PAIRED: _with_byes,
    Step.ADJUDICATED: _decided,
    Step.PROVEN: _decided,
    Step.WITHDRAWN: _withdrawn,
    Step.DROPPED: _dropped,
    Step.FINISHED: _all,
    Step.CANCELLED: _all,
    Step.CHANGED: _all,
}
