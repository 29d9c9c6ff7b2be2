"""The log of an event: one entry for each step, from which the event can be rebuilt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from antipodes.web.accounts.masking import passed_on
from antipodes.web.accounts.models import User
from antipodes.web.notifications import delivery
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now
from antipodes.web.tournaments.models import LogRow, TournamentRow


class Step(StrEnum):
    """Kinds of steps."""

    CREATED = "created"
    CHANGED = "changed"
    OPENED = "opened"
    INVITED = "invited"
    ENTERED = "entered"
    JOINED = "joined"
    LEFT = "left"
    CHECK_IN = "check-in"
    CHECKED_IN = "checked-in"
    STARTED = "started"
    PAIRED = "paired"
    BEGUN = "begun"
    RESULTS = "results"
    ADJUDICATED = "adjudicated"
    PROOF = "proof"
    PROVEN = "proven"
    UNPROVEN = "unproven"
    WITHDRAWN = "withdrawn"
    DROPPED = "dropped"
    PAUSED = "paused"
    RESUMED = "resumed"
    FINISHED = "finished"
    CANCELLED = "cancelled"


LONGEST_REASON = 300

# Reasons of the site, which pages translate.
TOO_FEW = gettext_noop("too few players")
ABSENT = gettext_noop("no move in a game")
CLOSED_ACCOUNT = gettext_noop("the account was closed")
ALL_HAVE_MET = gettext_noop("the players who are left cannot be paired without a second game")

TOLD = frozenset(
    {
        Step.CHANGED,
        Step.INVITED,
        Step.ENTERED,
        Step.LEFT,
        Step.CHECK_IN,
        Step.PAIRED,
        Step.ADJUDICATED,
        Step.PROVEN,
        Step.WITHDRAWN,
        Step.DROPPED,
        Step.FINISHED,
        Step.CANCELLED,
    }
)
"""Steps of which players are notified."""


def reason_text(reason: str, *, is_of_site: bool) -> str:
    """Return a reason for readers: translated if the site gave it, as written if a person did."""
    return gettext(reason) if reason and is_of_site else reason


@contextmanager
def locked(key: int) -> Iterator[TournamentRow]:
    """Lock an event for one step, which the block takes in one transaction.

    On SQLite transactions begin with a lock; elsewhere the row is locked.

    Raises:
        TournamentRow.DoesNotExist: there is no such event.
    """
    with transaction.atomic():
        yield TournamentRow.objects.select_for_update().get(pk=key)


def record(
    row: TournamentRow, step: Step, by: User | None = None, reason: str = "", **data: Any
) -> None:
    """Save a locked event, and add a step to its log; clients hear of it after the commit.

    Args:
        row: the event, with its new columns.
        step: the kind of the step.
        by: who did it; ``None`` for the site.
        reason: why, as players read it.
        data: the decision, with pairing numbers for players of a running event.
    """
    LogRow.objects.create(
        tournament=row,
        number=row.version,
        kind=step,
        by=by,
        reason=passed_on(by, reason)[:LONGEST_REASON],
        data=data,
        at=now(),
        is_told=step not in TOLD,
    )
    row.version += 1
    row.save()
    if step in TOLD:
        delivery.wake()
    message = {"type": "tournament.changed", "version": row.version}
    transaction.on_commit(partial(pubsub.send_to_group, group_of(row.slug), message))


def group_of(slug: str) -> str:
    """Return the channel layer group of an event."""
    return f"tournament-{slug}"


@dataclass
class Replayed:
    """An event as its log tells it.

    Attributes:
        state: the last state.
        users: the user of each pairing number.
        withdrawn: pairing numbers of players who have withdrawn.
        pairings: points by round and table; ``None`` while a pairing is undecided.
        players: numbers by round and table in the order of seats; a bye has no second.
        openings: number of the opening by round and table, in an event with openings.
        games: slugs of the matches by round, table and number of the game.
        places: of a ladder, of each pairing number; ``None`` for players who have left.
        ranks: the final rank of each pairing number.
    """

    state: str = ""
    users: dict[int, int] = field(default_factory=dict)
    withdrawn: set[int] = field(default_factory=set)
    pairings: dict[tuple[int, int], tuple[float, ...] | None] = field(default_factory=dict)
    players: dict[tuple[int, int], tuple[int | None, ...]] = field(default_factory=dict)
    openings: dict[tuple[int, int], int] = field(default_factory=dict)
    games: dict[tuple[int, int, int], str] = field(default_factory=dict)
    places: dict[int, int | None] = field(default_factory=dict)
    ranks: dict[int, int] = field(default_factory=dict)


def replay(entries: Iterable[Mapping[str, Any]]) -> Replayed:
    """Return what the data of all entries of a log say happened."""
    event = Replayed()
    for data in entries:
        event.state = data.get("state", event.state)
        for number, user in data.get("players", []):
            event.users[number] = user
            event.withdrawn.discard(number)  # who has left may come back
        event.withdrawn |= set(data.get("withdrawn", []))
        for table, players in enumerate(data.get("pairings", []), start=1):
            at = (data["round"], table)
            event.players[at], event.pairings[at] = tuple(players), None
        for table, opening in enumerate(data.get("openings", []), start=1):
            event.openings[data["round"], table] = opening
        for round_number, table, number, slug in data.get("games", []):
            event.games[round_number, table, number] = slug
        for round_number, table, *points in data.get("points", []):
            event.pairings[round_number, table] = tuple(points)
        event.places |= dict(data.get("places", []))
        event.ranks |= dict(data.get("ranks", []))
    return event
