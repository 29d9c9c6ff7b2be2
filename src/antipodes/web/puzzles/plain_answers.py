"""Answers to puzzles by a plain form, for browsers without JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.puzzles.model import Puzzle
from antipodes.web.analysis.presenters import words_of
from antipodes.web.platform.limits import TooManyError, status_of
from antipodes.web.platform.translations import error_message
from antipodes.web.puzzles import presenters
from antipodes.web.puzzles.judgements import position_after, read_moves
from antipodes.web.puzzles.services import Answer, AnswerVerdict

WAIT = 4.0  # seconds to wait for a search
_LONGEST = 1_000  # characters of moves


@dataclass(frozen=True, slots=True)
class Actions:
    """Actions of a solver.

    Attributes:
        answer: judges a move after the moves so far.
        hint: returns a right move after the moves so far; empty if none is known.
        solution: returns the moves of the solution.
    """

    answer: Callable[[Sequence[str], str], Answer]
    hint: Callable[[Sequence[str]], str]
    solution: Callable[[], Sequence[str]]


def read(text: str) -> list[str]:
    """Read moves, separated by commas.

    Raises:
        InputError: the text is too long.
    """
    if len(text) > _LONGEST:
        raise InputError.single("puzzle/too-long", f"{len(text)} characters are too many")
    return [move.strip() for move in text.split(",") if move.strip()]


def respond(request: HttpRequest, puzzle: Puzzle, actions: Actions) -> dict[str, Any]:
    """Respond to a posted form: return what the page tells, with the status of the response.

    Raises:
        TooManyError: a rate limit is exceeded.
    """
    moves: list[str] = []
    try:
        moves = list(read_moves(puzzle, read(request.POST.get("moves", ""))))
        asked = request.POST.get("ask", "")
        if asked == "solution":
            line = actions.solution()
            text = _("Solution: %(moves)s") % {"moves": " ".join(line)}
            words = words_of(puzzle.position, line)
            return _told(" ".join([f"{text}.", *words]), [], line, is_over=True)
        if asked == "hint":
            return _told(_hint(puzzle, moves, actions.hint(moves)), moves, moves)
        move = request.POST.get("move", "").strip()
        return _answered(puzzle, moves, actions.answer(moves, move))
    except TooManyError:
        raise  # the middleware answers with Retry-After
    except InputError as error:
        told = {"refused": error_message(error), "status": status_of(error)}
        return {**_told("", moves, moves), **told}


def _told(
    text: str, moves: Sequence[str], shown: Sequence[str], *, is_over: bool = False
) -> dict[str, Any]:
    """Return what the page tells.

    Args:
        text: a message.
        moves: right moves and replies, after which the solver goes on.
        shown: moves to the position of the picture.
        is_over: whether the puzzle is solved or the solution shown.
    """
    return {
        "text": text,
        "moves": ",".join(moves),
        "shown": ",".join(shown),
        "played": " ".join(shown),
        "is_over": is_over,
        "status": 200,
    }


def _hint(puzzle: Puzzle, moves: Sequence[str], right: str) -> str:
    told = presenters.hint_view(puzzle, moves, right)
    name = puzzle.game.topology.name
    cells = ", ".join(map(name, told["cells"]))
    if not cells:
        return _("There is no hint here.")
    return _("The right move begins at one of these: %(names)s") % {"names": cells}


def _answered(puzzle: Puzzle, before: Sequence[str], judged: Answer) -> dict[str, Any]:
    played = judged.moves[:-1] if judged.reply else judged.moves
    values = {"move": played[-1], "reply": judged.reply, "moves": " ".join(judged.refutation)}
    match judged.verdict:
        case AnswerVerdict.SOLVED:
            text = _("%(move)s is right. Solved!") % values
            return _told(text, judged.moves, judged.moves, is_over=True)
        case AnswerVerdict.RIGHT:
            text = _("%(move)s is right. The reply is %(reply)s. Your move.") % values
            return _told(text, judged.moves, judged.moves)
        case AnswerVerdict.WRONG:
            text = _("%(move)s is wrong.") % values
            if judged.refutation:
                line = _("The refutation: %(moves)s") % values
                words = words_of(position_after(puzzle, judged.moves), judged.refutation)
                text = " ".join([text, f"{line}.", *words])
            return _told(text, before, [*judged.moves, *judged.refutation])
        case AnswerVerdict.UNDECIDED:
            text = _("%(move)s: the computer could not decide whether this is right.") % values
        case _:
            text = _("The computer still thinks about %(move)s. Answer again soon.") % values
    return _told(text, before, before)
