"""E-mails about puzzles: the board as text and as a picture, and how to answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.urls import reverse

from antipodes.mail.layout.board import color_words, game_fields, game_word, side_fields
from antipodes.mail.layout.items import Answer, Field, Item, Moves, Picture, Title
from antipodes.mail.layout.text import instant
from antipodes.puzzles.model import Puzzle
from antipodes.web.accounts.models import User
from antipodes.web.email_play.context import EmailContent, build_email
from antipodes.web.email_play.match_emails import email_content, english
from antipodes.web.email_play.models import PuzzleThreadRow
from antipodes.web.email_play.puzzle_threads import puzzle_address, thread_of
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.emails import absolute_url, site_domain, unsubscribe_url
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.judgements import position_after
from antipodes.web.puzzles.labels import task_of

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
    answer = Answer.of(
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
    stop = unsubscribe_url(user, Kind.DAILY_PUZZLE)
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
