"""Rules for usernames."""

from __future__ import annotations

import re

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from antipodes.web.accounts.confusables import skeleton

_MIN_LENGTH, _MAX_LENGTH = 3, 20
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*", re.ASCII)
# A player must not be taken for the computer, a guest, or the people who run the site.
_RESERVED = (
    *("admin", "administrator", "anonymous", "antipodes", "anybody", "bot", "computer", "comput3r"),
    *(
        "engine",
        "guest",
        "help",
        "me",
        "moderator",
        "nobody",
        "pairing",
        "postmaster",
        "robot",
        "root",
        "staff",
    ),
    *("support", "system", "webmaster", "you"),
)
_BEGINNINGS = ("computer", "guest", "admin", "moderator", "antipodes", "deleted")

_reserved = frozenset(skeleton(article + word) for word in _RESERVED for article in ("", "the"))
_beginnings = tuple(skeleton(word) for word in _BEGINNINGS)


def check_format(name: str) -> None:
    """Check the length and the characters of a name.

    Raises:
        ValidationError: the length or a character is invalid.
    """
    if not _MIN_LENGTH <= len(name) <= _MAX_LENGTH:
        message = _("A name has %(fewest)s to %(most)s characters; “%(name)s” has %(length)s.") % {
            "fewest": _MIN_LENGTH,
            "most": _MAX_LENGTH,
            "name": name,
            "length": len(name),
        }
        raise ValidationError(message, code="name-length")
    if not _NAME.fullmatch(name):
        message = _(
            "“%(name)s” is not allowed: a name begins with a letter, and has letters a to z,"
            " digits, and single hyphens or underscores between them."
        ) % {"name": name}
        raise ValidationError(message, code="name-characters")


def check_name(name: str) -> None:
    """Check that a player may have a name; only hosts can give reserved names, to staff.

    Raises:
        ValidationError: the name is invalid or reserved.
    """
    check_format(name)
    look = skeleton(name)
    looks = {look, skeleton(name.rstrip("-_0123456789"))}
    # The account of a volunteer may be deleted: its rights are not for the next one of its name.
    volunteers = map(skeleton, settings.ENGINE_ACCOUNTS)
    if looks & _reserved or look.startswith(_beginnings) or look in volunteers:
        message = _("The name “%(name)s” is reserved.") % {"name": name}
        raise ValidationError(message, code="name-reserved")


def name_taken(name: str) -> ValidationError:
    """Return the error for a name that looks like that of another account."""
    message = _("“%(name)s” is the name of another account, or looks like one.") % {"name": name}
    return ValidationError(message, code="name-taken")


NAME_VALIDATORS = [check_name]
