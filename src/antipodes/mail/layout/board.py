"""The answer about a board: its state, moves, picture and comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from antipodes.core import Color
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.placement import PlacementPosition
from antipodes.games.position import Game, Position
from antipodes.mail.layout.items import Answer, Comment, Field, Item, Listing, Moves, Picture, Title
from antipodes.mail.layout.report import BoardReport, PlayerLine
from antipodes.mail.layout.text import instant, rating_change, span, write
from antipodes.match import MadeMove, Match, MoveSource, OfferKind
from antipodes.notation.ascii_pictures import SYMBOLS
from antipodes.records import Reason, Result

_OFFERS = {
    OfferKind.DRAW: "draw",
    OfferKind.TAKEBACK: "undo",
    OfferKind.PAUSE: "pause",
    OfferKind.REMATCH: "rematch",
}


def game_word(game_id: str) -> str:
    """Return a game's id for subjects: ``Antipod``, ``Cylindrical-Hex``."""
    return "-".join(part.capitalize() for part in game_id.split("-"))


def board_subject(game_id: str, number: int, user: str) -> str:
    """Return the subject of an answer about a board: ``Antipod Board 101 ann``.

    It is a command without the move, so appending the move in a reply makes a complete one.
    """
    return f"{game_word(game_id)} Board {number} {user}"


def write_board(report: BoardReport, *, ply: int | None = None) -> str:
    """Write the answer about a board as text; see :func:`board_answer`."""
    return write(board_answer(report, ply=ply))


def board_answer(report: BoardReport, *, ply: int | None = None) -> Answer:
    """Return the answer about a board.

    Args:
        report: the contents.
        ply: the number of moves after which the board is shown; ``None`` for the current position.

    Raises:
        ValueError: fewer moves were made.
    """
    match = report.match
    shown = match.ply if ply is None else ply
    if not 0 <= shown <= match.ply:
        raise ValueError(f"board {report.number} has {match.ply} moves, not {shown}")
    position = match.position if shown == match.ply else position_after(match, shown)
    return Answer.of(
        *head_blocks(report),
        _move_items(match, match.moves[:shown], report.side),
        [Picture(position, shown, moves_made(match, shown), report.side, match.terms.setup)],
        *tail_blocks(report),
    )


def head_blocks(report: BoardReport) -> list[list[Item]]:
    """Return the blocks before the moves: title, state and players."""
    return [
        [
            Title(f"{game_word(report.match.terms.game.id)} Board {report.number}"),
            *(Field("News", news) for news in report.news),
        ],
        [*game_fields(report.match.terms.game), *_match_fields(report)],
        _seats(report),
        _rating_changes(report.players),
        _own_fields(report),
        _offer_fields(report),
    ]


def tail_blocks(report: BoardReport) -> list[list[Item]]:
    """Return the blocks after the picture: followers, how to reply, comments."""
    how = [Field("Reply", report.reply_to)] if report.reply_to else []
    how += [Field("Answer", _how_to_answer(report))] if report.address else []
    comments: list[list[Item]] = [[Comment(who, text)] for who, text in report.comments]
    return [[Field("Followers", ", ".join(report.followers)), *how], *comments]


def game_fields(game: Game) -> list[Item]:
    """Return the game with all its options."""
    options = " ".join(f"{name}={value}" for name, value in game.options.as_dict().items())
    return [Field("Game", game.id), Field("Options", options)]


def _match_fields(report: BoardReport) -> list[Item]:
    match = report.match
    series = [Field("Series", report.series)] if report.series else []
    tournament = [Field("Tournament", report.tournament)] if report.tournament else []
    return [
        Field.of("Terms", "rated" if match.terms.rated else "not rated", str(match.terms.control)),
        Field("Link", report.link),
        Field("Written", instant(report.now)),
        Field("State", _state(match)),
        *(_turn_fields(report) if match.result is None else _result_fields(report, match.result)),
        *series,
        *tournament,
        *_given_fields(match),
    ]


def _given_fields(match: Match) -> list[Item]:
    """Return how many moves were made before the players' first turns."""
    count = len(match.terms.given_moves)
    moves = "move" if count == 1 else "moves"
    return [Field.of("Given", str(count), f"the first {moves}, by no player")] if count else []


