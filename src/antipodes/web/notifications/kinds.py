"""What people are told, by which ways, and how often by mail."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import models
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """What a notice is about."""

    YOUR_TURN = "your-turn", _("It is your turn")
    MATCH_BEGAN = "match-began", _("A match of yours has begun")
    MATCH_ENDED = "match-ended", _("A match of yours is over")
    INVITED = "invited", _("Somebody invites you to play")
    OFFER = "offer", _("Offers: a draw, a takeback, a pause, a rematch")
    CHAT = "chat", _("Players talk at a match of yours")
    REMINDER = "reminder", _("Your time runs out soon")
    FLAG_FELL = "flag-fell", _("Somebody's time is up in a match of yours")
    FOLLOWED_PLAYS = "followed-plays", _("Somebody whom you follow plays")
    MODERATION = "moderation", _("News from the moderators")
    MAIL_FAILS = "mail-fails", _("Mail to you comes back")


class Channel(models.TextChoices):
    """A way to tell people something when they do not look at the site."""

    PAGE = "page", _("On the site")
    PUSH = "push", _("In the browser")
    MAIL = "mail", _("By e-mail")


class Frequency(models.TextChoices):
    """How often mail is sent."""

    EACH = "each", _("for each piece of news, after a minute")
    HOURLY = "hourly", _("once an hour, what is new together")
    DAILY = "daily", _("once a day, what is new together")
    REMINDERS = "reminders", _("only before my time runs out")
    NEVER = "never", _("never")


# What waits for no digest: it would come too late.
URGENT = frozenset({Kind.REMINDER})

# Nobody can choose not to hear of these on the site.
ALWAYS_SHOWN = frozenset({Kind.MODERATION, Kind.MAIL_FAILS})

# What no mail can tell.
NEVER_MAILED = frozenset({Kind.MAIL_FAILS})

_ALL = frozenset(Channel)
_NO_MAIL = frozenset({Channel.PAGE, Channel.PUSH})
_PAGE = frozenset({Channel.PAGE})

DEFAULTS: Mapping[Kind, frozenset[Channel]] = {
    Kind.YOUR_TURN: _ALL,
    Kind.MATCH_BEGAN: _ALL,
    Kind.MATCH_ENDED: frozenset({Channel.PAGE, Channel.MAIL}),
    Kind.INVITED: _ALL,
    Kind.OFFER: _ALL,
    Kind.CHAT: _NO_MAIL,
    Kind.REMINDER: _ALL,
    Kind.FLAG_FELL: frozenset({Channel.PAGE, Channel.MAIL}),
    Kind.FOLLOWED_PLAYS: _PAGE,
    Kind.MODERATION: _ALL,
    Kind.MAIL_FAILS: _NO_MAIL,
}
