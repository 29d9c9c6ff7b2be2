"""Match snapshots: a match at one version, what each viewer is told of it, and their cache.

The schemas of what clients are told stand here with the functions that fill them, so that a new
field of a match is one change in one file. The public part is serialised once for each version.

The database is the source of truth. A cached snapshot is used only if its version is the row's, and
is brought up to date if the row is newer, so that events are replayed only once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Annotated, Any, Literal

from django.db import connection, transaction
from django.utils import translation
from typing_extensions import TypedDict

from antipodes.core import Move
from antipodes.games.position import Position
from antipodes.match import (
    Branch,
    ConditionalMoves,
    MadeMove,
    Match,
    MoveSource,
    OfferKind,
    read_event,
)
from antipodes.records import Result
from antipodes.search.levels import level_of
from antipodes.web.accounts.levels import computer_name
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import EventRow, MatchRow, SeatRow, SeriesRow
from antipodes.web.matches.presenters import (
    LegalMoves,
    ShownMove,
    legal_moves_json,
    move_view,
    open_swap,
    pieces,
    play_through,
)
from antipodes.web.matches.schemas import (
    Cell,
    EndReason,
    LoserColor,
    Options,
    Pieces,
    ResultText,
    Seat,
    Seats,
    WinnerColor,
)
from antipodes.web.platform.queries import all_rows, table
from antipodes.web.platform.schemas import (
    Milliseconds,
    Slug,
    Whole,
    about,
    closed,
    json_of,
)
from antipodes.web.platform.translations import caption_text, result_text, translate

_MOST = 2_000  # cached matches
_MOST_MOVES = 200_000  # of all cached matches; each takes about 1 kB
_TOGETHER = 20  # matches whose events one query reads


# --- what clients are told ------------------------------------------------------------------------


@closed
class MoveOut(ShownMove):
    """A move of the match."""

    seat: Seat
    at: Milliseconds
    source: MoveSource


@closed
class SeatOut(TypedDict):
    """A seat with its player."""

    seat: Seat
    name: str
    computer: bool
    level: Annotated[int | None, about("of the computer")]
    color: str


@closed
class DeclinedOfferOut(TypedDict):
    """An offer that was declined."""

    by: Seat
    agreed: Annotated[Seats, about("the seats that had accepted it")]


@closed
class ClockOut(TypedDict):
    """The clock at ``since``, from when the time of ``seat`` runs."""

    control: str
    pace: str
    seat: Seat | None
    running: bool
    paused: bool
    away: Annotated[Seats, about("seats on vacation")]
    vacations: Annotated[list[int], about("for each seat: vacation left, in milliseconds")]
    until: Annotated[list[int | None], about("for each seat: when its vacation ends")]
    left: Annotated[list[int | None], about("for each seat: milliseconds left, or null")]
    since: Milliseconds | None
    grace: Annotated[
        int, about("milliseconds of each seat's first turn in which the clock stands still")
    ]
    freeUntil: Annotated[
        Milliseconds | None, about("in a first turn: the instant until which it costs no time")
    ]
    abortsLate: Annotated[bool, about("whether the match is aborted without a move by then")]


@closed
class SeriesOut(TypedDict):
    """The match-play series of a match."""

    slug: str
    points: Whole
    scores: list[int]
    games: Whole
    sides: list[list[str]]
    winner: int | None


@closed
class ConditionalMoveOut(TypedDict):
    """A conditional move with the moves that follow."""

    move: int
    text: str
    color: str
    own: bool
    then: list[ConditionalMoveOut]


class MatchConstants(TypedDict):
    """The part of a match that is the same in all versions."""

    slug: Slug
    game: str
    title: str
    options: Options
    rated: bool
    analysis: Annotated[bool, about("whether players may try variations")]
    setup: Annotated[
        dict[str, Any] | None,
        about("the position before the first move, if it is not the start of the game"),
    ]
    given: Annotated[Whole, about("number of moves made before the players' first turns")]
    begun: Milliseconds
    draws: Annotated[bool, about("whether a draw is possible with these options")]
    goals: Annotated[dict[str, str], about("the goal of each colour")]
    swapExchanges: Annotated[str, about("what a swap exchanges: seats, stones or nothing")]
    start: Pieces


class ResultOut(TypedDict):
    """How a match ended; all are null before its end."""

    result: ResultText
    winner: WinnerColor
    reason: EndReason
    loser: LoserColor


class MatchChanges(ResultOut):
    """The part of a match that each version changes, besides moves."""

    version: Annotated[Whole, about("number of events; it grows with each change")]
    ply: Annotated[Whole, about("number of moves")]
    caption: str
    seats: list[SeatOut]
    toMove: Seat | None
    clock: ClockOut
    offers: Annotated[
        dict[OfferKind, Seats], about("open offers with the seats that have accepted")
    ]
    takebackTo: Annotated[
        Whole | None, about("number of moves that an open offer of a takeback leaves")
    ]
    declined: Annotated[
        dict[OfferKind, DeclinedOfferOut], about("offers declined since the last move")
    ]
    withdrawn: Annotated[
        dict[OfferKind, Seat],
        about("offers withdrawn since the last move, with the seats that withdrew them"),
    ]
    chain: list[Cell]
    swap: Annotated[int | None, about("the swap move, if it is possible now")]
    series: SeriesOut | None
    next: Annotated[str | None, about("the rematch, or the next game of a series")]


MatchMoves = TypedDict(
    "MatchMoves",
    {
        "from": Annotated[Whole, about("number of earlier moves that remain")],
        "moves": list[MoveOut],
    },
)


class ViewerPart(TypedDict):
    """The part of a match that depends on its viewer, besides the legal moves."""

    now: Milliseconds
    seen: int | None
    own: Annotated[Seats, about("your seats")]
    conditionalMoves: Annotated[dict[int, list[ConditionalMoveOut]], about("of your seats")]
    resigning: Seats


@closed
class MatchOut(MatchConstants, MatchChanges, MatchMoves, ViewerPart):
    """A match, as the viewer may see it."""

    legal: Annotated[
        LegalMoves,
        about("in your turn: each legal move with its steps, or many moves as a product"),
    ]


@closed
class MatchMessage(TypedDict):
    """The state of the match, on connection and after each change."""

    type: Literal["match"]
    match: MatchOut


# --- a match at one version -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seated:
    """The user on a seat.

    Attributes:
        number: the seat.
        user: the user's id.
        own_name: name of a human player, or level of the computer.
        computer: player specification, such as ``computer:3``; empty for human players.
        stored_name: username and first name of the account, of which its name is made.
    """

    number: int
    user: int
    own_name: str
    computer: str
    stored_name: tuple[str, str]

    @property
    def name(self) -> str:
        """Display name, in the active language."""
        return computer_name(self.own_name) if self.computer else self.own_name

    @classmethod
    def of(cls, row: SeatRow) -> Seated:
        """Read a row whose user is loaded."""
        user = row.user
        own_name = user.first_name if user.is_computer else user.name
        stored_name = user.username, user.first_name
        return cls(row.number, user.pk, own_name, user.computer, stored_name)


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """An immutable snapshot of a match at one version.

    Attributes:
        row: the match's row at that version.
        seats: the user on each seat.
        match: the match itself.
        start: the piece on each cell before the first move.
        moves: each move that stands, as JSON for clients.
        next: slug of the rematch or of the next game of a series, if there is one.
        texts: cache of JSON made from this snapshot.
        constant_texts: cache of JSON, by language, that all versions share.
    """

    row: MatchRow
    seats: tuple[Seated, ...]
    match: Match
    start: dict[int, str]
    moves: tuple[str, ...]
    next: str | None = None
    texts: dict[object, str] = field(default_factory=dict, compare=False)
    constant_texts: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def version(self) -> int:
        """Number of events."""
        return self.row.version

    def seats_of(self, user: int | None) -> tuple[int, ...]:
        return tuple(seat.number for seat in self.seats if seat.user == user)

    def after(self, row: MatchRow, match: Match) -> MatchSnapshot:
        """Return the snapshot of a later version, reusing the JSON of earlier moves."""
        before = self.match.moves
        if match.moves[: len(before)] != before:
            # After a takeback other moves may stand in the same places: write all of them again.
            return _replayed(row, self.seats, match)
        added = match.moves[len(before) :]
        if len(added) == 1:
            # The usual change: the match has played the move already.
            view = move_view(self.match.position, added[0].move, match.position)
            moves = (*self.moves, _move_json(view, added[0]))
        else:
            moves = (*self.moves, *_shown(self.match.position, added))
        return MatchSnapshot(
            row,
            self.seats,
            match,
            self.start,
            moves,
            _next(row, match),
            constant_texts=self.constant_texts,
        )


def _replayed(row: MatchRow, seats: tuple[Seated, ...], match: Match) -> MatchSnapshot:
    origin = match.terms.origin
    start, moves = pieces(origin), _shown(origin, match.moves)
    return MatchSnapshot(row, seats, match, start, moves, _next(row, match))


def _next(row: MatchRow, match: Match) -> str | None:
    if match.result is None:
        return None
    return MatchRow.objects.filter(rematch_of=row.pk).values_list("slug", flat=True).first()


def _shown(position: Position, added: Sequence[MadeMove]) -> tuple[str, ...]:
    """Return moves that were made in a position as JSON for clients."""
    if not added:
        return ()
    played = play_through(position, (made.move for made in added))
    return tuple(_move_json(view, made) for view, made in zip(played.moves, added, strict=True))


def _move_json(view: ShownMove, made: MadeMove) -> str:
    move: MoveOut = {**view, "seat": made.seat, "at": made.at, "source": made.source}
    return json_of(move)


def common(before: Sequence[str], after: Sequence[str]) -> int:
    """Return the length of the common prefix of two lines of moves."""
    pairs = enumerate(zip(before, after, strict=False))
    shorter = min(len(before), len(after))
    return next((ply for ply, (one, other) in pairs if one != other), shorter)


# --- its JSON -------------------------------------------------------------------------------------


def match_json(
    snapshot: MatchSnapshot,
    viewer: int | None,
    *,
    now: int,
    seen: int | None = None,
    known: int = 0,
) -> str:
    """Return a match as a viewer may see it, as JSON.

    Args:
        snapshot: the match.
        viewer: the user's id, or ``None`` for anonymous viewers.
        now: the server's time in milliseconds.
        seen: number of moves at the viewer's last visit.
        known: number of moves that the viewer has already; they are left out, and ``from`` repeats
            the number.
    """
    own = _own_view(snapshot, viewer, now, seen)
    # Texts are joined, not data: each change is written once, however many viewers there are.
    parts = [_public(snapshot)[:-1], _moves(snapshot, known), json_of(own)[1:-1]]
    # Only the player to move needs the legal moves, which may be the longest part.
    legal = _legal(snapshot) if snapshot.match.seat_to_move in own["own"] else "[]"
    return f'{",".join(parts)},"legal":{legal}}}'


def _public(snapshot: MatchSnapshot) -> str:
    """Return the public part without the moves."""
    texts, constant_texts = snapshot.texts, snapshot.constant_texts
    language = translation.get_language()
    key = "public", language
    if language not in constant_texts:
        constant_texts[language] = json_of(_constant_view(snapshot))
    if key not in texts:
        texts[key] = f"{constant_texts[language][:-1]},{json_of(_changing_view(snapshot))[1:]}"
    return texts[key]


def _moves(snapshot: MatchSnapshot, known: int) -> str:
    key = "moves", known
    if key not in snapshot.texts:
        snapshot.texts[key] = f'"from":{known},"moves":[{",".join(snapshot.moves[known:])}]'
    return snapshot.texts[key]


def _legal(snapshot: MatchSnapshot) -> str:
    texts = snapshot.texts
    if "legal" not in texts:
        texts["legal"] = legal_moves_json(snapshot.match.position)
    return texts["legal"]


def _constant_view(snapshot: MatchSnapshot) -> MatchConstants:
    """Return what is the same in all versions of a match."""
    row, match = snapshot.row, snapshot.match
    game = match.terms.game
    return {
        "slug": row.slug,
        "game": row.game_id,
        "title": translate(game.title),
        "options": row.options,
        "rated": row.rated,
        "analysis": row.analysis,
        "setup": (row.start or {}).get("setup"),
        "given": len(match.terms.given_moves),
        "begun": row.begun_at,
        "draws": game.has_draws,
        "goals": {color.value: translate(goal) for color, goal in game.goals_in_words.items()},
        "swapExchanges": game.swap_exchanges,
        "start": snapshot.start,
    }


def _changing_view(snapshot: MatchSnapshot) -> MatchChanges:
    row, match = snapshot.row, snapshot.match
    position = match.position
    return {
        "version": row.version,
        "ply": match.ply,
        "caption": caption_text(position),
        "seats": [_seat_view(seat, match) for seat in snapshot.seats],
        "toMove": match.seat_to_move,
        **result_view(match.result),
        "clock": _clock_view(match),
        "offers": {kind: list(agreed) for kind, agreed in match.offers.items()},
        "takebackTo": match.takeback_to if OfferKind.TAKEBACK in match.offers else None,
        "declined": {
            kind: {"by": by, "agreed": list(agreed)}
            for kind, (by, agreed) in match.declined.items()
        },
        "withdrawn": dict(match.withdrawn),
        "chain": list(position.winning_chain()),
        "swap": open_swap(position),
        "series": _series_view(row.series, snapshot.seats) if row.series else None,
        "next": snapshot.next,
    }


def result_view(result: Result | None) -> ResultOut:
    """Return the result of a match as data, and as a sentence in the reader's language."""
    if result is None:
        return {"result": None, "winner": None, "reason": None, "loser": None}
    return {
        "result": result_text(result),
        "winner": result.winner and result.winner.value,
        "reason": result.reason,
        "loser": result.loser and result.loser.value,
    }


