"""Looking by mail: help, lists, boards, standings and histories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import Count, F, Q, QuerySet

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
from antipodes.mail.requests import Request, Verb, read_board
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.challenges.selectors import listed_for
from antipodes.web.email_play.commands.lines import challenge_line, game_lines, subject
from antipodes.web.email_play.context import CommandContext, handles
from antipodes.web.email_play.match_emails import board_content, board_report, reply_with_board
from antipodes.web.matches.access import played_by_any, visible_to
from antipodes.web.matches.models import MatchRow, SeatRow, seated
from antipodes.web.matches.snapshots import MatchSnapshot, look_up
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import Speed, board_classes
from antipodes.web.ratings.models import RatingChange
from antipodes.web.ratings.selectors import Also, leaderboard

_RESULTS = {"won": "won", "drew": "drawn", "lost": "lost"}
_MOST_BOARDS = 20  # pictures in one answer
_MOST_LINES = 100  # of a table
_RECENT = (
    90 * 86_400_000
)  # milliseconds for which a finished game is listed without being asked for


@handles(Verb.HELP)
def help_(context: CommandContext) -> None:
    """Explain commands, a game, or everything."""
    request = context.request
    if request.game and not request.words:
        context.reply(subject(f"help on {request.game}"), game_help(request.game))
        return
    topics = request.words or ("",)
    text = "\n".join(write_help(topic) for topic in topics[:_MOST_BOARDS])
    context.reply(subject(" ".join(["help", *topics]).strip()), text)


@handles(Verb.LIST)
def list_(context: CommandContext) -> None:
    """List all games, or what goes on in some of them: open challenges and boards."""
    named = [name for name in (context.request.game, *context.request.words) if name]
    if not named:
        context.reply(subject("all games"), _all_games(context.user))
        return
    for name in dict.fromkeys(game_class(name).id for name in named):
        context.reply(subject(f"list of {name}"), _one_game(context.user, name))


def _all_games(user: User | None) -> str:
    playing = MatchRow.objects.filter(visible_to(user), ended_at=None).order_by()
    going_on = dict(playing.values_list("game_id").annotate(Count("pk")))
    waiting = listed_for(Viewer(user)).order_by()
    sought = dict(waiting.values_list("game_id").annotate(Count("pk", distinct=True)))
    rows = [
        (name, game_class(name).title, str(sought.get(name, 0)), str(going_on.get(name, 0)))
        for name in game_ids()
    ]
    headline = "The games that are played here. For one of them write: list GAME, or GAME help."
    return write_table(headline, "Games", ("Game", "Title", "Challenges", "Boards"), rows)


def _one_game(user: User | None, game_id: str) -> str:
    title = game_class(game_id).title
    waiting = listed_for(Viewer(user)).filter(game_id=game_id).prefetch_related("invited")
    challenges = [challenge_line(row) for row in waiting[:_MOST_LINES]]
    rows = _matches().filter(visible_to(user), game_id=game_id, ended_at=None)
    boards = game_lines(rows.order_by("-changed_at")[:_MOST_LINES])
    return "\n".join(
        [
            write_challenges(
                f"Open challenges to {title}: accept NUMBER takes one up.", challenges
            ),
            write_games(f"Boards of {title} that are played now.", boards),
        ]
    )


@handles(Verb.GAMES)
def games(context: CommandContext) -> None:
    """List the boards of some users, or one's own."""
    request = context.request
    users = _users(context, [*_named(request)])
    rows = _which(_of(users, context.user, request.game), users, request.options.get("which", ""))
    names = ", ".join(user.name for user in users)
    headline = f"Boards of {names}."
    text = write_games(headline, game_lines(rows[:_MOST_LINES]))
    context.reply(subject(f"games of {names}"), text)


@handles(Verb.SHOW)
def show(context: CommandContext) -> None:
    """Show boards as anybody may see them, also as they stood after a ply."""
    _show(context, None)


@handles(Verb.SHOWAS)
def showas(context: CommandContext) -> None:
    """Show boards with what is private to one's own seat."""
    _show(context, context.require_user())


def _show(context: CommandContext, reader: User | None) -> None:
    request = context.request
    boards = [read_board(word) for word in request.words]
    places = [(request.board, request.ply)] if request.board is not None else []
    places += [one for one in boards if one is not None]
    names = [word for word, one in zip(request.words, boards, strict=True) if one is None]
    if not places:
        named = [request.user, *names] if request.user else names
        _show_all(context, _users(context, named), request.game, reader)
        return
    if names:
        message = f"{shorten(names[0])} is no number of a board; show boards, or users"
        raise InputError.single("mail/no-number", message)
    if len(places) > _MOST_BOARDS:
        message = f"{len(places)} boards are too many for one mail; at most {_MOST_BOARDS}"
        raise InputError.single("mail/too-many-boards", message)
    for number, ply in dict.fromkeys(places):
        _answer_board(context, _standing(number, context.user), ply)


def _standing(number: int, user: User | None) -> MatchSnapshot:
    """Return how a board stands."""
    row = MatchRow.objects.filter(visible_to(user), pk=number).first()
    if row is None:
        raise InputError.single("mail/no-such-board", f"there is no board {number}")
    return look_up(row.slug)


