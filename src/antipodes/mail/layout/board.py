"""The answer about a board: how it stands, its moves, its picture, and what is said there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antipodes.core import Color
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.base import BoardGame
from antipodes.games.placement import PlacementPosition
from antipodes.games.position import BoardPosition
from antipodes.mail.layout.report import BoardReport, Player
from antipodes.mail.layout.text import (
    NOTHING,
    WIDTH,
    field,
    instant,
    joined,
    parts,
    said,
    span,
    table,
)
from antipodes.match import MadeMove, Match, MoveSource, OfferKind
from antipodes.notation.ascii_pictures import SYMBOLS, legend
from antipodes.records import Reason, Result

_GIVEN_UP = frozenset({Reason.RESIGNATION, Reason.TIME, Reason.FORFEIT})
_OFFERS = {
    OfferKind.DRAW: "draw",
    OfferKind.TAKEBACK: "undo",
    OfferKind.PAUSE: "pause",
    OfferKind.REMATCH: "rematch",
}


def game_word(game_id: str) -> str:
    """Return a game's id as subjects have it: ``Antipod``, ``Cylindrical-Hex``."""
    return "-".join(part.capitalize() for part in game_id.split("-"))


def board_subject(game_id: str, number: int, user: str) -> str:
    """Return the subject of an answer about a board: ``Antipod Board 101 ann``.

    It is a command that lacks only the move, so a reply with the move at its end is one.
    """
    return f"{game_word(game_id)} Board {number} {user}"


def write_board(report: BoardReport, *, ply: int | None = None) -> str:
    """Write the answer about a board.

    Args:
        report: what there is to tell.
        ply: the number of moves after which the board is shown; ``None`` for how it stands now.

    Raises:
        ValueError: there were never so many moves.
    """
    return joined(board_blocks(report, ply=ply))


def board_blocks(report: BoardReport, *, ply: int | None = None) -> list[list[str]]:
    """Return the blocks of the answer about a board, between which blank lines stand."""
    match = report.match
    shown = match.ply if ply is None else ply
    if not 0 <= shown <= match.ply:
        raise ValueError(f"board {report.number} has {match.ply} moves, not {shown}")
    position = match.position if shown == match.ply else position_after(match, shown)
    return [
        [title_line(report.game_id, str(report.number)), *_news(report)],
        [*game_fields(match.terms.game), *_match_fields(report)],
        seat_table(report),
        _rating_table(report.players),
        _own_fields(report),
        _offer_fields(report),
        move_fields(match.terms.game, match.moves[:shown]),
        picture_fields(position, shown),
        [field("Followers", ", ".join(report.followers) or NOTHING), *_how_to_answer(report)],
        *(said(who, text) for who, text in report.comments),
    ]


def title_line(game_id: str, number: str, kind: str = "Board") -> str:
    """Return the first line about a board: ``Antipod Board 101``."""
    return f"{game_word(game_id)} {kind} {number}"


def _news(report: BoardReport) -> list[str]:
    return [field("News", news) for news in report.news]


def game_fields(game: BoardGame[Any, Any]) -> list[str]:
    """Return which game is played, with all its options."""
    options = " ".join(f"{name}={value}" for name, value in game.options.as_dict().items())
    return [field("Game", game.id), field("Options", options or NOTHING)]


def _match_fields(report: BoardReport) -> list[str]:
    terms = report.match.terms
    lines = [
        field("Terms", parts("rated" if terms.rated else "not rated", str(terms.control))),
        field("Link", report.link),
        field("Written", instant(report.now)),
        field("State", _state(report.match)),
        *_turn_or_result(report),
    ]
    if report.series:
        lines.append(field("Series", report.series))
    return lines


def _state(match: Match) -> str:
    if match.result is not None:
        return "over"
    return "paused" if match.clock.paused else "playing"


def _turn_or_result(report: BoardReport) -> list[str]:
    match = report.match
    if match.result is not None:
        return _result_fields(report, match.result)
    seat = match.position.seat_to_move
    who = seat_words(report, seat, match.position.to_move)
    return [field("Turn", parts(f"move {match.ply + 1}", *who)), *_phase_fields(match.position)]