def _seat_view(seat: Seated, match: Match) -> SeatOut:
    return {
        "seat": seat.number,
        "name": seat.name,
        "computer": bool(seat.computer),
        "level": _level_number(seat.computer),
        "color": match.color_of(seat.number).value,
    }


def _level_number(player: str) -> int | None:
    level = level_of(player)
    return None if level is None else level.number


def _clock_view(match: Match) -> ClockOut:
    clock = match.clock
    return {
        "control": str(clock.control),
        "pace": clock.control.pace.value,
        "seat": clock.seat,
        "running": clock.is_running,
        "paused": clock.paused,
        "away": sorted(clock.away),
        "vacations": list(clock.vacations),
        "until": list(clock.until),
        # As of ``since``, so that the text is right for the whole version; clients count down.
        "left": [clock.left(seat, clock.since or 0) for seat in range(len(clock.banks))],
        "since": clock.since,
        "grace": match.terms.grace,
        "freeUntil": clock.free_until,
        "abortsLate": clock.ends_late,
    }


def _series_view(row: SeriesRow, seats: Sequence[Seated]) -> SeriesOut:
    names = {seat.user: seat.name for seat in seats}
    return {
        "slug": row.slug,
        "points": row.target,
        "scores": row.scores,
        "games": row.games,
        "sides": [[names[user] for user in side] for side in row.sides],
        "winner": row.winner,
    }


