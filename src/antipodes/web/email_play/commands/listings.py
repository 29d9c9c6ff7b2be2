"""Commands that show things: help, lists, boards, standings and histories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import Count, F, Q, QuerySet

from antipodes.clocks import DAY
from antipodes.errors import Fault, InputError
from antipodes.games.registry import game_class, game_ids
from antipodes.mail.layout import (
    HistoryLine,
    StandingLine,
    board_answer,
    game_help,
    write_challenges,
    write_digest,
    write_games,
    write_help,
    write_history,
    write_standings,
    write_table,
)
from antipodes.mail.requests import Request, read_board
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import users_named
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.challenges.selectors import listed_for
from antipodes.web.email_play.commands.emails import challenge_line, game_lines, subject
from antipodes.web.email_play.context import CommandContext
from antipodes.web.email_play.match_emails import board_content, board_report, reply_with_board
from antipodes.web.matches.access import played_by_any, visible_to
from antipodes.web.matches.models import MatchRow, SeatRow, seated
from antipodes.web.matches.snapshots import MatchSnapshot, look_up
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import Speed, board_classes
from antipodes.web.ratings.models import RatingChange
from antipodes.web.ratings.selectors import Include, leaderboard

_RESULTS = {"won": "won", "drew": "drawn", "lost": "lost"}
_MAX_BOARDS = 20  # in one response
_MAX_LINES = 100  # of a table
_RECENT = 90 * DAY  # milliseconds for which finished games are listed by default


def help_(context: CommandContext) -> None:
    """Explain commands or a game; without a topic, list all topics."""
    request = context.request
    if request.game and not request.words:
        context.reply(subject(f"help on {request.game}"), game_help(request.game))
        return
    topics = request.words or ("",)
    text = "\n".join(write_help(topic) for topic in topics[:_MAX_BOARDS])
    context.reply(subject(" ".join(["help", *topics]).strip()), text)


def list_(context: CommandContext) -> None:
    """List all games, or the open challenges and boards of some games."""
    named = [name for name in (context.request.game, *context.request.words) if name]
    if not named:
        context.reply(subject("all games"), _all_games(context.user))
        return
    for name in dict.fromkeys(game_class(name).id for name in named):
        context.reply(subject(f"list of {name}"), _one_game(context.user, name))


def _all_games(user: User | None) -> str:
    in_progress = MatchRow.objects.filter(visible_to(user), ended_at=None).order_by()
    boards = dict(in_progress.values_list("game_id").annotate(Count("pk")))
    listed = listed_for(Viewer(user)).order_by()
    challenges = dict(listed.values_list("game_id").annotate(Count("pk", distinct=True)))
    rows = [
        (name, game_class(name).title, str(challenges.get(name, 0)), str(boards.get(name, 0)))
        for name in game_ids()
    ]
    headline = "All games. For one of them write: list GAME, or GAME help."
    return write_table(headline, "Games", ("Game", "Title", "Challenges", "Boards"), rows)


def _one_game(user: User | None, game_id: str) -> str:
    title = game_class(game_id).title
    listed = listed_for(Viewer(user)).filter(game_id=game_id).prefetch_related("invited")
    challenges = [challenge_line(row) for row in listed[:_MAX_LINES]]
    rows = _matches().filter(visible_to(user), game_id=game_id, ended_at=None)
    boards = game_lines(rows.order_by("-changed_at")[:_MAX_LINES])
    return "\n".join(
        [
            write_challenges(
                f"Open challenges of {title}; to accept one: accept NUMBER.", challenges
            ),
            write_games(f"Games of {title} in progress.", boards),
        ]
    )


def games(context: CommandContext) -> None:
    """List the boards of users, by default of the sender."""
    request = context.request
    users = _users(context, [*_names(request)])
    rows = _of(users, context.user, request.game)
    rows = _filtered(rows, users, request.options.get("which", ""))
    names = ", ".join(user.name for user in users)
    text = write_games(f"Boards of {names}.", game_lines(rows[:_MAX_LINES]))
    context.reply(subject(f"games of {names}"), text)


def show(context: CommandContext) -> None:
    """Show boards with public data only, now or after a ply."""
    _show(context, None)


def showas(context: CommandContext) -> None:
    """Show boards with the sender's private data, such as conditional moves."""
    _show(context, context.require_user())


