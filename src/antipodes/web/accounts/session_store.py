"""Session store: Django's own, but keys that were never given out are not looked up."""

from __future__ import annotations

import re

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError

from antipodes.web.platform.outages import OUTAGES

_KEY = re.compile(r"[a-z0-9]{8,40}")


class SessionStore(db.SessionStore):
    """Sessions in the database; a cookie can hold any characters, also NUL."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and bool(_KEY.fullmatch(key))

    def save(self, must_create: bool = False) -> None:
        """Save the session, or raise the error of an outage.

        Django takes it for a session that was deleted meanwhile, and blames the request (400).
        """
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, OUTAGES):
                raise error.__context__ from None
            raise