def _own_view(
    snapshot: MatchSnapshot, viewer: int | None, now: int, seen: int | None
) -> ViewerPart:
    match, own = snapshot.match, list(snapshot.seats_of(viewer))
    return {
        "now": now,
        "seen": seen,
        "own": own,
        # Opponents must not see what follows, so it never enters the public part that all share.
        "conditionalMoves": {
            seat: _branches(match.position, match.conditional_moves[seat], seat) for seat in own
        },
        "resigning": sorted(match.resigning & set(own)),
    }


def _branches(
    position: Position | None, moves: ConditionalMoves, seat: int
) -> list[ConditionalMoveOut]:
    """Return conditional moves with their texts, including moves that are not legal."""
    return [_branch_view(position, branch, seat) for branch in moves.branches]


def _branch_view(position: Position | None, branch: Branch, seat: int) -> ConditionalMoveOut:
    legal = position is not None and branch.move in position.legal_moves
    known = position if legal else None
    after = known.play(Move(branch.move)) if known else None
    return {
        "move": branch.move,
        "text": known.format_move(Move(branch.move)) if known else f"move {branch.move}",
        "color": known.to_move.value if known else "",
        "own": position is not None and position.seat_to_move == seat,
        "then": _branches(after, branch.then, seat),
    }


# --- the cache ------------------------------------------------------------------------------------

