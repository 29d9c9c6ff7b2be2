"""Judgement of moves: at once where the puzzle's line decides, else by a search of the worker.

The worker searches, because it has the compiled kernels, and shares its time fairly among the
players. A judgement is stored, and the same for all solvers, so that each line is searched once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from antipodes.clocks import DAY, MINUTE
from antipodes.core import Move
from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game, Position
from antipodes.puzzles.model import Puzzle
from antipodes.puzzles.play import Judgement, Referee, judge, referee
from antipodes.search.analysis_result import line_texts
from antipodes.web.accounts.models import User
from antipodes.web.jobs import queue
from antipodes.web.jobs.clients import take_for_networks_of
from antipodes.web.jobs.models import JobKind
from antipodes.web.jobs.queue import NewJob
from antipodes.web.platform.client_addresses import Address
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import count_limit, rate_limit, take, take_for_networks
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.models import JudgementRow

_SECONDS = 1.5  # expected CPU time of a judgement
_MOST_MOVES = 60  # of both sides
_PATIENCE = MINUTE  # milliseconds after which a lost or hopeless judgement is asked for again
_KEPT = 90 * DAY  # milliseconds
_REFEREES = 4

SEARCHES = rate_limit(
    "puzzle-searches", "30/minute;300/hour", per="user", what="moves of puzzles searched"
)
SEARCHES_OF_ADDRESS = rate_limit(
    "puzzle-searches-of-address",
    "60/minute;600/hour",
    per="address",
    what="moves of puzzles searched",
)
WAITING_SEARCHES = count_limit(
    "puzzle-searches-waiting", 60, per="site", what="moves of puzzles that wait for a search"
)

State = JudgementRow.State


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for a judgement, and whose limits a search counts for.

    Attributes:
        user: account or guest, or ``None``.
        address: of the client, if known.
        refutes: whether the client searches for the refutation of a wrong first move itself.
    """

    user: User | None
    address: Address | None = None
    refutes: bool = False

    def take_search(self) -> None:
        """Count a search.

        Raises:
            TooManyError: a rate limit is exceeded.
        """
        if self.user is not None:
            take(SEARCHES, str(self.user.pk))
        if self.address is not None:
            take_for_networks(SEARCHES_OF_ADDRESS, self.address)
        elif self.user is not None:
            take_for_networks_of(SEARCHES_OF_ADDRESS, self.user)


@dataclass(frozen=True, slots=True)
class Found:
    """A judgement as far as it is known.

    Attributes:
        right: whether the move reaches the goal; ``None`` if that is not known.
        solved: whether the puzzle is solved.
        reply: the opponent's reply to a right move.
        refutation: moves that show why a move is wrong.
        is_over: whether no more will be found out.
        answer: a right move after the reply, for hints; empty if unknown.
    """

    right: bool | None
    solved: bool = False
    reply: str = ""
    refutation: tuple[str, ...] = ()
    is_over: bool = True
    answer: str = ""


def read_moves(puzzle: Puzzle, moves: Sequence[str]) -> tuple[str, ...]:
    """Return moves from a puzzle's position in their usual form; digits alone are their numbers.

    Raises:
        InputError: they are too many.
        MoveError: one of them is not a move, or not legal.
    """
    if len(moves) > _MOST_MOVES:
        fault = Fault.of(
            "puzzle/too-long",
            "{count} moves are too many; {most} are allowed",
            count=len(moves),
            most=_MOST_MOVES,
        )
        raise InputError([fault])
    position = puzzle.position
    names = []
    for text in moves:
        number = read_number(text)
        move = position.parse_move(text) if number is None else Move(number)
        after = position.play(move)
        names.append(position.format_move(move))
        position = after
    return tuple(names)


def position_after(puzzle: Puzzle, moves: Sequence[str]) -> Position:
    """Return the position after legal moves from a puzzle's position."""
    position = puzzle.position
    for text in moves:
        position = position.play(position.parse_move(text))
    return position