def _show(context: CommandContext, reader: User | None) -> None:
    request = context.request
    boards = [read_board(word) for word in request.words]
    wanted = [(request.board, request.ply)] if request.board is not None else []
    wanted += [board for board in boards if board is not None]
    names = [word for word, board in zip(request.words, boards, strict=True) if board is None]
    if not wanted:
        named = [request.user, *names] if request.user else names
        _show_all(context, _users(context, named), request.game, reader)
        return
    if names:
        message = f"{shorten(names[0])} is not the number of a board; show either boards or users"
        raise InputError.single("mail/no-number", message)
    wanted = list(dict.fromkeys(wanted))  # the first board is also the first word
    if len(wanted) > _MAX_BOARDS:
        message = f"{len(wanted)} boards are too many for one mail; at most {_MAX_BOARDS}"
        raise InputError.single("mail/too-many-boards", message)
    for number, ply in wanted:
        _reply_with_board(context, _snapshot(number, context.user), ply)


def _snapshot(number: int, user: User | None) -> MatchSnapshot:
    """Return the snapshot of a board that a user may see."""
    row = MatchRow.objects.filter(visible_to(user), pk=number).first()
    if row is None:
        raise InputError.single("mail/no-such-board", f"there is no board {number}")
    return look_up(row.slug)


def _reply_with_board(context: CommandContext, snapshot: MatchSnapshot, ply: int | None) -> None:
    """Reply with a board, now or after a number of moves."""
    last = snapshot.match.ply
    if ply is None or ply == last:
        reply_with_board(context, snapshot)
        return
    if ply > last:
        message = f"board {snapshot.row.pk} has {last} moves, and none with number {ply}"
        raise InputError.single("mail/no-such-ply", message)
    report = board_report(snapshot, None, news=[f"This is the board after {ply} of {last} moves."])
    report = replace(report, side=side_of(snapshot, context.user))
    content = board_content(report, None, board_answer(report, ply=ply))
    context.reply(content.subject, content.text, content.html, content.attachments)


def _show_all(
    context: CommandContext, users: Sequence[User], game: str, reader: User | None
) -> None:
    """Reply with the boards of users in one mail."""
    which = context.request.options.get("which", "active")
    rows = _filtered(_of(users, context.user, game), users, which)
    slugs = list(rows.values_list("slug", flat=True)[: _MAX_BOARDS + 1])
    reports = [board_report(look_up(slug), reader) for slug in slugs[:_MAX_BOARDS]]
    names = ", ".join(user.name for user in users)
    headline = f"{len(reports)} boards of {names}."
    if len(slugs) > _MAX_BOARDS:
        headline = f"The first {_MAX_BOARDS} boards of {names}; games {names} lists all."
    context.reply(subject(f"boards of {names}"), write_digest(reports, headline=headline))


def all_show(context: CommandContext) -> None:
    """Show the boards of users in all games."""
    _show_all(context, _users(context, [*_names(context.request)]), "", context.user)


def standings(context: CommandContext) -> None:
    """Show the leaderboards of a game, by speed and board size, or the ratings of users."""
    game_id = _game(context.request)
    named = [word for word in context.request.words if word.lower() != game_id]
    keys = [user.pk for user in _users(context, named)] if named else None
    parts = []
    for speed in Speed:
        for board in board_classes(game_id):
            page = leaderboard(game_id, speed, board, keys, include=tuple(Include))
            lines = [
                StandingLine(
                    rank=line.rank,
                    name=line.user.name,
                    rating=line.rating.text,
                    deviation=round(line.rating.deviation),
                    games=line.rating.games,
                )
                for line in page.lines
            ]
            if lines or (speed is Speed.CORRESPONDENCE and board == "standard"):
                title = f"{game_class(game_id).title}, {speed.label}, {board.value} board"
                cut = f"; the first {len(lines)} of {page.count}" if page.pages > 1 else ""
                parts.append(write_standings(f"{title}{cut}.", lines))
    context.reply(subject(f"standings of {game_id}"), "\n".join(parts))