_lock = threading.Lock()
_kept: OrderedDict[str, MatchSnapshot] = OrderedDict()


def keep(snapshot: MatchSnapshot) -> None:
    """Cache a snapshot that is committed to the database."""
    slug = snapshot.row.slug
    with _lock:
        known = _kept.get(slug)
        if known is None or known.version <= snapshot.version:
            _kept[slug] = snapshot
            _kept.move_to_end(slug)
        if known is None:
            _forget_the_oldest()


def _forget_the_oldest() -> None:
    moves = sum(len(snapshot.moves) for snapshot in _kept.values())
    while len(_kept) > _MOST or (moves > _MOST_MOVES and len(_kept) > 1):
        _slug, snapshot = _kept.popitem(last=False)
        moves -= len(snapshot.moves)


def kept(slug: str) -> MatchSnapshot | None:
    """Return the cached snapshot of a match, which may be older than the row and its users."""
    with _lock:
        return _kept.get(slug)


def forget(slug: str | None = None) -> None:
    """Drop a match, or all matches, from the cache."""
    with _lock:
        if slug is None:
            _kept.clear()
        else:
            _kept.pop(slug, None)


def snapshot_of(row: MatchRow) -> MatchSnapshot:
    """Return the snapshot at the version of a row that has just been read."""
    return snapshot_at(row, _cached([row]).get(row.pk))


