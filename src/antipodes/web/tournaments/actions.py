"""Actions on the page of an event, by the names in their addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from antipodes.core.numbers import read_number
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import changes, directing, invitations, proofs, services
from antipodes.web.tournaments.models import TournamentRow

Action = Callable[[TournamentRow, User, Any], str]  # returns what to tell the user


def _join(row: TournamentRow, user: User, data: Any) -> str:
    services.join(row.pk, user, read_number(data.get("team", "")))
    return _("You have joined the tournament.")


def _leave(row: TournamentRow, user: User, _data: Any) -> str:
    services.leave(row.pk, user)
    return _("You have left the tournament.")


def _check_in(row: TournamentRow, user: User, _data: Any) -> str:
    services.check_in(row.pk, user)
    return _("You are checked in.")


def _start(row: TournamentRow, user: User, _data: Any) -> str:
    directing.start(row.pk, user)
    return _("The tournament starts.")


def _change(row: TournamentRow, user: User, data: Any) -> str:
    if "change-title" in data:  # the form of the page
        wanted = changes.read_form(data, row, user)
    else:
        given = {name: data.get(name) for name in changes.CHANGEABLE}
        wanted = {name: value for name, value in given.items() if value is not None}
    changes.change(row.pk, user, wanted)
    return _("The tournament is changed, and its players are notified.")


def _pause(row: TournamentRow, user: User, data: Any) -> str:
    directing.pause(row.pk, user, data.get("reason", ""))
    return _("The tournament is paused: no games begin until you resume it.")


def _resume(row: TournamentRow, user: User, _data: Any) -> str:
    directing.resume(row.pk, user)
    return _("The tournament continues.")


def _cancel(row: TournamentRow, user: User, data: Any) -> str:
    directing.cancel(row.pk, user, data.get("reason", ""))
    return _("The tournament is cancelled.")


def _withdraw(row: TournamentRow, user: User, data: Any) -> str:
    name = data.get("name", "")
    directing.withdraw_player(row.pk, user, name, data.get("reason", ""))
    return _("%(name)s has been taken out of the tournament.") % {"name": name}


def _adjudicate(row: TournamentRow, user: User, data: Any) -> str:
    result, reason = data.get("result", ""), data.get("reason", "")
    directing.adjudicate(row.pk, user, *_pairing_of(data), result, reason)
    return _("The pairing is decided.")


def _prove(row: TournamentRow, user: User, data: Any) -> str:
    proofs.ask(row.pk, user, *_pairing_of(data))
    return _("The computer looks for a proof; the steps of the tournament tell what it finds.")


def _pairing_of(data: Any) -> tuple[int, int]:
    """Return round and table of a pairing such as 2.1; 0 for what is missing."""
    round_number, _dot, table = data.get("pairing", "").partition(".")
    return read_number(round_number) or 0, read_number(table) or 0


def _challenge(row: TournamentRow, user: User, data: Any) -> str:
    name = data.get("name", "")
    services.challenge(row.pk, user, name)
    return _("You have challenged %(name)s.") % {"name": name}


def _finish(row: TournamentRow, user: User, _data: Any) -> str:
    directing.finish(row.pk, user)
    return _("The tournament is finished.")


def _invite(row: TournamentRow, user: User, data: Any) -> str:
    name = data.get("name", "")
    invitations.invite(row.pk, user, name)
    return _("You have invited %(name)s.") % {"name": name}


def _add_computer(row: TournamentRow, user: User, data: Any) -> str:
    directing.add_computer(row.pk, user, data.get("level", ""))
    return _("The computer has joined the tournament.")


ACTIONS: Mapping[str, Action] = {
    "join": _join,
    "leave": _leave,
    "check-in": _check_in,
    "challenge": _challenge,
    "start": _start,
    "change": _change,
    "pause": _pause,
    "resume": _resume,
    "finish": _finish,
    "cancel": _cancel,
    "withdraw": _withdraw,
    "adjudicate": _adjudicate,
    "prove": _prove,
    "invite": _invite,
    "add-computer": _add_computer,
}