def _answer_board(context: CommandContext, standing: MatchSnapshot, ply: int | None) -> None:
    """Answer with a board as it stands now, or as it stood after so many moves."""
    present = standing.match.ply
    if ply is None or ply == present:
        reply_with_board(context, standing)
        return
    if ply > present:
        message = f"board {standing.row.pk} has {present} moves, and none with number {ply}"
        raise InputError.single("mail/no-such-ply", message)
    report = board_report(
        standing, None, news=[f"This is the board after {ply} of {present} moves."]
    )
    report = replace(report, side=side_of(standing, context.user))
    letter = board_content(report, None, board_answer(report, ply=ply))
    context.reply(letter.subject, letter.text, letter.html, letter.attachments)


def _show_all(
    context: CommandContext, users: Sequence[User], game: str, reader: User | None
) -> None:
    """Answer with several boards in one letter."""
    which = context.request.options.get("which", "active")
    rows = _which(_of(users, context.user, game), users, which)
    found = list(rows.values_list("slug", flat=True)[: _MOST_BOARDS + 1])
    reports = [board_report(look_up(slug), reader) for slug in found[:_MOST_BOARDS]]
    names = ", ".join(user.name for user in users)
    headline = f"{len(reports)} boards of {names}."
    if len(found) > _MOST_BOARDS:
        headline = f"The first {_MOST_BOARDS} boards of {names}; games {names} lists all."
    context.reply(subject(f"boards of {names}"), write_digest(reports, headline=headline))


@handles(Verb.ALL_SHOW)
def all_show(context: CommandContext) -> None:
    """Show all boards of users, whatever the game."""
    _show_all(context, _users(context, [*_named(context.request)]), "", context.user)


@handles(Verb.STANDINGS)
def standings(context: CommandContext) -> None:
    """Tell who is how strong in a game, by speed and size of board."""
    game_id = _game(context.request)
    named = [word for word in context.request.words if word.lower() != game_id]
    keys = [user.pk for user in _users(context, named)] if named else None
    parts = []
    for speed in Speed:
        for board in board_classes(game_id):
            found = leaderboard(game_id, speed, board, keys, also=tuple(Also))
            lines = [
                StandingLine(
                    rank=line.rank,
                    name=line.user.name,
                    rating=line.standing.text,
                    deviation=round(line.standing.deviation),
                    games=line.standing.games,
                )
                for line in found.lines
            ]
            if lines or (speed is Speed.CORRESPONDENCE and board == "standard"):
                kind = f"{game_class(game_id).title}, {speed.value}, {board.value} board"
                more = f"; the first {len(lines)} of {found.count}" if found.pages > 1 else ""
                parts.append(write_standings(f"{kind}{more}.", lines))
    context.reply(subject(f"standings of {game_id}"), "\n".join(parts))


@handles(Verb.HISTORY)
def history(context: CommandContext) -> None:
    """Tell what rated games did to somebody's ratings in a game."""
    request = context.request
    users = _users(context, [*_named(request)])
    game = game_class(request.game) if request.game else None
    for user in users:
        changes = RatingChange.objects.filter(user=user).select_related("pool")
        rows = _of([user], context.user, request.game).exclude(ended_at=None)
        rows = rows.exclude(pk__in=RatingChange.objects.filter(user=user).values("match"))
        if game is not None:
            changes = changes.filter(pool__game_id=game.id)
        about = f"{user.name}: {'all games' if game is None else game.title}, the latest first."
        lines = _history_lines(list(changes.order_by("-at", "-match")[:_MOST_LINES]), context.user)
        others = game_lines(rows.order_by("-ended_at", "-pk")[:_MOST_LINES])
        text = write_history(f"Rated games of {about}", lines)
        if others:
            text += "\n" + write_games(f"Other finished games of {about}", others)
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


def _named(request: Request) -> Iterable[str]:
    return (name for name in (request.user, *request.words) if name)


def _users(context: CommandContext, names: Sequence[str]) -> list[User]:
    """Return the users with these names; without any the one who asks.

    Raises:
        InputError: nobody has one of the names, or there is none and nobody has proved who asks.
    """
    if not names:
        return [context.require_user()]
    found, faults = [], []
    for name in dict.fromkeys(one.lower() for one in names):
        user = User.objects.filter(username__iexact=name, is_active=True).first()
        if user is None:
            message = f"nobody here is called {shorten(name)}"
            faults.append(Fault("mail/unknown-user", message))
        else:
            found.append(user)
    if faults:
        raise InputError(faults)
    return found


def _matches() -> QuerySet[MatchRow]:
    return MatchRow.objects.select_related("series").prefetch_related(seated())


def _of(users: Sequence[User], viewer: User | None, game: str) -> QuerySet[MatchRow]:
    rows = _matches().filter(visible_to(viewer), pk__in=played_by_any(users))
    return rows.filter(game_id=game) if game else rows


def _which(rows: QuerySet[MatchRow], users: Sequence[User], which: str) -> QuerySet[MatchRow]:
    """Return those of some matches that are asked for; the newest turn first."""
    ordered = rows.order_by("ended_at", "-changed_at", "-pk")
    if which == "all":
        return ordered
    if which == "inactive":
        return rows.exclude(ended_at=None).order_by("-ended_at", "-pk")
    if which == "active":
        return ordered.filter(ended_at=None)
    if which == "next":
        is_next = Q(pk__in=_next_of(users))
        return ordered.filter(is_next, ended_at=None)
    return ordered.filter(Q(ended_at=None) | Q(ended_at__gt=now() - _RECENT))


def _next_of(users: Sequence[User]) -> list[int]:
    seats = SeatRow.objects.filter(user__in=users, match__ended_at=None)
    return list(seats.filter(number=F("match__seat_to_move")).values_list("match", flat=True))
