"""The command ``puzzle`` and e-mails about puzzles: boards, answers, reply addresses, threads.

Moves are judged at once, or answered later if the computer has to search. Like that of a
confirmation, the reply address is signed, not stored. It authenticates one user for one puzzle, and
revoking all reply addresses revokes it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.urls import reverse

from antipodes.clocks import DAY, MINUTE
from antipodes.errors import Fault, InputError
from antipodes.games.registry import game_ids
from antipodes.learn.move_words import line_in_words
from antipodes.mail.layout.board import color_words, game_fields, game_word, side_fields
from antipodes.mail.layout.items import Answer as MailAnswer
from antipodes.mail.layout.items import Field, Item, Moves, Picture, Title
from antipodes.mail.layout.text import instant
from antipodes.notation.text import shorten
from antipodes.puzzles.model import Puzzle
from antipodes.web.accounts.models import User
from antipodes.web.email_play.context import CommandContext, EmailContent, build_email
from antipodes.web.email_play.match_emails import email_content, english
from antipodes.web.email_play.models import PuzzleThreadRow
from antipodes.web.email_play.reply_addresses import SignedAddress, generation_of
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.emails import (
    absolute_url,
    address_of,
    site_domain,
    unsubscribe_url,
)
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.outbox import enqueue
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import outage_of
from antipodes.web.puzzles import catalogue, selectors, services
from antipodes.web.puzzles.daily import daily, today
from antipodes.web.puzzles.judgements import Asker, position_after
from antipodes.web.puzzles.labels import task_of
from antipodes.web.puzzles.services import Answer, AnswerVerdict, Recorded

_ADDRESS = SignedAddress(b"antipodes puzzle address", size=7)
_LIFETIME = 90 * DAY  # milliseconds since the last e-mail


def thread_of(user: User, puzzle: Puzzle) -> PuzzleThreadRow:
    """Return the state of a user's e-mails about a puzzle."""
    row, _ = PuzzleThreadRow.objects.update_or_create(
        user=user, puzzle_id=puzzle.id, defaults={"mailed_at": now()}
    )
    return row


def puzzle_address(row: PuzzleThreadRow) -> str:
    """Return a user's reply address for a puzzle; empty if the site receives no mail."""
    return _ADDRESS.write(row.pk, _revocable(row))


def thread_at(address: str) -> PuzzleThreadRow | None:
    """Return the thread with a reply address; ``None`` if it is forged, revoked or too old."""
    rows = PuzzleThreadRow.objects.select_related("user").filter(user__is_active=True)
    return _ADDRESS.find(rows, address, _revocable)


def _revocable(row: PuzzleThreadRow) -> bytes:
    return b"%d %d" % (row.user_id, generation_of(row.user_id))


def delete_old_threads() -> None:
    """Delete threads without an e-mail for a long time."""
    PuzzleThreadRow.objects.filter(mailed_at__lt=now() - _LIFETIME).delete()


_HOW = "write your move in the first line of a reply, or `hint`, or `solution`"


def puzzle_subject(puzzle: Puzzle) -> str:
    """Return the subject of e-mails about a puzzle: the command that shows it."""
    return f"{game_word(puzzle.game_id)} Puzzle {puzzle.id}"


def puzzle_content(
    puzzle: Puzzle,
    *,
    news: Sequence[str],
    moves: Sequence[str] = (),
    thread: PuzzleThreadRow | None = None,
    footer: Sequence[Field] = (),
) -> EmailContent:
    """Return an e-mail with the board of a puzzle.

    Args:
        puzzle: the puzzle.
        news: sentences about what happened.
        moves: of both sides, after which the board is shown.
        thread: of the reader, who can answer by a reply.
        footer: further fields at the end.
    """
    with english():
        return _puzzle_content(puzzle, news, moves, thread, footer)