def snapshot_at(row: MatchRow, known: MatchSnapshot | None) -> MatchSnapshot:
    """Return the snapshot at the version of a row, made from a known one of the same names."""
    if known is None or known.version > row.version:
        seat_rows = list(row.seats.select_related("user"))
        return _replayed(row, tuple(map(Seated.of, seat_rows)), row.match(seat_rows))
    if known.version == row.version:
        return known
    match = known.match
    # Another process may have stored later events since the row was read; leave those out.
    for event in row.events.filter(number__gte=known.version, number__lt=row.version):
        match = match.after(read_event(event.data))
    return known.after(row, match)


def shown(row: MatchRow) -> MatchSnapshot:
    """Return the snapshot at the version of a row, and cache it when the row is committed."""
    snapshot = snapshot_of(row)
    transaction.on_commit(partial(keep, snapshot))
    return snapshot


def shown_all(rows: Iterable[MatchRow]) -> dict[int, MatchSnapshot]:
    """Return the snapshots at the versions of rows, by their keys, and cache them.

    Names are read for all matches at once, and events that are missing in the cache for many.
    """
    rows = list(rows)
    cached = _cached(rows)
    # In order of versions, since a group's query reads events from its lowest version on.
    behind = sorted(
        (row for row in rows if row.pk in cached and cached[row.pk].version < row.version),
        key=lambda row: cached[row.pk].version,
    )
    for at in range(0, len(behind), _TOGETHER):
        _bring_up_to_date(cached, behind[at : at + _TOGETHER])
    snapshots = {row.pk: snapshot_at(row, cached.get(row.pk)) for row in rows}
    for snapshot in snapshots.values():
        transaction.on_commit(partial(keep, snapshot))
    return snapshots


