"""Which names accounts may have."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

_FEWEST, _MOST = 3, 20
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*", re.IGNORECASE)
# Nobody shall be taken for the computer, a guest, or whoever runs the site.
_RESERVED = re.compile(
    r"(?:the)?(?:computer|comput3r|guest|bot|robot|engine|admin|administrator|moderator|staff"
    r"|support|help|system|root|webmaster|postmaster|antipodes|anonymous|anybody|nobody|you|me)"
    r"[-_0-9]*",
    re.IGNORECASE,
)
_BEGINNINGS = ("computer", "guest", "admin", "moderator", "antipodes", "deleted")


def check_name(name: str) -> None:
    """Refuse a name that an account may not have.

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
    if _RESERVED.fullmatch(name) or name.lower().startswith(_BEGINNINGS):
        message = _("The name “%(name)s” is kept free.") % {"name": name}
        raise ValidationError(message, code="name-reserved")


NAME_VALIDATORS = [check_name]
