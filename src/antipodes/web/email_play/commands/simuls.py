"""The command ``simul``: lists, joining and leaving."""

from __future__ import annotations

from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError
from antipodes.mail.layout import write_table
from antipodes.notation.text import shorten
from antipodes.web.email_play.commands.emails import subject
from antipodes.web.email_play.context import CommandContext
from antipodes.web.simuls import selectors, services
from antipodes.web.simuls.models import SimulRow


def simul(context: CommandContext) -> None:
    """List simuls, join or leave one."""
    words = context.request.words
    action = words[0] if words else "list"
    if action == "list":
        _list(context)
    elif action == "join":
        row = _named(context)
        services.join(row.slug, context.require_user())
        text = "You have joined the simul of {host}. You get a mail when it begins."
        context.reply(subject("simul"), text.format(host=row.by.name))
    elif action == "leave":
        row = _named(context)
        services.leave(row.slug, context.require_user())
        context.reply(subject("simul"), f"You have left the simul of {row.by.name}.")
    else:
        template = "{action} is none of list, join and leave"
        raise InputError([Fault.of("mail/simul", template, action=shorten(action))])


def _named(context: CommandContext) -> SimulRow:
    """Return the simul whose number the command has.

    Raises:
        InputError: there is none.
    """
    text = context.request.words[1] if len(context.request.words) > 1 else ""
    number = read_number(text)
    row = None
    if number is not None:
        row = SimulRow.objects.select_related("by").filter(pk=number).first()
    if row is None:
        template = "there is no simul {number}"
        fault = Fault.of(
            "mail/simul", template, number=shorten(text) if text else "without a number"
        )
        raise InputError([fault])
    return row


def _list(context: CommandContext) -> None:
    lists = selectors.simul_lists()
    states = (("open", lists.waiting), ("in progress", lists.in_progress))
    rows = [
        (str(line.row.pk), line.row.by.name, line.title, line.row.control, str(line.count), state)
        for state, lines in states
        for line in lines
    ]
    heads = ("Number", "Host", "Game", "Clock", "Players", "State")
    headline = "Simuls, which are casual. To join one: simul join USERID TOKEN NUMBER."
    context.reply(subject("simuls"), write_table(headline, "Simuls", heads, rows))
