"""Moves and setups of Antipalos as text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

from antipodes.core import Color, Move, Setup
from antipodes.errors import Fault, Phrase
from antipodes.games.antipalos_base import AntipalosBase
from antipodes.games.kernels import Array, header
from antipodes.games.tables import no_such_color, no_turn_of
from antipodes.notation.rods import grid_column, rod_by_points, rod_by_square
from antipodes.notation.text import clean, shorten

Antipalos = AntipalosBase[Any]

_ROD = r"(\*?) ?([a-z])(\d{1,2}) ?(\*?)"
_PLACEMENT = re.compile(_ROD, re.IGNORECASE)
_REPOSITION = re.compile(rf"{_ROD} ?- ?{_ROD}", re.IGNORECASE)
_MAIL = re.compile(r"([a-z]{1,2})(\d{1,2}) ?- ?([a-z]{1,2})(\d{1,2})", re.IGNORECASE)


def read_move(game: Antipalos, text: str) -> Move | None:
    """Read cleaned text as a move, or return ``None``."""
    if game.is_mail:
        return game.swap_move if text.lower() == "swap" else _read_mail(game, text)
    match = _PLACEMENT.fullmatch(text)
    if match:
        return _read_rod(game, match.groups())
    match = _REPOSITION.fullmatch(text)
    if match is None:
        return None
    origin = _read_rod(game, match.groups()[:4])
    target = _read_rod(game, match.groups()[4:])
    if origin is None or target is None:
        return None
    return Move(game.placements * (1 + origin // 2) + target)


def _read_rod(game: Antipalos, parts: tuple[str, ...]) -> Move | None:
    """Read asterisk, column, row, asterisk as a placement with exactly one asterisk."""
    before, column, row, after = parts
    square = game.topology.cell(column + row)
    if square is None or bool(before) == bool(after):
        return None
    return Move(2 * square + bool(before))


def _read_mail(game: Antipalos, text: str) -> Move | None:
    """Read two grid points, in either order, as a placement."""
    match = _MAIL.fullmatch(text)
    if match is None:
        return None
    size = game.options.size
    columns = {grid_column(i): i for i in range(size + 1)}
    x1, x2 = (columns.get(match[i].lower(), -1) for i in (1, 3))
    y1, y2 = int(match[2]) - 1, int(match[4]) - 1
    inside = min(x1, x2) >= 0 and min(y1, y2) >= 0 and max(y1, y2) <= size
    if not inside or abs(x1 - x2) != 1 or abs(y1 - y2) != 1:
        return None
    falls = (x1 - x2) * (y1 - y2) < 0
    return Move(2 * (min(y1, y2) * size + min(x1, x2)) + falls)


def write_placement(game: Antipalos, placement: int) -> str:
    """Write a placed rod as the first seat sees it."""
    square, diagonal = divmod(placement, 2)
    if game.is_mail:
        row, column = divmod(square, game.options.size)
        return rod_by_points(row, column, "/\\"[diagonal])
    return rod_by_square(game.topology.name(square), "/\\"[diagonal])


def format_move(game: Antipalos, state: Array, move: int, seat: int) -> str:
    """Write a move in a position as seen from ``seat``'s side."""
    if move == game.swap_move:
        return "swap"
    # Turn the move back by the quarter turns of the seat's view.
    back = (4 - game.view(seat)) % 4
    seen = game.transform(move, back)
    placements = game.placements
    target = write_placement(game, seen % placements)
    if seen < placements:
        return target
    origin = move // placements - 1
    code = int(state[header.HEADER + origin])
    if code == 0:
        # There is no rod, so the move is illegal; only the square has a name.
        square = game.topology.symmetries[back][origin]
        return f"{game.topology.name(square)}-{target}"
    rod = game.transform(2 * origin + (code - 1) % 2, back)
    return f"{write_placement(game, rod)}-{target}"


def move_help(game: Antipalos, phase: int) -> Phrase:
    """Return a description of the notation of a phase, as the end of a sentence."""
    if game.is_mail:
        return Phrase("moves look like b2-c3, between neighbouring grid points, or swap")
    if phase == 1:
        return Phrase("moves look like B4* (a / rod) or *B4 (a \\ rod)")
    return Phrase("in Phase Two moves look like B2*-B3*")


