"""The command ``tournament``: lists, tables, and entries."""

from __future__ import annotations

from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError
from antipodes.mail.layout import write_table
from antipodes.mail.requests import Verb
from antipodes.notation.text import shorten
from antipodes.web.email_play.commands.lines import subject
from antipodes.web.email_play.context import CommandContext, handles
from antipodes.web.tournaments import selectors, services
from antipodes.web.tournaments.access import may_see
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.tables import points_text

_MOST_LINES = 100  # of a table


@handles(Verb.TOURNAMENT, on_board=False)
def tournament(context: CommandContext) -> None:
    """List tournaments, show the table of one, join or leave it."""
    words = context.request.words
    action = words[0] if words else "list"
    if action == "list":
        _list(context)
    elif action == "standings":
        _show(context, _named(context), "")
    elif action == "join":
        row = _named(context)
        services.join(row.pk, context.require_user())
        _show(context, _named(context), "You have joined the tournament. ")
    elif action == "leave":
        row = _named(context)
        services.leave(row.pk, context.require_user())
        context.reply(subject(row.title), f"You have left the tournament {row.title}.")
    else:
        template = "{action} is none of list, standings, join and leave"
        raise InputError([Fault.of("mail/tournament", template, action=shorten(action))])


def _named(context: CommandContext) -> TournamentRow:
    """Return the tournament whose number the command has.

    Raises:
        InputError: there is none that the sender may see.
    """
    text = context.request.words[1] if len(context.request.words) > 1 else ""
    number = read_number(text)
    row = None
    if number is not None:
        row = TournamentRow.objects.select_related("club").filter(pk=number).first()
    if row is None or not may_see(row, context.user):
        template = "there is no tournament {number}"
        fault = Fault.of("mail/tournament", template, number=shorten(text) or "without a number")
        raise InputError([fault])
    return row


def _list(context: CommandContext) -> None:
    found = [*selectors.running(context.user), *selectors.upcoming(context.user)]
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
        )
        for row in found[:_MOST_LINES]
    ]
    heads = ("Number", "Title", "Format", "Game", "Clock", "Start (UTC)", "Players", "State")
    headline = "Tournaments. To join one: tournament join USERID TOKEN NUMBER."
    context.reply(subject("tournaments"), write_table(headline, "Tournaments", heads, rows))


def _show(context: CommandContext, row: TournamentRow, news: str) -> None:
    """Reply with the table, or with the players before the start."""
    if row.begun_at is None:
        entries = row.entries.select_related("user").order_by("-rating", "joined_at")
        rows = [("", one.user.name, str(one.rating), "") for one in entries[:_MOST_LINES]]
        state = "It has not begun."
    else:
        rows = [
            (
                str(line.standing.rank),
                line.entry.user.name,
                str(line.entry.rating),
                points_text(line.standing.points),
            )
            for line in selectors.table_lines(row)[:_MOST_LINES]
        ]
        state = f"Round {row.round} of {row.last_round}."
    text = write_table(
        f"{news}{row.title}. {state}", "Standings", ("Rank", "Name", "Rating", "Points"), rows
    )
    context.reply(subject(row.title), text)
