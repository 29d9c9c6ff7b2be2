"""Other answers: refusals, previews, submitted moves, digests, and plain news."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from antipodes.errors import Fault
from antipodes.mail.layout.board import (
    board_answer,
    game_fields,
    game_word,
    head_blocks,
    move_texts,
    moves_made,
    result_field,
    side_fields,
    start_fields,
    tail_blocks,
    turn_field,
)
from antipodes.mail.layout.items import (
    Answer,
    Field,
    Item,
    Listing,
    Moves,
    Original,
    Picture,
    Title,
)
from antipodes.mail.layout.report import BoardReport, Preview
from antipodes.mail.layout.text import BETWEEN, instant, write
from antipodes.records import Result


def write_refusal(
    faults: Sequence[Fault], *, report: BoardReport | None = None, original: str = ""
) -> str:
    """Write a refusal as text; see :func:`refusal_answer`."""
    return write(refusal_answer(faults, report=report, original=original))


def refusal_answer(
    faults: Sequence[Fault], *, report: BoardReport | None = None, original: str = ""
) -> Answer:
    """Return a refusal: its reasons, the board if there is one, and the quoted mail.

    Args:
        faults: the reasons.
        report: the unchanged board.
        original: the mail that is answered, without secrets.
    """
    reasons: list[Item] = [Field.of("Refused", fault.code, str(fault)) for fault in faults]
    board = board_answer(report).blocks if report is not None else ()
    quoted = [Original(original)] if original.strip() else []
    return Answer.of([*reasons, Field("Changed", "nothing")], *board, quoted)


def preview_subject(game_id: str, number: int | None) -> str:
    """Return the subject of a preview; a reply with moves at its end is another one."""
    return f"{game_word(game_id)} Preview {'new' if number is None else number}"


def write_preview(preview: Preview) -> str:
    """Write a preview as text; see :func:`preview_answer`."""
    return write(preview_answer(preview))


def preview_answer(preview: Preview) -> Answer:
    """Return the preview of a board after some moves, which are not stored.

    Raises:
        IllegalMoveError: a move is illegal in its position.
    """
    game, start = preview.start.game, preview.start
    made = (*preview.made, *preview.moves)
    texts = move_texts(start, preview.moves, preview.side)
    position = start
    for move in preview.moves:
        position = position.play(move)
    if position.outcome is not None:
        standing = result_field(Result.of(position.outcome))
    else:
        standing = turn_field(position, len(made) + 1, preview.players)
    return Answer.of(
        [
            Title(preview_subject(game.id, preview.number)),
            Field("News", "This is a preview. Nothing is stored."),
        ],
        [
            *game_fields(game),
            *([Field("Link", preview.link)] if preview.link else []),
            Field("Written", instant(preview.now)),
            Field("State", "preview"),
            standing,
        ],
        [
            *start_fields(game.initial()),
            *side_fields(game, preview.side),
            Moves(name="Tried", texts=texts, seats=game.seats, first=len(preview.made) + 1),
        ],
        [Picture(position, len(made), made, preview.side, preview.setup)],
    )


def write_submission(report: BoardReport, move: int) -> str:
    """Write a submitted move as text; see :func:`submission_answer`."""
    return write(submission_answer(report, move))


def submission_answer(report: BoardReport, move: int) -> Answer:
    """Return the answer to a submitted move, with the board after it.

    Raises:
        IllegalMoveError: the move is illegal.
    """
    match, position = report.match, report.match.position
    text = position.format_move(move, report.side)
    news = f"The picture shows the board after {text}, which is not played yet. confirm plays it."
    told = replace(report, submitted=text, news=(*report.news, news))
    tried = Moves(name="Tried", texts=(text,), seats=1, first=match.ply + 1)
    made = (*moves_made(match, match.ply), int(move))
    return Answer.of(
        *head_blocks(told),
        [*side_fields(position.game, report.side), tried],
        [Picture(position.play(move), len(made), made, report.side, match.terms.setup)],
        *tail_blocks(told),
    )


def write_digest(reports: Sequence[BoardReport], *, headline: str, more: Sequence[str] = ()) -> str:
    """Write several boards in one answer: a list of them, then each after 60 equals signs.

    Args:
        reports: the boards.
        headline: says which boards they are.
        more: further sentences, about other things than boards.
    """
    boards = (f"{BETWEEN}\n{write(board_answer(one))}" for one in reports)
    return "\n".join([write(digest_head(reports, headline=headline, more=more)), *boards])


def digest_head(
    reports: Sequence[BoardReport], *, headline: str, more: Sequence[str] = ()
) -> Answer:
    """Return the head of a digest: the news, and a list of its boards."""
    heads = ("Board", "Game", "Turn", "Moves", "Deadline")
    return Answer.of(
        [Field("News", line) for line in (headline, *more)],
        [Listing("Boards", heads, tuple(_digest_row(report) for report in reports))],
    )


def _digest_row(report: BoardReport) -> tuple[str, ...]:
    match = report.match
    seat, deadline = match.seat_to_move, match.clock.deadline
    return (
        str(report.number),
        match.terms.game.id,
        "" if seat is None else report.players[seat].name,
        str(match.ply),
        "" if deadline is None else instant(deadline),
    )


def write_news(lines: Iterable[str]) -> str:
    """Write an answer of sentences only, such as that a request was carried out."""
    return write(Answer.of([Field("News", line) for line in lines]))