def seat_words(report: BoardReport, seat: int, color: Color) -> tuple[str, str, str]:
    """Return seat, colour and name as the parts of a field."""
    return f"seat {seat + 1}", color_words(color), report.name_of(seat)


def color_words(color: Color) -> str:
    """Name a colour together with its character in pictures."""
    return f"{color.title} ({SYMBOLS[color]})"


def _phase_fields(position: BoardPosition[Any]) -> list[str]:
    """Return the phase and the rods left, where a game has such."""
    if not isinstance(position, AntipalosPosition) or position.game.is_mail:
        return []
    if position.phase == 2:
        return [field("Phase", parts("2", "each turn moves a rod"))]
    rods = ", ".join(f"{color.title} {count}" for color, count in position.rods_left().items())
    return [field("Phase", parts("1", f"rods left {rods}"))]


def _result_fields(report: BoardReport, result: Result) -> list[str]:
    match = report.match
    winners = ""
    if result.winner is not None:
        names = (report.name_of(seat) for seat in match.position.seat_of(result.winner))
        winners = "won by " + ", ".join(names)
    lines = [field("Result", parts(result.reason.value, result_words(result), winners))]
    outcome = match.position.outcome
    if isinstance(match.position, AntipalosPosition) and outcome is not None:
        lines.append(field("Points", str(outcome.points)))
    return lines


def result_words(result: Result) -> str:
    """Say how a match ended.

    Where one of several players gives up, nobody has won, and it is no draw either.
    """
    if result.winner is None and result.reason in _GIVEN_UP:
        return f"No winner, ended by {result.reason.value} ({result.text or NOTHING})"
    if result.reason is Reason.VOID:
        return "Called off, not counted" + (f" ({result.text})" if result.text else "")
    return str(result)


def seat_table(report: BoardReport) -> list[str]:
    """Return who sits where, with ratings and clocks."""
    match, clock = report.match, report.match.clock
    rows = []
    for seat, player in enumerate(report.players):
        left = None if match.result is not None else clock.left(seat, report.now)
        deadline = clock.deadline if seat == clock.seat else None
        rows.append(
            (
                str(seat + 1),
                color_words(match.color_of(seat)),
                player.name,
                player.rating,
                "" if left is None else span(left),
                "" if deadline is None else instant(deadline),
            )
        )
    lines = table("Seats", ("Seat", "Colour", "Player", "Rating", "Left", "Deadline"), rows)
    if match.result is None:
        away = ((report.name_of(seat), until) for seat, until in enumerate(clock.until))
        lines += [field("Away", parts(name, instant(at))) for name, at in away if at is not None]
    return lines


def _rating_table(players: Sequence[Player]) -> list[str]:
    rows = [
        (one.name, str(one.before), str(one.after), f"{one.after - one.before:+d}")
        for one in players
        if one.before is not None and one.after is not None
    ]
    return table("Ratings", ("Player", "Before", "After", "Change"), rows) if rows else []


def _own_fields(report: BoardReport) -> list[str]:
    """Return what only the viewer may know."""
    seat, match = report.viewer, report.match
    if seat is None:
        return []
    lines = [field("You", parts(*seat_words(report, seat, match.color_of(seat))))]
    if report.submitted:
        lines.append(field("Submitted", parts(report.submitted, "confirm plays it")))
    if report.queued:
        lines.append(field("Queued", report.queued))
    elif match.plans[seat]:
        lines.append(field("Plan", "you have prepared answers on the page of the match"))
    if seat in match.resigning:
        lines.append(field("Resigning", "when your turn comes; resign again takes it back"))
    return lines


def _offer_fields(report: BoardReport) -> list[str]:
    players = report.match.terms.players
    lines = []
    for kind, seats in report.match.offers.items():
        agreed = {players[seat] for seat in seats}
        open_for = [s for s in range(len(players)) if players[s] not in agreed]
        waits = ", ".join(dict.fromkeys(map(report.name_of, open_for)))
        if waits:
            by = f"by {report.name_of(seats[0])}"
            lines.append(field("Offer", parts(_OFFERS[kind], by, f"waits for {waits}")))
    return lines


def position_after(match: Match, ply: int) -> BoardPosition[Any]:
    """Return the position after so many moves of a match."""
    position: BoardPosition[Any] = match.terms.game.initial()
    for made in match.moves[:ply]:
        position = position.play(made.move)
    return position


