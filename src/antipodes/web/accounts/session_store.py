"""Session store: Django's own, but keys that were never given out are not looked up."""

from __future__ import annotations

import re

from django.contrib.sessions.backends import db

_KEY = re.compile(r"[a-z0-9]{8,40}")


class SessionStore(db.SessionStore):
    """Sessions in the database; a cookie can hold any characters, also NUL."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and bool(_KEY.fullmatch(key))
