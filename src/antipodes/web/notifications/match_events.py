"""Notify players of events in their matches while they are not viewing them.

The delivery loop reads new events, matches, chat messages and invitations, so that requests do not
wait for it. The keys of notifications prevent duplicates when rows are read twice.
"""

from __future__ import annotations

import json
import logging
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from django.db import models, transaction
from django.utils.translation import gettext as _

from antipodes.clocks import Pace, read_control
from antipodes.mail.layout.board import position_after
from antipodes.match import (
    Agreed,
    ConditionalMovesDropped,
    Declined,
    Ended,
    Event,
    Moved,
    MoveSource,
    Offered,
    OfferKind,
    Resumed,
    TakenBack,
    Withdrawn,
    read_event,
)
from antipodes.match.sentences import key_of
from antipodes.records import Reason, Result
from antipodes.records.texts import clean_line
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.access import played_by
from antipodes.web.matches.models import ChatLine, EventRow, MatchRow, seated
from antipodes.web.matches.services import GRACE, is_live_between_people
from antipodes.web.matches.snapshots import MatchSnapshot, look_up, shown_all
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.notifications import delivery, mail_play
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import CursorRow, NotificationRow, ViewingRow
from antipodes.web.notifications.schemas import BeginningOut
from antipodes.web.notifications.services import (
    bell_group,
    mark_outdated_seen,
    notify,
    prepare,
    store,
)
from antipodes.web.platform import locks, pubsub
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import outage_of
from antipodes.web.platform.translations import game_label

logger = logging.getLogger(__name__)

_BATCH = 2_000  # rows
_COMMIT_GRACE = 20.0  # seconds within which a transaction with a lower row id may still commit

# Receives primary keys of new rows in ascending order, and returns those to hand over again later.
Handler = Callable[[list[int]], Collection[int]]


class Feed:
    """The change feed of one table: hands new rows to a handler, outside of the writers' requests.

    A feed stores a cursor, the last row that has been read. Transactions can commit in another
    order than their row ids were assigned, so a feed reads the latest rows again for some seconds
    before it advances its cursor. The ids in between are kept in memory only: after a crash the
    next process reads those rows again. Handlers must therefore be idempotent.
    """

    def __init__(self, name: str, table: type[models.Model], handle: Handler) -> None:
        self.name = name
        self._rows = table._default_manager  # noqa: SLF001 - Django's own name for it
        self._handle = handle
        self.is_pending = False  # whether the handler wants some keys again
        self._read: set[int] = set()
        self._marks: deque[tuple[float, int]] = deque()

    def forget(self) -> None:
        """Discard the in-memory state, as a restart of the process does."""
        self._read.clear()
        self._marks.clear()

    def read(self) -> None:
        """Hand new rows to the handler."""
        cursor, _ = CursorRow.objects.get_or_create(name=self.name)
        self.is_pending = False
        while self._read_batch(cursor) >= _BATCH:
            pass
        self._advance(cursor)

    def _read_batch(self, cursor: CursorRow) -> int:
        """Hand one batch of new rows to the handler; return how many it has finished."""
        later = self._rows.filter(pk__gt=cursor.position).order_by("pk")
        # Rows that were read stay above the cursor for a while, and take no place of new ones.
        keys = later.values_list("pk", flat=True)[: _BATCH + len(self._read)]
        new = [key for key in keys if key not in self._read]
        if not new:
            return 0
        again = set(self._handle(new))
        self._read.update(key for key in new if key not in again)
        self._marks.append((time.monotonic(), new[-1]))
        self.is_pending = bool(again)
        return len(new) - len(again)

    def _advance(self, cursor: CursorRow) -> None:
        """Advance the cursor past rows that were read long enough ago."""
        position = cursor.position
        while self._marks and self._marks[0][0] < time.monotonic() - _COMMIT_GRACE:
            position = max(position, self._marks.popleft()[1])
        if position != cursor.position:
            CursorRow.objects.filter(pk=cursor.pk).update(position=position)
            self._read = {key for key in self._read if key > position}


Returned = TypeVar("Returned")

_LEASE = "match events"
_LEASE_SECONDS = 20.0  # after which another process reads, if this one is killed

