"""Your first game: a coached game against the lowest level, kept by its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from antipodes.core import Move
from antipodes.errors import Fault, InputError, MoveError, Phrase
from antipodes.games.position import Position
from antipodes.games.registry import game_class, make_game
from antipodes.learn.first_game import CoachedGame, first_game_of
from antipodes.learn.move_words import line_in_words
from antipodes.web.courses.judging import move_as_text, outdated, turn
from antipodes.web.matches.presenters import ShownMove, play_through

PLACE = "first-game"  # instead of a course
_KEPT = 500  # positions
_SEED = 1  # equal games have equal replies and advice, which are cached
_LONGEST = 60  # characters of a move


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the learner with the computer's reply.

    Attributes:
        moves: of both sides in turn.
        shown: the last moves, as data for pages.
        words: what each of these does.
        position: after them.
    """

    moves: tuple[str, ...]
    shown: tuple[ShownMove, ...]
    words: tuple[Phrase, ...]
    position: Position


def start_of(game_id: str) -> Position:
    """Return the position before the first move of either side."""
    start: Position = make_game(game_id, first_game_of(game_id).options).initial()
    return start


def begin(game_id: str) -> Turn:
    """Begin a game; the computer makes the first move if that is its seat.

    Raises:
        UnknownGameError: no game has this id.
        BusyError: too many learners wait for the computer.
    """
    return _begun(game_class(game_id).id)


@lru_cache(maxsize=16)
def _begun(game_id: str) -> Turn:
    start = start_of(game_id)
    with turn():
        game = CoachedGame(game_id, _SEED)
    replies = [Move(move) for move in start.legal_moves if start.play(move) == game.position]
    line = replies[:1] if first_game_of(game_id).seat == 1 else []
    return _turn((), start, line, game.position)


def _turn(moves: tuple[str, ...], before: Position, line: Sequence[Move], after: Position) -> Turn:
    shown = play_through(before, line).moves
    words = tuple(line_in_words(before, line))
    return Turn((*moves, *(move["text"] for move in shown)), tuple(shown), words, after)


def resume(game_id: str, moves: tuple[str, ...]) -> CoachedGame:
    """Continue a game.

    Raises:
        InputError: the moves cannot be played: the game's settings have changed.
    """
    if not moves and first_game_of(game_id).seat == 1:
        moves = begin(game_id).moves
    try:
        return CoachedGame(game_id, _SEED, moves)
    except MoveError:
        raise outdated() from None


def play(game_id: str, moves: tuple[str, ...], text: str) -> Turn:
    """Play the learner's move and the computer's reply.

    Args:
        game_id: the game.
        moves: of both sides so far.
        text: the move, as its number or its text.

    Raises:
        InputError: it is not a legal move.
        BusyError: too many learners wait for the computer.
    """
    if not text.strip():
        raise InputError([Fault("learn/no-answer", "choose or type an answer first")])
    position = resume(game_id, moves).position
    words = move_as_text(position, text.strip()[:_LONGEST])
    return _played(game_id, moves, position.format_move(position.parse_move(words)))


@lru_cache(maxsize=_KEPT)
def _played(game_id: str, moves: tuple[str, ...], text: str) -> Turn:
    game = resume(game_id, moves)
    before = game.position
    with turn():
        reply = game.play(text)
    line = [before.parse_move(text), *([] if reply is None else [reply])]
    return _turn(moves, before, line, game.position)


@lru_cache(maxsize=_KEPT)
def advice(game_id: str, moves: tuple[str, ...], *, asked: bool) -> tuple[Move, ...]:
    """Return the coach's advice; see :meth:`CoachedGame.advice`.

    Raises:
        InputError: the moves cannot be played.
        BusyError: too many learners wait for the computer.
    """
    game = resume(game_id, moves)
    with turn():
        return game.advice(asked=asked)