def _puzzle_content(
    puzzle: Puzzle,
    news: Sequence[str],
    moves: Sequence[str],
    thread: PuzzleThreadRow | None,
    footer: Sequence[Field],
) -> EmailContent:
    game, position = puzzle.game, position_after(puzzle, moves)
    link = absolute_url(reverse("puzzle", args=[puzzle.id]))
    address = "" if thread is None else puzzle_address(thread)
    made: list[int] = []
    after = puzzle.position
    for text in moves:
        made.append(int(after.parse_move(text)))
        after = after.play(made[-1])
    task = f"{task_of(puzzle)}." if not moves else f"{color_words(position.to_move)} to move."
    played: list[Item] = (
        [Moves(name="Moves", texts=tuple(moves), seats=game.seats)] if moves else []
    )
    is_over = position.outcome is not None
    answer = MailAnswer.of(
        [Title(puzzle_subject(puzzle)), *(Field("News", line) for line in news)],
        [
            *game_fields(game),
            Field("Link", link),
            Field("Written", instant(now())),
            *([] if is_over else [Field("Task", task)]),
        ],
        [*side_fields(game, 0), *played],
        [Picture(position, len(made), tuple(made), 0, puzzle.setup)],
        [
            *([Field("Reply", address)] if address and not is_over else []),
            *([Field("Answer", _HOW)] if address and not is_over else []),
            *footer,
        ],
    )
    return email_content(puzzle_subject(puzzle), answer, link)


def addressed(email: EmailMessage, thread: PuzzleThreadRow) -> EmailMessage:
    """Return an e-mail whose replies go to the reader's address for a puzzle."""
    address = puzzle_address(thread)
    if not address:
        return email
    return replace(email, headers={**email.headers, "Reply-To": address})


def daily_email(user: User, to: str, row: NotificationRow) -> EmailMessage | None:
    """Return the e-mail with the puzzle of the day; ``None`` if the puzzle no longer exists."""
    puzzle = catalogue.get(str(row.arguments.get("puzzle", "")))
    if puzzle is None:
        return None
    thread = thread_of(user, puzzle)
    stop = unsubscribe_url(user, NotificationKind.DAILY_PUZZLE)
    content = puzzle_content(
        puzzle,
        news=("This is the puzzle of the day.",),
        thread=thread,
        footer=(
            Field("Settings", absolute_url(reverse("notification-preferences"))),
            Field("Unsubscribe", stop),
        ),
    )
    email = addressed(build_email(content, key=f"daily puzzle {row.pk}", to=to, user=user), thread)
    headers = {
        **email.headers,
        "List-Id": f"Antipodes puzzles <puzzles.{site_domain()}>",
        "List-Unsubscribe": f"<{stop}>",
    }
    return replace(email, headers=headers)


logger = logging.getLogger(__name__)

_PATIENCE = MINUTE  # milliseconds in which a refutation or a judgement is waited for
_ENDED = (AnswerVerdict.SOLVED, AnswerVerdict.WRONG)


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
    judged: Answer | None = None
    for index, text in enumerate(texts):
        judged = services.answer(user, puzzle, moves, text)
        if judged.verdict is AnswerVerdict.WAITING or not judged.is_final:
            _wait(thread, moves, texts[index:], judged, news)
            return None
        news += _news(puzzle, judged)
        if judged.verdict is not AnswerVerdict.RIGHT:
            break
        moves = judged.moves
    return _finish(thread, moves, judged, news)


def _wait(
    thread: PuzzleThreadRow,
    moves: Sequence[str],
    texts: Sequence[str],
    judged: Answer,
    news: Sequence[str],
) -> None:
    """Store the moves that wait for a search."""
    recorded = judged.recorded
    thread.moves = list(moves)
    thread.waiting = {
        "texts": list(texts),
        "since": now(),
        "is_recorded": judged.verdict in _ENDED,
        "news": [*news, *_recorded_news(recorded)],
    }
    thread.save(update_fields=["moves", "waiting"])


def _finish(
    thread: PuzzleThreadRow, moves: Sequence[str], found: Answer | None, news: Sequence[str]
) -> Told:
    """Store how far the solver has come, and return what to say."""
    is_solved = found is not None and found.verdict is AnswerVerdict.SOLVED
    shown = tuple(found.moves) if is_solved and found is not None else tuple(moves)
    thread.moves = [] if is_solved else list(moves)
    thread.waiting = None
    thread.save(update_fields=["moves", "waiting"])
    return Told(tuple(news), shown)


