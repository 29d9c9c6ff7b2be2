"""The opening explorer as data for the pages of analyses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.lab.atlas import shipped_atlas
from antipodes.notation.text import shorten
from antipodes.search.interface import Proven
from antipodes.web.archive.facts import ABORTED, options_key
from antipodes.web.archive.models import FirstMoveRow, GameRow, OptionSetRow
from antipodes.web.archive.openings import (
    LONGEST,
    canonical_opening,
    opening_key,
    opening_text,
    read_opening_key,
)
from antipodes.web.archive.queries import USUAL, Query
from antipodes.web.archive.schemas import ContinuationOut, ExploredGameOut, ExploredOut
from antipodes.web.archive.selectors import games_page
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.limits import POSITIONS, take_for_address

_MOST_READ = 2_000  # games that are counted after more than one move, the latest ones


@dataclass(slots=True)
class Continuation:
    """A next move with the games that went on with it.

    Attributes:
        moves: the move, and those that are the same by a symmetry of the position.
        text: of the first of them.
        cells: of the pieces that they place.
        wins: colour -> games that it won.
        games: all games, also drawn ones.
        value: of the move for its player by the longest search, from 0 to 1; ``None`` if there is
            none.
        is_fair: whether this value means about even chances.
        proven: the proven result for its player, or ``None``.
    """

    moves: tuple[int, ...]
    text: str
    cells: tuple[int, ...]
    wins: Counter[str] = field(default_factory=Counter)
    games: int = 0
    value: float | None = None
    is_fair: bool = False
    proven: Proven | None = None


@dataclass(frozen=True, slots=True)
class Explored:
    """The next moves after an opening.

    Attributes:
        continuations: the most played first, then by their values.
        games: number of games that they were counted in.
        is_sample: whether there are more games, of which only the latest were counted.
        option_set: the game with its options in the archive; ``None`` if no game of it was played.
        opening: the first moves in canonical orientation.
    """

    continuations: list[Continuation]
    games: int
    is_sample: bool
    option_set: OptionSetRow | None
    opening: tuple[int, ...]


def explore(game: Game, moves: Sequence[int]) -> Explored:
    """Return the next moves after the first moves of a game.

    Raises:
        IllegalMoveError: a move is not legal.
    """
    position: Position = game.initial()
    for move in moves:
        position = position.play(move)
    opening = canonical_opening(game, moves)
    key = options_key(dict(game.options.changed()))
    option_set = OptionSetRow.objects.filter(game_id=game.id, key=key).first()
    continuations: dict[int, Continuation] = {}
    counted, read = 0, 0
    if len(moves) < LONGEST and option_set is not None:
        for next_move, winner, games in _counts(option_set, opening):
            continuation = _continuation(position, moves, opening, next_move, continuations)
            continuation.games += games
            counted, read = counted + games, read + 1
            if winner:
                continuation.wins[winner] += games
    if not moves:
        _add_values(position, continuations)
    order = sorted(
        continuations.values(), key=lambda one: (-one.games, -(one.value or 0), one.moves)
    )
    is_sample = bool(moves) and read >= _MOST_READ
    return Explored(order, counted, is_sample, option_set, opening)


def _counts(option_set: OptionSetRow, opening: tuple[int, ...]) -> Iterable[tuple[int, str, int]]:
    """Yield next moves in canonical orientation, each with a winning colour and its games."""
    public = {"bucket__is_private": False, "bucket__from_position": False}
    if not opening:
        rows = FirstMoveRow.objects.filter(bucket__option_set=option_set, **public)
        rows = rows.exclude(bucket__reason__in=ABORTED)
        yield from rows.values_list("move", "bucket__winner", "games")
        return
    key = opening_key(opening)
    for stored, winner in _games(option_set, opening, key).filter(**public)[:_MOST_READ]:
        after = read_opening_key(stored)
        if len(after) > len(opening):
            yield after[len(opening)], winner, 1


def _games(
    option_set: OptionSetRow, opening: tuple[int, ...], key: str
) -> QuerySet[GameRow, tuple[str, str]]:
    """Return the openings and winners of the latest games with an opening."""
    rows = GameRow.objects.filter(option_set=option_set, first=opening[0])
    if len(opening) > 1:
        rows = rows.filter(second=opening[1])
    rows = rows.filter(opening__startswith=key).exclude(bucket__reason__in=ABORTED)
    return rows.order_by("-ended_at", "-match").values_list("opening", "bucket__winner")


def _continuation(
    position: Position,
    moves: Sequence[int],
    opening: tuple[int, ...],
    next_move: int,
    continuations: dict[int, Continuation],
) -> Continuation:
    """Return the continuation with a move in canonical orientation, new or found already."""
    if next_move not in continuations:
        continuations[next_move] = _described(
            position, _images(position.game, moves, opening, next_move)
        )
    return continuations[next_move]


def _described(position: Position, images: Sequence[int]) -> Continuation:
    cells = {steps[0] for move in images if (steps := position.steps(move))}
    text = position.format_move(images[0])
    return Continuation(tuple(images), text, tuple(sorted(cells)))


def _images(
    game: Game, moves: Sequence[int], opening: tuple[int, ...], next_move: int
) -> list[int]:
    """Return the moves on the board that are a move in canonical orientation."""
    turns = [
        symmetry
        for symmetry in game.symmetries
        if tuple(int(game.transform(move, symmetry)) for move in moves) == opening
    ]
    candidates = {int(game.transform(next_move, back)) for back in game.symmetries}
    return sorted(
        move
        for move in candidates
        if any(int(game.transform(move, symmetry)) == next_move for symmetry in turns)
    )


def _add_values(start: Position, continuations: dict[int, Continuation]) -> None:
    """Add the values of the atlas of first moves that comes with the program, if there is one."""
    atlas = shipped_atlas(start.game)
    if atlas is None:
        return
    for first_move in atlas.moves:
        move = int(start.parse_move(first_move.move))
        canonical = canonical_opening(start.game, [move])[0]
        known = _continuation(start, (), (), canonical, continuations)
        known.value = first_move.value
        known.proven = Proven(first_move.proven) if first_move.proven else None
        known.is_fair = atlas.is_fair(first_move.value)


_MOST_GAMES = 4  # that are listed
_MOST_MOVES = 20
_OWN = ("game", "moves")
_CACHE_CONTROL = "private, max-age=60"


@require_safe
def explorer(request: HttpRequest) -> JsonResponse:
    """Return how games went on after the first moves of the query."""
    try:
        take_for_address(POSITIONS, request)
        options = {name: value for name, value in request.GET.items() if name not in _OWN}
        game = make_game(request.GET.get("game", ""), options)
        moves = _read_moves(request.GET.get("moves", ""))
        explored = explore(game, moves)
    except InputError as error:
        return json_error(error)
    response = JsonResponse(_explored_view(game, explored))
    response.headers["Cache-Control"] = _CACHE_CONTROL
    return response


def _read_moves(text: str) -> list[int]:
    """Read the numbers of moves, separated by commas.

    Raises:
        InputError: they are no numbers, or too many.
    """
    items = [item for item in text.split(",") if item]
    moves = [move for item in items if (move := read_number(item)) is not None]
    if len(moves) < len(items) or len(moves) > LONGEST:
        fault = Fault.of(
            "archive/opening",
            "moves is {text}, but must be up to {most} numbers",
            text=shorten(text),
            most=LONGEST,
        )
        raise InputError([fault])
    return moves


def _explored_view(game: Game, explored: Explored) -> ExploredOut:
    return {
        "games": explored.games,
        "isSample": explored.is_sample,
        "moves": [_view(continuation) for continuation in explored.continuations[:_MOST_MOVES]],
        "colors": [color.value for color in game.colors],
        "latest": _latest(game, explored),
        "search": _search_address(game, explored) if explored.games else None,
    }


def _view(continuation: Continuation) -> ContinuationOut:
    return {
        "move": continuation.moves[0],
        "text": continuation.text,
        "same": len(continuation.moves) - 1,
        "cells": list(continuation.cells),
        "games": continuation.games,
        "wins": dict(continuation.wins),
        "value": continuation.value,
        "proven": continuation.proven,
        "isFair": continuation.is_fair,
    }


def _latest(game: Game, explored: Explored) -> list[ExploredGameOut]:
    """Return the latest public games that went on from the position."""
    if not explored.games:
        return []
    query = Query(game_id=game.id, option_set=explored.option_set, opening=explored.opening)
    page = games_page(query, None, most=_MOST_GAMES)
    return [
        {
            "address": reverse("match", args=[line.row.match.slug]),
            "players": [player.user.name for player in line.players],
            "result": line.result,
            "date": line.ended.date().isoformat(),
        }
        for line in page.lines
    ]


def _search_address(game: Game, found: Explored) -> str:
    fields = {
        "game": game.id,
        "options": (found.option_set and found.option_set.key) or USUAL,
        "opening": opening_text(game, found.opening),
    }
    return f"{reverse('games')}?{urlencode(fields)}"
