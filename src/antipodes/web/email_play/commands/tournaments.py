"""The command ``tournament``: lists, tables, entries and challenges."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError
from antipodes.mail.layout import write_table
from antipodes.notation.text import shorten
from antipodes.tournaments import TeamTable
from antipodes.web.accounts.models import User
from antipodes.web.email_play.commands.emails import subject
from antipodes.web.email_play.context import CommandContext
from antipodes.web.tournaments import selectors, services
from antipodes.web.tournaments.access import may_see
from antipodes.web.tournaments.actions import ACTIONS
from antipodes.web.tournaments.invitations import is_invited
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.selectors import PairingLine
from antipodes.web.tournaments.tables import points_text, score_text

_MOST_LINES = 100  # of a table


_Handler = Callable[[CommandContext, TournamentRow, str], None]  # with the word after the number


def tournament(context: CommandContext) -> None:
    """List tournaments, show the table or a round of one, or act in it."""
    words = context.request.words
    action = words[0] if words else "list"
    if action == "list":
        _list(context)
        return
    if action not in _HANDLERS:
        template = "{action} is none of list, " + ", ".join(_HANDLERS)
        raise InputError([Fault.of("mail/tournament", template, action=shorten(action))])
    _HANDLERS[action](context, _named(context), words[2] if len(words) > 2 else "")


def _act(context: CommandContext, row: TournamentRow, action: str, **data: str) -> str:
    """Do what an action of the page does; return what to tell the user."""
    return ACTIONS[action](row, context.require_user(), data)


def _join(context: CommandContext, row: TournamentRow, team: str) -> None:
    numbers = {club.slug.lower(): str(number) for number, club in row.teams.items()}
    news = _act(context, row, "join", team=numbers.get(team, team))
    _show(context, _named(context), f"{news} ")


def _leave(context: CommandContext, row: TournamentRow, _word: str) -> None:
    _act(context, row, "leave")
    context.reply(subject(row.title), f"You have left the tournament {row.title}.")


def _check_in(context: CommandContext, row: TournamentRow, _word: str) -> None:
    context.reply(subject(row.title), _act(context, row, "check-in"))


def _challenge(context: CommandContext, row: TournamentRow, name: str) -> None:
    """Challenge a player of a ladder, or list those whom the sender may challenge."""
    if name:
        context.reply(subject(row.title), _act(context, row, "challenge", name=name))
        return
    entry = row.entries.filter(user=context.require_user(), is_withdrawn=False).first()
    possible = services.challenges(row, entry)
    rows = [(str(one.place), one.user.username, str(one.rating)) for one, _made in possible]
    headline = f"{row.title}. The players whom you may challenge now."
    text = write_table(headline, "Players", ("Place", "Userid", "Rating"), rows)
    context.reply(subject(row.title), text)


def _named(context: CommandContext) -> TournamentRow:
    """Return the tournament whose number the command has.

    Raises:
        InputError: there is none that the sender may see.
    """
    text = context.request.words[1] if len(context.request.words) > 1 else ""
    number = read_number(text)
    row = None
    if number is not None:
        row = TournamentRow.objects.select_related("club", "guest_club").filter(pk=number).first()
    if row is None or not may_see(row, context.user):
        template = "there is no tournament {number}"
        shown = shorten(text) if text else "without a number"
        fault = Fault.of("mail/tournament", template, number=shown)
        raise InputError([fault])
    return row


def _list(context: CommandContext) -> None:
    listed = [*selectors.running(context.user), *selectors.upcoming(context.user)]
    rows = [
        (
            str(row.pk),
            row.title,
            row.format.name,
            row.game_id,
            row.control,
            "" if row.starts_at is None else f"{selectors.instant(row.starts_at):%Y-%m-%d %H:%M}",
            str(row.players),  # type: ignore[attr-defined]  # counted by the query
            row.state,
            _access(row, context.user),
        )
        for row in listed[:_MOST_LINES]
    ]
    heads = (
        "Number",
        "Title",
        "Format",
        "Game",
        "Clock",
        "Start (UTC)",
        "Players",
        "State",
        "Entry",
    )
    headline = "Tournaments. To join one: tournament join USERID TOKEN NUMBER."
    context.reply(subject("tournaments"), write_table(headline, "Tournaments", heads, rows))


def _access(row: TournamentRow, user: User | None) -> str:
    """Return who may join: members of clubs, invited players, or everyone."""
    if row.by_invitation:
        return "you are invited" if user and is_invited(row, user) else "by invitation"
    clubs = [club.slug for club in (row.club, row.guest_club) if club is not None]
    return " or ".join(clubs) or "everyone"


def _show(context: CommandContext, row: TournamentRow, news: str) -> None:
    """Reply with the table, or with the players before the start."""
    teams = {number: club.name for number, club in row.teams.items()}
    if row.begun_at is None:
        entries = row.entries.select_related("user").order_by("-rating", "joined_at")
        lines = [("", one, "") for one in entries[:_MOST_LINES]]
        state = "It has not begun."
    else:
        lines = [
            (str(line.standing.rank), line.entry, points_text(line.standing.points))
            for line in selectors.table_lines(row)[:_MOST_LINES]
        ]
        rounds = "" if row.last_round is None else f" Round {row.round} of {row.last_round}."
        state = f"It is {row.state}.{rounds}{_score(row)}"
    heads = ["Rank", "Name", "Rating", "Points"]
    rows = [[rank, one.user.name, str(one.rating), points] for rank, one, points in lines]
    if teams:
        heads.append("Team")
        rows = [
            [*cells, teams.get(entry.team or 0, "")]
            for cells, (_, entry, _) in zip(rows, lines, strict=True)
        ]
    text = write_table(f"{news}{row.title}. {state}", "Standings", heads, rows)
    context.reply(subject(row.title), text)


def _score(row: TournamentRow) -> str:
    """Return the score of the two clubs of a team match."""
    tables = [one for one in selectors.parts(row, None) if isinstance(one, TeamTable)]
    return "".join(
        f" {club.name} {points_text(table.points[number])}."
        for table in tables
        for number, club in row.teams.items()
    )


def _pairings(context: CommandContext, row: TournamentRow, word: str) -> None:
    """Reply with the pairings of a round, by default of the latest one."""
    number = read_number(word) if word else row.round
    round_lines = selectors.with_games(row.pairings.filter(round=number or 0).order_by("table"))
    rows = [
        (
            str(line.row.table),
            ", ".join(one.user.name for one in line.row.players),
            _result(line),
            " ".join(str(one.match_id) for one in line.games),
        )
        for line in round_lines[:_MOST_LINES]
    ]
    if not rows:
        template = "{title} has no pairings in round {number}"
        fault = Fault.of(
            "mail/tournament",
            template,
            title=row.title,
            number=shorten(word) if word else row.round,
        )
        raise InputError([fault])
    heads = ("Table", "Players", "Result", "Boards")
    opening = "" if row.is_continuous else round_lines[0].row.opening_moves()
    headline = f"{row.title}. Round {number}." + (f" Opening: {opening}." if opening else "")
    text = write_table(headline, "Pairings", heads, rows)
    context.reply(subject(row.title), text)


def _result(line: PairingLine) -> str:
    """Return the result of a pairing, and the score of its games where that tells more."""
    row, parts = line.row, []
    if row.is_bye:
        return "bye"
    if row.points is not None:
        parts.append("-".join(map(points_text, row.points)))
    if row.is_forfeit:
        parts.append("by forfeit")
    if line.shows_score and line.score is not None:
        parts.append(f"({score_text(line.score)})")
    return " ".join(parts)


_HANDLERS: Mapping[str, _Handler] = {
    "standings": lambda context, row, _word: _show(context, row, ""),
    "pairings": _pairings,
    "join": _join,
    "check-in": _check_in,
    "leave": _leave,
    "challenge": _challenge,
}