# All in milliseconds.
_LEASE_RETRY = 5_000  # until this process tries again to acquire the lease
_ARRIVAL = 4_000  # until a newly opened page has reported which match it shows
TURN_DELAY = 2_000  # no notification for a turn that takes less time ...
_LIVE_DELAY = 15_000  # ... and in a live game

# Given matches, yields pairs of a match and a user who sees its turns in another place, such as a
# list of boards.
Overseers = Callable[[Collection[int]], Iterable[tuple[int, int]]]
overseen_by: Sequence[Overseers] = ()  # set by the wiring

# Agreement to these has a notification of its own: the match ends, or a new one begins.
_LONGEST_TEXT = 500  # characters of a chat message in a notification
_NOTIFIED_OTHERWISE = frozenset({OfferKind.DRAW, OfferKind.REMATCH})
_OF_A_TURN = (NotificationKind.YOUR_TURN, NotificationKind.REMINDER)


@dataclass(frozen=True)
class _MatchContext:
    """A match in which something happened.

    Attributes:
        row: the match, with seats and users.
        viewers: keys of users who view it now.
        overseers: keys of users who see its turns in another place.
    """

    row: MatchRow
    viewers: Collection[int]
    overseers: Collection[int] = ()

    def users(self) -> list[User]:
        """Return the human players, each once."""
        players = {seat.user_id: seat.user for seat in self.row.seats.all()}
        return [user for user in players.values() if not user.is_computer]

    def user_on(self, seat: int | None) -> User | None:
        return next((one.user for one in self.row.seats.all() if one.number == seat), None)

    @property
    def is_quiet(self) -> bool:
        """Whether there is only one human player, so that no opponent waits."""
        return len(self.users()) < 2

    def others(self, than: User | None) -> Iterable[User]:
        """Return the players who do not view the match, except one of them."""
        for user in self.users():
            if user != than and user.pk not in self.viewers:
                yield user

    def notify(self, user: User, kind: NotificationKind, key: str, **more: object) -> None:
        """Notify a player of something in this match."""
        row = self.prepare(user, kind, key, **more)
        if row is not None:
            store([row])

    def prepare(
        self, user: User, kind: NotificationKind, key: str, **more: object
    ) -> NotificationRow | None:
        """Return a notification that can be stored with others."""
        key = f"{kind.value} {self.row.slug} {key}".rstrip()
        quiet = self.is_quiet
        return prepare(user, kind, key=key, match=self.row, is_quiet=quiet, **more)  # type: ignore[arg-type]


def _contexts(matches: Collection[int]) -> list[_MatchContext]:
    """Return matches by their keys, with the users who view them."""
    viewers: dict[int, set[int]] = defaultdict(set)
    marks = ViewingRow.objects.filter(match__in=matches, until__gt=now())
    for match, user in marks.values_list("match", "user"):
        viewers[match].add(user)
    overseers: dict[int, set[int]] = defaultdict(set)
    for find in overseen_by:
        for match, user in find(matches):
            overseers[match].add(user)
    rows = MatchRow.objects.filter(pk__in=matches).select_related("series")
    return [
        _MatchContext(row, viewers[row.pk], overseers[row.pk])
        for row in rows.prefetch_related(seated())
    ]


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn that has begun.

    Attributes:
        version: number of the match's events when it began.
        due: when the player needs a notification.
        dropped: whether the player lost conditional moves that did not fit the last move.
    """

    version: int
    due: int
    dropped: bool = False


class TurnNotifier:
    """Turns that have begun, for which players may need a notification."""

    def __init__(self) -> None:
        self._waiting: dict[int, _Turn] = {}  # by match

    def note(self, events: Mapping[int, Sequence[Event]]) -> None:
        """Note the turns that have begun by events of matches."""
        found = _progress(match for match, some in events.items() if any(map(_begins_turn, some)))
        for match, version, delay in found:
            dropped = _has_dropped_conditional_moves(events[match])
            self._waiting[match] = _Turn(version, now() + delay, dropped)

    @property
    def next_due(self) -> int | None:
        """The earliest instant at which a player may need a notification."""
        return min((turn.due for turn in self._waiting.values()), default=None)

    def notify_due(self) -> None:
        """Notify players whose turn it still is and who do not view the match."""
        at = now()
        due = {match: turn for match, turn in self._waiting.items() if turn.due <= at}
        if not due:
            return
        lasting = set()
        for match, version, delay in _progress(due):
            if version == due[match].version:
                lasting.add(match)
            else:
                # An offer or conditional moves came meanwhile: a move would note its own turn.
                self._waiting[match] = replace(due[match], version=version, due=at + delay)
        contexts = _contexts(lasting)
        snapshots = shown_all([context.row for context in contexts])
        prepared = [
            _safely(_notification, context, snapshots[context.row.pk], due[context.row.pk].dropped)
            for context in contexts
        ]
        store([row for row in prepared if row is not None])
        for match, turn in due.items():  # last, so that the next run tries again after an outage
            if self._waiting[match] is turn:
                del self._waiting[match]


def _progress(matches: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Yield key, version and delay of notifications of those matches in which it is a turn."""
    rows = MatchRow.objects.filter(pk__in=list(matches), seat_to_move__gte=0, ended_at=None)
    for match, version, control in rows.values_list("pk", "version", "control"):
        yield match, version, _LIVE_DELAY if _is_live(control) else TURN_DELAY


