"""The position editor: pieces on cells are checked and become a line.

A position that the rules cannot continue from is refused with every rule that it breaks. One that
no game leads to by alternating turns is accepted as composed, with remarks that say why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from antipodes.core import Setup
from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError, InvalidPositionError
from antipodes.games.position import Game
from antipodes.games.registry import closest_game, game_class, game_ids
from antipodes.notation.text import shorten
from antipodes.web.analysis import presenters
from antipodes.web.analysis.position_queries import Line, read_game, read_line
from antipodes.web.analysis.schemas import EditorOut, JudgementOut
from antipodes.web.matches.presenters import pieces
from antipodes.web.platform.error_views import json_error, refused
from antipodes.web.platform.limits import POSITIONS, take_for_address
from antipodes.web.platform.translations import caption_text, color_name, fault_message

_DIAGONALS = "/\\"
_PAWN = "*"
_MOST_PLIES = 100_000

# Fields of the editor's own; the others are options of the game.
OWN_FIELDS = frozenset({"pieces", "turn", "phase", "swapped", "plies"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of the rules on a position that was set up by hand.

    Attributes:
        game: the game with its options.
        line: the position as a line without moves; ``None`` if the rules cannot continue from it.
        faults: every rule that the position breaks; empty if there is a line.
        remarks: why no game leads to the position, if it is playable all the same.
    """

    game: Game
    line: Line | None
    faults: tuple[Fault, ...] = ()
    remarks: tuple[Fault, ...] = ()


def read_edited(query: Mapping[str, str]) -> tuple[Game, Setup]:
    """Read a game, and the setup that the editor's fields describe.

    ``pieces`` has items such as ``12:black``, ``13:blue*`` for a pawn and ``14:red/`` for a rod,
    separated by commas; ``turn`` is the colour to move, ``phase`` is 2 for Phase Two, ``swapped``
    is ``yes`` after a swap, and ``plies`` the number of plies of Phase Two.

    Raises:
        InputError: there is no such game, or a field cannot be read.
    """
    game = read_game({name: value for name, value in query.items() if name not in OWN_FIELDS})
    stones, pawns = _read_pieces(game, query.get("pieces", ""))
    plies = read_number(query.get("plies", "0") or "0", _MOST_PLIES)
    if plies is None:
        raise _unreadable("plies", query["plies"])
    setup = Setup(
        stones=tuple(stones),
        to_move=query.get("turn") or None,
        pawns=pawns,
        swapped=query.get("swapped") == "yes",
        phase_two_plies=plies,
    )
    if query.get("phase") == "2":
        setup = replace(setup, rods_left={color.value: 0 for color in game.supply()})
    return game, setup


def _read_pieces(game: Game, text: str) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Read pieces as pairs of a point and a colour, and the points of pawns."""
    stones: list[tuple[str, str]] = []
    pawns: dict[str, str] = {}
    cells, start = game.topology.cell_count, game.initial()
    for item in filter(None, text.split(",")):
        number, _, piece = item.partition(":")
        cell = read_number(number, cells - 1)
        color, kind = piece.rstrip(_DIAGONALS + _PAWN), piece[-1:]
        is_rod = kind != "" and kind in _DIAGONALS
        if (
            cell is None
            or not color
            or is_rod != game.has_rods
            or (kind == _PAWN and not game.flips)
        ):
            raise _unreadable("pieces", item)
        if is_rod:
            stones.append((start.format_move(2 * cell + _DIAGONALS.index(kind)), color))
            continue
        point = game.topology.name(cell)
        stones.append((point, color))
        if kind == _PAWN:
            pawns[color] = point
    return stones, pawns


def _unreadable(field: str, value: str) -> InputError:
    fault = Fault.of(
        "study/pieces", "{field} cannot be read: {value}", field=field, value=shorten(value)
    )
    return InputError([fault])


def judge(game: Game, setup: Setup) -> Judgement:
    """Return what the rules say of a setup: as a position of a game, else as a composed one."""
    try:
        return Judgement(game, _line_of(game, setup))
    except InvalidPositionError as error:
        remarks = error.faults
    try:
        return Judgement(game, _line_of(game, game.composed(setup)), remarks=remarks)
    except InvalidPositionError as error:
        return Judgement(game, None, faults=error.faults)


def _line_of(game: Game, setup: Setup) -> Line:
    return Line.of(game, game.position(setup).to_setup())


def cells_of(game: Game, fault: Fault) -> list[int]:
    """Return the cells that a fault of a position is about."""
    cell = game.topology.cell(fault.where.replace(_PAWN, ""))
    return [] if cell is None else [cell]


def kinds_of(game: Game) -> list[str]:
    """Return the pieces that can be set on the board of a game; rods without their diagonal."""
    kinds = [color.value for color in game.colors]
    return [*kinds, *(f"{kind}{_PAWN}" for kind in kinds)] if game.flips else kinds


@require_GET
def editor_page(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the editor with the position at the end of a line."""
    try:
        if "HX-Request" in request.headers:
            line = Line.of(closest_game(game_id, request.GET.dict()))
        else:
            take_for_address(POSITIONS, request)
            line = read_line({**request.GET.dict(), "game": game_id})
    except InputError as error:
        return refused(request, error)
    position = line.position
    setup = position.to_setup()
    editor: EditorOut = {
        "board": presenters.board_address(line.game),
        "kinds": kinds_of(line.game),
        "start": pieces(line.game.initial()),
        "pieces": pieces(position),
        # Where the pieces tell whose turn it is, it changes with them.
        "turn": position.to_move.value if setup.composed else "",
        "swapped": position.swapped,
        "phase": position.phase,
        "plies": setup.phase_two_plies,
    }
    context = {
        "game": line.game,
        "options": urlencode(line.game.options.changed()),
        "line": line,
        "option_fields": presenters.option_fields(line.game),
        "games": [game_class(one) for one in game_ids()],
        "editor": editor,
        "color_names": [color_name(color).lower() for color in line.game.colors],
        "has_phases": bool(line.game.supply()),
    }
    return render(request, "analysis/editor.html", context)


@require_GET
def edited_position(request: HttpRequest, game_id: str) -> JsonResponse:
    """Return what the rules say of the pieces in the query."""
    try:
        take_for_address(POSITIONS, request)
        game, setup = read_edited({**request.GET.dict(), "game": game_id})
    except InputError as error:
        return json_error(error)
    return JsonResponse(_judgement_view(judge(game, setup)))


def _judgement_view(judged: Judgement) -> JudgementOut:
    faults = judged.faults or judged.remarks
    view: JudgementOut = {
        "verdict": "refused" if judged.line is None else "composed" if faults else "regular",
        "faults": [{"code": fault.code, "message": fault_message(fault)} for fault in faults],
        "cells": [cell for fault in faults for cell in cells_of(judged.game, fault)],
    }
    if judged.line is None:
        return view
    position = judged.line.position
    return {
        **view,
        "setup": judged.line.setup_text,
        "toMove": position.to_move.value,
        "phase": position.phase,
        "caption": caption_text(position),
        "isOver": position.outcome is not None,
        "chain": list(position.winning_chain()),
    }
