"""Moves that are shown before they are played: previews, and moves that wait for a confirmation."""

from __future__ import annotations

from typing import Any

from antipodes.errors import Fault, InputError, MatchError
from antipodes.games.position import BoardPosition
from antipodes.games.registry import make_game
from antipodes.mail.layout import Preview, preview_subject
from antipodes.mail.layout.board import moves_made
from antipodes.mail.layout.replies import preview_answer
from antipodes.mail.requests import Verb
from antipodes.match import Match
from antipodes.web.email_play.context import Call, carries_out
from antipodes.web.email_play.match_commands import Table, play_line
from antipodes.web.email_play.match_emails import answer_board, letter_of, report_of
from antipodes.web.email_play.models import MailThreadRow
from antipodes.web.email_play.move_lines import read_line
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import standing_of
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.platform.clock import now


@carries_out(Verb.PREVIEW, on_board=True)
def preview_board(call: Call) -> None:
    """Show a board after some more moves; nothing is stored."""
    row = call.need_row()
    standing = standing_of(row)
    start = _position_at(standing.match, call.request.ply)
    report = report_of(standing, None)
    side = side_of(standing, call.user)
    moves = tuple(move for _, move in read_line(start, _moves(call), side))
    preview = Preview(
        start=start,
        moves=moves,
        now=now(),
        made=moves_made(standing.match, start.ply),
        number=row.pk,
        link=report.link,
        players=report.players,
        side=side,
    )
    _answer(call, preview_subject(row.game_id, row.pk), preview, row)


@carries_out(Verb.PREVIEW, on_board=False)
def preview_new(call: Call) -> None:
    """Show a new board after some moves."""
    request = call.request
    if "new" not in request.options or not request.game:
        text = "say which board you mean, or GAME preview new with its options"
        raise InputError.single("mail/no-number", text)
    options = {name: value for name, value in request.options.items() if name != "new"}
    game = make_game(request.game, options)
    players = request.options["new"]
    if players and players != str(game.seats):
        template = "with these options {game} is for {seats} players, not for {players}"
        told = {"game": game.id, "seats": game.seats, "players": players}
        raise InputError([Fault.of("mail/players", template, **told)])
    start = game.initial()
    moves = tuple(move for _, move in read_line(start, _moves(call)))
    preview = Preview(start=start, moves=moves, now=now())
    _answer(call, preview_subject(game.id, None), preview)


def _answer(call: Call, subject: str, preview: Preview, row: MatchRow | None = None) -> None:
    letter = letter_of(subject, preview_answer(preview), preview.link)
    call.answer(letter.subject, letter.text, letter.html, letter.enclosures, about=row)


def _moves(call: Call) -> tuple[str, ...]:
    if not call.request.words:
        raise InputError.single("mail/no-move", "say which moves you want to see")
    return call.request.words


def _position_at(match: Match, ply: int | None) -> BoardPosition[Any]:
    """Return the position after so many moves.

    Raises:
        InputError: there were not so many.
    """
    if ply is None or ply == match.ply:
        return match.position
    if not 0 <= ply < match.ply:
        template = "there is no position after move {ply}: {made} moves were made"
        raise InputError([Fault.of("mail/no-such-ply", template, ply=ply, made=match.ply)])
    position: BoardPosition[Any] = match.terms.game.initial()
    for made in match.moves[:ply]:
        position = position.play(made.move)
    return position


@carries_out(Verb.SUBMIT)
def submit(call: Call) -> None:
    """Keep a move, and show the board as it would be; ``confirm`` plays it."""
    table = Table.of(call)
    table.check_number()
    table.check_turn()
    words = _moves(call)
    if len(words) > 1:
        text = "submit takes one move; several together are for move, queue or preview"
        raise InputError.single("mail/line", text)
    move = int(table.match.position.parse_move(words[0], table.side))
    kept = {"move": move, "turn": _turn(table.match)}
    MailThreadRow.objects.update_or_create(
        user=call.need_user(),
        match=table.before.row,
        defaults={"draft": kept, "draft_ply": table.match.ply},
    )
    answer_board(call, table.before, submitted=move)


@carries_out(Verb.CONFIRM)
def confirm(call: Call) -> None:
    """Play the move that waits for it."""
    table = Table.of(call)
    table.check_number()
    folders = MailThreadRow.objects.filter(user=call.need_user(), match=table.before.row)
    folder = folders.exclude(draft=None).first()
    if folder is None or folder.draft is None or folder.draft_ply is None:
        text = "no move of yours waits to be confirmed on this board"
        raise InputError.single("mail/no-draft", text)
    if folder.draft["turn"] != _turn(table.match):
        template = "the move was submitted as move {meant}, but move {next} is next"
        told = {"meant": folder.draft_ply + 1, "next": table.match.ply + 1}
        raise MatchError([Fault.of("match/stale", template, **told)])
    text = table.match.position.describe_move(folder.draft["move"], table.side)
    folders.update(draft=None, draft_ply=None)
    play_line(table, [text])
    table.pass_on_words()
    table.answer()


def _turn(match: Match) -> str:
    """Name a turn: no other has the same, even after a takeback."""
    return f"{match.ply} {match.moves[-1].at if match.moves else 0}"
