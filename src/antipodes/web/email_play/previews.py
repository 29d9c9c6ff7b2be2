"""Commands that show moves before they are played: ``preview``, ``submit`` and ``confirm``."""

from __future__ import annotations

from antipodes.errors import Fault, InputError, MatchError
from antipodes.games.position import Position
from antipodes.games.registry import make_game
from antipodes.mail.layout import Preview, preview_subject
from antipodes.mail.layout.board import moves_made
from antipodes.mail.layout.replies import preview_answer
from antipodes.match import Match
from antipodes.web.email_play.context import CommandContext
from antipodes.web.email_play.match_commands import MatchSession, play_line
from antipodes.web.email_play.match_emails import board_report, email_content, reply_with_board
from antipodes.web.email_play.models import MailThreadRow
from antipodes.web.email_play.move_lines import read_line
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.platform.clock import now


def preview_board(context: CommandContext) -> None:
    """Show a board after some more moves; nothing is stored."""
    row = context.require_match()
    snapshot = snapshot_of(row)
    ply = snapshot.match.ply if context.request.ply is None else context.request.ply
    start = _position_at(snapshot.match, ply)
    report = board_report(snapshot, None)
    side = side_of(snapshot, context.user)
    moves = tuple(move for _, move in read_line(start, _moves(context), side))
    preview = Preview(
        start=start,
        moves=moves,
        now=now(),
        made=moves_made(snapshot.match, ply),
        setup=snapshot.match.terms.setup,
        number=row.pk,
        link=report.link,
        players=report.players,
        side=side,
    )
    _reply(context, preview_subject(row.game_id, row.pk), preview, row)


def preview_new(context: CommandContext) -> None:
    """Show a new board after some moves."""
    request = context.request
    if "new" not in request.options or not request.game:
        text = "say which board you mean, or GAME preview new with its options"
        raise InputError.single("mail/no-number", text)
    options = {name: value for name, value in request.options.items() if name != "new"}
    game = make_game(request.game, options)
    players = request.options["new"]
    if players and players != str(game.seats):
        template = "with these options {game} is for {seats} players, not for {players}"
        values = {"game": game.id, "seats": game.seats, "players": players}
        raise InputError([Fault.of("mail/players", template, **values)])
    start = game.initial()
    moves = tuple(move for _, move in read_line(start, _moves(context)))
    preview = Preview(start=start, moves=moves, now=now())
    _reply(context, preview_subject(game.id, None), preview)


def _reply(
    context: CommandContext, subject: str, preview: Preview, row: MatchRow | None = None
) -> None:
    content = email_content(subject, preview_answer(preview), preview.link)
    context.reply(content.subject, content.text, content.html, content.attachments, about=row)


def _moves(context: CommandContext) -> tuple[str, ...]:
    if not context.request.words:
        raise InputError.single("mail/no-move", "say which moves you want to see")
    return context.request.words


def _position_at(match: Match, ply: int) -> Position:
    """Return the position after a number of moves.

    Raises:
        InputError: fewer moves were made.
    """
    if ply == match.ply:
        return match.position
    if not 0 <= ply < match.ply:
        template = "there is no position after move {ply}: {made} moves were made"
        raise InputError([Fault.of("mail/no-such-ply", template, ply=ply, made=match.ply)])
    position: Position = match.terms.origin
    for made in match.moves[:ply]:
        position = position.play(made.move)
    return position


def submit(context: CommandContext) -> None:
    """Store a move as a draft and show the board after it; ``confirm`` plays it."""
    session = MatchSession.of(context)
    session.check_ply()
    session.check_turn()
    words = _moves(context)
    if len(words) > 1:
        text = "submit takes one move; several together are for move, queue or preview"
        raise InputError.single("mail/line", text)
    move = int(session.match.position.parse_move(words[0], session.side))
    draft = {"move": move, "turn": _turn(session.match)}
    MailThreadRow.objects.update_or_create(
        user=context.require_user(),
        match=session.before.row,
        defaults={"draft": draft, "draft_ply": session.match.ply},
    )
    reply_with_board(context, session.before, submitted=move)


def confirm(context: CommandContext) -> None:
    """Play the submitted move."""
    session = MatchSession.of(context)
    session.check_ply()
    threads = MailThreadRow.objects.filter(user=context.require_user(), match=session.before.row)
    thread = threads.exclude(draft=None).first()
    if thread is None or thread.draft is None or thread.draft_ply is None:
        text = "no move of yours waits to be confirmed on this board"
        raise InputError.single("mail/no-draft", text)
    if thread.draft["turn"] != _turn(session.match):
        template = "the move was submitted as move {meant}, but move {next} is next"
        values = {"meant": thread.draft_ply + 1, "next": session.match.ply + 1}
        raise MatchError([Fault.of("match/stale", template, **values)])
    text = session.match.position.describe_move(thread.draft["move"], session.side)
    threads.update(draft=None, draft_ply=None)
    play_line(session, [text])
    session.post_comment()
    session.reply()


def _turn(match: Match) -> str:
    """Return a name of the turn that is unique even after a takeback."""
    return f"{match.ply} {match.moves[-1].at if match.moves else 0}"
