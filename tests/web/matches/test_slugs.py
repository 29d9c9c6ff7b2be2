"""Slugs of matches, tournaments and others."""

import secrets

from antipodes.web.matches.models import new_slug


def test_no_slug_looks_like_an_option_of_a_command(monkeypatch):
    drawn = iter(["-zvT8NXn", "--9aBcde", "a-zvT8NX"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _bytes: next(drawn))
    assert new_slug() == "a-zvT8NX"
