"""Commands for preferences: notifications, vacations, the side of the board, play by e-mail.

The choices are those of the site.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from antipodes.clocks import DAY
from antipodes.core.numbers import read_number
from antipodes.errors import InputError
from antipodes.mail import OFF_WORDS
from antipodes.mail.layout import write_news, write_table
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.email_play.commands.emails import subject
from antipodes.web.email_play.context import CommandContext
from antipodes.web.email_play.match_emails import play_by_mail
from antipodes.web.email_play.models import MailPlayRow, MailWatchRow, SeekAlertRow
from antipodes.web.matches.viewpoints import choose_side, reads_own_side
from antipodes.web.notifications import preferences, vacations
from antipodes.web.notifications.forms import LONGEST_VACATION
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.preferences import REMINDERS, TENTH, USUAL_REMINDERS, preference_of
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.platform.clock import now


def plays_by_mail(user: User) -> bool:
    """Return whether a user gets boards by e-mail."""
    return MailPlayRow.objects.filter(user=user, is_on=True).exists()


def enable_by_default(user: User) -> None:
    """Switch play by e-mail on for a user who starts a game by e-mail, unless they have chosen."""
    if MailPlayRow.objects.filter(user=user).exists():
        return
    if preference_of(user).frequency == Frequency.DAILY:
        play_by_mail(user, on=True)
    else:  # not the default, so the user has chosen how often to get e-mail
        MailPlayRow.objects.get_or_create(user=user, defaults={"is_on": True})


def set_play_by_mail(user: User, *, on: bool) -> None:
    """Switch play by e-mail on or off for a user."""
    if not (on and plays_by_mail(user)):  # a repetition keeps what the user has chosen since
        play_by_mail(user, on=on)


def unsubscribe_from_everything(user: User) -> None:
    """Stop e-mails about games that a user does not play."""
    MailWatchRow.objects.filter(watch__user=user).delete()
    SeekAlertRow.objects.filter(user=user).delete()


_MAX_DAYS = 9_999
_BACK = frozenset({*OFF_WORDS, "back"})
_FILLERS = frozenset({"until", "for", "days", "day", "d", "hours", "hour", "h", "before"})
_WEEKS = frozenset({"week", "weeks"})
_SPAN = re.compile(r"([0-9]{1,3})([dh]?)")

_FREQUENCIES = {
    "each": Frequency.EACH,
    "off": Frequency.EACH,  # no digest
    "hourly": Frequency.HOURLY,
    "hour": Frequency.HOURLY,
    "daily": Frequency.DAILY,
    "day": Frequency.DAILY,
    "on": Frequency.DAILY,
    "reminders": Frequency.REMINDERS,
    "never": Frequency.NEVER,
    "none": Frequency.NEVER,
}


def vacation(context: CommandContext) -> None:
    """Start a vacation, end it, or show how much of it is left."""
    user = context.require_user()
    words = [word.lower() for word in context.request.words]
    words = [word for word in words if word not in _FILLERS]
    if not words:
        _reply_with_vacation(context, user, "The rest of your vacation on each board.")
    elif words[0] in _BACK:
        vacations.end_vacation(user)
        _reply_with_vacation(context, user, "Welcome back. Your clocks are running again.")
    else:
        zone = preferences.preference_of(user).zone
        last = _last_day(words, zone)
        vacations.start_vacation(user, vacations.end_of(last, zone))
        headline = f"You are away until the end of {last}, {zone_of(zone).key}."
        _reply_with_vacation(context, user, headline)


def _last_day(words: list[str], zone: str) -> date:
    """Return the last day of a vacation, given as a date, or as days or weeks from today."""
    today = datetime.fromtimestamp(now() / 1000, zone_of(zone)).date()
    word = words[0]
    try:
        last = date.fromisoformat(word)
    except ValueError:
        days = read_number(word.removesuffix("d"), _MAX_DAYS)
        if days is not None and not _WEEKS.isdisjoint(words[1:]):
            days *= 7
        if days is None:
            message = f"{shorten(word)} is not a day: write 2026-12-24, or a number of days, or off"
            raise InputError.single("mail/day", message) from None
        last = today + timedelta(days=days)
    if not today <= last <= today + timedelta(days=LONGEST_VACATION):
        message = f"{last} is not within {LONGEST_VACATION} days from today, {today}"
        raise InputError.single("mail/day", message)
    return last


def _reply_with_vacation(context: CommandContext, user: User, headline: str) -> None:
    rows = [
        (
            str(budget.row.pk),
            budget.row.game_id,
            f"{budget.left // DAY}d",
            "yes" if budget.is_away else "no",
        )
        for budget in vacations.budgets(user)
    ]
    heads = ("Board", "Game", "Left", "Away")
    context.reply(subject("vacation"), write_table(headline, "Vacation", heads, rows))


def reminders(context: CommandContext) -> None:
    """Choose how long before the end of their time the player is reminded."""
    user = context.require_user()
    words = [word.lower().strip(",") for word in context.request.words]
    words = [word for word in words if word not in _FILLERS]
    if words:
        preferences.change_preferences(user, reminders=_reminder_hours(words))
    chosen = preferences.reminders_of(preferences.preference_of(user))
    spans = ", ".join("a tenth of the turn" if hours == TENTH else _span(hours) for hours in chosen)
    text = f"You are reminded before your time runs out: {spans}." if spans else "No reminders."
    context.reply(subject("reminders"), write_news([text]))


def _reminder_hours(words: list[str]) -> tuple[int, ...]:
    if words[0] in OFF_WORDS:
        return ()
    if words[0] in {"on", "usual"}:
        return USUAL_REMINDERS
    return tuple(_parse_reminder(word) for word in words)


def _parse_reminder(word: str) -> int:
    if word == "tenth":
        return TENTH
    found = _SPAN.fullmatch(word)
    hours = int(found[1]) * (24 if found[2] == "d" else 1) if found else -1
    if hours not in REMINDERS or hours == TENTH:
        known = ", ".join(_span(one) for one in REMINDERS if one != TENTH)
        message = f"there is no reminder {shorten(word)}; choose {known}, tenth, usual or off"
        raise InputError.single("mail/reminders", message)
    return hours


def _span(hours: int) -> str:
    return f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"


def digest(context: CommandContext) -> None:
    """Choose how often notifications are e-mailed."""
    user = context.require_user()
    words = [word.lower() for word in context.request.words if word.lower() != "at"]
    if words:
        frequency = _FREQUENCIES.get(words[0])
        if frequency is None:
            message = f"{shorten(words[0])} is not one of daily, hourly, each, reminders and never"
            raise InputError.single("mail/digest", message)
        if frequency is Frequency.EACH:
            set_play_by_mail(user, on=True)
        preferences.change_preferences(user, frequency=frequency, hour=_hour_of_day(words[1:]))
    row = preferences.preference_of(user)
    text = _frequency_text(row.frequency, f"{row.hour:02}:00, {zone_of(row.zone).key}")
    context.reply(subject("how often you get mail"), write_news([text]))


def _hour_of_day(words: list[str]) -> int | None:
    if not words:
        return None
    hour = read_number(words[0].removesuffix(":00"), 23)
    if hour is not None:
        return hour
    message = f"{shorten(words[0])} is not an hour of the day; write 0 to 23"
    raise InputError.single("mail/digest", message)


def _frequency_text(frequency: str, time: str) -> str:
    return {
        Frequency.EACH.value: "You get a mail for each notification.",
        Frequency.HOURLY.value: "You get one mail an hour with all new notifications.",
        Frequency.DAILY.value: f"You get one mail a day with all new notifications, at {time}.",
        Frequency.REMINDERS.value: "You get only reminders before your time runs out.",
        Frequency.NEVER.value: "You get no mail except responses to your commands.",
    }[frequency]


_TEXTS = {
    True: "You read and write moves of Antipalos from your own side: A1 is at your lower left.",
    False: "You read and write moves of Antipalos from the side of seat 1, as in game records.",
}


def view(context: CommandContext) -> None:
    """Choose the side from which boards are read; without a word, show the choice."""
    user = context.require_user()
    if context.request.words:
        choose_side(user, own=context.request.words[0] == "own")
    context.reply(subject("view"), write_news([_TEXTS[reads_own_side(user)]]))
