"""Openings for contests: a list of lines, or random first moves after which chances are even."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from antipodes.core import Move
from antipodes.errors import Fault, InputError, InvalidRecordError
from antipodes.games.kernels import header
from antipodes.games.position import Game, Position
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, SearchSettings

Opening = tuple[Move, ...]

MAX_PLIES = 40
_TRIES = 24  # random openings that are looked at for one that is used
_EVEN = 0.08  # from one half; a value as near is near enough
_LOOK = 200  # visits that tell how even an opening is


def random_openings(game: Game, plies: int, seed: int) -> Iterator[Opening]:
    """Yield openings without end, the same ones for the same seed.

    Moves are random, but swaps are left out: the side that may swap after an opening decides alone.
    For two colours the most even of some openings is taken, as a short search sees them; where one
    colour is far ahead from the start, colours are less even but each side plays both.

    Args:
        game: the game with its options.
        plies: how many moves; with 0 all openings are empty.
        seed: decides everything.
    """
    chance = random.Random(seed)
    seen: set[int] = set()
    while True:
        if plies == 0:
            yield ()
            continue
        opening, key = _most_even(game, plies, chance, seen)
        seen.add(key)
        yield opening


def _most_even(
    game: Game, plies: int, chance: random.Random, seen: set[int]
) -> tuple[Opening, int]:
    best: tuple[float, Opening, int] | None = None
    for _ in range(_TRIES):
        opening, position = _random_line(game, plies, chance)
        if position.outcome is not None:
            continue
        if position.key in seen:
            # Small boards have few openings; then one is used again.
            distance = 1.0
        elif len(game.colors) > 2:
            distance = 0.0
        else:
            distance = abs(_value(position, chance.getrandbits(32)) - 0.5)
        if best is None or distance < best[0]:
            best = distance, opening, position.key
        if distance <= _EVEN:
            break
    if best is None:  # every line was over at once
        return (), game.initial().key
    return best[1], best[2]


def _random_line(game: Game, plies: int, chance: random.Random) -> tuple[Opening, Position]:
    position: Position = game.initial()
    moves: list[Move] = []
    while len(moves) < plies and position.outcome is None:
        legal = position.legal_moves.array().tolist()
        if position.state[header.SWAP_OPEN]:
            legal = [move for move in legal if not position.play(move).swapped]
        moves.append(Move(chance.choice(legal)))
        position = position.play(moves[-1])
    return tuple(moves), position


def _value(position: Position, seed: int) -> float:
    """Return what a position is worth to the seat to move, at a glance."""
    search = make_search(position, SearchSettings(memory=16), seed=seed)
    search.run(Limits(visits=_LOOK))
    return search.value()


def read_openings(game: Game, text: str) -> list[Opening]:
    """Read openings from text: one a line, moves with spaces between them, ``#`` for remarks.

    Raises:
        InvalidRecordError: with every line that cannot be played.
    """
    openings: list[Opening] = []
    faults: list[Fault] = []
    for number, line in opening_lines(text):
        try:
            openings.append(read_opening(game, line))
        except InputError as error:
            faults.extend(replace(fault, where=f"line {number}") for fault in error.faults)
    if not openings and not faults:
        faults.append(Fault("openings/none", "there are no openings in the file"))
    if faults:
        raise InvalidRecordError(faults)
    return openings


def opening_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number from 1 and the moves of each line that has some; ``#`` begins a remark."""
    for number, line in enumerate(text.splitlines(), start=1):
        moves = " ".join(line.partition("#")[0].split())
        if moves:
            yield number, moves


def read_opening(game: Game, line: str) -> Opening:
    """Read an opening: moves with spaces between them.

    Raises:
        MoveError: a move cannot be played; the message names it.
        InvalidRecordError: the game is over after the moves, or there are too many.
    """
    words = line.split()
    if len(words) > MAX_PLIES:
        fault = Fault.of(
            "openings/too-long",
            "an opening has {count} moves, but {most} at most",
            count=len(words),
            most=MAX_PLIES,
        )
        raise InvalidRecordError([fault])
    position: Position = game.initial()
    moves = []
    for word in words:
        moves.append(position.parse_move(word))
        position = position.play(moves[-1])
    if position.outcome is not None:
        fault = Fault.of("openings/over", "{line!r} is a whole game, not an opening", line=line)
        raise InvalidRecordError([fault])
    return tuple(moves)
