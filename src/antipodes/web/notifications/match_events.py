"""What happens at matches, told to those who do not look: read from the rows, in the worker.

Nobody who plays waits for this. Rounds read what is new in the tables of events, matches, lines of
chat and invitations; keys of notices make sure that what is read twice is told once.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from antipodes.clocks import Pace, read_control
from antipodes.mail.layout.board import position_after
from antipodes.match import (
    Agreed,
    ConditionalMovesDropped,
    Declined,
    Ended,
    Event,
    Moved,
    Offered,
    OfferKind,
    Resumed,
    TakenBack,
    read_event,
)
from antipodes.records import Reason, Result
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import ChatLine, EventRow, MatchRow, seated
from antipodes.web.matches.snapshots import MatchSnapshot, look_up
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.notifications import mail_play
from antipodes.web.notifications.change_feed import Feed
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.models import NotificationRow, ViewingRow
from antipodes.web.notifications.services import settle, tell
from antipodes.web.platform import locks
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import OUTAGES
from antipodes.web.platform.periodic import every

logger = logging.getLogger(__name__)

# Both in milliseconds.
_LEASE = "match events"
_LEASE_SECONDS = 20.0  # after which another process reads, if this one is killed
_ARRIVAL = 4_000  # until a page that has just been opened has said that somebody looks
_BREATH = 15_000  # who answers sooner in a live game needs no call

# What follows from these is news of its own: the end, or a new match.
_SPEAK_FOR_THEMSELVES = frozenset({OfferKind.DRAW, OfferKind.REMATCH})
_OUT_OF_DATE = (Kind.YOUR_TURN, Kind.REMINDER)


@dataclass(frozen=True)
class _Scene:
    """A match that something happened at.

    Attributes:
        row: the match, with seats and users.
        lookers: keys of users who look at it now.
    """

    row: MatchRow
    lookers: Collection[int]

    def users(self) -> list[User]:
        """Return the people who play, each once."""
        people = {seat.user_id: seat.user for seat in self.row.seats.all()}
        return [user for user in people.values() if not user.is_computer]

    def user_on(self, seat: int | None) -> User | None:
        """Return who sits on a seat."""
        return next((one.user for one in self.row.seats.all() if one.number == seat), None)

    @property
    def is_live(self) -> bool:
        """Whether people sit at the board all the time."""
        return read_control(self.row.control).pace is Pace.LIVE

    @property
    def is_quiet(self) -> bool:
        """Whether somebody plays with the computer alone: nobody waits for them."""
        return len(self.users()) < 2

    def others(self, than: User | None) -> Iterable[User]:
        """Return the people who play and do not look, without one of them."""
        for user in self.users():
            if user != than and user.pk not in self.lookers:
                yield user

    def tell(self, user: User, kind: Kind, key: str, **more: object) -> None:
        """Tell somebody something about this match."""
        key = f"{kind.value} {self.row.slug} {key}".rstrip()
        quiet = self.is_quiet
        tell(user, kind, key=key, match=self.row, is_quiet=quiet, **more)  # type: ignore[arg-type]


def _scenes(matches: Collection[int]) -> list[_Scene]:
    """Return matches by their keys, with those who look at them."""
    lookers: dict[int, set[int]] = defaultdict(set)
    looks = ViewingRow.objects.filter(match__in=matches, until__gt=now())
    for match, user in looks.values_list("match", "user"):
        lookers[match].add(user)
    rows = MatchRow.objects.filter(pk__in=matches).select_related("series")
    return [_Scene(row, lookers[row.pk]) for row in rows.prefetch_related(seated())]


class TurnWatch:
    """Turns that have begun, and whether those whose they are need to be told."""

    def __init__(self) -> None:
        """Begin with no turns."""
        self._waiting: dict[int, tuple[int, int]] = {}  # match -> version, and when to look

    def note(self, scene: _Scene) -> None:
        """Note that a turn has begun; live games are given a moment for it to pass."""
        delay = _BREATH if scene.is_live else 0
        self._waiting[scene.row.pk] = scene.row.version, now() + delay

    def tell(self) -> None:
        """Tell those whose turn it still is, and who do not look."""
        due = {match: at[0] for match, at in self._waiting.items() if at[1] <= now()}
        scenes = {scene.row.pk: scene for scene in _scenes(due)} if due else {}
        for match, version in due.items():
            scene = scenes.get(match)
            if scene is not None and scene.row.version == version:
                _safely(_tell_turn, scene)
            del self._waiting[match]  # only now: in an outage it waits for the next round
            if scene is not None and _is_another_turn(scene.row, version):
                # An offer or a plan came meanwhile; if it was a move, its own turn is noted too.
                self.note(scene)


def _is_another_turn(row: MatchRow, version: int) -> bool:
    return row.version != version and row.ended_at is None and row.seat_to_move is not None


def _tell_turn(scene: _Scene) -> None:
    user = scene.user_on(scene.row.seat_to_move)
    if user is None or user.is_computer or user.pk in scene.lookers:
        return
    standing = look_up(scene.row.slug)
    if standing.version != scene.row.version or not standing.match.moves:
        return
    last = standing.match.moves[-1]
    mover = scene.user_on(last.seat)
    if mover == user:
        return
    words: dict[str, object] = {"move": _move_text(standing, side_of(standing, user))}
    if _has_dropped_a_plan(scene.row):
        words["dropped"] = True
    scene.tell(user, Kind.YOUR_TURN, _turn(standing), by=mover, **words)


def _has_dropped_a_plan(row: MatchRow) -> bool:
    """Return whether a prepared move of whoever is to move did not fit the last move."""
    kinds = [Moved.kind, ConditionalMovesDropped.kind]
    last = row.events.filter(data__kind__in=kinds).last()
    return last is not None and last.data["kind"] == ConditionalMovesDropped.kind


def _turn(standing: MatchSnapshot) -> str:
    """Name a turn: no other has the same, even after a takeback."""
    moves = standing.match.moves
    return f"{len(moves)} {moves[-1].at if moves else standing.row.begun_at}"


def _move_text(standing: MatchSnapshot, side: int = 0) -> str:
    """Return the last move as a seat writes it."""
    if not side:
        return str(json.loads(standing.moves[-1])["text"])
    match = standing.match
    last: str = position_after(match, match.ply - 1).format_move(match.moves[-1].move, side)
    return last


turns = TurnWatch()


def _on_events(keys: list[int]) -> Collection[int]:
    """Tell what events mean to people."""
    events: dict[int, list[tuple[int, Event]]] = defaultdict(list)
    rows = EventRow.objects.filter(pk__in=keys).order_by("match", "number")
    for match, number, data in rows.values_list("match", "number", "data"):
        events[match].append((number, read_event(data)))
    passed = {
        match: max(one.at for _, one in told if _ends_turn(one))
        for match, told in events.items()
        if any(_ends_turn(one) for _, one in told)
    }
    settle(passed, _OUT_OF_DATE)
    for scene in _scenes(events):
        _safely(_tell_events, scene, events[scene.row.pk])
    return ()


def _ends_turn(event: Event) -> bool:
    return isinstance(event, Moved | TakenBack | Ended)


def _tell_events(scene: _Scene, events: list[tuple[int, Event]]) -> None:
    for number, event in events:
        if isinstance(event, Offered | Agreed | Declined):
            _tell_offer(scene, number, event)
        elif isinstance(event, Resumed) and event.seat is not None:
            by = scene.user_on(event.seat)
            for user in scene.others(by):
                scene.tell(user, Kind.OFFER, str(number), by=by, offer="pause", act="ended")
        elif isinstance(event, Ended):
            _tell_end(scene, event)
    if scene.row.ended_at is None and any(
        isinstance(event, Moved | TakenBack) for _, event in events
    ):
        turns.note(scene)


def _tell_offer(scene: _Scene, number: int, event: Offered | Agreed | Declined) -> None:
    if isinstance(event, Agreed) and event.offer in _SPEAK_FOR_THEMSELVES:
        return
    by = scene.user_on(event.seat)
    words = {"offer": event.offer.value, "act": event.kind}
    for user in scene.others(by):
        scene.tell(user, Kind.OFFER, str(number), by=by, **words)


def _tell_end(scene: _Scene, event: Ended) -> None:
    """Tell how it ended; whoever resigned or called it off knows."""
    result = event.result
    did_it = scene.user_on(event.seat) if result.reason is not Reason.TIME else None
    standing = look_up(scene.row.slug)
    kind = Kind.FLAG_FELL if result.reason is Reason.TIME else Kind.MATCH_ENDED
    for user in scene.others(did_it):
        outcome = outcome_for(standing, user.pk, result)
        scene.tell(user, kind, "", outcome=outcome, reason=result.reason.value)


def outcome_for(standing: MatchSnapshot, user: int, result: Result) -> str:
    """Return how a match ended for one of its players: one of the words that ``texts`` knows."""
    if result.reason is Reason.VOID:
        return "void"
    if result.winner is None:
        return "drawn" if result.is_draw else "over"
    colors = {standing.match.color_of(seat) for seat in standing.seats_of(user)}
    if len(colors) != 1:
        return "over"
    return "won" if result.winner in colors else "lost"


def _on_matches(keys: list[int]) -> Collection[int]:
    """Tell that matches have begun, to those who do not look at them already."""
    early = set()
    for scene in _scenes(keys):
        if scene.row.begun_at > now() - _ARRIVAL:
            early.add(scene.row.pk)
        elif scene.row.ended_at is None:
            _safely(_tell_beginning, scene)
    return early


def _tell_beginning(scene: _Scene) -> None:
    first = scene.user_on(scene.row.seat_to_move)
    moved = _who_have_moved(scene)
    for user in scene.others(None):
        # That the computer plays too is no news, nor to whoever has moved that they play; but
        # whoever plays by mail needs the board.
        is_news = not scene.is_quiet and user not in moved
        if is_news or mail_play.plays(user):
            scene.tell(user, Kind.MATCH_BEGAN, "", turn=int(user == first))


def _who_have_moved(scene: _Scene) -> set[User | None]:
    moves = look_up(scene.row.slug).match.moves if scene.row.version else ()
    return {scene.user_on(move.seat) for move in moves}


def _on_lines(keys: list[int]) -> Collection[int]:
    """Tell players what others say at their matches."""
    lines = ChatLine.objects.filter(pk__in=keys, room=ChatLine.Room.SEATED).order_by("pk")
    said: dict[int, list[ChatLine]] = defaultdict(list)
    for line in lines.select_related("user"):
        said[line.match_id].append(line)
    for scene in _scenes(said):
        for line in said[scene.row.pk]:
            for user in scene.others(line.user):
                _safely(_tell_line, scene, line, user)
    return ()


def _tell_line(scene: _Scene, line: ChatLine, user: User) -> None:
    """Tell one line; where others of the match are unseen, one notice speaks for all."""
    about = {"text": line.text, "last": line.pk}
    unseen = NotificationRow.objects.filter(
        user=user, match=scene.row, kind=Kind.CHAT, seen_at=None
    ).first()
    if unseen is None:
        scene.tell(user, Kind.CHAT, str(line.pk), by=line.user, count=1, **about)
    elif line.pk > unseen.arguments.get("last", 0):
        count = unseen.arguments.get("count", 1) + 1
        later = {"arguments": {**about, "count": count}, "by": line.user}
        NotificationRow.objects.filter(pk=unseen.pk).update(**later)


def _on_invitations(keys: list[int]) -> Collection[int]:
    """Tell people that they are invited."""
    invitations = ChallengeRow.invited.through.objects.filter(pk__in=keys)
    by_challenge: Mapping[int, ChallengeRow] = ChallengeRow.objects.select_related("by").in_bulk(
        [row.challengerow_id for row in invitations]
    )
    for row in invitations.select_related("user"):
        challenge = by_challenge[row.challengerow_id]
        if challenge.match_id is None and challenge.by != row.user:
            _safely(_tell_invitation, challenge, row.user)
    return ()


def _tell_invitation(challenge: ChallengeRow, user: User) -> None:
    tell(
        user,
        Kind.INVITED,
        key=f"invited {challenge.slug}",
        by=challenge.by,
        path=f"/c/{challenge.slug}/",
        game=challenge.game_id,
    )


def _safely(do: object, *arguments: object) -> None:
    """Do something for one match; what goes wrong with it does not keep others from being told.

    If the database or Redis is away the round ends, and the next one reads the same rows again.
    """
    try:
        do(*arguments)  # type: ignore[operator]
    except OUTAGES:
        raise
    except Exception:
        keys = [f"{type(one).__name__} {getattr(one, 'pk', '')}".strip() for one in arguments]
        logger.exception("%s has failed for %s", do, ", ".join(keys))


FEEDS = (
    Feed("matches", MatchRow, _on_matches),
    Feed("events", EventRow, _on_events),
    Feed("lines", ChatLine, _on_lines),
    Feed("invitations", ChallengeRow.invited.through, _on_invitations),
)


@every(2)
def tell_news() -> None:
    """Tell what has happened since the last round."""
    if locks.acquire_lease(_LEASE, _LEASE_SECONDS):
        for feed in FEEDS:
            feed.read()
        turns.tell()