def fill(game: Antipalos, setup: Setup, state: Array, faults: list[Fault]) -> None:
    """Write a setup into a zeroed state; add its faults to ``faults``."""
    squares = game.topology.cell_count
    names = [color.value for color in game.colors]
    counts = [0] * len(names)
    for rod, color in setup.stones:
        placement = _read_placement(game, clean(str(rod)))
        word = str(color).lower()
        if placement is None:
            fault = Fault.of(
                "position/no-such-point",
                "{rod} is not a rod of this board; {help}",
                where=str(rod),
                rod=shorten(str(rod)),
                help=game.point_names.where(clean(str(rod))),
            )
            faults.append(fault)
        elif word not in names:
            faults.append(no_such_color(color, game.colors, str(rod)))
        elif state[header.HEADER + placement // 2]:
            name = game.topology.name(placement // 2)
            fault = Fault.of(
                "position/two-stones", "square {square} has two rods", where=name, square=name
            )
            faults.append(fault)
        else:
            index = names.index(word)
            counts[index] += 1
            state[header.HEADER + placement // 2] = 1 + 2 * index + placement % 2
    if game.is_mail:
        _fill_mail(game, setup, state, counts, faults)
    else:
        left = _rods_left(game, setup, counts, faults)
        state[header.HEADER + squares : header.HEADER + squares + len(left)] = left
        _fill_turn(game, setup, state, counts, left, faults)


def _read_placement(game: Antipalos, text: str) -> int | None:
    if game.is_mail:
        return _read_mail(game, text)
    match = _PLACEMENT.fullmatch(text)
    return _read_rod(game, match.groups()) if match else None


def _rods_left(game: Antipalos, setup: Setup, counts: list[int], faults: list[Fault]) -> list[int]:
    """Return the rods left for each colour, by the setup or from the rods on the board."""
    left = []
    for color, count in zip(game.colors, counts, strict=True):
        remaining = setup.rods_left.get(color.value, game.options.rods - count)
        if remaining < 0 or remaining + count > game.options.rods:
            fault = Fault.of(
                "position/material",
                "{colour} has {count} rods on the board and {rest} left of {all}",
                where=color.value,
                colour=color,
                count=count,
                rest=remaining,
                all=game.options.rods,
            )
            faults.append(fault)
        elif remaining + count < game.options.rods and not setup.composed:
            fault = Fault.of(
                "position/material",
                "{missing} rods of {colour} are missing",
                where=color.value,
                missing=game.options.rods - remaining - count,
                colour=color,
            )
            faults.append(fault)
        left.append(remaining)
    known = [color.value for color in game.colors]
    faults.extend(
        no_such_color(name, game.colors, name) for name in setup.rods_left if name not in known
    )
    return left


def _fill_turn(
    game: Antipalos,
    setup: Setup,
    state: Array,
    counts: list[int],
    left: list[int],
    faults: list[Fault],
) -> None:
    """Determine phase and seat to move of the boxed game from the rods and the setup."""
    placed = sum(counts)
    phase = int(sum(left) == 0)
    ply = placed + (setup.phase_two_plies if phase else 0)
    seat = setup.seat
    if seat is None:
        seat = ply % game.seats
        if setup.to_move is not None and phase == 0 and len(set(left)) > 1:
            seat = left.index(max(left))
        elif setup.to_move is not None:
            seat = _seat_of(game, setup.to_move, seat)
    color = seat % len(game.colors)
    if not 0 <= seat < game.seats:
        fault = Fault.of(
            "position/turn",
            "seat {seat} is to move, but seats are 0..{last}",
            seat=seat,
            last=game.seats - 1,
        )
        faults.append(fault)
    elif setup.to_move is not None and str(setup.to_move).lower() != game.colors[color].value:
        fault = Fault.of(
            "position/turn",
            "{given} is to move, but {inferred} would be",
            given=_color(setup.to_move),
            inferred=game.colors[color],
        )
        faults.append(fault)
    elif not setup.composed and phase == 0 and seat != ply % game.seats:
        fault = Fault.of(
            "position/turn",
            "seat {seat} is to move, but after {placed} rods seat {inferred} would be",
            seat=seat,
            placed=placed,
            inferred=ply % game.seats,
        )
        faults.append(fault)
    if phase == 0 and not _alternating(left, color):
        fault = Fault.of(
            "position/material",
            "rods left ({rods}) do not come from turns in order with seat {seat} to move",
            rods=tuple(
                Phrase("{colour} {count}", {"colour": owner, "count": count})
                for owner, count in zip(game.colors, left, strict=True)
            ),
            seat=seat,
        )
        faults.append(fault)
    if phase == 1:
        faults.extend(
            Fault.of(
                "position/material",
                "{colour} has no rod to move in Phase Two",
                colour=Phrase(owner.title),
            )
            for owner, count in zip(game.colors, counts, strict=True)
            if count == 0
        )
    state[header.SEAT] = seat
    state[header.COLOR] = color
    state[header.PHASE] = phase
    state[header.PHASE_PLIES] = setup.phase_two_plies if phase else 0
    state[header.PLY] = ply


def composed(game: Antipalos, setup: Setup) -> Setup:
    """Return a setup as a composed one; all colours have the same number of rods left.

    Otherwise one would run out of rods before the others, and Phase Two could not begin.
    """
    changed = replace(setup, composed=True)
    if game.is_mail or setup.rods_left:
        return changed
    counts = Counter(str(color).lower() for _, color in setup.stones)
    remaining = max(0, game.options.rods - max(counts.values(), default=0))
    return replace(changed, rods_left={color.value: remaining for color in game.colors})


def _color(name: object) -> Color | str:
    """Return the colour with a name, for messages; other names are unchanged."""
    names = {color.value: color for color in Color}
    return names.get(str(name), str(name))


def _alternating(left: list[int], color: int) -> bool:
    """Return whether all colours run out of rods together when ``color`` places next."""
    behind = left[color:] + left[:color]
    return all(behind[0] - 1 <= rest <= behind[0] for rest in behind) and (
        behind == sorted(behind, reverse=True)
    )


def _seat_of(game: Antipalos, color: str, otherwise: int) -> int:
    """Return the next seat of a colour, starting from the one that would be to move."""
    for step in range(game.seats):
        seat = (otherwise + step) % game.seats
        if game.color_of(seat).value == str(color).lower():
            return seat
    return otherwise


def _fill_mail(
    game: Antipalos, setup: Setup, state: Array, counts: list[int], faults: list[Fault]
) -> None:
    """Determine the turn in the mail ruleset."""
    total = sum(counts)
    lead = counts[0] - counts[1]
    color = total % 2
    if setup.to_move is not None and str(setup.to_move).lower() in ("vert", "horz"):
        given = ("vert", "horz").index(str(setup.to_move).lower())
        if given != color and not setup.composed:
            fault = Fault.of(
                "position/turn",
                "{given} is to move, but by the number of rods it is the other's turn",
                given=_color(setup.to_move),
            )
            faults.append(fault)
        color = given
    elif setup.to_move is not None:
        faults.append(no_turn_of(setup.to_move, game.colors))
    if lead not in (0, 1) and not setup.composed:
        fault = Fault.of(
            "position/material",
            "{vert} vert and {horz} horz rods do not come from alternate turns",
            vert=counts[0],
            horz=counts[1],
        )
        faults.append(fault)
    if setup.swapped and (game.options.swap == "off" or total == 0):
        faults.append(Fault("position/no-swap", "a swap was played, but it is not possible here"))
    state[header.COLOR] = color
    state[header.SWAPPED] = setup.swapped
    state[header.SEAT] = color ^ int(setup.swapped)
    state[header.PLY] = total + setup.swapped
    open_now = game.options.swap == "on" and not setup.swapped and counts == [1, 0] and color == 1
    state[header.SWAP_OPEN] = open_now


def winner_is_late(game: Antipalos, state: Array) -> bool:
    """Return whether the winner did not move last, which is impossible in a played game."""
    winner = int(state[header.WINNER])
    last = (int(state[header.SEAT]) - 1 + int(state[header.SWAPPED])) % len(game.colors)
    return winner > 0 and winner - 1 != last
