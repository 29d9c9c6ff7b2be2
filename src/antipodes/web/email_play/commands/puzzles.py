"""The command ``puzzle``: the puzzle of the day, one of a game, and answers to puzzles."""

from __future__ import annotations

from collections.abc import Sequence

from antipodes.errors import Fault, InputError
from antipodes.games.registry import game_ids
from antipodes.notation.text import shorten
from antipodes.puzzles.model import Puzzle
from antipodes.web.email_play.context import CommandContext
from antipodes.web.email_play.models import PuzzleThreadRow
from antipodes.web.email_play.puzzle_answers import Told, answer, shown_hint, shown_solution
from antipodes.web.email_play.puzzle_emails import puzzle_content
from antipodes.web.email_play.puzzle_threads import puzzle_address, thread_of
from antipodes.web.puzzles import catalogue, selectors
from antipodes.web.puzzles.daily import daily, today

_HINT, _SOLUTION = "hint", "solution"


def puzzle(context: CommandContext) -> None:
    """Show a puzzle, or answer one with moves."""
    words = [word.rstrip(",;.!?") for word in context.request.words]
    words = [word for word in words if word]
    if not words:
        _show(context, _next(context, context.request.game))
        return
    game_id = _game_named(words)
    if game_id:
        _show(context, _next(context, game_id))
        return
    found = catalogue.get(words[0].lower())
    if found is None or context.request.game not in ("", found.game_id):
        fault = Fault.of("mail/no-such-puzzle", "there is no puzzle {id}", id=shorten(words[0]))
        raise InputError([fault])
    if len(words) == 1:
        _show(context, found)
    else:
        _answer(context, found, words[1:])


def _game_named(words: Sequence[str]) -> str:
    """Return the game that all words name; empty if there is none."""
    name = "".join(words).lower().replace("-", "").replace("_", "")
    return next((one for one in game_ids() if one.replace("-", "") == name), "")


def _next(context: CommandContext, game_id: str) -> Puzzle:
    """Return the puzzle of the day, or one of a game that the sender has not tried.

    Raises:
        InputError: there is none.
    """
    found = selectors.next_puzzle(context.user, game_id) if game_id else daily(today())
    if found is None:
        message = "there is no puzzle that you have not tried"
        raise InputError.single("mail/no-such-puzzle", message)
    return found


def _show(context: CommandContext, found: Puzzle) -> None:
    """Reply with a puzzle from its start."""
    is_daily = daily(today()) == found
    news = ("This is the puzzle of the day.",) if is_daily else ()
    thread = None
    if context.user is not None and selectors.is_account(context.user):
        thread = thread_of(context.user, found)
        thread.moves, thread.waiting = [], None
        thread.save(update_fields=["moves", "waiting"])
    else:
        news = (
            *news,
            "To answer it, send the command with a mail token from the page of your account.",
        )
    _reply(context, found, Told(news, ()), thread)


def _answer(context: CommandContext, found: Puzzle, words: Sequence[str]) -> None:
    """Reply to moves, or with a hint or the solution."""
    user = context.require_user()
    thread = thread_of(user, found)
    word = words[0].lower()
    if word == _HINT:
        told: Told | None = shown_hint(found, user, thread)
    elif word == _SOLUTION:
        told = shown_solution(found, user, thread)
    else:
        told = answer(user, found, thread, words)
    if told is not None:
        _reply(context, found, told, thread)


def _reply(
    context: CommandContext, found: Puzzle, told: Told, thread: PuzzleThreadRow | None
) -> None:
    content = puzzle_content(found, news=told.news, moves=told.moves, thread=thread)
    context.reply(
        content.subject,
        content.text,
        content.html,
        content.attachments,
        reply_to="" if thread is None else puzzle_address(thread),
    )