def _bring_up_to_date(cached: dict[int, MatchSnapshot], behind: Sequence[MatchRow]) -> None:
    """Replace snapshots by those at the versions of rows; the first one lacks the most events."""
    later = EventRow.objects.filter(
        match__in=[row.pk for row in behind], number__gte=cached[behind[0].pk].version
    )
    events: dict[int, list[Any]] = defaultdict(list)
    for key, number, data in later.values_list("match", "number", "data"):
        events[key].append((number, data))
    for row in behind:
        known = cached[row.pk]
        match = known.match
        for number, data in events[row.pk]:
            if known.version <= number < row.version:
                match = match.after(read_event(data))
        cached[row.pk] = known.after(row, match)


def look_up(slug: str) -> MatchSnapshot:
    """Return the present snapshot of a match, and cache it.

    Raises:
        MatchRow.DoesNotExist: there is no such match.
    """
    known, version = known_of(slug)
    if known is None or known.version != version:
        row = MatchRow.objects.select_related("series").get(slug=slug)
        known = snapshot_at(row, known)
    # Also one that is cached already: used last, so that it is dropped last.
    transaction.on_commit(partial(keep, known))
    return known


def known_of(slug: str, *, locks: bool = False) -> tuple[MatchSnapshot | None, int | None]:
    """Return the cached snapshot of a match if its names are those of today, and its version.

    Accounts are renamed and deleted, and guests' seats are taken over, without a new version. With
    ``locks`` the row is locked until the transaction ends, where the database locks rows. Without
    a snapshot the version is ``None``.
    """
    known = kept(slug)
    if known is None:
        return None, None
    stored = all_rows(_version_and_names(locks=locks), slug)
    if not stored or not _is_of(known, [names for _, *names in stored]):
        return None, None
    return known, stored[0][0]


@cache
def _version_and_names(*, locks: bool) -> str:
    """Return a query for a match's version, in a row for each seat with the user's names."""
    lock = " FOR UPDATE OF m" if locks and connection.features.has_select_for_update_of else ""
    return (
        f"SELECT m.version, player.username, player.first_name FROM {table(MatchRow)} m"  # noqa: S608
        f" JOIN {table(SeatRow)} seat ON seat.match_id = m.id"
        f" JOIN {table(User)} player ON player.id = seat.user_id"
        f" WHERE m.slug = %s ORDER BY seat.number{lock}"
    )


def _cached(rows: Sequence[MatchRow]) -> dict[int, MatchSnapshot]:
    """Return the cached snapshots of matches, by their keys, if their names are those of today."""
    cached = {row.pk: known for row in rows if (known := kept(row.slug))}
    if not cached:
        return {}
    keys = ", ".join(["%s"] * len(cached))
    query = (
        f"SELECT seat.match_id, player.username, player.first_name FROM {table(SeatRow)} seat"  # noqa: S608
        f" JOIN {table(User)} player ON player.id = seat.user_id"
        f" WHERE seat.match_id IN ({keys}) ORDER BY seat.number"
    )
    stored: dict[int, list[Sequence[str]]] = defaultdict(list)
    for key, *names in all_rows(query, *cached):
        stored[key].append(names)
    return {key: known for key, known in cached.items() if _is_of(known, stored[key])}


def _is_of(known: MatchSnapshot, stored: Iterable[Sequence[str]]) -> bool:
    """Return whether the names of a snapshot's users are the stored ones."""
    return [seat.stored_name for seat in known.seats] == [tuple(names) for names in stored]