def _state(match: Match) -> str:
    if match.result is not None:
        return "over"
    return "paused" if match.clock.paused else "playing"


def _turn_fields(report: BoardReport) -> list[Item]:
    """Return whose turn it is, and the phase in games with phases."""
    position = report.match.position
    turn = turn_field(position, report.match.ply + 1, report.players)
    if not _is_boxed(position):
        return [turn]
    if position.phase == 2:
        return [turn, Field.of("Phase", "2", "each turn moves a rod")]
    rods = ", ".join(f"{color.title} {count}" for color, count in position.rods_left().items())
    return [turn, Field.of("Phase", "1", f"rods left {rods}")]


def turn_field(position: Position, number: int, players: Sequence[PlayerLine]) -> Field:
    """Return whose turn it is to make the move with a number."""
    seat = position.seat_to_move
    name = players[seat].name if players else ""
    return Field.of(
        "Turn", f"move {number}", f"seat {seat + 1}", color_words(position.to_move), name
    )


def color_words(color: Color) -> str:
    """Return the name of a colour with its character in pictures."""
    return f"{color.title} ({SYMBOLS[color]})"


def _result_fields(report: BoardReport, result: Result) -> list[Item]:
    position = report.match.position
    winners = ""
    if result.winner is not None:
        seats = position.seat_of(result.winner)
        winners = "won by " + ", ".join(report.players[seat].name for seat in seats)
    items: list[Item] = [result_field(result, winners)]
    if _is_boxed(position) and position.outcome is not None:
        items.append(Field("Points", str(position.outcome.points)))
    return items


def _is_boxed(position: Position) -> TypeGuard[AntipalosPosition]:
    """Return whether a position is one of Antipalos' boxed game, with its phases and points."""
    return isinstance(position, AntipalosPosition) and not position.game.is_mail


def result_field(result: Result, winners: str = "") -> Field:
    """Return the end of a game: reason in one word, as a sentence, and the winners."""
    return Field.of("Result", result.reason.value, result_words(result), winners)


def result_words(result: Result) -> str:
    """Return a sentence about the end of a match."""
    if result.reason is Reason.VOID:
        more = f" ({result.text})" if result.text else ""
        return f"Called off, not counted{more}"
    return str(result)


def _seats(report: BoardReport) -> list[Item]:
    """Return the table of seats with ratings and clocks."""
    match, clock = report.match, report.match.clock
    is_over = match.result is not None
    rows = []
    for seat, player in enumerate(report.players):
        left = None if is_over else clock.left(seat, report.now)
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
    heads = ("Seat", "Colour", "Player", "Rating", "Left", "Deadline")
    away = (
        []
        if is_over
        else [
            Field.of("Away", player.name, f"until {instant(until)} at most")
            for player, until in zip(report.players, clock.until, strict=True)
            if until is not None
        ]
    )
    return [Listing("Seats", heads, tuple(rows)), *away]


def _rating_changes(players: Sequence[PlayerLine]) -> list[Item]:
    rows = tuple(
        (one.name, *rating_change(one.before, one.after))
        for one in players
        if one.before is not None
    )
    return [Listing("Ratings", ("Player", "Before", "After", "Change"), rows)] if rows else []


def _own_fields(report: BoardReport) -> list[Item]:
    """Return the fields that only the viewer may see."""
    seat, match = report.viewer, report.match
    if seat is None:
        return []
    color, name = color_words(match.color_of(seat)), report.players[seat].name
    items: list[Item] = [Field.of("You", f"seat {seat + 1}", color, name)]
    if report.submitted:
        items.append(Field.of("Submitted", report.submitted, "confirm plays it"))
    if report.queued:
        items.append(Field("Conditional", report.queued))
    elif match.conditional_moves[seat]:
        items.append(Field("Conditional", "several lines; see the page of the match"))
    if seat in match.resigning:
        items.append(Field("Resigning", "when your turn comes; resign again to cancel"))
    return items