def _news(puzzle: Puzzle, judged: Answer) -> list[str]:
    """Return sentences about the last move."""
    own = judged.moves[-2] if judged.reply else judged.moves[-1]
    if judged.verdict is AnswerVerdict.RIGHT:
        return [f"{own} is right. The reply is {judged.reply}."]
    if judged.verdict is AnswerVerdict.SOLVED:
        return [f"{own} is right. You have solved the puzzle.", *_recorded_news(judged.recorded)]
    if judged.verdict is AnswerVerdict.UNDECIDED:
        return [f"The computer could not decide whether {own} is right. Try another move."]
    line = " ".join(judged.refutation)
    why = f"{own} is wrong: {line}." if line else f"{own} is wrong."
    words = map(str, line_in_words(position_after(puzzle, judged.moves), judged.refutation))
    return [f"{why} Try another move.", *words, *_recorded_news(judged.recorded)]


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
    words = map(str, line_in_words(puzzle.position, line))
    return Told((f"Solution: {' '.join(line)}.", *words), tuple(line))


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
    judged = services.refutation(Asker(thread.user), puzzle, [*moves, texts[0]])
    if judged.verdict is AnswerVerdict.WAITING:
        if not is_late:
            return None
        news.append(f"The computer could not judge {texts[0]} in time. Send it again later.")
        return _finish(thread, moves, None, news)
    if not judged.is_final and not is_late:
        return None
    if waiting["is_recorded"] or judged.verdict is AnswerVerdict.UNDECIDED:
        return _finish(thread, moves, judged, [*_news(puzzle, judged), *news])
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
    chosen = catalogue.get(words[0].lower())
    if chosen is None or context.request.game not in ("", chosen.game_id):
        fault = Fault.of("mail/no-such-puzzle", "there is no puzzle {id}", id=shorten(words[0]))
        raise InputError([fault])
    if len(words) == 1:
        _show(context, chosen)
    else:
        _answer(context, chosen, words[1:])


def _game_named(words: Sequence[str]) -> str:
    """Return the game that all words name; empty if there is none."""
    name = "".join(words).lower().replace("-", "").replace("_", "")
    return next((one for one in game_ids() if one.replace("-", "") == name), "")


def _next(context: CommandContext, game_id: str) -> Puzzle:
    """Return the puzzle of the day, or one of a game that the sender has not tried.

    Raises:
        InputError: there is none.
    """
    puzzle = selectors.next_puzzle(context.user, game_id) if game_id else daily(today())
    if puzzle is None:
        message = "there is no puzzle that you have not tried"
        raise InputError.single("mail/no-such-puzzle", message)
    return puzzle


def _show(context: CommandContext, puzzle: Puzzle) -> None:
    """Reply with a puzzle from its start."""
    is_daily = daily(today()) == puzzle
    news = ("This is the puzzle of the day.",) if is_daily else ()
    thread = None
    if context.user is not None and selectors.is_account(context.user):
        thread = thread_of(context.user, puzzle)
        thread.moves, thread.waiting = [], None
        thread.save(update_fields=["moves", "waiting"])
    else:
        news = (
            *news,
            "To answer it, send the command with a mail token from the page of your account.",
        )
    _reply(context, puzzle, Told(news, ()), thread)


def _answer(context: CommandContext, puzzle: Puzzle, words: Sequence[str]) -> None:
    """Reply to moves, or with a hint or the solution."""
    user = context.require_user()
    thread = thread_of(user, puzzle)
    word = words[0].lower()
    if word == _HINT:
        told: Told | None = shown_hint(puzzle, user, thread)
    elif word == _SOLUTION:
        told = shown_solution(puzzle, user, thread)
    else:
        told = answer(user, puzzle, thread, words)
    if told is not None:
        _reply(context, puzzle, told, thread)


def _reply(
    context: CommandContext, puzzle: Puzzle, told: Told, thread: PuzzleThreadRow | None
) -> None:
    content = puzzle_content(puzzle, news=told.news, moves=told.moves, thread=thread)
    context.reply(
        content.subject,
        content.text,
        content.html,
        content.attachments,
        reply_to="" if thread is None else puzzle_address(thread),
    )