def known_at_once(puzzle: Puzzle, moves: tuple[str, ...]) -> Found | None:
    """Return what is known about the last move without a search; ``None`` if nothing is."""
    count = len(moves)
    after = position_after(puzzle, moves)
    if after.outcome is not None:
        is_reached = puzzle.is_reached(after.outcome)
        return Found(is_reached, solved=is_reached)
    if moves == puzzle.line[:count]:
        if count == len(puzzle.line):
            return Found(right=True, solved=True)
        following = puzzle.line[count:]
        return Found(right=True, reply=following[0], answer=following[1])
    if puzzle.turns_left((count + 1) // 2) == 0:
        return Found(right=False)  # no turn is left, and the game is not won
    return None


def judgement(puzzle: Puzzle, moves: tuple[str, ...], asker: Asker) -> Found:
    """Return what is known about the last move; ask the worker for the rest.

    Raises:
        TooManyError: a rate limit is exceeded.
        InputError: too many moves are waiting.
    """
    known = known_at_once(puzzle, moves)
    if known is not None:
        return known
    key = {"puzzle_id": puzzle.id, "moves": " ".join(moves)}
    row = JudgementRow.objects.filter(**key).first()
    if row is None:
        if asker.refutes and len(moves) == 1:
            return Found(right=False, is_over=False)
        row = _ask(key, asker)
    if row.state == State.DONE and row.found is not None:
        return _found(row.found)
    if len(moves) == 1:  # by the proof, no other first move wins
        return Found(right=False, is_over=row.state == State.UNDECIDED)
    return Found(right=None, is_over=row.state == State.UNDECIDED)


def _ask(key: dict[str, str], asker: Asker) -> JudgementRow:
    """Make the row of a judgement, and a job.

    Raises:
        TooManyError: a rate limit is exceeded.
        InputError: too many moves are waiting.
    """
    waiting = JudgementRow.objects.filter(state=State.WAITING).count()
    if waiting >= WAITING_SEARCHES.value:
        fault = Fault.of(
            "puzzle/busy",
            "the computer has {count} moves of puzzles to judge; try again soon",
            count=waiting,
        )
        raise InputError([fault])
    asker.take_search()
    row, is_new = JudgementRow.objects.get_or_create(**key, defaults={"asked_at": now()})
    if is_new:
        queue.put(_work(row, asker.user))
    return row


def _work(row: JudgementRow, user: User | None) -> NewJob:
    owner = None if user is None else user.pk
    return NewJob(kind=JobKind.PUZZLE, key=str(row.pk), user=owner, seconds=_SECONDS)


@dataclass(frozen=True, slots=True)
class OtherPuzzles:
    """Puzzles beside those of the library.

    Attributes:
        find: returns the puzzle with an id; ``None`` if there is none.
        refute: returns moves that show why a first move is wrong where no proof does; ``None`` to
            leave that to the referee.
    """

    find: Callable[[str], Puzzle | None]
    refute: Callable[[Puzzle, str], Sequence[str] | None]


others: dict[str, OtherPuzzles] = {}  # by prefix of ids; set by the wiring


def _others_of(puzzle_id: str) -> OtherPuzzles | None:
    return next((one for prefix, one in others.items() if puzzle_id.startswith(prefix)), None)


def _find(puzzle_id: str) -> Puzzle | None:
    others = _others_of(puzzle_id)
    return catalogue.get(puzzle_id) if others is None else others.find(puzzle_id)


def queue_lost_judgements() -> None:
    """Queue judgements again whose jobs were lost; delete old ones."""
    at = now()
    JudgementRow.objects.filter(asked_at__lt=at - _KEPT).delete()
    undecided = JudgementRow.objects.filter(state=State.UNDECIDED)
    undecided.filter(asked_at__lt=at - _PATIENCE).delete()
    rows = {str(row.pk): row for row in JudgementRow.objects.filter(state=State.WAITING)}
    lost = queue.missing(JobKind.PUZZLE, ((key, 0) for key in rows))
    queue.put(*(_work(rows[key], None) for key in lost))


def judge_now(key: str, _version: int = 0) -> None:
    """Judge a move by a search, with the limits of the puzzle's referee."""
    row = JudgementRow.objects.filter(pk=int(key), state=State.WAITING).first()
    puzzle = _find(row.puzzle_id) if row is not None else None
    if row is None or puzzle is None:
        return
    moves = row.moves.split(" ")
    state, result = State.UNDECIDED, None
    try:
        with _judging:
            result = _searched(puzzle, moves)
        state = State.UNDECIDED if result["right"] is None else State.DONE
    finally:
        # After an error, which the worker logs, solvers must not wait any longer.
        rows = JudgementRow.objects.filter(pk=row.pk, state=State.WAITING)
        rows.update(state=state, found=result)


def _searched(puzzle: Puzzle, moves: Sequence[str]) -> dict[str, Any]:
    """Return the judgement of a move by a search, as data."""
    others = _others_of(puzzle.id)
    if others is not None and len(moves) == 1:
        shown = others.refute(puzzle, moves[0])
        if shown is not None:
            return {"right": False, "refutation": list(shown)}
    chosen = _referee(puzzle.game, puzzle.goal)
    return _as_data(puzzle, moves, judge(puzzle, moves, chosen), chosen)


# A referee has tables of its own, so that one thread at a time may use it.
_judging = threading.Lock()


@lru_cache(maxsize=_REFEREES)
def _referee(game: Game, goal: str) -> Referee:
    return referee(game, goal)


def _as_data(
    puzzle: Puzzle, moves: Sequence[str], told: Judgement, chosen: Referee
) -> dict[str, Any]:
    """Return a judgement as data, with a right move after the reply."""
    before = position_after(puzzle, moves)
    answer = ""
    if told.reply is not None and told.position.outcome is None:
        move = chosen.answer(told.position, puzzle.turns_left((len(moves) + 1) // 2))
        answer = "" if move is None else told.position.format_move(move)
    return {
        "right": told.right,
        "solved": told.solved,
        "reply": "" if told.reply is None else before.format_move(told.reply),
        "refutation": line_texts(before, told.refutation),
        "answer": answer,
    }


def _found(data: dict[str, Any]) -> Found:
    return Found(**{**data, "refutation": tuple(data["refutation"])})