def _is_live(control: str) -> bool:
    return read_control(control).pace is Pace.LIVE


def _begins_turn(event: Event) -> bool:
    return isinstance(event, Moved | TakenBack)


def _has_dropped_conditional_moves(events: Sequence[Event]) -> bool:
    """Return whether the player to move lost conditional moves that did not fit the last move."""
    moves = [one for one in events if isinstance(one, Moved | ConditionalMovesDropped)]
    return bool(moves) and isinstance(moves[-1], ConditionalMovesDropped)


def _notification(
    context: _MatchContext, snapshot: MatchSnapshot, dropped: bool
) -> NotificationRow | None:
    """Return the notification of a turn, if the player needs one."""
    user = context.user_on(context.row.seat_to_move)
    if user is None or user.is_computer or user.pk in {*context.viewers, *context.overseers}:
        return None
    if not snapshot.match.moves:
        return None
    last = snapshot.match.moves[-1]
    mover = context.user_on(last.seat)
    if mover == user:
        return None
    arguments: dict[str, object] = {"move": _move_text(snapshot, side_of(snapshot, user))}
    if dropped:
        arguments["dropped"] = True
    return context.prepare(
        user, NotificationKind.YOUR_TURN, _turn_key(snapshot), by=mover, **arguments
    )


def _turn_key(snapshot: MatchSnapshot) -> str:
    """Return a key of a turn, unique even after a takeback."""
    moves = snapshot.match.moves
    return f"{len(moves)} {moves[-1].at if moves else snapshot.row.begun_at}"


def _move_text(snapshot: MatchSnapshot, side: int = 0) -> str:
    """Return the last move in the notation of a side."""
    if not side:
        return str(json.loads(snapshot.moves[-1])["text"])
    match = snapshot.match
    last: str = position_after(match, match.ply - 1).format_move(match.moves[-1].move, side)
    return last


turns = TurnNotifier()


def _notify_of_events(keys: list[int]) -> Collection[int]:
    events: dict[int, list[tuple[int, Event]]] = defaultdict(list)
    rows = EventRow.objects.filter(pk__in=keys).order_by("match", "number")
    for match, number, data in rows.values_list("match", "number", "data"):
        events[match].append((number, read_event(data)))
    passed = {
        match: max(one.at for _, one in entries if _ends_turn(one))
        for match, entries in events.items()
        if any(_ends_turn(one) for _, one in entries)
    }
    mark_outdated_seen(passed, _OF_A_TURN)
    notable = [match for match, some in events.items() if any(_is_notable(one) for _, one in some)]
    for context in _contexts(notable):
        _safely(_notify_events, context, events[context.row.pk])
    turns.note({match: [one for _, one in some] for match, some in events.items()})
    return ()


def _is_notable(event: Event) -> bool:
    """Return whether players may need a notification of an event itself, not of the next turn."""
    return isinstance(event, Offered | Agreed | Declined | Withdrawn | Resumed | Ended)


def _ends_turn(event: Event) -> bool:
    return isinstance(event, Moved | TakenBack | Ended)


def _notify_events(context: _MatchContext, events: list[tuple[int, Event]]) -> None:
    for number, event in events:
        if isinstance(event, Offered | Agreed | Declined | Withdrawn | Resumed):
            _notify_offer(context, number, event)
        elif isinstance(event, Ended):
            _notify_end(context, event)


