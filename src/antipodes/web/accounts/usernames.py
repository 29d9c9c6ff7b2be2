"""Which names accounts may have."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from antipodes.web.accounts.confusables import skeleton

_FEWEST, _MOST = 3, 20
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


def check_shape(name: str) -> None:
    """Refuse a name that has other characters than a name, or too few or too many of them.

    Raises:
        ValidationError: with what is wrong, in words.
    """
    if not _FEWEST <= len(name) <= _MOST:
        message = _("A name has %(fewest)s to %(most)s characters; “%(name)s” has %(length)s.") % {
            "fewest": _FEWEST,
            "most": _MOST,
            "name": name,
            "length": len(name),
        }
        raise ValidationError(message, code="name-length")
    if not _NAME.fullmatch(name):
        message = _(
            "“%(name)s” cannot be a name: it begins with a letter, and has letters a to z, digits,"
            " and single hyphens or underscores between them."
        ) % {"name": name}
        raise ValidationError(message, code="name-characters")


def check_name(name: str) -> None:
    """Refuse a name that a player may not have; a host may give reserved ones to the staff.

    Raises:
        ValidationError: with what is wrong, in words.
    """
    check_shape(name)
    bare = name.rstrip("-_0123456789")
    keys = {skeleton(name), skeleton(bare)}
    if keys & _reserved or skeleton(name).startswith(_beginnings):
        message = _("The name “%(name)s” is kept free.") % {"name": name}
        raise ValidationError(message, code="name-reserved")


def taken(name: str) -> ValidationError:
    """Return the refusal of a name that another account has, or one that looks like it."""
    message = _("“%(name)s” is the name of another account, or looks like one.") % {"name": name}
    return ValidationError(message, code="name-taken")


NAME_VALIDATORS = [check_name]
