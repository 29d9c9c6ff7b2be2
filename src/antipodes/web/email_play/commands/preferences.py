"""How one is told, and being away, by mail: the same choices as on the site."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from antipodes.errors import InputError
from antipodes.mail.layout import write_news, write_table
from antipodes.mail.requests import Verb
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.email_play.commands.lines import subject
from antipodes.web.email_play.commands.players import switch
from antipodes.web.email_play.context import CommandContext, handles
from antipodes.web.notifications import preferences, vacations
from antipodes.web.notifications.forms import LONGEST_VACATION
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.preferences import REMINDERS, TENTH, USUAL_REMINDERS
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.platform.clock import now

_OFF = frozenset({"off", "back", "over", "end"})
_NONE = frozenset({"off", "none", "never"})
_FILLERS = frozenset({"until", "for", "days", "day", "d", "at", "hours", "hour", "h", "before"})
_SPAN = re.compile(r"([0-9]{1,3})([dh]?)")

_FREQUENCIES = {
    "each": Frequency.EACH,
    "off": Frequency.EACH,  # no digest: each piece of news by itself
    "hourly": Frequency.HOURLY,
    "daily": Frequency.DAILY,
    "on": Frequency.DAILY,
    "reminders": Frequency.REMINDERS,
    "never": Frequency.NEVER,
    "none": Frequency.NEVER,
}


@handles(Verb.VACATION)
def vacation(context: CommandContext) -> None:
    """Be away until the end of a day, be back, or be told what is left."""
    user = context.require_user()
    words = [word.lower() for word in context.request.words]
    said = [word for word in words if word not in _FILLERS]
    if not said:
        _answer_vacation(context, user, "What is left of your vacation, on each board.")
    elif said[0] in _OFF:
        vacations.end_vacation(user)
        _answer_vacation(context, user, "Welcome back. Your clocks run again.")
    else:
        zone = preferences.preference_of(user).zone
        last = _last_day(said, zone)
        vacations.start_vacation(user, vacations.end_of(last, zone))
        headline = f"You are away until the end of {last}, {zone_of(zone).key}."
        _answer_vacation(context, user, headline)


def _last_day(words: list[str], zone: str) -> date:
    """Return the last day of an absence: a date, or so many days from today."""
    today = datetime.fromtimestamp(now() / 1000, zone_of(zone)).date()
    word = words[0]
    try:
        last = date.fromisoformat(word)
    except ValueError:
        number = word.removesuffix("d")
        if not (number.isascii() and number.isdecimal() and len(number) < 5):
            message = f"{shorten(word)} is no day: write 2026-12-24, or a number of days, or off"
            raise InputError.single("mail/day", message) from None
        last = today + timedelta(days=int(number))
    if not today <= last <= today + timedelta(days=LONGEST_VACATION):
        message = f"{last} is not within {LONGEST_VACATION} days from today, {today}"
        raise InputError.single("mail/day", message)
    return last


def _answer_vacation(context: CommandContext, user: User, headline: str) -> None:
    budgets = vacations.budgets(user)
    rows = [
        (
            str(one.row.pk),
            one.row.game_id,
            f"{one.left // 86_400_000}d",
            "yes" if one.is_away else "no",
        )
        for one in budgets
    ]
    heads = ("Board", "Game", "Left", "Away")
    context.reply(subject("vacation"), write_table(headline, "Vacation", heads, rows))


@handles(Verb.REMINDERS)
def reminders(context: CommandContext) -> None:
    """Choose when one is reminded before one's time runs out."""
    user = context.require_user()
    words = [word.lower().strip(",") for word in context.request.words]
    said = [word for word in words if word not in _FILLERS]
    if said:
        preferences.change_preferences(user, reminders=_hours(said))
    chosen = preferences.reminders_of(preferences.preference_of(user))
    text = ", ".join("a tenth of the turn" if one == TENTH else _span(one) for one in chosen)
    told = f"You are reminded before your time runs out: {text}." if text else "No reminders."
    context.reply(subject("reminders"), write_news([told]))


def _hours(words: list[str]) -> tuple[int, ...]:
    if words[0] in _NONE:
        return ()
    if words[0] in {"on", "usual"}:
        return USUAL_REMINDERS
    return tuple(_hour(word) for word in words)


def _hour(word: str) -> int:
    if word == "tenth":
        return TENTH
    found = _SPAN.fullmatch(word)
    hours = int(found[1]) * (24 if found[2] == "d" else 1) if found else -1
    if hours not in REMINDERS or hours == TENTH:
        known = ", ".join(_span(one) for one in REMINDERS if one != TENTH)
        message = f"{shorten(word)} is no reminder; there are {known}, tenth, usual and off"
        raise InputError.single("mail/reminders", message)
    return hours


def _span(hours: int) -> str:
    return f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"


@handles(Verb.DIGEST)
def digest(context: CommandContext) -> None:
    """Choose how often news come by mail."""
    user = context.require_user()
    words = [word.lower() for word in context.request.words if word.lower() not in _FILLERS]
    if words:
        frequency = _FREQUENCIES.get(words[0])
        if frequency is None:
            known = "daily, hourly, each, reminders and never"
            message = f"{shorten(words[0])} is no such choice; there are {known}"
            raise InputError.single("mail/digest", message)
        if frequency is Frequency.EACH:
            switch(user, on=True)
        preferences.change_preferences(user, frequency=frequency, hour=_hour_of_day(words[1:]))
    row = preferences.preference_of(user)
    told = _frequency_words(row.frequency, f"{row.hour:02}:00, {zone_of(row.zone).key}")
    context.reply(subject("how often you get mail"), write_news([told]))


def _hour_of_day(words: list[str]) -> int | None:
    if not words:
        return None
    word = words[0].removesuffix(":00")
    if word.isascii() and word.isdecimal() and len(word) < 3 and int(word) < 24:
        return int(word)
    message = f"{shorten(words[0])} is no hour of the day; write 0 to 23"
    raise InputError.single("mail/digest", message)


def _frequency_words(frequency: str, when: str) -> str:
    return {
        Frequency.EACH.value: "You get a letter for each piece of news.",
        Frequency.HOURLY.value: "You get one letter an hour with all that is new.",
        Frequency.DAILY.value: f"You get one letter a day with all that is new, at {when}.",
        Frequency.REMINDERS.value: "You get no letters but reminders before your time runs out.",
        Frequency.NEVER.value: "You get no letters any more, but for answers to your own.",
    }[frequency]