def _offer_fields(report: BoardReport) -> list[Item]:
    items: list[Item] = []
    for kind, seats in report.match.offers.items():
        waits = ", ".join(dict.fromkeys(report.players[s].name for s in _asked(report, kind)))
        if waits:
            by = f"by {report.players[seats[0]].name}"
            back = _taken_back(report.match, kind)
            items.append(Field.of("Offer", _OFFERS[kind], by, f"waits for {waits}", *back))
    return items


def _taken_back(match: Match, kind: OfferKind) -> list[str]:
    """Return which move an open offer of a takeback goes back to."""
    if kind is not OfferKind.TAKEBACK or match.takeback_to is None:
        return []
    return [f"goes back to move {match.takeback_to + 1}"]


def _asked(report: BoardReport, kind: OfferKind) -> list[int]:
    """Return the seats whose players have not agreed to an open offer."""
    players = report.match.terms.players
    agreed = {players[seat] for seat in report.match.offers[kind]}
    return [seat for seat, player in enumerate(players) if player not in agreed]


def position_after(match: Match, ply: int) -> Position:
    """Return the position after so many moves of a match."""
    position: Position = match.terms.origin
    for made in match.moves[:ply]:
        position = position.play(made.move)
    return position


def moves_made(match: Match, ply: int) -> tuple[int, ...]:
    """Return the first moves of a match, as numbers."""
    return tuple(int(made.move) for made in match.moves[:ply])


def _move_items(match: Match, made: Sequence[MadeMove], side: int) -> list[Item]:
    """Return the initial stones, and the numbered moves."""
    game, origin = match.terms.game, match.terms.origin
    moves = Moves(
        name="Moves",
        texts=move_texts(origin, [one.move for one in made], side),
        seats=game.seats,
        automatic=tuple(one.source is MoveSource.CONDITIONAL for one in made),
    )
    return [*start_fields(origin), *side_fields(game, side), moves]


def side_fields(game: Game, side: int) -> list[Item]:
    """Return the seat whose view moves and pictures have, in games where views differ."""
    if not game.has_sides:
        return []
    color = color_words(game.color_of(side))
    return [Field.of("View", f"seat {side + 1}", color, "A1 is at the lower left of this seat")]


def move_texts(position: Position, moves: Sequence[int], side: int = 0) -> tuple[str, ...]:
    """Return moves as text, as a seat sees the board."""
    texts = []
    for move in moves:
        texts.append(position.format_move(move, side))
        position = position.play(move)
    return tuple(texts)


def start_fields(start: Position) -> list[Item]:
    """Return the stones on the board before the first move, including handicaps."""
    scene = start.scene()
    by_color: dict[Color, list[str]] = {}
    for cell, color in sorted(scene.stones.items()):
        by_color.setdefault(color, []).append(_point(start, cell))
    for rod, name in start.to_setup().stones if scene.rods else ():
        by_color.setdefault(Color(name), []).append(rod)
    stones = (f"{color_words(color)} {', '.join(points)}" for color, points in by_color.items())
    pawns = (f"{color.title} pawn {_point(start, cell)}" for cell, color in scene.pawns.items())
    return [Field.of("Start", *stones, *pawns)] if by_color else []


def _point(position: Position, cell: int) -> str:
    """Return the name of a point as in moves: with a plus sign on the rim of Antipod."""
    if isinstance(position, PlacementPosition):
        return position.format_move(cell)
    name: str = position.game.topology.name(cell)
    return name


def _how_to_answer(report: BoardReport) -> str:
    match, viewer = report.match, report.viewer
    if viewer is None:
        return "reply with show, chat TEXT, unsubscribe or help"
    if match.result is not None:
        return "reply with show, chat TEXT or help"
    offered = any(viewer in _asked(report, kind) for kind in match.offers)
    words = ["accept", "reject"] if offered else []
    if viewer == match.seat_to_move:
        swap = match.terms.game.swap_move
        words += ["swap"] if swap is not None and swap in match.position.legal_moves else []
        words += ["preview MOVE", "submit MOVE", "propose", "undo", "resign", "chat TEXT"]
        return f"reply with your move in the first line, or with {', '.join(words)} or help"
    words += ["queue MOVE", "propose", "undo", "resign", "chat TEXT"]
    return f"reply with {', '.join(words)} or help"