def _notify_offer(
    context: _MatchContext,
    number: int,
    event: Offered | Agreed | Declined | Withdrawn | Resumed,
) -> None:
    """Notify players of an offer, an answer to it, or the end of a pause."""
    if event.seat is None or (isinstance(event, Agreed) and event.offer in _NOTIFIED_OTHERWISE):
        return
    by = context.user_on(event.seat)
    about: dict[str, object] = {"sentence": key_of(event)}
    if isinstance(event, Offered) and event.offer is OfferKind.TAKEBACK:
        about["number"] = (look_up(context.row.slug).match.takeback_to or 0) + 1
    for user in context.others(by):
        context.notify(user, NotificationKind.OFFER, str(number), by=by, **about)


def _notify_end(context: _MatchContext, event: Ended) -> None:
    """Notify of the result, except the player who resigned, aborted or claimed a draw."""
    result = event.result
    # Who lost on time or left did not do it knowingly.
    is_absent = result.reason in (Reason.TIME, Reason.FORFEIT)
    actor = None if is_absent else context.user_on(event.seat)
    snapshot = look_up(context.row.slug)
    kind = (
        NotificationKind.FLAG_FELL if result.reason is Reason.TIME else NotificationKind.MATCH_ENDED
    )
    for user in context.others(actor):
        outcome = outcome_for(snapshot, user.pk, result)
        context.notify(user, kind, "", outcome=outcome, reason=result.reason.value)


def outcome_for(snapshot: MatchSnapshot, user: int, result: Result) -> str:
    """Return how a match ended for one of its players: an ``outcome`` that ``messages`` knows."""
    if result.reason is Reason.VOID:
        return "void"
    if result.winner is None:
        return "drawn" if result.is_draw else "over"
    colors = {snapshot.match.color_of(seat) for seat in snapshot.seats_of(user)}
    if len(colors) != 1:
        return "over"
    return "won" if result.winner in colors else "lost"


def _notify_of_matches(keys: list[int]) -> Collection[int]:
    """Notify players who do not view their match already that it has begun."""
    early = set()
    for context in _contexts(keys):
        if context.row.begun_at > now() - _ARRIVAL:
            early.add(context.row.pk)
        elif context.row.ended_at is None:
            _safely(_notify_start, context)
    return early


def _notify_start(context: _MatchContext) -> None:
    first = context.user_on(context.row.seat_to_move)
    moved = _players_who_moved(context)
    for user in context.others(None):
        # A player who started a game with the computer or has moved knows that it has begun; mail
        # players need the board nevertheless.
        is_news = not context.is_quiet and user not in moved and user.pk not in context.overseers
        if is_news or mail_play.plays(user):
            context.notify(user, NotificationKind.MATCH_BEGAN, "", turn=int(user == first))


def _players_who_moved(context: _MatchContext) -> set[User | None]:
    moves = look_up(context.row.slug).match.moves if context.row.version else ()
    return {context.user_on(one.seat) for one in moves if one.source is not MoveSource.GIVEN}


def _notify_of_chat(keys: list[int]) -> Collection[int]:
    """Notify players of chat messages in their matches."""
    lines = ChatLine.objects.filter(pk__in=keys, room=ChatLine.Room.SEATED).order_by("pk")
    by_match: dict[int, list[ChatLine]] = defaultdict(list)
    for line in lines.select_related("user"):
        if line.match_id is not None:
            by_match[line.match_id].append(line)
    for context in _contexts(by_match):
        for line in by_match[context.row.pk]:
            for user in context.others(line.user):
                _safely(_notify_message, context, line, user)
    return ()


def _notify_message(context: _MatchContext, line: ChatLine, user: User) -> None:
    """Notify of one message, or add it to the unread notification about earlier ones."""
    about = {"text": clean_line(line.text)[:_LONGEST_TEXT], "last": line.pk}
    unseen = NotificationRow.objects.filter(
        user=user, match=context.row, kind=NotificationKind.CHAT, seen_at=None
    ).first()
    if unseen is None:
        context.notify(user, NotificationKind.CHAT, str(line.pk), by=line.user, count=1, **about)
    elif line.pk > unseen.arguments.get("last", 0):
        count = unseen.arguments.get("count", 1) + 1
        later = {"arguments": {**about, "count": count}, "by": line.user}
        NotificationRow.objects.filter(pk=unseen.pk).update(**later)