def move_fields(game: BoardGame[Any, Any], moves: Sequence[MadeMove]) -> list[str]:
    """Return what lay on the board at the start, and the numbered moves in columns."""
    texts = move_texts(game, [made.move for made in moves])
    automatic = [made.source is MoveSource.PLAN for made in moves]
    return [*start_fields(game), *numbered("Moves", texts, game.seats, automatic=automatic)]


def move_texts(
    game: BoardGame[Any, Any], moves: Sequence[int], start: BoardPosition[Any] | None = None
) -> list[str]:
    """Return moves as they are written, from the first seat's side."""
    position = game.initial() if start is None else start
    texts = []
    for move in moves:
        texts.append(position.format_move(move))
        position = position.play(move)
    return texts


def start_fields(game: BoardGame[Any, Any]) -> list[str]:
    """Return what lies on the board before the first move, handicaps among it."""
    start = game.initial()
    scene = start.scene()
    by_color: dict[Color, list[str]] = {}
    for cell, color in sorted(scene.stones.items()):
        by_color.setdefault(color, []).append(_point(start, cell))
    stones = (f"{color_words(color)} {', '.join(points)}" for color, points in by_color.items())
    pawns = (f"{color.title} pawn {_point(start, cell)}" for cell, color in scene.pawns.items())
    return [field("Start", parts(*stones, *pawns))] if by_color else []


def _point(position: BoardPosition[Any], cell: int) -> str:
    """Name a point as the moves do: those on the rim of Antipod with a plus sign."""
    if isinstance(position, PlacementPosition):
        return position.format_move(cell)
    name: str = position.game.topology.name(cell)
    return name


def numbered(
    name: str,
    texts: Sequence[str],
    seats: int,
    *,
    first: int = 1,
    automatic: Sequence[bool] = (),
) -> list[str]:
    """Return moves in columns: ``12. f4``, from a plan ``13. g5 (auto)``.

    A line has as many moves as fit, and everybody's moves stand below each other.
    """
    last = len(str(first + len(texts) - 1))
    marks = [*automatic, *[False] * (len(texts) - len(automatic))]
    cells = [
        f"{number:>{last}}. {text}{' (auto)' if mark else ''}"
        for number, (text, mark) in enumerate(zip(texts, marks, strict=True), start=first)
    ]
    width = max(map(len, cells), default=1) + 2
    fitting = max(1, (WIDTH - 2) // width)
    columns = max(1, fitting // seats) * seats if fitting >= seats else fitting
    lines = [f"{name}: {len(texts)}"]
    for begin in range(0, len(cells), columns):
        row = cells[begin : begin + columns]
        lines.append("  " + "".join(cell.ljust(width) for cell in row).rstrip())
    return lines


def picture_fields(position: BoardPosition[Any], ply: int) -> list[str]:
    """Return the picture with the number of its lines, and what its characters mean."""
    picture = position.picture().split("\n")
    return [
        f"Picture: {len(picture)} lines; after move {ply}",
        *picture,
        field("Legend", legend(position.scene()) or NOTHING),
    ]


def _how_to_answer(report: BoardReport) -> list[str]:
    """Return one field that says what a reply may be."""
    if not report.address:
        return []
    return [field("Answer", _answers(report))]


def _answers(report: BoardReport) -> str:
    match = report.match
    if report.viewer is None:
        return "reply with: unsubscribe, chat TEXT, show, help"
    if match.result is not None:
        return "reply with: history, chat TEXT, show, help"
    offered = " accept, reject," if _waits_for_viewer(report) else ""
    if not report.is_viewers_turn:
        return f"reply with:{offered} queue MOVE, resign, propose, undo, chat TEXT, help"
    swap = match.terms.game.swap_move
    swapping = " swap," if swap is not None and swap in match.position.legal_moves else ""
    return (
        f"reply with your move in the first line, or with:{swapping}{offered} preview MOVE,"
        " submit MOVE, propose, undo, resign, chat TEXT, help"
    )


def _waits_for_viewer(report: BoardReport) -> bool:
    viewer, players = report.viewer, report.match.terms.players
    return any(
        viewer is not None and players[viewer] not in {players[seat] for seat in seats}
        for seats in report.match.offers.values()
    )
