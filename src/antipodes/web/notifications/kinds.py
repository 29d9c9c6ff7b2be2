"""Kinds of notifications, their channels, and frequencies of e-mails."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import models
from django.utils.translation import gettext_lazy as _


class NotificationKind(models.TextChoices):
    """The kind of a notification."""

    YOUR_TURN = "your-turn", _("It is your turn")
    MATCH_BEGAN = "match-began", _("One of your matches has begun")
    MATCH_ENDED = "match-ended", _("One of your matches is over")
    INVITED = "invited", _("You are invited to a game, a club or a tournament")
    OFFER = "offer", _("Offers: draw, takeback, pause, rematch")
    CHAT = "chat", _("New chat messages in your matches")
    REMINDER = "reminder", _("Your time runs out soon")
    FLAG_FELL = "flag-fell", _("A player in one of your matches runs out of time")
    FOLLOWED_PLAYS = "followed-plays", _("Players and games you follow")
    TOURNAMENT = "tournament", _("Tournaments that you play in")
    DAILY_PUZZLE = "daily-puzzle", _("Puzzle of the day")
    MODERATION = "moderation", _("Decisions of the moderators")
    MAIL_FAILS = "mail-fails", _("E-mails to you bounce")
    SECRETS = "secrets", _("Secrets in what you write to others")


class Channel(models.TextChoices):
    """A channel by which notifications are delivered."""

    PAGE = "page", _("On the site")
    PUSH = "push", _("In the browser")
    MAIL = "mail", _("By e-mail")


class Frequency(models.TextChoices):
    """How often notifications are sent by e-mail."""

    EACH = "each", _("for each notification, after a minute")
    HOURLY = "hourly", _("an hourly digest")
    DAILY = "daily", _("a daily digest")
    REMINDERS = "reminders", _("only before my time runs out")
    NEVER = "never", _("never")


# Not held back for a digest, where they would come too late.
URGENT = frozenset({NotificationKind.REMINDER})

# Come at the hour of the daily e-mail, each in an e-mail of its own.
PUNCTUAL = frozenset({NotificationKind.DAILY_PUZZLE})

# Cannot be switched off on the site.
ALWAYS_SHOWN = frozenset(
    {NotificationKind.MODERATION, NotificationKind.MAIL_FAILS, NotificationKind.SECRETS}
)

# Cannot be sent by e-mail.
NEVER_MAILED = frozenset({NotificationKind.MAIL_FAILS})

_ALL = frozenset(Channel)
_NO_MAIL = frozenset({Channel.PAGE, Channel.PUSH})
_PAGE = frozenset({Channel.PAGE})

DEFAULTS: Mapping[NotificationKind, frozenset[Channel]] = {
    NotificationKind.YOUR_TURN: _ALL,
    NotificationKind.MATCH_BEGAN: _ALL,
    NotificationKind.MATCH_ENDED: frozenset({Channel.PAGE, Channel.MAIL}),
    NotificationKind.INVITED: _ALL,
    NotificationKind.OFFER: _ALL,
    NotificationKind.CHAT: _NO_MAIL,
    NotificationKind.REMINDER: _ALL,
    NotificationKind.FLAG_FELL: frozenset({Channel.PAGE, Channel.MAIL}),
    NotificationKind.FOLLOWED_PLAYS: _PAGE,
    NotificationKind.TOURNAMENT: _ALL,
    NotificationKind.DAILY_PUZZLE: frozenset(),  # only for users who ask for it
    NotificationKind.MODERATION: _ALL,
    NotificationKind.MAIL_FAILS: _NO_MAIL,
    NotificationKind.SECRETS: _PAGE,
}
