"""Answers that are no plain board: refusals, previews, moves that wait, several boards at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from antipodes.errors import Fault
from antipodes.mail.layout.board import (
    board_blocks,
    color_words,
    game_fields,
    game_word,
    move_texts,
    numbered,
    picture_fields,
    result_words,
    start_fields,
    title_line,
    write_board,
)
from antipodes.mail.layout.report import BoardReport, Preview
from antipodes.mail.layout.text import (
    NOTHING,
    RULE,
    field,
    instant,
    joined,
    parts,
    quoted,
    table,
)
from antipodes.records import Result

_BETWEEN = "=" * 60  # stands before each board of a digest


def write_refusal(
    faults: Sequence[Fault], *, report: BoardReport | None = None, original: str = ""
) -> str:
    """Write why a request was refused: the reasons, the board if there is one, and the mail.

    Args:
        faults: everything that is wrong.
        report: the board as it stands, unchanged.
        original: what was sent to us, without anything that must not be repeated.
    """
    reasons = [field("Refused", parts(fault.code, str(fault))) for fault in faults]
    blocks = [[*reasons, field("Changed", "nothing")]]
    blocks += board_blocks(report) if report is not None else []
    lines = quoted(original)
    if lines:
        blocks.append([RULE, "You wrote:", *lines])
    return joined(blocks)


def preview_subject(game_id: str, number: int | None) -> str:
    """Return the subject of a preview; a reply with moves at its end is another one."""
    return f"{game_word(game_id)} Preview {number or 'new'}"


def write_preview(preview: Preview) -> str:
    """Write how a board would stand after some moves, of which nothing is stored.

    Raises:
        IllegalMoveError: the moves are not legal one after another.
    """
    game, start = preview.start.game, preview.start
    position = start
    for move in preview.moves:
        position = position.play(move)
    texts = move_texts(game, preview.moves, start)
    number = "new" if preview.number is None else str(preview.number)
    if position.outcome is not None:
        result = Result.of(position.outcome)
        standing = field("Result", parts(result.reason.value, result_words(result)))
    else:
        seat = position.seat_to_move
        name = preview.players[seat].name if preview.players else ""
        who = parts(f"move {position.ply + 1}", f"seat {seat + 1}", color_words(position.to_move))
        standing = field("Turn", parts(who, name))
    return joined(
        [
            [
                title_line(game.id, number, "Preview"),
                field("News", "This is a preview: nothing is stored."),
            ],
            [
                *game_fields(game),
                *([field("Link", preview.link)] if preview.link else []),
                field("Written", instant(preview.now)),
                field("State", "preview"),
                standing,
            ],
            [*start_fields(game), *numbered("Tried", texts, game.seats, first=start.ply + 1)],
            picture_fields(position, position.ply),
        ]
    )


def write_submission(report: BoardReport, move: int) -> str:
    """Write that a move of the viewer waits to be confirmed, with the board as it would be.

    Raises:
        IllegalMoveError: the move is not legal now.
    """
    position = report.match.position
    text = position.format_move(move)
    after = picture_fields(position.play(move), position.ply + 1)
    told = replace(report, submitted=text)
    blocks = board_blocks(told)
    shown = next(
        place for place, block in enumerate(blocks) if block and block[0].startswith("Picture:")
    )
    blocks[shown] = [
        field("News", f"The picture shows the board after {text}, not yet played."),
        *after,
    ]
    return joined(blocks)


def write_digest(reports: Sequence[BoardReport], *, headline: str) -> str:
    """Write several boards in one answer: a list of them, then each after 60 equals signs."""
    rows = []
    for report in reports:
        match = report.match
        deadline = match.clock.deadline
        seat = match.seat_to_move
        rows.append(
            (
                str(report.number),
                match.terms.game.id,
                NOTHING if seat is None else report.name_of(seat),
                str(match.ply),
                NOTHING if deadline is None else instant(deadline),
            )
        )
    head = [
        field("News", headline),
        *table("Boards", ("Board", "Game", "Turn", "Moves", "Deadline"), rows),
    ]
    texts = ["\n".join(head) + "\n", *(f"{_BETWEEN}\n{write_board(one)}" for one in reports)]
    return "\n".join(texts)


def write_news(lines: Iterable[str]) -> str:
    """Write an answer that has only something to say, such as that a request was carried out."""
    return joined([[field("News", line) for line in lines]])