def _notify_of_invitations(keys: list[int]) -> Collection[int]:
    """Notify invited players."""
    invitations = ChallengeRow.invited.through.objects.filter(pk__in=keys)
    by_challenge: Mapping[int, ChallengeRow] = ChallengeRow.objects.select_related("by").in_bulk(
        [row.challengerow_id for row in invitations]
    )
    for row in invitations.select_related("user"):
        challenge = by_challenge[row.challengerow_id]
        if challenge.match_id is None and challenge.by != row.user:
            _safely(_notify_invitation, challenge, row.user)
    return ()


def _notify_invitation(challenge: ChallengeRow, user: User) -> None:
    notify(
        user,
        NotificationKind.INVITED,
        key=f"invited {challenge.slug}",
        by=challenge.by,
        path=f"/c/{challenge.slug}/",
        game=challenge.game_id,
    )


def _safely(do: Callable[..., Returned], *arguments: object) -> Returned | None:
    """Call a function for one match and log its errors, so that other matches are not affected.

    If the database or Redis is unavailable the run ends, and the next one reads the same rows.
    """
    try:
        return do(*arguments)
    except Exception as error:
        if outage_of(error):
            raise
        keys = [f"{type(one).__name__} {getattr(one, 'pk', '')}".strip() for one in arguments]
        logger.exception("notification failed task=%s for=%s", do, ", ".join(keys))
        return None


FEEDS = (
    Feed("matches", MatchRow, _notify_of_matches),
    Feed("events", EventRow, _notify_of_events),
    Feed("lines", ChatLine, _notify_of_chat),
    Feed("invitations", ChallengeRow.invited.through, _notify_of_invitations),
)


def notify_of_match_events() -> None:
    """Notify of what has happened since the last run."""
    if not locks.acquire_lease(_LEASE, _LEASE_SECONDS):
        delivery.alarm.set_at(now() + _LEASE_RETRY)
        return
    for feed in FEEDS:
        feed.read()
    turns.notify_due()
    delivery.alarm.set_at(turns.next_due)
    if any(feed.is_pending for feed in FEEDS):
        delivery.alarm.set_at(now() + _ARRIVAL)


def tell_players(row: MatchRow, **_arguments: object) -> None:
    """Tell the pages of the players of a match that has just begun."""
    if row.version:
        return
    users = {seat.user for seat in row.seats.select_related("user")}
    if _await_each_other(row, users):
        message = {"type": "match.began", "slug": row.slug}
        # Who has many games at once sees them in another place.
        overseers = {user for find in overseen_by for _match, user in find([row.pk])}
        for user in {user.pk for user in users} - overseers:
            transaction.on_commit(partial(pubsub.send_to_group, bell_group(user), message))


def beginnings(user: User, slug: str | None = None) -> list[BeginningOut]:
    """Return what pages need of a user's live games that begin now, or of one of them."""
    rows = MatchRow.objects.filter(
        ended_at=None, begun_at__gt=now() - GRACE, pk__in=played_by(user)
    )
    if slug is not None:
        rows = rows.filter(slug=slug)
    rows = rows.select_related("rematch_of").prefetch_related(seated())
    overseen = {
        match
        for find in overseen_by
        for match, who in find([one.pk for one in rows])
        if who == user.pk
    }
    return [
        _about(row, user)
        for row in rows
        if row.pk not in overseen
        and _await_each_other(row, {seat.user for seat in row.seats.all()})
    ]


def _about(row: MatchRow, user: User) -> BeginningOut:
    others = _names(seat.user for seat in row.seats.all() if seat.user_id != user.pk)
    words = _("Your game of %(game)s with %(others)s begins.")
    return {
        "slug": row.slug,
        "words": words % {"game": game_label(row.game_id, row.options), "others": others},
        "after": row.rematch_of.slug if row.rematch_of else None,
    }


def _names(users: Iterable[User]) -> str:
    return ", ".join(dict.fromkeys(user.name for user in users))


def _await_each_other(row: MatchRow, users: Collection[User]) -> bool:
    """Return whether a match has several people: who plays the computer has begun it."""
    return len(users) > 1 and is_live_between_people(read_control(row.control), users)