def history(context: CommandContext) -> None:
    """Show the finished games of users in a game, with the changes of their ratings."""
    request = context.request
    users = _users(context, [*_names(request)])
    game = game_class(request.game) if request.game else None
    for user in users:
        changes = RatingChange.objects.filter(user=user).select_related("pool")
        rows = _of([user], context.user, request.game).exclude(ended_at=None)
        rows = rows.exclude(pk__in=RatingChange.objects.filter(user=user).values("match"))
        if game is not None:
            changes = changes.filter(pool__game_id=game.id)
        about = f"{user.name}: {'all games' if game is None else game.title}, the latest first."
        latest = list(changes.order_by("-at", "-match")[:_MAX_LINES])
        text = write_history(f"Rated games of {about}", _history_lines(latest, context.user))
        unrated = game_lines(rows.order_by("-ended_at", "-pk")[:_MAX_LINES])
        if unrated:
            text += "\n" + write_games(f"Other finished games of {about}", unrated)
        context.reply(subject(f"history of {user.name}"), text)


def _history_lines(changes: Sequence[RatingChange], viewer: User | None) -> list[HistoryLine]:
    keys = [change.match_id for change in changes]
    matches = _matches().filter(visible_to(viewer), pk__in=keys).in_bulk()
    return [
        HistoryLine(
            at=change.at,
            number=change.match_id,
            game_id=change.pool.game_id,
            opponents=_opponents(matches.get(change.match_id), change.user_id),
            result=_RESULTS[change.outcome],
            before=round(change.value_before),
            after=round(change.value),
        )
        for change in changes
    ]


def _opponents(row: MatchRow | None, user: int) -> tuple[str, ...]:
    seats = [] if row is None else list(row.seats.all())
    return tuple(dict.fromkeys(seat.user.name for seat in seats if seat.user_id != user))


def _game(request: Request) -> str:
    named = [name for name in (request.game, *request.words[:1]) if name]
    if not named:
        message = f"say which game you mean; there are {', '.join(game_ids())}"
        raise InputError.single("mail/no-game", message)
    return game_class(named[0]).id


def _names(request: Request) -> Iterable[str]:
    return (name for name in (request.user, *request.words) if name)


def _users(context: CommandContext, names: Sequence[str]) -> list[User]:
    """Return the users with these names; without names, the sender.

    Raises:
        InputError: a name is unknown, or there is none and the sender has not proved who they are.
    """
    if not names:
        return [context.require_user()]
    users, faults = [], []
    for name in dict.fromkeys(name.lower() for name in names):
        user = users_named(name).filter(is_active=True).first()
        if user is None:
            faults.append(Fault("mail/unknown-user", f"there is no user {shorten(name)}"))
        else:
            users.append(user)
    if faults:
        raise InputError(faults)
    return users


def _matches() -> QuerySet[MatchRow]:
    return MatchRow.objects.select_related("series").prefetch_related(seated())


def _of(users: Sequence[User], viewer: User | None, game: str) -> QuerySet[MatchRow]:
    rows = _matches().filter(visible_to(viewer), pk__in=played_by_any(users))
    return rows.filter(game_id=game) if game else rows


def _filtered(rows: QuerySet[MatchRow], users: Sequence[User], which: str) -> QuerySet[MatchRow]:
    """Return those of the users' matches that the option ``which`` selects, latest turn first."""
    ordered = rows.order_by(F("ended_at").desc(nulls_first=True), "-changed_at", "-pk")
    if which == "all":
        return ordered
    if which == "inactive":
        return rows.exclude(ended_at=None).order_by("-ended_at", "-pk")
    if which == "active":
        return ordered.filter(ended_at=None)
    if which == "next":
        seats = SeatRow.objects.filter(user__in=users, match__ended_at=None)
        to_move = seats.filter(number=F("match__seat_to_move")).values_list("match", flat=True)
        return ordered.filter(pk__in=list(to_move), ended_at=None)
    return ordered.filter(Q(ended_at=None) | Q(ended_at__gt=now() - _RECENT))
