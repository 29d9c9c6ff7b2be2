"""Moves of puzzles by e-mail: judged at once, or answered later if the computer has to search."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from antipodes.clocks import MINUTE
from antipodes.errors import InputError
from antipodes.puzzles.model import Puzzle
from antipodes.web.accounts.models import User
from antipodes.web.email_play.context import EmailContent, build_email
from antipodes.web.email_play.models import PuzzleThreadRow
from antipodes.web.email_play.puzzle_emails import addressed, puzzle_content
from antipodes.web.notifications.emails import address_of
from antipodes.web.notifications.outbox import enqueue
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import outage_of
from antipodes.web.puzzles import catalogue, services
from antipodes.web.puzzles.attempts import Recorded
from antipodes.web.puzzles.services import Answer, Verdict

logger = logging.getLogger(__name__)

_PATIENCE = MINUTE  # milliseconds in which a refutation or a judgement is waited for
_ENDED = (Verdict.SOLVED, Verdict.WRONG)


@dataclass(frozen=True, slots=True)
class Told:
    """The contents of an e-mail after some moves.

    Attributes:
        news: sentences.
        moves: of both sides, after which the board is shown.
    """

    news: tuple[str, ...]
    moves: tuple[str, ...]


def answer(
    user: User, puzzle: Puzzle, thread: PuzzleThreadRow, texts: Sequence[str]
) -> Told | None:
    """Judge a solver's moves one after another, and keep how far the solver has come.

    Returns:
        What to say; ``None`` if the computer is still searching. Then `answer_waiting` sends an
        e-mail when it knows more.

    Raises:
        TooManyError: a rate limit is exceeded.
        InputError: a move is not one of the game, or not legal; or too many moves wait.
    """
    news: list[str] = []
    moves = tuple(thread.moves)
    found: Answer | None = None
    for index, text in enumerate(texts):
        found = services.answer(user, puzzle, moves, text)
        if found.verdict is Verdict.WAITING or not found.is_final:
            _wait(thread, moves, texts[index:], found, news)
            return None
        news += _news(found)
        if found.verdict is not Verdict.RIGHT:
            break
        moves = found.moves
    return _finish(thread, moves, found, news)


def _wait(
    thread: PuzzleThreadRow,
    moves: Sequence[str],
    texts: Sequence[str],
    found: Answer,
    news: Sequence[str],
) -> None:
    """Store the moves that wait for a search."""
    recorded = found.recorded
    thread.moves = list(moves)
    thread.waiting = {
        "texts": list(texts),
        "since": now(),
        "is_recorded": found.verdict in _ENDED,
        "news": [*news, *_recorded_news(recorded)],
    }
    thread.save(update_fields=["moves", "waiting"])


def _finish(
    thread: PuzzleThreadRow, moves: Sequence[str], found: Answer | None, news: Sequence[str]
) -> Told:
    """Store how far the solver has come, and return what to say."""
    is_solved = found is not None and found.verdict is Verdict.SOLVED
    shown = tuple(found.moves) if is_solved and found is not None else tuple(moves)
    thread.moves = [] if is_solved else list(moves)
    thread.waiting = None
    thread.save(update_fields=["moves", "waiting"])
    return Told(tuple(news), shown)


def _news(found: Answer) -> list[str]:
    """Return sentences about the last move."""
    own = found.moves[-2] if found.reply else found.moves[-1]
    if found.verdict is Verdict.RIGHT:
        return [f"{own} is right. The reply is {found.reply}."]
    if found.verdict is Verdict.SOLVED:
        return [f"{own} is right. You have solved the puzzle.", *_recorded_news(found.recorded)]
    if found.verdict is Verdict.UNDECIDED:
        return [f"The computer could not decide whether {own} is right. Try another move."]
    line = " ".join(found.refutation)
    why = f"{own} is wrong: {line}." if line else f"{own} is wrong."
    return [f"{why} Try another move.", *_recorded_news(found.recorded)]


def _recorded_news(recorded: Recorded | None) -> list[str]:
    """Return a sentence about the rating, if the try was rated."""
    if recorded is None or not recorded.is_first or recorded.row.value is None:
        return []
    gain = recorded.row.gain or 0
    return [f"Your rating in these puzzles is {round(recorded.row.value)} ({gain:+d})."]


def shown_hint(puzzle: Puzzle, user: User, thread: PuzzleThreadRow) -> Told:
    """Return a hint: the themes of a puzzle; the try is no longer rated."""
    services.hint(user, puzzle, thread.moves)
    themes = ", ".join(puzzle.themes)
    text = f"Themes: {themes}." if themes else "This puzzle has no theme."
    return Told((text, "A try with a hint is not rated."), tuple(thread.moves))


def shown_solution(puzzle: Puzzle, user: User, thread: PuzzleThreadRow) -> Told:
    """Return the solution of a puzzle; a try that has not ended counts as failed."""
    line = services.solution(user, puzzle)
    thread.moves, thread.waiting = [], None
    thread.save(update_fields=["moves", "waiting"])
    return Told((f"Solution: {' '.join(line)}.",), tuple(line))


# Answers that waited for a search.


def answer_waiting() -> None:
    """Send e-mails about moves whose search is over."""
    waiting = PuzzleThreadRow.objects.filter(waiting__isnull=False)
    for key in waiting.values_list("pk", flat=True):
        try:
            _answer_waiting(key)
        except Exception as error:
            if outage_of(error):
                raise
            logger.exception("puzzle not answered thread=%s", key)
            PuzzleThreadRow.objects.filter(pk=key).update(waiting=None)


def _answer_waiting(key: int) -> None:
    """Answer the moves of a thread that wait, if their search is over; each once."""
    with transaction.atomic():
        rows = PuzzleThreadRow.objects.select_for_update(of=("self",)).select_related("user")
        thread = rows.filter(pk=key, waiting__isnull=False).first()
        if thread is None or thread.waiting is None:
            return
        puzzle, waiting = catalogue.get(thread.puzzle_id), dict(thread.waiting)
        if puzzle is None:
            PuzzleThreadRow.objects.filter(pk=key).update(waiting=None)
            return
        try:
            told = _told_of_waiting(thread, puzzle, waiting)
        except InputError as error:
            told = _finish(thread, thread.moves, None, [f"{str(error).removesuffix('.')}."])
        if told is not None:
            _send(thread, puzzle, told, f"{key} {waiting['since']}")


def _told_of_waiting(
    thread: PuzzleThreadRow, puzzle: Puzzle, waiting: dict[str, object]
) -> Told | None:
    """Return what to say about moves that waited; ``None`` if they still wait."""
    texts, news = list(map(str, _list(waiting["texts"]))), list(map(str, _list(waiting["news"])))
    is_late = now() - int(str(waiting["since"])) > _PATIENCE
    moves = tuple(thread.moves)
    found = services.refutation(thread.user, puzzle, [*moves, texts[0]])
    if found.verdict is Verdict.WAITING:
        if not is_late:
            return None
        news.append(f"The computer could not judge {texts[0]} in time. Send it again later.")
        return _finish(thread, moves, None, news)
    if not found.is_final and not is_late:
        return None
    if waiting["is_recorded"] or found.verdict is Verdict.UNDECIDED:
        return _finish(thread, moves, found, [*_news(found), *news])
    told = answer(thread.user, puzzle, thread, texts)
    return None if told is None else Told((*news, *told.news), told.moves)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _send(thread: PuzzleThreadRow, puzzle: Puzzle, told: Told, key: str) -> None:
    """Put an e-mail about a puzzle into the outbox."""
    to = address_of(thread.user)
    if to is None:
        return
    content: EmailContent = puzzle_content(puzzle, news=told.news, moves=told.moves, thread=thread)
    email = build_email(content, key=f"puzzle {key}", to=to, user=thread.user)
    enqueue(addressed(email, thread))
